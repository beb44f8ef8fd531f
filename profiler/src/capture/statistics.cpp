// SPDX-License-Identifier: MIT
//
// statistics.cpp: rows by hash of (site, name); percentiles from the durations themselves.
//
// A stored duration is one word, `scope << 44 | duration << 1 | of_pieces`. The word knows its scope, so one array holds
// the durations of all scopes in the order of their arrival, and finish() groups it in place by a counting sort (each word
// moves to its group once) and then selects the ranks inside each group. Words of one group differ only in their durations, so
// they are selected as they are.
//
// When the array is full, every second word of each scope goes, and from then on every second one is stored. Thinning
// scope by scope, and not the array as it stands, keeps each scope's first duration, and keeps two scopes that
// alternate from being thinned to one of them.
//
// The pieces of a call that fibers were switched in come from several lanes, in any order. They wait at the end of the
// array, growing down, and keep room in its middle for a word each. finish() adds up those of a call, and lets its word
// take part in the selection, and takes the word back, for more pieces may come.
#include "flamelet/statistics.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "flamelet/budgets.h"
#include "flamelet/detail/sums.h"
#include "flamelet/detail/text.h"
#include "platform/engine_memory.h"
#include "platform/hash_index.h"

namespace flamelet {
namespace {

constexpr uint32_t kDurationBits = 44;  // and of them the lowest is kOfPieces
constexpr uint64_t kOfPieces = 1;
constexpr uint64_t kDurationMask = (uint64_t{1} << (kDurationBits - 1)) - 1;
constexpr uint16_t kPieceFlags = FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED;
constexpr uint32_t kNoScope = UINT32_MAX;
static_assert(FLAMELET_STATISTICS_MAX_SCOPES < uint64_t{1} << (64 - kDurationBits), "a scope fits beside a duration");

// Of 128 bits: years of calls do not overflow it.
struct WideSum {
  uint64_t low, high;

  void add(int64_t duration_ns) {
    low += static_cast<uint64_t>(duration_ns);
    high += low < static_cast<uint64_t>(duration_ns);
  }
  void take_back(int64_t duration_ns) {
    high -= low < static_cast<uint64_t>(duration_ns);
    low -= static_cast<uint64_t>(duration_ns);
  }
};

// What a row needs beside what it shows.
struct ScopeState {
  WideSum sum_ns;          // of all durations, for the mean; in a finish also of calls in pieces
  uint64_t durations;      // so many, without those of calls in pieces
  int64_t min_ns, max_ns;  // of these
  uint64_t stored;         // words of this scope
  uint64_t joined;         // in a finish: words of calls in pieces
  uint64_t next;           // scratch: thinning counts here, grouping places here
  uint64_t outermost_add;  // the flamelet_statistics_add() call in which ...
  size_t outermost_end;    // ... spans below this index are inside this scope
};

// Rounded. Of `count` durations, so the mean has 63 bits.
int64_t mean_of(const WideSum& sum_ns, uint64_t count) {
  uint64_t rest = sum_ns.high, mean = 0;
  for (int bit = 63; bit >= 0; --bit) {
    rest = rest << 1 | (sum_ns.low >> bit & 1);
    mean = mean << 1 | (rest >= count);
    if (rest >= count) rest -= count;
  }
  return static_cast<int64_t>(mean + (rest >= count - rest));
}

int64_t span_duration(const flamelet_span& span) {
  if (span.end_ns <= span.begin_ns) return 0;
  const uint64_t duration = static_cast<uint64_t>(span.end_ns) - static_cast<uint64_t>(span.begin_ns);
  return duration > INT64_MAX ? INT64_MAX : static_cast<int64_t>(duration);
}

// Position of the nearest rank ceil(percent / 100 * count), from 0. Split, so that no count overflows.
size_t rank_position(size_t count, size_t percent) {
  return count / 100 * percent + (count % 100 * percent + 99) / 100 - 1;
}

// Selects from the lowest rank up, so that each selection looks only at what lies above the one before.
template <typename T>
void select_percentiles(T* values, size_t count, T* median, T* p95, T* p99) {
  T* from = values;
  const auto select = [&](size_t percent) {
    T* const nth = values + rank_position(count, percent);
    std::nth_element(from, nth, values + count);
    from = nth;
    return *nth;
  };
  *median = select(50);
  *p95 = select(95);
  *p99 = select(99);
}

// A duration in 43 bits that sort as it does: exact up to 73 minutes (2^42 ns). Above that an exponent, and the 37 bits behind
// the highest one: less by up to a 10^11th.
constexpr uint32_t kExactBits = kDurationBits - 2, kRestBits = 37;
uint64_t pack_duration(uint64_t duration_ns) {
  if (duration_ns >> kExactBits == 0) return duration_ns;
  const uint32_t exponent = highest_bit(duration_ns);
  const uint64_t rest = duration_ns - (uint64_t{1} << exponent);
  return (uint64_t{1} << kExactBits) + (uint64_t{exponent - kExactBits} << kRestBits) +
         (rest >> (exponent - kRestBits));
}
int64_t unpack_duration(uint64_t packed) {
  if (packed >> kExactBits == 0) return static_cast<int64_t>(packed);
  packed -= uint64_t{1} << kExactBits;
  const uint32_t exponent = kExactBits + static_cast<uint32_t>(packed >> kRestBits);
  const uint64_t rest = packed & ((uint64_t{1} << kRestBits) - 1);
  return static_cast<int64_t>((uint64_t{1} << exponent) + (rest << (exponent - kRestBits)));
}

uint64_t make_word(uint32_t scope, int64_t duration_ns, uint64_t of_pieces) {
  return uint64_t{scope} << kDurationBits | pack_duration(static_cast<uint64_t>(duration_ns)) << 1 | of_pieces;
}

// One piece of a call, or several of them.
struct Piece {
  uint64_t id;
  int64_t duration_ns;
  uint32_t scope;
  uint32_t has_first;  // the piece in which the call begins
};
constexpr size_t kPieceWords = sizeof(Piece) / sizeof(uint64_t);
constexpr size_t kPieceRoom = kPieceWords + 1;  // finish() puts the call's word in the middle

bool is_before(const Piece& a, const Piece& b) {
  return a.id != b.id ? a.id < b.id : a.scope < b.scope;
}

}  // namespace
}  // namespace flamelet

struct flamelet_statistics {
  flamelet_scope_statistics* rows;
  flamelet::ScopeState* states;
  uint64_t* words;
  flamelet::HashIndex index;  // of the rows
  uint32_t max_scopes;
  uint32_t row_count;
  size_t word_limit;
  size_t word_count;
  size_t piece_count;
  uint64_t stride;     // a power of two
  uint64_t add_count;  // flamelet_statistics_add() calls, from 1
  uint64_t span_count;
  uint64_t left_out_count;
};

namespace flamelet {
namespace {

constexpr size_t kStatisticsAlignment = alignof(flamelet_statistics);

// Everything but the words, which fill what follows; at most 2^28 or so, which a size_t of 32 bits holds.
size_t lay_out(uint32_t max_scopes, char* base, flamelet_statistics* to) {
  Carver carver(base);
  carver.take<flamelet_statistics>(1);
  to->rows = carver.take<flamelet_scope_statistics>(max_scopes);
  to->states = carver.take<ScopeState>(max_scopes);
  uint32_t* slots = carver.take<uint32_t>(HashIndex::slots_for(max_scopes));
  if (base != nullptr) to->index.attach(slots, HashIndex::slots_for(max_scopes));
  to->words = carver.take<uint64_t>(0);
  return carver.used();
}

uint32_t find_or_add_scope(flamelet_statistics* statistics, uint32_t site, uint32_t name) {
  const uint32_t hash = hash_of_key(uint64_t{site} << 32 | name);
  const uint32_t found = statistics->index.find(
      hash, [&](uint32_t row) { return statistics->rows[row].site == site && statistics->rows[row].name == name; });
  if (found != HashIndex::kNone) return found;
  if (statistics->row_count == statistics->max_scopes) return kNoScope;
  const uint32_t scope = statistics->row_count++;
  statistics->index.add(hash, scope);
  statistics->states[scope] = {};
  statistics->rows[scope] = {};
  statistics->rows[scope].site = site;
  statistics->rows[scope].name = name;
  return scope;
}

Piece* pieces_of(flamelet_statistics* statistics) {
  return reinterpret_cast<Piece*>(statistics->words + statistics->word_limit) - statistics->piece_count;
}

size_t free_words(const flamelet_statistics& statistics) {
  return statistics.word_limit - statistics.word_count - kPieceRoom * statistics.piece_count;
}

// Whether the call of a piece is in the sample: all of its pieces are, or none. The id is not 0: so there is a stride that
// leaves it out.
bool is_sampled(const flamelet_statistics& statistics, uint64_t id) {
  return id * 0x9E3779B97F4A7C15 < UINT64_MAX / statistics.stride;
}

void thin_words(flamelet_statistics* statistics) {
  for (uint32_t scope = 0; scope < statistics->row_count; ++scope) statistics->states[scope].next = 0;
  size_t kept = 0;
  for (size_t i = 0; i < statistics->word_count; ++i) {
    const uint64_t word = statistics->words[i];
    if (statistics->states[word >> kDurationBits].next++ % 2 == 0) statistics->words[kept++] = word;
  }
  for (uint32_t scope = 0; scope < statistics->row_count; ++scope)
    statistics->states[scope].stored = (statistics->states[scope].stored + 1) / 2;
  statistics->word_count = kept;
  statistics->stride *= 2;
  Piece* const first = pieces_of(statistics);
  Piece* const end = first + statistics->piece_count;
  Piece* to = end;
  for (Piece* from = end; from-- != first;)
    if (is_sampled(*statistics, from->id)) *--to = *from;
  statistics->piece_count = static_cast<size_t>(end - to);
}

// `ordinal` counts the scope's durations from 0. Ends: the first span of a new scope finds room once every other scope is
// thinned to one word, because there are as many words as scopes; any other span falls out of the growing stride.
void store_duration(flamelet_statistics* statistics, uint32_t scope, uint64_t ordinal, int64_t duration_ns) {
  while ((ordinal & (statistics->stride - 1)) == 0) {
    if (free_words(*statistics) != 0) {
      statistics->words[statistics->word_count++] = make_word(scope, duration_ns, 0);
      ++statistics->states[scope].stored;
      return;
    }
    thin_words(statistics);
  }
}

void store_piece(flamelet_statistics* statistics, const Piece& piece) {
  while (is_sampled(*statistics, piece.id)) {
    if (free_words(*statistics) >= kPieceRoom) {
      ++statistics->piece_count;
      *pieces_of(statistics) = piece;
      return;
    }
    thin_words(statistics);
  }
}

// Then each call has one piece, and one word at the end of the others.
void join_pieces(flamelet_statistics* statistics) {
  Piece* const first = pieces_of(statistics);
  Piece* const end = first + statistics->piece_count;
  std::sort(first, end, is_before);
  Piece* to = end;
  for (Piece* from = end; from-- != first;) {
    if (to != end && !is_before(*from, *to)) {
      to->duration_ns = add_saturating(to->duration_ns, from->duration_ns);
      to->has_first |= from->has_first;
    } else {
      *--to = *from;
    }
  }
  statistics->piece_count = static_cast<size_t>(end - to);
  for (; to != end; ++to) {
    if (to->has_first == 0) continue;
    ScopeState& state = statistics->states[to->scope];
    flamelet_distribution& duration = statistics->rows[to->scope].duration;
    const bool is_first = state.stored == 0;
    duration.min_ns = is_first ? to->duration_ns : std::min(duration.min_ns, to->duration_ns);
    duration.max_ns = std::max(duration.max_ns, to->duration_ns);
    ++state.stored;
    ++state.joined;
    state.sum_ns.add(to->duration_ns);
    statistics->words[statistics->word_count++] = make_word(to->scope, to->duration_ns, kOfPieces);
  }
}

void remove_joined(flamelet_statistics* statistics) {
  const Piece* const first = pieces_of(statistics);
  for (const Piece* piece = first; piece != first + statistics->piece_count; ++piece)
    if (piece->has_first != 0) statistics->states[piece->scope].sum_ns.take_back(piece->duration_ns);
  uint64_t* const end = statistics->words + statistics->word_count;
  statistics->word_count = static_cast<size_t>(
      std::remove_if(statistics->words, end, [](uint64_t word) { return (word & kOfPieces) != 0; }) -
      statistics->words);
  for (uint32_t scope = 0; scope < statistics->row_count; ++scope)
    statistics->states[scope].stored -= statistics->states[scope].joined;
}

void group_words(flamelet_statistics* statistics) {
  uint64_t first = 0;
  for (uint32_t scope = 0; scope < statistics->row_count; ++scope) {
    statistics->states[scope].next = first;
    first += statistics->states[scope].stored;
  }
  uint64_t group_end = 0;
  for (uint32_t scope = 0; scope < statistics->row_count; ++scope) {
    ScopeState& state = statistics->states[scope];
    group_end += state.stored;
    while (state.next < group_end) {
      uint64_t& word = statistics->words[state.next];
      const uint64_t owner = word >> kDurationBits;
      if (owner == scope)
        ++state.next;
      else
        std::swap(word, statistics->words[statistics->states[owner].next++]);
    }
  }
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

size_t flamelet_statistics_memory_required(uint32_t max_scopes, size_t max_spans) {
  if (max_scopes == 0 || max_scopes > FLAMELET_STATISTICS_MAX_SCOPES) return 0;
  flamelet_statistics measured;
  const size_t fixed = lay_out(max_scopes, nullptr, &measured) + kStatisticsAlignment - 1;
  const size_t words = std::max(max_spans, size_t{max_scopes});
  if (words > (SIZE_MAX - fixed) / sizeof(uint64_t)) return 0;
  return fixed + words * sizeof(uint64_t);
}

flamelet_result flamelet_statistics_create(uint32_t max_scopes, void* memory, size_t memory_bytes,
                                           flamelet_statistics** result) {
  const flamelet_result checked =
      check_memory(flamelet_statistics_memory_required(max_scopes, 0), memory, memory_bytes, result);
  if (checked != FLAMELET_OK) return checked;
  char* base = aligned_start(memory, kStatisticsAlignment);
  flamelet_statistics* statistics = new (base) flamelet_statistics();
  const char* words = base + lay_out(max_scopes, base, statistics);
  statistics->word_limit = static_cast<size_t>(static_cast<char*>(memory) + memory_bytes - words) / sizeof(uint64_t);
  statistics->max_scopes = max_scopes;
  flamelet_statistics_clear(statistics);
  *result = statistics;
  return FLAMELET_OK;
}

void flamelet_statistics_clear(flamelet_statistics* statistics) {
  if (statistics == nullptr) return;
  statistics->index.clear();
  statistics->row_count = 0;
  statistics->word_count = 0;
  statistics->piece_count = 0;
  statistics->stride = 1;
  statistics->add_count = 0;
  statistics->span_count = 0;
  statistics->left_out_count = 0;
}

// Whether only the begin of spans[i] is known. What lacks an end of its own ended with the one around it, unless that one
// lacks it, too; what lost events ended has no length that is known, where it is 0.
static bool has_only_begun(const flamelet_span* spans, size_t i) {
  if (span_duration(spans[i]) != 0) return false;
  size_t at = i;
  while ((spans[at].flags & (FLAMELET_SPAN_MISSING_END | FLAMELET_SPAN_OPEN)) == FLAMELET_SPAN_MISSING_END) {
    const uint32_t around = spans[at].parent;
    if (around >= at || spans[around].end_ns != spans[i].end_ns) return true;
    at = around;
  }
  return (spans[at].flags & FLAMELET_SPAN_OPEN) != 0;
}

void flamelet_statistics_add(flamelet_statistics* statistics, const flamelet_span* spans, size_t count) {
  if (statistics == nullptr || (spans == nullptr && count != 0)) return;
  ++statistics->add_count;
  for (size_t i = 0; i < count; ++i) {
    const flamelet_span& span = spans[i];
    const bool again = (span.flags & FLAMELET_SPAN_AGAIN) != 0;
    statistics->span_count += !again;
    const uint32_t scope = find_or_add_scope(statistics, span.site, span.name);
    if (scope == kNoScope) {
      statistics->left_out_count += !again;
      continue;
    }
    flamelet_scope_statistics& row = statistics->rows[scope];
    ScopeState& state = statistics->states[scope];
    row.self_ns = add_saturating(row.self_ns, span.self_ns);
    // Parents stand before their children: inside a span of this scope are all those up to its subtree's end.
    const bool is_outermost = state.outermost_add != statistics->add_count || i >= state.outermost_end;
    if (is_outermost) {
      state.outermost_add = statistics->add_count;
      state.outermost_end = span.subtree_end;
    }
    if (again) continue;
    const int64_t duration_ns = span_duration(span);
    row.count += (span.flags & FLAMELET_SPAN_RESUMED) == 0;
    row.incomplete_count += (span.flags & ~kPieceFlags) != 0;
    const bool is_open = (span.flags & FLAMELET_SPAN_OPEN) != 0;
    row.open_count += is_open;
    if (is_outermost) row.total_ns = add_saturating(row.total_ns, duration_ns);
    if ((span.flags & kPieceFlags) != 0 && span.id != 0) {
      store_piece(statistics, {span.id, duration_ns, scope, (span.flags & FLAMELET_SPAN_RESUMED) == 0});
      continue;
    }
    if (has_only_begun(spans, i)) continue;
    state.min_ns = state.durations == 0 ? duration_ns : std::min(state.min_ns, duration_ns);
    store_duration(statistics, scope, state.durations++, duration_ns);
    state.max_ns = std::max(state.max_ns, duration_ns);
    state.sum_ns.add(duration_ns);
  }
}

flamelet_statistics_summary flamelet_statistics_finish(flamelet_statistics* statistics) {
  if (statistics == nullptr) return {};
  for (uint32_t scope = 0; scope < statistics->row_count; ++scope) {
    ScopeState& state = statistics->states[scope];
    state.joined = 0;
    statistics->rows[scope].duration = {};
    statistics->rows[scope].duration.min_ns = state.min_ns;
    statistics->rows[scope].duration.max_ns = state.max_ns;
  }
  join_pieces(statistics);
  group_words(statistics);
  uint64_t* group = statistics->words;
  for (uint32_t scope = 0; scope < statistics->row_count; ++scope) {
    flamelet_scope_statistics& row = statistics->rows[scope];
    const ScopeState& state = statistics->states[scope];
    row.sample_count = state.stored;
    if (state.stored == 0) continue;
    uint64_t median, p95, p99;
    select_percentiles(group, static_cast<size_t>(state.stored), &median, &p95, &p99);
    group += state.stored;
    row.duration.mean_ns = mean_of(state.sum_ns, state.durations + state.joined);
    // Not below the minimum, which long durations lose a little of.
    const auto duration_of = [&](uint64_t word) {
      return std::max(unpack_duration(word >> 1 & kDurationMask), row.duration.min_ns);
    };
    row.duration.median_ns = duration_of(median);
    row.duration.p95_ns = duration_of(p95);
    row.duration.p99_ns = duration_of(p99);
  }
  remove_joined(statistics);
  return {statistics->rows, statistics->row_count, statistics->span_count, statistics->left_out_count,
          statistics->stride};
}

flamelet_distribution flamelet_summarize_durations(int64_t* durations_ns, size_t count) {
  flamelet_distribution distribution = {};
  if (count == 0) return distribution;
  WideSum sum_ns = {};
  distribution.min_ns = INT64_MAX;
  for (size_t i = 0; i < count; ++i) {
    durations_ns[i] = std::max(durations_ns[i], int64_t{0});
    sum_ns.add(durations_ns[i]);
    distribution.min_ns = std::min(distribution.min_ns, durations_ns[i]);
    distribution.max_ns = std::max(distribution.max_ns, durations_ns[i]);
  }
  distribution.mean_ns = mean_of(sum_ns, count);
  select_percentiles(durations_ns, count, &distribution.median_ns, &distribution.p95_ns, &distribution.p99_ns);
  return distribution;
}

int64_t flamelet_statistics_value(const flamelet_scope_statistics* row, flamelet_statistics_column column) {
  switch (column) {
    case FLAMELET_COLUMN_COUNT:
      return static_cast<int64_t>(row->count);
    case FLAMELET_COLUMN_TOTAL:
      return row->total_ns;
    case FLAMELET_COLUMN_SELF:
      return row->self_ns;
    case FLAMELET_COLUMN_MIN:
      return row->duration.min_ns;
    case FLAMELET_COLUMN_MEAN:
      return row->duration.mean_ns;
    case FLAMELET_COLUMN_MEDIAN:
      return row->duration.median_ns;
    case FLAMELET_COLUMN_P95:
      return row->duration.p95_ns;
    case FLAMELET_COLUMN_P99:
      return row->duration.p99_ns;
    case FLAMELET_COLUMN_MAX:
      return row->duration.max_ns;
    case FLAMELET_COLUMN_NAME:
      break;
  }
  return 0;
}

void flamelet_statistics_sort(const flamelet_scope_statistics* rows, size_t count, flamelet_statistics_column column,
                              bool descending, const flamelet_capture* capture, uint32_t* order) {
  for (size_t i = 0; i < count; ++i) order[i] = static_cast<uint32_t>(i);
  std::sort(order, order + count, [&](uint32_t index_a, uint32_t index_b) {
    const flamelet_scope_statistics& a = rows[index_a];
    const flamelet_scope_statistics& b = rows[index_b];
    if (column == FLAMELET_COLUMN_NAME && a.name != b.name) {
      const int text = capture == nullptr ? (a.name < b.name ? -1 : 1)
                                          : compare_names(view_of(flamelet_capture_string(capture, a.name)),
                                                          view_of(flamelet_capture_string(capture, b.name)));
      if (text != 0) return descending ? text > 0 : text < 0;
    }
    const int64_t value_a = flamelet_statistics_value(&a, column);
    const int64_t value_b = flamelet_statistics_value(&b, column);
    if (value_a != value_b) return descending ? value_a > value_b : value_a < value_b;
    if (a.name != b.name) return a.name < b.name;
    return a.site < b.site;
  });
}

// Scope times: what scopes took in a part of a lane.

flamelet_result flamelet_scope_times_add(flamelet_scope_times* to, const flamelet_capture* capture, size_t lane,
                                         int64_t begin_ns, int64_t end_ns) {
  if (to == nullptr || to->slot_of == nullptr || (to->times == nullptr && to->count != 0))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, lane, begin_ns, end_ns, to->spans, to->capacity);
  while (flamelet_span_cursor_next(&cursor)) {
    const uint64_t first = to->spans_read;  // so that what an earlier piece left behind ends before
    to->spans_read += cursor.count;
    for (size_t i = 0; i < cursor.count; ++i) {
      const flamelet_span& span = cursor.spans[i];
      const uint32_t slot = to->slot_of(to->user, &span);
      if (slot >= to->count) continue;
      flamelet_scope_time& time = to->times[slot];
      const bool is_outermost = first + i >= time.until_;  // parents stand before their children
      if (is_outermost) time.until_ = first + span.subtree_end;
      if ((span.flags & FLAMELET_SPAN_AGAIN) != 0) continue;
      time.calls += span.begin_ns >= begin_ns && (span.flags & FLAMELET_SPAN_RESUMED) == 0;
      if (is_outermost)
        time.time_ns = add_saturating(
            time.time_ns, std::max<int64_t>(std::min(span.end_ns, end_ns) - std::max(span.begin_ns, begin_ns), 0));
    }
  }
  return cursor.result;
}
