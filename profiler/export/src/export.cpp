// SPDX-License-Identifier: MIT
//
// export.cpp: the calls of export.h: arguments, files, and the way from an exporter to the caller's sink.
#include "flamelet/export.h"

#include <new>

#include "exporter.h"
#include "format_table.h"
#include "gzip_stage.h"
#include "platform/new_file.h"

using namespace flamelet::formats;

namespace {

constexpr uint32_t kCookie = 0xF1A3E587;

flamelet_result run(const flamelet_capture* capture, flamelet_export_format format,
                    const flamelet_export_options& options, flamelet_export_sink sink, flamelet_export_report& report) {
  SinkStage last(sink);
  GzipStage gzip(last);
  Stage* first = &last;
  if (options.gzip || kFormats[format].info.always_gzip) first = &gzip;
  Output out(*first);
  Export job = {capture, options.begin_ns, options.end_ns, options.process_name, out, report};
  kFormats[format].write(job);
  const bool whole = out.finish();
  report.bytes = last.bytes();
  return whole ? FLAMELET_OK : FLAMELET_ERROR_FILE_WRITE;
}

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
                                const flamelet_export_options* options, flamelet_export_sink sink,
                                flamelet_export_report* report) {
  const flamelet_export_options defaults = flamelet_export_options_default();
  if (options == nullptr) options = &defaults;
  flamelet_export_report ignored;
  if (report == nullptr) report = &ignored;
  *report = {};
  if (capture == nullptr || sink.write == nullptr || options->cookie != kCookie || options->process_name == nullptr ||
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
