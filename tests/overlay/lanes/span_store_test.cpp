// SPDX-License-Identifier: MIT
#include "lanes/span_store.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "counters/counter_table.h"
#include "flamelet/capture_builder.h"
#include "lanes/lane_rows.h"
#include "lanes/lanes_page.h"
#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/played_game.h"
#include "overlay/recorded_game.h"
#include "overlay/span_trees.h"
#include "shell/overlay_state.h"
#include "support/building.h"
#include "support/capture.h"

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace span_store_test {

namespace {

struct Fixture {
  explicit Fixture(uint32_t max_spans = 100000, uint32_t max_lanes = 16)
      : game(RecordedGame::Options{}), memory(size_t{32} << 20) {
    game.frames(12);
    update();
    Carver carver(memory.data());
    store.carve(&carver, max_spans, max_lanes);
    REQUIRE(carver.used() <= memory.size());
  }
  void update() { capture.update(); }
  TimeWindow all() const {
    TimeWindow window;
    flamelet_capture_extent(capture, &window.begin_ns, &window.end_ns);
    ++window.end_ns;
    return window;
  }
  RecordedGame game;
  std::vector<char> memory;
  recorder_test::Capture capture{flamelet_capture_config_default()};
  SpanStore store;
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "overlay spans: all lanes are read, threads first and the GPU behind them") {
  store.read(capture, all());
  REQUIRE(store.lanes().count == 4);
  const char* names[] = {"Main", "Worker 0", "Worker 1", "GPU"};
  for (uint32_t i = 0; i < 4; ++i) {
    CHECK(store.lanes()[i].name == names[i]);
    CHECK(store.lanes()[i].rows.span_count > 0);
    CHECK(store.lanes()[i].left_out == 0);
  }
  CHECK(store.lanes()[0].instant_count == 12);
  CHECK(store.covers({all().begin_ns + 5, all().end_ns - 5}));
  CHECK_FALSE(store.covers({all().begin_ns - 1, all().end_ns}));
}

TEST_CASE_FIXTURE(Fixture, "overlay spans: what the user did to a lane outlives the next read") {
  store.read(capture, all());
  store.lanes()[1].folded = true;
  store.lanes()[3].hidden = true;
  game.frames(3);
  update();
  store.read(capture, all());
  CHECK(store.lanes()[1].folded);
  CHECK_FALSE(store.lanes()[2].folded);
  CHECK(store.lanes()[3].hidden);
  store.clear(true);
  store.read(capture, all());
  CHECK_FALSE(store.lanes()[1].folded);
}

TEST_CASE("overlay spans: too many for the memory are shared among the lanes and counted") {
  Fixture whole;
  whole.store.read(whole.capture, whole.all());
  const uint32_t found = whole.store.span_count();
  uint32_t of_lane[4];
  for (uint32_t i = 0; i < 4; ++i) of_lane[i] = whole.store.lanes()[i].rows.span_count;

  const uint32_t room = found / 3;
  std::vector<char> memory(size_t{8} << 20);
  Carver carver(memory.data());
  SpanStore store;
  store.carve(&carver, room, 16);
  recorder_test::Capture capture(flamelet_capture_config_default(), recorder_test::Captured::kNow);
  store.read(capture, {0, INT64_MAX / 2});
  CHECK(store.span_count() <= room);
  CHECK(store.span_count() + store.left_out() == found);
  for (uint32_t i = 0; i < 4; ++i) {
    const Lane& lane = store.lanes()[i];
    CHECK(lane.rows.span_count + lane.left_out == of_lane[i]);
    CHECK(lane.rows.span_count == doctest::Approx(of_lane[i] / 3.0).epsilon(0.1));
  }
}

TEST_CASE("overlay spans: of more lanes than the table holds, those with spans in the window are read, or counted") {
  Fixture f(100000, 2);
  f.store.read(f.capture, f.all());
  CHECK(f.store.lanes().count == 2);
  CHECK(f.store.lanes_left_out() == 2);
  // A time at which just two lanes, and not the first two, have a span.
  REQUIRE(flamelet_capture_lane_count(f.capture) == 4);
  const auto busy = [&](size_t lane, int64_t at_ns) {
    return flamelet_capture_count_spans(f.capture, lane, at_ns, at_ns + 1) != 0;
  };
  size_t gpu = 0;
  flamelet_lane_info info;
  while (flamelet_capture_lane(f.capture, gpu, &info) && info.kind != FLAMELET_LANE_GPU) ++gpu;
  int64_t at_ns = f.all().begin_ns;
  const auto busy_lanes = [&] { return busy(0, at_ns) + busy(1, at_ns) + busy(2, at_ns) + busy(3, at_ns); };
  while (at_ns < f.all().end_ns && !(busy_lanes() == 2 && busy(gpu, at_ns))) at_ns += 10000;
  f.store.read(f.capture, {at_ns, at_ns + 1});
  REQUIRE(f.store.lanes().count == 2);
  CHECK(f.store.lanes()[1].name == "GPU");
  CHECK(f.store.lanes_left_out() == 0);
}

TEST_CASE_FIXTURE(Fixture, "overlay spans: the filter's matches of a subtree are known without walking it") {
  store.read(capture, all());
  store.find_filter_matches([](const LaneSpan& span) { return span.depth == 2; });
  for (const Lane& lane : store.lanes()) {
    uint32_t expected = 0;
    for (uint32_t i = 0; i < lane.rows.span_count; ++i) expected += lane.rows.spans[i].depth == 2;
    CHECK(lane.matches.before_span(lane.rows.span_count) == expected);
  }
}

}  // namespace span_store_test

// ---- Span neighbors -----------------------------------------------------------------------------------------------

namespace {

// a(0-100) { b(10-30) { c(12-14) }  d(40-90) { e(41-42)  f(50-80) } }  g(200-300)
struct Walked {
  Walked() {
    add(0, 100, 0, 6, 1);
    add(10, 30, 1, 3, 2);
    add(12, 14, 2, 3, 3);
    add(40, 90, 1, 6, 4);
    add(41, 42, 2, 5, 5);
    add(50, 80, 2, 6, 6);
    add(200, 300, 0, 7, 7);
    rows.build(spans);
    lane = rows.lane;
  }
  void add(int64_t begin_ns, int64_t end_ns, uint16_t depth, uint32_t subtree_end, uint32_t name) {
    flamelet_span span = {};
    span.begin_ns = begin_ns;
    span.end_ns = end_ns;
    span.depth = depth;
    span.subtree_end = subtree_end;
    span.name = name;
    spans.push_back(span);
  }
  std::vector<flamelet_span> spans;
  flamelet_tests::BuiltRows rows;
  LaneRows lane;
};

}  // namespace

TEST_CASE_FIXTURE(Walked, "span neighbours: parents, longest children, and neighbours on a row") {
  const uint32_t none = lane.span_count;
  CHECK(parent_of(lane, 0) == none);
  CHECK(parent_of(lane, 3) == 0);
  CHECK(parent_of(lane, 5) == 3);
  CHECK(parent_of(lane, 2) == 1);
  CHECK(longest_child(lane, 0) == 3);
  CHECK(longest_child(lane, 3) == 5);
  CHECK(longest_child(lane, 6) == none);
  CHECK(along_row(lane, 2, 1) == 4);  // a cousin
  CHECK(along_row(lane, 5, -1) == 4);
  CHECK(along_row(lane, 5, 1) == none);
  CHECK(along_row(lane, 0, 1) == 6);
  CHECK(along_row(lane, 0, -1) == none);
}

bool any_span(const LaneSpan&) {
  return true;
}

TEST_CASE_FIXTURE(Walked, "span neighbours: a span is found again by its times, and the outermost one by a time") {
  for (uint32_t i = 0; i < lane.span_count; ++i) CHECK(find_same_span(lane, spans[i]) == i);
  flamelet_span other = spans[2];
  other.end_ns += 1;
  CHECK(find_same_span(lane, other) == lane.span_count);
  other.depth = 9;
  CHECK(find_same_span(lane, other) == lane.span_count);
  CHECK(nearest_root(lane, -5) == 0);
  CHECK(nearest_root(lane, 50) == 0);
  CHECK(nearest_root(lane, 120) == 0);
  CHECK(nearest_root(lane, 180) == 6);
  CHECK(nearest_root(lane, 900) == 6);
  CHECK(nearest_root(LaneRows(), 0) == 0);
  CHECK(longest_in(lane, {0, 1000}, any_span) == 0);
  CHECK(longest_in(lane, {150, 1000}, any_span) == 6);
  CHECK(longest_in(lane, {120, 150}, any_span) == lane.span_count);
}

TEST_CASE("span neighbours: the longest in a window lies mostly in it, and only without one reaches into it") {
  const Walked w;
  CHECK(longest_in(w.lane, {1, 200}, any_span) == 0);
  CHECK(longest_in(w.lane, {45, 75}, any_span) == 3);
  CHECK(longest_in(w.lane, {55, 75}, any_span) == 5);
  CHECK(longest_in(w.lane, {60, 70}, any_span) == 0);
}

// ---- Lane choices --------------------------------------------------------------------------------------------------

namespace lane_choices_test {

namespace {

struct Lanes {
  explicit Lanes(const std::vector<std::string>& texts) : names(texts), storage(texts.size()) {
    lanes.data = storage.data();
    lanes.count = lanes.capacity = static_cast<uint32_t>(storage.size());
    for (uint32_t i = 0; i < lanes.count; ++i) {
      storage[i].name = names[i];
      storage[i].id = i + 1;
      storage[i].height = 10;
    }
  }
  std::string order() const {
    std::string all;
    for (const Lane& lane : storage) all += std::string(lane.name) + ' ';
    return all;
  }
  uint32_t at(const std::string& name) const {
    uint32_t i = 0;
    while (storage[i].name != name) ++i;
    return i;
  }
  std::vector<std::string> names;
  std::vector<Lane> storage;
  Array<Lane> lanes;
};

std::string text_of(const LaneChoices& choices) {
  static char text[32768];
  TextWriter writer(text, sizeof text);
  choices.write(&writer);
  return text;
}

}  // namespace

TEST_CASE("lane choices: a lane changes places with the next shown one, and lanes of its name go with it") {
  Lanes l({"Main", "job", "job", "Audio", "Net"});
  LaneChoices choices;
  CHECK(choices.move(&l.lanes, 3, -1));
  CHECK(l.order() == "Main Audio job job Net ");
  CHECK_FALSE(choices.move(&l.lanes, 0, -1));
  l.storage[l.at("Audio")].height = 0;  // not shown: it is passed
  CHECK(choices.move(&l.lanes, 0, 1));
  CHECK(l.order() == "job job Audio Main Net ");
  CHECK(choices.move(&l.lanes, l.at("Net"), -1));
  CHECK(l.order() == "job job Audio Net Main ");
}

TEST_CASE("lane choices: pinned lanes stand at the top, hidden ones are hidden, and all of it is read back from text") {
  Lanes l({"Main", "job", "Audio, 2", "Net"});
  LaneChoices choices;
  choices.of("Net")->pinned = true;
  choices.of("job")->hidden = true;
  choices.of("Audio, 2")->color = 5;
  choices.arrange(&l.lanes);
  CHECK(l.order() == "Net Main job Audio, 2 ");
  CHECK(choices.move(&l.lanes, l.at("Audio, 2"), -1));
  CHECK(l.order() == "Net Main Audio, 2 job ");
  CHECK_FALSE(choices.move(&l.lanes, l.at("Main"), -1));  // not past one that is pinned

  LaneChoices again;
  const std::string text = text_of(choices);
  for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    CHECK(again.read(text.substr(begin + 5, text.find('\n', begin) - begin - 5)));
  CHECK(text_of(again) == text);
  Lanes other({"job", "Main", "Net", "Audio, 2"});
  again.arrange(&other.lanes);
  CHECK(other.order() == "Net Main Audio, 2 job ");
  CHECK(other.storage[3].hidden);
  CHECK(other.storage[2].color == 5);
  CHECK(other.storage[0].pinned);
  again.show_all();
  again.arrange(&other.lanes);
  CHECK_FALSE(other.storage[3].hidden);
}

TEST_CASE("lane choices: nonsense is refused, and there is an end to what is kept") {
  LaneChoices choices;
  for (const char* text :
       {"", "1", "1,2", "1,2,3", "70000,0,0,a", "1,9,0,a", "1,0,99,a", "-1,0,0,a", "1,0,0,", "x,0,0,a"})
    CHECK_FALSE(choices.read(text));
  CHECK_FALSE(choices.read("1,0,0," + std::string(64, 'a')));
  CHECK(text_of(choices).empty());
  for (uint32_t i = 0; i < LaneChoices::kMost; ++i) CHECK(choices.of("lane " + std::to_string(i)) != nullptr);
  CHECK(choices.of("one more") == nullptr);
  CHECK(choices.of("lane 7") != nullptr);
  Lanes l({"one more", "lane 1"});
  choices.of("lane 1")->order = 7;
  CHECK_FALSE(choices.move(&l.lanes, 0, 1));
  CHECK(l.order() == "one more lane 1 ");
  CHECK(choices.of("lane 1")->order == 7);
}

TEST_CASE("lane choices: a name that text cannot keep is not chosen, neither of a lane nor of a counter") {
  LaneChoices lanes;
  CounterChoices counters;
  for (const std::string_view name : {std::string_view("a\0b", 3), std::string_view("a\nb"), std::string_view()}) {
    CHECK(lanes.of(name) == nullptr);
    CHECK_FALSE(CounterChoices::takes(name));
    CHECK_FALSE(counters.set(name, 1));
  }
  CHECK(counters.room() == CounterChoices::kMost);
  CHECK(counters.set("load [%]", 1));
  CHECK(counters.group_of("load [%]") == 1);
}

}  // namespace lane_choices_test

// ---- Lanes in the user's order, merged by name, and folded when they are quiet ------------------------------------

namespace lane_places_test {

namespace {

constexpr int64_t kMs = 1000000;

// A capture with one span on each lane, and two frames: of 100 ms, and of 5 s; or with so many of a millisecond each. It is
// shown from its first frame on.
struct Built {
  struct Line {
    const char* name;
    int64_t begin_ms, end_ms;
  };
  explicit Built(const std::vector<Line>& lines, uint64_t short_frames = 0) {
    const uint32_t site = building.site("work");
    for (const Line& line : lines) {
      const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, line.name);
      building.begin(lane, line.begin_ms * kMs, site);
      building.end(lane, line.end_ms * kMs);
    }
    const auto frame = [this](uint64_t index, int64_t begin_ms, int64_t end_ms) {
      building.frame(index, begin_ms * kMs, end_ms * kMs);
    };
    for (uint64_t i = 0; i < short_frames; ++i) frame(i, static_cast<int64_t>(i), static_cast<int64_t>(i + 1));
    if (short_frames == 0) frame(0, 0, 100), frame(1, 100, 5100);
    player.frames(2);
    flamelet::overlay_show_capture(player.overlay, building.finish(), "built");
    show(0);
  }
  void show(uint64_t frame) {
    REQUIRE(flamelet::overlay_select_frames(player.overlay, frame, frame));
    player.frames(4);
  }
  void zoom(int64_t begin_ms, int64_t end_ms) {
    player.overlay->timeline.set_view({static_cast<double>(begin_ms * kMs), static_cast<double>(end_ms * kMs)}, false);
    player.frames(4);
  }
  void set(const char* setting) { player.load_settings(setting); }

  recorder_test::Building building;
  OverlayPlayer player;
};

}  // namespace

TEST_CASE("lane places: lanes of one name that do not overlap share a row, and every scope is still counted") {
  Built b({{"Main", 0, 100}, {"job", 0, 20}, {"job", 30, 40}, {"job", 35, 60}, {"job", 70, 90}, {"job", 5, 8}});
  CHECK(b.player.number("lane_rows") == 6);
  CHECK(b.player.number("zones_in_view") == 6);
  b.set("merge_lanes=1");
  // 0-20, 30-40, 70-90 | 35-60 | 5-8, behind lanes that begin later
  CHECK(b.player.number("lane_rows") == 4);
  CHECK(b.player.number("zones_in_view") == 6);
  CHECK(b.player.number("zones_drawn") + b.player.number("zones_merged") == 6);
  CHECK(HeadlessImGui::vertices_sane());
  // The mouse finds the scopes of all lanes of a row.
  const float y = static_cast<float>(b.player.number("canvas_top_px") + 3 + 1.5 * b.player.number("row_height_px") + 6);
  const auto x = [&](double share) {
    return floorf(static_cast<float>(b.player.number("canvas_left_px") + share * b.player.number("canvas_width_px")));
  };
  for (const double at : {0.1, 0.35, 0.8}) {
    b.player.move(x(at), y);
    CHECK(b.player.state("hovered_name") == "\"work\"");
  }
  b.player.move(x(0.25), y);
  CHECK(b.player.state("hovered_name") == "null");
}

TEST_CASE("lane places: the second lane of a queue stands beside the first, whatever came between them") {
  recorder_test::Building building;
  for (const char* name : {"graphics", "async compute", "graphics, 2", "async compute, 2"})
    building.span(building.lane(FLAMELET_LANE_GPU, name), 0, kMs, building.site("pass"));
  building.frame(0, 0, kMs);
  OverlayPlayer player;
  flamelet::overlay_show_capture(player.overlay, building.finish(), "built");
  player.frames(4);
  std::string names;
  for (const flamelet::ui::Lane& lane : player.overlay->store.lanes()) names += std::string(lane.name) + "; ";
  CHECK(names == "graphics; graphics, 2; async compute; async compute, 2; ");
}

TEST_CASE("lane places: lanes that have been silent for a second are one line, which opens") {
  std::vector<Built::Line> lines = {{"Main", 0, 5100}};
  for (int i = 0; i < 6; ++i) lines.push_back({"loader", 10 * i, 10 * i + 5});
  Built b(lines);
  CHECK(b.player.number("quiet_lanes") == 0);
  CHECK(b.player.number("lane_rows") == 7);
  b.zoom(200, 300);
  CHECK(b.player.number("quiet_lanes") == 0);  // not for long enough
  b.zoom(3000, 3100);
  CHECK(b.player.number("quiet_lanes") == 6);
  CHECK(b.player.number("lane_rows") == 1);
  b.player.move(60, static_cast<float>(b.player.number("quiet_y_px")) + 6);
  b.player.click();
  CHECK(b.player.number("lane_rows") == 7);
  b.player.settle();
  b.player.move(60, static_cast<float>(b.player.number("quiet_y_px")) + 6);
  b.player.click();
  CHECK(b.player.number("lane_rows") == 1);
  b.set("fold_quiet=0");
  CHECK(b.player.number("lane_rows") == 7);
  b.set("fold_quiet=1");
  b.zoom(0, 100);
  CHECK(b.player.number("lane_rows") == 7);
}

TEST_CASE("lane places: of many short threads those in view are shown, also in a file that is shorter than a second") {
  std::vector<Built::Line> lines = {{"Main", 0, 40}};
  for (int frame = 0; frame < 40; ++frame)
    for (int i = 0; i < 6; ++i) lines.push_back({"job", frame, frame + 1});
  Built b(lines, 40);
  b.show(20);
  CHECK(b.player.number("lane_rows") == 7);
  CHECK(b.player.number("quiet_lanes") >= 6);
  b.show(22);
  CHECK(b.player.number("lane_rows") == 13);  // those of frame 20 may go on
  b.show(24);
  CHECK(b.player.number("lane_rows") == 13);
}

TEST_CASE("lane places: order, pins and hidden lanes hold in the settings, for lanes of these names") {
  Built b({{"Main", 0, 100}, {"Audio", 0, 100}, {"Net", 0, 100}});
  const auto first_lane = [](const Built& built) { return built.player.state("lane"); };
  CHECK(first_lane(b) == "\"Main\"");
  b.set("lane=0,2,0,Net\nlane=0,1,0,Audio\n");
  CHECK(first_lane(b) == "\"Net\"");
  CHECK(b.player.number("lane_rows") == 2);
  std::string text(flamelet::overlay_save_settings(b.player.overlay, nullptr, 0) + 1, '\0');
  flamelet::overlay_save_settings(b.player.overlay, text.data(), text.size());
  CHECK(text.find("lane=0,2,0,Net\n") != std::string::npos);
  CHECK(text.find("lane=0,1,0,Audio\n") != std::string::npos);
  press_chord(&b.player, {flamelet::ui::key_of('z')});
  b.player.frames(3);
  CHECK(b.player.number("lane_rows") == 3);
}

TEST_CASE("lane places: pinned lanes stay at the top while the others scroll below them") {
  std::vector<Built::Line> lines = {{"Main", 0, 100}, {"Net", 0, 50}};
  std::string names[60];
  for (int i = 0; i < 60; ++i) {
    names[i] = "Worker " + std::to_string(i);
    lines.push_back({names[i].c_str(), 60, 100});
  }
  Built b(lines);
  b.set("lane=0,2,0,Net\nlane=0,2,0,Main\n");
  const flamelet::Overlay& o = *b.player.overlay;
  const auto place = [&](const char* name) {
    for (const flamelet::ui::Lane& lane : o.store.lanes())
      if (lane.name == name) return flamelet::ui::lanes_of(o).canvas.y + lane.y;
    return -1.0f;
  };
  const auto point = [&](double share, float y) {
    b.player.move(
        floorf(flamelet::ui::lanes_of(o).canvas.x + static_cast<float>(share) * flamelet::ui::lanes_of(o).canvas.width),
        y);
  };
  const float main = place("Main"), net = place("Net"), worker = place("Worker 0");
  const float inside = static_cast<float>(b.player.number("row_height_px")) / 2;
  CHECK(b.player.number("canvas_commands") == 1);
  point(0.8, worker + inside);
  CHECK(b.player.state("hovered_name") == "\"work\"");
  b.player.move(60, worker);
  b.player.wheel(-2);
  CHECK(place("Main") == main);
  CHECK(place("Net") == net);
  CHECK(place("Worker 0") < worker);
  CHECK(b.player.number("top_px") == main);
  CHECK(b.player.number("canvas_commands") <= 3);
  CHECK(HeadlessImGui::vertices_sane());
  // The mouse finds the pinned lanes there, and what they cover not at all.
  point(0.8, main + inside);
  CHECK(b.player.state("hovered_name") == "\"work\"");
  CHECK(o.store.lanes()[flamelet::ui::lanes_of(o).mouse.hover.lane].name == "Main");
  point(0.8, net + inside);
  CHECK(b.player.state("hovered_name") == "null");
  point(0.2, net + inside);
  CHECK(o.store.lanes()[flamelet::ui::lanes_of(o).mouse.hover.lane].name == "Net");
  // More than two thirds of the window: the rest scrolls.
  std::string all;
  for (const std::string& name : names) all += "lane=0,2,0," + name + "\n";
  b.set(all.c_str());
  uint32_t staying = 0;
  for (const flamelet::ui::Lane& lane : o.store.lanes()) staying += lane.stays;
  CHECK(staying > 2);
  CHECK(staying < 62);
  CHECK(flamelet::ui::lanes_of(o).canvas.covered <=
        (flamelet::ui::lanes_of(o).canvas.bottom - flamelet::ui::lanes_of(o).canvas.top) * 0.67f);
}

TEST_CASE_FIXTURE(flamelet::ui::Lane, "lane places: an arrow to a lane that pinned ones cover ends at their edge") {
  y = 40;
  CHECK(place(10) == 50);
  covered_to = 100;
  CHECK(place(10) == 100);
  CHECK(place(80) == 120);
}

TEST_CASE("lane places: the ruler numbers frames all along a view of hundreds") {
  Built b({{"Main", 0, 400}}, 400);
  REQUIRE(flamelet::overlay_select_frames(b.player.overlay, 0, 399));
  b.player.frames(4);
  // The view has 1,132 pixels. Only the first 64 frames were numbered once.
  CHECK(b.player.number("frame_numbers") >= 4);
  CHECK(b.player.number("frame_numbers") <= 20);
  CHECK(b.player.number("last_frame_number_x_px") > 900);
  // The times between them come in even steps.
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  const float y = static_cast<float>(b.player.number("last_frame_number_y_px"));
  const DrawnTexts drawn(0);
  std::vector<float> times;
  for (const DrawnText& text : drawn.texts())
    if (fabsf(text.y0 - y) < 6 && text.x0 >= b.player.number("canvas_left_px") && text.text[0] != '#')
      times.push_back(text.x0);
  REQUIRE(times.size() > 3);
  for (size_t i = 2; i < times.size(); ++i) CHECK(fabsf((times[i] - times[i - 1]) - (times[1] - times[0])) < 6);
}

TEST_CASE("lane places: the label of a row of several lanes stays where it is while the mouse is on it") {
  Built b({{"Main", 0, 100}, {"job", 0, 20}, {"job", 30, 40}, {"Net", 0, 100}});
  b.set("merge_lanes=1");
  REQUIRE(b.player.number("lane_rows") == 3);
  const auto row_y = [&](double row) {
    return static_cast<float>(b.player.number("canvas_top_px") + 3 + row * b.player.number("row_height_px"));
  };
  b.player.drag(60, row_y(1.5), 70, row_y(1.5) - 4);
  b.player.frames(3);
  CHECK(b.player.state("lane") == "\"Main\"");
  b.player.settle();
  b.player.drag(60, row_y(1.5), 60, row_y(0.2));
  b.player.frames(3);
  CHECK(b.player.state("lane") == "\"job\"");
}

}  // namespace lane_places_test
