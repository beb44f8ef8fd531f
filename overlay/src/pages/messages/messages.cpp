// SPDX-License-Identifier: MIT
#include "pages/messages/messages.h"

#include <algorithm>

#include "content/filter.h"

namespace flamelet::ui {

namespace {

bool before(const Message& a, const Message& b) {
  return a.time_ns < b.time_ns;
}

}  // namespace

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

uint32_t Messages::find_row(const Message& message) const {
  for (uint32_t i = row_at(message.time_ns); i < rows_.count && row(i).time_ns == message.time_ns; ++i)
    if (row(i) == message) return i;
  return kNone;
}

}  // namespace flamelet::ui
