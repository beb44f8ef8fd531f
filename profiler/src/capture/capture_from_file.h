// SPDX-License-Identifier: MIT
//
// capture_from_file.h: what loading a capture and recovering one from a ring's file have in common: arguments, and where
// the bytes come from. Whatever is wrong, no capture is handed out and the report is empty or says how far it went.
#ifndef FLAMELET_SRC_CAPTURE_FROM_FILE_H
#define FLAMELET_SRC_CAPTURE_FROM_FILE_H

#include "capture/file_source.h"
#include "flamelet/capture_file.h"
#include "platform/old_file.h"

namespace flamelet {

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

#endif  // FLAMELET_SRC_CAPTURE_FROM_FILE_H
