// SPDX-License-Identifier: MIT
#include "bars/frame_bars.h"

#include <doctest/doctest.h>

#include <vector>

namespace flamelet::ui {
namespace {

struct Strip {
  std::vector<flamelet_flight_info> kept;
  HitchBar room[8];
  Array<HitchBar> bars = {room, 0, 8};
  HitchStripInput input;

  explicit Strip(std::vector<int64_t> durations) {
    for (const int64_t duration : durations) {
      flamelet_flight_info info = {};
      info.frame.end_ns = duration;
      kept.push_back(info);
    }
    input.hitches = kept.data();
    input.hitch_count = static_cast<uint32_t>(kept.size());
    input.most_width_px = 100;
    input.height_px = 40;
  }
};

}  // namespace

TEST_CASE("hitch strip: a bar for each, as high as its frame is long; the longest fills the strip, none is nothing") {
  Strip strip({500, 250, 100, 1});
  CHECK(layout_hitch_strip(strip.input, &strip.bars) == 32);
  REQUIRE(strip.bars.count == 4);
  CHECK(strip.bars[0].height == 40);
  CHECK(strip.bars[1].height == 20);
  CHECK(strip.bars[2].height == 8);
  CHECK(strip.bars[3].height == 2);
  CHECK(strip.bars[1].x0 == 8);
  CHECK(strip.bars[1].x1 == 15);
  CHECK(find_hitch(strip.bars, 0) == 0);
  CHECK(find_hitch(strip.bars, 15.5f) == 1);
  CHECK(find_hitch(strip.bars, 32) == 4);
  CHECK(find_hitch(strip.bars, -1) == 4);
}

TEST_CASE("hitch strip: the longest stay where there is no room for all, and none is fine") {
  Strip strip({9, 8, 7, 6});
  strip.input.most_width_px = 23;
  CHECK(layout_hitch_strip(strip.input, &strip.bars) == 16);
  CHECK(strip.bars.count == 2);
  strip.input.most_width_px = 0;
  CHECK(layout_hitch_strip(strip.input, &strip.bars) == 0);
  strip.input.most_width_px = -5;
  CHECK(layout_hitch_strip(strip.input, &strip.bars) == 0);
  Strip none({});
  CHECK(layout_hitch_strip(none.input, &none.bars) == 0);
  Strip many(std::vector<int64_t>(20, 5));
  many.input.most_width_px = 1000;
  CHECK(layout_hitch_strip(many.input, &many.bars) == 64);
}

}  // namespace flamelet::ui
