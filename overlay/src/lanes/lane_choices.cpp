// SPDX-License-Identifier: MIT
#include "lanes/lane_choices.h"

#include <string.h>

#include <charconv>
#include <utility>

#include "settings/settings.h"

namespace flamelet::ui {

namespace {

constexpr uint32_t kHidden = 1;
constexpr uint32_t kPinned = 2;

uint32_t place_of(const Lane& lane) {
  return lane.order != 0 ? lane.order : UINT32_MAX;
}

bool comes_first(const Lane& a, const Lane& b) {
  if (a.pinned != b.pinned) return a.pinned;
  return place_of(a) != place_of(b) ? place_of(a) < place_of(b) : comes_before(a, b);
}

}  // namespace

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
  for (uint32_t i = 0; i < count_; ++i)
    if (name == choices_[i].name) return &choices_[i];
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
  // All of them as they stand now, and then the two change places.
  uint16_t place = 0;
  for (uint32_t i = 0; i < count_; ++i) choices_[i].order = 0;
  for (const Lane& each : *lanes) {
    LaneChoice* choice = of(each.name);
    if (choice == nullptr) {
      if (each.name == moved.name || each.name == beside) return false;
      continue;
    }
    if (choice->order == 0) choice->order = ++place;
  }
  std::swap(of(moved.name)->order, of(beside)->order);
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
  for (uint32_t& number : numbers) {
    const size_t comma = value.find(',');
    if (comma == std::string_view::npos) return false;
    const std::from_chars_result result = std::from_chars(value.data(), value.data() + comma, number);
    if (result.ec != std::errc() || result.ptr != value.data() + comma) return false;
    value.remove_prefix(comma + 1);
  }
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
