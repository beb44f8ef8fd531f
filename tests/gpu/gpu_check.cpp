// SPDX-License-Identifier: MIT
//
// gpu_check: what a real GPU and its driver give. Draws passes of known weight without a window, prints what their GPU
// scopes say, and checks what must hold everywhere. Needs a compiler, and libEGL.so.1 at run time; nothing else. From
// the repository's root:
//
//   tools/amalgamate two_files
//   flags="-std=c++17 -O2 -pthread -Iprofiler/include -Iprofiler/gpu/include"
//   g++ $flags -o gpu_check tests/gpu/gpu_check.cpp two_files/flamelet.cpp -ldl
//   ./gpu_check [SECONDS]
//
// Exits with 0 if every check holds, 1 if one does not, 2 if there is nothing to check.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "flamelet/capture.h"
#include "flamelet/flamelet.h"
#include "flamelet/gpu_opengl.h"
#include "flamelet/statistics.h"
#include "offscreen_gl.h"

namespace {

int failures = 0;

void check(bool holds, const char* what) {
  std::printf("%s  %s\n", holds ? "ok    " : "FAILED", what);
  failures += !holds;
}

double ms(int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}

int64_t now_ns() {
  const flamelet_clock clock = flamelet_clock_info();
  return static_cast<int64_t>(static_cast<double>(flamelet_now_ticks() - clock.origin_ticks) / clock.ticks_per_second *
                              1e9);
}

std::vector<flamelet_span> read_lane(const flamelet_capture* capture, flamelet_lane_kind kind) {
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    flamelet_lane_info info;
    flamelet_capture_lane(capture, lane, &info);
    if (info.kind != kind) continue;
    std::vector<flamelet_span> spans(flamelet_capture_count_spans(capture, lane, INT64_MIN, INT64_MAX));
    flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size(), nullptr);
    return spans;
  }
  return {};
}

const char* name_of(const flamelet_capture* capture, uint32_t name) {
  return flamelet_capture_string(capture, name).text;
}

void print_table(const flamelet_capture* capture, const std::vector<flamelet_span>& spans) {
  std::vector<char> memory(flamelet_statistics_memory_required(64, spans.size()));
  flamelet_statistics* statistics = nullptr;
  if (flamelet_statistics_create(64, memory.data(), memory.size(), &statistics) != FLAMELET_OK) std::abort();
  flamelet_statistics_add(statistics, spans.data(), spans.size());
  const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
  std::printf("%-10s %7s %10s %10s %10s %10s ms\n", "GPU scope", "count", "min", "median", "p95", "max");
  for (size_t i = 0; i < summary.row_count; ++i) {
    const flamelet_scope_statistics& row = summary.rows[i];
    std::printf("%-10s %7llu %10.4f %10.4f %10.4f %10.4f\n", name_of(capture, row.name),
                static_cast<unsigned long long>(row.count), ms(row.duration.min_ns), ms(row.duration.median_ns),
                ms(row.duration.p95_ns), ms(row.duration.max_ns));
  }
}

// The weight of a pass that takes this long at the quickest, by doubling.
int32_t iterations_for(OffscreenGl& gl, int64_t wanted_ns) {
  gl.draw(0, 1);  // the first draw compiles
  for (int32_t iterations = 16;; iterations *= 2) {
    int64_t least_ns = INT64_MAX;
    for (int i = 0; i < 3; ++i) {
      gl.finish();
      const int64_t begin_ns = now_ns();
      gl.draw(0, iterations);
      gl.finish();
      least_ns = std::min(least_ns, now_ns() - begin_ns);
    }
    if (least_ns >= wanted_ns || iterations > (1 << 24)) return iterations;
  }
}

// GPU scopes against the CPU's clock around the same work, with the GPU idle before and after. The draws to another
// target make software renderers do the work between the scope's begin and its end.
void compare_with_cpu(OffscreenGl& gl, flamelet_gpu* gpu, flamelet_capture* capture, int32_t heavy) {
  constexpr int kRuns = 20;
  std::vector<int64_t> wall_ns;
  for (int i = 0; i < kRuns; ++i) {
    gl.draw(1, 0);
    gl.finish();
    const int64_t begin_ns = now_ns();
    {
      FLAMELET_GPU_SCOPE(gpu, "Measured");
      gl.draw(0, heavy);
    }
    gl.draw(1, 0);
    gl.finish();
    wall_ns.push_back(now_ns() - begin_ns);
    flamelet_gpu_frame(gpu);
    flamelet_frame();
  }
  flamelet_gpu_frame(gpu);
  flamelet_capture_update(capture);
  std::vector<int64_t> gpu_ns;
  for (const flamelet_span& span : read_lane(capture, FLAMELET_LANE_GPU))
    if (std::string(name_of(capture, span.name)) == "Measured") gpu_ns.push_back(span.end_ns - span.begin_ns);
  check(gpu_ns.size() == kRuns, "every measured scope arrived");
  if (gpu_ns.empty()) return;
  const flamelet_distribution wall = flamelet_summarize_durations(wall_ns.data(), wall_ns.size());
  const flamelet_distribution scope = flamelet_summarize_durations(gpu_ns.data(), gpu_ns.size());
  std::printf("one heavy pass, medians: GPU scope %.4f ms, CPU from issue to finish %.4f ms\n", ms(scope.median_ns),
              ms(wall.median_ns));
  check(scope.median_ns <= wall.median_ns && scope.median_ns > wall.median_ns / 4,
        "the GPU scope accounts for most of the time until the work is done");
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 5;
  OffscreenGl gl;
  if (!gl.ok()) {
    std::printf("nothing to check: %s\n", gl.why_not().c_str());
    return 2;
  }
  std::printf("%s, OpenGL %s\n", gl.renderer().c_str(), gl.version().c_str());
  const flamelet_config config = flamelet_config_default();
  if (flamelet_init(&config) != FLAMELET_OK) return 2;
  flamelet_gpu_opengl_config gpu_config = flamelet_gpu_opengl_config_default();
  gpu_config.get_proc = gl.get_proc;
  gpu_config.gpu.calibration_interval_ns = 500'000'000;
  flamelet_gpu* gpu = nullptr;
  const flamelet_result created = flamelet_gpu_opengl_create(&gpu_config, &gpu);
  if (created != FLAMELET_OK) {
    std::printf("nothing to check: %s\n", flamelet_result_message(created));
    return 2;
  }
  flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_create(&capture_config, &capture) != FLAMELET_OK) return 2;

  const int32_t heavy = iterations_for(gl, 2'000'000);
  compare_with_cpu(gl, gpu, capture, heavy);

  // Frames as a program makes them: about 120 a second, and at most three ahead of the GPU, as a swap sees to.
  flamelet_gpu_stats stats;
  flamelet_gpu_get_stats(gpu, &stats);
  uint64_t calibrations = stats.calibrations;
  const uint64_t late_before = stats.dropped_late;
  uint32_t max_lag = 0;
  int frames = 0, waits = 0;
  const int64_t first_ns = now_ns();
  for (int64_t next_ns = first_ns; ms(next_ns - first_ns) < seconds * 1e3; next_ns += 8'333'333, ++frames) {
    while (now_ns() < next_ns) {
    }
    if (stats.frames_in_flight >= 3) {
      gl.finish();
      ++waits;
    }
    {
      FLAMELET_GPU_SCOPE(gpu, "Frame");
      {
        FLAMELET_GPU_SCOPE(gpu, "Heavy");
        gl.draw(0, heavy);
      }
      {
        FLAMELET_GPU_SCOPE(gpu, "Light");
        gl.draw(1, 1);
      }
      {
        FLAMELET_GPU_SCOPE(gpu, "Nested");
        for (size_t i = 0; i < 4; ++i) {
          FLAMELET_GPU_SCOPE(gpu, "Quarter");
          gl.draw(2 + i, heavy / 4);
        }
      }
    }
    flamelet_gpu_frame(gpu);
    flamelet_frame();
    gl.flush();
    flamelet_gpu_get_stats(gpu, &stats);
    max_lag = std::max(max_lag, stats.lag_frames);
    if (stats.calibrations != calibrations)
      std::printf("calibration at %7.3f s: read within %lld ns, drift %lld ns\n", ms(now_ns()) / 1e3,
                  static_cast<long long>(stats.calibration_error_ns),
                  static_cast<long long>(stats.calibration_drift_ns));
    calibrations = stats.calibrations;
    flamelet_capture_update(capture);
  }
  gl.finish();
  for (int i = 0; i < 2; ++i) flamelet_gpu_frame(gpu);
  flamelet_capture_update(capture);
  flamelet_gpu_get_stats(gpu, &stats);

  const std::vector<flamelet_span> spans = read_lane(capture, FLAMELET_LANE_GPU);
  std::map<flamelet_id, flamelet_span> cpu;
  for (const flamelet_span& span : read_lane(capture, FLAMELET_LANE_THREAD)) cpu[span.id] = span;
  print_table(capture, spans);
  std::printf(
      "%d frames (%d waited for the GPU), %u bits, lag at most %u frames; submitted %llu, dropped: late %llu, invalid "
      "%llu, pool %llu, "
      "recorder %llu\n",
      frames, waits, stats.counter_bits, max_lag, static_cast<unsigned long long>(stats.scopes_submitted),
      static_cast<unsigned long long>(stats.dropped_late), static_cast<unsigned long long>(stats.dropped_invalid),
      static_cast<unsigned long long>(stats.dropped_pool), static_cast<unsigned long long>(stats.dropped_recorder));

  bool ordered = true, nested = true, linked = true, causal = true;
  std::map<std::string, std::vector<int64_t>> durations_ns;
  std::vector<int64_t> delays_ns;
  int64_t last_frame_end_ns = INT64_MIN;
  for (size_t i = 0; i < spans.size(); ++i) {
    const flamelet_span& span = spans[i];
    const std::string name = name_of(capture, span.name);
    durations_ns[name].push_back(span.end_ns - span.begin_ns);
    if (span.parent != FLAMELET_NO_PARENT)
      nested &= spans[span.parent].begin_ns <= span.begin_ns && span.end_ns <= spans[span.parent].end_ns &&
                (span.flags & FLAMELET_SPAN_CUT) == 0;
    if (name == "Frame") {
      ordered &= span.begin_ns >= last_frame_end_ns;
      last_frame_end_ns = span.end_ns;
      // Children in the order in which they were issued.
      const char* const order[] = {"Heavy", "Light", "Nested", "Quarter", "Quarter", "Quarter", "Quarter"};
      ordered &= span.subtree_end == i + 8;
      for (size_t child = 0; child < 7 && i + 1 + child < spans.size(); ++child)
        ordered &= name_of(capture, spans[i + 1 + child].name) == std::string(order[child]);
    }
    const auto issuer = cpu.find(span.id);
    linked &= issuer != cpu.end();
    if (issuer == cpu.end()) continue;
    const int64_t delay_ns = span.begin_ns - issuer->second.begin_ns;
    causal &= delay_ns >= -100'000;
    delays_ns.push_back(delay_ns);
  }
  if (!delays_ns.empty()) {
    // Not of flamelet_summarize_durations(), to which a negative duration is 0.
    const int64_t least_delay_ns = *std::min_element(delays_ns.begin(), delays_ns.end());
    const flamelet_distribution delay = flamelet_summarize_durations(delays_ns.data(), delays_ns.size());
    std::printf("GPU begin after CPU begin: least %.4f, median %.4f, p99 %.4f ms\n", ms(least_delay_ns),
                ms(delay.median_ns), ms(delay.p99_ns));
  }
  check(gl.error() == 0, "no OpenGL error");
  check(stats.scopes_submitted + stats.dropped_late >= static_cast<uint64_t>(frames) * 8,
        "every scope is accounted for");
  check(stats.dropped_late == late_before, "no result was given up");
  check(stats.dropped_invalid == 0 && stats.dropped_pool == 0 && stats.dropped_recorder == 0,
        "nothing else was dropped");
  check(ordered, "GPU spans lie in the order in which they were issued");
  check(nested, "GPU spans lie inside their parents as they are");
  check(linked, "every GPU span names a CPU scope");
  check(causal, "no GPU span begins more than 0.1 ms before its CPU scope");
  const auto least_ns = [&](const char* name) {
    std::vector<int64_t>& all = durations_ns[name];
    return flamelet_summarize_durations(all.data(), all.size()).min_ns;
  };
  check(least_ns("Heavy") > 4 * least_ns("Light"), "heavy work takes far longer than light work");
  check(least_ns("Quarter") < least_ns("Heavy"), "a quarter of the work takes less time than all of it");

  flamelet_capture_destroy(capture);
  flamelet_gpu_destroy(gpu);
  flamelet_shutdown();
  std::printf(failures == 0 ? "all checks hold\n" : "%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
