// SPDX-License-Identifier: MIT
//
// file_chunks.h: the chunks of a capture file, one after the other, damaged ones passed over; and what their headers say
// that a capture of them must hold.
#ifndef FLAMELET_SRC_FILE_CHUNKS_H
#define FLAMELET_SRC_FILE_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

#include "capture/capture_format.h"
#include "flamelet/capture_file.h"
#include "flamelet/io.h"
#include "platform/file.h"

namespace flamelet {

// The checksum of file chunks: CRC-32C (Castagnoli; reflected polynomial 0x82F63B78, start and final xor all
// ones). A CRC, because it finds every error in up to 32 neighbouring bits for certain; this one, because x86 has an
// instruction for it, which takes a third of the time. Eight bytes a step, by table where there is none.

uint32_t crc32c(const void* bytes, size_t size);
// What other machines do, for the test that both are the same.
uint32_t crc32c_by_table(const void* bytes, size_t size);

// File source: a file of known size that is read through the caller's source. All of it is there, so a source that
// ends early failed, and so did everything that wanted the bytes.

class FileSource {
 public:
  explicit FileSource(flamelet_source source) : source_(source) {}

  uint64_t size() const { return source_.size; }
  bool has(uint64_t offset, uint64_t count) const { return offset <= size() && count <= size() - offset; }
  // False if the file has no such bytes, or if reading them failed.
  __attribute__((noinline)) bool get(uint64_t offset, void* bytes, size_t count) {
    if (!has(offset, count)) return false;
    for (size_t done = 0, more = 0; done < count && !failed_; done += more) {
      more = 0;
      const bool good =
          source_.read(source_.user, offset + done, static_cast<char*>(bytes) + done, count - done, &more);
      failed_ = !good || more == 0 || more > count - done;
    }
    return !failed_;
  }
  bool failed() const { return failed_; }

 private:
  const flamelet_source source_;
  bool failed_ = false;
};

// The least that an entry of a chunk takes; 0 for the chunk that ends a file, and for types that are not known.
size_t least_entry_bytes(uint32_t type);

// Hands out the headers that are whole, with a payload that lies in the file. A header that is damaged is passed over: the
// next one is looked for.
class ChunkWalk {
 public:
  ChunkWalk(FileSource* source, uint32_t first) : source_(*source), next_(first) {}

  bool next(ChunkHeader* header);
  uint64_t payload() const { return payload_; }  // where that of the chunk begins
  // Also what stands behind the last chunk.
  uint64_t damaged() const { return damaged_ + (ended_ && next_ != source_.size()); }
  bool ended() const { return ended_; }  // the last chunk was the one that ends a file

 private:
  uint64_t find_whole(uint64_t from);

  FileSource& source_;
  uint64_t next_;
  uint64_t payload_ = 0;
  uint64_t damaged_ = 0;
  bool ended_ = false;
};

struct ChunkSizes {
  uint64_t pages = 0;
  uint64_t lanes = 0;
  uint64_t frames = 0;
  uint64_t thread_times = 0;
  uint64_t switches = 0;
  uint64_t intervals = 0;
  uint64_t named_frames = 0;
  uint64_t string_bytes = 0;
  uint64_t largest_payload = 0;
  uint32_t string_limit = 0;
  uint32_t site_limit = 0;

  void add(const ChunkHeader& header);
};

// Capture from file: what loading a capture and recovering one from a ring's file have in common: arguments, and where
// the bytes come from. Whatever is wrong, no capture is handed out and the report is empty or says how far it went.

// `Work(FileSource*, const flamelet_load_options&, Report*).run(capture)` reads the file.
template <class Work, class Report>
flamelet_result read_capture(const flamelet_load_options* options, flamelet_source source, flamelet_capture** capture,
                             Report* report) {
  Report unread;
  if (report == nullptr) report = &unread;
  *report = {};
  if (capture == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *capture = nullptr;
  const flamelet_load_options defaults = flamelet_load_options_default();
  if (options == nullptr) options = &defaults;
  if (source.read == nullptr || source.size == FLAMELET_SIZE_UNKNOWN || options->cookie != defaults.cookie ||
      (options->allocator.allocate == nullptr) != (options->allocator.free == nullptr))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  FileSource file(source);
  return Work(&file, *options, report).run(capture);
}

// The same from a path.
template <class Work, class Report>
flamelet_result read_capture(const flamelet_load_options* options, const char* path, flamelet_capture** capture,
                             Report* report) {
  if (capture != nullptr) *capture = nullptr;
  if (report != nullptr) *report = {};
  if (path == nullptr || capture == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  OldFile file;
  if (!file.open(path)) return FLAMELET_ERROR_FILE_OPEN;
  const auto read = [](void* user, uint64_t offset, void* bytes, size_t size, size_t* count) {
    return static_cast<OldFile*>(user)->read(offset, bytes, size, count);
  };
  return file.done(read_capture<Work>(options, flamelet_source{read, file.size(), &file}, capture, report));
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_FILE_CHUNKS_H
