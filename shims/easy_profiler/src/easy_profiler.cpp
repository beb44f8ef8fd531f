// SPDX-License-Identifier: MIT
#undef FLAMELET_DISABLED  // the library is whole, also in a build without macros
#define BUILD_WITH_EASY_PROFILER
#define FLAMELET_SHIM_NO_START
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "easy/arbitrary_value.h"
#include "flamelet_shim/format.hpp"
#include "platform/atomic.h"
#include "platform/number_text.h"
#include "platform/thread_local.h"

namespace {

FLAMELET_THREAD_LOCAL_ bool is_main_thread;

// The times of the main thread's frames, in ticks. "Local": since it was asked for the last time.
struct FrameTimes {
  flamelet::Atomic<uint64_t> begin;  // of the frame; 0: the first
  flamelet::Atomic<uint64_t> last, longest, sum, count;
};
FrameTimes times;

profiler::timestamp_t in_unit(uint64_t ticks, profiler::Duration duration) {
  return duration == profiler::TICKS ? ticks : profiler::toMicroseconds(ticks);
}

void count_frame() {
  const uint64_t now = flamelet_now_ticks();
  const uint64_t begin = times.begin.exchange_relaxed(now);
  if (begin == 0 || now <= begin) return;  // two main threads: none of their frames
  const uint64_t took = now - begin;
  times.last.store_relaxed(took);
  if (took > times.longest.load_relaxed()) times.longest.store_relaxed(took);
  times.sum.fetch_add_relaxed(took);
  times.count.fetch_add_relaxed(1);
}

}  // namespace

namespace flamelet_easy_profiler {

// A recorded one. It is not the outermost if one that was not recorded is around it.
void end_outermost() noexcept {
  if (!is_main_thread || flamelet_shim_open_here_()->unrecorded[0] != 0) return;
  count_frame();
  flamelet_frame();
}

void end_other(uint32_t depth, flamelet_id id) noexcept {
  flamelet_shim_open_scopes* const open = flamelet_shim_open_here_();
  if (open->depth < depth || open->ids[depth - 1] != id) return;
  open->depth = depth - 1;
  flamelet_scope_end_(id);
  if (depth == 1) end_outermost();
}

void end_unrecorded(uint32_t depth, uint32_t unrecorded) noexcept {
  flamelet_shim_open_scopes* const open = flamelet_shim_open_here_();
  if (open->depth < depth || open->unrecorded[depth] < unrecorded) return;
  if (open->depth > depth) flamelet_scope_end_(open->ids[depth]);  // and all inside it
  open->depth = depth;
  open->unrecorded[depth] = unrecorded - 1;
}

ArrayText::~ArrayText() {
  if (text_ != short_) free(text_);
}

void ArrayText::append(const char* text, size_t size) {
  constexpr size_t kMost = 65535;
  if (size_ + size > kMost) return;
  if (size_ + size > room_) {
    char* more = static_cast<char*>(malloc(kMost));
    if (more == nullptr) return;
    memcpy(more, text_, size_);
    text_ = more;
    room_ = kMost;
  }
  memcpy(text_ + size_, text, size);
  size_ += size;
}

void ArrayText::add(int64_t value) {
  char text[24];
  const int size = snprintf(text, sizeof(text), "%s%lld", size_ == 0 ? "" : ", ", static_cast<long long>(value));
  append(text, static_cast<size_t>(size));
}
void ArrayText::add(uint64_t value) {
  char text[24];
  const int size =
      snprintf(text, sizeof(text), "%s%llu", size_ == 0 ? "" : ", ", static_cast<unsigned long long>(value));
  append(text, static_cast<size_t>(size));
}
void ArrayText::add(double value) {
  char text[40] = ", ";
  char* const begin = size_ == 0 ? text : text + 2;
  append(text, static_cast<size_t>(flamelet::write_general(begin, text + sizeof(text), value, 6) - text));
}

void store_text(flamelet_site* site, const char* text, size_t size) {
  if (!flamelet_is_off_()) flamelet_site_instant_(site, flamelet_intern_bytes(text, size));
}

}  // namespace flamelet_easy_profiler

namespace profiler {

void endBlock() {
  const flamelet_id id = flamelet_shim_take_();
  if (id == 0) return;
  flamelet_scope_end_(id);
  if (flamelet_shim_open_here_()->depth == 0) flamelet_easy_profiler::end_outermost();
}

const char* registerThread(const char* name) {
  is_main_thread = strcmp(name, "Main") == 0;
  flamelet_shim_thread_name(name, 0);
  return flamelet_shim_this_thread_name();
}

bool isMainThread() {
  return is_main_thread;
}

uint32_t dumpBlocksToFile(const char* path) {
  uint64_t scopes = 0;
  if (!flamelet_shim_save_capture(path, &scopes)) return 0;
  return scopes < UINT32_MAX ? static_cast<uint32_t>(scopes) : UINT32_MAX;
}

timestamp_t toNanoseconds(timestamp_t ticks) {
  return static_cast<timestamp_t>(static_cast<double>(ticks) * 1e9 / flamelet_clock_info().ticks_per_second);
}
timestamp_t toMicroseconds(timestamp_t ticks) {
  return static_cast<timestamp_t>(static_cast<double>(ticks) * 1e6 / flamelet_clock_info().ticks_per_second);
}

timestamp_t main_thread_frameTime(Duration duration) {
  return in_unit(times.last.load_relaxed(), duration);
}
timestamp_t main_thread_frameTimeLocalMax(Duration duration) {
  return in_unit(times.longest.exchange_relaxed(0), duration);
}
timestamp_t main_thread_frameTimeLocalAvg(Duration duration) {
  const uint64_t count = times.count.exchange_relaxed(0), sum = times.sum.exchange_relaxed(0);
  return in_unit(count == 0 ? 0 : sum / count, duration);
}

}  // namespace profiler
