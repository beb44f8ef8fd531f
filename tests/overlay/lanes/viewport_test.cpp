// SPDX-License-Identifier: MIT
#include "lanes/viewport.h"

#include <doctest/doctest.h>
#include <math.h>

#include <limits>

#include "overlay/span_trees.h"

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

TEST_CASE("overlay view: the history gives back the newest views first and forgets the oldest") {
  ViewHistory history;
  Place place;
  CHECK_FALSE(history.pop(&place));
  for (int i = 0; i < 100; ++i) history.push({{static_cast<double>(i), 1000}, {}});
  history.push({{99, 1000}, {}});  // the same again is not kept twice
  uint32_t popped = 0;
  double last = 100;
  while (history.pop(&place)) {
    CHECK(place.view.begin_ns == last - 1);
    last = place.view.begin_ns;
    ++popped;
  }
  CHECK(popped == 32);
}

}  // namespace viewport_test
