// SPDX-License-Identifier: MIT
#include <algorithm>

#include "explain/story.h"

namespace explain_test {
namespace {

// Main waits for the step that Other began in the frame before. Usually it does not wait long.
struct Pipelined : Story {
  Pipelined() {
    for (int64_t i = 0; i < kFrames; ++i) {
      const int64_t at = kFrame * i;
      wait(main, at, at + 1000, "Wait for step");
      work(main, at + 1000, at + kFrame, "Draw");
      if (i < kFrames - 1) work(other, at + 2 * kMs, at + 3 * kMs, "Fill");
    }
  }
  // The last frame waits until `done_ns` after its begin.
  const flamelet_cause& wait_until(int64_t done_ns) {
    const int64_t at = kFrame * kFrames;
    wait(main, at, at + done_ns + 1000, "Wait for step");
    flow(other, at + done_ns, main, at + done_ns + 500);
    work(main, at + done_ns + 1000, at + done_ns + kFrame, "Draw");
    return first_cause(done_ns + kFrame);
  }
};

// The last frame is that in which Main may sleep.
struct Slept : Story {
  int64_t end = kFrame * kFrames;  // of the usual frames
  Slept() {
    for (int64_t i = 0; i < kFrames; ++i) work(main, kFrame * i, kFrame * (i + 1), "Draw");
  }
};

}  // namespace

TEST_CASE("causes: calls that grew more in number than in length are more calls, and both are said") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, calls = i == kFrames ? 40 : 2, each_ns = i == kFrames ? 2 * kMs : kMs;
    for (int64_t call = 0; call < calls; ++call)
      story.work(story.main, at + each_ns * call, at + each_ns * (call + 1), "Item");
    story.work(story.main, at, at + (i == kFrames ? 80 * kMs : kFrame), "Update");
  }
  const flamelet_cause& cause = story.first_cause(80 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_MORE_CALLS);
  CHECK(story.path(cause) == "Update > Item");
  CHECK(contains(story.text(), "in Item: 40 calls, usually 2, each 2.0 times as long as usual."));
}

TEST_CASE("causes: where a scope is called more often, one inside it whose calls grew more still is what is named") {
  for (const bool grew_more : {true, false}) {
    CAPTURE(grew_more);
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      const int64_t blocks = !is_last ? 4 : grew_more ? 40 : 160, compiles = is_last ? 40 : 1, long_ns = kMs;
      int64_t at = kFrame * i;
      for (int64_t block = 0; block < blocks; ++block) {
        const int64_t begin = at;
        if (block < compiles) story.work(story.main, at, at + long_ns, "Compile");
        if (block < compiles) at += long_ns;
        story.wait(story.main, at, at + 1000, "code cache");
        at += 1000;
        story.work(story.main, begin, at, "Dispatch");
      }
    }
    const flamelet_cause& cause = story.first_cause(50 * kMs);
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_MORE_CALLS);
    CHECK(story.path(cause) == (grew_more ? "Dispatch > Compile" : "Dispatch"));
    CHECK(contains(story.text(), "Main spent "));  // however short its waits are
  }
}

TEST_CASE("causes: calls that grew more in length than in number are slower calls") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, calls = i == kFrames ? 4 : 2, each_ns = i == kFrames ? 20 * kMs : kMs;
    for (int64_t call = 0; call < calls; ++call)
      story.work(story.main, at + each_ns * call, at + each_ns * (call + 1), "Item");
    story.work(story.main, at, at + (i == kFrames ? 80 * kMs : kFrame), "Update");
  }
  CHECK(story.first_cause(80 * kMs).verdict == FLAMELET_VERDICT_SLOWER_CALLS);
}

TEST_CASE("causes: many calls of what less than half of the frames do are more calls, and a long one is none") {
  for (const bool is_one_long : {false, true}) {
    CAPTURE(is_one_long);
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, calls = i == kFrames ? 40 : i % 3 == 0 ? 1 : 0;
      const int64_t each_ns = i == kFrames && is_one_long ? kMs / 4 : kMs;
      for (int64_t call = 0; call < calls; ++call)
        story.work(story.main, at + each_ns * call, at + each_ns * (call + 1), "Replay tick");
      if (i == kFrames && is_one_long) story.work(story.main, at + 10 * kMs, at + 40 * kMs, "Replay tick");
      story.work(story.main, at, at + (i == kFrames ? 50 * kMs : kFrame), "Update");
    }
    const flamelet_cause& cause = story.first_cause(50 * kMs);
    CHECK(story.path(cause) == "Update > Replay tick");
    CHECK(cause.verdict == (is_one_long ? FLAMELET_VERDICT_SLOWER_CALLS : FLAMELET_VERDICT_MORE_CALLS));
  }
}

TEST_CASE("causes: many small calls of ever new names are more calls inside of their caller") {
  Story story;
  uint32_t name = 0;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, calls = i == kFrames ? 80 : 4;
    for (int64_t call = 0; call < calls; ++call)
      story.work(story.main, at + kMs * call, at + kMs * (call + 1), ("entity " + std::to_string(++name)).c_str());
    story.work(story.main, at, at + kMs * calls, "Scripts");
    story.work(story.main, at, at + (i == kFrames ? 81 * kMs : kFrame), "Update");
  }
  const flamelet_cause& cause = story.first_cause(81 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_MORE_CALLS);
  CHECK(story.path(cause) == "Update > Scripts");
  CHECK(cause.time_ns == 80 * kMs);
  CHECK(contains(story.text(), "in Scripts: 80 calls inside, usually 4, each about as long as usual."));
  CHECK(contains(story.explain.json(story.capture, story.why), "\"inside\":true"));
}

TEST_CASE("causes: many calls that are all a little slower are slower calls inside of their caller") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, each_ns = i == kFrames ? kMs : kMs / 10;
    for (int64_t call = 0; call < 80; ++call)
      story.work(story.main, at + each_ns * call, at + each_ns * (call + 1), ("part " + std::to_string(call)).c_str());
    story.work(story.main, at, at + each_ns * 80, "Scripts");
  }
  const flamelet_cause& cause = story.first_cause(80 * kMs + 2 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(story.path(cause) == "Scripts");
  CHECK(contains(story.text(), "in Scripts: 80 calls inside took 80.0 ms, usually 8.0"));
}

TEST_CASE("causes: a job is the same whether a worker does it or the thread that waits for it") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, took_ns = i == kFrames ? 50 * kMs : 4 * kMs;
    const int64_t end_ns = at + (i == kFrames ? 55 * kMs : kFrame);
    const uint32_t who = i == kFrames ? story.main : story.worker;
    story.work(who, at + kMs, at + kMs + took_ns - 1000, "Steer");
    story.work(who, at + kMs, at + kMs + took_ns, "Job");
    story.wait(story.main, at + kMs - 1000, at + kMs + took_ns + 1000, "Join");
    story.work(story.main, at, end_ns, "Update");
    if (who == story.worker) story.flow(story.worker, at + kMs + took_ns, story.main, at + kMs + took_ns + 500);
  }
  const flamelet_cause& cause = story.first_cause(55 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(story.path(cause) == "Job > Steer");
  CHECK(cause.lane == story.why.main_lane);
  CHECK(cause.seen_frames == kFrames);
}

TEST_CASE("causes: new work that began in the frame before is not carried over, as in a pipeline all work does") {
  Pipelined story;
  story.is_long_before = true;
  const int64_t at = kFrame * kFrames;
  story.work(story.other, at - 18 * kMs, at + 50 * kMs, "Load");
  const flamelet_cause& cause = story.wait_until(50 * kMs);
  CHECK(story.path(cause) == "Load");
  CHECK(cause.verdict == FLAMELET_VERDICT_NEW);
}

TEST_CASE("causes: new work that began before the frame before did is carried over") {
  Pipelined story;
  const int64_t at = kFrame * kFrames;
  story.work(story.other, at - 12 * kMs, at + 50 * kMs, "Load");
  const flamelet_cause& cause = story.wait_until(50 * kMs);
  CHECK(story.path(cause) == "Load");
  CHECK(cause.verdict == FLAMELET_VERDICT_CARRIED_OVER);
}

TEST_CASE("causes: a burst of calls that began in the frame before does not make many calls usual") {
  Pipelined story;
  const int64_t at = kFrame * kFrames;
  for (int64_t call = -8; call < 50; ++call) story.work(story.other, at + call * kMs, at + (call + 1) * kMs, "Fill");
  const flamelet_cause& cause = story.wait_until(50 * kMs);
  CHECK(story.path(cause) == "Fill");
  CHECK(cause.verdict == FLAMELET_VERDICT_MORE_CALLS);
  CHECK(cause.usual_calls == 1);
}

TEST_CASE("causes: one long call that began in the frame before does not make long calls usual") {
  Pipelined story;
  const int64_t at = kFrame * kFrames;
  story.work(story.other, at - 8 * kMs, at + 50 * kMs, "Fill");
  const flamelet_cause& cause = story.wait_until(50 * kMs);
  CHECK(story.path(cause) == "Fill");
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(cause.usual_ns == kMs);
}

TEST_CASE("causes: a job of which more was waited for than usual has not more calls, if it made as many as ever") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, each_ns = i == kFrames ? 5 * kMs : kMs, done_ns = at + 8 * each_ns;
    for (int64_t item = 0; item < 8; ++item)
      story.work(story.other, at + each_ns * item, at + each_ns * (item + 1), "Item");
    story.work(story.main, at, at + 7 * kMs, "Draw");
    story.wait(story.main, at + 7 * kMs, done_ns, "Wait for items");
    story.flow(story.other, done_ns, story.main, done_ns);
    story.work(story.main, done_ns, done_ns + 2 * kMs, "Present");
  }
  const flamelet_cause& cause = story.first_cause(42 * kMs);
  CHECK(story.path(cause) == "Item");
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(cause.usual_calls == 8);
  CHECK(cause.usual_ns == 7 * kMs);
}

TEST_CASE("causes: places in code of one name and category are one scope, on threads and not on a GPU queue") {
  for (const char* category : {"", "render"}) {
    Story story;
    const auto site = [&](const char* of, uint32_t line) {
      return flamelet_capture_builder_site(story.building.builder, story.building.string("Draw"),
                                           story.building.string(of), story.building.string("draw.cpp"), 0, line, 0);
    };
    const uint32_t first = site("", 10), second = site(category, 20), of_queue = site("", 30);
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at_ns = kFrame * i;
      story.building.span(queue, at_ns + kMs, at_ns + 9 * kMs, of_queue);
      story.building.span(story.main, at_ns, at_ns + (i == kFrames ? 40 * kMs : kFrame), i == kFrames ? second : first);
    }
    const flamelet_cause& cause = story.first_cause(40 * kMs);
    const bool is_same = category[0] == 0;
    CHECK(cause.verdict == (is_same ? FLAMELET_VERDICT_SLOWER_CALLS : FLAMELET_VERDICT_NEW));
    CHECK(cause.usual_ns == (is_same ? 10 * kMs : 0));
    CHECK(contains(story.text(), "new") != is_same);
  }
}

TEST_CASE("causes: a wait for the next tick stands behind what made the frame late for one") {
  for (const bool has_processor : {true, false}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at_ns = kFrame * i, frame_ns = i == kFrames ? 2 * kFrame : kFrame;
      const int64_t work_ns = i == kFrames ? 12 * kMs : 9 * kMs;
      story.work(story.main, at_ns, at_ns + work_ns, "Draw");
      story.wait(story.main, at_ns + work_ns, at_ns + frame_ns, "Vsync");
      story.time_of(story.main, work_ns, i != kFrames || has_processor ? 0 : 7 * kMs, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(2 * kFrame);
    if (!has_processor) {
      CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
      continue;
    }
    CHECK(story.path(cause) == "Draw");
    CHECK(cause.surplus_ns == 3 * kMs);
    REQUIRE(story.why.cause_count == 2);
    CHECK((story.why.causes[1].flags & FLAMELET_CAUSE_NEXT_TICK) != 0);
    CHECK(story.why.causes[1].surplus_ns == 7 * kMs);
    CHECK(
        contains(story.text(),
                 "usually 9.0. Then it waited 7.0 ms more in Vsync, because it came too late for a tick of 10.0 ms."));
  }
}

TEST_CASE("causes: a frame that came too late for a tick waited for the next one, though it had lost its processor") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const bool is_last = i == kFrames;
    const int64_t at_ns = kFrame * i, work_ns = (is_last ? 14 : 9) * kMs;
    story.work(story.main, at_ns, at_ns + work_ns, "Draw");
    story.wait(story.main, at_ns + work_ns, at_ns + (is_last ? 2 : 1) * kFrame, "Vsync");
    story.time_of(story.main, 9 * kMs, is_last ? 5 * kMs : 0, static_cast<uint64_t>(i) + 1);
  }
  const flamelet_cause& cause = story.first_cause(2 * kFrame);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Draw");
  CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(contains(story.text(), "Vsync: for the next tick of 10.0 ms, because it came too late for one"));
}

TEST_CASE("causes: a wait that a clock ends is not for whose work ended then by chance") {
  for (const bool is_by_clock : {true, false}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      // Without a clock, it ends at another time of each frame.
      const int64_t at_ns = kFrame * i, early_ns = is_by_clock || is_last ? 0 : i % 5 * 400000;
      const int64_t end_ns = at_ns + (is_last ? 2 : 1) * kFrame, tick_ns = end_ns - early_ns;
      const int64_t drawn_ns = at_ns + (is_last ? 11 : 7) * kMs;
      story.work(story.main, at_ns, drawn_ns, "Draw");
      story.wait(story.main, drawn_ns, tick_ns, "Tick");
      const int64_t read_ns = is_last ? tick_ns : at_ns + 3 * kMs + i % 7 * 800000;
      story.work(story.worker, read_ns - 2500000, read_ns, "Read");
    }
    story.first_cause(2 * kFrame);
    CAPTURE(story.text());
    CHECK((story.cause_of("Read") == nullptr) == is_by_clock);
    CHECK(contains(story.text(), "it waited 6.0 ms more in Tick, because it came too late") == is_by_clock);
  }
}

TEST_CASE("causes: a tick that was left out is said, and not what was waited for a little beside it") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const bool is_last = i == kFrames;
    const int64_t at_ns = kFrame * i, frame_ns = is_last ? 2 * kFrame : kFrame, asked_ns = is_last ? 1500000 : 500000;
    story.work(story.main, at_ns, at_ns + 4 * kMs, "Draw");
    story.wait(story.main, at_ns + 4 * kMs, at_ns + 4 * kMs + asked_ns, "Lock queue");
    story.wait(story.main, at_ns + 4 * kMs + asked_ns, at_ns + frame_ns, "Vsync");
  }
  const flamelet_cause& cause = story.first_cause(2 * kFrame);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Vsync");
  CHECK((cause.flags & FLAMELET_CAUSE_NEXT_TICK) != 0);
  CHECK(contains(story.text(), "in Vsync: for the next tick of 10.0 ms, probably for something that is not recorded"));
  CHECK(story.cause_of("Lock queue") != nullptr);
}

TEST_CASE("causes: a limiter that overslept by a tick did not come too late for one") {
  Story story;
  constexpr int64_t kTook = 2 * kFrame - 300000;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at_ns = kFrame * i;
    story.work(story.main, at_ns, at_ns + 4 * kMs, "Draw");
    story.wait(story.main, at_ns + 4 * kMs, at_ns + (i == kFrames ? kTook : kFrame), "Limit frame rate");
    story.time_of(story.main, 4 * kMs, i == kFrames ? kMs : 0, static_cast<uint64_t>(i) + 1);
  }
  const flamelet_cause& cause = story.first_cause(kTook);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Limit frame rate");
  CHECK((cause.flags & FLAMELET_CAUSE_NEXT_TICK) == 0);
}

TEST_CASE(
    "causes: a wait that is longer by more than a tick, or of frames that keep no time, is no wait for the next one") {
  for (const bool keeps_time : {true, false}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at_ns = kFrame * i, frame_ns = i == kFrames ? (keeps_time ? 3 * kFrame : 17 * kMs) : kFrame;
      story.work(story.main, at_ns, at_ns + 9 * kMs, "Draw");
      story.wait(story.main, at_ns + 9 * kMs, at_ns + frame_ns, "Vsync");
    }
    const flamelet_cause& cause = story.first_cause(keeps_time ? 3 * kFrame : 17 * kMs);
    CHECK(story.path(cause) == "Vsync");
    CHECK((cause.flags & FLAMELET_CAUSE_NEXT_TICK) == 0);
  }
}

TEST_CASE("causes: of a thread that slept in a scope it is said for how long at least") {
  Slept story;
  story.work(story.main, story.end, story.end + 80 * kMs, "Draw");
  story.time_of(story.main, 12 * kMs, 3 * kMs);
  const flamelet_cause& cause = story.first_cause(80 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(cause.asleep_ns == 65 * kMs);
  CHECK(contains(story.text(),
                 "1 call took 80.0 ms, usually 10.0; it slept 65.0 ms of that, probably for something that is not "
                 "recorded, or the whole program "
                 "was stopped."));
  CHECK(contains(story.explain.json(story.capture, story.why), "\"probably\":true,\"for_unknown\":true"));
}

TEST_CASE(
    "causes: of a wait for nobody who is known, and of a scope that slept longer, it is said that a fact is missing") {
  struct Row {
    const char* what;
    bool is_wait, is_usual, is_missing;
  };
  const Row rows[] = {{"a marked wait", true, false, true},
                      {"a scope that is usually short", false, true, true},
                      {"new work, which may sleep as a part of it", false, false, false}};
  for (const Row& row : rows) {
    CAPTURE(row.what);
    Story story;
    const int64_t at = kFrame * kFrames, end = at + 40 * kMs;
    for (int64_t i = 0; i < kFrames; ++i) {
      story.work(story.main, kFrame * i, kFrame * i + 9 * kMs, "Draw");
      if (row.is_usual) story.work(story.main, kFrame * i + 9 * kMs, kFrame * i + 9 * kMs + 1000, "Ask");
      story.time_of(story.main, 9 * kMs, 0, static_cast<uint64_t>(i) + 1);
    }
    story.work(story.main, at, at + 9 * kMs, "Draw");
    row.is_wait ? story.wait(story.main, at + 9 * kMs, end, "Ask") : story.work(story.main, at + 9 * kMs, end, "Ask");
    story.time_of(story.main, 9 * kMs, 0);
    const flamelet_cause& cause = story.first_cause(40 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Ask");
    CHECK(((cause.flags & FLAMELET_CAUSE_FOR_UNKNOWN) != 0) == row.is_missing);
    CHECK(contains(story.text(), ", probably for something that is not recorded") == row.is_missing);
  }
}

TEST_CASE("causes: a thread that ran as long as usual probably slept in the scope that took longer") {
  for (const bool slept : {true, false}) {
    Story story;
    constexpr int64_t kLonger = 23 * kMs / 2;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at_ns = kFrame * i, longer_ns = i == kFrames ? kLonger : 0;
      story.work(story.main, at_ns, at_ns + kMs / 2 + longer_ns, "Run handler");
      story.work(story.main, at_ns + kMs / 2 + longer_ns, at_ns + 8 * kMs + longer_ns, "Draw");
      story.work(story.main, at_ns + 8 * kMs + longer_ns, at_ns + kFrame + longer_ns, "Limit");  // it sleeps there
      story.time_of(story.main, 8 * kMs + (slept ? 0 : longer_ns), 0, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(kFrame + kLonger);
    CHECK(story.path(cause) == "Run handler");
    CHECK(cause.probably_asleep_ns == (slept ? kLonger : 0));
    CHECK(contains(story.text(), "1 call took 12.0 ms, usually 0.5; it probably slept 11.5 ms of that.") == slept);
  }
}

TEST_CASE("causes: where a limiter makes half of the frames alike, one that is as long as the others is usual") {
  for (const int64_t last_us : {11500, 25000}) {
    Story story;
    int64_t at_ns = 0;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t took_ns = i == kFrames ? last_us * 1000 : kFrame + (i % 9 < 5 ? 0 : (i % 9 - 4) * kMs / 3);
      story.work(story.main, at_ns, at_ns + took_ns, "Draw");
      flamelet_capture_builder_frame(story.building.builder, static_cast<uint64_t>(i) + 1, at_ns, at_ns + took_ns, 0);
      at_ns += took_ns;
    }
    story.capture = story.building.finish();
    story.why = story.explain.frame(story.capture, kFrames);
    CHECK(((story.why.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0) == (last_us == 25000));
    CHECK(story.why.spread_ns == 0);
  }
}

TEST_CASE("causes: a thread that ran all the time slept for nobody, whatever others did meanwhile") {
  Slept story;
  story.work(story.main, story.end, story.end + 80 * kMs, "Draw");
  story.work(story.other, story.end + kMs, story.end + 79 * kMs, "Decode");
  story.time_of(story.main, 75 * kMs, 5 * kMs);
  const flamelet_cause& cause = story.first_cause(80 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(cause.asleep_ns == 0);
  CHECK(story.path(cause) == "Draw");
}

TEST_CASE("causes: a thread that slept while another worked waited for that one, though no scope says so") {
  Slept story;
  story.work(story.main, story.end, story.end + 80 * kMs, "Draw");
  story.work(story.other, story.end + kMs, story.end + 72 * kMs, "Decode");
  story.work(story.worker, story.end + kMs, story.end + 60 * kMs, "Bystander");  // ended long before
  story.time_of(story.main, 10 * kMs, 0);
  const flamelet_cause& cause = story.first_cause(80 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
  CHECK(story.path(cause) == "Decode");
  CHECK(cause.time_ns == 71 * kMs);
  CHECK(contains(story.text(),
                 "Main waited 71.0 ms (probably) for Other in Decode: a lock, or new work, never in those frames."));
  CHECK(contains(story.text(), "; probably waited for in Draw"));
}

TEST_CASE("causes: a thread that slept while the GPU worked longer than usual is GPU-bound, though no scope waits") {
  Slept story;
  const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, took_ns = i == kFrames ? 70 * kMs : 2 * kMs;
    story.work(queue, at + kMs, at + kMs + took_ns, "Shadows");
    story.work(queue, at + kMs, at + kMs + took_ns + kMs, "GPU frame");
  }
  story.work(story.main, story.end, story.end + 80 * kMs, "Draw");
  story.time_of(story.main, 10 * kMs, 0);
  const flamelet_cause& cause = story.first_cause(80 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_GPU_BOUND);
  CHECK(story.path(cause) == "GPU frame > Shadows");
  CHECK(cause.usual_ns == 2 * kMs);
}

TEST_CASE("causes: a thread that slept while another worked as usual did not wait for that one") {
  Slept story;
  for (int64_t i = 0; i < kFrames; ++i) story.work(story.other, kFrame * i + 1, kFrame * (i + 1), "Stream");
  story.work(story.main, story.end, story.end + 15 * kMs, "Draw");
  story.work(story.other, story.end + kMs, story.end + 11 * kMs, "Stream");
  story.time_of(story.main, 5 * kMs, 0);
  const flamelet_cause& cause = story.first_cause(15 * kMs);
  CHECK(story.path(cause) == "Draw");
  CHECK(cause.asleep_ns == 10 * kMs);
}

TEST_CASE("causes: a thread that had no processor between two scopes is followed beyond that") {
  for (const bool was_late : {false, true}) {
    Pipelined story;
    const int64_t at = kFrame * kFrames;
    for (int64_t call = -1; call < 47; ++call) {
      const int64_t begin_ns = at + call * kMs + (call < 25 ? 0 : 3 * kMs);  // a gap before the 26th
      story.work(story.other, begin_ns, begin_ns + kMs, "Fill");
    }
    flamelet_thread_time time = {};
    time.known = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
    time.ran_ns = 47 * kMs;
    time.ready_ns = was_late ? 4 * kMs : 0;
    CHECK(flamelet_capture_builder_thread_time(story.building.builder, kFrames + 1, story.other, &time));
    const flamelet_cause& cause = story.wait_until(50 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Fill");
    CHECK(cause.calls == 47);
  }
}

TEST_CASE(
    "causes: own time of a scope that has others is in no scope, though this frame waited for none of the others") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, took_ns = i == kFrames ? 80 * kMs : kFrame;
    if (i < kFrames) story.work(story.main, at + kMs, at + 9 * kMs, "Physics");
    story.work(story.main, at, at + took_ns, "Simulate");
  }
  const flamelet_cause& cause = story.first_cause(80 * kMs);
  CHECK(story.path(cause) == "Simulate");
  CHECK(cause.verdict == FLAMELET_VERDICT_UNINSTRUMENTED);
  CHECK(contains(story.text(), "Simulate: its own time, usually "));
  CHECK_FALSE(contains(story.text(), "no scope says what"));
}

TEST_CASE("causes: the same holds where others seldom wait for it") {
  Pipelined story;
  const int64_t at = kFrame * kFrames;
  story.work(story.other, at + kMs, at + 2 * kMs, "Copy");
  story.work(story.other, at - kMs, at + 50 * kMs, "Fill");
  const flamelet_cause& cause = story.wait_until(50 * kMs);
  CHECK(story.path(cause) == "Fill");
  CHECK(cause.verdict == FLAMELET_VERDICT_UNINSTRUMENTED);
}

TEST_CASE("causes: that the machine took nearly all of the time does not hide what the program did") {
  Slept story;
  for (int64_t i = 0; i < kFrames; ++i) {
    flamelet_thread_time time = {};
    time.known = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
    time.ran_ns = kFrame;
    flamelet_capture_builder_thread_time(story.building.builder, static_cast<uint64_t>(i + 1), story.main, &time);
  }
  story.work(story.main, story.end, story.end + 1000 * kMs, "Load");
  story.time_of(story.main, 80 * kMs, 920 * kMs);
  const flamelet_cause& cause = story.first_cause(1000 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
  REQUIRE(story.why.cause_count == 2);
  CHECK(story.why.causes[1].verdict == FLAMELET_VERDICT_NEW);
  CHECK(story.path(story.why.causes[1]) == "Load");
}

TEST_CASE("causes: who held up a thread is found even if its processor, asleep for long, was slow to wake") {
  for (const int64_t late_us : {300, 1300}) {
    Slept story;
    story.wait(story.main, story.end, story.end + 300 * kMs, "Lock");
    story.work(story.other, story.end - kMs, story.end + 300 * kMs - late_us * 1000, "Survey");
    const flamelet_cause& cause = story.first_cause(300 * kMs);
    CHECK(story.path(cause) == (late_us == 300 ? "Survey" : "Lock"));
  }
}

TEST_CASE("causes: who held up a thread is found though it went on with other work at once") {
  for (const bool is_short : {false, true}) {
    Slept story;
    const int64_t waited = story.end + 70 * kMs;
    story.wait(story.main, story.end, waited, "Lock");
    story.work(story.main, waited, waited + 10 * kMs, "Draw");
    if (!is_short) story.work(story.other, story.end + kMs, waited - 10000, "Survey");
    // A busy thread ends short work all the time, so that tells nothing.
    for (int64_t at = story.end + 69 * kMs; is_short && at < waited - 10000; at += kMs / 5)
      story.work(story.other, at, std::min(at + kMs / 5, waited - 10000), "Particle");
    story.work(story.other, waited - 10000, waited + kMs, "Next");
    const flamelet_cause& cause = story.first_cause(80 * kMs);
    CHECK(story.path(cause) == (is_short ? "Lock" : "Survey"));
  }
}

TEST_CASE("causes: a GPU queue that held up a thread is found though it went on with the next frame at once") {
  Slept story;
  const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, shadows_ns = i == kFrames ? 65 * kMs : kMs;
    story.work(queue, at, at + shadows_ns, "Shadows");
    story.work(queue, at + shadows_ns, at + shadows_ns + 4 * kMs, "Bloom");
  }
  const int64_t done = story.end + 69 * kMs;
  story.work(queue, done, done + kMs, "Shadows");  // of the next frame
  story.work(story.main, story.end, story.end + kMs, "Draw");
  story.wait(story.main, story.end + kMs, done + 20000, "Present");
  const flamelet_cause& cause = story.first_cause(70 * kMs);
  CHECK(story.path(cause) == "Shadows");
  CHECK(cause.verdict == FLAMELET_VERDICT_GPU_BOUND);
  CHECK(contains(story.text(), "for GPU in Shadows: the GPU took longer: 65.0 ms, usually 1.0."));
}

TEST_CASE("causes: a GPU queue that was done somewhat before a thread went on held it up") {
  Slept story;
  const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
  for (int64_t i = 0; i < kFrames; ++i)
    for (int64_t pass = 0; pass < 2; ++pass)
      story.work(queue, kFrame * i + pass * kMs, kFrame * i + (pass + 1) * kMs, "Shadows");
  const int64_t done = story.end + 69 * kMs;
  story.work(queue, story.end, story.end + 60 * kMs, "Probes");
  for (int64_t at = story.end + 60 * kMs; at < done; at += kMs) story.work(queue, at, at + kMs, "Shadows");
  story.wait(story.other, story.end, done + 300000, "Wait for fence");
  story.work(story.other, done + 300000, done + 900000, "Record");
  story.wait(story.main, story.end, done + kMs, "Wait for Render");
  story.flow(story.other, done + 890000, story.main, done + kMs);
  const flamelet_cause& cause = story.first_cause(70 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Probes");
  CHECK(contains(story.text(), "in Probes: the GPU took 60.0 ms, never in those frames"));
  CHECK(contains(story.text(), "Shadows: the GPU took longer, usually 2.0 ms; 9 of these, usually 2"));
}

TEST_CASE("causes: who held up a thread is found even if it was late because it had no processor") {
  for (const bool was_late : {false, true}) {
    Slept story;
    story.wait(story.main, story.end, story.end + 70 * kMs, "Lock");
    story.work(story.main, story.end + 70 * kMs, story.end + 80 * kMs, "Draw");
    story.work(story.other, story.end - kMs, story.end + 62 * kMs, "Survey");
    if (was_late) story.time_of(story.main, 10 * kMs, 8 * kMs);
    const flamelet_cause& cause = story.first_cause(80 * kMs);
    CHECK(story.path(cause) == (was_late ? "Survey" : "Lock"));
  }
}

TEST_CASE("causes: a call that is steady is named, though the scope around it always scatters by more") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    // The rest of the job takes 0 to 6 ms.
    const int64_t at = kFrame * i, rest = (i * 7 % 13) * kMs / 2, path = i == kFrames ? 9 * kMs : 100000;
    const int64_t end = i == kFrames ? at + 1 * kMs + path : at + kMs + rest + path;
    story.work(story.main, at, end, "Update");
    story.work(story.main, end - path, end, "Find path");
    story.work(story.main, end, at + (i == kFrames ? 16 * kMs : kFrame), "Draw");
  }
  const flamelet_cause& cause = story.first_cause(16 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Update > Find path");
}

TEST_CASE("causes: a scope of which each part scatters is named as a whole, if that explains half of the frame") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, end = at + kFrame * (i == kFrames ? 2 : 1);
    const int64_t each = i == kFrames ? 4600000 : 400000 + i * 7 % 13 * 230000;
    int64_t part = at;
    for (const char* const name : {"Cars", "Track", "Sky"})
      story.work(story.main, part, part + each, name), part += each;
    story.work(story.main, at, part, "Draw");
    story.wait(story.main, part, end, "Present");
  }
  const flamelet_cause& cause = story.first_cause(2 * kFrame);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Draw");
  CHECK(contains(story.text(), "Main spent 13.8 ms in Draw: 1 call took 13.8 ms, usually 5.3"));
}

TEST_CASE("causes: work that grows from frame to frame is named, though its time has scattered as much before") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    // The display hides it for as long as it is below 8 ms.
    const int64_t at = kFrame * i, took = i == kFrames ? 12 * kMs : i * 8 * kMs / kFrames;
    story.work(story.main, at, at + took, "Update particles");
    if (took < 8 * kMs) story.wait(story.main, at + took, at + kFrame - kMs, "Vsync");
    story.work(story.main, at + std::max(took, kFrame - kMs), at + std::max(took, kFrame - kMs) + kMs, "Draw");
  }
  const flamelet_cause& cause = story.first_cause(13 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Update particles");
  CHECK(contains(story.text(), "1 call took 12.0 ms, usually 0.4. Update particles has grown from 0.4 ms to 6.8"));
}

TEST_CASE("causes: a scope that is seldom open around usual work is no cause of what that does in each frame") {
  for (const bool waits : {true, false}) {
    for (const int64_t own : {0, 6}) {
      Story story;
      for (int64_t i = 0; i <= kFrames; ++i) {
        const int64_t at = kFrame * i, drawn = i == kFrames ? 12 * kMs : 5 * kMs, own_ns = i == kFrames ? own * kMs : 0;
        if (i == kFrames || i % 4 == 0) story.work(story.main, at, at + drawn + own_ns + 4 * kMs, "Load level");
        story.work(story.main, at, at + drawn, "Draw");
        if (waits)
          story.wait(story.main, at + drawn + own_ns, at + drawn + own_ns + 4 * kMs, "Present");
        else
          story.work(story.main, at + drawn + own_ns, at + drawn + own_ns + 4 * kMs, "Submit");
      }
      story.first_cause(16 * kMs + own * kMs);
      CAPTURE(story.text());
      REQUIRE(story.why.cause_count == (own == 0 ? 1 : 2));
      CHECK(story.path(story.why.causes[0]) == "Load level > Draw");
      CHECK(story.why.causes[0].surplus_ns == 7 * kMs);
      CHECK(story.why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
      if (own != 0) CHECK(story.path(story.why.causes[1]) == "Load level");
      if (own != 0) CHECK(story.why.causes[1].surplus_ns == 6 * kMs);
    }
  }
}

TEST_CASE("causes: what a frame took longer that is no longer than frames are now and then is named, too") {
  Story story;
  int64_t at = 0;
  uint64_t index = 0;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t draw = (8 + i % 5) * kMs, own = i == kFrames ? 5 * kMs : kMs / 100;
    story.work(story.main, at, at + draw + own, "Frame");
    story.work(story.main, at, at + draw, "Draw");
    flamelet_capture_builder_frame(story.building.builder, ++index, at, at + draw + own, 0);
    at += draw + own;
  }
  story.capture = story.building.finish();
  story.why = story.explain.frame(story.capture, index - 1);
  CAPTURE(story.text());
  CHECK((story.why.flags & FLAMELET_EXPLAIN_UNUSUAL) == 0);
  REQUIRE(story.why.cause_count != 0);
  CHECK(story.why.causes[0].verdict == FLAMELET_VERDICT_UNINSTRUMENTED);
  CHECK(story.path(story.why.causes[0]) == "Frame");
}

TEST_CASE("causes: new work behind a wait that scatters is named, if the wait is longer than all before") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const bool is_last = i == kFrames;
    const int64_t at = kFrame * i, usual = (1 + i * 7 % 5) * kMs, took = is_last ? 7 * kMs : usual;
    story.work(story.worker, at + kMs, at + kMs + usual, "Solve");
    if (is_last) story.work(story.worker, at + kMs + usual, at + kMs + took, "Grow buffers");
    story.wait(story.main, at + kMs, at + kMs + took + 1000, "Join");
    story.work(story.main, at + kMs + took + 1000, at + (is_last ? 13 * kMs : kFrame), "Draw");
  }
  story.first_cause(13 * kMs);
  CAPTURE(story.text());
  CHECK(story.cause_of("Grow buffers") != nullptr);
}

}  // namespace explain_test
