// SPDX-License-Identifier: MIT
#include "output.h"

#include <doctest/doctest.h>

using namespace flamelet::formats;

namespace {
std::string json(std::string_view text) {
  std::string to;
  append_json_string(text, &to);
  return to;
}
std::string repaired(std::string_view text) {
  std::string to;
  append_utf8(text, &to);
  return to;
}
const std::string kBad = "\xEF\xBF\xBD";
}  // namespace

TEST_CASE("export text: quotes, backslashes and control characters are escaped") {
  CHECK(json("a\"b\\c\nd\x1f\x7f") == "\"a\\\"b\\\\c\\u000ad\\u001f\\u007f\"");
  CHECK(json(std::string_view("\0", 1)) == "\"\\u0000\"");
  CHECK(json("") == "\"\"");
}

TEST_CASE("export text: UTF-8 passes and every other byte becomes U+FFFD") {
  const std::string whole = "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x94\xA5 \xF4\x8F\xBF\xBF \xED\x9F\xBF";
  std::string to;
  CHECK(append_utf8(whole, &to));
  CHECK(to == whole);
  CHECK(repaired("a\xFFz") == "a" + kBad + "z");
  CHECK(repaired("\xC0\x80") == kBad + kBad);                        // overlong
  CHECK(repaired("\xE0\x9F\xBF") == kBad + kBad + kBad);             // overlong
  CHECK(repaired("\xED\xA0\x80") == kBad + kBad + kBad);             // surrogate
  CHECK(repaired("\xF4\x90\x80\x80") == kBad + kBad + kBad + kBad);  // past U+10FFFF
  CHECK(repaired("\xE2\x82") == kBad + kBad);                        // cut
  to.clear();
  CHECK_FALSE(append_utf8("\x80", &to));
}

TEST_CASE("export text: a frame of a collapsed stack holds no separator") {
  std::string to;
  append_collapsed_frame("a;b\nc d", &to);
  CHECK(to == "a:b c d");
}
