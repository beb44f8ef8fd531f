// SPDX-License-Identifier: MIT
#include "script_log.h"

#include <cinttypes>
#include <cstdio>
#include <stdexcept>

namespace demo {

ScriptLog::ScriptLog(const std::string& path) {
  if (path.empty()) return;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = path.c_str();
  const flamelet_result result = flamelet_perf_log_create(&config, &log_);
  if (result != FLAMELET_OK) throw std::runtime_error(path + ": " + flamelet_result_message(result));
}

ScriptLog::~ScriptLog() {
  if (log_ == nullptr) return;
  flamelet_perf_log_poll(log_);
  flamelet_perf_log_stats stats;
  flamelet_perf_log_get_stats(log_, &stats);
  const bool written = flamelet_perf_log_destroy(log_) == FLAMELET_OK && stats.frames_unwritten == 0;
  if (!written || stats.blocks_dropped != 0 || stats.events_lost != 0)
    std::fprintf(stderr,
                 "The performance log is not whole: %" PRIu64 " frames, %" PRIu64 " blocks, %" PRIu64
                 " events are missing\n",
                 stats.frames_unwritten, stats.blocks_dropped, stats.events_lost);
}

void ScriptLog::frame() {
  constexpr uint32_t kFramesBetween = 30;
  if (log_ != nullptr && ++frames_ % kFramesBetween == 0) flamelet_perf_log_poll(log_);
}

}  // namespace demo
