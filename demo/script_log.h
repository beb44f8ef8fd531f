// SPDX-License-Identifier: MIT
//
// --perf-log: what the captains' script calls, as a performance log.
#pragma once

#include <flamelet/perf_log.h>

#include <string>

namespace demo {

class ScriptLog {
 public:
  explicit ScriptLog(const std::string& path);  // "" = no log; throws std::runtime_error
  ~ScriptLog();                                 // says on stderr what is missing from the log
  ScriptLog(const ScriptLog&) = delete;
  ScriptLog& operator=(const ScriptLog&) = delete;

  bool is_open() const { return log_ != nullptr; }
  // After each frame. Writes now and then, so that few frames take longer for it.
  void frame();

 private:
  flamelet_perf_log* log_ = nullptr;
  uint32_t frames_ = 0;
};

}  // namespace demo
