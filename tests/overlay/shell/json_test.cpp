// SPDX-License-Identifier: MIT
#include "shell/state_text.h"

#include <doctest/doctest.h>

#include <string>

namespace overlay_json_test {

TEST_CASE("overlay JSON: a text is valid JSON and UTF-8, and what is no text is U+FFFD") {
  const struct {
    std::string text, json;
  } kCases[] = {{"plain", "plain"},
                {"\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x8E\xAE", "\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x8E\xAE"},
                {"a\xFF"
                 "b",
                 "a\xEF\xBF\xBD"
                 "b"},
                {"\xE9t\xE9", "\xEF\xBF\xBDt\xEF\xBF\xBD"},        // Latin-1
                {"cut \xE6\x97", "cut \xEF\xBF\xBD\xEF\xBF\xBD"},  // before its end
                {"\xC0\xAF \xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
                {"\"quoted\\\"\n\x01\x7F", "\\\"quoted\\\\\\\"\\u000a\\u0001\\u007f"},
                {"left\xE2\x80\xAEright", "left\\u202eright"}};
  for (const auto& each : kCases) {
    CAPTURE(each.json);
    flamelet::ui::FixedText<256> text;
    flamelet::ui::JsonObject json(&text, " ");
    json.add("text", std::string_view(each.text));
    json.close();
    CHECK(std::string(text.view()) == "{\"text\": \"" + each.json + "\"}");
  }
}

}  // namespace overlay_json_test
