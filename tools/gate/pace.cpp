// SPDX-License-Identifier: MIT
#include "pace.h"

#include <algorithm>

namespace flamelet::tools {
namespace {

constexpr size_t kPaced = 8;  // paths that tell a run's pace, at least

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

std::vector<double> paces_of(const std::vector<const Run*>& runs, const PathNames& names, double least_ns) {
  std::vector<std::vector<double>> ratios(runs.size());
  std::vector<double> times(runs.size());
  for (uint32_t path = 1; path < names.size(); ++path) {
    if (names[path].is_wait) continue;
    for (size_t i = 0; i < runs.size(); ++i) times[i] = runs[i]->path(path).self.typical_ns;
    if (*std::min_element(times.begin(), times.end()) <= least_ns) continue;
    const double usual = median(times);
    for (size_t i = 0; i < runs.size(); ++i) ratios[i].push_back(times[i] / usual);
  }
  std::vector<double> paces(runs.size(), 1);
  for (size_t i = 0; i < runs.size() && ratios[i].size() >= kPaced; ++i) paces[i] = median(ratios[i]);
  return paces;
}

double growth_with_pace(const std::vector<double>& paces, const std::vector<double>& values, size_t first) {
  std::vector<double> slopes;
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = i < first ? 0 : first; j < i; ++j)
      if (paces[i] != paces[j]) slopes.push_back((values[i] - values[j]) / (paces[i] - paces[j]));
  return slopes.empty() ? 0 : median(std::move(slopes));
}

void bring_to_one_pace(const std::vector<double>& paces, double growth, std::vector<double>* values) {
  for (size_t i = 0; i < values->size(); ++i)
    if ((*values)[i] != 0) (*values)[i] -= growth * (paces[i] - 1);
}

}  // namespace flamelet::tools
