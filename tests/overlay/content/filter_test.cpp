// SPDX-License-Identifier: MIT
#include "content/filter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "overlay/drawn_text.h"
#include "overlay/headless_imgui.h"
#include "overlay/span_trees.h"
#include "shell/overlay_state.h"
#include "support/building.h"
#include "support/recording.h"

using namespace flamelet::ui;
using namespace flamelet_tests;

TEST_CASE("overlay filter: a part of the name in either case matches") {
  CHECK(matches("Physics::step", "phys"));
  CHECK(matches("Physics::step", "STEP"));
  CHECK(matches("Physics::step", ""));
  CHECK(matches("", ""));
  CHECK_FALSE(matches("Physics::step", "stop"));
  CHECK_FALSE(matches("ai", "ai_"));
  CHECK_FALSE(matches("", "a"));
  CHECK(matches("\xC3\x84rger", "\xC3\x84"));
}

TEST_CASE("overlay filter: the text is no pattern and no format") {
  CHECK(matches("100%s", "%s"));
  CHECK_FALSE(matches("abc", "."));
  CHECK_FALSE(matches("abc", "*"));
}

TEST_CASE_FIXTURE(SpanTree, "overlay filter: a match inside a match counts, but its time does not count twice") {
  begin(0, 1);
  begin(100, 2);
  begin(150, 2);
  end(180);
  end(400);
  begin(500, 2);
  end(600);
  end(1000);
  FilterSum sum;
  const auto is_match = [](const flamelet_span& span) { return span.name == 2; };
  sum_matches(spans.data(), static_cast<uint32_t>(spans.size()), is_match, &sum);
  CHECK(sum.count == 3);
  CHECK(sum.total_ns == 400);
  // A later piece of a call that fibers were switched in has time, and is no call.
  spans.back().flags = FLAMELET_SPAN_RESUMED;
  sum = {};
  sum_matches(spans.data(), static_cast<uint32_t>(spans.size()), is_match, &sum);
  CHECK(sum.count == 2);
  CHECK(sum.total_ns == 400);
}

TEST_CASE("overlay filter: the sum of everything is the time of the outermost spans") {
  const SpanTree tree = random_tree(4, 3000, 7);
  int64_t outermost_ns = 0;
  for (const flamelet_span& span : tree.spans)
    if (span.depth == 0) outermost_ns += span.end_ns - span.begin_ns;
  FilterSum sum;
  sum_matches(
      tree.spans.data(), 3000, [](const flamelet_span&) { return true; }, &sum);
  CHECK(sum.count == 3000);
  CHECK(sum.total_ns == outermost_ns);
}

TEST_CASE("overlay filter: a range's matches are a difference of two counts") {
  const SpanTree tree = random_tree(5, 500, 7, 4);
  std::vector<uint64_t> bits(Matches::words_for(500));
  std::vector<uint32_t> before(bits.size());
  const Matches found = find_matches(
      tree.spans.data(), 500, [](const flamelet_span& span) { return span.name == 3; }, bits.data(), before.data());
  for (uint32_t first = 0; first <= 500; first += 37) {
    for (uint32_t end = first; end <= 500; end += 41) {
      uint32_t expected = 0;
      for (uint32_t i = first; i < end; ++i) expected += tree.spans[i].name == 3;
      REQUIRE(found.before_span(end) - found.before_span(first) == expected);
    }
  }
}

TEST_CASE("overlay filter: with no match in view it says how many are elsewhere, and goes to the longest") {
  for (const bool has_frames : {true, false}) {
    CAPTURE(has_frames);
    recorder_test::Building building;
    const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main"),
                   other = building.lane(FLAMELET_LANE_THREAD, "IO");
    const uint32_t step = building.site("step"), load = building.site("load");
    for (int64_t i = 0; i < 20000; ++i) {
      building.begin(lane, i * 1000, step);
      building.end(lane, i * 1000 + 900);
      if (i % 1000 != 500) continue;
      building.begin(other, i * 1000, load);
      building.end(other, i * 1000 + (i == 7500 ? 800 : 500));
    }
    for (int64_t i = 0; has_frames && i < 2000; ++i)
      building.frame(static_cast<uint64_t>(i), i * 10000, (i + 1) * 10000);
    DrawnPlayer player;
    player.show(building.finish(), "built");
    player.overlay->filter.set("load");
    if (has_frames)
      REQUIRE(flamelet::overlay_select_frames(player.overlay, 20, 20));
    else
      player.overlay->selection.measured = {3000, 9000};
    player.frames();
    uint32_t frames = 0;
    for (; frames < 100 && player.overlay->search.reading(); ++frames) player.frames();
    CHECK(frames >= 20000 / 4096);  // some thousands of spans each
    player.frames(2);
    float x = 0, y = 0;
    const DrawnTexts texts(0);
    for (const DrawnText& text : texts.texts()) {
      if (text.text != "20xelsewhere") continue;
      x = (text.x0 + text.x1) / 2;
      y = (text.y0 + text.y1) / 2;
    }
    REQUIRE(x > 0);
    player.move(x, y);
    player.click();
    CHECK(player.number("selected_begin_ns") == 7500000);
    if (has_frames) CHECK(player.number("first_frame") == 750);
    player.frames(20);
    CHECK_FALSE(is_drawn("elsewhere"));
    player.overlay->filter.set("lood");
    player.frames(60);
    CHECK(is_drawn("noscopematches"));
  }
}

TEST_CASE("overlay filter: live, the sum is that of the frame that is named beside it, in every picture") {
  recorder_test::TickingRecording recording;
  DrawnPlayer player;
  player.filter("draw");
  uint64_t newest = 0;
  for (int i = 0; i < 120; ++i) {
    const flamelet_id id = flamelet_begin("draw", "", nullptr);
    recording.clock.ticks += 10000000 + newest * 100000;
    flamelet_end(id);
    flamelet_frame();
    ++newest;
    player.frames();
    const FrameRange shown = player.overlay->timeline.shown();
    if (!shown.valid) continue;
    FixedText<32> expected;
    expected.add_time(10000000 + static_cast<int64_t>(shown.first) * 100000);
    std::string time = expected.c_str(), sum;
    time.erase(std::remove(time.begin(), time.end(), ' '), time.end());
    const DrawnTexts drawn(0);
    const auto& texts = drawn.texts();
    for (size_t t = 0; t + 1 < texts.size(); ++t)
      if (texts[t].text == "1x" && texts[t].y0 < 30) sum = texts[t + 1].text;
    CAPTURE(shown.first);
    CHECK(sum == time);
  }
}
