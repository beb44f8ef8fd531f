// SPDX-License-Identifier: MIT
#undef FLAMELET_DISABLED  // the library is whole, also in a build without macros
#define BUILD_WITH_EASY_PROFILER
#define FLAMELET_SHIM_NO_START
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#include "easy/arbitrary_value.h"
#include "flamelet_shim/format.hpp"
#include "platform/atomic.h"
#include "platform/number_text.h"
#include "platform/thread_local.h"
#include "spin_lock.h"

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

// NULL without memory.
const char* copy_of(const char* text) {
  const size_t size = strlen(text) + 1;
  char* const copy = static_cast<char*>(malloc(size));
  if (copy != nullptr) memcpy(copy, text, size);
  return copy;
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

// Descriptions live as long as the process; none is taken out of the list.
struct DescriptorAccess {
  static inline flamelet::Atomic<const BaseBlockDescriptor*> newest;
  static inline flamelet::Atomic<uint32_t> category_lock;  // the first value of a place tells its category

  static const BaseBlockDescriptor* find(const char* unique_id) {
    // acquire: pairs with the release of who adds one.
    const BaseBlockDescriptor* at = newest.load_acquire();
    while (at != nullptr && strcmp(at->unique_id_, unique_id) != 0) at = at->next_;
    return at;
  }
  static const BaseBlockDescriptor* add(const char* unique_id, const char* name, const char* file, int line,
                                        block_type_t type, flamelet_easy_profiler::Options options) {
    void* const memory = malloc(sizeof(BaseBlockDescriptor));
    if (memory == nullptr) return nullptr;
    BaseBlockDescriptor* const made = new (memory) BaseBlockDescriptor();
    made->place_ = flamelet_easy_profiler::make_place<false>(nullptr, type == BlockType::Event ? "event" : "", options,
                                                             "", file, static_cast<uint32_t>(line));
    if (*name != 0) made->place_.site.name = name;
    made->options_ = options;
    made->type_ = type;
    made->unique_id_ = unique_id;
    do {
      made->next_ = newest.load_acquire();
      made->id_ = made->next_ == nullptr ? 0 : made->next_->id_ + 1;
    } while (!newest.cas_release(made->next_, made));
    return made;
  }
  static flamelet_id begin(const BaseBlockDescriptor* of, const char* name) {
    if (of == nullptr) return 0;
    if (*name != 0) return flamelet_easy_profiler::begin(of->place_, of->options_, name);
    if (of->options_.hides_blocks_inside()) flamelet_shim_note_(FLAMELET_SHIM_NOTE_EASY_STATUS_);
    return of->options_.is_on() ? flamelet_scope_begin_(&of->place_.site) : 0;
  }
  static flamelet_site* value_site(const BaseBlockDescriptor* of, ValueId id, bool is_text) {
    if (of == nullptr || !of->options_.is_on() || flamelet_is_off_()) return nullptr;
    if (!id.is_global) flamelet_shim_note_(FLAMELET_SHIM_NOTE_EASY_VALUE_ID_);
    const flamelet::SpinGuard guard(category_lock);
    if (of->place_.site.category[0] == 0) of->place_.site.category = is_text ? "tag" : "counter";
    return &of->place_.site;
  }
  static void store(const BaseBlockDescriptor* of, const char* name) {
    if (of == nullptr || !of->options_.is_on() || flamelet_is_off_()) return;
    if (*name != 0)
      flamelet_instant(flamelet_intern(name), of->place_.site.category, nullptr);
    else
      flamelet_site_instant_(&of->place_.site, nullptr);
  }
};

const BaseBlockDescriptor* registerDescription(EasyBlockStatus status, const char* unique_id, const char* name,
                                               const char* file, int line, block_type_t type, color_t color,
                                               bool copy_name) {
  if (const BaseBlockDescriptor* found = DescriptorAccess::find(unique_id)) return found;
  const char* const own_id = copy_of(unique_id);
  const char* const own_name = copy_name ? copy_of(name) : name;
  if (own_id == nullptr || own_name == nullptr) return nullptr;
  return DescriptorAccess::add(own_id, own_name, file, line, type, flamelet_easy_profiler::make_options(status, color));
}

template <class Number>
static void store_numbers(flamelet_site* site, const void* data, size_t size, bool is_array) {
  const Number* const numbers = static_cast<const Number*>(data);
  if (is_array)
    flamelet_easy_profiler::set_array(site, numbers, size / sizeof(Number));
  else
    flamelet_easy_profiler::set_value(site, *numbers);
}

void storeValue(const BaseBlockDescriptor* description, DataType type, const void* data, size_t size, bool is_array,
                ValueId id) {
  using Store = void (*)(flamelet_site*, const void*, size_t, bool);
  constexpr Store kStores[] = {store_numbers<bool>,     store_numbers<char>,     store_numbers<int8_t>,
                               store_numbers<uint8_t>,  store_numbers<int16_t>,  store_numbers<uint16_t>,
                               store_numbers<int32_t>,  store_numbers<uint32_t>, store_numbers<int64_t>,
                               store_numbers<uint64_t>, store_numbers<float>,    store_numbers<double>};
  flamelet_site* const site = DescriptorAccess::value_site(description, id, is_array || type == DataType::String);
  if (site == nullptr || type >= DataType::TypesCount) return;
  if (type == DataType::String)
    flamelet_easy_profiler::set_string(site, static_cast<const char*>(data), size);
  else
    kStores[static_cast<size_t>(type)](site, data, size, is_array);
}

void storeEvent(const BaseBlockDescriptor* description, const char* name) {
  DescriptorAccess::store(description, name);
}

void beginNonScopedBlock(const BaseBlockDescriptor* description, const char* name) {
  flamelet_shim_push_(DescriptorAccess::begin(description, name));
}

void beginBlock(Block& block) {
  if (block.has_begun_) return;
  new (&block.block_) flamelet_easy_profiler::Block(DescriptorAccess::begin(block.description_, block.name_));
  block.has_begun_ = true;
}
Block::~Block() {
  if (has_begun_) block_.~Block();
}

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

static timestamp_t in_units(timestamp_t ticks, double units_per_second) {
  const double ticks_per_second = flamelet_clock_info().ticks_per_second;
  if (ticks_per_second == 0) return 0;  // before there is a recorder
  return static_cast<timestamp_t>(static_cast<double>(ticks) * units_per_second / ticks_per_second);
}
timestamp_t toNanoseconds(timestamp_t ticks) {
  return in_units(ticks, 1e9);
}
timestamp_t toMicroseconds(timestamp_t ticks) {
  return in_units(ticks, 1e6);
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

flamelet_site* flamelet_easy_profiler::value_site(const profiler::BaseBlockDescriptor* description,
                                                  profiler::ValueId id, bool is_text) {
  return profiler::DescriptorAccess::value_site(description, id, is_text);
}
