// SPDX-License-Identifier: MIT
#include "counters/counter_choices.h"

#include <string.h>

#include <charconv>

#include "settings/saved_name.h"

namespace flamelet::ui {

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
  const size_t comma = value.find(',');
  if (comma == std::string_view::npos) return false;
  uint32_t group = 0;
  const std::from_chars_result result = std::from_chars(value.data(), value.data() + comma, group);
  if (result.ec != std::errc() || result.ptr != value.data() + comma || group > kMost + 1)
    return false;  // free_group() gives no larger one
  return set(value.substr(comma + 1), group);
}

}  // namespace flamelet::ui
