// SPDX-License-Identifier: MIT
//
// Frames that are slow for two causes at once, on one thread.
#include "explain/story.h"

namespace explain_test::two_causes_test {
namespace {

// Main draws and then does an item in each frame.
struct Drawing : Story {
  int64_t end = kFrame * kFrames;  // of the usual frames
  Drawing() {
    for (int64_t i = 0; i < kFrames; ++i) {
      work(main, kFrame * i, kFrame * (i + 1) - kMs, "Draw");
      work(main, kFrame * (i + 1) - kMs, kFrame * (i + 1), "Item");
    }
  }
  // In the last frame Draw takes so long, and as many items follow, each as long as usual. Returns the frame's time.
  int64_t draw_and_do_items(int64_t draw_ns, int64_t items) {
    work(main, end, end + draw_ns, "Draw");
    for (int64_t i = 0; i < items; ++i) work(main, end + draw_ns + kMs * i, end + draw_ns + kMs * (i + 1), "Item");
    return draw_ns + kMs * items;
  }
};

}  // namespace

TEST_CASE("two causes: a job that others seldom wait for is taken apart, and its own time is one of the parts") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, part_ns = i == kFrames ? 40 * kMs : kMs;
    story.work(story.other, at, at + part_ns, "Plan");
    if (i == kFrames) story.work(story.other, at + 2 * part_ns, at + 3 * part_ns, "Load");
    const int64_t done = at + (i == kFrames ? 3 : 2) * part_ns;
    story.work(story.other, at, done, "Step");
    const int64_t waited = i == kFrames ? done + 1000 : at + 1000;
    story.wait(story.main, at, waited, "Wait for step");
    if (i == kFrames) story.flow(story.other, done, story.main, done + 500);
    story.work(story.main, waited, waited + 9 * kMs, "Draw");
  }
  story.first_cause(129 * kMs);
  REQUIRE(story.why.cause_count == 3);
  const flamelet_cause* const plan = story.cause_of("Step > Plan");
  REQUIRE(plan != nullptr);
  CHECK(plan->verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(plan->usual_ns == kMs);
  const flamelet_cause* const own = story.cause_of("Step");
  REQUIRE(own != nullptr);
  CHECK(own->verdict == FLAMELET_VERDICT_UNINSTRUMENTED);
  CHECK(own->time_ns == 40 * kMs);
  CHECK(own->usual_ns == kMs);
  const flamelet_cause* const load = story.cause_of("Step > Load");
  REQUIRE(load != nullptr);
  CHECK(load->verdict == FLAMELET_VERDICT_NEW);
}

TEST_CASE("two causes: a recursion that took longer on all of its levels is one of them") {
  for (const bool has_others : {false, true}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, own_ns = i == kFrames ? 5 * kMs : kMs / 2, other_ns = has_others ? kMs / 5 : 0;
      int64_t done = at;
      for (int level = 3; level != 0; --level) {
        const int64_t begin = at + own_ns / 2 * (level - 1);
        done = (level == 3 ? begin : done) + other_ns + own_ns - own_ns / 2 * (level == 3 ? 0 : 1);
        if (has_others) story.work(story.main, done - other_ns, done, "Measure");
        story.work(story.main, begin, done, "Lay out block");
      }
      story.work(story.main, done, at + (i == kFrames ? 40 * kMs : kFrame), "Draw");
    }
    story.first_cause(40 * kMs);
    REQUIRE(story.why.cause_count == 2);
    const flamelet_cause* const block = story.cause_of("Lay out block");
    REQUIRE(block != nullptr);
    CHECK(block->surplus_ns == 27 * kMs / 2);
    CHECK(block->verdict == (has_others ? FLAMELET_VERDICT_UNINSTRUMENTED : FLAMELET_VERDICT_SLOWER_CALLS));
    CHECK(contains(story.text(), "Another 13.5 ms: Lay out block ("));
  }
}

TEST_CASE("two causes: lost time did not hit more calls that each took as long as usual") {
  Drawing story;
  for (int64_t i = 0; i < kFrames; ++i) story.time_of(story.main, kFrame, 0, static_cast<uint64_t>(i) + 1);
  const int64_t took_ns = story.draw_and_do_items(49 * kMs, 61);
  story.time_of(story.main, took_ns - 40 * kMs, 40 * kMs);
  story.first_cause(took_ns);
  const flamelet_cause* const items = story.cause_of("Item");
  REQUIRE(items != nullptr);
  CHECK(items->verdict == FLAMELET_VERDICT_MORE_CALLS);
  CHECK(items->surplus_ns == 60 * kMs);
  const flamelet_cause* const draw = story.cause_of("Draw");
  REQUIRE(draw != nullptr);
  CHECK(draw->verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(draw->surplus_ns == 40 * kMs);
}

TEST_CASE("two causes: of a scope's surplus no more was lost than its thread did not run") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const bool is_last = i == kFrames;
    story.work(story.main, kFrame * i, kFrame * i + (is_last ? 48 : 8) * kMs, "Draw");
    // The system says 20 ms, but Draw itself ran for 33 of its 48 ms.
    story.time_of(story.main, (is_last ? 34 : 9) * kMs, is_last ? 20 * kMs : 0, static_cast<uint64_t>(i) + 1);
  }
  story.first_cause(50 * kMs);
  CAPTURE(story.text());
  const flamelet_cause& draw = story.why.causes[0];
  CHECK(story.path(draw) == "Draw");
  CHECK(draw.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(draw.no_processor_ns == 15 * kMs);
  CHECK(draw.surplus_ns == 25 * kMs);
}

TEST_CASE("two causes: a thread did not sleep in more calls that each took as long as usual, but in the other scope") {
  Drawing story;
  const int64_t took_ns = story.draw_and_do_items(69 * kMs, 61);
  story.time_of(story.main, took_ns - 60 * kMs, 0);
  story.first_cause(took_ns);
  const flamelet_cause* const draw = story.cause_of("Draw");
  REQUIRE(draw != nullptr);
  CHECK(draw->verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(draw->asleep_ns == 59 * kMs);  // of the one usual item it is not known
}

TEST_CASE("two causes: in which of two scopes a thread slept tells a GPU queue that worked longer meanwhile") {
  for (const flamelet_lane_kind kind : {FLAMELET_LANE_GPU, FLAMELET_LANE_THREAD}) {
    Drawing story;
    const uint32_t queue = story.lane("Queue", kind);
    for (int64_t i = 0; i <= kFrames; ++i)
      story.work(queue, kFrame * i, kFrame * i + (i == kFrames ? 70 : 2) * kMs, "Shadows");
    story.draw_and_do_items(79 * kMs, 1);
    story.work(story.main, story.end + 80 * kMs, story.end + 160 * kMs, "Think");
    story.time_of(story.main, 90 * kMs, 0);
    story.first_cause(160 * kMs);
    const bool is_gpu = kind == FLAMELET_LANE_GPU;
    const flamelet_cause* const shadows = story.cause_of("Shadows");
    CHECK((shadows != nullptr) == is_gpu);  // of threads, too many work beside each other
    if (shadows != nullptr) CHECK(shadows->verdict == FLAMELET_VERDICT_GPU_BOUND);
    CHECK((story.cause_of("Draw") == nullptr) == is_gpu);
    const flamelet_cause* const think = story.cause_of("Think");
    REQUIRE(think != nullptr);
    CHECK(think->verdict == FLAMELET_VERDICT_NEW);
  }
}

TEST_CASE("two causes: what delayed work that took as long as usual has its time, too") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, decoded = at + (i == kFrames ? 22 : 2) * kMs, mixed = decoded + 6 * kMs;
    story.work(story.other, at, decoded, "Decode");
    story.work(story.other, decoded, mixed, "Mix");
    story.work(story.main, at, at + 7 * kMs, "Draw");
    story.wait(story.main, at + 7 * kMs, mixed, "Wait for sound");
    story.flow(story.other, mixed, story.main, mixed);
    story.work(story.main, mixed, mixed + 2 * kMs, "Present");
  }
  const flamelet_cause& cause = story.first_cause(30 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Decode");
  CHECK(story.why.cause_count == 1);
  CHECK(cause.surplus_ns == 20 * kMs);
}

TEST_CASE("two causes: calls that together took longer are not as usual beside one that always is the longest") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, each_ns = i == kFrames ? 3 * kMs : kMs / 2;
    const int64_t done = at + 4 * kMs + 8 * each_ns;
    for (int64_t call = 0; call < 8; ++call)
      story.work(story.other, at + each_ns * call, at + each_ns * (call + 1), "Part");
    story.work(story.other, done - 4 * kMs, done, "Part");
    story.work(story.main, at, at + 7 * kMs, "Draw");
    story.wait(story.main, at + 7 * kMs, done + kMs, "Wait for parts");
    story.flow(story.other, done, story.main, done + kMs);
    if (i != kFrames) story.work(story.main, done + kMs, at + kFrame, "Present");
  }
  const flamelet_cause& cause = story.first_cause(30 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Part");
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
}

TEST_CASE("two causes: of more calls, one that took most of the surplus says what happened, and not their count") {
  for (const bool has_parts : {false, true}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, calls = i == kFrames ? 12 : 4, long_ns = i == kFrames ? 10 * kMs : kMs / 2;
      int64_t done = at + kMs;
      const int64_t begin_ns = done;
      for (int64_t call = 0; call < calls; ++call) {
        const int64_t took_ns = call == 5 ? long_ns : kMs / 2;
        if (!has_parts || call % 2 == 0) story.work(story.main, done, done + took_ns, "Solve island");
        if (has_parts && call % 2 == 1) story.work(story.main, done, done + took_ns, "Solve joints");
        done += took_ns;
      }
      if (has_parts) story.work(story.main, begin_ns, done, "Solve");
      story.work(story.main, at, at + kMs, "Draw");
      if (i != kFrames) story.work(story.main, done, at + kFrame, "Draw");
    }
    const flamelet_cause& cause = story.first_cause(18 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (has_parts ? "Solve > Solve joints" : "Solve island"));
    CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
    CHECK(contains(story.text(), "; the longest 10.0"));
  }
}

}  // namespace explain_test::two_causes_test
