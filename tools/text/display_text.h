// SPDX-License-Identifier: MIT
//
// display_text.h: names and numbers for people. Names come out of files that anyone may have written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace flamelet::tools {

// Valid UTF-8 without control characters: what is neither becomes U+FFFD, so a name cannot drive the terminal. What shows
// nothing or turns the direction of text is escaped, as "<U+202E>", so a name cannot look like another one.
std::string printable(std::string_view text);

// Each of its lines is printable.
std::string printable_lines(std::string_view text);

// The text as one word of a POSIX shell, whatever is in it.
std::string shell_word(std::string_view text);

// Valid UTF-8: what is none becomes U+FFFD. For formats that escape by themselves.
std::string valid_utf8(std::string_view text);

// JSON in which what printable() does not show is escaped in JSON's way.
std::string json_printable(std::string_view json);

// Columns that printable text takes in a terminal.
size_t column_count(std::string_view text);

// The first columns of printable text, "…" last if it was cut.
std::string cut_to(std::string_view text, size_t columns);

// The last columns, "…" first if it was cut.
std::string cut_front_to(std::string_view text, size_t columns);

// The words of each paragraph anew, in lines of so many columns. Lines that begin with a space, as examples do, stay as they
// are; longer ones go on, indented by two more. The last line has no end.
std::string wrapped(std::string_view text, size_t columns);

// Printable text filled with spaces, or cut.
std::string left(std::string_view text, size_t columns);
std::string right(std::string_view text, size_t columns);

// A number with a fixed count of decimals, whatever the locale.
std::string fixed(double number, int decimals);

// What a program counted, with the digits that are worth reading: "7", "-0.0025", "16.31", "3.58e+15", "inf".
std::string counter_text(double value);

// "5.2 %" or "-5.2 %" of a share; with a sign also "+5.2 %".
std::string percent(double share, bool has_sign);

// From there on it is told how many times as much something is. `ratio`: of what is to what was.
constexpr double kManyTimes = 11;
// "12.5", "1049"
std::string times_text(double ratio);
// "5.2 %", "1049 times"; with a sign also "+5.2 %".
std::string ratio_text(double ratio, bool has_sign);

// "1 frame", "2 frames".
std::string counted(uint64_t count, const char* one, const char* many);
// The same behind what is there, after a comma; nothing for 0.
void append(std::string* text, uint64_t count, const char* one, const char* many);

// The unit that a duration is best told in.
struct TimeUnit {
  const char* name;
  double ns;
};
TimeUnit unit_for(double ns);

// "7.630 ms", "1 h 25 min"
std::string duration_text(double ns);
// From one time to a later one: exact, where the difference of two doubles is not.
inline double length_ns(int64_t begin_ns, int64_t end_ns) {
  return static_cast<double>(static_cast<uint64_t>(end_ns) - static_cast<uint64_t>(begin_ns));
}

// Four digits, for tables: "7.630 ms", "163.1 ms", "412 ns". Units take two characters, so that numbers that are
// aligned at the right have their units below each other. Beyond a minute: "2 min 5 s".
std::string short_duration_text(double ns);

// "412", "16.31 k", "2.500 G". Aligned the same way.
std::string short_count_text(double count);

}  // namespace flamelet::tools
