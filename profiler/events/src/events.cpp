// SPDX-License-Identifier: MIT
//
// events.cpp: the life of a flamelet_events, and its calls.
#include "flamelet/events.h"

#include <string.h>

#include <new>

#include "event_writer.h"
#include "platform/engine_memory.h"

using namespace flamelet;

struct flamelet_events {
  flamelet_allocator allocator;
  size_t memory_bytes;
  EventIndex index;
};

namespace {

constexpr uint32_t kEventsCookie = 0x666C6576;

struct Places {
  flamelet_events* events;
  EventPart* parts;
};

size_t lay_out(const flamelet_events_config& config, char* base, Places* places) {
  Carver carver(base);
  places->events = carver.take<flamelet_events>(1);
  places->parts = carver.take<EventPart>(config.max_parts);
  return carver.used();
}

bool is_valid(const flamelet_events_config* config) {
  return config != nullptr && config->cookie == kEventsCookie && config->max_parts >= 1 &&
         config->max_parts <= (1u << 24) &&
         (config->allocator.allocate == nullptr) == (config->allocator.free == nullptr);
}

}  // namespace

flamelet_events_config flamelet_events_config_default(void) {
  flamelet_events_config config;
  memset(&config, 0, sizeof(config));
  config.cookie = kEventsCookie;
  config.max_parts = 16384;
  return config;
}

size_t flamelet_events_memory_required(const flamelet_events_config* config) {
  Places places;
  return is_valid(config) ? lay_out(*config, nullptr, &places) : 0;
}

flamelet_result flamelet_events_create(const flamelet_events_config* config, flamelet_events** events) {
  if (events == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *events = nullptr;
  const size_t bytes = flamelet_events_memory_required(config);
  if (bytes == 0) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_allocator allocator = allocator_or_default(config->allocator, BlockUse::kFilledOnce);
  void* memory;
  const flamelet_result taken = take_memory(allocator, bytes, alignof(flamelet_events), &memory);
  if (taken != FLAMELET_OK) return taken;
  Places places;
  lay_out(*config, static_cast<char*>(memory), &places);
  *events = new (places.events) flamelet_events{allocator, bytes, EventIndex(places.parts, config->max_parts)};
  return FLAMELET_OK;
}

void flamelet_events_destroy(flamelet_events* events) {
  if (events == nullptr) return;
  const flamelet_allocator allocator = events->allocator;
  allocator.free(allocator.user, events, events->memory_bytes, alignof(flamelet_events));
}

double flamelet_event_value(const flamelet_event* event) {
  if (event == nullptr) return 0;
  double value;
  memcpy(&value, &event->id, sizeof(value));
  return value;
}

flamelet_result flamelet_events_copy(flamelet_events* events, flamelet_event* dest, uint64_t start, size_t count,
                                     uint64_t* actual_start, size_t* actual_count) {
  if (events == nullptr || actual_start == nullptr || actual_count == nullptr || (dest == nullptr && count != 0))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  *actual_start = 0;
  *actual_count = 0;
  const SessionGuard guard;
  if (!guard) return FLAMELET_ERROR_NOT_INITIALIZED;
  const bool running = events->index.refresh();
  if (running) events->index.copy(dest, start, count, actual_start, actual_count);
  return running ? FLAMELET_OK : FLAMELET_ERROR_NOT_INITIALIZED;
}

flamelet_result flamelet_events_buffer(flamelet_events* events, flamelet_buffer* buffer) {
  if (events == nullptr || buffer == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  memset(buffer, 0, sizeof(*buffer));
  buffer->parts[0].start = buffer->parts[1].start = UINT64_MAX;
  const SessionGuard guard;
  if (!guard) return FLAMELET_ERROR_NOT_INITIALIZED;
  const bool running = events->index.refresh();
  if (running) {
    const RingPages ring = ring_pages();
    const uint32_t wrap = static_cast<uint32_t>(ring.head % ring.count);
    buffer->total_recorded = events->index.total();
    buffer->parts[0] = {&ring.pages[wrap], ring.count - wrap, events->index.oldest_in(wrap, ring.count)};
    if (wrap != 0) buffer->parts[1] = {ring.pages, wrap, events->index.oldest_in(0, wrap)};
  }
  return running ? FLAMELET_OK : FLAMELET_ERROR_NOT_INITIALIZED;
}

bool flamelet_events_pin_page(const void* page) {
  return pin_page(page);
}

void flamelet_events_unpin_page(const void* page) {
  unpin_page(page);
}

size_t flamelet_events_decode_page(const void* address, flamelet_event* events, size_t capacity) {
  if (events == nullptr) capacity = 0;
  const SessionGuard guard;
  if (!guard) return 0;
  size_t count = 0;
  // A copy, so that what is checked is what is decoded, whatever happens to an unpinned page meanwhile.
  PageHeader header;
  uint64_t words[kPageWords];
  const uint32_t word_count = copy_page(address, &header, words);
  const uint32_t sound = word_count == 0 ? 0 : sound_words(header, words, word_count);
  if (sound != 0) {
    EventWriter writer(header, words, events, capacity);
    write_events(header, words, 2 * header.open_count, sound, &writer);
    count = writer.seen();
  }
  return count;
}
