// SPDX-License-Identifier: MIT
#include "log_follow.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "capture_input.h"
#include "command.h"
#include "display_text.h"
#include "files.h"
#include "log_analysis.h"
#include "log_report.h"
#include "platform/terminal.h"

namespace flamelet::tools {
namespace {

using Clock = std::chrono::steady_clock;

// A log and what it amounts to so far.
class LiveLog {
 public:
  explicit LiveLog(const std::vector<std::string>& tasks) : analysis_(analysis_options(tasks)) {}
  LiveLog(const LiveLog&) = delete;
  LiveLog& operator=(const LiveLog&) = delete;

  void feed(std::string_view piece) { reader_.feed(piece); }
  void finish() { reader_.finish(); }
  const LogAnalysis& analysis() const { return analysis_; }
  const NameTable& names() const { return reader_.names(); }
  uint64_t skipped() const { return skipped_; }

 private:
  static AnalysisOptions analysis_options(const std::vector<std::string>& tasks) {
    AnalysisOptions options;
    options.tasks = tasks;
    options.extremes = 0;
    return options;
  }

  LogAnalysis analysis_;
  uint64_t skipped_ = 0;
  LogReader reader_{[this](const LogFrame& frame) { analysis_.add(frame, reader_.names()); },
                    [this](uint64_t, const char*) { ++skipped_; }};
};

class LiveTable {
 public:
  explicit LiveTable(const FollowOptions& options) : options_(options), is_terminal_(is_terminal(Stream::kOutput)) {}

  // Nothing if no frame came since the last time.
  void show(const LiveLog& log) {
    if (log.analysis().frame_count() == shown_frames_) return;
    shown_frames_ = log.analysis().frame_count();
    LogReport report = {options_.file,  log.analysis(), log.names(), log.analysis().by_total(), 0, 0, false, 0,
                        options_.report};
    // On a terminal, what would scroll away is left out.
    constexpr size_t kOtherRows = 6;
    size_t top = options_.top == 0 ? SIZE_MAX : options_.top;
    if (is_terminal_) top = std::min(top, std::max<size_t>(terminal_rows(), kOtherRows + 4) - kOtherRows);
    if (report.routines.size() > top) {
      report.left_out = report.routines.size() - top;
      report.routines.resize(top);
    }
    std::string text = is_terminal_ ? "\033[H\033[J" : any_ ? "\n" : "";
    any_ = true;
    text += (options_.file == "-" ? std::string("standard input") : printable(options_.file)) + ": " +
            std::to_string(shown_frames_) + (shown_frames_ == 1 ? " frame" : " frames");
    if (log.skipped() != 0) text += ", " + std::to_string(log.skipped()) + " lines skipped";
    print(text + "\n" + stats_text(report));
  }

  bool any() const { return any_; }

 private:
  const FollowOptions& options_;
  const bool is_terminal_;
  bool any_ = false;
  uint64_t shown_frames_ = 0;
};

}  // namespace

int follow_log(const FollowOptions& options) {
  const auto interval = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.interval_s));
  InputFile file(options.file);
  const std::string name = options.file == "-" ? "standard input" : printable(options.file);
  // Not of a pipe: what it begins with may come late.
  if (file.is_regular() && (is_capture(file.head()) || is_ring(file.head()))) throw log_is_capture(name);
  auto log = std::make_unique<LiveLog>(options.tasks);
  LiveTable table(options);
  Clock::time_point next = Clock::now() + interval;
  bool has_waited = false;
  for (;;) {
    file.read([&](std::string_view piece) {
      log->feed(piece);
      if (Clock::now() < next) return;  // of a pipe, pieces come as they are written
      table.show(*log);
      next = Clock::now() + interval;
    });
    if (!file.is_regular() || file.is_removed()) break;
    table.show(*log);
    if (!table.any() && !std::exchange(has_waited, true) && is_terminal(Stream::kError))
      std::fprintf(stderr, "%s: no frame yet\n", name.c_str());
    std::this_thread::sleep_for(interval);
    if (file.restart_if_cut()) log = std::make_unique<LiveLog>(options.tasks);
  }
  log->finish();
  table.show(*log);
  if (!table.any()) throw CommandError(kExitNothing, "there was no PERF block in " + name);
  return kExitDone;
}

}  // namespace flamelet::tools
