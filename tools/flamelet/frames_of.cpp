// SPDX-License-Identifier: MIT
#include "frames_of.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "command.h"
#include "display_text.h"
#include "flamelet/detail/site.h"
#include "span_pieces.h"

namespace flamelet::tools {
namespace {

std::string text_of(flamelet_string text) {
  return {text.text, text.size};
}

std::string name_of(const flamelet_capture* capture, uint32_t string) {
  return text_of(flamelet_capture_string(capture, string));
}

flamelet_lane_info lane_info(const flamelet_capture* capture, size_t lane) {
  flamelet_lane_info info = {};
  flamelet_capture_lane(capture, lane, &info);
  return info;
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
    for (const flamelet_interval& interval : whole_intervals(capture_)) {
      if (name_of(capture_, interval.name) != name_) continue;
      bool is_there = lane_.empty();
      for (size_t lane = 0; !is_there && lane < flamelet_capture_lane_count(capture_); ++lane) {
        const flamelet_lane_info info = lane_info(capture_, lane);
        is_there = info.kind == FLAMELET_LANE_THREAD && info.id == interval.begin_track && is_lane(info);
      }
      if (is_there)
        frames.push_back({0, interval.begin_ns, std::max(interval.begin_ns, interval.end_ns), 0, interval.begin_track});
    }
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
      std::map<std::string, Frames> by_lane;
      for (size_t lane = 0; lane < flamelet_capture_lane_count(capture_); ++lane) {
        const flamelet_lane_info info = lane_info(capture_, lane);
        if (info.kind != kind || !is_lane(info)) continue;
        Frames frames = (this->*frames_on)(lane);
        Frames& most = by_lane[text_of(info.name)];
        if (frames.size() > most.size()) most = std::move(frames);
      }
      std::string lanes;
      Frames found;
      size_t count = 0;
      for (auto& [lane, frames] : by_lane) {
        if (frames.empty()) continue;
        if (++count <= 8) lanes += "\n  --frames-of '" + printable(lane + ": " + std::string(name_)) + "'";
        found = std::move(frames);
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
    sum_ns += end_ns - begin_ns;
    last_ns = end_ns;
  }
};

void add_scopes(const flamelet_capture* capture, std::vector<Choice>* choices) {
  std::map<std::string, size_t> lanes_with;  // of each name
  std::vector<std::pair<std::string, Choice>> found;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    const flamelet_lane_info info = lane_info(capture, lane);
    if (info.kind == FLAMELET_LANE_FIBER || info.kind == FLAMELET_LANE_GPU) continue;
    std::map<std::pair<uint32_t, uint32_t>, Choice> scopes;
    const SavedTime saved(capture);
    SpanPieces(capture).read(lane, saved.begin_ns, saved.end_ns, [&](const flamelet_span* spans, size_t count) {
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
  for (auto& [lane, choice] : found) {
    if (lanes_with[choice.name] > 1) choice.name = lane + ": " + choice.name;
    choices->push_back(std::move(choice));
  }
}

std::vector<Choice> choices_in(const flamelet_capture* capture) {
  constexpr uint64_t kLeast = 3;
  constexpr size_t kMost = 5;
  std::vector<Choice> choices;
  for (const uint32_t set : sets_of(capture)) {
    Choice choice = {name_of(capture, set), "marks"};
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
  choices.erase(std::remove_if(choices.begin(), choices.end(),
                               [](const Choice& choice) { return choice.count < kLeast || choice.sum_ns <= 0; }),
                choices.end());
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Choice& a, const Choice& b) { return a.sum_ns > b.sum_ns; });
  if (choices.size() > kMost) choices.resize(kMost);
  return choices;
}

}  // namespace

void set_frames_of(flamelet_capture* capture, const std::string& file, const std::string& name) {
  Frames frames = Search(capture, "", name).find(file);
  constexpr std::string_view kBetween = ": ";
  for (size_t at = name.find(kBetween); frames.empty() && at != std::string::npos; at = name.find(kBetween, at + 1))
    frames = Search(capture, std::string_view(name).substr(0, at), std::string_view(name).substr(at + kBetween.size()))
                 .find(file);
  std::stable_sort(frames.begin(), frames.end(), [](const auto& a, const auto& b) { return a.begin_ns < b.begin_ns; });
  size_t kept = 0;
  for (const flamelet_frame_info& frame : frames) {
    if (kept != 0 && frame.begin_ns < frames[kept - 1].end_ns) continue;
    frames[kept] = frame;
    ++kept;
    frames[kept - 1].index = kept;
  }
  if (kept == 0) {
    const std::string choices = frames_of_choices(capture);
    throw CommandError(kExitNothing, "nothing whole in " + file + " is called " + printable(name) +
                                         (choices.empty() ? "" : "; it has, for example:" + choices));
  }
  if (kept != frames.size())
    std::fprintf(stderr, "%s: %zu of %zu %s overlap others and are no frames\n", file.c_str(), frames.size() - kept,
                 frames.size(), printable(name).c_str());
  if (flamelet_capture_set_frames(capture, frames.data(), kept) != FLAMELET_OK)
    throw CommandError(kExitInput, "there is not enough memory for the frames of " + file);
}

std::string frames_of_choices(const flamelet_capture* capture) {
  std::string text;
  for (const Choice& choice : choices_in(capture))
    text += "\n  --frames-of '" + printable(choice.name) + "'   " + std::to_string(choice.count) + " " + choice.what +
            ", mean " + duration_text(static_cast<double>(choice.sum_ns) / static_cast<double>(choice.count));
  return text;
}

std::string no_frames_text(const flamelet_capture* capture, const std::string& file) {
  const std::string choices = frames_of_choices(capture);
  return "there is no complete frame in " + file +
         (choices.empty() ? "" : ": nothing marks them there. An option takes something else for frames:" + choices);
}

}  // namespace flamelet::tools
