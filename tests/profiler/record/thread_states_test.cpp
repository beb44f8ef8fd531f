// SPDX-License-Identifier: MIT
//
// The states of real threads, against their own timestamps; and what happens where the system refuses to tell, or has no
// room. (Linux)
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/scope.h"
#include "support/capture.h"
#include "support/forked.h"
#include "support/loaded.h"
#include "support/open_files.h"
#include "support/processor_time.h"
#include "support/recording.h"
#include "support/taken_files.h"

using namespace recorder_test;

namespace {

flamelet_config states_config(uint32_t pages = 256) {
  return with_pages(with(small_config(pages), &flamelet_config::thread_states, true), pages);
}

// False, with a message, where the system refuses.
bool records_states() {
  if (stats().thread_states == FLAMELET_THREAD_STATES_RECORDED) return true;
  MESSAGE("states of threads are " << std::string(flamelet_thread_states_message(stats().thread_states)));
  return false;
}

// In ticks: how many nanoseconds they are is known better the later the capture is asked.
using Moment = uint64_t;
Moment moment() {
  return flamelet_now_ticks();
}
int64_t ns_at(const flamelet_capture* capture, Moment moment) {
  const flamelet_clock clock = flamelet_capture_clock(capture);
  return static_cast<int64_t>(static_cast<double>(moment - clock.origin_ticks) * 1e9 / clock.ticks_per_second);
}
void nap(int64_t ns) {
  const timespec time = {0, ns};
  nanosleep(&time, nullptr);
}
struct Stretch {
  Moment begin, end;
};
Stretch napped(int64_t ns) {
  const Moment begin = moment();
  nap(ns);
  return {begin, moment()};
}
bool pin(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(processor), &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}
// The processor of this test, and back.
class Pinned {
 public:
  Pinned() {
    sched_getaffinity(0, sizeof before_, &before_);
    processor_ = sched_getcpu();
    pin(processor_);
  }
  ~Pinned() { sched_setaffinity(0, sizeof before_, &before_); }
  int processor() const { return processor_; }

 private:
  cpu_set_t before_;
  int processor_;
};

std::vector<flamelet_state> states_of(const flamelet_capture* capture, size_t lane, const Stretch& stretch) {
  std::vector<flamelet_state> all, piece(FLAMELET_CURSOR_LEAST);
  flamelet_state_cursor cursor;
  flamelet_state_cursor_start(&cursor, capture, lane, ns_at(capture, stretch.begin), ns_at(capture, stretch.end),
                              piece.data(), piece.size());
  while (flamelet_state_cursor_next(&cursor)) all.insert(all.end(), cursor.states, cursor.states + cursor.count);
  CHECK(cursor.result == FLAMELET_OK);
  return all;
}
flamelet_state_times times_of(const flamelet_capture* capture, size_t lane, const Stretch& stretch) {
  flamelet_state_times times;
  flamelet_capture_state_times(capture, lane, ns_at(capture, stretch.begin), ns_at(capture, stretch.end), &times);
  return times;
}

// From now on this call fails in this process.
void refuse(int call, int error) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit(99);
}

// False, with a message, where there are no filters, as under an emulator.
bool can_refuse() {
  if (forked([] {
        refuse(SYS_perf_event_open, ENOSYS);
        return 0;
      }) == 0)
    return true;
  MESSAGE("this system does not filter calls");
  return false;
}

// What a recorder says that starts where the call fails; and it records scopes all the same, and keeps no file.
int states_where(int call, int error) {
  return forked([&] {
    refuse(call, error);
    const size_t before = open_files();
    const flamelet_config config = with(states_config(), &flamelet_config::thread_times, false);
    if (flamelet_init(&config) != FLAMELET_OK) return 98;
    { FLAMELET_SCOPE("Anything"); }
    flamelet_frame();
    const flamelet_stats now = stats();
    if (now.events_recorded < 4 || open_files() != before || now.thread_states_bytes != 0) return 97;
    return static_cast<int>(now.thread_states);
  });
}

}  // namespace

TEST_CASE("thread states: sleep, work and a rival of the program's own are told apart, and lie in their timestamps") {
  const Pinned pinned;
  Recording recording(states_config());
  if (!records_states()) return;
  Capture capture;
  flamelet_set_thread_name("Main");
  std::atomic<int> go{0};
  std::thread rival([&] {
    flamelet_set_thread_name("Rival");
    FLAMELET_SCOPE("Rival");
    while (go == 0) nap(500'000);
    burn(15'000'000);
  });
  nap(100'000);  // before its first switch nothing is known of a thread
  std::vector<Stretch> naps;
  for (int i = 0; i < 20; ++i) naps.push_back(napped(2'000'000));
  Stretch work = {moment(), 0};
  burn(5'000'000);
  work.end = moment();
  Stretch fight = {moment(), 0};
  go = 1;
  burn(15'000'000);
  fight.end = moment();
  rival.join();
  flamelet_frame();
  capture.update();
  const size_t lane = capture.lane("Main"), other = capture.lane("Rival");
  CHECK(capture.stats().thread_states == FLAMELET_THREAD_STATES_RECORDED);
  CHECK(capture.stats().switches_held > 40);
  int long_sleeps = 0, whole_naps = 0;
  for (const Stretch& nap : naps) {
    // It sleeps inside of the pair of timestamps, mostly for the time asked for; the clocks agree to some 100 ns.
    int64_t off = 0;
    for (const flamelet_state& state : states_of(capture, lane, nap)) {
      CHECK(state.kind != FLAMELET_STATE_UNKNOWN);
      if (state.kind == FLAMELET_STATE_TAKEN_OFF) off += state.end_ns - state.begin_ns;
      if (state.kind != FLAMELET_STATE_ASLEEP) continue;
      CHECK(state.begin_ns >= ns_at(capture, nap.begin) - 2000);
      CHECK(state.end_ns <= ns_at(capture, nap.end) + 2000);
      CHECK(state.processor == static_cast<uint32_t>(pinned.processor()));
      off += state.end_ns - state.begin_ns;
      long_sleeps += state.end_ns - state.begin_ns > 1'000'000;
    }
    whole_naps += off >= 1'990'000;  // it may be taken off on its way to sleep, and run on there while the time counts
  }
  CHECK(whole_naps >= 15);
  CHECK(long_sleeps >= 10);
  const flamelet_state_times worked = times_of(capture, lane, work);
  CHECK(worked.ns[FLAMELET_STATE_ASLEEP] == 0);
  CHECK(worked.ns[FLAMELET_STATE_UNKNOWN] == 0);
  CHECK(worked.ns[FLAMELET_STATE_RUNNING] >= 4'500'000);
  CHECK(worked.ns[FLAMELET_STATE_RUNNING] + worked.ns[FLAMELET_STATE_TAKEN_OFF] ==
        ns_at(capture, work.end) - ns_at(capture, work.begin));
  // Both threads want the one processor: while it has not got it, this one is ready, and what the rival ran meanwhile is the
  // rival's.
  int64_t by_rival = 0, asleep = 0;
  for (const flamelet_state& state : states_of(capture, lane, fight)) {
    if (state.kind == FLAMELET_STATE_ASLEEP) asleep += state.end_ns - state.begin_ns;
    if (state.kind == FLAMELET_STATE_TAKEN_OFF && state.by == other) by_rival += state.end_ns - state.begin_ns;
  }
  const flamelet_state_times rivals = times_of(capture, other, fight);
  CHECK(asleep == 0);
  CHECK(by_rival > 1'000'000);
  CHECK(by_rival <= rivals.ns[FLAMELET_STATE_RUNNING] + rivals.ns[FLAMELET_STATE_RUNNING] / 10 + 100'000);
  CHECK(by_rival >= rivals.ns[FLAMELET_STATE_RUNNING] * 9 / 10 - 100'000);
}

TEST_CASE("thread states: without them nothing is opened, and nothing is known") {
  const size_t before = open_files();
  Recording recording;
  Capture capture;
  flamelet_set_thread_name("Main");
  { FLAMELET_SCOPE("Anything"); }
  nap(1000);
  CHECK(stats().thread_states == FLAMELET_THREAD_STATES_OFF);
  CHECK(stats().thread_states_bytes == 0);
  CHECK(open_files() == before);
  CHECK(flamelet_drain_switches() == 0);
  capture.update();
  CHECK(capture.stats().thread_states == FLAMELET_THREAD_STATES_OFF);
  CHECK(capture.stats().switches_held == 0);
  flamelet_state_times times;
  CHECK_FALSE(flamelet_capture_state_times(capture, capture.lane("Main"), 0, 1'000'000, &times));
}

TEST_CASE("thread states: a system that refuses says why, and what allows it; all else is recorded") {
  int level = 0;
  {
    Recording recording(states_config());
    level = stats().thread_states;
  }
  if (can_refuse()) {
    CHECK(states_where(SYS_perf_event_open, ENOSYS) == FLAMELET_THREAD_STATES_FILTERED);
    CHECK(states_where(SYS_perf_event_open, EMFILE) == FLAMELET_THREAD_STATES_OPEN_FILES);
    CHECK(states_where(SYS_perf_event_open, ENFILE) == FLAMELET_THREAD_STATES_OPEN_FILES);
    CHECK(states_where(SYS_perf_event_open, EBADMSG) == FLAMELET_THREAD_STATES_FAILED);
    if (level == FLAMELET_THREAD_STATES_RECORDED) {  // so paranoid is not the reason
      CHECK(states_where(SYS_perf_event_open, EPERM) == FLAMELET_THREAD_STATES_FILTERED);
      CHECK(states_where(SYS_perf_event_open, EACCES) == FLAMELET_THREAD_STATES_FILTERED);
    }
  }
  for (int i = 0; i <= FLAMELET_THREAD_STATES_COUNT; ++i)
    CHECK(std::string(flamelet_thread_states_message(i)).size() > 5);
  const auto tells = [](flamelet_thread_states states, const char* command) {
    return std::string(flamelet_thread_states_message(states)).find(command) != std::string::npos;
  };
  CHECK(tells(FLAMELET_THREAD_STATES_PARANOID, "sysctl kernel.perf_event_paranoid=2"));
  CHECK(tells(FLAMELET_THREAD_STATES_FILTERED, "--security-opt seccomp="));
  CHECK(tells(FLAMELET_THREAD_STATES_OPEN_FILES, "ulimit -n"));
  CHECK(tells(FLAMELET_THREAD_STATES_LOCKED_MEMORY, "kernel.perf_event_mlock_kb"));
  Recording recording([] {
    static ManualClock clock;
    return with_clock(states_config(), &clock);
  }());
  CHECK(stats().thread_states == FLAMELET_THREAD_STATES_OWN_CLOCK);
}

TEST_CASE("thread states: a user without rights gets them, too") {
  if (geteuid() != 0) return;  // then all tests show it
  int own;
  {
    Recording recording(states_config());
    own = stats().thread_states;
  }
  CHECK(forked([] {
          if (setgid(65534) != 0 || setuid(65534) != 0) return 99;
          const flamelet_config config = states_config();
          if (flamelet_init(&config) != FLAMELET_OK) return 98;
          return static_cast<int>(stats().thread_states);
        }) == own);
}

TEST_CASE("thread states: what finds no room in the system's memory is lost, counted, and known to be missing") {
  const Pinned pinned;
  Recording recording(states_config());
  if (!records_states()) return;
  Capture capture;
  flamelet_set_thread_name("Main");
  capture.update();
  for (int i = 0; i < 5000; ++i) nap(1);  // 10,000 switches, and room for 8,192
  capture.update();
  nap(1);
  const Stretch behind = napped(1'000'000);
  flamelet_frame();
  capture.update();
  CHECK(stats().dropped_switches >= 1500);
  CHECK(capture.stats().switches_lost >= 1500);
  const size_t lane = capture.lane("Main");
  CHECK(times_of(capture, lane, behind).ns[FLAMELET_STATE_UNKNOWN] == 0);
  int gaps = 0;
  for (const flamelet_state& state :
       states_of(capture, lane, {flamelet_capture_clock(capture).origin_ticks, behind.begin}))
    gaps += state.kind == FLAMELET_STATE_UNKNOWN;
  CHECK(gaps >= 2);  // before the first switch, and where they are missing
  const flamelet_stats now = stats();
  const flamelet_capture_stats read = capture.stats();
  CHECK(now.events_recorded == read.events_read + read.events_lost);
}

TEST_CASE("thread states: hundreds of threads, also such as live no longer than a drain") {
  Recording recording(with_pages(with(states_config(1024), &flamelet_config::max_tracks, FLAMELET_MAX_TRACKS), 1024));
  if (!records_states()) return;
  flamelet_capture_config capture_config = small_capture_config();
  capture_config.max_switches = 1u << 16;  // it keeps the newest
  capture_config.budget_bytes += 32 * capture_config.max_switches;
  Capture capture(capture_config);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 200; ++i) {
      threads.emplace_back([] {
        FLAMELET_SCOPE("Short");
        nap(200'000);
      });
    }
    for (std::thread& thread : threads) thread.join();
    flamelet_frame();
    capture.update();
  }
  size_t known = 0, slept = 0;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    for (const flamelet_span& span : capture.spans(lane)) {
      flamelet_state_times times;
      flamelet_capture_state_times(capture, lane, span.begin_ns, span.end_ns, &times);
      known += times.ns[FLAMELET_STATE_UNKNOWN] == 0;
      slept += times.ns[FLAMELET_STATE_ASLEEP] + times.ns[FLAMELET_STATE_TAKEN_OFF] >= 190'000;
    }
  }
  CHECK(known == 600);
  CHECK(slept >= 590);  // one whose timer went off before it slept did not
  const flamelet_stats now = stats();
  const flamelet_capture_stats read = capture.stats();
  CHECK(now.events_recorded == read.events_read + read.events_lost);
}

TEST_CASE("thread states: threads that ran before the recorder started are followed") {
  std::atomic<int> stop{0}, ready{0};
  std::thread early([&] {
    while (flamelet_thread_id() == 0 && stop == 0) nap(100'000);
    flamelet_set_thread_name("Early");
    FLAMELET_SCOPE("Early");
    ready = 1;
    while (stop == 0) nap(100'000);
  });
  {
    Recording recording(states_config());
    Capture capture;
    if (records_states()) {
      while (ready == 0) nap(100'000);
      nap(5'000'000);
      const Stretch slept = napped(8'000'000);
      flamelet_frame();
      capture.update();
      CHECK(stats().thread_states_missed == 0);
      const flamelet_state_times times = times_of(capture, capture.lane("Early"), slept);
      CHECK(times.ns[FLAMELET_STATE_UNKNOWN] == 0);
      CHECK(times.ns[FLAMELET_STATE_ASLEEP] > 1'000'000);
    }
    stop = 1;
    early.join();
  }
}

TEST_CASE("thread states: restart and fork open and close all of it") {
  const size_t before = open_files();
  for (int i = 0; i < 3; ++i) {
    Recording recording(with(states_config(), &flamelet_config::thread_times, false));
    if (!records_states()) return;
    CHECK(stats().thread_states_bytes > 0);
    Capture capture;
    flamelet_set_thread_name("Main");
    nap(100'000);
    const Stretch slept = napped(1'000'000);
    flamelet_frame();
    capture.update();
    CHECK(times_of(capture, capture.lane("Main"), slept).ns[FLAMELET_STATE_ASLEEP] >= 990'000);
    CHECK(forked([before] {
            if (open_files() != before) return 1;
            if (flamelet_drain_switches() != 0) return 2;
            const flamelet_config again = states_config();
            if (flamelet_init(&again) != FLAMELET_OK) return 3;
            if (stats().thread_states != FLAMELET_THREAD_STATES_RECORDED) return 4;
            nap(100'000);
            const size_t drained = flamelet_drain_switches();
            if (drained < 2) return 5;
            flamelet_shutdown();
            return open_files() == before ? 0 : 6;
          }) == 0);
    nap(100'000);
    CHECK(flamelet_drain_switches() >= 2);  // the child took nothing from its parent
  }
  CHECK(open_files() == before);
}

TEST_CASE("thread states: nothing is known of the time in which recording was off") {
  Recording recording(states_config());
  if (!records_states()) return;
  Capture capture;
  flamelet_set_thread_name("Main");
  nap(100'000);
  flamelet_frame();
  flamelet_set_enabled(false);
  flamelet_frame();
  const Stretch slept = napped(1'000'000);
  flamelet_frame();
  flamelet_set_enabled(true);
  nap(100'000);
  const Stretch on = napped(1'000'000);
  flamelet_frame();
  capture.update();
  CHECK(times_of(capture, capture.lane("Main"), slept).ns[FLAMELET_STATE_UNKNOWN] ==
        ns_at(capture, slept.end) - ns_at(capture, slept.begin));
  CHECK(times_of(capture, capture.lane("Main"), on).ns[FLAMELET_STATE_UNKNOWN] == 0);
}

TEST_CASE("thread states: the file of a ring has them") {
  const std::string path = "/tmp/flamelet_thread_states_" + std::to_string(getpid());
  Stretch slept = {};
  {
    Recording recording(with(states_config(), &flamelet_config::ring_path, path.c_str()));
    if (records_states()) {
      flamelet_set_thread_name("Main");
      FLAMELET_SCOPE("Anything");
      nap(100'000);
      slept = napped(1'000'000);
    }
  }
  const Recovered recovered(path);
  unlink(path.c_str());
  REQUIRE(recovered.result == FLAMELET_OK);
  if (slept.end == 0) return;
  CHECK(stats_of(recovered).thread_states == FLAMELET_THREAD_STATES_RECORDED);
  CHECK(times_of(recovered, find_lane(recovered, "Main"), slept).ns[FLAMELET_STATE_ASLEEP] >= 990'000);
}

TEST_CASE("thread states: FLAMELET_THREAD_STATES turns them on and off, and any other value does nothing") {
  const struct {
    const char* value;
    bool config, asks;
  } cases[] = {{"on", false, true}, {"off", true, false}, {"yes", true, true}, {"yes", false, false}};
  for (const auto& of : cases) {
    CAPTURE(of.value);
    setenv("FLAMELET_THREAD_STATES", of.value, 1);
    const Recording recording(with(states_config(), &flamelet_config::thread_states, of.config));
    CHECK((stats().thread_states != FLAMELET_THREAD_STATES_OFF) == of.asks);
  }
  unsetenv("FLAMELET_THREAD_STATES");
}

TEST_CASE("thread states: descriptors that the program has closed, and opened for itself, are not touched") {
  std::atomic<bool> stop{false};
  std::thread older([&stop] {
    while (!stop.load()) nap(1'000'000);
  });
  TakenFiles files;
  const size_t before = open_files();
  {
    Recording recording(states_config());
    flamelet_set_thread_name("Main");
    if (records_states()) {
      {
        FLAMELET_SCOPE("before");
        nap(2'000'000);
      }
      flamelet_frame();
      REQUIRE(files.take() >= 1);
      Stretch slept;
      {
        FLAMELET_SCOPE("after");
        slept = napped(2'000'000);
      }
      flamelet_frame();
      CHECK(files.damaged() == 0);
      // The rings are still there.
      Capture capture(Captured::kNow);
      CHECK(times_of(capture, capture.lane("Main"), slept).ns[FLAMELET_STATE_ASLEEP] > 0);
    }
  }
  CHECK(files.damaged() == 0);
  CHECK(open_files() >= before);
  stop = true;
  older.join();
}
