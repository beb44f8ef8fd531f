// SPDX-License-Identifier: MIT
#include "perf_line.h"

#include <algorithm>
#include <charconv>

namespace flamelet::tools {
namespace {

constexpr std::string_view kSpaces = " \t\r";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
constexpr std::string_view kUnknown = "[unknown]";

bool is_made_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

// Takes the first word and the spaces behind it away.
std::string_view take_word(std::string_view* text) {
  const size_t end = std::min(text->find_first_of(kSpaces), text->size());
  const std::string_view word = text->substr(0, end);
  text->remove_prefix(end);
  text->remove_prefix(std::min(text->find_first_not_of(kSpaces), text->size()));
  return word;
}

std::string_view first_word(std::string_view text) {
  return take_word(&text);
}

// "8240" or "8240/8241": the process, and the thread.
bool is_process(std::string_view word) {
  const size_t slash = word.find('/');
  if (slash == std::string_view::npos) return is_made_of(word, kDigits);
  return is_made_of(word.substr(0, slash), kDigits) && is_made_of(word.substr(slash + 1), kDigits);
}

// "19807.771638:"
bool is_time(std::string_view word) {
  const size_t dot = word.find('.');
  return dot != std::string_view::npos && word.back() == ':' && is_made_of(word.substr(0, dot), kDigits) &&
         is_made_of(word.substr(dot + 1, word.size() - dot - 2), kDigits);
}

// What follows the process. True if it reads as perf writes it.
bool parse_after_process(std::string_view text, PerfHeader* header) {
  if (const std::string_view word = first_word(text); word.size() > 2 && word.front() == '[' && word.back() == ']') {
    if (!is_made_of(word.substr(1, word.size() - 2), kDigits)) return false;
    take_word(&text);
    // Behind the processor, flags such as "d..1." may stand before the time.
    std::string_view after = text;
    take_word(&after);
    if (!is_time(first_word(text)) && !after.empty() && is_time(first_word(after))) text = after;
  }
  const bool has_time = !text.empty() && is_time(first_word(text));
  if (has_time) take_word(&text);
  if (has_time && text.empty()) {  // -F without the event
    header->event = "samples";
    return true;
  }
  if (const std::string_view word = first_word(text); is_made_of(word, kDigits)) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), header->period);
    if (error != std::errc() || header->period > PerfHeader::kMaxPeriod) return false;
    header->has_period = true;
    take_word(&text);
  }
  const std::string_view event = take_word(&text);
  if (event.size() < 2 || event.back() != ':') return false;
  header->event = event.substr(0, event.size() - 1);
  header->rest = text;
  return true;
}

}  // namespace

// The command may hold anything, numbers too. So every number is tried as the process, from the left, until what
// follows fits. The number of tries is bounded: a command of the kernel has 15 characters.
bool parse_perf_header(std::string_view text, PerfHeader* header) {
  constexpr int kMaxWords = 64;
  text = trimmed(text);
  std::string_view rest = text;
  for (int i = 0; i < kMaxWords && !rest.empty(); ++i) {
    const std::string_view word = take_word(&rest);
    if (is_time(word)) return false;  // it would have stood behind the process
    if (!is_process(word)) continue;
    PerfHeader tried;
    if (!parse_after_process(rest, &tried)) continue;
    tried.command = trimmed(text.substr(0, static_cast<size_t>(word.data() - text.data())));
    *header = tried;
    return true;
  }
  return false;
}

bool parse_perf_frame(std::string_view text, std::string* symbol) {
  text = trimmed(text);
  const std::string_view address = take_word(&text);
  if (!is_made_of(address, kHexDigits) || address.size() > 16 || text.empty()) return false;

  // The file stands last, in parentheses, and may hold pairs of them: "(/memfd:code (deleted))".
  std::string_view name = text;
  std::string_view file;
  if (text.back() == ')') {
    size_t open = text.size();
    for (int depth = 0; open-- > 0;) {
      depth += text[open] == ')' ? 1 : text[open] == '(' ? -1 : 0;
      if (depth == 0) break;
    }
    if (open == 0 || (open != std::string_view::npos && kSpaces.find(text[open - 1]) != std::string_view::npos)) {
      name = trimmed(text.substr(0, open));
      file = text.substr(open + 1, text.size() - open - 2);
    }
  }
  if (const size_t plus = name.rfind("+0x");
      plus != std::string_view::npos && is_made_of(name.substr(plus + 3), kHexDigits))
    name = name.substr(0, plus);
  if (!name.empty() && name != kUnknown) {
    *symbol = name;
  } else if (file.empty() || file == kUnknown) {
    *symbol = kUnknown;
  } else {
    constexpr std::string_view kDeleted = " (deleted)";
    if (file.size() > kDeleted.size() && file.substr(file.size() - kDeleted.size()) == kDeleted)
      file.remove_suffix(kDeleted.size());
    *symbol = "[unknown in " + std::string(file.substr(file.rfind('/') + 1)) + "]";
  }
  return true;
}

}  // namespace flamelet::tools
