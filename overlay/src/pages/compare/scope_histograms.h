// SPDX-License-Identifier: MIT
//
// scope_histograms.h: how long the single calls of each scope took, on two sides, in bins of half an octave. Scopes are
// known by their names, because two captures have ids of their own.
//
// When full: scopes without room have no histogram; their calls are counted.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_HISTOGRAMS_H
#define FLAMELET_OVERLAY_SRC_SCOPE_HISTOGRAMS_H

#include <string_view>

#include "content/hash_table.h"

namespace flamelet::ui {

struct ScopeHistogram {
  static constexpr uint32_t kBins = 52;  // from below 64 ns to above 2^31 ns

  uint64_t key = 0;  // of the name
  uint32_t calls[2][kBins] = {};
};

// The bin of a duration, and where a bin begins.
uint32_t bin_of(int64_t duration_ns);
int64_t bin_begin_ns(uint32_t bin);

class ScopeHistograms {
 public:
  void carve(Carver* carver, uint32_t max_scopes) { scopes_.carve(carver, max_scopes / 3 * 4 + 4); }
  void clear();
  void add(uint32_t side, std::string_view name, int64_t duration_ns);
  // NULL if no call of this name was added.
  const ScopeHistogram* find(std::string_view name) const;
  uint64_t left_out() const { return left_out_; }

 private:
  HashTable<ScopeHistogram> scopes_;
  uint64_t left_out_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_HISTOGRAMS_H
