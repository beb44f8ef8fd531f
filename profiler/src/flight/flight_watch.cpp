// SPDX-License-Identifier: MIT
#include "flight/flight_watch.h"

#include <string.h>

namespace flamelet {

void copy_text(char (&to)[FLAMELET_FLIGHT_TEXT_BYTES], const char* text) {
  size_t size = 0;
  while (size < sizeof to - 1 && text[size] != 0) ++size;
  if (text[size] != 0) {
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  }
  memcpy(to, text, size);
  memset(to + size, 0, sizeof to - size);
}

void FrameMedian::add(int64_t duration_ns) {
  uint32_t sorted = used();
  int64_t& place = last_[count_ % kFrames];
  if (sorted == kFrames) {  // the oldest goes
    uint32_t at = 0;
    while (sorted_[at] != place) ++at;
    memmove(sorted_ + at, sorted_ + at + 1, (--sorted - at) * sizeof *sorted_);
  }
  place = duration_ns;
  ++count_;
  uint32_t at = sorted;
  for (; at > 0 && sorted_[at - 1] > duration_ns; --at) sorted_[at] = sorted_[at - 1];
  sorted_[at] = duration_ns;
}

bool TriggerBox::put(uint32_t session, uint64_t ticks, const char* why) {
  // Acquire: pairs with the release in taken(), so that the text before was read.
  if (!state_.cas_acquire(kEmpty, kFilling)) return false;
  call_.session = session;
  call_.ticks = ticks;
  copy_text(call_.text, why);
  // Release: pairs with the acquire in get().
  state_.store_release(kFull);
  return true;
}

const TriggerBox::Call* TriggerBox::get() const {
  return state_.load_acquire() == kFull ? &call_ : nullptr;
}

void TriggerBox::taken() {
  state_.store_release(kEmpty);
}

}  // namespace flamelet
