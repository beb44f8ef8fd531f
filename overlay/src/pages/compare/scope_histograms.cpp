// SPDX-License-Identifier: MIT
#include "pages/compare/scope_histograms.h"

#include "flamelet/detail/hash.h"

namespace flamelet::ui {

namespace {

uint64_t key_of_name(std::string_view name) {
  uint64_t hash = fnv_of_text(name.data(), name.size());
  hash ^= hash >> 29;
  return hash != 0 ? hash : 1;
}

constexpr uint32_t kFirstOctave = 6;  // 64 ns

}  // namespace

uint32_t bin_of(int64_t duration_ns) {
  uint64_t ns = duration_ns > 0 ? static_cast<uint64_t>(duration_ns) : 0;
  if (ns < uint64_t{1} << kFirstOctave) return 0;
  uint32_t octave = 0;
  for (uint64_t rest = ns; rest > 1; rest >>= 1) ++octave;
  const uint32_t upper = (ns >> (octave - 1) & 1);  // from one and a half times the octave's begin on
  const uint32_t bin = 1 + 2 * (octave - kFirstOctave) + upper;
  return bin < ScopeHistogram::kBins ? bin : ScopeHistogram::kBins - 1;
}

int64_t bin_begin_ns(uint32_t bin) {
  if (bin == 0) return 0;
  const int64_t octave_ns = int64_t{1} << (kFirstOctave + (bin - 1) / 2);
  return (bin - 1) % 2 == 0 ? octave_ns : octave_ns + octave_ns / 2;
}

void ScopeHistograms::clear() {
  scopes_.clear();
  left_out_ = 0;
}

void ScopeHistograms::add(uint32_t side, std::string_view name, int64_t duration_ns) {
  ScopeHistogram* scope = scopes_.insert(key_of_name(name));
  if (scope != nullptr)
    ++scope->calls[side][bin_of(duration_ns)];
  else
    ++left_out_;
}

const ScopeHistogram* ScopeHistograms::find(std::string_view name) const {
  return scopes_.find(key_of_name(name));
}

}  // namespace flamelet::ui
