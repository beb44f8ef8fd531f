// SPDX-License-Identifier: MIT
//
// capture_save.cpp: a capture in a file, or through a sink.
#include "capture/capture_writer.h"
#include "platform/engine_memory.h"
#include "platform/new_file.h"

using namespace flamelet;

flamelet_result flamelet_capture_save_to(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                         flamelet_sink sink) {
  if (capture == nullptr || sink.write == nullptr || begin_ns >= end_ns) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_allocator& allocator = capture->config.allocator;
  constexpr size_t kAlignment = alignof(PageSelection::LanePart);
  char* buffer = nullptr;
  PageSelection::LanePart* parts = nullptr;
  const auto lay_out = [&](char* base) {
    Carver carver(base);
    parts = carver.take<PageSelection::LanePart>(capture->lanes.count());
    buffer = carver.take<char>(ChunkWriter::kBufferBytes);
    return carver.used();
  };
  const size_t bytes = lay_out(nullptr);
  void* block;
  const flamelet_result taken = take_memory(allocator, bytes, kAlignment, &block);
  if (taken != FLAMELET_OK) return taken;
  lay_out(static_cast<char*>(block));

  PageSelection selection;
  selection.attach(parts);
  selection.select(*capture, begin_ns, end_ns);
  CaptureWriter writer(capture, &selection, buffer, sink);
  writer.begin(capture->has_trigger ? &capture->trigger : nullptr);
  while (writer.step(SIZE_MAX)) {
  }
  const bool good = writer.good();
  allocator.free(allocator.user, block, bytes, kAlignment);
  return good ? FLAMELET_OK : FLAMELET_ERROR_FILE_WRITE;
}

flamelet_result flamelet_capture_save(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                      const char* path) {
  if (capture == nullptr || path == nullptr || begin_ns >= end_ns) return FLAMELET_ERROR_INVALID_ARGUMENT;
  NewFile file;
  if (!file.open(path)) return FLAMELET_ERROR_FILE_OPEN;
  const auto write = [](void* to, const void* bytes, size_t size) {
    return static_cast<NewFile*>(to)->write(bytes, size);
  };
  const flamelet_result result = flamelet_capture_save_to(capture, begin_ns, end_ns, {write, &file});
  if (result != FLAMELET_OK) {
    file.discard();
    return result;
  }
  return file.commit() ? FLAMELET_OK : FLAMELET_ERROR_FILE_WRITE;
}
