// SPDX-License-Identifier: MIT
#include "use_capture.h"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <string>
#include <vector>

#include "flamelet/capture_file.h"
#include "flamelet/explain.h"
#include "flamelet/export.h"
#include "flamelet/span_tree.h"
#include "flamelet/statistics.h"
#include "fuzz.h"
#include "support/string_io.h"

namespace {

// Blocks of 2^n bytes that are not in use. Never destroyed: at the end they are still in use, and no leak.
auto* const idle_blocks = new std::vector<void*>[48];

size_t block_class(size_t size) {
  size_t power = 12;
  while (size_t{1} << power < size) ++power;
  FUZZ_CHECK(power < 48);
  return power;
}

void* allocate(void*, size_t size, size_t alignment) {
  constexpr size_t kAlignment = 4096;
  FUZZ_CHECK(alignment <= kAlignment);
  const size_t power = block_class(size);
  if (idle_blocks[power].empty()) idle_blocks[power].push_back(std::aligned_alloc(kAlignment, size_t{1} << power));
  void* block = idle_blocks[power].back();
  idle_blocks[power].pop_back();
  ASAN_POISON_MEMORY_REGION(block, size_t{1} << power);
  ASAN_UNPOISON_MEMORY_REGION(block, size);
  return block;
}

void free_block(void*, void* block, size_t size, size_t) {
  const size_t power = block_class(size);
  ASAN_POISON_MEMORY_REGION(block, size_t{1} << power);
  idle_blocks[power].push_back(block);
}

// Reads the text, and the zero behind it.
void check_text(const flamelet_string& text) {
  FUZZ_CHECK(text.text != nullptr);
  size_t sum = 0;
  for (size_t i = 0; i < text.size; ++i) sum += static_cast<unsigned char>(text.text[i]);
  FUZZ_CHECK(text.text[text.size] == 0 && sum <= 255 * text.size);
}

void check_spans(const std::vector<flamelet_span>& spans) {
  for (size_t i = 0; i < spans.size(); ++i) {
    const flamelet_span& span = spans[i];
    FUZZ_CHECK(span.begin_ns <= span.end_ns);
    FUZZ_CHECK(i == 0 || spans[i - 1].begin_ns <= span.begin_ns);
    FUZZ_CHECK(span.subtree_end > i && span.subtree_end <= spans.size());
    FUZZ_CHECK(span.self_ns >= 0 && span.self_ns <= span.end_ns - span.begin_ns);
    if (span.parent == FLAMELET_NO_PARENT) continue;
    FUZZ_CHECK(span.parent < i);
    const flamelet_span& parent = spans[span.parent];
    FUZZ_CHECK(span.subtree_end <= parent.subtree_end && span.depth > parent.depth);
    FUZZ_CHECK(span.begin_ns >= parent.begin_ns && span.end_ns <= parent.end_ns);
  }
}

std::vector<flamelet_span> read_spans(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns) {
  std::vector<flamelet_span> spans(flamelet_capture_count_spans(capture, lane, begin_ns, end_ns));
  FUZZ_CHECK(flamelet_capture_read_spans(capture, lane, begin_ns, end_ns, spans.data(), spans.size(), nullptr) ==
             FLAMELET_OK);
  check_spans(spans);
  // An answer that does not fit is the beginning of the whole one.
  std::vector<flamelet_span> some(spans.size() / 2);
  flamelet_capture_read_spans(capture, lane, begin_ns, end_ns, some.data(), some.size(), nullptr);
  FUZZ_CHECK(flamelet_capture_count_spans(capture, lane, begin_ns, end_ns) == spans.size());
  for (size_t i = 0; i < some.size(); ++i)
    FUZZ_CHECK(some[i].id == spans[i].id && some[i].begin_ns == spans[i].begin_ns);
  return spans;
}

void read_points(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns) {
  std::vector<flamelet_point> points(flamelet_capture_count_points(capture, lane, begin_ns, end_ns));
  FUZZ_CHECK(flamelet_capture_read_points(capture, lane, begin_ns, end_ns, points.data(), points.size(), nullptr) ==
             FLAMELET_OK);
  for (size_t i = 0; i < points.size(); ++i) {
    FUZZ_CHECK(i == 0 || points[i - 1].time_ns <= points[i].time_ns);
    check_text(flamelet_capture_string(capture, points[i].name));
  }
}

void read_intervals(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  std::vector<flamelet_interval> intervals(flamelet_capture_read_intervals(capture, begin_ns, end_ns, nullptr, 0));
  FUZZ_CHECK(flamelet_capture_read_intervals(capture, begin_ns, end_ns, intervals.data(), intervals.size()) ==
             intervals.size());
  for (const flamelet_interval& interval : intervals) FUZZ_CHECK(interval.begin_ns <= interval.end_ns);
}

void read_flows(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  std::vector<flamelet_flow> flows(flamelet_capture_count_flows(capture, begin_ns, end_ns));
  FUZZ_CHECK(flamelet_capture_read_flows(capture, begin_ns, end_ns, flows.data(), flows.size(), nullptr) ==
             FLAMELET_OK);
  for (size_t i = 0; i < flows.size(); ++i) {
    FUZZ_CHECK(flows[i].lane < flamelet_capture_lane_count(capture));
    FUZZ_CHECK(i == 0 || flows[i - 1].id < flows[i].id ||
               (flows[i - 1].id == flows[i].id && flows[i - 1].time_ns <= flows[i].time_ns));
    if (flows[i].begin == FLAMELET_NO_PARENT) continue;
    FUZZ_CHECK(flows[i].begin <= i && flows[flows[i].begin].id == flows[i].id);
  }
}

void read_frames(const flamelet_capture* capture) {
  int64_t last_end_ns = INT64_MIN;
  for (size_t i = 0; i < flamelet_capture_frame_count(capture); ++i) {
    flamelet_frame_info frame;
    FUZZ_CHECK(flamelet_capture_frame(capture, i, &frame));
    FUZZ_CHECK(frame.begin_ns <= frame.end_ns && frame.begin_ns >= last_end_ns);
    FUZZ_CHECK(flamelet_capture_find_frame(capture, frame.index) == i);
    flamelet_capture_frame_at(capture, frame.begin_ns);
    last_end_ns = frame.end_ns;
  }
}

void read_names(const flamelet_capture* capture) {
  for (uint32_t id = 0; id < flamelet_capture_site_count(capture) + 2; ++id) {
    flamelet_site_info site;
    flamelet_capture_site(capture, id, &site);
    check_text(site.name), check_text(site.category), check_text(site.file), check_text(site.function);
    check_text(flamelet_capture_string(capture, id));
  }
  check_text(flamelet_capture_string(capture, UINT32_MAX));
}

void add_statistics(const flamelet_capture* capture, const std::vector<flamelet_span>& spans) {
  static std::vector<char> memory(flamelet_statistics_memory_required(64, 4096));
  flamelet_statistics* statistics = nullptr;
  FUZZ_CHECK(flamelet_statistics_create(64, memory.data(), memory.size(), &statistics) == FLAMELET_OK);
  flamelet_statistics_add(statistics, spans.data(), spans.size());
  const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
  uint64_t count = summary.left_out_count;
  for (size_t i = 0; i < summary.row_count; ++i) count += summary.rows[i].count;
  // A later piece of a call is a span, and no call; of one without a row, nobody knows.
  const auto pieces = static_cast<uint64_t>(std::count_if(
      spans.begin(), spans.end(), [](const flamelet_span& span) { return (span.flags & FLAMELET_SPAN_RESUMED) != 0; }));
  FUZZ_CHECK(summary.span_count == spans.size() && count <= spans.size() && count + pieces >= spans.size());
  std::vector<uint32_t> order(summary.row_count);
  flamelet_statistics_sort(summary.rows, summary.row_count, FLAMELET_COLUMN_NAME, false, capture, order.data());
}

void feed_tree(const flamelet_capture* capture) {
  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.max_nodes = 512;
  config.max_scopes = 128;
  config.max_lanes = 8;
  config.max_spans = 1024;
  static std::vector<char> memory(flamelet_span_tree_memory_required(&config));
  flamelet_span_tree* tree = nullptr;
  FUZZ_CHECK(flamelet_span_tree_create(&config, memory.data(), memory.size(), &tree) == FLAMELET_OK);
  flamelet_span_tree_update(tree, capture);
  const auto visit = [](void*, const flamelet_call_path*) { return true; };
  FUZZ_CHECK(flamelet_call_tree_query(flamelet_span_tree_calls(tree), 0, visit, nullptr) != 0);
}

void export_as(const flamelet_capture* capture, flamelet_export_format format) {
  const flamelet_sink nowhere = {[](void*, const void*, size_t) { return true; }, nullptr};
  FUZZ_CHECK(flamelet_export(capture, format, nullptr, nowhere, nullptr) == FLAMELET_OK);
}

// Some of the last frames, each as text and as JSON. The pieces tile the frame.
void explain_frames(const flamelet_capture* capture) {
  flamelet_explain_config config = flamelet_explain_config_default();
  config.baseline_frames = 8;
  config.max_spans = config.max_pieces = 2048;
  config.max_flows = config.max_paths = 256;
  config.max_lanes = 16;
  config.max_samples = 1024;
  config.budget_ns = 1000;
  static std::vector<char> memory(flamelet_explain_memory_required(&config));
  flamelet_explain* explain = nullptr;
  FUZZ_CHECK(flamelet_explain_create(&config, memory.data(), memory.size(), &explain) == FLAMELET_OK);
  const flamelet_sink nowhere = {[](void*, const void*, size_t) { return true; }, nullptr};
  const size_t frames = flamelet_capture_frame_count(capture);
  for (size_t i = frames < 4 ? 0 : frames - 4; i < frames; ++i) {
    flamelet_explanation why;
    FUZZ_CHECK(flamelet_explain_frame(explain, capture, i, &why) == FLAMELET_OK);
    int64_t at_ns = why.frame.begin_ns;
    for (size_t piece = 0; piece < why.piece_count; ++piece) {
      FUZZ_CHECK(why.pieces[piece].begin_ns == at_ns && why.pieces[piece].end_ns > at_ns);
      at_ns = why.pieces[piece].end_ns;
    }
    FUZZ_CHECK(why.piece_count == 0 || at_ns == why.frame.end_ns);
    char text[4096];
    flamelet_explain_text(explain, capture, &why, text, sizeof text);
    FUZZ_CHECK(flamelet_explain_json(explain, capture, &why, nowhere));
  }
}

std::string save(const flamelet_capture* capture) {
  std::string bytes;
  FUZZ_CHECK(flamelet_capture_save_to(capture, INT64_MIN, INT64_MAX, sink_to(&bytes)) == FLAMELET_OK);
  return bytes;
}

}  // namespace

flamelet_allocator reusing_allocator() {
  return {allocate, free_block, nullptr};
}

void use_capture(const flamelet_capture* capture, uint32_t variant) {
  check_text(flamelet_capture_build(capture));
  check_text(flamelet_capture_note(capture));
  check_text(flamelet_capture_categories_off(capture));
  flamelet_capture_version(capture);
  flamelet_capture_clock(capture);
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  flamelet_capture_dropped dropped;
  flamelet_capture_get_dropped(capture, &dropped);
  FUZZ_CHECK(stats.pages_held <= stats.pages_limit);
  int64_t begin_ns = 0, end_ns = 0;
  if (flamelet_capture_window(capture, &begin_ns, &end_ns)) FUZZ_CHECK(begin_ns <= end_ns);
  begin_ns = end_ns = 0;
  flamelet_capture_extent(capture, &begin_ns, &end_ns);
  // A part of it, its borders where the variant says; halves, because the whole may not fit into 64 bits.
  const int64_t half = end_ns / 2 - begin_ns / 2;
  const int64_t from_ns = begin_ns + half / 16 * static_cast<int64_t>(variant % 16);
  const int64_t to_ns = end_ns - half / 16 * static_cast<int64_t>(variant / 16 % 16);

  read_frames(capture);
  read_names(capture);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    flamelet_lane_info info;
    FUZZ_CHECK(flamelet_capture_lane(capture, lane, &info));
    check_text(info.name);
    FUZZ_CHECK(info.name.size != 0);
    add_statistics(capture, read_spans(capture, lane, INT64_MIN, INT64_MAX));
    read_spans(capture, lane, from_ns, to_ns);
    read_points(capture, lane, INT64_MIN, INT64_MAX);
    read_points(capture, lane, from_ns, to_ns);
  }
  read_intervals(capture, INT64_MIN, INT64_MAX);
  read_intervals(capture, from_ns, to_ns);
  read_flows(capture, INT64_MIN, INT64_MAX);
  read_flows(capture, from_ns, to_ns);
  feed_tree(capture);
  if (is_asked_more(variant / 8)) explain_frames(capture);
  // An exporter's buffers take more time than all the rest.
  if (is_asked_more(variant))
    export_as(capture, static_cast<flamelet_export_format>(variant / 2048 % FLAMELET_EXPORT_FORMAT_COUNT));
}

void save_and_load_capture(const flamelet_capture* capture, uint32_t variant) {
  const std::string bytes = save(capture);
  flamelet_capture* loaded = nullptr;
  flamelet_load_report report;
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = reusing_allocator();
  FUZZ_CHECK(flamelet_capture_load_bytes(&options, bytes.data(), bytes.size(), &loaded, &report) == FLAMELET_OK);
  FUZZ_CHECK(!report.truncated && report.chunks_damaged == 0 && report.chunks_unknown == 0);
  FUZZ_CHECK(report.pages_refused == 0 && report.entries_refused == 0 && report.duplicates == 0);
  FUZZ_CHECK(save(loaded) == bytes);
  use_capture(loaded, variant);
  flamelet_capture_destroy(loaded);
}
