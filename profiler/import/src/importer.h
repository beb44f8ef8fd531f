// SPDX-License-Identifier: MIT
//
// importer.h: what the importers share: where the bytes come from, where the events go, and the counts.
#ifndef FLAMELET_IMPORT_SRC_IMPORTER_H
#define FLAMELET_IMPORT_SRC_IMPORTER_H

#include <cstdio>
#include <string_view>

#include "argument_texts.h"
#include "flamelet/capture_builder.h"
#include "flamelet/import.h"
#include "gzip_input.h"
#include "span_lanes.h"

namespace flamelet::formats {

struct Import {
  Input& in;
  flamelet_capture_builder* builder;
  flamelet_import_report& report;
  ArgumentTexts arguments;

  uint32_t string(std::string_view text) { return flamelet_capture_builder_string(builder, text.data(), text.size()); }
  void say(const char* message) { snprintf(report.message, sizeof report.message, "%s", message); }
  // Spans that were cut where they are read; those whose flag stood in the file are not repairs.
  uint64_t cut_in_file = 0;
  SpanLanes spans = {builder, report};
};

// Site 0, "(overflow)", stands for all that had no room. Spans and instants then have their own names; a counter has none
// but its site's, so its values would be mixed with those of others.
inline bool is_nameless_counter(flamelet_capture_builder* builder, uint32_t site, uint32_t name) {
  return site == 0 && name != flamelet_capture_builder_string(builder, "(overflow)", 10);
}

// One file each. They read to the end, and answer an error only if there is nothing to show.
flamelet_result import_chrome(Import& job);
flamelet_result import_perfetto(Import& job);

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_IMPORTER_H
