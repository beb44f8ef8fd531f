// SPDX-License-Identifier: MIT
#include "lanes/viewport.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace flamelet::ui;

namespace {

std::string tick(int64_t offset_ns, int64_t step_ns, bool with_unit) {
  FixedText<32> text;
  write_tick(offset_ns, step_ns, with_unit, &text);
  return std::string(text.view());
}

}  // namespace

TEST_CASE("overlay ruler: steps are 1, 2 or 5 times a power of ten and wide enough") {
  for (double duration = 60; duration < 1e13; duration *= 1.37) {
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
  CHECK(tick(-1000000, 1000000, false) == "-1");
  CHECK(tick(2000000000, 1000000000, true) == "2 s");
}
