// SPDX-License-Identifier: MIT
#include "format_table.h"

#include <iterator>
#include <string_view>

namespace flamelet::formats {

void export_chrome(Export& job);
void export_pprof(Export& job);
void export_speedscope(Export& job);
void export_collapsed(Export& job);
void export_perfetto(Export& job);

// In the order of flamelet_export_format.
constexpr Format kRows[] = {
    {{"chrome", {".json", ".trace.json"}, "DevTools, ui.perfetto.dev, speedscope, Tracy", false}, export_chrome},
    {{"pprof", {".pb", ".pprof"}, "go tool pprof, Pyroscope, Parca", true}, export_pprof},
    {{"speedscope", {".speedscope.json", nullptr}, "speedscope", false}, export_speedscope},
    {{"collapsed", {".folded", ".collapsed"}, "flamegraph.pl, inferno, speedscope", false}, export_collapsed},
    {{"perfetto", {".perfetto-trace", ".pftrace"}, "ui.perfetto.dev, trace_processor", false}, export_perfetto},
};
static_assert(std::size(kRows) == FLAMELET_EXPORT_FORMAT_COUNT, "each format has its row");

const Format* const kFormats = kRows;

}  // namespace flamelet::formats

using namespace flamelet::formats;

const flamelet_export_format_info* flamelet_export_format_get_info(int format) {
  return static_cast<unsigned>(format) < std::size(kRows) ? &kRows[format].info : nullptr;
}

// The longest end that fits: .speedscope.json and not .json.
bool flamelet_export_format_of_path(const char* path, flamelet_export_format* format, bool* gzip) {
  if (path == nullptr || format == nullptr || gzip == nullptr) return false;
  std::string_view name(path);
  const auto ends_with = [&](std::string_view end) {
    return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
  };
  *gzip = ends_with(".gz");
  if (*gzip) name.remove_suffix(3);
  size_t longest = 0;
  for (size_t row = 0; row < std::size(kRows); ++row) {
    for (const char* end : kRows[row].info.name_ends) {
      const size_t size = end == nullptr ? 0 : std::string_view(end).size();
      if (size <= longest || !ends_with(end)) continue;
      longest = size;
      *format = static_cast<flamelet_export_format>(row);
    }
  }
  return longest != 0;
}
