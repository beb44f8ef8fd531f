// SPDX-License-Identifier: MIT
//
// capture_kept.cpp: what a flight recorder keeps as the capture file that it stands for: the same chunks, but with the pages
// unpacked.
#include <string.h>

#include "capture/capture_writer.h"
#include "capture/file_source.h"

namespace flamelet {
namespace {

class KeptReader {
 public:
  KeptReader(flamelet_source kept, char* buffer, flamelet_sink sink) : source_(kept), chunks_(buffer, sink) {}

  bool run() {
    FileHeader header = {};
    read(&header, sizeof header);
    chunks_.bytes(&header, sizeof header);
    ChunkHeader chunk = {};
    for (read(&chunk, sizeof chunk); chunk.type != kEndChunk && is_good(); read(&chunk, sizeof chunk)) {
      if (chunk.type != kKeptPagesChunk)
        read(chunks_.chunk(chunk), chunk.payload_bytes);
      else
        for (uint32_t i = 0; i < chunk.count && is_good(); ++i) unpack_entry();
    }
    chunks_.finish();
    return is_good();
  }

 private:
  bool is_good() const { return chunks_.good() && !source_.failed(); }

  void read(void* bytes, size_t count) {
    source_.get(offset_, bytes, count);
    offset_ += count;
  }

  void unpack_entry() {
    KeptPageEntry kept = {};
    unsigned char packed[kMostKeptPageBytes];
    read(&kept, sizeof kept);
    read(packed, kept.packed_bytes);
    PageWords words;
    unpack_page(packed, kept_shape(kept), &words);
    const size_t word_bytes = kept.page.words * sizeof(uint64_t);
    char* const at = chunks_.entry(kPagesChunk, sizeof kept.page + word_bytes);
    memcpy(at, &kept.page, sizeof kept.page);
    memcpy(at + sizeof kept.page, words.words, word_bytes);
  }

  FileSource source_;
  ChunkWriter chunks_;
  uint64_t offset_ = 0;
};

}  // namespace

bool write_kept(flamelet_source kept, char* buffer, flamelet_sink sink) {
  return KeptReader(kept, buffer, sink).run();
}

}  // namespace flamelet
