// SPDX-License-Identifier: MIT
#include "event_writer.h"

#include <string.h>

#include "record/ring_reader.h"

namespace flamelet {
namespace {

const char* string_or_null(uint32_t id) {
  flamelet_string string = {};
  return id != 0 && get_string(id, &string) ? string.text : nullptr;
}

}  // namespace

void EventWriter::emit(char type, uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings, bool missing) {
  if (!emitting_) return;
  ++seen_;
  if (skip_ != 0) {
    --skip_;
    return;
  }
  if (written_ == capacity_) return;
  flamelet_event& event = dest_[written_++];
  memset(&event, 0, sizeof(event));
  event.time_ticks = ticks;
  event.id = id;
  event.track = track_;
  event.type = type;
  event.missing_end = missing;
  SiteRecord record;
  if (site != kNoSite && get_site(site, &record)) {
    const uint32_t dynamic = strings_name(strings);
    event.name = string_or_null(dynamic != 0 ? dynamic : record.name);
    event.category = string_or_null(record.category);
    event.object = string_or_null(strings_object(strings));
  }
}

void write_events(const PageHeader& header, const uint64_t* words, uint32_t first, uint32_t count,
                  EventWriter* writer) {
  DecodeCursor cursor = {2 * header.open_count, 0};
  decode(WordRun{words, first, header.base_ticks}, UINT64_MAX, &cursor, *writer);
  writer->set_emitting(true);
  decode(WordRun{words, count, header.base_ticks}, UINT64_MAX, &cursor, *writer);
}

uint64_t count_events(const PageHeader& header, const uint64_t* words, uint32_t first, uint32_t count) {
  uint64_t events = 0;
  for (uint32_t at = first; at < count; ++events) {
    const uint32_t code = word_code(words[at], word_ticks(words[at], header.base_ticks));
    at += 1u + kPayloadWords[static_cast<uint32_t>(code_type(code))] +
          (code_type(code) == WordType::kFiber ? 2 * code_id(code) : 0);
  }
  return events;
}

uint32_t sound_words(const PageHeader& header, const uint64_t* words, uint32_t count) {
  if (count > kPageWords || header.open_count > FLAMELET_MAX_DEPTH || 2 * header.open_count > count) return 0;
  uint32_t at = 2 * header.open_count;
  while (at < count) {
    const uint32_t code = word_code(words[at], word_ticks(words[at], header.base_ticks));
    const uint32_t type = static_cast<uint32_t>(code_type(code));
    if (type >= kWordTypes || code_type(code) == WordType::kReopen) break;
    uint32_t size = 1u + kPayloadWords[type];
    if (code_type(code) == WordType::kFiber) {
      if (code_id(code) > FLAMELET_MAX_DEPTH) break;
      size += 2 * code_id(code);
    }
    if (size > count - at) break;
    at += size;
  }
  return at;
}

}  // namespace flamelet
