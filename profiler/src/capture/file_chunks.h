// SPDX-License-Identifier: MIT
//
// file_chunks.h: the chunks of a capture file, one after the other, damaged ones passed over; and what their headers say
// that a capture of them must hold.
#ifndef FLAMELET_SRC_FILE_CHUNKS_H
#define FLAMELET_SRC_FILE_CHUNKS_H

#include "capture/capture_format.h"
#include "capture/file_source.h"

namespace flamelet {

// The least that an entry of a chunk takes; 0 for the chunk that ends a file, and for types that are not known.
size_t least_entry_bytes(uint32_t type);

// Hands out the headers that are whole, with a payload that lies in the file. A header that is damaged is passed over: the
// next one is looked for.
class ChunkWalk {
 public:
  ChunkWalk(FileSource* source, uint32_t first) : source_(*source), next_(first) {}

  bool next(ChunkHeader* header);
  uint64_t payload() const { return payload_; }  // where that of the chunk begins
  uint64_t damaged() const { return damaged_; }
  bool ended() const { return ended_; }  // the last chunk was the one that ends a file

 private:
  uint64_t find_magic(uint64_t from);

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

}  // namespace flamelet

#endif  // FLAMELET_SRC_FILE_CHUNKS_H
