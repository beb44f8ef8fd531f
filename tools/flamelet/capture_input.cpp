// SPDX-License-Identifier: MIT
#include "capture_input.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "display_text.h"
#include "flamelet/detail/site.h"
#include "flamelet/detail/sums.h"
#ifdef FLAMELET_HAS_PERF_SCRIPT
#include "perf_script.h"
#endif

namespace flamelet::tools {

// ---- --frames-of

namespace {

std::string text_of(flamelet_string text) {
  return {text.text, text.size};
}

std::string name_of(const flamelet_capture* capture, uint32_t string) {
  return text_of(flamelet_capture_string(capture, string));
}

std::vector<flamelet_interval> whole_intervals(const flamelet_capture* capture) {
  const SavedTime saved(capture);
  std::vector<flamelet_interval> intervals(
      flamelet_capture_read_intervals(capture, saved.begin_ns, saved.end_ns, nullptr, 0));
  flamelet_capture_read_intervals(capture, saved.begin_ns, saved.end_ns, intervals.data(), intervals.size());
  intervals.erase(std::remove_if(intervals.begin(), intervals.end(),
                                 [](const flamelet_interval& interval) {
                                   return interval.begin_track == 0 || interval.end_track == 0;
                                 }),
                  intervals.end());
  return intervals;
}

std::vector<uint32_t> sets_of(const flamelet_capture* capture) {
  std::vector<uint32_t> sets(flamelet_capture_frame_sets(capture, nullptr, 0));
  flamelet_capture_frame_sets(capture, sets.data(), sets.size());
  return sets;
}

using Frames = std::vector<flamelet_frame_info>;

Frames marks_of(const flamelet_capture* capture, uint32_t set) {
  const SavedTime saved(capture);
  Frames frames(flamelet_capture_read_frames(capture, set, saved.begin_ns, saved.end_ns, nullptr, 0));
  flamelet_capture_read_frames(capture, set, saved.begin_ns, saved.end_ns, frames.data(), frames.size());
  return frames;
}

bool is_whole(const flamelet_span& span) {
  return (span.flags & (FLAMELET_SPAN_OPEN | FLAMELET_SPAN_MISSING_BEGIN | FLAMELET_SPAN_AGAIN | FLAMELET_SPAN_RESUMED |
                        FLAMELET_SPAN_SUSPENDED)) == 0;
}

// Finds what has a name, on any lane or on the lanes of one name.
class Search {
 public:
  Search(const flamelet_capture* capture, std::string_view lane, std::string_view name)
      : capture_(capture), lane_(lane), name_(name) {}

  Frames find(const std::string& file) const {
    Frames frames;
    if (lane_.empty())
      for (const uint32_t set : sets_of(capture_))
        if (name_of(capture_, set) == name_) frames = marks_of(capture_, set);
    if (frames.empty()) frames = intervals();
    if (frames.empty()) frames = on_a_lane(file, &Search::calls_on);
    if (frames.empty()) frames = on_a_lane(file, &Search::instants_on);
    return frames;
  }

 private:
  bool is_lane(const flamelet_lane_info& info) const { return lane_.empty() || text_of(info.name) == lane_; }

  Frames intervals() const {
    Frames frames;
    std::unordered_set<uint32_t> threads;  // of that name
    for (size_t lane = 0; !lane_.empty() && lane < flamelet_capture_lane_count(capture_); ++lane)
      if (const flamelet_lane_info info = lane_info(capture_, lane); info.kind == FLAMELET_LANE_THREAD && is_lane(info))
        threads.insert(info.id);
    for (const flamelet_interval& interval : whole_intervals(capture_)) {
      if (name_of(capture_, interval.name) != name_) continue;
      if (lane_.empty() || threads.count(interval.begin_track) != 0)
        frames.push_back({0, interval.begin_ns, std::max(interval.begin_ns, interval.end_ns), 0, interval.begin_track});
    }
    std::stable_sort(frames.begin(), frames.end(),
                     [](const auto& a, const auto& b) { return a.begin_ns < b.begin_ns; });
    return frames;
  }

  Frames calls_on(size_t lane) const {
    Frames frames;
    const flamelet_lane_info info = lane_info(capture_, lane);
    const uint32_t thread = info.kind == FLAMELET_LANE_THREAD ? info.id : 0;
    const SavedTime saved(capture_);
    SpanPieces(capture_).read(lane, saved.begin_ns, saved.end_ns, [&](const flamelet_span* spans, size_t count) {
      for (size_t i = 0; i < count; ++i) {
        if (!is_whole(spans[i]) || name_of(capture_, spans[i].name) != name_) continue;
        const bool is_cut = (spans[i].flags & (FLAMELET_SPAN_MISSING_END | FLAMELET_SPAN_CUT)) != 0;
        frames.push_back({0, spans[i].begin_ns, spans[i].end_ns, is_cut ? uint32_t{FLAMELET_FRAME_LOSSY} : 0, thread});
      }
    });
    return frames;
  }

  // From each to the next.
  Frames instants_on(size_t lane) const {
    const flamelet_lane_info info = lane_info(capture_, lane);
    const uint32_t thread = info.kind == FLAMELET_LANE_THREAD ? info.id : 0;
    const SavedTime saved(capture_);
    std::vector<flamelet_point> points(flamelet_capture_count_points(capture_, lane, saved.begin_ns, saved.end_ns));
    size_t count = 0;
    flamelet_capture_read_points(capture_, lane, saved.begin_ns, saved.end_ns, points.data(), points.size(), &count);
    points.resize(std::min(points.size(), count));
    Frames frames;
    for (const flamelet_point& point : points) {
      if (point.kind != FLAMELET_POINT_INSTANT || name_of(capture_, point.name) != name_) continue;
      if (!frames.empty()) frames.back().end_ns = point.time_ns;
      frames.push_back({0, point.time_ns, point.time_ns, 0, thread});
    }
    if (!frames.empty()) frames.pop_back();  // nothing ends it
    return frames;
  }

  // Threads come first. Fibers, whose time is on threads, too, are second, and then what else there is.
  Frames on_a_lane(const std::string& file, Frames (Search::*frames_on)(size_t lane) const) const {
    for (const flamelet_lane_kind kind :
         {FLAMELET_LANE_THREAD, FLAMELET_LANE_FIBER, FLAMELET_LANE_EXTERNAL, FLAMELET_LANE_GPU}) {
      std::map<std::string, std::vector<Frames>> by_lane;  // several lanes may have a name
      for (size_t lane = 0; lane < flamelet_capture_lane_count(capture_); ++lane) {
        const flamelet_lane_info info = lane_info(capture_, lane);
        if (info.kind != kind || !is_lane(info)) continue;
        Frames frames = (this->*frames_on)(lane);
        if (!frames.empty()) by_lane[text_of(info.name)].push_back(std::move(frames));
      }
      std::string lanes;
      Frames found;
      size_t count = 0;
      for (auto& [lane, parts] : by_lane) {
        if (++count <= 8) lanes += "\n  --frames-of '" + printable(lane + ": " + std::string(name_)) + "'";
        std::stable_sort(parts.begin(), parts.end(),
                         [](const Frames& a, const Frames& b) { return a.size() > b.size(); });
        found.clear();
        for (const Frames& part : parts) found.insert(found.end(), part.begin(), part.end());
      }
      if (count > 1)
        throw CommandError(kExitUsage, printable(name_) + " is on " + std::to_string(count) + " lanes of " + file +
                                           ": name one of them:" + lanes);
      if (count == 1) return found;
    }
    return {};
  }

  const flamelet_capture* const capture_;
  const std::string_view lane_, name_;
};

// Something that was repeated.
struct Choice {
  std::string name;
  const char* what;
  uint64_t count = 0;
  int64_t sum_ns = 0, last_ns = INT64_MIN;

  void add(int64_t begin_ns, int64_t end_ns) {
    if (begin_ns < last_ns) return;
    ++count;
    sum_ns = add_saturating(sum_ns, end_ns - begin_ns);
    last_ns = end_ns;
  }
};

void add_scopes(const flamelet_capture* capture, std::vector<Choice>* choices) {
  std::map<std::string, size_t> lanes_with;  // of each name
  std::vector<std::pair<std::string, Choice>> found;
  const SavedTime saved(capture);
  SpanPieces pieces(capture);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    const flamelet_lane_info info = lane_info(capture, lane);
    if (info.kind == FLAMELET_LANE_FIBER || info.kind == FLAMELET_LANE_GPU) continue;
    std::map<std::pair<uint32_t, uint32_t>, Choice> scopes;
    pieces.read(lane, saved.begin_ns, saved.end_ns, [&](const flamelet_span* spans, size_t count) {
      for (size_t i = 0; i < count; ++i)
        if (is_whole(spans[i])) scopes[{spans[i].site, spans[i].name}].add(spans[i].begin_ns, spans[i].end_ns);
    });
    for (auto& [id, choice] : scopes) {
      flamelet_site_info site;
      if (flamelet_capture_site(capture, id.first, &site) && flamelet::is_wait(site)) continue;
      choice.name = name_of(capture, id.second);
      choice.what = "calls";
      ++lanes_with[choice.name];
      found.emplace_back(text_of(info.name), choice);
    }
  }
  std::map<std::string, size_t> places;  // the first of each name
  for (size_t i = 0; i < choices->size(); ++i) places.emplace((*choices)[i].name, i);
  for (auto& [lane, choice] : found) {
    if (lanes_with[choice.name] > 1) choice.name = lane + ": " + choice.name;
    const auto [place, is_new] = places.emplace(choice.name, choices->size());
    if (is_new)
      choices->push_back(std::move(choice));
    else if (Choice& same = (*choices)[place->second];
             std::string_view(same.what) == choice.what && same.count < choice.count)
      same = std::move(choice);
  }
}

// The times between two instants of a lane.
void add_instants(const flamelet_capture* capture, std::vector<Choice>* choices) {
  const SavedTime saved(capture);
  std::map<std::string, size_t> lanes_with;  // of each name
  std::vector<std::pair<std::string, Choice>> found;
  std::vector<flamelet_point> points(FLAMELET_CURSOR_LEAST);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    std::map<std::string, Choice> instants;
    flamelet_point_cursor cursor;
    flamelet_point_cursor_start(&cursor, capture, lane, saved.begin_ns, saved.end_ns, points.data(), points.size());
    while (flamelet_point_cursor_next(&cursor))
      for (size_t i = 0; i < cursor.count; ++i) {
        const flamelet_point& point = cursor.points[i];
        if (point.kind != FLAMELET_POINT_INSTANT) continue;
        const auto [at, is_first] = instants.try_emplace(name_of(capture, point.name));
        Choice& choice = at->second;
        if (is_first)
          choice.last_ns = point.time_ns;
        else
          choice.add(choice.last_ns, point.time_ns);
      }
    for (auto& [name, choice] : instants) {
      choice.name = name;
      choice.what = "times between instants";
      ++lanes_with[name];
      found.emplace_back(text_of(lane_info(capture, lane).name), choice);
    }
  }
  for (auto& [lane, choice] : found) {
    if (lanes_with[choice.name] > 1) choice.name = lane + ": " + choice.name;
    choices->push_back(std::move(choice));
  }
}

// Those of which there are some, the longest in all first.
void keep_repeated(std::vector<Choice>* choices) {
  constexpr uint64_t kLeast = 3;
  choices->erase(std::remove_if(choices->begin(), choices->end(),
                                [](const Choice& choice) { return choice.count < kLeast || choice.sum_ns <= 0; }),
                 choices->end());
  std::stable_sort(choices->begin(), choices->end(),
                   [](const Choice& a, const Choice& b) { return a.sum_ns > b.sum_ns; });
}

std::vector<Choice> choices_in(const flamelet_capture* capture) {
  constexpr size_t kMost = 5;
  std::vector<Choice> choices;
  for (const uint32_t set : sets_of(capture)) {
    Choice choice = {name_of(capture, set), "times between marks"};
    for (const flamelet_frame_info& frame : marks_of(capture, set)) choice.add(frame.begin_ns, frame.end_ns);
    choices.push_back(choice);
  }
  std::map<std::string, Choice> intervals;
  for (const flamelet_interval& interval : whole_intervals(capture)) {
    Choice& choice = intervals[name_of(capture, interval.name)];
    choice.what = "intervals";
    choice.add(interval.begin_ns, interval.end_ns);
  }
  for (auto& [name, choice] : intervals) {
    choice.name = name;
    choices.push_back(choice);
  }
  add_scopes(capture, &choices);
  keep_repeated(&choices);
  // Instants last: those of a log are no frames, and take all the time there is.
  std::vector<Choice> instants;
  if (choices.size() < kMost) add_instants(capture, &instants);
  keep_repeated(&instants);
  const auto is_new = [&choices](const Choice& instant) {
    return std::none_of(choices.begin(), choices.end(), [&](const Choice& of) { return of.name == instant.name; });
  };
  std::copy_if(instants.begin(), instants.end(), std::back_inserter(choices), is_new);
  if (choices.size() > kMost) choices.resize(kMost);
  return choices;
}

// Makes those of this name, or of this lane and name ("Server: tick"), the frames of the capture: marks with the numbers that
// they have in every part of it, others numbered from 1. What is not whole, or begins before the one before it ends, is left
// out. Exit code 1 if there are none, 2 if several lanes have them.
// `file` is printable.
void set_frames_of(flamelet_capture* capture, const std::string& file, const std::string& name) {
  Frames frames = Search(capture, "", name).find(file);
  constexpr std::string_view kBetween = ": ";
  for (size_t at = name.find(kBetween); frames.empty() && at != std::string::npos; at = name.find(kBetween, at + 1))
    frames = Search(capture, std::string_view(name).substr(0, at), std::string_view(name).substr(at + kBetween.size()))
                 .find(file);
  // Of those that overlap, the first in the list stays.
  std::multimap<int64_t, flamelet_frame_info> by_begin;
  for (const flamelet_frame_info& frame : frames) {
    const auto after = by_begin.upper_bound(frame.begin_ns);
    const bool overlaps = (after != by_begin.end() && after->first < frame.end_ns) ||
                          (after != by_begin.begin() && std::prev(after)->second.end_ns > frame.begin_ns);
    if (!overlaps) by_begin.emplace_hint(after, frame.begin_ns, frame);
  }
  const size_t found = frames.size();
  frames.clear();
  bool are_numbered = true;
  for (const auto& [begin_ns, frame] : by_begin) {
    are_numbered = are_numbered && frame.index > (frames.empty() ? 0 : frames.back().index);
    frames.push_back(frame);
  }
  for (size_t i = 0; i < frames.size() && !are_numbered; ++i) frames[i].index = i + 1;
  if (frames.empty()) {
    const std::string choices = frames_of_choices(capture);
    throw CommandError(kExitNothing, "nothing whole in " + file + " is called " + printable(name) +
                                         (choices.empty() ? "" : "; it has, for example:" + choices));
  }
  if (frames.size() != found)
    std::fprintf(stderr, "%s: %zu of %zu %s overlap others and are no frames\n", file.c_str(), found - frames.size(),
                 found, printable(name).c_str());
  if (flamelet_capture_set_frames(capture, frames.data(), frames.size()) != FLAMELET_OK)
    throw CommandError(kExitInput, "there is not enough memory for the frames of " + file);
}

}  // namespace

std::string frames_of_choices(const flamelet_capture* capture) {
  std::string text;
  for (const Choice& choice : choices_in(capture))
    text += "\n  --frames-of '" + printable(choice.name) + "'   " + std::to_string(choice.count) + " " + choice.what +
            ", mean " + duration_text(static_cast<double>(choice.sum_ns) / static_cast<double>(choice.count));
  return text;
}

// ---- the input

namespace {

std::string shown_name(const std::string& path) {
  return path == "-" ? "standard input" : printable(path);
}

}  // namespace

std::string drops_text(const flamelet_capture* capture) {
  flamelet_capture_dropped dropped;  // dropped_no_page is in events_lost
  flamelet_capture_get_dropped(capture, &dropped);
  std::string text;
  append(&text, dropped.dropped_no_track, "event or track beyond max_tracks was not recorded",
         "events or tracks beyond max_tracks were not recorded");
  append(&text, dropped.dropped_depth, "scope deeper than 120 was not recorded",
         "scopes deeper than 120 were not recorded");
  static_assert(FLAMELET_MAX_DEPTH == 120, "as the text says");
  append(&text, dropped.dropped_nested, "scope or event of a signal handler inside the recorder was not recorded",
         "scopes or events of signal handlers inside the recorder were not recorded");
  append(&text, dropped.dropped_fiber, "fiber beyond max_fibers was not recorded",
         "fibers beyond max_fibers were not recorded");
  append(&text, dropped.dropped_frame, "frame mark was not recorded", "frame marks were not recorded");
  append(&text, dropped.dropped_submit, "submitted event had no room or no partner",
         "submitted events had no room or no partner");
  append(&text, dropped.submit_cut, "submitted span had no lane of its own and is cut where it overlaps another",
         "submitted spans had no lane of their own and are cut where they overlap others");
  append(&text, dropped.strings_overflowed, "time a text had no room and is called (overflow) (max_strings)",
         "times a text had no room and is called (overflow) (max_strings)");
  append(&text, dropped.sites_overflowed, "time a site had no room and is called (overflow) (max_sites)",
         "times a site had no room and is called (overflow) (max_sites)");
  return text;
}

std::string doubts_text(const flamelet_capture* capture) {
  flamelet_capture_dropped dropped;
  flamelet_capture_get_dropped(capture, &dropped);
  std::string text;
  append(&text, dropped.extra_ends, "end of a scope that was not open", "ends of scopes that were not open");
  append(&text, dropped.fiber_misuse, "switch or destroy of a wrong fiber", "switches or destroys of wrong fibers");
  return text;
}

namespace {

// What is missing in a capture, in one line; "" if nothing is.
std::string losses_of(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  const SavedTime time(capture);
  uint64_t frames = 0, lossy = 0;
  bool lacks_start = false;
  flamelet_frame_info frame;
  for (size_t i = 0; flamelet_capture_frame(capture, i, &frame); ++i) {
    if (!time.has(frame)) continue;
    const bool is_start = frame.index == 0 && (frame.flags & FLAMELET_FRAME_PARTIAL) != 0;
    if (is_start && flamelet_capture_frame_count(capture) > 1) {  // no frame of the game's
      lacks_start = (frame.flags & FLAMELET_FRAME_LOSSY) != 0;
      continue;
    }
    ++frames;
    lossy += (frame.flags & FLAMELET_FRAME_LOSSY) != 0;
  }
  // What is gone from before the first frame that is here is not missing here.
  if (frames != 0 && lossy == 0 && !lacks_start) stats.events_lost = stats.events_evicted = 0;
  std::string text;
  append(&text, stats.events_lost, "event was overwritten before it was read",
         "events were overwritten before they were read");
  append(&text, stats.events_evicted, "event was evicted because the capture was full",
         "events were evicted because the capture was full");
  append(&text, stats.intervals_dropped, "interval had no room", "intervals had no room");
  append(&text, stats.named_frames_dropped, "frame of a set had no room", "frames of sets had no room");
  append(&text, stats.switches_lost, "switch of a thread was lost", "switches of threads were lost");
  append(&text, stats.names_missing, "name or lane had no room", "names or lanes had no room");
  if (lacks_start) text += (text.empty() ? "" : "; ") + std::string("the start is incomplete");
  if (lossy != 0)
    text += (text.empty() ? "" : "; ") + std::to_string(lossy) + " of " +
            counted(frames, "frame is incomplete", "frames are incomplete");
  if (lossy != 0 && stats.events_lost != 0)
    text += ". More flamelet_config.budget_bytes, or more frequent updates of the capture, keep them";
  else if (lossy != 0 && stats.events_evicted != 0)
    text += ". More flamelet_capture_config.budget_bytes keep them";
  const std::string drops = drops_text(capture);
  return text.empty() || drops.empty() ? text + drops : text + ". Beside that, " + drops;
}

// A file that is read at any place of it, with its progress; a pipe is read whole before that.
struct Source {
  Source(InputFile* input, const std::string& name)
      : file(input), bytes(bytes_of(input)), progress("reading " + name, input->size()) {}

  flamelet_source get() { return {read, file->is_regular() ? file->size() : bytes.size(), this}; }

  // Throws what a result other than FLAMELET_OK says.
  void check(flamelet_result result, const std::string& name) const {
    if (result != FLAMELET_OK)
      throw CommandError(kExitInput, "cannot read " + name + ": " +
                                         (error != 0 ? std::strerror(error) : flamelet_result_message(result)));
  }

  InputFile* const file;
  const std::string bytes;
  Progress progress;
  int error = 0;

 private:
  static bool read(void* user, uint64_t offset, void* to, size_t size, size_t* count) {
    Source& self = *static_cast<Source*>(user);
    if (!self.file->is_regular()) {
      std::memcpy(to, self.bytes.data() + offset, size);
    } else if (!self.file->read_at(offset, static_cast<char*>(to), size)) {
      self.error = errno;
      return false;
    }
    *count = size;
    self.progress.add(size);
    return true;
  }
  static std::string bytes_of(InputFile* input) {
    std::string all;
    if (!input->is_regular()) input->read([&](std::string_view piece) { all += piece; });
    return all;
  }
};

}  // namespace

bool is_capture(std::string_view head) {
  constexpr std::string_view kBegin(
      "\x89"
      "FLCAP\r\n",
      8);  // docs/capture_format.md
  return head.substr(0, kBegin.size()) == kBegin;
}

bool is_ring(std::string_view head) {
  constexpr std::string_view kBegin(
      "\x89"
      "FLRING\n",
      8);
  return head.substr(0, kBegin.size()) == kBegin;
}

// A protobuf of packets begins with a line feed, too, but its bytes soon leave what is text.
static bool is_perfetto(std::string_view head) {
  constexpr size_t kMost = 64;
  if (head.substr(0, 1) != "\x0a") return false;
  const auto is_no_text = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n';
  };
  const std::string_view first = head.substr(0, kMost);
  return std::any_of(first.begin(), first.end(), is_no_text);
}

// Not what perf script may begin with: "[001]", "[ perf record: Woken up 1 times ]", and a command "{game}".
static bool is_json(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n";
  const auto is_in_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0 ||
           std::string_view("+-._()").find(c) != std::string_view::npos;
  };
  if (text.substr(0, 2) == "//" || text.substr(0, 2) == "/*") return true;
  if (text.empty() || (text[0] != '{' && text[0] != '[')) return false;
  const char behind_word = text[0] == '{' ? ':' : ',';
  size_t at = text.find_first_not_of(kWhite, 1);
  if (at == std::string_view::npos || !is_in_word(text[at])) return true;
  while (at < text.size() && is_in_word(text[at])) ++at;
  at = text.find_first_not_of(kWhite, at);
  return at == std::string_view::npos || text[at] == behind_word;
}

static bool is_trace(std::string_view head) {
  if (head.substr(0, 2) == "\x1f\x8b" || is_perfetto(head)) return true;
  if (head.substr(0, 2) == "\xff\xfe" || head.substr(0, 2) == "\xfe\xff") return true;  // which says what to do
  if (head.substr(0, 3) == "\xef\xbb\xbf") head.remove_prefix(3);
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && is_json(head.substr(first));
}

bool is_recording(std::string_view head) {
  return is_capture(head) || is_ring(head) || is_trace(head);
}

bool is_log(std::string_view head) {
  return head.find("Frame : ") != std::string_view::npos;
}

bool is_perf_data(std::string_view head) {
  return head.substr(0, 8) == "PERFILE2" || head.substr(0, 8) == "2ELIFREP";
}

// perf script -D, whose lines are no samples.
bool is_perf_dump(std::string_view head) {
  return head.find("\n. ... raw event: size ") != std::string_view::npos;
}

static CommandError recording_is_log(const std::string& name) {
  return CommandError(kExitInput, name + " is a performance log: flamelet log reads those");
}

CommandError log_is_capture(const std::string& name) {
  return CommandError(kExitInput, name + " is a capture: flamelet stats, frames and tree read those");
}

bool is_perf_header(std::string_view head) {
  return head.substr(0, 10) == "# ========" && head.find("\n# captured on") != std::string_view::npos;
}

// Whether flamelet tree finds a sample in the first mebibyte.
#ifdef FLAMELET_HAS_PERF_SCRIPT
static bool has_perf_samples(InputFile* file) {
  constexpr size_t kMost = size_t{1} << 20;
  uint64_t samples = 0;
  PerfReader reader([&](const PerfSample&) { ++samples; }, [](uint64_t, const char*) {});
  std::vector<char> piece(size_t{64} << 10);
  size_t count = 0;
  for (size_t done = 0; samples == 0 && done < kMost && file->pull(piece.data(), piece.size(), &count) && count != 0;
       done += count)
    reader.feed({piece.data(), count});
  reader.finish();
  return samples != 0;
}
#else
static bool has_perf_samples(InputFile*) {
  return false;
}
#endif

// "" if nothing that is known compressed it. gzip need not be unpacked.
static const char* compressor_of(std::string_view head) {
  const auto begins = [head](std::string_view mark) { return head.substr(0, mark.size()) == mark; };
  if (begins("PK\x03\x04")) return "zip";
  if (begins("\xFD"
             "7zXZ"))
    return "xz";
  if (begins("\x28\xB5\x2F\xFD")) return "zstd";
  if (begins("BZh")) return "bzip2";
  if (begins("\x04\x22\x4D\x18")) return "lz4";
  return begins("7z\xBC\xAF\x27\x1C") ? "7-Zip" : "";
}

CommandError no_recording(const std::string& name, std::string_view head, const char* also) {
  if (is_log(head)) return recording_is_log(name);
  if (const std::string compressor = compressor_of(head); !compressor.empty())
    return CommandError(kExitInput, name + " is compressed with " + compressor + ": unpack it first");
  if (is_perf_data(head))
    return CommandError(kExitInput,
                        name + " is what perf record writes: flamelet tree reads what perf script prints of it");
  if (is_perf_dump(head))
    return CommandError(kExitInput,
                        name + " is the raw dump of perf script -D: leave -D out, and flamelet tree reads it");
  const char* const comma = *also == 0 ? "" : ",";
  return CommandError(kExitInput, name + " is neither a capture" + comma + " nor a trace of a known kind" + also);
}

void CaptureInput::take_frames(const std::string& of) {
  set_frames_of(capture_.get(), name_, of);
  frames_of_ = of;
}

CaptureInput::CaptureInput(const InputOptions& options) : name_(shown_name(options.file)) {
  InputFile file(options.file);
  open(options, &file);
}

CaptureInput::CaptureInput(const InputOptions& options, InputFile* file) : name_(shown_name(options.file)) {
  open(options, file);
}

void CaptureInput::open(const InputOptions& options, InputFile* file) {
  if (file->head().empty()) throw EmptyInput(name_);
  if (is_capture(file->head()))
    load(file);
  else if (is_ring(file->head()))
    recover(file);
  else if (is_trace(file->head()))
    import(file);
  else if (!is_log(file->head()) && !is_perf_dump(file->head()) &&
           (is_perf_header(file->head()) || has_perf_samples(file)))
    throw CommandError(kExitInput, name_ + " looks like the text of perf script: flamelet tree reads that");
  else
    throw no_recording(name_, file->head());
  losses_ = losses_of(get());
  if (!losses_.empty()) std::fprintf(stderr, "%s is not complete: %s\n", name_.c_str(), losses_.c_str());
  const std::string off = ", " + std::string(view_of(flamelet_capture_categories_off(get()))) + ",";
  if (off.find(", *,") != std::string::npos)
    std::fprintf(stderr, "%s lacks scopes: all categories not named were off, or for a time (flamelet info: off)\n",
                 name_.c_str());
  const std::string doubts = doubts_text(get());
  if (!doubts.empty())
    std::fprintf(stderr, "%s may have wrong times: %s, which the recorder ignored\n", name_.c_str(), doubts.c_str());
  if (!options.frames_of.empty()) take_frames(options.frames_of);
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(get(), &stats);
  append(&repairs_, stats.times_clamped, "time was before the one before it on its thread",
         "times were before the one before it on their thread");
  int64_t begin_ns, end_ns;
  uint64_t astray = 0;
  flamelet_capture_main_extent(get(), &begin_ns, &end_ns, &astray);
  append(&repairs_, astray, "event is more than an hour from where most are",
         "events are more than an hour from where most are");
  notice_ = repairs_;
  append(&notice_, import_report_.events_unsupported, "event is of a kind without a place here, and left out",
         "events are of kinds without a place here, and left out");
  append(&notice_, import_report_.values_left_out, "value of a counter is no number, and left out",
         "values of counters are no numbers, and left out");
  append(&notice_, import_report_.events_over_limits, "event was beyond the limits, and left out",
         "events were beyond the limits, and left out");
  if (!notice_.empty()) std::fprintf(stderr, "%s: %s\n", name_.c_str(), notice_.c_str());
  if (damage_.empty()) return;
  if (options.strict) throw CommandError(kExitInput, name_ + " is damaged: " + damage_);
  std::fprintf(stderr, "%s is damaged (%s); the rest of it is shown\n", name_.c_str(), damage_.c_str());
}

void CaptureInput::load(InputFile* file) {
  Source source(file, name_);
  flamelet_capture* capture = nullptr;
  source.check(flamelet_capture_load_from(nullptr, source.get(), &capture, &load_report_), name_);
  capture_.reset(capture);
  format_ = "Flamelet capture, version " + std::to_string(load_report_.format_version) + ", " +
            bytes_text(load_report_.file_bytes);
  if (load_report_.truncated) damage_ = "it ends too early";
  append(&damage_, load_report_.chunks_damaged, "damaged chunk", "damaged chunks");
  append(&damage_, load_report_.chunks_unknown, "chunk of a newer version", "chunks of a newer version");
  append(&damage_, load_report_.pages_refused, "refused page", "refused pages");
  append(&damage_, load_report_.entries_refused, "refused table entry", "refused table entries");
  append(&damage_, load_report_.duplicates, "double table entry", "double table entries");
  append(&damage_, load_report_.damaged_before, "damaged or missing place in what it was made of",
         "damaged or missing places in what it was made of");
}

void CaptureInput::recover(InputFile* file) {
  Source source(file, name_);
  flamelet_capture* capture = nullptr;
  flamelet_recover_report report;
  const flamelet_result result = flamelet_capture_recover_from(nullptr, source.get(), &capture, &report);
  if (result == FLAMELET_ERROR_FILE_FORMAT)
    throw CommandError(kExitInput, name_ + " is the ring of another version of Flamelet, which alone can read it");
  source.check(result, name_);
  capture_.reset(capture);
  load_report_.file_bytes = report.file_bytes;
  load_report_.truncated = report.truncated;
  load_report_.pages_read = report.pages_read;
  load_report_.pages_refused = report.pages_refused;
  load_report_.entries_refused = report.names_refused;
  format_ = "Recorder's memory, " + bytes_text(report.file_bytes) + ", " +
            (report.shut_down ? "shut down" : "not shut down: the program crashed, or still runs");
  if (report.truncated) damage_ = "it ends too early";
  append(&damage_, report.pages_refused, "refused page", "refused pages");
  append(&damage_, report.names_refused, "refused name", "refused names");
}

void CaptureInput::import(InputFile* file) {
  is_import_ = true;
  struct Stream {
    InputFile* file;
    Progress progress;
    int error;
  } source = {file, Progress("reading " + name_, file->size()), 0};
  const auto read = [](void* user, uint64_t, void* to, size_t size, size_t* count) {
    Stream& self = *static_cast<Stream*>(user);
    const bool good = self.file->pull(static_cast<char*>(to), size, count);
    if (!good) self.error = errno;
    if (good) self.progress.add(*count);
    return good;
  };
  flamelet_capture* capture = nullptr;
  flamelet_import_options options = flamelet_import_options_default();
  options.capture.max_tracks = 1u << 16;
  const flamelet_result result =
      flamelet_import(&options, {read, FLAMELET_SIZE_UNKNOWN, &source}, &capture, &import_report_);
  capture_.reset(capture);
  const flamelet_import_report& report = import_report_;
  if (result != FLAMELET_OK) {
    const std::string reason = source.error != 0           ? std::strerror(source.error)
                               : report.message[0] != '\0' ? printable(report.message)
                                                           : flamelet_result_message(result);
    const bool may_be_perf = result == FLAMELET_ERROR_FILE_FORMAT && report.gzip && !report.gzip_damaged &&
                             report.bytes != 0 && report.format != FLAMELET_IMPORT_PERFETTO &&
                             reason.find("unpack it") == std::string::npos;
    throw CommandError(kExitInput, "cannot read " + name_ + ": " + reason +
                                       (may_be_perf ? " If it is the text of perf script, unpack it first." : ""));
  }
  format_ = std::string(report.format == FLAMELET_IMPORT_PERFETTO ? "Perfetto trace, " : "Chrome trace, ") +
            bytes_text(report.bytes) + (report.gzip ? " in gzip" : "");
  if (report.gzip_damaged)
    damage_ = report.truncated ? "its compressed data is damaged" : "its checksum is wrong";
  else if (report.truncated)
    damage_ = "it ends too early";
  append(&repairs_, report.spans_beside, "span that overlaps others of its lane in part stands on a lane beside it",
         "spans that overlap others of their lane in part stand on lanes beside it");
  append(&repairs_, report.spans_cut, "span was cut to nest", "spans were cut to nest");
  append(&repairs_, report.spans_open, "begin had no end", "begins had no end");
  append(&repairs_, report.ends_extra, "end had no begin", "ends had no begin");
  append(&repairs_, report.times_too_far, "time was bad (too far from the others)",
         "times were bad (too far from the others)");
  append(&repairs_, report.times_clamped - report.times_too_far,
         "time was bad (a missing or negative duration counts as 0)",
         "times were bad (a missing or negative duration counts as 0)");
  append(&repairs_, report.texts_repaired, "text was not quite JSON or UTF-8, or a name with a zero byte",
         "texts were not quite JSON or UTF-8, or names with a zero byte");
  append(&repairs_, report.texts_unknown, "text was given by a number that stands for none",
         "texts were given by numbers that stand for none");
  append(&repairs_, report.machines_apart, "machine's times could not be brought together with the others'",
         "machines' times could not be brought together with the others'");
  append(&left_out_, report.events_unsupported, "event of kinds without a place here",
         "events of kinds without a place here");
  append(&left_out_, report.args_left_out, "argument", "arguments");
  append(&left_out_, report.values_left_out, "value that is no number", "values that are no numbers");
  append(&damage_, report.packets_lost, "place where packets were lost", "places where packets were lost");
  append(&damage_, report.packets_unusable, "packet that needs a lost one", "packets that need a lost one");
  append(&damage_, report.chunks_lost, "piece that was overwritten or discarded",
         "pieces that were overwritten or discarded");
  const std::string unknown_clock =
      report.unknown_clock == 0
          ? " on a clock of the kernel's that nothing relates to the trace's"
          : " on clock " + std::to_string(report.unknown_clock) + ", which no snapshot relates to the trace's";
  append(&damage_, report.events_unclocked, ("event" + unknown_clock).c_str(), ("events" + unknown_clock).c_str());
  append(&left_out_, report.events_over_limits, "event beyond the limits", "events beyond the limits");
  append(&damage_, report.events_evicted, "event without room", "events without room");
  append(&damage_, report.events_damaged, "damaged event", "damaged events");
  if (report.first_damaged[0] != '\0')
    damage_ += std::string(report.events_damaged == 1 ? ", " : ", the first ") + report.first_damaged;
}

}  // namespace flamelet::tools
