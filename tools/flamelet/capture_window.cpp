// SPDX-License-Identifier: MIT
#include "capture_window.h"

#include <flamelet/span_tree.h>
#include <flamelet/statistics.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "capture_input.h"
#include "command_line.h"
#include "display_text.h"
#include "flamelet/detail/sums.h"

namespace flamelet::tools {
namespace {

constexpr std::string_view kDots = "..";

bool parse_index(std::string_view text, uint64_t* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size();
}

// "1.5s", "-20ms", "3us", "800ns"; a number alone is seconds.
bool parse_time(std::string_view text, int64_t* time_ns) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  double unit_ns = 1e9;
  if (text == "ms")
    unit_ns = 1e6;
  else if (text == "us" || text == "µs")
    unit_ns = 1e3;
  else if (text == "ns")
    unit_ns = 1;
  else if (!text.empty() && text != "s")
    return false;
  *time_ns = static_cast<int64_t>(std::clamp(std::round(number * unit_ns), -9e18, 9e18));
  return true;
}

// Calls parse(text of the first), parse(text of the second); an end that is left open is not parsed.
template <class Number, class Parse>
bool parse_range(std::string_view text, Number* first, Number* last, Parse parse) {
  const size_t dots = text.find(kDots);
  if (dots == std::string_view::npos) {
    if (!parse(text, first)) return false;
    *last = *first;
    return true;
  }
  const std::string_view left = text.substr(0, dots), right = text.substr(dots + kDots.size());
  if (left.empty() && right.empty()) return false;
  return (left.empty() || parse(left, first)) && (right.empty() || parse(right, last));
}

std::string frames_there(const flamelet_capture* capture) {
  const size_t count = flamelet_capture_frame_count(capture);
  if (count == 0) return "it has no complete frame";
  flamelet_frame_info first, last;
  flamelet_capture_frame(capture, 0, &first);
  flamelet_capture_frame(capture, count - 1, &last);
  return "it has the frames " + std::to_string(first.index) + ".." + std::to_string(last.index);
}

// Frames stand by index and by time, both rising.
void set_frames(const flamelet_capture* capture, Window* window) {
  const size_t count = flamelet_capture_frame_count(capture);
  flamelet_frame_info frame;
  window->first_frame = 0;
  while (window->first_frame < count && flamelet_capture_frame(capture, window->first_frame, &frame) &&
         frame.begin_ns < window->begin_ns)
    ++window->first_frame;
  window->end_frame = window->first_frame;
  while (window->end_frame < count && flamelet_capture_frame(capture, window->end_frame, &frame) &&
         frame.end_ns <= window->end_ns)
    ++window->end_frame;
}

constexpr struct {
  const char* option;
  flamelet_lane_kind kind;
  const char *one, *name;
} kKinds[] = {{"threads", FLAMELET_LANE_THREAD, "thread", "thread"},
              {"gpu", FLAMELET_LANE_GPU, "GPU queue", "gpu"},
              {"external", FLAMELET_LANE_EXTERNAL, "external lane", "external"},
              {"fibers", FLAMELET_LANE_FIBER, "fiber", "fiber"}};

// "thread 12": what a lane is called whose name is not known.
bool is_numbered(const std::string& name, uint32_t id) {
  const std::string number = " " + std::to_string(id);
  for (const char* const kind : {"thread", "GPU", "external", "fiber"})
    if (name == kind + number) return true;
  return false;
}

bool is_of_kind(flamelet_lane_kind kind, const std::string& option) {
  return std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](const auto& known) { return known.kind == kind && known.option == option; });
}

}  // namespace

bool parse_frame_range(std::string_view text, uint64_t* first, uint64_t* last) {
  *first = 0;
  *last = UINT64_MAX;
  return parse_range(text, first, last, parse_index) && *first <= *last;
}

// "1.5s..2s" or "100ms..", likewise. Returns what is wrong, or "".
static std::string parse_time_range(std::string_view text, int64_t* begin_ns, int64_t* end_ns) {
  *begin_ns = INT64_MIN;
  *end_ns = INT64_MAX;
  const bool is_range = text.find(kDots) != std::string_view::npos && parse_range(text, begin_ns, end_ns, parse_time);
  if (!is_range) return "give a time as 1.5s..2s, 800ms.. or ..2s";
  if (*begin_ns == *end_ns) return "the time is empty: give a later end";
  if (*begin_ns > *end_ns) return "the time ends before it begins; a number without a unit is seconds";
  return "";
}

void add_input_options(Command* command, InputOptions* options, const std::string& help) {
  command->positional("FILE", &options->file, help);
  command->flag("--strict", &options->strict, "Exit with 3 if the file is damaged");
  add_frames_of_option(command, &options->frames_of);
}

void add_frames_of_option(Command* command, std::string* frames_of) {
  command
      ->text("--frames-of", "NAME", frames_of,
             "Take the calls of a scope, or the intervals, marks or instants of this name, for frames; also \"LANE: "
             "NAME\"")
      .check([](const std::string& name) -> std::string { return name.empty() ? "give a name" : ""; });
}

Option add_window_options(Command* command, WindowOptions* options) {
  const Option frames =
      command->text("--frames", "A..B", &options->frames, "Only these frames: 100..120, 100.., ..120 or 100")
          .check([](const std::string& text) -> std::string {
            uint64_t first = 0, last = 0;
            return parse_frame_range(text, &first, &last) ? "" : "give frames as 100..120, 100.., ..120 or 100";
          });
  command
      ->text("--time", "A..B", &options->time,
             "Only this time since the recorder's start: 1.5s..2s, 800ms.., ..2 (units: s, ms, us, ns)")
      .excludes(frames)
      .check([](const std::string& text) -> std::string {
        int64_t begin_ns = 0, end_ns = 0;
        return parse_time_range(text, &begin_ns, &end_ns);
      });
  return frames;
}

bool has_start(const flamelet_capture* capture) {
  flamelet_frame_info frame;
  return flamelet_capture_frame_count(capture) > 1 && flamelet_capture_frame(capture, 0, &frame) && frame.index == 0 &&
         (frame.flags & FLAMELET_FRAME_PARTIAL) != 0;
}

namespace {

std::vector<flamelet_frame_info> frames_of(const flamelet_capture* capture, const Window& window, uint32_t without) {
  std::vector<flamelet_frame_info> frames;
  flamelet_frame_info frame;
  for (size_t i = window.first_frame; i < window.end_frame && flamelet_capture_frame(capture, i, &frame); ++i)
    if ((frame.flags & without) == 0) frames.push_back(frame);
  return frames;
}

}  // namespace

Window window_of(const CaptureInput& input, const WindowOptions& options) {
  const flamelet_capture* capture = input.get();
  Window window;
  const size_t count = flamelet_capture_frame_count(capture);
  window.end_frame = count;
  const SavedTime saved(capture);
  window.begin_ns = saved.begin_ns;
  window.end_ns = saved.end_ns;
  if (!options.time.empty()) {
    window.whole = false;
    int64_t from_ns = 0, to_ns = 0;
    parse_time_range(options.time, &from_ns, &to_ns);
    window.begin_ns = std::max(window.begin_ns, from_ns);
    window.end_ns = std::min(window.end_ns, to_ns);
    int64_t begin_ns = 0, end_ns = 0;
    if (!time_of(capture, &begin_ns, &end_ns) || window.begin_ns > end_ns || window.end_ns <= begin_ns)
      throw CommandError(kExitNothing, input.name() + " has nothing of that time; it has " +
                                           duration_text(static_cast<double>(begin_ns)) + " to " +
                                           duration_text(static_cast<double>(end_ns)));
    set_frames(capture, &window);
  } else if (!options.frames.empty()) {
    window.whole = false;
    uint64_t first = 0, last = 0;
    parse_frame_range(options.frames, &first, &last);
    flamelet_frame_info frame;
    window.first_frame = 0;
    while (window.first_frame < count && flamelet_capture_frame(capture, window.first_frame, &frame) &&
           frame.index < first)
      ++window.first_frame;
    window.end_frame = window.first_frame;
    while (window.end_frame < count && flamelet_capture_frame(capture, window.end_frame, &frame) && frame.index <= last)
      ++window.end_frame;
    if (window.first_frame == window.end_frame)
      throw CommandError(kExitNothing, "there are no such frames in " + input.name() + ": " + frames_there(capture));
    flamelet_capture_frame(capture, window.first_frame, &frame);
    window.begin_ns = frame.begin_ns;
    flamelet_capture_frame(capture, window.end_frame - 1, &frame);
    window.end_ns = frame.end_ns;
  } else {
    if (!saved.is_all()) set_frames(capture, &window);
    flamelet_frame_info frame;
    if (window.first_frame == 0 && window.end_frame > 1 && has_start(capture) &&
        flamelet_capture_frame(capture, 0, &frame)) {
      window.first_frame = 1;
      window.start_ns = frame.end_ns - frame.begin_ns;
    }
  }
  window.stretches = options.frames.empty() ? std::vector<Stretch>{{window.begin_ns, window.end_ns}}
                                            : stretches_of(frames_of(capture, window, 0));
  return window;
}

std::string no_frames_text(const CaptureInput& input, const Window& window) {
  const std::string text = "there is no complete frame in ";
  const size_t frames = window.end_frame - window.first_frame;
  if (frames != 0)
    return text + input.name() +
           (input.damage().empty() ? ": they lost their events, or were recorded in part"
                                   : ": the damage took what was in " + counted(frames, "frame", "frames"));
  if (flamelet_capture_frame_count(input.get()) != 0)
    return text + "that time of " + input.name() + ": " + frames_there(input.get());
  const std::string choices = frames_of_choices(input.get());
  const std::string where = input.damage().empty() ? "" : " in what is left of the damaged file";
  return text + input.name() + ": nothing marks them" +
         (choices.empty()
              ? where + (where.empty() ? ", and nothing was there three times" : "")
              : (where.empty() ? " there" : where) + ". An option takes something else for frames:" + choices);
}

bool time_of(const flamelet_capture* capture, int64_t* begin_ns, int64_t* end_ns) {
  if (!flamelet_capture_extent(capture, begin_ns, end_ns)) return false;
  const SavedTime saved(capture);
  *begin_ns = std::max(*begin_ns, saved.begin_ns);
  *end_ns = std::max(*begin_ns, std::min(*end_ns, saved.end_ns));
  return true;
}

std::vector<flamelet_frame_info> measured_frames(const flamelet_capture* capture, const Window& window) {
  constexpr uint32_t kPartial = FLAMELET_FRAME_PARTIAL, kLossy = FLAMELET_FRAME_LOSSY;
  for (const uint32_t without : {kPartial | kLossy, kPartial}) {
    std::vector<flamelet_frame_info> frames = frames_of(capture, window, without);
    if (!frames.empty()) return frames;
  }
  return frames_of(capture, window, 0);
}

std::string left_out_text(const flamelet_capture* capture, const Window& window,
                          const std::vector<flamelet_frame_info>& measured) {
  const size_t all = window.end_frame - window.first_frame;
  const auto is_lossy = [](const flamelet_frame_info& frame) { return (frame.flags & FLAMELET_FRAME_LOSSY) != 0; };
  const auto used = static_cast<size_t>(std::count_if(measured.begin(), measured.end(), is_lossy));
  const std::string among =
      used == 0 ? "" : "with " + std::to_string(used) + " that lost events, as there are no others";
  if (measured.size() == all) return among;
  const size_t with_length = frames_of(capture, window, FLAMELET_FRAME_CLOCK_JUMPED).size();
  const size_t whole = frames_of(capture, window, FLAMELET_FRAME_PARTIAL).size();
  const size_t partial = with_length - whole, jumped = all - with_length, lossy = whole - measured.size();
  std::string text;
  const auto add = [&](size_t count, const char* one, const char* many, const char* what) {
    if (count == 0) return;
    text += text.empty() ? "without " + counted(count, one, many) : " and " + std::to_string(count);
    text += what;
  };
  add(partial, "frame that was", "frames that were", " recorded in part");
  add(jumped, "frame", "frames", " in which the clock jumped");
  add(lossy, "frame", "frames", " with lost events");
  return text.empty() || among.empty() ? text + among : text + ", " + among;
}

FrameLengths frame_lengths(const flamelet_capture* capture, const Window& window) {
  return frame_lengths(frames_of(capture, window, 0));
}

FrameLengths frame_lengths(const std::vector<flamelet_frame_info>& frames) {
  std::vector<int64_t> lengths;
  for (const flamelet_frame_info& frame : frames)
    if (has_length(frame)) lengths.push_back(frame.end_ns - frame.begin_ns);
  const flamelet_distribution figures = flamelet_summarize_durations(lengths.data(), lengths.size());
  return {lengths.size(), frames.size() - lengths.size(), static_cast<double>(figures.mean_ns),
          static_cast<double>(figures.median_ns)};
}

std::string unknown_text(const FrameLengths& lengths) {
  if (lengths.unknown == 0) return "";
  return counted(lengths.unknown, "frame in which the clock jumped is left out",
                 "frames in which the clock jumped are left out");
}

std::string lengths_text(const FrameLengths& lengths) {
  if (lengths.count == 0) return "no length is known";
  return "mean " + duration_text(lengths.mean_ns) + ", median " + duration_text(lengths.median_ns);
}

std::string start_text(const Window& window) {
  if (window.start_ns == 0) return "";
  return "frame 0, the time before the first mark, took " + duration_text(static_cast<double>(window.start_ns)) +
         " and is left out";
}

std::string older_frames_text(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  const uint64_t count = stats.frames_dropped;
  if (count == 0) return "";
  return counted(count, "older frame is", "older frames are") + " in no figure (max_frames)";
}

void add_lane_options(Command* command, LaneOptions* options) {
  command->choice("--lanes", "KIND", &options->kind, {"threads", "gpu", "external", "fibers"},
                  "Only lanes of this kind; the time of fibers is on their threads, too");
  command->texts("-t,--thread", "NAME", &options->names, "Only the lanes with this name, of any kind; may be repeated");
}

std::vector<size_t> all_lanes(const CaptureInput& input) {
  std::vector<size_t> lanes(flamelet_capture_lane_count(input.get()));
  std::iota(lanes.begin(), lanes.end(), size_t{0});
  if (input.is_import() || flamelet_capture_is_imported(input.get())) return lanes;
  std::stable_sort(lanes.begin(), lanes.end(), [&](size_t a, size_t b) {
    const flamelet_lane_info left = lane_info(input.get(), a), right = lane_info(input.get(), b);
    return left.kind != right.kind ? left.kind < right.kind : left.id < right.id;
  });
  return lanes;
}

// A line for each name: --thread takes all of them.
static std::string lanes_there(const CaptureInput& input) {
  constexpr size_t kMostNamed = 64;
  const std::vector<NamedLanes> named = named_lanes(input, all_lanes(input), true);
  if (named.empty())
    throw CommandError(kExitNothing, input.name() + " has no lanes: " +
                                         (input.left_out().empty() ? "nothing was recorded" : "all of it is left out"));
  std::string there;
  for (size_t i = 0; i < named.size() && i < kMostNamed; ++i)
    there += "\n  " + left(lane_kind_name(named[i].kind), 9) + " " + cut_to(printable(named[i].name), 80);
  if (named.size() > kMostNamed) there += "\n  and others: flamelet info lists them";
  return there;
}

// The lanes with a name, or else those that a list of lanes shows under it together: "thread", "thread (12)".
static std::vector<size_t> lanes_called(const CaptureInput& input, const std::string& name) {
  std::vector<size_t> called;
  flamelet_lane_info info;
  for (size_t lane = 0; flamelet_capture_lane(input.get(), lane, &info); ++lane)
    if (view_of(info.name) == name) called.push_back(lane);
  if (!called.empty()) return called;
  for (const NamedLanes& group : named_lanes(input, all_lanes(input), true))
    if (name == group.name || name + " (" + std::to_string(group.lanes.size()) + ")" == group.name)
      called.insert(called.end(), group.lanes.begin(), group.lanes.end());
  return called;
}

std::vector<size_t> lanes_of(const CaptureInput& input, const LaneOptions& options) {
  std::vector<bool> is_chosen(flamelet_capture_lane_count(input.get()), false);
  flamelet_lane_info info;
  for (const std::string& name : options.names) {
    const std::vector<size_t> called = lanes_called(input, name);
    if (called.empty())
      throw CommandError(kExitNothing, "no lane of " + input.name() + " is called " + printable(name) +
                                           "; there are:" + lanes_there(input));
    for (const size_t lane : called) is_chosen[lane] = true;
  }
  std::vector<size_t> lanes;
  for (const size_t lane : all_lanes(input))
    if (options.names.empty() ? flamelet_capture_lane(input.get(), lane, &info) && is_of_kind(info.kind, options.kind)
                              : is_chosen[lane])
      lanes.push_back(lane);
  if (lanes.empty())
    throw CommandError(kExitNothing, "there are no lanes of that kind (" + options.kind + ") in " + input.name() + ":" +
                                         lanes_there(input));
  return lanes;
}

std::vector<NamedLanes> named_lanes(const CaptureInput& input, const std::vector<size_t>& lanes, bool merge) {
  std::vector<NamedLanes> named;
  std::map<std::pair<flamelet_lane_kind, std::string>, size_t> known;
  flamelet_lane_info info;
  for (const size_t lane : lanes) {
    flamelet_capture_lane(input.get(), lane, &info);
    std::string name(view_of(info.name));
    if (merge && is_numbered(name, info.id)) name.resize(name.rfind(' '));
    const auto [found, is_new] = known.emplace(std::make_pair(info.kind, name), named.size());
    if (is_new || !merge)
      named.push_back({name, info.kind, {lane}});
    else
      named[found->second].lanes.push_back(lane);
  }
  for (NamedLanes& each : named)
    if (each.lanes.size() > 1) each.name += " (" + std::to_string(each.lanes.size()) + ")";
  return named;
}

std::string lanes_text(size_t count, const LaneOptions& options) {
  std::string one = "lane";
  for (const auto& known : kKinds)
    if (options.names.empty() && known.option == options.kind) one = known.one;
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string other_lanes_text(const CaptureInput& input, const LaneOptions& options) {
  if (!options.names.empty()) return "";
  std::string text;
  for (const auto& known : kKinds) {
    // The time of fibers is on their threads, too.
    if (known.option == options.kind || known.kind == FLAMELET_LANE_FIBER || options.kind == "fibers") continue;
    size_t count = 0;
    flamelet_lane_info info;
    for (size_t lane = 0; flamelet_capture_lane(input.get(), lane, &info); ++lane)
      count += info.kind == known.kind && info.events_held != 0;
    if (count == 0) continue;
    text += (text.empty() ? "without " : ", ") + std::to_string(count) + " " + known.one + (count == 1 ? "" : "s") +
            " (--lanes " + known.option + ")";
  }
  return text.empty() ? text : text + "\n";
}

const char* lane_kind_name(flamelet_lane_kind kind) {
  for (const auto& known : kKinds)
    if (known.kind == kind) return known.name;
  return "unknown";
}

// ---- by scope and frame

namespace {

class Collector {
 public:
  Collector(const flamelet_capture* capture, const std::vector<flamelet_frame_info>& frames, bool by_name)
      : by_name_(by_name), pieces_(capture), frames_(frames) {}

  int64_t begin_ns() const { return frames_.empty() ? 0 : frames_.front().begin_ns; }
  int64_t end_ns() const { return frames_.empty() ? 0 : frames_.back().end_ns; }

  void add_scopes(size_t lane, Progress* progress) {
    pieces_.read(lane, begin_ns(), end_ns(), [&](const flamelet_span* spans, size_t count) {
      for (size_t i = 0; i < count; ++i) scope_index(spans[i]);
      progress->add(count);
    });
  }

  // Then their time, frame by frame.
  void add_total(const std::vector<size_t>& lanes, Progress* progress) {
    std::vector<flamelet_scope_time> times(scopes_.size());
    std::vector<uint32_t> met;
    for (size_t frame = 0; frame < frames_.size(); ++frame)
      for (const size_t lane : lanes) {
        progress->add(
            pieces_.add_times(lane, frames_[frame].begin_ns, frames_[frame].end_ns, &times,
                              [&](const flamelet_span& span) { return met.emplace_back(scope_index(span)); }));
        for (const uint32_t i : met) {
          const flamelet_scope_time time = std::exchange(times[i], {});
          if (time.time_ns == 0 && time.calls == 0) continue;
          ScopeFrames& scope = scopes_[i];
          if (scope.times.empty() || scope.times.back().frame != frame) scope.times.push_back({frame, 0});
          scope.times.back().ns = add_saturating(scope.times.back().ns, time.time_ns);
          scope.calls += time.calls;
        }
        met.clear();
      }
  }

  std::vector<ScopeFrames> take() { return std::move(scopes_); }

 private:
  uint32_t scope_index(const flamelet_span& span) {
    const auto [found, is_new] =
        index_.emplace(uint64_t{by_name_ ? 0 : span.site} << 32 | span.name, static_cast<uint32_t>(scopes_.size()));
    if (is_new) scopes_.push_back({span.site, span.name, {}, 0});
    return found->second;
  }

  const bool by_name_;
  SpanPieces pieces_;
  const std::vector<flamelet_frame_info>& frames_;
  std::unordered_map<uint64_t, uint32_t> index_;
  std::vector<ScopeFrames> scopes_;
};

}  // namespace

std::vector<ScopeFrames> scope_frames(const CaptureInput& input, const std::vector<size_t>& lanes,
                                      const std::vector<flamelet_frame_info>& frames, bool by_name) {
  const flamelet_capture* const capture = input.get();
  Collector collector(capture, frames, by_name);
  Progress progress("adding up " + input.name(),
                    2 * count_spans(capture, lanes, collector.begin_ns(), collector.end_ns()), Progress::Unit::kSpans);
  for (const size_t lane : lanes) collector.add_scopes(lane, &progress);
  collector.add_total(lanes, &progress);
  return collector.take();
}

// ---- intervals by name

std::vector<IntervalSums> interval_sums(const CaptureInput& input, const Window& window, const std::string& filter) {
  const flamelet_capture* capture = input.get();
  std::vector<flamelet_interval> intervals(
      flamelet_capture_read_intervals(capture, window.begin_ns, window.end_ns, nullptr, 0));
  flamelet_capture_read_intervals(capture, window.begin_ns, window.end_ns, intervals.data(), intervals.size());
  std::map<std::string, IntervalSums> by_name;
  for (const flamelet_interval& interval : intervals) {
    if (window.stretches.size() > 1 && !is_in(window.stretches, interval.begin_ns, interval.end_ns)) continue;
    std::string name(view_of(flamelet_capture_string(capture, interval.name)));
    if (!matches(name, filter)) continue;
    IntervalSums& sums = by_name[name];
    sums.name = std::move(name);
    sums.incomplete += (interval.flags & (FLAMELET_SPAN_OPEN | FLAMELET_SPAN_MISSING_BEGIN)) != 0;
    const bool is_open = (interval.flags & FLAMELET_SPAN_OPEN) != 0;
    const int64_t duration_ns = interval.end_ns - interval.begin_ns;
    ++sums.count;
    sums.open += is_open;
    sums.total_ns = add_saturating(sums.total_ns, duration_ns);
    if (!is_open || duration_ns != 0) sums.durations_ns.push_back(duration_ns);
  }
  std::vector<IntervalSums> all;
  for (auto& [name, sums] : by_name) all.push_back(std::move(sums));
  return all;
}

// ---- by call path

namespace {

constexpr uint32_t kMostNodes = 1u << 22;

[[noreturn]] void fail(flamelet_result result) {
  throw CommandError(kExitInput, std::string("cannot make a call tree: ") + flamelet_result_message(result));
}

// A span tree with its memory.
class SpanTree {
 public:
  explicit SpanTree(const flamelet_span_tree_config& config) {
    const size_t bytes = flamelet_span_tree_memory_required(&config);
    memory_.reset(new unsigned char[bytes]);
    const flamelet_result result = flamelet_span_tree_create(&config, memory_.get(), bytes, &tree_);
    if (result != FLAMELET_OK) fail(result);
  }
  flamelet_span_tree* get() const { return tree_; }

 private:
  std::unique_ptr<unsigned char[]> memory_;
  flamelet_span_tree* tree_ = nullptr;
};

}  // namespace

CallTree::CallTree(const flamelet_call_tree_config& config) {
  const size_t bytes = flamelet_call_tree_memory_required(&config);
  memory_.reset(new unsigned char[bytes]);
  const flamelet_result result = flamelet_call_tree_create(&config, memory_.get(), bytes, &tree_);
  if (result != FLAMELET_OK) fail(result);
}

std::vector<Stretch> stretches_of(const std::vector<flamelet_frame_info>& frames) {
  std::vector<Stretch> stretches;
  for (const flamelet_frame_info& frame : frames) {
    if (stretches.empty() || stretches.back().end_ns != frame.begin_ns)
      stretches.push_back({frame.begin_ns, frame.end_ns});
    else
      stretches.back().end_ns = frame.end_ns;
  }
  return stretches;
}

CallTree call_tree_of(const CaptureInput& input, const std::vector<size_t>& lanes,
                      const std::vector<Stretch>& stretches, bool keep_recursion) {
  const flamelet_capture* const capture = input.get();
  size_t span_count = 0;
  for (const Stretch& stretch : stretches) span_count += count_spans(capture, lanes, stretch.begin_ns, stretch.end_ns);
  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.max_spans = FLAMELET_CURSOR_LEAST;
  config.keep_recursion = keep_recursion;
  // Few spans need little memory, which takes its time to clear.
  config.max_nodes = static_cast<uint32_t>(std::clamp<size_t>(span_count, 256, config.max_nodes));
  config.max_scopes = static_cast<uint32_t>(std::clamp<size_t>(span_count, 256, config.max_scopes));
  SpanPieces pieces(capture);
  for (;;) {
    const SpanTree spans(config);
    const auto bind_and_name = [&] { flamelet_span_tree_add_window(spans.get(), capture, 0, 0); };
    bind_and_name();
    flamelet_call_tree_config merged_config = flamelet_call_tree_config_default();
    merged_config.max_nodes = config.max_nodes;
    merged_config.max_blocks = config.max_scopes;
    merged_config.max_threads = 0;
    merged_config.keep_recursion = keep_recursion;
    CallTree merged(merged_config);
    bool scopes_fit = true;
    uint32_t named = 0;
    Progress progress("adding up " + input.name(), span_count, Progress::Unit::kSpans);
    for (const size_t lane : lanes) {
      const flamelet_lane_info info = lane_info(capture, lane);
      flamelet_span_tree_select(spans.get(), FLAMELET_LANE_BIT(info.kind), info.id, keep_recursion);
      for (const Stretch& stretch : stretches)
        pieces.read(lane, stretch.begin_ns, stretch.end_ns, [&](const flamelet_span* piece, size_t count) {
          flamelet_span_tree_add_spans(spans.get(), piece, count, stretch.begin_ns, stretch.end_ns);
          progress.add(count);
        });
      flamelet_span_tree_stats stats;
      flamelet_span_tree_get_stats(spans.get(), &stats);
      if (std::exchange(named, stats.scopes_used) != stats.scopes_used) bind_and_name();
      flamelet_call_tree_merge(merged.get(), flamelet_span_tree_calls(spans.get()));
      scopes_fit = scopes_fit && stats.calls_of_no_scope == 0;
    }
    flamelet_call_tree_stats stats;
    flamelet_call_tree_get_stats(merged.get(), &stats);
    if ((scopes_fit && stats.charged_no_room == 0) || config.max_nodes >= kMostNodes) {
      std::vector<std::string_view> categories = {""};  // ids are from 1 on
      uint32_t site, name;
      flamelet_site_info info;
      while (flamelet_span_tree_scope(spans.get(), static_cast<uint32_t>(categories.size()), &site, &name))
        categories.push_back(flamelet_capture_site(capture, site, &info) ? view_of(info.category) : "");
      merged.set_categories(std::move(categories));
      return merged;
    }
    config.max_nodes *= 4;
    config.max_scopes *= 4;
  }
}

std::vector<CallPath> paths_of(const CallTree& tree) {
  struct Walk {
    std::vector<CallPath> paths;
    std::vector<uint32_t> ids;   // by path; a visitor must not ask the tree for names
    std::vector<uint32_t> open;  // the path at each depth
  } walk;
  flamelet_call_tree_query(
      tree.get(), 0,
      [](void* user, const flamelet_call_path* path) {
        Walk& self = *static_cast<Walk*>(user);
        self.open.resize(path->depth);
        const uint32_t parent = path->depth == 0 ? 0 : self.open.back();
        self.open.push_back(static_cast<uint32_t>(self.paths.size()));
        self.ids.push_back(path->depth == 0 ? FLAMELET_CALL_ROOT : path->ids[path->depth - 1]);
        self.paths.push_back({parent, path->depth, "", path->calls, path->self_samples, path->total_samples, ""});
        return true;
      },
      &walk);
  for (size_t i = 0; i < walk.paths.size(); ++i) {
    walk.paths[i].name = flamelet_call_tree_name(tree.get(), walk.ids[i]);
    walk.paths[i].category = tree.category(walk.ids[i]);
  }
  return std::move(walk.paths);
}

}  // namespace flamelet::tools
