// SPDX-License-Identifier: MIT
#include <thread>

#include "flamelet/flamelet.h"
#include "profiler/capture/saved_capture.h"
#include "profiler/record/page_builder.h"
#include "support/recording.h"

namespace flamelet {

TEST_CASE("a thread that ends inside scopes leaves all of them flagged, the outermost too") {
  const recorder_test::Recording recording;
  recorder_test::Capture capture;
  std::thread([] {
    flamelet_begin("outer", "", nullptr);
    flamelet_begin("inner", "", nullptr);
  }).join();
  capture.update();
  const std::vector<flamelet_span> spans = capture.spans(0);
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].flags == FLAMELET_SPAN_MISSING_END);
  CHECK(spans[1].flags == FLAMELET_SPAN_MISSING_END);
  CHECK(capture.stats().missing_ends == 2);
}

TEST_CASE("a loaded capture has the counts of the saved one, clamped times and unknown events too") {
  PageBuilder track(1);
  track.new_page(100);
  for (uint64_t i = 0; i < 5; ++i) track.instant(1000 - 10 * i, 1);
  track.event(2000, WordType::kMore, make_more_id(static_cast<MoreType>(200), 2), {1, 2});
  track.play("2001) 3000|");
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
  const flamelet_capture_stats stats = recorder_test::stats_of(loaded.capture);
  CHECK(stats.times_clamped == 1004);
  CHECK(stats.unknown_events == 1001);
  CHECK(stats.extra_ends == 1);
  CHECK(stats.events_read == saved.events_read);
}

}  // namespace flamelet
