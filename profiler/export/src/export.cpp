// SPDX-License-Identifier: MIT
//
// export.cpp: the calls of export.h: arguments, files, and the way from an exporter to the caller's sink.
#include "flamelet/export.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include "exporter.h"
#include "gzip_stage.h"

using namespace flamelet::formats;

namespace {

constexpr uint32_t kCookie = 0xF1A3E587;

flamelet_result run(const flamelet_capture* capture, flamelet_export_format format,
                    const flamelet_export_options& options, flamelet_export_sink sink, flamelet_export_report& report) {
  static void (*const exporters[FLAMELET_EXPORT_FORMAT_COUNT])(Export&) = {
      export_chrome, export_pprof, export_speedscope, export_collapsed, export_perfetto};
  SinkStage last(sink);
  GzipStage gzip(last);
  Stage* first = &last;
  if (options.gzip || format == FLAMELET_EXPORT_PPROF) first = &gzip;
  Output out(*first);
  Export job = {capture, options.begin_ns, options.end_ns, out, report};
  exporters[format](job);
  const bool whole = out.finish();
  report.bytes = last.bytes();
  return whole ? FLAMELET_OK : FLAMELET_ERROR_FILE_WRITE;
}

bool write_file(void* user, const void* data, size_t size) {
  const int file = *static_cast<const int*>(user);
  const char* at = static_cast<const char*>(data);
  while (size != 0) {
    const ssize_t written = ::write(file, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

flamelet_export_options flamelet_export_options_default(void) {
  flamelet_export_options options = {};
  options.cookie = kCookie;
  options.begin_ns = INT64_MIN;
  options.end_ns = INT64_MAX;
  return options;
}

flamelet_result flamelet_export(const flamelet_capture* capture, flamelet_export_format format,
                                const flamelet_export_options* options, flamelet_export_sink sink,
                                flamelet_export_report* report) {
  const flamelet_export_options defaults = flamelet_export_options_default();
  if (options == nullptr) options = &defaults;
  flamelet_export_report ignored;
  if (report == nullptr) report = &ignored;
  *report = {};
  if (capture == nullptr || sink.write == nullptr || options->cookie != kCookie ||
      static_cast<unsigned>(format) >= FLAMELET_EXPORT_FORMAT_COUNT)
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  try {
    return run(capture, format, *options, sink, *report);
  } catch (const std::bad_alloc&) {
    return FLAMELET_ERROR_OUT_OF_MEMORY;
  }
}

flamelet_result flamelet_export_file(const flamelet_capture* capture, flamelet_export_format format,
                                     const flamelet_export_options* options, const char* path,
                                     flamelet_export_report* report) {
  if (path == nullptr || *path == 0) return FLAMELET_ERROR_INVALID_ARGUMENT;
  try {
    std::string temporary = std::string(path) + ".XXXXXX";
    int file = mkostemp(temporary.data(), O_CLOEXEC);  // O_EXCL and 0600 by itself
    if (file < 0) return FLAMELET_ERROR_FILE_OPEN;
    flamelet_result result = flamelet_export(capture, format, options, {write_file, &file}, report);
    if (result == FLAMELET_OK && fsync(file) != 0) result = FLAMELET_ERROR_FILE_WRITE;
    if (close(file) != 0 && result == FLAMELET_OK) result = FLAMELET_ERROR_FILE_WRITE;
    if (result == FLAMELET_OK && rename(temporary.c_str(), path) != 0) result = FLAMELET_ERROR_FILE_WRITE;
    if (result != FLAMELET_OK) unlink(temporary.c_str());
    return result;
  } catch (const std::bad_alloc&) {
    return FLAMELET_ERROR_OUT_OF_MEMORY;
  }
}

bool flamelet_export_format_of_path(const char* path, flamelet_export_format* format, bool* gzip) {
  if (path == nullptr || format == nullptr || gzip == nullptr) return false;
  std::string_view name(path);
  *gzip = ends_with(name, ".gz");
  if (*gzip) name.remove_suffix(3);
  static constexpr struct {
    std::string_view end;
    flamelet_export_format format;
  } kEnds[] = {{".speedscope.json", FLAMELET_EXPORT_SPEEDSCOPE},
               {".json", FLAMELET_EXPORT_CHROME},
               {".pprof", FLAMELET_EXPORT_PPROF},
               {".pb", FLAMELET_EXPORT_PPROF},
               {".folded", FLAMELET_EXPORT_COLLAPSED},
               {".collapsed", FLAMELET_EXPORT_COLLAPSED},
               {".pftrace", FLAMELET_EXPORT_PERFETTO},
               {".perfetto-trace", FLAMELET_EXPORT_PERFETTO}};
  for (const auto& known : kEnds) {
    if (!ends_with(name, known.end)) continue;
    *format = known.format;
    return true;
  }
  return false;
}

namespace flamelet::formats {

std::vector<flamelet_interval> read_intervals(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  std::vector<flamelet_interval> intervals(flamelet_capture_read_intervals(capture, begin_ns, end_ns, nullptr, 0));
  const size_t count = flamelet_capture_read_intervals(capture, begin_ns, end_ns, intervals.data(), intervals.size());
  intervals.resize(std::min(count, intervals.size()));
  return intervals;
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
  for (size_t i = 0; i < flamelet_capture_frame_count(capture); ++i) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(capture, i, &frame) || frame.end_ns <= begin_ns || frame.begin_ns >= end_ns) continue;
    earliest = std::min(earliest, frame.begin_ns);
    break;  // they are in order
  }
  return earliest == INT64_MAX ? 0 : earliest;
}

}  // namespace flamelet::formats
