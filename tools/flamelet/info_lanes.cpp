// SPDX-License-Identifier: MIT
#include "info_lanes.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "capture_window.h"
#include "span_pieces.h"

namespace flamelet::tools {
namespace {

struct Sums {
  uint64_t spans = 0, points = 0, held = 0, lost = 0;
  bool is_quiet = true;  // in the last tenth of the capture
  // Over the frames, as far as it is known.
  int64_t ran_ns = 0, ready_ns = 0;
  uint32_t known = 0;

  void add(const Sums& more) {
    spans += more.spans;
    points += more.points;
    is_quiet = is_quiet && more.is_quiet;
    held += more.held;
    lost += more.lost;
    ran_ns += more.ran_ns;
    ready_ns += more.ready_ns;
    known |= more.known;
  }
};

Sums sums_of(const flamelet_capture* capture, size_t lane) {
  flamelet_lane_info info;
  flamelet_capture_lane(capture, lane, &info);
  int64_t begin_ns = 0, end_ns = 0;
  time_of(capture, &begin_ns, &end_ns);
  const int64_t late_ns = end_ns - (end_ns - begin_ns) / 10;
  const SavedTime saved(capture);
  Sums sums;
  sums.spans = flamelet_capture_count_spans(capture, lane, saved.begin_ns, saved.end_ns);
  sums.points = flamelet_capture_count_points(capture, lane, saved.begin_ns, saved.end_ns);
  sums.held = info.events_held;
  sums.lost = info.events_lost;
  sums.is_quiet = flamelet_capture_count_spans(capture, lane, late_ns, saved.end_ns) == 0 &&
                  flamelet_capture_count_points(capture, lane, late_ns, saved.end_ns) == 0;
  return sums;
}

// How long the threads ran, by lane: in the frames, or as far as their states are known.
std::vector<Sums> thread_sums(const flamelet_capture* capture) {
  std::vector<Sums> sums(flamelet_capture_lane_count(capture));
  std::vector<flamelet_thread_time> times(FLAMELET_MAX_TRACKS);
  const SavedTime saved(capture);
  flamelet_frame_info frame;
  for (size_t i = 0; flamelet_capture_frame(capture, i, &frame); ++i) {
    if (!saved.has(frame)) continue;
    times.resize(flamelet_capture_read_thread_times(capture, i, times.data(), FLAMELET_MAX_TRACKS));
    for (const flamelet_thread_time& time : times) {
      Sums& of = sums[time.lane];
      of.ran_ns += time.ran_ns;
      of.ready_ns += time.ready_ns;
      of.known |= time.known;
    }
    times.resize(FLAMELET_MAX_TRACKS);
  }
  for (size_t lane = 0; lane < sums.size(); ++lane) {
    flamelet_state_times states;
    if (sums[lane].known != 0 || !flamelet_capture_state_times(capture, lane, saved.begin_ns, saved.end_ns, &states))
      continue;
    sums[lane].ran_ns = states.ns[FLAMELET_STATE_RUNNING];
    sums[lane].ready_ns = states.ns[FLAMELET_STATE_TAKEN_OFF];
    if (sums[lane].ran_ns + sums[lane].ready_ns != 0) sums[lane].known = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
  }
  return sums;
}

struct Row {
  NamedLanes lanes;
  Sums sums;
};

// Those that ran in the end stay, and then those with the most spans, in their order; of equal ones the newest, which stand
// last. So threads that have ended long ago go first.
void fold(std::vector<Row>* rows, size_t most, std::vector<Row>* folded) {
  if (rows->size() <= most) return;
  std::vector<size_t> order(rows->size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const Sums& of_a = (*rows)[a].sums;
    const Sums& of_b = (*rows)[b].sums;
    if (of_a.is_quiet != of_b.is_quiet) return of_b.is_quiet;
    return of_a.spans != of_b.spans ? of_a.spans > of_b.spans : a > b;
  });
  order.resize(most);
  std::sort(order.begin(), order.end());
  std::vector<Row> kept;
  size_t next = 0;
  for (size_t i = 0; i < rows->size(); ++i) {
    Row& row = (*rows)[i];
    if (next < order.size() && order[next] == i) {
      kept.push_back(std::move(row));
      ++next;
      continue;
    }
    if (folded->empty() || folded->back().lanes.kind != row.lanes.kind)
      folded->push_back({{"", row.lanes.kind, {}}, {}});
    Row& sum = folded->back();
    sum.lanes.lanes.insert(sum.lanes.lanes.end(), row.lanes.lanes.begin(), row.lanes.lanes.end());
    sum.sums.add(row.sums);
  }
  *rows = std::move(kept);
}

}  // namespace

Table lane_table(const CaptureInput& input, const LaneTables& options) {
  std::vector<Row> rows, folded;
  const std::vector<Sums> threads = thread_sums(input.get());
  for (NamedLanes& lanes : named_lanes(input, all_lanes(input), options.merge)) {
    Row row = {std::move(lanes), {}};
    for (const size_t lane : row.lanes.lanes) {
      row.sums.add(sums_of(input.get(), lane));
      row.sums.add(threads[lane]);
    }
    rows.push_back(std::move(row));
  }
  fold(&rows, options.most, &folded);
  for (Row& row : folded) {
    row.lanes.name = "… " + std::to_string(row.lanes.lanes.size()) + " more";
    rows.push_back(std::move(row));
  }
  Table table;
  table.columns = {{"lane", "lane", ColumnKind::kName},         {"kind", "kind", ColumnKind::kText},
                   {"id", "id", ColumnKind::kCount, 2},         {"spans", "spans", ColumnKind::kCount},
                   {"points", "points", ColumnKind::kCount, 3}, {"events_held", "events", ColumnKind::kCount, 1},
                   {"events_lost", "lost", ColumnKind::kCount}};
  const auto knows = [](uint32_t bit) { return [bit](const Row& row) { return (row.sums.known & bit) != 0; }; };
  const bool has_ran = std::any_of(rows.begin(), rows.end(), knows(FLAMELET_TIME_RAN));
  const bool has_ready = std::any_of(rows.begin(), rows.end(), knows(FLAMELET_TIME_READY));
  if (has_ran) table.columns.push_back({"ran_ns", "ran", ColumnKind::kNs, 4});
  if (has_ready) table.columns.push_back({"ready_ns", "no processor", ColumnKind::kNs, 4});
  for (const Row& row : rows) {
    flamelet_lane_info info;
    flamelet_capture_lane(input.get(), row.lanes.lanes.front(), &info);
    const bool is_fiber = info.kind == FLAMELET_LANE_FIBER;  // its events are counted on the threads
    table.rows.push_back({row.lanes.name, std::string(lane_kind_name(info.kind)),
                          row.lanes.lanes.size() == 1 ? Cell(uint64_t{info.id}) : Cell::none(), row.sums.spans,
                          row.sums.points, is_fiber ? Cell::none() : Cell(row.sums.held),
                          is_fiber ? Cell::none() : Cell(row.sums.lost)});
    std::vector<Cell>& cells = table.rows.back();
    if (has_ran) cells.push_back(knows(FLAMELET_TIME_RAN)(row) ? Cell(row.sums.ran_ns) : Cell::none());
    if (has_ready) cells.push_back(knows(FLAMELET_TIME_READY)(row) ? Cell(row.sums.ready_ns) : Cell::none());
  }
  return table;
}

Table counter_table(const CaptureInput& input, size_t most) {
  struct Counter {
    uint64_t values = 0;
    int64_t last_at_ns = INT64_MIN;
    double last = 0, least = 0, greatest = 0;
  };
  const flamelet_capture* capture = input.get();
  std::map<std::string, Counter> counters;
  std::vector<flamelet_point> points(size_t{16} * FLAMELET_CURSOR_LEAST);
  for (const size_t lane : all_lanes(input)) {
    flamelet_lane_info info;
    flamelet_capture_lane(capture, lane, &info);
    if (info.kind == FLAMELET_LANE_FIBER && !flamelet_capture_is_imported(capture)) continue;
    flamelet_point_cursor cursor;
    flamelet_point_cursor_start(&cursor, capture, lane, INT64_MIN, INT64_MAX, points.data(), points.size());
    while (flamelet_point_cursor_next(&cursor))
      for (size_t i = 0; i < cursor.count; ++i) {
        const flamelet_point& point = cursor.points[i];
        if (point.kind != FLAMELET_POINT_COUNTER) continue;
        Counter& counter = counters[std::string(view_of(flamelet_capture_string(capture, point.name)))];
        const bool is_first = counter.values++ == 0;
        counter.least = is_first ? point.value : std::min(counter.least, point.value);
        counter.greatest = is_first ? point.value : std::max(counter.greatest, point.value);
        if (point.time_ns >= counter.last_at_ns) counter.last_at_ns = point.time_ns, counter.last = point.value;
      }
  }
  Table table;
  table.columns = {{"counter", "counter", ColumnKind::kName},
                   {"values", "values", ColumnKind::kCount},
                   {"last", "last", ColumnKind::kNumber},
                   {"min", "min", ColumnKind::kNumber, 1},
                   {"max", "max", ColumnKind::kNumber, 1}};
  for (const auto& [name, counter] : counters) {
    if (table.rows.size() < most)
      table.rows.push_back({name, counter.values, counter.last, counter.least, counter.greatest});
  }
  if (counters.size() > most)
    table.rows.push_back({"… " + std::to_string(counters.size() - most) + " more", Cell::none(), Cell::none(),
                          Cell::none(), Cell::none()});
  return table;
}

Table open_table(const CaptureInput& input, size_t most) {
  const flamelet_capture* capture = input.get();
  Table table;
  table.columns = {{"lane", "lane", ColumnKind::kName}, {"open", "open at the end", ColumnKind::kName}};
  int64_t begin_ns = 0, end_ns = 0;
  if (!time_of(capture, &begin_ns, &end_ns)) return table;
  const int64_t to_ns = SavedTime(capture).end_ns;
  size_t more = 0;
  SpanPieces pieces(capture);
  for (const size_t lane : all_lanes(input)) {
    std::string path;
    pieces.read(lane, end_ns - 1, to_ns, [&](const flamelet_span* spans, size_t count) {
      for (size_t i = 0; i < count; ++i) {
        if ((spans[i].flags & FLAMELET_SPAN_OPEN) == 0 || (spans[i].flags & FLAMELET_SPAN_AGAIN) != 0) continue;
        if (!path.empty()) path += " > ";
        path += view_of(flamelet_capture_string(capture, spans[i].name));
      }
    });
    if (path.empty()) continue;
    flamelet_lane_info info;
    flamelet_capture_lane(capture, lane, &info);
    if (table.rows.size() < most)
      table.rows.push_back({std::string(view_of(info.name)), path});
    else
      ++more;
  }
  if (more != 0) table.rows.push_back({"… " + std::to_string(more) + " more", std::string()});
  return table;
}

}  // namespace flamelet::tools
