// SPDX-License-Identifier: MIT
//
// exporter.h: what the exporters share: the capture, the window, the output, the counts, and names by use.
#ifndef FLAMELET_EXPORT_SRC_EXPORTER_H
#define FLAMELET_EXPORT_SRC_EXPORTER_H

#include <zlib.h>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "flamelet/base.h"
#include "flamelet/export.h"
#include "lane_stream.h"

namespace flamelet::formats {

// ---- Bytes on their way out. A stage is whatever takes bytes in pieces: the caller's sink, a compressor before it. Output
// gathers small appends into large pieces for a stage.

// Text: names as other programs accept them.

inline std::string_view view(flamelet_string text) {
  return {text.text, text.size};
}

// A name has no more than this, also where the replacements make it longer: then its end is cut off.
inline constexpr size_t kMaxTextBytes = 65535;

// Appends `text`, with U+FFFD for every byte that is in no UTF-8 sequence. True if there was none.
bool append_utf8(std::string_view text, std::string* to);

// Appends `text` as a JSON string, quotes included. Control characters, quotes and backslashes are escaped.
bool append_json_string(std::string_view text, std::string* to);

// Appends `text` as one frame of a collapsed stack: what separates frames and lines becomes ':' and ' '.
bool append_collapsed_frame(std::string_view text, std::string* to);

class Stage {
 public:
  virtual ~Stage() = default;
  // False: no more can be taken.
  virtual bool write(const void* data, size_t size) = 0;
  virtual bool finish() { return true; }
};

class SinkStage final : public Stage {
 public:
  explicit SinkStage(flamelet_sink sink) : sink_(sink) {}
  bool write(const void* data, size_t size) override {
    if (!sink_.write(sink_.user, data, size)) return false;
    bytes_ += size;
    return true;
  }
  uint64_t bytes() const { return bytes_; }

 private:
  flamelet_sink sink_;
  uint64_t bytes_ = 0;
};

class Output {
 public:
  explicit Output(Stage& stage) : stage_(stage), buffer_(kBufferBytes) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void append(std::string_view text) {
    if (text.size() > kBufferBytes - used_) {
      flush();
      if (text.size() > kBufferBytes) {
        if (!failed_) failed_ = !stage_.write(text.data(), text.size());
        return;
      }
    }
    memcpy(buffer_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }

  // Room for `size` bytes, at most kMaxReserve; commit() says where they end.
  static constexpr size_t kMaxReserve = 1024;
  char* reserve(size_t size) {
    if (size > kBufferBytes - used_) flush();
    return buffer_.data() + used_;
  }
  void commit(const char* end) { used_ = static_cast<size_t>(end - buffer_.data()); }

  template <class Integer>
  void append_integer(Integer value) {
    char* at = reserve(24);
    commit(std::to_chars(at, at + 24, value).ptr);
  }

  // Also after a failure, when everything else is dropped.
  bool failed() const { return failed_; }
  bool finish() {
    flush();
    if (!failed_) failed_ = !stage_.finish();
    return !failed_;
  }

 private:
  static constexpr size_t kBufferBytes = size_t{256} << 10;

  void flush() {
    if (!failed_ && used_ != 0) failed_ = !stage_.write(buffer_.data(), used_);
    used_ = 0;
  }

  Stage& stage_;
  std::vector<char> buffer_;
  size_t used_ = 0;
  bool failed_ = false;
};

// Gzip stage: compresses what passes, for another stage.

class GzipStage final : public Stage {
 public:
  explicit GzipStage(Stage& next) : next_(next), buffer_(size_t{64} << 10) {
    // 15 bits of window, and 16 for gzip's header, which zlib leaves without a time: equal input, equal output.
    // Level 1: a trace is large and repeats itself, so speed matters more than the last tenth of size.
    if (deflateInit2(&stream_, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  }
  ~GzipStage() override { deflateEnd(&stream_); }
  GzipStage(const GzipStage&) = delete;
  GzipStage& operator=(const GzipStage&) = delete;

  bool write(const void* data, size_t size) override {
    const auto* at = static_cast<const unsigned char*>(data);
    while (size != 0) {
      const size_t piece = size < kPiece ? size : kPiece;
      stream_.next_in = const_cast<unsigned char*>(at);
      stream_.avail_in = static_cast<uInt>(piece);
      if (!drain(Z_NO_FLUSH)) return false;
      at += piece;
      size -= piece;
    }
    return true;
  }
  bool finish() override { return drain(Z_FINISH) && next_.finish(); }

 private:
  static constexpr size_t kPiece = size_t{1} << 30;  // zlib counts in 32 bits

  bool drain(int flush) {
    do {
      stream_.next_out = buffer_.data();
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, flush);
      const size_t made = buffer_.size() - stream_.avail_out;
      if (made != 0 && !next_.write(buffer_.data(), made)) return false;
    } while (stream_.avail_out == 0);
    return true;
  }

  Stage& next_;
  z_stream stream_ = {};
  std::vector<unsigned char> buffer_;
};

// What `write(out)` writes, into the sink.
template <class Write>
flamelet_result write_to(flamelet_sink sink, bool is_gzip, flamelet_export_report* report, Write write) {
  try {
    SinkStage last(sink);
    GzipStage gzip(last);
    Stage& plain = last;
    Output out(is_gzip ? gzip : plain);
    write(out);
    const bool whole = out.finish();
    report->bytes = last.bytes();
    return whole ? FLAMELET_OK : FLAMELET_ERROR_FILE_WRITE;
  } catch (const std::bad_alloc&) {
    return FLAMELET_ERROR_OUT_OF_MEMORY;
  }
}

// ---- Names by use, and what a format gets

// A scope is a site with a name. They are numbered from 0 in the order of their first use, so that the output does not
// depend on the ids inside the capture.
struct Scope {
  uint32_t site;
  uint32_t name;
};

class ScopeNumbers {
 public:
  // `*added` says whether it is new.
  uint32_t number(uint32_t site, uint32_t name, bool* added) {
    const uint64_t key = uint64_t{site} << 32 | name;
    if (key == last_key_) {
      *added = false;
      return last_;
    }
    const auto [at, inserted] = numbers_.try_emplace(key, static_cast<uint32_t>(scopes_.size()));
    if (inserted) scopes_.push_back({site, name});
    *added = inserted;
    last_key_ = key;
    return last_ = at->second;
  }
  const std::vector<Scope>& scopes() const { return scopes_; }

 private:
  std::unordered_map<uint64_t, uint32_t> numbers_;
  std::vector<Scope> scopes_;
  uint64_t last_key_ = UINT64_MAX;
  uint32_t last_ = 0;
};

struct Export {
  const flamelet_capture* capture;
  int64_t begin_ns;
  int64_t end_ns;
  const char* process_name;
  Output& out;
  flamelet_export_report& report;
  std::unordered_set<const char*> repaired = {};

  flamelet_string string(uint32_t id) const { return flamelet_capture_string(capture, id); }
  flamelet_site_info site(uint32_t id) const {
    flamelet_site_info info;
    flamelet_capture_site(capture, id, &info);
    return info;
  }
  // Equal texts of a capture lie at one place.
  void count_text(flamelet_string text, bool whole) {
    report.texts_repaired += !whole && repaired.insert(text.text).second;
  }
  std::string json(flamelet_string text) {
    std::string to;
    count_text(text, append_json_string(view(text), &to));
    return to;
  }
};

// The earliest time of anything in the window; what it is exported relative to.
int64_t earliest_ns(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);

// What the system did with the threads in a main frame, for the importer: of each the tid, ran_ns, ready_ns, switches,
// major and minor faults, "1 5000000 20000 3 0 12;2 ...", with "-" for what is not known. A thread's tid is the number of
// its lane, from 1.
std::string thread_times_text(const flamelet_capture* capture, uint64_t frame);

// The frames of one track in a trace, by index.
struct FrameTrack {
  std::string name;  // whole UTF-8, and another one than that of every other set
  std::vector<flamelet_frame_info> frames;
};
// The main frames.
std::vector<flamelet_frame_info> read_frames(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);
// Those of named sets, by name. Marks of several threads may be a little out of order; here no frame begins before the
// one before it has ended.
std::vector<FrameTrack> read_frame_sets(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                        flamelet_export_report* report);

// By id, then by time.
std::vector<flamelet_flow> read_flows(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);
// Whether no other end of the same begin follows.
bool is_last_end(const std::vector<flamelet_flow>& flows, size_t i);

std::vector<flamelet_interval> read_intervals(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);

// Format table: the one list of the formats.

struct Export;

struct Format {
  flamelet_export_format_info info;
  void (*write)(Export& job);
};

extern const Format* const kFormats;  // by flamelet_export_format

// Calls and self time by call path, lane by lane, for the formats that have no time line.
//
// Threads, GPU queues and external sources count; a fiber's lane does not, because what it ran stands on its threads
// already. A piece of a scope that a fiber switch cut off adds time, and no further call.

struct CallPath {
  uint32_t parent;  // 0: the root of its lane
  uint32_t scope;   // number in ScopeNumbers
  uint64_t calls;
  int64_t self_ns;
};

class CallPaths {
 public:
  explicit CallPaths(Export& job) : job_(job) {}

  // Adds up one lane. Forgets the lane before.
  void read(size_t lane, LaneStream<ReadSpans>& spans);
  // paths()[0] is the root, whose self time is that of spans without a caller that found no room. Parents stand before
  // their children.
  const std::vector<CallPath>& paths() const { return paths_; }
  const std::vector<Scope>& scopes() const { return scopes_.scopes(); }

  void begin(const flamelet_span& span, size_t depth);  // for NestedSpans
  void end(const flamelet_span&, size_t) {}

 private:
  static constexpr size_t kMaxPaths = size_t{1} << 20;

  Export& job_;
  ScopeNumbers scopes_;
  std::vector<CallPath> paths_;
  std::unordered_map<uint64_t, uint32_t> children_;  // parent << 32 | scope
  std::vector<uint32_t> open_;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_EXPORTER_H
