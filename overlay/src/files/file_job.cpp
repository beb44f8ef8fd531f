// SPDX-License-Identifier: MIT
#include "files/file_job.h"

#include <errno.h>
#include <string.h>

#include <algorithm>

#include "platform/system.h"
#include "platform/thread.h"
#include "shell/update.h"

namespace flamelet::ui {

FileOutcome save_file(const flamelet_capture* capture, TimeWindow window, const char* path) {
  const int64_t start_ns = steady_ns();
  FileOutcome outcome;
  outcome.task = FileTask::kSave;
  outcome.result = flamelet_capture_save(capture, window.begin_ns, window.end_ns, path);
  outcome.error_number = errno;
  if (outcome.result == FLAMELET_OK) outcome.file_bytes = size_of_file(path);
  outcome.took_ns = steady_ns() - start_ns;
  return outcome;
}

FileOutcome open_file(const flamelet_allocator& allocator, const char* path) {
  const int64_t start_ns = steady_ns();
  FileOutcome outcome;
  outcome.task = FileTask::kOpen;
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = allocator;
  outcome.result = flamelet_capture_load(&options, path, &outcome.capture, &outcome.report);
  outcome.error_number = errno;
  outcome.file_bytes = outcome.report.file_bytes;
  outcome.took_ns = steady_ns() - start_ns;
  return outcome;
}

FileJob::~FileJob() {
  if (task_ != FileTask::kNone) flamelet_capture_destroy(take().capture);
}

void FileJob::save(const flamelet_capture* capture, TimeWindow window, std::string_view path) {
  saved_ = capture;
  window_ = window;
  start(FileTask::kSave, path);
}

void FileJob::open(const flamelet_allocator& allocator, std::string_view path) {
  allocator_ = allocator;
  start(FileTask::kOpen, path);
}

void FileJob::start(FileTask task, std::string_view path) {
  const size_t size = std::min(path.size(), sizeof path_ - 1);
  memcpy(path_, path.data(), size);
  path_[size] = 0;
  task_ = task;
  // Relaxed: the start of the thread comes after it.
  done_.store(false, std::memory_order_relaxed);
  if (!start_thread([](void* job) { static_cast<FileJob*>(job)->run(); }, this, &thread_)) run();
}

void FileJob::run() {
  outcome_ = task_ == FileTask::kSave ? save_file(saved_, window_, path_) : open_file(allocator_, path_);
  // Release: pairs with the acquire in done().
  done_.store(true, std::memory_order_release);
}

FileOutcome FileJob::take() {
  if (thread_.joinable()) thread_.join();
  task_ = FileTask::kNone;
  return outcome_;
}

}  // namespace flamelet::ui
