// SPDX-License-Identifier: MIT
//
// How long each thread ran, as the system tells it of real threads.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "flamelet/scope.h"
#include "platform/thread_account.h"
#include "support/capture.h"
#include "support/forked.h"
#include "support/open_files.h"
#include "support/processor_time.h"
#include "support/recording.h"
#include "support/taken_files.h"

using namespace recorder_test;

namespace {

constexpr int64_t kMs = 1'000'000;

bool this_system_tells() {
  flamelet::ThreadAccount account;
  const uint32_t thread = flamelet::this_thread_number();
  flamelet::OpenAccount handle = flamelet::open_thread_account(thread);
  flamelet::read_thread_account(&handle, thread, &account);
  flamelet::close_thread_account(handle);
  return (account.known & (flamelet::kKnowsRan | flamelet::kKnowsReady)) ==
         (flamelet::kKnowsRan | flamelet::kKnowsReady);
}

void touch_memory(size_t pages) {
  const size_t bytes = pages * 4096;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < bytes; i += 4096) static_cast<volatile char*>(memory)[i] = 1;
  munmap(memory, bytes);
}

// A named thread that burns time on a processor and touches new memory when it is told to, and sleeps in between.
class Stepper {
 public:
  explicit Stepper(const char* name) : thread_([this, name] { run(name); }) { wait(); }
  ~Stepper() {
    start(-1);
    thread_.join();
  }
  void start(int64_t burn_ns, size_t pages = 1) {
    const std::lock_guard<std::mutex> lock(mutex_);
    work_ns_ = burn_ns;
    pages_ = pages;
    busy_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !busy_; });
  }
  pthread_t handle() { return thread_.native_handle(); }
  // The thread's page faults from its start to the end of its last work. A sanitizer's own are among them.
  int64_t faults() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return faults_;
  }

 private:
  void run(const char* name) {
    flamelet_set_thread_name(name);
    std::unique_lock<std::mutex> lock(mutex_);
    while (work_ns_ >= 0) {
      lock.unlock();
      {
        FLAMELET_SCOPE("Work");
        burn(work_ns_);
        touch_memory(pages_);
      }
      rusage used;
      getrusage(RUSAGE_THREAD, &used);
      lock.lock();
      faults_ = used.ru_minflt;
      busy_ = false;
      changed_.notify_all();
      changed_.wait(lock, [this] { return busy_; });
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t work_ns_ = 0;
  size_t pages_ = 1;
  int64_t faults_ = 0;
  bool busy_ = true;
  std::thread thread_;
};

struct Frames {
  Capture capture;
  flamelet_thread_time newest(const char* thread) {
    capture.update();
    flamelet_thread_time time;
    flamelet_capture_thread_time(capture, flamelet_capture_frame_count(capture) - 1, capture.lane(thread), &time);
    return time;
  }
};

}  // namespace

TEST_CASE("thread times: work counts where it was done, and a thread that slept did not run") {
  if (!this_system_tells()) return;
  Recording recording;
  Frames frames;
  Stepper worker("Worker"), sleeper("Sleeper");
  flamelet_frame();
  flamelet_frame();
  worker.start(20 * kMs);
  worker.wait();
  flamelet_frame();
  const flamelet_thread_time worked = frames.newest("Worker"), slept = frames.newest("Sleeper");
  CHECK(worked.known == (FLAMELET_TIME_RAN | FLAMELET_TIME_READY | FLAMELET_TIME_SWITCHES | FLAMELET_TIME_MAJOR_FAULTS |
                         FLAMELET_TIME_MINOR_FAULTS));
  CHECK(worked.ran_ns >= 20 * kMs);
  CHECK(worked.switches >= 1);
  CHECK(slept.known == worked.known);
  CHECK(slept.ran_ns < 20 * kMs);
}

TEST_CASE("thread times: memory that is touched for the first time counts where it was touched") {
  if (!this_system_tells()) return;
  constexpr size_t kPages = 4096;
  Recording recording;
  Frames frames;
  flamelet_set_thread_name("Main");
  Stepper sleeper("Sleeper");
  FLAMELET_SCOPE("Touch");
  mark_long_frame();
  mark_long_frame();
  touch_memory(kPages);
  mark_long_frame();
  CHECK(frames.newest("Main").minor_faults >= kPages);
  CHECK(frames.newest("Sleeper").minor_faults < kPages);
}

TEST_CASE(
    "thread times: faults of a thread that sleeps when its process has had enough of them are counted, each once") {
  if (!this_system_tells()) return;
  constexpr uint32_t kFew = 600;
  Recording recording;
  Capture capture;
  Stepper worker("Worker");
  FLAMELET_SCOPE("Touch");
  mark_long_frame();
  mark_long_frame();
  worker.start(0, kFew);
  worker.wait();
  for (int i = 0; i < 3; ++i) mark_long_frame();
  for (int i = 0; i < 3; ++i) {
    touch_memory(2048);
    mark_long_frame();
  }
  capture.update();
  int64_t faults = 0;
  for (size_t frame = 0; frame < flamelet_capture_frame_count(capture); ++frame) {
    flamelet_thread_time time = {};
    flamelet_capture_thread_time(capture, frame, capture.lane("Worker"), &time);
    faults += time.minor_faults;
  }
  CHECK(faults >= kFew);
  CHECK(faults <= worker.faults());
}

TEST_CASE("thread times: two threads on one processor wait for it in turn") {
  if (!this_system_tells()) return;
  Recording recording;
  Frames frames;
  Stepper one("One"), two("Two");
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(static_cast<size_t>(sched_getcpu()), &first);
  REQUIRE(pthread_setaffinity_np(one.handle(), sizeof first, &first) == 0);
  REQUIRE(pthread_setaffinity_np(two.handle(), sizeof first, &first) == 0);
  flamelet_frame();
  flamelet_frame();
  one.start(60 * kMs);
  two.start(60 * kMs);
  one.wait();
  two.wait();
  flamelet_frame();
  const flamelet_thread_time a = frames.newest("One"), b = frames.newest("Two");
  CHECK(a.ran_ns >= 60 * kMs);
  CHECK(b.ran_ns >= 60 * kMs);
  CHECK(a.ready_ns + b.ready_ns >= 30 * kMs);  // one of them had to wait for nearly all that the other did
  CHECK(a.switches + b.switches >= 2);
}

TEST_CASE_FIXTURE(Recording, "thread times: the mark names the thread that made it, once that has recorded something") {
  Capture capture;
  flamelet_frame();
  flamelet_frame();
  FLAMELET_SCOPE("Anything");
  flamelet_frame();
  std::thread([] { flamelet_frame(); }).join();
  capture.update();
  const std::vector<flamelet_frame_info> frames = capture.frames();
  REQUIRE(frames.size() == 4);
  CHECK(frames[1].thread == 0);
  CHECK(frames[2].thread == flamelet_thread_id());
  CHECK(frames[3].thread == 0);
}

TEST_CASE("thread times: the switch turns them off") {
  Recording recording(with(small_config(), &flamelet_config::thread_times, false));
  Frames frames;
  flamelet_set_thread_name("Main");
  FLAMELET_SCOPE("Anything");
  const size_t files = open_files();
  for (int i = 0; i < 4; ++i) mark_long_frame();
  CHECK(frames.newest("Main").known == 0);
  CHECK(open_files() == files);
}

TEST_CASE("thread times: nothing is known by a clock of the program's own") {
  ManualClock clock;
  Recording recording(with_clock(small_config(), &clock));
  Frames frames;
  flamelet_set_thread_name("Main");
  FLAMELET_SCOPE("Anything");
  for (int i = 0; i < 4; ++i) mark_long_frame();
  CHECK(frames.newest("Main").known == 0);
}

TEST_CASE("thread times: a frame in which recording was off is unknown, and so is the one after it") {
  if (!this_system_tells()) return;
  Recording recording;
  Frames frames;
  flamelet_set_thread_name("Main");
  FLAMELET_SCOPE("Anything");
  mark_long_frame();
  mark_long_frame();
  CHECK(frames.newest("Main").known != 0);
  flamelet_set_enabled(false);
  mark_long_frame();
  CHECK(frames.newest("Main").known == 0);
  flamelet_set_enabled(true);
  mark_long_frame();
  CHECK(frames.newest("Main").known == 0);
  mark_long_frame();
  CHECK(frames.newest("Main").known != 0);
}

TEST_CASE("thread times: files stay open for the threads that live, and for none after the shutdown") {
  const size_t before = open_files();
  {
    Recording recording;
    flamelet_set_thread_name("Main");
    for (int i = 0; i < 40; ++i) {
      std::thread([] {
        flamelet_set_thread_name("short");
        mark_long_frame();
      }).join();
    }
    mark_long_frame();
    CHECK(open_files() <= before + 1);
  }
  CHECK(open_files() == before);
}

TEST_CASE("thread times: three quarters of the files that may be open are left to the program") {
  if (!this_system_tells()) return;
  rlimit before;
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit few = {32, before.rlim_max};
  Recording recording(flamelet_config_default());
  Capture capture;
  const size_t files = open_files();
  {
    std::vector<std::unique_ptr<Stepper>> threads;
    for (int i = 0; i < 12; ++i) threads.push_back(std::make_unique<Stepper>("Worker"));
    REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
    flamelet_set_thread_name("Main");
    { FLAMELET_SCOPE("Anything"); }
    for (int i = 0; i < 3; ++i) mark_long_frame();
    CHECK(open_files() == files + 8);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
  }
  CHECK(stats().thread_times_missed == 5);
  capture.update();
  std::vector<flamelet_thread_time> times(FLAMELET_MAX_TRACKS);
  const size_t position = flamelet_capture_frame_count(capture) - 1;
  times.resize(flamelet_capture_read_thread_times(capture, position, times.data(), times.size()));
  CHECK(times.size() == 13);
  size_t ready = 0;
  for (const flamelet_thread_time& time : times) {
    CHECK((time.known & FLAMELET_TIME_RAN) != 0);
    ready += (time.known & FLAMELET_TIME_READY) != 0 ? 1u : 0u;
  }
  CHECK(ready == 8);
}

TEST_CASE("thread times: errno stays as it was, also where no file can be opened") {
  if (!this_system_tells()) return;
  Recording recording;
  Frames frames;
  flamelet_set_thread_name("Main");
  mark_long_frame();
  Stepper worker("Worker");
  rlimit limit;
  REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  const rlimit none = {0, limit.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  errno = 0;
  mark_long_frame();
  const int after = errno;
  mark_long_frame();
  REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  CHECK(after == 0);
  CHECK(frames.newest("Worker").known == FLAMELET_TIME_RAN);  // which takes no file
}

TEST_CASE("thread times: descriptors that the program has closed, and opened for itself, are not touched") {
  if (!this_system_tells()) return;
  recorder_test::TakenFiles files;
  {
    Recording recording;
    Frames frames;
    {
      Stepper worker("Worker"), sleeper("Sleeper");
      for (int i = 0; i < 3; ++i) flamelet_frame();
      REQUIRE(files.take() >= 2);
      flamelet_frame();
      flamelet_frame();
      worker.start(20 * kMs);
      worker.wait();
      flamelet_frame();
      CHECK(files.damaged() == 0);
      // And the times go on.
      const flamelet_thread_time worked = frames.newest("Worker");
      CHECK((worked.known & FLAMELET_TIME_READY) != 0);
      CHECK(worked.ran_ns >= 20 * kMs);
      CHECK(worked.ready_ns < 40'000 * kMs);
    }
    flamelet_frame();
    flamelet_frame();
    CHECK(files.damaged() == 0);
  }
  CHECK(files.damaged() == 0);
}

// ---- What a frame mark keeps open, and the child of a fork --------------------------------------------------------

namespace {

// What this thread ran in the newest frame is known.
bool knows_own_time() {
  Capture capture;
  flamelet_set_thread_name("Main");
  FLAMELET_SCOPE("Anything");
  for (int i = 0; i < 3; ++i) mark_long_frame();
  capture.update();
  flamelet_thread_time time;
  return flamelet_capture_thread_time(capture, flamelet_capture_frame_count(capture) - 1, capture.lane("Main"), &time);
}

}  // namespace

TEST_CASE_FIXTURE(Recording, "thread times: a forked child keeps none of its parent's files") {
  const size_t before = open_files();
  flamelet_set_thread_name("Main");
  flamelet_frame();
  CHECK(forked([before] { return open_files() == before; }) == 1);
}

TEST_CASE_FIXTURE(Recording, "thread times: a forked child that records knows its own times") {
  if (!knows_own_time()) return;  // this system does not tell
  CHECK(forked([] {
          Recording again;
          return knows_own_time();
        }) == 1);
}
