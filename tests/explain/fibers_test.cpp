// SPDX-License-Identifier: MIT
//
// Engines whose frame, or whose jobs, are fibers: they wait in the middle, and go on on any thread.
#include "explain/story.h"

namespace explain_test::fibers_test {
namespace {

constexpr uint32_t kMain = 0, kOther = 1, kWorker = 2, kDisk = 3;  // the lanes of a capture, as Story makes them

flamelet_explain_config marked_by_worker() {
  flamelet_explain_config config = flamelet_explain_config_default();
  config.main_lane = kWorker;
  return config;
}

// The frame is a fiber. It runs Simulate on Main, is left in its wait there, and goes on on Worker. Usually it steps for
// 2 ms, waits for 5, and is on Worker for 3.
struct FiberGame : Story {
  FiberGame() : Story(marked_by_worker()) {
    for (int64_t i = 0; i < kFrames; ++i) {
      add_frame(kFrame * i, 2 * kMs, 5 * kMs);
      work(other, kFrame * i + 2 * kMs, kFrame * i + 7 * kMs - 1000, "Cull");
    }
  }
  // Returns how long it takes.
  int64_t add_frame(int64_t at, int64_t step_ns, int64_t wait_ns) {
    const int64_t left = at + step_ns, resumed = left + wait_ns, done = resumed + 3 * kMs;
    part(main, at, left, "Simulate", FLAMELET_SPAN_SUSPENDED);
    part(main, left - 1000, left, "Wait", FLAMELET_SPAN_SUSPENDED);
    part(worker, resumed, resumed + 1000, "Wait", FLAMELET_SPAN_RESUMED);
    part(worker, resumed, done, "Simulate", FLAMELET_SPAN_RESUMED);
    ++frames;
    return done - at;
  }
  // A part of a scope that is open while its fiber is left.
  void part(uint32_t lane, int64_t begin_ns, int64_t end_ns, const std::string& name, uint16_t flags) {
    const bool is_wait = name == "Wait";
    const uint32_t site = building.site(name, is_wait ? FLAMELET_WAIT_CATEGORY : "");
    building.span(lane, begin_ns, end_ns, site, 2 * frames + (is_wait ? 2 : 1), FLAMELET_DEPTH_UNKNOWN, flags);
  }

  uint64_t frames = 0;
  const int64_t end = kFrame * kFrames;  // of the usual frames
};

}  // namespace

TEST_CASE("fibers: what the frame's fiber did on another thread before is the frame's own work") {
  FiberGame story;
  const int64_t took_ns = story.add_frame(story.end, 42 * kMs, 5 * kMs);
  const flamelet_cause& cause = story.first_cause(took_ns);
  CHECK(story.path(cause) == "Simulate");
  CHECK(cause.lane == kMain);
  CHECK(cause.waiting == FLAMELET_NO_PATH);
  CHECK(cause.calls == 1);
  CHECK(cause.time_ns == 45 * kMs - 2000);
  CHECK(contains(story.text(), "Main spent 45.0 ms in Simulate: 1 call took 45.0 ms, usually 5.0"));
}

TEST_CASE("fibers: while the frame's fiber is left, it waits for whoever ends when it goes on") {
  FiberGame story;
  const int64_t took_ns = story.add_frame(story.end, 2 * kMs, 50 * kMs);
  story.work(story.other, story.end + 2 * kMs, story.end + 52 * kMs - 1000, "Cull");
  const flamelet_cause& cause = story.first_cause(took_ns);
  CHECK(story.path(cause) == "Cull");
  CHECK(cause.lane == kOther);
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK((cause.flags & FLAMELET_PIECE_PROBABLY) != 0);
  CHECK(cause.waited_ns == 50 * kMs + 2000);  // with what the wait's scope was open on either thread
  CHECK(contains(story.text(), "Worker waited 50.0 ms (probably) for Other in Cull"));
}

TEST_CASE("fibers: a flow tells for whom a fiber waits, also one that began on the thread where it goes on") {
  FiberGame story;
  const int64_t took_ns = story.add_frame(story.end, 2 * kMs, 50 * kMs), at = story.end;
  story.work(story.worker, at + 2 * kMs, at + 48 * kMs, "Plan path");
  story.flow(story.worker, at + 48 * kMs - 1000, story.worker, at + 52 * kMs + 500);
  story.work(story.other, at + 2 * kMs, at + 52 * kMs - 1000, "Cull");
  const flamelet_cause& cause = story.first_cause(took_ns);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Plan path");
  CHECK((cause.flags & FLAMELET_PIECE_PROBABLY) == 0);
}

TEST_CASE("fibers: the thread on which the frame goes on may have done meanwhile what another one spun for") {
  FiberGame story;
  const int64_t took_ns = story.add_frame(story.end, 2 * kMs, 50 * kMs), at = story.end;
  story.work(story.worker, at + 2 * kMs, at + 52 * kMs - 20000, "Build");
  story.work(story.other, at + 2 * kMs, at + 52 * kMs - 1000, "Await");
  const flamelet_cause& cause = story.first_cause(took_ns);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Build");
  CHECK(cause.lane == kWorker);
}

TEST_CASE("fibers: where a thread waits for itself, the fiber that ran there meanwhile is named") {
  FiberGame story;
  const int64_t took_ns = story.add_frame(story.end, 2 * kMs, 50 * kMs), at = story.end;
  // Cull is left on Other, where another fiber bakes until it goes on.
  story.frames += 100;
  story.part(story.other, at + 2 * kMs, at + 5 * kMs, "Cull", FLAMELET_SPAN_SUSPENDED);
  story.part(story.other, at + 5 * kMs - 1000, at + 5 * kMs, "Wait", FLAMELET_SPAN_SUSPENDED);
  story.work(story.other, at + 5 * kMs, at + 49 * kMs - 1000, "Bake lights");
  story.part(story.other, at + 49 * kMs, at + 49 * kMs + 1000, "Wait", FLAMELET_SPAN_RESUMED);
  story.part(story.other, at + 49 * kMs, at + 52 * kMs - 1000, "Cull", FLAMELET_SPAN_RESUMED);
  const uint32_t fiber = flamelet_capture_builder_span_lane(story.building.builder, FLAMELET_LANE_FIBER, 9,
                                                            story.building.string("Baker"), true);
  story.building.span(fiber, at + 5 * kMs, at + 49 * kMs - 1000, story.building.site("Bake lights"));
  CHECK(story.path(story.first_cause(took_ns)) == "Bake lights");
  CHECK(contains(story.text(), "for Other in Wait, which waited for Baker on Other in Bake lights"));
}

TEST_CASE("fibers: what a thread's fiber did before it was left in a wait is what its scheduler was busy with") {
  Story story;
  uint64_t frames = 0;
  // The scheduler's own scope is left for a fiber, which is left in turn as it waits.
  const auto add_frame = [&](int64_t at, int64_t part_ns) {
    const int64_t left = at + kMs + part_ns, end = left + 8 * kMs;
    const auto part = [&](int64_t begin_ns, int64_t end_ns, const char* name, uint64_t id, uint32_t flags) {
      const uint32_t site = story.building.site(name, id == 3 ? FLAMELET_WAIT_CATEGORY : "");
      story.building.span(story.main, begin_ns, end_ns, site, 3 * frames + id, FLAMELET_DEPTH_UNKNOWN,
                          static_cast<uint16_t>(flags));
    };
    part(at, at + kMs, "Run fibers", 1, FLAMELET_SPAN_SUSPENDED);
    part(at + kMs, left, "Tick", 2, FLAMELET_SPAN_SUSPENDED);
    story.work(story.main, at + kMs, left - 2000, "Part");
    part(left - 1000, left, "Await", 3, FLAMELET_SPAN_SUSPENDED);
    part(left, end, "Run fibers", 1, FLAMELET_SPAN_RESUMED);
    ++frames;
    return end - at;
  };
  for (int64_t i = 0; i < kFrames; ++i) add_frame(kFrame * i, kMs);
  const flamelet_cause& cause = story.first_cause(add_frame(kFrame * kFrames, 21 * kMs));
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Tick > Part");
  CHECK(cause.lane == kMain);
  CHECK(cause.waiting == FLAMELET_NO_PATH);
  CHECK(cause.surplus_ns == 20 * kMs);
}

TEST_CASE("fibers: a lock for which a fiber waited in no scope of its own is no wait of the thread's scheduler") {
  Story story;
  const uint32_t lock = story.recorded_wait("lock");
  const auto add_frame = [&](int64_t at, uint64_t id, int64_t locked_ns) {
    const int64_t tick = at + kMs + locked_ns, end = tick + 7 * kMs, site = story.building.site("Run fibers");
    const auto run = [&](int64_t begin_ns, int64_t end_ns, uint16_t flags) {
      story.building.span(story.main, begin_ns, end_ns, static_cast<uint32_t>(site), id, FLAMELET_DEPTH_UNKNOWN, flags);
    };
    run(at, at + kMs, FLAMELET_SPAN_SUSPENDED);
    story.building.span(story.main, at + kMs, tick, lock);
    story.work(story.main, tick, end, "Tick");
    run(end, end + kMs, FLAMELET_SPAN_RESUMED);
    return end + kMs - at;
  };
  for (int64_t i = 0; i < kFrames; ++i) add_frame(kFrame * i, static_cast<uint64_t>(i) + 1, kMs);
  const int64_t took_ns = add_frame(kFrame * kFrames, kFrames + 1, 21 * kMs);
  story.first_cause(took_ns);
  CAPTURE(story.text());
  CHECK(contains(story.text(), "Main waited 21.0 ms in lock"));
}

TEST_CASE("fibers: a flow that ends where the fiber goes on says for whom it waited") {
  FiberGame story;
  const int64_t took_ns = story.add_frame(story.end, 2 * kMs, 50 * kMs);
  story.work(story.other, story.end + 2 * kMs, story.end + 40 * kMs, "Cull");  // which ended earlier
  story.work(story.main, story.end + 3 * kMs, story.end + 52 * kMs - 1000, "Bystander");
  story.flow(story.other, story.end + 40 * kMs, story.worker, story.end + 52 * kMs + 500);
  const flamelet_cause& cause = story.first_cause(took_ns);
  CHECK(story.path(cause) == "Cull");
  CHECK((cause.flags & FLAMELET_PIECE_PROBABLY) == 0);
}

TEST_CASE("fibers: a fiber for which no thread is free waits for the work that its thread did until then") {
  FiberGame story;
  const int64_t took_ns = story.add_frame(story.end, 2 * kMs, 50 * kMs);
  story.work(story.other, story.end + 2 * kMs, story.end + 7 * kMs, "Cull");
  story.work(story.worker, story.end + 4 * kMs, story.end + 52 * kMs - 1000, "Bake lights");
  const flamelet_cause& cause = story.first_cause(took_ns);
  CHECK(story.path(cause) == "Bake lights");
  CHECK(cause.verdict == FLAMELET_VERDICT_NEW);
  CHECK((cause.flags & FLAMELET_PIECE_PROBABLY) == 0);
  CHECK(contains(story.text(), "Worker spent 48.0 ms in Bake lights: new"));
}

TEST_CASE("fibers: what a thread did between the flow that woke its fiber and the fiber's turn held the fiber up") {
  FiberGame story;
  const int64_t took_ns = story.add_frame(story.end, 2 * kMs, 50 * kMs), at = story.end;
  story.work(story.other, at + 2 * kMs, at + 4 * kMs, "Read chunk");
  story.flow(story.other, at + 4 * kMs - 1000, story.worker, at + 52 * kMs + 500);
  story.work(story.worker, at + 3 * kMs, at + 52 * kMs - 1000, "Run quest");
  const flamelet_cause& cause = story.first_cause(took_ns);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Run quest");
  CHECK(cause.lane == kWorker);
  CHECK(cause.time_ns == 48 * kMs);
}

TEST_CASE("fibers: a job that is left in the middle is followed to where it was left, and through what it waited for") {
  FiberGame story;
  const int64_t took_ns = story.add_frame(story.end, 2 * kMs, 50 * kMs), at = story.end;
  // Cull is left on Other, waits for a disk, and goes on on Main.
  story.frames += 100;
  story.part(story.other, at + 2 * kMs, at + 5 * kMs, "Cull", FLAMELET_SPAN_SUSPENDED);
  story.part(story.main, at + 49 * kMs, at + 52 * kMs - 1000, "Cull", FLAMELET_SPAN_RESUMED);
  const uint32_t disk = story.lane("Disk");
  story.work(disk, at + 5 * kMs, at + 49 * kMs - 1000, "Read");
  const flamelet_cause& cause = story.first_cause(took_ns);
  CHECK(story.path(cause) == "Read");
  CHECK(cause.lane == kDisk);
  int64_t cull_ns = 0;
  for (size_t i = 0; i < story.why.piece_count; ++i) {
    const flamelet_piece& piece = story.why.pieces[i];
    if (story.explain.path(story.capture, piece.path) == "Cull" && (piece.flags & FLAMELET_PIECE_WAIT) == 0)
      cull_ns += piece.end_ns - piece.begin_ns;
  }
  CHECK(cull_ns == 6 * kMs - 1000);
}

TEST_CASE("fibers: work that stops because its fiber is left is not what somebody waited for") {
  FiberGame story;
  const int64_t took_ns = story.add_frame(story.end, 2 * kMs, 50 * kMs);
  story.frames += 100;
  story.part(story.other, story.end + 2 * kMs, story.end + 52 * kMs - 1000, "Cull", FLAMELET_SPAN_SUSPENDED);
  const flamelet_cause& cause = story.first_cause(took_ns);
  CHECK(story.path(cause) == "Simulate > Wait");
  CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
}

}  // namespace explain_test::fibers_test
