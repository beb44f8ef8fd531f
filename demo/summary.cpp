// SPDX-License-Identifier: MIT
#include "summary.h"

#include <flamelet/capture.h>

#include <algorithm>
#include <cinttypes>
#include <numeric>

namespace demo {
namespace {

// Nearest rank; `sorted` is not empty.
float percentile(const std::vector<float>& sorted, double share) {
  const auto rank = static_cast<size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(rank, sorted.size() - 1)];
}

double megabytes(size_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

struct RingContent {
  double scopes_per_frame = 0.0;
  double cost_ms = 0.0;  // of recording them, in a frame
  size_t frames = 0;
  flamelet_capture_stats stats = {};
};

// Adds the scopes that began on a thread's lane in this frame, by kind.
void count_scopes(const flamelet_capture* capture, size_t lane, const flamelet_frame_info& frame,
                  std::vector<flamelet_span>* scratch, size_t* of_kind) {
  flamelet_lane_info info;
  if (!flamelet_capture_lane(capture, lane, &info) || info.kind != FLAMELET_LANE_THREAD) return;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, lane, frame.begin_ns, frame.end_ns, scratch->data(), scratch->size());
  while (flamelet_span_cursor_next(&cursor))
    for (size_t i = cursor.again; i < cursor.count; ++i)
      if (cursor.spans[i].begin_ns >= frame.begin_ns && !(cursor.spans[i].flags & FLAMELET_SPAN_RESUMED))
        ++of_kind[flamelet_capture_scope_kind(capture, &cursor.spans[i])];
}

// Counts the scopes of the newest frames that the ring still holds.
RingContent read_ring() {
  RingContent content;
  flamelet_capture* capture = nullptr;
  const flamelet_capture_config config = flamelet_capture_config_default();
  if (flamelet_capture_create(&config, &capture) != FLAMELET_OK) return content;
  flamelet_capture_update(capture);
  const size_t held = flamelet_capture_frame_count(capture);
  size_t spans[FLAMELET_SCOPE_KINDS] = {};
  std::vector<flamelet_span> scratch(4 * FLAMELET_CURSOR_LEAST);
  for (size_t i = held > 200 ? held - 200 : 0; i < held; ++i) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(capture, i, &frame) || frame.flags) continue;
    ++content.frames;
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
      count_scopes(capture, lane, frame, &scratch, spans);
  }
  for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS && content.frames; ++kind) {
    const double in_frame = static_cast<double>(spans[kind]) / static_cast<double>(content.frames);
    content.scopes_per_frame += in_frame;
    content.cost_ms += in_frame * flamelet_measure_scope_ns(static_cast<flamelet_scope_kind>(kind)) * 1e-6;
  }
  flamelet_capture_get_stats(capture, &content.stats);
  flamelet_capture_destroy(capture);
  return content;
}

void print_recorder(std::FILE* file, double median_ms) {
  const RingContent ring = read_ring();
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  const uint64_t dropped = stats.dropped_no_track + stats.dropped_no_page + stats.dropped_depth + stats.dropped_nested +
                           stats.dropped_fiber + stats.dropped_frame + stats.dropped_submit;
  std::fprintf(file, "Scopes      %.0f a frame (mean of the last %zu), recorded in %.3f ms a frame, %.2f %%\n",
               ring.scopes_per_frame, ring.frames, ring.cost_ms,
               median_ms > 0.0 ? 100.0 * ring.cost_ms / median_ms : 0.0);
  std::fprintf(file, "Events      %" PRIu64 " recorded, %" PRIu64 " of them lost to newer ones, %" PRIu64 " dropped\n",
               stats.events_recorded, ring.stats.events_lost, dropped);
  std::fprintf(file, "Repaired    %" PRIu64 " missing ends, %" PRIu64 " extra ends\n", stats.missing_ends,
               stats.extra_ends);
  std::fprintf(file, "Memory      %.1f MiB for the recorder, %.1f of them ring; %u tracks, %u sites, %u strings\n",
               megabytes(stats.budget_bytes), megabytes(stats.page_bytes_total), stats.tracks_live, stats.sites_used,
               stats.strings_used);
}

void print_gpu(std::FILE* file, const flamelet_gpu* gpu) {
  flamelet_gpu_stats stats;
  flamelet_gpu_get_stats(gpu, &stats);
  const uint64_t dropped = stats.dropped_pool + stats.dropped_late + stats.dropped_invalid + stats.dropped_recorder;
  std::fprintf(file, "GPU         %" PRIu64 " scopes timed, %" PRIu64 " dropped, results %u frames later\n",
               stats.scopes_submitted, dropped, stats.lag_frames);
}

void print_overlay(std::FILE* file, const flamelet::OverlayStats& stats) {
  if (stats.draw_ns == 0) return;
  std::fprintf(file,
               "Overlay     %.2f ms to draw, %.2f ms to read the capture; %u scopes in view, %u drawn, %u merged\n",
               static_cast<double>(stats.draw_ns) * 1e-6, static_cast<double>(stats.capture_ns) * 1e-6,
               stats.zones_in_view, stats.zones_drawn, stats.zones_merged);
}

}  // namespace

void print_summary(std::FILE* file, SummaryInput input) {
  std::vector<float>& ms = input.frame_ms;
  if (ms.empty()) return;
  const double seconds = std::accumulate(ms.begin(), ms.end(), 0.0) * 1e-3;
  std::sort(ms.begin(), ms.end());
  std::fprintf(file, "Game        %zu blocks, %zu lanterns; %u came home, %u explosions\n", input.blocks,
               input.lanterns, input.lanterns_home, input.explosions);
  std::fprintf(file, "Frames      %zu in %.1f s\n", ms.size(), seconds);
  const float median = percentile(ms, 0.5);
  std::fprintf(file, "Frame time  p50 %.1f  p95 %.1f  p99 %.1f  max %.1f ms\n", static_cast<double>(median),
               static_cast<double>(percentile(ms, 0.95)), static_cast<double>(percentile(ms, 0.99)),
               static_cast<double>(ms.back()));
  print_recorder(file, static_cast<double>(median));
  if (input.gpu) print_gpu(file, input.gpu);
  print_overlay(file, input.overlay);
}

}  // namespace demo
