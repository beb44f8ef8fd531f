// SPDX-License-Identifier: MIT
//
// flight_data.h: what a flamelet_flight consists of.
//
//   ready ──a trigger──► waits for the frames after it ──► copies, a piece an update ──► kept; ready again, or the next one
#ifndef FLAMELET_SRC_FLIGHT_DATA_H
#define FLAMELET_SRC_FLIGHT_DATA_H

#include "capture/capture_data.h"
#include "capture/capture_writer.h"
#include "flamelet/flight.h"
#include "platform/atomic.h"
#include "platform/engine_memory.h"
#include "platform/process.h"

namespace flamelet {

// What a flight recorder keeps: the bytes of capture files, in chains of blocks of one fixed pool, so that
// nothing is ever moved or fragmented. The store decides what stays: the longest frames and the newest ones.
//
// A chain that is being written to a file is read by another thread. It is not changed and not released until then.

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

// Kept frames on their way into a folder, one at a time, on a thread that ends with the file. The folder
// has limits of files and bytes; files of flight recorders are removed, whoever wrote them, and no others. The newest quarter
// stays; of the others, the file of the shortest frame goes first. A file's name says how long its frame was.
//
// The chain's blocks do not change while a file is written. Everything else is handed over at the begin (by the start of
// the thread) and at the end (done() pairs with the thread's last store).

class FlightFiles {
 public:
  static constexpr size_t kMostFolderBytes = 1024;

  // `folder` may be NULL. False: it is too long.
  bool set(const char* folder, uint32_t max_files, uint64_t max_bytes);
  // A hitch in memory that had a file when the next one was begun.
  struct Earlier {
    uint64_t id;
    uint64_t name;  // hash
    bool is_there;
  };
  // `buffer` has ChunkWriter::kBufferBytes, and is aligned for numbers. `earlier` has room for all that the store can keep; NULL:
  // nobody asks for them.
  void attach(char* buffer, Earlier* earlier = nullptr) {
    buffer_ = buffer;
    earlier_ = earlier;
  }
  bool wanted() const { return folder_[0] != 0; }

  // One at a time.
  bool idle() const { return flight_ == nullptr; }
  void start(const FlightStore& store, KeptFlight* flight);
  // Acquire: pairs with the release in run().
  bool done() const { return done_.load_acquire() != 0; }

  struct Outcome {
    KeptFlight* flight;
    flamelet_result result;
    int error_number;
    uint32_t removed;
  };
  // Waits for it.
  Outcome take();
  // After take(), until the next start(): of the hitches with files, those whose file is still in the folder, and those whose
  // file is gone, whoever removed it.
  uint32_t earlier_count() const { return earlier_count_; }
  const Earlier& earlier(uint32_t number) const { return earlier_[number]; }

 private:
  struct FolderContent;

  void run();
  void write();
  bool make_room();
  bool look_into_folder(FolderContent* content);
  void remove_from_folder(uint64_t name_hash) const;

  char folder_[kMostFolderBytes] = {};
  uint32_t max_files_ = 0;
  uint64_t max_bytes_ = 0;

  char* buffer_ = nullptr;
  Earlier* earlier_ = nullptr;
  uint32_t earlier_count_ = 0;
  const FlightStore* store_ = nullptr;
  KeptFlight* flight_ = nullptr;
  uint32_t first_block_ = 0;
  uint64_t kept_bytes_ = 0;
  uint64_t bytes_ = 0;  // of the file
  char path_[kMostFolderBytes + 256];
  Outcome outcome_ = {};
  Atomic<uint32_t> done_;
  bool has_thread_ = false;
  Thread thread_;
};

// How long the scopes of some names took in a frame: on all threads, and on all GPU queues, as
// flamelet_scope_times_add() has it. Threads are too busy for spans: their chunks are played once more, and only the watched
// scopes are looked at.

class ScopeBudgets {
 public:
  struct Budget {
    char name[FLAMELET_FLIGHT_TEXT_BYTES];
    int64_t budget_ns;
    bool was_over;
    uint64_t over_frame;     // the newest one
    int64_t over_budget_ns;  // that it had there
    int64_t over_ns;         // and how long it took
  };

  // `max_strings`: of the capture.
  void place(Carver* carver, uint32_t max_budgets, uint32_t max_strings);
  // Another one has other ids of names, and frames of the same numbers.
  void begin_recording();

  bool set(flamelet_string name, int64_t budget_ns);  // 0 = no more; false: there is no room, or the name is too long
  void clear();
  uint32_t count() const { return count_; }
  const Budget& operator[](uint32_t index) const { return budgets_[index]; }
  // The one that is over on the threads by the largest factor in this frame; NULL if none is.
  const Budget* most_over(const flamelet_capture& capture, const Frame& frame);
  // The same on the GPU queues, whose spans come later.
  const Budget* most_over_on_gpu(const flamelet_capture& capture, const Frame& frame);

 private:
  class Player;

  uint32_t find(flamelet_string name) const;  // or HashIndex::kNone
  void forget_names();
  void learn_names(const flamelet_capture& capture);
  bool begin_frame(const flamelet_capture& capture);
  const Budget* find_most_over(uint64_t frame);

  Budget* budgets_ = nullptr;
  flamelet_scope_time* times_ = nullptr;  // of each, in the frame that was measured last
  HashIndex index_;                       // by their names
  uint32_t max_budgets_ = 0;
  uint32_t count_ = 0;
  uint16_t* budget_of_string_ = nullptr;  // number + 1
  uint32_t max_strings_ = 0;
  uint32_t known_strings_ = 0;      // ids below were compared with the names
  flamelet_span* spans_ = nullptr;  // FLAMELET_CURSOR_LEAST, of a GPU queue
};

// Flight watch: what a trigger is found by: the median of the last frames, and the game's own call.

// Text cut to what there is room for, between two characters of UTF-8.
void copy_text(char (&to)[FLAMELET_FLIGHT_TEXT_BYTES], const char* text);

// Why a frame is to be kept.
struct Trigger {
  flamelet_flight_cause cause;
  char text[FLAMELET_FLIGHT_TEXT_BYTES];
  int64_t limit_ns;
  uint64_t frame;  // its index
};

// The durations of the last frames, also in rising order.
class FrameMedian {
 public:
  static constexpr uint32_t kFrames = 120;
  static constexpr uint32_t kLeastFrames = 16;  // for a median that means something

  void clear() { count_ = 0; }
  void add(int64_t duration_ns);
  // 0 while there are too few.
  int64_t median_ns() const { return count_ < kLeastFrames ? 0 : sorted_[(used() - 1) / 2]; }

 private:
  uint32_t used() const { return count_ < kFrames ? static_cast<uint32_t>(count_) : kFrames; }

  uint64_t count_ = 0;
  int64_t last_[kFrames];
  int64_t sorted_[kFrames];
};

// One call of flamelet_flight_trigger(), from any thread to the one that updates.
class TriggerBox {
 public:
  struct Call {
    uint32_t session;  // of the recorder
    uint64_t ticks;
    char text[FLAMELET_FLIGHT_TEXT_BYTES];
  };

  // False: the call before it is still there.
  bool put(uint32_t session, uint64_t ticks, const char* why);
  // NULL: there is none. It stays until taken() is called.
  const Call* get() const;
  void taken();

 private:
  enum State : uint32_t { kEmpty, kFilling, kFull };
  Atomic<uint32_t> state_;
  Call call_ = {};
};

}  // namespace flamelet

enum class FlightState { kReady, kWaits, kCopies };

struct flamelet_flight {
  flamelet_flight_config config;
  const flamelet_capture* capture;
  void* memory;
  size_t memory_bytes;

  // Finding triggers.
  uint32_t session;
  bool has_frame;  // there is a frame that was looked at
  uint64_t last_frame;
  uint64_t last_gpu_frame;  // whose GPU queues were looked at
  uint64_t last_lost;
  flamelet::PageId last_page;
  uint64_t new_pages;  // with the last update
  uint32_t holds;      // of the capture
  int64_t dead_until_ns;
  uint64_t newest_ticks;  // how long the frame of the newest trigger took that was not skipped
  flamelet::FrameMedian median;
  flamelet::ScopeBudgets budgets;
  flamelet::TriggerBox box;
  flamelet::Atomic<uint64_t> box_skipped;

  // Keeping one.
  FlightState state;
  flamelet::Trigger trigger;
  bool has_next;  // a longer frame triggered meanwhile
  flamelet::Trigger next;
  uint64_t next_id;
  flamelet::KeptFlight* copied;
  flamelet::PageSelection selection;
  flamelet::CaptureWriter writer;
  char* buffer;
  char* save_buffer;  // of flamelet_flight_save_to()
  flamelet::FlightStore store;

  flamelet::FlightFiles files;
  bool told;  // that files cannot be written
  flamelet_flight_stats stats;
};

namespace flamelet {

// Looks at what is new in the capture (flight.cpp).
void watch(flamelet_flight* flight);
// Takes the frame that the flight waits for, with what there is of those after it.
void begin_copy(flamelet_flight* flight);
void continue_copy(flamelet_flight* flight, size_t bytes);
// Waits for the frames after the next trigger, or is ready if there is none.
void begin_next(flamelet_flight* flight);

}  // namespace flamelet

#endif  // FLAMELET_SRC_FLIGHT_DATA_H
