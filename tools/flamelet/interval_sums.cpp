// SPDX-License-Identifier: MIT
#include "interval_sums.h"

#include <map>
#include <utility>

#include "distribution_columns.h"

namespace flamelet::tools {

std::vector<IntervalSums> interval_sums(const CaptureInput& input, const Window& window, const std::string& filter) {
  const flamelet_capture* capture = input.get();
  std::vector<flamelet_interval> intervals(
      flamelet_capture_read_intervals(capture, window.begin_ns, window.end_ns, nullptr, 0));
  flamelet_capture_read_intervals(capture, window.begin_ns, window.end_ns, intervals.data(), intervals.size());
  std::map<std::string, IntervalSums> by_name;
  for (const flamelet_interval& interval : intervals) {
    std::string name(view_of(flamelet_capture_string(capture, interval.name)));
    if (!contains(name, filter)) continue;
    IntervalSums& sums = by_name[name];
    sums.name = std::move(name);
    sums.incomplete += (interval.flags & (FLAMELET_SPAN_OPEN | FLAMELET_SPAN_MISSING_BEGIN)) != 0;
    sums.total_ns += interval.end_ns - interval.begin_ns;
    sums.durations_ns.push_back(interval.end_ns - interval.begin_ns);
  }
  std::vector<IntervalSums> all;
  for (auto& [name, sums] : by_name) all.push_back(std::move(sums));
  return all;
}

Table interval_table(std::vector<IntervalSums> sums) {
  Table table;
  table.columns = {{"interval", "interval", ColumnKind::kName},
                   {"count", "count", ColumnKind::kCount},
                   {"incomplete", "", ColumnKind::kCount},
                   {"total_ns", "total", ColumnKind::kNs}};
  add_distribution_columns(&table);
  for (IntervalSums& of : sums) {
    const uint64_t count = of.durations_ns.size();
    table.rows.push_back({std::move(of.name), count, of.incomplete, of.total_ns});
    add_distribution_cells(flamelet_summarize_durations(of.durations_ns.data(), of.durations_ns.size()),
                           &table.rows.back());
  }
  return table;
}

}  // namespace flamelet::tools
