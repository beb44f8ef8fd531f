// SPDX-License-Identifier: MIT
#include "content/gpu_frames.h"

#include <doctest/doctest.h>

#include <vector>

#include "overlay/carved.h"
#include "overlay/recorded_game.h"
#include "support/capture.h"

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace {

struct Fixture {
  explicit Fixture(size_t max_spans = 100000) {
    memory = carved([&](Carver* carver) {
      frames.carve(carver, 1024);
      carver->take(&scratch, max_spans);
    });
    frames.reset();
  }
  void update() {
    capture.update();
    frames.update(capture, &scratch);
  }
  size_t gpu_lane() const {
    flamelet_lane_info info;
    for (size_t i = 0; flamelet_capture_lane(capture, i, &info); ++i)
      if (info.kind == FLAMELET_LANE_GPU) return i;
    return SIZE_MAX;
  }
  recorder_test::Capture capture{flamelet_capture_config_default()};
  std::vector<char> memory;
  Array<flamelet_span> scratch;
  GpuFrames frames;
};

}  // namespace

TEST_CASE("overlay GPU: work is added to the frame that submitted it, however late it ran") {
  RecordedGame game(RecordedGame::Options{});
  Fixture f;
  for (int i = 0; i < 10; ++i) {
    game.frames(3);
    f.update();
  }
  // What the GPU's lane has in all is what the frames have together.
  int64_t in_frames_ns = 0;
  uint32_t known = 0, late = 0;
  for (uint64_t index = 0; index < 40; ++index) {
    GpuFrame gpu;
    if (!f.frames.find(index, &gpu)) continue;
    ++known;
    in_frames_ns += gpu.busy_ns;
    CHECK(gpu.busy_ns > 6000000);
    CHECK(gpu.lag <= 1);  // 0 in a frame so slow that the GPU starts within it
    late += gpu.lag;
  }
  CHECK(known == 28);  // of 30 frames, two are still under way
  CHECK(late > 20);
  size_t count = 0;
  flamelet_capture_read_spans(f.capture, f.gpu_lane(), INT64_MIN / 2, INT64_MAX / 2, f.scratch.data, f.scratch.capacity,
                              &count);
  int64_t on_lane_ns = 0;
  for (size_t i = 0; i < count; ++i)
    if (f.scratch.data[i].depth == 0) on_lane_ns += f.scratch.data[i].end_ns - f.scratch.data[i].begin_ns;
  CHECK(in_frames_ns == on_lane_ns);
}

TEST_CASE("overlay GPU: the newest known frame is the one whose results came last") {
  RecordedGame game(RecordedGame::Options{});
  Fixture f;
  game.frames(2);
  f.update();
  CHECK(f.frames.newest_frame() == UINT64_MAX);
  game.frames(8);
  f.update();
  flamelet_frame_info newest = {};
  flamelet_capture_frame(f.capture, flamelet_capture_frame_count(f.capture) - 1, &newest);
  CHECK(f.frames.newest_frame() == newest.index - 2);
  CHECK_FALSE(f.frames.waits_for(newest.index - 2));
  CHECK(f.frames.waits_for(newest.index));
  CHECK_FALSE(f.frames.waits_for(newest.index + 10));
  f.update();
  CHECK(f.frames.newest_frame() == newest.index - 2);
}

TEST_CASE("overlay GPU: the submitting scope of every span is found, with its frame") {
  RecordedGame game(RecordedGame::Options{});
  Fixture f;
  game.frames(12);
  f.update();
  std::vector<flamelet_span> gpu(1000);
  flamelet_capture_read_spans(f.capture, f.gpu_lane(), INT64_MIN / 2, INT64_MAX / 2, gpu.data(), gpu.size(), nullptr);
  gpu.resize(flamelet_capture_count_spans(f.capture, f.gpu_lane(), INT64_MIN / 2, INT64_MAX / 2));
  REQUIRE(gpu.size() == 30);
  for (const flamelet_span& span : gpu) {
    ScopePlace place;
    REQUIRE(find_submitting_scope(f.capture, span.id, span.begin_ns, &f.scratch, &place));
    CHECK(place.begin_ns < span.begin_ns);
    flamelet_frame_info frame = {};
    REQUIRE(flamelet_capture_frame(f.capture, flamelet_capture_find_frame(f.capture, place.frame), &frame));
    CHECK(place.begin_ns >= frame.begin_ns);
    CHECK(place.begin_ns < frame.end_ns);
  }
  ScopePlace place;
  CHECK_FALSE(find_submitting_scope(f.capture, 0, INT64_MAX / 2, &f.scratch, &place));
  CHECK_FALSE(find_submitting_scope(f.capture, 12345, INT64_MAX / 2, &f.scratch, &place));
}

TEST_CASE("overlay GPU: frames have their times, too, where the scratch array holds less than one of them") {
  RecordedGame::Options options;
  options.details = 1000;
  RecordedGame game(options);
  Fixture f(FLAMELET_CURSOR_LEAST), roomy;
  game.frames(20);
  f.update();
  roomy.update();
  uint32_t known = 0;
  for (uint64_t index = 0; index < 20; ++index) {
    GpuFrame gpu, expected;
    REQUIRE(f.frames.find(index, &gpu) == roomy.frames.find(index, &expected));
    if (gpu.index != index) continue;
    ++known;
    CHECK(gpu.busy_ns == expected.busy_ns);
  }
  CHECK(known == 17);  // the others are still under way
}

TEST_CASE("overlay GPU: passes of a queue that overlap count once, those of two queues each for itself") {
  for (const bool is_one : {true, false}) {
    RecordedGame::Options options;
    options.gpu = false;
    RecordedGame game(options);
    const uint32_t queues[] = {flamelet_track_create("graphics", FLAMELET_TRACK_GPU, 1e9),
                               flamelet_track_create("copies", FLAMELET_TRACK_GPU, 1e9)};
    Fixture f;
    game.frames(1);
    const flamelet_id id = flamelet_begin("submit", "", nullptr);
    flamelet_end(id);
    for (const uint32_t queue : queues) flamelet_track_calibrate(queue, 0, flamelet_now_ticks());
    const flamelet_event events[] = {
        {0, id, "a", "", nullptr, 0, 'B', false, 1},     {10000, id, "", "", nullptr, 0, 'E', false, 1},
        {5000, id, "b", "", nullptr, 0, 'B', false, 2},  {15000, id, "", "", nullptr, 0, 'E', false, 2},
        {12000, id, "c", "", nullptr, 0, 'B', false, 3}, {16000, id, "", "", nullptr, 0, 'E', false, 3}};
    game.frames(2);
    for (size_t pass = 0; pass < 3; ++pass) {
      REQUIRE(flamelet_submit(queues[is_one ? 0 : pass % 2], events + 2 * pass, 2) == 2);
      if (pass == 1) f.update();
    }
    f.update();
    int64_t busy_ns = 0;
    for (uint64_t index = 0; index < 5; ++index) {
      GpuFrame gpu;
      if (f.frames.find(index, &gpu)) busy_ns += gpu.busy_ns;
    }
    CHECK(busy_ns == doctest::Approx(is_one ? 16000 : 24000).epsilon(0.001));
  }
}

TEST_CASE("overlay GPU: what runs beside or below a pass of an earlier frame counts for its own frame") {
  RecordedGame::Options options;
  options.gpu = false;
  RecordedGame game(options);
  const uint32_t queue = flamelet_track_create("graphics", FLAMELET_TRACK_GPU, 1e9);
  constexpr int kFrames = 300;  // more passes than are taken in at once
  const uint64_t start = flamelet_now_ticks();
  flamelet_track_calibrate(queue, 0, start);
  Fixture f;
  // Each frame: a long pass, which the next frame's short ones lie in, and one that outlasts it.
  flamelet_id now = 0;
  for (int i = 0; i <= kFrames; ++i) {
    const flamelet_id next = flamelet_begin("submit", "", nullptr);
    flamelet_end(next);
    game.frames(1);
    const uint64_t at = flamelet_now_ticks() - start;
    const flamelet_event events[] = {
        {at, now, "long", "", nullptr, 0, 'B', false, 1},    {at + 100, next, "a", "", nullptr, 0, 'B', false, 2},
        {at + 200, next, "", "", nullptr, 0, 'E', false, 2}, {at + 300, next, "b", "", nullptr, 0, 'B', false, 3},
        {at + 400, next, "", "", nullptr, 0, 'E', false, 3}, {at + 500, next, "c", "", nullptr, 0, 'B', false, 4},
        {at + 600, now, "", "", nullptr, 0, 'E', false, 1},  {at + 700, next, "", "", nullptr, 0, 'E', false, 4},
    };
    if (i != 0) REQUIRE(flamelet_submit(queue, events, 8) == 8);
    now = next;
  }
  game.frames(2);
  f.update();
  int known = 0;
  double share_ns = 0;
  for (uint64_t index = 0; index < kFrames + 4; ++index) {
    GpuFrame gpu;
    if (!f.frames.find(index, &gpu)) continue;
    ++known;
    share_ns += static_cast<double>(gpu.share_ns);
    CAPTURE(index);
    if (known > 1 && known <= kFrames) CHECK(gpu.busy_ns == doctest::Approx(1000).epsilon(0.02));
  }
  CHECK(known == kFrames + 1);
  CHECK(share_ns == doctest::Approx(kFrames * 700).epsilon(0.001));  // what the queue was busy
}

TEST_CASE("overlay GPU: without a queue nothing is known") {
  RecordedGame::Options options;
  options.gpu = false;
  RecordedGame game(options);
  Fixture f;
  game.frames(5);
  f.update();
  GpuFrame gpu;
  CHECK_FALSE(f.frames.any_queue());
  CHECK_FALSE(f.frames.find(2, &gpu));
  CHECK(f.frames.newest_frame() == UINT64_MAX);
}
