// SPDX-License-Identifier: MIT
#include <thread>

#include "flamelet/flamelet.h"
#include "profiler/capture/saved_capture.h"
#include "profiler/record/page_builder.h"

namespace flamelet {

TEST_CASE("a thread that ends inside scopes leaves all of them flagged, the outermost too") {
  flamelet_config config = flamelet_config_default();
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_create(&capture_config, &capture) == FLAMELET_OK);
  std::thread([] {
    flamelet_begin("outer", "", nullptr);
    flamelet_begin("inner", "", nullptr);
  }).join();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  flamelet_span spans[3];
  REQUIRE(flamelet_capture_read_spans(capture, 0, INT64_MIN, INT64_MAX, spans, 3) == 2);
  CHECK(spans[0].flags == FLAMELET_SPAN_MISSING_END);
  CHECK(spans[1].flags == FLAMELET_SPAN_MISSING_END);
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  CHECK(stats.missing_ends == 2);
  flamelet_capture_destroy(capture);
  flamelet_shutdown();
}

TEST_CASE("a loaded capture has the counts of the saved one, clamped times and unknown events too") {
  uint64_t ticket = 1;
  PageBuilder track(1, &ticket);
  track.new_page(100);
  for (uint64_t i = 0; i < 5; ++i) track.instant(1000 - 10 * i, 1);
  track.event(2000, WordType::kMore, make_more_id(static_cast<MoreType>(200), 2), {1, 2});
  track.end(2001);
  track.new_page(3000);
  track.instant(3001, 1);
  FedCapture capture(0);
  capture.feed(track);
  const flamelet_capture_stats saved = capture.stats();
  REQUIRE(saved.times_clamped == 4);
  REQUIRE(saved.unknown_events == 1);
  REQUIRE(saved.extra_ends == 1);
  // Counts that the pages in the file do not show again.
  capture->counts.times_clamped += 1000;
  capture->counts.unknown_events += 1000;
  const Loaded loaded(save(capture.get()));
  REQUIRE(loaded.result == FLAMELET_OK);
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(loaded.capture, &stats);
  CHECK(stats.times_clamped == 1004);
  CHECK(stats.unknown_events == 1001);
  CHECK(stats.extra_ends == 1);
  CHECK(stats.events_read == saved.events_read);
}

}  // namespace flamelet
