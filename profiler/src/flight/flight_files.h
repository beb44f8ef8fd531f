// SPDX-License-Identifier: MIT
//
// flight_files.h: kept frames on their way into a folder, one at a time, on a thread that ends with the file. The folder
// has limits of files and bytes; files of flight recorders are removed, whoever wrote them, and no others. The newest quarter
// stays; of the others, the file of the shortest frame goes first. A file's name says how long its frame was.
//
// The chain's blocks do not change while a file is written. Everything else is handed over at the begin (by the start of
// the thread) and at the end (done() pairs with the thread's last store).
#ifndef FLAMELET_SRC_FLIGHT_FILES_H
#define FLAMELET_SRC_FLIGHT_FILES_H

#include "flight/flight_store.h"
#include "platform/atomic.h"
#include "platform/process.h"

namespace flamelet {

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

}  // namespace flamelet

#endif  // FLAMELET_SRC_FLIGHT_FILES_H
