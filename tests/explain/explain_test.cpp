// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "explain/explaining.h"
#include "explain/simulated_game.h"
#include "flamelet/capture_file.h"
#include "flamelet/flamelet.h"
#include "flamelet/flight.h"
#include "support/building.h"
#include "support/captured_recording.h"

namespace explain_test::explain_test {
namespace {

using recorder_test::now_ns;

bool begins_with(const std::string& text, const std::string& part) {
  return text.compare(0, part.size(), part) == 0;
}

constexpr uint64_t kMs = 1000000;

void scope(const char* name, uint64_t ms, uint64_t unit = kMs) {
  const flamelet_id id = flamelet_begin(name, "", nullptr);
  now_ns += ms * unit;
  flamelet_end(id);
}
void frame(uint64_t physics_ms, uint64_t unit = kMs) {
  const flamelet_id update = flamelet_begin("Update", "", nullptr);
  scope("Physics", physics_ms, unit);
  scope("Sound", 2, unit);
  flamelet_end(update);
  flamelet_frame();
}

size_t last_of(const flamelet_capture* capture) {
  return flamelet_capture_frame_count(capture) - 1;
}

}  // namespace

TEST_CASE("explain: a slow frame of a live capture is explained in one sentence and lines") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  for (int i = 0; i < 100; ++i) frame(i % 2 == 0 ? 8 : 9);
  frame(30);
  flamelet_capture* const capture = recording.capture();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, last_of(capture));
  CHECK(why.flags == FLAMELET_EXPLAIN_UNUSUAL);
  CHECK(why.baseline_frames == 100);
  CHECK(why.usual_ns == 10 * int64_t{kMs});
  CHECK(why.surplus_ns == 22 * int64_t{kMs});
  REQUIRE(why.cause_count == 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(explain.path(capture, why.causes[0].path) == "Update > Physics");
  CHECK(why.causes[0].time_ns == 30 * int64_t{kMs});
  CHECK(why.causes[0].span_end_ns - why.causes[0].span_begin_ns == 30 * int64_t{kMs});
  CHECK(why.unexplained_ns == 0);
  CHECK(
      explain.text(capture, why) ==
      "Frame 101 took 32.0 ms, 22.0 more than usual (100 frames, 10.0 \xC2\xB1 0.0). Main spent 30.0 ms in Physics: 1 "
      "call took 30.0 ms, usually 8.0.\n"
      "  +22.0 ms  Main: Update > Physics: 1 call took 30.0 ms, usually 8.0");
}

TEST_CASE("explain: of short frames milliseconds have more digits") {
  const auto said = [](uint64_t unit) {
    recorder_test::CapturedRecording recording;
    flamelet_frame();
    for (int i = 0; i < 100; ++i) frame(8, unit);
    frame(30, unit);
    const Explaining explain;
    return explain.text(recording.capture(), explain.frame(recording.capture(), last_of(recording.capture())));
  };
  CHECK(said(kMs / 50) ==
        "Frame 101 took 0.640 ms, 0.440 more than usual (100 frames, 0.200 \xC2\xB1 0.000). Main spent 0.600 ms in "
        "Physics: 1 call took 0.600 ms, usually 0.160.\n"
        "  +0.440 ms  Main: Update > Physics: 1 call took 0.600 ms, usually 0.160");
  CHECK(begins_with(said(kMs / 8), "Frame 101 took 4.00 ms, 2.75 more than usual (100 frames, 1.25 \xC2\xB1 0.00)."));
}

TEST_CASE("explain: where each scope took longer by the same factor, everything was slower") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  for (uint64_t i = 0; i <= 60; ++i) {
    for (char name[] = "a"; name[0] <= 'z'; ++name[0]) scope(name, i == 60 ? 2 : 1);
    flamelet_frame();
  }
  flamelet_capture* const capture = recording.capture();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, last_of(capture));
  REQUIRE(why.cause_count == 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWED);
  CHECK(explain.text(capture, why) ==
        "Frame 61 took 52.0 ms, 26.0 more than usual (60 frames, 26.0 \xC2\xB1 0.0). Everything took 2.0 times as long "
        "as "
        "usual, 52.0 ms for 26.0: the processors or the memory were slower.\n"
        "  +26.0 ms  everything took 2.0 times as long as usual, 52.0 ms for 26.0: the processors or the memory were "
        "slower");
}

TEST_CASE("explain: of few scopes, the factors have to agree more") {
  for (const bool agree : {true, false}) {
    recorder_test::CapturedRecording recording;
    flamelet_frame();
    for (uint64_t i = 0; i <= 60; ++i) {
      for (const char* const name : {"Move", "Think", "Draw"}) scope(name, i == 60 ? 30 : 10);
      scope("Mix", i != 60 ? 10 : agree ? 31 : 35);
      flamelet_frame();
    }
    flamelet_capture* const capture = recording.capture();
    const Explaining explain;
    const flamelet_explanation why = explain.frame(capture, last_of(capture));
    CAPTURE(explain.text(capture, why));
    REQUIRE(why.cause_count != 0);
    CHECK((why.causes[0].verdict == FLAMELET_VERDICT_SLOWED) == agree);
  }
}

TEST_CASE("explain: what took longer beyond that factor is a cause of its own, and what is usual is said without it") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  for (uint64_t i = 0; i <= 60; ++i) {
    for (char name[] = "a"; name[0] <= 'z'; ++name[0]) scope(name, i != 60 ? 1 : name[0] == 'k' ? 40 : 2);
    flamelet_frame();
  }
  flamelet_capture* const capture = recording.capture();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, last_of(capture));
  CAPTURE(explain.text(capture, why));
  REQUIRE(why.cause_count == 2);
  CHECK(explain.path(capture, why.causes[0].path) == "k");
  CHECK(why.causes[0].usual_ns == 1000000);
  CHECK(why.causes[1].verdict == FLAMELET_VERDICT_SLOWED);
  CHECK(contains(explain.text(capture, why), "1 call took 40.0 ms, usually 1.0"));
}

TEST_CASE("explain: where the thread that marks the frames records nothing else, no other one is blamed") {
  for (const bool is_silent : {true, false}) {
    recorder_test::CapturedRecording recording;
    if (!is_silent) scope("Start", 1);
    std::atomic<int> asked{0}, done{0};
    std::thread worker([&] {
      for (int i = 1; i <= 60; ++i) {
        while (asked != i) std::this_thread::yield();
        scope("Decode", i == 60 ? 30 : 10);
        done = i;
      }
    });
    for (int i = 1; i <= 60; ++i) {
      flamelet_frame();
      asked = i;
      while (done != i) std::this_thread::yield();
    }
    flamelet_frame();
    worker.join();
    flamelet_capture* const capture = recording.capture();
    const Explaining explain;
    const flamelet_explanation why = explain.frame(capture, last_of(capture));
    CAPTURE(explain.text(capture, why));
    CHECK(((why.flags & FLAMELET_EXPLAIN_SILENT_MARKER) != 0) == is_silent);
    CHECK(contains(explain.text(capture, why), "The thread that marked this frame has recorded nothing else") ==
          is_silent);
    CHECK((why.cause_count == 0) == is_silent);
  }
}

TEST_CASE("explain: of a call that was waited for only in part it is said how long all of it took") {
  recorder_test::Building building;
  const auto lane = [&](const char* name) {
    return flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_THREAD, 0, building.string(name), false);
  };
  const uint32_t main = lane("Main"), worker = lane("Worker");
  uint64_t flow = 0;
  int64_t at_ns = 0;
  for (uint64_t i = 1; i <= 61; ++i) {
    const auto baked_ns = static_cast<int64_t>((i == 61 ? 40 : 10) * kMs);
    building.span(worker, at_ns, at_ns + baked_ns, building.site("Bake"));
    building.span(main, at_ns, at_ns + 8 * int64_t{kMs}, building.site("Update"));
    building.span(main, at_ns + 8 * int64_t{kMs}, at_ns + baked_ns, building.site("Wait", FLAMELET_WAIT_CATEGORY));
    flamelet_capture_builder_flow(building.builder, worker, at_ns + baked_ns, ++flow, false);
    flamelet_capture_builder_flow(building.builder, main, at_ns + baked_ns, flow, true);
    flamelet_capture_builder_frame(building.builder, i, at_ns, at_ns + baked_ns, 0);
    at_ns += baked_ns;
  }
  flamelet_capture* const capture = building.finish();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, last_of(capture));
  CHECK(contains(explain.text(capture, why),
                 "for Worker in Bake: 1 call took 40.0 ms; 32.0 of it were waited for, usually 2.0."));
}

TEST_CASE("explain: of what is new in a usual scope the outermost is named, and what has its time") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  for (int i = 0; i < 60; ++i) frame(8);
  const flamelet_id update = flamelet_begin("Update", "", nullptr);
  const flamelet_id level = flamelet_begin("Load level", "", flamelet_intern("town"));
  scope("Read file", 25);
  flamelet_end(level);
  scope("Physics", 8);
  scope("Sound", 2);
  flamelet_end(update);
  flamelet_frame();
  flamelet_capture* const capture = recording.capture();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, last_of(capture));
  REQUIRE(why.cause_count == 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_NEW);
  CHECK(explain.path(capture, why.causes[0].path) == "Update > Load level");
  CHECK(
      contains(explain.text(capture, why),
               "Main spent 25.0 ms in Load level {town}: new, never in those frames; nearly all of it in Read file."));
}

TEST_CASE(
    "explain: what was there before, but nobody waited for it, is not called new, and slow frames are not usual") {
  uint64_t slow = 0;  // frames at the end
  SUBCASE("the first slow frame") {
    slow = 1;
  }
  SUBCASE("the sixth in a row") {
    slow = 6;
  }
  recorder_test::Building building;
  const auto lane = [&](const char* name) {
    return flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_THREAD, 0, building.string(name), false);
  };
  const uint32_t main = lane("Main"), worker = lane("Worker");
  const uint32_t wait = building.site("Join", FLAMELET_WAIT_CATEGORY);
  int64_t time_ns = 0;
  for (uint64_t i = 1; i <= 60; ++i) {
    const bool is_slow = i > 60 - slow;
    const int64_t ms = int64_t{kMs}, begin_ns = time_ns, job_ns = (is_slow ? 30 : 3) * ms;
    building.span(main, begin_ns, begin_ns + 8 * ms, building.site("Update"));
    building.span(worker, begin_ns, begin_ns + job_ns, building.site("Job"));
    time_ns = std::max(begin_ns + 8 * ms, begin_ns + job_ns) + 1000;
    building.span(main, begin_ns + 8 * ms, time_ns, wait);
    flamelet_capture_builder_flow(building.builder, worker, begin_ns + job_ns, i, false);
    flamelet_capture_builder_flow(building.builder, main, time_ns, i, true);
    flamelet_capture_builder_frame(building.builder, i, begin_ns, time_ns, 0);
  }
  flamelet_capture* const capture = building.finish();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, 59);
  REQUIRE(why.cause_count == 1);
  CHECK(why.causes[0].seen_frames == slow - 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(why.causes[0].usual_ns == 3 * int64_t{kMs});
  CHECK(
      contains(explain.text(capture, why),
               "Main waited 22.0 ms for Worker in Job: 1 call took 30.0 ms, usually 3.0; 22.0 of it were waited for."));
}

TEST_CASE("explain: a capture that was saved and loaded gives the same answer") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  for (int i = 0; i < 60; ++i) frame(8);
  frame(30);
  flamelet_capture* const capture = recording.capture();
  const std::string bytes = recorder_test::save(capture);
  flamelet_capture* loaded = nullptr;
  REQUIRE(flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &loaded, nullptr) == FLAMELET_OK);
  const Explaining explain, again;
  CHECK(explain.text(capture, explain.frame(capture, last_of(capture))) ==
        again.text(loaded, again.frame(loaded, last_of(loaded))));
  CHECK(explain.json(capture, explain.frame(capture, last_of(capture))) ==
        again.json(loaded, again.frame(loaded, last_of(loaded))));
  flamelet_capture_destroy(loaded);
}

TEST_CASE("explain: a baseline that was read frame by frame gives the same answer") {
  recorder_test::CapturedRecording recording;
  const Explaining explain, at_once;
  flamelet_frame();
  for (int i = 0; i < 50; ++i) {
    frame(8);
    flamelet_explain_read_frame(explain, recording.capture(), last_of(recording.capture()));
  }
  frame(30);
  flamelet_capture* const capture = recording.capture();
  CHECK(explain.json(capture, explain.frame(capture, last_of(capture))) ==
        at_once.json(capture, at_once.frame(capture, last_of(capture))));
}

TEST_CASE("explain: a live baseline reads a frame of some hundred, and answers against those") {
  recorder_test::CapturedRecording recording;
  const Explaining explain;
  flamelet_frame();
  for (int i = 0; i < 20000; ++i) {
    for (int n = 0; n < 60; ++n) scope("Tiny", 0);
    frame(i % 2 == 0 ? 8 : 9);
    flamelet_explain_update(explain, recording.capture());
  }
  frame(30);
  flamelet_capture* const capture = recording.capture();
  flamelet_explanation why;
  REQUIRE(flamelet_explain_frame_sampled(explain, capture, last_of(capture), &why) == FLAMELET_OK);
  CHECK((why.flags & ~uint32_t{FLAMELET_EXPLAIN_LITTLE_BASELINE}) ==
        (FLAMELET_EXPLAIN_UNUSUAL | FLAMELET_EXPLAIN_SAMPLED));
  CHECK(why.baseline_frames >= 20000 / 900);
  CHECK(why.baseline_frames <= 20000 / 220);
  CHECK(why.baseline_range >= 15000);
  CHECK(why.baseline_range <= 20001);
  REQUIRE(why.cause_count == 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(explain.path(capture, why.causes[0].path) == "Update > Physics");
  CHECK(contains(explain.text(capture, why), " of 200"));
}

TEST_CASE("explain: with less than 30 frames it says first that there is little to compare with") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  for (int i = 0; i < 29; ++i) frame(8);
  frame(30);
  flamelet_capture* capture = recording.capture();
  const Explaining explain;
  flamelet_explanation why = explain.frame(capture, last_of(capture));
  CHECK(why.baseline_frames == 29);
  CHECK((why.flags & FLAMELET_EXPLAIN_LITTLE_BASELINE) != 0);
  CHECK(begins_with(explain.text(capture, why), "There is little to compare with: 29 whole frames. Frame 30"));
  frame(8);
  capture = recording.capture();
  CHECK((explain.frame(capture, last_of(capture)).flags & FLAMELET_EXPLAIN_LITTLE_BASELINE) == 0);
}

TEST_CASE("explain: a frame with few before it is compared with those behind it, too") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  frame(100);
  for (int i = 0; i < 60; ++i) frame(8);
  flamelet_capture* const capture = recording.capture();
  const Explaining explain;
  flamelet_explanation why = explain.frame(capture, 1);
  CHECK(why.flags == (FLAMELET_EXPLAIN_UNUSUAL | FLAMELET_EXPLAIN_AROUND));
  CHECK(why.baseline_frames == 60);
  CHECK(begins_with(explain.text(capture, why),
                    "Frame 1 took 102.0 ms, 92.0 more than usual (60 frames around it, 10.0 \xC2\xB1 0.0). "));
  CHECK(contains(explain.json(capture, why), "\"around\":true,"));
  why = explain.frame(capture, 31);  // 30 are whole: none behind it
  CHECK(why.baseline_frames == 30);
  CHECK((why.flags & FLAMELET_EXPLAIN_AROUND) == 0);
  size_t first = 0, count = 0;
  flamelet_explain_baseline(explain, capture, 40, 20, 50, &first, &count);  // as if the others were not there
  CHECK(first == 20);
  CHECK(count == 30);
}

TEST_CASE("explain: where the frames before were lossy, whole ones farther away are the baseline") {
  const struct {
    int first_whole, end_whole;
    uint64_t baseline;
    bool is_around;
  } kCases[] = {{460, 500, 40, true}, {10, 60, 50, false}, {10, 460, 240, false}, {100, 108, 8, false}};
  for (const auto& each : kCases) {
    CAPTURE(each.first_whole);
    recorder_test::Building building;
    const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
    constexpr int kSlow = 450;
    const auto ms = int64_t{kMs};
    int64_t at_ns = 0;
    for (int i = 0; i < 500; ++i) {
      const int64_t end_ns = at_ns + (i == kSlow ? 50 : 10) * ms;
      building.begin(main, at_ns, building.site("Update"));
      building.end(main, at_ns + 10 * ms);
      if (i == kSlow) {
        building.begin(main, at_ns + 10 * ms, building.site("Load"));
        building.end(main, end_ns);
      }
      const bool is_whole = i >= each.first_whole && i < each.end_whole && i != kSlow;
      flamelet_capture_builder_frame(building.builder, static_cast<uint64_t>(i), at_ns, end_ns,
                                     is_whole ? 0 : uint32_t{FLAMELET_FRAME_LOSSY});
      at_ns = end_ns;
    }
    flamelet_capture* const capture = building.finish();
    const Explaining explain;
    const flamelet_explanation why = explain.frame(capture, kSlow);
    CHECK(why.baseline_frames == each.baseline);
    CHECK(((why.flags & FLAMELET_EXPLAIN_AROUND) != 0) == each.is_around);
    CHECK(((why.flags & FLAMELET_EXPLAIN_LITTLE_BASELINE) != 0) == (each.baseline < FLAMELET_EXPLAIN_MIN_BASELINE));
    REQUIRE(why.cause_count == 1);
    CHECK(why.causes[0].verdict == FLAMELET_VERDICT_NEW);
    char place[32];
    CHECK(flamelet_explain_place(explain, capture, &why.causes[0], place, sizeof place) == 10);
    CHECK(place == std::string("Main: Load"));
  }
}

TEST_CASE("explain: where nothing can be compared the answer is what the frame consists of") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  frame(8);
  flamelet_capture* const capture = recording.capture();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, 1);
  CHECK(why.baseline_frames == 0);
  const std::string text = explain.text(capture, why);
  CHECK(begins_with(text, "There is little to compare with: 0 whole frames. Frame 1 took 10.0 ms. Most took "));
  CHECK(contains(text, ": Update > Physics, 8.0 ms.\n  8.0 ms  "));
}

TEST_CASE("explain: a partial frame and a frame with losses are said first, and are no baseline") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  for (int i = 0; i < 40; ++i) frame(8);
  flamelet_set_enabled(false);
  flamelet_set_enabled(true);
  frame(8);
  flamelet_capture* capture = recording.capture();
  const Explaining explain;
  CHECK(begins_with(explain.text(capture, explain.frame(capture, last_of(capture))),
                    "Recording was off in this frame, or in a part of it. Frame 41"));
  CHECK(begins_with(explain.text(capture, explain.frame(capture, 0)),
                    "This is no frame, but the time before the first mark."));
  for (int i = 0; i < 300000; ++i) scope("Flood", 0);  // overwrites the ring
  frame(8);
  frame(8);
  capture = recording.capture();
  CHECK(begins_with(explain.text(capture, explain.frame(capture, last_of(capture) - 1)),
                    "Events of this frame were lost"));
  const flamelet_explanation why = explain.frame(capture, last_of(capture));
  CHECK(why.flags == 0);
  CHECK(why.baseline_frames == 40);
  CHECK(begins_with(explain.text(capture, why), "Frame 43 took 10.0 ms; up to 10.5 is usual (40 frames, 10.0 "));
}

TEST_CASE("explain: without a thread that has scopes it says so, and does not guess") {
  recorder_test::Building building;
  flamelet_capture_builder_frame(building.builder, 1, 0, 1000, 0);
  flamelet_capture* const capture = building.finish();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, 0);
  CHECK(why.flags == FLAMELET_EXPLAIN_NO_MAIN_THREAD);
  CHECK(begins_with(explain.text(capture, why), "No thread has a scope in this frame."));
  CHECK(contains(explain.json(capture, why), "\"no_main_thread\":true"));
}

TEST_CASE("explain: the main thread is the one whose outermost scopes end with the frames") {
  SimulatedGame game(7);
  for (int i = 0; i < 40; ++i) game.add_frame();
  flamelet_capture* const capture = game.finish();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, 39);
  CHECK(recorder_test::text_of(recorder_test::lane_of(capture, why.main_lane).name) == "Main");
}

TEST_CASE("explain: what was waited for is named with its thread, its object, and what it was compared with") {
  SimulatedGame game(3);
  for (int i = 0; i < 60; ++i) game.add_frame();
  game.add_frame(Trouble::kSlowJob, 20);
  flamelet_capture* const capture = game.finish();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, 60);
  const std::string text = explain.text(capture, why);
  CHECK(contains(text, "Main waited "));
  CHECK(contains(text, " ms for Worker "));
  CHECK(contains(text, "in Find path: 8 calls took "));
  CHECK(contains(text, "; waited for in Wait for agents"));
  const std::string json = explain.json(capture, why);
  CHECK(contains(json, "\"verdict\":\"slower calls\""));
  CHECK(contains(json, "\"path\":[\"Plan paths\",\"Find path\"]"));
  CHECK(contains(json, "\"waiting_in\":\"Wait for agents\",\"nearest_wait\":\"Wait for agents\""));
}

TEST_CASE("explain: names that are no text are repaired in JSON") {
  recorder_test::Building building;
  const uint32_t lane = flamelet_capture_builder_span_lane(
      building.builder, FLAMELET_LANE_THREAD, 0, building.string("quote \" \x01 bad \xFF cut \xE2\x82"), true);
  building.span(lane, 0, 1000, building.site("\xC3\xA4"));
  flamelet_capture_builder_frame(building.builder, 1, 0, 1000, 0);
  flamelet_capture* const capture = building.finish();
  const Explaining explain;
  const std::string json = explain.json(capture, explain.frame(capture, 0));
  CHECK(contains(json, "\"quote \\\" \\u0001 bad \xEF\xBF\xBD cut \xEF\xBF\xBD\xEF\xBF\xBD\""));
  CHECK(contains(json, "\"scope\":\"\xC3\xA4\""));
}

TEST_CASE("explain: a text that does not fit is cut, and its length is told") {
  SimulatedGame game(3);
  for (int i = 0; i < 5; ++i) game.add_frame();
  flamelet_capture* const capture = game.finish();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, 4);
  const std::string whole = explain.text(capture, why);
  char text[11] = "0123456789";
  CHECK(flamelet_explain_text(explain, capture, &why, text, 10) == whole.size());
  CHECK(std::string(text) == whole.substr(0, 9));
  CHECK(text[9] == 0);
}

TEST_CASE("explain: a sink that fails is told") {
  SimulatedGame game(3);
  game.add_frame();
  flamelet_capture* const capture = game.finish();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, 0);
  CHECK_FALSE(
      flamelet_explain_json(explain, capture, &why, {[](void*, const void*, size_t) { return false; }, nullptr}));
}

TEST_CASE("explain: what a flight recorder keeps has one answer: at once, later, and from its file") {
  recorder_test::CapturedRecording recording;
  flamelet_flight_config config = flamelet_flight_config_default();
  config.frame_budget_ns = 25000000;
  config.store_bytes = size_t{4} << 20;
  flamelet_flight* flight = nullptr;
  REQUIRE(flamelet_flight_create(&config, recording.capture(), &flight) == FLAMELET_OK);
  const Explaining explain;
  const auto play = [&](int frames, uint64_t physics_ms) {
    for (int i = 0; i < frames; ++i) {
      frame(physics_ms);
      recording.capture();
      REQUIRE(flamelet_flight_update(flight) == FLAMELET_OK);
    }
  };
  const auto answer = [&] {
    flamelet_capture* kept = nullptr;
    flamelet_explanation why;
    REQUIRE(flamelet_explain_hitch(explain, flight, 0, &kept, &why) == FLAMELET_OK);
    const std::string text = explain.text(kept, why);
    flamelet_capture_destroy(kept);
    return text;
  };
  flamelet_frame();
  play(100, 8);
  play(1, 30);
  play(40, 8);
  const std::string at_once = answer();
  CAPTURE(at_once);
  CHECK(begins_with(at_once, "Frame 101 took 32.0 ms, 22.0 more than usual (60 frames, 10.0"));
  play(100, 12);
  CHECK(answer() == at_once);
  std::string bytes;
  REQUIRE(flamelet_flight_save_to(flight, 1, sink_to(&bytes)) == FLAMELET_OK);
  flamelet_capture* file = nullptr;
  REQUIRE(flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &file, nullptr) == FLAMELET_OK);
  flamelet_flight_info info;
  REQUIRE(flamelet_flight_of_capture(file, &info));
  const Explaining other;
  CHECK(other.text(file, other.frame(file, flamelet_capture_find_frame(file, info.frame.index))) == at_once);
  flamelet_capture_destroy(file);
  flamelet_explanation why;
  CHECK(flamelet_explain_hitch(explain, flight, 1, &file, &why) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(file == nullptr);
  flamelet_flight_destroy(flight);
}

TEST_CASE("explain: the sentence is the first line of the text") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  for (int i = 0; i < 100; ++i) frame(i == 99 ? 30 : 8);
  flamelet_capture* const capture = recording.capture();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, last_of(capture));
  const std::string text = explain.text(capture, why);
  std::string sentence(flamelet_explain_sentence(explain, capture, &why, nullptr, 0) + 1, '\0');
  flamelet_explain_sentence(explain, capture, &why, sentence.data(), sentence.size());
  sentence.pop_back();
  CHECK(text.find('\n') != std::string::npos);
  CHECK(sentence == text.substr(0, text.find('\n')));
}

TEST_CASE("explain: a frame over its budget is explained though it be as long as all others") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  for (int i = 0; i < 100; ++i) frame(50);
  flamelet_capture* const capture = recording.capture();
  for (const int64_t budget_ms : {0, 60, 33}) {
    flamelet_explain_config config = flamelet_explain_config_default();
    config.budget_ns = budget_ms * int64_t{kMs};
    const Explaining explain(config);
    const flamelet_explanation why = explain.frame(capture, last_of(capture));
    CHECK(why.flags == (budget_ms == 33 ? uint32_t{FLAMELET_EXPLAIN_OVER_BUDGET} : 0));
    CHECK(explain.text(capture, why) ==
          (budget_ms == 33
               ? "Frame 100 took 52.0 ms, 19.0 over its budget; up to 54.6 is usual (99 frames, 52.0 \xC2\xB1 0.0). "
                 "No scope stands out. Most took Main: Update > Physics, 50.0 ms.\n"
                 "  50.0 ms  Main: Update > Physics: as long as usual, 50.0 \xC2\xB1 0.0\n"
                 "  2.0 ms  Main: Update > Sound: as long as usual, 2.0 \xC2\xB1 0.0"
               : "Frame 100 took 52.0 ms; up to 54.6 is usual (99 frames, 52.0 \xC2\xB1 0.0)."));
  }
}

TEST_CASE("explain: where frames scatter much, one that is longer than nearly all of them is unusual") {
  for (const uint64_t last_ms : {uint64_t{50}, uint64_t{99}}) {
    recorder_test::CapturedRecording recording;
    flamelet_frame();
    for (int i = 0; i < 120; ++i) frame(8 + 20 * (static_cast<uint64_t>(i) % 3));  // 10, 30 and 50 ms
    frame(last_ms - 2);
    flamelet_capture* const capture = recording.capture();
    const Explaining explain;
    const flamelet_explanation why = explain.frame(capture, last_of(capture));
    CHECK(why.spread_ns > 29 * int64_t{kMs});
    CHECK(why.limit_ns == 50 * int64_t{kMs});
    CHECK(why.nearly_all_ns == 50 * int64_t{kMs});
    CHECK(((why.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0) == (last_ms == 99));
    CHECK(contains(explain.text(capture, why), "up to 50.0 is usual") == (last_ms == 50));
    CHECK(contains(explain.text(capture, why), "(120 frames, 30.0 \xC2\xB1 29.7, 98 % up to 50.0)"));
  }
}

TEST_CASE("explain: where two places mark frames in turn, a frame is compared with every second one") {
  recorder_test::CapturedRecording recording;
  flamelet_frame();
  for (int i = 0; i < 100; ++i) {
    scope("Step", 2);
    flamelet_frame();
    frame(i == 99 ? 50 : 20);
  }
  flamelet_capture* const capture = recording.capture();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, last_of(capture));
  CHECK(why.flags == (FLAMELET_EXPLAIN_UNUSUAL | FLAMELET_EXPLAIN_IN_TURN));
  CHECK(why.usual_ns == 22 * int64_t{kMs});
  CHECK(begins_with(explain.text(capture, why),
                    "Every second frame takes twice as long, as where two places mark frames in turn. "
                    "Frame 200 took 52.0 ms, 30.0 more than usual (99 frames, every second one, 22.0"));
  const flamelet_explanation step = explain.frame(capture, last_of(capture) - 1);
  CHECK(step.flags == FLAMELET_EXPLAIN_IN_TURN);
  CHECK(step.usual_ns == 2 * int64_t{kMs});
}

TEST_CASE("explain: bad arguments are refused") {
  flamelet_explain_config config = flamelet_explain_config_default();
  const size_t bytes = flamelet_explain_memory_required(&config);
  CHECK(bytes < size_t{16} << 20);
  std::vector<char> room(bytes + 1);
  char* const memory = room.data() + 1;  // of any alignment
  flamelet_explain* explain = nullptr;
  CHECK(flamelet_explain_create(&config, memory, bytes - 1, &explain) == FLAMELET_ERROR_BUDGET_TOO_SMALL);
  CHECK(flamelet_explain_create(&config, nullptr, bytes, &explain) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_explain_create(nullptr, memory, bytes, &explain) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_explain_create(&config, memory, bytes, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(explain == nullptr);
  REQUIRE(flamelet_explain_create(&config, memory, bytes, &explain) == FLAMELET_OK);
  flamelet_explanation why;
  CHECK(flamelet_explain_frame(explain, nullptr, 0, &why) == FLAMELET_ERROR_INVALID_ARGUMENT);
  recorder_test::Building building;
  flamelet_capture* const capture = building.finish();
  CHECK(flamelet_explain_frame(explain, capture, 0, &why) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_explain_frame(explain, capture, 0, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_explain_scope path;
  CHECK_FALSE(flamelet_explain_path(explain, 77, &path));
  CHECK(flamelet_explain_text(nullptr, capture, &why, nullptr, 0) == 0);
  flamelet_explain_update(nullptr, capture);
  CHECK(flamelet_explain_frame_sampled(explain, capture, 0, &why) == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_explain_clear(nullptr);
  for (uint32_t flamelet_explain_config::*limit :
       {&flamelet_explain_config::cookie, &flamelet_explain_config::baseline_frames,
        &flamelet_explain_config::max_spans, &flamelet_explain_config::max_paths,
        &flamelet_explain_config::max_pieces}) {
    config = flamelet_explain_config_default();
    config.*limit = 0;
    CHECK(flamelet_explain_memory_required(&config) == 0);
  }
}

TEST_CASE("explain: a program with ever new names goes on being explained") {
  flamelet_explain_config config = flamelet_explain_config_default();
  config.max_paths = 256;
  const Explaining explain(config);
  recorder_test::Building building;
  const uint32_t lane =
      flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_THREAD, 0, building.string("Main"), true);
  for (int64_t i = 0; i < 600; ++i) {
    building.span(lane, 1000 * i, 1000 * i + 900, building.site("Level " + std::to_string(i)));
    flamelet_capture_builder_frame(building.builder, static_cast<uint64_t>(i + 1), 1000 * i, 1000 * i + 1000, 0);
  }
  flamelet_capture* const capture = building.finish();
  for (size_t i = 0; i < 600; ++i)
    if ((explain.frame(capture, i).flags & FLAMELET_EXPLAIN_OVER_LIMITS) != 0) FAIL("frame " << i);
}

}  // namespace explain_test::explain_test
