// SPDX-License-Identifier: MIT
#include "flight/flight_data.h"

#include <string.h>

namespace flamelet {

namespace {

constexpr uint32_t kNoSlot = UINT32_MAX;

// Longer frames first; of equal ones the newer first.
bool stands_before(const flamelet_flight_info& a, const flamelet_flight_info& b) {
  const int64_t a_ns = a.frame.end_ns - a.frame.begin_ns, b_ns = b.frame.end_ns - b.frame.begin_ns;
  return a_ns != b_ns ? a_ns > b_ns : a.id > b.id;
}

void remove_from(uint32_t* list, uint32_t count, uint32_t slot) {
  uint32_t at = 0;
  while (at < count && list[at] != slot) ++at;
  if (at < count) memmove(list + at, list + at + 1, (count - at - 1) * sizeof *list);
}

}  // namespace

void FlightStore::place(Carver* carver, const flamelet_flight_config& config) {
  keep_worst_ = config.keep_worst;
  keep_latest_ = config.keep_latest;
  slot_count_ = slots_for(config);
  block_count_ = static_cast<uint32_t>(config.store_bytes / kBlockBytes);
  blocks_ = static_cast<char*>(carver->take_bytes(size_t{block_count_} * kBlockBytes, alignof(uint64_t)));
  next_ = carver->take<uint32_t>(block_count_);
  slots_ = carver->take<KeptFlight>(slot_count_);
  by_length_ = carver->take<uint32_t>(slot_count_);
  by_age_ = carver->take<uint32_t>(slot_count_);
}

void FlightStore::clear() {
  for (uint32_t i = 0; i < slot_count_; ++i) slots_[i].block_count = 0;
  for (uint32_t i = 0; i < block_count_; ++i) next_[i] = i + 1 < block_count_ ? i + 1 : kNoBlock;
  free_ = block_count_ != 0 ? 0 : kNoBlock;
  free_count_ = block_count_;
  count_ = 0;
}

void FlightStore::release(uint32_t slot) {
  KeptFlight& flight = slots_[slot];
  if (flight.block_count != 0) {
    next_[flight.last_block] = free_;
    free_ = flight.first_block;
    free_count_ += flight.block_count;
  }
  flight.block_count = 0;
  if (slot == begun_) return;
  if (flight.to_be_written) ++unwritten_;
  remove_from(by_length_, count_, slot);
  remove_from(by_age_, count_, slot);
  --count_;
}

uint32_t FlightStore::next_to_go() const {
  for (uint32_t i = 0; i < count_; ++i) {
    const KeptFlight& flight = slots_[by_age_[i]];
    if (!flight.being_written && (flight.info.flags & FLAMELET_FLIGHT_WORST) == 0) return by_age_[i];
  }
  for (uint32_t i = count_; i > 0; --i) {
    if (!slots_[by_length_[i - 1]].being_written) return by_length_[i - 1];
  }
  return kNoSlot;
}

KeptFlight* FlightStore::begin(uint64_t likely_bytes) {
  const uint64_t needed = (likely_bytes + kBlockBytes - 1) / kBlockBytes;
  uint64_t held = 0;
  for (uint32_t i = 0; i < count_; ++i) held += slots_[by_age_[i]].being_written ? slots_[by_age_[i]].block_count : 0;
  if (needed + held > block_count_) return nullptr;
  while (free_count_ < needed) release(next_to_go());
  for (uint32_t slot = 0; slot < slot_count_; ++slot) {
    if (slots_[slot].block_count != 0) continue;
    begun_ = slot;
    slots_[slot] = KeptFlight();
    return &slots_[slot];
  }
  return nullptr;
}

bool FlightStore::append(const void* bytes, size_t size) {
  KeptFlight& flight = slots_[begun_];
  const char* from = static_cast<const char*>(bytes);
  while (size != 0) {
    const size_t used = static_cast<size_t>(flight.bytes % kBlockBytes);
    if (used == 0) {
      if (free_ == kNoBlock) {
        const uint32_t gone = next_to_go();
        if (gone == kNoSlot) return false;
        release(gone);
      }
      const uint32_t block = free_;
      free_ = next_[block];
      --free_count_;
      if (flight.block_count == 0)
        flight.first_block = block;
      else
        next_[flight.last_block] = block;
      next_[block] = kNoBlock;
      flight.last_block = block;
      ++flight.block_count;
    }
    const size_t room = kBlockBytes - used, count = size < room ? size : room;
    memcpy(blocks_ + size_t{flight.last_block} * kBlockBytes + used, from, count);
    flight.bytes += count;
    from += count;
    size -= count;
  }
  return true;
}

void FlightStore::insert(uint32_t slot) {
  uint32_t at = count_;
  while (at > 0 && stands_before(slots_[slot].info, slots_[by_length_[at - 1]].info)) --at;
  memmove(by_length_ + at + 1, by_length_ + at, (count_ - at) * sizeof *by_length_);
  by_length_[at] = slot;
  by_age_[count_++] = slot;
}

void FlightStore::mark_reasons() {
  for (uint32_t i = 0; i < count_; ++i)
    slots_[by_length_[i]].info.flags &= ~uint32_t{FLAMELET_FLIGHT_WORST | FLAMELET_FLIGHT_LATEST};
  for (uint32_t i = 0; i < count_ && i < keep_worst_; ++i) slots_[by_length_[i]].info.flags |= FLAMELET_FLIGHT_WORST;
  for (uint32_t i = count_; i > 0 && count_ - i < keep_latest_; --i)
    slots_[by_age_[i - 1]].info.flags |= FLAMELET_FLIGHT_LATEST;
}

void FlightStore::finish() {
  const uint32_t slot = begun_;
  begun_ = kNoSlot;
  insert(slot);
  mark_reasons();
  for (uint32_t i = count_; i > 0; --i) {
    const KeptFlight& flight = slots_[by_age_[i - 1]];
    if ((flight.info.flags & (FLAMELET_FLIGHT_WORST | FLAMELET_FLIGHT_LATEST)) == 0 && !flight.being_written)
      release(by_age_[i - 1]);
  }
}

void FlightStore::abandon() {
  if (begun_ == kNoSlot) return;
  release(begun_);
  begun_ = kNoSlot;
}

void FlightStore::written(KeptFlight* flight) {
  flight->being_written = false;
  if ((flight->info.flags & (FLAMELET_FLIGHT_WORST | FLAMELET_FLIGHT_LATEST)) == 0)
    release(static_cast<uint32_t>(flight - slots_));
}

void FlightStore::lost_file(uint64_t id) {
  for (uint32_t i = 0; i < count_; ++i) {
    flamelet_flight_info& info = slots_[by_age_[i]].info;
    if (info.id == id) info.flags = (info.flags & ~uint32_t{FLAMELET_FLIGHT_WRITTEN}) | FLAMELET_FLIGHT_FILE_REMOVED;
  }
}

KeptFlight* FlightStore::oldest_to_be_written() {
  for (uint32_t i = 0; i < count_; ++i) {
    if (slots_[by_age_[i]].to_be_written) return &slots_[by_age_[i]];
  }
  return nullptr;
}

flamelet_source ChainReader::source() {
  const auto read = [](void* user, uint64_t offset, void* bytes, size_t size, size_t* count) {
    const char* from = nullptr;
    *count = static_cast<ChainReader*>(user)->at(offset, size, &from);
    if (*count != 0) memcpy(bytes, from, *count);
    return true;
  };
  return {read, bytes_, this};
}

size_t ChainReader::at(uint64_t offset, size_t size, const char** bytes) {
  if (offset >= bytes_) return 0;
  const uint64_t number = offset / FlightStore::kBlockBytes;
  if (number < number_) {
    block_ = first_;
    number_ = 0;
  }
  for (; number_ < number; ++number_) block_ = store_.next(block_);
  const uint64_t within = offset % FlightStore::kBlockBytes;
  const uint64_t room = FlightStore::kBlockBytes - within, left = bytes_ - offset;
  *bytes = store_.block(block_) + within;
  const uint64_t most = room < left ? room : left;
  return size < most ? size : static_cast<size_t>(most);
}

// Flight copy: from a trigger to what is kept. The window is chosen and what changes is copied at once; pages and
// names follow, a piece an update.

namespace {

struct FrameRange {
  size_t first, last;  // positions
};

// The frames around one, of which the capture has everything.
FrameRange range_around(const flamelet_flight& flight, size_t position) {
  const FrameTable& frames = flight.capture->frames;
  FrameRange range = {position < flight.config.frames_before ? 0 : position - flight.config.frames_before,
                      position + flight.config.frames_after};
  if (range.last >= frames.count()) range.last = frames.count() - 1;
  while (range.first < position && frames.at(range.first).begin_ticks < flight.capture->evicted_ticks) ++range.first;
  return range;
}

uint64_t select(flamelet_flight* flight, FrameRange range) {
  const flamelet_capture& capture = *flight->capture;
  const int64_t begin_ns = capture.converter.to_ns(capture.frames.at(range.first).begin_ticks);
  const int64_t end_ns = capture.converter.to_ns(capture.frames.at(range.last).end_ticks);
  flight->selection.select(capture, begin_ns, end_ns > begin_ns ? end_ns : begin_ns + 1);
  return CaptureWriter::likely_kept_bytes(capture, flight->selection);
}

void describe(const flamelet_flight& flight, FrameRange range, size_t position, flamelet_flight_info* info) {
  const flamelet_capture& capture = *flight.capture;
  const Trigger& trigger = flight.trigger;
  info->id = flight.next_id;
  info->cause = trigger.cause;
  memcpy(info->text, trigger.text, sizeof info->text);
  info->limit_ns = trigger.limit_ns;
  flamelet_capture_frame(&capture, position, &info->frame);
  info->first_frame = capture.frames.at(range.first).index;
  info->last_frame = capture.frames.at(range.last).index;
  info->unix_ns = capture.clock.origin_unix_ns + static_cast<uint64_t>(info->frame.begin_ns);
  if (position - range.first < flight.config.frames_before) info->flags |= FLAMELET_FLIGHT_CUT;
}

}  // namespace

void begin_copy(flamelet_flight* flight) {
  const flamelet_capture& capture = *flight->capture;
  const size_t position = capture.frames.find(flight->trigger.frame);
  if (position == SIZE_MAX) {
    ++flight->stats.given_up;
    begin_next(flight);
    return;
  }
  FrameRange range = range_around(*flight, position);
  uint64_t bytes = select(flight, range);
  while (bytes > flight->store.capacity_bytes() / 2 && (range.first < position || range.last > position)) {
    if (range.first < position)
      range.first += (position - range.first + 1) / 2;
    else
      range.last = position;
    bytes = select(flight, range);
  }
  flight->copied = bytes > flight->store.capacity_bytes() / 2 ? nullptr : flight->store.begin(bytes);
  if (flight->copied == nullptr) {
    ++flight->stats.skipped_memory;
    begin_next(flight);
    return;
  }
  describe(*flight, range, position, &flight->copied->info);
  const auto append = [](void* store, const void* from, size_t size) {
    return static_cast<FlightStore*>(store)->append(from, size);
  };
  flight->writer =
      CaptureWriter(&capture, &flight->selection, flight->buffer, {append, &flight->store}, PageForm::kKept);
  TriggerEntry entry = {
      flight->trigger.frame, static_cast<double>(flight->trigger.limit_ns) / 1e6, flight->trigger.cause, 0, {}};
  memcpy(entry.text, flight->trigger.text, sizeof entry.text);
  flight->writer.begin(&entry);
  flight->state = FlightState::kCopies;
}

void continue_copy(flamelet_flight* flight, size_t bytes) {
  if (flight->writer.step(bytes)) return;
  if (!flight->writer.good()) {
    flight->store.abandon();
    flight->copied = nullptr;
    ++flight->stats.skipped_memory;
    begin_next(flight);
    return;
  }
  flight->copied->info.bytes = flight->writer.file_bytes();
  flight->stats.pages_missed += flight->writer.pages_missed();
  if (flight->writer.pages_missed() != 0) flight->copied->info.flags |= FLAMELET_FLIGHT_MISSED;
  flight->copied->to_be_written = flight->files.wanted();
  flight->store.finish();
  flight->copied = nullptr;
  ++flight->next_id;
  ++flight->stats.kept;
  begin_next(flight);
}

void begin_next(flamelet_flight* flight) {
  flight->state = flight->has_next ? FlightState::kWaits : FlightState::kReady;
  if (flight->has_next) flight->trigger = flight->next;
  flight->has_next = false;
}

}  // namespace flamelet
