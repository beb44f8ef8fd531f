// SPDX-License-Identifier: MIT
//
// export.cpp: the calls of export.h: arguments, files, and the way from an exporter to the caller's sink.
#include "flamelet/export.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string_view>
#include <unordered_set>

#include "exporter.h"
#include "flamelet/detail/text.h"
#include "platform/file.h"

using namespace flamelet::formats;

namespace {

constexpr uint32_t kCookie = 0xF1A3E587;

bool write_file(void* user, const void* data, size_t size) {
  return static_cast<flamelet::NewFile*>(user)->write(data, size);
}

}  // namespace

flamelet_export_options flamelet_export_options_default(void) {
  flamelet_export_options options = {};
  options.cookie = kCookie;
  options.begin_ns = INT64_MIN;
  options.end_ns = INT64_MAX;
  options.process_name = "program";
  return options;
}

flamelet_result flamelet_export(const flamelet_capture* capture, flamelet_export_format format,
                                const flamelet_export_options* options, flamelet_sink sink,
                                flamelet_export_report* report) {
  const flamelet_export_options defaults = flamelet_export_options_default();
  if (options == nullptr) options = &defaults;
  flamelet_export_report ignored;
  if (report == nullptr) report = &ignored;
  *report = {};
  if (capture == nullptr || sink.write == nullptr || options->cookie != kCookie || options->process_name == nullptr ||
      static_cast<unsigned>(format) >= FLAMELET_EXPORT_FORMAT_COUNT)
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  return write_to(sink, options->gzip || kFormats[format].info.always_gzip, report, [&](Output& out) {
    Export job = {capture, options->begin_ns, options->end_ns, options->process_name, out, *report};
    kFormats[format].write(job);
  });
}

flamelet_result flamelet_export_file(const flamelet_capture* capture, flamelet_export_format format,
                                     const flamelet_export_options* options, const char* path,
                                     flamelet_export_report* report) {
  if (path == nullptr || *path == 0) return FLAMELET_ERROR_INVALID_ARGUMENT;
  flamelet::NewFile file;
  if (!file.open(path)) return FLAMELET_ERROR_FILE_OPEN;
  const flamelet_result result = flamelet_export(capture, format, options, {write_file, &file}, report);
  if (result == FLAMELET_OK && !file.commit()) return FLAMELET_ERROR_FILE_WRITE;
  return result;
}

namespace flamelet::formats {

std::vector<flamelet_interval> read_intervals(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  std::vector<flamelet_interval> intervals(flamelet_capture_read_intervals(capture, begin_ns, end_ns, nullptr, 0));
  const size_t count = flamelet_capture_read_intervals(capture, begin_ns, end_ns, intervals.data(), intervals.size());
  intervals.resize(std::min(count, intervals.size()));
  return intervals;
}

std::vector<flamelet_flow> read_flows(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  std::vector<flamelet_flow> flows(flamelet_capture_count_flows(capture, begin_ns, end_ns));
  size_t count = 0;
  flamelet_capture_read_flows(capture, begin_ns, end_ns, flows.data(), flows.size(), &count);
  flows.resize(std::min(count, flows.size()));
  return flows;
}

bool is_last_end(const std::vector<flamelet_flow>& flows, size_t i) {
  const bool ends = (flows[i].flags & FLAMELET_FLOW_IS_END) != 0;
  return ends &&
         (flows[i].begin == FLAMELET_NO_PARENT || i + 1 == flows.size() || flows[i + 1].begin != flows[i].begin);
}

std::vector<flamelet_frame_info> read_frames(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  std::vector<flamelet_frame_info> frames;
  for (size_t i = 0; i < flamelet_capture_frame_count(capture); ++i) {
    flamelet_frame_info frame;
    flamelet_capture_frame(capture, i, &frame);
    // One of no length may stand at an edge.
    if ((frame.end_ns > begin_ns || frame.begin_ns >= begin_ns) && (frame.begin_ns < end_ns || frame.end_ns <= end_ns))
      frames.push_back(frame);
  }
  return frames;
}

std::string thread_times_text(const flamelet_capture* capture, uint64_t frame) {
  const size_t position = flamelet_capture_find_frame(capture, frame);
  std::vector<flamelet_thread_time> times(flamelet_capture_read_thread_times(capture, position, nullptr, 0));
  flamelet_capture_read_thread_times(capture, position, times.data(), times.size());
  std::string text;
  for (const flamelet_thread_time& time : times) {
    const auto add = [&](uint32_t what, uint64_t value) {
      text += (time.known & what) != 0 ? ' ' + std::to_string(value) : " -";
    };
    text += (text.empty() ? "" : ";") + std::to_string(time.lane + 1);
    add(FLAMELET_TIME_RAN, static_cast<uint64_t>(time.ran_ns));
    add(FLAMELET_TIME_READY, static_cast<uint64_t>(time.ready_ns));
    add(FLAMELET_TIME_SWITCHES, time.switches);
    add(FLAMELET_TIME_MAJOR_FAULTS, time.major_faults);
    add(FLAMELET_TIME_MINOR_FAULTS, time.minor_faults);
  }
  return text;
}

std::vector<FrameTrack> read_frame_sets(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                        flamelet_export_report* report) {
  std::vector<uint32_t> sets(flamelet_capture_frame_sets(capture, nullptr, 0));
  flamelet_capture_frame_sets(capture, sets.data(), sets.size());
  std::sort(sets.begin(), sets.end(), [capture](uint32_t a, uint32_t b) {
    return view(flamelet_capture_string(capture, a)) < view(flamelet_capture_string(capture, b));
  });
  std::vector<FrameTrack> tracks;
  std::unordered_set<std::string> names;
  for (const uint32_t set : sets) {
    FrameTrack track;
    track.frames.resize(flamelet_capture_read_frames(capture, set, begin_ns, end_ns, nullptr, 0));
    flamelet_capture_read_frames(capture, set, begin_ns, end_ns, track.frames.data(), track.frames.size());
    if (track.frames.empty()) continue;
    int64_t now_ns = INT64_MIN;
    for (flamelet_frame_info& frame : track.frames) {
      frame.begin_ns = std::max(frame.begin_ns, now_ns);
      frame.end_ns = now_ns = std::max(frame.end_ns, frame.begin_ns);
    }
    report->texts_repaired += !append_utf8(view(flamelet_capture_string(capture, set)), &track.name);
    // Names that are the same once they are UTF-8 get numbers.
    const std::string name = track.name;
    for (int number = 2; !names.insert(track.name).second; ++number)
      track.name = "(" + std::to_string(number) + ") " + name;
    tracks.push_back(std::move(track));
  }
  std::sort(tracks.begin(), tracks.end(), [](const FrameTrack& a, const FrameTrack& b) { return a.name < b.name; });
  return tracks;
}

int64_t earliest_ns(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  int64_t earliest = INT64_MAX;
  LaneStream<ReadSpans> spans(capture);
  LaneStream<ReadPoints> points(capture);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    spans.start(lane, begin_ns, end_ns);
    if (const flamelet_span* span = spans.next()) earliest = std::min(earliest, span->begin_ns);
    points.start(lane, begin_ns, end_ns);
    if (const flamelet_point* point = points.next()) earliest = std::min(earliest, point->time_ns);
  }
  for (const flamelet_interval& interval : read_intervals(capture, begin_ns, end_ns))
    earliest = std::min(earliest, interval.begin_ns);
  for (const flamelet_flow& flow : read_flows(capture, begin_ns, end_ns)) earliest = std::min(earliest, flow.time_ns);
  flamelet_export_report ignored = {};
  std::vector<FrameTrack> tracks = read_frame_sets(capture, begin_ns, end_ns, &ignored);
  tracks.push_back({"", read_frames(capture, begin_ns, end_ns)});
  for (const FrameTrack& track : tracks)
    if (!track.frames.empty()) earliest = std::min(earliest, track.frames.front().begin_ns);
  return earliest == INT64_MAX ? 0 : earliest;
}

// ---- format table

void export_chrome(Export& job);
void export_pprof(Export& job);
void export_speedscope(Export& job);
void export_collapsed(Export& job);
void export_perfetto(Export& job);

// In the order of flamelet_export_format.
constexpr Format kRows[] = {
    {{"chrome", {".json", ".trace.json"}, "DevTools, ui.perfetto.dev, speedscope, Tracy", false}, export_chrome},
    {{"pprof", {".pb", ".pprof"}, "go tool pprof, Pyroscope, Parca", true}, export_pprof},
    {{"speedscope", {".speedscope.json", nullptr}, "speedscope", false}, export_speedscope},
    {{"collapsed", {".folded", ".collapsed"}, "flamegraph.pl, inferno, speedscope", false}, export_collapsed},
    {{"perfetto", {".perfetto-trace", ".pftrace"}, "ui.perfetto.dev, trace_processor", false}, export_perfetto},
};
static_assert(std::size(kRows) == FLAMELET_EXPORT_FORMAT_COUNT, "each format has its row");

const Format* const kFormats = kRows;

}  // namespace flamelet::formats

using namespace flamelet::formats;

const flamelet_export_format_info* flamelet_export_format_get_info(int format) {
  return static_cast<unsigned>(format) < std::size(kRows) ? &kRows[format].info : nullptr;
}

// The longest end that fits: .speedscope.json and not .json.
bool flamelet_export_format_of_path(const char* path, flamelet_export_format* format, bool* gzip) {
  if (path == nullptr || format == nullptr || gzip == nullptr) return false;
  std::string_view name(path);
  const auto ends_with = [&](std::string_view end) {
    return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
  };
  *gzip = ends_with(".gz");
  if (*gzip) name.remove_suffix(3);
  size_t longest = 0;
  for (size_t row = 0; row < std::size(kRows); ++row) {
    for (const char* end : kRows[row].info.name_ends) {
      const size_t size = end == nullptr ? 0 : std::string_view(end).size();
      if (size <= longest || !ends_with(end)) continue;
      longest = size;
      *format = static_cast<flamelet_export_format>(row);
    }
  }
  return longest != 0;
}

namespace flamelet::formats {

// ---- Call paths ---------------------------------------------------------------------------------------------------

void CallPaths::read(size_t lane, LaneStream<ReadSpans>& spans) {
  paths_.assign(1, CallPath{0, 0, 0, 0});
  children_.clear();
  open_.clear();
  NestedSpans<CallPaths> nested(*this);
  spans.start(lane, job_.begin_ns, job_.end_ns);
  while (const flamelet_span* span = spans.next()) nested.add(*span);
  nested.finish();
  job_.report.spans_clamped += nested.clamped();
}

void CallPaths::begin(const flamelet_span& span, size_t depth) {
  bool added;
  const uint32_t scope = scopes_.number(span.site, span.name, &added);
  open_.resize(depth);
  const uint32_t parent = depth == 0 ? 0 : open_.back();
  uint32_t path = parent;
  if (const auto known = children_.find(uint64_t{parent} << 32 | scope); known != children_.end()) {
    path = known->second;
  } else if (paths_.size() < kMaxPaths) {
    path = static_cast<uint32_t>(paths_.size());
    paths_.push_back({parent, scope, 0, 0});
    children_.emplace(uint64_t{parent} << 32 | scope, path);
  } else {
    ++job_.report.paths_dropped;
  }
  open_.push_back(path);
  ++job_.report.spans;
  // Of a span that reaches out of the window, the rest has its children elsewhere.
  const int64_t duration_ns =
      std::max<int64_t>(std::min(span.end_ns, job_.end_ns) - std::max(span.begin_ns, job_.begin_ns), 0);
  const bool begins = span.begin_ns >= job_.begin_ns && (span.flags & FLAMELET_SPAN_RESUMED) == 0;
  if (path != parent && begins) ++paths_[path].calls;
  paths_[path].self_ns += duration_ns;
  if (depth != 0) paths_[parent].self_ns -= duration_ns;
}

// ---- text

namespace {

// Walks over `text` and hands each ASCII character to `ascii`; whole sequences and replacements are appended.
template <class Ascii>
bool append_with(std::string_view text, std::string* to, Ascii ascii) {
  bool whole = true;
  size_t room = kMaxTextBytes;
  for (size_t at = 0; at < text.size();) {
    const size_t size = utf8_sequence_bytes(text.substr(at));
    const size_t written = size != 0 ? size : kReplacement.size();
    if (written > room) return false;
    room -= written;
    whole = whole && size != 0;
    if (size == 1) {
      ascii(text[at]);
    } else {
      to->append(size != 0 ? text.substr(at, size) : kReplacement);
    }
    at += size != 0 ? size : 1;
  }
  return whole;
}

}  // namespace

bool append_utf8(std::string_view text, std::string* to) {
  return append_with(text, to, [to](char c) { to->push_back(c); });
}

bool append_json_string(std::string_view text, std::string* to) {
  to->push_back('"');
  const bool whole =
      append_with(text, to, [to](char c) { to->append(JsonCharacter(static_cast<unsigned char>(c)).view()); });
  to->push_back('"');
  return whole;
}

bool append_collapsed_frame(std::string_view text, std::string* to) {
  return append_with(text, to, [to](char c) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    to->push_back(c == ';' ? ':' : control ? ' ' : c);
  });
}

}  // namespace flamelet::formats
