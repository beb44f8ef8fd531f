// SPDX-License-Identifier: MIT
//
// why_command.cpp: `flamelet why`: why a frame was slow, in the words that the game and the overlay use.
#include <flamelet/capture.h>
#include <flamelet/capture_builder.h>
#include <flamelet/explain.h>
#include <flamelet/flight.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "explainer.h"
#include "platform/system.h"
#include "table.h"

namespace flamelet::tools {
namespace {

// ---- a baseline of another capture
//
// A frame of one capture with frames of another behind it, as one capture. Sites and strings have other ids in each; here
// they are the same by their texts. So whatever reads a capture can compare the two.

struct JoinedCapture {
  std::unique_ptr<flamelet_capture, DestroyCapture> capture;
  size_t position = 0;     // of the frame
  size_t other_first = 0;  // of the other capture's frames
};

constexpr size_t kFramesBefore = 8;     // in which work may have begun that the frame waits for
constexpr int64_t kGapNs = 1000000000;  // between the two

// Copies stretches of captures into a builder.
class Joiner {
 public:
  explicit Joiner(const flamelet_capture_config& config) {
    if (flamelet_capture_builder_create(&config, &builder_) != FLAMELET_OK) throw std::bad_alloc();
  }
  ~Joiner() { flamelet_capture_builder_destroy(builder_); }
  Joiner(const Joiner&) = delete;
  Joiner& operator=(const Joiner&) = delete;

  // Frames [first, first + count), moved by these amounts. Returns the end of the last one.
  int64_t add(const flamelet_capture* capture, size_t first, size_t count, int64_t move_ns, uint64_t move_index) {
    flamelet_frame_info frame;
    flamelet_capture_frame(capture, first, &frame);
    const int64_t begin_ns = frame.begin_ns;
    flamelet_capture_frame(capture, first + count - 1, &frame);
    const int64_t end_ns = frame.end_ns;
    const std::vector<uint32_t> lanes = lanes_of(capture);
    for (size_t lane = 0; lane < lanes.size(); ++lane) add_spans(capture, lane, lanes[lane], begin_ns, end_ns, move_ns);
    add_flows(capture, lanes, begin_ns, end_ns, move_ns);
    for (size_t i = first; i < first + count; ++i) {
      flamelet_capture_frame(capture, i, &frame);
      flamelet_capture_builder_frame(builder_, frame.index + move_index, frame.begin_ns + move_ns,
                                     frame.end_ns + move_ns, frame.flags);
      flamelet_thread_time time;
      for (size_t lane = 0; lane < lanes.size(); ++lane)
        if (flamelet_capture_thread_time(capture, i, lane, &time))
          flamelet_capture_builder_thread_time(builder_, frame.index + move_index, lanes[lane], &time);
    }
    return end_ns + move_ns;
  }

  flamelet_capture* finish() {
    flamelet_capture* capture = nullptr;
    flamelet_capture_builder_finish(std::exchange(builder_, nullptr), &capture);
    return capture;
  }

 private:
  uint32_t string(flamelet_string text) { return flamelet_capture_builder_string(builder_, text.text, text.size); }

  // The builder's lane for each lane of the capture.
  std::vector<uint32_t> lanes_of(const flamelet_capture* capture) {
    std::vector<uint32_t> lanes;
    std::map<std::pair<flamelet_lane_kind, std::string>, size_t> met;
    flamelet_lane_info info;
    for (size_t i = 0; flamelet_capture_lane(capture, i, &info); ++i) {
      const std::string name(view_of(info.name));
      const auto key = std::make_tuple(info.kind, name, met[{info.kind, name}]++);
      const auto [found, is_new] = lanes_.emplace(key, 0);
      if (is_new) found->second = flamelet_capture_builder_span_lane(builder_, info.kind, 0, string(info.name), true);
      lanes.push_back(found->second);
    }
    return lanes;
  }

  uint32_t site_of(const flamelet_capture* capture, uint32_t site) {
    flamelet_site_info info;
    flamelet_capture_site(capture, site, &info);
    return flamelet_capture_builder_site(builder_, string(info.name), string(info.category), string(info.file),
                                         string(info.function), info.line, info.color);
  }

  // As far as they lie in the stretch: the other capture follows.
  void add_spans(const flamelet_capture* capture, size_t from, uint32_t to, int64_t begin_ns, int64_t end_ns,
                 int64_t move_ns) {
    SpanPieces(capture).read(from, begin_ns, end_ns, [&](const flamelet_span* spans, size_t count) {
      for (size_t i = 0; i < count; ++i) {
        flamelet_span span = spans[i];
        if ((span.flags & FLAMELET_SPAN_AGAIN) != 0) continue;
        span.begin_ns = std::max(span.begin_ns, begin_ns) + move_ns;
        span.end_ns = std::min(span.end_ns, end_ns) + move_ns;
        span.site = site_of(capture, span.site);
        span.name = string(flamelet_capture_string(capture, span.name));
        if (span.object != 0) span.object = string(flamelet_capture_string(capture, span.object));
        flamelet_capture_builder_span(builder_, to, &span);
      }
    });
  }

  void add_flows(const flamelet_capture* capture, const std::vector<uint32_t>& lanes, int64_t begin_ns, int64_t end_ns,
                 int64_t move_ns) {
    std::vector<flamelet_flow> flows(flamelet_capture_count_flows(capture, begin_ns, end_ns));
    flamelet_capture_read_flows(capture, begin_ns, end_ns, flows.data(), flows.size(), nullptr);
    std::stable_sort(flows.begin(), flows.end(),
                     [](const flamelet_flow& a, const flamelet_flow& b) { return a.time_ns < b.time_ns; });
    for (const flamelet_flow& flow : flows)
      if (flow.lane < lanes.size())
        flamelet_capture_builder_flow(builder_, lanes[flow.lane], flow.time_ns + move_ns, flow.id,
                                      (flow.flags & FLAMELET_FLOW_IS_END) != 0);
  }

  flamelet_capture_builder* builder_ = nullptr;
  std::map<std::tuple<flamelet_lane_kind, std::string, size_t>, uint32_t> lanes_;
};

// The frame at `position` keeps its index and its times, and the few frames before it stand before it. Of the other's frames
// from `first` on, up to `count` follow, with other indices and times. Lanes of one kind and name are one, in their order.
JoinedCapture join_captures(const flamelet_capture* capture, size_t position, const flamelet_capture* other,
                            size_t first, size_t count) {
  const size_t before = std::min(position, kFramesBefore);
  flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture_stats stats[2];
  flamelet_capture_get_stats(capture, &stats[0]);
  flamelet_capture_get_stats(other, &stats[1]);
  config.budget_bytes = size_t{256} << 20;  // touched as it fills
  config.budget_bytes += stats[0].budget_bytes + stats[1].budget_bytes;
  Joiner joiner(config);
  flamelet_frame_info frame, other_frame;
  flamelet_capture_frame(capture, position, &frame);
  flamelet_capture_frame(other, first, &other_frame);
  const int64_t end_ns = joiner.add(capture, position - before, before + 1, 0, 0);
  joiner.add(other, first, count, end_ns + kGapNs - other_frame.begin_ns, frame.index + 2 - other_frame.index);
  JoinedCapture joined;
  joined.capture.reset(joiner.finish());
  joined.position = flamelet_capture_find_frame(joined.capture.get(), frame.index);
  joined.other_first = joined.position + 1;
  return joined;
}

// ---- the command

struct WhyOptions {
  InputOptions input;
  WindowOptions window;
  std::vector<std::string> frames;  // their indices, "7" or "7,9"; none = the worst ones
  size_t worst = 0;                 // 0 = the one that a flight recorder kept the file for, else the worst
  std::string main_thread;
  double budget_ms = 0;          // 0 = that of the flight recorder's file, or none
  std::string baseline = "240";  // so many frames before, a range of frames, or another capture
  ReportOptions report;
};

constexpr size_t kMostBaseline = 4096;

bool is_number(const std::string& text) {
  uint64_t first, last;
  return text.find('.') == std::string::npos && parse_frame_range(text, &first, &last);
}

// "7,9" as 7 and 9.
std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= list.size(); at += parts.back().size() + 1)
    parts.push_back(list.substr(at, list.find(',', at) - at));
  return parts;
}

// What the frames are compared with.
class Baseline {
 public:
  Baseline(const WhyOptions& options, const CaptureInput& input) {
    uint64_t first_index = 0, last_index = 0;
    if (is_number(options.baseline)) {
      before_ = std::stoull(options.baseline);
      return;
    }
    before_ = 0;
    const flamelet_capture* capture = input.get();
    const bool is_range = parse_frame_range(options.baseline, &first_index, &last_index);
    const bool is_file = options.baseline == "-" || options.baseline.find_first_not_of("-.0123456789") < SIZE_MAX;
    if (!is_range && !is_file)
      throw CommandError(kExitUsage, "--baseline " + options.baseline + ": give a number of frames, or some as 5..20");
    if (!is_range) {
      other_ =
          std::make_unique<CaptureInput>(InputOptions{options.baseline, options.input.strict, options.input.frames_of});
      capture = other_->get();
      last_index = UINT64_MAX;
    }
    flamelet_frame_info frame;
    for (size_t i = 0; flamelet_capture_frame(capture, i, &frame) && frame.index <= last_index; ++i) {
      if (frame.index < first_index) continue;
      if (count_ == 0) first_ = i;
      ++count_;
    }
    if (count_ == 0)
      throw CommandError(kExitNothing, is_range ? "there are no frames " + options.baseline + " in " + input.name()
                                                : no_frames_text(*other_, {}));
    if (count_ > kMostBaseline) {  // the last of them: a game's start is no baseline
      first_ += count_ - kMostBaseline;
      count_ = kMostBaseline;
    }
  }

  size_t frames() const { return before_ != 0 ? before_ : count_; }
  const CaptureInput* other() const { return other_.get(); }
  bool is_before() const { return before_ != 0; }
  size_t first() const { return first_; }

 private:
  size_t before_ = 0;  // so many before each frame; 0: those at [first_, first_ + count_), of the other if there is one
  size_t first_ = 0, count_ = 0;
  std::unique_ptr<CaptureInput> other_;
};

uint32_t main_lane_of(const flamelet_capture* capture, const std::string& name, const CaptureInput& input) {
  if (name.empty()) return FLAMELET_EXPLAIN_GUESS_LANE;
  flamelet_lane_info info;
  for (size_t lane = 0; flamelet_capture_lane(capture, lane, &info); ++lane)
    if (info.kind != FLAMELET_LANE_FIBER && view_of(info.name) == name) return static_cast<uint32_t>(lane);
  throw CommandError(kExitNothing, "there is no lane \"" + printable(name) + "\" in " + input.name());
}

// There is nothing to say about a frame whose events were lost, on the thread that marked it, if it is known.
bool has_scopes(const flamelet_capture* capture, const flamelet_frame_info& frame) {
  if ((frame.flags & FLAMELET_FRAME_LOSSY) == 0) return true;
  bool has_any = false;
  flamelet_lane_info info;
  for (size_t lane = 0; flamelet_capture_lane(capture, lane, &info); ++lane) {
    const bool has = flamelet_capture_count_spans(capture, lane, frame.begin_ns, frame.end_ns) != 0;
    if (frame.thread != 0 && info.kind == FLAMELET_LANE_THREAD && info.id == frame.thread) return has;
    has_any = has_any || has;
  }
  return has_any;
}

struct LongFrame {
  size_t position;
  int64_t ns;
};

// Frames that can be explained, the longest first: whole ones, with scopes.
struct Candidates {
  std::vector<LongFrame> frames;  // in the midst of the run
  std::vector<LongFrame> start;   // before them, as long as the game starts: there is little to compare them with
  int64_t before_mark_ns = 0;     // no frame, but the time before the first mark
};

void sort_longest_first(std::vector<LongFrame>* frames) {
  std::stable_sort(frames->begin(), frames->end(), [](const LongFrame& a, const LongFrame& b) { return a.ns > b.ns; });
}

Candidates candidates_of(const CaptureInput& input, const Window& window, bool with_lossy) {
  Candidates candidates;
  candidates.before_mark_ns = window.start_ns;
  size_t whole = 0;
  flamelet_frame_info frame;
  for (size_t i = window.first_frame; i < window.end_frame && flamelet_capture_frame(input.get(), i, &frame); ++i) {
    const LongFrame length = {i, frame.end_ns - frame.begin_ns};
    const bool is_partial = (frame.flags & FLAMELET_FRAME_PARTIAL) != 0;
    const bool is_lossy = (frame.flags & FLAMELET_FRAME_LOSSY) != 0;
    if (is_partial || (is_lossy && !with_lossy) || !has_scopes(input.get(), frame)) continue;
    const bool is_start = window.whole && frame.index <= i + 1 && whole < FLAMELET_EXPLAIN_MIN_BASELINE;
    (is_start ? candidates.start : candidates.frames).push_back(length);
    whole += frame.flags == 0;
  }
  if (candidates.frames.empty()) candidates.frames.swap(candidates.start);
  sort_longest_first(&candidates.frames);
  sort_longest_first(&candidates.start);
  return candidates;
}

// The one that is longest beside those before it: the longest of all may be usual where it is.
LongFrame most_unlike_those_before(const CaptureInput& input, std::vector<LongFrame> frames) {
  constexpr size_t kBefore = 240;
  std::sort(frames.begin(), frames.end(),
            [](const LongFrame& a, const LongFrame& b) { return a.position < b.position; });
  LongFrame most = frames.front();
  int64_t most_ns = INT64_MIN;
  std::vector<int64_t> before;
  for (const LongFrame& each : frames) {
    before.clear();
    flamelet_frame_info frame;
    for (size_t i = each.position - std::min(each.position, kBefore); i < each.position; ++i)
      if (flamelet_capture_frame(input.get(), i, &frame) && frame.flags == 0)
        before.push_back(frame.end_ns - frame.begin_ns);
    if (before.size() < FLAMELET_EXPLAIN_MIN_BASELINE) continue;
    const auto middle = before.begin() + static_cast<std::ptrdiff_t>(before.size() / 2);
    std::nth_element(before.begin(), middle, before.end());
    if (each.ns - *middle <= most_ns) continue;
    most_ns = each.ns - *middle;
    most = each;
  }
  return most;
}

// The answer for one frame after the other.
class Answers {
 public:
  Answers(const WhyOptions& options, const CaptureInput& input)
      : options_(options), input_(input), baseline_(options, input), explainer_(config_of(options, input, baseline_)) {}

  flamelet_explanation explain(size_t position) {
    if (baseline_.other() != nullptr) {
      joined_ = join_captures(input_.get(), position, baseline_.other()->get(), baseline_.first(), baseline_.frames());
      capture_ = joined_.capture.get();
      explainer_.forget(
          main_lane_of(capture_, options_.main_thread, input_));  // it knows the ids of the capture before
      return explainer_.explain_against(capture_, joined_.position, joined_.other_first, baseline_.frames());
    }
    if (capture_ == nullptr) {
      capture_ = input_.get();
      explainer_.forget(main_lane_of(capture_, options_.main_thread, input_));
    }
    if (baseline_.is_before()) return explainer_.explain(capture_, position);
    return explainer_.explain_against(capture_, position, baseline_.first(), baseline_.frames());
  }
  // Its first line.
  std::string sentence(const flamelet_explanation& why) const {
    return printable(explainer_.words(flamelet_explain_sentence, capture_, why));
  }
  std::string text(const flamelet_explanation& why) const {
    std::string shown = printable_lines(explainer_.words(flamelet_explain_text, capture_, why)) + "\n";
    if ((why.frame.flags & FLAMELET_FRAME_TIMES_DROPPED) != 0)
      shown += "  Whether its threads ran is not known any more: newer frames took that place (max_thread_times).\n";
    return shown;
  }
  std::string json(const flamelet_explanation& why) const {
    std::string json;
    const auto append = [](void* user, const void* bytes, size_t size) {
      static_cast<std::string*>(user)->append(static_cast<const char*>(bytes), size);
      return true;
    };
    flamelet_explain_json(explainer_.get(), capture_, &why, {append, &json});
    return json;
  }

 private:
  static flamelet_explain_config config_of(const WhyOptions& options, const CaptureInput& input,
                                           const Baseline& baseline) {
    flamelet_explain_config config = flamelet_explain_config_default();
    config.baseline_frames = static_cast<uint32_t>(baseline.frames());
    config.budget_ns = static_cast<int64_t>(options.budget_ms * 1e6);
    flamelet_flight_info flight;
    if (options.budget_ms == 0 && flamelet_flight_of_capture(input.get(), &flight) &&
        flight.cause == FLAMELET_FLIGHT_FRAME_BUDGET)
      config.budget_ns = flight.limit_ns;
    return config;
  }

  const WhyOptions& options_;
  const CaptureInput& input_;
  const Baseline baseline_;
  JoinedCapture joined_;
  const flamelet_capture* capture_ = nullptr;
  Explainer explainer_;
};

bool is_answer(const flamelet_explanation& why) {
  return (why.flags & (FLAMELET_EXPLAIN_UNUSUAL | FLAMELET_EXPLAIN_OVER_BUDGET)) != 0;
}

std::string index_text(const CaptureInput& input, const LongFrame& which) {
  flamelet_frame_info frame;
  flamelet_capture_frame(input.get(), which.position, &frame);
  return std::to_string(frame.index);
}

// What is said, in the form that was asked for.
class WhyReport {
 public:
  WhyReport(const WhyOptions& options, const CaptureInput& input)
      : input_(input), answers_(options, input), is_json_(options.report.format() == ReportFormat::kJson) {}

  flamelet_explanation explain(size_t position) { return answers_.explain(position); }
  // The one that was explained last.
  void add(const flamelet_explanation& why) {
    is_nothing_ =
        is_nothing_ && ((why.flags & FLAMELET_EXPLAIN_NO_MAIN_THREAD) != 0 || !has_scopes(input_.get(), why.frame));
    if (is_json_)
      frames_ += (frames_.empty() ? "" : ",") + answers_.json(why);
    else
      text_ += (text_.empty() || text_.back() != '\n' ? "" : "\n") + answers_.text(why);
  }
  void add_words(const std::string& words) {
    if (!is_json_) text_ += words;
  }
  // How long the game took to start, if that is more than the frame took that was explained.
  void add_start(const Candidates& candidates, int64_t shown_ns) {
    if (!candidates.start.empty() && candidates.start.front().ns > shown_ns) {
      const flamelet_explanation why = explain(candidates.start.front().position);
      if (is_answer(why) && is_json_) start_ += ",\"start\":" + answers_.json(why);
      if (is_answer(why) && !is_json_) text_ += "\nAt the start: " + answers_.sentence(why) + "\n";
    }
    if (candidates.before_mark_ns <= shown_ns) return;
    if (is_json_)
      start_ += ",\"before_first_mark_ns\":" + std::to_string(candidates.before_mark_ns);
    else
      text_ += "\nBefore the first frame mark, " + duration_text(static_cast<double>(candidates.before_mark_ns)) +
               " passed: --frame 0 says in what.\n";
  }

  // {"file":"...","frames":[...],"start":{...}}
  std::string take() const {
    if (!is_json_) return text_;
    JsonWriter json;
    json.text("file", input_.name());
    std::string head = json.take();
    head.resize(head.rfind('}'));
    return json_printable(head + ",\"frames\":[" + frames_ + "]" + start_ + "}") + "\n";
  }
  bool is_nothing() const { return is_nothing_; }

 private:
  const CaptureInput& input_;
  Answers answers_;
  const bool is_json_;
  bool is_nothing_ = true;
  std::string text_, frames_, start_;
};

// The worst frame, if nobody says which: the longest if it was unusual where it is, or else what was unusual elsewhere.
void explain_worst(const CaptureInput& input, const Candidates& candidates, WhyReport* report) {
  const LongFrame longest = candidates.frames.front();
  LongFrame chosen = longest;
  flamelet_explanation why = report->explain(chosen.position);
  const bool is_comparable = (why.flags & FLAMELET_EXPLAIN_LITTLE_BASELINE) == 0;
  if (!is_answer(why)) {
    const LongFrame other = most_unlike_those_before(input, candidates.frames);
    for (const LongFrame& each : {other, candidates.start.empty() ? longest : candidates.start.front()}) {
      if (is_answer(why) || each.position == longest.position) continue;
      chosen = each;
      why = report->explain(each.position);
    }
    if (!is_answer(why) && chosen.position != longest.position) {
      chosen = longest;
      why = report->explain(longest.position);
    }
    if (!is_answer(why) && (why.flags & FLAMELET_EXPLAIN_LITTLE_BASELINE) == 0)
      report->add_words("No frame stands out. The longest: ");
  }
  report->add(why);
  if (chosen.ns < longest.ns)
    report->add_words("\nThe longest, frame " + index_text(input, longest) + ", took " +
                      duration_text(static_cast<double>(longest.ns)) +
                      (is_comparable ? ", as is usual where it is.\n" : "; too few whole frames are before it.\n"));
  report->add_start(candidates, chosen.ns);
  if (const std::string older = older_frames_text(input.get()); !older.empty()) report->add_words("\n" + older + "\n");
}

int run(const WhyOptions& options) {
  const CaptureInput input(options.input);
  const Window window = window_of(input, options.window);
  WhyReport report(options, input);
  flamelet_flight_info flight;
  std::vector<size_t> asked;
  for (const std::string& list : options.frames) {
    for (const std::string& index : split(list)) {
      asked.push_back(flamelet_capture_find_frame(input.get(), std::stoull(index)));
      if (asked.back() == SIZE_MAX)
        throw CommandError(kExitNothing, "there is no complete frame " + index + " in " + input.name());
    }
  }
  if (asked.empty() && options.worst == 0 && window.whole && flamelet_flight_of_capture(input.get(), &flight)) {
    const size_t triggered = flamelet_capture_find_frame(input.get(), flight.frame.index);
    if (triggered != SIZE_MAX) asked.push_back(triggered);
  }
  for (const size_t position : asked) report.add(report.explain(position));
  if (asked.empty()) {
    // What a damaged file lacks explains nothing.
    Candidates candidates = candidates_of(input, window, input.damage().empty());
    if (candidates.frames.empty()) candidates = candidates_of(input, window, true);
    if (candidates.frames.empty()) throw CommandError(kExitNothing, no_frames_text(input, window));
    if (options.worst == 0) {
      explain_worst(input, candidates, &report);
    } else {
      std::vector<LongFrame> worst = candidates.frames;
      worst.insert(worst.end(), candidates.start.begin(), candidates.start.end());
      worst.resize(std::min(worst.size(), options.worst));
      for (const LongFrame& each : worst) report.add(report.explain(each.position));
      if (worst.size() <= candidates.frames.size()) report.add_start(candidates, worst.front().ns);
    }
  }
  const bool is_read = options.report.format() == ReportFormat::kText && !options.report.to_file() &&
                       is_terminal(Stream::kOutput);  // elsewhere lines stay whole: they may be searched for
  put_report(options.report, is_read ? wrapped(report.take(), options.report.width()) + "\n" : report.take());
  return report.is_nothing() ? kExitNothing : kExitDone;
}

}  // namespace

void add_why_command(Command* program) {
  const auto options = std::make_shared<WhyOptions>();
  Command why = program->add_command("why", "Why a frame was slow: in a sentence, from its critical path");
  why.footer(
      "Follows the frame back from its end: through the main thread's work, and where it\n"
      "waited, through the work of whoever it waited for, as flows tell\n"
      "(FLAMELET_FLOW_BEGIN), or else as the times say (\"probably\"). Compares that with the\n"
      "frames before, or, where these are few, around it, and names what took longer than\n"
      "usual, and in which way. What makes the answer less sure is said first: losses, a\n"
      "partial frame, less than 30 frames to compare with. Frames of another capture are\n"
      "compared by the names of scopes and lanes: what a run of an older build took for the\n"
      "same.\n\n"
      "Without --frame and --frames the game's start is told apart: the first 30 frames.\n\n"
      "Examples:\n"
      "  flamelet why game.flamelet            the worst frame; of a flight recorder's\n"
      "                                        file, the one that triggered\n"
      "  flamelet why game.flamelet --frame 1502,1507\n"
      "  flamelet why game.flamelet --frames 600..\n"
      "  flamelet why game.flamelet --baseline good.flamelet\n"
      "  flamelet why game.flamelet --worst 5 --json | jq '.frames[].sentence'");
  add_input_options(&why, &options->input);
  const Option frame = why.texts("--frame", "N,...", &options->frames, "This frame, by its index, or these");
  Option checked = frame;
  checked.check([](const std::string& value) {
    for (const std::string& index : split(value))
      if (!is_number(index)) return "\"" + printable(index) + "\" is no frame index";
    return std::string();
  });
  add_window_options(&why, &options->window).excludes(frame);
  why.number("-n,--worst,--top", "K", &options->worst, 1, SIZE_MAX, "The K longest frames; by default one")
      .excludes(frame);
  why.text("--baseline", "N|A..B|FILE", &options->baseline,
           "Compare with the N frames before, with the frames A..B, or with those of another capture")
      .shows_default()
      .check([](const std::string& value) {
        const bool is_wrong =
            is_number(value) && (value.size() > 4 || std::stoul(value) == 0 || std::stoul(value) > kMostBaseline);
        return is_wrong ? value + " is no number from 1 to " + std::to_string(kMostBaseline) : std::string();
      });
  why.number(
      "--budget", "MS", &options->budget_ms, 0.0, 1e6,
      "Explain a frame that takes longer though it be usual; by default the one that a flight recorder was told");
  why.text("--main-thread", "NAME", &options->main_thread, "The thread that marks the frames, if the guess is wrong");
  add_json_options(&why, &options->report, "JSON, with the critical path; times in nanoseconds");
  why.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
