// SPDX-License-Identifier: MIT
//
// The sums of a scope's time in each frame: the same as summed up from the beginning, for little work.
#include "pages/scope/scope_figures.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/capture.h"
#include "support/recording.h"

using namespace flamelet::ui;
using namespace recorder_test;

namespace {

constexpr uint32_t kHeldFrames = 512;

// A recorder whose frames have one scope each, of times that go up and down, and a capture that holds the newest frames.
struct Frames {
  Frames() : recording(config()), capture(capture_config()), memory(size_t{1} << 20) {
    Carver carver(memory.data());
    frames.carve(&carver, kHeldFrames);
    graph.carve(&carver);
    carver.take(&scratch, 4096);
    REQUIRE(carver.used() <= memory.size());
    frames.clear();
    graph.clear();
  }
  static flamelet_config config() { return with_thread_clock(flamelet_config_default(), 1000); }
  static flamelet_capture_config capture_config() {
    flamelet_capture_config config = small_capture_config();
    config.max_frames = kHeldFrames;
    return config;
  }
  void record(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      const flamelet_id id = flamelet_begin("Step", "", nullptr);
      random = random * 6364136223846793005u + 1442695040888963407u;
      thread_now_ns += 1000 + (random >> 40) % 5000;
      flamelet_end(id);
      thread_now_ns += 100;
      flamelet_frame();
    }
    capture.update();
  }
  void begin() {
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
      for (const flamelet_span& span : capture.spans(lane))
        if (capture.string(span.name) == "Step") return frames.begin(capture, key_of(span));
    FAIL("no such scope");
  }
  void read(uint32_t zones = UINT32_MAX) { frames.step(&scratch, zones, UINT64_MAX); }
  uint64_t oldest_held() const {
    flamelet_frame_info oldest = {};
    flamelet_capture_frame(capture, 0, &oldest);
    return oldest.index;
  }
  void update(uint32_t most) { graph.update(frames, oldest_held(), most); }
  // Each bar against the frames that it stands for, and all frames against the bars.
  void check() const {
    uint64_t next = std::max(oldest_held(), frames.oldest());
    uint32_t count = 0;
    int64_t longest_ns = 1;
    for (uint32_t i = 0; i < graph.bars().count; ++i) {
      const FrameSum& sum = graph.bars()[i];
      CHECK(sum.first == next);
      int64_t longest = -1;
      uint32_t mark = 0;
      for (uint64_t index = sum.first; index <= sum.last; ++index) {
        REQUIRE(frames.find(index) != nullptr);
        longest = std::max(longest, frames.find(index)->time_ns);
        mark = std::max(mark, frames.find(index)->mark);
      }
      CHECK(sum.longest_ns == longest);
      CHECK(frames.find(sum.longest)->time_ns == longest);
      CHECK(sum.count == sum.last - sum.first + 1);
      CHECK(graph.newest_mark(i) == mark);
      next = sum.last + 1;
      count += sum.count;
      longest_ns = std::max(longest_ns, longest);
    }
    CHECK(next == frames.newest() + 1);
    CHECK(graph.frame_count() == count);
    CHECK(graph.longest_ns() == longest_ns);
  }
  void mark(uint64_t index, uint32_t value) {
    CHECK(frames.mark(index, value));
    graph.mark(index, value);
  }

  const Recording recording;
  Capture capture;
  std::vector<char> memory;
  ScopeFrames frames;
  ScopeGraph graph;
  Array<flamelet_span> scratch;
  uint64_t random = 1;
};

}  // namespace

TEST_CASE("overlay scope graph: bars hold every frame while frames are read, come and go, and the room changes") {
  Frames f;
  f.record(300);
  f.begin();
  uint64_t step = 7;
  for (uint32_t i = 0; i < 400; ++i) {
    step = step * 2862933555777941757u + 3037000493u;
    f.read(1 + static_cast<uint32_t>(step >> 33) % 400);
    const uint32_t most = i % 90 == 0 ? 7 : i % 90 < 30 ? 40 : i % 90 < 60 ? 200 : 1000;
    f.update(most);
    CAPTURE(i);
    f.check();
    CHECK(f.graph.bars().count <= most + 1);
    f.mark(f.frames.newest() - i % 3, i + 1);
    f.update(most);
    f.check();
    if (i % 3 != 0) f.record(1 + static_cast<uint32_t>(step >> 40) % 4);
  }
  CHECK(f.oldest_held() > 0);
}

TEST_CASE("overlay scope graph: a picture of what has not changed looks at no frame, and a live one at the new ones") {
  Frames f;
  f.record(kHeldFrames + 20);
  f.begin();
  f.read();
  f.update(100);
  const uint64_t all = f.graph.frames_looked_at();
  CHECK(all == kHeldFrames);
  for (int i = 0; i < 50; ++i) f.update(100);
  CHECK(f.graph.frames_looked_at() == all);
  // Each update takes one new frame, and looks at one bar's frames anew where the longest of the oldest bar went.
  constexpr int kMore = 400;
  for (int i = 0; i < kMore; ++i) {
    f.record(1);
    f.read();
    f.update(100);
  }
  f.check();
  CHECK(f.graph.frames_looked_at() - all >= kMore);
  CHECK(f.graph.frames_looked_at() - all < kMore * 4);  // a walk of all would be kMore * kHeldFrames
}

TEST_CASE("overlay scope graph: another scope begins anew, and no frames have no bars") {
  Frames f;
  f.update(10);
  CHECK(f.graph.bars().count == 0);
  CHECK(f.graph.longest_ns() == 1);
  f.record(20);
  f.begin();
  f.read();
  f.update(10);
  CHECK(f.graph.frame_count() == 20);
  f.frames.begin(f.capture, {12345, 12345});
  f.update(10);
  CHECK(f.graph.bars().count == 0);
  f.read();
  f.update(10);
  f.check();
  CHECK(f.graph.longest_ns() == 1);
}

TEST_CASE("overlay scope graph: what it takes does not depend on the number of frames") {
  Carver carver(nullptr);
  ScopeGraph graph;
  graph.carve(&carver);
  CHECK(carver.used() < 128 * 1024);
}
