// SPDX-License-Identifier: MIT
#include "pages/scope/scope_figures.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "flamelet/statistics.h"
#include "overlay/recorded_game.h"
#include "pages/path_tree.h"
#include "support/building.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace flamelet::ui;
using namespace recorder_test;

namespace scope_summary_test {

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace {

// One scope of a recorded game, read by hand.
struct Fixture {
  explicit Fixture(uint32_t max_instances = 20000, uint32_t max_spans = 50000,
                   const RecordedGame::Options& options = small_game())
      : game(options), memory(size_t{16} << 20) {
    Carver carver(memory.data());
    instances.carve(&carver, max_instances);
    summary.carve(&carver);
    frames.carve(&carver, 256);
    carver.take(&scratch, max_spans);
    REQUIRE(carver.used() <= memory.size());
    instances.clear();
    frames.clear();
  }
  void record(int count, double slowdown = 1) {
    for (int i = 0; i < count; ++i) game.frame(slowdown);
    capture.update();
  }
  ScopeKey find(const char* name, flamelet_lane_kind kind = FLAMELET_LANE_THREAD) {
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
      flamelet_lane_info info = {};
      flamelet_capture_lane(capture, lane, &info);
      if (info.kind != kind) continue;
      for (const flamelet_span& span : read(lane, all()))
        if (view_of(span) == name) return key_of(span);
    }
    FAIL("no such scope");
    return {};
  }
  std::string_view view_of(const flamelet_span& span) {
    const flamelet_string name = flamelet_capture_string(capture, span.name);
    return {name.text, name.size};
  }
  std::vector<flamelet_span> read(size_t lane, TimeWindow window) {
    std::vector<flamelet_span> spans(100000);
    flamelet_capture_read_spans(capture, lane, window.begin_ns, window.end_ns, spans.data(), 100000, nullptr);
    spans.resize(flamelet_capture_count_spans(capture, lane, window.begin_ns, window.end_ns));
    return spans;
  }
  TimeWindow all() {
    TimeWindow window;
    flamelet_capture_extent(capture, &window.begin_ns, &window.end_ns);
    return window;
  }
  TimeWindow frame(size_t position) {
    flamelet_frame_info info = {};
    flamelet_capture_frame(capture, position, &info);
    return {info.begin_ns, info.end_ns};
  }
  // Returns how many steps it took.
  int read_all(uint32_t zones = 12000) {
    int steps = 0;
    for (; instances.reading() && steps < 100000; ++steps) instances.step(&scratch, zones);
    return steps;
  }
  void sum_up(const SummaryChoice& choice) {
    summary.begin(choice, instances);
    const auto mark = [this](const ScopeInstance& call) { marked.push_back(call.begin_ns); };
    while (!summary.step(instances, 1000, mark, [](const ScopeInstance&, flamelet_state_times*) { return false; }))
      continue;
  }
  std::vector<int64_t> durations() {
    std::vector<int64_t> found;
    for (uint32_t i = 0; i < instances.count(); ++i) found.push_back(instances[i].call_ns);
    std::sort(found.begin(), found.end());
    return found;
  }

  RecordedGame game;
  std::vector<char> memory;
  recorder_test::Capture capture{flamelet_capture_config_default()};
  ScopeInstances instances;
  ScopeSummary summary;
  ScopeFrames frames;
  Array<flamelet_span> scratch;
  std::vector<int64_t> marked;
};

int64_t nearest_rank(const std::vector<int64_t>& sorted, double percent) {
  const size_t rank = static_cast<size_t>(std::ceil(percent / 100 * static_cast<double>(sorted.size())));
  return sorted[std::max<size_t>(rank, 1) - 1];
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "overlay scope: its calls in a range are those of the statistics, whatever the pieces") {
  record(12);
  const ScopeKey scope = find("Island::solve");
  const TimeWindow range = {frame(3).begin_ns, frame(7).end_ns};
  for (const uint32_t zones : {1u, 300u, 100000u}) {
    CAPTURE(zones);
    instances.begin(capture, scope, range, false);
    CHECK(instances.reading());
    read_all(zones);
    CHECK(instances.count() == 20);  // four a frame
    CHECK(instances.complete());
    sum_up(SummaryChoice());
    std::vector<char> room(flamelet_statistics_memory_required(64, 20000));
    flamelet_statistics* statistics = nullptr;
    REQUIRE(flamelet_statistics_create(64, room.data(), room.size(), &statistics) == FLAMELET_OK);
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
      const std::vector<flamelet_span> spans = read(lane, range);
      flamelet_statistics_add(statistics, spans.data(), spans.size());
    }
    const flamelet_statistics_summary rows = flamelet_statistics_finish(statistics);
    bool found = false;
    for (size_t i = 0; i < rows.row_count; ++i) {
      const flamelet_scope_statistics& row = rows.rows[i];
      if (key_of(row) != scope) continue;
      found = true;
      const ScopeFigures& figures = summary.figures();
      CHECK(figures.count == row.count);
      CHECK(figures.total_ns == row.total_ns);
      CHECK(figures.min_ns == row.duration.min_ns);
      CHECK(figures.mean_ns == row.duration.mean_ns);
      CHECK(figures.median_ns == row.duration.median_ns);
      CHECK(figures.p95_ns == row.duration.p95_ns);
      CHECK(figures.p99_ns == row.duration.p99_ns);
      CHECK(figures.p999_ns == row.duration.max_ns);  // of 20
      CHECK(figures.max_ns == row.duration.max_ns);
    }
    CHECK(found);
  }
}

TEST_CASE("overlay scope: a range of a year with hardly anything in it is read in a few steps") {
  Fixture f;
  f.record(12);
  const TimeWindow all = f.all();
  f.instances.begin(f.capture, f.find("Island::solve"), {all.begin_ns, all.begin_ns + int64_t{31536000} * 1000000000},
                    false);
  CHECK(f.read_all() < 64);
  CHECK(f.instances.count() == 48);
}

TEST_CASE_FIXTURE(Fixture, "overlay scope: callers, callees, threads and objects of its calls") {
  record(6);
  const TimeWindow range = {frame(2).begin_ns, frame(4).end_ns};
  instances.begin(capture, find("Island::solve"), range, false);
  read_all();
  SummaryChoice choice;
  sum_up(choice);
  REQUIRE(summary.groups().count() == 1);
  CHECK(summary.groups()[0].id == find("Physics::solve_islands").bits());
  CHECK(summary.groups()[0].count == 12);
  CHECK(summary.groups()[0].total_ns == summary.figures().total_ns);
  CHECK(summary.groups()[0].longest_ns == summary.figures().max_ns);
  choice.group_by = GroupBy::kCallee;
  sum_up(choice);
  REQUIRE(summary.groups().count() == 1);
  CHECK(summary.groups()[0].id == find("Contact::solve").bits());
  CHECK(summary.groups()[0].count == 12 * 8);
  choice.group_by = GroupBy::kObject;
  sum_up(choice);
  REQUIRE(summary.groups().count() == 1);
  CHECK(summary.groups()[0].id == 0);
  // A scope on several lanes has a group for each lane; the outermost have no caller.
  instances.begin(capture, find("Frame"), range, false);
  read_all();
  choice.group_by = GroupBy::kCaller;
  sum_up(choice);
  REQUIRE(summary.groups().count() == 1);
  CHECK(summary.groups()[0].id == ScopeInstance::kNoCaller);
  choice.group_by = GroupBy::kThread;
  sum_up(choice);
  REQUIRE(summary.groups().count() == 1);
  CHECK(summary.groups()[0].count == 3);
}

TEST_CASE("overlay scope: groups beyond the memory are counted") {
  std::vector<char> memory(size_t{1} << 16);
  Carver carver(memory.data());
  ScopeGroups groups;
  groups.carve(&carver);
  for (uint64_t i = 0; i < ScopeGroups::kMost + 10; ++i)
    groups.add({i, 1, static_cast<int64_t>(i), static_cast<int64_t>(i), 0});
  groups.add({5, 1, 1000, 1000, 0});
  CHECK(groups.count() == ScopeGroups::kMost);
  CHECK(groups.others().count == 10);
  CHECK(groups.others().total_ns == 256 + 257 + 258 + 259 + 260 + 261 + 262 + 263 + 264 + 265);
  CHECK(groups.others().longest_ns == 265);
  groups.sort();
  CHECK(groups[0].id == 5);
  CHECK(groups[0].count == 2);
  CHECK(groups[0].total_ns == 1005);
  CHECK(groups[0].longest_ns == 1000);
}

TEST_CASE_FIXTURE(Fixture, "overlay scope: a history that grows at its end has each call once") {
  record(5);
  const ScopeKey scope = find("Physics::step");
  instances.begin(capture, scope, {all().begin_ns, frame(4).end_ns}, true);
  read_all(500);
  CHECK(instances.count() == 5);
  record(20);
  instances.extend(frame(24).end_ns);
  CHECK(instances.reading());
  CHECK(read_all(500) > 1);
  CHECK(instances.count() == 25);
  std::vector<int64_t> begins;
  for (uint32_t i = 0; i < instances.count(); ++i) begins.push_back(instances[i].begin_ns);
  std::sort(begins.begin(), begins.end());
  CHECK(std::unique(begins.begin(), begins.end()) == begins.end());
  CHECK(instances.complete());
}

TEST_CASE("overlay scope: without room, the newest calls are kept, and it says so") {
  Fixture f(30);
  f.record(20);
  const ScopeKey scope = f.find("Island::solve");
  f.instances.begin(f.capture, scope, {f.all().begin_ns, f.frame(19).end_ns}, true);
  f.read_all();
  CHECK(!f.instances.reading());
  CHECK(f.instances.count() == 30);
  CHECK(!f.instances.complete());
  int64_t oldest = INT64_MAX;
  for (uint32_t i = 0; i < 30; ++i) oldest = std::min(oldest, f.instances[i].begin_ns);
  CHECK(oldest >= f.frame(12).begin_ns);  // 30 calls are the newest seven and a half frames
  f.record(5);
  f.instances.extend(f.frame(24).end_ns);
  f.read_all();
  CHECK(f.instances.count() == 30);
  oldest = INT64_MAX;
  for (uint32_t i = 0; i < 30; ++i) oldest = std::min(oldest, f.instances[i].begin_ns);
  CHECK(oldest >= f.frame(17).begin_ns);
}

TEST_CASE("overlay scope: a piece with more spans than the memory is read in parts") {
  RecordedGame::Options options = small_game();
  options.details = 1000;
  Fixture f(20000, FLAMELET_CURSOR_LEAST, options);
  f.record(4);
  f.instances.begin(f.capture, f.find("Contact::solve"), f.all(), false);
  f.read_all();
  CHECK(f.instances.count() == 4 * 4 * 1000);
  // The scope around them lies in many parts, and is one call.
  f.instances.begin(f.capture, f.find("Frame"), f.all(), false);
  f.read_all();
  CHECK(f.instances.count() == 4);
  f.frames.begin(f.capture, f.find("Frame"));
  f.frames.step(&f.scratch, UINT32_MAX, UINT64_MAX);
  flamelet_frame_info info = {};
  REQUIRE(flamelet_capture_frame(f.capture, 2, &info));
  REQUIRE(f.frames.find(info.index) != nullptr);
  CHECK(f.frames.find(info.index)->calls == 1);
  CHECK(f.frames.find(info.index)->time_ns < info.end_ns - info.begin_ns);
  CHECK(f.frames.find(info.index)->time_ns > (info.end_ns - info.begin_ns) * 9 / 10);
}

TEST_CASE_FIXTURE(Fixture, "overlay scope: every call stands in one bar, on both axes, and a range marks its calls") {
  record(10);
  record(2, 6);
  instances.begin(capture, find("Island::solve"), all(), false);
  read_all();
  for (const bool log : {false, true}) {
    CAPTURE(log);
    SummaryChoice choice;
    choice.log_axis = log;
    choice.bars = 40;
    sum_up(choice);
    CHECK(summary.bar_count() == 40);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 40; ++i) sum += summary.bar(i);
    CHECK(sum == summary.figures().count);
    CHECK(summary.axis().at(0) == summary.figures().min_ns);
    CHECK(summary.axis().at(1) == summary.figures().max_ns);
    CHECK(summary.axis().share_of(summary.axis().at(0.25)) == doctest::Approx(0.25).epsilon(0.01));
    // The slow frames' calls.
    choice.chosen = {summary.axis().at(0.5), summary.figures().max_ns};
    marked.clear();
    sum_up(choice);
    CHECK(summary.chosen_count() == 8);
    CHECK(marked.size() == 8);
    for (const int64_t begin : marked) CHECK(begin >= frame(10).begin_ns);
  }
}

TEST_CASE("overlay scope: one duration has one bar; nothing has none") {
  DurationAxis axis(500, 500, true);
  CHECK(axis.share_of(500) == 0.5);
  CHECK(axis.at(0.7) == 500);
  Fixture f;
  f.record(2);
  f.instances.begin(f.capture, {12345, 12345}, f.all(), false);
  f.read_all();
  f.sum_up(SummaryChoice());
  CHECK(f.summary.figures().count == 0);
  CHECK(f.summary.figures().p999_ns == 0);
  CHECK(f.summary.groups().count() == 0);
}

TEST_CASE("overlay scope: percentiles of many calls are within 0.4 percent") {
  Fixture f(60000);
  f.record(40);
  f.record(300);
  f.instances.begin(f.capture, f.find("Contact::solve"), f.all(), false);
  f.read_all(1000000);
  REQUIRE(f.instances.count() > ScopeSummary::kExact);
  f.sum_up(SummaryChoice());
  const std::vector<int64_t> sorted = f.durations();
  const ScopeFigures& figures = f.summary.figures();
  const auto near = [](int64_t about, int64_t exact) { return std::abs(about - exact) * 1000 <= exact * 4; };
  CHECK(near(figures.median_ns, nearest_rank(sorted, 50)));
  CHECK(near(figures.p95_ns, nearest_rank(sorted, 95)));
  CHECK(near(figures.p99_ns, nearest_rank(sorted, 99)));
  CHECK(near(figures.p999_ns, nearest_rank(sorted, 99.9)));
  CHECK(figures.min_ns == sorted.front());
  CHECK(figures.max_ns == sorted.back());
}

TEST_CASE_FIXTURE(Fixture, "overlay scope: its time in each frame, the newest first, and new frames as they come") {
  record(20);
  const ScopeKey scope = find("Physics::step");
  frames.begin(capture, scope);
  frames.step(&scratch, 1, UINT64_MAX);
  CHECK(frames.reading());
  flamelet_frame_info newest = {}, oldest = {};
  REQUIRE(flamelet_capture_frame(capture, 19, &newest));
  REQUIRE(flamelet_capture_frame(capture, 0, &oldest));
  CHECK(frames.find(newest.index) != nullptr);
  CHECK(frames.find(oldest.index) == nullptr);
  for (int i = 0; frames.reading() && i < 100; ++i) frames.step(&scratch, 1, UINT64_MAX);
  CHECK(!frames.reading());
  for (size_t i = 0; i < 20; ++i) {
    flamelet_frame_info info = {};
    REQUIRE(flamelet_capture_frame(capture, i, &info));
    const ScopeFrame* frame = frames.find(info.index);
    REQUIRE(frame != nullptr);
    CHECK(frame->calls == 1);
    int64_t expected = 0;
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
      for (const flamelet_span& span : read(lane, {info.begin_ns, info.end_ns}))
        if (key_of(span) == scope) expected += span.end_ns - span.begin_ns;
    CHECK(expected > 1000000);
    CHECK(frame->time_ns == expected);
  }
  record(3);
  frames.step(&scratch, 100000, UINT64_MAX);
  REQUIRE(flamelet_capture_frame(capture, 22, &newest));
  CHECK(frames.find(newest.index) != nullptr);
  // Frames whose GPU work is still on its way are waited for, but not for ever.
  record(2);
  frames.step(&scratch, 100000, newest.index + 1);
  CHECK(frames.find(newest.index + 1) != nullptr);
  CHECK(frames.find(newest.index + 2) == nullptr);
  record(20);
  frames.step(&scratch, 100000, newest.index + 1);
  CHECK(frames.find(newest.index + 22) != nullptr);
}

TEST_CASE("overlay scope: of nested calls of one scope the outermost counts in a frame's time, and each is a call") {
  Fixture f;
  f.record(3);
  const flamelet_id outer = flamelet_begin("Walk", "", nullptr);
  thread_now_ns += 1000;
  const flamelet_id inner = flamelet_begin("Walk", "", nullptr);
  thread_now_ns += 5000;
  flamelet_end(inner);
  thread_now_ns += 1000;
  flamelet_end(outer);
  flamelet_frame();
  f.capture.update();
  f.frames.begin(f.capture, f.find("Walk"));
  f.frames.step(&f.scratch, UINT32_MAX, UINT64_MAX);
  flamelet_frame_info newest = {};
  REQUIRE(flamelet_capture_frame(f.capture, flamelet_capture_frame_count(f.capture) - 1, &newest));
  REQUIRE(f.frames.find(newest.index) != nullptr);
  CHECK(f.frames.find(newest.index)->time_ns == 7000);
  CHECK(f.frames.find(newest.index)->calls == 2);
}

namespace {

// The figures of the calls of a range, read in pieces of few spans.
ScopeFigures figures_of(const flamelet_capture* capture, const char* name, TimeWindow range, bool on_gpu) {
  std::vector<char> memory(size_t{16} << 20);
  Carver carver(memory.data());
  ScopeInstances instances;
  ScopeSummary summary;
  Array<flamelet_span> scratch;
  instances.carve(&carver, 1000);
  summary.carve(&carver);
  carver.take(&scratch, 20000);
  ScopeKey key;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    size_t count = 0;
    flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, scratch.data, scratch.capacity, &count);
    for (size_t i = 0; i < count; ++i) {
      const flamelet_string text = flamelet_capture_string(capture, scratch.data[i].name);
      if (std::string_view(text.text, text.size) == name) key = key_of(scratch.data[i]);
    }
  }
  instances.begin(capture, key, range, false, CallChoice(), on_gpu);
  while (instances.reading()) instances.step(&scratch, 1);
  summary.begin(SummaryChoice(), instances);
  while (!summary.step(
      instances, 1000, [](const ScopeInstance&) {}, [](const ScopeInstance&, flamelet_state_times*) { return false; }))
    continue;
  return summary.figures();
}

}  // namespace

TEST_CASE("overlay scope: of nested calls of one scope the outermost make up the total, and each is a call") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main"), site = building.site("Walk");
  building.begin(lane, 1000000, site);
  building.begin(lane, 2000000, site);
  building.end(lane, 4000000);
  building.end(lane, 5000000);
  const ScopeFigures figures = figures_of(building.finish(), "Walk", {0, 6000000}, false);
  CHECK(figures.count == 2);
  CHECK(figures.total_ns == 4000000);
  CHECK(figures.mean_ns == 3000000);
  CHECK(figures.max_ns == 4000000);
}

TEST_CASE("overlay scope: a span that overlaps another in part counts until that one ends, whatever the pieces") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_GPU, "GPU"), site = building.site("Blur");
  building.span(lane, 0, 10000000, site);
  building.span(lane, 5000000, 15000000, site);
  building.span(lane, 30000000, 31000000, site);
  const ScopeFigures figures = figures_of(building.finish(), "Blur", {0, 20000000}, true);
  CHECK(figures.count == 2);
  CHECK(figures.total_ns == 10000000);
  CHECK(figures.median_ns == 5000000);
  CHECK(figures.max_ns == 10000000);
}

TEST_CASE("overlay scope: the pieces of a fiber's call are one call, as long as they are together") {
  recorder_test::TickingRecording recording;
  const uint32_t fiber = flamelet_fiber_create("Job");
  flamelet_id job = 0;
  const auto run = [&](bool is_first, bool is_last) {
    recording.clock.ticks += 10000000;
    flamelet_fiber_switch(0, fiber);
    if (is_first) job = flamelet_begin("Job", "", nullptr);
    recording.clock.ticks += 1000000;
    if (is_last) flamelet_end(job);
    flamelet_fiber_switch(fiber, 0);
  };
  for (int call = 0; call < 3; ++call) {
    run(true, false);
    run(false, false);
    run(false, true);
  }
  recorder_test::Capture capture{flamelet_capture_config_default()};
  capture.update();
  TimeWindow range;
  flamelet_capture_extent(capture, &range.begin_ns, &range.end_ns);
  const ScopeFigures figures = figures_of(capture, "Job", range, false);
  CHECK(figures.count == 3);
  CHECK(figures.total_ns > 3 * 3000000);
  CHECK(figures.total_ns < 3 * 3100000);
  CHECK(figures.min_ns > 3000000);
  CHECK(figures.max_ns < 3100000);
}

}  // namespace scope_summary_test

// ---- The sums of a scope's time in each frame: the same as summed up from the beginning, for little work ----------

namespace {

constexpr uint32_t kHeldFrames = 512;

// A recorder whose frames have one scope each, of times that go up and down, and a capture that holds the newest frames.
struct Frames {
  Frames() : recording(config()), capture(capture_config()), memory(size_t{1} << 20) {
    Carver carver(memory.data());
    frames.carve(&carver, kHeldFrames);
    graph.carve(&carver);
    carver.take(&scratch, 4096);
    REQUIRE(carver.used() <= memory.size());
    frames.clear();
    graph.clear();
  }
  static flamelet_config config() { return with_thread_clock(flamelet_config_default(), 1000); }
  static flamelet_capture_config capture_config() {
    flamelet_capture_config config = small_capture_config();
    config.max_frames = kHeldFrames;
    return config;
  }
  void record(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      const flamelet_id id = flamelet_begin("Step", "", nullptr);
      random = random * 6364136223846793005u + 1442695040888963407u;
      thread_now_ns += 1000 + (random >> 40) % 5000;
      flamelet_end(id);
      thread_now_ns += 100;
      flamelet_frame();
    }
    capture.update();
  }
  void begin() {
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
      for (const flamelet_span& span : capture.spans(lane))
        if (capture.string(span.name) == "Step") return frames.begin(capture, key_of(span));
    FAIL("no such scope");
  }
  void read(uint32_t zones = UINT32_MAX) { frames.step(&scratch, zones, UINT64_MAX); }
  uint64_t oldest_held() const {
    flamelet_frame_info oldest = {};
    flamelet_capture_frame(capture, 0, &oldest);
    return oldest.index;
  }
  void update(uint32_t most) { graph.update(frames, oldest_held(), most); }
  // Each bar against the frames that it stands for, and all frames against the bars.
  void check() const {
    uint64_t next = std::max(oldest_held(), frames.oldest());
    uint32_t count = 0;
    int64_t longest_ns = 1;
    for (uint32_t i = 0; i < graph.bars().count; ++i) {
      const FrameSum& sum = graph.bars()[i];
      CHECK(sum.first == next);
      int64_t longest = -1;
      uint32_t mark = 0;
      for (uint64_t index = sum.first; index <= sum.last; ++index) {
        REQUIRE(frames.find(index) != nullptr);
        longest = std::max(longest, frames.find(index)->time_ns);
        mark = std::max(mark, frames.find(index)->mark);
      }
      CHECK(sum.longest_ns == longest);
      CHECK(frames.find(sum.longest)->time_ns == longest);
      CHECK(sum.count == sum.last - sum.first + 1);
      CHECK(graph.newest_mark(i) == mark);
      next = sum.last + 1;
      count += sum.count;
      longest_ns = std::max(longest_ns, longest);
    }
    CHECK(next == frames.newest() + 1);
    CHECK(graph.frame_count() == count);
    CHECK(graph.longest_ns() == longest_ns);
  }
  void mark(uint64_t index, uint32_t value) {
    CHECK(frames.mark(index, value));
    graph.mark(index, value);
  }

  const Recording recording;
  Capture capture;
  std::vector<char> memory;
  ScopeFrames frames;
  ScopeGraph graph;
  Array<flamelet_span> scratch;
  uint64_t random = 1;
};

}  // namespace

TEST_CASE("overlay scope graph: bars hold every frame while frames are read, come and go, and the room changes") {
  Frames f;
  f.record(300);
  f.begin();
  uint64_t step = 7;
  for (uint32_t i = 0; i < 400; ++i) {
    step = step * 2862933555777941757u + 3037000493u;
    f.read(1 + static_cast<uint32_t>(step >> 33) % 400);
    const uint32_t most = i % 90 == 0 ? 7 : i % 90 < 30 ? 40 : i % 90 < 60 ? 200 : 1000;
    f.update(most);
    CAPTURE(i);
    f.check();
    CHECK(f.graph.bars().count <= most + 1);
    f.mark(f.frames.newest() - i % 3, i + 1);
    f.update(most);
    f.check();
    if (i % 3 != 0) f.record(1 + static_cast<uint32_t>(step >> 40) % 4);
  }
  CHECK(f.oldest_held() > 0);
}

TEST_CASE("overlay scope graph: a picture of what has not changed looks at no frame, and a live one at the new ones") {
  Frames f;
  f.record(kHeldFrames + 20);
  f.begin();
  f.read();
  f.update(100);
  const uint64_t all = f.graph.frames_looked_at();
  CHECK(all == kHeldFrames);
  for (int i = 0; i < 50; ++i) f.update(100);
  CHECK(f.graph.frames_looked_at() == all);
  // Each update takes one new frame, and looks at one bar's frames anew where the longest of the oldest bar went.
  constexpr int kMore = 400;
  for (int i = 0; i < kMore; ++i) {
    f.record(1);
    f.read();
    f.update(100);
  }
  f.check();
  CHECK(f.graph.frames_looked_at() - all >= kMore);
  CHECK(f.graph.frames_looked_at() - all < kMore * 4);  // a walk of all would be kMore * kHeldFrames
}

TEST_CASE_FIXTURE(Frames, "overlay scope graph: another scope begins anew, and no frames have no bars") {
  update(10);
  CHECK(graph.bars().count == 0);
  CHECK(graph.longest_ns() == 1);
  record(20);
  begin();
  read();
  update(10);
  CHECK(graph.frame_count() == 20);
  frames.begin(capture, {12345, 12345});
  update(10);
  CHECK(graph.bars().count == 0);
  read();
  update(10);
  check();
  CHECK(graph.longest_ns() == 1);
}

TEST_CASE("overlay scope graph: what it takes does not depend on the number of frames") {
  Carver carver(nullptr);
  ScopeGraph graph;
  graph.carve(&carver);
  CHECK(carver.used() < 128 * 1024);
}

// ---- Scope histograms ---------------------------------------------------------------------------------------------

TEST_CASE("overlay histograms: bins are half octaves, each begins where the one before ends") {
  CHECK(bin_of(-5) == 0);
  CHECK(bin_of(63) == 0);
  CHECK(bin_of(64) == 1);
  CHECK(bin_of(95) == 1);
  CHECK(bin_of(96) == 2);
  CHECK(bin_of(128) == 3);
  CHECK(bin_of(INT64_MAX) == ScopeHistogram::kBins - 1);
  for (uint32_t bin = 1; bin < ScopeHistogram::kBins; ++bin) {
    CAPTURE(bin);
    CHECK(bin_of(bin_begin_ns(bin)) == bin);
    CHECK(bin_of(bin_begin_ns(bin) - 1) == bin - 1);
  }
}

TEST_CASE("overlay histograms: calls are counted by name and side; names without room are counted") {
  ScopeHistograms histograms;
  std::vector<char> memory;
  Carver measure(nullptr);
  histograms.carve(&measure, 16);
  memory.resize(measure.used());
  Carver carver(memory.data());
  histograms.carve(&carver, 16);
  histograms.add(0, "a", 100);
  histograms.add(0, "a", 100);
  histograms.add(1, "a", 5000);
  REQUIRE(histograms.find("a") != nullptr);
  CHECK(histograms.find("a")->calls[0][bin_of(100)] == 2);
  CHECK(histograms.find("a")->calls[1][bin_of(100)] == 0);
  CHECK(histograms.find("a")->calls[1][bin_of(5000)] == 1);
  CHECK(histograms.find("b") == nullptr);
  for (int i = 0; i < 100; ++i) histograms.add(0, "scope " + std::to_string(i), 100);
  CHECK(histograms.left_out() > 0);
  CHECK(histograms.left_out() <= 100 - 15);
  histograms.clear();
  CHECK(histograms.find("a") == nullptr);
  CHECK(histograms.left_out() == 0);
}
