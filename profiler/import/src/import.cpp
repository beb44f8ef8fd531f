// SPDX-License-Identifier: MIT
//
// import.cpp: the calls of import.h: arguments, files, their bytes, the format, and what is counted when a capture is whole.
#include "flamelet/import.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "importer.h"
#include "lane_stream.h"
#include "platform/file.h"

namespace flamelet::formats {

Input::Input(flamelet_source source, uint64_t max_bytes) : source_(source), max_bytes_(max_bytes), raw_(kRawBytes) {
  while (raw_end_ - raw_at_ < 2 && fill()) {
  }
  gzip_ = raw_end_ >= 2 && raw_[0] == '\x1F' && raw_[1] == '\x8B';
  if (gzip_ && inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  char mark[2];
  const size_t count = take(mark, sizeof mark);
  const std::string_view first(mark, count);
  utf16_ = first == "\xFF\xFE" || first == "\xFE\xFF";
  high_byte_ = first == "\xFF\xFE" ? 1 : 0;
  if (!utf16_) peeked_.assign(first.begin(), first.end());
}

Input::~Input() {
  if (gzip_) inflateEnd(&stream_);
}

bool Input::fill() {
  if (raw_ended_) return false;
  if (raw_at_ == raw_end_) raw_at_ = raw_end_ = 0;
  raw_end_ += read_source(raw_.data() + raw_end_, raw_.size() - raw_end_);
  return !raw_ended_;
}

size_t Input::read_source(char* to, size_t size) {
  const size_t wanted = static_cast<size_t>(std::min<uint64_t>(size, source_.size - source_at_));
  size_t count = 0;
  if (raw_ended_) return 0;
  if (wanted != 0) {
    failed_ = !source_.read(source_.user, source_at_, to, wanted, &count) || count > wanted ||
              (count == 0 && source_.size != FLAMELET_SIZE_UNKNOWN);
  }
  if (failed_) count = 0;
  source_at_ += count;
  raw_ended_ = count == 0;
  return count;
}

std::string_view Input::peek() {
  if (!has_peeked_) {
    has_peeked_ = true;
    const size_t count = peeked_.size();
    peeked_.resize(kPeekBytes);
    peeked_.resize(count + take(peeked_.data() + count, kPeekBytes - count));
  }
  return {peeked_.data() + peeked_at_, peeked_.size() - peeked_at_};
}

size_t Input::read(void* to, size_t count) {
  char* const at = static_cast<char*>(to);
  const size_t peeked = std::min(count, peeked_.size() - peeked_at_);
  if (peeked != 0) memcpy(at, peeked_.data() + peeked_at_, peeked);
  peeked_at_ += peeked;
  return peeked + (count != peeked ? take(at + peeked, count - peeked) : 0);
}

size_t Input::take(char* to, size_t count) {
  const bool wants_more = count > max_bytes_ - bytes_;
  if (wants_more) count = static_cast<size_t>(max_bytes_ - bytes_);
  size_t done = 0;
  while (utf16_ && done < count && (text_at_ != text_.size() || read_utf16())) {
    const size_t more = text_.copy(to + done, count - done, text_at_);
    text_at_ += more;
    done += more;
  }
  if (!utf16_) done = unpack(to, count);
  bytes_ += done;
  cut_off_ = cut_off_ || (wants_more && done == count);
  return done;
}

// The next piece of UTF-16 as UTF-8; false at the end.
bool Input::read_utf16() {
  constexpr size_t kPiece = 4096;
  char units[kPiece];
  text_.clear();
  text_at_ = 0;
  const auto add = [this](uint32_t point) {
    const auto byte = [&](uint32_t lead, int shift) { text_ += static_cast<char>(lead | (point >> shift & 0x3F)); };
    if (point < 0x80) return void(text_ += static_cast<char>(point));
    if (point < 0x800) {
      text_ += static_cast<char>(0xC0 | point >> 6);
    } else if (point < 0x10000) {
      text_ += static_cast<char>(0xE0 | point >> 12);
      byte(0x80, 6);
    } else {
      text_ += static_cast<char>(0xF0 | point >> 18);
      byte(0x80, 12);
      byte(0x80, 6);
    }
    byte(0x80, 0);
  };
  const auto add_half = [&] {
    constexpr uint32_t kReplacement = 0xFFFD;
    ++halves_repaired_;
    high_half_ = 0;
    add(kReplacement);
  };
  const auto half = [](uint32_t unit, uint32_t first) { return (unit & 0xFC00) == first; };
  const size_t size = unpack(units, kPiece);
  for (size_t i = 0; i + 1 < size; i += 2) {
    const auto byte_at = [&units](size_t at) { return uint32_t{static_cast<unsigned char>(units[at])}; };
    const uint32_t unit = byte_at(i + high_byte_) << 8 | byte_at(i + 1 - high_byte_);
    const uint32_t before = high_half_;
    high_half_ = 0;
    if (before != 0 && half(unit, 0xDC00)) {
      add(0x10000 + ((before & 0x3FF) << 10 | (unit & 0x3FF)));
      continue;
    }
    if (before != 0) add_half();
    if (half(unit, 0xD800))
      high_half_ = unit;
    else if (half(unit, 0xDC00))
      add_half();
    else
      add(unit);
  }
  if (size < kPiece && high_half_ != 0) add_half();
  return !text_.empty();
}

// Less than `count` bytes only at the end.
size_t Input::unpack(char* to, size_t count) {
  size_t done = 0;
  while (done < count) {
    size_t more = 0;
    if (gzip_) {
      more = inflate_some(to + done, count - done);
    } else {
      more = std::min(count - done, raw_end_ - raw_at_);
      if (more != 0) memcpy(to + done, raw_.data() + raw_at_, more);
      raw_at_ += more;
      if (more == 0) more = read_source(to + done, count - done);
    }
    if (more == 0) break;
    done += more;
  }
  return done;
}

// With a wrong checksum everything is there, unless another member follows: behind the checksum are 4 bytes of length.
void Input::end_damaged(const char* why) {
  const bool is_length = strcmp(why, "incorrect length check") == 0;
  if (is_length || strcmp(why, "incorrect data check") == 0) {
    size_t behind = raw_end_ - raw_at_;
    raw_at_ = raw_end_;
    while (behind <= 4 && fill()) {
      behind += raw_end_;
      raw_at_ = raw_end_;
    }
    cut_off_ = cut_off_ || behind > (is_length ? 0 : 4);
  } else {
    cut_off_ = true;
  }
  gzip_damaged_ = stream_ended_ = raw_ended_ = true;
  raw_at_ = raw_end_ = 0;
}

// At least one byte, unless nothing more comes.
size_t Input::inflate_some(char* to, size_t count) {
  count = std::min(count, size_t{1} << 30);
  for (;;) {
    if (raw_at_ == raw_end_ && !fill()) {
      cut_off_ = cut_off_ || !stream_ended_;
      return 0;
    }
    if (stream_ended_) {
      // Another member may follow; anything else behind the last one is no part of the trace.
      if (raw_[raw_at_] != '\x1F' || inflateReset(&stream_) != Z_OK) return 0;
      stream_ended_ = false;
    }
    stream_.next_in = reinterpret_cast<unsigned char*>(raw_.data() + raw_at_);
    stream_.avail_in = static_cast<uInt>(raw_end_ - raw_at_);
    stream_.next_out = reinterpret_cast<unsigned char*>(to);
    stream_.avail_out = static_cast<uInt>(count);
    const int answer = inflate(&stream_, Z_NO_FLUSH);
    raw_at_ = raw_end_ - stream_.avail_in;
    stream_ended_ = answer == Z_STREAM_END;
    const size_t made = count - stream_.avail_out;
    if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR)
      end_damaged(stream_.msg != nullptr ? stream_.msg : "");
    if (made != 0) return made;
  }
}

}  // namespace flamelet::formats

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
  const bool may_have_zeros = first[0] != '\x0A' && text.find('\0') > 8;  // a block that nobody wrote
  for (const char c : text.substr(0, 64))
    is_text = is_text && (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\r' || c == '\n' ||
                          (c == '\0' && may_have_zeros));
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
  report.times_too_far = built.time_clamped;
  report.events_over_limits +=
      built.names_dropped + built.frames_dropped + built.intervals_dropped + built.dropped_lane;
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  report.events_over_limits += stats.frames_dropped + stats.named_frames_dropped + stats.intervals_dropped;
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
