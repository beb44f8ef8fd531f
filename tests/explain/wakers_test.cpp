// SPDX-License-Identifier: MIT
//
// For whom a lane waited where no flow says it: who always lets that wait end, who came last to a barrier, who was spun for,
// and which GPU began late.
#include "explain/story.h"

namespace explain_test::wakers_test {
namespace {

// Each frame Main works for 2 ms and waits for Other, which renders and then waits for the display: that lets Main go on.
struct Paced : Story {
  explicit Paced(bool is_each = true) {
    for (int64_t i = 0; i < kFrames; ++i) frame(i, 3 * kMs, 0, kFrame, is_each || i % 8 == 0);
  }
  void frame(int64_t i, int64_t render_ns, int64_t compile_ns, int64_t took_ns, bool waits) {
    const int64_t at = kFrame * i, rendered = at + 2 * kMs + render_ns + compile_ns;
    work(main, at, at + 2 * kMs, "Simulate");
    wait(main, at + 2 * kMs, waits ? at + took_ns : at + 2 * kMs + 1000, "Wait for render");
    work(other, at + 2 * kMs, rendered, "Render");
    if (compile_ns != 0) work(other, rendered - compile_ns, rendered, "Create pipeline");
    wait(other, rendered, at + took_ns - 10000, "Present");
  }
};

}  // namespace

TEST_CASE("wakers: a lane whose wait always lets a wait end is the one that is waited for") {
  Paced story;
  story.frame(kFrames, 3 * kMs, 30 * kMs, 40 * kMs, true);
  const flamelet_cause& cause = story.first_cause(40 * kMs);
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_NEW);
  CHECK(story.path(cause) == "Render > Create pipeline");
  CHECK((cause.flags & FLAMELET_PIECE_PROBABLY) == 0);
  CHECK((cause.flags & FLAMELET_PIECE_USUALLY) != 0);
  CHECK(contains(story.text(), "Main waited 30.0 ms for Other in Create pipeline: new, never in those frames."));
}

TEST_CASE("wakers: of a wait that is seldom long nobody is usual") {
  Paced story(false);
  story.frame(kFrames, 3 * kMs, 30 * kMs, 40 * kMs, true);
  const flamelet_cause& cause = story.first_cause(40 * kMs);
  CAPTURE(story.text());
  CHECK((cause.flags & FLAMELET_PIECE_USUALLY) == 0);
}

TEST_CASE("wakers: what often ends anyway lets no wait end") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, took_ns = i == kFrames ? 50 * kMs : kFrame;
    story.work(story.main, at, at + 2 * kMs, "Simulate");
    story.wait(story.main, at + 2 * kMs, at + took_ns, "Wait for render");
    for (int64_t call = 0; call < took_ns / 100000; ++call)
      story.work(story.other, at + call * 100000, at + (call + 1) * 100000, "Mix");
  }
  const flamelet_cause& cause = story.first_cause(50 * kMs);
  CAPTURE(story.text());
  CHECK((cause.flags & FLAMELET_PIECE_USUALLY) == 0);
}

TEST_CASE("wakers: the one that comes last to a barrier is waited for, though it worked in no scope") {
  for (const int64_t late_ns : {int64_t{0}, 25 * kMs}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, longer_ns = i == kFrames ? 25 * kMs : 0, done = at + 3 * kMs + longer_ns;
      story.work(story.main, at, at + 2 * kMs, "Move");
      story.wait(story.main, at + 2 * kMs, done, "barrier");
      story.work(story.main, done, at + kFrame + longer_ns, "Draw");
      story.work(story.worker, at, at + 2 * kMs, "Move");
      story.wait(story.worker, at + 2 * kMs, done + 5000, "barrier");
      // Its own processor is taken once it is there.
      story.work(story.other, at, at + 2 * kMs, "Move");
      if (i == kFrames && late_ns == 0) continue;
      story.wait(story.other, at + 2 * kMs + (i == kFrames ? late_ns + kMs - 20000 : 0), done + 2 * kMs, "barrier");
    }
    const flamelet_cause& cause = story.first_cause(kFrame + 25 * kMs);
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_UNINSTRUMENTED) == (late_ns != 0));
    CHECK(contains(story.text(), "(probably) for Other in no scope") == (late_ns != 0));
  }
}

TEST_CASE("wakers: a thread that spun until work of another one ended is not to blame, unless it had no processor") {
  enum Case { kRan, kRanAndRare, kRanAndNew, kNewWithParts, kSharedProcessor, kLostProcessor };
  for (const Case now : {kRan, kRanAndRare, kRanAndNew, kNewWithParts, kSharedProcessor, kLostProcessor}) {
    CAPTURE(now);
    const bool ran = now != kLostProcessor && now != kNewWithParts, is_new = now == kRanAndNew || now == kNewWithParts;
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, longer_ns = i == kFrames ? 40 * kMs : 0;
      const bool takes = i == kFrames || (!is_new && (now != kRanAndRare || i == kFrames / 2));
      if (takes) story.work(story.main, at, at + kMs / 20 + longer_ns, "Take result");
      story.work(story.main, at + kMs / 20 + longer_ns, at + kFrame + longer_ns, "Draw");
      for (int64_t part = 0; i == kFrames && now == kNewWithParts && part < 4; ++part)
        story.work(story.main, at + part * 10 * kMs, at + (part + 1) * 10 * kMs, "Part");
      if (i == kFrames) story.work(story.other, at, at + longer_ns, "Rebuild tree");
      const int64_t lost_ns = now == kLostProcessor ? longer_ns : now == kSharedProcessor ? longer_ns * 9 / 10 : 0;
      story.time_of(story.main, kFrame + longer_ns - lost_ns, lost_ns, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(kFrame + 40 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (ran ? "Rebuild tree" : now == kNewWithParts ? "Take result > Part" : "Take result"));
    CHECK((cause.verdict == FLAMELET_VERDICT_PREEMPTED) == (now == kLostProcessor));
  }
}

TEST_CASE("wakers: work that ran for long did not spin for the thread that waits for it") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, took_ns = i == kFrames ? 40 * kMs : kMs;
    story.work(story.main, at, at + kMs / 2, "Draw");
    story.work(story.other, at, at + took_ns, "Copy to GPU");
    story.work(story.main, at + kMs / 2, at + took_ns - 1000, "Upload");
    story.wait(story.main, at + kMs / 2 + 1000, at + took_ns - 2000, "Wait for a slot");
    story.flow(story.other, at + took_ns - 3000, story.main, at + took_ns - 2500);
    story.work(story.main, at + took_ns - 1000, at + took_ns + 9 * kMs, "Draw");
    story.time_of(story.main, 9 * kMs, 0, static_cast<uint64_t>(i) + 1);
    story.time_of(story.other, took_ns, 0, static_cast<uint64_t>(i) + 1);
  }
  const flamelet_cause& cause = story.first_cause(49 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Copy to GPU");
}

TEST_CASE("wakers: a GPU queue that begins late what it was given was another program's, or the driver's") {
  for (const bool is_given : {true, false}) {
    Story story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, late_ns = i == kFrames ? 30 * kMs : 0;
      const int64_t given_ns = i == kFrames && !is_given ? late_ns : kMs;
      story.building.span(story.main, at, at + given_ns, story.building.site("Submit"),
                          static_cast<flamelet_id>(i) + 1);
      story.building.span(queue, at + given_ns + (is_given ? late_ns : 0),
                          at + given_ns + (is_given ? late_ns : 0) + 4 * kMs, story.building.site("Shadows"),
                          static_cast<flamelet_id>(i) + 1);
      story.wait(story.main, at + given_ns, at + kFrame + late_ns, "Present");
    }
    const flamelet_cause& cause = story.first_cause(kFrame + 30 * kMs);
    CAPTURE(story.text());
    CHECK(((cause.flags & FLAMELET_CAUSE_BEGAN_LATE) != 0) == is_given);
    if (!is_given) continue;
    CHECK(cause.verdict == FLAMELET_VERDICT_GPU_BOUND);
    CHECK(contains(story.text(), "for GPU in Shadows: the GPU began it so late, though it had been handed over"));
  }
}

TEST_CASE(
    "wakers: who waits for something outside of the program does not wait for a queue that was done long before") {
  for (const int64_t done_ns : {200000, 1500000}) {
    Story story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, came = at + (i == kFrames ? 30 * kMs : kMs);
      story.wait(story.other, at - 4 * kMs, came, "poll");
      story.work(story.other, came + 1000, came + kMs, "Decode");
      story.flow(story.other, came + kMs, story.main, came + kMs + 5000);
      story.wait(story.main, at, came + kMs + 5000, "Wait for turn");
      story.work(story.main, came + kMs + 5000, came + 9 * kMs, "Draw");
      for (int64_t end = came - done_ns; end > at - kFrame / 2; end -= kMs)
        story.work(queue, end - kMs, end, "UI pass");
      story.time_of(story.other, kMs, 2 * kMs, static_cast<uint64_t>(i) + 1);
    }
    story.first_cause(39 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "Main waited 30.0 ms for Other in poll: a lock or a wait") == (done_ns > kMs));
  }
}

TEST_CASE("wakers: a GPU queue that works on its lane does not rest on the one beside it") {
  for (const char* const beside : {"GPU, 2", "copies"}) {
    Story story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU), other = story.lane(beside, FLAMELET_LANE_GPU);
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, given_ns = at + kMs, late_ns = i == kFrames ? 30 * kMs : 0;
      const auto id = static_cast<flamelet_id>(i) + 1;
      story.building.span(story.main, at, given_ns, story.building.site("Submit"), id);
      for (int64_t tile_ns = given_ns; tile_ns <= given_ns + late_ns; tile_ns += kMs)
        story.building.span(queue, tile_ns, tile_ns + kMs, story.building.site("Tile"), id);
      story.building.span(other, given_ns + late_ns + kMs / 2, given_ns + late_ns + 4 * kMs,
                          story.building.site("Shadows"), id);
      story.wait(story.main, given_ns, at + kFrame + late_ns, "Present");
    }
    const flamelet_cause& cause = story.first_cause(kFrame + 30 * kMs);
    CAPTURE(story.text());
    CHECK(((cause.flags & FLAMELET_CAUSE_BEGAN_LATE) != 0) == (std::string(beside) == "copies"));
  }
}

TEST_CASE("wakers: of many calls of one kind, one after the other, all of them were slept for") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, longer_ns = i == kFrames ? 40 * kMs : 0;
    story.work(story.main, at, at + kFrame + longer_ns, "Sessions");
    for (int64_t call = 0; call < longer_ns / kMs / 10; ++call)
      story.work(story.other, at + kMs + call * 11 * kMs, at + kMs + call * 11 * kMs + 11 * kMs - 10000, "Log in");
  }
  story.time_of(story.main, 7 * kMs, 0);
  const flamelet_cause& cause = story.first_cause(kFrame + 40 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Log in");
  CHECK(cause.calls == 4);
}

// Main waits for a frame of Other. That waits for Worker first, in a marked wait or not, and then works for a while.
int64_t play(Story* story, int64_t at, int64_t save_ns, int64_t late_ns, bool is_marked, bool goes_on) {
  const int64_t saved = at + 2 * kMs + save_ns, done = saved + 2 * kMs;
  const int64_t took_ns = kFrame + (save_ns > kMs ? save_ns : 0);
  story->work(story->main, at, at + kMs, "Update");
  story->wait(story->main, at + kMs, done + late_ns, "Wait for frame");
  story->work(story->main, done + late_ns, at + took_ns, "Draw");
  story->work(story->worker, at + 2 * kMs, saved, "Save");
  if (goes_on) story->work(story->worker, saved, done, "Index");
  story->work(story->other, at + kMs, at + 2 * kMs, "Emulate");
  is_marked ? story->wait(story->other, at + 2 * kMs, saved + 10000, "Read state")
            : story->work(story->other, at + 2 * kMs, saved + 10000, "Read state");
  story->work(story->other, saved + 20000, done + kMs, "Emulate");
  return took_ns;
}

TEST_CASE("wakers: who waited for the source, and worked from then on until a wait ended, was waited for in between") {
  for (const bool is_marked : {true, false})
    for (const bool is_late : {true, false})
      for (const bool goes_on : {false, true}) {
        if (goes_on && !is_marked) continue;  // who waits for whom?
        Story story;
        for (int64_t i = 0; i < kFrames; ++i)
          play(&story, kFrame * i, i % 3 == 0 ? 20000 : 10000, 0, is_marked, goes_on);
        const int64_t took = play(&story, kFrame * kFrames, 20 * kMs, is_late ? kMs : 0, is_marked, goes_on);
        // It may have had no processor for as long as the source had ended.
        story.time_of(story.main, 10 * kMs, 4 * kMs);
        const flamelet_cause& cause = story.first_cause(took);
        CAPTURE(is_marked);
        CAPTURE(is_late);
        CAPTURE(goes_on);
        CAPTURE(story.text());
        CHECK(story.path(cause) == "Save");
        CHECK(contains(story.text(), "for Other in Read state, which waited for Worker in Save") == !goes_on);
      }
}

TEST_CASE("wakers: who was waited for, and had spun for another one, leads to that one") {
  for (const bool spins : {true, false}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, read_ns = i == kFrames ? 20 * kMs : 10000, read = at + 2 * kMs + read_ns;
      const int64_t until = i == kFrames ? read + kMs / 2 : at + kMs + 1000;
      story.work(story.main, at, at + kMs, "Update");
      story.wait(story.main, at + kMs, until, "Wait for frame");
      story.work(story.main, until, at + kFrame + (i == kFrames ? 20 * kMs : 0), "Draw");
      if (i % 4 == 0) story.work(story.other, at + 2 * kMs, read, "Read back");
      story.work(story.other, read, read + kMs / 2, "Emit");
      story.work(story.worker, at + 2 * kMs, spins ? read - 10000 : at + 2 * kMs + 9000, "Copy");
    }
    const flamelet_cause& cause = story.first_cause(kFrame + 20 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (spins ? "Copy" : "Read back"));
    CHECK(contains(story.text(), "for Other in Read back, which waited for Worker in Copy") == spins);
  }
}

TEST_CASE("wakers: who lets a wait end in the midst of a scope may end it a moment later, and is known by that") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const bool is_last = i == kFrames;
    const int64_t at = kFrame * i, done = at + 4 * kMs + (is_last ? 20 * kMs : 0);
    story.work(story.main, at, at + kMs, "Update");
    story.wait(story.main, at + kMs, done, "Wait for present");
    story.work(story.main, done, at + kFrame + (is_last ? 20 * kMs : 0), "Draw");
    story.work(story.other, at + kMs, done + 7000, "Composite");
    if (is_last) story.work(story.other, at + 2 * kMs, at + 22 * kMs, "Compile shader");
    story.work(story.other, done - kMs, done - 27000, i % 2 == 0 ? "Submit" : "Flip");
  }
  const flamelet_cause& cause = story.first_cause(kFrame + 20 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Composite > Compile shader");
  CHECK(cause.verdict == FLAMELET_VERDICT_NEW);
  CHECK(contains(story.text(), "Main waited 20.0 ms for Other in Compile shader: new"));
}

// Main waits for a tile, by Other or Disk in turn, which waits for an image of Worker in it. All of them end at once, or Worker
// goes on for a while: then it slept, as Disk did.
TEST_CASE("wakers: of two that had as much of a wait, the one that waited itself is the nearer one") {
  for (const bool sleeps : {false, true}) {
    Story story;
    const uint32_t disk = story.lane("Disk");
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      const int64_t at = kFrame * i, late_ns = is_last ? 20 * kMs : 0, done = at + 3 * kMs + late_ns;
      const int64_t image = done - (sleeps ? 300000 : 12000);
      story.work(story.main, at, at + kMs, "Update");
      story.wait(story.main, at + kMs, done, "Wait for tiles");
      story.work(story.main, done, at + kFrame + late_ns, "Draw");
      story.work(i % 2 == 0 ? story.other : disk, at + kMs + 100000, done - 10000, "Tile");
      story.work(story.worker, at + kMs, is_last ? done - (sleeps ? 5000 : 14000) : at + kMs + 300000, "Decode");
      if (is_last) story.wait(story.other, at + kMs + 110000, image, "Wait for image");
      if (is_last && sleeps) story.work(disk, at + kMs - 100000, image - 10000, "Fetch");
      for (const uint32_t lane : {story.worker, disk})
        if (sleeps) story.time_of(lane, 200000, 0, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(kFrame + 20 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (sleeps ? "Fetch" : "Decode"));
    CHECK(contains(story.text(), sleeps ? "for Other in Wait for image, which waited for Disk in Fetch:"
                                        : "for Other in Wait for image, which waited for Worker in Decode:"));
  }
}

TEST_CASE("wakers: who waited for another one, let a thread go and does something else since is named in between") {
  Story story;
  const int64_t at = kFrame * kFrames, end = at + 30 * kMs, us = kMs / 1000;
  for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
  story.wait(story.main, at, end, "Wait for engine");
  story.work(story.main, end, end + 10 * kMs, "Draw");
  story.work(story.worker, at, end - 400 * us, "Mix");
  story.wait(story.worker, at + 100 * us, end - 450 * us, "Wait for graph");
  story.work(story.worker, end - 400 * us, end + kMs, "Mix");
  story.work(story.worker, end - 390 * us, end - 310 * us, "Pull disk");
  story.wait(story.worker, end - 300 * us, end + kMs, "Wait for graph");
  story.work(story.other, at, end - 500 * us, "Reverb");
  story.time_of(story.main, 10 * kMs, kMs);
  story.first_cause(40 * kMs);
  CAPTURE(story.text());
  CHECK(contains(story.text(), "(probably) for Worker in Wait for graph, which waited for Other in Reverb"));
}

TEST_CASE("wakers: who was given work a little later let nobody go before it had ended some of it") {
  for (const bool has_ended : {false, true}) {
    Story story;
    const int64_t at = kFrame * kFrames, end = at + 30 * kMs, us = kMs / 1000;
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    story.wait(story.main, at, end, "Wait for engine");
    story.work(story.main, end, end + 10 * kMs, "Draw");
    story.work(story.worker, at, end - 500 * us, "Rebuild graph");
    story.work(story.worker, end - 500 * us, end + kMs, "Mix");
    story.wait(story.worker, end - 400 * us, end + kMs, "Wait for graph");
    story.wait(story.other, at + kMs, end - 200 * us, "Wait for request");
    story.work(story.other, end - 200 * us, has_ended ? end - 10 * us : end + kMs, "Read stream");
    story.time_of(story.main, 10 * kMs, kMs);
    story.time_of(story.other, kMs, kMs);
    story.first_cause(40 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), has_ended ? "for Other in Wait for request, which waited for Worker in Rebuild graph"
                                           : "(probably) for Worker in Rebuild graph"));
  }
}

}  // namespace explain_test::wakers_test
