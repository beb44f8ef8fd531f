// SPDX-License-Identifier: MIT
#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "imported.h"

namespace {

struct ChromeTrace : Imported {
  explicit ChromeTrace(const std::string& text, size_t piece = SIZE_MAX, uint64_t max_bytes = UINT64_MAX,
                       uint32_t max_sites = 1024)
      : Imported(text, options(max_bytes, max_sites), piece) {}

  // Small limits, because there are many traces.
  static flamelet_import_options options(uint64_t max_bytes, uint32_t max_sites) {
    flamelet_import_options options = flamelet_import_options_default();
    options.capture.max_tracks = options.capture.max_frames = options.capture.max_intervals = 64;
    options.capture.max_sites = max_sites;
    options.capture.max_strings = 1024 + 16;
    options.capture.string_bytes = size_t{1} << 20;
    options.capture.budget_bytes = flamelet_capture_memory_required(&options.capture) + 64 * FLAMELET_PAGE_BYTES;
    options.max_bytes = max_bytes;
    return options;
  }
};

// `events` in an array, ts and dur in ns written as the number that they are in µs.
std::string array(const std::string& events) {
  return "[" + events + "]";
}

}  // namespace

TEST_CASE("Chrome import: complete events in any order nest by their times") {
  const ChromeTrace trace(array(R"({"ph":"X","name":"inner","cat":"c","pid":1,"tid":7,"ts":10.5,"dur":2},
      {"dur":"100.001","ts":"10.5","tid":7,"pid":1,"name":"outer","ph":"X","args":{"x":[1,{"y":2}]}},
      {"ph":"X","name":"same as outer in time","pid":1,"tid":8,"ts":10.5,"dur":100.001})"));
  REQUIRE(trace.result == FLAMELET_OK);
  CHECK(trace.report.spans == 3);
  CHECK(trace.lane_name(0) == "thread 7");
  const std::vector<flamelet_span> spans = trace.spans(0);
  REQUIRE(spans.size() == 2);
  CHECK(trace.text(spans[0].name) == "outer");
  CHECK(spans[0].begin_ns == 0);
  CHECK(spans[0].end_ns == 100001);
  CHECK(spans[1].parent == 0);
  CHECK(spans[1].end_ns == 2000);
  flamelet_site_info site = recorder_test::site_of(trace.capture, spans[1].site);
  CHECK(std::string(site.category.text) == "c");
  CHECK(trace.spans(1).size() == 1);
}

TEST_CASE("Chrome import: white space may stand between all parts of the file") {
  const std::string event = R"({ "ph" : "X" , "name" : "a" , "pid" : 1 , "tid" : 1 , "ts" : 1 , "dur" : 2 })";
  for (const std::string head :
       {"", "\"displayTimeUnit\" : \"ns\" ,", "\"n\" : 12 ,", "\"o\" : { \"p\" : [ 1 , 2 ] } ,"}) {
    CAPTURE(head);
    const ChromeTrace trace(" { " + head + "\n\t\"traceEvents\" : [ " + event + " , " + event +
                            " ] , \"z\" : null }\r\n");
    CHECK(trace.result == FLAMELET_OK);
    CHECK(trace.report.spans == 2);
    CHECK_FALSE(trace.report.truncated);
  }
  const ChromeTrace own(R"({"otherData": {"producer": "flamelet", "base_ns": "5"}, "traceEvents": [)" + event + "]}");
  REQUIRE(own.report.spans == 1);
  CHECK(own.spans(0)[0].begin_ns == 1005);
}

TEST_CASE("Chrome import: events that stand in two lists of one object are all taken") {
  const std::string event = R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2})";
  const ChromeTrace trace(R"({"traceEvents":[)" + event + R"(],"x":1,"traceEvents":[)" + event + "," + event + "]}");
  CHECK(trace.report.spans == 3);
  CHECK(trace.report.events_damaged == 0);
}

TEST_CASE("Chrome import: a head that is cut behind a colon, where the file is read in pieces, is no trace") {
  // The pieces are of 64 KiB. The name is in the end of the first and in the begin of the second.
  for (size_t size = 65500; size < 65560; ++size) {
    CAPTURE(size);
    const ChromeTrace trace("{\"x\":\"" + std::string(size, 'y') + "\",\"name name name\":");
    CHECK(trace.result == FLAMELET_ERROR_FILE_FORMAT);
  }
}

TEST_CASE("Chrome import: begins and ends pair up, and what has no partner is repaired") {
  const ChromeTrace trace(array(R"({"ph":"E","pid":1,"tid":"a","ts":1},
      {"ph":"B","name":"outer","pid":1,"tid":"a","ts":2},{"ph":"B","name":"inner","pid":1,"tid":"a","ts":3},
      {"ph":"E","pid":1,"tid":"a","ts":5},{"ph":"B","name":"open","pid":1,"tid":"a","ts":6},
      {"ph":"i","name":"ping","pid":1,"tid":"a","ts":9,"s":"t"})"));
  CHECK(trace.report.ends_extra == 1);
  CHECK(trace.report.spans_open == 2);
  const std::vector<flamelet_span> spans = trace.spans(0);
  REQUIRE(spans.size() == 3);
  CHECK(trace.text(spans[0].name) == "outer");
  CHECK(spans[0].flags == FLAMELET_SPAN_OPEN);
  CHECK(spans[0].begin_ns == 0);
  CHECK(spans[0].end_ns == 7000);
  CHECK(spans[1].flags == 0);
  CHECK(spans[1].end_ns - spans[1].begin_ns == 2000);
  CHECK(trace.text(spans[2].name) == "open");
  CHECK(trace.points(0).size() == 1);
}

namespace {

// "B outer 0; E - 10": phases, names ("-": none), times in ns. All on one thread; b and e of one id.
std::string marks(const std::string& all) {
  std::string events;
  std::istringstream lines(all);
  for (std::string line; std::getline(lines >> std::ws, line, ';');) {
    const size_t name = line.find(' ') + 1, time = line.rfind(' ') + 1;
    const std::string text = line.substr(name, time - 1 - name);
    events += std::string(events.empty() ? "" : ",") + R"({"pid":1,"tid":1,"id":"7","cat":"c","ph":")" + line[0] +
              "\"" + (text == "-" ? "" : ",\"name\":\"" + text + "\"") + ",\"ts\":0." + line.substr(time) + "}";
  }
  return "[" + events + "]";
}

}  // namespace

TEST_CASE("Chrome import: ends find their begins by time and by name, however they are written") {
  struct Case {
    std::string what, marks;
    std::string spans;  // by begin: "outer 100; inner 50"
    uint64_t extra, open;
  };
  const Case cases[] = {
      {"ends in the wrong order", "B outer 100; B inner 120; E outer 200; E inner 180", "outer 100; inner 60", 0, 0},
      {"an end before its begin", "E second 250; B second 200", "second 50", 0, 0},
      {"an end before its begin, at one time", "E none 200; B none 200", "none 0", 0, 0},
      {"a buffer behind a later one", "B b 500; E b 600; B a 100; E a 200", "a 100; b 100", 0, 0},
      {"one without an end, inside of another",
       "B frame 100; B update 110; B early 120; E update 150; E frame 160; B frame 900; E frame 960",
       "frame 60; update 40; early 30; frame 60", 0, 1},
      {"an end without a begin comes first", "E a 100; B b 200; E b 300", "b 100", 1, 0},
      {"the next begins where one ends, and is written first", "B a 100; B b 200; E a 200; E b 300", "a 100; b 100", 0,
       0},
      {"of one time", "B p 100; B q 100; B r 100; E - 200; E - 200; E - 200", "p 100; q 100; r 100", 0, 0},
      {"of no length, before others of their time",
       "B p 100; B q 100; E q 100; B r 100; E r 200; E p 200; B s 200; E s 200; B t 200; E t 300",
       "p 100; q 0; r 100; s 0; t 100", 0, 0},
      {"of no length, in others of their time", "B p 100; B q 100; B r 100; E r 100; E q 100; E p 200",
       "p 100; q 0; r 0", 0, 0},
      {"one that stays open", "B a 100; B b 200; E b 300", "a 200; b 100", 0, 1},
  };
  for (const Case& of : cases) {
    CAPTURE(of.what);
    const ChromeTrace trace(marks(of.marks));
    REQUIRE(trace.result == FLAMELET_OK);
    std::string spans;
    for (const flamelet_span& span : trace.spans(0))
      spans += (spans.empty() ? "" : "; ") + trace.text(span.name) + " " + std::to_string(span.end_ns - span.begin_ns);
    CHECK(spans == of.spans);
    CHECK(trace.report.ends_extra == of.extra);
    CHECK(trace.report.spans_open == of.open);
    CHECK(trace.report.spans_cut == 0);
  }
}

TEST_CASE("Chrome import: ends of one id find the interval of their name, in their process and scope") {
  struct Case {
    const char* what;
    std::string events;
    std::vector<std::string> intervals;
    uint64_t extra;
  };
  const auto event = [](const char* phase, const char* name, int at, const char* more) {
    return std::string(R"({"cat":"c","ph":")") + phase + R"(","name":")" + name + R"(","ts":)" + std::to_string(at) +
           "," + more + "},";
  };
  const char* const plain = R"("pid":1,"tid":1,"id":"7")";
  const Case cases[] = {
      {"no id", event("b", "a", 0, R"("pid":1,"tid":1)") + event("e", "a", 20, R"("pid":1,"tid":1)"), {}, 0},
      {"no id, in old phases",
       event("S", "a", 0, R"("pid":1,"tid":1)") + event("F", "a", 20, R"("pid":1,"tid":1)"),
       {},
       0},
      {"several names",
       event("b", "frame", 0, plain) + event("b", "physics", 10, plain) + event("b", "ai", 20, plain) +
           event("e", "physics", 30, plain) + event("e", "ai", 900, plain) + event("e", "frame", 1000, plain),
       {"frame 1000", "physics 20", "ai 880"},
       0},
      {"unsorted", event("e", "a", 50, plain) + event("b", "a", 20, plain), {"a 30"}, 0},
      {"old phases", event("S", "a", 20, plain) + event("F", "a", 50, plain), {"a 30"}, 0},
      {"two processes",
       event("b", "a", 0, R"("pid":1,"tid":1,"id":"7")") + event("b", "a", 10, R"("pid":2,"tid":1,"id":"7")") +
           event("e", "a", 20, R"("pid":1,"tid":1,"id":"7")") + event("e", "a", 50, R"("pid":2,"tid":1,"id":"7")"),
       {"a 20", "a 40"},
       0},
      {"local ids",
       event("b", "a", 0, R"("pid":1,"tid":1,"id2":{"local":"7"})") +
           event("e", "a", 20, R"("pid":2,"tid":1,"id2":{"local":"7"})"),
       {"a 20"},  // open
       1},
      {"global ids",
       event("b", "a", 0, R"("pid":1,"tid":1,"id2":{"global":"7"})") +
           event("e", "a", 20, R"("pid":2,"tid":1,"id2":{"global":"7"})"),
       {"a 20"},
       0},
      {"scopes",
       event("b", "a", 0, R"("pid":1,"tid":1,"id":"7","scope":"x")") +
           event("b", "a", 10, R"("pid":1,"tid":1,"id":"7","scope":"y")") +
           event("e", "a", 20, R"("pid":1,"tid":1,"id":"7","scope":"x")") +
           event("e", "a", 50, R"("pid":1,"tid":1,"id":"7","scope":"y")"),
       {"a 20", "a 40"},
       0},
  };
  for (const Case& of : cases) {
    CAPTURE(std::string(of.what));
    const ChromeTrace trace(array(of.events.substr(0, of.events.size() - 1)));
    REQUIRE(trace.result == FLAMELET_OK);
    std::vector<std::string> intervals;
    for (const flamelet_interval& interval : trace.intervals())
      intervals.push_back(trace.text(interval.name) + " " +
                          std::to_string((interval.end_ns - interval.begin_ns) / 1000));
    CHECK(intervals == of.intervals);
    CHECK(trace.report.ends_extra == of.extra);
  }
}

TEST_CASE(
    "Chrome import: arrows lead between those of one id, which may be one process's; without an id nothing belongs "
    "together") {
  struct Case {
    const char* what;
    std::string id_1, id_2;  // of each flow, in one process each
    std::vector<std::string> arrows;
    uint64_t damaged;
  };
  const Case cases[] = {
      {"of each process", R"("id2":{"local":"5"},)", R"("id2":{"local":"5"},)", {"1 25", "5 27"}, 0},
      {"of all processes, then of each", R"("id2":{"global":"5"},)", R"("id2":{"local":"5"},)", {"1 25", "5 27"}, 0},
      {"two", R"("id":5,)", R"("id":6,)", {"1 25", "5 27"}, 0},
      {"none", "", "", {}, 4},
      {"none that could be one", R"("id":null,)", R"("id":"",)", {}, 4},
  };
  for (const Case& of : cases) {
    CAPTURE(std::string(of.what));
    std::string events = R"({"ph":"i","name":"first","pid":1,"tid":1,"ts":0,"s":"t"})";
    const auto event = [&](const char* phase, int pid, int ts, const std::string& id) {
      events += std::string(",{\"ph\":\"") + phase + R"(","name":"n","cat":"c",)" + id +
                "\"pid\":" + std::to_string(pid) + ",\"tid\":1,\"ts\":" + std::to_string(ts) + "}";
    };
    event("s", 1, 1, of.id_1), event("s", 2, 5, of.id_2), event("f", 1, 25, of.id_1), event("f", 2, 27, of.id_2);
    const ChromeTrace trace(array(events));
    const std::vector<flamelet_flow> flows = recorder_test::read_flows(trace.capture);
    const size_t count = flows.size();
    std::vector<std::string> arrows;
    for (size_t i = 0; i < count; ++i)
      if ((flows[i].flags & FLAMELET_FLOW_IS_END) != 0 && flows[i].begin < count)
        arrows.push_back(std::to_string(flows[flows[i].begin].time_ns / 1000) + " " +
                         std::to_string(flows[i].time_ns / 1000));
    std::sort(arrows.begin(), arrows.end());
    CHECK(arrows == of.arrows);
    CHECK(count == 2 * of.arrows.size());
    CHECK(trace.report.events_damaged == of.damaged);
    if (of.damaged != 0) CHECK(std::string(trace.report.first_damaged).find("(\"id\")") != std::string::npos);
  }
}

TEST_CASE("Chrome import: spans that overlap in part keep their time, on lanes beside each other") {
  struct Case {
    std::string what;
    std::string spans;  // name, begin and duration in µs
    std::string lanes;  // name, begin and end in ns from the first one on
    uint64_t beside, cut;
  };
  const Case cases[] = {
      {"a stream of a GPU", "copy 30 40; gemm 50 200; relu 245 100",
       "stream: copy 0-40000 relu 215000-315000; stream, 2: gemm 20000-220000", 1, 0},
      {"in any order", "relu 245 100; gemm 50 200; copy 30 40",
       "stream: copy 0-40000 relu 215000-315000; stream, 2: gemm 20000-220000", 1, 0},
      {"three at once", "a 0 30; b 10 30; c 20 30; d 35 3",
       "stream: a 0-30000 d 35000-38000; stream, 2: b 10000-40000; stream, 3: c 20000-50000", 2, 0},
      {"with children of their own", "a 0 100; in-a 10 50; b 50 100; in-b 110 20",
       "stream: a 0-100000 in-a 10000-60000 in-b 110000-130000; stream, 2: b 50000-150000", 1, 0},
      {"of one time", "a 0 10; b 0 10; in-b 0 5; c 0 0", "stream: a 0-10000 b 0-10000 in-b 0-5000 c 0-0", 0, 0},
      {"neighbours", "a 0 10; b 10 10; c 20 0", "stream: a 0-10000 b 10000-20000 c 20000-20000", 0, 0},
      {"a child that rounding lets end late", "a 0 10; b 5 6", "stream: a 0-10000 b 5000-10000", 0, 1},
      {"a neighbour that rounding lets begin early", "a 0 10; b 9 100; in-b 9 50",
       "stream: a 0-10000 b 10000-109000 in-b 10000-59000", 0, 2},
      {"what is inside of one stands there, before what is let begin behind it", "f 0 10; next 9 50; h 9 1",
       "stream: f 0-10000 h 9000-10000 next 10000-59000", 0, 1},
      {"to the nanosecond, it is no rounding", "a 0 10.001; b 9.5 6", "stream: a 0-10001; stream, 2: b 9500-15500", 1,
       0},
  };
  for (const Case& of : cases) {
    CAPTURE(of.what);
    std::string events = R"({"ph":"M","name":"thread_name","pid":1,"tid":7,"args":{"name":"stream"}})";
    uint64_t count = 0;
    std::istringstream spans(of.spans);
    for (std::string span; std::getline(spans >> std::ws, span, ';'); ++count) {
      const size_t begin = span.find(' ') + 1, duration = span.rfind(' ') + 1;
      events += R"(,{"ph":"X","pid":1,"tid":7,"name":")" + span.substr(0, begin - 1) + R"(","ts":)" +
                span.substr(begin, duration - 1 - begin) + R"(,"dur":)" + span.substr(duration) + "}";
    }
    const ChromeTrace trace(array(events));
    std::string lanes;
    for (size_t lane = 0; lane < flamelet_capture_lane_count(trace.capture); ++lane) {
      lanes += (lanes.empty() ? "" : "; ") + trace.lane_name(lane) + ":";
      const int64_t first_ns = trace.spans(0).empty() ? 0 : trace.spans(0)[0].begin_ns;
      for (const flamelet_span& span : trace.spans(lane))
        lanes += " " + trace.text(span.name) + " " + std::to_string(span.begin_ns - first_ns) + "-" +
                 std::to_string(span.end_ns - first_ns);
    }
    CHECK(lanes == of.lanes);
    CHECK(trace.report.spans == count);
    CHECK(trace.report.spans_beside == of.beside);
    CHECK(trace.report.spans_cut == of.cut);
  }
}

TEST_CASE("Chrome import: a hundred spans of one lane at once keep their time") {
  flamelet_import_options options = ChromeTrace::options(UINT64_MAX, 1024);
  options.capture.max_tracks = 256;
  std::string events;
  for (int i = 0; i < 100; ++i)
    events += (i == 0 ? "" : ",") + std::string(R"({"ph":"X","name":"get","pid":1,"tid":1,"dur":1000,"ts":)") +
              std::to_string(i * 5) + "}";
  const Imported trace(array(events), options);
  REQUIRE(flamelet_capture_lane_count(trace.capture) == 100);
  for (size_t lane = 0; lane < 100; ++lane) {
    REQUIRE(trace.spans(lane).size() == 1);
    CHECK(trace.spans(lane)[0].end_ns - trace.spans(lane)[0].begin_ns == 1000000);
  }
  CHECK(trace.report.spans_cut == 0);
}

TEST_CASE("Chrome import: a lane beside another stands behind it, wherever the trace places and names it") {
  const ChromeTrace trace(array(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":10},
      {"ph":"X","name":"b","pid":1,"tid":1,"ts":5,"dur":10},{"ph":"X","name":"c","pid":1,"tid":2,"ts":20,"dur":1},
      {"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":-1}},
      {"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}},
      {"ph":"M","name":"process_name","pid":2,"args":{"name":"q"}})"));
  REQUIRE(flamelet_capture_lane_count(trace.capture) == 3);
  CHECK(trace.lane_name(0) == "p: thread 2");
  CHECK(trace.lane_name(1) == "p: thread 1");
  CHECK(trace.lane_name(2) == "p: thread 1, 2");
}

TEST_CASE("Chrome import: numbers that are equal are one thread, and one id") {
  struct Case {
    const char *a, *b;  // a tid, a pid or an id as it stands in the file
    bool is_one;
  };
  for (const Case& of :
       {Case{"1", "1.0", true}, Case{"1", "1e0", true}, Case{"10", "1E+1", true}, Case{"-1", "-1.0", true},
        Case{"0", "0.0", true}, Case{"1.50", "1.5", true}, Case{"1", R"("1")", true}, Case{"1.0", R"("1")", true},
        Case{"1", "1.5", false}, Case{"1", "-1", false}, Case{"1000", R"("1e3")", false},
        Case{"18446744073709551615", "18446744073709551614", false}}) {
    CAPTURE(of.a);
    CAPTURE(of.b);
    const auto event = [](const std::string& name, const std::string& fields) {
      return R"({"ph":"X","ts":1,"dur":1,"name":")" + name + "\"," + fields + "}";
    };
    const auto lanes = [&](const std::string& before, const std::string& behind) {
      const ChromeTrace trace(array(event("a", before + of.a + behind) + "," + event("b", before + of.b + behind)));
      return flamelet_capture_lane_count(trace.capture);
    };
    CHECK(lanes(R"("pid":1,"tid":)", "") == (of.is_one ? 1 : 2));
    CHECK(lanes(R"("tid":1,"pid":)", "") == (of.is_one ? 1 : 2));
    const auto mark = [](const char* phase, const std::string& id) {
      return std::string(R"({"ph":")") + phase + R"(","cat":"c","name":"n","pid":1,"tid":1,"ts":1,"id":)" + id + "}";
    };
    CHECK(ChromeTrace(array(mark("b", of.a) + "," + mark("e", of.b))).report.ends_extra == (of.is_one ? 0 : 1));
  }
  const ChromeTrace named(array(R"({"ph":"X","name":"a","pid":1.0,"tid":7.0,"ts":0,"dur":9})"));
  CHECK(named.lane_name(0) == "thread 7");
}

TEST_CASE("Chrome import: durations that make no sense are 0") {
  const ChromeTrace trace(array(R"({"ph":"X","name":"c","pid":1,"tid":1,"ts":20,"dur":-1},
      {"ph":"X","name":"d","pid":1,"tid":1,"ts":21},{"ph":"X","name":"e","pid":1,"tid":1,"ts":22,"dur":null})"));
  CHECK(trace.report.times_clamped == 3);
  const std::vector<flamelet_span> spans = trace.spans(0);
  REQUIRE(spans.size() == 3);
  for (const flamelet_span& span : spans) CHECK(span.begin_ns == span.end_ns);
}

TEST_CASE("Chrome import: a bad time is that of its event alone, whether it stands first or last") {
  const auto bad = [](const std::string& us) {
    return R"({"ph":"X","name":"bad","pid":1,"tid":9,"ts":)" + us + R"(,"dur":1})";
  };
  const auto good_from = [](int64_t us) {
    std::string events;
    for (int64_t i = 0; i < 5; ++i)
      events += std::string(i == 0 ? "" : ",") + R"({"ph":"X","name":"good","pid":1,"tid":1,"ts":)" +
                std::to_string(us + 4 * i) + R"(,"dur":2})" + R"(,{"ph":"i","name":"mark","pid":1,"tid":1,"ts":)" +
                std::to_string(us + 4 * i) + "}";
    return events;
  };
  for (const char* const us : {"18446744073709551.615", "\"18446744073709551615\"", "1e30", "1e400", "-1e30", "-9e15",
                               "-9e18", "9223372036854775.807", "-9223372036854775.808", "2305843009213694"}) {
    CAPTURE(us);
    for (const int64_t begin_us : {int64_t{-50}, int64_t{5}, int64_t{1718000000000000}}) {
      CAPTURE(begin_us);
      for (const bool is_first : {true, false}) {
        CAPTURE(is_first);
        const std::string good = good_from(begin_us);
        const ChromeTrace trace(array(is_first ? bad(us) + "," + good : good + "," + bad(us)));
        REQUIRE(trace.result == FLAMELET_OK);
        CHECK(trace.report.times_clamped != 0);
        CHECK(trace.report.times_clamped <= 2);  // its begin and its end
        const size_t lane = trace.lane("thread 1");
        const std::vector<flamelet_span> spans = trace.spans(lane);
        const std::vector<flamelet_point> points = trace.points(lane);
        REQUIRE(spans.size() == 5);
        REQUIRE(points.size() == 5);
        for (size_t i = 0; i < spans.size(); ++i) {
          CHECK(spans[i].begin_ns == static_cast<int64_t>(i) * 4000);
          CHECK(spans[i].end_ns - spans[i].begin_ns == 2000);
          CHECK(points[i].time_ns == spans[i].begin_ns);
        }
      }
    }
  }
}

TEST_CASE("Chrome import: times far from 0 are counted from each other, and a stray one is told") {
  // 5 scopes of 12.345 us, each 100 us behind the one before.
  const struct {
    const char* since;
    std::string first;  // in us, without the last 4 digits
    bool is_text;
  } kinds[] = {{"1970 in ns", "171800000012345", false},
               {"1970 in ns, as text", "171800000012345", true},
               {"1601 in us", "1335000000123", false},
               {"year 1 in tenths of us", "63850000001234", false},
               {"5e15 us", "500000000000", false},
               {"far before 0", "-171800000012345", false},
               {"near 0", "1", false},
               {"1970", "171800000000", false}};
  for (const auto& kind : kinds) {
    for (const std::string ts : {"9e30", "-9e30", "1e400", "4", ""}) {
      for (const bool is_first : {false, true}) {
        CAPTURE(kind.since);
        CAPTURE(ts);
        const bool is_before_0 = kind.first[0] == '-';
        const std::string stray =
            ts.empty() ? "" : R"({"ph":"i","name":"stray","pid":1,"tid":9,"ts":)" + ts + R"(,"s":"t"})";
        std::string events, quote = kind.is_text ? "\"" : "";
        for (int i = 0; i < 5; ++i) {
          const int rest = 1000 + 100 * (is_before_0 ? 4 - i : i);
          events += std::string(i == 0 ? "" : ",") + R"({"ph":"X","name":"a","pid":1,"tid":1,"dur":12.345,"ts":)" +
                    quote + kind.first + std::to_string(rest) + (is_before_0 ? ".5" : ".25") + quote + "}";
        }
        const std::string between = stray.empty() ? "" : ",";
        const ChromeTrace trace(array(is_first ? stray + between + events : events + between + stray));
        REQUIRE(trace.result == FLAMELET_OK);
        const bool is_near_0 = kind.first == "1" || kind.first == "171800000000";
        CHECK(trace.report.times_too_far == (ts.empty() || (ts == "4" && is_near_0) ? 0 : 1));
        CHECK(trace.report.times_clamped == trace.report.times_too_far);
        const std::vector<flamelet_span> spans = trace.spans(trace.lane("thread 1"));
        REQUIRE(spans.size() == 5);
        for (size_t i = 0; i < 5; ++i) {
          CHECK(spans[i].begin_ns - spans[0].begin_ns == 100000 * static_cast<int64_t>(i));
          CHECK(spans[i].end_ns - spans[i].begin_ns == 12345);
        }
      }
    }
  }
}

TEST_CASE("Chrome import: one good event beside one of a bad time keeps its duration, and begins at 0") {
  for (const char* const us : {"1e30", "-1e30", "-9e15"}) {
    for (const bool is_first : {true, false}) {
      CAPTURE(us);
      CAPTURE(is_first);
      const std::string bad = R"({"ph":"i","name":"bad","pid":1,"tid":1,"ts":)" + std::string(us) + "}";
      const std::string good = R"({"ph":"B","name":"good","pid":1,"tid":1,"ts":5},{"ph":"E","pid":1,"tid":1,"ts":9})";
      const ChromeTrace trace(array(is_first ? bad + "," + good : good + "," + bad));
      CHECK(trace.report.times_clamped == 1);
      const std::vector<flamelet_span> spans = trace.spans(0);
      REQUIRE(spans.size() == 1);
      CHECK(spans[0].begin_ns == 0);
      CHECK(spans[0].end_ns == 4000);
    }
  }
}

TEST_CASE("Chrome import: counters, one for each series, and asynchronous events") {
  const ChromeTrace trace(array(R"({"ph":"C","name":"load","pid":1,"tid":1,"ts":0,"args":{"value":0.25}},
      {"ph":"C","name":"bytes","pid":1,"tid":1,"ts":1,"args":{"in":1,"out":"2","text":"none"}},
      {"ph":"b","cat":"io","name":"read","id":"0x1","pid":1,"tid":1,"ts":2},
      {"ph":"b","cat":"io","name":"read","id2":{"local":"0x2"},"pid":1,"tid":1,"ts":3},
      {"ph":"e","cat":"io","name":"read","id":"0x1","pid":1,"tid":2,"ts":5},
      {"ph":"e","cat":"other","name":"read","id":"0x2","pid":1,"tid":1,"ts":6},
      {"ph":"s","id":1,"pid":1,"tid":1,"ts":7},{"ph":"f","id":1,"pid":1,"tid":1,"ts":8},{"ph":"P","ts":8})"));
  const std::vector<flamelet_point> points = trace.points(0);
  REQUIRE(points.size() == 3);
  CHECK(points[0].value == 0.25);
  CHECK(trace.text(points[0].name) == "load");
  CHECK(trace.text(points[1].name) == "bytes in");
  CHECK(trace.text(points[2].name) == "bytes out");
  CHECK(points[2].value == 2);
  const std::vector<flamelet_interval> intervals = trace.intervals();
  REQUIRE(intervals.size() == 2);
  CHECK(intervals[0].end_ns == 5000);
  CHECK(intervals[0].begin_track == 1);
  CHECK(intervals[0].end_track == 2);
  CHECK(intervals[1].flags == FLAMELET_SPAN_OPEN);
  CHECK(trace.report.ends_extra == 1);
  CHECK(trace.report.flows == 2);
  CHECK(trace.report.events_unsupported == 1);
}

TEST_CASE("Chrome import: flows are events of their own, or stand at the scopes that they lead to") {
  const ChromeTrace trace(array(R"({"ph":"s","name":"job","cat":"c","id":"0x1","pid":1,"tid":1,"ts":1},
      {"ph":"t","name":"job","cat":"c","id":"0x1","pid":1,"tid":2,"ts":2},
      {"ph":"f","bp":"e","name":"job","cat":"c","id":"0x1","pid":1,"tid":1,"ts":3},
      {"ph":"s","name":"job","cat":"other","id":"0x1","pid":1,"tid":1,"ts":4},
      {"ph":"X","name":"a","pid":1,"tid":1,"ts":5,"dur":1,"bind_id":"0x9","flow_out":true},
      {"ph":"X","name":"b","pid":1,"tid":2,"ts":6,"dur":1,"bind_id":"0x9","flow_in":true,"flow_out":true},
      {"ph":"X","name":"c","pid":1,"tid":1,"ts":7,"dur":1,"bind_id":"0x9","flow_in":true,"flow_out":false},
      {"ph":"B","name":"d","pid":1,"tid":1,"ts":7},
      {"ph":"E","name":"d","pid":1,"tid":1,"ts":8,"bind_id":"0x8","flow_out":true},
      {"ph":"B","name":"e","pid":1,"tid":1,"ts":9,"bind_id":"0x8","flow_in":true},{"ph":"E","pid":1,"tid":1,"ts":9})"));
  CHECK(trace.report.flows == 11);
  CHECK(trace.report.events_unsupported == 0);
  const std::vector<flamelet_flow> flows = recorder_test::read_flows(trace.capture);
  REQUIRE(flows.size() == 11);
  std::string text;  // by time: each end with the time of its begin. A step is an end, and the next begin.
  for (int64_t us = 1; us <= 9; ++us)
    for (const flamelet_flow& flow : flows)
      if (flow.time_ns / 1000 == us - 1)
        text += (flow.flags & FLAMELET_FLOW_IS_END) != 0 ? std::to_string(flows[flow.begin].time_ns / 1000 + 1) : ">";
  CHECK(text == ">1>2>>5>6>8");
}

TEST_CASE("Chrome import: names of threads and processes may come last") {
  const std::string events = R"({"ph":"X","name":"a","pid":10,"tid":1,"ts":0,"dur":1},
      {"ph":"X","name":"b","pid":20,"tid":1,"ts":0,"dur":1},
      {"ph":"M","name":"thread_name","pid":10,"tid":1,"args":{"name":"main"}})";
  const ChromeTrace one(array(events));
  CHECK(one.lane_name(0) == "process 10: main");
  CHECK(one.lane_name(1) == "process 20: thread 1");
  const ChromeTrace both(array(events + R"(,{"ph":"M","name":"process_name","pid":10,"args":{"name":"game"}},
      {"ph":"M","name":"process_name","pid":20,"args":{"name":"tool"}})"));
  CHECK(both.lane_name(0) == "game: main");
  CHECK(both.lane_name(1) == "tool: thread 1");
}

TEST_CASE("Chrome import: lanes stand as the trace sorts processes and threads") {
  const ChromeTrace trace(array(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1},
      {"ph":"X","name":"b","pid":2,"tid":1,"ts":0,"dur":1},{"ph":"X","name":"c","pid":1,"tid":2,"ts":0,"dur":1},
      {"ph":"X","name":"d","pid":1,"tid":3,"ts":0,"dur":1},{"ph":"X","name":"e","pid":3,"tid":1,"ts":0,"dur":1},
      {"ph":"M","name":"thread_sort_index","pid":1,"tid":3,"args":{"sort_index":-5}},
      {"ph":"M","name":"process_sort_index","pid":2,"args":{"sort_index":-1}},
      {"ph":"M","name":"process_sort_index","pid":3,"args":{"sort_index":"none"}})"));
  REQUIRE(flamelet_capture_lane_count(trace.capture) == 5);
  std::string order;
  for (size_t lane = 0; lane < 5; ++lane) {
    REQUIRE(trace.spans(lane).size() == 1);
    order += trace.text(trace.spans(lane)[0].name);
  }
  CHECK(order == "bdace");
}

TEST_CASE("Chrome import: the first text among the arguments is the object, and all others are counted") {
  const ChromeTrace trace(array(R"({"ph":"X","name":"x","pid":1,"tid":1,"ts":0,"dur":1,
          "args":{"count":1,"empty":"","detail":"first","more":"second","list":[1]}},
      {"ph":"X","name":"x","pid":1,"tid":1,"ts":1,"dur":1,"args":{"detail":"first","object":"own"}},
      {"ph":"B","name":"x","pid":1,"tid":1,"ts":2},{"ph":"E","pid":1,"tid":1,"ts":3,"args":{"result":"at the end"}},
      {"ph":"B","name":"x","pid":1,"tid":1,"ts":4,"args":{"a":"at the begin"}},
      {"ph":"E","pid":1,"tid":1,"ts":5,"args":{"result":"late","n":2}},
      {"ph":"i","name":"x","pid":1,"tid":1,"ts":6,"args":{"what":"instant"}},
      {"ph":"b","name":"x","id":1,"pid":1,"tid":1,"ts":7},
      {"ph":"e","name":"x","id":1,"pid":1,"tid":1,"ts":8,"args":{"what":"interval"}},
      {"ph":"C","name":"x","pid":1,"tid":1,"ts":9,"args":{"value":1,"unit":"MB"}})"));
  const std::vector<flamelet_span> spans = trace.spans(0);
  REQUIRE(spans.size() == 4);
  CHECK(trace.text(spans[0].object) == "first");
  CHECK(trace.text(spans[1].object) == "own");
  CHECK(trace.text(spans[2].object) == "at the end");
  CHECK(trace.text(spans[3].object) == "at the begin");
  REQUIRE(trace.points(0).size() == 2);
  CHECK(trace.text(trace.points(0)[0].object) == "instant");
  REQUIRE(trace.intervals().size() == 1);
  CHECK(trace.text(trace.intervals()[0].object) == "interval");
  CHECK(trace.report.args_left_out == 4 + 1 + 2);
  CHECK(trace.report.values_left_out == 1);
}

TEST_CASE("Chrome import: an argument loc is the place in the source if it is a file and a line") {
  const struct {
    const char *loc, *file;
    uint32_t line;
  } rows[] = {{"a.cpp:12", "a.cpp", 12}, {"a.cpp:13", "a.cpp", 13}, {"C:/b.cpp:12", "C:/b.cpp", 12},
              {"a.cpp", "", 0},          {"a.cpp:", "", 0},         {":12", "", 0},
              {"a.cpp:1x", "", 0}};
  for (const auto& row : rows) {
    CAPTURE(row.loc);
    const ChromeTrace trace(array(R"({"ph":"X","name":"x","pid":1,"tid":1,"ts":0,"dur":1},
        {"ph":"X","name":"x","pid":1,"tid":1,"ts":1,"dur":1,"args":{"loc":")" +
                                  std::string(row.loc) + R"("}})"));
    const std::vector<flamelet_span> spans = trace.spans(0);
    REQUIRE(spans.size() == 2);
    flamelet_site_info info = recorder_test::site_of(trace.capture, spans[1].site);
    CHECK(info.file.text == std::string(row.file));
    CHECK(info.line == row.line);
    CHECK(trace.text(spans[1].object) == (row.line != 0 ? "" : row.loc));
    CHECK(trace.report.args_left_out == 0);
    CHECK((spans[0].site == spans[1].site) == (row.line == 0));
  }
}

TEST_CASE("Chrome import: where a task of Chromium was posted is the place in the source") {
  const struct {
    const char *args, *file, *function;
    uint32_t line, left_out;
  } rows[] = {
      {R"("src":"a.cc:12")", "a.cc", "", 12, 0},
      {R"("src_file":"../../a.cc","src_func":"Run","src_line":12)", "../../a.cc", "Run", 12, 0},
      {R"("src_func":"Run","src_line":"12","src_file":"a.cc","more":1)", "a.cc", "Run", 12, 1},
      {R"("posted_from":{"file_name":"a.cc","function_name":"Run","line_number":12})", "a.cc", "Run", 12, 0},
      {R"("task":{"posted_from":{"file_name":"a.cc","line_number":12},"x":[1]}})", "a.cc", "", 12, 0},
      {R"("task":{"id":5},"src_file":7.5)", "7.5", "", 0, 1},
      {R"("posted_from":5)", "", "", 0, 1},
  };
  for (const auto& row : rows) {
    CAPTURE(row.args);
    const ChromeTrace trace(
        array(R"({"ph":"X","name":"RunTask","pid":1,"tid":1,"ts":0,"dur":1,"args":{)" + std::string(row.args) + "}}"));
    const std::vector<flamelet_span> spans = trace.spans(0);
    REQUIRE(spans.size() == 1);
    flamelet_site_info info = recorder_test::site_of(trace.capture, spans[0].site);
    CHECK(info.file.text == std::string(row.file));
    CHECK(info.function.text == std::string(row.function));
    CHECK(info.line == row.line);
    CHECK(spans[0].object == 0);
    CHECK(trace.report.args_left_out == row.left_out);
  }
}

TEST_CASE("Chrome import: loc beside the arguments is the place in the source, too") {
  const ChromeTrace trace(
      array(R"({"ph":"X","name":"a","ts":0,"dur":9,"loc":"src/unit.d:123","args":{"d":"o"},"pid":1,"tid":1},
      {"ph":"X","name":"b","ts":10,"dur":1,"pid":1,"tid":1,"loc":"no place"},
      {"ph":"X","name":"c","ts":20,"dur":1,"pid":1,"tid":1,"loc":{"file":"x"}})"));
  const std::vector<flamelet_span> spans = trace.spans(0);
  REQUIRE(spans.size() == 3);
  flamelet_site_info site = recorder_test::site_of(trace.capture, spans[0].site);
  CHECK(std::string(site.file.text) == "src/unit.d");
  CHECK(site.line == 123);
  for (size_t i = 1; i < 3; ++i) {
    site = recorder_test::site_of(trace.capture, spans[i].site);
    CHECK(site.file.size == 0);
  }
}

TEST_CASE("Chrome import: .file and .line, as Rust's tracing-chrome writes them, are the place in the source") {
  const ChromeTrace trace(
      array(R"({"ph":"B","pid":1,"ts":1.5,"name":"a","cat":"game","tid":0,".file":"src/a.rs",".line":7},
      {"ph":"E","pid":1,"ts":3.5,"name":"a","cat":"game","tid":0,".file":"src/a.rs",".line":7},)"));
  const std::vector<flamelet_span> spans = trace.spans(0);
  REQUIRE(spans.size() == 1);
  flamelet_site_info site = recorder_test::site_of(trace.capture, spans[0].site);
  CHECK(std::string(site.file.text) == "src/a.rs");
  CHECK(site.line == 7);
}

TEST_CASE("Chrome import: intervals alone are a trace, with an extent, and more of them than there was room for") {
  std::string events;
  for (int i = 0; i < 100; ++i)
    for (const char* phase : {"b", "e"})
      events += std::string(events.empty() ? "" : ",") + R"({"ph":")" + phase +
                R"(","name":"write","cat":"io","pid":1,"tid":1,"id":)" + std::to_string(i) +
                ",\"ts\":" + std::to_string(10 + i + (*phase == 'e' ? 5 : 0)) + "}";
  const ChromeTrace trace(array(events));
  CHECK(trace.intervals().size() == 100);  // where max_intervals is 64
  int64_t begin_ns = -1, end_ns = -1;
  REQUIRE(flamelet_capture_extent(trace.capture, &begin_ns, &end_ns));
  CHECK(begin_ns == 0);
  CHECK(end_ns == 104000);
}

TEST_CASE("Chrome import: texts that are all different leave room for the names behind them") {
  std::string events;
  for (int i = 0; i < 2000; ++i)
    events += R"({"ph":"X","name":"n","pid":1,"tid":1,"dur":1,"ts":)" + std::to_string(2 * i) +
              R"(,"args":{"text":"number )" + std::to_string(i) + R"("}},)";
  for (int i = 0; i < 100; ++i)
    events += R"({"ph":"X","name":"name )" + std::to_string(i) + R"(","pid":1,"tid":2,"dur":1,"ts":)" +
              std::to_string(2 * i) + "},";
  const ChromeTrace trace(array(events));
  CHECK(trace.report.events_over_limits == 0);
  CHECK(trace.report.args_left_out > 1000);
  CHECK(trace.report.args_left_out < 2000);
  const std::vector<flamelet_span> spans = trace.spans(1);
  REQUIRE(spans.size() == 100);
  CHECK(trace.text(spans[99].name) == "name 99");
  CHECK(trace.text(trace.spans(0)[0].object) == "number 0");
}

TEST_CASE("Chrome import: the object form, with anything around its events") {
  const ChromeTrace trace(
      "\xEF\xBB\xBF \n"
      R"({"a":{"traceEvents":[1,2]},"b":"}]\"{","c":-1.5e3,"d":null,
      "traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1},],"stackFrames":{"1":{"name":"x"}}})");
  REQUIRE(trace.result == FLAMELET_OK);
  CHECK(trace.report.spans == 1);
  CHECK_FALSE(trace.report.truncated);
  CHECK(trace.report.events_damaged == 0);
}

TEST_CASE("Chrome import: a damaged event is left out, and no other one") {
  const std::string good = R"({"ph":"X","name":"good","pid":1,"tid":1,"ts":5,"dur":1})";
  const std::string damaged[] = {R"({"ph":"X","name":"no time","pid":1,"tid":1,"dur":1})",
                                 R"({"ph":"X","name":"bad","ts":NaN,"dur":1})",
                                 R"({"ph":"X","name":"bad","ts":1 "dur":1})",
                                 R"({"ph":"XX","ts":1})",
                                 R"({"ph":null,"ts":1})",
                                 R"({"ts":1})",
                                 R"({"ph":"X","name":"comma","ts":,"dur":1,})",
                                 R"({'ph':'X','name':'quotes','ts':1,'dur':1})",
                                 R"({1})",
                                 R"("text")",
                                 R"(17)",
                                 R"([1,[2]])",
                                 R"(})",
                                 R"(:)",
                                 R"({"ph":"C","name":"none","pid":1,"tid":1,"ts":1})"};
  for (const std::string& bad : damaged) {
    INFO(bad);
    const ChromeTrace trace(array(good + "," + bad + "," + good));
    REQUIRE(trace.result == FLAMELET_OK);
    CHECK(trace.report.spans == 2);
    CHECK(trace.report.events_damaged == 1);
  }
}

TEST_CASE("Chrome import: a value of a counter that is no number is left out, and is no damage") {
  const std::string good = R"({"ph":"C","name":"n","pid":1,"ts":1,"args":{"v":1}})";
  for (const char* value : {"null", "true", "NaN", "\"x\"", "{\"x\":3}"}) {
    CAPTURE(value);
    const ChromeTrace trace(array(good + R"(,{"ph":"C","name":"n","pid":1,"ts":2,"args":{"v":)" + value + "}}"));
    REQUIRE(trace.result == FLAMELET_OK);
    CHECK(trace.report.points == 1);
    CHECK(trace.report.values_left_out == 1);
    CHECK(trace.report.events_damaged == 0);
  }
}

TEST_CASE("Chrome import: the report names the first damaged event") {
  const std::string good = R"({"ph":"X","name":"good","pid":1,"tid":1,"ts":5,"dur":1})";
  struct Case {
    std::string bad, why;
  };
  for (const Case& of : {
           Case{R"({"ph":"X","name":"a","pid":1,"tid":1})", "it has no time (\"ts\")"},
           Case{R"({"name":"\q","ts":1})", "it has no phase (\"ph\")"},
           Case{R"({"ph":"X" 1})", "it is not JSON"},
           Case{"17", "it is no object"},
           Case{"/", "it is no object"},
           Case{R"({"ph":"C","name":"n","pid":1,"ts":1})", "the counter has no number (\"args\")"},
           Case{R"({"ph":"C","name":"n","pid":1,"ts":1,"args":7})", "the counter has no number (\"args\")"},
           Case{"\"" + std::string(5u << 20, 'x') + "\"", "it is no object"},
       }) {
    CAPTURE(of.why);
    for (const int before : {0, 1, 5000}) {
      std::string events;
      for (int i = 0; i < before; ++i) events += good + ", // " + std::to_string(i) + "\n";
      const ChromeTrace trace(array(events + of.bad + "," + good + "," + of.bad));
      CHECK(trace.report.events_damaged == 2);
      CHECK(trace.report.first_damaged ==
            "at byte " + std::to_string(array(events).find_last_of("[\n") + 1) + ": " + of.why);
    }
  }
  CHECK(ChromeTrace(array(good)).report.first_damaged[0] == 0);
}

TEST_CASE("Chrome import: events may stand in lines, without an array around them") {
  const std::string line = R"({"name":"\"ph\"","args":{"ph":1}, "ph" : "X","pid":1,"tid":1,"ts":5,"dur":1})";
  for (const std::string& text : {line, line + "\n" + line + "\n", "// a log\n" + line + ",\r\n" + line, line + line}) {
    CAPTURE(text);
    const ChromeTrace trace(text);
    REQUIRE(trace.result == FLAMELET_OK);
    CHECK(trace.report.spans == (text.size() > 2 * line.size() - 1 ? 2 : 1));
    CHECK(trace.report.events_damaged == 0);
    CHECK_FALSE(trace.report.truncated);
  }
  CHECK(ChromeTrace(line + "\n" + line.substr(0, 20)).report.truncated);
  CHECK(ChromeTrace(R"({"a":{"ph":"X"},"b":"ph","ts":1})").result == FLAMELET_ERROR_FILE_FORMAT);
}

TEST_CASE("Chrome import: text behind the last bracket is damage, and white space, zeros and comments are none") {
  const std::string event = R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":5,"dur":1})";
  for (const std::string& trace : {array(event), R"({"traceEvents":[)" + event + "]}"}) {
    CAPTURE(trace);
    for (const std::string& none :
         {std::string(), std::string(" \n"), std::string(5000, '\0'), std::string("\n// end")})
      CHECK(ChromeTrace(trace + none).report.events_damaged == 0);
    for (const char* garbage : {"garbage", "\n]", "}", ", 1", "{\"a\":1}"}) {
      CAPTURE(garbage);
      const ChromeTrace damaged(trace + garbage);
      CHECK(damaged.report.spans == 1);
      CHECK(damaged.report.events_damaged == 1);
      const size_t at = trace.size() + (garbage[0] == '\n');
      CHECK(damaged.report.first_damaged ==
            "at byte " + std::to_string(at) + ": it stands behind the end of the trace");
      CHECK_FALSE(damaged.report.truncated);
    }
  }
}

TEST_CASE("Chrome import: what writers write that is not quite JSON is read") {
  const std::string good = R"({"ph":"X","name":"good","pid":1,"tid":1,"ts":5,"dur":1})";
  struct Case {
    std::string text, name;  // of the span beside the two good ones
    uint64_t repaired;
  };
  const auto named = [](const char* name) {
    return std::string(R"({"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":")") + name + "\"}";
  };
  const Case cases[] = {
      {named(R"(C:\game\src\qux.cpp)"), "C:\\game\\src\\qux.cpp", 1},
      {named(R"(bad \q \x41)"), "bad \\q \\x41", 1},
      {named(R"(half \ud83d)"), "half \xEF\xBF\xBD", 1},
      {named(R"(\udd25 half)"), "\xEF\xBF\xBD half", 1},
      {named(R"(\ud83d\u0041)"), "\xEF\xBF\xBD\x41", 1},
      {named(R"(\uZZ)"), "\\uZZ", 1},
      {named(R"(whole \ud83d\udd25 \\q \" \n)"), "whole \xF0\x9F\x94\xA5 \\q \" \n", 0},
      // Python
      {R"({"ph":"X","name":"NaN","pid":1,"tid":1,"ts":1,"dur":1,"args":{"loss":NaN,"x":1}})", "NaN", 0},
      {R"({"ph":"X","name":"inf","pid":1,"tid":1,"ts":1,"dur":1,"args":{"a":Infinity,"b":-Infinity}})", "inf", 0},
      {R"({"ph":"X","name":"id","pid":1,"tid":1,"ts":1,"dur":1,"id":NaN})", "id", 0},
      {R"({"ph":"X","name":"C","pid":1,"tid":1,"ts":1,"dur":1,"args":{"a":inf,"b":-inf,"c":+inf,"d":nan,"e":-nan}})",
       "C", 0},
      {R"({"ph":"X","name":"words","pid":1,"tid":1,"ts":1,"dur":1,"id":inf,"args":{"a":[inf],"b":True,"c":None}})",
       "words", 0},
      // So that no comma stands behind the last one.
      {named("last") + ",{}", "last", 0},
      // Commas that part nothing, or none between two events.
      {R"({"ph":"X","name":"field","pid":1,"tid":1,"ts":1,"dur":1 ,
})",
       "field", 1},
      {R"({"ph":"X","name":"args","pid":1,"tid":1,"ts":1,"dur":1,"args":{"a":1,"b":[1,{"c":2,},],},"id":1})", "args",
       1},
      {R"({,"ph":"X","name":",} ,,{,","pid":1,,"tid":1, ,"ts":1,"dur":1,"args":{,"a":"\\,}"}})", ",} ,,{,", 1},
      {named("behind events") + ",,\n , " + good + ",\n", "behind events", 0},
      {named("none") + good + " " + good, "none", 0},
      // Comments between events.
      {"// one {\" more\n /* [ * / \" **/" + named("comments") + "// last ]", "comments", 0},
      // A log that was begun again.
      {named("two logs") + "]\n[" + good + "][" + good, "two logs", 0}};
  for (const Case& of : cases) {
    CAPTURE(of.text);
    const ChromeTrace trace(array(good + "," + of.text));
    REQUIRE(trace.result == FLAMELET_OK);
    CHECK(trace.report.events_damaged == 0);
    CHECK(trace.report.texts_repaired == of.repaired);
    CHECK_FALSE(trace.report.truncated);
    bool is_there = false;
    for (const flamelet_span& span : trace.spans(0)) is_there = is_there || trace.text(span.name) == of.name;
    CHECK(is_there);
    CHECK(trace.report.spans >= 2);
  }
}

TEST_CASE("Chrome import: a thread goes by its own number or text, whatever its lane's id is") {
  struct Case {
    std::string pid, tid, name;
  };
  const Case cases[] = {{"1", "0", "process 1: thread 0"},
                        {"1", "1", "process 1: thread 1"},
                        {"2", "1", "process 2: thread 1"},
                        {"1", "140737353988992", "process 1: thread 140737353988992"},
                        {"\"Spans\"", "\"PyTorch Profiler\"", "Spans: PyTorch Profiler"}};
  std::string events = R"({"ph":"C","name":"no thread","pid":1,"ts":0,"args":{"v":1}})";
  for (const Case& of : cases)
    events += R"(,{"ph":"X","name":"a","ts":0,"dur":1,"pid":)" + of.pid + ",\"tid\":" + of.tid + "}";
  const ChromeTrace trace(array(events));
  REQUIRE(flamelet_capture_lane_count(trace.capture) == std::size(cases) + 1);
  CHECK(trace.lane_name(0) == "process 1");
  for (size_t i = 0; i < std::size(cases); ++i) CHECK(trace.lane_name(i + 1) == cases[i].name);
}

TEST_CASE("Chrome import: an interval that begins on thread 0 has a begin") {
  const ChromeTrace trace(array(R"({"ph":"b","cat":"c","id":1,"name":"job","pid":1,"tid":0,"ts":1},
      {"ph":"e","cat":"c","id":1,"name":"job","pid":1,"tid":0,"ts":61})"));
  const std::vector<flamelet_interval> intervals = trace.intervals();
  REQUIRE(intervals.size() == 1);
  CHECK(intervals[0].begin_track != 0);
  CHECK(intervals[0].end_track == intervals[0].begin_track);
  CHECK(intervals[0].flags == 0);
}

TEST_CASE("Chrome import: times since 1970 that were doubles overlap by no more than those can tell") {
  // Neighbours of 1.1 µs, one behind the other, inside of a parent. `round` is what the writer did to each begin.
  const auto trace_of = [](bool is_double) {
    std::string events = R"({"ph":"X","name":"parent","pid":1,"tid":1,"ts":1718000000000000,"dur":1101})";
    for (int i = 0; i < 1000; ++i) {
      const int ns = 1100 * i;
      const int shown = is_double ? (ns + 125) / 250 * 250 : ns;
      char text[160];
      snprintf(text, sizeof text, R"(,{"ph":"X","name":"a","pid":1,"tid":1,"ts":171800000000%04d.%03d,"dur":1.1})",
               shown / 1000, shown % 1000);
      events += text;
    }
    return array(events);
  };
  for (const bool is_double : {false, true}) {
    CAPTURE(is_double);
    const ChromeTrace trace(trace_of(is_double));
    CHECK(trace.report.spans_beside == 0);
    CHECK((trace.report.spans_cut != 0) == is_double);
    CHECK(flamelet_capture_lane_count(trace.capture) == 1);
  }
  // Scopes in scopes, each of which ends with the one around it, as programs write doubles: printf(), and Python.
  for (const char* const format : {"%.3f", "%.17g"}) {
    CAPTURE(format);
    std::mt19937_64 random(8);
    std::string events;
    const auto add = [&](int64_t begin_ns, int64_t end_ns) {
      const auto us_of = [](int64_t ns) {  // rounded once
        return static_cast<double>(ns / 1000) + static_cast<double>(ns % 1000) / 1000;
      };
      const double begin = us_of(begin_ns), end = us_of(end_ns);
      const double length = static_cast<double>(end_ns - begin_ns) / 1000;
      char begin_text[40], length_text[40];
      snprintf(begin_text, sizeof begin_text, format, begin);
      snprintf(length_text, sizeof length_text, "%.17g", random() % 2 ? end - begin : length);
      events += std::string(events.empty() ? "" : ",\n") + R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":)" +
                begin_text + ",\"dur\":" + length_text + "}";
    };
    for (int64_t i = 0, at_ns = 1718000000000000000; i < 300; ++i) {
      const int64_t end_ns = at_ns + 10000 + static_cast<int64_t>(random() % 10000);
      for (int64_t begin_ns = at_ns; begin_ns < end_ns; begin_ns += 500 + static_cast<int64_t>(random() % 5000))
        add(begin_ns, end_ns);
      at_ns = end_ns + static_cast<int64_t>(random() % 2);
    }
    const ChromeTrace trace(array(events));
    CHECK(trace.report.spans > 1000);
    CHECK(trace.report.spans_cut != 0);
    CHECK(trace.report.spans_beside == 0);
  }
  // What overlaps by more stands beside it, as ever.
  const ChromeTrace more(array(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1718000000000000.25,"dur":1},
      {"ph":"X","name":"b","pid":1,"tid":1,"ts":1718000000000000.75,"dur":1})"));
  CHECK(more.report.spans_beside == 1);
}

TEST_CASE("Chrome import: a counter is known by its name and id, and each of its series by its own name") {
  const ChromeTrace trace(array(R"({"ph":"C","name":"gpu","id":0,"pid":1,"ts":0,"args":{"v":55}},
      {"ph":"C","name":"gpu","id":1,"pid":1,"ts":1,"args":{"v":66}},
      {"ph":"C","name":"mem","pid":1,"ts":2,"args":{"heap":3}},
      {"ph":"C","name":"mem","pid":1,"ts":3,"args":{"stack":4}},
      {"ph":"C","name":"mem","pid":1,"ts":4,"args":{"heap":5,"stack":6}},
      {"ph":"C","name":"io","pid":1,"ts":5,"args":{"read":7,"write":8}},
      {"ph":"C","name":"io","pid":1,"ts":6,"args":{"read":9}},
      {"ph":"C","name":"cpu","pid":1,"ts":7,"args":{}},
      {"ph":"C","name":"cpu","pid":1,"ts":8,"args":{"used":1}})"));
  CHECK(trace.report.events_damaged == 0);  // Bazel's counters begin without a value
  std::string all;
  for (const flamelet_point& point : trace.points(0)) {
    flamelet_site_info site = recorder_test::site_of(trace.capture, point.site);
    all += std::string(site.name.text, site.name.size) + "=" + std::to_string(static_cast<int>(point.value)) + ";";
  }
  CHECK(all == "gpu[0]=55;gpu[1]=66;mem=3;mem stack=4;mem=5;mem stack=6;io read=7;io write=8;io read=9;cpu=1;");
}

TEST_CASE("Chrome import: counters of one name say of which process they are, but for the first one") {
  const ChromeTrace trace(array(R"({"ph":"M","name":"process_name","pid":2,"args":{"name":"GPU"}},
      {"ph":"C","name":"mem","pid":1,"tid":1,"ts":0,"args":{"v":1}},
      {"ph":"C","name":"mem","pid":2,"ts":1,"args":{"v":2}},
      {"ph":"C","name":"mem","pid":1,"tid":2,"ts":2,"args":{"v":3}},
      {"ph":"C","name":"mem","pid":2,"ts":3,"args":{"v":4,"w":5}},
      {"ph":"C","name":"mem","pid":3,"ts":4,"args":{"v":6}})"));
  std::string all;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(trace.capture); ++lane)
    for (const flamelet_point& point : trace.points(lane))
      all += trace.text(point.name) + "=" + std::to_string(static_cast<int>(point.value)) + ";";
  CHECK(all == "mem=1;mem (GPU)=2;mem (GPU)=4;mem (GPU) w=5;mem=3;mem (process 3)=6;");
}

TEST_CASE("Chrome import: counters say of which process they are by the name that it gets at last") {
  const ChromeTrace trace(array(R"({"ph":"C","name":"mem","pid":1,"ts":0,"args":{"v":1}},
      {"ph":"C","name":"mem","pid":2,"ts":1,"args":{"v":2}},
      {"ph":"C","name":"mem","pid":3,"ts":2,"args":{"v":3}},
      {"ph":"M","name":"process_name","pid":3,"args":{"name":"old"}},
      {"ph":"C","name":"mem","pid":2,"cat":"other","ts":3,"args":{"v":4,"w":5}},
      {"ph":"C","name":"io","pid":1,"ts":4,"args":{"v":6}},
      {"ph":"C","name":"io","pid":3,"ts":5,"args":{"v":7}},
      {"ph":"C","name":"mem","pid":4,"ts":6,"args":{"v":8}},
      {"ph":"M","name":"process_name","pid":1,"args":{"name":"P1"}},
      {"ph":"M","name":"process_name","pid":2,"args":{"name":"P2"}},
      {"ph":"M","name":"process_name","pid":3,"args":{"name":"P3"}})"));
  std::vector<std::string> all(9);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(trace.capture); ++lane)
    for (const flamelet_point& point : trace.points(lane))
      all.at(static_cast<size_t>(point.value)) = trace.text(point.name);
  CHECK(all == std::vector<std::string>{"", "mem", "mem (P2)", "mem (P3)", "mem (P2)", "mem (P2) w", "io", "io (P3)",
                                        "mem (process 4)"});
}

TEST_CASE("Chrome import: without limits of its own, the texts of arguments have room") {
  flamelet_import_options options = flamelet_import_options_default();
  options.capture.max_strings = 0;
  options.capture.string_bytes = 0;
  const Imported trace(array(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{"x":"text"}})"), options);
  REQUIRE(trace.spans(0).size() == 1);
  CHECK(trace.text(trace.spans(0)[0].object) == "text");
}

TEST_CASE("Chrome import: names that are too long, or missing, are told apart from others") {
  const std::string longest(70000, 'n');
  const auto named = [](const std::string& name) {
    return R"({"ph":"X","pid":1,"tid":1,"ts":1,"dur":1)" + (name.empty() ? name : ",\"name\":" + name) + "}";
  };
  const ChromeTrace trace(array(named("\"" + longest + "a\"") + "," + named("\"" + longest + "b\"") + "," + named("") +
                                "," + named("null") + "," + named("\"\"")));
  const std::vector<flamelet_span> spans = trace.spans(0);
  REQUIRE(spans.size() == 5);
  CHECK(trace.text(spans[0].name) != trace.text(spans[1].name));
  CHECK(trace.text(spans[0].name).substr(0, 65000) == longest.substr(0, 65000));
  for (size_t i = 2; i < 5; ++i) CHECK(trace.text(spans[i].name) == "(unnamed)");
}

TEST_CASE("Chrome import: a zero byte in an event's name is counted, and those of lanes and objects stay") {
  std::string events = R"({"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"T\u0000t"}})";
  for (const char* name : {R"(a)", R"(a\u0000b)", R"(a\u0000b)", R"(\u0000)"})
    for (const char* rest : {R"("ph":"X","dur":1,"args":{"object":"o\u0000p"})", R"("ph":"i")",
                             R"("ph":"C","args":{"v":1})", R"("ph":"b","id":1)"})
      events += R"(,{"pid":1,"tid":1,"ts":1,"name":")" + std::string(name) + "\"," + rest + "}";
  const ChromeTrace trace(array(events));
  CHECK(trace.report.texts_repaired == 3 * 4);
  const size_t lane = trace.lane({"T\0t", 3});
  std::string names;
  for (const flamelet_span& span : trace.spans(lane)) {
    names += trace.text(span.name) + ";";
    CHECK(trace.text(span.object) == std::string("o\0p", 3));
  }
  CHECK(names ==
        "a;a\xEF\xBF\xBD"
        "b;a\xEF\xBF\xBD"
        "b;\xEF\xBF\xBD;");
}

TEST_CASE("Chrome import: events in other lists of the file are counted as left out") {
  const std::string events = R"("traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1}])";
  const ChromeTrace systrace("{" + events +
                             R"(,"systemTraceEvents":"# tracer: nop\nb-1 [0] 1.0: x\nb-1 [0] 2.0: y\n"})");
  CHECK(systrace.report.events_unsupported == 2);
  const ChromeTrace samples("{" + events + R"(,"samples":[{"a":{"b":1}},{"c":"{"}]})");
  CHECK(samples.report.events_unsupported == 2);
  CHECK(samples.report.spans == 1);
}

TEST_CASE("Chrome import: damaged events among thousands of others harm none of them") {
  std::string events;
  for (int i = 0; i < 5000; ++i) {
    const char* name = i % 1000 == 999 ? "bad \xFF" : i % 7 == 3 ? "[\\\"}" : "good";
    events += std::string(R"({"ph":"X","name":")") + name + R"(","pid":1,"tid":1,"dur":1,"ts":)" +
              std::to_string(2 * i) + "}" + (i % 13 == 5 ? " \n,\n" : ",");
    if (i % 500 == 250) events += R"({"ph":"X","ts":1 "dur":1},{"ph":["X"},{"ph":"X"]},)";
    if (i % 600 == 250) events += R"(null,[{}],"}",,)";
  }
  for (const size_t piece : {size_t{1000}, SIZE_MAX}) {
    const ChromeTrace trace(array(events), piece);
    REQUIRE(trace.result == FLAMELET_OK);
    CHECK(trace.report.spans == 5000);
    CHECK(trace.report.texts_repaired == 5);
    CHECK(trace.report.events_damaged == 10 * 2 + 8 * 3);
    const std::vector<flamelet_span> spans = trace.spans(0);
    REQUIRE(spans.size() == 5000);
    for (size_t i = 0; i < 5000; ++i) {
      CAPTURE(i);
      CHECK(spans[i].begin_ns == static_cast<int64_t>(2000 * i));
      CHECK(trace.text(spans[i].name) == (i % 1000 == 999 ? "bad \xEF\xBF\xBD" : i % 7 == 3 ? "[\"}" : "good"));
    }
  }
}

TEST_CASE("Chrome import: a span of a GPU queue finds the scope that submitted it again") {
  const ChromeTrace trace(R"({"otherData": {"producer": "flamelet", "base_ns": "0"}, "traceEvents": [
      {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"q"},"lane":"gpu","lane_id":3},
      {"ph":"X","name":"draw","pid":1,"tid":1,"ts":1,"dur":1,"scope_id":7},
      {"ph":"X","name":"pass","pid":1,"tid":2,"ts":5,"dur":1,"scope_id":7}]})");
  CHECK(trace.lane_name(0) == "q");
  REQUIRE(trace.spans(0).size() == 1);
  REQUIRE(trace.spans(1).size() == 1);
  CHECK(trace.spans(0)[0].id == 7);
  CHECK(trace.spans(1)[0].id == 7);
}

TEST_CASE("Chrome import: what our own exporter adds means nothing in another program's trace") {
  const ChromeTrace trace(array(R"(
      {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"a"},"lane":"frames","lane_id":3},
      {"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":100,"depth":4,"flags":9,"moved":true,"scope_id":7},
      {"ph":"C","name":"c","pid":1,"tid":1,"ts":1,"nonfinite":"no","args":{"v":2}},
      {"ph":"b","name":"i","pid":1,"tid":1,"ts":1,"id":1,"track":"main"},
      {"ph":"e","name":"i","pid":1,"tid":1,"ts":5,"id":1,"track":"main"})"));
  REQUIRE(trace.spans(0).size() == 1);
  CHECK(trace.spans(0)[0].end_ns == 100000);
  CHECK(trace.spans(0)[0].flags == 0);
  CHECK(trace.spans(0)[0].id == 0);
  CHECK(trace.points(0)[0].value == 2);
  CHECK(trace.report.frames == 0);
  CHECK(trace.report.intervals == 1);
}

TEST_CASE("Chrome import: a counter takes finite numbers, and of a series that stands twice the first") {
  const ChromeTrace trace(array(R"({"ph":"C","name":"a","pid":1,"tid":1,"ts":1,"args":{"v":1,"v":2}},
      {"ph":"C","name":"b","pid":1,"tid":1,"ts":1,"args":{"x":"inf","y":"nan","z":3}})"));
  CHECK(trace.report.points == 2);
  CHECK(trace.report.values_left_out == 3);
  CHECK(trace.points(0)[0].value == 1);
  CHECK(trace.points(0)[1].value == 3);
  std::string many = R"({"ph":"C","name":"c","pid":1,"tid":1,"ts":1,"args":{"s":0)";
  for (int i = 1; i < 300; ++i) many += ",\"s" + std::to_string(i) + "\":" + std::to_string(i);
  const ChromeTrace wide(array(many + "}}"));
  CHECK(wide.report.points == 300);
  CHECK(wide.report.values_left_out == 0);
}

TEST_CASE("Chrome import: a block of zeros near the begin hides no event") {
  const std::string event = R"({"ph":"i","name":"a","pid":1,"tid":1,"ts":1},)";
  const ChromeTrace trace("[" + event + std::string(100, '\0') + event + event + "]");
  CHECK(trace.report.points >= 2);
  CHECK(trace.report.events_damaged == 1);
}

TEST_CASE("Chrome import: values may lie in each other without end, and ends may find no begin") {
  std::string posted = "1", ends;
  for (int i = 0; i < 200000; ++i) posted.insert(0, "{\"posted_from\":");
  const ChromeTrace deep(array(R"({"ph":"i","name":"a","pid":1,"tid":1,"ts":1,"args":{"task":)" + posted +
                               std::string(200000, '}') + "}}"));
  CHECK(deep.report.points + deep.report.events_damaged == 1);
  // Each end looks for its begin among a few thousand open ones, and not among all.
  for (int i = 0; i < 5000; ++i)
    ends += R"({"ph":"B","name":"a","pid":1,"tid":1,"ts":1},{"ph":"E","name":"b","pid":1,"tid":1,"ts":2},)";
  const ChromeTrace crossed(array(R"({"ph":"B","name":"c","pid":1,"tid":1,"ts":0},)" + ends +
                                  R"({"ph":"E","name":"c","pid":1,"tid":1,"ts":3})"));
  CHECK(crossed.report.ends_extra == 5001);
  CHECK(crossed.report.spans == 5001);
}

TEST_CASE("Chrome import: text that is not JSON's is repaired") {
  const ChromeTrace trace(
      array("{\"ph\":\"X\",\"name\":\"bad \xFF\xE2\x82 and\ttab\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":1}"));
  REQUIRE(trace.result == FLAMELET_OK);
  CHECK(trace.report.texts_repaired == 1);
  CHECK(trace.text(trace.spans(0)[0].name) == "bad \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD and tab");
}

TEST_CASE("Chrome import: of a key that stands twice the first one counts") {
  const ChromeTrace trace(array(R"({"ph":"X","name":"first","name":"second","pid":1,"tid":1,"ts":0,"ts":9,"dur":1,
      "args":{"object":"one","object":"two"},"args":{"object":"three"}})"));
  const std::vector<flamelet_span> spans = trace.spans(0);
  REQUIRE(spans.size() == 1);
  CHECK(trace.text(spans[0].name) == "first");
  CHECK(trace.text(spans[0].object) == "one");
}

TEST_CASE("Chrome import: a trace that is cut anywhere loads the events before the cut") {
  std::string events;
  for (int i = 0; i < 8; ++i)
    events += std::string(i == 0 ? "" : ",\n") + R"({"ph":"X","name":"[\"}","pid":1,"tid":1,"ts":)" +
              std::to_string(i) + R"(,"dur":1})";
  const std::string whole = R"({"traceEvents":[)" + events + "]}";
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    const ChromeTrace trace(cut, 7);
    if (size < 16) {
      CHECK(trace.result == FLAMELET_ERROR_FILE_FORMAT);
      continue;
    }
    REQUIRE(trace.result == FLAMELET_OK);
    CHECK(trace.report.truncated);
    size_t expected = 0;
    for (size_t at = cut.find("}", 16); at != std::string::npos; at = cut.find("}", at + 1))
      expected += cut[at - 1] == '1';
    CHECK(trace.report.spans == expected);
    CHECK(trace.report.events_damaged == 0);
  }
  // The array form need not be closed.
  CHECK_FALSE(ChromeTrace("[" + events).report.truncated);
  CHECK(ChromeTrace("[" + events + ",").report.spans == 8);
  CHECK(ChromeTrace("[" + events, SIZE_MAX, 200).report.truncated);
}

TEST_CASE("Chrome import: UTF-16 of either order is read as its text, however it is cut") {
  const std::u16string name = u"Zeichne \u00e4\u4e2d\U0001F525";  // of two, three and four bytes in UTF-8
  std::u16string text = u"[";
  for (int i = 0; i < 100; ++i) {  // some pieces
    text += u"{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":" + std::u16string(1, u'0' + char16_t(i % 10)) +
            u"00,\"dur\":50,\"name\":\"" + name + u"\"},";
    if (i == 9) text += std::u16string(2048, u' ');
  }
  text += u"{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":0,\"dur\":50,\"name\":\"half";
  text += char16_t(0xD83D);
  text += u" of it\"}]";
  for (const bool is_big : {false, true}) {
    std::string bytes = is_big ? "\xFE\xFF" : "\xFF\xFE";
    for (const char16_t unit : text) {
      const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
      bytes += {is_big ? high : low, is_big ? low : high};
    }
    for (const size_t piece : {size_t{1}, size_t{4095}, SIZE_MAX}) {
      const ChromeTrace trace(bytes, piece);
      REQUIRE(trace.result == FLAMELET_OK);
      CHECK(trace.report.spans == 101);
      CHECK(trace.report.events_damaged == 0);
      CHECK_FALSE(trace.report.truncated);
      CHECK(trace.text(trace.spans(0)[0].name) == "Zeichne \xC3\xA4\xE4\xB8\xAD\xF0\x9F\x94\xA5");
      CHECK(trace.report.texts_repaired == 1);
      CHECK(trace.text(trace.spans(1)[0].name) == "half\xEF\xBF\xBD of it");
    }
    CHECK(ChromeTrace(bytes.substr(0, bytes.size() / 2 | 1)).report.truncated);
    // It ends in the midst of a character.
    const ChromeTrace half(bytes.substr(0, bytes.size() - 2) + (is_big ? "\xD8\x3D" : "\x3D\xD8"));
    CHECK(half.report.spans == 101);
    CHECK(half.report.texts_repaired >= 1);
  }
}

TEST_CASE("Chrome import: what is no trace is refused with a reason") {
  const std::string capture =
      "\x89"
      "FLCAP\r\n" +
      std::string(100, '\0');
  const std::string refused[] = {"",
                                 " \n",
                                 "hello",
                                 "{}",
                                 "{\"a\":1}",
                                 "[1,2,3]",
                                 "{\"traceEvents\":5}",
                                 "{",
                                 " /*",
                                 "// a comment\nand text",
                                 "\x0A\x04",
                                 std::string("\xFF\xFEx\0]\0", 6),
                                 std::string(300, '\0'),
                                 capture};
  for (const std::string& text : refused) {
    INFO(text);
    const ChromeTrace trace(text);
    CHECK(trace.result == FLAMELET_ERROR_FILE_FORMAT);
  }
  CHECK(std::string(ChromeTrace(capture).report.message).find("Flamelet capture") != std::string::npos);
  CHECK(ChromeTrace("[]").result == FLAMELET_OK);
  flamelet_capture* none = nullptr;
  flamelet_import_report report;
  CHECK(flamelet_import_file(nullptr, "/no/such/file.json", &none, &report) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(report.message[0] != 0);
}

TEST_CASE("Chrome import: what is beyond the capture's limits is counted, and the newest spans win") {
  std::string threads, spans;
  for (int i = 1; i <= 100; ++i) threads += R"({"ph":"i","name":"n","pid":1,"ts":1,"tid":)" + std::to_string(i) + "},";
  const ChromeTrace many(array(threads));
  CHECK(flamelet_capture_lane_count(many.capture) == 64);
  CHECK(many.report.points == 64);
  CHECK(many.report.events_over_limits == 36);
  for (int i = 0; i < 400000; ++i)
    spans += R"({"ph":"X","name":"n","pid":1,"tid":1,"dur":1,"ts":)" + std::to_string(2 * i) + "},";
  const ChromeTrace full(array(spans));
  CHECK(full.report.spans == 400000);
  const std::vector<flamelet_span> kept = full.spans(0);
  CHECK(full.report.events_evicted + kept.size() == 400000);
  CHECK(full.report.events_evicted != 0);
  REQUIRE_FALSE(kept.empty());
  CHECK(kept.back().begin_ns == 2 * 399999 * int64_t{1000});
}

TEST_CASE("Chrome import: beyond the limit of sites spans keep their names, and counters are left out") {
  std::string events;
  for (int i = 0; i < 1000; ++i)
    events += R"({"ph":"i","name":"site )" + std::to_string(i) + R"(","pid":1,"tid":1,"ts":1},)";
  for (int i = 0; i < 10; ++i) {
    const std::string number = std::to_string(i);
    events += R"({"ph":"C","name":"site 5","cat":"category )" + number + R"(","pid":1,"tid":2,"ts":)" + number +
              R"(,"args":{"v":1}},{"ph":"X","name":"site 6","cat":"category )" + number +
              R"(","pid":1,"tid":3,"dur":1,"ts":)" + number + "},";
  }
  const ChromeTrace trace(array(events), SIZE_MAX, UINT64_MAX, 1005);
  const std::vector<flamelet_point> points = trace.points(1);
  CHECK(points.size() == 2);
  for (const flamelet_point& point : points) CHECK(trace.text(point.name) == "site 5");
  const std::vector<flamelet_span> spans = trace.spans(2);
  CHECK(spans.size() == 10);
  for (const flamelet_span& span : spans) CHECK(trace.text(span.name) == "site 6");
  CHECK(trace.report.points == 1000 + 2);
  CHECK(trace.report.events_over_limits >= 8);
}

TEST_CASE("Chrome import: deep nesting, huge events and endless strings cost no more than an event may") {
  const std::string good = R"({"ph":"X","name":"good","pid":1,"tid":1,"ts":5,"dur":1})";
  const ChromeTrace deep(
      array(good + R"(,{"ph":"X","ts":1,"args":)" + std::string(100000, '[') + std::string(100000, ']') + "}," + good));
  CHECK(deep.result == FLAMELET_OK);
  CHECK(deep.report.spans + deep.report.events_damaged == 3);
  for (const size_t mib : {5u, 15u, 17u, 33u}) {
    CAPTURE(mib);
    const ChromeTrace huge(array(good + R"(,{"ph":"X","name":"huge","ts":1,"dur":2,"args":{"source":")" +
                                 std::string(mib << 20, 'x') + R"("}},)" + good));
    CHECK(huge.report.spans == (mib < 16 ? 3 : 2));
    CHECK(huge.report.events_over_limits == (mib < 16 ? 0 : 1));
    CHECK(huge.report.events_damaged == 0);
  }
  const ChromeTrace endless(array(good + R"(,{"ph":"X","name":")" + std::string(size_t{17} << 20, 'x')));
  CHECK(endless.report.spans == 1);
  CHECK(endless.report.truncated);
  CHECK(ChromeTrace(std::string(200000, '[')).report.truncated);
  CHECK(ChromeTrace(std::string(200000, '{')).result == FLAMELET_ERROR_FILE_FORMAT);
}
