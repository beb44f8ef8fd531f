// SPDX-License-Identifier: MIT
//
// info_command.cpp: `flamelet info`: what is in a capture, and what is missing in it.
#include <flamelet/flight.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "files.h"
#include "flamelet/detail/sums.h"
#include "table.h"

namespace flamelet::tools {
namespace {

// ---- the lanes of a capture as tables

struct LaneTables {
  bool merge = false;  // lanes of the same name as one
  // Rows. The lanes beyond it are one row for each kind: first those that were quiet in the end, then those with the fewest
  // spans.
  size_t most = SIZE_MAX;
};

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
    add_times(more.ran_ns, more.ready_ns, more.known);
  }
  void add_times(int64_t ran, int64_t ready, uint32_t are_known) {
    ran_ns = add_saturating(ran_ns, ran);
    ready_ns = add_saturating(ready_ns, ready);
    known |= are_known;
  }
};

Sums sums_of(const flamelet_capture* capture, size_t lane) {
  const flamelet_lane_info info = lane_info(capture, lane);
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
struct ThreadSums {
  std::vector<Sums> lanes;
  size_t frames = 0, known_frames = 0;  // a mark that comes too soon does not ask the system
};
ThreadSums thread_sums(const flamelet_capture* capture) {
  ThreadSums result;
  std::vector<Sums>& sums = result.lanes;
  sums.resize(flamelet_capture_lane_count(capture));
  std::vector<flamelet_thread_time> times(FLAMELET_MAX_TRACKS);
  const SavedTime saved(capture);
  flamelet_frame_info frame;
  for (size_t i = 0; flamelet_capture_frame(capture, i, &frame); ++i) {
    if (!saved.has(frame)) continue;
    times.resize(flamelet_capture_read_thread_times(capture, i, times.data(), FLAMELET_MAX_TRACKS));
    result.frames += i != 0 || !times.empty();  // nothing was asked before the first one
    result.known_frames += !times.empty();
    for (const flamelet_thread_time& time : times) sums[time.lane].add_times(time.ran_ns, time.ready_ns, time.known);
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
  return result;
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

// What each lane holds, and what it lost.
Table lane_table(const CaptureInput& input, const LaneTables& options) {
  std::vector<Row> rows, folded;
  const ThreadSums threads = thread_sums(input.get());
  for (NamedLanes& lanes : named_lanes(input, all_lanes(input), options.merge)) {
    Row row = {std::move(lanes), {}};
    for (const size_t lane : row.lanes.lanes) {
      row.sums.add(sums_of(input.get(), lane));
      row.sums.add(threads.lanes[lane]);
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
    const flamelet_lane_info info = lane_info(input.get(), row.lanes.lanes.front());
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

// The counters by name, with how many values each has, the last of them, the least and the most. The first `most` of them, and
// how many more there are. The lanes of fibers show again what stands on those of threads.
Table counter_table(const CaptureInput& input, size_t most) {
  struct Counter {
    uint64_t values = 0;
    int64_t last_at_ns = INT64_MIN;
    double last = 0, least = 0, greatest = 0;
  };
  const flamelet_capture* capture = input.get();
  const SavedTime saved(capture);
  std::map<std::string, Counter> counters;
  std::vector<flamelet_point> points(size_t{16} * FLAMELET_CURSOR_LEAST);
  for (const size_t lane : all_lanes(input)) {
    const flamelet_lane_info info = lane_info(capture, lane);
    if (info.kind == FLAMELET_LANE_FIBER && !flamelet_capture_is_imported(capture)) continue;
    flamelet_point_cursor cursor;
    flamelet_point_cursor_start(&cursor, capture, lane, saved.begin_ns, saved.end_ns, points.data(), points.size());
    while (flamelet_point_cursor_next(&cursor))
      for (size_t i = 0; i < cursor.count; ++i) {
        const flamelet_point& point = cursor.points[i];
        if (point.kind != FLAMELET_POINT_COUNTER) continue;
        Counter& counter = counters[std::string(view_of(flamelet_capture_string(capture, point.name)))];
        const bool is_first = counter.values++ == 0;
        counter.least = is_first ? point.value : std::fmin(counter.least, point.value);  // not of NaN
        counter.greatest = is_first ? point.value : std::fmax(counter.greatest, point.value);
        if (point.time_ns >= counter.last_at_ns) counter.last_at_ns = point.time_ns, counter.last = point.value;
      }
  }
  Table table;
  table.columns = {{"counter", "counter", ColumnKind::kName},
                   {"values", "values", ColumnKind::kCount},
                   {"last", "last", ColumnKind::kValue},
                   {"min", "min", ColumnKind::kValue, 1},
                   {"max", "max", ColumnKind::kValue, 1}};
  for (const auto& [name, counter] : counters) {
    if (table.rows.size() < most)
      table.rows.push_back({name, counter.values, counter.last, counter.least, counter.greatest});
  }
  if (counters.size() > most)
    table.rows.push_back({"… " + std::to_string(counters.size() - most) + " more", Cell::none(), Cell::none(),
                          Cell::none(), Cell::none()});
  return table;
}

// The scopes of each lane that had not ended when the capture did, from the outermost in: after a crash, where it happened.
// In the first `most` of such lanes, and how many more there are.
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
    const flamelet_lane_info info = lane_info(capture, lane);
    if (table.rows.size() < most)
      table.rows.push_back({std::string(view_of(info.name)), path});
    else
      ++more;
  }
  if (more != 0) table.rows.push_back({"… " + std::to_string(more) + " more", std::string()});
  return table;
}

// ---- the command

struct InfoOptions {
  InputOptions input;
  ReportOptions report;
  bool merge_lanes = false;
  bool all_lanes = false;

  // CSV and JSON have every lane.
  LaneTables lanes(ReportFormat format) const {
    constexpr size_t kMost = 32;
    return {merge_lanes, all_lanes || format != ReportFormat::kText ? SIZE_MAX : kMost};
  }
};

struct Frames {
  size_t count = 0;
  uint64_t first = 0, last = 0;
  size_t partial = 0, lossy = 0, untimed = 0;
  int64_t begin_ns = 0, end_ns = 0;
};

// Those of the window that the file was saved with.
Frames frames_of(const CaptureInput& input) {
  Frames frames;
  const Window window = window_of(input, {});
  frames.count = window.end_frame - window.first_frame;
  flamelet_frame_info frame;
  for (size_t i = window.first_frame; i < window.end_frame && flamelet_capture_frame(input.get(), i, &frame); ++i) {
    if (i == window.first_frame) {
      frames.first = frame.index;
      frames.begin_ns = frame.begin_ns;
    }
    frames.last = frame.index;
    frames.end_ns = frame.end_ns;
    frames.partial += (frame.flags & FLAMELET_FRAME_PARTIAL) != 0;
    frames.lossy += (frame.flags & FLAMELET_FRAME_LOSSY) != 0;
    frames.untimed += (frame.flags & FLAMELET_FRAME_TIMES_DROPPED) != 0;
  }
  return frames;
}

const char* clock_name(flamelet_clock_kind kind) {
  constexpr const char* kNames[] = {"none", "CPU time stamp counter", "ARM virtual counter",
                                    "operating system's monotonic clock", "the program's own"};
  const size_t at = static_cast<size_t>(kind);
  return at < std::size(kNames) ? kNames[at] : "unknown";
}

// "2026-03-01 14:05:09 UTC"; "" if it is not known.
std::string date_text(uint64_t unix_ns) {
  const std::time_t seconds = static_cast<std::time_t>(unix_ns / 1000000000);
  std::array<char, 64> text = {};
  const std::tm* date = unix_ns == 0 ? nullptr : std::gmtime(&seconds);
  if (date == nullptr) return "";
  const size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", date);
  return {text.data(), size};
}

std::string line(const char* name, const std::string& value) {
  return left(name, 10) + value + "\n";
}

flamelet_flow_counts flows_of(const flamelet_capture* capture) {
  const SavedTime saved(capture);
  std::vector<flamelet_flow> flows(flamelet_capture_count_flows(capture, saved.begin_ns, saved.end_ns));
  flamelet_capture_read_flows(capture, saved.begin_ns, saved.end_ns, flows.data(), flows.size(), nullptr);
  flamelet_flow_counts counts;
  flamelet_count_flows(flows.data(), flows.size(), &counts);
  return counts;
}

// "frame 206, 2026-03-01 14:05:09 UTC: scope over budget (8.0 ms), Physics"
std::string trigger_text(const flamelet_flight_info& flight) {
  std::string text = "frame " + std::to_string(flight.frame.index) + ", " + date_text(flight.unix_ns) + ": " +
                     flamelet_flight_cause_name(flight.cause);
  if (flight.limit_ns > 0) text += " (" + fixed(static_cast<double>(flight.limit_ns) / 1e6, 1) + " ms)";
  return flight.text[0] == 0 ? text : text + ", " + printable(flight.text);
}

// "of threads recorded: 12345 switches here, 0 lost, 99 evicted"
std::string states_text(const flamelet_capture_stats& stats) {
  const std::string text = std::string("of threads ") + flamelet_thread_states_message(stats.thread_states);
  if (stats.thread_states != FLAMELET_THREAD_STATES_RECORDED) return text;
  return text + ": " + std::to_string(stats.switches_held) + " switches here, " + std::to_string(stats.switches_lost) +
         " lost, " + std::to_string(stats.switches_evicted) + " evicted";
}

// "12, 1 without an end"
std::string intervals_text(const flamelet_capture* capture, uint64_t dropped) {
  const SavedTime saved(capture);
  std::vector<flamelet_interval> intervals(
      flamelet_capture_read_intervals(capture, saved.begin_ns, saved.end_ns, nullptr, 0));
  flamelet_capture_read_intervals(capture, saved.begin_ns, saved.end_ns, intervals.data(), intervals.size());
  size_t open = 0, missing = 0;
  for (const flamelet_interval& interval : intervals) {
    open += (interval.flags & FLAMELET_SPAN_OPEN) != 0;
    missing += (interval.flags & FLAMELET_SPAN_MISSING_BEGIN) != 0;
  }
  if (intervals.empty() && dropped == 0) return "";
  std::string text = std::to_string(intervals.size());
  if (open != 0) text += ", " + std::to_string(open) + " without an end";
  if (missing != 0) text += ", " + std::to_string(missing) + " without a begin";
  if (dropped != 0) text += ", " + std::to_string(dropped) + " older ones were dropped (max_intervals)";
  return text;
}

// Site 0 stands for those without room, and for none that a program has.
size_t scope_count(const flamelet_capture* capture) {
  const size_t sites = flamelet_capture_site_count(capture);
  return sites - (sites != 0);
}

// "27.794 s to 56.425 s (28.631 s)"
std::string stretch_text(int64_t begin_ns, int64_t end_ns) {
  return duration_text(static_cast<double>(begin_ns)) + " to " + duration_text(static_cast<double>(end_ns)) + " (" +
         duration_text(length_ns(begin_ns, end_ns)) + ")";
}

bool is_damaged(const CaptureInput& input) {
  return !input.damage().empty() && input.load_report().damaged_before == 0;
}

// On pages that are damaged or missing; 0: none, or it is not known how many.
uint64_t events_missing(const CaptureInput& input, const flamelet_capture_stats& stats) {
  int64_t begin_ns, end_ns;
  if (flamelet_capture_window(input.get(), &begin_ns, &end_ns)) return 0;
  const uint64_t kept = stats.events_held + stats.events_evicted;
  uint64_t of_lanes = 0;  // their frame marks and switches are not among these
  flamelet_lane_info lane;
  for (size_t i = 0; flamelet_capture_lane(input.get(), i, &lane); ++i) of_lanes += lane.events_read;
  return is_damaged(input) && of_lanes > kept && of_lanes <= stats.events_read ? of_lanes - kept : 0;
}

// "63527 here and 201 frame marks; 63728 were read, 0 overwritten before that, 0 evicted after it". What was read is here, or
// evicted, or a frame mark, or a switch of a thread, or on a page that is damaged or missing.
std::string events_text(const CaptureInput& input, const flamelet_capture_stats& stats, size_t frame_count) {
  int64_t begin_ns, end_ns;
  if (flamelet_capture_window(input.get(), &begin_ns, &end_ns))
    return std::to_string(stats.events_held) + " on the pages that its time touches, and " +
           counted(frame_count, "frame mark", "frame marks") + "; " + std::to_string(stats.events_lost) +
           " overwritten before they were read";
  const uint64_t kept = stats.events_held + stats.events_evicted, missing = events_missing(input, stats);
  const uint64_t marks = stats.events_read > kept + missing ? stats.events_read - kept - missing : 0;
  // Of a thread whose pages were all being overwritten, nobody knows how many it had.
  const bool is_least = input.load_report().pages_refused != 0;
  const std::string others = is_damaged(input) && missing == 0 && marks != 0
                                 ? std::to_string(marks) + " frame marks, switches or damaged"
                             : stats.switches_held == 0 ? counted(marks, "frame mark", "frame marks")
                                                        : std::to_string(marks) + " frame marks and switches";
  return std::to_string(stats.events_held) + " here" +
         (missing != 0 ? ", " + std::to_string(missing) + " damaged or missing" : "") + " and " + others + "; " +
         std::to_string(stats.events_read) + " were read, " + (is_least ? "at least " : "") +
         std::to_string(stats.events_lost) + " overwritten before that, " + std::to_string(stats.events_evicted) +
         " evicted after it";
}

std::string info_text(const CaptureInput& input, const LaneTables& lane_options, size_t width) {
  const flamelet_capture* capture = input.get();
  const flamelet_clock clock = flamelet_capture_clock(capture);
  const Frames frames = frames_of(input);
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);

  std::string text = line("file", input.name()) + line("format", input.format());
  const std::string date = date_text(clock.origin_unix_ns);
  if (!date.empty()) text += line("recorded", date);
  const std::string build = flamelet_capture_build(capture).text, note = flamelet_capture_note(capture).text;
  if (!build.empty()) text += line("built", printable(build));
  if (!note.empty()) text += line("note", printable(note));
  const std::string off = flamelet_capture_categories_off(capture).text;
  if (!off.empty()) text += line("off", printable(off) + " (categories that were not recorded, or not all the time)");
  text += line("clock", std::string(clock_name(clock.kind)) + ", " + fixed(clock.ticks_per_second / 1e6, 3) + " MHz" +
                            (clock.rate_is_final ? "" : " (rate not final)"));
  int64_t begin_ns = 0, end_ns = 0;
  if (time_of(capture, &begin_ns, &end_ns)) {
    const std::string all = stretch_text(begin_ns, end_ns);
    uint64_t astray = 0;
    const bool is_split = flamelet_capture_main_extent(capture, &begin_ns, &end_ns, &astray) && astray != 0 &&
                          begin_ns != end_ns;  // of a damaged file, many times may be the same bad one
    text += line("time", is_split ? stretch_text(begin_ns, end_ns) : all);
    if (is_split)
      text += line("", counted(astray, "event lies", "events lie") + " elsewhere; with " +
                           (astray == 1 ? "it " : "them ") + all);
  }
  if (frames.count == 0) {
    text += line("frames", "none that is complete");
    const std::string choices = frames_of_choices(capture);
    if (!choices.empty()) text += line("", "options take something else for frames:" + choices);
  } else {
    const Window window = window_of(input, {});
    const FrameLengths lengths = frame_lengths(capture, window);
    text += line("frames", std::to_string(frames.count) + ", from " + std::to_string(frames.first) + " to " +
                               std::to_string(frames.last) + ", " + lengths_text(lengths));
    if (window.start_ns != 0) text += line("", start_text(window));
    if (lengths.unknown != 0) text += line("", unknown_text(lengths) + " of these");
    if (frames.partial != 0 || frames.lossy != 0)
      text += line("", std::to_string(frames.partial) + " partial, " + std::to_string(frames.lossy) + " with losses");
  }
  if (stats.frames_dropped != 0)
    text += line("", std::to_string(stats.frames_dropped) + " older ones were dropped (max_frames)");
  if (frames.untimed != 0)
    text +=
        line("", std::to_string(frames.untimed) + " without times of threads, which were dropped (max_thread_times)");
  flamelet_flight_info flight;
  if (flamelet_flight_of_capture(capture, &flight)) text += line("triggered", trigger_text(flight));
  const bool is_full = scope_count(capture) == FLAMELET_MAX_SITES;
  text += line("scopes", counted(scope_count(capture), "site", "sites") +
                             (is_full ? ", the most; others have a name alone" : ""));
  if (stats.thread_states != FLAMELET_THREAD_STATES_OFF) text += line("states", states_text(stats));
  text += line("events", events_text(input, stats, frames.count));
  const std::string drops = drops_text(capture);
  if (!drops.empty()) text += line("dropped", drops);
  flamelet_capture_dropped dropped;
  flamelet_capture_get_dropped(capture, &dropped);
  if (dropped.submit_waiting != 0)
    text += line("waiting", counted(dropped.submit_waiting, "begin or end", "begins or ends") +
                                " of GPU passes or other submitted scopes had no partner in the end");
  const flamelet_flow_counts flows = flows_of(capture);
  if (flows.begins + flows.ends != 0)
    text += line("flows", std::to_string(flows.begins) + " begun, " + std::to_string(flows.ends) + " ends; " +
                              std::to_string(flows.open) + " never ended (" + std::to_string(flows.begun_again) +
                              " begun again), " + counted(flows.missing_begins, "end", "ends") + " without a begin");
  const std::string intervals = intervals_text(capture, stats.intervals_dropped);
  if (!intervals.empty()) text += line("intervals", intervals);
  // An import only touches what it fills.
  text += line("memory", counted(stats.pages_held, "page", "pages") + ", " +
                             (input.is_import()
                                  ? bytes_text(stats.used_bytes) + ", with room for " + bytes_text(stats.budget_bytes)
                                  : bytes_text(stats.budget_bytes) + " when loaded"));
  if (stats.missing_ends != 0 || stats.extra_ends != 0 || stats.bad_words != 0 || stats.names_missing != 0)
    text += line("repaired", std::to_string(stats.missing_ends) + " missing ends, " + std::to_string(stats.extra_ends) +
                                 " extra ends, " + std::to_string(stats.bad_words) + " bad words, " +
                                 std::to_string(stats.names_missing) + " names without room");
  const std::string doubts = doubts_text(capture);
  if (!doubts.empty()) text += line("ignored", doubts);
  if (!input.left_out().empty()) text += line("left out", input.left_out());
  if (!input.repairs().empty()) text += line("repaired", input.repairs());
  text += line("damage", input.damage().empty() ? "none" : input.damage());
  const Table lanes = lane_table(input, lane_options);
  if (!lanes.rows.empty()) text += "\n" + lanes.text(width);
  const ThreadSums threads = thread_sums(capture);
  if (threads.known_frames != 0 && threads.known_frames < threads.frames)
    text += "(how long threads ran, or had no processor, is known of " + std::to_string(threads.known_frames) + " of " +
            counted(threads.frames, "frame", "frames") + ")\n";
  if (lanes.rows.size() > lane_options.most)
    text += "(--all-lanes lists every lane, --merge-lanes those of a name as one)\n";
  const Table counters = counter_table(input, lane_options.most);
  if (!counters.rows.empty()) text += "\n" + counters.text(width);
  const Table open = open_table(input, lane_options.most);
  return open.rows.empty() ? text : text + "\n" + open.text(width);
}

void put_load(JsonWriter* json, const flamelet_load_report& report) {
  json->begin_object("load");
  json->count("format_version", report.format_version);
  json->count("file_bytes", report.file_bytes);
  json->boolean("truncated", report.truncated);
  json->count("chunks_damaged", report.chunks_damaged);
  json->count("chunks_unknown", report.chunks_unknown);
  json->count("pages_refused", report.pages_refused);
  json->count("entries_refused", report.entries_refused);
  json->count("duplicates", report.duplicates);
  json->count("damaged_before", report.damaged_before);
  json->end_object();
}

void put_import(JsonWriter* json, const flamelet_import_report& report) {
  json->begin_object("import");
  json->count("bytes", report.bytes);
  json->boolean("gzip", report.gzip);
  json->boolean("truncated", report.truncated);
  json->boolean("gzip_damaged", report.gzip_damaged);
  json->count("spans_open", report.spans_open);
  json->count("spans_beside", report.spans_beside);
  json->count("spans_cut", report.spans_cut);
  json->count("times_clamped", report.times_clamped);
  json->count("times_too_far", report.times_too_far);
  json->count("texts_repaired", report.texts_repaired);
  json->count("texts_unknown", report.texts_unknown);
  json->count("ends_extra", report.ends_extra);
  json->count("packets_lost", report.packets_lost);
  json->count("packets_unusable", report.packets_unusable);
  json->count("chunks_lost", report.chunks_lost);
  json->count("events_unclocked", report.events_unclocked);
  json->count("unknown_clock", report.unknown_clock);
  json->count("machines_apart", report.machines_apart);
  json->count("events_damaged", report.events_damaged);
  json->text("first_damaged", report.first_damaged);
  json->count("args_left_out", report.args_left_out);
  json->count("values_left_out", report.values_left_out);
  json->count("events_unsupported", report.events_unsupported);
  json->count("events_over_limits", report.events_over_limits);
  json->count("events_evicted", report.events_evicted);
  json->end_object();
}

std::string info_json(const CaptureInput& input, const LaneTables& lane_options) {
  const flamelet_capture* capture = input.get();
  const flamelet_clock clock = flamelet_capture_clock(capture);
  const Frames frames = frames_of(input);
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  JsonWriter json;
  json.text("file", input.name());
  json.text("format", input.format());
  json.text("build", flamelet_capture_build(capture).text);
  json.text("note", flamelet_capture_note(capture).text);
  json.text("categories_off", flamelet_capture_categories_off(capture).text);
  json.begin_object("clock");
  json.text("kind", clock_name(clock.kind));
  json.number("ticks_per_second", clock.ticks_per_second);
  json.count("origin_unix_ns", clock.origin_unix_ns);
  json.end_object();
  int64_t begin_ns = 0, end_ns = 0;
  if (time_of(capture, &begin_ns, &end_ns)) {
    json.integer("begin_ns", begin_ns);
    json.integer("end_ns", end_ns);
  }
  uint64_t astray = 0;
  if (flamelet_capture_main_extent(capture, &begin_ns, &end_ns, &astray) && astray != 0) {
    json.begin_object("most_events");
    json.integer("begin_ns", begin_ns);
    json.integer("end_ns", end_ns);
    json.count("events_elsewhere", astray);
    json.end_object();
  }
  json.begin_object("frames");
  json.count("count", frames.count);
  if (frames.count != 0) {
    json.count("first", frames.first);
    json.count("last", frames.last);
    json.integer("begin_ns", frames.begin_ns);
    json.integer("end_ns", frames.end_ns);
  }
  json.count("partial", frames.partial);
  json.count("lossy", frames.lossy);
  json.count("times_dropped", frames.untimed);
  json.count("times_known", thread_sums(capture).known_frames);
  json.end_object();
  flamelet_flight_info flight;
  if (flamelet_flight_of_capture(capture, &flight)) {
    json.begin_object("trigger");
    json.count("frame", flight.frame.index);
    json.text("cause", flamelet_flight_cause_name(flight.cause));
    json.text("text", flight.text);
    json.integer("limit_ns", flight.limit_ns);
    json.count("unix_ns", flight.unix_ns);
    json.end_object();
  }
  json.count("sites", scope_count(capture));
  json.count("events_held", stats.events_held);
  json.count("events_read", stats.events_read);
  json.count("events_lost", stats.events_lost);
  json.count("events_evicted", stats.events_evicted);
  json.count("events_missing", events_missing(input, stats));
  flamelet_capture_dropped dropped;
  flamelet_capture_get_dropped(capture, &dropped);
  json.begin_object("dropped");
  json.count("no_track", dropped.dropped_no_track);
  json.count("no_page", dropped.dropped_no_page);
  json.count("depth", dropped.dropped_depth);
  json.count("nested", dropped.dropped_nested);
  json.count("fiber", dropped.dropped_fiber);
  json.count("frame", dropped.dropped_frame);
  json.count("submit", dropped.dropped_submit);
  json.count("strings_overflowed", dropped.strings_overflowed);
  json.count("sites_overflowed", dropped.sites_overflowed);
  json.end_object();
  json.count("submit_cut", dropped.submit_cut);
  json.count("submit_waiting", dropped.submit_waiting);
  json.count("missing_ends", stats.missing_ends);
  json.count("extra_ends", stats.extra_ends + dropped.extra_ends);
  json.count("fiber_misuse", dropped.fiber_misuse);
  json.count("bad_words", stats.bad_words);
  json.count("names_missing", stats.names_missing);
  json.count("frames_dropped", stats.frames_dropped);
  json.count("thread_times_dropped", stats.thread_times_dropped);
  const SavedTime saved(capture);
  json.count("intervals", flamelet_capture_read_intervals(capture, saved.begin_ns, saved.end_ns, nullptr, 0));
  json.count("intervals_dropped", stats.intervals_dropped);
  json.count("named_frames_dropped", stats.named_frames_dropped);
  if (stats.thread_states != FLAMELET_THREAD_STATES_OFF) {
    json.text("thread_states", flamelet_thread_states_message(stats.thread_states));
    json.count("switches_held", stats.switches_held);
    json.count("switches_lost", stats.switches_lost);
    json.count("switches_evicted", stats.switches_evicted);
  }
  const flamelet_flow_counts flows = flows_of(capture);
  json.begin_object("flows");
  json.count("begins", flows.begins);
  json.count("ends", flows.ends);
  json.count("open", flows.open);
  json.count("begun_again", flows.begun_again);
  json.count("missing_begins", flows.missing_begins);
  json.end_object();
  json.count("pages", stats.pages_held);
  json.count("memory_bytes", input.is_import() ? stats.used_bytes : stats.budget_bytes);
  json.count("memory_limit_bytes", stats.budget_bytes);
  json.text("damage", input.damage());
  if (input.is_import())
    put_import(&json, input.import_report());
  else
    put_load(&json, input.load_report());
  lane_table(input, lane_options).json(&json, "lanes");
  counter_table(input, lane_options.most).json(&json, "counters");
  open_table(input, lane_options.most).json(&json, "open_at_end");
  return json.take();
}

int run(const InfoOptions& options) {
  InputOptions lenient = options.input;
  lenient.strict = false;  // what is damaged is what this command is about
  const CaptureInput input(lenient);
  const LaneTables lanes = options.lanes(options.report.format());
  put_report(
      options.report, [&] { return lane_table(input, lanes).csv(); }, [&] { return info_json(input, lanes); },
      [&](size_t width) { return info_text(input, lanes, width); });
  return options.input.strict && !input.damage().empty() ? kExitInput : kExitDone;
}

}  // namespace

void add_info_command(Command* program) {
  const auto options = std::make_shared<InfoOptions>();
  Command info = program->add_command("info", "What is in a capture: lanes, counters, time, losses");
  info.footer(
      "Events are begins, ends, instants, counter values, switches and ends of fibers, both ends of\n"
      "flows, and marks of named frames. Lost events were overwritten before they were read. If\n"
      "there are many lanes, those that were quiet in the end, and then those with the fewest spans, share one row.\n"
      "--csv has the lanes only, but all of them.\n\n"
      "Examples:\n"
      "  flamelet info game.flamelet\n"
      "  flamelet info game.flamelet --json | jq .frames.count\n"
      "  flamelet info crash.flamelet --strict || echo damaged");
  add_input_options(&info, &options->input);
  const Option all = info.flag("--all-lanes", &options->all_lanes, "A row for every lane, however many");
  info.flag("--merge-lanes", &options->merge_lanes, "One row for all lanes of the same kind and name").excludes(all);
  add_report_options(&info, &options->report);
  info.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
