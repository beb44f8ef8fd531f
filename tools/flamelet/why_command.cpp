// SPDX-License-Identifier: MIT
//
// why_command.cpp: `flamelet why`: why a frame was slow, in the words that the game and the overlay use.
#include <flamelet/explain.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command.h"
#include "display_text.h"
#include "json_writer.h"
#include "report_options.h"

namespace flamelet::tools {
namespace {

struct WhyOptions {
  InputOptions input;
  std::string frame;  // its index, "" = the worst ones
  size_t worst = 1;
  std::string main_thread;
  size_t baseline = 240;
  bool json = false;
  std::string output;
};

// An explainer with its memory.
class Explainer {
 public:
  explicit Explainer(const flamelet_explain_config& config) {
    memory_.resize(flamelet_explain_memory_required(&config));
    if (flamelet_explain_create(&config, memory_.data(), memory_.size(), &explain_) != FLAMELET_OK)
      throw std::bad_alloc();
  }
  flamelet_explain* get() const { return explain_; }

 private:
  std::vector<char> memory_;
  flamelet_explain* explain_ = nullptr;
};

uint32_t main_lane_of(const CaptureInput& input, const std::string& name) {
  if (name.empty()) return FLAMELET_EXPLAIN_GUESS_LANE;
  flamelet_lane_info info;
  for (size_t lane = 0; flamelet_capture_lane(input.get(), lane, &info); ++lane)
    if (info.kind != FLAMELET_LANE_FIBER && view_of(info.name) == name) return static_cast<uint32_t>(lane);
  throw CommandError(kExitNothing, "there is no lane \"" + printable(name) + "\" in " + input.name());
}

// The positions of the frames to explain: the one that was asked for, or the longest ones. Partial frames are not whole
// ones, and the first of all is the game's start.
std::vector<size_t> chosen_frames(const WhyOptions& options, const CaptureInput& input) {
  if (!options.frame.empty()) {
    const size_t position = flamelet_capture_find_frame(input.get(), std::stoull(options.frame));
    if (position == SIZE_MAX)
      throw CommandError(kExitNothing, "there is no complete frame " + options.frame + " in " + input.name());
    return {position};
  }
  std::vector<std::pair<int64_t, size_t>> frames;  // how long, and where
  flamelet_frame_info frame;
  for (size_t i = 0; flamelet_capture_frame(input.get(), i, &frame); ++i)
    if ((frame.flags & FLAMELET_FRAME_PARTIAL) == 0) frames.emplace_back(frame.begin_ns - frame.end_ns, i);
  if (frames.empty()) throw CommandError(kExitNothing, "there is no complete frame in " + input.name());
  std::sort(frames.begin(), frames.end());
  frames.resize(std::min(frames.size(), options.worst));
  std::vector<size_t> positions;
  for (const auto& [length, position] : frames) positions.push_back(position);
  return positions;
}

// With as much room as the frames need: a file may have more in a frame than a game looks at while it runs.
class Answers {
 public:
  Answers(const WhyOptions& options, const CaptureInput& input) : input_(input) {
    config_ = flamelet_explain_config_default();
    config_.baseline_frames = static_cast<uint32_t>(options.baseline);
    config_.main_lane = main_lane_of(input, options.main_thread);
    config_.max_lanes = std::max(config_.max_lanes, static_cast<uint32_t>(flamelet_capture_lane_count(input.get())));
    explainer_ = std::make_unique<Explainer>(config_);
  }

  flamelet_explanation explain(size_t position) {
    flamelet_explanation why;
    for (;;) {
      flamelet_explain_frame(explainer_->get(), input_.get(), position, &why);
      if ((why.flags & FLAMELET_EXPLAIN_OVER_LIMITS) == 0 || config_.max_spans >= kMostSpans) return why;
      for (uint32_t* limit :
           {&config_.max_spans, &config_.max_flows, &config_.max_paths, &config_.max_samples, &config_.max_pieces})
        *limit *= 4;
      explainer_.reset();  // its memory first
      explainer_ = std::make_unique<Explainer>(config_);
    }
  }
  std::string text(const flamelet_explanation& why) const {
    std::string text(flamelet_explain_text(explainer_->get(), input_.get(), &why, nullptr, 0) + 1, '\0');
    flamelet_explain_text(explainer_->get(), input_.get(), &why, text.data(), text.size());
    text.pop_back();
    std::string shown;
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      shown += printable(text.substr(at, end - at)) + "\n";
      at = end + 1;
    }
    return shown;
  }
  std::string json(const flamelet_explanation& why) const {
    std::string json;
    const auto append = [](void* user, const void* bytes, size_t size) {
      static_cast<std::string*>(user)->append(static_cast<const char*>(bytes), size);
      return true;
    };
    flamelet_explain_json(explainer_->get(), input_.get(), &why, {append, &json});
    return json;
  }

 private:
  static constexpr uint32_t kMostSpans = 1u << 22;

  const CaptureInput& input_;
  flamelet_explain_config config_;
  std::unique_ptr<Explainer> explainer_;
};

// {"file":"...","frames":[...]}
std::string document(const CaptureInput& input, const std::string& frames) {
  JsonWriter json;
  json.begin_object();
  json.text("file", input.name());
  json.end_object();
  std::string head = json.take();
  head.resize(head.rfind('}'));
  return head + ",\"frames\":[" + frames + "]}\n";
}

int run(const WhyOptions& options) {
  const CaptureInput input(options.input);
  const std::vector<size_t> positions = chosen_frames(options, input);
  Answers answers(options, input);
  std::string text, frames;
  bool nothing = true;
  for (const size_t position : positions) {
    const flamelet_explanation why = answers.explain(position);
    nothing = nothing && (why.flags & FLAMELET_EXPLAIN_NO_MAIN_THREAD) != 0;
    if (options.json)
      frames += (frames.empty() ? "" : ",") + answers.json(why);
    else
      text += (text.empty() ? "" : "\n") + answers.text(why);
  }
  ReportOptions report;
  report.output = options.output;
  put_report(report, options.json ? document(input, frames) : text);
  return nothing ? kExitNothing : kExitDone;
}

}  // namespace

void add_why_command(Command* program) {
  const auto options = std::make_shared<WhyOptions>();
  Command why = program->add_command("why", "Why a frame was slow: in a sentence, from its critical path");
  why.footer(
      "Follows the frame back from its end: through the main thread's work, and where it waited, through the work of\n"
      "whoever it waited for, as flows tell (FLAMELET_FLOW_BEGIN), or else as the times say (\"probably\"). Compares\n"
      "that with the frames before, and names what took longer than usual, and in which way. What makes the answer\n"
      "less sure is said first: losses, a partial frame, less than 30 frames to compare with.\n\n"
      "Examples:\n"
      "  flamelet why game.flamelet                     the longest frame\n"
      "  flamelet why game.flamelet --frame 1502\n"
      "  flamelet why game.flamelet --worst 5 --json | jq '.frames[].sentence'");
  add_input_options(&why, &options->input);
  const Option frame = why.text("--frame", "N", &options->frame, "This frame, by its index");
  Option checked = frame;
  checked.check([](const std::string& value) {
    const bool is_number = !value.empty() && value.size() < 20 &&
                           std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? std::string() : "\"" + printable(value) + "\" is no frame index";
  });
  why.number("--worst", "K", &options->worst, 1, 1000, "The K longest frames").shows_default().excludes(frame);
  why.number("--baseline", "N", &options->baseline, 1, 4096, "Compare with the N frames before").shows_default();
  why.text("--main-thread", "NAME", &options->main_thread, "The thread that marks the frames, if the guess is wrong");
  why.flag("--json", &options->json, "JSON, with the critical path; times in nanoseconds");
  why.text("-o,--output", "FILE", &options->output, "Write to FILE");
  why.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
