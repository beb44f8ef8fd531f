// SPDX-License-Identifier: MIT
//
// format_table.h: the one list of the formats.
#ifndef FLAMELET_EXPORT_SRC_FORMAT_TABLE_H
#define FLAMELET_EXPORT_SRC_FORMAT_TABLE_H

#include "flamelet/export.h"

namespace flamelet::formats {

struct Export;

struct Format {
  flamelet_export_format_info info;
  void (*write)(Export& job);
};

extern const Format* const kFormats;  // by flamelet_export_format

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_FORMAT_TABLE_H
