// SPDX-License-Identifier: MIT
#include "capture/file_chunks.h"

#include "capture/crc32c.h"

namespace flamelet {

size_t least_entry_bytes(uint32_t type) {
  switch (type) {
    case kBuildChunk:
      return sizeof(BuildInfo);
    case kCategoriesChunk:
      return sizeof(CategoryNames);
    case kSessionChunk:
      return kSessionBytesOfVersion1;
    case kStringsChunk:
      return sizeof(StringEntry);
    case kSitesChunk:
      return sizeof(SiteEntry);
    case kLanesChunk:
      return sizeof(LaneEntry);
    case kFramesChunk:
      return sizeof(FrameEntry);
    case kThreadTimesChunk:
      return sizeof(ThreadTimeEntry);
    case kStatesChunk:
      return kLeastStatesBytes;
    case kSwitchesChunk:
    case kStateBeforeChunk:
      return sizeof(SwitchEntry);
    case kIntervalsChunk:
    case kNamedFramesChunk:
      return sizeof(IntervalEntry);
    case kTriggerChunk:
      return sizeof(TriggerEntry);
    case kPagesChunk:
      return sizeof(PageEntry);
    case kKeptPagesChunk:
      return sizeof(KeptPageEntry);
    default:
      return 0;
  }
}

namespace {

// Whether the header is one that was written as such: then its sizes can be believed as far as the file goes.
bool is_whole(const ChunkHeader& header) {
  if (header.type == kEndChunk && header.count != 0) return false;
  return header.magic == kChunkMagic && header.header_crc == crc32c(&header, offsetof(ChunkHeader, header_crc)) &&
         header.payload_bytes <= kMaxChunkBytes && header.payload_bytes % 8 == 0 &&
         uint64_t{header.count} * least_entry_bytes(header.type) <= header.payload_bytes;
}

}  // namespace

bool ChunkWalk::next(ChunkHeader* header) {
  bool searching = false;
  while (source_.size() - next_ >= sizeof(ChunkHeader) && !ended_) {
    if (!source_.get(next_, header, sizeof *header)) break;
    if (is_whole(*header) && source_.size() - next_ - sizeof *header >= header->payload_bytes) {
      payload_ = next_ + sizeof *header;
      next_ = payload_ + header->payload_bytes;
      ended_ = header->type == kEndChunk;
      return true;
    }
    if (is_whole(*header)) break;  // its payload is cut off
    if (!searching) ++damaged_;
    searching = true;
    next_ = find_magic(next_ + 8);
  }
  return false;
}

// Chunks begin at multiples of 8 bytes.
uint64_t ChunkWalk::find_magic(uint64_t from) {
  uint64_t window[512];
  while (from < source_.size()) {
    const uint64_t left = source_.size() - from;
    const size_t count = left < sizeof window ? static_cast<size_t>(left) : sizeof window;
    if (!source_.get(from, window, count)) break;
    for (size_t i = 0; i < count / 8; ++i) {
      if (static_cast<uint32_t>(window[i]) == kChunkMagic) return from + 8 * i;
    }
    from += count;
  }
  return source_.size();
}

void ChunkSizes::add(const ChunkHeader& header) {
  if (header.payload_bytes > largest_payload) largest_payload = header.payload_bytes;
  switch (header.type) {
    case kPagesChunk:
    case kKeptPagesChunk:
      pages += header.count;
      break;
    case kLanesChunk:
      lanes += header.count;
      break;
    case kFramesChunk:
      frames += header.count;
      break;
    case kThreadTimesChunk:
      thread_times += header.count;
      break;
    case kSwitchesChunk:
      switches += header.count;
      break;
    case kIntervalsChunk:
      intervals += header.count;
      break;
    case kNamedFramesChunk:
      named_frames += header.count;
      break;
    case kStringsChunk:  // each entry has 8 bytes more than its text, which is enough for the zero behind it
      string_bytes += header.payload_bytes;
      if (header.id_limit > string_limit) string_limit = header.id_limit;
      break;
    case kSitesChunk:
      if (header.id_limit > site_limit) site_limit = header.id_limit;
      break;
    default:
      break;
  }
}

}  // namespace flamelet
