// SPDX-License-Identifier: MIT
#include "flamelet/statistics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/capture.h"
#include "support/recording.h"

namespace {

using Key = std::pair<uint32_t, uint32_t>;  // site, name

// Statistics in a block of exactly the bytes that were asked for, so that AddressSanitizer sees its end.
class Block {
 public:
  Block(uint32_t max_scopes, size_t max_spans) : memory_(flamelet_statistics_memory_required(max_scopes, max_spans)) {
    REQUIRE(flamelet_statistics_create(max_scopes, memory_.data(), memory_.size(), &statistics_) == FLAMELET_OK);
  }
  operator flamelet_statistics*() const { return statistics_; }
  flamelet_statistics_summary with(const std::vector<flamelet_span>& spans) const {
    flamelet_statistics_add(statistics_, spans.data(), spans.size());
    return flamelet_statistics_finish(statistics_);
  }

 private:
  std::vector<char> memory_;
  flamelet_statistics* statistics_ = nullptr;
};

// "min mean median p95 p99 max"
std::string text_of(const flamelet_distribution& times) {
  std::string text;
  for (const int64_t ns : {times.min_ns, times.mean_ns, times.median_ns, times.p95_ns, times.p99_ns, times.max_ns})
    text += (text.empty() ? "" : " ") + std::to_string(ns);
  return text;
}

flamelet_span leaf(uint32_t site, int64_t begin_ns, int64_t end_ns, uint32_t index) {
  flamelet_span span = {};
  span.begin_ns = begin_ns;
  span.end_ns = end_ns;
  span.self_ns = end_ns - begin_ns;
  span.site = site;
  span.name = site + 1000;
  span.parent = FLAMELET_NO_PARENT;
  span.subtree_end = index + 1;
  return span;
}

// Spans of one site and these durations, one after the other.
std::vector<flamelet_span> flat(uint32_t site, const std::vector<int64_t>& durations_ns) {
  std::vector<flamelet_span> spans;
  int64_t time_ns = 0;
  for (int64_t duration_ns : durations_ns) {
    spans.push_back(leaf(site, time_ns, time_ns + duration_ns, static_cast<uint32_t>(spans.size())));
    time_ns += duration_ns;
  }
  return spans;
}

// A random well nested lane: few sites, so that a site often runs inside itself.
void grow(std::mt19937_64& random, std::vector<flamelet_span>& spans, int64_t begin_ns, int64_t end_ns, uint32_t parent,
          uint16_t depth) {
  int64_t time_ns = begin_ns;
  while (time_ns < end_ns && random() % 5 != 0) {
    const int64_t room_ns = end_ns - time_ns;
    const int64_t from_ns = time_ns + static_cast<int64_t>(random() % static_cast<uint64_t>(room_ns));
    const int64_t to_ns = from_ns + static_cast<int64_t>(random() % static_cast<uint64_t>(end_ns - from_ns + 1));
    const uint32_t index = static_cast<uint32_t>(spans.size());
    flamelet_span span = leaf(static_cast<uint32_t>(random() % 6), from_ns, to_ns, index);
    span.name = static_cast<uint32_t>(random() % 2);
    span.parent = parent;
    span.depth = depth;
    span.flags = random() % 8 == 0 ? FLAMELET_SPAN_OPEN : 0;
    spans.push_back(span);
    if (parent != FLAMELET_NO_PARENT) spans[parent].self_ns -= to_ns - from_ns;
    if (depth < 6) grow(random, spans, from_ns, to_ns, index, static_cast<uint16_t>(depth + 1));
    spans[index].subtree_end = static_cast<uint32_t>(spans.size());
    time_ns = to_ns;
  }
}

struct Reference {
  std::vector<int64_t> durations_ns;  // in the order of arrival
  uint64_t count = 0, incomplete_count = 0, open_count = 0;
  int64_t total_ns = 0;
  int64_t self_ns = 0;
};

void add_to_reference(std::map<Key, Reference>& reference, const std::vector<flamelet_span>& spans) {
  for (const flamelet_span& span : spans) {
    Reference& scope = reference[{span.site, span.name}];
    ++scope.count;
    const bool has_only_begun = (span.flags & FLAMELET_SPAN_OPEN) != 0 && span.end_ns == span.begin_ns;
    if (!has_only_begun) scope.durations_ns.push_back(span.end_ns - span.begin_ns);
    scope.incomplete_count += span.flags != 0;
    scope.open_count += (span.flags & FLAMELET_SPAN_OPEN) != 0;
    scope.self_ns += span.self_ns;
    bool inside_itself = false;
    for (uint32_t up = span.parent; up != FLAMELET_NO_PARENT; up = spans[up].parent)
      inside_itself |= spans[up].site == span.site && spans[up].name == span.name;
    if (!inside_itself) scope.total_ns += span.end_ns - span.begin_ns;
  }
}

// The definition, to the letter: the least value that at least `percent` of the values do not exceed.
int64_t percentile(const std::vector<int64_t>& values, size_t percent) {
  int64_t best = INT64_MAX;
  for (int64_t candidate : values) {
    const auto at_most = std::count_if(values.begin(), values.end(), [&](int64_t value) { return value <= candidate; });
    if (static_cast<size_t>(at_most) * 100 >= percent * values.size()) best = std::min(best, candidate);
  }
  return best;
}

// The percentiles are those of a sample.
flamelet_distribution distribution_of(const std::vector<int64_t>& all, const std::vector<int64_t>& sample) {
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  flamelet_distribution times;
  times.min_ns = *std::min_element(all.begin(), all.end());
  times.max_ns = *std::max_element(all.begin(), all.end());
  times.mean_ns = std::llround(sum / static_cast<double>(all.size()));
  times.median_ns = percentile(sample, 50);
  times.p95_ns = percentile(sample, 95);
  times.p99_ns = percentile(sample, 99);
  return times;
}

// `stride`: how many of the reference's durations stand behind one sample of the percentiles.
void check_row(const flamelet_scope_statistics& row, const Reference& expected, uint64_t stride) {
  const std::vector<int64_t>& all = expected.durations_ns;
  std::vector<int64_t> sample;
  for (size_t i = 0; i < all.size(); i += stride) sample.push_back(all[i]);
  CHECK(row.count == expected.count);
  CHECK(row.incomplete_count == expected.incomplete_count);
  CHECK(row.open_count == expected.open_count);
  CHECK(row.sample_count == sample.size());
  CHECK(row.total_ns == expected.total_ns);
  CHECK(row.self_ns == expected.self_ns);
  if (!all.empty()) CHECK(text_of(row.duration) == text_of(distribution_of(all, sample)));
}

void check_rows(const flamelet_statistics_summary& summary, const std::map<Key, Reference>& reference) {
  REQUIRE(summary.row_count == reference.size());
  for (size_t i = 0; i < summary.row_count; ++i) {
    const auto expected = reference.find({summary.rows[i].site, summary.rows[i].name});
    REQUIRE(expected != reference.end());
    check_row(summary.rows[i], expected->second, summary.sample_stride);
  }
}

std::vector<flamelet_span> random_lane(std::mt19937_64& random) {
  std::vector<flamelet_span> spans;
  grow(random, spans, 0, 1000000, FLAMELET_NO_PARENT, 0);
  return spans;
}

}  // namespace

TEST_CASE("statistics of random lanes equal a plain model's") {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    Block statistics(12, 100000);
    std::map<Key, Reference> reference;
    for (int lane = 0; lane < 4; ++lane) {
      const std::vector<flamelet_span> spans = random_lane(random);
      flamelet_statistics_add(statistics, spans.data(), spans.size());
      add_to_reference(reference, spans);
      const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
      CHECK(summary.sample_stride == 1);
      CHECK(summary.left_out_count == 0);
      check_rows(summary, reference);
    }
  }
}

TEST_CASE("statistics: a call that has only begun counts, and has no duration") {
  Block statistics(2, 10);
  std::vector<flamelet_span> spans = flat(1, {40, 0, 20, 0});
  spans[3].flags = FLAMELET_SPAN_OPEN;
  spans.push_back(spans[3]);
  spans[4].site = 2;
  spans[4].subtree_end = 5;
  const flamelet_statistics_summary summary = statistics.with(spans);
  REQUIRE(summary.row_count == 2);
  CHECK(summary.rows[0].count == 4);
  CHECK(summary.rows[0].incomplete_count == 1);
  CHECK(text_of(summary.rows[0].duration) == "0 20 20 40 40 40");  // its least: of a call that ended at once
  CHECK(summary.rows[1].count == 1);
  CHECK(text_of(summary.rows[1].duration) == "0 0 0 0 0 0");
  // One that goes on has the time until now.
  spans[4].end_ns += 60;
  const flamelet_scope_statistics& row = statistics.with(spans).rows[1];
  CHECK(row.open_count == 2);
  CHECK(text_of(row.duration) == "60 60 60 60 60 60");
}

TEST_CASE(
    "statistics: a call of no length that ended with the one around it has one, and one whose end was lost has none") {
  Block statistics(3, 10);
  std::vector<flamelet_span> spans = {leaf(1, 0, 50, 0), leaf(2, 50, 50, 1), leaf(3, 50, 50, 2), leaf(2, 60, 70, 3)};
  for (uint32_t i = 0; i < 3; ++i) spans[i].subtree_end = 3;
  for (uint32_t i = 1; i < 3; ++i) spans[i].parent = i - 1, spans[i].flags = FLAMELET_SPAN_MISSING_END;
  flamelet_statistics_summary summary = statistics.with(spans);
  REQUIRE(summary.row_count == 3);
  CHECK(text_of(summary.rows[1].duration) == "0 5 0 10 10 10");
  CHECK(summary.rows[2].sample_count == 1);
  CHECK(summary.rows[2].incomplete_count == 1);
  for (const uint16_t flags : {FLAMELET_SPAN_MISSING_END, FLAMELET_SPAN_OPEN}) {
    spans[0].flags = flags;  // its end is not known, so the others' are not
    Block again(3, 10);
    summary = again.with(spans);
    CHECK(text_of(summary.rows[0].duration) == "50 50 50 50 50 50");
    CHECK(text_of(summary.rows[1].duration) == "10 10 10 10 10 10");
    CHECK(summary.rows[2].sample_count == 0);
  }
}

TEST_CASE("percentiles beyond the memory stand on evenly spread spans, and all else stays exact") {
  uint64_t strides = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    Block statistics(12, 12 + random() % 40);
    std::map<Key, Reference> reference;
    for (int lane = 0; lane < 8; ++lane) {
      const std::vector<flamelet_span> spans = random_lane(random);
      flamelet_statistics_add(statistics, spans.data(), spans.size());
      add_to_reference(reference, spans);
    }
    const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
    check_rows(summary, reference);
    strides = std::max(strides, summary.sample_stride);
  }
  CHECK(strides >= 4);
}

namespace {

// A call that fibers were switched in, in pieces on one lane after the other.
void add_pieces(flamelet_statistics* statistics, uint64_t id, const std::vector<int64_t>& durations_ns,
                bool backwards) {
  std::vector<flamelet_span> pieces = flat(1, durations_ns);
  for (size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].id = id;
    pieces[i].subtree_end = 1;
    pieces[i].flags = static_cast<uint16_t>((i != 0 ? FLAMELET_SPAN_RESUMED : 0) |
                                            (i + 1 != pieces.size() ? FLAMELET_SPAN_SUSPENDED : 0));
  }
  if (backwards) std::reverse(pieces.begin(), pieces.end());
  for (const flamelet_span& piece : pieces) flamelet_statistics_add(statistics, &piece, 1);
}

}  // namespace

TEST_CASE("statistics: the pieces of a call that fibers were switched in are one call") {
  Block statistics(2, 1000);
  for (uint64_t id = 1; id <= 10; ++id) {
    add_pieces(statistics, id, {10, 20, 30, static_cast<int64_t>(id)}, id % 2 == 0);
    flamelet_statistics_finish(statistics);  // more may come
  }
  const std::vector<flamelet_span> whole = flat(1, {5, 100});
  const flamelet_statistics_summary summary = statistics.with(whole);
  REQUIRE(summary.row_count == 1);
  const flamelet_scope_statistics& row = summary.rows[0];
  CHECK(summary.sample_stride == 1);
  CHECK(row.count == 12);
  CHECK(row.sample_count == 12);
  CHECK(row.incomplete_count == 0);
  CHECK(row.total_ns == 10 * 60 + 55 + 105);
  CHECK(text_of(row.duration) == "5 63 65 100 100 100");  // the mean: 760 / 12
}

TEST_CASE("statistics: where pieces of calls have no room, all of a call's are left out of its distribution") {
  Block statistics(4, 400);
  for (uint64_t id = 1; id <= 1000; ++id) add_pieces(statistics, id, {10, 20, 30}, id % 2 == 0);
  const std::vector<flamelet_span> whole = flat(2, {7});
  const flamelet_statistics_summary summary = statistics.with(whole);
  REQUIRE(summary.row_count == 2);
  CHECK(summary.sample_stride > 1);
  CHECK(summary.rows[0].count == 1000);
  CHECK(summary.rows[0].total_ns == 60000);
  CHECK(summary.rows[0].sample_count > 0);
  CHECK(text_of(summary.rows[0].duration) == "60 60 60 60 60 60");
  CHECK(summary.rows[1].duration.max_ns == 7);
}

TEST_CASE("exactly as many spans as were asked for are exact, and one more is not") {
  Block statistics(1, 5);
  const std::vector<flamelet_span> spans = flat(1, {5, 4, 3, 2, 1, 9});
  flamelet_statistics_add(statistics, spans.data(), 5);
  CHECK(flamelet_statistics_finish(statistics).sample_stride == 1);
  flamelet_statistics_clear(statistics);
  flamelet_statistics_add(statistics, spans.data(), 6);
  const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
  CHECK(summary.sample_stride == 2);
  CHECK(summary.rows[0].count == 6);
  CHECK(summary.rows[0].sample_count == 3);
  CHECK(summary.rows[0].duration.max_ns == 9);
}

TEST_CASE("a scope met last has room even if one scope took all the memory") {
  Block statistics(3, 3);
  std::vector<flamelet_span> spans = flat(1, std::vector<int64_t>(100, 10));
  spans.push_back(leaf(2, 0, 20, 100));
  spans.push_back(leaf(3, 0, 30, 101));
  const flamelet_statistics_summary summary = statistics.with(spans);
  REQUIRE(summary.row_count == 3);
  CHECK(summary.rows[0].duration.median_ns == 10);
  CHECK(summary.rows[1].duration.median_ns == 20);
  CHECK(summary.rows[2].duration.median_ns == 30);
}

TEST_CASE("scopes past the limit are counted and the others stay exact") {
  Block statistics(2, 16);
  const std::vector<flamelet_span> spans = {leaf(1, 0, 1, 0), leaf(2, 1, 3, 1), leaf(3, 3, 6, 2), leaf(1, 6, 10, 3),
                                            leaf(3, 10, 15, 4)};
  const flamelet_statistics_summary summary = statistics.with(spans);
  CHECK(summary.row_count == 2);
  CHECK(summary.span_count == 5);
  CHECK(summary.left_out_count == 2);
  CHECK(summary.rows[0].total_ns == 5);
  CHECK(summary.rows[1].total_ns == 2);
}

TEST_CASE("nothing added gives no rows, and clear gives that again") {
  Block statistics(4, 16);
  CHECK(flamelet_statistics_finish(statistics).row_count == 0);
  CHECK(flamelet_statistics_finish(statistics).sample_stride == 1);
  const std::vector<flamelet_span> spans = flat(1, {1, 2, 4});
  flamelet_statistics_add(statistics, spans.data(), spans.size());
  flamelet_statistics_add(statistics, nullptr, 0);
  CHECK(flamelet_statistics_finish(statistics).span_count == 3);
  flamelet_statistics_clear(statistics);
  CHECK(flamelet_statistics_finish(statistics).row_count == 0);
  CHECK(flamelet_statistics_finish(statistics).span_count == 0);
}

TEST_CASE("absurd times neither overflow nor turn the order of the figures around") {
  Block statistics(2, 16);
  std::vector<flamelet_span> spans = {leaf(1, 0, 0, 0), leaf(1, 0, 0, 1), leaf(2, 0, 0, 2)};
  spans[0].begin_ns = INT64_MIN;
  spans[0].end_ns = INT64_MAX;
  spans[0].self_ns = INT64_MAX;
  spans[1].end_ns = INT64_MAX;
  spans[1].self_ns = INT64_MAX;
  spans[2].begin_ns = 5;
  spans[2].end_ns = -5;
  const flamelet_statistics_summary summary = statistics.with(spans);
  const flamelet_scope_statistics& huge = summary.rows[0];
  CHECK(huge.total_ns == INT64_MAX);
  CHECK(huge.self_ns == INT64_MAX);
  CHECK(huge.duration.max_ns == INT64_MAX);
  CHECK(huge.duration.min_ns <= huge.duration.median_ns);
  CHECK(huge.duration.p99_ns <= huge.duration.max_ns);
  CHECK(summary.rows[1].total_ns == 0);
  CHECK(summary.rows[1].duration.min_ns == 0);
}

TEST_CASE("statistics: percentiles of calls of hours, and of years, are right") {
  constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
  for (const int64_t unit : {kHour, 24 * 365 * kHour}) {
    Block statistics(1, 16);
    std::vector<flamelet_span> spans;
    for (const int64_t units : {4, 1, 5, 2, 3})
      spans.push_back(leaf(1, 0, units * unit + 1, static_cast<uint32_t>(units)));
    flamelet_statistics_add(statistics, spans.data(), spans.size());
    const auto of = flamelet_statistics_finish(statistics).rows[0].duration;
    CHECK(of.min_ns == unit + 1);
    CHECK(std::abs(of.median_ns - 3 * unit) <= 3 * unit / 100'000'000'000);
    CHECK(std::abs(of.p95_ns - 5 * unit) <= 5 * unit / 100'000'000'000);
    CHECK(of.max_ns == 5 * unit + 1);
  }
}

TEST_CASE("statistics: a mean is right where the sum is beyond 292 years") {
  constexpr int64_t years_70 = int64_t{70} * 365 * 86400 * 1'000'000'000;
  Block statistics(1, 16);
  std::vector<flamelet_span> spans;
  for (uint32_t i = 0; i < 8; ++i) spans.push_back(leaf(1, 0, years_70 + i % 2, i));
  const flamelet_scope_statistics& row = statistics.with(spans).rows[0];
  CHECK(row.duration.min_ns == years_70);
  CHECK(row.duration.mean_ns == years_70 + 1);
  CHECK(row.total_ns == INT64_MAX);
  std::vector<int64_t> durations(8, years_70);
  CHECK(flamelet_summarize_durations(durations.data(), durations.size()).mean_ns == years_70);
}

TEST_CASE("statistics are refused memory that is too small or missing, and limits out of range") {
  const size_t bytes = flamelet_statistics_memory_required(10, 10);
  std::vector<char> memory(bytes);
  flamelet_statistics* statistics = nullptr;
  CHECK(flamelet_statistics_create(10, memory.data(), bytes, &statistics) == FLAMELET_OK);
  CHECK(statistics != nullptr);
  CHECK(flamelet_statistics_create(10, memory.data(), bytes - 1, &statistics) == FLAMELET_ERROR_BUDGET_TOO_SMALL);
  CHECK(statistics == nullptr);
  CHECK(flamelet_statistics_create(10, nullptr, bytes, &statistics) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_statistics_create(0, memory.data(), bytes, &statistics) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_statistics_create(10, memory.data(), bytes, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_statistics_memory_required(0, 10) == 0);
  CHECK(flamelet_statistics_memory_required(FLAMELET_STATISTICS_MAX_SCOPES, 0) > 0);
  CHECK(flamelet_statistics_memory_required(FLAMELET_STATISTICS_MAX_SCOPES + 1, 0) == 0);
  CHECK(flamelet_statistics_memory_required(10, SIZE_MAX / 8) == 0);
  CHECK(flamelet_statistics_memory_required(10, 1000) == bytes + 990 * 8);
  // What the refused memory would have been takes every call, and has no rows.
  flamelet_statistics_clear(nullptr);
  flamelet_statistics_add(nullptr, nullptr, 0);
  CHECK(flamelet_statistics_finish(nullptr).row_count == 0);
}

TEST_CASE("statistics hold their spans in memory of any alignment") {
  const size_t bytes = flamelet_statistics_memory_required(10, 10);
  std::vector<flamelet_span> spans;
  for (uint32_t i = 0; i < 10; ++i) spans.push_back(leaf(i, i, 3 * i + 1, i));
  for (size_t offset = 0; offset < 8; ++offset) {
    CAPTURE(offset);
    std::vector<char> memory(offset + bytes);  // so that AddressSanitizer sees its end
    flamelet_statistics* statistics = nullptr;
    REQUIRE(flamelet_statistics_create(10, memory.data() + offset, bytes, &statistics) == FLAMELET_OK);
    CHECK(reinterpret_cast<uintptr_t>(statistics) % alignof(flamelet_span) == 0);
    flamelet_statistics_add(statistics, spans.data(), spans.size());
    const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
    CHECK(summary.row_count == 10);
    CHECK(summary.sample_stride == 1);
    CHECK(summary.rows[9].duration.max_ns == 19);
  }
}

TEST_CASE("a summary of frame durations equals the definition") {
  for (size_t count = 1; count <= 250; ++count) {
    CAPTURE(count);
    std::mt19937_64 random(count);
    std::vector<int64_t> durations_ns(count);
    for (int64_t& duration_ns : durations_ns) duration_ns = static_cast<int64_t>(random() % 100);
    const flamelet_distribution expected = distribution_of(durations_ns, durations_ns);
    CHECK(text_of(flamelet_summarize_durations(durations_ns.data(), count)) == text_of(expected));
  }
}

TEST_CASE("a summary of no durations is zero, and a negative one counts as zero") {
  CHECK(flamelet_summarize_durations(nullptr, 0).max_ns == 0);
  int64_t durations_ns[] = {-5, 4};
  const flamelet_distribution frames = flamelet_summarize_durations(durations_ns, 2);
  CHECK(frames.min_ns == 0);
  CHECK(frames.mean_ns == 2);
}

// ---- Statistics sort ----------------------------------------------------------------------------------------------

TEST_CASE("every column sorts in both directions, with ties by name and then by site") {
  std::mt19937_64 random(3);
  std::vector<flamelet_scope_statistics> rows(200);
  const auto value = [&] { return static_cast<int64_t>(random() % 4); };
  for (flamelet_scope_statistics& row : rows) {
    row.site = static_cast<uint32_t>(&row - rows.data());
    row.name = static_cast<uint32_t>(random() % 50);
    row.count = random() % 4;
    row.total_ns = value();
    row.self_ns = value();
    row.duration = {value(), value(), value(), value(), value(), value()};
  }
  const auto key = [&](uint32_t index, uint32_t column) -> int64_t {
    const flamelet_scope_statistics& row = rows[index];
    const int64_t keys[] = {row.name,
                            static_cast<int64_t>(row.count),
                            row.total_ns,
                            row.self_ns,
                            row.duration.min_ns,
                            row.duration.mean_ns,
                            row.duration.median_ns,
                            row.duration.p95_ns,
                            row.duration.p99_ns,
                            row.duration.max_ns};
    return keys[column];
  };
  for (uint32_t column = FLAMELET_COLUMN_NAME; column <= FLAMELET_COLUMN_MAX; ++column) {
    for (bool descending : {false, true}) {
      CAPTURE(column);
      CAPTURE(descending);
      std::vector<uint32_t> order(rows.size());
      flamelet_statistics_sort(rows.data(), rows.size(), static_cast<flamelet_statistics_column>(column), descending,
                               nullptr, order.data());
      std::vector<bool> seen(rows.size());
      for (uint32_t index : order) seen[index] = true;
      CHECK(std::count(seen.begin(), seen.end(), true) == 200);
      for (size_t i = 1; i < order.size(); ++i) {
        if (column != FLAMELET_COLUMN_NAME)
          CHECK(flamelet_statistics_value(&rows[order[i]], static_cast<flamelet_statistics_column>(column)) ==
                key(order[i], column));
        const int64_t before = key(order[i - 1], column), after = key(order[i], column);
        if (before != after)
          CHECK((descending ? before > after : before < after));
        else
          CHECK(std::make_pair(rows[order[i - 1]].name, rows[order[i - 1]].site) <
                std::make_pair(rows[order[i]].name, rows[order[i]].site));
      }
    }
  }
}

TEST_CASE_FIXTURE(recorder_test::Recording, "names sort without regard to case, a prefix first") {
  for (const char* name : {"Pear", "apple pie", "apple", "zest", "apple"})
    flamelet_end(flamelet_begin(name, "", nullptr));
  recorder_test::Capture capture(recorder_test::Captured::kNow);
  const std::vector<flamelet_span> spans = capture.spans(0);
  REQUIRE(spans.size() == 5);

  const Block statistics(8, 8);
  const flamelet_statistics_summary summary = statistics.with(spans);
  REQUIRE(summary.row_count == 4);
  for (bool descending : {false, true}) {
    uint32_t order[4];
    flamelet_statistics_sort(summary.rows, 4, FLAMELET_COLUMN_NAME, descending, capture, order);
    std::string names;
    for (uint32_t index : order) names += capture.string(summary.rows[index].name) + " ";
    CHECK(names == (descending ? "zest Pear apple pie apple " : "apple apple pie Pear zest "));
  }
  CHECK(summary.rows[2].count == 2);
}
