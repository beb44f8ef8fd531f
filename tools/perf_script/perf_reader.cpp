// SPDX-License-Identifier: MIT
#include "perf_reader.h"

#include <charconv>
#include <utility>

#include "perf_line.h"

namespace flamelet::tools {
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
  is_cut_ = is_cut_ || (has_ended_stack_ && !sample_.frames.empty());
  end_sample();
}

void PerfReader::skip(const char* problem) {
  ++problem_count_;
  on_problem_(line_count_, problem);
}

// Frames are indented by a tab. Commands may be indented, too, by spaces; so may be frames that went through an editor.
void PerfReader::take_line(std::string_view text, bool whole) {
  ++line_count_;
  if (!whole) {
    skip("the line is too long");
    return;
  }
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) {
    has_ended_stack_ = has_ended_stack_ || !sample_.frames.empty();
    end_sample();
    return;
  }
  if (text.front() != '\t' && take_header(text)) return;  // a command may begin with #
  if (text.front() == '#') return;                        // perf's comments
  if (take_record(text)) return;
  if (text.front() == '\t' || text.front() == ' ' || text.front() == '|') {
    if (take_frame(text)) return;
    if (state_ == State::kSkipping || (state_ == State::kInSample && is_beside_frames(text))) return;
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
  if (!parse_perf_header(text, &header) || header.event.substr(0, kRecord.size()) == kRecord) return false;
  end_sample();
  if (header.event == "metric") return true;  // figures of the samples before it: "metric:  0.13 insn per cycle"
  text_ = '[';
  text_ += header.command;
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
  needs_frames_ = !header.has_process;
  if (header.has_frame) take_frame(header.rest);
  return true;
}

bool PerfReader::take_frame(std::string_view text) {
  if (!parse_perf_frame(text, &text_)) return false;
  if (state_ != State::kInSample) {
    ++stray_frame_count_;
    return state_ == State::kSkipping;
  }
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
}

}  // namespace flamelet::tools
