// SPDX-License-Identifier: MIT
//
// What is said of work that is not where it usually is: of jobs done by another thread, of scopes that call themselves, and
// of work that somebody probably waited for.
#include "explain/story.h"

namespace explain_test::usual_place_test {
namespace {

// Adds a frame in which Main visits a tree, a millisecond for each level. Returns its end.
int64_t visit(Story* story, int64_t at, int64_t depth) {
  for (int64_t level = 0; level < depth; ++level)
    story->work(story->main, at + kMs * level, at + kMs * depth - 1000, "Visit");
  story->work(story->main, at, at + kMs * depth, "Update");
  return at + kMs * depth;
}

// Other does a job in each frame, and in each frame Main waits for it; a flow tells if it has one.
struct Joined : Story {
  explicit Joined(bool has_scope) {
    for (int64_t i = 0; i < kFrames; ++i) add_frame(kFrame * i, 4 * kMs, has_scope);
  }
  void add_frame(int64_t at, int64_t job_ns, bool has_scope) {
    work(other, at + kMs, at + kMs + job_ns, "Cull");
    const int64_t joined = at + kMs + job_ns + 1000;
    if (has_scope)
      wait(main, at + kMs, joined, "Join");
    else
      work(main, at + kMs, joined, "Join");
    work(main, joined, at + job_ns + 6 * kMs, "Draw");
  }
};

}  // namespace

TEST_CASE(
    "usual place: a job that a worker usually does is said to be new only here, also if it has its name at run time") {
  for (const bool is_dynamic : {false, true}) {
    Story story;
    const uint32_t dynamic = story.building.site("(dynamic)"), cull = story.building.string("Cull");
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i;
      const bool is_slow = i == kFrames;
      if (is_slow) story.work(story.main, at + kMs, at + 41 * kMs, "Cull");
      if (is_slow) story.work(story.other, at + kMs, at + 5 * kMs, "Other");
      flamelet_span job = {};
      job.begin_ns = at + kMs;
      job.end_ns = at + 5 * kMs;
      job.site = is_dynamic ? dynamic : story.building.site("Cull");
      job.name = cull;
      job.depth = FLAMELET_DEPTH_UNKNOWN;
      if (!is_slow) flamelet_capture_builder_span(story.building.builder, story.worker, &job);
      story.work(story.main, at, at + (is_slow ? 50 * kMs : kFrame), "Update");
    }
    const flamelet_cause& cause = story.first_cause(50 * kMs);
    CHECK(cause.verdict == FLAMELET_VERDICT_NEW);
    CHECK(story.path(cause) == "Update > Cull");
    CHECK(contains(story.text(), "Main spent 40.0 ms in Cull: new here, usually done by Worker."));
    CHECK(contains(story.explain.json(story.capture, story.why), "\"usual_lane\":\"Worker\""));
  }
}

TEST_CASE("usual place: more calls in a job that one other thread always does say so, and not in one of any thread") {
  for (const bool is_pool : {false, true}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      const int64_t at = kFrame * i, calls = is_last ? 40 : 4, took_ns = calls * kMs / 2;
      const uint32_t lane = is_last ? story.main : is_pool && i % 2 == 0 ? story.worker : story.other;
      story.work(lane, at, at + took_ns, "Build UI");
      for (int64_t call = 0; call < calls; ++call)
        story.work(lane, at + call * kMs / 2, at + (call + 1) * kMs / 2, "Widget");
      if (!is_last) story.wait(story.main, at, at + took_ns, "Wait for UI");
      if (!is_last) story.flow(lane, at + took_ns, story.main, at + took_ns);
      story.work(story.main, at + took_ns, at + took_ns + 7 * kMs, "Draw");
    }
    story.first_cause(27 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "; Build UI is usually done by Other.") == !is_pool);
  }
}

TEST_CASE(
    "usual place: a job that a worker usually does for the main thread is new there if it takes as long as ever") {
  for (const int64_t job_ns : {8 * kMs, 30 * kMs}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i;
      const int64_t joined = at + (i == kFrames ? 6 * kMs + job_ns : 8 * kMs);
      story.work(story.main, at, at + 6 * kMs, "Draw");
      if (i == kFrames) {
        story.work(story.main, at + 6 * kMs, joined, "Particles");
      } else {
        story.work(story.worker, at, joined, "Particles");
        story.wait(story.main, at + 6 * kMs, joined, "Join");
        story.flow(story.worker, joined - 1000, story.main, joined);
      }
      story.work(story.main, joined, joined + 2 * kMs, "Present");
    }
    const flamelet_cause& cause = story.first_cause(8 * kMs + job_ns);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Particles");
    CHECK(contains(story.text(), job_ns == 8 * kMs ? "new here, usually done by Worker."
                                                   : "1 call took 30.0 ms, usually 8.0, by Worker."));
  }
}

TEST_CASE("usual place: what the same thread also did before, in another scope, is not said to be another's") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i;
    const bool is_slow = i == kFrames;
    story.work(story.main, at, at + kMs, "Cull");
    story.work(story.worker, at, at + kMs, "Cull");
    if (is_slow) story.work(story.main, at + 2 * kMs, at + 42 * kMs, "Cull");
    story.work(story.main, at + kMs, at + (is_slow ? 50 * kMs : kFrame), "Update");
  }
  const flamelet_cause& cause = story.first_cause(50 * kMs);
  CHECK(story.path(cause) == "Update > Cull");
  CHECK(cause.usual_lane == UINT32_MAX);
  CHECK(contains(story.text(), "in Cull: new here."));
}

TEST_CASE("usual place: a recursion that goes deeper is said to be one, and its path is short") {
  Story story;
  for (int64_t i = 0; i < kFrames; ++i) visit(&story, kFrame * i, 10);
  visit(&story, kFrame * kFrames, 60);
  const flamelet_cause& cause = story.first_cause(60 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_NEW);
  CHECK(cause.recursion_depth == 60);
  CHECK(cause.usual_recursion_depth == 10);
  CHECK(contains(story.text(), "in Visit: more levels; a recursion 60 deep, usually 10.\n"));
  CHECK(contains(story.text(), "  +50.0 ms  Main: Update > Visit \xC3\x97 11: more levels"));
  CHECK(contains(story.explain.json(story.capture, story.why), "\"recursion_depth\":60,\"usual_recursion_depth\":10"));
}

TEST_CASE("usual place: a recursion as deep as usual is not spoken of") {
  Story story;
  for (int64_t i = 0; i < kFrames; ++i) visit(&story, kFrame * i, 10);
  const int64_t at = kFrame * kFrames;
  story.work(story.main, visit(&story, at, 9) - 500000, at + 50 * kMs, "Visit");
  const flamelet_cause& cause = story.first_cause(50 * kMs);
  CHECK(cause.recursion_depth == 0);
}

TEST_CASE("usual place: of a recursion in a job that others seldom wait for, the outermost call stands for all") {
  Story story;
  const int64_t at = kFrame * kFrames;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t begin = kFrame * i, depth = i == kFrames ? 60 : 3;
    const int64_t done = begin + kMs * (depth - 1) + (i == kFrames ? kMs : 0);
    for (int64_t level = 0; level < depth; ++level)
      story.work(story.other, begin + (i == kFrames ? kMs : kMs / 2) * level, done, "Visit");
    const int64_t waited = i == kFrames ? done + 1000 : begin + 1000;
    story.wait(story.main, begin, waited, "Join");
    if (i == kFrames) story.flow(story.other, done, story.main, done + 500);
    story.work(story.main, waited, i == kFrames ? at + 70 * kMs : begin + kFrame, "Draw");
  }
  const flamelet_cause& cause = story.first_cause(70 * kMs);
  CHECK(story.path(cause) == "Visit");
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(cause.recursion_depth == 60);
  CHECK(cause.usual_recursion_depth == 3);
}

TEST_CASE("usual place: work of every frame that took longer is slower calls, though only probably waited for") {
  for (const bool has_scope : {false, true}) {
    Joined story(has_scope);
    story.add_frame(kFrame * kFrames, 60 * kMs, has_scope);
    if (!has_scope) story.time_of(story.main, 6 * kMs, 0);
    const flamelet_cause& cause = story.first_cause(66 * kMs);
    CHECK(story.path(cause) == "Cull");
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
    CHECK(cause.usual_ns == 4 * kMs);
    // In each frame it was there when the marked wait ended. Of a thread that only slept, nobody knows.
    const std::string waited = has_scope ? "Main waited 60.0 ms for Other" : "Main waited 60.0 ms (probably) for Other";
    CHECK(contains(story.text(), waited + " in Cull: 1 call took 60.0 ms, usually 4.0"));
  }
}

TEST_CASE("usual place: more calls that threads share are counted on all of them") {
  Story story;
  const uint32_t third = story.lane("Third");
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, calls = i == kFrames ? 30 : 1;
    for (const uint32_t who : {story.other, story.worker, third})
      for (int64_t call = 0; call < calls; ++call) story.work(who, at + kMs * call, at + kMs * (call + 1), "Item");
    const int64_t done = at + kMs * calls;
    story.flow(story.other, done, story.main, done + 500);
    story.wait(story.main, at, done + 1000, "Join");
    story.work(story.main, done + 1000, at + (i == kFrames ? 39 * kMs : kFrame), "Draw");
  }
  const flamelet_cause& cause = story.first_cause(39 * kMs);
  CHECK(story.path(cause) == "Item");
  CHECK(cause.verdict == FLAMELET_VERDICT_MORE_CALLS);
  CHECK(contains(story.text(),
                 "Main waited 30.0 ms for Other in Item: 90 calls, usually 3, each about as long as usual."));
}

TEST_CASE("usual place: work of every frame that took as long as usual may have held a lock") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i;
    const bool is_slow = i == kFrames;
    story.wait(story.main, at, at + (is_slow ? 6 * kMs + 1000 : 1000), "Lock");
    story.work(story.other, at + (is_slow ? 0 : kMs), at + (is_slow ? 6 : 7) * kMs, "Write log");
    story.work(story.main, at + (is_slow ? 6 * kMs + 1000 : 1000), at + (is_slow ? 16 * kMs : kFrame), "Draw");
  }
  const flamelet_cause& cause = story.first_cause(16 * kMs);
  CHECK(story.path(cause) == "Write log");
  CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
}

}  // namespace explain_test::usual_place_test
