// SPDX-License-Identifier: MIT
//
// Budgets of scopes: what of a frame counts, and whose it is.
#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "profiler/flight/flight_game.h"
#include "support/read.h"

#include <doctest/doctest.h>

#include "flamelet/budgets.h"
#include "support/comma_locale.h"

using namespace recorder_test;

namespace {

// A scope of some milliseconds.
void work(const char* name, double ms) {
  const flamelet_id id = flamelet_begin(name, "game", nullptr);
  FlightGame::pass(ms);
  flamelet_end(id);
}

void set(FlightGame* game, const char* name, double ms) {
  REQUIRE(flamelet_flight_set_scope_budget(game->flight, name, static_cast<int64_t>(ms * 1e6)) == FLAMELET_OK);
}

}  // namespace

TEST_CASE_FIXTURE(FlightGame, "flight: a scope over its budget triggers, with its name and budget") {
  set(this, "Physics", 4);
  frames(3);
  work("Physics", 4);
  mark();
  CHECK(stats().triggers == 0);
  work("Physics", 2);
  work("AI", 20);
  work("Physics", 2.5);
  mark();
  settle();
  REQUIRE(count() == 1);
  CHECK(info().cause == FLAMELET_FLIGHT_SCOPE_BUDGET);
  CHECK(std::string(info().text) == "Physics");
  CHECK(info().limit_ns == 4000000);
  set(this, "Physics", 0);
  work("Physics", 20);
  mark();
  CHECK(stats().triggers == 1);
}

TEST_CASE_FIXTURE(FlightGame, "flight: of nested scopes of one name the outermost counts") {
  set(this, "Walk", 10);
  const flamelet_id outer = flamelet_begin("Walk", "game", nullptr);
  for (int i = 0; i < 3; ++i) work("Walk", 3);
  flamelet_end(outer);
  mark();
  CHECK(stats().triggers == 0);
  const flamelet_id again = flamelet_begin("Walk", "game", nullptr);
  for (int i = 0; i < 3; ++i) work("Walk", 3);
  FlightGame::pass(1.5);
  flamelet_end(again);
  mark();
  CHECK(stats().triggers == 1);
}

TEST_CASE_FIXTURE(
    FlightGame,
    "flight: of a scope across frames each frame has its own part, also on other threads and while it is open") {
  set(this, "Stream", 12);
  std::thread([&] {
    const flamelet_id id = flamelet_begin("Stream", "io", nullptr);
    frames(5);  // 10 ms each: the thread's part is within the budget
    CHECK(stats().triggers == 0);
    frame(13);
    CHECK(stats().triggers == 1);
    flamelet_end(id);
  }).join();
  frames(5);
  CHECK(stats().triggers == 1);
}

TEST_CASE_FIXTURE(FlightGame, "flight: a scope's parts over several pages and around deep scopes add up") {
  set(this, "Update", 30);
  frame(29, "Update", 3000);  // 12 pages of scopes in it, 0.03 ms
  CHECK(stats().triggers == 0);
  frame(29.98, "Update", 3000);
  CHECK(stats().triggers == 1);
}

TEST_CASE_FIXTURE(
    FlightGame,
    "flight: of several scopes over budget the one that is most over is the cause, by its dynamic name too") {
  set(this, "A", 1);
  set(this, "B", 2);
  set(this, "level 7", 1);
  work("A", 2);
  work("B", 5);
  {
    FLAMELET_SCOPE_DYNAMIC("level 7");
    FlightGame::pass(2.2);
  }
  mark();
  settle();
  REQUIRE(count() == 1);
  CHECK(std::string(info().text) == "B");
}

TEST_CASE("flight: too many scope budgets, too long names and impossible budgets are refused") {
  FlightGame game(with(quiet_flight(), &flamelet_flight_config::max_scope_budgets, 2));
  set(&game, "A", 1);
  set(&game, "B", 1);
  CHECK(flamelet_flight_set_scope_budget(game.flight, "C", 1) == FLAMELET_ERROR_LIMIT);
  CHECK(flamelet_flight_set_scope_budget(game.flight, std::string(64, 'x').c_str(), 1) == FLAMELET_ERROR_LIMIT);
  set(&game, "A", 2);
  set(&game, "unknown", 0);
  set(&game, "A", 0);
  set(&game, "C", 1);
  CHECK(flamelet_flight_set_scope_budget(game.flight, "C", -1) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_flight_set_scope_budget(game.flight, nullptr, 1) == FLAMELET_ERROR_INVALID_ARGUMENT);
  work("C", 2);
  game.mark();
  CHECK(game.stats().triggers == 1);
}

TEST_CASE_FIXTURE(FlightGame, "flight: a file of budgets is watched, the strictest of a scope, and no p50 or mean") {
  set(this, "Old", 1);
  const std::string text =
      "frame 50 p99\nscope 8 max Physics\nscope 4 p99 Physics\nscope 1 p50 Physics\nscope 1 mean AI\n";
  flamelet_budget budgets[8];
  size_t lines = 0;
  REQUIRE(flamelet_budgets_read(text.data(), text.size(), budgets, 8, &lines, nullptr) == FLAMELET_OK);
  REQUIRE(lines == 5);
  REQUIRE(flamelet_flight_set_budgets(flight, budgets, lines) == FLAMELET_OK);
  frames(3);
  work("Old", 10);
  work("AI", 10);
  work("Physics", 3.5);
  mark();
  CHECK(stats().triggers == 0);
  work("Physics", 4.5);
  mark();
  settle();
  REQUIRE(count() == 1);
  CHECK(info().cause == FLAMELET_FLIGHT_SCOPE_BUDGET);
  CHECK(info().limit_ns == 4000000);
}

TEST_CASE_FIXTURE(FlightGame, "flight: of a file of budgets that does not fit, nothing is set") {
  set(this, "Physics", 4);
  const std::string text = "scope 1 Draw\nscope 1 " + std::string(64, 'x') + "\n";
  flamelet_budget budgets[2];
  size_t lines = 0;
  REQUIRE(flamelet_budgets_read(text.data(), text.size(), budgets, 2, &lines, nullptr) == FLAMELET_OK);
  CHECK(flamelet_flight_set_budgets(flight, budgets, lines) == FLAMELET_ERROR_LIMIT);
  CHECK(flamelet_flight_set_budgets(flight, nullptr, 1) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_flight_set_budgets(nullptr, budgets, 1) == FLAMELET_ERROR_INVALID_ARGUMENT);
  frames(3);
  work("Draw", 3);
  mark();
  CHECK(stats().triggers == 0);
  work("Physics", 5);
  mark();
  CHECK(stats().triggers == 1);
}

TEST_CASE_FIXTURE(FlightGame,
                  "flight: scopes that were over their budgets are listed, furthest first, also in the dead time") {
  set(this, "Physics", 4);
  set(this, "Draw", 2);
  set(this, "AI", 3);
  frames(3);
  flamelet_flight_over over[3] = {};
  CHECK(flamelet_flight_read_over(flight, 0, over, 3) == 0);
  work("Physics", 5);
  work("AI", 2);
  mark();
  work("Draw", 5);
  mark();
  REQUIRE(flamelet_flight_read_over(flight, 0, over, 3) == 2);
  CHECK(std::string(over[0].scope) == "Draw");
  CHECK(over[0].took_ns >= 5000000);
  CHECK(over[0].budget_ns == 2000000);
  CHECK(std::string(over[1].scope) == "Physics");
  CHECK(over[1].frame + 1 == over[0].frame);
  // Only as far as there is room, and only newer frames.
  flamelet_flight_over one = {};
  CHECK(flamelet_flight_read_over(flight, 0, &one, 1) == 2);
  CHECK(std::string(one.scope) == "Draw");
  CHECK(flamelet_flight_read_over(flight, over[0].frame, over, 3) == 1);
  CHECK(flamelet_flight_read_over(flight, over[0].frame + 1, nullptr, 0) == 0);
  CHECK(flamelet_flight_read_over(nullptr, 0, nullptr, 0) == 0);
}

TEST_CASE_FIXTURE(FlightGame,
                  "flight: scopes that were over are listed with the budget of then, until the recorder is restarted") {
  set(this, "Physics", 4);
  set(this, "Draw", 2);
  frames(100);
  work("Physics", 5);
  work("Draw", 3);
  mark();
  CHECK(flamelet_flight_read_over(flight, 0, nullptr, 0) == 2);
  set(this, "Physics", 6);
  flamelet_flight_over over = {};
  CHECK(flamelet_flight_read_over(flight, 0, &over, 1) == 2);
  CHECK(std::string(over.scope) == "Draw");
  set(this, "Draw", 0);
  CHECK(flamelet_flight_read_over(flight, 0, &over, 1) == 1);
  CHECK(std::string(over.scope) == "Physics");
  CHECK(over.budget_ns == 4000000);
  FlightGame::restart();
  frames(3);
  CHECK(flamelet_flight_read_over(flight, 3, nullptr, 0) == 0);
}

TEST_CASE_FIXTURE(FlightGame, "flight: a budget made by hand may have no text for the frame") {
  const flamelet_budget budgets[] = {{{nullptr, 0}, 30000000, FLAMELET_BUDGET_MAX, 0},
                                     {{nullptr, 0}, 20000000, FLAMELET_BUDGET_P99, 0}};
  REQUIRE(flamelet_flight_set_budgets(flight, budgets, 2) == FLAMELET_OK);
  CHECK(flight->config.frame_budget_ns == 20000000);
}

namespace {

// Passes of a GPU queue, submitted some frames after they ran.
struct GpuGame : FlightGame {
  GpuGame() { make_track(); }
  void make_track() {
    track = flamelet_track_create("GPU", FLAMELET_TRACK_GPU, 1e9);
    flamelet_track_calibrate(track, now_ns, now_ns);
  }
  void submit(const char* name, uint64_t begin_ns, double ms) {
    ++next_id;
    for (const char type : {'B', 'E'}) {
      flamelet_event event = {};
      event.time_ticks = begin_ns + (type == 'B' ? 0 : static_cast<uint64_t>(ms * 1e6));
      event.id = next_id;
      event.name = name;
      event.type = type;
      REQUIRE(flamelet_submit(track, &event, 1) == 1);
    }
  }
  // Each of 10 ms; a pass takes 3 ms of each, and comes two frames late.
  void play(int count) {
    for (int i = 0; i < count; ++i) {
      begins.push_back(now_ns);
      frame();
      if (begins.size() > 2) submit("Shadow", begins[begins.size() - 3] + 1000000, 3);
    }
  }
  uint32_t track = 0;
  uint64_t next_id = 0;
  std::vector<uint64_t> begins;
};

}  // namespace

TEST_CASE_FIXTURE(GpuGame,
                  "flight: a GPU scope has a budget, too, apart from the threads' scopes of its name, and comes late") {
  set(this, "Shadow", 4);
  play(6);
  // 3 ms on the threads and 3 on the GPU are both within the budget.
  work("Shadow", 3);
  mark();
  begins.clear();
  play(6);
  CHECK(stats().triggers == 0);
  const uint64_t slow = newest_frame() + 1;
  const uint64_t begin_ns = now_ns;
  play(1);
  submit("Shadow", begin_ns + 5000000, 2);
  CHECK(stats().triggers == 0);
  play(4);
  settle();
  REQUIRE(count() == 1);
  CHECK(info().cause == FLAMELET_FLIGHT_SCOPE_BUDGET);
  CHECK(std::string(info().text) == "Shadow");
  CHECK(info().limit_ns == 4000000);
  CHECK(info().frame.index == slow);
  flamelet_flight_over over = {};
  REQUIRE(flamelet_flight_read_over(flight, slow, &over, 1) == 1);
  CHECK(static_cast<double>(over.took_ns) == doctest::Approx(5e6).epsilon(0.01));
}

TEST_CASE_FIXTURE(GpuGame, "flight: of a scope that is over on the threads and on the GPU, the longer time is listed") {
  set(this, "Shadow", 4);
  play(6);
  double threads_ms = 0, gpu_ms = 0;
  SUBCASE("the threads'") {
    threads_ms = 8;
    gpu_ms = 5;
  }
  SUBCASE("the GPU's") {
    threads_ms = 5;
    gpu_ms = 8;
  }
  const uint64_t slow = newest_frame() + 1;
  const uint64_t begin_ns = now_ns;
  work("Shadow", threads_ms);
  work("Other", 5);
  mark();
  begins.clear();
  submit("Shadow", begin_ns, gpu_ms);
  play(12);
  flamelet_flight_over over = {};
  REQUIRE(flamelet_flight_read_over(flight, slow, &over, 1) == 1);
  CHECK(over.frame == slow);
  CHECK(static_cast<double>(over.took_ns) == doctest::Approx(8e6).epsilon(0.01));
}

TEST_CASE_FIXTURE(
    GpuGame,
    "flight: of nested GPU scopes of one name the outermost counts, and of one across frames each has its part") {
  set(this, "Pass", 6);
  const uint64_t begin_ns = now_ns;
  frame();
  frame();
  submit("Pass", begin_ns + 2000000, 4);  // inside the next, and before it
  submit("Pass", begin_ns + 1000000, 5.5);
  submit("Pass", begin_ns + 19000000, 6.5);  // 1 ms in the second frame, 5.5 in the third
  frames(12);
  CHECK(stats().triggers == 0);
  submit("Pass", now_ns - 8000000, 6.2);
  frames(12);
  CHECK(stats().triggers == 1);
}

TEST_CASE_FIXTURE(GpuGame,
                  "flight: the budgets of GPU scopes hold from the first frames after a restart of the recorder on") {
  set(this, "Shadow", 4);
  play(100);
  FlightGame::restart();
  REQUIRE(update() == FLAMELET_OK);  // before any frame
  make_track();
  mark();
  begins.clear();
  play(6);
  CHECK(stats().triggers == 0);
  submit("Shadow", now_ns - 5000000, 4.5);
  frames(12);
  CHECK(stats().triggers == 1);
}

namespace {

// What a name's spans cover of a frame, lane by lane, without any rule about which of them is outermost.
int64_t covered_ns(const flamelet_capture* capture, const std::string& name, const flamelet_frame_info& frame) {
  int64_t sum_ns = 0;
  flamelet_lane_info info;
  for (size_t lane = 0; flamelet_capture_lane(capture, lane, &info); ++lane) {
    if (info.kind != FLAMELET_LANE_THREAD) continue;
    int64_t until_ns = frame.begin_ns;
    for (const flamelet_span& span : read_spans(capture, lane, frame.begin_ns, frame.end_ns)) {
      if (flamelet_capture_string(capture, span.name).text != name) continue;
      const int64_t end_ns = std::min(span.end_ns, frame.end_ns);
      sum_ns += std::max<int64_t>(end_ns - std::max(span.begin_ns, until_ns), 0);
      until_ns = std::max(until_ns, end_ns);
    }
  }
  return sum_ns;
}

struct Named {
  const flamelet_capture* capture;
  std::string name;
};

flamelet_scope_time scope_time(const flamelet_capture* capture, const std::string& name,
                               const flamelet_frame_info& frame) {
  Named named = {capture, name};
  flamelet_scope_time time = {};
  std::vector<flamelet_span> spans(FLAMELET_CURSOR_LEAST);
  flamelet_scope_times times = {};
  times.times = &time;
  times.count = 1;
  times.user = &named;
  times.slot_of = [](void* user, const flamelet_span* span) -> uint32_t {
    const Named& wanted = *static_cast<Named*>(user);
    return flamelet_capture_string(wanted.capture, span->name).text == wanted.name ? 0 : 1;
  };
  times.spans = spans.data();
  times.capacity = spans.size();
  flamelet_lane_info info;
  for (size_t lane = 0; flamelet_capture_lane(capture, lane, &info); ++lane)
    if (info.kind == FLAMELET_LANE_THREAD)
      REQUIRE(flamelet_scope_times_add(&times, capture, lane, frame.begin_ns, frame.end_ns) == FLAMELET_OK);
  return time;
}

}  // namespace

static void compare_times_of_random_frames(bool has_losses) {
  constexpr const char* kNames[] = {"A", "B", "C"};
  FlightGame game(quiet_flight(), has_losses ? 4 : 512);
  for (const char* const name : kNames) REQUIRE(flamelet_flight_set_scope_budget(game.flight, name, 1) == FLAMELET_OK);
  uint64_t random = 7;
  const auto below = [&random](uint64_t count) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return (random >> 33) % count;
  };
  const uint32_t fibers[] = {0, flamelet_fiber_create("one"), flamelet_fiber_create("two")};
  std::vector<int> depths = {0, 0, 0};
  size_t at = 0;
  for (int frame = 0; frame < 60; ++frame) {
    for (uint64_t i = below(has_losses ? 40000 : 400); i != 0; --i) {
      now_ns += below(5);
      const uint64_t what = below(20);
      if (what == 0) {
        const size_t from = std::exchange(at, below(3));
        if (from != at) flamelet_fiber_switch(fibers[from], fibers[at]);
      } else if (what < 11 && depths[at] < 12) {
        flamelet_begin(kNames[below(3)], "game", nullptr);
        ++depths[at];
      } else if (depths[at] != 0) {
        flamelet_end_top();
        --depths[at];
      }
    }
    now_ns += 10;
    game.mark();
    const flamelet_frame_info info = game.capture.frames().back();
    flamelet_flight_over over[3];
    const size_t count = flamelet_flight_read_over(game.flight, info.index, over, 3);
    size_t met = 0;
    for (const char* const name : kNames) {
      CAPTURE(name);
      CAPTURE(frame);
      const int64_t wanted_ns = covered_ns(game.capture, name, info);
      CHECK(scope_time(game.capture, name, info).time_ns == wanted_ns);
      for (size_t i = 0; i < count; ++i)
        if (over[i].scope == std::string(name)) CHECK(over[i].took_ns == wanted_ns);
      met += wanted_ns > 1;
    }
    CHECK(count == met);
  }
  CHECK((game.capture.stats().events_lost != 0) == has_losses);
}

TEST_CASE("budgets: the flight recorder, which plays words, has the times that the spans of any recording give") {
  for (const bool has_losses : {false, true}) {
    CAPTURE(has_losses);
    compare_times_of_random_frames(has_losses);
  }
}

TEST_CASE_FIXTURE(FlightGame,
                  "budgets: a scope around more spans than the array holds counts once, and so does each call") {
  const flamelet_id outer = flamelet_begin("Outer", "game", nullptr);
  for (int i = 0; i < 3 * FLAMELET_CURSOR_LEAST; ++i) {
    const flamelet_id again = flamelet_begin(i % 2 == 0 ? "Outer" : "Other", "game", nullptr);
    now_ns += 10;
    flamelet_end(again);
  }
  mark();
  flamelet_end(outer);
  const flamelet_frame_info frame = capture.frames().back();
  const flamelet_scope_time time = scope_time(capture, "Outer", frame);
  CHECK(time.time_ns == 30 * FLAMELET_CURSOR_LEAST);
  CHECK(time.calls == 1 + 3 * FLAMELET_CURSOR_LEAST / 2);
  flamelet_scope_times wrong = {};
  CHECK(flamelet_scope_times_add(&wrong, capture, 0, 0, 1) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_scope_times_add(nullptr, capture, 0, 0, 1) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

// ---- Budget file --------------------------------------------------------------------------------------------------

namespace {

struct Read {
  flamelet_result result;
  std::vector<flamelet_budget> budgets;
  flamelet_budgets_error error;
};

Read read(const std::string& text) {
  Read read;
  size_t count = 0;
  read.result = flamelet_budgets_read(text.data(), text.size(), nullptr, 0, &count, &read.error);
  read.budgets.resize(count);
  if (count != 0) flamelet_budgets_read(text.data(), text.size(), read.budgets.data(), count, &count, nullptr);
  return read;
}

std::string name_of(const flamelet_budget& budget) {
  return {budget.scope.text, budget.scope.size};
}

}  // namespace

TEST_CASE("budget file: lines are frames, scopes, comments or empty") {
  const std::string text =
      "\xef\xbb\xbf# a comment\n\nframe 16.7 p99\r\n  scope  2.5   p95  Physics::step  \n"
      "scope 4 Load level 3\nscope\t.000001 max # not a comment\nscope 1000 mean max";
  const Read all = read(text);
  CHECK(all.result == FLAMELET_OK);
  CHECK(all.error.line == 0);
  REQUIRE(all.budgets.size() == 5);
  CHECK(name_of(all.budgets[0]) == "");
  CHECK(all.budgets[0].limit_ns == 16700000);
  CHECK(all.budgets[0].kind == FLAMELET_BUDGET_P99);
  CHECK(all.budgets[0].line == 3);
  CHECK(name_of(all.budgets[1]) == "Physics::step");
  CHECK(all.budgets[1].limit_ns == 2500000);
  CHECK(all.budgets[1].kind == FLAMELET_BUDGET_P95);
  CHECK(name_of(all.budgets[2]) == "Load level 3");
  CHECK(all.budgets[2].kind == FLAMELET_BUDGET_MAX);
  CHECK(all.budgets[3].limit_ns == 1);
  CHECK(name_of(all.budgets[3]) == "# not a comment");
  CHECK(name_of(all.budgets[4]) == "max");
  CHECK(all.budgets[4].kind == FLAMELET_BUDGET_MEAN);
  CHECK(all.budgets[4].line == 7);
  CHECK(read("").budgets.empty());
  CHECK(read("# nothing\n").result == FLAMELET_OK);
}

TEST_CASE("budget file: a wrong line is named, and nothing is read") {
  const struct {
    const char* line;
    const char* message;
  } kWrong[] = {
      {"Physics 2", "a line begins with frame, scope or #"},
      {"scope", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope Physics 2", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope 2ms Physics", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope . Physics", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope 1e3 Physics", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope nan Physics", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope -1 Physics", "a budget has to be above 0"},
      {"scope 0.0000001 Physics", "a budget has to be above 0"},
      {"scope 99999999999999999999999 Physics", "a budget has to be below 1000000000 ms"},
      {"scope 2", "the scope's name is missing"},
      {"scope 2 p99", "the scope's name is missing"},
      {"frame 16 p98", "behind a frame's milliseconds stands max, p99, p95, p50, mean or nothing"},
      {"frame 16 max more", "behind a frame's milliseconds stands max, p99, p95, p50, mean or nothing"},
      {"scope 3 max Draw", "the same budget was given before"},
      {"frame 7 p99", "the same budget was given before"},
  };
  for (const auto& wrong : kWrong) {
    CAPTURE(wrong.line);
    const Read all = read("frame 16 p99\nscope 2 Draw\n" + std::string(wrong.line) + "\nscope 5 Late\n");
    CHECK(all.result == FLAMELET_ERROR_FILE_FORMAT);
    CHECK(all.budgets.empty());
    CHECK(all.error.line == 3);
    CHECK(std::string(all.error.message) == wrong.message);
  }
  // Also far below, among as many as it takes to be slow where each is compared with all above.
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "scope 2 p99 Draw " + std::to_string(i) + "\n";
  CHECK(read(many).budgets.size() == 20000);
  const Read again = read(many + "scope 3 p99 Draw 7777");
  CHECK(again.error.line == 20001);
  CHECK(std::string(again.error.message) == "the same budget was given before");
  // Two kinds of one scope are two budgets.
  CHECK(read("scope 2 Draw\nscope 1 p50 Draw\n").budgets.size() == 2);
}

TEST_CASE("budget file: the caller's memory is written only when all is right, and only as far as it goes") {
  const std::string good = "scope 1 A\nscope 2 B\nscope 3 C\n", bad = "scope 1 A\nscope 2\n";
  flamelet_budget budgets[3] = {};
  budgets[2].limit_ns = 77;
  size_t count = 7;
  CHECK(flamelet_budgets_read(bad.data(), bad.size(), budgets, 3, &count, nullptr) == FLAMELET_ERROR_FILE_FORMAT);
  CHECK(count == 0);
  CHECK(budgets[0].limit_ns == 0);
  CHECK(flamelet_budgets_read(good.data(), good.size(), budgets, 2, &count, nullptr) == FLAMELET_OK);
  CHECK(count == 3);
  CHECK(budgets[1].limit_ns == 2000000);
  CHECK(budgets[2].limit_ns == 77);
  CHECK(flamelet_budgets_read(nullptr, 5, budgets, 3, &count, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_budgets_read(good.data(), good.size(), nullptr, 3, &count, nullptr) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_budgets_read(nullptr, 0, nullptr, 0, &count, nullptr) == FLAMELET_OK);
  CHECK(std::string(flamelet_budget_kind_name(FLAMELET_BUDGET_P95)) == "p95");
  CHECK(std::string(flamelet_budget_kind_name(FLAMELET_BUDGET_KIND_COUNT)) == "");
}

TEST_CASE("budget file: a zero byte is an error, where a name would end at it") {
  for (const std::string& line : {std::string("scope 2 Draw\0Physics", 20), std::string("scope 2\0 Draw", 13)}) {
    const Read wrong = read("frame 16\n" + line + "\n");
    CHECK(wrong.result == FLAMELET_ERROR_FILE_FORMAT);
    CHECK(wrong.error.line == 2);
    CHECK(std::string(wrong.error.message) == "a line holds no zero byte");
  }
}

TEST_CASE("budget file: milliseconds have a point, also where the C library has a decimal comma") {
  const flamelet::tests::CommaLocale commas;
  if (!commas.is_there()) return;
  const Read all = read("frame 16.7 p99\nscope .25 Draw\n");
  CHECK(all.result == FLAMELET_OK);
  REQUIRE(all.budgets.size() == 2);
  CHECK(all.budgets[0].limit_ns == 16700000);
  CHECK(all.budgets[1].limit_ns == 250000);
  CHECK(read("frame 16,7\n").error.line == 1);
}
