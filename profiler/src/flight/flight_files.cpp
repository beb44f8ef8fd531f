// SPDX-License-Identifier: MIT
#include "flight/flight_files.h"

#include <errno.h>
#include <string.h>

#include "capture/capture_writer.h"
#include "platform/file.h"
#include "platform/new_file.h"

namespace flamelet {
namespace {

constexpr char kPrefix[] = "flight-";
constexpr char kSuffix[] = ".flamelet";
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

struct FolderContent {
  uint32_t files = 0;
  uint64_t bytes = 0;
  char oldest[kMostNameBytes + 1] = {};  // by name: the time is the first of it
};

bool look_into(const char* folder, FolderContent* content) {
  const auto visit = [](void* user, const char* name, uint64_t bytes) {
    if (!is_ours(name)) return;
    auto* found = static_cast<FolderContent*>(user);
    if (found->files == 0 || strcmp(name, found->oldest) < 0) memcpy(found->oldest, name, strlen(name) + 1);
    ++found->files;
    found->bytes += bytes;
  };
  return visit_folder(folder, visit, content);
}

}  // namespace

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
  name.text(kPrefix);
  write_time(flight->info.unix_ns, &name);
  name.text("-frame");
  name.number(flight->info.frame.index, 1);
  name.text("-");
  name.plain(flamelet_flight_cause_name(flight->info.cause), 32);
  if (flight->info.text[0] != 0) name.text("-");
  name.plain(flight->info.text, 32);
  name.text(kSuffix);
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
  char last[kMostNameBytes + 1] = {};
  for (;;) {
    FolderContent content;
    if (!look_into(folder_, &content)) {
      outcome_.result = FLAMELET_ERROR_FILE_OPEN;
      outcome_.error_number = errno;
      return false;
    }
    const bool stays = content.files != 0 && strcmp(content.oldest, last) == 0;  // it cannot be removed
    if (last[0] != 0 && !stays) ++outcome_.removed;
    if (content.files < max_files_ && content.bytes <= max_bytes_ - bytes_) return true;
    if (content.files == 0 || stays) return false;
    memcpy(last, content.oldest, sizeof last);
    char path[sizeof folder_ + kMostNameBytes + 2];
    NameWriter name(path, sizeof path);
    name.text(folder_);
    name.text("/");
    name.text(content.oldest);
    remove_file(path);
  }
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
