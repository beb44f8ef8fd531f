// SPDX-License-Identifier: MIT
//
// What the tests of adapters share: a recorder, and what it recorded, as text.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "support/capture.h"
#include "support/recording.h"

namespace recorder_test {

// The calling thread's scopes, "outer(inner) next", once nothing is open any more.
inline std::string own_tree() {
  flamelet_set_thread_name("own");
  Capture capture(Captured::kNow);
  return capture.tree(capture.lane("own"));
}

inline void check_nothing_unpaired() {
  CHECK(stats().missing_ends == 0);
  CHECK(stats().extra_ends == 0);
}

inline std::string category_of(const Capture& capture, const flamelet_span& span) {
  return text_of(site_of(capture, span.site).category);
}

}  // namespace recorder_test
