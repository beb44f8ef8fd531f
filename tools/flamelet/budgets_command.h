// SPDX-License-Identifier: MIT
//
// budgets_command.h: captures against a file of budgets (flamelet/budgets.h).
#pragma once

#include <flamelet/budgets.h>

#include <string>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "table.h"

namespace flamelet::tools {

class BudgetCheck {
 public:
  struct Result {
    std::string scope;  // "" for the frame
    int64_t limit_ns;
    flamelet_budget_kind kind;
    uint32_t line;
    bool is_known = false;   // a capture has the scope
    double most_ns = 0;      // of the captures
    bool on_gpu = false;     // where that was
    std::string capture;     // that has it
    size_t exceeded_in = 0;  // captures
  };

  // Exit code 2, with file and line, if a line of the file is wrong.
  explicit BudgetCheck(const std::string& path);

  // What the capture calls scopes is known from then on.
  void add_names(const CaptureInput& input);
  // And its frames are held against the budgets. False: it has no whole frame.
  bool add(const CaptureInput& input, const WindowOptions& window);
  // Exit code 2, with file and line, if there is a budget for a scope that no capture knows.
  void finish() const;

  const std::vector<Result>& results() const { return results_; }
  std::vector<const Result*> exceeded() const;  // the one that is furthest over first
  size_t captures() const { return captures_; }

  // "2 of 14 budgets are exceeded in 3 captures", "all 14 budgets are kept in 1 capture", "no budget was checked: ..."
  std::string sentence() const;
  Table table() const;  // of those that are exceeded
  void json(JsonWriter* json, const char* key) const;

 private:
  const std::string path_;
  std::vector<Result> results_;
  size_t captures_ = 0;
};

// "Physics::step, p99", "frame, max"
std::string budget_name(const BudgetCheck::Result& result);
// "7.000 ms", "12.10 ms on the GPU"
std::string most_text(const BudgetCheck::Result& result);

}  // namespace flamelet::tools
