// SPDX-License-Identifier: MIT
#include "flight/flight_data.h"

#include <errno.h>
#include <string.h>

#include "capture/capture_writer.h"
#include "flamelet/detail/hash.h"
#include "platform/file.h"

namespace flamelet {
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
