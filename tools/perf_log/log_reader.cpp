// SPDX-License-Identifier: MIT
#include "log_reader.h"

#include <utility>

namespace flamelet::tools {

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
    if (!frame.blocks.empty()) end_frame(&frame);
  open_.clear();
}

void LogReader::skip(const char* problem) {
  ++problem_count_;
  on_problem_(line_count_, problem);
}

void LogReader::take_line(std::string_view text, bool whole, bool has_end) {
  ++line_count_;
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
    case LogLine::Kind::kFrame:
      break;
  }
  LogFrame* frame = open_frame(line.thread);
  if (frame == nullptr) return;
  if (!frame->blocks.empty()) end_frame(frame);
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
  for (auto at = open_.begin(); at != open_.end();) at = at->second.blocks.empty() ? open_.erase(at) : std::next(at);
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

}  // namespace flamelet::tools
