// SPDX-License-Identifier: MIT
#include "lanes/viewport.h"

#include <doctest/doctest.h>

#include <math.h>
#include <limits>
#include <string>
#include <vector>

#include "overlay/span_trees.h"
#include "support/captured_recording.h"

using namespace flamelet::ui;

namespace viewport_test {

using namespace flamelet::ui;
using flamelet_tests::Random;

namespace {

constexpr TimeWindow kLimits = {1000, 1001000};

bool inside(View view) {
  return view.begin_ns >= static_cast<double>(kLimits.begin_ns) && view.end_ns <= static_cast<double>(kLimits.end_ns) &&
         view.duration_ns() >= kLeastViewNs;
}

}  // namespace

TEST_CASE("overlay view: zooming keeps the time under the cursor where it is") {
  const View view = {200000, 400000};
  for (const double x : {0.0, 137.0, 640.0, 1280.0}) {
    const double at = time_at(view, x, 1280);
    const View zoomed = zoom_view(view, at, 0.5, kLimits);
    CHECK(x_at(zoomed, at, 1280) == doctest::Approx(x));
    CHECK(zoomed.duration_ns() == doctest::Approx(100000));
  }
}

TEST_CASE("overlay view: zooming in and out again comes back") {
  const View view = {200000, 400000};
  View moved = view;
  for (int i = 0; i < 20; ++i) moved = zoom_view(moved, 300000, 0.8, kLimits);
  for (int i = 0; i < 20; ++i) moved = zoom_view(moved, 300000, 1.25, kLimits);
  CHECK(moved.begin_ns == doctest::Approx(view.begin_ns));
  CHECK(moved.end_ns == doctest::Approx(view.end_ns));
}

TEST_CASE("overlay view: panning stops at the limits without zooming") {
  const View view = {200000, 400000};
  const View left = pan_view(view, -1e9, kLimits);
  CHECK(left.begin_ns == 1000);
  CHECK(left.duration_ns() == doctest::Approx(200000));
  const View right = pan_view(view, 1e9, kLimits);
  CHECK(right.end_ns == 1001000);
  CHECK(right.duration_ns() == doctest::Approx(200000));
}

TEST_CASE("overlay view: it stays inside its limits whatever happens to it") {
  Random random(17);
  const double odd[] = {
      0, -1, 1e300, -1e300, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e-300};
  View view = {200000, 400000};
  for (int i = 0; i < 20000; ++i) {
    const double value = random.below(4) == 0 ? odd[random.below(7)] : static_cast<double>(random.below(2000000)) - 5e5;
    switch (random.below(4)) {
      case 0:
        view = zoom_view(view, value, 0.3 + random.below(30) * 0.1, kLimits);
        break;
      case 1:
        view = zoom_view(view, 300000, value, kLimits);
        break;
      case 2:
        view = pan_view(view, value, kLimits);
        break;
      default:
        view = clamp_view({value, view.end_ns}, kLimits);
        break;
    }
    REQUIRE(inside(view));
  }
}

TEST_CASE("overlay view: limits without extent give the shortest view") {
  const View view = clamp_view({5, 5}, {5, 5});
  CHECK(view.duration_ns() == kLeastViewNs);
  CHECK(isfinite(x_at(view, 5, 1280)));
}

TEST_CASE("overlay view: something to look at gets a margin") {
  const View view = frame_view({500000, 600000}, kLimits);
  CHECK(view.begin_ns < 500000);
  CHECK(view.end_ns > 600000);
  CHECK(view.duration_ns() < 130000);
}

TEST_CASE("overlay view: its window holds every nanosecond that it touches") {
  const TimeWindow window = window_of(View{10.25, 19.5});
  CHECK(window.begin_ns == 10);
  CHECK(window.end_ns == 20);
  const TimeWindow none = window_of(View{std::numeric_limits<double>::quiet_NaN(), 1});
  CHECK(none.begin_ns == none.end_ns);
}

TEST_CASE_FIXTURE(ViewHistory, "overlay view: the history gives back the newest views first and forgets the oldest") {
  Place place;
  CHECK_FALSE(pop(&place));
  for (int i = 0; i < 100; ++i) push({{static_cast<double>(i), 1000}, {}});
  push({{99, 1000}, {}});  // the same again is not kept twice
  uint32_t popped = 0;
  double last = 100;
  while (pop(&place)) {
    CHECK(place.view.begin_ns == last - 1);
    last = place.view.begin_ns;
    ++popped;
  }
  CHECK(popped == 32);
}

}  // namespace viewport_test

// ---- Ruler --------------------------------------------------------------------------------------------------------

namespace {

std::string tick(int64_t offset_ns, int64_t step_ns, bool with_unit) {
  FixedText<32> text;
  write_tick(offset_ns, step_ns, with_unit, &text);
  return std::string(text.view());
}

}  // namespace

TEST_CASE("overlay ruler: steps are 1, 2 or 5 times a power of ten and wide enough") {
  for (double duration = 60; duration < 8e11; duration *= 1.37) {
    const Ruler ruler = make_ruler({1000, 1000 + duration}, 1000, 1280, 72);
    CAPTURE(duration);
    int64_t leading = ruler.step_ns;
    while (leading % 10 == 0) leading /= 10;
    REQUIRE((leading == 1 || leading == 2 || leading == 5));
    const double step_px = static_cast<double>(ruler.step_ns) / duration * 1280;
    REQUIRE(step_px >= 72);
    REQUIRE(step_px < 72 * 2.6);
  }
}

TEST_CASE("overlay ruler: steps of a long view are minutes, hours and days") {
  const auto label = [](double hours, int64_t number) {
    const Ruler ruler = make_ruler({0, hours * 3.6e12}, 0, 1280, 72);
    CHECK(static_cast<double>(ruler.step_ns) / (hours * 3.6e12) * 1280 >= 72);
    return tick(number * ruler.step_ns, ruler.step_ns, true);
  };
  const struct {
    double hours;
    int64_t number;
    const char* text;
  } labels[] = {{0.25, 1, "1 min"}, {1, 1, "5 min"}, {5, 2, "40 min"},    {10, 2, "2 h"},           {24, 1, "2 h"},
                {72, 3, "18 h"},    {240, 1, "1 d"}, {24 * 60, 1, "5 d"}, {24 * 19884, 2, "4000 d"}};
  for (const auto& each : labels) CHECK(label(each.hours, each.number) == each.text);
}

TEST_CASE("overlay ruler: a tick stands on the origin, and all of the view is covered") {
  const View view = {7300, 19700};
  const Ruler ruler = make_ruler(view, 10000, 1280, 72);
  CHECK((10000 - ruler.first_ns) % ruler.step_ns == 0);
  CHECK(static_cast<double>(ruler.first_ns) <= view.begin_ns);
  const int64_t last_ns = ruler.first_ns + (ruler.count - 1) * ruler.step_ns;
  CHECK(static_cast<double>(last_ns) <= view.end_ns);
  CHECK(static_cast<double>(last_ns + ruler.step_ns) > view.end_ns);
}

TEST_CASE("overlay ruler: views and canvases without extent have no ticks") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(make_ruler({5, 5}, 0, 1280, 72).count == 0);
  CHECK(make_ruler({5, 2}, 0, 1280, 72).count == 0);
  CHECK(make_ruler({nan, 5}, 0, 1280, 72).count == 0);
  CHECK(make_ruler({0, 5000}, 0, 0, 72).count == 0);
}

TEST_CASE("overlay ruler: as many frames have a number as there is room for, however many there are") {
  CHECK(frame_label_step(5, 1000, 50) == 1);
  CHECK(frame_label_step(20, 1000, 50) == 1);
  CHECK(frame_label_step(21, 1000, 50) == 2);
  CHECK(frame_label_step(100, 1000, 50) == 5);
  CHECK(frame_label_step(101, 1000, 50) == 10);
  for (uint64_t frames = 1; frames < uint64_t{1} << 40; frames = frames * 3 + 1) {
    const uint64_t labels = frames / frame_label_step(frames, 1000, 50);
    CAPTURE(frames);
    CHECK(labels <= 20);
    CHECK((labels >= 8 || labels == frames));
  }
  CHECK(frame_label_step(10, 0, 50) == UINT64_MAX);
  CHECK(frame_label_step(UINT64_MAX, 1, 1000) == UINT64_MAX);
}

TEST_CASE("overlay ruler: labels have the decimals that their step needs") {
  CHECK(tick(2500000, 500000, true) == "2.5 ms");
  CHECK(tick(2000000, 1000000, false) == "2");
  CHECK(tick(50000, 10000, true) == "50 us");
  CHECK(tick(500, 100, true) == "0.5 us");
  CHECK(tick(40, 20, true) == "40 ns");
  CHECK(tick(51418680, 5, true) == "51,418,680 ns");
  CHECK(tick(-51418680, 5, false) == "-51,418,680");
  CHECK(tick(-1000000, 1000000, false) == "-1");
  CHECK(tick(2000000000, 1000000000, true) == "2 s");
}

// ---- Time columns -------------------------------------------------------------------------------------------------

namespace {

constexpr uint32_t kQuietValue = 9;

// Ten columns for 100 ns, one a pixel.
struct TenColumns {
  explicit TenColumns(uint32_t capacity = 100, float column_px = 1) : memory(capacity) {
    blocks.data = memory.data();
    blocks.capacity = capacity;
    columns = TimeColumns({0, 100}, 10, column_px, 3, kQuietValue, &blocks);
  }
  // "0-4:1 6-10:2"
  std::string text() {
    complete = columns.finish();
    std::string text;
    for (const TimeBlock& block : blocks) {
      CHECK(block.row == 3);
      text += (text.empty() ? "" : " ") + std::to_string(static_cast<int>(block.x0)) + "-" +
              std::to_string(static_cast<int>(block.x1)) + ":" + std::to_string(block.value);
    }
    return text;
  }

  std::vector<TimeBlock> memory;
  Array<TimeBlock> blocks;
  TimeColumns columns{{0, 100}, 10, 1, 3, kQuietValue, nullptr};
  bool complete = false;
};

}  // namespace

TEST_CASE_FIXTURE(TenColumns, "time columns: what is wide enough stands where it was, cut at the edges") {
  columns.add(-50, 40, 1);
  columns.add(60, 130, 2);
  CHECK(text() == "0-4:1 6-10:2");
  CHECK(complete);
}

TEST_CASE_FIXTURE(TenColumns, "time columns: neighbours of one value are one block") {
  for (int64_t at = 0; at < 100; at += 5) columns.add(at, at + 5, 1);
  CHECK(text() == "0-10:1");
}

TEST_CASE_FIXTURE(TenColumns, "time columns: a short one among quiet ones is seen, a quiet one need not be") {
  columns.add(0, 43, kQuietValue);
  columns.add(43, 44, 1);
  columns.add(44, 100, kQuietValue);
  CHECK(text() == "0-4:9 4-5:1 5-10:9");
  TenColumns other;
  other.columns.add(0, 43, 1);
  other.columns.add(43, 44, kQuietValue);
  other.columns.add(44, 100, 1);
  CHECK(other.text() == "0-10:1");
}

TEST_CASE("time columns: over many shared columns, each value has as much room as it has time") {
  std::vector<TimeBlock> memory(4000);
  Array<TimeBlock> blocks;
  blocks.data = memory.data();
  blocks.capacity = 4000;
  TimeColumns row({0, 1e6}, 1000, 1, 0, kQuietValue, &blocks);
  for (int64_t at = 0; at < 1000000; at += 100) {
    row.add(at, at + 30, 1);
    row.add(at + 30, at + 40, 2);
    row.add(at + 40, at + 90, kQuietValue);
  }
  CHECK(row.finish());
  double px[10] = {};
  for (const TimeBlock& block : blocks) px[block.value] += static_cast<double>(block.x1 - block.x0);
  CHECK(px[1] == doctest::Approx(300).epsilon(0.02));
  CHECK(px[2] == doctest::Approx(100).epsilon(0.04));
  CHECK(px[kQuietValue] == doctest::Approx(500).epsilon(0.02));
}

TEST_CASE("time columns: there are never more blocks than columns, and wider columns make fewer") {
  for (const float column_px : {1.0f, 2.0f, 4.0f}) {
    std::vector<TimeBlock> memory(4000);
    Array<TimeBlock> blocks;
    blocks.data = memory.data();
    blocks.capacity = 4000;
    TimeColumns row({0, 1e6}, 1000, column_px, 0, kQuietValue, &blocks);
    for (int64_t at = 0; at < 1000000; at += 7) row.add(at, at + 1 + at % 5, 1 + static_cast<uint32_t>(at % 3));
    CHECK(row.finish());
    CHECK(static_cast<float>(blocks.count) <= 1000 / column_px);
  }
}

TEST_CASE("time columns: without room it says so") {
  TenColumns row(2);
  for (int64_t at = 0; at < 100; at += 20) row.columns.add(at, at + 10, 1);
  CHECK(row.text() == "0-1:1 2-3:1");
  CHECK_FALSE(row.complete);
}

// ---- Timeline -----------------------------------------------------------------------------------------------------

namespace timeline_test {

using namespace flamelet::ui;

namespace {

// Frames 1 ms long, with nothing in them but one scope, in a capture.
struct Recording {
  explicit Recording(uint32_t frames) { add(frames); }
  void add(uint32_t frames) {
    for (uint32_t i = 0; i < frames; ++i) {
      const flamelet_id id = flamelet_begin("work", nullptr, nullptr);
      recorder_test::now_ns += 1000000;
      flamelet_end(id);
      flamelet_frame();
    }
    capture = recorded_.capture();
  }
  uint64_t newest() const {
    flamelet_frame_info frame = {};
    flamelet_capture_frame(capture, flamelet_capture_frame_count(capture) - 1, &frame);
    return frame.index;
  }
  flamelet_capture* capture = nullptr;

 private:
  recorder_test::CapturedRecording recorded_;
};

bool fits(const Timeline& timeline) {
  const TimeWindow shown = timeline.shown_window();
  return timeline.view() == view_of(shown);
}

struct TwentyFrames : Recording {
  Timeline timeline;
  TwentyFrames() : Recording(20) { timeline.reset(capture); }
};

}  // namespace

TEST_CASE_FIXTURE(TwentyFrames,
                  "overlay timeline: it follows the newest frame, or the newest one that the GPU is done with") {
  timeline.follow(UINT64_MAX, 6);
  CHECK(timeline.shown().first == newest());
  CHECK(fits(timeline));
  timeline.follow(newest() - 2, 6);
  CHECK(timeline.shown().first == newest() - 2);
  // A GPU that fell silent is not waited for.
  timeline.follow(newest() - 7, 6);
  CHECK(timeline.shown().first == newest());
}

TEST_CASE("overlay timeline: stepping pauses and stays within the frames there are") {
  Recording recording(5);
  Timeline timeline;
  timeline.reset(recording.capture);
  CHECK_FALSE(timeline.step(1));
  timeline.follow(UINT64_MAX, 0);
  CHECK_FALSE(timeline.step(1));
  CHECK(timeline.step(-2));
  CHECK(timeline.paused());
  CHECK(timeline.shown().first == recording.newest() - 2);
  CHECK_FALSE(timeline.step(-1000));
  CHECK_FALSE(timeline.step(INT64_MIN));
  CHECK(timeline.shown().first == recording.newest() - 2);
}

TEST_CASE_FIXTURE(TwentyFrames,
                  "overlay timeline: several frames are shown from the first's begin to the last's end, in any order") {
  CHECK(timeline.show_frames(9, 4));
  CHECK(timeline.shown().first == 4);
  CHECK(timeline.shown().last == 9);
  CHECK(timeline.shown_window().end_ns - timeline.shown_window().begin_ns == 6000000);
  CHECK(fits(timeline));
  CHECK_FALSE(timeline.show_frames(4, 400));
  CHECK(timeline.shown().last == 9);
}

TEST_CASE_FIXTURE(TwentyFrames, "overlay timeline: a zoom moves along with the frame") {
  timeline.follow(UINT64_MAX, 0);
  const double begin = static_cast<double>(timeline.shown_window().begin_ns);
  timeline.set_view({begin + 200000, begin + 300000}, true);
  CHECK_FALSE(timeline.fitted());
  CHECK(timeline.step(-3));
  const double moved = static_cast<double>(timeline.shown_window().begin_ns);
  CHECK(timeline.view().begin_ns == moved + 200000);
  CHECK(timeline.view().end_ns == moved + 300000);
  timeline.fit();
  CHECK(fits(timeline));
}

TEST_CASE_FIXTURE(TwentyFrames, "overlay timeline: a preview shows another frame and leaves everything else") {
  timeline.follow(UINT64_MAX, 0);
  const View view = timeline.view();
  timeline.preview(3);
  CHECK(timeline.previewing());
  CHECK(timeline.shown().first == 3);
  CHECK(timeline.selected().first == newest());
  CHECK(timeline.view() != view);
  timeline.set_view_in_run({0, 1000}, Timeline::Run::kZoom, 0);
  timeline.end_preview();
  CHECK(timeline.view() == view);
  timeline.preview(4000);  // no such frame
  CHECK_FALSE(timeline.previewing());
}

TEST_CASE_FIXTURE(TwentyFrames, "overlay timeline: back goes to the view before, once for each that was remembered") {
  timeline.follow(UINT64_MAX, 0);
  const View first = timeline.view();
  timeline.set_view({first.begin_ns + 100000, first.end_ns - 100000}, true);
  timeline.set_view({first.begin_ns + 200000, first.end_ns - 200000}, false);
  CHECK(timeline.back());
  CHECK(timeline.view() == first);
  CHECK_FALSE(timeline.back());
}

TEST_CASE("overlay timeline: without frame marks the newest time is shown") {
  Recording recording(0);
  const flamelet_id id = flamelet_begin("work", nullptr, nullptr);
  recorder_test::now_ns += 200000000;
  flamelet_end(id);
  REQUIRE(flamelet_capture_update(recording.capture) == FLAMELET_OK);
  Timeline timeline;
  timeline.reset(recording.capture);
  timeline.follow(UINT64_MAX, 6);
  CHECK_FALSE(timeline.shown().valid);
  CHECK(timeline.view().duration_ns() == 50000000);
  CHECK_FALSE(timeline.step(1));
}

TEST_CASE_FIXTURE(Timeline, "overlay timeline: without a capture every call is harmless") {
  follow(UINT64_MAX, 6);
  preview(1);
  fit();
  CHECK_FALSE(show_frames(0, 1));
  CHECK_FALSE(back());
  CHECK(view().duration_ns() >= 0);
}

}  // namespace timeline_test
