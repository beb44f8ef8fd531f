// SPDX-License-Identifier: MIT
#include "log_analysis.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "flamelet/detail/sums.h"
#include "flamelet/detail/text.h"

namespace flamelet::tools {

// ---- log line

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

template <class Number>
bool parse_number(std::string_view text, Number* number) {
  text = trimmed(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size();
}

// Takes "I1030 16:22:29.477175 12116 frame.cc:53] " away: a letter for the severity and the date, the time, the thread,
// the place in the source. The first "] " ends it, for a name may contain others.
bool take_prefix(std::string_view* text, uint64_t* thread) {
  const auto is_pattern = [](std::string_view have, std::string_view pattern) {  // 0 stands for a digit
    if (have.size() < pattern.size()) return false;
    for (size_t i = 0; i < pattern.size(); ++i)
      if (pattern[i] == '0' ? !is_digit(have[i]) : have[i] != pattern[i]) return false;
    return true;
  };
  if (text->empty() || std::string_view("IWEF").find(text->front()) == std::string_view::npos) return false;
  std::string_view rest = text->substr(1);
  const std::string_view time = " 00:00:00.000000 ";
  const std::string_view dates[] = {"0000", "00000000"};  // month and day; newer ones have the year in front
  bool found = false;
  for (const std::string_view date : dates) {
    if (found || !is_pattern(rest, date) || !is_pattern(rest.substr(date.size()), time)) continue;
    rest.remove_prefix(date.size() + time.size());
    found = true;
  }
  if (!found) return false;
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  const size_t space = rest.find(' ');
  if (space == std::string_view::npos || !parse_number(rest.substr(0, space), thread)) return false;
  const size_t end = rest.find("] ", space);
  if (end == std::string_view::npos) return false;
  *text = rest.substr(end + 2);
  return true;
}

// Takes "[perf]" away, a tag that some put between the prefix and the text.
void take_tag(std::string_view* text) {
  if (text->empty() || text->front() != '[') return;
  const size_t end = text->find(']');
  if (end != std::string_view::npos) *text = trimmed(text->substr(end + 1));
}

bool is_header(std::string_view text) {
  for (const std::string_view head :
       {"Log file created at:", "Running on machine:", "Running duration (h:mm:ss):", "Log line format:"})
    if (text.substr(0, head.size()) == head) return true;
  return false;
}

// A name in quotes. Returns what follows it; nothing if it is not a whole one.
std::optional<std::string_view> take_quoted(std::string_view text, std::string* name) {
  name->clear();
  for (size_t at = 1; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"') return text.substr(at + 1);
    if (c == '\\') {
      if (++at == text.size()) return std::nullopt;
      switch (text[at]) {
        case '"':
        case '\\':
          c = text[at];
          break;
        case 'n':
          c = '\n';
          break;
        case 'r':
          c = '\r';
          break;
        case 't':
          c = '\t';
          break;
        case 'x': {
          if (text.size() - at < 3) return std::nullopt;
          const int high = hex_digit(text[at + 1]);
          const int low = hex_digit(text[at + 2]);
          if (high < 0 || low < 0) return std::nullopt;
          c = static_cast<char>(static_cast<unsigned char>(high * 16 + low));
          at += 2;
          break;
        }
        default:
          return std::nullopt;
      }
    }
    name->push_back(c);
  }
  return std::nullopt;
}

// Takes the last field away, if it is a number.
bool take_last_number(std::string_view* text, int64_t* number) {
  const size_t comma = text->rfind(',');
  if (comma == std::string_view::npos || !parse_number(text->substr(comma + 1), number)) return false;
  text->remove_suffix(text->size() - comma);
  return true;
}

LogLine bad(LogLine line, const char* problem) {
  line.kind = LogLine::Kind::kBad;
  line.problem = problem;
  return line;
}

int nesting_after(char c, int nesting) {
  if (c == '(' || c == '[' || c == '{' || c == '<') return nesting + 1;
  return nesting - (nesting > 0 && (c == ')' || c == ']' || c == '}' || c == '>'));
}

int nesting_at_end(std::string_view name) {
  int nesting = 0;
  for (const char c : name) nesting = nesting_after(c, nesting);
  return nesting;
}

// Whether a field outside of any brackets looks like a number or what is left of one. In a name it does not occur: commas
// of a signature stand in brackets. The first field is the name's begin.
bool has_number_field(std::string_view name) {
  int nesting = 0;
  for (size_t at = 0; at < name.size(); ++at) {
    nesting = nesting_after(name[at], nesting);
    if (name[at] != ',' || nesting != 0) continue;
    const std::string_view rest = trimmed(name.substr(at + 1));
    if (rest.empty() || rest.front() == ',' || is_digit(rest.front()) || rest.front() == '-') return true;
  }
  return false;
}

// Durations of other clocks than the times may differ from these a little.
bool is_plausible(int64_t duration_ns, int64_t span_ns) {
  const double difference = std::fabs(static_cast<double>(duration_ns) - static_cast<double>(span_ns));
  return difference <= std::max(1000.0, static_cast<double>(span_ns) / 1000);
}

// `fields` is what follows the depth: name, duration, and perhaps begin and end. Names without quotes may contain
// commas, so the numbers are taken from the end.
LogLine parse_block(std::string_view fields, LogLine line) {
  std::string_view rest = fields;
  std::string quoted;
  bool is_quoted = false;
  const bool opens_quotes = !fields.empty() && fields.front() == '"';
  if (opens_quotes) {
    const std::optional<std::string_view> after = take_quoted(fields, &quoted);
    is_quoted = after && !after->empty() && after->front() == ',';
    if (is_quoted) rest = *after;
  }
  int64_t numbers[3];  // the last one first
  std::string_view names[4] = {rest};
  size_t count = 0;
  for (; count < 3; ++count) {
    names[count + 1] = names[count];
    if (!take_last_number(&names[count + 1], &numbers[count])) break;
  }
  if (count == 0) return bad(line, "the last field is not a duration");
  // Three numbers are duration, begin and end; else the last one is a duration, behind a name that ends with numbers.
  int64_t span_ns = 0;
  if (count == 3 && __builtin_sub_overflow(numbers[0], numbers[1], &span_ns))
    span_ns = numbers[0] > numbers[1] ? INT64_MAX : -1;
  line.has_times = count == 3 && span_ns >= 0 && is_plausible(numbers[2], span_ns);
  const std::string_view name = line.has_times ? names[3] : names[1];
  line.duration_ns = line.has_times ? numbers[2] : numbers[0];
  if (line.has_times) {
    line.begin_ns = numbers[1];
    line.end_ns = numbers[0];
    line.is_exact = line.duration_ns == span_ns && is_quoted == opens_quotes && nesting_at_end(name) == 0;
  } else if (!is_quoted && has_number_field(name)) {
    return bad(line, count != 3    ? "a number is damaged"
                     : span_ns < 0 ? "it ends before it begins"
                                   : "the duration is not the time from begin to end");
  }
  if (line.duration_ns < 0) return bad(line, "the duration is negative");
  if (is_quoted && !name.empty()) return bad(line, "there is something between the name and the numbers");
  if (!is_quoted && trimmed(name).empty()) return bad(line, "it has no name");
  line.name = is_quoted ? std::move(quoted) : std::string(trimmed(name));
  line.kind = LogLine::Kind::kBlock;
  return line;
}

// What stands behind "on ": thread or fiber, and its name in quotes or its number. Empty if it is something else.
std::string parse_place(std::string_view text) {
  for (const std::string_view kind : {"thread ", "fiber "}) {
    if (text.substr(0, kind.size()) != kind) continue;
    const std::string_view which = text.substr(kind.size());
    std::string name;
    uint64_t number = 0;
    if (!which.empty() && which.front() == '"') {
      const std::optional<std::string_view> after = take_quoted(which, &name);
      if (!after || !after->empty()) continue;
    } else if (which.empty() || !is_digit(which.front()) || !parse_number(which, &number)) {
      continue;
    } else {
      name = std::string(which);
    }
    return std::string(kind) + name;
  }
  return "";
}

// The routine, and where it ran, which older logs do not say.
void parse_frame(std::string_view text, LogLine* line) {
  constexpr std::string_view kOn = " on ";
  line->kind = LogLine::Kind::kFrame;
  if (!text.empty() && text.front() == '"') {
    const std::optional<std::string_view> after = take_quoted(text, &line->name);
    if (after && after->empty()) return;
    if (after && after->substr(0, kOn.size()) == kOn) line->place = parse_place(after->substr(kOn.size()));
    if (!line->place.empty()) return;
  }
  size_t end = text.find(kOn);
  while (end != std::string_view::npos && (line->place = parse_place(text.substr(end + kOn.size()))).empty())
    end = text.find(kOn, end + 1);
  line->name = std::string(text.substr(0, end));
}

bool parse_lost(std::string_view text, uint64_t* events) {
  constexpr std::string_view kBefore = "Lost : ", kAfter = " events";
  if (text.size() <= kBefore.size() + kAfter.size() || text.substr(0, kBefore.size()) != kBefore) return false;
  text.remove_prefix(kBefore.size());
  const size_t digits = text.size() - kAfter.size();
  return text.substr(digits) == kAfter && is_digit(text.front()) && parse_number(text.substr(0, digits), events);
}

}  // namespace

LogLine parse_log_line(std::string_view text) {
  LogLine line;
  text = trimmed(text);
  take_prefix(&text, &line.thread);
  text = trimmed(text);
  take_tag(&text);
  if (text.empty()) return line;
  if (is_header(text)) {
    line.kind = LogLine::Kind::kHeader;
    return line;
  }
  constexpr std::string_view kFrame = "Frame";
  if (text.substr(0, kFrame.size()) == kFrame) {
    const std::string_view rest = trimmed(text.substr(kFrame.size()));
    if (!rest.empty() && rest.front() == ':') {
      parse_frame(trimmed(rest.substr(1)), &line);
      return line;
    }
  }
  if (parse_lost(text, &line.lost)) {
    line.kind = LogLine::Kind::kLost;
    return line;
  }
  const size_t comma = text.find(',');
  if (comma == std::string_view::npos) return bad(line, "it is neither a frame nor a block");
  if (!parse_number(text.substr(0, comma), &line.depth)) return bad(line, "the first field is not a depth");
  if (line.depth == 0 || line.depth > LogLine::kMaxDepth) return bad(line, "the depth is out of range");
  return parse_block(trimmed(text.substr(comma + 1)), std::move(line));
}

LogReader::LogReader(FrameFunction on_frame, ProblemFunction on_problem, LogLimits limits)
    : on_frame_(std::move(on_frame)),
      on_problem_(std::move(on_problem)),
      limits_(limits),
      lines_(limits.line_bytes),
      names_(limits.names, limits.name_bytes) {}

void LogReader::feed(std::string_view bytes) {
  lines_.feed(bytes, [this](std::string_view line, bool whole) { take_line(line, whole, true); });
}

void LogReader::finish() {
  lines_.finish([this](std::string_view line, bool whole) { take_line(line, whole, false); });
  for (auto& [thread, frame] : open_)
    if (frame.line != 0) end_frame(&frame);
  open_.clear();
}

void LogReader::skip(const char* problem) {
  ++problem_count_;
  on_problem_(line_count_, problem);
}

void LogReader::take_line(std::string_view text, bool whole, bool has_end) {
  ++line_count_;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (line_count_ == 1 && text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    text.remove_prefix(kByteOrderMark.size());
  if (!whole) {
    skip("the line is too long");
    return;
  }
  const LogLine line = parse_log_line(text);
  // The file may have been cut inside it. What is left then looks like a block of another name, or of another duration.
  if (!has_end && (line.kind == LogLine::Kind::kFrame || (line.kind == LogLine::Kind::kBlock && !line.is_exact))) {
    skip("the last line has no end: it may be cut");
    return;
  }
  switch (line.kind) {
    case LogLine::Kind::kEmpty:
      return;
    case LogLine::Kind::kHeader:
      has_header_ = true;
      return;
    case LogLine::Kind::kBad:
      skip(line.problem);
      return;
    case LogLine::Kind::kBlock:
      take_block(line);
      return;
    case LogLine::Kind::kLost:
      events_lost_ += std::min(line.lost, UINT64_MAX - events_lost_);
      return;
    case LogLine::Kind::kFrame:
      break;
  }
  LogFrame* frame = open_frame(line.thread);
  if (frame == nullptr) return;
  if (frame->line != 0) end_frame(frame);
  frame->line = line_count_;
  frame->has_begin = true;
  frame->routine = names_.intern(line.name);
  if (!line.place.empty()) frame->place = names_.intern(line.place);
}

void LogReader::take_block(const LogLine& line) {
  if (open_blocks_ >= limits_.open_blocks && line.depth != 1) {  // the outermost one makes room
    skip("too many blocks wait for the end of their frames");
    return;
  }
  const uint32_t name = names_.intern(line.name);
  if (name == NameTable::kNone) {
    skip("there are too many different names");
    return;
  }
  LogFrame* frame = open_frame(line.thread);
  if (frame == nullptr) return;
  if (frame->line == 0) frame->line = line_count_;
  frame->blocks.push_back({name, line.depth, line.has_times, line.duration_ns, line.begin_ns, line.end_ns});
  ++open_blocks_;
  if (line.depth != 1) return;
  frame->has_end = true;
  frame->routine = name;
  end_frame(frame);
}

LogFrame* LogReader::open_frame(uint64_t thread) {
  const auto found = open_.find(thread);
  if (found != open_.end()) return &found->second;
  if (open_.size() < limits_.threads) return &open_[thread];
  // A thread that wrote nothing since its last frame can go: only the end of that frame is forgotten.
  for (auto at = open_.begin(); at != open_.end();) at = at->second.line == 0 ? open_.erase(at) : std::next(at);
  if (open_.size() < limits_.threads) return &open_[thread];
  skip("there are too many threads");
  return nullptr;
}

// Leaves an empty frame, that begins where this one ended.
void LogReader::end_frame(LogFrame* frame) {
  frame->number = ++frame_count_;
  open_blocks_ -= frame->blocks.size();
  on_frame_(*frame);
  std::vector<LogBlock> blocks = std::move(frame->blocks);
  constexpr size_t kKept = 4096;  // memory is kept for the next frame, but not that of the largest one ever
  if (blocks.capacity() > kKept) blocks = std::vector<LogBlock>();
  blocks.clear();
  *frame = LogFrame();
  frame->blocks = std::move(blocks);
  frame->has_begin = true;
}

// ---- frame costs

const std::vector<RoutineCost>& FrameCosts::of(const LogFrame& frame) {
  for (const RoutineCost& cost : costs_) entry_[cost.name] = 0;
  costs_.clear();
  for (const Open& open : path_) --open_[open.name];
  path_.clear();

  // What the frame took, for blocks without times: its outermost blocks.
  uint32_t outermost = LogLine::kMaxDepth + 1;
  int64_t frame_ns = 0;
  for (const LogBlock& block : frame.blocks) {
    if (block.has_times || block.depth > outermost) continue;
    if (block.depth < outermost) frame_ns = 0;
    outermost = block.depth;
    frame_ns = add_saturating(frame_ns, block.duration_ns);
  }
  frames_end_ns_ = add_saturating(frames_end_ns_, frame_ns);
  int64_t free_until_ns = frames_end_ns_;

  // Backwards, blocks come before what ran inside them, so the path to a block is known. Where the blocks around one are
  // not in the file, the path has holes.
  for (size_t i = frame.blocks.size(); i-- > 0;) {
    const LogBlock& block = frame.blocks[i];
    while (!path_.empty() && path_.back().depth >= block.depth) {
      --open_[path_.back().name];
      path_.pop_back();
    }
    int64_t begin_ns = block.begin_ns;
    int64_t end_ns = block.end_ns;
    if (!block.has_times) {
      int64_t& end = path_.empty() ? free_until_ns : path_.back().free_until_ns;
      end_ns = end;
      begin_ns = end_ns - std::min(block.duration_ns, end_ns);
      end = begin_ns;
    }
    if (entry_.size() <= block.name) {
      entry_.resize(block.name + 1);
      open_.resize(block.name + 1);
    }
    if (entry_[block.name] == 0) {
      costs_.push_back({block.name, 0, 0, begin_ns, end_ns});
      entry_[block.name] = static_cast<uint32_t>(costs_.size());
    }
    RoutineCost& cost = costs_[entry_[block.name] - 1];
    ++cost.block_count;
    cost.begin_ns = std::min(cost.begin_ns, begin_ns);
    cost.end_ns = std::max(cost.end_ns, end_ns);
    if (open_[block.name]++ == 0) cost.cost_ns = add_saturating(cost.cost_ns, block.duration_ns);
    path_.push_back({block.name, block.depth, end_ns});
  }
  return costs_;
}

namespace {

// Inserts into a sorted list of at most `limit`.
template <class Before>
void keep(std::vector<FrameCost>* list, const FrameCost& cost, size_t limit, Before before) {
  if (limit == 0 || (list->size() == limit && !before(cost, list->back()))) return;
  if (list->size() == limit) list->pop_back();
  list->insert(std::upper_bound(list->begin(), list->end(), cost, before), cost);
}

// Halves a full list by joining neighbours.
template <class Range, class Join>
void make_room(std::vector<Range>* ranges, Join join) {
  if (ranges->size() < RoutineAnalysis::kMaxRanges) return;
  size_t count = 0;
  for (size_t i = 0; i < ranges->size(); i += 2) (*ranges)[count++] = join((*ranges)[i], (*ranges)[i + 1]);
  ranges->resize(count);
}
static_assert(RoutineAnalysis::kMaxRanges % 2 == 0, "neighbours come in pairs");

CostRange join_costs(const CostRange& a, const CostRange& b) {
  return {std::min(a.first_frame, b.first_frame),
          std::max(a.last_frame, b.last_frame),
          a.count + b.count,
          a.sum_ns + b.sum_ns,
          std::min(a.low_ns, b.low_ns),
          std::max(a.high_ns, b.high_ns)};
}

BusyRange join_bars(const BusyRange& a, const BusyRange& b) {
  return {std::min(a.begin_ns, b.begin_ns), std::max(a.end_ns, b.end_ns), a.busy_ns + b.busy_ns};
}

}  // namespace

double RoutineAnalysis::deviation_ns() const {
  return frame_count < 2 ? 0 : std::sqrt(squares / static_cast<double>(frame_count - 1));
}

LogAnalysis::LogAnalysis(AnalysisOptions options) : options_(std::move(options)) {}

bool LogAnalysis::is_wanted(uint32_t name, const NameTable& names) {
  for (uint32_t next = static_cast<uint32_t>(wanted_.size()); next <= name; ++next)
    wanted_.push_back(options_.tasks.empty() ||
                      std::find(options_.tasks.begin(), options_.tasks.end(), names[next]) != options_.tasks.end());
  return wanted_[name] != 0;
}

void LogAnalysis::add(const LogFrame& frame, const NameTable& names) {
  ++frame_count_;
  if (!frame.has_begin || !frame.has_end) ++partial_count_;
  for (const LogBlock& block : frame.blocks) untimed_count_ += !block.has_times;
  for (const RoutineCost& cost : costs_.of(frame)) {
    begin_ns_ = std::min(begin_ns_, cost.begin_ns);
    end_ns_ = std::max(end_ns_, cost.end_ns);
    if (ran_.size() <= cost.name) ran_.resize(cost.name + 1);
    ran_[cost.name] = 1;
    if (is_wanted(cost.name, names)) add_cost(cost, frame);
  }
}

void LogAnalysis::add_cost(const RoutineCost& cost, const LogFrame& frame) {
  if (routines_.size() <= cost.name) routines_.resize(cost.name + 1);
  RoutineAnalysis& routine = routines_[cost.name];
  const int64_t ns = cost.cost_ns;
  if (routine.frame_count == 0 || ns < routine.min_ns) routine.min_ns = ns;
  if (routine.frame_count == 0 || ns > routine.max_ns) routine.max_ns = ns;
  ++routine.frame_count;
  routine.block_count += cost.block_count;
  const double distance = static_cast<double>(ns) - routine.mean_ns;
  routine.mean_ns += distance / static_cast<double>(routine.frame_count);
  routine.squares += distance * (static_cast<double>(ns) - routine.mean_ns);

  const FrameCost entry = {ns, frame.number, frame.line, frame.place};
  keep(&routine.largest, entry, options_.extremes,
       [](const FrameCost& a, const FrameCost& b) { return a.cost_ns > b.cost_ns; });
  keep(&routine.smallest, entry, options_.extremes,
       [](const FrameCost& a, const FrameCost& b) { return a.cost_ns < b.cost_ns; });
  if (options_.above_ns >= 0 && ns > options_.above_ns) {
    ++routine.above_count;
    if (routine.above.size() < RoutineAnalysis::kMaxAbove) routine.above.push_back(entry);
  }
  if (options_.points) {
    make_room(&routine.points, join_costs);
    routine.points.push_back({frame.number, frame.number, 1, static_cast<double>(ns), ns, ns});
  }
  if (options_.bars) {
    make_room(&routine.bars, join_bars);
    routine.bars.push_back({cost.begin_ns, cost.end_ns, static_cast<double>(ns)});
  }
}

std::vector<uint32_t> LogAnalysis::by_total() const {
  std::vector<uint32_t> names;
  for (uint32_t name = 0; name < routines_.size(); ++name)
    if (routines_[name].frame_count != 0) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [this](uint32_t a, uint32_t b) { return routines_[a].total_ns() > routines_[b].total_ns(); });
  return names;
}

}  // namespace flamelet::tools
