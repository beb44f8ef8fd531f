// SPDX-License-Identifier: MIT
#include "content/range_statistics.h"

#include <doctest/doctest.h>

#include <vector>

#include "flamelet/flamelet.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"
#include "support/capture.h"

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace {

uint32_t prices_asked = 0;

double price_of(flamelet_scope_kind kind) {
  ++prices_asked;
  constexpr double kPricesNs[] = {4, 16, 64, 256};
  return kPricesNs[kind];
}

RecordedGame::Options quiet_game() {
  RecordedGame::Options options;
  options.workers = 0;
  options.gpu = false;
  return options;
}

// 1 to 3 of each kind, and others that are nobody's scopes: instants, counters, external spans.
void record_scopes(uint32_t track) {
  const char* text = flamelet_intern("text");
  flamelet_site* site = flamelet_site_create("made", "made", "made.lua", 1, "", 0);
  for (int i = 0; i < 2; ++i) {
    FLAMELET_SCOPE("macro");
    ++recorder_test::thread_now_ns;
  }
  { FLAMELET_SCOPE_SITE(site); }
  { FLAMELET_SCOPE_OBJECT("object", text); }
  { FLAMELET_SCOPE_DYNAMIC(text); }
  flamelet_end(flamelet_begin("call", "", nullptr));
  flamelet_end(flamelet_begin("void call(int)", "", text));
  ++recorder_test::thread_now_ns;
  FLAMELET_INSTANT("instant");
  FLAMELET_COUNTER("counter", 1);
  flamelet_event events[2] = {};
  for (int i = 0; i < 2; ++i) {
    events[i].id = 7;
    events[i].pair = 1;
    events[i].name = "pass";
    events[i].time_ticks = recorder_test::thread_now_ns - 1 + static_cast<uint64_t>(i);
    events[i].type = i == 0 ? 'B' : 'E';
  }
  flamelet_submit(track, events, 2);
}

// The newest whole frame.
TimeWindow newest_frame(const recorder_test::Capture& capture) {
  const flamelet_frame_info frame = capture.frames().back();
  return {frame.begin_ns, frame.end_ns};
}

struct Scratch {
  explicit Scratch(uint32_t spans) : memory(spans * sizeof(flamelet_span) + 64) {
    Carver carver(memory.data());
    carver.take(&array, spans);
  }
  std::vector<char> memory;
  Array<flamelet_span> array;
};

}  // namespace

TEST_CASE("overlay costs: each kind of scope has its own price, and what was submitted costs nothing") {
  RecordedGame game(quiet_game());
  const uint32_t track = flamelet_track_create("external", FLAMELET_TRACK_EXTERNAL, 1e9);
  recorder_test::thread_now_ns += 1000;
  flamelet_frame();
  const flamelet_id outer = flamelet_begin("goes on in the next frame", "", nullptr);
  record_scopes(track);
  ++recorder_test::thread_now_ns;
  flamelet_frame();
  flamelet_end(outer);

  recorder_test::Capture capture;
  capture.update();
  Scratch scratch(FLAMELET_CURSOR_LEAST);
  ScopeCosts costs(&price_of);
  costs.begin(capture, newest_frame(capture));
  CHECK(costs.step(&scratch.array, 1000));
  CHECK(costs.count(FLAMELET_SCOPE_KIND_MACRO) == 3);
  CHECK(costs.count(FLAMELET_SCOPE_KIND_WITH_TEXT) == 2);
  CHECK(costs.count(FLAMELET_SCOPE_KIND_BY_CALL) == 2);
  CHECK(costs.count(FLAMELET_SCOPE_KIND_BY_CALL_WITH_TEXT) == 1);
  CHECK(costs.total_ns() == 3 * 4 + 2 * 16 + 2 * 64 + 256);
}

TEST_CASE("overlay costs: a reading in many steps, through little memory, counts the same") {
  RecordedGame::Options options;
  options.workers = 2;
  RecordedGame game(options, 3);
  recorder_test::Capture capture;
  capture.update();
  Scratch large(1u << 16), small(FLAMELET_CURSOR_LEAST);
  ScopeCosts at_once(&price_of), in_steps(&price_of);
  at_once.begin(capture, newest_frame(capture));
  CHECK(at_once.step(&large.array, 1u << 20));
  in_steps.begin(capture, newest_frame(capture));
  int steps = 1;
  while (!in_steps.step(&small.array, 40)) {
    CHECK(in_steps.count(FLAMELET_SCOPE_KIND_BY_CALL) == 0);
    REQUIRE(++steps < 10000);
  }
  CHECK(steps > 5);
  CHECK(at_once.count(FLAMELET_SCOPE_KIND_BY_CALL) > 300);
  CHECK(in_steps.count(FLAMELET_SCOPE_KIND_BY_CALL) == at_once.count(FLAMELET_SCOPE_KIND_BY_CALL));
  CHECK(in_steps.total_ns() == at_once.total_ns());
}

TEST_CASE("overlay costs: the truth line's numbers are those of the newest shown frame") {
  RecordedGame game(quiet_game());
  OverlayPlayer player;
  player.overlay->costs = ScopeCosts(&price_of);
  const uint32_t track = flamelet_track_create("external", FLAMELET_TRACK_EXTERNAL, 1e9);
  player.frames();
  CHECK(player.stats().recording_ns == 0);
  for (int i = 0; i < 3; ++i) {
    recorder_test::thread_now_ns += 1000;
    record_scopes(track);
    flamelet_frame();
  }
  prices_asked = 0;
  player.frames(30);
  const flamelet::OverlayStats stats = player.stats();
  CHECK(stats.scopes[FLAMELET_SCOPE_KIND_MACRO] == 3);
  CHECK(stats.scopes[FLAMELET_SCOPE_KIND_WITH_TEXT] == 2);
  CHECK(stats.scopes[FLAMELET_SCOPE_KIND_BY_CALL] == 1);
  CHECK(stats.scopes[FLAMELET_SCOPE_KIND_BY_CALL_WITH_TEXT] == 1);
  CHECK(stats.scope_ns[FLAMELET_SCOPE_KIND_BY_CALL] == 64);
  CHECK(stats.recording_ns == 3 * 4 + 2 * 16 + 64 + 256);
  CHECK(player.number("recording_ns") == stats.recording_ns);
  CHECK(prices_asked == 4);
}
