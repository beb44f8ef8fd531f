// SPDX-License-Identifier: MIT
//
// Threads that a GPU queue held up, with the figures of an H100 and its OpenGL driver, which spins for room in the queue.
#include <algorithm>

#include "explain/story.h"

namespace explain_test::full_queue_test {
namespace {

constexpr flamelet_id kNoId = 0;

// Main draws, and presents once the queue is done. Main runs all the time: its driver spins.
struct Drawn : Story {
  uint32_t queue = lane("GPU", FLAMELET_LANE_GPU);
  bool is_linked = true;  // the queue's scopes say which scope handed their work over
  int64_t end = kFrame * kFrames;

  Drawn() {
    for (int64_t i = 0; i < kFrames; ++i) frame(i, kFrame * i + 2 * kMs, kFrame * i + 3 * kMs, kFrame * (i + 1));
  }
  // Times of the ends of the call that draws, of its work on the queue, and of the frame.
  void frame(int64_t i, int64_t drawn_ns, int64_t done_ns, int64_t end_ns) {
    const int64_t at = kFrame * i;
    const auto id = static_cast<flamelet_id>(i) + 1;
    building.span(main, at, drawn_ns, building.site("Scene pass"), id);
    wait(main, drawn_ns, end_ns, "Present");
    building.span(queue, at + kMs, done_ns, building.site("Scene pass on the GPU"), is_linked ? id : kNoId);
    time_of(main, end_ns - at, 0, static_cast<uint64_t>(i) + 1);
  }
  const flamelet_cause& last(int64_t drawn_ms, int64_t done_ms, int64_t end_ms) {
    frame(kFrames, end + drawn_ms * kMs, end + done_ms * kMs, end + end_ms * kMs);
    return first_cause(end_ms * kMs);
  }
};

}  // namespace

TEST_CASE(
    "full queue: what a thread waited for in the call that draws and where it presents is one cause, the queue's") {
  Drawn story;
  const flamelet_cause& cause = story.last(138, 191, 195);
  CHECK(cause.verdict == FLAMELET_VERDICT_GPU_BOUND);
  CHECK(story.path(cause) == "Scene pass on the GPU");
  CHECK(cause.time_ns == 190 * kMs);
  CHECK(cause.usual_ns == 2 * kMs);
  CHECK(story.why.cause_count == 1);
  CHECK(story.text().find("probably waited for in Scene pass") != std::string::npos);
}

TEST_CASE("full queue: a queue that is done when the thread is was not what the thread waited for") {
  Drawn story;
  const flamelet_cause& cause = story.last(138, 139, 142);
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(story.path(cause) == "Scene pass");
}

TEST_CASE("full queue: in a wait, the queue worked for the thread that fills it, or for nobody who is known") {
  Drawn story;
  SUBCASE("linked") {}
  SUBCASE("not linked") {
    story.is_linked = false;
  }
  const flamelet_cause& cause = story.last(2, 60, 65);
  CHECK(cause.verdict == FLAMELET_VERDICT_GPU_BOUND);
  CHECK(story.path(cause) == "Scene pass on the GPU");
  CHECK(cause.time_ns == 58 * kMs);
}

TEST_CASE("full queue: a queue that had not been handed its work yet was not what the thread waited for") {
  // What the queue measures begins with the thread's scope, and goes on until the thread has handed all of it over.
  for (const bool is_wait : {false, true}) {
    Story story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, late_ns = i == kFrames ? 22 * kMs : 0;
      const auto id = static_cast<flamelet_id>(i) + 1;
      if (late_ns != 0 && is_wait) story.wait(story.main, at + kMs, at + kMs + late_ns, "Lock");
      if (late_ns != 0 && !is_wait) story.work(story.main, at + kMs, at + kMs + late_ns, "Compile shader");
      story.building.span(story.main, at, at + 4 * kMs + late_ns, story.building.site("Render"), id);
      story.building.span(queue, at + kMs / 2, at + 8 * kMs + late_ns, story.building.site("Render on the GPU"), id);
      story.wait(story.main, at + 4 * kMs + late_ns, at + 9 * kMs + late_ns, "Present");
      story.time_of(story.main, kFrame + late_ns, 0, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(32 * kMs);
    CHECK(story.path(cause) == (is_wait ? "Render > Lock" : "Render > Compile shader"));
    CHECK(cause.verdict == (is_wait ? FLAMELET_VERDICT_WAIT : FLAMELET_VERDICT_NEW));
  }
}

TEST_CASE("full queue: a queue that has nothing to do for as long in each frame did not begin late") {
  for (const int64_t begin_ns : {9 * kMs, kMs}) {  // in its frames, each 10 ms after the one before
    Story story;
    const uint32_t queue = story.lane("Warp queue", FLAMELET_LANE_GPU);
    for (int64_t i = 0; i <= kFrames + 2; ++i) {
      const int64_t at = kFrame * i + (i <= kFrames ? begin_ns : 9 * kMs);
      story.work(queue, at, at + kMs / 2, "Warp");
    }
    for (int64_t i = 0; i < kFrames; ++i) {
      story.work(story.main, kFrame * i, kFrame * i + 2 * kMs, "Draw");
      story.time_of(story.main, 2 * kMs, 0, static_cast<uint64_t>(i) + 1);
    }
    const int64_t at = kFrame * kFrames;
    story.work(story.main, at, at + 2 * kMs, "Draw");
    story.work(story.main, at + 2 * kMs, at + 28 * kMs, "Ask");
    story.time_of(story.main, 2 * kMs, 0);
    const flamelet_cause& cause = story.first_cause(30 * kMs);
    CAPTURE(story.text());
    CHECK((story.path(cause) == "Ask") == (begin_ns == 9 * kMs));
  }
}

TEST_CASE("full queue: a pass that took as long as usual and began late is one cause, and says that") {
  for (const bool is_long : {false, true}) {
    Story story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
    const int64_t took_ns = (is_long ? 7 : 1) * kMs;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, begun = at + (i == kFrames ? 42 : 1) * kMs;
      const auto id = static_cast<flamelet_id>(i) + 1;
      story.building.span(story.main, at, at + kMs, story.building.site("Scene pass"), id);
      story.wait(story.main, at + kMs, i == kFrames ? begun + took_ns + kMs : at + kFrame, "Present");
      story.building.span(queue, begun, begun + took_ns, story.building.site("Scene pass on the GPU"), id);
    }
    const flamelet_cause& cause = story.first_cause(43 * kMs + took_ns);
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_GPU_BOUND);
    CHECK((cause.flags & FLAMELET_CAUSE_BEGAN_LATE) != 0);
    CHECK(story.path(cause) == "Scene pass on the GPU");
    CHECK(story.why.cause_count == 1);
    CHECK(story.text().find("the GPU took longer") == std::string::npos);
  }
}

TEST_CASE("full queue: a queue that rested since before the frame began late, though its next work took longer") {
  for (const bool usually_waits : {true, false}) {
    Story story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
    const int64_t usual_ns = usually_waits ? kMs : -5 * kMs, took_ns = (usually_waits ? 1 : 2) * kMs;
    // The queue does in each frame, or at the end of the one before, what the one before handed over.
    for (int64_t i = 1; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, begun = at + (i == kFrames ? 10 * kMs : usual_ns), done = begun + took_ns;
      const int64_t waited = std::max(at, done), end = at + (i == kFrames ? 19 * kMs : kFrame);
      const auto id = static_cast<flamelet_id>(i) + 1;
      story.building.span(queue, begun, done, story.building.site("Lighting"), id - 1);
      story.wait(story.main, at, waited, "Wait for fence");
      story.building.span(story.main, waited, waited + kMs, story.building.site("Record scene"), id);
      story.work(story.main, waited + kMs, end, "Draw");
    }
    const int64_t at = kFrame * kFrames + 15 * kMs;
    story.building.span(queue, at, at + 4 * kMs, story.building.site("Lighting"), kFrames + 1);
    const flamelet_cause& cause = story.first_cause(19 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Lighting");
    CHECK((cause.flags & FLAMELET_CAUSE_BEGAN_LATE) != 0);
    CHECK(!contains(story.text(), "the GPU took longer"));
  }
}

TEST_CASE(
    "full queue: a pass that stood at a fence was late because of the other queue, whose clock differs a little") {
  for (const int64_t off_ns : {-500, 500, 3000000}) {
    Story story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU), other = story.lane("Compute", FLAMELET_LANE_GPU);
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, begun = at + (i == kFrames ? 42 : 2) * kMs;
      const auto id = static_cast<flamelet_id>(i) + 1;
      story.building.span(story.other, at, at + kMs, story.building.site("Submit"), id);
      story.wait(story.main, at + kMs, i == kFrames ? begun + 2 * kMs : at + kFrame, "Present");
      story.building.span(other, at + kMs, begun + (i == kFrames ? off_ns : 0), story.building.site("Particles"), id);
      story.building.span(queue, begun, begun + kMs, story.building.site("Lighting"), id);
    }
    const flamelet_cause& cause = story.first_cause(44 * kMs);
    CAPTURE(story.text());
    CHECK((story.path(cause) == "Particles") == (off_ns < kMs));
    CHECK(((cause.flags & FLAMELET_CAUSE_BEGAN_LATE) != 0) == (off_ns > kMs));
    if (off_ns > kMs) continue;
    CHECK(contains(story.text(), "for GPU in Lighting, which waited for Compute in Particles: the GPU took longer"));
  }
}

TEST_CASE("full queue: a pass that was waited for took as long as usual, though the next one took longer") {
  for (const int64_t took_ms : {2, 4}) {
    Story story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
    for (int64_t i = 0; i < kFrames; ++i) {
      const int64_t at = kFrame * i;
      story.work(story.main, at, at + kFrame, "Draw");
      story.work(queue, at + 5 * kMs, at + 6 * kMs, "Bloom");
      story.work(queue, at + 6 * kMs, at + 8 * kMs, "Lighting");
    }
    const int64_t at = kFrame * kFrames, waited = at + (10 + took_ms) * kMs;
    story.wait(story.main, at, waited, "Wait for fence");
    story.work(story.main, waited, waited + kFrame, "Draw");
    story.work(queue, at, at + 10 * kMs, "Bloom");
    story.work(queue, at + 10 * kMs, waited, "Lighting");
    story.work(queue, waited, waited + 4 * kMs, "Lighting");
    const flamelet_cause& cause = story.first_cause(kFrame + waited - at);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Bloom");
    CHECK(contains(story.text(), "Lighting: the GPU took longer") == (took_ms == 4));
  }
}

TEST_CASE("full queue: a queue that is two frames behind is waited for, too") {
  Story story;
  const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
  // Each frame hands its work over in its first millisecond; the queue does it two frames later.
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, later = at + 2 * kFrame, frame_ns = i == kFrames ? 65 * kMs : kFrame;
    const auto id = static_cast<flamelet_id>(i) + 1;
    story.building.span(story.main, at, at + kMs, story.building.site("Submit"), id);
    story.wait(story.main, at + kMs, at + frame_ns, "Present");
    const int64_t took_ns = i == kFrames - 2 ? 60 * kMs : 2 * kMs;
    if (i <= kFrames - 2)
      story.building.span(queue, later + kMs, later + kMs + took_ns, story.building.site("Scene"), id);
  }
  const flamelet_cause& cause = story.first_cause(65 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_GPU_BOUND);
  CHECK(story.path(cause) == "Scene");
}

TEST_CASE("full queue: what a scope and one that it calls waited for is not more than the queue's work") {
  Story story;
  const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, work_ns = (i == kFrames ? 120 : 4) * kMs;
    const int64_t drawn = at + (i == kFrames ? 40 : 2) * kMs, rendered = at + (i == kFrames ? 90 : 5) * kMs;
    const auto id = static_cast<flamelet_id>(i) + 1;
    story.building.span(story.main, at, drawn, story.building.site("Scene pass"), id);
    story.work(story.main, at, rendered, "Render");
    story.wait(story.main, rendered, at + (i == kFrames ? 130 * kMs : kFrame), "Present");
    story.building.span(queue, at, at + work_ns, story.building.site("Scene pass on the GPU"), id);
  }
  const flamelet_cause& cause = story.first_cause(130 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_GPU_BOUND);
  CHECK(story.why.cause_count == 1);
  CHECK(cause.time_ns == 120 * kMs);
}

TEST_CASE("full queue: another thread's queue held up nobody") {
  Drawn story;
  for (int64_t i = 0; i <= kFrames; ++i)
    story.building.span(story.other, kFrame * i, kFrame * i + kMs, story.building.site("Fill"),
                        1000 + static_cast<flamelet_id>(i));
  const uint32_t theirs = story.lane("Copy queue", FLAMELET_LANE_GPU);
  for (int64_t i = 0; i <= kFrames; ++i)
    story.building.span(theirs, kFrame * i + kMs, kFrame * i + (i == kFrames ? 60 : 2) * kMs,
                        story.building.site("Copy"), 1000 + static_cast<flamelet_id>(i));
  const flamelet_cause& cause = story.last(2, 3, 65);
  CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
  CHECK(story.path(cause) == "Present");
}

}  // namespace explain_test::full_queue_test
