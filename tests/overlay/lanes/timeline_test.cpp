// SPDX-License-Identifier: MIT
#include "lanes/viewport.h"

#include <doctest/doctest.h>

#include <memory>

#include "support/captured_recording.h"

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

}  // namespace

TEST_CASE("overlay timeline: it follows the newest frame, or the newest one that the GPU is done with") {
  Recording recording(20);
  Timeline timeline;
  timeline.reset(recording.capture);
  timeline.follow(UINT64_MAX, 6);
  CHECK(timeline.shown().first == recording.newest());
  CHECK(fits(timeline));
  timeline.follow(recording.newest() - 2, 6);
  CHECK(timeline.shown().first == recording.newest() - 2);
  // A GPU that fell silent is not waited for.
  timeline.follow(recording.newest() - 7, 6);
  CHECK(timeline.shown().first == recording.newest());
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

TEST_CASE("overlay timeline: several frames are shown from the first's begin to the last's end, in any order") {
  Recording recording(20);
  Timeline timeline;
  timeline.reset(recording.capture);
  CHECK(timeline.show_frames(9, 4));
  CHECK(timeline.shown().first == 4);
  CHECK(timeline.shown().last == 9);
  CHECK(timeline.shown_window().end_ns - timeline.shown_window().begin_ns == 6000000);
  CHECK(fits(timeline));
  CHECK_FALSE(timeline.show_frames(4, 400));
  CHECK(timeline.shown().last == 9);
}

TEST_CASE("overlay timeline: a zoom moves along with the frame") {
  Recording recording(20);
  Timeline timeline;
  timeline.reset(recording.capture);
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

TEST_CASE("overlay timeline: a preview shows another frame and leaves everything else") {
  Recording recording(20);
  Timeline timeline;
  timeline.reset(recording.capture);
  timeline.follow(UINT64_MAX, 0);
  const View view = timeline.view();
  timeline.preview(3);
  CHECK(timeline.previewing());
  CHECK(timeline.shown().first == 3);
  CHECK(timeline.selected().first == recording.newest());
  CHECK(timeline.view() != view);
  timeline.end_preview();
  CHECK(timeline.view() == view);
  timeline.preview(4000);  // no such frame
  CHECK_FALSE(timeline.previewing());
}

TEST_CASE("overlay timeline: back goes to the view before, once for each that was remembered") {
  Recording recording(20);
  Timeline timeline;
  timeline.reset(recording.capture);
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

TEST_CASE("overlay timeline: without a capture every call is harmless") {
  Timeline timeline;
  timeline.follow(UINT64_MAX, 6);
  timeline.preview(1);
  timeline.fit();
  CHECK_FALSE(timeline.show_frames(0, 1));
  CHECK_FALSE(timeline.back());
  CHECK(timeline.view().duration_ns() >= 0);
}

}  // namespace timeline_test
