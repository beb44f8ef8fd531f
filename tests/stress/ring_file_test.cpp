// SPDX-License-Identifier: MIT
//
// A process that records into a file is killed at any moment: whatever it was doing, every event whose call had returned
// is found, whole, in order, and with its names.
#include "record/ring_file.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <string>
#include <vector>

#include "stress.h"
#include "support/loaded.h"
#include "support/read.h"

using namespace recorder_test;

namespace {

constexpr uint32_t kThreads = 2;
constexpr uint64_t kEventsOfRound = 8;

// What parent and child share besides the file: how many events of each thread have returned.
struct Progress {
  std::atomic<uint64_t> events[kThreads];
};

// Records until it is killed: scope { counter round, scope with name and object { next, instant } }, and a frame.
void record(std::atomic<uint64_t>* events, uint32_t thread) {
  flamelet_set_thread_name(thread == 0 ? "first" : "second");
  uint64_t count = 0;
  const auto done = [&] { events->store(++count, std::memory_order_release); };
  const char* object = flamelet_intern("object");
  for (uint64_t round = 0;; ++round) {
    flamelet_id outer, inner;
    static flamelet_site outer_site = {0, "outer", "", "", "", 1, 0}, inner_site = {0, "inner", "", "", "", 2, 0},
                         next_site = {0, "next", "", "", "", 3, 0}, value_site = {0, "round", "", "", "", 4, 0};
    outer = flamelet_scope_begin_(&outer_site), done();
    flamelet_site_counter_(&value_site, static_cast<double>(round)), done();
    inner = flamelet_scope_begin_with_(&inner_site, "dynamic", object), done();
    flamelet_scope_end_(inner), done();
    inner = flamelet_scope_begin_(&next_site), done();
    inner = flamelet_scope_next_(inner, &next_site), done();
    flamelet_scope_end_(inner), done();
    flamelet_scope_end_(outer), done();
    if (thread == 0) flamelet_frame();
  }
}

void run_child(const flamelet_config& config, Progress* progress) {
  if (flamelet_init(&config) != FLAMELET_OK) _exit(1);
  std::thread second([progress] { record(&progress->events[1], 1); });
  record(&progress->events[0], 0);
}

void check_thread(const flamelet_capture* capture, size_t lane, const flamelet_lane_info& info, uint64_t returned) {
  // The event whose call had not returned may be there, or not.
  const uint64_t events = info.events_read + info.events_lost;
  CHECK(events >= returned);
  CHECK(events <= returned + 1);
  const std::vector<flamelet_point> points = read_points(capture, lane);
  // A thread that was stopped for a lap of the ring has kept a page from before it, and a page behind that one may be
  // overwritten first: one gap, which is counted, at most.
  size_t gaps = 0, backwards = 0;
  for (size_t i = 1; i < points.size(); ++i) {
    if (points[i].value != points[i - 1].value + 1) ++gaps;
    if (points[i].value <= points[i - 1].value) ++backwards;
  }
  CHECK(backwards == 0);
  CHECK(gaps <= 1);
  // The newest counter is the second event of its round.
  if (!points.empty()) {
    const uint64_t newest = static_cast<uint64_t>(points.back().value) * kEventsOfRound + 2;
    CHECK(newest <= events);
    CHECK(newest + kEventsOfRound > events);
    CHECK(text_of(capture, points.back().name) == "round");
  }
  size_t wrong = 0, open = 0, begun_before = 0, cut = 0;
  for (const flamelet_span& span : read_spans(capture, lane)) {
    const std::string name = text_of(capture, span.name);
    if (span.depth == 0 ? name != "outer" : name != "dynamic" && name != "next") ++wrong;
    if ((span.depth == 0) != (span.parent == FLAMELET_NO_PARENT) || span.depth > 1) ++wrong;
    if (name == "dynamic" && text_of(capture, span.object) != "object") ++wrong;
    if ((span.flags & FLAMELET_SPAN_OPEN) != 0) ++open;
    if ((span.flags & FLAMELET_SPAN_MISSING_BEGIN) != 0) ++begun_before;
    if ((span.flags & FLAMELET_SPAN_MISSING_END) != 0) ++cut;
  }
  CHECK(wrong == 0);
  CHECK(open <= 2);
  CHECK(cut <= 2 * gaps);
  CHECK(begun_before == 0);  // pages re-open what was open
}

// Marks are events of a thread, too: one gap at most, and none of the frames beside it lasts across it.
void check_frames(const flamelet_capture* capture) {
  size_t gaps = 0;
  for (size_t i = 1; i < flamelet_capture_frame_count(capture); ++i) {
    const flamelet_frame_info before = frame_of(capture, i - 1), frame = frame_of(capture, i);
    CHECK(frame.index > before.index);
    if (frame.index == before.index + 1) {
      CHECK(frame.begin_ns == before.end_ns);
    } else {
      ++gaps;
      CHECK(frame.begin_ns > before.end_ns);
    }
  }
  CHECK(gaps <= 1);
}

void check(const std::string& path, const Progress& progress) {
  const Recovered capture(path);
  const flamelet_recover_report& report = capture.report;
  REQUIRE(capture.result == FLAMELET_OK);
  CHECK(!report.shut_down);
  CHECK(!report.truncated);
  CHECK(report.names_refused == 0);
  CHECK(report.pages_refused <= kThreads);  // that were being taken
  CHECK(report.pages_open <= kThreads + 1);
  const flamelet_capture_stats stats = stats_of(capture);
  CHECK(stats.bad_words + stats.missing_ends + stats.extra_ends + stats.names_missing == 0);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    const flamelet_lane_info info = lane_of(capture, lane);
    const std::string name = text_of(info.name);
    // A thread is named before its first event.
    REQUIRE((name == "first" || name == "second"));
    check_thread(capture, lane, info, progress.events[name == "first" ? 0 : 1].load(std::memory_order_acquire));
  }
  check_frames(capture);
}

}  // namespace

TEST_CASE("ring file: a process that is killed at any moment leaves every event that it had recorded" *
          doctest::test_suite("gate")) {
#ifdef NDEBUG
  const uint64_t kills = scaled(1000);
#else
  const uint64_t kills = scaled(100);
#endif
  std::string folder = "/tmp/flamelet-kill-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const std::string path = folder + "/ring";
  auto* progress = static_cast<Progress*>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  REQUIRE(progress != MAP_FAILED);
  flamelet_config config = small_config(24);
  config.ring_path = path.c_str();
  config.thread_times = false;  // nor what the machine did: the recorder would write events of its own
  std::mt19937 random(7);
  for (uint64_t i = 0; i < kills; ++i) {
    CAPTURE(i);
    config.force_os_clock = i % 4 == 3;  // the other record path
    for (std::atomic<uint64_t>& events : progress->events) events = 0;
    const pid_t child = fork();
    if (child == 0) run_child(config, progress);
    REQUIRE(child > 0);
    // From before the first event to several times round the ring.
    const uint64_t until = random() % (i % 2 == 0 ? 600 : 40000);
    const size_t thread = random() % kThreads;
    int status = 0;
    while (progress->events[thread].load(std::memory_order_relaxed) < until && waitpid(child, &status, WNOHANG) == 0)
      flamelet::yield_thread();
    REQUIRE(kill(child, SIGKILL) == 0);
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    if (until != 0) check(path, *progress);
    // Killed at once, it may not have made the file.
    REQUIRE((unlink(path.c_str()) == 0 || until == 0));
  }
  munmap(progress, sizeof(Progress));
  rmdir(folder.c_str());
}
