// SPDX-License-Identifier: MIT
//
// What is said of a frame from the frames around it: periods, growth, work that was missing before, and who else was late.
#include "explain/story.h"

namespace explain_test {
namespace {

// Frames of Main alone, as long as they are told.
struct TimedFrames : Story {
  void add(int64_t ns, int64_t before_ns = 0) {
    work(main, now, now + ns / 2, "Physics");
    work(main, now, now + ns, "Update");
    flamelet_capture_builder_frame(building.builder, ++frames, now - before_ns, now + ns, 0);
    now += ns;
  }
  void explain_last() {
    capture = building.finish();
    why = explain.frame(capture, static_cast<size_t>(frames - 1));
  }
  int64_t now = 0;
  uint64_t frames = 0;
};

}  // namespace

TEST_CASE("frame times: a frame that is long as each so many frames one is says so") {
  for (const bool is_regular : {true, false}) {
    TimedFrames story;
    for (int i = 1; i <= 240; ++i) {
      const bool is_long = is_regular ? i % 60 == 0 : i == 240 || i == 180 || i == 100 || i == 30;
      story.add((is_long ? 30 : 10) * kMs);
    }
    story.explain_last();
    CHECK(story.why.period_frames == (is_regular ? 60 : 0));
    CHECK(contains(story.text(), "Every 60 frames one is like that.") == is_regular);
  }
}

TEST_CASE(
    "frame times: where a usual job is longer in frames close together, three at one distance may be chance, and five "
    "are a period") {
  for (const int repeats : {3, 5}) {
    TimedFrames story;
    for (int i = 1; i <= 240; ++i) story.add(((240 - i) % 14 == 0 && 240 - i <= repeats * 14 ? 30 : 10) * kMs);
    story.explain_last();
    CHECK(story.why.period_frames == (repeats == 5 ? 14 : 0));
  }
}

TEST_CASE("frame times: where most frames are long, some are at equal distances") {
  for (const bool are_most : {true, false}) {
    TimedFrames story;
    for (int i = 1; i <= 240; ++i) {
      const int before = 240 - i;
      story.add((before <= 20 && (are_most ? before % 4 != 2 : before % 4 == 0) ? 30 : 10) * kMs);
    }
    story.explain_last();
    CHECK(story.why.period_frames == (are_most ? 0 : 4));
  }
}

TEST_CASE("frame times: frames that are long at equal distances for different causes have no period") {
  for (const bool is_same : {true, false}) {
    TimedFrames story;
    for (int i = 1; i <= 240; ++i) {
      const bool is_long = i % 60 == 0;
      constexpr const char* kNames[] = {"Load level", "Save", "Send", "Collect garbage"};
      if (is_long) story.work(story.main, story.now, story.now + 20 * kMs, kNames[is_same ? 0 : i / 60 - 1]);
      story.now += is_long ? 20 * kMs : 0;
      story.add(10 * kMs, is_long ? 20 * kMs : 0);
    }
    story.explain_last();
    CHECK(story.why.period_frames == (is_same ? 60 : 0));
  }
}

// Each ninth frame is long for a cause of its own; in two of three of them, that is in no scope.
TEST_CASE(
    "frame times: work that is in no other frame needs three repeats, whatever else makes frames long meanwhile") {
  for (const bool is_save : {true, false}) {
    TimedFrames story;
    for (int i = 1; i <= 240; ++i) {
      const int back = 240 - i;
      const bool is_longer = back % 9 == 0 && back % 16 != 0 && back < 60;
      const bool saves = is_save && (back == 0 || back == 16 || back == 33 || back == 49);
      const int64_t more_ns = is_longer || saves || back == 0 ? 12 * kMs : 0;
      story.work(story.main, story.now, story.now + 10 * kMs, "Update");
      if (saves) story.work(story.main, story.now + 10 * kMs, story.now + 10 * kMs + more_ns, "Save");
      if (is_longer && back % 27 == 9) story.work(story.main, story.now + 10 * kMs, story.now + 20 * kMs, "Load");
      story.now += 10 * kMs + more_ns;
      flamelet_capture_builder_frame(story.building.builder, ++story.frames, story.now - 10 * kMs - more_ns, story.now,
                                     0);
    }
    story.explain_last();
    CAPTURE(story.text());
    CHECK(story.path(story.why.causes[0]) == (is_save ? "Save" : "no scope"));
    CHECK(story.why.period_frames == (is_save ? 16 : 0));
  }
}

TEST_CASE(
    "frame times: a scope that is in each so many frames says so, however long the others are, if it is in no other") {
  for (const bool is_regular : {true, false}) {
    TimedFrames story;
    for (int i = 1; i <= 240; ++i) {
      const bool saves = i % 45 == 15 || (!is_regular && i == 100);
      if (saves) story.work(story.main, story.now, story.now + 9 * kMs, "Save");
      story.now += saves ? 9 * kMs : 0;
      story.add((6 + i * 7 % 11) * kMs, saves ? 9 * kMs : 0);
    }
    story.explain_last();
    CAPTURE(story.text());
    CHECK(contains(story.text(), " Save runs every 45 frames.") == is_regular);
    CHECK((story.why.period_path != FLAMELET_NO_PATH) == is_regular);
  }
}

TEST_CASE(
    "frame times: frames are alike in that a thread lost its processor, or in that a scope took longer by itself") {
  for (const bool is_lost : {true, false}) {
    for (const bool is_same : {true, false}) {
      TimedFrames story;
      for (int i = 1; i <= 240; ++i) {
        const int64_t longer_ns = i % 60 == 0 ? 20 * kMs : 0,
                      lost_ns = is_lost && (is_same || i == 240) ? longer_ns : 0;
        // Physics is in Update.
        const int64_t inner_ns = i == 240 || is_same ? 0 : longer_ns - lost_ns;
        story.work(story.main, story.now, story.now + 5 * kMs + inner_ns, "Physics");
        story.work(story.main, story.now, story.now + 10 * kMs + longer_ns, "Update");
        story.time_of(story.main, 10 * kMs + longer_ns - lost_ns, lost_ns, static_cast<uint64_t>(i));
        story.now += 10 * kMs + longer_ns;
        flamelet_capture_builder_frame(story.building.builder, ++story.frames, story.now - 10 * kMs - longer_ns,
                                       story.now, 0);
      }
      story.explain_last();
      CAPTURE(story.text());
      CHECK((story.why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED) == is_lost);
      CHECK(story.why.period_frames == (is_same ? 60 : 0));
    }
  }
}

TEST_CASE("frame times: a frame half as long again as most says why, though a few others are as long") {
  for (const int64_t last_ms : {22, 12}) {
    TimedFrames story;
    for (int i = 1; i <= 240; ++i) story.add(i == 240 ? last_ms * kMs : (i % 19 == 0 ? 30 : 4 + i % 13) * kMs);
    story.explain_last();
    CAPTURE(story.text());
    CHECK((story.why.flags & FLAMELET_EXPLAIN_UNUSUAL) == 0);
    CHECK(contains(story.text(), " is usual (239 frames, "));
    CHECK(contains(story.text(), "). Main spent 11.0 ms in ") == (last_ms == 22));
  }
}

TEST_CASE("frame times: a scope that has grown for a few dozen frames says so") {
  for (const bool grows : {true, false}) {
    TimedFrames story;
    for (int i = 1; i <= 240; ++i)
      story.add(10 * kMs + i % 7 * 1000 + (grows && i > 170 ? (i - 170) * kMs / 10 : i == 240 ? 7 * kMs : 0));
    story.explain_last();
    CAPTURE(story.text());
    CHECK((story.why.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0);
    CHECK(contains(story.text(), "Frames have grown from ") == grows);
    CHECK(contains(story.text(), ", most of all in Update") == grows);
    if (!grows) continue;
    CHECK(story.why.growth_since > 160);
    CHECK(story.why.growth_since < 185);
  }
}

TEST_CASE("frame times: a scope that grows says so though its times scatter, and though frames have a limit") {
  for (const bool has_limit : {false, true}) {
    TimedFrames story;
    size_t last = 0;
    for (int i = 0; i < 400; ++i) {
      const int64_t grown = i < 100 ? 0 : std::min(i - 100, 100) * kMs / 10;
      const int64_t took = (kMs + grown) * (75 + i * 37 % 51) / 100 + (i == 200 ? 10 * kMs : 0);
      const int64_t length = std::max(took, has_limit ? 16 * kMs : 0);
      story.work(story.main, story.now, story.now + took, "Update");
      if (length > took) story.wait(story.main, story.now + took, story.now + length, "Limit frame rate");
      flamelet_capture_builder_frame(story.building.builder, ++story.frames, story.now, story.now + length, 0);
      story.now += length;
      if (i == 200) last = story.frames - 1;
    }
    story.explain_last();
    story.why = story.explain.frame(story.capture, last);  // those before it are read later
    CAPTURE(story.text());
    CHECK((story.why.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0);
    CHECK(((story.why.flags & FLAMELET_EXPLAIN_SCOPE_GREW) != 0) == has_limit);
    CHECK(contains(story.text(), has_limit ? " Update has grown from 0.9" : " Frames have grown from 1."));
    CHECK(story.why.growth_since > 80);
    CHECK(story.why.growth_since < 120);
  }
}

TEST_CASE("frame times: work that grows says so in a frame that is long for another reason, in spite of some held up") {
  for (const bool grows : {true, false}) {
    TimedFrames story;
    for (int i = 1; i <= 300; ++i) {
      const int64_t held = i % 48 < 16 ? 8 * kMs : 0, grown = grows && i > 100 ? (i - 100) * kMs / 40 : 0;
      story.work(story.main, story.now, story.now + kMs / 2 + grown + held, "Animate");
      const int64_t begin = story.now, draw = begin + kMs / 2 + grown + held;
      story.now = draw + (i == 300 ? 60 : 10) * kMs;
      story.work(story.main, draw, story.now, "Draw");
      const int64_t limit = std::max(story.now, begin + 30 * kMs);
      if (limit != story.now) story.wait(story.main, story.now, limit, "Limit frame rate");
      story.now = limit;
      flamelet_capture_builder_frame(story.building.builder, ++story.frames, begin, story.now, 0);
    }
    story.explain_last();
    CAPTURE(story.text());
    CHECK(contains(story.text(), "Main spent 60.0 ms in Draw"));
    CHECK(contains(story.text(), " has grown from ") == grows);
    CHECK(contains(story.text(), " Animate has grown from 0.") == grows);
  }
}

TEST_CASE("frame times: work of another thread that has grown did not take as long as usual") {
  for (const bool grows : {true, false}) {
    TimedFrames story;
    for (int i = 0; i <= 150; ++i) {
      const int64_t took = i == 150 ? 10 * kMs : grows ? std::max(i - 60, 3) * kMs / 10 : 10 * kMs;
      // It began late, or has grown.
      const int64_t began = story.now + (grows || i == 150 ? 0 : -4 * kMs), ended = began + took;
      const int64_t waited = std::max(ended, story.now + 6 * kMs);
      story.work(story.worker, began, ended, "Fog");
      story.flow(story.worker, ended, story.main, waited);
      story.work(story.main, story.now, story.now + 6 * kMs, "Draw");
      story.wait(story.main, story.now + 6 * kMs, waited + 1000, "Wait for fog");
      const int64_t end = waited + 3 * kMs + i % 5 * kMs;  // they scatter
      story.work(story.main, waited + 1000, end, "Present");
      flamelet_capture_builder_frame(story.building.builder, ++story.frames, story.now, end, 0);
      story.now = end;
    }
    story.explain_last();
    CAPTURE(story.text());
    CHECK(story.cause_of("Fog") != nullptr);
    CHECK(contains(story.text(), "it took as long as usual") == !grows);
    CHECK(contains(story.text(), "has grown from 0.5 ms to 8.5 since frame 63") == grows);
  }
}

TEST_CASE("frame times: frames that became longer once have not grown") {
  TimedFrames story;
  for (int i = 0; i < 90; ++i) story.add(i < 12 ? 10 * kMs + i % 7 * 1000 : 14 * kMs + i % 7 * 1000);
  story.explain_last();
  CHECK(story.why.growth_to_ns == 0);
  CHECK(!contains(story.text(), "have grown"));
}

TEST_CASE("frame times: frames that grow say since when, and in what, though the newest one is usual") {
  for (const bool grows : {true, false}) {
    TimedFrames story;
    for (int i = 0; i < 300; ++i) story.add(10 * kMs + (grows && i > 150 ? (i - 150) * kMs / 20 : i % 7 * 1000));
    story.explain_last();
    CAPTURE(story.text());
    CHECK((story.why.growth_to_ns != 0) == grows);
    CHECK(contains(story.text(), "Frames have grown from 10.0 ms to 16.") == grows);
    if (!grows) continue;
    CHECK(story.why.growth_since > 130);
    CHECK(story.why.growth_since < 190);
    CHECK(contains(story.explain.json(story.capture, story.why), "\"growth_path\":[\"Update"));
  }
}

TEST_CASE("frame times: of work that was done at once it is said how many frames before had none of it") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, calls = i == kFrames ? 40 : i >= kFrames - 4 ? 0 : 8;
    for (int64_t call = 0; call < calls; ++call)
      story.work(story.main, at + call * kMs / 2, at + (call + 1) * kMs / 2, "Handle event");
    story.work(story.main, at + calls * kMs / 2, at + (i == kFrames ? 26 : 10) * kMs, "Draw");
  }
  const flamelet_cause& cause = story.first_cause(26 * kMs);
  CHECK(story.path(cause) == "Handle event");
  CHECK(cause.verdict == FLAMELET_VERDICT_MORE_CALLS);
  CHECK(cause.idle_frames == 4);
  CHECK(contains(story.text(), "40 calls, usually 8, and none in the 4 frames before, each about as long as usual"));
}

TEST_CASE("frame times: a thread of a pipeline that was nearly as late is named") {
  for (const int64_t render_ms : {18, 8}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, longer = i == kFrames ? 10 * kMs : 0;
      story.work(story.main, at, at + 8 * kMs + longer, "Simulate");
      story.work(story.worker, at + kMs, at + kMs + (i == kFrames ? render_ms : 8) * kMs, "Render frame");
      story.wait(story.main, at + 8 * kMs + longer, at + kFrame + longer, "Present");
    }
    const flamelet_cause& cause = story.first_cause(20 * kMs);
    CHECK(story.path(cause) == "Simulate");
    CHECK(story.why.late_count == (render_ms == 18 ? 1 : 0));
    CHECK(contains(story.text(), "\n  Worker was nearly as late: 18.0 ms in Render frame") == (render_ms == 18));
  }
}

TEST_CASE("frame times: a thread whose job took longer beside the first cause is named, unless it had no processor") {
  for (const bool had_no_processor : {false, true}) {
    Story story;
    const uint32_t sound = story.lane("Sound");
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, longer = i == kFrames ? 20 * kMs : 0;
      for (int64_t call = 0; call < 2 * kMs + longer; call += 2 * kMs)  // nothing stood still
        story.work(sound, at + call + kMs, at + call + kMs + 100000, "Mix");
      story.work(story.worker, at, at + 2 * kMs + longer, "Pose");
      story.work(story.other, at, at + kMs + longer, "Walk");
      story.wait(story.main, at, at + 2 * kMs + longer + 1000, "Wait for pose");
      story.work(story.main, at + 2 * kMs + longer + 1000, at + kFrame + longer, "Draw");
      story.time_of(story.other, kMs, had_no_processor ? longer : 0, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(30 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Pose");
    CHECK(story.why.late_count == (had_no_processor ? 0 : 1));
    CHECK(contains(story.text(), "\n  Other took longer meanwhile: 21.0 ms in Walk, usually 1.0") == !had_no_processor);
    CHECK(contains(story.explain.json(story.capture, story.why), "\"usual_ns\":1000000,\"lane\":\"Other\"") ==
          !had_no_processor);
  }
}

TEST_CASE("frame times: a job that does nothing but wait in it is no time in no scope") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, longer = i == kFrames ? 20 * kMs : 0;
    story.wait(story.main, at + 5 * kMs + longer, at + 6 * kMs + longer, "Join");
    story.work(story.main, at, at + kFrame + longer, "Step");
  }
  const flamelet_cause& cause = story.first_cause(30 * kMs);
  CHECK(story.path(cause) == "Step");
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
}

}  // namespace explain_test
