// SPDX-License-Identifier: MIT
#include "counters/counter_table.h"

#include <math.h>
#include <string.h>
#include <algorithm>

#include "content/filter.h"
#include "draw/theme.h"
#include "flamelet/detail/hash.h"
#include "flamelet/detail/sums.h"
#include "settings/settings.h"

namespace flamelet::ui {

namespace {

constexpr std::string_view kUnits[] = {
    "%",   "B",  "KiB", "MiB", "GiB", "kB",  "KB",  "MB",    "GB",    "bytes", "ns",    "us",     "ms",     "s",
    "min", "Hz", "kHz", "MHz", "GHz", "fps", "FPS", "px",    "m",     "km",    "m/s",   "km/h",   "C",      "°C",
    "W",   "mW", "V",   "A",   "J",   "dB",  "B/s", "KiB/s", "MiB/s", "GiB/s", "bit/s", "kbit/s", "Mbit/s", "/s"};

uint64_t key_of_name(uint32_t name) {
  return spread_key(uint64_t{name} + 1);
}

// Of a value above 0.
void add_exponential(TextWriter* text, double size, int decimals) {
  int exponent = static_cast<int>(floor(log10(size)));
  // Rounding may make 10 of it.
  if (size / pow(10.0, exponent) + 0.5 * pow(10.0, -decimals) >= 10) ++exponent;
  text->add_fixed(size / pow(10.0, exponent), decimals).add(exponent < 0 ? "e-" : "e");
  text->add_unsigned(static_cast<uint64_t>(exponent < 0 ? -exponent : exponent));
}

constexpr uint32_t kBits = 64;

// The level from which on both times lie in one bin.
uint32_t common_level(int64_t a_ns, int64_t b_ns) {
  const uint64_t apart = static_cast<uint64_t>(a_ns) ^ static_cast<uint64_t>(b_ns);
  return apart == 0 ? 0 : highest_bit(apart) + 1;
}

bool same_bin(int64_t a_ns, int64_t b_ns, uint32_t level) {
  return a_ns >> level == b_ns >> level;
}

// How many bins there are at each level, counted in one pass over the finest ones.
struct LevelCounts {
  uint32_t always = 0;  // the first one of each counter
  uint32_t ends_at[kBits + 1] = {};

  void add(uint32_t level) { ++ends_at[level]; }
  // The first level with at most this many bins; kBits if there is none.
  uint32_t level_with(uint32_t most) const {
    uint32_t level = kBits;
    uint32_t count = always;
    while (level > 0 && count + ends_at[level] <= most) count += ends_at[level--];
    return level;
  }
};

constexpr int64_t kLateNs = 100000000;  // points may come so much late

bool before(const Message& a, const Message& b) {
  return a.time_ns < b.time_ns;
}

}  // namespace

uint32_t CounterChoices::group_of(std::string_view name) const {
  for (uint32_t i = 0; i < count_; ++i)
    if (name == choices_[i].name) return choices_[i].group;
  return kNone;
}

bool CounterChoices::takes(std::string_view name) {
  return can_be_saved(name, sizeof Choice::name);
}

bool CounterChoices::set(std::string_view name, uint32_t group) {
  for (uint32_t i = 0; i < count_; ++i) {
    if (name != choices_[i].name) continue;
    choices_[i].group = group;
    return true;
  }
  if (count_ == kMost || !takes(name)) return false;
  Choice& choice = choices_[count_++];
  choice = Choice();
  memcpy(choice.name, name.data(), name.size());
  choice.group = group;
  return true;
}

void CounterChoices::join(uint32_t group, uint32_t into) {
  for (uint32_t i = 0; i < count_; ++i)
    if (choices_[i].group == group) choices_[i].group = into;
}

uint32_t CounterChoices::free_group() const {
  uint32_t group = 1;
  for (uint32_t i = 0; i < count_;)
    if (choices_[i].group == group) {
      ++group;
      i = 0;
    } else {
      ++i;
    }
  return group;
}

void CounterChoices::write(TextWriter* text) const {
  for (uint32_t i = 0; i < count_; ++i)
    text->add("counter=").add_unsigned(choices_[i].group).add(',').add(choices_[i].name).add('\n');
}

bool CounterChoices::read(std::string_view value) {
  uint32_t group = 0;
  return take_field(&value, &group) && group <= kMost + 1 && set(value, group);  // free_group() gives no larger one
}

std::string_view unit_of(std::string_view name) {
  if (name.size() > 3 && (name.back() == ']' || name.back() == ')')) {
    const size_t open = name.rfind(name.back() == ']' ? '[' : '(');
    if (open == std::string_view::npos || open == 0) return {};
    return name.substr(open + 1, name.size() - open - 2);
  }
  const size_t space = name.find_last_of(" _");
  if (space == std::string_view::npos || space == 0) return {};
  const std::string_view word = name.substr(space + 1);
  for (const std::string_view unit : kUnits)
    if (word == unit) return word;
  return {};
}

std::string_view name_without_unit(std::string_view name, std::string_view unit) {
  if (unit.empty()) return name;
  name = name.substr(0, static_cast<size_t>(unit.data() - name.data()));
  return name.substr(0, name.find_last_not_of(" _([,") + 1);
}

bool is_of_events(std::string_view unit) {
  constexpr std::string_view kEach = " each";
  return unit.size() > kEach.size() && unit.substr(unit.size() - kEach.size()) == kEach;
}

void add_counter_value(TextWriter* text, double value, std::string_view unit) {
  if ((unit == "B" || unit == "bytes") && value >= 1024 && value < 1e18) {
    text->add_bytes(static_cast<uint64_t>(value));
    return;
  }
  add_counter_value(text, value);
  if (!unit.empty() && isfinite(value)) text->add(' ').add(unit);
}

void add_short_value(TextWriter* text, double value, int decimals) {
  const double size = fabs(value);
  if (!isfinite(value) || size == 0 || (size >= 1e-3 && size < 10000)) return add_counter_value(text, value);
  if (value < 0) text->add('-');
  add_exponential(text, size, decimals);
}

void add_counter_value(TextWriter* text, double value) {
  if (!isfinite(value)) {
    text->add(isnan(value) ? "not a number" : value < 0 ? "-inf" : "inf");
    return;
  }
  const double size = fabs(value);
  if (value < 0) text->add('-');
  if (size >= 1e15 || (size > 0 && size < 1e-5)) {
    add_exponential(text, size, 2);
  } else if (size >= 1000 || size == floor(size)) {
    text->add_grouped(static_cast<uint64_t>(size + 0.5));
  } else {
    text->add_fixed(size, size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 6);
  }
}

void CounterTable::carve(Carver* carver, uint32_t max_counters) {
  carver->take(&counters_, max_counters);
  by_name_.carve(carver, max_counters * 2);
}

void CounterTable::clear() {
  counters_.clear();
  by_name_.clear();
  left_out_ = false;
  ++version_;
}

uint32_t CounterTable::find_or_add(const flamelet_capture* capture, uint32_t name) {
  const uint64_t key = key_of_name(name);
  if (const Slot* slot = by_name_.find(key)) return slot->counter;
  Slot* slot = counters_.full() ? nullptr : by_name_.insert(key);
  if (slot == nullptr) {
    left_out_ = true;
    return kNone;
  }
  slot->counter = counters_.count;
  Counter counter;
  counter.name = name;
  counter.text = view_of(flamelet_capture_string(capture, name));
  if (counter.text.empty()) counter.text = kNoName;
  counter.unit = unit_of(counter.text);
  counter.group = choices_.group_of(counter.text);
  counters_.push(counter);
  counters_[slot->counter].lane = find_lane(slot->counter);
  ++version_;
  return slot->counter;
}

void CounterTable::set_last(uint32_t counter, const flamelet_point& point) {
  if (point.time_ns < counters_[counter].last_ns) return;
  counters_[counter].last_ns = point.time_ns;
  counters_[counter].last = point.value;
  counters_[counter].site = point.site;
}

uint32_t CounterTable::lane_size(uint32_t lane) const {
  uint32_t size = 0;
  for (const Counter& counter : counters_) size += counter.lane == lane;
  return size;
}

// Its group's, or that of the first counter of its unit that is not alone. A lane is led by its first counter.
uint32_t CounterTable::find_lane(uint32_t counter) const {
  const Counter& own = counters_[counter];
  for (uint32_t i = 0; i < counter && own.group != CounterChoices::kAlone; ++i) {
    const bool of_unit = !own.unit.empty() && counters_[i].unit == own.unit;
    const bool shared = own.group != CounterChoices::kNone ? counters_[i].group == own.group
                                                           : of_unit && counters_[i].group != CounterChoices::kAlone;
    if (shared) return counters_[i].lane;
  }
  return counter;
}

void CounterTable::find_lanes() {
  for (Counter& counter : counters_) counter.group = choices_.group_of(counter.text);
  for (uint32_t i = 0; i < counters_.count; ++i) counters_[i].lane = find_lane(i);
  ++version_;
}

bool CounterTable::can_choose(uint32_t lane, uint32_t other) const {
  uint32_t wanted = 0;
  for (const Counter& counter : counters_) {
    if ((counter.lane != lane && counter.lane != other) || counter.group != CounterChoices::kNone) continue;
    if (!CounterChoices::takes(counter.text)) return false;
    ++wanted;
  }
  return wanted <= choices_.room();
}

bool CounterTable::merge_lanes(uint32_t lane, uint32_t into) {
  if (!can_choose(lane, into)) return false;
  const uint32_t group = choices_.free_group();
  for (const Counter& counter : counters_) {
    if (counter.lane != lane && counter.lane != into) continue;
    if (counter.group != CounterChoices::kNone && counter.group != CounterChoices::kAlone)
      choices_.join(counter.group, group);
    choices_.set(counter.text, group);
  }
  find_lanes();
  return true;
}

bool CounterTable::part_lane(uint32_t lane) {
  if (!can_choose(lane, lane)) return false;
  for (const Counter& counter : counters_)
    if (counter.lane == lane) choices_.set(counter.text, CounterChoices::kAlone);
  find_lanes();
  return true;
}

bool CounterTable::read_choice(std::string_view value) {
  if (!choices_.read(value)) return false;
  find_lanes();
  return true;
}

void CounterBin::merge(const CounterBin& other) {
  if (other.last_ns >= last_ns) {
    last_ns = other.last_ns;
    last = other.last;
  }
  first_ns = std::min(first_ns, other.first_ns);
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  count += other.count;
}

void CounterBins::carve(Carver* carver, uint32_t max_bins, uint32_t max_counters, bool levels) {
  if (!levels) {
    carver->take(&bins_, max_bins);
  } else {
    // Bins come in where the coarser levels will stand: these are made when all bins were sorted into the first half.
    carver->take(&sorted_, size_t{max_bins} * 2);
    bins_ = {sorted_.data != nullptr ? sorted_.data + max_bins : nullptr, 0, max_bins};
  }
  carver->take(&newest_, max_counters);
  carver->take(&levels_, levels ? size_t{max_counters} * kMostLevels : 0);
  carver->take(&level_count_, max_counters);
}

void CounterBins::clear() {
  bins_.clear();
  sorted_.clear();
  newest_.count = newest_.capacity;
  std::fill(newest_.begin(), newest_.end(), kNone);
  level_count_.count = level_count_.capacity;
  std::fill(level_count_.begin(), level_count_.end(), 0u);
  level_ = 0;
  left_out_ = not_finite_ = 0;
  forget_ns_ = INT64_MIN;
}

void CounterBins::add(uint32_t counter, int64_t time_ns, double value) {
  CounterBin bin = {time_ns, time_ns, value, value, value, counter, 1};
  if (!isfinite(value)) {
    ++not_finite_;
    bin = {time_ns, time_ns, INFINITY, -INFINITY, value, counter, 0};
  }
  for (;;) {
    const uint32_t newest = newest_[counter];
    if (newest != kNone && same_bin(bins_[newest].first_ns, time_ns, level_)) return bins_[newest].merge(bin);
    if (bins_.push(bin)) {
      newest_[counter] = bins_.count - 1;
      return;
    }
    if (!make_room()) {
      ++left_out_;
      return;
    }
  }
}

// The first level with at most this many of the bins that there are, in their order.
uint32_t CounterBins::level_for(uint32_t most_bins) const {
  LevelCounts counts;
  uint32_t* newest = newest_.data;
  std::fill(newest, newest + newest_.count, kNone);
  for (uint32_t i = 0; i < bins_.count; ++i) {
    const CounterBin& bin = bins_[i];
    const uint32_t before = newest[bin.counter];
    if (before == kNone)
      ++counts.always;
    else
      counts.add(common_level(bins_[before].first_ns, bin.first_ns));
    newest[bin.counter] = i;
  }
  return counts.level_with(most_bins);
}

// False if there is none to be made.
bool CounterBins::make_room() {
  bins_.count = static_cast<uint32_t>(
      std::remove_if(bins_.begin(), bins_.end(), [this](const CounterBin& bin) { return bin.last_ns < forget_ns_; }) -
      bins_.begin());
  const uint32_t enough = bins_.capacity - bins_.capacity / 4;
  level_ = std::min(std::max(level_, level_for(enough)), kBits - 2);
  std::fill(newest_.begin(), newest_.end(), kNone);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < bins_.count; ++i) {
    const CounterBin bin = bins_[i];
    const uint32_t before = newest_[bin.counter];
    if (before != kNone && same_bin(bins_[before].first_ns, bin.first_ns, level_)) {
      bins_[before].merge(bin);
    } else {
      newest_[bin.counter] = kept;
      bins_[kept++] = bin;
    }
  }
  bins_.count = kept;
  return !bins_.full();
}

// Stable, so each counter's bins stay in the order in which they came; that is by time unless several lanes had values.
void CounterBins::sort() {
  sorted_.count = bins_.count;
  std::fill(newest_.begin(), newest_.end(), 0u);
  for (const CounterBin& bin : bins_) ++newest_[bin.counter];
  uint32_t position = 0;
  for (uint32_t counter = 0; counter < newest_.count; ++counter) {
    Level& finest = levels_[counter * kMostLevels];
    finest = {position, newest_[counter], level_};
    level_count_[counter] = newest_[counter] != 0;
    newest_[counter] = position;
    position += finest.count;
  }
  for (const CounterBin& bin : bins_) sorted_[newest_[bin.counter]++] = bin;
  const auto before = [](const CounterBin& a, const CounterBin& b) { return a.first_ns < b.first_ns; };
  for (uint32_t counter = 0; counter < newest_.count; ++counter) {
    const Level& finest = levels_[counter * kMostLevels];
    CounterBin* begin = sorted_.data + finest.begin;
    if (!std::is_sorted(begin, begin + finest.count, before)) std::sort(begin, begin + finest.count, before);
  }
}

void CounterBins::build_levels(uint32_t counter) {
  Level* levels = &levels_[counter * kMostLevels];
  uint32_t& count = level_count_[counter];
  if (count == 0) return;
  LevelCounts counts;
  counts.always = 1;
  for (uint32_t i = levels->begin + 1; i < levels->begin + levels->count; ++i)
    counts.add(common_level(sorted_[i - 1].first_ns, sorted_[i].first_ns));
  while (count < kMostLevels && levels[count - 1].count > kFewBins) {
    const Level finer = levels[count - 1];
    Level coarser = {sorted_.count, 0, std::max(counts.level_with(finer.count / 2), finer.level + 1)};
    if (coarser.level >= kBits) return;
    for (uint32_t i = finer.begin; i < finer.begin + finer.count; ++i) {
      const CounterBin bin = sorted_[i];
      if (coarser.count != 0 && same_bin(sorted_[sorted_.count - 1].first_ns, bin.first_ns, coarser.level)) {
        sorted_[sorted_.count - 1].merge(bin);
      } else if (sorted_.push(bin)) {
        ++coarser.count;
      } else {
        sorted_.count = coarser.begin;
        return;
      }
    }
    levels[count++] = coarser;
  }
}

void CounterBins::build() {
  sort();
  for (uint32_t counter = 0; counter < level_count_.count; ++counter) build_levels(counter);
}

CounterBinRange CounterBins::bins(uint32_t counter, uint32_t level) const {
  uint32_t i = level_count_[counter];
  if (i == 0) return {};
  const Level* levels = &levels_[counter * kMostLevels];
  while (i > 1 && levels[i - 1].level > level) --i;
  const CounterBin* begin = sorted_.data + levels[i - 1].begin;
  return {begin, begin + levels[i - 1].count};
}

const CounterBin* CounterBins::last_before(uint32_t counter, int64_t time_ns) const {
  const CounterBinRange range = bins(counter, 0);
  const CounterBin* next = std::partition_point(range.begin(), range.end(),
                                                [time_ns](const CounterBin& bin) { return bin.first_ns < time_ns; });
  return next != range.begin() ? next - 1 : nullptr;
}

void PointHistory::carve(Carver* carver, const Limits& limits) {
  counters_.carve(carver, limits.counters);
  bins_.carve(carver, limits.bins, limits.counters, false);
  messages_.carve(carver, limits.messages);
  carver->take(&scratch_, kPointsAPiece);
}

void PointHistory::clear() {
  counters_.clear();
  bins_.clear();
  messages_.clear();
  next_ns_ = end_ns_ = again_ns_ = INT64_MIN;
  begun_ = false;
}

void PointHistory::begin_round(const flamelet_capture* capture) {
  TimeWindow extent;
  if (!flamelet_capture_extent(capture, &extent.begin_ns, &extent.end_ns)) return;
  again_ns_ = next_ns_;
  next_ns_ = begun_ ? std::max(extent.begin_ns, next_ns_ - kLateNs) : extent.begin_ns;
  end_ns_ = extent.end_ns + 1;
  begun_ = true;
  bins_.forget_before(extent.begin_ns);
}

bool PointHistory::step(const flamelet_capture* capture, int64_t piece_ns) {
  if (!reading()) return false;
  const TimeWindow piece = {next_ns_, end_ns_ - next_ns_ > piece_ns ? next_ns_ + piece_ns : end_ns_};
  messages_.begin_replacing(piece.begin_ns);
  points_read_ = 0;
  for_each_source(capture, [&](const flamelet_lane_info& info, size_t lane) {
    for_each_point(capture, lane, piece, &scratch_, [&](const flamelet_point& point) {
      ++points_read_;
      if (point.kind == FLAMELET_POINT_INSTANT) {
        messages_.add({point.time_ns, point.site, point.name, point.object, info.id, info.kind});
        return;
      }
      const uint32_t counter = counters_.find_or_add(capture, point.name);
      if (counter == CounterTable::kNone) return;
      if (point.time_ns < again_ns_ && point.time_ns < counters_[counter].last_ns) return;
      counters_.set_last(counter, point);
      bins_.add(counter, point.time_ns, point.value);
    });
  });
  messages_.end_replacing();
  next_ns_ = piece.end_ns;
  return reading();
}

void PointHistory::bins_before(int64_t time_ns, Array<const CounterBin*>* bins) const {
  bins->clear();
  for (uint32_t i = 0; i < counters_.count(); ++i) bins->push(nullptr);
  for (const CounterBin& bin : bins_.unsorted()) {
    const CounterBin*& newest = (*bins)[bin.counter];
    if (bin.first_ns < time_ns && (newest == nullptr || bin.last_ns >= newest->last_ns)) newest = &bin;
  }
}

void Messages::carve(Carver* carver, uint32_t max_messages) {
  carver->take(&messages_, max_messages);
  carver->take(&rows_, max_messages);
}

void Messages::clear() {
  messages_.clear();
  rows_.clear();
  rows_until_ = replaced_from_ = 0;
  left_out_ = 0;
}

void Messages::begin_replacing(int64_t begin_ns) {
  while (messages_.count != 0 && messages_[messages_.count - 1].time_ns >= begin_ns) --messages_.count;
  replaced_from_ = messages_.count;
  rows_until_ = std::min(rows_until_, messages_.count);
  while (rows_.count != 0 && rows_[rows_.count - 1] >= rows_until_) --rows_.count;
}

void Messages::add(const Message& message) {
  if (messages_.push(message)) return;
  // An eighth at once: so it is seldom.
  const uint32_t away = std::max(messages_.capacity / 8, 1u);
  std::sort(messages_.begin() + std::min(replaced_from_, messages_.count), messages_.end(), before);
  std::move(messages_.begin() + away, messages_.end(), messages_.begin());
  messages_.count -= away;
  left_out_ += away;
  replaced_from_ = replaced_from_ > away ? replaced_from_ - away : 0;
  rows_until_ = 0;
  rows_.clear();
  messages_.push(message);
}

void Messages::end_replacing() {
  std::sort(messages_.begin() + replaced_from_, messages_.end(), before);
  replaced_from_ = messages_.count;
}

void Messages::update_rows(const flamelet_capture* capture, ScopeStyles* styles, std::string_view filter, bool anew) {
  if (anew) {
    rows_.clear();
    rows_until_ = 0;
  }
  for (; rows_until_ < messages_.count; ++rows_until_) {
    const Message& message = messages_[rows_until_];
    const auto matches_text = [&] {
      return message.object != 0 && matches(view_of(flamelet_capture_string(capture, message.object)), filter);
    };
    if (filter.empty() || styles->of(key_of(message)).matches || matches_text()) rows_.push(rows_until_);
  }
}

uint32_t Messages::row_at(int64_t time_ns) const {
  return static_cast<uint32_t>(
      std::partition_point(rows_.begin(), rows_.end(), [&](uint32_t i) { return messages_[i].time_ns < time_ns; }) -
      rows_.begin());
}

void CounterSeries::carve(Carver* carver, uint32_t max_bins, uint32_t max_counters) {
  bins_.carve(carver, max_bins, max_counters, true);
  carver->take(&held_, max_counters);
  carver->take(&before_, max_counters);
}

void CounterSeries::clear() {
  bins_.clear();
  held_.clear();
  held_known_ = false;
  window_ = {};
  ++generation_;
}

// The history knows the bin in which the window begins. If that bin has values on both sides, it is read once more.
void CounterSeries::find_held(const flamelet_capture* capture, PointHistory* history) {
  held_known_ = history->read_until_ns() >= window_.begin_ns;
  history->bins_before(window_.begin_ns, &before_);
  held_.clear();
  int64_t from_ns = window_.begin_ns;
  for (const CounterBin* bin : before_) {
    const bool whole = bin != nullptr && bin->last_ns < window_.begin_ns;
    held_.push(bin != nullptr ? HeldValue{whole ? bin->last_ns : bin->first_ns, bin->last} : HeldValue());
    if (bin == nullptr || whole) continue;
    from_ns = std::min(from_ns, bin->first_ns);
  }
  if (from_ns == window_.begin_ns) return;
  const TimeWindow window = {from_ns, window_.begin_ns};
  for_each_source(capture, [&](const flamelet_lane_info&, size_t lane) {
    for_each_point(capture, lane, window, &history->scratch(), [&](const flamelet_point& point) {
      if (point.kind != FLAMELET_POINT_COUNTER) return;
      const uint32_t counter = history->counters().find_or_add(capture, point.name);
      if (counter < held_.count && point.time_ns >= held_[counter].time_ns)
        held_[counter] = {point.time_ns, point.value};
    });
  });
}

void CounterSeries::read(const flamelet_capture* capture, TimeWindow window, PointHistory* history) {
  bins_.clear();
  window_ = window;
  ++generation_;
  if (window.end_ns > window.begin_ns)
    for_each_source(capture, [&](const flamelet_lane_info&, size_t lane) {
      for_each_point(capture, lane, window, &history->scratch(), [&](const flamelet_point& point) {
        if (point.kind != FLAMELET_POINT_COUNTER) return;
        const uint32_t counter = history->counters().find_or_add(capture, point.name);
        if (counter != CounterTable::kNone) bins_.add(counter, point.time_ns, point.value);
      });
    });
  bins_.build();
  find_held(capture, history);
}

void CounterSeries::complete(const flamelet_capture* capture, PointHistory* history) {
  if (held_known_ || history->read_until_ns() < window_.begin_ns) return;
  find_held(capture, history);
  ++generation_;
}

HeldValue CounterSeries::value_at(uint32_t counter, int64_t time_ns) const {
  const CounterBin* bin = bins_.last_before(counter, time_ns + 1);
  return bin != nullptr ? HeldValue{bin->first_ns, bin->last} : held_before(counter);
}

bool CounterSeries::is_flat(uint32_t counter, TimeWindow view) const {
  HeldValue held = value_at(counter, view.begin_ns);
  const CounterBinRange bins = bins_.bins(counter, 0);
  const CounterBin* bin = std::partition_point(bins.begin(), bins.end(),
                                               [&](const CounterBin& other) { return other.last_ns <= view.begin_ns; });
  for (; bin != bins.end() && bin->first_ns < view.end_ns; ++bin) {
    if (!(bin->min == bin->max && bin->last == bin->min) || (held.known() && held.value != bin->min)) return false;
    held = {true, bin->min};
  }
  return true;
}

uint32_t counter_level(View view, float width_px, float column_px) {
  const double column_ns = view.duration_ns() / static_cast<double>(width_px) * static_cast<double>(column_px);
  uint32_t level = 0;
  while (level < 62 && static_cast<double>(uint64_t{2} << level) <= column_ns) ++level;
  return level;
}

TimeWindow counted_window(TimeWindow view, uint32_t level) {
  const int64_t bin_ns = int64_t{1} << level;
  return {(view.begin_ns >> level) * bin_ns, (((view.end_ns - 1) >> level) + 1) * bin_ns};
}

uint32_t most_columns(const CounterSeries& series, uint32_t counter, View view, uint32_t level) {
  level = std::max(level, series.bins().level());
  const TimeWindow counted = counted_window(window_of(view), level);
  const CounterBinRange bins = series.bins().bins(counter, level);
  const auto first_at = [&](int64_t time_ns) {
    return std::partition_point(bins.begin(), bins.end(),
                                [time_ns](const CounterBin& bin) { return bin.first_ns < time_ns; });
  };
  const int64_t in_view = first_at(counted.end_ns) - first_at(counted.begin_ns);
  const int64_t columns = (counted.end_ns - counted.begin_ns) >> level;
  return static_cast<uint32_t>(std::min(in_view, columns)) + 1;
}

bool lay_out_counter(const CounterSeries& series, uint32_t counter, View view, float width_px, uint32_t level,
                     Array<CounterColumn>* columns, CounterLine* line) {
  *line = CounterLine();
  line->counter = counter;
  line->first = columns->count;
  level = std::max(level, series.bins().level());
  const TimeWindow counted = counted_window(window_of(view), level);
  const CounterBinRange bins = series.bins().bins(counter, level);
  const CounterBin* bin = std::partition_point(
      bins.begin(), bins.end(), [&](const CounterBin& other) { return other.first_ns < counted.begin_ns; });
  const double px_per_ns = static_cast<double>(width_px) / view.duration_ns();
  const auto x = [&](int64_t time_ns) {
    const double px = (static_cast<double>(time_ns) - view.begin_ns) * px_per_ns;
    return static_cast<float>(std::min(std::max(px, 0.0), static_cast<double>(width_px)));
  };
  const auto push = [&](const CounterColumn& column) {
    line->min = std::min(line->min, column.min);
    line->max = std::max(line->max, column.max);
    ++line->count;
    return columns->push(column);
  };
  const HeldValue held = bin != bins.begin() ? HeldValue{bin[-1].first_ns, bin[-1].last} : series.held_before(counter);
  if (held.known() && isfinite(held.value) && !push({0, 0, held.value, held.value, held.value})) return false;
  while (bin != bins.end() && bin->first_ns < counted.end_ns) {
    const int64_t number = bin->first_ns >> level;
    CounterBin all = *bin;
    for (++bin; bin != bins.end() && bin->first_ns >> level == number; ++bin) all.merge(*bin);
    if (all.count == 1)
      ++line->values_drawn;
    else
      line->values_merged += all.count;
    if (!push({x(all.first_ns), x(all.last_ns), all.min, all.max, all.last})) return false;
  }
  return true;
}

CounterAxis counter_axis(double min, double max) {
  if (min > 0 && min < max * 0.6) min = 0;
  if (max < 0 && max > min * 0.6) max = 0;
  // A little noise on a large value is no cliff.
  const double least = std::max(fabs(min), fabs(max)) * 0.05, middle = min * 0.5 + max * 0.5;
  if (max > min && max - min < least) return {middle - least * 0.5, middle + least * 0.5, false};
  if (max > min) return {min, max, false};
  // A line that is flat lies in the middle.
  const double room = std::max(fabs(min) * 0.5, 0.5);
  return {min - room, min + room, true};
}

}  // namespace flamelet::ui
