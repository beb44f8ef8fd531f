// SPDX-License-Identifier: MIT
#include "content/range_statistics.h"

#include <ctype.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "flamelet/flamelet.h"
#include "overlay/carved.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"
#include "support/capture.h"

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace range_statistics_test {

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace {

struct Fixture {
  explicit Fixture(uint32_t max_spans = 50000, uint32_t max_scopes = 256) : game(RecordedGame::Options{}) {
    game.frames(12);
    capture.update();
    memory = carved([&](Carver* carver) {
      statistics.carve(carver, max_scopes, max_spans);
      styles.carve(carver);
    });
    styles.reset(capture, {});
    flamelet_frame_info frame;
    REQUIRE(flamelet_capture_frame(capture, 6, &frame));
    range = {frame.begin_ns, frame.end_ns};
  }
  void read(TimeWindow window, bool filtered) {
    statistics.begin(capture, window, &styles, filtered);
    REQUIRE(statistics.step(UINT32_MAX));
  }
  std::string name(uint32_t row) {
    return std::string(view_of(flamelet_capture_string(capture, statistics.row(row).name)));
  }
  RecordedGame game;
  std::vector<char> memory;
  recorder_test::Capture capture{flamelet_capture_config_default()};
  RangeStatistics statistics;
  ScopeStyles styles;
  TimeWindow range;
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "overlay table: rows are sorted by the column that was chosen, in its direction") {
  read(range, false);
  REQUIRE(statistics.row_count() > 15);
  for (uint32_t i = 1; i < statistics.row_count(); ++i)
    REQUIRE(statistics.row(i - 1).self_ns >= statistics.row(i).self_ns);
  statistics.sort_by(FLAMELET_COLUMN_COUNT, false);
  for (uint32_t i = 1; i < statistics.row_count(); ++i) REQUIRE(statistics.row(i - 1).count <= statistics.row(i).count);
  statistics.sort_by(FLAMELET_COLUMN_NAME, false);
  const auto lower_name = [this](uint32_t i) {
    std::string text(name(i));
    for (char& c : text) c = static_cast<char>(tolower(c));
    return text;
  };
  for (uint32_t i = 1; i < statistics.row_count(); ++i) REQUIRE(lower_name(i - 1) <= lower_name(i));
  // The order outlives the next reading.
  read(range, false);
  CHECK(statistics.column() == FLAMELET_COLUMN_NAME);
  CHECK(lower_name(0) <= lower_name(1));
}

TEST_CASE_FIXTURE(Fixture, "overlay table: a filter leaves the rows that match, and sums them") {
  styles.reset(capture, "ai_");
  read(range, true);
  REQUIRE(statistics.row_count() == 3);
  int64_t update_ns = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    CHECK(name(i).substr(0, 3) == "ai_");
    if (name(i) == "ai_update") update_ns = statistics.row(i).total_ns;
  }
  CHECK(statistics.filter_sum().count == 42);
  CHECK(statistics.filter_sum().total_ns == update_ns);  // the others run inside it
}

TEST_CASE_FIXTURE(Fixture, "overlay table: scopes of the GPU are told from those of the CPU") {
  read(range, false);
  int on_gpu = 0, on_cpu = 0;
  for (uint32_t i = 0; i < statistics.row_count(); ++i) {
    if (name(i) != "Scene pass") continue;
    (statistics.part(statistics.row(i)).on_gpu ? on_gpu : on_cpu) += 1;
  }
  CHECK(on_gpu == 1);
  CHECK(on_cpu == 1);
}

TEST_CASE(
    "overlay table: a scope's time on the threads and on the GPU is no sum, also where place and name are the same") {
  Fixture f;
  const uint32_t track = flamelet_track_create("GPU 2", FLAMELET_TRACK_GPU, 1e9);
  const uint64_t begin_ns = recorder_test::thread_now_ns;
  flamelet_track_calibrate(track, begin_ns, begin_ns);
  const flamelet_id id = flamelet_begin("Own work", "", "low");  // what flamelet_gpu_begin() does
  recorder_test::thread_now_ns += 1000;
  flamelet_end(id);
  flamelet_event pass[2] = {};
  for (int i = 0; i < 2; ++i)
    pass[i] = {
        begin_ns + 5000 + static_cast<uint64_t>(i) * 30000, id, "Own work", "", "low", 0, i == 0 ? 'B' : 'E', false, 0};
  REQUIRE(flamelet_submit(track, pass, 2) == 2);
  recorder_test::thread_now_ns += 100000;
  flamelet_frame();
  f.capture.update();
  f.styles.reset(f.capture, "Own work");
  for (const bool apart : {false, true}) {
    f.statistics.begin(f.capture, {0, INT64_MAX / 2}, &f.styles, true, apart);
    REQUIRE(f.statistics.step(UINT32_MAX));
    REQUIRE(f.statistics.row_count() == 2);
    const ScopePart parts[] = {f.statistics.part(f.statistics.row(0)), f.statistics.part(f.statistics.row(1))};
    CHECK(parts[0].key == parts[1].key);
    CHECK(parts[0].object == parts[1].object);
    CHECK((parts[0].object != 0) == apart);
    for (const ScopePart& part : parts) {
      CHECK(f.statistics.find(part)->count == 1);
      CHECK(f.statistics.find(part)->total_ns == (part.on_gpu ? 30000 : 1000));
    }
    CHECK(parts[0].on_gpu != parts[1].on_gpu);
    CHECK(f.statistics.filter_sum().total_ns == 1000);
    CHECK(f.statistics.gpu_filter_sum().total_ns == 30000);
  }
}

TEST_CASE_FIXTURE(Fixture, "overlay table: a scope is found by its site and name, and an empty range has none") {
  read(range, false);
  const flamelet_scope_statistics row = statistics.row(3);
  const ScopePart scope = statistics.part(row);
  REQUIRE(statistics.find(scope) != nullptr);
  CHECK(statistics.find(scope)->total_ns == row.total_ns);
  CHECK(statistics.find({{scope.key.site, 0x7FFFFFFF}, 0, scope.on_gpu}) == nullptr);
  read({500, 500}, false);
  CHECK(statistics.row_count() == 0);
  CHECK(statistics.find(scope) == nullptr);
}

TEST_CASE("overlay table: a lane of ten times what the scratch array holds is summed whole, and so is the filter") {
  constexpr TimeWindow kAll = {0, INT64_MAX / 2};
  Fixture f(FLAMELET_CURSOR_LEAST);
  f.game.frames(60);
  f.capture.update();
  f.styles.reset(f.capture, "a");
  f.read(kAll, true);

  uint64_t most = 0;
  FilterSum matching, matching_gpu;
  std::map<uint64_t, flamelet_scope_statistics> sums;  // by scope: count, self time, longest
  for (size_t lane = 0; lane < flamelet_capture_lane_count(f.capture); ++lane) {
    std::vector<flamelet_span> spans = f.capture.spans(lane);
    most = std::max<uint64_t>(most, spans.size());
    const auto is_match = [&f](const flamelet_span& span) { return f.styles.of(key_of(span)).matches; };
    const flamelet_lane_info info = recorder_test::lane_of(f.capture, lane);
    sum_matches(spans.data(), static_cast<uint32_t>(spans.size()), is_match,
                info.kind == FLAMELET_LANE_GPU ? &matching_gpu : &matching);
    for (const flamelet_span& span : spans) {
      flamelet_scope_statistics& sum = sums[key_of(span).bits()];
      ++sum.count;
      sum.self_ns += span.self_ns;
      sum.duration.max_ns = std::max(sum.duration.max_ns, span.end_ns - span.begin_ns);
    }
  }
  REQUIRE(most > 10 * FLAMELET_CURSOR_LEAST);
  CHECK(f.statistics.filter_sum().count == matching.count);
  CHECK(f.statistics.filter_sum().total_ns == matching.total_ns);
  CHECK(f.statistics.gpu_filter_sum().count == matching_gpu.count);
  CHECK(f.statistics.gpu_filter_sum().total_ns == matching_gpu.total_ns);
  f.read(kAll, false);
  CHECK(f.statistics.row_count() == sums.size());
  for (uint32_t i = 0; i < f.statistics.row_count(); ++i) {
    const flamelet_scope_statistics& row = f.statistics.row(i);
    const flamelet_scope_statistics& sum = sums[f.statistics.part(row).key.bits()];
    CHECK(row.count == sum.count);
    CHECK(row.self_ns == sum.self_ns);
    CHECK(row.duration.max_ns == sum.duration.max_ns);
  }
  CHECK(f.statistics.left_out() == 0);
}

TEST_CASE("overlay table: children beside the shown time are not the self time of a call that reaches out of it") {
  Fixture f;
  constexpr int64_t kUs = 1000;
  const auto pass = [](int64_t us) { recorder_test::thread_now_ns += static_cast<uint64_t>(us * kUs); };
  const auto run = [&](const char* name, int64_t us) {
    const flamelet_id id = flamelet_begin(name, "", nullptr);
    pass(us);
    flamelet_end(id);
  };
  const flamelet_id load = flamelet_begin("load", "", nullptr);
  run("read", 14);
  flamelet_frame();
  run("unpack", 5);
  run("unpack", 7);
  flamelet_frame();
  pass(1);
  run("upload", 14);
  flamelet_end(load);
  flamelet_frame();
  f.capture.update();
  f.styles.reset(f.capture, "load");
  const auto self_of = [&](const char* name) {
    for (uint32_t i = 0; i < f.statistics.row_count(); ++i)
      if (f.name(i) == name) return f.statistics.row(i).self_ns;
    return int64_t{-1};
  };
  flamelet_frame_info frame;
  for (size_t back = 1; back <= 3; ++back) {
    REQUIRE(flamelet_capture_frame(f.capture, flamelet_capture_frame_count(f.capture) - back, &frame));
    for (const TimeWindow window :
         {TimeWindow{frame.begin_ns, frame.end_ns}, TimeWindow{frame.begin_ns, frame.begin_ns + 2 * kUs}}) {
      f.read(window, false);
      CHECK(self_of("load") == 1 * kUs);
    }
  }
  // The frame in the middle: nothing but what is in it has a row, or a call.
  REQUIRE(flamelet_capture_frame(f.capture, flamelet_capture_frame_count(f.capture) - 2, &frame));
  f.read({frame.begin_ns, frame.end_ns}, false);
  CHECK(f.statistics.row_count() == 2);
  CHECK(self_of("unpack") == 12 * kUs);
  f.read({frame.begin_ns, frame.end_ns}, true);
  CHECK(f.statistics.filter_sum().count == 1);
  CHECK(f.statistics.filter_sum().total_ns == 41 * kUs);
}

TEST_CASE("overlay table: of a call that reaches out very far, the self time near the shown time counts") {
  Fixture f;
  const auto pass = [](uint64_t ns) { recorder_test::thread_now_ns += ns; };
  const flamelet_id all = flamelet_begin("main", "", nullptr);
  constexpr uint32_t kCalls = 8 * RangeStatistics::kMostBeside;
  const auto calls = [&] {
    for (uint32_t i = 0; i < kCalls; ++i) {
      const flamelet_id id = flamelet_begin("step", "", nullptr);
      pass(70);
      flamelet_end(id);
      pass(30);
    }
  };
  calls();
  const int64_t begin_ns = static_cast<int64_t>(recorder_test::thread_now_ns);
  f.capture.update();
  calls();
  flamelet_end(all);
  f.capture.update();
  f.read({begin_ns, begin_ns + 100000}, false);
  REQUIRE(f.statistics.row_count() == 2);
  const uint32_t row = f.name(0) == "main" ? 0 : 1;
  CHECK(f.statistics.row(1 - row).count == 1000);
  CHECK(f.statistics.row(row).count == 1);
  const int64_t beside_ns = 30 * int64_t{f.statistics.kMostBeside};
  CHECK(f.statistics.row(row).self_ns > 2 * beside_ns);
  CHECK(f.statistics.row(row).self_ns < int64_t{30} * kCalls);
}

TEST_CASE("overlay table: calls of scopes without a row are counted") {
  Fixture f(50000, 4);
  f.read(f.range, false);
  CHECK(f.statistics.row_count() == 4);
  CHECK(f.statistics.left_out() > 100);
}

TEST_CASE("overlay table: a reading is spread over updates, and the rows before it stay until it is whole") {
  Fixture f;
  f.read(f.range, false);
  const flamelet_scope_statistics before = f.statistics.row(0);
  const uint32_t rows_before = f.statistics.row_count();
  const TimeWindow longer = {f.range.begin_ns, f.range.end_ns + 3 * (f.range.end_ns - f.range.begin_ns)};
  constexpr uint32_t kMostZones = 60;
  constexpr uint32_t kMostInLane = 4 * 300;  // of the recorded game's longest lane in four frames

  f.statistics.begin(f.capture, longer, &f.styles, false);
  uint64_t read = 0;
  uint32_t steps = 1;
  for (; !f.statistics.step(kMostZones); ++steps) {
    REQUIRE(f.statistics.reading());
    REQUIRE(f.statistics.zones_read() > read);  // each step brings it forward
    REQUIRE(f.statistics.zones_read() - read < kMostZones + kMostInLane);
    read = f.statistics.zones_read();
    REQUIRE(f.statistics.row_count() == rows_before);
    REQUIRE(f.statistics.row(0).count == before.count);
    REQUIRE(f.statistics.row(0).total_ns == before.total_ns);
  }
  CHECK(steps == 5);  // the main thread, two workers, the GPU; then the rows
  CHECK_FALSE(f.statistics.reading());

  uint64_t spread_count = 0, whole_count = 0;
  int64_t spread_ns = 0, whole_ns = 0;
  const auto sum = [&f](uint64_t* count, int64_t* ns) {
    for (uint32_t i = 0; i < f.statistics.row_count(); ++i) {
      *count += f.statistics.row(i).count;
      *ns += f.statistics.row(i).total_ns;
    }
  };
  sum(&spread_count, &spread_ns);
  f.read(longer, false);
  sum(&whole_count, &whole_ns);
  CHECK(spread_count == read);
  CHECK(spread_count == whole_count);
  CHECK(spread_ns == whole_ns);
}

TEST_CASE_FIXTURE(Fixture, "overlay table: a reading that is begun anew forgets what the one before had read") {
  read(range, false);
  const uint32_t rows = statistics.row_count();
  const uint64_t count = statistics.row(0).count;
  statistics.begin(capture, range, &styles, false);
  REQUIRE_FALSE(statistics.step(1));
  read(range, false);
  CHECK(statistics.row_count() == rows);
  CHECK(statistics.row(0).count == count);
}

TEST_CASE("overlay table: objects of a scope have rows of their own when asked") {
  RecordedGame game(RecordedGame::Options{});
  for (int i = 0; i < 12; ++i) {
    const flamelet_id id = flamelet_begin("Steer", "", i % 4 == 0 ? "squad 1" : i % 2 == 0 ? "squad 2" : nullptr);
    recorder_test::thread_now_ns += 1000;
    flamelet_end(id);
  }
  flamelet_frame();
  recorder_test::Capture capture{flamelet_capture_config_default()};
  capture.update();
  RangeStatistics statistics;
  ScopeStyles styles;
  const std::vector<char> memory = carved([&](Carver* carver) {
    statistics.carve(carver, 256, 50000);
    styles.carve(carver);
  });
  styles.reset(capture, {});
  const auto rows = [&](bool apart) {
    statistics.begin(capture, {0, INT64_MAX / 2}, &styles, false, apart);
    REQUIRE(statistics.step(UINT32_MAX));
    return statistics.row_count();
  };
  REQUIRE(rows(false) == 1);
  CHECK(statistics.row(0).count == 12);
  const ScopePart whole = statistics.part(statistics.row(0));
  CHECK(whole.object == 0);
  REQUIRE(rows(true) == 3);
  uint64_t count = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    const ScopePart part = statistics.part(statistics.row(i));
    CHECK(part.key == whole.key);
    CHECK(statistics.find(part) == &statistics.row(i));
    if (part.object != 0) CHECK(statistics.row(i).count == 3);
    count += statistics.row(i).count;
  }
  CHECK(count == 12);
  CHECK(rows(false) == 1);
}

}  // namespace range_statistics_test

// ---- Scope costs --------------------------------------------------------------------------------------------------

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

  recorder_test::Capture capture(recorder_test::Captured::kNow);
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
  recorder_test::Capture capture(recorder_test::Captured::kNow);
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
