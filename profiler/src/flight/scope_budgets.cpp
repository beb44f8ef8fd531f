// SPDX-License-Identifier: MIT
#include "flight/flight_data.h"

#include <string.h>
#include <algorithm>

#include "capture/capture_chunks.h"
#include "flamelet/budgets.h"
#include "flamelet/detail/hash.h"
#include "flamelet/detail/text.h"

namespace flamelet {

void ScopeBudgets::place(Carver* carver, uint32_t max_budgets, uint32_t max_strings) {
  max_budgets_ = max_budgets;
  max_strings_ = max_strings;
  budgets_ = carver->take<Budget>(max_budgets);
  times_ = carver->take<flamelet_scope_time>(max_budgets);
  budget_of_string_ = carver->take<uint16_t>(max_strings);
  const uint32_t slot_count = HashIndex::slots_for(max_budgets);
  uint32_t* const slots = carver->take<uint32_t>(slot_count);
  if (slots != nullptr) index_.attach(slots, slot_count);
  spans_ = carver->take<flamelet_span>(FLAMELET_CURSOR_LEAST);
}

void ScopeBudgets::forget_names() {
  memset(budget_of_string_, 0, max_strings_ * sizeof *budget_of_string_);
  known_strings_ = 0;
}

void ScopeBudgets::begin_recording() {
  forget_names();
  for (uint32_t i = 0; i < count_; ++i) budgets_[i].was_over = false;
}

uint32_t ScopeBudgets::find(flamelet_string name) const {
  return index_.find(hash_of_text(name.text, name.size),
                     [&](uint32_t at) { return view_of(name) == budgets_[at].name; });
}

bool ScopeBudgets::set(flamelet_string name, int64_t budget_ns) {
  if (name.size >= sizeof budgets_->name) return false;
  const auto hash_of = [this](uint32_t at) { return hash_of_text(budgets_[at].name, strlen(budgets_[at].name)); };
  uint32_t at = find(name);
  if (at == HashIndex::kNone) {
    if (budget_ns == 0) return true;
    if (count_ == max_budgets_) return false;
    at = count_++;
    budgets_[at] = Budget();
    memcpy(budgets_[at].name, name.text, name.size);
    index_.add(hash_of(at), at);
  }
  budgets_[at].budget_ns = budget_ns;
  if (budget_ns == 0) {  // the last one takes its place
    index_.remove(at, hash_of);
    if (at != --count_) {
      index_.remove(count_, hash_of);
      budgets_[at] = budgets_[count_];
      index_.add(hash_of(at), at);
    }
  }
  forget_names();
  return true;
}

void ScopeBudgets::clear() {
  count_ = 0;
  index_.clear();
  forget_names();
}

void ScopeBudgets::learn_names(const flamelet_capture& capture) {
  // Those behind may still be on their way.
  for (; known_strings_ < capture.strings_settled && known_strings_ < max_strings_; ++known_strings_) {
    if (!capture.strings.has(known_strings_)) continue;
    const uint32_t at = find(capture.strings.get(known_strings_));
    if (at != HashIndex::kNone) budget_of_string_[known_strings_] = static_cast<uint16_t>(at + 1);
  }
}

// Plays what a thread did in a frame, chunk by chunk. Time adds up, so what is open where the next chunk begins is closed
// there, and goes on in it. What that one does not show ended in a gap: at the last event before it, as in spans.
class ScopeBudgets::Player : public OnlyScopes {
 public:
  Player(const ScopeBudgets& budgets, const flamelet_capture& capture, const Frame& frame)
      : budget_of_string_(budgets.budget_of_string_),
        max_strings_(budgets.max_strings_),
        times_(budgets.times_),
        capture_(capture),
        frame_(frame),
        begin_ns_(capture.converter.to_ns(frame.begin_ticks)),
        end_ns_(capture.converter.to_ns(frame.end_ticks)) {}

  void play(const Lane& lane) {
    ThreadChunks chunks(capture_, lane);
    if (!chunks.seek(frame_.begin_ticks)) return;
    PageRoom room;
    ReplayCursor cursor = {};  // in the chunk before
    bool is_over = false;
    do {
      const Chunk chunk = chunks.chunk(&room);
      const uint32_t same = close_lost(chunk.block, cursor);
      close_all(same, chunk.begin_ticks);
      open_block(chunk.block, same, chunk.run_ticks, chunk.begin_ticks, cursor.now_ticks);
      cursor = {chunk.first_word, chunk.block.count, std::max(chunk.words.base_ticks, chunk.begin_ticks), 0};
      is_over = chunk.begin_ticks >= frame_.end_ticks || replay(chunk.words, frame_.end_ticks, &cursor, *this);
    } while (!is_over && chunks.next());
    // What is open at the end goes on until the frame's end, unless the thread is gone.
    close_all(cursor.depth, is_over || lane.alive ? frame_.end_ticks : cursor.now_ticks);
  }

  // For replay().
  void begin(uint64_t ticks, uint32_t level, uint64_t id, uint32_t site, uint64_t strings) {
    const uint32_t own = strings_name(strings);
    const uint32_t name = own != 0 ? own : capture_.sites.name(site);
    uint32_t budget = name < max_strings_ ? budget_of_string_[name] : 0u;
    // Until a scope of this name is open, it is 0.
    if (budget != 0 && times_[budget - 1].until_++ != 0) budget = 0;
    open_[level] = {id, ticks, budget};
  }
  void end(uint64_t ticks, uint32_t level, bool) {
    const Open& open = open_[level];
    if (open.budget == 0) return;
    flamelet_scope_time& time = times_[open.budget - 1];
    time.until_ = 0;  // it was the outermost one
    const int64_t from_ns = std::max(capture_.converter.to_ns(open.begin_ticks), begin_ns_);
    time.time_ns += std::max<int64_t>(std::min(capture_.converter.to_ns(ticks), end_ns_) - from_ns, 0);
  }
  void fiber(uint64_t ticks, uint32_t depth, const FiberChange& change) {
    close_all(depth, ticks);
    open_block(change.block, 0, ticks, ticks, ticks);
  }

 private:
  struct Open {
    uint64_t id;
    uint64_t begin_ticks;
    uint32_t budget;  // its number + 1; 0 = none, or inside another of the same
  };

  // Ends what a chunk does not show of what is open in the one before. Returns how many scopes go on.
  uint32_t close_lost(const OpenBlock& block, const ReplayCursor& before) {
    uint32_t same = 0;
    while (same < before.depth && block.shows(same, open_[same].id)) ++same;
    for (uint32_t level = before.depth; level > same; --level) end(before.now_ticks, level - 1, true);
    return same;
  }
  // The first `same` scopes go on at `goes_on_ticks`; the others may have begun since `before_ticks`.
  void open_block(const OpenBlock& block, uint32_t same, uint64_t run_ticks, uint64_t goes_on_ticks,
                  uint64_t before_ticks) {
    for (uint32_t level = 0; level < block.count; ++level) {
      const uint64_t begin_ticks = std::max(block.begin_ticks(level), run_ticks);
      begin(std::max(begin_ticks, level < same ? goes_on_ticks : before_ticks), level, block.id(level),
            block.site(level), block.strings(level));
    }
  }
  void close_all(uint32_t depth, uint64_t ticks) {
    while (depth != 0) end(ticks, --depth, false);
  }

  const uint16_t* const budget_of_string_;
  const uint32_t max_strings_;
  flamelet_scope_time* const times_;
  const flamelet_capture& capture_;
  const Frame& frame_;
  const int64_t begin_ns_, end_ns_;
  Open open_[FLAMELET_MAX_DEPTH];
};

// False if there is nothing to look for.
bool ScopeBudgets::begin_frame(const flamelet_capture& capture) {
  if (count_ == 0) return false;
  learn_names(capture);
  memset(times_, 0, count_ * sizeof *times_);
  return true;
}

static double how_far(const ScopeBudgets::Budget& budget, int64_t time_ns) {
  return static_cast<double>(time_ns) / static_cast<double>(budget.budget_ns);
}

const ScopeBudgets::Budget* ScopeBudgets::find_most_over(uint64_t frame) {
  const Budget* found = nullptr;
  double most = 1;
  for (uint32_t i = 0; i < count_; ++i) {
    Budget& budget = budgets_[i];
    const int64_t time_ns = times_[i].time_ns;
    if (time_ns <= budget.budget_ns) continue;
    // GPU queues are looked at later than threads: perhaps of the same frame, or of an older one.
    const bool is_newer = !budget.was_over || frame > budget.over_frame;
    if (is_newer || (frame == budget.over_frame && time_ns > budget.over_ns)) {
      budget.was_over = true;
      budget.over_frame = frame;
      budget.over_budget_ns = budget.budget_ns;
      budget.over_ns = time_ns;
    }
    if (how_far(budget, time_ns) <= most) continue;
    most = how_far(budget, time_ns);
    found = &budget;
  }
  return found;
}

const ScopeBudgets::Budget* ScopeBudgets::most_over(const flamelet_capture& capture, const Frame& frame) {
  if (!begin_frame(capture)) return nullptr;
  Player player(*this, capture, frame);
  for (uint32_t i = 0; i < capture.lanes.count(); ++i)
    if (capture.lanes[i].kind == FLAMELET_LANE_THREAD && !capture.lanes[i].submitted) player.play(capture.lanes[i]);
  return find_most_over(frame.index);
}

const ScopeBudgets::Budget* ScopeBudgets::most_over_on_gpu(const flamelet_capture& capture, const Frame& frame) {
  if (!begin_frame(capture)) return nullptr;
  flamelet_scope_times times = {};
  times.times = times_;
  times.count = count_;
  times.user = this;
  times.slot_of = [](void* user, const flamelet_span* span) {
    const ScopeBudgets& self = *static_cast<ScopeBudgets*>(user);
    return span->name < self.max_strings_ ? self.budget_of_string_[span->name] - 1u : UINT32_MAX;
  };
  times.spans = spans_;
  times.capacity = FLAMELET_CURSOR_LEAST;
  const TickConverter& converter = capture.converter;
  for (uint32_t i = 0; i < capture.lanes.count(); ++i)
    if (capture.lanes[i].kind == FLAMELET_LANE_GPU)
      flamelet_scope_times_add(&times, &capture, i, converter.to_ns(frame.begin_ticks),
                               converter.to_ns(frame.end_ticks));
  return find_most_over(frame.index);
}

// Budget file: reads the text of a budgets file. All of it is checked before anything is written.

namespace {

constexpr const char* kKindNames[] = {"max", "p99", "p95", "p50", "mean"};
static_assert(sizeof kKindNames / sizeof kKindNames[0] == FLAMELET_BUDGET_KIND_COUNT, "each kind has a name");

// Takes the first word off.
std::string_view take_word(std::string_view* text) {
  const std::string_view word = text->substr(0, text->find_first_of(" \t\r"));
  *text = trimmed(text->substr(word.size()));
  return word;
}

// Milliseconds with up to six decimals, which are nanoseconds. Returns what is wrong, or "".
const char* read_limit(std::string_view word, int64_t* limit_ns) {
  constexpr const char* kNoNumber = "after frame or scope comes a number of milliseconds, such as 16.7";
  constexpr int64_t kMost = int64_t{1000000000} * 1000000;  // eleven days
  if (!word.empty() && word.front() == '-') return "a budget has to be above 0";
  int64_t ns = 0, unit = 1000000;
  bool has_digit = false, has_point = false;
  for (const char c : word) {
    if (c == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (c < '0' || c > '9') return kNoNumber;
    has_digit = true;
    const int64_t digit = c - '0';
    if (!has_point) {
      ns = ns * 10 + digit * 1000000;
    } else {
      unit /= 10;
      ns += digit * unit;  // of nothing beyond nanoseconds
    }
    if (ns > kMost) return "a budget has to be below 1000000000 ms";
  }
  if (!has_digit) return kNoNumber;
  if (ns == 0) return "a budget has to be above 0";
  *limit_ns = ns;
  return "";
}

// Returns what is wrong with the line, or "". `budget->line` stays 0 if there is none in it.
const char* read_line(std::string_view line, flamelet_budget* budget) {
  line = trimmed(line);
  if (line.empty() || line.front() == '#') return "";
  if (line.find('\0') != std::string_view::npos) return "a line holds no zero byte";
  const std::string_view what = take_word(&line);
  const bool is_frame = what == "frame";
  if (!is_frame && what != "scope") return "a line begins with frame, scope or #";
  const char* const problem = read_limit(take_word(&line), &budget->limit_ns);
  if (*problem != '\0') return problem;
  budget->kind = FLAMELET_BUDGET_MAX;
  std::string_view rest = line;
  const std::string_view word = take_word(&rest);
  for (uint32_t kind = 0; kind < FLAMELET_BUDGET_KIND_COUNT; ++kind) {
    if (word != kKindNames[kind]) continue;
    budget->kind = static_cast<flamelet_budget_kind>(kind);
    line = rest;
  }
  if (is_frame && !line.empty()) return "behind a frame's milliseconds stands max, p99, p95, p50, mean or nothing";
  if (!is_frame && line.empty()) return "the scope's name is missing";
  budget->scope = {line.data(), is_frame ? 0 : line.size()};
  budget->line = 1;
  return "";
}

bool is_same_scope(const flamelet_budget& a, const flamelet_budget& b) {
  return view_of(a.scope) == view_of(b.scope);
}

bool is_for_each_frame(const flamelet_budget& budget) {
  return budget.kind == FLAMELET_BUDGET_MAX || budget.kind == FLAMELET_BUDGET_P99 || budget.kind == FLAMELET_BUDGET_P95;
}

// Calls take(budget) for each; stops and returns what is wrong if take does.
template <class Take>
const char* each_budget(std::string_view text, uint32_t* line_number, Take take) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, 3) == kByteOrderMark) text.remove_prefix(3);
  for (*line_number = 1; !text.empty(); ++*line_number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    flamelet_budget budget = {};
    const char* problem = read_line(line, &budget);
    if (*problem == '\0' && budget.line != 0) {
      budget.line = *line_number;
      problem = take(budget);
    }
    if (*problem != '\0') return problem;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return "";
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

const char* flamelet_budget_kind_name(flamelet_budget_kind kind) {
  const auto index = static_cast<size_t>(kind);
  return index < FLAMELET_BUDGET_KIND_COUNT ? kKindNames[index] : "";
}

flamelet_result flamelet_budgets_read(const char* text, size_t size, flamelet_budget* budgets, size_t capacity,
                                      size_t* count, flamelet_budgets_error* error) {
  if (count != nullptr) *count = 0;
  if (error != nullptr) *error = {0, ""};
  if (count == nullptr || (text == nullptr && size != 0) || (budgets == nullptr && capacity != 0))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  const std::string_view all(size == 0 ? "" : text, size);
  uint32_t line = 0;
  size_t found = 0;
  uint64_t met[2048] = {};  // three bits of each: above one that finds its bits unset, nothing needs to be compared
  const char* const problem = each_budget(all, &line, [&](const flamelet_budget& budget) {
    bool is_again = false, may_be_again = true;
    const uint64_t hash = spread_key(fnv_of_text(budget.scope.text, budget.scope.size) + budget.kind);
    for (const int shift : {47, 30, 13}) {
      uint64_t& bits = met[hash >> shift >> 6 & 2047];
      const uint64_t bit = uint64_t{1} << (hash >> shift & 63);
      may_be_again = may_be_again && (bits & bit) != 0;
      bits |= bit;
    }
    ++found;
    if (!may_be_again) return "";
    uint32_t before = 0;
    const std::string_view above = all.substr(0, static_cast<size_t>(budget.scope.text - all.data()));
    each_budget(above, &before, [&](const flamelet_budget& other) {
      is_again = is_again || (other.line < budget.line && other.kind == budget.kind && is_same_scope(other, budget));
      return "";
    });
    return is_again ? "the same budget was given before" : "";
  });
  if (*problem != '\0') {
    if (error != nullptr) *error = {line, problem};
    return FLAMELET_ERROR_FILE_FORMAT;
  }
  size_t written = 0;
  each_budget(all, &line, [&](const flamelet_budget& budget) {
    if (written < capacity) budgets[written++] = budget;
    return "";
  });
  *count = found;
  return FLAMELET_OK;
}

bool flamelet_budget_is_watched(const flamelet_budget* budgets, size_t count, size_t index) {
  if (budgets == nullptr || index >= count) return false;
  const flamelet_budget& budget = budgets[index];
  if (!is_for_each_frame(budget)) return false;
  for (size_t i = 0; i < count; ++i) {
    const flamelet_budget& other = budgets[i];
    if (!is_for_each_frame(other) || !is_same_scope(other, budget)) continue;
    if (other.limit_ns < budget.limit_ns || (other.limit_ns == budget.limit_ns && i < index)) return false;
  }
  return true;
}
