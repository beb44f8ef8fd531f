// SPDX-License-Identifier: MIT
//
// Captures in real files, and what happens when a file cannot be written or read.

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "capture/capture_format.h"
#include "profiler/capture/capture_answers.h"
#include "profiler/capture/saved_capture.h"
#include "temporary_folder.h"

namespace flamelet::capture_path_test {
namespace {

flamelet_result save_to(const flamelet_capture* capture, const std::string& path) {
  return flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path.c_str());
}

}  // namespace

TEST_CASE_FIXTURE(TemporaryFolder, "capture path: what is saved to a path is what is loaded from it") {
  FedCapture capture;
  record_random(&capture, 3, 4000);
  const std::string path = file("a.flamelet");
  REQUIRE(save_to(capture.get(), path) == FLAMELET_OK);
  CHECK(read_file(path) == save(capture.get()));
  CHECK(count() == 1);

  const recorder_test::LoadedFile loaded(path);
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(loaded.report.file_bytes == save(capture.get()).size());
  CHECK(answers(loaded) == answers(capture.get()));
}

TEST_CASE_FIXTURE(TemporaryFolder, "capture path: temporary files of a process that was killed are passed over") {
  FedCapture capture;
  const std::string path = file("file");
  for (int left = 0; left <= 101; ++left) {
    CAPTURE(left);
    REQUIRE(save_to(capture.get(), path) == FLAMELET_OK);
    REQUIRE(count() == static_cast<size_t>(left) + 1);
    std::ofstream(path + (left < 10 ? ".tmp-0" : ".tmp-") + std::to_string(left)) << "of another";
  }
  CHECK(read_file(path + ".tmp-00") == "of another");
}

TEST_CASE_FIXTURE(TemporaryFolder, "capture path: an invalid window changes and leaves nothing") {
  FedCapture capture;
  const std::string path = file("file");
  std::ofstream(path) << "old";
  errno = 0;
  CHECK(flamelet_capture_save(capture.get(), 5, 5, path.c_str()) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_capture_save(capture.get(), 0, 1, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_capture_save(nullptr, 0, 1, path.c_str()) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(read_file(path) == "old");
  CHECK(count() == 1);
}

TEST_CASE("capture path: arguments that cannot be are refused, and no capture is handed out") {
  const auto nothing = [](void*, uint64_t, void*, size_t, size_t*) { return false; };
  const flamelet_source none = {nullptr, 100, nullptr}, some = {nothing, 100, nullptr};
  const flamelet_source stream = {nothing, FLAMELET_SIZE_UNKNOWN, nullptr};
  flamelet_load_options half = flamelet_load_options_default();
  half.allocator.free = [](void*, void*, size_t, size_t) {};
  const auto refused = [](auto load) {
    flamelet_capture before;
    flamelet_capture* capture = &before;
    CHECK(load(&capture) == FLAMELET_ERROR_INVALID_ARGUMENT);
    CHECK(capture == nullptr);
    CHECK(load(nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  };
  refused([](flamelet_capture** to) { return flamelet_capture_load(nullptr, nullptr, to, nullptr); });
  refused([](flamelet_capture** to) { return flamelet_capture_recover(nullptr, nullptr, to, nullptr); });
  for (const flamelet_source& source : {none, stream}) {
    refused([&](flamelet_capture** to) { return flamelet_capture_load_from(nullptr, source, to, nullptr); });
    refused([&](flamelet_capture** to) { return flamelet_capture_recover_from(nullptr, source, to, nullptr); });
  }
  refused([&](flamelet_capture** to) { return flamelet_capture_load_from(&half, some, to, nullptr); });
  refused([&](flamelet_capture** to) { return flamelet_capture_recover_from(&half, some, to, nullptr); });
  refused([](flamelet_capture** to) { return flamelet_capture_load_bytes(nullptr, nullptr, 1, to, nullptr); });
}

TEST_CASE("capture path: errno says why a file cannot be opened") {
#ifdef _WIN32
  constexpr int kReadsFolder = EACCES;
#else
  constexpr int kReadsFolder = EINVAL;
#endif
  TemporaryFolder folder;
  FedCapture capture;
  const auto fails_to_save = [&](const std::string& path, int why) {
    CAPTURE(path);
    CHECK(save_to(capture.get(), path) == FLAMELET_ERROR_FILE_OPEN);
    CHECK(errno == why);
  };
  fails_to_save(folder.file("no/such/folder"), ENOENT);
  fails_to_save("", ENOENT);
  fails_to_save(folder.file(std::string(5000, 'x')), ENAMETOOLONG);
  const auto fails_to_load = [](const std::string& path, int why) {
    CAPTURE(path);
    flamelet_capture* loaded = nullptr;
    CHECK(flamelet_capture_load(nullptr, path.c_str(), &loaded, nullptr) == FLAMELET_ERROR_FILE_OPEN);
    CHECK(errno == why);
    CHECK(loaded == nullptr);
  };
  fails_to_load(folder.file("nothing"), ENOENT);
  fails_to_load(folder.file("."), kReadsFolder);
  std::filesystem::create_directory(folder.file("folder"));
  fails_to_save(folder.file("folder"), EISDIR);
  CHECK(folder.count() == 1);
}

TEST_CASE("capture path: a write that fails ends the saving, whichever it is") {
  FedCapture capture;
  record_random(&capture, 5, 9000);
  struct Sink {
    int calls_left;
    int calls;
    static bool write(void* self, const void*, size_t) {
      Sink& sink = *static_cast<Sink*>(self);
      ++sink.calls;
      return sink.calls_left-- > 0;
    }
  };
  for (int good_calls = 0;; ++good_calls) {
    Sink sink = {good_calls, 0};
    const flamelet_result result = flamelet_capture_save_to(capture.get(), INT64_MIN, INT64_MAX, {Sink::write, &sink});
    if (result == FLAMELET_OK) {
      CHECK(sink.calls == good_calls);
      CHECK(good_calls > 5);
      break;
    }
    REQUIRE(result == FLAMELET_ERROR_FILE_WRITE);
    CHECK(sink.calls == good_calls + 1);  // and asked no more
  }
}

TEST_CASE("capture path: a read that fails is an error of its own, and no end of the file") {
  FedCapture capture;
  record_random(&capture, 5, 9000);
  struct File {
    std::string bytes;
    int reads_left;
    bool ends;  // instead of an error
    static bool read(void* self, uint64_t offset, void* to, size_t size, size_t* count) {
      File& file = *static_cast<File*>(self);
      const bool fails = file.reads_left-- == 0;
      *count = fails ? 0 : file.bytes.copy(static_cast<char*>(to), size, offset);
      return !fails || file.ends;
    }
  } file = {save(capture.get()), 0, false};
  for (int good_reads = 0;; ++good_reads) {
    CAPTURE(good_reads);
    file.reads_left = good_reads;
    file.ends = good_reads % 2 == 1;
    flamelet_capture* loaded = nullptr;
    const flamelet_result result =
        flamelet_capture_load_from(nullptr, {File::read, file.bytes.size(), &file}, &loaded, nullptr);
    if (result == FLAMELET_OK) {
      CHECK(answers(loaded) == answers(capture.get()));
      flamelet_capture_destroy(loaded);
      CHECK(good_reads > 20);
      break;
    }
    CHECK(result == FLAMELET_ERROR_FILE_READ);
    CHECK(loaded == nullptr);
  }
}

TEST_CASE("capture path: a source may give its bytes in pieces of any size") {
  FedCapture capture;
  record_random(&capture, 5, 2000);
  const std::string bytes = save(capture.get());
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{4096}}) {
    CAPTURE(piece);
    StringSource source = {bytes, piece};
    flamelet_capture* loaded = nullptr;
    REQUIRE(flamelet_capture_load_from(nullptr, source.file(), &loaded, nullptr) == FLAMELET_OK);
    CHECK(answers(loaded) == answers(capture.get()));
    flamelet_capture_destroy(loaded);
  }
}

// What went on behind the last saved page is open in the file; and a scope whose begin was lost, and that only a page
// behind the window re-opens, is not in it.
TEST_CASE("capture path: a saved window holds what ran in it, also of a capture that has evicted pages") {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    FedCapture capture(seed % 3 == 0 ? 0 : 64);
    record_random(&capture, seed, 12000);
    int64_t begin_ns = 0, end_ns = 0;
    REQUIRE(flamelet_capture_extent(capture.get(), &begin_ns, &end_ns));
    const int64_t from = begin_ns + (end_ns - begin_ns) / 3, to = end_ns - (end_ns - begin_ns) / 3;
    Loaded loaded(save(capture.get(), from, to));
    REQUIRE(loaded.result == FLAMELET_OK);
    CHECK(loaded.report.pages_read < capture.stats().pages_held);
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture.get()); ++lane) {
      CAPTURE(lane);
      const std::vector<flamelet_span> expected = recorder_test::read_spans(capture.get(), lane, from, to),
                                       found = recorder_test::read_spans(loaded.capture, lane, from, to);
      size_t at = 0, wrong = 0;
      for (const flamelet_span& span : expected) {
        const bool is_there = at < found.size() && found[at].id == span.id && found[at].begin_ns == span.begin_ns &&
                              found[at].depth == span.depth && found[at].name == span.name;
        if (is_there) {
          if (found[at].end_ns != span.end_ns && (found[at].flags & FLAMELET_SPAN_OPEN) == 0) ++wrong;
        } else if (span.end_ns < to) {
          ++wrong;
        }
        at += is_there ? 1 : 0;
      }
      CHECK(wrong == 0);
      CHECK(at == found.size());
      CHECK(expected.size() - found.size() <= 2);
    }
  }
}

}  // namespace flamelet::capture_path_test
