// SPDX-License-Identifier: MIT
#include "view/spike_strip.h"

#include <doctest/doctest.h>

#include <vector>

namespace flamelet::ui {
namespace {

struct Strip {
  std::vector<flamelet_flight_info> kept;
  SpikeBar room[8];
  Array<SpikeBar> bars = {room, 0, 8};
  SpikeStripInput input;

  explicit Strip(std::vector<int64_t> durations) {
    for (const int64_t duration : durations) {
      flamelet_flight_info info = {};
      info.frame.end_ns = duration;
      kept.push_back(info);
    }
    input.kept = kept.data();
    input.kept_count = static_cast<uint32_t>(kept.size());
    input.most_width_px = 100;
    input.height_px = 40;
  }
};

flamelet_frame_info frame(uint64_t index, int64_t begin_ns) {
  flamelet_frame_info info = {};
  info.index = index;
  info.begin_ns = begin_ns;
  info.end_ns = begin_ns + 100;
  return info;
}

}  // namespace

TEST_CASE("spike strip: a bar for each, as high as its frame is long; the longest fills the strip, none is nothing") {
  Strip strip({500, 250, 100, 1});
  CHECK(layout_spike_strip(strip.input, &strip.bars) == 32);
  REQUIRE(strip.bars.count == 4);
  CHECK(strip.bars[0].height == 40);
  CHECK(strip.bars[1].height == 20);
  CHECK(strip.bars[2].height == 8);
  CHECK(strip.bars[3].height == 2);
  CHECK(strip.bars[1].x0 == 8);
  CHECK(strip.bars[1].x1 == 15);
  CHECK(find_spike(strip.bars, 0) == 0);
  CHECK(find_spike(strip.bars, 15.5f) == 1);
  CHECK(find_spike(strip.bars, 32) == 4);
  CHECK(find_spike(strip.bars, -1) == 4);
}

TEST_CASE("spike strip: the longest stay where there is no room for all, and none is fine") {
  Strip strip({9, 8, 7, 6});
  strip.input.most_width_px = 23;
  CHECK(layout_spike_strip(strip.input, &strip.bars) == 16);
  CHECK(strip.bars.count == 2);
  strip.input.most_width_px = 0;
  CHECK(layout_spike_strip(strip.input, &strip.bars) == 0);
  strip.input.most_width_px = -5;
  CHECK(layout_spike_strip(strip.input, &strip.bars) == 0);
  Strip none({});
  CHECK(layout_spike_strip(none.input, &none.bars) == 0);
  Strip many(std::vector<int64_t>(20, 5));
  many.input.most_width_px = 1000;
  CHECK(layout_spike_strip(many.input, &many.bars) == 64);
}

TEST_CASE("spike strip: a flag stands on the bar that has the frame, and not on another recording's") {
  flamelet_frame_info frames_room[6];
  Array<flamelet_frame_info> frames = {frames_room, 0, 6};
  for (int64_t i = 0; i < 6; ++i) frames.push(frame(static_cast<uint64_t>(10 + i), 100 * i));
  Bar bars_room[3];
  Array<Bar> bars = {bars_room, 0, 3};
  for (uint32_t i = 0; i < 3; ++i) {
    Bar bar = {};
    bar.first = 2 * i;
    bar.count = 2;
    bars.push(bar);
  }
  CHECK(bar_of_frame(bars, frames, frame(10, 0)) == 0);
  CHECK(bar_of_frame(bars, frames, frame(13, 300)) == 1);
  CHECK(bar_of_frame(bars, frames, frame(15, 500)) == 2);
  CHECK(bar_of_frame(bars, frames, frame(15, 501)) == 3);
  CHECK(bar_of_frame(bars, frames, frame(9, 0)) == 3);
  CHECK(bar_of_frame(bars, frames, frame(16, 600)) == 3);
}

}  // namespace flamelet::ui
