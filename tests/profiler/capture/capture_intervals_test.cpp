// SPDX-License-Identifier: MIT
#include "capture/capture_data.h"

#include <vector>

#include "platform/engine_memory.h"
#include "profiler/capture/saved_capture.h"
#include "profiler/record/page_builder.h"

namespace flamelet {
namespace {

std::vector<flamelet_interval> read(const FedCapture& capture, int64_t begin = INT64_MIN, int64_t end = INT64_MAX) {
  return recorder_test::read_intervals(capture.get(), begin, end);
}

struct TwoTracks {
  uint64_t ticket = 1;
  PageBuilder a{1, &ticket};
  PageBuilder b{2, &ticket};
  FedCapture capture;

  TwoTracks() {
    a.new_page(1000);
    b.new_page(1000);
  }
};

}  // namespace

TEST_CASE("intervals overlap and end on any thread, in whichever order the threads are read") {
  for (bool a_first : {true, false}) {
    TwoTracks test;
    const uint64_t first = test.a.start(1000, 1);
    const uint64_t second = test.a.start(1010, 2);
    test.b.finish(1020, first);
    test.a.finish(1030, second);
    test.capture.feed(a_first ? test.a : test.b);
    test.capture.feed(a_first ? test.b : test.a);
    const std::vector<flamelet_interval> found = read(test.capture);
    REQUIRE(found.size() == 2);
    CHECK(found[0].id == first);
    CHECK(found[0].begin_ns == 1000);
    CHECK(found[0].end_ns == 1020);
    CHECK(found[0].site == 1);
    CHECK(found[0].begin_track == 1);
    CHECK(found[0].end_track == 2);
    CHECK(found[0].flags == 0);
    CHECK(found[1].end_ns == 1030);
    CHECK(found[1].end_track == 1);
    CHECK(read(test.capture, 1020, 1030).size() == 1);
    CHECK(read(test.capture, 1030, 2000).empty());
  }
}

TEST_CASE_FIXTURE(TwoTracks, "an interval that is not finished is open, one whose start is lost begins at its end") {
  a.start(1000, 1);
  b.finish(1050, 12345);
  capture.feed(a);
  capture.feed(b);
  const std::vector<flamelet_interval> found = read(capture);
  REQUIRE(found.size() == 2);
  CHECK(found[0].flags == FLAMELET_SPAN_OPEN);
  CHECK(found[0].end_ns == 1050);
  CHECK(found[0].end_track == 0);
  CHECK(found[1].flags == FLAMELET_SPAN_MISSING_BEGIN);
  CHECK(found[1].begin_ns == 1050);
  CHECK(found[1].begin_track == 0);
  flamelet_site_info site;
  CHECK_FALSE(flamelet_capture_site(capture.get(), found[1].site, &site));
  CHECK(flamelet_capture_string(capture.get(), found[1].name).size == 9);  // "(unknown)"
}

TEST_CASE("an interval that ends before it begins, by the clocks of two cores, has no length") {
  for (bool a_first : {true, false}) {
    TwoTracks test;
    const uint64_t id = test.a.start(1010, 1);
    test.b.finish(1005, id);
    test.capture.feed(a_first ? test.a : test.b);
    test.capture.feed(a_first ? test.b : test.a);
    const std::vector<flamelet_interval> found = read(test.capture);
    REQUIRE(found.size() == 1);
    CHECK(found[0].begin_ns == 1010);
    CHECK(found[0].end_ns == 1010);
  }
}

TEST_CASE_FIXTURE(TwoTracks, "the newest intervals win") {
  for (uint64_t i = 0; i < 200; ++i) a.finish(1001 + 2 * i, a.start(1000 + 2 * i, 1));
  capture.feed(a);
  const std::vector<flamelet_interval> found = read(capture);
  REQUIRE(found.size() == FedCapture::small_config().max_intervals);
  CHECK(found.back().begin_ns == 1398);
  CHECK(found.front().begin_ns == static_cast<int64_t>(1400 - 2 * found.size()));
  for (const flamelet_interval& interval : found) REQUIRE(interval.end_ns == interval.begin_ns + 1);
  CHECK(capture.stats().intervals_dropped == 200 - found.size());
  flamelet_interval some[3];
  CHECK(flamelet_capture_read_intervals(capture.get(), 0, 5000, some, 3) == found.size());
  CHECK(some[2].begin_ns == found[2].begin_ns);
}

TEST_CASE_FIXTURE(TwoTracks,
                  "a file has all intervals of its pages, also those for which the saved capture had no room") {
  for (uint64_t i = 0; i < 200; ++i) a.finish(1001 + 2 * i, a.start(1000 + 2 * i, 1));
  capture.feed(a);
  const Loaded loaded(save(capture.get()));
  const std::vector<flamelet_interval> found = recorder_test::read_intervals(loaded);
  REQUIRE(found.size() == 200);
  for (size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].begin_ns == static_cast<int64_t>(1000 + 2 * i));
    CHECK(found[i].end_ns == found[i].begin_ns + 1);
    CHECK(found[i].flags == 0);
  }
  CHECK(loaded.report.duplicates == 0);
  CHECK(recorder_test::stats_of(loaded.capture).intervals_dropped == 0);
}

TEST_CASE_FIXTURE(
    TwoTracks, "more intervals than there is room for may be open: none loses its begin, and a file has all of them") {
  std::vector<uint64_t> ids;
  for (uint64_t i = 0; i < 200; ++i) ids.push_back(a.start(1000 + 2 * i, 1));
  for (uint64_t i = 0; i < 200; ++i) b.finish(2000 + 2 * i, ids[i]);
  capture.feed(a);
  capture.feed(b);
  PageBuilder later{3, &ticket};  // a page that no part of before has
  later.new_page(100000);
  later.play("100001(2 100002)");
  capture.feed(later);
  const size_t room = FedCapture::small_config().max_intervals;
  const std::vector<flamelet_interval> held = read(capture);
  REQUIRE(held.size() == room);
  for (size_t i = 0; i < room; ++i) {
    CHECK(held[i].id == ids[200 - room + i]);
    CHECK(held[i].flags == 0);
    CHECK(held[i].end_ns == held[i].begin_ns + 1000);
  }
  CHECK(capture.stats().intervals_dropped == 200 - room);
  for (const bool is_part : {false, true}) {
    CAPTURE(is_part);
    const Loaded loaded(save(capture.get(), is_part ? 1100 : INT64_MIN, is_part ? 1101 : INT64_MAX));
    const std::vector<flamelet_interval> found = recorder_test::read_intervals(loaded);
    REQUIRE(found.size() == (is_part ? 51 : 200));
    for (size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].id == ids[i]);
      CHECK(found[i].flags == 0);
      CHECK(found[i].end_ns == found[i].begin_ns + 1000);
    }
    CHECK(recorder_test::stats_of(loaded.capture).intervals_dropped == 0);
  }
}

TEST_CASE("a saved interval without a begin gets that of its pages") {
  std::vector<Interval> intervals(64);
  std::vector<uint64_t> buckets(IntervalTable::bucket_count(64));
  IntervalTable table;
  table.attach(intervals.data(), 64, buckets.data());
  const flamelet_allocator allocator = allocator_or_default({}, BlockUse::kFilledOnce);
  table.let_grow(allocator);
  table.start(5, 1, 100, 7, 3);
  table.finish(5, 2, 120);
  table.expect_saved();
  Interval saved = {};
  saved.id = 5;
  saved.begin_ticks = saved.end_ticks = 120;
  saved.end_track = 2;
  CHECK(table.restore(saved));
  table.end_saved();
  REQUIRE(table.count() == 1);
  CHECK(table.at(0).begin_track == 1);
  CHECK(table.at(0).begin_ticks == 100);
  CHECK(table.at(0).site == 7);
  CHECK(table.at(0).strings == 3);
  table.free_grown();
}

TEST_CASE("a capture without room for intervals still reads everything else") {
  flamelet_capture_config config = FedCapture::small_config();
  config.max_intervals = 0;
  config.max_fiber_runs = 0;
  FedCapture capture(64, 1e9, config);
  PageBuilder track(1);
  track.new_page(1000);
  track.finish(1010, track.start(1000, 1));
  track.fiber(1020, 5, BuiltStack());
  track.play("1030(2 1040)");
  capture.feed(track);
  CHECK(read(capture).empty());
  CHECK(capture.spans(capture.lane(1)).size() == 1);
  CHECK(capture.spans(capture.lane(5, true)).empty());
  CHECK(capture.stats().bad_words == 0);
}

TEST_CASE_FIXTURE(TwoTracks,
                  "a second start with an interval's id counts as bad words, and the rest of its page is read") {
  const uint64_t id = a.start(1000, 1);
  CHECK(b.start(1000, 1) == id);
  b.begin(1010, 2);
  b.end(1020);
  b.finish(1030, id);
  b.finish(1040, id);
  b.begin(1050, 2);
  b.end(1060);
  capture.feed(a);
  capture.feed(b);
  const std::vector<flamelet_interval> found = read(capture);
  REQUIRE(found.size() == 1);
  CHECK(found[0].begin_track == 1);
  CHECK(found[0].end_ns == 1030);
  CHECK(capture.spans(capture.lane(2)).size() == 2);
  CHECK(capture.stats().bad_words == 2);
  CHECK(capture.stats().extra_ends == 1);
}

}  // namespace flamelet
