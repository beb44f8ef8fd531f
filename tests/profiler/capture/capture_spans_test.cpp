// SPDX-License-Identifier: MIT
//
// The cases of capture_spans.cpp one by one, on pages made by hand. One tick is one nanosecond. What holds for any
// recording is in capture_random_test.cpp.
#include <string>

#include "profiler/record/page_builder.h"

namespace flamelet {
namespace {

// "site[begin,end)flags" with two spaces for each level.
std::string text_of(const std::vector<flamelet_span>& spans) {
  std::string text;
  for (const flamelet_span& span : spans) {
    text += std::string(2u * span.depth, ' ') + std::to_string(span.site) + "[" + std::to_string(span.begin_ns) + "," +
            std::to_string(span.end_ns) + ")";
    if ((span.flags & FLAMELET_SPAN_OPEN) != 0) text += " open";
    if ((span.flags & FLAMELET_SPAN_MISSING_END) != 0) text += " missing end";
    if ((span.flags & FLAMELET_SPAN_MISSING_BEGIN) != 0) text += " missing begin";
    if ((span.flags & FLAMELET_SPAN_CUT) != 0) text += " cut";
    if ((span.flags & FLAMELET_SPAN_RESUMED) != 0) text += " resumed";
    if ((span.flags & FLAMELET_SPAN_SUSPENDED) != 0) text += " suspended";
    text += "\n";
  }
  return text;
}

struct OneTrack {
  uint64_t ticket = 1;
  PageBuilder track{1, &ticket};
  FedCapture capture;

  OneTrack() { track.new_page(1000); }
  std::string read(int64_t begin = INT64_MIN, int64_t end = INT64_MAX) {
    capture.feed(track);
    return text_of(capture.spans(capture.lane(1), begin, end));
  }
};

}  // namespace

TEST_CASE("scopes become spans with parents, self time and subtrees") {
  OneTrack test;
  test.track.play("1000(1 1010(2 1020) 1030(3 1031(4 1039) 1040) 1100)");
  test.capture.feed(test.track);
  const std::vector<flamelet_span> spans = test.capture.spans(test.capture.lane(1));
  CHECK(text_of(spans) ==
        "1[1000,1100)\n"
        "  2[1010,1020)\n"
        "  3[1030,1040)\n"
        "    4[1031,1039)\n");
  CHECK(spans[0].self_ns == 80);
  CHECK(spans[2].self_ns == 2);
  CHECK(spans[0].parent == FLAMELET_NO_PARENT);
  CHECK(spans[3].parent == 2);
  CHECK(spans[0].subtree_end == 4);
  CHECK(spans[1].subtree_end == 2);
  CHECK(spans[2].subtree_end == 4);
}

TEST_CASE("a sibling begins where its predecessor ends") {
  OneTrack test;
  test.track.play("1000(1 1010>2 1020>3 1030)");
  CHECK(test.read() == "1[1000,1010)\n2[1010,1020)\n3[1020,1030)\n");
}

TEST_CASE("an end of an outer scope ends those inside it, flagged") {
  OneTrack test;
  test.track.play("1000(1 1010(2 1020(3 1030^1 1040)");
  CHECK(test.read() == "1[1000,1040)\n  2[1010,1030)\n    3[1020,1030) missing end\n");
  CHECK(test.capture.stats().missing_ends == 1);
}

TEST_CASE("ends of scopes that are not open change nothing and are counted") {
  OneTrack test;
  test.track.play("1000) 1001(1 1002^5 1003) 1004)");
  CHECK(test.read() == "1[1001,1003)\n");
  CHECK(test.capture.stats().extra_ends == 3);
}

TEST_CASE("a scope that has not ended reaches to the newest time of the capture, whichever track told it") {
  OneTrack test;
  test.track.begin(1000, 1);
  PageBuilder other(2, &test.ticket);
  other.play("1000| 1500(2 1600)");
  test.capture.feed(other);
  CHECK(test.read() == "1[1000,1600) open\n");
  CHECK(test.read(1599, 1600) == "1[1000,1600) open\n");
  CHECK(test.read(1600, 1700) == "");
}

TEST_CASE("a window shows what overlaps it, with times beyond it") {
  OneTrack test;
  test.track.play("1000(1 1010(2 1020) 1020(3 1030) 1040(4 1050) 1100)");
  CHECK(test.read(1020, 1040) == "1[1000,1100)\n  3[1020,1030)\n");
  CHECK(test.read(1019, 1021) == "1[1000,1100)\n  2[1010,1020)\n  3[1020,1030)\n");
  CHECK(test.read(1030, 1040) == "1[1000,1100)\n");
  CHECK(test.read(1100, 1200) == "");
  CHECK(test.read(900, 1000) == "");
  CHECK(test.read(1045, 1045) == "");
  CHECK(test.read(1045, 1040) == "");
}

TEST_CASE("a span of zero length belongs to the window that begins with it") {
  OneTrack test;
  test.track.play("1000(1 1010(2 1010) 1010)");
  CHECK(test.read(1010, 1020) == "  2[1010,1010)\n");
  CHECK(test.read(1000, 1010) == "1[1000,1010)\n");
  CHECK(test.capture.spans(0, 1010, 1020)[0].parent == FLAMELET_NO_PARENT);
}

TEST_CASE("the name and the object of one scope are its own") {
  OneTrack test;
  test.track.begin(1000, 1, 7, 8);
  test.track.end(1001);
  test.track.begin(1002, 1, 0, 9);
  test.track.play("1003| 1004)");
  test.capture->sites.put(1, SiteRecord{5, 0, 0, 0, 0, 0});
  test.capture.feed(test.track);
  for (int64_t begin : {1000, 1003}) {
    const std::vector<flamelet_span> spans = test.capture.spans(0, begin, 2000);
    CHECK(spans.back().name == 5);
    CHECK(spans.back().object == 9);
  }
  CHECK(test.capture.spans(0)[0].name == 7);
  CHECK(test.capture.spans(0)[0].object == 8);
}

TEST_CASE("a scope keeps its id and its begin over every page that re-opens it") {
  OneTrack test;
  const uint64_t begin = test.track.begin(1000, 1);
  const uint64_t next = (test.track.begin(1001, 2), test.track.next(1002, 3));
  for (uint64_t i = 0; i < 100; ++i) {
    test.track.new_page(1010 + 10 * i);
    test.track.begin(1011 + 10 * i, 4);
    test.track.end(1012 + 10 * i);
  }
  test.track.play("3000) 4000)");
  test.capture.feed(test.track);
  for (int64_t at : {1005, 1010, 1500, 2009, 2900}) {
    CAPTURE(at);
    const std::vector<flamelet_span> spans = test.capture.spans(0, at, at + 1);
    REQUIRE(spans.size() == 2);
    CHECK(spans[0].id == begin);
    CHECK(spans[1].id == next);
    CHECK(text_of(spans) == "1[1000,4000)\n  3[1002,3000)\n");
  }
}

TEST_CASE("a scope is found although the page of its begin is gone") {
  OneTrack test;
  test.track.begin(1000, 1);
  for (uint64_t i = 0; i < 1000; ++i) test.track.new_page(1010 + i);
  test.track.end(3000);
  CHECK(test.read() == "1[1000,3000)\n");
  CHECK(test.capture.stats().pages_held < 1000);
  CHECK(test.capture.stats().events_evicted == 1);
}

TEST_CASE("what a lost page ended is ended by the next page that shows it gone") {
  OneTrack test;
  test.track.play("1000(1 1010(2 1020| 1030) 1040(3 1050| 1060) 1070)");
  test.capture.feed(*test.track.pages[0]);
  test.capture.feed(*test.track.pages[2]);
  CHECK(text_of(test.capture.spans(0)) == "1[1000,1070)\n  2[1010,1040) missing end\n  3[1040,1060)\n");
  // Windows inside the gap see the same.
  CHECK(text_of(test.capture.spans(0, 1035, 1036)) == "1[1000,1070)\n  2[1010,1040) missing end\n");
  CHECK(text_of(test.capture.spans(0, 1045, 1046)) == "1[1000,1070)\n  3[1040,1060)\n");
  const flamelet_lane_info lane = recorder_test::lane_of(test.capture.get(), 0);
  CHECK(lane.events_read == 4);
  CHECK(lane.events_lost == 2);
}

TEST_CASE("a thread shows its fibers in pieces, and a fiber is whole on its own lane") {
  OneTrack test;
  PageBuilder other(2, &test.ticket);
  other.new_page(1000);
  test.track.begin(1000, 1);  // the thread's own
  const BuiltStack own = test.track.stack;
  test.track.fiber(1010, 9, BuiltStack());
  test.track.play("1020(2 1030(3");
  const BuiltStack fiber = test.track.stack;
  test.track.fiber(1040, 0, own);
  other.fiber(1050, 9, fiber);
  other.play("1060) 1070)");
  other.fiber(1080, 0, BuiltStack());
  test.track.end(1090);
  test.capture.feed(other);  // a poll takes the tracks in any order
  CHECK(test.read() ==
        "1[1000,1010) suspended\n"
        "2[1020,1040) suspended\n"
        "  3[1030,1040) suspended\n"
        "1[1040,1090) resumed\n");
  CHECK(text_of(test.capture.spans(test.capture.lane(2))) == "2[1050,1070) resumed\n  3[1050,1060) resumed\n");
  const size_t lane = test.capture.lane(9, true);
  CHECK(text_of(test.capture.spans(lane)) == "2[1020,1070)\n  3[1030,1060)\n");
  CHECK(text_of(test.capture.spans(lane, 1045, 1046)) == "2[1020,1070)\n  3[1030,1060)\n");
  CHECK(text_of(test.capture.spans(lane, 1060, 1061)) == "2[1020,1070)\n");
  CHECK(test.capture.spans(lane, 1070, 2000).empty());
}

TEST_CASE("a piece that goes over pages begins where it was resumed, in every window") {
  OneTrack test;
  BuiltStack fiber;
  fiber.scopes.push_back({500 + make_code(WordType::kBegin, 2), 500, 0});
  test.track.fiber(1010, 9, fiber);
  for (uint64_t i = 0; i < 20; ++i) test.track.new_page(1020 + i);
  test.track.fiber(1100, 0, BuiltStack());
  for (uint64_t i = 0; i < 20; ++i) test.track.new_page(1120 + i);
  test.capture.feed(test.track);
  for (int64_t at : {1010, 1015, 1025, 1039, 1099}) {
    CAPTURE(at);
    CHECK(text_of(test.capture.spans(test.capture.lane(1), at, at + 1)) == "2[1010,1100) resumed suspended\n");
  }
  CHECK(test.capture.spans(test.capture.lane(1), 1100, 2000).empty());
}

TEST_CASE("a fiber that waits stays open on its lane") {
  OneTrack test;
  test.track.fiber(1010, 9, BuiltStack());
  test.track.begin(1020, 2);
  test.track.fiber(1030, 0, BuiltStack());
  test.track.play("1040(3 1050)");
  test.capture.feed(test.track);
  CHECK(text_of(test.capture.spans(test.capture.lane(9, true))) == "2[1020,1050) open\n");
}

TEST_CASE("of a fiber's many runs the newest are kept") {
  flamelet_capture_config config = FedCapture::small_config();
  config.max_fiber_runs = 4;
  FedCapture capture(64, 1e9, config);
  PageBuilder track(1);
  for (uint64_t i = 0; i < 10; ++i) {
    track.fiber(1010 + 10 * i, 9, BuiltStack());
    track.begin(1011 + 10 * i, static_cast<uint32_t>(i));
    track.end(1012 + 10 * i);
    track.fiber(1015 + 10 * i, 0, BuiltStack());
  }
  capture.feed(track);
  CHECK(text_of(capture.spans(capture.lane(9, true))) == "6[1071,1072)\n7[1081,1082)\n8[1091,1092)\n9[1101,1102)\n");
  CHECK(capture.spans(capture.lane(1)).size() == 10);
}

TEST_CASE("only as many spans are written as there is room for") {
  OneTrack test;
  test.track.begin(1000, 1);
  for (uint64_t i = 0; i < 5; ++i) {
    test.track.begin(1010 + 10 * i, 2);
    test.track.end(1015 + 10 * i);
  }
  test.track.end(1100);
  test.capture.feed(test.track);
  flamelet_span spans[4] = {};
  spans[3].site = 99;
  flamelet_capture_read_spans(test.capture.get(), 0, 0, 2000, spans, 3, nullptr);
  CHECK(flamelet_capture_count_spans(test.capture.get(), 0, 0, 2000) == 6);
  CHECK(text_of({spans, spans + 3}) == "1[1000,1100)\n  2[1010,1015)\n  2[1020,1025)\n");
  CHECK(spans[0].subtree_end == 3);
  CHECK(spans[0].self_ns == 90);
  CHECK(spans[3].site == 99);
  CHECK(flamelet_capture_count_spans(test.capture.get(), 0, 0, 2000) == 6);
  flamelet_capture_read_spans(test.capture.get(), 0, 0, 2000, nullptr, 10, nullptr);
  CHECK(flamelet_capture_count_spans(test.capture.get(), 0, 0, 2000) == 6);
}

TEST_CASE("points stand in the order of time with their values") {
  OneTrack test;
  test.track.instant(1000, 1, 0, 4);
  test.track.counter(1010, 2, -0.5);
  test.track.new_page(1020);
  test.track.counter(1030, 2, 1e300);
  test.capture.feed(test.track);
  const std::vector<flamelet_point> points = test.capture.points(0);
  REQUIRE(points.size() == 3);
  CHECK(points[0].time_ns == 1000);
  CHECK(points[0].kind == FLAMELET_POINT_INSTANT);
  CHECK(points[0].object == 4);
  CHECK(points[1].kind == FLAMELET_POINT_COUNTER);
  CHECK(points[1].value == -0.5);
  CHECK(points[2].value == 1e300);
  CHECK(test.capture.points(0, 1010, 1030).size() == 1);
  CHECK(test.capture.points(0, 1031, 2000).empty());
}

TEST_CASE("submitted spans nest by their times, whenever they came") {
  OneTrack test;
  test.track.span(2000, 3, 1030, 1050);
  test.track.span(2000, 1, 1000, 1100, 77);
  test.track.new_page(2010);
  test.track.span(2010, 2, 1010, 1060);
  test.track.span(2020, 4, 1200, 1300);
  test.track.point(2030, 5, 1020);
  CHECK(test.read() == "1[1000,1100)\n  2[1010,1060)\n    3[1030,1050)\n4[1200,1300)\n");
  const std::vector<flamelet_span> spans = test.capture.spans(0);
  CHECK(spans[0].id == 77);
  CHECK(spans[0].self_ns == 50);
  CHECK(spans[0].subtree_end == 3);
  CHECK(spans[2].parent == 1);
  CHECK(text_of(test.capture.spans(0, 1055, 1201)) == "1[1000,1100)\n  2[1010,1060)\n4[1200,1300)\n");
  REQUIRE(test.capture.points(0).size() == 1);
  CHECK(test.capture.points(0)[0].time_ns == 1020);
}

TEST_CASE("a submitted span that overlaps the one before it is cut to nest") {
  OneTrack test;
  test.track.span(2000, 1, 1000, 1100);
  test.track.span(2000, 2, 1050, 1150);
  test.track.span(2000, 3, 1120, 1140);
  test.track.span(2000, 4, 1300, 1200);  // ends before it begins
  CHECK(test.read() == "1[1000,1100)\n  2[1050,1100) cut\n3[1120,1140)\n4[1300,1300)\n");
}

TEST_CASE("of submitted spans that begin together the longer one is the parent") {
  OneTrack test;
  test.track.span(2000, 1, 1000, 1010);
  test.track.span(2000, 2, 1000, 1100);
  test.track.span(2000, 3, 1000, 1050);
  test.track.span(2000, 4, 1000, 1000);
  CHECK(test.read() == "2[1000,1100)\n  3[1000,1050)\n    1[1000,1010)\n      4[1000,1000)\n");
}

TEST_CASE("a window of submitted spans has the same edges as any other") {
  OneTrack test;
  test.track.span(2000, 1, 1000, 1010);
  test.track.span(2000, 2, 1010, 1010);
  test.track.new_page(2010);
  test.track.span(2010, 3, 1010, 1020);
  test.track.new_page(2020);
  test.track.span(2020, 4, 1020, 1020);
  CHECK(test.read(1010, 1020) == "3[1010,1020)\n  2[1010,1010)\n");
  CHECK(test.read(1020, 1030) == "4[1020,1020)\n");
  CHECK(test.read(1000, 1010) == "1[1000,1010)\n");
}

TEST_CASE("of many submitted spans the first ones are written, in order") {
  OneTrack test;
  for (uint64_t i = 0; i < 500; ++i) {
    const uint64_t begin = 10000 + (i * 7919) % 5000;
    test.track.span(20000, static_cast<uint32_t>(i % 60), begin, begin + i % 30, i);
  }
  test.capture.feed(test.track);
  const std::vector<flamelet_span> all = test.capture.spans(0);
  REQUIRE(all.size() == 500);
  for (size_t capacity : {size_t{0}, size_t{1}, size_t{37}, size_t{499}, size_t{600}}) {
    std::vector<flamelet_span> some(capacity);
    flamelet_capture_read_spans(test.capture.get(), 0, 0, 100000, some.data(), capacity, nullptr);
    CHECK(flamelet_capture_count_spans(test.capture.get(), 0, 0, 100000) == 500);
    for (size_t i = 0; i < std::min<size_t>(capacity, 500); ++i) {
      REQUIRE(some[i].id == all[i].id);
      REQUIRE(some[i].parent == all[i].parent);
      REQUIRE(some[i].subtree_end <= capacity);
    }
  }
}

}  // namespace flamelet
