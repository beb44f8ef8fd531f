// SPDX-License-Identifier: MIT
//
// flight_store.h: what a flight recorder keeps: the bytes of capture files, in chains of blocks of one fixed pool, so that
// nothing is ever moved or fragmented. The store decides what stays: the longest frames and the newest ones.
//
// A chain that is being written to a file is read by another thread. It is not changed and not released until then.
#ifndef FLAMELET_SRC_FLIGHT_STORE_H
#define FLAMELET_SRC_FLIGHT_STORE_H

#include "flamelet/flight.h"
#include "platform/engine_memory.h"

namespace flamelet {

struct KeptFlight {
  flamelet_flight_info info;
  uint32_t first_block;
  uint32_t last_block;
  uint32_t block_count;
  uint64_t bytes;  // here; info.bytes are the file's
  bool to_be_written;
  bool being_written;
};

class FlightStore {
 public:
  static constexpr uint32_t kBlockBytes = 64 * 1024;
  static constexpr uint32_t kNoBlock = UINT32_MAX;

  // One more that is begun, and one whose file takes longer than it is kept.
  static uint32_t slots_for(const flamelet_flight_config& config) { return config.keep_worst + config.keep_latest + 2; }
  // Lays itself out in the block that is divided.
  void place(Carver* carver, const flamelet_flight_config& config);
  // Once, after the memory is there.
  void clear();

  uint64_t capacity_bytes() const { return uint64_t{block_count_} * kBlockBytes; }
  uint64_t used_bytes() const { return uint64_t{block_count_ - free_count_} * kBlockBytes; }

  // Makes room for a new one of about so many bytes, and begins it. NULL: there is no room, and nothing was released.
  KeptFlight* begin(uint64_t likely_bytes);
  // Others go if it is more than begin() was told. False: nothing is left that could go.
  bool append(const void* bytes, size_t size);
  // What was begun is kept from now on, or forgotten.
  void finish();
  void abandon();
  void written(KeptFlight* flight);
  // Somebody removed its file.
  void lost_file(uint64_t id);

  // The longest frame first.
  uint32_t count() const { return count_; }
  const KeptFlight& at(uint32_t position) const { return slots_[by_length_[position]]; }
  KeptFlight* oldest_to_be_written();
  // Had to go before they were written.
  uint64_t unwritten() const { return unwritten_; }

  const char* block(uint32_t block) const { return blocks_ + size_t{block} * kBlockBytes; }
  uint32_t next(uint32_t block) const { return next_[block]; }

 private:
  void release(uint32_t slot);
  uint32_t next_to_go() const;
  void insert(uint32_t slot);
  void mark_reasons();

  uint32_t keep_worst_ = 0;
  uint32_t keep_latest_ = 0;
  uint32_t slot_count_ = 0;
  uint32_t block_count_ = 0;
  char* blocks_ = nullptr;
  uint32_t* next_ = nullptr;
  KeptFlight* slots_ = nullptr;
  uint32_t* by_length_ = nullptr;
  uint32_t* by_age_ = nullptr;  // the oldest first
  uint32_t count_ = 0;
  uint32_t free_ = kNoBlock;
  uint32_t free_count_ = 0;
  uint32_t begun_ = UINT32_MAX;  // slot
  uint64_t unwritten_ = 0;
};

// The bytes of a chain from any offset on. Offsets that rise are found at once.
class ChainReader {
 public:
  ChainReader(const FlightStore& store, uint32_t first_block, uint64_t bytes)
      : store_(store), first_(first_block), bytes_(bytes), block_(first_block) {}

  // As long as the reader lives.
  flamelet_source source();

 private:
  // Up to `size` bytes that lie together; 0 at the end.
  size_t at(uint64_t offset, size_t size, const char** bytes);

  const FlightStore& store_;
  const uint32_t first_;
  const uint64_t bytes_;
  uint32_t block_;
  uint64_t number_ = 0;  // of the block in the chain
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_FLIGHT_STORE_H
