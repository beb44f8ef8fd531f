// SPDX-License-Identifier: MIT
//
// file_job.h: a capture on its way to or from a disk, on a thread of its own that ends with it. One at a time. Where there
// are no threads, the job is done when it was begun.
//
// The two threads share a capture only while it is saved, and then both only read it: the overlay does not update or
// destroy a capture before the job is taken. Everything else is handed over at the begin (by the start of the thread) and
// at the end (done() pairs with the job's last store; take() joins).
#ifndef FLAMELET_OVERLAY_SRC_FILE_JOB_H
#define FLAMELET_OVERLAY_SRC_FILE_JOB_H

#include <atomic>
#include <string_view>
#include <thread>

#include "flamelet/capture_file.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

enum class FileTask : uint32_t { kNone, kSave, kOpen };

struct FileOutcome {
  FileTask task = FileTask::kNone;
  flamelet_result result = FLAMELET_OK;
  int error_number = 0;                 // errno, where the result has one
  flamelet_capture* capture = nullptr;  // opened: the taker's
  flamelet_load_report report = {};     // of opening
  uint64_t file_bytes = 0;
  int64_t took_ns = 0;
};

// These do the work, on the thread that calls.
FileOutcome save_file(const flamelet_capture* capture, TimeWindow window, const char* path);
FileOutcome open_file(const flamelet_allocator& allocator, const char* path);

class FileJob {
 public:
  static constexpr size_t kPathBytes = 1024;

  FileJob() = default;
  ~FileJob();
  FileJob(const FileJob&) = delete;
  FileJob& operator=(const FileJob&) = delete;

  // Only while task() is kNone. What does not fit of the path is cut, and then not found.
  void save(const flamelet_capture* capture, TimeWindow window, std::string_view path);
  void open(const flamelet_allocator& allocator, std::string_view path);

  // The one under way, or done and not yet taken.
  FileTask task() const { return task_; }
  const char* path() const { return path_; }
  // Acquire: pairs with the release in run(), so that what the job wrote can be read.
  bool done() const { return done_.load(std::memory_order_acquire); }
  // Waits for it.
  FileOutcome take();

 private:
  void start(FileTask task, std::string_view path);
  void run();

  FileTask task_ = FileTask::kNone;
  char path_[kPathBytes] = {};
  const flamelet_capture* saved_ = nullptr;
  TimeWindow window_;
  flamelet_allocator allocator_ = {};
  FileOutcome outcome_;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FILE_JOB_H
