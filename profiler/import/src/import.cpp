// SPDX-License-Identifier: MIT
//
// import.cpp: the calls of import.h: arguments, files, the format, and what is counted when a capture is whole.
#include "flamelet/import.h"

#include <cerrno>
#include <cstring>
#include <new>

#include "importer.h"
#include "lane_stream.h"
#include "platform/file.h"

using namespace flamelet::formats;

namespace {

constexpr uint32_t kCookie = 0xF1A3E519;

enum class Content { kEmpty, kChrome, kPerfetto, kCapture, kGzip, kOther };

// A protobuf of packets begins with 0A, which is a line feed, and the length of the first packet, which may be any
// character. But its bytes soon leave what is text, and JSON's do not.
Content content_of(std::string_view first) {
  if (first.empty()) return Content::kEmpty;
  if (first.size() >= 6 && first.substr(1, 5) == "FLCAP") return Content::kCapture;
  if (first.size() >= 2 && first[0] == '\x1F' && first[1] == '\x8B') return Content::kGzip;
  std::string_view text = first;
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  const size_t start = text.find_first_not_of(" \t\r\n");
  bool is_text = start != std::string_view::npos && (text[start] == '{' || text[start] == '[' ||
                                                     text.substr(start, 2) == "//" || text.substr(start, 2) == "/*");
  for (const char c : text.substr(0, 64))
    is_text = is_text && (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\r' || c == '\n');
  if (is_text) return Content::kChrome;
  return first[0] == '\x0A' ? Content::kPerfetto : Content::kOther;
}

flamelet_result refuse(Import& job, const char* message) {
  job.say(message);
  return FLAMELET_ERROR_FILE_FORMAT;
}

flamelet_result read_trace(Import& job) {
  const Content content = content_of(job.in.peek());
  if (job.in.failed()) return FLAMELET_ERROR_FILE_READ;
  switch (content) {
    case Content::kEmpty:
      if (job.in.gzip_damaged()) return refuse(job, "The gzip file is damaged right behind its header.");
      if (job.in.gzip() && job.in.cut_off()) return refuse(job, "The gzip file ends before its first byte of content.");
      return refuse(job, job.in.gzip() ? "The gzip file has nothing in it." : "The file is empty.");
    case Content::kChrome:
      job.report.format = FLAMELET_IMPORT_CHROME;
      return import_chrome(job);
    case Content::kPerfetto:
      job.report.format = FLAMELET_IMPORT_PERFETTO;
      return import_perfetto(job);
    case Content::kCapture:
      if (job.in.gzip()) return refuse(job, "This is a Flamelet capture in gzip: unpack it first.");
      return refuse(job,
                    "This is a Flamelet capture and no trace of another tool: load it with flamelet_capture_load().");
    case Content::kGzip:
      return refuse(job, "The file is compressed twice.");
    case Content::kOther:
      if (job.in.utf16()) return refuse(job, "This is text in UTF-16, and no Chrome trace: save it as UTF-8.");
      break;
  }
  return refuse(job, "This is neither a Chrome trace (JSON) nor a Perfetto trace.");
}

// Spans that the capture shows shorter than they came. Where they overlap is seen only where they are nested: when they
// are read.
uint64_t count_cut(const flamelet_capture* capture) {
  uint64_t cut = 0;
  LaneStream<ReadSpans> spans(capture);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    spans.start(lane, INT64_MIN, INT64_MAX);
    while (const flamelet_span* span = spans.next()) cut += (span->flags & FLAMELET_SPAN_CUT) != 0;
  }
  return cut;
}

void count(Import& job, const flamelet_capture* capture, const flamelet_capture_builder_stats& built) {
  flamelet_import_report& report = job.report;
  report.times_clamped += built.time_clamped;
  report.events_over_limits +=
      built.names_dropped + built.frames_dropped + built.intervals_dropped + built.dropped_lane;
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  report.events_over_limits += stats.frames_dropped;
  report.events_evicted = stats.events_evicted;
  int64_t begin_ns, end_ns;
  flamelet_capture_main_extent(capture, &begin_ns, &end_ns, &report.events_astray);
  if (job.spans.nesting.all_nest()) return;
  const uint64_t cut = count_cut(capture);
  report.spans_cut = cut > job.cut_in_file ? cut - job.cut_in_file : 0;
}

flamelet_result run(flamelet_source source, const flamelet_import_options& options, flamelet_capture** capture,
                    flamelet_import_report& report) {
  flamelet_capture_builder* builder = nullptr;
  const flamelet_result created = flamelet_capture_builder_create(&options.capture, &builder);
  if (created != FLAMELET_OK) return created;
  flamelet_result result = FLAMELET_ERROR_OUT_OF_MEMORY;
  try {
    Input in(source, options.max_bytes);
    Import job = {in, builder, report, ArgumentTexts(builder, options.capture)};
    result = read_trace(job);
    report.gzip = in.gzip();
    report.gzip_damaged = in.gzip_damaged();
    report.bytes = in.bytes();
    report.texts_repaired += in.halves_repaired();
    if (in.failed()) result = FLAMELET_ERROR_FILE_READ;
    if (result == FLAMELET_OK) {
      report.truncated = report.truncated || in.cut_off();
      flamelet_capture_builder_stats built;
      flamelet_capture_builder_get_stats(builder, &built);
      // What was evicted is counted with the events.
      flamelet_capture_builder_damage(builder, uint64_t{report.truncated} + report.gzip_damaged + report.packets_lost +
                                                   report.packets_unusable + report.chunks_lost +
                                                   report.events_unclocked + report.events_damaged);
      flamelet_capture_builder_finish(builder, capture);
      builder = nullptr;
      count(job, *capture, built);
    }
  } catch (const std::bad_alloc&) {
    flamelet_capture_destroy(*capture);
    *capture = nullptr;
    result = FLAMELET_ERROR_OUT_OF_MEMORY;
  }
  flamelet_capture_builder_destroy(builder);
  return result;
}

bool read_file(void* user, uint64_t, void* to, size_t size, size_t* count) {
  const int64_t got = static_cast<flamelet::File*>(user)->read_next(to, size);
  *count = got < 0 ? 0 : static_cast<size_t>(got);
  return got >= 0;
}

}  // namespace

flamelet_import_options flamelet_import_options_default(void) {
  flamelet_import_options options = {};
  options.cookie = kCookie;
  options.capture = flamelet_capture_config_default();
  options.capture.budget_bytes = size_t{1} << 30;
  options.capture.max_frames = 1u << 16;
  options.capture.max_named_frames = 1u << 16;
  options.capture.max_tracks = 4096;
  options.capture.max_sites = FLAMELET_MAX_SITES + 1;
  options.capture.max_strings = 1u << 18;
  options.capture.string_bytes = size_t{64} << 20;
  options.capture.max_fiber_runs = 0;
  options.capture.max_switches = 1u << 16;
  options.capture.max_intervals = 1u << 18;
  options.max_bytes = uint64_t{16} << 30;
  return options;
}

flamelet_result flamelet_import(const flamelet_import_options* options, flamelet_source source,
                                flamelet_capture** capture, flamelet_import_report* report) {
  const flamelet_import_options defaults = flamelet_import_options_default();
  if (options == nullptr) options = &defaults;
  flamelet_import_report ignored;
  if (report == nullptr) report = &ignored;
  *report = {};
  if (capture == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *capture = nullptr;
  if (source.read == nullptr || options->cookie != kCookie) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_result result = run(source, *options, capture, *report);
  if (result != FLAMELET_OK && report->message[0] == 0)
    snprintf(report->message, sizeof report->message, "%s", flamelet_result_message(result));
  return result;
}

flamelet_result flamelet_import_file(const flamelet_import_options* options, const char* path,
                                     flamelet_capture** capture, flamelet_import_report* report) {
  if (capture != nullptr) *capture = nullptr;
  if (report != nullptr) *report = {};
  if (path == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  flamelet::File file;
  if (!file.open(path, flamelet::FileUse::kReadStream)) {
    if (report != nullptr)
      snprintf(report->message, sizeof report->message, "The file cannot be opened: %s.", strerror(errno));
    return FLAMELET_ERROR_FILE_OPEN;
  }
  return flamelet_import(options, {read_file, FLAMELET_SIZE_UNKNOWN, &file}, capture, report);
}
