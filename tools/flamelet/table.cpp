// SPDX-License-Identifier: MIT
#include "table.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "command_line.h"
#include "display_text.h"
#include "platform/number_text.h"

namespace flamelet::tools {

// ---- json writer

using Json = nlohmann::ordered_json;

struct JsonWriter::State {
  Json document;
  std::vector<Json*> open;  // nothing is added to a container while one inside it is open, so they stay where they are

  void put(const char* key, Json value) { (*open.back())[key] = std::move(value); }
  void begin(const char* key, Json value) {
    Json& added = (*open.back())[key] = std::move(value);
    open.push_back(&added);
  }
};

JsonWriter::JsonWriter() : state_(std::make_unique<State>()) {
  state_->document = Json::object();
  state_->open.push_back(&state_->document);
}
JsonWriter::~JsonWriter() = default;

void JsonWriter::begin_object() {
  state_->open.back()->push_back(Json::object());
  state_->open.push_back(&state_->open.back()->back());
}

void JsonWriter::end_object() {
  state_->open.pop_back();
}

void JsonWriter::begin_array(const char* key) {
  state_->begin(key, Json::array());
}

void JsonWriter::end_array() {
  state_->open.pop_back();
}

void JsonWriter::begin_object(const char* key) {
  state_->begin(key, Json::object());
}

void JsonWriter::text(const char* key, std::string_view value) {
  state_->put(key, valid_utf8(value));
}

void JsonWriter::count(const char* key, uint64_t value) {
  state_->put(key, value);
}

void JsonWriter::integer(const char* key, int64_t value) {
  state_->put(key, value);
}

void JsonWriter::number(const char* key, double value) {
  state_->put(key, value);
}

void JsonWriter::boolean(const char* key, bool value) {
  state_->put(key, value);
}

void JsonWriter::nothing(const char* key) {
  state_->put(key, nullptr);
}

std::string JsonWriter::take() const {
  return json_printable(state_->document.dump()) + "\n";
}

namespace {

// What a name keeps where there is no room; a path tells little without its last two.
size_t least_width(ColumnKind kind, size_t width) {
  return kind == ColumnKind::kPath ? std::min<size_t>(40, width / 2) : 16;
}

constexpr size_t kGap = 2;

bool is_text(ColumnKind kind) {
  return kind == ColumnKind::kName || kind == ColumnKind::kPath || kind == ColumnKind::kText;
}

// Is cut where there is no room.
bool is_cut(ColumnKind kind) {
  return kind == ColumnKind::kName || kind == ColumnKind::kPath;
}

bool is_duration(ColumnKind kind) {
  return kind == ColumnKind::kNs || kind == ColumnKind::kChangeNs;
}

// "1e+300"
std::string shortest(double number) {
  char digits[32];
  return {digits, static_cast<size_t>(write_double(digits, digits + sizeof digits, number) - digits)};
}

std::string shown(const Cell& cell, ColumnKind kind) {
  constexpr double kMostFixed = 1e15;
  if (cell.is_none) return is_duration(kind) ? "-   " : "-";  // below the numbers, not below their units
  switch (kind) {
    case ColumnKind::kName:
    case ColumnKind::kPath:
    case ColumnKind::kText:
      return printable(cell.text);
    case ColumnKind::kCount:
      return std::to_string(static_cast<uint64_t>(cell.integer));
    case ColumnKind::kNumber:
      return std::fabs(cell.number) < kMostFixed ? fixed(cell.number, 2) : shortest(cell.number);
    case ColumnKind::kValue:
      return counter_text(cell.number);
    case ColumnKind::kNs:
      // A sum that is full.
      return (cell.integer == INT64_MAX ? "over " : "") + short_duration_text(cell.number);
    case ColumnKind::kChangeNs:
      return (cell.number > 0 ? "+" : "") + short_duration_text(cell.number);
    case ColumnKind::kShare:
      return percent(cell.number, false);
    case ColumnKind::kExcess:
      return ratio_text(1 + cell.number, false);
  }
  return "";
}

}  // namespace

std::string Table::text(size_t width) const {
  std::vector<std::vector<std::string>> cells(rows.size());
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t i = 0; i < columns.size(); ++i) cells[row].push_back(shown(rows[row][i], columns[i].kind));

  // Numbers take what they need, the name what is left.
  std::vector<size_t> widths;
  std::vector<bool> is_shown;
  size_t name_column = columns.size();
  for (size_t i = 0; i < columns.size(); ++i) {
    size_t most = column_count(columns[i].title);
    for (const auto& row : cells) most = std::max(most, column_count(row[i]));
    widths.push_back(most);
    is_shown.push_back(!columns[i].title.empty());
    if (is_cut(columns[i].kind) && name_column == columns.size()) name_column = i;
  }
  std::string left_out;
  for (;;) {
    size_t used = 0;
    int last = 0;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (!is_shown[i]) continue;
      used += i == name_column ? std::min(widths[i], least_width(columns[i].kind, width)) : widths[i];
      used += kGap;
      last = std::max(last, columns[i].rank);
    }
    if (used <= width + kGap || last == 0) {
      if (name_column < columns.size() && is_shown[name_column]) {
        const size_t least = std::min(widths[name_column], least_width(columns[name_column].kind, width));
        const size_t others = used - least - kGap;
        const size_t room = width > others ? width - others : 0;
        widths[name_column] = std::min(widths[name_column], std::max(room, least));
      }
      break;
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      if (!is_shown[i] || columns[i].rank != last) continue;
      is_shown[i] = false;
      left_out += (left_out.empty() ? "" : ", ") + columns[i].title;
    }
  }

  std::string text;
  const auto put = [&](const auto& cell_at) {
    std::string line;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (!is_shown[i]) continue;
      if (!line.empty()) line.append(kGap, ' ');
      const std::string cell = columns[i].kind == ColumnKind::kPath ? cut_front_to(cell_at(i), widths[i]) : cell_at(i);
      line += is_text(columns[i].kind) ? left(cell, widths[i]) : right(cell, widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  put([&](size_t i) { return columns[i].title; });
  for (const auto& row : cells) put([&](size_t i) { return row[i]; });
  if (!left_out.empty()) text += "(no room for: " + left_out + ")\n";
  return text;
}

std::string Table::csv() const {
  std::string text;
  for (const Column& column : columns) text += (text.empty() ? "" : ",") + column.key;
  text += "\n";
  for (const std::vector<Cell>& row : rows) {
    for (size_t i = 0; i < columns.size(); ++i) {
      if (i != 0) text += ",";
      if (row[i].is_none) continue;
      switch (columns[i].kind) {
        case ColumnKind::kName:
        case ColumnKind::kPath:
        case ColumnKind::kText:
          text += csv_field(row[i].text);
          break;
        case ColumnKind::kCount:
          text += std::to_string(static_cast<uint64_t>(row[i].integer));
          break;
        case ColumnKind::kNs:
        case ColumnKind::kChangeNs:
          text += std::to_string(row[i].integer);
          break;
        case ColumnKind::kValue:
          text += shortest(row[i].number);
          break;
        case ColumnKind::kNumber:
        case ColumnKind::kShare:
        case ColumnKind::kExcess:
          text += fixed(row[i].number, 6);
          break;
      }
    }
    text += "\n";
  }
  return text;
}

void Table::json(JsonWriter* json, const char* key) const {
  json->objects(key, rows, [&](const std::vector<Cell>& row) {
    for (size_t i = 0; i < columns.size(); ++i) {
      const char* const name = columns[i].key.c_str();
      if (row[i].is_none)
        json->nothing(name);
      else if (is_text(columns[i].kind))
        json->text(name, row[i].text);
      else if (columns[i].kind == ColumnKind::kCount)
        json->count(name, static_cast<uint64_t>(row[i].integer));
      else if (is_duration(columns[i].kind))
        json->integer(name, row[i].integer);
      else if (columns[i].kind == ColumnKind::kValue && std::isinf(row[i].number))
        json->text(name, counter_text(row[i].number));
      else
        json->number(name, row[i].number);
    }
  });
}

}  // namespace flamelet::tools
