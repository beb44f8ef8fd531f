// SPDX-License-Identifier: MIT
//
// flight_store.cpp: the hitches that are kept, in memory and as files.
#include "flight/flight_data.h"

#include <errno.h>
#include <string.h>

#include "capture/capture_writer.h"
#include "flamelet/detail/hash.h"
#include "platform/file.h"

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

// ---- files

namespace {

constexpr char kPrefix[] = "flight-";
constexpr char kSuffix[] = ".flamelet";
constexpr char kUnit[] = "ms";
constexpr size_t kMostNameBytes = 200;

class NameWriter {
 public:
  NameWriter(char* at, size_t room) : at_(at), end_(at + room - 1) { *at = 0; }

  void text(const char* text) {
    while (*text != 0) put(*text++);
  }
  void number(uint64_t number, int least_digits) {
    char digits[20];
    int count = 0;
    for (; number != 0 || count < least_digits; number /= 10) digits[count++] = static_cast<char>('0' + number % 10);
    while (count > 0) put(digits[--count]);
  }
  // What every file system takes and no shell minds.
  void plain(const char* text, size_t most) {
    for (; *text != 0 && most > 0; ++text, --most) {
      const char c = *text;
      const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      put(kept ? c : '-');
    }
  }

 private:
  void put(char c) {
    if (at_ == end_) return;
    *at_++ = c;
    *at_ = 0;
  }

  char* at_;
  char* const end_;
};

// In UTC, so that names sort by time: 20261122T091350.123Z.
void write_time(uint64_t unix_ns, NameWriter* name) {
  const uint64_t ms = unix_ns / 1000000, seconds = ms / 1000, days = seconds / 86400;
  // The days of the civil calendar, from 1 March of the year 0 (H. Hinnant, "chrono-compatible low-level date
  // algorithms").
  const uint64_t day = days + 719468, era = day / 146097, day_of_era = day % 146097;
  const uint64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const uint64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const uint64_t month_from_march = (5 * day_of_year + 2) / 153;
  const uint64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  name->number(year_of_era + era * 400 + (month <= 2 ? 1 : 0), 4);
  name->number(month, 2);
  name->number(day_of_year - (153 * month_from_march + 2) / 5 + 1, 2);
  name->text("T");
  name->number(seconds / 3600 % 24, 2);
  name->number(seconds / 60 % 60, 2);
  name->number(seconds % 60, 2);
  name->text(".");
  name->number(ms % 1000, 3);
  name->text("Z");
}

bool ends_with(const char* name, size_t size, const char* end) {
  const size_t end_size = strlen(end);
  return size >= end_size && memcmp(name + size - end_size, end, end_size) == 0;
}

// Also what a process left that was killed while it wrote: NAME.tmp-NUMBER.
bool is_ours(const char* name) {
  size_t size = strlen(name);
  if (strncmp(name, kPrefix, sizeof kPrefix - 1) != 0 || size > kMostNameBytes) return false;
  const char* const temporary = strstr(name, ".tmp-");
  if (temporary != nullptr && temporary[5 + strspn(temporary + 5, "0123456789")] == 0)
    size = static_cast<size_t>(temporary - name);
  return ends_with(name, size, kSuffix);
}

void write_file_name(const flamelet_flight_info& info, NameWriter* name) {
  name->text(kPrefix);
  write_time(info.unix_ns, name);
  name->text("-frame");
  name->number(info.frame.index, 1);
  name->text("-");
  name->plain(flamelet_flight_cause_name(info.cause), 32);
  if (info.text[0] != 0) name->text("-");
  name->plain(info.text, 32);
  const int64_t length_ns = info.frame.end_ns - info.frame.begin_ns;
  const uint64_t us = length_ns <= 0 ? 0 : (static_cast<uint64_t>(length_ns) + 500) / 1000;
  name->text("-");
  name->number(us / 1000, 1);
  name->text(".");
  name->number(us % 1000, 3);
  name->text(kUnit);
  name->text(kSuffix);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// From "...-526.100ms.flamelet". 0: the name says nothing, because an older version wrote it, or the file is not whole.
uint64_t name_length_us(const char* name) {
  constexpr size_t kEnd = sizeof kUnit - 1 + sizeof kSuffix - 1;
  const size_t size = strlen(name);
  if (size < kEnd || !ends_with(name, size, kSuffix) || !ends_with(name, size - (sizeof kSuffix - 1), kUnit)) return 0;
  const char* const end = name + size - kEnd;
  const char* at = end;
  uint64_t us = 0, unit = 1;
  int digits = 0;
  for (; at > name && (is_digit(at[-1]) || (digits == 3 && at[-1] == '.')) && digits < 16; --at) {
    if (at[-1] == '.') {
      if (end - at != 3) return 0;
      continue;
    }
    us += unit * static_cast<uint64_t>(at[-1] - '0');
    unit *= 10;
    ++digits;
  }
  return digits > 3 && at > name && at[-1] == '-' && end[-4] == '.' ? us : 0;
}

// The time in a name as a number that rises: 20261122091350123.
uint64_t name_time(const char* name) {
  uint64_t time = 0;
  int digits = 0;
  for (name += sizeof kPrefix - 1; *name != 0 && *name != 'Z' && digits < 17; ++name) {
    if (!is_digit(*name)) continue;
    time = 10 * time + static_cast<uint64_t>(*name - '0');
    ++digits;
  }
  return digits == 17 ? time : 0;
}

struct FileInFolder {
  uint64_t name;  // hash
  uint64_t time;
  uint64_t length_us;

  bool is_newer_than(const FileInFolder& other) const {
    return time != other.time ? time > other.time : name > other.name;
  }
  // Goes before the other one.
  bool is_less_than(const FileInFolder& other) const {
    return length_us != other.length_us ? length_us < other.length_us : other.is_newer_than(*this);
  }
};

}  // namespace

struct FlightFiles::FolderContent {
  FlightFiles* self = nullptr;
  uint32_t files = 0;
  uint64_t bytes = 0;
  FileInFolder* known = nullptr;
  uint32_t room = 0;
  uint32_t known_count = 0;

  // What goes first; NULL: there is none.
  const FileInFolder* least() const {
    const uint32_t newest = known_count / 4;
    const FileInFolder* found = nullptr;
    for (uint32_t i = 0; i < known_count; ++i) {
      if (found != nullptr && !known[i].is_less_than(*found)) continue;
      uint32_t newer = 0;
      for (uint32_t j = 0; j < known_count && newer < newest; ++j) newer += known[j].is_newer_than(known[i]);
      if (newer >= newest) found = &known[i];
    }
    return found;
  }
};

bool FlightFiles::look_into_folder(FolderContent* content) {
  *content = FolderContent();
  content->self = this;
  // Nothing is written yet, so the buffer is free: it has room for 5,000 files. Of more, some are not looked at.
  content->known = static_cast<FileInFolder*>(static_cast<void*>(buffer_));
  content->room = static_cast<uint32_t>(ChunkWriter::kBufferBytes / sizeof(FileInFolder));
  for (uint32_t i = 0; i < earlier_count_; ++i) earlier_[i].is_there = false;
  const auto visit = [](void* user, const char* name, uint64_t bytes) {
    if (!is_ours(name)) return;
    auto* found = static_cast<FolderContent*>(user);
    ++found->files;
    found->bytes += bytes;
    const uint64_t hash = fnv_of_text(name, strlen(name));
    if (found->known_count < found->room)
      found->known[found->known_count++] = {hash, name_time(name), name_length_us(name)};
    FlightFiles& self = *found->self;
    for (uint32_t i = 0; i < self.earlier_count_; ++i)
      self.earlier_[i].is_there = self.earlier_[i].is_there || self.earlier_[i].name == hash;
  };
  return visit_folder(folder_, visit, content);
}

bool FlightFiles::set(const char* folder, uint32_t max_files, uint64_t max_bytes) {
  max_files_ = max_files;
  max_bytes_ = max_bytes;
  if (folder == nullptr) return true;
  if (strlen(folder) >= sizeof folder_) return false;
  memcpy(folder_, folder, strlen(folder) + 1);
  return true;
}

void FlightFiles::start(const FlightStore& store, KeptFlight* flight) {
  store_ = &store;
  flight_ = flight;
  first_block_ = flight->first_block;
  kept_bytes_ = flight->bytes;
  bytes_ = flight->info.bytes;
  flight->to_be_written = false;
  flight->being_written = true;
  NameWriter name(path_, sizeof path_);
  name.text(folder_);
  name.text("/");
  write_file_name(flight->info, &name);
  earlier_count_ = 0;
  for (uint32_t i = 0; earlier_ != nullptr && i < store.count(); ++i) {
    const flamelet_flight_info& info = store.at(i).info;
    if ((info.flags & FLAMELET_FLIGHT_WRITTEN) == 0) continue;
    char text[kMostNameBytes + 1];
    NameWriter its_name(text, sizeof text);
    write_file_name(info, &its_name);
    earlier_[earlier_count_++] = {info.id, fnv_of_text(text, strlen(text)), true};
  }
  outcome_ = {flight, FLAMELET_OK, 0, 0};
  // Relaxed: the start of the thread comes after it.
  done_.store_relaxed(0);
  has_thread_ = thread_.start([](void* self) { static_cast<FlightFiles*>(self)->run(); }, this);
  if (!has_thread_) run();
}

void FlightFiles::run() {
  write();
  // Release: pairs with the acquire in done().
  done_.store_release(1);
}

FlightFiles::Outcome FlightFiles::take() {
  if (has_thread_) thread_.join();
  has_thread_ = false;
  flight_ = nullptr;
  return outcome_;
}

bool FlightFiles::make_room() {
  outcome_.result = FLAMELET_ERROR_LIMIT;
  if (max_files_ == 0 || bytes_ > max_bytes_) return false;
  uint64_t last = 0;
  for (bool is_first = true;; is_first = false) {
    FolderContent content;
    if (!look_into_folder(&content)) {
      outcome_.result = FLAMELET_ERROR_FILE_OPEN;
      outcome_.error_number = errno;
      earlier_count_ = 0;  // nobody knows
      return false;
    }
    bool stays = false;  // it cannot be removed
    for (uint32_t i = 0; i < content.known_count && !is_first; ++i) stays = stays || content.known[i].name == last;
    if (!is_first && !stays) ++outcome_.removed;
    if (content.files < max_files_ && content.bytes <= max_bytes_ - bytes_) return true;
    const FileInFolder* const least = content.least();
    if (least == nullptr || stays) return false;
    last = least->name;
    remove_from_folder(last);
  }
}

void FlightFiles::remove_from_folder(uint64_t hash) const {
  struct Wanted {
    uint64_t hash;
    char name[kMostNameBytes + 1];
  } wanted = {hash, {}};
  const auto visit = [](void* user, const char* name, uint64_t) {
    auto* to = static_cast<Wanted*>(user);
    if (is_ours(name) && fnv_of_text(name, strlen(name)) == to->hash) memcpy(to->name, name, strlen(name) + 1);
  };
  if (!visit_folder(folder_, visit, &wanted) || wanted.name[0] == 0) return;
  char path[sizeof folder_ + kMostNameBytes + 2];
  NameWriter writer(path, sizeof path);
  writer.text(folder_);
  writer.text("/");
  writer.text(wanted.name);
  remove_file(path);
}

void FlightFiles::write() {
  if (!make_room()) return;
  NewFile file;
  outcome_.result = FLAMELET_ERROR_FILE_OPEN;
  if (file.open(path_)) {
    ChainReader chain(*store_, first_block_, kept_bytes_);
    const auto write = [](void* to, const void* bytes, size_t size) {
      return static_cast<NewFile*>(to)->write(bytes, size);
    };
    const bool good = write_kept(chain.source(), buffer_, {write, &file}) && file.commit();
    outcome_.result = good ? FLAMELET_OK : FLAMELET_ERROR_FILE_WRITE;
  }
  outcome_.error_number = outcome_.result == FLAMELET_OK ? 0 : errno;
}

}  // namespace flamelet
