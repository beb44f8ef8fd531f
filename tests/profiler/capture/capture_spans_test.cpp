// SPDX-License-Identifier: MIT
//
// The cases of capture_spans.cpp one by one, on pages made by hand. One tick is one nanosecond. What holds for any
// recording is in capture_random_test.cpp.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "flamelet/scope.h"
#include "flamelet/span_tree.h"
#include "flamelet/statistics.h"
#include "profiler/record/page_builder.h"
#include "support/building.h"
#include "support/captured_recording.h"
#include "support/loaded.h"
#include "support/read.h"

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

// A track, another one for some tests, and fiber 9.
struct OneTrack {
  uint64_t ticket = 1;
  PageBuilder track{1, &ticket};
  PageBuilder other{2, &ticket};
  PageBuilder::Fibers fibers;
  FedCapture capture;

  OneTrack() { track.new_page(1000); }
  void play(const std::string& script) { track.play(script, &fibers); }
  void play_other(const std::string& script) { other.play("1000| " + script, &fibers); }
  std::string read(int64_t begin = INT64_MIN, int64_t end = INT64_MAX) {
    capture.feed(track);
    return text_of(capture.spans(capture.lane(1), begin, end));
  }
  std::string read_fiber(int64_t begin = INT64_MIN, int64_t end = INT64_MAX) {
    return text_of(capture.spans(capture.lane(9, true), begin, end));
  }
};

}  // namespace

TEST_CASE("where scopes begin and end") {
  const struct {
    const char* what;
    const char* script;
    const char* spans;
    uint64_t missing_ends, extra_ends;
  } rows[] = {
      {"a sibling begins where its predecessor ends", "1000(1 1010>2 1020>3 1030)",
       "1[1000,1010)\n2[1010,1020)\n3[1020,1030)\n", 0, 0},
      {"an end of an outer scope ends those inside it, flagged", "1000(1 1010(2 1020(3 1030^1 1040)",
       "1[1000,1040)\n  2[1010,1030)\n    3[1020,1030) missing end\n", 1, 0},
      {"ends of scopes that are not open change nothing and are counted", "1000) 1001(1 1002^5 1003) 1004)",
       "1[1001,1003)\n", 0, 3},
      {"a scope whose fiber is switched away in the tick in which it began is resumed, and begins once",
       "1010@9 1020(2 1020@0 1020@9 1040)", "2[1020,1020) suspended\n2[1020,1040) resumed\n", 0, 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.what);
    OneTrack test;
    test.play(row.script);
    CHECK(test.read() == row.spans);
    CHECK(test.capture.stats().missing_ends == row.missing_ends);
    CHECK(test.capture.stats().extra_ends == row.extra_ends);
    if (!test.fibers.empty()) CHECK(test.read_fiber() == "2[1020,1040)\n");
  }
}

TEST_CASE_FIXTURE(OneTrack, "the name and the object of one scope are its own") {
  track.begin(1000, 1, 7, 8);
  track.end(1001);
  track.begin(1002, 1, 0, 9);
  play("1003| 1004)");
  capture->sites.put(1, SiteRecord{5, 0, 0, 0, 0, 0});
  capture.feed(track);
  for (int64_t begin : {1000, 1003}) {
    const std::vector<flamelet_span> spans = capture.spans(0, begin, 2000);
    CHECK(spans.back().name == 5);
    CHECK(spans.back().object == 9);
  }
  CHECK(capture.spans(0)[0].name == 7);
  CHECK(capture.spans(0)[0].object == 8);
}

TEST_CASE("a fiber that ran on several threads in one tick has its scopes once, whichever thread's pages come first") {
  for (const bool both_end_in_it : {false, true}) {
    for (const bool other_first : {false, true}) {
      CAPTURE(both_end_in_it);
      CAPTURE(other_first);
      OneTrack test;
      if (!both_end_in_it) test.play_other("1010@9 1010@0");
      test.play(both_end_in_it ? "1010@9 1010(2 1010@0" : "1010@9 1020(2 1030@0");
      if (both_end_in_it) test.play_other("1010@9 1010(3 1010) 1010@0");
      test.other.play("1040@9 1050) 1060@0", &test.fibers);
      if (other_first) test.capture.feed(test.other);
      test.capture.feed(test.track);
      if (!other_first) test.capture.feed(test.other);
      CHECK(test.read_fiber() == (both_end_in_it ? "2[1010,1050)\n  3[1010,1010)\n" : "2[1020,1050)\n"));
    }
  }
}

TEST_CASE_FIXTURE(
    OneTrack,
    "in a part of a capture a scope is open until its end is known or the window ends, not as other lanes go on") {
  play_other("1000(4 9000) 9500(5 9600(6 9700)");
  play("1100(1 1200| 1210@9 1220(2 1230@0 2000| 2100) 2200@9 2300)");
  capture.feed(track);
  capture.feed(other);
  const recorder_test::Loaded part(recorder_test::save(capture.get(), 1150, 1500));
  REQUIRE(part.result == FLAMELET_OK);
  const auto text = [&](size_t lane, int64_t begin) {
    return text_of(recorder_test::read_spans(part, lane, begin, 10000));
  };
  CHECK(text(capture.lane(1), 0) == "1[1100,1210) suspended\n2[1220,1230) suspended\n1[1230,1500) open resumed\n");
  // There are no pages behind.
  CHECK(text(capture.lane(2), 0) == "4[1000,9000)\n5[9500,9700) open\n  6[9600,9700)\n");
  CHECK(text(capture.lane(9, true), 0) == "2[1220,1500) open\n");
  for (const size_t lane : {capture.lane(1), capture.lane(9, true)}) CHECK(text(lane, 1501).empty());
}

TEST_CASE_FIXTURE(OneTrack, "the scopes of a fiber that is destroyed end there") {
  play("1010@9 1020(2 1030(3 1040@0");
  other.new_page(1000);
  other.fiber_end(1070, 9, 2);
  other.play("1100(4 1200)");
  capture.feed(other);  // before the pages that it ran on
  capture.feed(track);
  for (const int64_t from : {1000, 1030, 1050, 1069})
    CHECK(read_fiber(from, 1071) == "2[1020,1070) missing end\n  3[1030,1070) missing end\n");
  CHECK(read_fiber(1070, 1300) == "");
  CHECK(capture.stats().missing_ends == 2);
}

TEST_CASE_FIXTURE(
    OneTrack, "the scopes of a fiber that left its thread in a gap end before the gap, unless they are seen again") {
  play("1010@9 1020(2 1030| 1040@0 1060| 1070(3 1080)");
  capture.feed(*track.pages[0]);
  capture.feed(*track.pages[2]);
  CHECK(read_fiber() == "2[1020,1030) missing end\n");
  CHECK(read_fiber(1060, 1300) == "");
  other.new_page(1000);
  other.fiber_end(1065, 9, 0);  // that it had no scopes by then says nothing new
  capture.feed(other);
  CHECK(read_fiber() == "2[1020,1030) missing end\n");
  other.play("1090@9 1095) 1099@0", &fibers);
  capture.feed(other);
  CHECK(read_fiber() == "2[1020,1095)\n");
}

TEST_CASE("of a fiber's many runs the newest are kept") {
  FedCapture capture(64, 1e9, with(FedCapture::small_config(), &flamelet_capture_config::max_fiber_runs, 4));
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

TEST_CASE_FIXTURE(OneTrack, "points stand in the order of time with their values") {
  track.instant(1000, 1, 0, 4);
  track.counter(1010, 2, -0.5);
  track.new_page(1020);
  track.counter(1030, 2, 1e300);
  capture.feed(track);
  const std::vector<flamelet_point> points = capture.points(0);
  REQUIRE(points.size() == 3);
  CHECK(points[0].time_ns == 1000);
  CHECK(points[0].kind == FLAMELET_POINT_INSTANT);
  CHECK(points[0].object == 4);
  CHECK(points[1].kind == FLAMELET_POINT_COUNTER);
  CHECK(points[1].value == -0.5);
  CHECK(points[2].value == 1e300);
  CHECK(capture.points(0, 1010, 1030).size() == 1);
  CHECK(capture.points(0, 1031, 2000).empty());
}

TEST_CASE_FIXTURE(OneTrack, "submitted spans nest by their times, whenever they came") {
  track.span(2000, 3, 1030, 1050);
  track.span(2000, 1, 1000, 1100, 77);
  track.new_page(2010);
  track.span(2010, 2, 1010, 1060);
  track.span(2020, 4, 1200, 1300);
  track.point(2030, 5, 1020);
  CHECK(read() == "1[1000,1100)\n  2[1010,1060)\n    3[1030,1050)\n4[1200,1300)\n");
  const std::vector<flamelet_span> spans = capture.spans(0);
  CHECK(spans[0].id == 77);
  CHECK(spans[0].self_ns == 50);
  CHECK(spans[0].subtree_end == 3);
  CHECK(spans[2].parent == 1);
  CHECK(text_of(capture.spans(0, 1055, 1201)) == "1[1000,1100)\n  2[1010,1060)\n4[1200,1300)\n");
  REQUIRE(capture.points(0).size() == 1);
  CHECK(capture.points(0)[0].time_ns == 1020);
}

TEST_CASE(
    "a submitted span that overlaps the one before it is cut to nest; of those that begin together the longer is "
    "the parent") {
  const struct {
    std::vector<std::pair<uint64_t, uint64_t>> times;  // of the sites 1, 2, 3 and 4
    const char* spans;
  } rows[] = {
      // The last one ends before it begins.
      {{{1000, 1100}, {1050, 1150}, {1120, 1140}, {1300, 1200}},
       "1[1000,1100)\n  2[1050,1100) cut\n3[1120,1140)\n4[1300,1300)\n"},
      {{{1000, 1010}, {1000, 1100}, {1000, 1050}, {1000, 1000}},
       "2[1000,1100)\n  3[1000,1050)\n    1[1000,1010)\n      4[1000,1000)\n"},
  };
  for (const auto& row : rows) {
    OneTrack test;
    uint32_t site = 0;
    for (const auto& [begin, end] : row.times) test.track.span(2000, ++site, begin, end);
    CHECK(test.read() == row.spans);
  }
}

TEST_CASE_FIXTURE(OneTrack, "a window of submitted spans has the same edges as any other") {
  track.span(2000, 1, 1000, 1010);
  track.span(2000, 2, 1010, 1010);
  track.new_page(2010);
  track.span(2010, 3, 1010, 1020);
  track.new_page(2020);
  track.span(2020, 4, 1020, 1020);
  CHECK(read(1010, 1020) == "3[1010,1020)\n  2[1010,1010)\n");
  CHECK(read(1020, 1030) == "4[1020,1020)\n");
  CHECK(read(1000, 1010) == "1[1000,1010)\n");
}

TEST_CASE_FIXTURE(OneTrack, "of many submitted spans the first ones are written, in order") {
  for (uint64_t i = 0; i < 500; ++i) {
    const uint64_t begin = 10000 + (i * 7919) % 5000;
    track.span(20000, static_cast<uint32_t>(i % 60), begin, begin + i % 30, i);
  }
  capture.feed(track);
  const std::vector<flamelet_span> all = capture.spans(0);
  REQUIRE(all.size() == 500);
  for (size_t capacity : {size_t{0}, size_t{1}, size_t{37}, size_t{499}, size_t{600}}) {
    std::vector<flamelet_span> some(capacity);
    flamelet_capture_read_spans(capture.get(), 0, 0, 100000, some.data(), capacity, nullptr);
    CHECK(flamelet_capture_count_spans(capture.get(), 0, 0, 100000) == 500);
    for (size_t i = 0; i < std::min<size_t>(capacity, 500); ++i) {
      REQUIRE(some[i].id == all[i].id);
      REQUIRE(some[i].parent == all[i].parent);
      REQUIRE(some[i].subtree_end <= capacity);
    }
  }
}

}  // namespace flamelet

// ---- Cursor -------------------------------------------------------------------------------------------------------

namespace {

using recorder_test::Building;

constexpr size_t kPiece = FLAMELET_CURSOR_LEAST;

// 30,000 spans with no time between many of them: well nested ones on a thread's lane, and on a GPU's any.
struct RandomLanes : Building {
  explicit RandomLanes(unsigned seed) {
    std::mt19937 random(seed);
    const uint32_t scope = site("scope"), thread = lane(FLAMELET_LANE_THREAD, "thread");
    const uint32_t gpu = lane(FLAMELET_LANE_GPU, "gpu");
    int64_t now_ns = 1000;
    for (int spans = 0, depth = 0; spans < 30000;) {
      now_ns += static_cast<int64_t>(random() % 3);
      // Up to 60 deep, and down to the outermost at times, so that pieces end at any depth.
      const bool goes_down = (spans / 500) % 2 == 0;
      if (depth == 0 || (depth < 60 && random() % (goes_down ? 3 : 5) > 1)) {
        begin(thread, now_ns, scope);
        ++depth, ++spans;
      } else {
        end(thread, now_ns);
        --depth;
      }
    }
    for (int i = 0; i < 30000; ++i) {
      const int64_t at_ns = i / 4 + static_cast<int64_t>(random() % 100);
      span(gpu, at_ns, at_ns + static_cast<int64_t>(random() % (i % 97 == 0 ? 5000 : 20)), scope);
    }
    finish();
  }
};

// What the pieces say of a window, with `parent` and self times as in one answer.
std::vector<flamelet_span> joined_pieces(const flamelet_capture* capture, size_t lane, int64_t begin_ns,
                                         int64_t end_ns) {
  std::vector<flamelet_span> piece(kPiece), all;
  std::vector<uint32_t> place(kPiece);  // in `all`, of each span of the piece
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, lane, begin_ns, end_ns, piece.data(), piece.size());
  while (flamelet_span_cursor_next(&cursor)) {
    REQUIRE(cursor.count <= piece.size());
    REQUIRE(cursor.count > cursor.again);
    uint32_t open = all.empty() ? FLAMELET_NO_PARENT : static_cast<uint32_t>(all.size() - 1);
    for (size_t i = cursor.again; i-- > 0;) {
      while (all[open].depth != piece[i].depth) open = all[open].parent;
      REQUIRE(all[open].begin_ns == piece[i].begin_ns);
      REQUIRE(all[open].end_ns == piece[i].end_ns);
      REQUIRE((piece[i].flags & FLAMELET_SPAN_AGAIN) != 0);
      all[open].self_ns += piece[i].self_ns;
      place[i] = open;
    }
    for (size_t i = cursor.again; i < cursor.count; ++i) {
      place[i] = static_cast<uint32_t>(all.size());
      all.push_back(piece[i]);
      if (piece[i].parent != FLAMELET_NO_PARENT) all.back().parent = place[piece[i].parent];
    }
  }
  CHECK(cursor.result == FLAMELET_OK);
  CHECK(cursor.count == 0);
  CHECK_FALSE(flamelet_span_cursor_next(&cursor));
  return all;
}

void check_window(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns) {
  CAPTURE(lane);
  CAPTURE(begin_ns);
  CAPTURE(end_ns);
  const std::vector<flamelet_span> expected = recorder_test::read_spans(capture, lane, begin_ns, end_ns);
  const std::vector<flamelet_span> found = joined_pieces(capture, lane, begin_ns, end_ns);
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    flamelet_span span = found[i];
    span.subtree_end = expected[i].subtree_end;  // of the piece
    REQUIRE(recorder_test::fields_of(span) == recorder_test::fields_of(expected[i]));
  }
}

}  // namespace

TEST_CASE("span cursor: the pieces together are the answer for the whole window") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    const RandomLanes lanes(seed);
    for (size_t lane = 0; lane < 2; ++lane) {
      check_window(lanes.capture, lane, INT64_MIN, INT64_MAX);
      check_window(lanes.capture, lane, 3000 + seed, INT64_MAX);
      check_window(lanes.capture, lane, 2000, 7000 + seed);
      check_window(lanes.capture, lane, 4000, 4001);
      check_window(lanes.capture, lane, 5000, 5000);
    }
  }
}

// The array has room for a tenth and less.
TEST_CASE_FIXTURE(Building, "span cursor: statistics and call trees of the pieces are those of the whole lane") {
  const uint32_t thread = lane(FLAMELET_LANE_THREAD, "thread");
  const uint32_t level = site("level"), call = site("call"), leaf = site("leaf");
  constexpr int kCalls = 10 * static_cast<int>(kPiece);
  int64_t now_ns = 0;
  begin(thread, now_ns, level);
  begin(thread, now_ns += 5, level);  // a recursion
  for (int i = 0; i < kCalls; ++i) {
    begin(thread, now_ns += 1, call);
    begin(thread, now_ns += 1, leaf);
    end(thread, now_ns += 3);
    end(thread, now_ns += 2);
  }
  end(thread, now_ns += 10);
  end(thread, now_ns += 20);
  finish();

  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.max_spans = kPiece;
  std::vector<unsigned char> tree_memory(flamelet_span_tree_memory_required(&config));
  std::vector<unsigned char> memory(flamelet_statistics_memory_required(10, 1000));
  flamelet_span_tree* tree = nullptr;
  flamelet_statistics* statistics = nullptr;
  REQUIRE(flamelet_span_tree_create(&config, tree_memory.data(), tree_memory.size(), &tree) == FLAMELET_OK);
  REQUIRE(flamelet_statistics_create(10, memory.data(), memory.size(), &statistics) == FLAMELET_OK);
  std::vector<flamelet_span> piece(kPiece);
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, 0, INT64_MIN, INT64_MAX, piece.data(), piece.size());
  while (flamelet_span_cursor_next(&cursor)) {
    flamelet_statistics_add(statistics, cursor.spans, cursor.count);
    flamelet_span_tree_add_spans(tree, cursor.spans, cursor.count, INT64_MIN, INT64_MAX);
  }
  const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
  CHECK(summary.span_count == 2 + 2 * kCalls);
  CHECK(cursor.result == FLAMELET_OK);
  REQUIRE(summary.row_count == 3);
  struct Expected {
    uint64_t count;
    int64_t total_ns, self_ns;
  };
  const Expected expected[] = {
      {2, 7 * kCalls + 35, kCalls + 35}, {kCalls, 6 * kCalls, 3 * kCalls}, {kCalls, 3 * kCalls, 3 * kCalls}};
  for (size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(summary.rows[i].count == expected[i].count);
    CHECK(summary.rows[i].total_ns == expected[i].total_ns);
    CHECK(summary.rows[i].self_ns == expected[i].self_ns);
    CHECK(summary.rows[i].incomplete_count == 0);
  }
  const auto check_tree = [&] {
    flamelet_call_totals totals[3];
    REQUIRE(flamelet_call_tree_blocks(flamelet_span_tree_calls(tree), FLAMELET_CALL_ORDER_OVERALL, totals, 3) == 3);
    for (size_t i = 0; i < 3; ++i) {
      CAPTURE(i);
      CHECK(totals[i].calls == expected[i].count);
      CHECK(totals[i].overall_samples == static_cast<uint64_t>(expected[i].total_ns));
      CHECK(totals[i].self_samples == static_cast<uint64_t>(expected[i].self_ns));
    }
  };
  check_tree();
  flamelet_span_tree_clear(tree);
  CHECK(flamelet_span_tree_add_window(tree, capture, INT64_MIN, INT64_MAX) == 2 + 2 * kCalls);
  check_tree();
}

TEST_CASE("span cursor: more spans in one nanosecond than fit into the array come one after the other") {
  Building building;
  const uint32_t gpu = building.lane(FLAMELET_LANE_GPU, "gpu"), site = building.site("scope");
  for (size_t i = 0; i < 3 * kPiece; ++i) building.span(gpu, 100, 100, site, i + 1);
  building.span(gpu, 100, 200, site, 7);
  building.finish();
  check_window(building.capture, 0, 0, 1000);
}

TEST_CASE_FIXTURE(Building, "span cursor: what cannot be read is said") {
  const uint32_t gpu = lane(FLAMELET_LANE_GPU, "gpu"), scope = site("scope");
  for (int64_t i = 0; i < static_cast<int64_t>(2 * kPiece); ++i) span(gpu, i, 10000 - i, scope);
  finish();
  std::vector<flamelet_span> spans(kPiece);
  flamelet_span_cursor cursor;
  size_t count = 0;
  flamelet_span_cursor_start(&cursor, capture, 0, 0, 20000, spans.data(), spans.size());
  while (flamelet_span_cursor_next(&cursor)) count += cursor.count - cursor.again;
  CHECK(cursor.result == FLAMELET_ERROR_BUFFER_TOO_SMALL);  // they nest too deep
  CHECK(count < 2 * kPiece);
  // In larger arrays it goes on: all come once, as deep as they are, with the self times of one read.
  std::vector<int64_t> self_ns(2 * kPiece);
  flamelet_span_cursor_start(&cursor, capture, 0, 0, 20000, spans.data(), spans.size());
  count = 0;
  do {
    while (flamelet_span_cursor_next(&cursor))
      for (size_t i = 0; i < cursor.count; ++i) {
        const size_t number = i < cursor.again ? i : count++;
        CHECK(cursor.spans[i].depth == number);
        self_ns[number] += cursor.spans[i].self_ns;
      }
    spans.resize(2 * spans.size());
  } while (flamelet_span_cursor_grow(&cursor, spans.data(), spans.size()));
  CHECK(cursor.result == FLAMELET_OK);
  REQUIRE(count == 2 * kPiece);
  for (size_t i = 0; i + 1 < count; ++i) CHECK(self_ns[i] == 2);

  spans.resize(kPiece);
  flamelet_span_cursor_start(&cursor, capture, 0, 0, 20000, spans.data(), kPiece - 1);
  CHECK_FALSE(flamelet_span_cursor_next(&cursor));
  CHECK(cursor.result == FLAMELET_ERROR_BUFFER_TOO_SMALL);
  CHECK_FALSE(flamelet_span_cursor_grow(&cursor, spans.data(), kPiece));  // it was too small from the first
  flamelet_span_cursor_start(&cursor, capture, 1, 0, 20000, spans.data(), kPiece);
  CHECK_FALSE(flamelet_span_cursor_next(&cursor));
  CHECK(cursor.result == FLAMELET_ERROR_INVALID_ARGUMENT);

  CHECK(flamelet_capture_read_spans(capture, 0, 0, 20000, spans.data(), kPiece, &count) ==
        FLAMELET_ERROR_BUFFER_TOO_SMALL);
  CHECK(count == 2 * kPiece);
  CHECK(flamelet_capture_read_spans(capture, 1, 0, 20000, spans.data(), kPiece, &count) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(count == 0);
}

TEST_CASE_FIXTURE(recorder_test::CapturedRecording,
                  "span cursor: it ends with an error if the capture is updated in between") {
  for (size_t i = 0; i < 2 * kPiece; ++i) {
    FLAMELET_SCOPE("scope");
  }
  std::vector<flamelet_span> spans(kPiece);
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture(), 0, INT64_MIN, INT64_MAX, spans.data(), spans.size());
  REQUIRE(flamelet_span_cursor_next(&cursor));
  { FLAMELET_SCOPE("scope"); }
  capture();
  CHECK_FALSE(flamelet_span_cursor_next(&cursor));
  CHECK(cursor.result == FLAMELET_ERROR_CHANGED);
  CHECK(cursor.count == 0);
}

TEST_CASE("point cursor: the pieces together are all points of the window, in order") {
  Building building;
  const uint32_t lanes[] = {building.lane(FLAMELET_LANE_THREAD, "thread"), building.lane(FLAMELET_LANE_GPU, "gpu")};
  const uint32_t site = building.site("value");
  std::mt19937 random(1);
  for (const uint32_t lane : lanes) {
    int64_t at_ns = 0;
    for (int i = 0; i < 10000; ++i) {
      at_ns += random() % 50 == 0;
      building.counter(lane, at_ns, site, i);
    }
  }
  building.finish();
  std::vector<flamelet_point> piece(kPiece);
  for (size_t lane = 0; lane < 2; ++lane) {
    for (const int64_t begin_ns : {int64_t{INT64_MIN}, int64_t{0}, int64_t{77}}) {
      const std::vector<flamelet_point> expected = recorder_test::read_points(building.capture, lane, begin_ns, 150);
      size_t count = 0;
      flamelet_point_cursor cursor;
      flamelet_point_cursor_start(&cursor, building.capture, lane, begin_ns, 150, piece.data(), piece.size());
      while (flamelet_point_cursor_next(&cursor))
        for (size_t i = 0; i < cursor.count; ++i, ++count) {
          REQUIRE(count < expected.size());
          REQUIRE(piece[i].time_ns == expected[count].time_ns);
          REQUIRE(piece[i].value == expected[count].value);
          REQUIRE(piece[i].kind == expected[count].kind);
        }
      CHECK(cursor.result == FLAMELET_OK);
      CHECK(count == expected.size());
    }
  }
}

TEST_CASE("flow cursor: a piece has all ends of its ids") {
  Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "thread");
  constexpr uint64_t kFlows = 2000, kManyEnds = 1500;
  for (uint64_t id = 1; id <= kFlows; ++id)
    flamelet_capture_builder_flow(building.builder, lane, static_cast<int64_t>(id), id, false);
  for (uint64_t id = 1; id <= kFlows; ++id)
    flamelet_capture_builder_flow(building.builder, lane, static_cast<int64_t>(kFlows + id), id, true);
  building.finish();
  std::vector<flamelet_flow> piece(kPiece);
  flamelet_flow_cursor cursor;
  flamelet_flow_cursor_start(&cursor, building.capture, INT64_MIN, INT64_MAX, piece.data(), piece.size());
  uint64_t id = 0;
  while (flamelet_flow_cursor_next(&cursor)) {
    REQUIRE(cursor.count % 2 == 0);
    for (size_t i = 0; i < cursor.count; i += 2) {
      REQUIRE(piece[i].id == ++id);
      REQUIRE(piece[i].flags == 0);
      REQUIRE(piece[i + 1].flags == FLAMELET_FLOW_IS_END);
      REQUIRE(piece[i + 1].begin == i);
    }
  }
  CHECK(cursor.result == FLAMELET_OK);
  CHECK(id == kFlows);

  Building many;
  const uint32_t thread = many.lane(FLAMELET_LANE_THREAD, "thread");
  for (uint64_t i = 0; i < kManyEnds; ++i)
    flamelet_capture_builder_flow(many.builder, thread, static_cast<int64_t>(i), 1, i != 0);
  many.finish();
  flamelet_flow_cursor_start(&cursor, many.capture, INT64_MIN, INT64_MAX, piece.data(), piece.size());
  CHECK_FALSE(flamelet_flow_cursor_next(&cursor));
  CHECK(cursor.result == FLAMELET_ERROR_BUFFER_TOO_SMALL);
}
