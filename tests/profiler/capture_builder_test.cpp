// SPDX-License-Identifier: MIT
#include "flamelet/capture_builder.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "flamelet/capture_file.h"

namespace {

struct Building {
  flamelet_capture_builder* builder = nullptr;
  flamelet_capture* capture = nullptr;

  Building() {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = size_t{16} << 20;
    REQUIRE(flamelet_capture_builder_create(&config, &builder) == FLAMELET_OK);
  }
  ~Building() {
    flamelet_capture_builder_destroy(builder);
    flamelet_capture_destroy(capture);
  }
  Building(const Building&) = delete;
  Building& operator=(const Building&) = delete;

  uint32_t string(const std::string& text) {
    return flamelet_capture_builder_string(builder, text.data(), text.size());
  }
  uint32_t site(const std::string& name) {
    return flamelet_capture_builder_site(builder, string(name), string("imported"), 0, 0, 0, 0);
  }
  uint32_t lane(flamelet_lane_kind kind, const std::string& name) {
    return flamelet_capture_builder_lane(builder, kind, string(name));
  }
  flamelet_capture_builder_stats stats() const {
    flamelet_capture_builder_stats stats;
    flamelet_capture_builder_get_stats(builder, &stats);
    return stats;
  }
  void finish() {
    flamelet_capture_builder_finish(builder, &capture);
    builder = nullptr;
  }
  std::vector<flamelet_span> spans(size_t lane) const {
    std::vector<flamelet_span> spans(flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, nullptr, 0));
    flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size());
    return spans;
  }
};

}  // namespace

TEST_CASE("capture builder: nested scopes over many pages come out as they went in") {
  Building b;
  const uint32_t outer = b.site("outer"), inner = b.site("inner");
  const uint32_t lane = b.lane(FLAMELET_LANE_THREAD, "main");
  const flamelet_id id = flamelet_capture_builder_begin(b.builder, lane, 5, outer, 0, b.string("all of it"));
  constexpr int kCount = 3000;
  for (int i = 0; i < kCount; ++i) {
    const std::string name = "name " + std::to_string(i % 10);
    flamelet_capture_builder_begin(b.builder, lane, 10 + 10 * i, inner, i % 2 == 0 ? 0 : b.string(name), 0);
    flamelet_capture_builder_end(b.builder, lane, 17 + 10 * i);
  }
  flamelet_capture_builder_end(b.builder, lane, 100000);
  CHECK(b.stats().events == 2 * kCount + 2);
  b.finish();
  const std::vector<flamelet_span> spans = b.spans(0);
  REQUIRE(spans.size() == kCount + 1);
  CHECK(spans[0].id == id);
  CHECK(spans[0].begin_ns == 5);
  CHECK(spans[0].end_ns == 100000);
  CHECK(spans[0].self_ns == 100000 - 5 - 7 * kCount);
  CHECK(std::string(flamelet_capture_string(b.capture, spans[0].object).text) == "all of it");
  for (int i = 0; i < kCount; ++i) {
    const flamelet_span& span = spans[static_cast<size_t>(i) + 1];
    CHECK(span.begin_ns == 10 + 10 * i);
    CHECK(span.end_ns == 17 + 10 * i);
    CHECK(span.parent == 0);
    CHECK(std::string(flamelet_capture_string(b.capture, span.name).text) ==
          (i % 2 == 0 ? "inner" : "name " + std::to_string(i % 10)));
  }
  flamelet_lane_info info;
  REQUIRE(flamelet_capture_lane(b.capture, 0, &info));
  CHECK(std::string(info.name.text) == "main");
  CHECK(info.events_read == 2 * kCount + 2);
  CHECK(info.events_lost == 0);
}

TEST_CASE("capture builder: what has no place is left out and counted") {
  Building b;
  const uint32_t site = b.site("deep");
  const uint32_t lane = b.lane(FLAMELET_LANE_THREAD, "main");
  flamelet_capture_builder_end(b.builder, lane, 0);
  CHECK(b.stats().extra_ends == 1);
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 3; ++i)
    flamelet_capture_builder_begin(b.builder, lane, 100, site, 0, 0);
  CHECK(b.stats().dropped_depth == 3);
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 3; ++i) flamelet_capture_builder_end(b.builder, lane, 200);
  CHECK(b.stats().extra_ends == 1);
  flamelet_capture_builder_counter(b.builder, lane, 150, site, 1.5);
  flamelet_capture_builder_counter(b.builder, lane, -1, site, 2.5);
  CHECK(b.stats().time_clamped == 3);  // before the one before, and before 0 as well
  flamelet_capture_builder_end(b.builder, 0, 300);
  flamelet_capture_builder_end(b.builder, lane + 1, 300);
  flamelet_capture_builder_span(b.builder, lane, 1, 2, 0, site, 0, 0);
  CHECK(b.stats().dropped_lane == 3);
  b.finish();
  CHECK(b.spans(0).size() == FLAMELET_MAX_DEPTH);
}

TEST_CASE("capture builder: queues, intervals, frames and names survive a file") {
  Building b;
  const uint32_t draw = b.site("draw"), flip = b.site("flip");
  const uint32_t queue = b.lane(FLAMELET_LANE_GPU, "queue");
  CHECK(b.site("draw") == draw);
  flamelet_capture_builder_span(b.builder, queue, 500, 900, 0, draw, 0, 0);
  flamelet_capture_builder_span(b.builder, queue, 100, 1000, 77, draw, 0, 0);  // late, and the parent
  flamelet_capture_builder_instant(b.builder, queue, 950, flip, 0, 0);
  flamelet_capture_builder_interval(b.builder, 1, 50, 1, 2000, 9, flip, 0, 0);
  flamelet_capture_builder_frame(b.builder, 3, 0, 1000, 0);
  flamelet_capture_builder_frame(b.builder, 4, 1000, 1500, FLAMELET_FRAME_PARTIAL);
  b.finish();

  std::string bytes;
  REQUIRE(flamelet_capture_write(
              b.capture, INT64_MIN, INT64_MAX,
              [](void* user, const void* more, size_t count) {
                static_cast<std::string*>(user)->append(static_cast<const char*>(more), count);
                return true;
              },
              &bytes) == FLAMELET_OK);
  flamelet_capture_destroy(b.capture);
  REQUIRE(flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &b.capture, nullptr) == FLAMELET_OK);

  const std::vector<flamelet_span> spans = b.spans(0);
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].id == 77);
  CHECK(spans[0].self_ns == 500);
  CHECK(spans[1].parent == 0);
  flamelet_point point;
  REQUIRE(flamelet_capture_read_points(b.capture, 0, INT64_MIN, INT64_MAX, &point, 1) == 1);
  CHECK(point.time_ns == 950);
  flamelet_interval interval;
  REQUIRE(flamelet_capture_read_intervals(b.capture, INT64_MIN, INT64_MAX, &interval, 1) == 1);
  CHECK(interval.end_ns == 2000);
  CHECK(std::string(flamelet_capture_string(b.capture, interval.name).text) == "flip");
  REQUIRE(flamelet_capture_frame_count(b.capture) == 2);
  flamelet_frame_info frame;
  REQUIRE(flamelet_capture_frame(b.capture, 1, &frame));
  CHECK(frame.index == 4);
  CHECK(frame.flags == FLAMELET_FRAME_PARTIAL);
}
