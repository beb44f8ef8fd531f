// SPDX-License-Identifier: MIT
//
// table.h: rows of names and numbers, as text that fits the terminal, as CSV and as JSON. The same columns everywhere.
#ifndef FLAMELET_TOOLS_TABLE_H
#define FLAMELET_TOOLS_TABLE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "json_writer.h"

namespace flamelet::tools {

enum class ColumnKind {
  kName,      // text that is cut where there is no room
  kPath,      // likewise, at its begin
  kText,      // text that is not
  kCount,     // whole numbers
  kNumber,    // others, with two decimals
  kNs,        // durations: in a unit of their own as text, else whole nanoseconds
  kChangeNs,  // likewise, with a sign
  kShare,     // 1 = 100 %
};

struct Column {
  std::string key;    // in CSV and JSON
  std::string title;  // as text; "" = only in CSV and JSON
  ColumnKind kind;
  int rank = 0;  // where there is no room for all, columns of the highest rank go first, together; those of 0 never
};

struct Cell {
  Cell(std::string cell_text) : text(std::move(cell_text)) {}
  Cell(double cell_number) : integer(std::llround(std::clamp(cell_number, -9e18, 9e18))), number(cell_number) {}
  Cell(uint64_t count) : integer(static_cast<int64_t>(count)), number(static_cast<double>(count)) {}
  Cell(int64_t cell_integer) : integer(cell_integer), number(static_cast<double>(cell_integer)) {}
  static Cell none() {
    Cell cell{std::string()};
    cell.is_none = true;
    return cell;
  }

  std::string text;
  int64_t integer = 0;
  double number = 0;
  bool is_none = false;  // "-", null
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;

  std::string text(size_t width) const;
  std::string csv() const;
  // An array of objects.
  void json(JsonWriter* json, const char* key) const;
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_TABLE_H
