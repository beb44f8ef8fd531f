// SPDX-License-Identifier: MIT
//
// table.h: rows of names and numbers, as text that fits the terminal, as CSV and as JSON. The same columns everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace flamelet::tools {

// Json writer: an object in JSON, piece by piece, in the order in which it was given. Text is made printable, so that
// it is always UTF-8. The library behind it is nlohmann/json, which only table.cpp includes: it takes seconds to
// compile.

class JsonWriter {
 public:
  JsonWriter();
  ~JsonWriter();

  // An element of the array that is open.
  void begin_object();
  void end_object();
  void begin_array(const char* key);
  void end_array();
  void begin_object(const char* key);
  // An array with an object for each of `items`, which `write` fills.
  template <class Items, class Write>
  void objects(const char* key, const Items& items, Write write) {
    begin_array(key);
    for (const auto& item : items) {
      begin_object();
      write(item);
      end_object();
    }
    end_array();
  }

  void text(const char* key, std::string_view value);
  void count(const char* key, uint64_t value);
  void integer(const char* key, int64_t value);
  void number(const char* key, double value);  // what is not finite is null
  void boolean(const char* key, bool value);
  void nothing(const char* key);

  // One line.
  std::string take() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

enum class ColumnKind {
  kName,      // text that is cut where there is no room
  kPath,      // likewise, at its begin
  kText,      // text that is not
  kCount,     // whole numbers
  kNumber,    // others, with two decimals
  kValue,     // of a counter; in JSON "inf" where it is infinite
  kNs,        // durations: in a unit of their own as text, else whole nanoseconds
  kChangeNs,  // likewise, with a sign
  kShare,     // 1 = 100 %
  kExcess,    // 1 = 100 % more
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

// Keeps the first `top` rows, of 0 all. Returns how many are left out.
template <typename Row>
size_t cut_rows(std::vector<Row>* rows, size_t top) {
  if (top == 0 || rows->size() <= top) return 0;
  const size_t left_out = rows->size() - top;
  rows->erase(rows->end() - static_cast<std::ptrdiff_t>(left_out), rows->end());
  return left_out;
}

}  // namespace flamelet::tools
