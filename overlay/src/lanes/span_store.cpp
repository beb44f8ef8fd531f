// SPDX-License-Identifier: MIT
#include "lanes/span_store.h"

#include <string.h>
#include <algorithm>
#include <utility>

#include "counters/counter_table.h"
#include "draw/theme.h"
#include "flamelet/detail/hash.h"
#include "settings/settings.h"

namespace flamelet::ui {

namespace {

constexpr uint32_t kMostPoints = 16384;
constexpr uint32_t kLeastFar = 1024;  // spans whose times take 64 bits

// Rows of all lanes, beside one of each. Scopes so deep that there is none are left out.
uint32_t most_rows(uint32_t max_spans) {
  return std::max(max_spans / 8, 4096u);
}

uint32_t hash_of(LaneContent content, std::string_view name) {
  return fnv_of_text(name.data(), name.size(), Fnv<uint32_t>::kStart + static_cast<uint32_t>(content));
}

constexpr uint32_t kHidden = 1;
constexpr uint32_t kPinned = 2;

uint32_t place_of(const Lane& lane) {
  return lane.order != 0 ? lane.order : UINT32_MAX;
}

// The order in which lanes stand where the user chose none.
bool comes_before(const Lane& a, const Lane& b) {
  if (a.content != b.content) return a.content < b.content;
  if (a.content == LaneContent::kCounters) return a.counter < b.counter;
  if (a.content == LaneContent::kIntervals) return a.name < b.name;
  if (a.kind != b.kind) return a.kind < b.kind;
  return a.beside != b.beside ? a.beside < b.beside : a.id < b.id;
}

bool comes_first(const Lane& a, const Lane& b) {
  if (a.pinned != b.pinned) return a.pinned;
  return place_of(a) != place_of(b) ? place_of(a) < place_of(b) : comes_before(a, b);
}

}  // namespace

void IntervalStore::carve(Carver* carver, uint32_t max_intervals) {
  carver->take(&intervals_, max_intervals);
  carver->take(&places_, max_intervals);
  carver->take(&before_, max_intervals);
  carver->take(&groups_, kMostGroups);
  carver->take(&packings_, kMostGroups);
  spans_.carve(carver, max_intervals, max_intervals);
  carver->take(&interval_of_, max_intervals);
  carver->take(&order_, max_intervals);
  carver->take(&row_begins_, size_t{max_intervals} + kMostGroups);
}

void IntervalStore::clear() {
  intervals_.clear();
  places_.clear();
  before_.clear();
  groups_.clear();
  left_out_ = 0;
}

void IntervalStore::read(const flamelet_capture* capture, TimeWindow window) {
  std::swap(places_, before_);
  size_t found = flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, intervals_.data, intervals_.capacity);
  if (found > intervals_.capacity)
    found =
        flamelet_capture_read_intervals(capture, window.begin_ns, window.end_ns, intervals_.data, intervals_.capacity);
  intervals_.count = static_cast<uint32_t>(std::min<size_t>(found, intervals_.capacity));
  left_out_ = found - intervals_.count;
  pack(capture);
  make_rows();
}

uint32_t IntervalStore::find_group(const flamelet_capture* capture, uint32_t site) {
  flamelet_site_info info;
  flamelet_capture_site(capture, site, &info);
  const std::string_view category(info.category.text, info.category.size);
  for (uint32_t i = 0; i < groups_.count; ++i)
    if (groups_[i].category == category) return i;
  if (!groups_.push({category, LaneRows()})) return groups_.count - 1;
  packings_[groups_.count - 1].row_count = 0;
  return groups_.count - 1;
}

// The wanted row if it is free, else the first free one.
uint32_t IntervalStore::pack_into(Packing* packing, const flamelet_interval& interval, uint32_t wanted) {
  const auto is_free = [&](uint32_t row) {
    return row >= packing->row_count || packing->ends_ns[row] <= interval.begin_ns;
  };
  uint32_t row = wanted;
  if (row >= kMostRows || !is_free(row)) {
    row = 0;
    while (row < kMostRows - 1 && !is_free(row)) ++row;
  }
  while (packing->row_count <= row) packing->ends_ns[packing->row_count++] = INT64_MIN;
  return row;
}

// A row is kept for an interval of the read before only from its own begin on, so a new one that began earlier may take it.
void IntervalStore::pack(const flamelet_capture* capture) {
  groups_.clear();
  places_.clear();
  uint32_t known = 0;
  for (flamelet_interval& interval : intervals_) {
    while (known < before_.count && before_[known].begin_ns < interval.begin_ns) ++known;
    uint32_t same = known;
    while (same < before_.count && before_[same].begin_ns == interval.begin_ns && before_[same].id != interval.id)
      ++same;
    const bool was_there = same < before_.count && before_[same].begin_ns == interval.begin_ns;
    const uint32_t group = find_group(capture, interval.site);
    Packing& packing = packings_[group];
    const uint32_t row = pack_into(&packing, interval, was_there ? before_[same].row : UINT32_MAX);
    // Only the last row can have no room.
    interval.begin_ns = std::max(interval.begin_ns, packing.ends_ns[row]);
    interval.end_ns = std::max(interval.end_ns, interval.begin_ns);
    packing.ends_ns[row] = std::max(interval.end_ns, interval.begin_ns + 1);
    places_.push({interval.begin_ns, interval.id, group, row});
  }
}

// A stable sort by group and row: within a row, intervals stay in the order of their begins.
void IntervalStore::make_rows() {
  uint32_t* row_begin = row_begins_.data;
  uint32_t position = 0;
  spans_.clear();
  for (uint32_t g = 0; g < groups_.count; ++g) {
    IntervalGroup& group = groups_[g];
    const uint32_t row_count = packings_[g].row_count;
    LaneRows& rows = group.rows;
    rows.independent = true;
    rows.spans = LaneSpans(&spans_, position);
    rows.order = order_.data + position;
    rows.row_begin = row_begin;
    rows.row_count = row_count;
    std::fill(row_begin, row_begin + row_count + 1, 0u);
    for (const Place& place : places_)
      if (place.group == g) ++row_begin[place.row + 1];
    for (uint32_t row = 0; row < row_count; ++row) row_begin[row + 1] += row_begin[row];
    rows.span_count = row_begin[row_count];
    uint32_t next[kMostRows];
    std::copy(row_begin, row_begin + row_count, next);
    for (uint32_t i = 0; i < intervals_.count; ++i)
      if (places_[i].group == g) interval_of_[position + next[places_[i].row]++] = i;
    for (uint32_t at = 0; at < rows.span_count; ++at) {
      const uint32_t i = interval_of_[position + at];
      const flamelet_interval& interval = intervals_[i];
      spans_.push({interval.begin_ns, interval.end_ns, interval.name, interval.object,
                   static_cast<uint16_t>(interval.site), static_cast<uint16_t>(places_[i].row),
                   static_cast<uint8_t>(interval.flags)});
      rows.order[at] = at;
    }
    position += rows.span_count;
    row_begin += row_count + 1;
  }
}

const flamelet_interval* IntervalStore::find(flamelet_id id) const {
  for (const flamelet_interval& interval : intervals_)
    if (interval.id == id) return &interval;
  return nullptr;
}

void SpanStore::carve(Carver* carver, uint32_t max_spans, uint32_t max_lanes, uint32_t max_intervals) {
  spans_.carve(carver, max_spans, std::max(max_spans / 32, kLeastFar));
  carver->take(&order_, max_spans);
  carver->take(&row_begins_, size_t{most_rows(max_spans)} + size_t{2} * max_lanes);
  const uint32_t words = (max_spans + max_intervals) / 64 + max_lanes;
  carver->take(&match_bits_, words);
  carver->take(&matches_before_, words);
  carver->take(&fiber_pieces_, kMostFiberPieces);
  carver->take(&piece_, kSpansAPiece);
  carver->take(&points_, std::min(std::max(max_spans / 16, 1024u), kMostPoints));
  carver->take(&scratch_, kPointsAPiece);
  intervals_.carve(carver, max_intervals);
  carver->take(&lanes_, max_lanes);
  carver->take(&before_, max_lanes);
}

void SpanStore::clear(bool lanes) {
  spans_.clear();
  fiber_pieces_.clear();
  left_out_ = 0;
  window_ = {};
  ++generation_;
  if (lanes) lanes_.clear();
  if (lanes) intervals_.clear();
  for (Lane& lane : lanes_) {
    lane.rows = LaneRows();
    lane.instant_count = 0;
    lane.layout = LaneLayout();
    lane.left_out = 0;
  }
}

// As it was before, without its content.
Lane SpanStore::new_lane(uint32_t id, flamelet_lane_kind kind) const {
  Lane lane;
  const Lane* known = std::find_if(before_.begin(), before_.end(),
                                   [&](const Lane& other) { return other.id == id && other.kind == kind; });
  if (known != before_.end()) lane = *known;
  lane.id = id;
  lane.kind = kind;
  lane.rows = LaneRows();
  lane.instant_count = 0;
  lane.matches = Matches();
  lane.left_out = 0;
  return lane;
}

void SpanStore::add_lane(const flamelet_capture* capture, const flamelet_lane_info& info, size_t capture_lane) {
  Lane lane = new_lane(info.id, info.kind);
  flamelet_lane_info other;
  const bool is_beside = flamelet_capture_lane(capture, flamelet_capture_lane_beside(capture, capture_lane), &other);
  lane.beside = is_beside ? other.id : info.id;
  lane.capture_lane = static_cast<uint32_t>(capture_lane);
  lane.name = view_of(info.name);
  lanes_.push(lane);
}

void SpanStore::add_lane(LaneContent content, std::string_view name, uint32_t counter, const LaneRows& rows) {
  Lane lane = new_lane(hash_of(content, name), FLAMELET_LANE_EXTERNAL);
  lane.content = content;
  lane.capture_lane = UINT32_MAX;
  lane.name = name;
  lane.counter = counter;
  lane.rows = rows;
  lane.seen = true;
  if (!lanes_.push(lane)) ++lanes_left_out_;
}

void SpanStore::add_other_lanes(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  has_states_ = stats.switches_held != 0;
  if (has_states_) add_lane(LaneContent::kProcessors, "Processors", 0, LaneRows());
  intervals_.read(capture, window_);
  for (const IntervalGroup& group : intervals_.groups()) {
    const std::string_view name = group.category.empty() ? "intervals" : group.category;
    add_lane(LaneContent::kIntervals, name, 0, group.rows);
    if (intervals_.left_out() == 0 || lanes_.empty()) continue;
    lanes_[lanes_.count - 1].left_out = intervals_.left_out();  // of all categories: nobody knows of which
    lanes_[lanes_.count - 1].last_read_ns = intervals_.last_begin_ns();
  }
  for (uint32_t i = 0; counters_ != nullptr && i < counters_->count(); ++i)
    if (counters_->leads(i)) add_lane(LaneContent::kCounters, (*counters_)[i].text, i, LaneRows());
}

void SpanStore::find_lanes(const flamelet_capture* capture) {
  std::swap(lanes_, before_);
  lanes_.clear();
  lanes_left_out_ = 0;
  const size_t count = flamelet_capture_lane_count(capture);
  const bool all_fit = count <= lanes_.capacity;
  flamelet_lane_info info;
  for (size_t i = 0; i < count; ++i) {
    if (!flamelet_capture_lane(capture, i, &info)) continue;
    if (all_fit)
      add_lane(capture, info, i);
    else if (flamelet_capture_count_spans(capture, i, window_.begin_ns, window_.end_ns) == 0)
      continue;
    else if (lanes_.count < lanes_.capacity)
      add_lane(capture, info, i);
    else
      ++lanes_left_out_;
  }
  add_other_lanes(capture);
  std::sort(lanes_.begin(), lanes_.end(), comes_before);
}

// Instants that find no room are left out: they are marks, and thousands of marks in a view are a line anyway. The page
// Messages has them all.
void SpanStore::read_instants(const flamelet_capture* capture) {
  points_.clear();
  for (Lane& lane : lanes_) {
    lane.instants = points_.data + points_.count;
    if (lane.content != LaneContent::kSpans) continue;
    for_each_point(capture, lane.capture_lane, window_, &scratch_, [&](const flamelet_point& point) {
      if (point.kind == FLAMELET_POINT_INSTANT && points_.push(point)) ++lane.instant_count;
    });
  }
}

void SpanStore::read(const flamelet_capture* capture, TimeWindow window) {
  window_ = window;
  find_lanes(capture);
  ++generation_;
  read_instants(capture);
  read_spans(capture);
}

// Returns how many spans the lane has in the window.
uint64_t SpanStore::read_lane(const flamelet_capture* capture, Lane* lane, RowBuilder* rows) {
  constexpr uint16_t kCut = FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED;
  uint64_t found = 0;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, lane->capture_lane, window_.begin_ns, window_.end_ns, piece_.data,
                             piece_.capacity);
  while (flamelet_span_cursor_next(&cursor)) {
    found += cursor.count - cursor.again;
    for (size_t i = cursor.again; i < cursor.count; ++i) {
      const flamelet_span& span = cursor.spans[i];
      if (!rows->add(span)) continue;
      lane->last_read_ns = span.begin_ns;
      if ((span.flags & kCut) == 0 || lane->kind != FLAMELET_LANE_THREAD) continue;
      // What is inside a piece is cut where the piece is cut.
      if ((rows->parent_flags() & kCut) == 0)
        fiber_pieces_.push({span.id, span.begin_ns, span.end_ns, lane->capture_lane, span.depth, span.flags});
    }
  }
  // Deeper than can be read: what does not come counts as left out.
  if (cursor.result != FLAMELET_OK)
    found = std::max<uint64_t>(
        found, flamelet_capture_count_spans(capture, lane->capture_lane, window_.begin_ns, window_.end_ns));
  return found;
}

void SpanStore::read_spans(const flamelet_capture* capture) {
  // Usually everything fits, in one pass. If it does not, a second pass gives each lane its share, so that the first
  // lanes do not take the room of the others.
  uint64_t wanted = 0;
  bool share = false;
  for (int pass = 0; pass < 2; ++pass) {
    spans_.clear();
    fiber_pieces_.clear();
    uint32_t* row_begin = row_begins_.data;
    uint32_t rows_left = row_begins_.capacity - 2 * lanes_.capacity;  // beside two entries for each lane
    uint64_t found_in_all = 0;
    left_out_ = 0;
    for (Lane& lane : lanes_) {
      if (lane.content != LaneContent::kSpans) continue;
      const uint32_t before = spans_.count();
      uint32_t room = spans_.capacity() - before;
      if (share) {
        const uint64_t found = lane.left_out + lane.rows.span_count;
        room = std::min(room, static_cast<uint32_t>(found * spans_.capacity() / wanted));
      }
      lane.last_read_ns = window_.begin_ns;
      RowBuilder rows(&spans_, order_.data + before, room, row_begin, rows_left + 1);
      const uint64_t found = read_lane(capture, &lane, &rows);
      lane.rows = rows.finish();
      const uint32_t written = lane.rows.span_count;
      lane.left_out = found - written;
      row_begin += lane.rows.row_count + 1;
      rows_left -= std::max(lane.rows.row_count, 1u) - 1;
      left_out_ += lane.left_out;
      found_in_all += found;
    }
    if (left_out_ == 0) break;
    wanted = found_in_all;
    share = true;
  }
  std::sort(fiber_pieces_.begin(), fiber_pieces_.end(), [](const FiberPiece& a, const FiberPiece& b) {
    return a.id != b.id ? a.id < b.id : a.begin_ns < b.begin_ns;
  });
}

flamelet_span SpanStore::whole_span(const flamelet_capture* capture, const Lane& lane, uint32_t span) {
  const LaneSpan from = lane.rows.spans[span];
  flamelet_span whole = {};
  whole.begin_ns = from.begin_ns;
  whole.end_ns = from.end_ns;
  whole.self_ns = self_ns_of(lane.rows, span);
  whole.site = from.site;
  whole.name = from.name;
  whole.object = from.object;
  whole.parent = FLAMELET_NO_PARENT;
  whole.subtree_end = 1;
  whole.depth = from.depth;
  whole.flags = from.flags;
  if (lane.content == LaneContent::kIntervals) whole.id = intervals_.of(lane.rows, span).id;
  if (lane.content != LaneContent::kSpans) return whole;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, lane.capture_lane, from.begin_ns, from.begin_ns + 1, piece_.data,
                             piece_.capacity);
  while (flamelet_span_cursor_next(&cursor))
    for (size_t i = cursor.again; i < cursor.count; ++i) {
      const flamelet_span& other = cursor.spans[i];
      if (other.begin_ns != from.begin_ns || other.end_ns != from.end_ns || other.depth != from.depth ||
          other.site != from.site)
        continue;
      whole.id = other.id;
      return whole;
    }
  return whole;
}

uint32_t innermost_row(const Lane& lane, int64_t time_ns) {
  uint32_t depth = 0;
  if (lane.folded) return 0;
  while (depth < lane.rows.row_count && find_span(lane.rows, time_ns, depth) != lane.rows.span_count) ++depth;
  return depth != 0 ? depth - 1 : 0;
}

const Lane* find_shown_lane(const Array<Lane>& lanes, uint32_t capture_lane) {
  for (const Lane& lane : lanes)
    if (lane.capture_lane == capture_lane) return lane.height > 0 ? &lane : nullptr;
  return nullptr;
}

void LaneChoices::arrange(Array<Lane>* lanes) const {
  for (Lane& lane : *lanes) {
    const LaneChoice* choice = find(lane.name);
    const LaneChoice none;
    if (choice == nullptr) choice = &none;
    lane.order = choice->order;
    lane.color = choice->color;
    lane.hidden = choice->hidden;
    lane.pinned = choice->pinned;
  }
  // Lanes that are alike stay as they were. There are few that move.
  for (uint32_t i = 1; i < lanes->count; ++i)
    for (uint32_t j = i; j > 0 && comes_first((*lanes)[j], (*lanes)[j - 1]); --j)
      std::swap((*lanes)[j], (*lanes)[j - 1]);
}

const LaneChoice* LaneChoices::find(std::string_view name) const {
  for (uint32_t i = 0; i < count_; ++i)
    if (name == choices_[i].name) return &choices_[i];
  return nullptr;
}

LaneChoice* LaneChoices::of(std::string_view name) {
  if (const LaneChoice* found = find(name)) return const_cast<LaneChoice*>(found);
  if (count_ == kMost || !can_be_saved(name, sizeof LaneChoice::name)) return nullptr;
  LaneChoice& choice = choices_[count_++];
  choice = LaneChoice();
  memcpy(choice.name, name.data(), name.size());
  return &choice;
}

bool LaneChoices::move(Array<Lane>* lanes, uint32_t lane, int by) {
  const Lane& moved = (*lanes)[lane];
  int64_t other = lane;
  do {
    other += by;
    if (other < 0 || other >= lanes->count) return false;
  } while (!((*lanes)[static_cast<uint32_t>(other)].height > 0) ||
           (*lanes)[static_cast<uint32_t>(other)].name == moved.name);
  const std::string_view beside = (*lanes)[static_cast<uint32_t>(other)].name;
  if ((*lanes)[static_cast<uint32_t>(other)].pinned != moved.pinned) return false;
  LaneChoice *const one = of(moved.name), *const two = of(beside);
  if (one == nullptr || two == nullptr) return false;
  // All of them as they stand now, and then the two change places.
  uint16_t place = 0;
  for (uint32_t i = 0; i < count_; ++i) choices_[i].order = 0;
  for (const Lane& each : *lanes) {
    LaneChoice* choice = of(each.name);
    if (choice != nullptr && choice->order == 0) choice->order = ++place;
  }
  std::swap(one->order, two->order);
  arrange(lanes);
  return true;
}

uint32_t LaneChoices::hidden_count() const {
  uint32_t hidden = 0;
  for (uint32_t i = 0; i < count_; ++i) hidden += choices_[i].hidden;
  return hidden;
}

void LaneChoices::show_all() {
  for (uint32_t i = 0; i < count_; ++i) choices_[i].hidden = false;
}

void LaneChoices::write(TextWriter* text) const {
  for (uint32_t i = 0; i < count_; ++i) {
    const LaneChoice& choice = choices_[i];
    const uint32_t flags = (choice.hidden ? kHidden : 0) | (choice.pinned ? kPinned : 0);
    if (choice.order == 0 && choice.color == 0 && flags == 0) continue;
    text->add("lane=").add_unsigned(choice.order).add(',').add_unsigned(flags).add(',').add_unsigned(choice.color);
    text->add(',').add(choice.name).add('\n');
  }
}

bool LaneChoices::read(std::string_view value) {
  uint32_t numbers[3];
  for (uint32_t& number : numbers)
    if (!take_field(&value, &number)) return false;
  if (numbers[0] > UINT16_MAX || numbers[1] > (kHidden | kPinned) || numbers[2] > kColors) return false;
  LaneChoice* choice = of(value);
  if (choice == nullptr) return false;
  choice->order = static_cast<uint16_t>(numbers[0]);
  choice->hidden = (numbers[1] & kHidden) != 0;
  choice->pinned = (numbers[1] & kPinned) != 0;
  choice->color = static_cast<uint8_t>(numbers[2]);
  return true;
}

}  // namespace flamelet::ui
