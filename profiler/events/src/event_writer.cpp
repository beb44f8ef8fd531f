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
  if (site == kNoSite) event.name = string_or_null(strings_name(strings));
  SiteRecord record;
  if (site != kNoSite && get_site(site, &record)) {
    const uint32_t dynamic = strings_name(strings);
    event.name = string_or_null(dynamic != 0 ? dynamic : record.name);
    event.category = string_or_null(record.category);
    event.object = string_or_null(strings_object(strings));
  }
}

uint64_t write_events(const PageHeader& header, const uint64_t* words, uint32_t first, uint32_t count,
                      EventWriter* writer) {
  ReplayCursor cursor = page_start(header);
  replay(WordRun{words, first, header.base_ticks}, UINT64_MAX, &cursor, *writer);
  const uint64_t before = cursor.events;
  writer->set_emitting(true);
  replay(WordRun{words, count, header.base_ticks}, UINT64_MAX, &cursor, *writer);
  return cursor.events - before;
}

uint32_t sound_words(const PageHeader& header, const uint64_t* words, uint32_t count) {
  if (count > kPageWords || header.open_count > FLAMELET_MAX_DEPTH || 2 * header.open_count > count) return 0;
  ReplayCursor cursor = page_start(header);
  IgnoreEvents visitor;
  RepairCounts counts = {};
  check(WordRun{words, count, header.base_ticks}, &cursor, visitor, &counts);
  return cursor.at;
}

}  // namespace flamelet
