// SPDX-License-Identifier: MIT
//
// flamelet_ratio_bench [--rounds N] [--rows TEXT] [--json FILE]      only rows whose names contain TEXT
//
// What a scope costs, as a ratio to the limit (limit.h), measured as ratio.h describes; and what costs beside it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "costs.h"
#include "flamelet/flamelet.h"
#include "measure.h"
#include "ratio.h"

using namespace flamelet_bench;

namespace {

// One line of the second table. A goal of 0 = none; the value is to be at most the goal, or at least it.
struct Line {
  const char* name;
  const char* key;
  double value;
  const char* unit;
  double goal;
  bool at_least;
};

const char* verdict(double value, double goal, bool at_least) {
  if (goal == 0) return "";
  return (at_least ? value >= goal : value <= goal) ? "met" : "MISSED";
}

void append(std::vector<Row>* rows, const std::vector<Row>& more) {
  rows->insert(rows->end(), more.begin(), more.end());
}

void print_rows(const std::vector<RowResult>& results) {
  std::printf("%-36s %8s %8s %8s %7s %17s %6s\n", "ns per scope", "p50", "mean", "p99", "ratio", "quartiles", "goal");
  const RowResult& limit = results[0];
  std::printf("%-36s %8.2f %8.2f %8.2f %7.3f\n", "the limit, flat", limit.limit_p50_ns, limit.limit_mean_ns,
              limit.limit_p99_ns, 1.0);
  for (const RowResult& result : results) {
    std::printf("%-36s %8.2f %8.2f %8.2f %7.3f   %.3f to %.3f", result.row.name, result.p50_ns, result.mean_ns,
                result.p99_ns, result.ratio, result.ratio_low, result.ratio_high);
    if (result.row.goal != 0) std::printf(" %6.2f  %s", result.row.goal, verdict(result.ratio, result.row.goal, false));
    std::printf("\n");
  }
}

std::vector<Line> lines_of(const Costs& costs, const std::vector<RowResult>& results) {
  std::vector<Line> lines;
  for (const RowResult& result : results)
    if (std::strcmp(result.row.name, "flat, disabled") == 0)
      lines.push_back({"a disabled scope", "disabled_ns", result.p50_ns, "ns", 0.45, false});
  lines.push_back({"a frame mark, after 1000 scopes", "frame_mark_ns", costs.frame_mark_ns, "ns", 100, false});
  lines.push_back({"a frame mark, p99", "frame_mark_p99_ns", costs.frame_mark_p99_ns, "ns", 0, false});
  lines.push_back({"... each thread's times", "thread_time_ns", costs.thread_time_ns, "ns", 2000, false});
  lines.push_back({"a free lock, more than std::mutex", "lock_ns", costs.lock_ns, "ns", 1.5, false});
  lines.push_back({"what a wait for a lock records", "wait_ns", costs.wait_ns, "ns", 60, false});
  lines.push_back({"bytes of ring a scope", "bytes_per_scope", costs.bytes_per_scope, "B", 0, false});
  lines.push_back(
      {"memory growth over 10 M scopes", "growth_bytes", static_cast<double>(costs.growth_bytes), "B", 0, false});
  lines.push_back({"start + stop", "start_and_stop_ms", costs.start_ms + costs.stop_ms, "ms", 5, false});
  lines.push_back({"start", "start_ms", costs.start_ms, "ms", 0, false});
  lines.push_back({"stop", "stop_ms", costs.stop_ms, "ms", 0, false});
  lines.push_back({"reader: poll, per event", "poll_ns_per_event", costs.poll_ns_per_event, "ns", 0, false});
  lines.push_back(
      {"reader: update of a capture, per event", "update_ns_per_event", costs.update_ns_per_event, "ns", 0, false});
  lines.push_back({"reader: read of spans", "read_million_events_per_second", costs.read_events_per_second / 1e6,
                   "M events/s", 200, true});
  lines.push_back({"reader: snapshot of 16 MiB of ring", "snapshot_16_mib_ms",
                   costs.snapshot_ms * 16 / costs.snapshot_mib, "ms", 5, false});
  return lines;
}

void print_lines(const std::vector<Line>& lines) {
  std::printf("\n");
  for (const Line& line : lines) {
    std::printf("%-40s %10.2f %s", line.name, line.value, line.unit);
    if (line.goal != 0)
      std::printf("  (goal: at %s %g)  %s", line.at_least ? "least" : "most", line.goal,
                  verdict(line.value, line.goal, line.at_least));
    std::printf("\n");
  }
}

// Names are this program's own literals: nothing in them needs escaping.
bool write_json(const char* path, const std::vector<RowResult>& results, const std::vector<Line>& lines) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return false;
  std::fprintf(file, "{\n  \"scopes_per_frame\": %u,\n  \"rows\": [", kScopesPerFrame);
  const char* separator = "\n";
  for (const RowResult& result : results) {
    std::fprintf(file,
                 "%s    {\"name\": \"%s\", \"p50_ns\": %.3f, \"mean_ns\": %.3f, \"p99_ns\": %.3f, \"limit_p50_ns\": "
                 "%.3f, \"limit_mean_ns\": %.3f, \"limit_p99_ns\": %.3f, \"ratio\": %.4f, \"ratio_q1\": %.4f, "
                 "\"ratio_q3\": %.4f, \"goal\": %.2f}",
                 separator, result.row.name, result.p50_ns, result.mean_ns, result.p99_ns, result.limit_p50_ns,
                 result.limit_mean_ns, result.limit_p99_ns, result.ratio, result.ratio_low, result.ratio_high,
                 result.row.goal);
    separator = ",\n";
  }
  std::fprintf(file, "\n  ]");
  for (const Line& line : lines) std::fprintf(file, ",\n  \"%s\": %.4f", line.key, line.value);
  std::fprintf(file, "\n}\n");
  return std::fclose(file) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  uint32_t rounds = 300;
  const char* wanted = "";
  const char* json = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
    if (std::strcmp(argv[i], "--rows") == 0) wanted = argv[i + 1];
    if (std::strcmp(argv[i], "--json") == 0) json = argv[i + 1];
  }
  const flamelet_config config = flamelet_config_default();
  const flamelet_result started = flamelet_init(&config);
  if (started != FLAMELET_OK) {
    std::fprintf(stderr, "flamelet_init: %s\n", flamelet_result_message(started));
    return 1;
  }
  std::vector<Row> rows = flamelet_rows(usable_cpus().size());
#ifdef FLAMELET_BENCH_MODULE
  append(&rows, shared_library_rows());
#endif
#ifdef FLAMELET_BENCH_TRACY
  append(&rows, tracy_rows());
#else
  append(&rows, tracy_shim_rows());
#endif
#ifdef FLAMELET_BENCH_SPALL
  append(&rows, spall_rows());
#endif
  const auto unwanted = [wanted](const Row& row) { return std::strstr(row.name, wanted) == nullptr; };
  rows.erase(std::remove_if(rows.begin(), rows.end(), unwanted), rows.end());
  if (rows.empty()) {
    std::fprintf(stderr, "no row's name contains \"%s\"\n", wanted);
    return 2;
  }
  const std::vector<RowResult> results = measure_rows(rows, rounds);
  if (results.empty()) return 1;
  const std::vector<Line> lines = lines_of(measure_costs(), results);
  print_rows(results);
  print_lines(lines);
  flamelet_shutdown();
  if (json != nullptr && !write_json(json, results, lines)) {
    std::perror(json);
    return 1;
  }
  return 0;
}
