// SPDX-License-Identifier: MIT
//
// Lines over the lanes: arrows of flows, pieces of fibers, and labels at which lines end.
#include <doctest/doctest.h>

#include <string>
#include <thread>

#include "flamelet/scope.h"
#include "lanes/lanes_page.h"
#include "overlay/drawn_text.h"
#include "overlay/headless_imgui.h"
#include "shell/overlay_state.h"
#include "support/building.h"
#include "support/recording.h"

using namespace flamelet_tests;
using recorder_test::Building;

namespace {

// Ten frames in which "Submit" begins two flows, of which "Run" ends one. A scope takes a hundred readings of the clock.
void record_frames() {
  for (uint64_t frame = 0; frame < 10; ++frame) {
    for (const char* name : {"Submit", "Run"}) {
      const flamelet_id id = flamelet_begin(name, "", nullptr);
      for (int i = 0; i < 50; ++i) flamelet_now_ticks();
      if (name[0] == 'S') {
        flamelet_flow_begin(2 * frame + 1);
        flamelet_flow_begin(2 * frame + 2);
      } else {
        flamelet_flow_end(2 * frame + 1);
      }
      for (int i = 0; i < 50; ++i) flamelet_now_ticks();
      flamelet_end(id);
    }
    flamelet_frame();
  }
}

}  // namespace

TEST_CASE("overlay flows: the selected scope shows where its flows lead, and what never ended is counted") {
  const recorder_test::TickingRecording recording;
  record_frames();
  DrawnPlayer player;
  REQUIRE(player.select_frames(5, 5));
  CHECK(player.number("flow_arrows") == 0);
  const double vertices = player.number("canvas_vertices");
  REQUIRE(player.select_scope("Submit", 2));
  CHECK(player.number("flow_arrows") == 2);
  CHECK(player.number("flows_begun") == 2);
  CHECK(player.number("flows_open") == 1);
  CHECK(player.number("canvas_vertices") > vertices);
  CHECK(HeadlessImGui::vertices_sane());
  REQUIRE(player.select_scope("Run", 2));
  CHECK(player.number("flow_arrows") == 1);
  CHECK(player.number("flows_ended") == 1);
  CHECK(player.number("flows_open") == 0);
}

TEST_CASE("overlay flows: the scope under the mouse comes before the selected one") {
  const recorder_test::TickingRecording recording;
  record_frames();
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 5, 5));
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "Submit"));
  const float x = static_cast<float>(player.number("canvas_left_px") + 0.75 * player.number("canvas_width_px"));
  player.move(x, static_cast<float>(player.number("canvas_top_px") + player.number("row_height_px")));
  REQUIRE(player.state("hovered_name") == "\"Run\"");
  CHECK(player.number("flows_ended") == 1);
  CHECK(player.number("flow_arrows") == 1);
}

TEST_CASE("overlay flows: a hovered scope's flows are read without an allocation") {
  const recorder_test::TickingRecording recording;
  record_frames();
  DrawnPlayer player;
  const auto play = [&] {
    REQUIRE(flamelet::overlay_select_frames(player.overlay, 3, 3));
    REQUIRE(player.select_scope("Submit"));
    REQUIRE(player.select_frames(6, 6));
  };
  CHECK(HeadlessImGui::allocations_when_repeated(play) == 0);
}

// ---- Pieces of a fiber's scopes on the lanes of threads -----------------------------------------------------------

namespace {

void pass(int readings) {
  for (int i = 0; i < readings; ++i) flamelet_now_ticks();
}

// A job with a scope inside of it goes from the main thread to another one and back, beside scopes of these threads.
void record_frame(uint32_t fiber) {
  const flamelet_id frame = flamelet_begin("Frame", "", nullptr);
  pass(100);
  flamelet_end(frame);
  flamelet_fiber_switch(0, fiber);
  const flamelet_id job = flamelet_begin("Job", "", nullptr);
  const flamelet_id inner = flamelet_begin("Inner", "", nullptr);
  pass(200);
  flamelet_fiber_switch(fiber, 0);
  pass(100);
  std::thread([fiber] {
    flamelet_fiber_switch(0, fiber);
    pass(200);
    flamelet_fiber_switch(fiber, 0);
  }).join();
  pass(100);
  flamelet_fiber_switch(0, fiber);
  pass(200);
  flamelet_end(inner);
  flamelet_end(job);
  flamelet_fiber_switch(fiber, 0);
  flamelet_frame();
}

struct JobRecording : recorder_test::TickingRecording {
  const uint32_t fiber = flamelet_fiber_create("Job");
  JobRecording() { REQUIRE(fiber != 0); }
};

}  // namespace

TEST_CASE_FIXTURE(
    JobRecording,
    "overlay fibers: the pieces of a scope are joined, and of scopes inside each other the outermost alone") {
  for (int i = 0; i < 4; ++i) record_frame(fiber);
  DrawnPlayer player;
  REQUIRE(player.select_frames(2, 2));
  CHECK(player.number("fiber_joins") == 2);
  CHECK(HeadlessImGui::vertices_sane());
  // The mouse on a line names what goes on.
  const flamelet::ui::LanesPage& page = player.overlay->pages.get<flamelet::ui::LanesPage>();
  const flamelet::ui::FiberJoin join = page.fibers.joins()[0];
  for (const float away : {0.0f, 40.0f}) {
    CAPTURE(away);
    player.move(page.canvas.x + (join.x0 + join.x1) / 2 + away, page.canvas.y + (join.y0 + join.y1) / 2);
    player.frames(3);
    CHECK(is_drawn("goesonon\n") == (away == 0));
    CHECK(is_drawn("fiber\nJob\n") == (away == 0));
  }
  REQUIRE(player.select_frames(1, 2));
  CHECK(player.number("fiber_joins") == 4);
}

TEST_CASE_FIXTURE(JobRecording,
                  "overlay fibers: the tooltip counts the pieces of a call as one call, as the details do") {
  for (int i = 0; i < 4; ++i) record_frame(fiber);
  DrawnPlayer player;
  REQUIRE(player.select_frames(1, 2));
  player.move(static_cast<float>(player.number("canvas_left_px") + 0.11 * player.number("canvas_width_px")),
              static_cast<float>(player.number("canvas_top_px") + player.number("row_height_px") * 0.5 + 3));
  REQUIRE(player.state("hovered_name") == "\"Job\"");
  CHECK(is_drawn("2xonthislane,"));
  CHECK(is_drawn("intheseframes\n"));
}

TEST_CASE("overlay fibers: the tooltip of a call on the fiber's lane has the time that it ran, as the details do") {
  const recorder_test::TickingRecording recording;
  const uint32_t fiber = flamelet_fiber_create("Job lane");
  REQUIRE(fiber != 0);
  for (int i = 0; i < 4; ++i) record_frame(fiber);
  DrawnPlayer player;
  REQUIRE(player.select_frames(2, 2));
  REQUIRE(player.select_scope("Job", 20));
  const flamelet_scope_statistics* row = player.overlay->statistics.find(player.overlay->selection.scope.part());
  REQUIRE(row != nullptr);
  for (const flamelet::ui::Lane& lane : player.overlay->store.lanes())
    if (lane.kind == FLAMELET_LANE_FIBER)
      player.move(
          static_cast<float>(player.number("canvas_left_px") + 0.5 * player.number("canvas_width_px")),
          static_cast<float>(player.number("canvas_top_px") + player.number("row_height_px") * 0.5) + lane.y + 3);
  REQUIRE(player.state("hovered_name") == "\"Job\"");
  player.frames(3);
  flamelet::ui::FixedText<48> ran;
  std::string text(ran.add("1x, ran ").add_time(row->total_ns).view());
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  CHECK(is_drawn(text + "\n"));
}

TEST_CASE_FIXTURE(JobRecording, "overlay fibers: pieces that are too narrow for a block of their own are joined, too") {
  for (int piece = 0; piece < 4; ++piece) {
    const flamelet_id frame = flamelet_begin("Frame", "", nullptr);
    pass(20000);
    flamelet_end(frame);
    flamelet_fiber_switch(0, fiber);
    if (piece == 0) flamelet_begin("Job", "", nullptr);
    const flamelet_id inner = flamelet_begin("Inner", "", nullptr);
    flamelet_end(inner);
    flamelet_fiber_switch(fiber, 0);
  }
  flamelet_frame();
  DrawnPlayer player;
  REQUIRE(player.select_frames(0, 0));
  CHECK(player.number("fiber_joins") == 3);
}

TEST_CASE_FIXTURE(
    JobRecording,
    "overlay fibers: the table has the piece of a call that began before, and its lane's tooltip says so") {
  const flamelet_id own = flamelet_begin("Main", "", nullptr);
  pass(300);
  for (int frame = 0; frame < 3; ++frame) {
    flamelet_fiber_switch(0, fiber);
    if (frame == 0) flamelet_begin("Piecewise", "", nullptr);
    pass(300);
    flamelet_fiber_switch(fiber, 0);
    flamelet_frame();
  }
  pass(100);
  flamelet_end(own);
  DrawnPlayer player;
  player.open_page("table");
  REQUIRE(player.select_frames(1, 1));
  player.frames(20);
  CHECK(is_drawn("beganbefore\n"));
  CHECK_FALSE(is_drawn("\n0ns\n"));
  REQUIRE(player.select_scope("Piecewise"));
  player.open_page("scope");
  player.frames(20);
  CHECK(is_drawn("(outermost)"));
  CHECK(is_drawn("0x\ntotal\n"));  // no call began there
  CHECK_FALSE(is_drawn("\n0ns\n"));
  player.open_page("lanes");
  REQUIRE(player.select_frames(0, 0));
  const float x = static_cast<float>(player.number("canvas_left_px"));
  player.move(x + 20, static_cast<float>(player.number("canvas_top_px") + player.number("row_height_px") * 0.5 + 3));
  REQUIRE(player.state("hovered_name") == "\"Main\"");
  CHECK(is_drawn("apart:itsthreadswitchedfibers\n"));
  CHECK(is_drawn("thispart\n"));
  CHECK_FALSE(is_drawn("inclusive\n"));
  player.click();
  player.frames(3);
  CHECK_FALSE(is_drawn("thisone"));
}

TEST_CASE_FIXTURE(recorder_test::Building, "overlay lanes: a label without room for a name has its begin and its end") {
  for (const char* name : {"process number 17: worker", "process number 18: worker", "Worker of the pool number 21"}) {
    const uint32_t thread = lane(FLAMELET_LANE_THREAD, name);
    begin(thread, 0, site("job"));
    end(thread, 1000);
  }
  DrawnPlayer player;
  player.show(finish(), "processes");
  for (const char* end : {"\npr", "17:worker\n", "18:worker\n", "number21\n"}) {
    CAPTURE(end);
    CHECK(is_drawn(end));
  }
}

// ---- Line labels --------------------------------------------------------------------------------------------------

// Lines over the lanes, such as the critical path: they end at the labels that they would cross. And which labels are drawn
// where there are too many.

namespace {

constexpr const char* kBetween = "This lane stands between both";

// Main waits for a job of Worker, and a lane stands between them. One frame of 10 ms.
struct Waiting {
  Waiting() {
    const uint32_t main = lane("Main"), between = lane("Between"), worker = lane("Worker");
    building.span(main, 0, 10000000, building.site("Frame"));
    building.span(main, 600000, 9000000, building.site("Wait for the job", FLAMELET_WAIT_CATEGORY));
    building.span(between, 0, 10000000, building.site(kBetween));
    building.span(worker, 700000, 8900000, building.site("Job"));
    flow(main, 600000, worker, 700000);
    flow(worker, 8900000, main, 9000000);
    building.frame(1, 0, 10000000, main);
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
    player.show(building.finish(), "waiting");
    REQUIRE(player.select_frames(1, 1));
  }
  uint32_t lane(const char* name) {
    return flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_THREAD, 0, building.string(name), false);
  }
  void flow(uint32_t from, int64_t from_ns, uint32_t to, int64_t to_ns) {
    flamelet_capture_builder_flow(building.builder, from, from_ns, ++flows, false);
    flamelet_capture_builder_flow(building.builder, to, to_ns, flows, true);
  }
  void load(const char* text) { player.load_settings(text, 100); }
  // The label of the lane between is readable, and nothing is behind it but its block.
  void check_label() const {
    std::string wanted = kBetween;
    wanted.erase(std::remove(wanted.begin(), wanted.end(), ' '), wanted.end());
    const DrawnTexts drawn(0);
    int found = 0;
    for (const DrawnText& text : drawn.texts()) {
      if (text.text != wanted) continue;
      ++found;
      CHECK(text.even);
      CHECK(text.contrast >= flamelet::ui::kLeastContrast);
    }
    CHECK(found == 1);
  }
  // Where a line that was drawn at this time stands, beside the label: its colour is on the screen.
  bool drawn_at(int64_t time_ns, flamelet::ui::Rgb color) const {
    const flamelet::Overlay& o = *player.overlay;
    const DrawnTexts drawn(0);
    const float x = flamelet::ui::lanes_of(o).canvas.x +
                    static_cast<float>(x_at(o.timeline.view(), static_cast<double>(time_ns),
                                            static_cast<double>(flamelet::ui::lanes_of(o).canvas.width)));
    for (int y = static_cast<int>(flamelet::ui::lanes_of(o).canvas.y);
         y < static_cast<int>(flamelet::ui::lanes_of(o).canvas.y + flamelet::ui::lanes_of(o).canvas.height); ++y)
      for (int at = static_cast<int>(x) - 2; at <= static_cast<int>(x) + 2; ++at)
        if (drawn.pixel(at, y) == color) return true;
    return false;
  }

  Building building;
  uint64_t flows = 0;
  OverlayPlayer player;
};

}  // namespace

TEST_CASE_FIXTURE(Waiting, "overlay lines: without any, a label has its block behind it") {
  check_label();
}

TEST_CASE_FIXTURE(Waiting, "overlay lines: the critical path does not cross out a label between its lanes") {
  load("critical_path=1\n");
  REQUIRE(player.number("critical_line_rects") >= 3);
  CHECK(drawn_at(700000, flamelet::ui::color::kCritical));
  check_label();
}

TEST_CASE_FIXTURE(Waiting, "overlay lines: a flow's arrow does not cross out a label between its ends") {
  REQUIRE(player.select_scope("Frame"));
  REQUIRE(player.number("flow_arrows") == 2);
  CHECK(drawn_at(700000, flamelet::ui::color::kFlow));
  check_label();
}

TEST_CASE_FIXTURE(Waiting, "overlay lines: the line of a message does not cross out the labels at its time") {
  const flamelet::ui::Lane& lane = player.overlay->store.lanes()[0];
  player.overlay->selection.message = {true, 500000, lane.kind, lane.id};
  player.frames(2);
  check_label();
}

TEST_CASE_FIXTURE(Waiting, "overlay lines: labels that are kept free of them cost four vertices each") {
  const double before = player.number("canvas_vertices");
  load("critical_path=1\n");
  // Four labels: the frame, the wait, the job and the lane between.
  CHECK(player.number("canvas_vertices") == before + 8 * player.number("critical_line_rects") + 4 * 4);
}

TEST_CASE("overlay labels: lanes that are pinned have theirs, also where there are more than are drawn" *
          doctest::test_suite("gate")) {
  Building building;
  const auto lane = [&](const std::string& name) {
    return flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_THREAD, 0, building.string(name), false);
  };
  const uint32_t pinned = lane("Pinned");
  building.span(pinned, 0, 10000000, building.site("pinned"));
  const uint32_t site = building.site(std::string(200, 'w'));
  for (int i = 0; i < 150; ++i) {
    const uint32_t other = lane("Worker " + std::to_string(i));
    for (int64_t at_ns = 0; at_ns < 10000000; at_ns += 1000000) building.span(other, at_ns, at_ns + 1000000, site);
  }
  building.frame(1, 0, 10000000, pinned);
  OverlayPlayer player(flamelet::OverlayMode::kActive, 1920, 2160);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  flamelet::overlay_show_capture(player.overlay, building.finish(), "many");
  const char settings[] = "lane=0,2,0,Pinned\n";
  player.load_settings(settings);
  REQUIRE(player.select_frames(1, 1));
  const auto labels = [] {
    const DrawnTexts drawn(0);
    int own = 0, others = 0;
    for (const DrawnText& text : drawn.texts()) {
      own += text.text == "pinned";
      others += text.text.compare(0, 3, "www") == 0;
    }
    CHECK(others > 100);
    return own;
  };
  CHECK(labels() == 1);
  player.move(60, 1000);
  player.wheel(-2);
  CHECK(player.number("canvas_commands") > 1);  // what scrolls is cut
  CHECK(labels() == 1);
}

TEST_CASE("overlay fibers: of a call on a fiber's lane, the details say how long it ran") {
  recorder_test::TickingRecording recording;
  const uint32_t fiber = flamelet_fiber_create("Job");
  flamelet_fiber_switch(0, fiber);
  const flamelet_id job = flamelet_begin("Job", "", nullptr);
  recording.clock.ticks += 1000000;
  flamelet_fiber_switch(fiber, 0);
  recording.clock.ticks += 3000000;
  flamelet_fiber_switch(0, fiber);
  recording.clock.ticks += 1000000;
  flamelet_end(job);
  flamelet_fiber_switch(fiber, 0);
  flamelet_frame();
  DrawnPlayer player;
  REQUIRE(player.select_frames(0, 0));
  REQUIRE(player.select_scope("Job"));
  player.frames(10);
  const flamelet::ui::SelectedSpan& selected = player.overlay->selection.span;
  REQUIRE(selected.lane_kind == FLAMELET_LANE_FIBER);
  CHECK(selected.span.end_ns - selected.span.begin_ns >= 5000000);
  CHECK(selected.ran_ns >= 2000000);
  CHECK(selected.ran_ns < 2100000);
  CHECK(selected.span.self_ns == selected.ran_ns);
  CHECK(is_drawn("ran"));
}
