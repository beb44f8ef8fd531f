// SPDX-License-Identifier: MIT
#undef FLAMELET_DISABLED
#include "log_analysis.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profiler/perf/perf_logs.h"

using namespace flamelet::tools;

namespace {

// A log and its analysis. The reader keeps the names.
struct Analysed {
  explicit Analysed(const std::string& log, AnalysisOptions options = {})
      : analysis(std::move(options)),
        reader([this](const LogFrame& frame) { analysis.add(frame, reader.names()); }, [](uint64_t, const char*) {}) {
    reader.feed(log);
    reader.finish();
  }
  const RoutineAnalysis& operator[](const std::string& name) const {
    const uint32_t index = reader.names().find(name);
    REQUIRE(index != NameTable::kNone);
    return analysis.routine(index);
  }

  LogAnalysis analysis;
  LogReader reader;
};

std::string frame_of(int64_t cost_ns, int64_t begin_ns = 0) {
  return "1,a," + std::to_string(cost_ns) + "," + std::to_string(begin_ns) + "," + std::to_string(begin_ns + cost_ns) +
         "\n";
}

std::vector<int64_t> costs(const std::vector<FrameCost>& list) {
  std::vector<int64_t> result;
  for (const FrameCost& cost : list) result.push_back(cost.cost_ns);
  return result;
}

}  // namespace

TEST_CASE("log analysis: mean and deviation are those of a sample") {
  std::string log;
  for (const int64_t cost : {2, 4, 4, 4, 5, 5, 7, 9}) log += frame_of(cost);
  const Analysed analysed(log);
  const RoutineAnalysis& a = analysed["a"];
  CHECK(a.frame_count == 8);
  CHECK(a.mean_ns == doctest::Approx(5));
  CHECK(a.deviation_ns() == doctest::Approx(2.13809));  // sqrt(32 / 7); of a population it would be 2
  CHECK(a.total_ns() == doctest::Approx(40));
  CHECK(a.min_ns == 2);
  CHECK(a.max_ns == 9);
}

TEST_CASE("log analysis: one frame only has figures, and no deviation") {
  const Analysed analysed(frame_of(7));
  CHECK(analysed["a"].frame_count == 1);
  CHECK(analysed["a"].mean_ns == 7);
  CHECK(analysed["a"].deviation_ns() == 0);
}

TEST_CASE("log analysis: large costs that differ by little keep their deviation") {
  std::string log;
  for (const int64_t cost : {4, 7, 13, 16}) log += frame_of(int64_t{1000000000000} + cost);
  CHECK(Analysed(log)["a"].deviation_ns() == doctest::Approx(5.47723));  // sqrt(30)
}

TEST_CASE("log analysis: the k largest and smallest, the earlier first of equal ones") {
  std::string log;
  for (const int64_t cost : {5, 9, 1, 9, 5, 3}) log += frame_of(cost);
  AnalysisOptions options;
  options.extremes = 2;
  const Analysed two(log, options);
  CHECK(costs(two["a"].largest) == std::vector<int64_t>{9, 9});
  CHECK(two["a"].largest[0].frame == 2);
  CHECK(two["a"].largest[1].frame == 4);
  CHECK(two["a"].largest[1].line == 4);
  CHECK(costs(two["a"].smallest) == std::vector<int64_t>{1, 3});
  options.extremes = 0;
  CHECK(Analysed(log, options)["a"].largest.empty());
  options.extremes = 100;
  CHECK(costs(Analysed(log, options)["a"].largest) == std::vector<int64_t>{9, 9, 5, 5, 3, 1});
}

TEST_CASE("log analysis: all above a bound, and not what equals it") {
  AnalysisOptions options;
  options.above_ns = 5;
  const Analysed analysed(frame_of(5) + frame_of(6) + frame_of(4) + frame_of(7), options);
  CHECK(costs(analysed["a"].above) == std::vector<int64_t>{6, 7});
  CHECK(analysed["a"].above_count == 2);
}

TEST_CASE("log analysis: of many frames above the bound the first are listed, and all are counted") {
  std::string log;
  for (size_t i = 0; i < RoutineAnalysis::kMaxAbove + 5; ++i) log += frame_of(9);
  AnalysisOptions options;
  options.above_ns = 0;
  const Analysed analysed(log, options);
  CHECK(analysed["a"].above.size() == RoutineAnalysis::kMaxAbove);
  CHECK(analysed["a"].above_count == RoutineAnalysis::kMaxAbove + 5);
}

TEST_CASE("log analysis: only the named tasks, the most expensive routine first") {
  const std::string log = "2,b,1,0,1\n2,c,5,1,6\n1,a,9,0,9\n";
  const Analysed all(log);
  std::vector<std::string> names;
  for (const uint32_t name : all.analysis.by_total()) names.push_back(all.reader.names()[name]);
  CHECK(names == std::vector<std::string>{"a", "c", "b"});
  AnalysisOptions options;
  options.tasks = {"b", "a"};
  CHECK(Analysed(log, options).analysis.by_total().size() == 2);
}

TEST_CASE("log analysis: joined points keep count, sum, lowest and highest of every frame") {
  AnalysisOptions options;
  options.points = true;
  options.bars = true;
  const size_t frames = RoutineAnalysis::kMaxRanges * 3 + 1;
  std::string log;
  for (size_t i = 0; i < frames; ++i) log += frame_of(static_cast<int64_t>(i + 1), static_cast<int64_t>(i * 100000));
  const Analysed analysed(log, options);
  const RoutineAnalysis& a = analysed["a"];
  CHECK(a.points.size() <= RoutineAnalysis::kMaxRanges);
  uint64_t count = 0;
  double sum = 0;
  uint64_t next = 1;
  for (const CostRange& range : a.points) {
    CHECK(range.first_frame == next);
    next = range.last_frame + 1;
    CHECK(range.low_ns == static_cast<int64_t>(range.first_frame));
    CHECK(range.high_ns == static_cast<int64_t>(range.last_frame));
    count += range.count;
    sum += range.sum_ns;
  }
  CHECK(count == frames);
  CHECK(sum == static_cast<double>(frames * (frames + 1) / 2));
  double busy = 0;
  for (const BusyRange& range : a.bars) busy += range.busy_ns;
  CHECK(busy == sum);
}

TEST_CASE("log analysis: frames cut by the file are counted, and blocks without times") {
  const Analysed analysed("2,b,1\n1,a,2\nFrame : a\n1,a,3\nFrame : a\n2,b,4\n");
  CHECK(analysed.analysis.frame_count() == 3);
  CHECK(analysed.analysis.partial_count() == 2);
  CHECK(analysed.analysis.untimed_count() == 4);
}

// What the recorder's side writes, the command's side reads: semantics of names in both directions.
TEST_CASE("log analysis: names with commas, brackets, quotes and newlines survive a round trip") {
  const std::vector<std::string> names = {"plain",
                                          "virtual bool a::b<int>::Proc(std::map<int, char[3]>)",
                                          "a \"quoted\" one, and \\ more",
                                          "two\nlines\r\n\tand a tab",
                                          "\x01\x7F",
                                          " spaces ",
                                          "Frame : not one",
                                          "1,2,3",
                                          "\xC3\xA9\xFF broken UTF-8"};
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{16} << 20;
  const recorder_test::Recording recording(recorder_test::with_still_clock(config, 0));
  std::string text;
  flamelet_perf_log* const log = perf_test::log_to(&text);
  for (size_t i = 0; i < names.size(); ++i) {
    const flamelet_id outer = flamelet_begin(flamelet_intern("outer"), "perf", nullptr);
    const flamelet_id inner = flamelet_begin(flamelet_intern(names[i].c_str()), "perf", nullptr);
    recorder_test::now_ns += 10 + i;
    flamelet_end(inner);
    flamelet_end(outer);
  }
  CHECK(flamelet_perf_log_destroy(log) == FLAMELET_OK);

  const Analysed analysed(text);
  CHECK(analysed.reader.problem_count() == 0);
  CHECK(analysed.analysis.frame_count() == names.size());
  CHECK(analysed.analysis.partial_count() == 0);
  for (size_t i = 0; i < names.size(); ++i) CHECK(analysed[names[i]].max_ns == static_cast<int64_t>(10 + i));
}
