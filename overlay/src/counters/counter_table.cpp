// SPDX-License-Identifier: MIT
#include "counters/counter_table.h"

#include <math.h>

#include "draw/scope_styles.h"
#include "flamelet/detail/hash.h"

namespace flamelet::ui {

namespace {

constexpr std::string_view kUnits[] = {
    "%",   "B",  "KiB", "MiB", "GiB", "kB",  "KB",  "MB",    "GB",    "bytes", "ns",    "us",     "ms",     "s",
    "min", "Hz", "kHz", "MHz", "GHz", "fps", "FPS", "px",    "m",     "km",    "m/s",   "km/h",   "C",      "°C",
    "W",   "mW", "V",   "A",   "J",   "dB",  "B/s", "KiB/s", "MiB/s", "GiB/s", "bit/s", "kbit/s", "Mbit/s", "/s"};

uint64_t key_of_name(uint32_t name) {
  return spread_key(uint64_t{name} + 1);
}

}  // namespace

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
  while (!name.empty() && (name.back() == ' ' || name.back() == '_' || name.back() == '(' || name.back() == '['))
    name.remove_suffix(1);
  return name;
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
  if (!unit.empty()) text->add(' ').add(unit);
}

void add_counter_value(TextWriter* text, double value) {
  if (!isfinite(value)) {
    text->add('-');
    return;
  }
  const double size = fabs(value);
  if (value < 0) text->add('-');
  if (size >= 1e15 || (size > 0 && size < 1e-5)) {
    const int exponent = static_cast<int>(floor(log10(size)));
    text->add_fixed(size / pow(10.0, exponent), 2).add(exponent < 0 ? "e-" : "e+");
    text->add_unsigned(static_cast<uint64_t>(exponent < 0 ? -exponent : exponent));
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
  counter.unit = unit_of(counter.text);
  counter.group = choices_.group_of(counter.text);
  counters_.push(counter);
  counters_[slot->counter].lane = find_lane(slot->counter);
  ++version_;
  return slot->counter;
}

void CounterTable::set_last(uint32_t counter, int64_t time_ns, double value) {
  if (time_ns < counters_[counter].last_ns) return;
  counters_[counter].last_ns = time_ns;
  counters_[counter].last = value;
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

}  // namespace flamelet::ui
