// SPDX-License-Identifier: MIT
#include "perf_script.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "flamelet/detail/text.h"

namespace flamelet::tools {

// ---- perf line

namespace {

constexpr std::string_view kSpaces = " \t\r";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
constexpr std::string_view kUnknown = "[unknown]";

bool is_made_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

// Takes the first word and the spaces behind it away.
std::string_view take_word(std::string_view* text) {
  const std::string_view word = text->substr(0, text->find_first_of(kSpaces));
  text->remove_prefix(word.size());
  text->remove_prefix(std::min(text->find_first_not_of(kSpaces), text->size()));
  return word;
}

std::string_view first_word(std::string_view text) {
  return take_word(&text);
}

bool is_pid(std::string_view text) {
  return text == "-1" || is_made_of(text, kDigits);  // -1: perf did not know it
}

// perf pads its numbers on the left. In a line that has such spaces, one that is shorter than its column, behind a single
// space, is the end of a command: "Job.Worker 12  6448 cycles:".
bool is_padded(std::string_view line, std::string_view word, size_t width) {
  const std::string_view before = line.substr(0, static_cast<size_t>(word.data() - line.data()));
  const size_t spaces = before.size() - 1 - before.find_last_not_of(kSpaces);
  const bool has_padding = line.substr(0, line.find(':')).find("  ") != std::string_view::npos;
  return before.empty() || !has_padding || spaces > 1 || word.size() >= width;
}

// "8240" or "8240/8241": the process, and the thread.
bool is_process(std::string_view word) {
  const size_t slash = std::min(word.find('/'), word.size());
  return is_pid(word.substr(0, slash)) && (slash == word.size() || is_pid(word.substr(slash + 1)));
}

// "[001]", "[-01]" of a thread that was not on a known one
bool is_processor(std::string_view word) {
  const bool has_minus = word.substr(0, 2) == "[-";
  return word.size() > 2 && word.front() == '[' && word.back() == ']' &&
         is_made_of(word.substr(has_minus ? 2 : 1, word.size() - (has_minus ? 3 : 2)), kDigits);
}

// "  1": without brackets, as perf script -L has it, right-aligned behind a space. The number of a process has a wider column.
bool is_bare_processor(std::string_view line, std::string_view word) {
  constexpr size_t kWidth = 3, kMostDigits = 4;
  if (!is_made_of(word, kDigits) || word.size() > kMostDigits) return false;
  const std::string_view before = line.substr(0, static_cast<size_t>(word.data() - line.data()));
  const size_t spaces = before.size() - 1 - before.find_last_not_of(kSpaces);
  return spaces == 1 + kWidth - std::min(word.size(), kWidth);
}

// "19807.771638:"
bool is_time(std::string_view word) {
  const size_t dot = word.find('.');
  return dot != std::string_view::npos && word.back() == ':' && is_made_of(word.substr(0, dot), kDigits) &&
         is_made_of(word.substr(dot + 1, word.size() - dot - 2), kDigits);
}

// "2024-01-01", which is followed by "12:00:00.123456"
bool is_date(std::string_view word) {
  return word.size() == 10 && word[4] == '-' && word[7] == '-' && is_made_of(word.substr(0, 4), kDigits) &&
         is_made_of(word.substr(5, 2), kDigits) && is_made_of(word.substr(8), kDigits);
}

// In which mode the processor was.
bool is_mode(std::string_view word) {
  return word.size() == 1 && std::string_view("KUHGg").find(word[0]) != std::string_view::npos;
}

// Where the colon behind the event stands. Only behind a time an event may hold spaces: other texts have colons, too.
size_t event_size(std::string_view text, bool may_have_spaces) {
  const std::string_view word = first_word(text);
  if (word.size() > 1 && word.back() == ':') return word.size() - 1;
  if (!may_have_spaces) return 0;
  const size_t colon = text.find(": ");
  if (colon != std::string_view::npos) return colon;
  return !text.empty() && text.back() == ':' ? text.size() - 1 : 0;
}

// Of "    601040 counter+0x0 (/game)        7      401136 work+0x6 (/game)", the frame: data, weights and groups stand before
// it. It is the last address in a column of its own that a name follows.
std::string_view frame_in(std::string_view text) {
  constexpr size_t kMostDigits = 16;  // as wide as the column is
  const auto is_space = [&](size_t i) { return i >= text.size() || kSpaces.find(text[i]) != std::string_view::npos; };
  size_t frame = 0;
  for (size_t begin = 0, end; begin < text.size(); begin = end) {
    while (begin < text.size() && is_space(begin)) ++begin;
    for (end = begin; !is_space(end);) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    if (!is_made_of(word, kHexDigits) || word.size() > kMostDigits) continue;
    const bool is_column = begin < 2 || word.size() == kMostDigits || is_space(begin - 2);
    if (is_column && !is_space(end + 1) && text[end + 1] != '|') frame = begin;
  }
  return trimmed(text.substr(frame));
}

// A branch is "call  401136 main+0x16 (/game) => 401200 work+0x0 (/game)". The sample was taken where it comes from.
bool is_branch(std::string_view* text) {
  const size_t arrow = text->find(" => ");
  if (arrow == std::string_view::npos) return false;
  *text = frame_in(text->substr(0, arrow));
  return true;
}

// "401136<tab>push %rbp": of -F brstackinsn.
bool is_instruction(std::string_view text) {
  const size_t size = first_word(text).size();
  return is_made_of(text.substr(0, size), kHexDigits) && text.substr(size, 1) == "\t";
}

// Whether a word begins what perf prints behind the frame of a sample without a call chain: its registers, instruction and
// cycles; behind the file, branches, an address of memory or the size of its page, too.
bool is_behind_frame(std::string_view word, bool is_behind_file) {
  for (const std::string_view begin : {"ABI:", "insn:", "ilen:", "IPC:", "|"})
    if (word.substr(0, begin.size()) == begin) return true;
  constexpr std::string_view kUnits = "BKMG";
  const auto slashes = std::count(word.begin(), word.end(), '/');
  if (!is_behind_file) return slashes >= 4 && word.substr(0, 2) == "0x";
  return slashes >= 4 || is_made_of(word, kHexDigits) || word == "N/A" ||
         (kUnits.find(word.back()) != std::string_view::npos && is_made_of(word.substr(0, word.size() - 1), kDigits));
}

// "401136 work(int) (/game) insn: 48 89 e7": what stands before that.
std::string_view without_end(std::string_view text) {
  constexpr std::string_view kFirsts = "AiI|0";  // of what may stand behind a frame without a file
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  int depth = 0;
  bool is_file = false;  // the newest pair of parentheses has a space before it
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' && depth++ == 0) is_file = i != 0 && is_space(text[i - 1]);
    if (c == ')' && depth != 0) --depth;
    if (depth != 0 || !is_space(c)) continue;
    const bool is_behind_file = i != 0 && text[i - 1] == ')' && is_file;
    size_t word = i;
    while (word != text.size() && is_space(text[word])) ++word;
    if (word == text.size() || (is_behind_file && c == '\t')) return text.substr(0, i);
    const bool may_be = is_behind_file || kFirsts.find(text[word]) != std::string_view::npos;
    if (may_be && is_behind_frame(first_word(text.substr(word)), is_behind_file)) return text.substr(0, i);
    i = word - 1;
  }
  return text;
}

bool is_address(std::string_view word) {
  constexpr size_t kLeastDigits = 6;
  return word.size() >= kLeastDigits && is_made_of(word, kHexDigits);
}

// Where no file stands behind a frame, only the address tells it from the fields of a tracepoint.
bool is_frame(std::string_view text) {
  return (!text.empty() && text.back() == ')') || is_address(first_word(text));
}

// "main+0x1d", "libfast.so.1+0x22"
std::string_view without_offset(std::string_view name) {
  const size_t plus = name.rfind("+0x");
  const bool has_offset = plus != std::string_view::npos && is_made_of(name.substr(plus + 3), kHexDigits);
  return has_offset ? name.substr(0, plus) : name;
}

// Which of the fields that tell a header from other text there are.
struct Marks {
  bool process = false, place = false;  // place: the processor or the time
};

// The fields of a line from one of these on. True if they read as perf writes them.
bool parse_fields(std::string_view line, std::string_view text, Marks* marks, PerfHeader* header) {
  constexpr size_t kProcessWidth = 5, kPeriodWidth = 10;
  marks->process = is_process(first_word(text)) && is_padded(line, first_word(text), kProcessWidth);
  if (marks->process) header->process = take_word(&text);
  marks->place = is_processor(first_word(text));
  if (marks->process && !marks->place) {
    std::string_view after = text;
    const std::string_view word = take_word(&after);
    marks->place = is_bare_processor(line, word) && is_time(first_word(after));
  }
  if (marks->place) take_word(&text);
  // Behind the processor, flags such as "d..1." may stand before the time.
  std::string_view after = text;
  const std::string_view flags = take_word(&after);
  if ((marks->process || marks->place) && !is_time(flags) &&
      (is_mode(flags) || (marks->place && (is_time(first_word(after)) || is_date(first_word(after))))))
    text = after;
  if ((marks->process || marks->place) && is_date(first_word(text))) {
    take_word(&text);
    take_word(&text);
    marks->place = true;
  }
  const bool has_time = is_time(first_word(text));
  if (has_time) take_word(&text);
  marks->place |= has_time;
  if (!marks->process && !marks->place) return false;

  const std::string_view behind_time = text;
  if (const std::string_view word = first_word(text); is_made_of(word, kDigits)) {
    if (!marks->place && !is_padded(line, word, kPeriodWidth)) return false;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), header->period);
    if (error != std::errc()) return false;
    header->has_period = true;
    take_word(&text);
  }
  if (is_time(first_word(text))) return false;
  // What stands behind a frame may hold colons.
  size_t size = event_size(text, false);
  if (size == 0 && has_time) size = event_size(without_end(text), true);
  if (size != 0) {
    header->event = text.substr(0, size);
    header->rest = text.substr(size + 1);
    header->has_frame = is_branch(&header->rest);
    if (header->has_frame) return true;
    header->rest = trimmed(without_end(frame_in(header->rest)));
    header->has_frame = is_frame(header->rest);  // a tracepoint has its fields there
    return true;
  }
  // -F without the event
  if (!has_time || (!text.empty() && text.front() == ':')) return false;
  header->event = header->has_period && text.empty() ? "period" : "samples";
  if (text.empty()) return true;
  // A number is the period before an address, and otherwise an address itself.
  if (header->has_period && !is_address(first_word(text))) {
    header->has_period = false;
    header->period = 1;
    text = behind_time;
  }
  header->rest = without_end(text);
  std::string symbol;
  return header->has_frame = parse_perf_frame(header->rest, &symbol);
}

// "VM:13376 VCPU:003 CPU 3/KVM": what ran as a guest of the thread.
std::string_view without_guest(std::string_view text) {
  for (const std::string_view guest : {"VM:", "VCPU:"}) {
    if (text.substr(0, guest.size()) != guest) continue;
    std::string_view rest = trimmed(text.substr(guest.size()));
    if (is_made_of(take_word(&rest), kDigits)) text = rest;
  }
  return text;
}

}  // namespace

// Whether the first word of a line is a period, and no process: it ends where that column does.
static bool is_period_column(std::string_view line, std::string_view word) {
  constexpr size_t kWidth = 10;
  const size_t end = static_cast<size_t>(word.data() - line.data()) + word.size();
  return is_made_of(word, kDigits) && end == std::max(kWidth, word.size());
}

// The command may hold anything, numbers too. So every word is tried as the first one behind it, from the left, until what
// follows fits: first as a process with a processor or a time behind it, then as one of these alone, then as a process alone,
// whose number could be a period. The number of tries is bounded: a command of the kernel has 15 characters.
bool parse_perf_header(std::string_view text, PerfHeader* header) {
  constexpr int kMaxWords = 64;
  const std::string_view line = text;
  text = without_guest(trimmed(text));
  for (const Marks needed : {Marks{true, true}, Marks{false, true}, Marks{true, false}}) {
    std::string_view rest = text;
    for (int i = 0; i < kMaxWords && !rest.empty(); ++i) {
      PerfHeader tried;
      Marks marks;
      const bool fits = parse_fields(text, rest, &marks, &tried);
      const std::string_view word = take_word(&rest);
      if (fits && marks.process >= needed.process && marks.place >= needed.place) {
        tried.command = trimmed(text.substr(0, static_cast<size_t>(word.data() - text.data())));
        if (tried.command.empty() && !marks.place && !tried.has_period && is_period_column(line, word)) {
          tried.process = {};
          tried.has_period = true;
          std::from_chars(word.data(), word.data() + word.size(), tried.period);
        }
        tried.has_place = marks.place;
        *header = tried;
        return true;
      }
      if (is_time(word)) break;  // the command would have stood before it
    }
  }
  return false;
}

bool parse_perf_frame(std::string_view text, std::string* symbol) {
  text = trimmed(text);
  if (is_instruction(text)) return false;
  const std::string_view address = take_word(&text);
  if (!is_made_of(address, kHexDigits) || address.size() > 16) return false;
  if (text.empty()) {  // -F without the symbol
    *symbol = "0x" + std::string(address);
    return true;
  }

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
  name = without_offset(name);
  if (!name.empty() && name != kUnknown) {
    *symbol = name;
  } else if (file.empty() || file == kUnknown) {
    *symbol = kUnknown;
  } else {
    constexpr std::string_view kDeleted = " (deleted)";
    file = without_offset(file);
    if (file.size() > kDeleted.size() && file.substr(file.size() - kDeleted.size()) == kDeleted)
      file.remove_suffix(kDeleted.size());
    *symbol = "[unknown in " + std::string(file.substr(file.rfind('/') + 1)) + "]";
  }
  return true;
}

// "|12   int x;", "      BPF string: "x"", and "                  0008: 41 00": texts that could look like a sample.
static bool is_source_or_output(std::string_view text) {
  if (text.front() == '|') return text.size() > 1 && is_made_of(text.substr(1, 1), kDigits);
  if (text.front() != ' ') return false;
  text = trimmed(text);
  const std::string_view word = first_word(text);
  return text.substr(0, 11) == "BPF output:" || text.substr(0, 11) == "BPF string:" ||
         (word.size() == 5 && word.back() == ':' && is_made_of(word.substr(0, 4), kHexDigits));
}

// What perf prints between and behind the frames on request, and is none: source lines, branches, registers, instructions;
// and further lines of a record: "[0/net: 0/0", "4/user: 0/0", "old bytes: 90".
static bool is_beside_frames(std::string_view text) {
  const bool has_tab = text.substr(0, 1) == "\t";
  text = trimmed(text);
  if (is_instruction(text)) return true;
  const std::string_view word = first_word(text);
  for (const std::string_view begin : {"=>", "ABI:", "insn:", "ilen:", "IPC:", "|", "...", "[0/net:", "4/user:"})
    if (word.substr(0, begin.size()) == begin) return true;
  if (word == "old" || word == "new") return text.substr(3, 7) == " bytes:";
  if (std::count(word.begin(), word.end(), '/') >= 5) return true;  // "0x401130/0x401136/P/-/-/3"
  constexpr std::string_view kInlined = " (inlined)";
  if (text.size() > kInlined.size() && text.substr(text.size() - kInlined.size()) == kInlined)
    text = trimmed(text.substr(0, text.size() - kInlined.size()));
  if (text.empty()) return false;
  if (text.back() == ']') {  // "libc.so.6[29d90]"
    const size_t open = text.rfind('[');
    return open != std::string_view::npos && is_made_of(text.substr(open + 1, text.size() - open - 2), kHexDigits);
  }
  const size_t colon = text.rfind(':');  // "game.cpp:12", "??:?", and "main+22:" over instructions
  if (colon == std::string_view::npos) return false;
  const std::string_view line = text.substr(colon + 1);  // ":0" of an unknown place
  return line.empty() ? has_tab && colon != 0 : line == "?" || is_made_of(line, kDigits);
}

namespace {

constexpr std::string_view kRecord = "PERF_RECORD_";

}  // namespace

PerfReader::PerfReader(SampleFunction on_sample, ProblemFunction on_problem, PerfLimits limits)
    : on_sample_(std::move(on_sample)),
      on_problem_(std::move(on_problem)),
      limits_(limits),
      lines_(limits.line_bytes),
      names_(limits.names, limits.name_bytes) {}

void PerfReader::feed(std::string_view bytes) {
  lines_.feed(bytes, [this](std::string_view line, bool whole) { take_line(line, whole); });
}

// perf ends each line, and each stack with an empty one. Of a line that is cut, nobody knows where; so only a frame with its
// file is one.
void PerfReader::finish() {
  lines_.finish([this](std::string_view line, bool whole) {
    is_cut_ = true;
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line.front() != '\t' || line.back() == ')') take_line(line, whole);
  });
  is_cut_ = is_cut_ || (has_ended_stack_ && !sample_.frames.empty() && !has_header_frame_);  // which had its line
  end_sample();
}

void PerfReader::skip(const char* problem) {
  ++problem_count_;
  on_problem_(line_count_, problem);
}

// Frames are indented by a tab. Commands may be indented, too, by spaces; so may be frames that went through an editor.
void PerfReader::take_line(std::string_view text, bool whole) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // as Windows' programs write it
  if (++line_count_ == 1 && text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    text.remove_prefix(kByteOrderMark.size());
  if (!whole) {
    skip("the line is too long");
    return;
  }
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) {
    has_ended_stack_ = has_ended_stack_ || !sample_.frames.empty();
    const bool was_outside = state_ == State::kOutside;
    end_sample();
    if (!was_outside) state_ = State::kBehind;
    return;
  }
  if (text.front() == '#' && (text.size() == 1 || kSpaces.find(text[1]) != std::string_view::npos)) return;
  if (state_ != State::kOutside && is_source_or_output(text)) return;
  if (text.front() != '\t' && take_header(text)) return;  // a command may begin with #
  if (text.front() == '#') return;
  if (take_record(text)) return;
  if (text.front() == '\t' || text.front() == ' ' || text.front() == '|') {
    // Where frames have tabs, a line with spaces is an address of memory, sizes of pages, or the like.
    const bool is_frame = !has_tabs_ || text.front() != ' ' || !is_behind_frame(first_word(trimmed(text)), true);
    if (is_frame && take_frame(text)) return;
    if (state_ == State::kSkipping || (state_ != State::kOutside && (!is_frame || is_beside_frames(text)))) return;
    skip(state_ == State::kInSample ? "it is neither a sample nor a frame" : "it is a frame of no sample");
    return;
  }
  end_sample();
  state_ = State::kSkipping;
  skip("it is no sample");
}

// What perf script --show-task-events and its like print beside samples: threads that begin and end, files that are mapped, and
// how many samples were lost.
bool PerfReader::take_record(std::string_view text) {
  constexpr std::string_view kLost = "LOST", kCount = " lost ";
  const size_t at = text.find(kRecord);
  if (at == std::string_view::npos) return false;
  end_sample();
  state_ = State::kBehind;
  const std::string_view what = text.substr(at + kRecord.size());
  const size_t count = what.find(kCount);
  uint64_t lost = 0;
  if (what.substr(0, kLost.size()) == kLost && count != std::string_view::npos)
    std::from_chars(what.data() + count + kCount.size(), what.data() + what.size(), lost);
  lost_count_ = lost > UINT64_MAX - lost_count_ ? UINT64_MAX : lost_count_ + lost;
  return true;
}

bool PerfReader::take_header(std::string_view text) {
  PerfHeader header;
  const size_t record = text.find(kRecord);
  const bool is_record =
      record != std::string_view::npos && record != 0 && kSpaces.find(text[record - 1]) != kSpaces.npos;
  if (is_record || !parse_perf_header(text, &header)) return false;
  // " ilen: 2 insn: 85 c0", "  12345678  IPC: 0.50 (1/2)": fields of the sample before.
  if (!header.has_place && text.front() == ' ' && (header.event == "insn" || header.event == "IPC")) return false;
  end_sample();
  if (header.event == "metric") return true;  // figures of the samples before it: "metric:  0.13 insn per cycle"
  text_ = '[';
  text_ += !header.command.empty() ? header.command : !header.process.empty() ? header.process : "unknown";
  text_ += ']';
  sample_.command = names_.intern(text_);
  sample_.event = names_.intern(header.event);
  sample_.has_period = header.has_period;
  sample_.period = header.period;
  if (sample_.command == NameTable::kNone || sample_.event == NameTable::kNone) {
    state_ = State::kSkipping;
    skip("there are too many different names");
    return true;
  }
  state_ = State::kInSample;
  needs_frames_ = header.process.empty();
  if (header.has_frame) has_header_frame_ = take_frame(header.rest);
  return true;
}

bool PerfReader::take_frame(std::string_view text) {
  if (!parse_perf_frame(text, &text_)) return false;
  if (state_ != State::kInSample) {
    ++stray_frame_count_;
    return state_ == State::kSkipping;
  }
  has_tabs_ = has_tabs_ || text.front() == '\t';
  if (std::exchange(has_header_frame_, false)) sample_.frames.clear();  // it was an address of memory, or the like
  const uint32_t name = names_.intern(text_);
  if (sample_.frames.size() >= limits_.frames) {
    skip("the sample has too many frames");
  } else if (name == NameTable::kNone) {
    skip("there are too many different names");
  } else {
    sample_.frames.push_back(name);
  }
  return true;
}

void PerfReader::end_sample() {
  const bool was_sample = std::exchange(state_, State::kOutside) == State::kInSample;
  if (was_sample && needs_frames_ && sample_.frames.empty()) {
    skip("before this, there is neither a process nor a frame of the sample");
  } else if (was_sample) {
    ++sample_count_;
    on_sample_(sample_);
  }
  sample_.frames.clear();
  has_header_frame_ = false;
}

// ---- the tree

PerfTree::PerfTree(flamelet_call_tree* tree, const NameTable& names, PerfTreeOptions options)
    : tree_(tree), thread_(flamelet_call_thread_create(tree)), names_(names), options_(std::move(options)) {}

void PerfTree::add(const PerfSample& sample) {
  if (options_.event.empty()) options_.event = names_[sample.event];
  if (names_[sample.event] != options_.event) {
    ++samples_of_other_events_;
    if (other_events_.size() < kMostOthers || other_events_.count(names_[sample.event]) != 0)
      ++other_events_[names_[sample.event]];
    return;
  }
  options_.count_samples = options_.count_samples || (samples_added_ == 0 && !sample.has_period);
  path_.clear();
  if (options_.command_is_root) path_.push_back(sample.command);
  for (size_t i = sample.frames.size(); i-- > 0;) {
    path_.push_back(sample.frames[i]);
    if (!options_.keep_recursion) fold();
  }
  for (const uint32_t name : path_) enter(name);
  const bool lacks_period = !options_.count_samples && !sample.has_period;
  samples_without_period_ += lacks_period;
  uint64_t count = options_.count_samples ? 1 : lacks_period ? sum_ / samples_added_ : sample.period;
  is_full_ = is_full_ || count > kMostSum - sum_;
  count = std::min(count, kMostSum - sum_);
  sum_ += count;
  flamelet_call_thread_sample(thread_, count);
  flamelet_call_thread_unwind(thread_);
  ++samples_added_;
}

// As the tree folds recursion (docs/call_tree.md), but before it counts: a sample's calls are one for each path that it is on,
// however often its stack went through there. Of a circle of more functions the tree counts each round.
void PerfTree::fold() {
  constexpr size_t kMostFunctions = 64;
  const size_t size = path_.size();
  for (size_t most = std::min(kMostFunctions, size / 2), count = 1; count <= most; ++count) {
    if (path_[size - 1 - count] != path_[size - 1]) continue;
    const auto end = path_.end(), repeated = end - static_cast<std::ptrdiff_t>(count);
    if (!std::equal(repeated, end, repeated - static_cast<std::ptrdiff_t>(count))) continue;
    path_.erase(repeated, end);
    return;
  }
}

void PerfTree::enter(uint32_t name) {
  const uint32_t id = name + 1;  // 0 is the root
  if (named_.size() <= name) named_.resize(names_.size());
  if (!named_[name]) {
    flamelet_call_tree_set_name(tree_, id, names_[name].c_str());
    named_[name] = true;
  }
  flamelet_call_thread_enter(thread_, id);
}

}  // namespace flamelet::tools
