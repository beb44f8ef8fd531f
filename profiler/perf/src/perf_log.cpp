// SPDX-License-Identifier: MIT
//
// perf_log.cpp: blocks (perf_reader.h) → text and statistics.
#include "flamelet/perf_log.h"

#include <math.h>
#include <string.h>
#include <algorithm>
#include <new>
#include <utility>

#include "flamelet/detail/on_top.h"
#include "flamelet/perf.h"
#include "perf_reader.h"
#include "platform/engine_memory.h"
#include "platform/file.h"
#include "record/clock.h"
#include "record/ring_reader.h"

// ---- perf

#ifdef __ELF__
extern "C" {
__attribute__((used)) __thread flamelet_perf_blocks_ flamelet_perf_open_
    __attribute__((tls_model("initial-exec"))) = {};
}
#else
flamelet_perf_blocks_* flamelet_perf_open_call_(void) {
  static thread_local flamelet_perf_blocks_ open = {};
  return &open;
}
#endif

// Which block an end belongs to moves with its fiber.
static_assert(sizeof(flamelet_perf_blocks_) <= FLAMELET_SMALL_FIBER_LOCAL_BYTES_, "a slot holds it");
static void* open_blocks() {
  return &FLAMELET_PERF_OPEN_;
}
static const struct OpenBlocksOfFiber {
  OpenBlocksOfFiber() { flamelet_fiber_local_add_(open_blocks, sizeof(flamelet_perf_blocks_), nullptr); }
  ~OpenBlocksOfFiber() { flamelet_fiber_local_remove_(open_blocks); }
} fiber_local;

void flamelet_perf_extra_end_(void*) {
  flamelet::count_extra_end();
}

// ---- Text into a fixed buffer that is written out when it is full. Independent of the locale.

namespace flamelet {

class TextBuffer {
 public:
  void attach(char* bytes, size_t capacity, flamelet_sink sink);

  void put(char c) {
    if (count_ == capacity_) flush();
    bytes_[count_++] = c;
  }
  void put(const char* text);
  void put_number(int64_t number);
  // A name as the log has it: bare, or in quotes with escapes if it contains a comma, a quote, a backslash or a control
  // character, or if it is empty or begins or ends with a space.
  void put_name(flamelet_string name);
  void put_quoted(flamelet_string name);  // in quotes in any case

  // For tables. Aligned to the right:
  void put_right(const char* text, size_t width);
  void put_count(uint64_t number, size_t width);
  void put_duration(double ns, size_t width);  // four digits, in the unit that fits
  // Aligned to the left: cut to `width` characters of UTF-8, control characters as '?'.
  void put_left(flamelet_string text, size_t width);

  size_t count() const { return count_; }
  // Writes what is there. Once that failed, everything is thrown away until reset().
  bool flush();
  bool ok() const { return ok_; }
  void reset();

 private:
  char* bytes_ = nullptr;
  size_t capacity_ = 0;
  flamelet_sink sink_ = {};
  size_t count_ = 0;
  bool ok_ = true;
};

// Perf statistics: what PERF routines cost over the frames, as they come. One row for each name.

class PerfStatistics {
 public:
  struct Row {
    uint64_t frames;
    uint64_t blocks;
    int64_t last_ns;
    int64_t min_ns;
    int64_t max_ns;
    double mean_ns;
    double squares;    // sum of the squared distances from the mean (Welford)
    int64_t frame_ns;  // of the frame that is being added
    uint64_t stamp;    // its number
    uint32_t listed;   // the name at this index of the list: no figure of this row's name
  };

  // `rows` is zero.
  void attach(Row* rows) { rows_ = rows; }

  // A frame: begin, then its blocks from the last to end to the first, then end for each of them again.
  void begin_frame() { ++frame_; }
  void add(uint32_t name, uint32_t depth, int64_t duration_ns);
  void end(uint32_t name);

  // Names that were in a frame, in the order in which they first were.
  uint32_t count() const { return count_; }
  uint32_t name(uint32_t index) const { return rows_[index].listed; }
  const Row& row(uint32_t name) const { return rows_[name]; }
  double deviation_ns(uint32_t name) const;

 private:
  // A block's depth is limited like a scope's.
  static constexpr uint32_t kMaxDepth = 128;

  Row* rows_ = nullptr;
  uint32_t count_ = 0;
  uint64_t frame_ = 0;
  uint32_t path_[kMaxDepth + 1] = {};  // names of the blocks around the one that is being added
};

namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

bool needs_quotes(flamelet_string name) {
  if (name.size == 0 || name.text[0] == ' ' || name.text[name.size - 1] == ' ') return true;
  for (size_t i = 0; i < name.size; ++i) {
    const char c = name.text[i];
    if (c == ',' || c == '"' || c == '\\' || is_control(c)) return true;
  }
  return false;
}

// Digits from the end of `digits`; returns where they begin.
char* spell(uint64_t number, char* end) {
  do *--end = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  return end;
}

}  // namespace

void TextBuffer::attach(char* bytes, size_t capacity, flamelet_sink sink) {
  bytes_ = bytes;
  capacity_ = capacity;
  sink_ = sink;
  reset();
}

void TextBuffer::reset() {
  count_ = 0;
  ok_ = true;
}

bool TextBuffer::flush() {
  if (ok_ && count_ != 0) ok_ = sink_.write(sink_.user, bytes_, count_);
  count_ = 0;
  return ok_;
}

void TextBuffer::put(const char* text) {
  while (*text != '\0') put(*text++);
}

void TextBuffer::put_number(int64_t number) {
  char digits[24];
  char* const end = digits + sizeof(digits) - 1;
  *end = '\0';
  if (number < 0) put('-');
  put(spell(number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number), end));
}

void TextBuffer::put_name(flamelet_string name) {
  if (!needs_quotes(name)) {
    for (size_t i = 0; i < name.size; ++i) put(name.text[i]);
  } else {
    put_quoted(name);
  }
}

void TextBuffer::put_quoted(flamelet_string name) {
  static const char kHex[] = "0123456789abcdef";
  put('"');
  for (size_t i = 0; i < name.size; ++i) {
    const char c = name.text[i];
    if (c == '"' || c == '\\') {
      put('\\');
      put(c);
    } else if (c == '\n') {
      put("\\n");
    } else if (c == '\r') {
      put("\\r");
    } else if (c == '\t') {
      put("\\t");
    } else if (is_control(c)) {
      put("\\x");
      put(kHex[static_cast<unsigned char>(c) >> 4]);
      put(kHex[c & 15]);
    } else {
      put(c);
    }
  }
  put('"');
}

void TextBuffer::put_right(const char* text, size_t width) {
  for (size_t size = strlen(text); size < width; ++size) put(' ');
  put(text);
}

void TextBuffer::put_count(uint64_t number, size_t width) {
  char digits[24];
  char* const end = digits + sizeof(digits) - 1;
  *end = '\0';
  put_right(spell(number, end), width);
}

void TextBuffer::put_duration(double ns, size_t width) {
  struct Unit {
    double ns;
    double limit_ns;  // from there on it has too many digits
    const char* name;
  };
  static constexpr Unit kUnits[] = {
      {1, 999.5, " ns"}, {1e3, 999.95e3, " us"}, {1e6, 999.95e6, " ms"}, {1e9, INFINITY, " s "}};
  // Neither negative nor above INT64_MAX: a duration. (The comparison takes care of a NaN, too.)
  const double size = ns >= 0 && ns <= 9.2e18 ? ns : 0;
  const Unit* unit = kUnits;
  while (size >= unit->limit_ns) ++unit;
  const double number = size / unit->ns;
  const int decimals = unit == kUnits ? 0 : number < 9.9995 ? 3 : number < 99.995 ? 2 : 1;
  double scaled = number;
  for (int i = 0; i < decimals; ++i) scaled *= 10;

  char text[40];
  char* at = text + sizeof(text) - 1;
  *at = '\0';
  at -= strlen(unit->name);
  memcpy(at, unit->name, strlen(unit->name));
  uint64_t rest = static_cast<uint64_t>(scaled + 0.5);
  for (int i = 0; i < decimals; ++i, rest /= 10) *--at = static_cast<char>('0' + rest % 10);
  if (decimals != 0) *--at = '.';
  put_right(spell(rest, at), width);
}

void TextBuffer::put_left(flamelet_string text, size_t width) {
  size_t characters = 0;
  for (size_t i = 0; i < text.size; ++i) {
    const char c = text.text[i];
    const bool continues = (c & 0xC0) == 0x80;
    if (!continues && ++characters > width) return;
    put(is_control(c) ? '?' : c);
  }
  for (; characters < width; ++characters) put(' ');
}

// ---- perf statistics

void PerfStatistics::add(uint32_t name, uint32_t depth, int64_t duration_ns) {
  Row& row = rows_[name];
  if (row.stamp != frame_) {
    row.stamp = frame_;
    row.frame_ns = 0;
  }
  ++row.blocks;
  // Backwards, parents come before their children: the path to this block stands above it.
  path_[depth] = name;
  for (uint32_t above = 1; above < depth; ++above)
    if (path_[above] == name) return;
  row.frame_ns += duration_ns;
}

void PerfStatistics::end(uint32_t name) {
  Row& row = rows_[name];
  if (row.stamp != frame_) return;
  row.stamp = 0;
  if (row.frames == 0) rows_[count_++].listed = name;
  const int64_t ns = row.frame_ns;
  row.last_ns = ns;
  if (row.frames == 0 || ns < row.min_ns) row.min_ns = ns;
  if (row.frames == 0 || ns > row.max_ns) row.max_ns = ns;
  ++row.frames;
  const double distance = static_cast<double>(ns) - row.mean_ns;
  row.mean_ns += distance / static_cast<double>(row.frames);
  row.squares += distance * (static_cast<double>(ns) - row.mean_ns);
}

double PerfStatistics::deviation_ns(uint32_t name) const {
  const Row& row = rows_[name];
  return row.frames < 2 ? 0 : sqrt(row.squares / static_cast<double>(row.frames - 1));
}

}  // namespace flamelet

// ---- Log

using namespace flamelet;

struct flamelet_perf_log {
  flamelet_perf_log_config config;
  void* memory;
  size_t memory_bytes;

  PerfNames names;
  PerfNames places;  // of threads and fibers
  PerfFrames blocks;
  PerfReader reader;
  PerfStatistics statistics;
  uint32_t* order;  // scratch of the table
  flamelet_clock clock;

  AppendFile file;
  TextBuffer text;
  uint64_t whole_size;       // of the file, up to the last frame that is written for certain
  uint64_t frames_buffered;  // since then
  uint64_t lost_written;     // events that are said to be lost, up to there
  uint64_t lost_buffered;    // and since then, too
  bool failed;               // in this poll
  bool cut;                  // what was written may end inside a line

  uint64_t frames;
  uint64_t lines;
  uint64_t frames_unwritten;
};

namespace {

constexpr uint32_t kPerfLogCookie = 0x666C706C;
constexpr uint32_t kMaxPlaces = 1024;     // different names of threads and fibers; further ones are numbers
constexpr size_t kPlaceBytes = 64 << 10;  // room for their text
constexpr size_t kTextBytes = 64 << 10;
constexpr size_t kPerfLogAlignment = 64;

struct NameParts {
  PerfNames::Entry* entries;
  uint32_t* slots;
  char* bytes;
};

struct PerfLogParts {
  flamelet_perf_log* log;
  PerfReader::Stack* stacks;
  uint32_t* sites;
  PerfFrames::Memory frames;
  NameParts names;
  NameParts places;
  PerfStatistics::Row* rows;
  uint32_t* order;
  char* text;
};

NameParts take_names(Carver* carver, uint32_t max_names, size_t bytes) {
  NameParts parts;
  parts.entries = carver->take<PerfNames::Entry>(max_names);
  parts.slots = carver->take<uint32_t>(HashIndex::slots_for(max_names));
  parts.bytes = carver->take<char>(bytes);
  return parts;
}

// Returns the bytes.
size_t lay_out(const flamelet_perf_log_config& config, char* base, PerfLogParts* parts) {
  Carver carver(base);
  parts->log = carver.take<flamelet_perf_log>(1);
  parts->stacks = carver.take<PerfReader::Stack>(PerfReader::kStacks);
  parts->sites = carver.take<uint32_t>(PerfReader::kSites);
  const uint32_t places = PerfFrames::capacity(config.max_blocks);
  parts->frames.routines = carver.take<PerfFrames::Routine>(PerfFrames::kRoutines);
  parts->frames.routine_slots = carver.take<uint32_t>(PerfFrames::kRoutineSlots);
  parts->frames.cuts = carver.take<PerfFrames::Cut>(PerfFrames::kRoutines);
  parts->frames.cut_slots = carver.take<uint32_t>(PerfFrames::kRoutineSlots);
  parts->frames.blocks = carver.take<PerfBlockRecord>(places);
  parts->frames.fresh = carver.take<uint32_t>(places);
  parts->frames.frame = carver.take<uint32_t>(places);
  parts->names = take_names(&carver, config.max_names, config.name_bytes);
  parts->places = take_names(&carver, kMaxPlaces, kPlaceBytes);
  parts->rows = carver.take<PerfStatistics::Row>(config.max_names);
  parts->order = carver.take<uint32_t>(config.max_names);
  parts->text = carver.take<char>(kTextBytes);
  return carver.used();
}

bool is_valid(const flamelet_perf_log_config* config) {
  constexpr uint32_t kMaxEntries = 1u << 24;
  return config != nullptr && config->cookie == kPerfLogCookie && config->max_blocks >= 1 &&
         config->max_blocks <= kMaxEntries && config->max_names >= 2 && config->max_names <= kMaxEntries &&
         config->name_bytes >= PerfNames::kMinBytes && config->name_bytes <= kMostBytes &&
         (config->path == nullptr || config->sink.write == nullptr) &&
         (config->allocator.allocate == nullptr) == (config->allocator.free == nullptr);
}

bool write_file(void* user, const void* text, size_t size) {
  return static_cast<AppendFile*>(user)->append(static_cast<const char*>(text), size);
}

// The output stands at the end of a frame. Frames that could not be written are taken back whole.
void finish_text(flamelet_perf_log* log) {
  if (log->text.flush()) {
    log->whole_size = log->file.size();
    log->frames_buffered = 0;
    log->lost_written = log->lost_buffered;
    return;
  }
  log->failed = true;
  log->frames_unwritten += log->frames_buffered;
  log->frames_buffered = 0;
  log->lost_buffered = log->lost_written;
  log->cut = true;
  if (log->file.is_open() && log->file.size() != log->whole_size) log->cut = !log->file.truncate(log->whole_size);
  log->text.reset();
}

// The thread or fiber that the routine ended on, behind its name.
void put_place(flamelet_perf_log* log, const PerfBlockRecord& routine) {
  TextBuffer& text = log->text;
  text.put(routine.stack >= kFiberStack ? " on fiber " : " on thread ");
  if (routine.place != 0)
    text.put_quoted(log->places.get(routine.place));
  else
    text.put_number(static_cast<uint32_t>(routine.stack));
}

// The next line begins on its own.
void end_cut_line(flamelet_perf_log* log) {
  if (log->cut) log->text.put('\n');
  log->cut = false;
}

// What the file does not tell yet.
void write_lost(flamelet_perf_log* log) {
  const uint64_t lost = log->reader.events_lost() - log->lost_buffered;
  if (lost == 0 || log->failed) return;
  end_cut_line(log);
  log->text.put("Lost : ");
  log->text.put_number(static_cast<int64_t>(lost));
  log->text.put(" events\n");
  log->lost_buffered += lost;
}

void write_frame(flamelet_perf_log* log, const TickConverter& ticks, const PerfBlockRecord* blocks,
                 const uint32_t* indices, size_t count) {
  TextBuffer& text = log->text;
  if (text.count() > kTextBytes / 2) finish_text(log);
  if (log->failed) {  // the disk is full: not worth another attempt before the next poll
    ++log->frames_unwritten;
    return;
  }
  end_cut_line(log);
  text.put("Frame : ");
  const PerfBlockRecord& routine = blocks[indices[count - 1]];
  text.put_name(log->names.get(routine.name));
  put_place(log, routine);
  text.put('\n');
  for (size_t i = 0; i < count; ++i) {
    const PerfBlockRecord& block = blocks[indices[i]];
    const int64_t begin_ns = ticks.to_ns(block.begin_ticks);
    const int64_t end_ns = ticks.to_ns(block.end_ticks);
    text.put_number(block.depth);
    text.put(',');
    text.put_name(log->names.get(block.name));
    text.put(',');
    text.put_number(end_ns - begin_ns);
    text.put(',');
    text.put_number(begin_ns);
    text.put(',');
    text.put_number(end_ns);
    text.put('\n');
  }
  ++log->frames_buffered;
  if (!text.ok()) finish_text(log);
}

void add_frame(flamelet_perf_log* log, const TickConverter& ticks, const PerfBlockRecord* blocks,
               const uint32_t* indices, size_t count) {
  PerfStatistics& statistics = log->statistics;
  statistics.begin_frame();
  for (size_t i = count; i-- > 0;) {
    const PerfBlockRecord& block = blocks[indices[i]];
    statistics.add(block.name, block.depth, ticks.to_ns(block.end_ticks) - ticks.to_ns(block.begin_ticks));
  }
  for (size_t i = 0; i < count; ++i) statistics.end(blocks[indices[i]].name);
}

// `until_ticks`: UINT64_MAX = everything, for nothing more will come.
void hand_out(flamelet_perf_log* log, uint64_t until_ticks) {
  const TickConverter ticks(log->clock.origin_ticks, log->clock.ticks_per_second);
  const bool writes = log->config.sink.write != nullptr || log->file.is_open();
  if (writes) write_lost(log);
  log->blocks.release(until_ticks, [&](const PerfBlockRecord* blocks, const uint32_t* indices, size_t count) {
    ++log->frames;
    log->lines += count;
    add_frame(log, ticks, blocks, indices, count);
    if (writes) write_frame(log, ticks, blocks, indices, count);
  });
  if (writes) finish_text(log);
}

// Reads what is new. Frames that were held back take no place from it: they are handed out first. False: no recorder
// runs.
bool read(flamelet_perf_log* log) {
  const SessionGuard guard;
  if (!guard) return false;
  const uint32_t session = running_session();
  if (session != log->reader.session()) {
    hand_out(log, UINT64_MAX);  // what was held back of the session before, by its clock
    log->reader.begin_session(session);
  }
  log->reader.poll([log] { hand_out(log, log->reader.until_ticks()); });
  log->clock = flamelet_clock_info();
  return true;
}

}  // namespace

flamelet_perf_log_config flamelet_perf_log_config_default(void) {
  flamelet_perf_log_config config = {};
  config.cookie = kPerfLogCookie;
  config.max_blocks = 65536;
  config.max_names = 4096;
  config.name_bytes = size_t{256} << 10;
  return config;
}

size_t flamelet_perf_log_memory_required(const flamelet_perf_log_config* config) {
  PerfLogParts parts;
  return is_valid(config) ? lay_out(*config, nullptr, &parts) : 0;
}

flamelet_result flamelet_perf_log_create(const flamelet_perf_log_config* config, flamelet_perf_log** result) {
  if (result == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *result = nullptr;
  if (!is_valid(config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  PerfLogParts parts;
  const size_t bytes = lay_out(*config, nullptr, &parts);
  const flamelet_allocator allocator = allocator_or_default(config->allocator, BlockUse::kTouchedAtOnce);
  void* block;
  const flamelet_result taken = take_memory(allocator, bytes, kPerfLogAlignment, &block);
  if (taken != FLAMELET_OK) return taken;
  AppendFile file;
  if (config->path != nullptr && !file.open(config->path)) {
    allocator.free(allocator.user, block, bytes, kPerfLogAlignment);
    return FLAMELET_ERROR_FILE_OPEN;
  }
  char* memory = static_cast<char*>(block);
  memset(memory, 0, bytes);
  lay_out(*config, memory, &parts);

  flamelet_perf_log* log = new (parts.log) flamelet_perf_log();
  log->config = *config;
  log->config.allocator = allocator;
  log->config.path = nullptr;  // the caller's
  log->memory = memory;
  log->memory_bytes = bytes;
  log->names.attach(parts.names.entries, config->max_names, parts.names.slots, parts.names.bytes, config->name_bytes);
  log->places.attach(parts.places.entries, kMaxPlaces, parts.places.slots, parts.places.bytes, kPlaceBytes);
  log->blocks.attach(parts.frames, config->max_blocks);
  log->reader.attach(parts.stacks, parts.sites, &log->blocks, &log->names, &log->places);
  log->statistics.attach(parts.rows);
  log->order = parts.order;
  log->file = std::move(file);
  log->whole_size = log->file.size();
  log->text.attach(parts.text, kTextBytes, log->file.is_open() ? flamelet_sink{write_file, &log->file} : config->sink);
  *result = log;
  return FLAMELET_OK;
}

flamelet_result flamelet_perf_log_poll(flamelet_perf_log* log) {
  if (log == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  log->failed = false;
  if (!read(log)) return FLAMELET_ERROR_NOT_INITIALIZED;
  if (log->clock.rate_is_final) hand_out(log, log->reader.until_ticks());
  return log->failed ? FLAMELET_ERROR_FILE_WRITE : FLAMELET_OK;
}

flamelet_result flamelet_perf_log_destroy(flamelet_perf_log* log) {
  if (log == nullptr) return FLAMELET_OK;
  log->failed = false;
  read(log);
  hand_out(log, UINT64_MAX);
  if (!log->file.close()) log->failed = true;
  const flamelet_result result = log->failed ? FLAMELET_ERROR_FILE_WRITE : FLAMELET_OK;
  // Everything in it is plain memory; the allocator is copied because it lies there too.
  const flamelet_allocator allocator = log->config.allocator;
  allocator.free(allocator.user, log->memory, log->memory_bytes, kPerfLogAlignment);
  return result;
}

void flamelet_perf_log_get_stats(const flamelet_perf_log* log, flamelet_perf_log_stats* stats) {
  if (stats == nullptr) return;
  *stats = {};
  if (log == nullptr) return;
  stats->frames = log->frames;
  stats->lines = log->lines;
  stats->frames_unwritten = log->frames_unwritten;
  stats->blocks_dropped = log->blocks.blocks_dropped();
  stats->events_lost = log->reader.events_lost();
  stats->names_overflowed = log->names.overflowed();
  stats->last_errno = log->file.last_errno();
}

bool flamelet_perf_log_routine(const flamelet_perf_log* log, size_t index, flamelet_perf_routine* routine) {
  if (log == nullptr || routine == nullptr || index >= log->statistics.count()) return false;
  const uint32_t name = log->statistics.name(static_cast<uint32_t>(index));
  const PerfStatistics::Row& row = log->statistics.row(name);
  *routine = {log->names.get(name), row.frames, row.blocks,  row.last_ns,
              row.min_ns,           row.max_ns, row.mean_ns, log->statistics.deviation_ns(name)};
  return true;
}

void flamelet_perf_log_print(flamelet_perf_log* log, uint32_t columns, flamelet_sink sink) {
  if (log == nullptr || sink.write == nullptr) return;
  constexpr size_t kNumber = 11;
  constexpr size_t kNumbers = 9 + 5 * kNumber;
  constexpr size_t kMaxColumns = 1024;
  const size_t name_width = std::clamp<size_t>(columns, kNumbers + 12, kMaxColumns) - kNumbers;
  const uint32_t count = log->statistics.count();
  for (uint32_t i = 0; i < count; ++i) log->order[i] = log->statistics.name(i);
  const auto total = [log](uint32_t name) {
    const PerfStatistics::Row& row = log->statistics.row(name);
    return row.mean_ns * static_cast<double>(row.frames);
  };
  std::sort(log->order, log->order + count,
            [&total](uint32_t a, uint32_t b) { return total(a) != total(b) ? total(a) > total(b) : a < b; });

  char line[kMaxColumns + 64];  // a line is whole: some characters have two bytes
  TextBuffer text;
  text.attach(line, sizeof(line), sink);
  text.put_left({"routine", 7}, name_width);
  text.put_right("frames", 9);
  for (const char* title : {"last", "mean", "sd", "min", "max"}) text.put_right(title, kNumber);
  text.put('\n');
  for (uint32_t i = 0; i < count && text.flush(); ++i) {
    const PerfStatistics::Row& row = log->statistics.row(log->order[i]);
    text.put_left(log->names.get(log->order[i]), name_width);
    text.put_count(row.frames, 9);
    text.put_duration(static_cast<double>(row.last_ns), kNumber);
    text.put_duration(row.mean_ns, kNumber);
    if (row.frames < 2)
      text.put_right("-   ", kNumber);
    else
      text.put_duration(log->statistics.deviation_ns(log->order[i]), kNumber);
    text.put_duration(static_cast<double>(row.min_ns), kNumber);
    text.put_duration(static_cast<double>(row.max_ns), kNumber);
    text.put('\n');
  }
  text.flush();
}
