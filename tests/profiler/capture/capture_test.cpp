// SPDX-License-Identifier: MIT
//
// A capture of the real recorder, through the public functions only.
#include "flamelet/capture.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/recorder.h"
#include "support/capture.h"

namespace {

using recorder_test::Capture;

// A recorder whose clock moves by ten ticks, which are nanoseconds, with each look at it.
class Recording {
 public:
  explicit Recording(size_t ring_bytes = size_t{4} << 20) {
    flamelet_config config = flamelet_config_default();
    config.max_fibers = 4;
    config.clock = [](void* self) -> uint64_t {
      Recording* recording = static_cast<Recording*>(self);
      return recording->ticks_ += recording->step_;
    };
    config.clock_user = this;
    config.clock_ticks_per_second = 1e9;
    config.budget_bytes = flamelet_memory_required(&config) + ring_bytes;
    REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  }
  ~Recording() { flamelet_shutdown(); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void stop_clock() { step_ = 0; }

 private:
  std::atomic<uint64_t> ticks_{1000};
  std::atomic<uint64_t> step_{10};
};

uint64_t events_recorded() {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.events_recorded;
}

// Counts what it hands out; gives nothing from the n-th call on.
struct CountingAllocator {
  size_t allocations = 0, frees = 0, bytes = 0, freed_bytes = 0;
  size_t fail_at = SIZE_MAX;

  flamelet_allocator get() {
    return {[](void* self, size_t size, size_t alignment) -> void* {
              auto* to = static_cast<CountingAllocator*>(self);
              if (to->allocations++ >= to->fail_at) return nullptr;
              to->bytes += size;
              return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
            },
            [](void* self, void* memory, size_t size, size_t) {
              auto* to = static_cast<CountingAllocator*>(self);
              ++to->frees;
              to->freed_bytes += size;
              std::free(memory);
            },
            this};
  }
};

}  // namespace

TEST_CASE("a capture takes one block within its budget and gives it back") {
  CountingAllocator allocator;
  flamelet_capture_config config = recorder_test::small_capture_config();
  config.allocator = allocator.get();
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
  {
    Recording recording;
    for (int i = 0; i < 5000; ++i) flamelet_instant("i", "", nullptr);
    CHECK(flamelet_capture_update(capture) == FLAMELET_OK);
    CHECK(flamelet_capture_read_points(capture, 0, INT64_MIN, INT64_MAX, nullptr, 0) == 5000);
  }
  flamelet_capture_destroy(capture);
  flamelet_capture_destroy(nullptr);
  CHECK(allocator.allocations == 1);
  CHECK(allocator.frees == 1);
  CHECK(allocator.bytes <= config.budget_bytes);
  CHECK(allocator.bytes > config.budget_bytes - 2 * FLAMELET_PAGE_BYTES);
  CHECK(allocator.freed_bytes == allocator.bytes);
}

TEST_CASE("the least memory works, and one byte less says so") {
  flamelet_capture_config config = recorder_test::small_capture_config();
  const size_t least = flamelet_capture_memory_required(&config);
  REQUIRE(least > 0);
  flamelet_capture* capture = nullptr;
  config.budget_bytes = least - 1;
  CHECK(flamelet_capture_create(&config, &capture) == FLAMELET_ERROR_BUDGET_TOO_SMALL);
  CHECK(capture == nullptr);
  config.budget_bytes = least;
  REQUIRE(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
  flamelet_capture_destroy(capture);
}

TEST_CASE("a capture without memory is an error and not a crash") {
  CountingAllocator allocator;
  allocator.fail_at = 0;
  flamelet_capture_config config = recorder_test::small_capture_config();
  config.allocator = allocator.get();
  flamelet_capture* capture = nullptr;
  CHECK(flamelet_capture_create(&config, &capture) == FLAMELET_ERROR_OUT_OF_MEMORY);
  CHECK(capture == nullptr);
  CHECK(allocator.frees == 0);
}

TEST_CASE("a config that was not made, or has a limit out of range, is refused") {
  flamelet_capture* capture = nullptr;
  flamelet_capture_config zero = {};
  CHECK(flamelet_capture_create(&zero, &capture) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_capture_create(nullptr, &capture) == FLAMELET_ERROR_INVALID_ARGUMENT);
  const flamelet_capture_config good = recorder_test::small_capture_config();
  CHECK(flamelet_capture_create(&good, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  const auto refuses = [&](void (*change)(flamelet_capture_config*)) {
    flamelet_capture_config config = recorder_test::small_capture_config();
    change(&config);
    return flamelet_capture_memory_required(&config) == 0 &&
           flamelet_capture_create(&config, &capture) == FLAMELET_ERROR_INVALID_ARGUMENT;
  };
  CHECK(refuses([](flamelet_capture_config* config) { config->max_tracks = UINT32_MAX; }));
  CHECK(refuses([](flamelet_capture_config* config) { config->max_frames = 0; }));
  CHECK(refuses([](flamelet_capture_config* config) { config->max_sites = FLAMELET_MAX_SITES + 2; }));
  CHECK(refuses([](flamelet_capture_config* config) { config->string_bytes = SIZE_MAX; }));
  CHECK(refuses([](flamelet_capture_config* config) { config->max_fiber_runs = UINT32_MAX; }));
  CHECK(refuses([](flamelet_capture_config* config) { config->max_intervals = UINT32_MAX; }));
  CHECK(refuses([](flamelet_capture_config* config) {
    config->allocator.allocate = [](void*, size_t, size_t) -> void* { return nullptr; };
  }));
}

TEST_CASE("every function accepts NULL and positions out of range") {
  Capture capture;
  flamelet_span span;
  flamelet_point point;
  flamelet_interval interval;
  flamelet_frame_info frame;
  flamelet_lane_info lane;
  flamelet_site_info site;
  flamelet_capture_stats stats;
  int64_t begin, end;
  for (flamelet_capture* at : {static_cast<flamelet_capture*>(nullptr), static_cast<flamelet_capture*>(capture)}) {
    CHECK(flamelet_capture_frame_count(at) == 0);
    CHECK_FALSE(flamelet_capture_frame(at, 0, &frame));
    CHECK_FALSE(flamelet_capture_frame(at, 0, nullptr));
    CHECK(flamelet_capture_find_frame(at, 0) == SIZE_MAX);
    CHECK(flamelet_capture_frame_at(at, 0) == SIZE_MAX);
    CHECK_FALSE(flamelet_capture_extent(at, &begin, &end));
    CHECK_FALSE(flamelet_capture_extent(at, nullptr, nullptr));
    CHECK(flamelet_capture_lane_count(at) == 0);
    CHECK_FALSE(flamelet_capture_lane(at, 0, &lane));
    CHECK(std::string(lane.name.text) == "(unknown)");
    CHECK_FALSE(flamelet_capture_lane(at, 0, nullptr));
    CHECK(flamelet_capture_read_spans(at, 0, 0, 1, &span, 1) == 0);
    CHECK(flamelet_capture_read_points(at, 0, 0, 1, &point, 1) == 0);
    CHECK(flamelet_capture_read_intervals(at, 0, 1, &interval, 1) == 0);
    CHECK_FALSE(flamelet_capture_site(at, 5, &site));
    CHECK(std::string(site.file.text) == "(unknown)");
    CHECK_FALSE(flamelet_capture_site(at, 5, nullptr));
    CHECK(std::string(flamelet_capture_string(at, UINT32_MAX).text) == "(unknown)");
    CHECK(flamelet_capture_site_count(at) == 0);
    CHECK(flamelet_capture_clock(at).kind == FLAMELET_CLOCK_NONE);
    flamelet_capture_get_stats(at, &stats);
    CHECK(stats.events_read == 0);
    flamelet_capture_get_stats(at, nullptr);
  }
  CHECK(flamelet_capture_version(nullptr) == 0);
  CHECK(flamelet_capture_update(nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("what was recorded comes out with its names") {
  Recording recording;
  Capture capture;
  flamelet_set_thread_name("main");
  const flamelet_id outer = flamelet_begin("outer", "game", nullptr);
  const flamelet_id inner = flamelet_begin("inner", "game", flamelet_intern("player"));
  flamelet_next(inner, "second", "game");
  flamelet_counter("draws", "", 12.5);
  flamelet_end(outer);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);

  const size_t lane = capture.lane("main");
  CHECK(capture.tree(lane) == "outer(inner second)");
  const std::vector<flamelet_span> spans = capture.spans(lane);
  CHECK(spans[0].id == outer);
  CHECK(spans[1].id == inner);
  CHECK(capture.string(spans[1].object) == "player");
  CHECK(spans[2].flags == FLAMELET_SPAN_MISSING_END);
  CHECK(spans[1].end_ns == spans[2].begin_ns);
  flamelet_site_info site;
  REQUIRE(flamelet_capture_site(capture, spans[0].site, &site));
  CHECK(std::string(site.name.text) == "outer");
  CHECK(std::string(site.category.text) == "game");
  flamelet_point point;
  REQUIRE(flamelet_capture_read_points(capture, lane, INT64_MIN, INT64_MAX, &point, 1) == 1);
  CHECK(capture.string(point.name) == "draws");
  CHECK(point.value == 12.5);
  CHECK(flamelet_capture_clock(capture).kind == FLAMELET_CLOCK_INJECTED);
  CHECK(capture.stats().missing_ends == 1);
}

TEST_CASE("frames run from mark to mark, the first from the start") {
  Recording recording;
  Capture capture;
  for (int i = 0; i < 3; ++i) {
    flamelet_end(flamelet_begin("work", "", nullptr));
    flamelet_frame();
  }
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  REQUIRE(flamelet_capture_frame_count(capture) == 3);
  flamelet_frame_info frames[3];
  for (size_t i = 0; i < 3; ++i) REQUIRE(flamelet_capture_frame(capture, i, &frames[i]));
  CHECK(frames[0].index == 0);
  CHECK((frames[0].flags & FLAMELET_FRAME_PARTIAL) != 0);
  CHECK(frames[1].flags == 0);
  CHECK(frames[1].begin_ns == frames[0].end_ns);
  CHECK(frames[2].begin_ns == frames[1].end_ns);
  for (const flamelet_frame_info& frame : frames) {
    CHECK(flamelet_capture_read_spans(capture, 0, frame.begin_ns, frame.end_ns, nullptr, 0) == 1);
    CHECK(flamelet_capture_frame_at(capture, frame.begin_ns) == frame.index);
    CHECK(flamelet_capture_frame_at(capture, frame.end_ns - 1) == frame.index);
  }
  flamelet_set_enabled(false);
  flamelet_set_enabled(true);
  flamelet_frame();
  flamelet_frame();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  REQUIRE(flamelet_capture_frame(capture, 3, &frames[0]));
  CHECK(frames[0].flags == FLAMELET_FRAME_PARTIAL);
  REQUIRE(flamelet_capture_frame(capture, 4, &frames[0]));
  CHECK(frames[0].flags == 0);
}

TEST_CASE("a capture stays readable after the recorder stopped, and begins anew with the next one") {
  Capture capture;
  CHECK(flamelet_capture_update(capture) == FLAMELET_ERROR_NOT_INITIALIZED);
  {
    Recording recording;
    flamelet_end(flamelet_begin("first", "", nullptr));
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  }
  const uint64_t version = flamelet_capture_version(capture);
  CHECK(flamelet_capture_update(capture) == FLAMELET_ERROR_NOT_INITIALIZED);
  CHECK(flamelet_capture_version(capture) == version);
  CHECK(capture.tree(0) == "first");
  Recording recording;
  flamelet_end(flamelet_begin("second", "", nullptr));
  flamelet_frame();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(capture.tree(0) == "second");
  CHECK(flamelet_capture_lane_count(capture) == 1);
  CHECK(flamelet_capture_frame_count(capture) == 1);
}

TEST_CASE("the version changes with the content and only with it") {
  Recording recording;
  Capture capture;
  flamelet_end(flamelet_begin("a", "", nullptr));
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  uint64_t version = flamelet_capture_version(capture);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(flamelet_capture_version(capture) == version);
  const auto changes = [&](void (*act)()) {
    act();
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
    const uint64_t before = version;
    version = flamelet_capture_version(capture);
    return version != before;
  };
  CHECK(changes([] { flamelet_instant("b", "", nullptr); }));
  CHECK(changes([] { flamelet_set_thread_name("renamed"); }));
  CHECK(changes([] { flamelet_frame(); }));
  CHECK_FALSE(changes([] {}));
}

TEST_CASE("intervals of start and finish come out") {
  Recording recording;
  Capture capture;
  const flamelet_id load = flamelet_interval_begin("load", "io", nullptr);
  flamelet_interval_begin("stream", "io", nullptr);
  std::thread([load] { flamelet_interval_end(load); }).join();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  flamelet_interval found[2];
  REQUIRE(flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, found, 2) == 2);
  CHECK(found[0].id == load);
  CHECK(capture.string(found[0].name) == "load");
  CHECK(found[0].flags == 0);
  CHECK(found[0].begin_track != found[0].end_track);
  CHECK(capture.string(found[1].name) == "stream");
  CHECK(found[1].flags == FLAMELET_SPAN_OPEN);
}

TEST_CASE("an interval that is finished twice ends at the first time, and nothing beside it is lost") {
  Recording recording;
  Capture capture;
  const flamelet_id load = flamelet_interval_begin("load", "io", nullptr);
  flamelet_interval_end(load);
  flamelet_interval_end(load);
  for (int i = 0; i < 50; ++i) flamelet_end(flamelet_begin("after", "", nullptr));
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  flamelet_interval found;
  REQUIRE(flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, &found, 1) == 1);
  CHECK(found.end_ns - found.begin_ns == 10);
  CHECK(flamelet_capture_read_spans(capture, 0, INT64_MIN, INT64_MAX, nullptr, 0) == 50);
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  CHECK(stats.extra_ends == 1);
  CHECK(stats.bad_words == 0);
}

TEST_CASE("intervals that start at the same tick, of one site or of many, on one thread or on some, are told apart") {
  Recording recording;
  Capture capture;
  recording.stop_clock();
  std::vector<flamelet_id> started;
  const auto start = [&started] {
    for (int i = 0; i < 10; ++i) started.push_back(flamelet_interval_begin("load", "io", nullptr));
    // Sites with ids of few bits, and of more than the number of an interval takes.
    for (int i = 0; i < 300; ++i)
      started.push_back(flamelet_interval_begin(("load " + std::to_string(i)).c_str(), "io", nullptr));
  };
  start();
  for (int i = 0; i < 12; ++i) std::thread(start).join();
  for (size_t i = 0; i < started.size(); i += 2) flamelet_interval_end(started[i]);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  std::vector<flamelet_interval> found(started.size());
  REQUIRE(flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, found.data(), found.size()) == found.size());
  for (size_t i = 0; i < started.size(); ++i) {
    size_t same = 0;
    for (const flamelet_interval& interval : found) {
      if (interval.id != started[i]) continue;
      ++same;
      CHECK(interval.flags == (i % 2 == 0 ? 0 : FLAMELET_SPAN_OPEN));
      CHECK((interval.begin_track == flamelet_thread_id()) == (i < 310));
    }
    CHECK(same == 1);
  }
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  CHECK(stats.extra_ends == 0);
  CHECK(stats.bad_words == 0);
}

TEST_CASE("a fiber has a lane with its name and its scopes whole") {
  Recording recording;
  Capture capture;
  const uint32_t job = flamelet_fiber_create("job");
  flamelet_fiber_switch(0, job);
  const flamelet_id scope = flamelet_begin("load level", "", nullptr);
  flamelet_fiber_switch(job, 0);
  std::thread([&] {
    flamelet_set_thread_name("worker");
    flamelet_fiber_switch(0, job);
    flamelet_end(scope);
    flamelet_fiber_switch(job, 0);
  }).join();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  const std::vector<flamelet_span> whole = capture.spans(capture.lane("job"));
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].id == scope);
  CHECK(whole[0].flags == 0);
  const std::vector<flamelet_span> piece = capture.spans(capture.lane("worker"));
  REQUIRE(piece.size() == 1);
  CHECK(piece[0].id == scope);
  CHECK(piece[0].flags == FLAMELET_SPAN_RESUMED);
  CHECK(piece[0].end_ns == whole[0].end_ns);
}

TEST_CASE("a fiber that ended before the update has its name, until another one takes its place") {
  Recording recording;
  const auto run = [](const char* name) {
    const uint32_t fiber = flamelet_fiber_create(name);
    flamelet_fiber_switch(0, fiber);
    flamelet_end(flamelet_begin("work", "", nullptr));
    flamelet_fiber_switch(fiber, 0);
    flamelet_fiber_destroy(fiber);
    return fiber;
  };
  constexpr uint32_t max_fibers = 4;  // of Recording
  const uint32_t first = run("job 0");
  {
    Capture capture;
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
    CHECK(capture.spans(capture.lane("job 0")).size() == 1);
  }
  for (uint32_t i = 1; i < max_fibers; ++i) run(("job " + std::to_string(i)).c_str());
  Capture early;
  REQUIRE(flamelet_capture_update(early) == FLAMELET_OK);
  CHECK(early.spans(early.lane("job 0")).size() == 1);
  CHECK(early.spans(early.lane("job 1")).size() == 1);
  run("another");  // in the place of the first
  Capture late;
  REQUIRE(flamelet_capture_update(late) == FLAMELET_OK);
  CHECK(late.spans(late.lane("fiber " + std::to_string(first))).size() == 1);
  CHECK(late.spans(late.lane("another")).size() == 1);
  CHECK(late.spans(late.lane("job 1")).size() == 1);
  REQUIRE(flamelet_capture_update(early) == FLAMELET_OK);
  CHECK(early.spans(early.lane("job 0")).size() == 1);  // what was known stays
}

TEST_CASE("what a GPU queue submits stands on its own lane at its own time") {
  Recording recording;
  Capture capture;
  const uint32_t queue = flamelet_track_create("graphics", FLAMELET_TRACK_GPU, 1e9);
  REQUIRE(queue != 0);
  const uint64_t now = flamelet_now_ticks();
  REQUIRE(flamelet_track_calibrate(queue, 5000, now) == FLAMELET_OK);
  const flamelet_id submitter = flamelet_begin("draw", "", nullptr);
  flamelet_end(submitter);
  flamelet_event events[4] = {};
  events[0] = {5100, submitter, "frame", "", nullptr, 0, 'B', false, 0};
  events[1] = {5200, submitter, "", "", nullptr, 0, 'E', false, 0};
  events[2] = {5110, submitter, "shadows", "", nullptr, 0, 'B', false, 1};
  events[3] = {5150, submitter, "", "", nullptr, 0, 'E', false, 1};
  REQUIRE(flamelet_submit(queue, events, 4) == 4);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  const size_t lane = capture.lane("graphics");
  flamelet_lane_info info;
  REQUIRE(flamelet_capture_lane(capture, lane, &info));
  CHECK(info.kind == FLAMELET_LANE_GPU);
  CHECK(capture.tree(lane) == "frame(shadows)");
  const std::vector<flamelet_span> spans = capture.spans(lane);
  for (const flamelet_span& pass : spans) CHECK(pass.id == submitter);  // two passes, one CPU scope
  CHECK(spans[0].end_ns - spans[0].begin_ns == 100);
  const flamelet_clock clock = flamelet_capture_clock(capture);
  CHECK(spans[0].begin_ns == static_cast<int64_t>(now - clock.origin_ticks) + 100);
}

TEST_CASE("names that do not fit are counted and shown as unknown") {
  Recording recording;
  flamelet_capture_config config = recorder_test::small_capture_config();
  config.max_sites = 2;
  config.max_strings = 8;
  config.string_bytes = 64;
  Capture capture(config);
  for (int i = 0; i < 10; ++i) {
    const std::string name = "scope number " + std::to_string(i);
    flamelet_end(flamelet_begin(flamelet_intern(name.c_str()), "", nullptr));
  }
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  const uint64_t missing = capture.stats().names_missing;
  CHECK(missing > 10);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(capture.stats().names_missing == missing);
  const std::vector<flamelet_span> spans = capture.spans(0);
  REQUIRE(spans.size() == 10);
  flamelet_site_info site;
  CHECK_FALSE(flamelet_capture_site(capture, spans[9].site, &site));
  CHECK(std::string(site.name.text) == "(unknown)");
}

TEST_CASE("recorded is read plus lost, for threads that came and went before anybody read") {
  Recording recording(0);
  Capture capture;
  for (int round = 0; round < 150; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([round] {
        for (int n = 0; n < 400 + round; ++n) flamelet_end(flamelet_begin("short", "", nullptr));
      });
    for (std::thread& thread : threads) thread.join();
    if (round % 90 == 3) {
      REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
      CHECK(capture.stats().events_read + capture.stats().events_lost == events_recorded());
    }
  }
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(capture.stats().events_lost > 0);
  CHECK(capture.stats().events_read + capture.stats().events_lost == events_recorded());
}

TEST_CASE("recorded is read plus lost, for a thread whose place was taken between two looks") {
  Recording recording;
  Capture capture;
  std::atomic<int> step{0};
  std::thread thread([&] {
    flamelet_end(flamelet_begin("early", "", nullptr));
    step = 1;
    while (step != 2) std::this_thread::yield();
    flamelet_end(flamelet_begin("late", "", nullptr));
  });
  while (step != 1) std::this_thread::yield();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  step = 2;
  thread.join();
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS + 10; ++i)
    std::thread([] { flamelet_instant("short", "", nullptr); }).join();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(capture.stats().events_read + capture.stats().events_lost == events_recorded());
  CHECK(capture.stats().events_lost == 0);
}

TEST_CASE("more threads than lanes pass through a capture while the newest are shown") {
  Recording recording;
  flamelet_capture_config config = recorder_test::small_capture_config();
  constexpr int kLanes = 2 * FLAMELET_MAX_TRACKS;
  config.max_tracks = kLanes;
  Capture capture(config);
  for (int round = 0; round < kLanes + 40; ++round) {
    const std::string name = "worker " + std::to_string(round);
    std::thread([&] {
      flamelet_set_thread_name(name.c_str());
      flamelet_end(flamelet_begin("job", "", nullptr));
    }).join();
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
    CHECK(capture.tree(capture.lane(name)) == "job");
  }
  CHECK(flamelet_capture_lane_count(capture) == kLanes);
  CHECK(capture.stats().names_missing == 0);
  CHECK(capture.stats().events_read == 2 * (kLanes + 40) + 1);  // with the frame mark of the start
}

TEST_CASE("while threads record, captures read whole spans and lose none uncounted") {
  constexpr uint32_t kThreads = 3;
  constexpr uint32_t kRounds = 3000;
  Recording recording(size_t{64} << 10);  // small enough that events are lost
  Capture first, second;
  std::atomic<uint32_t> running{kThreads};
  uint64_t recorded[kThreads] = {};
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const std::string prefix(1, static_cast<char>('a' + t));
      flamelet_set_thread_name(prefix.c_str());
      const char* names[3] = {flamelet_intern((prefix + "0").c_str()), flamelet_intern((prefix + "1").c_str()),
                              flamelet_intern((prefix + "2").c_str())};
      for (uint32_t round = 0; round < kRounds; ++round) {
        const flamelet_id outer = flamelet_begin(names[0], prefix.c_str(), nullptr);
        for (uint32_t i = 0; i < round % 5; ++i) {
          const flamelet_id middle = flamelet_begin(names[1], "", nullptr);
          flamelet_end(flamelet_begin(names[2], "", nullptr));
          flamelet_end(middle);
        }
        flamelet_end(outer);
        recorded[t] += 2 + 4 * (round % 5);
        if (t == 0) flamelet_frame();
      }
      --running;
    });
  }
  // A span is named for its thread and its depth: any torn or misplaced event shows.
  const auto check = [&](const Capture& capture) {
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
      const std::string thread = capture.lane_name(lane);
      int64_t last_ns = INT64_MIN;
      for (const flamelet_span& span : capture.spans(lane)) {
        const std::string name = capture.string(span.name);
        REQUIRE(name.size() == 2);
        if (thread.size() == 1) REQUIRE(name[0] == thread[0]);
        REQUIRE(name[1] == '0' + span.depth);
        REQUIRE(span.begin_ns >= last_ns);
        REQUIRE(span.end_ns >= span.begin_ns);
        last_ns = span.begin_ns;
      }
    }
  };
  std::thread reader([&] {
    while (running != 0) {
      REQUIRE(flamelet_capture_update(second) == FLAMELET_OK);
      check(second);
    }
  });
  while (running != 0) {
    REQUIRE(flamelet_capture_update(first) == FLAMELET_OK);
    check(first);
  }
  reader.join();
  for (std::thread& thread : threads) thread.join();
  const uint64_t all = events_recorded();
  for (Capture* capture : {&first, &second}) {
    REQUIRE(flamelet_capture_update(*capture) == FLAMELET_OK);
    check(*capture);
    CHECK(capture->stats().events_read + capture->stats().events_lost == all);
    CHECK(capture->stats().bad_words == 0);
    for (uint32_t t = 0; t < kThreads; ++t) {
      flamelet_lane_info info;
      REQUIRE(flamelet_capture_lane(*capture, capture->lane(std::string(1, static_cast<char>('a' + t))), &info));
      CHECK(info.events_read + info.events_lost == recorded[t]);
    }
  }
}
