// SPDX-License-Identifier: MIT
//
// Every call of the operating system that saving, loading and logging make, and what happens when it fails. Also memory
// that runs out.
#include "profiler/capture/file_faults.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "platform/file.h"
#include "profiler/capture/saved_capture.h"
#include "rounds.h"
#include "support/counting_allocator.h"
#include "temporary_folder.h"

namespace flamelet {
namespace {

using file_faults::Call;
using file_faults::Plan;

size_t descriptor_count() {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

// What each call can fail with; 0 of a read or write: nothing was moved.
std::vector<int> errors_of(Call call) {
  switch (call) {
    case Call::kOpen:
      return {EACCES, EIO, EMFILE, ENOSPC, EROFS};
    case Call::kRead:
      return {0, EIO};
    case Call::kWrite:
      return {0, EIO, ENOSPC, EDQUOT};
    case Call::kReserve:
      return {ENOSPC, EOPNOTSUPP};
    case Call::kMap:
      return {ENOMEM};
    case Call::kRename:
      return {EACCES, EIO, ENOSPC};
    default:
      return {EIO, ENOSPC};
  }
}

// Runs `check(plan, call)` with every call of the list failing in every way, once and from then on.
template <class Check>
void for_each_fault(const std::vector<Call>& calls, Check check) {
  for (size_t number = 0; number < calls.size(); ++number) {
    for (const int error : errors_of(calls[number])) {
      for (const bool goes_on : {false, true}) {
        CAPTURE(number);
        CAPTURE(static_cast<int>(calls[number]));
        CAPTURE(error);
        CAPTURE(goes_on);
        Plan plan;
        plan.fails_at = number;
        plan.error = error;
        plan.goes_on = goes_on;
        check(plan, calls[number]);
      }
    }
  }
}

// Without those that only look whether a descriptor is still what it was opened to.
std::vector<Call> without_looks(std::vector<Call> calls) {
  calls.erase(std::remove(calls.begin(), calls.end(), Call::kStat), calls.end());
  return calls;
}

int seen_error(const Plan& plan) {
  return plan.error == 0 ? EIO : plan.error;
}

std::string record() {
  // With room for all intervals: a loaded capture has also those that a full table would have dropped.
  flamelet_capture_config config = FedCapture::small_config();
  config.max_intervals = config.max_named_frames = 1u << 14;
  FedCapture capture(64, 1e9, config);
  record_random(&capture, 5, 9000);
  return save(capture.get());
}

// A capture of several chunks of pages.
struct Saved {
  TemporaryFolder folder;
  const std::string path = folder.file("file");
  const std::string bytes = record();
  const Loaded capture{bytes};  // with tables that are no larger than they have to be: it is saved hundreds of times

  Saved() { REQUIRE((capture.result == FLAMELET_OK && bytes.size() > 60000)); }
  flamelet_result save_with(const Plan& plan, std::vector<Call>* calls = nullptr) const {
    file_faults::begin(plan);
    const flamelet_result result = flamelet_capture_save(capture.capture, INT64_MIN, INT64_MAX, path.c_str());
    const std::vector<Call> made = file_faults::end();
    if (calls != nullptr) *calls = made;
    return result;
  }
};

struct LoadedFile {
  recorder_test::CountingAllocator allocator;
  flamelet_capture* capture = nullptr;
  std::vector<Call> calls;

  flamelet_result load(const std::string& path, const Plan& plan) {
    flamelet_load_options options = flamelet_load_options_default();
    options.allocator = allocator.get();
    file_faults::begin(plan);
    const flamelet_result result = flamelet_capture_load(&options, path.c_str(), &capture, nullptr);
    calls = file_faults::end();
    return result;
  }
  ~LoadedFile() {
    flamelet_capture_destroy(capture);
    CHECK(allocator.blocks_held() == 0);
  }
};

}  // namespace

TEST_CASE_FIXTURE(
    Saved,
    "file faults: whichever call of a save fails, the file is the one before or the new one, and nothing is left") {
  std::vector<Call> calls;
  REQUIRE(save_with(Plan(), &calls) == FLAMELET_OK);
  const auto renamed = static_cast<size_t>(std::find(calls.begin(), calls.end(), Call::kRename) - calls.begin());
  REQUIRE(std::count(calls.begin(), calls.end(), Call::kWrite) > 3);
  // Temporary file flushed, closed and renamed, then its folder.
  const Call last[] = {Call::kSync, Call::kClose, Call::kRename, Call::kOpen, Call::kSync, Call::kClose};
  const std::vector<Call> done = without_looks(calls);
  REQUIRE((done.size() > 6 && std::equal(done.end() - 6, done.end(), last)));
  const size_t descriptors = descriptor_count();

  for_each_fault(calls, [&](const Plan& plan, Call call) {
    std::ofstream(path) << "old";
    const flamelet_result result = save_with(plan);
    const int why = errno;
    // The new file is there, or it only was not said whether the descriptor is still the file's: it is
    if (plan.fails_at > renamed || call == Call::kStat) {
      CHECK(result == FLAMELET_OK);
      CHECK(read_file(path) == bytes);
    } else {
      CHECK(result == (call == Call::kOpen ? FLAMELET_ERROR_FILE_OPEN : FLAMELET_ERROR_FILE_WRITE));
      CHECK(why == seen_error(plan));
      CHECK(read_file(path) == "old");
    }
    CHECK(folder.count() == 1);
    CHECK(descriptor_count() == descriptors);
    CHECK(save_with(Plan()) == FLAMELET_OK);
    CHECK(read_file(path) == bytes);
  });
}

TEST_CASE_FIXTURE(Saved, "file faults: a process that is killed anywhere in a save leaves the file that was there" *
                             doctest::test_suite("gate")) {
  std::ofstream(path) << "old";
#if defined(NDEBUG)
  const size_t stride = 61;
#else
  const size_t stride = 1301 * (100 / rounds(100));  // a process takes long to fork under a sanitizer
#endif
  for (size_t size = 0; size < bytes.size(); size += stride) {
    CAPTURE(size);
    const pid_t child = fork();
    if (child == 0) {
      Plan plan;
      plan.dies_at = size;
      save_with(plan);
      _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
    REQUIRE(read_file(path) == "old");
    // What it had written is a capture that was cut off there.
    REQUIRE(read_file(path + ".tmp-00") == bytes.substr(0, size));
    REQUIRE(unlink((path + ".tmp-00").c_str()) == 0);
  }
  REQUIRE(save_with(Plan()) == FLAMELET_OK);
  CHECK(read_file(path) == bytes);
}

TEST_CASE_FIXTURE(Saved, "file faults: a save that cannot clean up either says what failed first") {
  Plan plan;
  std::vector<Call> calls;
  REQUIRE(save_with(plan, &calls) == FLAMELET_OK);
  plan.fails_at = static_cast<size_t>(std::find(calls.begin(), calls.end(), Call::kSync) - calls.begin());
  plan.error = EIO;
  REQUIRE(save_with(plan, &calls) == FLAMELET_ERROR_FILE_WRITE);
  calls = without_looks(calls);
  CHECK((calls.size() > 2 && calls[calls.size() - 2] == Call::kClose && calls.back() == Call::kUnlink));
  CHECK(errno == EIO);
}

TEST_CASE_FIXTURE(Saved, "file faults: a save that signals interrupt in every call loses nothing") {
  Plan plan;
  plan.interrupts = true;
  CHECK(save_with(plan) == FLAMELET_OK);
  CHECK(read_file(path) == bytes);
  CHECK(folder.count() == 1);
}

TEST_CASE_FIXTURE(Saved, "file faults: a save whose writes are short loses nothing") {
  Plan plan;
  for (const size_t most : {size_t{4096}, size_t{63}}) {
    plan.most_bytes = most;
    CHECK(save_with(plan) == FLAMELET_OK);
    CHECK(read_file(path) == bytes);
  }
}

TEST_CASE_FIXTURE(Saved, "file faults: a save without a free temporary name fails") {
  Plan plan;
  plan.fails_at = 0;
  plan.error = EEXIST;
  CHECK(save_with(plan) == FLAMELET_OK);  // the next name
  plan.goes_on = true;
  CHECK(save_with(plan) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(errno == EEXIST);
  CHECK(read_file(path) == bytes);
}

TEST_CASE_FIXTURE(Saved, "file faults: whichever call of a load fails, there is no capture, and errno says why") {
  REQUIRE(save_with(Plan()) == FLAMELET_OK);
  std::vector<Call> calls;
  {
    LoadedFile file;
    REQUIRE(file.load(path, Plan()) == FLAMELET_OK);
    calls = file.calls;
  }
  REQUIRE((calls.size() > 20 && calls[0] == Call::kOpen && calls[2] == Call::kStat && calls.back() == Call::kClose));
  const size_t descriptors = descriptor_count();
  for_each_fault(calls, [&](const Plan& plan, Call call) {
    LoadedFile file;
    const flamelet_result result = file.load(path, plan);
    const int why = errno;
    CHECK(descriptor_count() == descriptors);
    CHECK((file.capture != nullptr) == (result == FLAMELET_OK));
    const bool asks_for_size = plan.fails_at == 2 || (plan.goes_on && plan.fails_at < 2);
    if (call == Call::kClose || (call == Call::kStat && !asks_for_size)) {
      CHECK(result == FLAMELET_OK);
      return;
    }
    CHECK(result == (call == Call::kRead ? FLAMELET_ERROR_FILE_READ : FLAMELET_ERROR_FILE_OPEN));
    CHECK(why == seen_error(plan));
  });
}

TEST_CASE_FIXTURE(Saved,
                  "file faults: a load that signals interrupt, or that gets a few bytes at a time, loses nothing") {
  REQUIRE(save_with(Plan()) == FLAMELET_OK);
  Plan interrupted, slow;
  interrupted.interrupts = true;
  slow.most_bytes = 63;
  for (const Plan& plan : {interrupted, slow}) {
    LoadedFile file;
    REQUIRE(file.load(path, plan) == FLAMELET_OK);
    CHECK(save(file.capture) == bytes);
  }
}

TEST_CASE_FIXTURE(Saved,
                  "file faults: memory that runs out in a load or a save is an error, and all of it is given back") {
  REQUIRE(save_with(Plan()) == FLAMELET_OK);
  LoadedFile file;
  flamelet_result result = FLAMELET_ERROR_OUT_OF_MEMORY;
  size_t blocks = 0;
  for (; result == FLAMELET_ERROR_OUT_OF_MEMORY; ++blocks) {
    CHECK((file.allocator.blocks_held() == 0 && file.capture == nullptr));
    file.allocator.blocks_left = blocks;
    result = file.load(path, Plan());
  }
  REQUIRE(result == FLAMELET_OK);
  CHECK(blocks > 2);
  file.allocator.blocks_left = 0;
  CHECK(flamelet_capture_save(file.capture, INT64_MIN, INT64_MAX, path.c_str()) == FLAMELET_ERROR_OUT_OF_MEMORY);
  CHECK(read_file(path) == bytes);
  CHECK(folder.count() == 1);
}

TEST_CASE_FIXTURE(
    TemporaryFolder,
    "file faults: whichever call of a log file fails, the answer says so, and what was there before still is") {
  const std::string path = file("log");
  // Opens a file that ends inside a line, adds two lines, takes one back, closes.
  struct Outcome {
    bool opened, appended, truncated, closed;
    int why;
  };
  std::vector<Call> calls;
  const auto use = [&](const Plan& plan) {
    std::ofstream(path) << "half";
    Outcome outcome = {};
    {
      AppendFile file;
      file_faults::begin(plan);
      outcome.opened = file.open(path.c_str());
      if (outcome.opened) {
        outcome.appended = file.append("one\n", 4);
        const uint64_t size = file.size();
        outcome.appended = file.append("two\n", 4) && outcome.appended;
        outcome.truncated = file.truncate(size);
        outcome.closed = file.close();
        CHECK(!file.is_open());
      }
      calls = file_faults::end();
      outcome.why = file.last_errno();
    }
    return outcome;
  };
  const auto is_good = [](const Outcome& outcome) {
    return outcome.opened && outcome.appended && outcome.truncated && outcome.closed;
  };
  REQUIRE(is_good(use(Plan())));
  REQUIRE(read_file(path) == "half\none\n");
  const size_t descriptors = descriptor_count();
  const std::vector<Call> all = calls;
  for_each_fault(all, [&](const Plan& plan, Call call) {
    const Outcome outcome = use(plan);
    CHECK(read_file(path).compare(0, 4, "half") == 0);
    CHECK(descriptor_count() == descriptors);
    if (call == Call::kStat && is_good(outcome)) return;  // it only was not said whether the file is still the same
    CHECK(!is_good(outcome));
    CHECK(outcome.why == seen_error(plan));
  });
  Plan plan;
  plan.interrupts = true;
  CHECK(is_good(use(plan)));
  CHECK(read_file(path) == "half\none\n");
  plan = Plan();
  plan.most_bytes = 1;
  CHECK(is_good(use(plan)));
  CHECK(read_file(path) == "half\none\n");
}

TEST_CASE_FIXTURE(
    TemporaryFolder,
    "file faults: a new file is for its user alone until it has the readers of the one that it replaces") {
  const std::string path = file("new");
  std::ofstream(path) << "old";
  REQUIRE(chmod(path.c_str(), 0640) == 0);
  for (const bool is_refused : {true, false}) {
    Plan plan;
    plan.fails_at = is_refused ? 2 : Plan::kNone;  // the call after open() and the look what it opened
    plan.error = EPERM;
    NewFile file;
    file_faults::begin(plan);
    const bool is_open = file.open(path.c_str(), FileReaders::kAsBefore);
    CHECK(file_faults::end() == std::vector<Call>{Call::kOpen, Call::kStat, Call::kMode});
    REQUIRE(is_open);
    struct stat status = {};
    REQUIRE(stat((path + ".tmp-00").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == (is_refused ? 0600 : 0640));
  }
}

TEST_CASE_FIXTURE(TemporaryFolder, "file faults: whichever call of a mapped file fails, nothing is left of it") {
  const std::string path = file("ring");
  const auto map = [&](const Plan& plan, std::vector<Call>* calls = nullptr) {
    void* memory = nullptr;
    file_faults::begin(plan);
    const flamelet_result result = map_new_file(path.c_str(), 8192, &memory);
    const std::vector<Call> made = file_faults::end();
    if (calls != nullptr) *calls = made;
    if (result != FLAMELET_OK) return result;
    std::memset(memory, 1, 8192);
    unmap_file(memory, 8192);
    CHECK(read_file(path) == std::string(8192, 1));
    std::filesystem::remove(path);
    return result;
  };
  std::vector<Call> calls;
  REQUIRE(map(Plan(), &calls) == FLAMELET_OK);
  const size_t descriptors = descriptor_count();
  for_each_fault(calls, [&](const Plan& plan, Call call) {
    const flamelet_result result = map(plan);
    const int why = errno;
    CHECK(count() == 0);
    CHECK(descriptor_count() == descriptors);
    if (call == Call::kClose) {
      CHECK(result == FLAMELET_OK);
      return;
    }
    CHECK(result == (call == Call::kOpen  ? FLAMELET_ERROR_FILE_OPEN
                     : call == Call::kMap ? FLAMELET_ERROR_OUT_OF_MEMORY
                                          : FLAMELET_ERROR_FILE_WRITE));
    CHECK(why == plan.error);
  });
  Plan plan;
  plan.interrupts = true;
  CHECK(map(plan) == FLAMELET_OK);
}

}  // namespace flamelet
