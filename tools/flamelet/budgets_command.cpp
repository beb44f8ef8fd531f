// SPDX-License-Identifier: MIT
//
// budgets_command.cpp: `flamelet budgets`: a file of how long frames and scopes may take, made from good runs, and held
// against others.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "budget_check.h"
#include "command.h"
#include "command_line.h"
#include "display_text.h"
#include "files.h"
#include "frames_of.h"

namespace flamelet::tools {
namespace {

struct LearnOptions {
  std::vector<std::string> files;
  bool strict = false;
  std::string frames_of;
  WindowOptions window;
  std::string kind = "p99";
  double margin_percent = 20;
  double least_percent = -1;  // negative: of all, but none has less than for 1 %
  std::string output;
};

struct CheckOptions {
  std::string budgets;
  std::vector<std::string> files;
  bool strict = false;
  std::string frames_of;
  WindowOptions window;
  ReportOptions report;
};

// A scope that takes less of a frame does not matter.
constexpr double kShortPercent = 1;

flamelet_budget_kind kind_of(const std::string& name) {
  int kind = 0;
  while (name != flamelet_budget_kind_name(static_cast<flamelet_budget_kind>(kind))) ++kind;
  return static_cast<flamelet_budget_kind>(kind);
}

// Milliseconds, rounded up to three digits.
std::string limit_text(double ns) {
  const double unit = std::max(std::pow(10, std::floor(std::log10(ns)) - 2), 1.0);
  std::string text = fixed(std::ceil(ns / unit - 1e-9) * unit / 1e6, 6);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// A line of the file ends with the name.
bool can_be_written(const std::string& name) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  return !name.empty() && name.find_first_of(std::string_view("\n\0", 2)) == std::string::npos &&
         !is_space(name.front()) && !is_space(name.back());
}

std::string no_whole_frame(const CaptureInput& input) {
  const size_t frames = flamelet_capture_frame_count(input.get());
  const std::string choices = frames == 0 ? frames_of_choices(input.get()) : "";
  return input.name() + " has no whole frame" + (choices.empty() ? "" : "; options take something else:" + choices);
}

int learn(const LearnOptions& options) {
  const flamelet_budget_kind kind = kind_of(options.kind);
  double frame_ns = 0;
  size_t frames = 0, captures = 0;
  struct Learned {
    double most_ns = 0;    // the largest figure of all captures
    size_t steady_in = 0;  // captures, in most frames of which it is
    size_t last_of = 0;    // these, from 1
  };
  std::map<std::string, Learned> scopes;
  for (const std::string& file : options.files) {
    const CaptureInput input({file, options.strict, options.frames_of});
    MeasuredFrames measured = measure_frames(input, options.window);
    if (measured.frames_ns.empty()) throw CommandError(kExitNothing, no_whole_frame(input));
    ++captures;
    frames += measured.frames_ns.size();
    frame_ns = std::max(frame_ns, budget_figure(kind, &measured.frames_ns));
    for (NamedScope& scope : measured.scopes) {
      if (scope.is_wait) continue;  // how long it takes is for others to say
      Learned& learned = scopes[scope.name];
      const auto idle = std::count(scope.times_ns.begin(), scope.times_ns.end(), int64_t{0});
      const bool is_steady = 2 * static_cast<size_t>(idle) < scope.times_ns.size();
      if (is_steady && std::exchange(learned.last_of, captures) != captures) ++learned.steady_in;
      learned.most_ns = std::max(learned.most_ns, budget_figure(kind, &scope.times_ns));
    }
  }
  if (frame_ns <= 0)
    throw CommandError(kExitNothing, "the " + options.kind + " of the frames is 0: there is no budget");
  std::vector<std::pair<double, std::string>> chosen;
  size_t unwritten = 0, left_out = 0;
  const bool has_short = options.least_percent < 0;
  const double least_ns = frame_ns * (has_short ? kShortPercent : options.least_percent) / 100;
  for (const auto& [name, learned] : scopes) {
    // A short scope has as much as it would need to matter, so that it is seen if it comes to matter; but only one that every
    // other run will have, too.
    const bool is_left_out = !has_short || learned.steady_in < options.files.size();
    if (learned.most_ns <= 0 || (learned.most_ns < least_ns && is_left_out))
      ++left_out;
    else if (can_be_written(name))
      chosen.emplace_back(-std::max(learned.most_ns, least_ns), name);
    else
      ++unwritten;
  }
  std::sort(chosen.begin(), chosen.end());
  const double factor = 1 + options.margin_percent / 100;
  const auto line = [&](const char* what, double ns, const std::string& name) {
    return std::string(what) + " " + limit_text(ns * factor) + " " + options.kind + name + "\n";
  };
  std::string text = "# " + std::to_string(options.files.size()) +
                     (options.files.size() == 1 ? " capture, " : " captures, ") + std::to_string(frames) +
                     (frames == 1 ? " frame" : " frames") + ": the largest " + options.kind + " of a capture, and " +
                     fixed(options.margin_percent, 0) + " % more. Milliseconds in a frame.\n";
  text += line("frame", frame_ns, "");
  for (const auto& [ns, name] : chosen) text += line("scope", -ns, " " + name);
  const auto say = [](size_t count, const std::string& why) {
    if (count != 0) std::fprintf(stderr, "no budget for %zu scope%s: %s\n", count, count == 1 ? "" : "s", why.c_str());
  };
  say(unwritten, "no line can hold the name");
  say(left_out, has_short ? "short, and not in most frames of every capture"
                          : "less than " + fixed(options.least_percent, 1) + " % of a frame");
  ReportOptions report;
  report.output = options.output;
  put_report(report, text);
  return kExitDone;
}

int check(const CheckOptions& options) {
  BudgetCheck check(options.budgets);
  for (const std::string& file : options.files) {
    try {
      const CaptureInput input({file, options.strict, options.frames_of});
      if (!check.add(input, options.window)) throw CommandError(kExitNothing, no_whole_frame(input));
    } catch (const CommandError& error) {
      throw CommandError(error.code() == kExitNothing ? kExitUnclear : error.code(), error.what());
    }
  }
  check.finish();
  const bool is_kept = check.exceeded().empty();
  if (options.report.format() == ReportFormat::kJson) {
    JsonWriter json;
    json.text("sentence", check.sentence());
    json.count("captures", check.captures());
    json.count("exceeded", check.exceeded().size());
    check.json(&json, "budgets");
    put_report(options.report, json.take());
  } else {
    put_report(options.report,
               check.sentence() + "\n" + (is_kept ? "" : "\n" + check.table().text(options.report.table_width())));
  }
  return is_kept ? kExitDone : kExitSlower;
}

void add_learn_command(Command* budgets) {
  const auto options = std::make_shared<LearnOptions>();
  Command learn_command = budgets->add_command("learn", "Write a file of budgets from good runs");
  learn_command.footer(
      "Of each capture, the p99 of the frames and of each scope; the largest of all captures, and 20 % more. Scopes\n"
      "that take less than 1 % of a frame get the budget of that 1 %, if they are in most frames of all captures.\n"
      "Scopes that wait get none.\n\n"
      "Example:\n"
      "  flamelet budgets learn good-*.flamelet --frames 60.. -o game.budgets");
  learn_command.positionals("GOOD", &options->files, "Captures of runs that were fast enough");
  learn_command.flag("--strict", &options->strict, "Exit with 3 if a file is damaged");
  add_frames_of_option(&learn_command, &options->frames_of);
  add_window_options(&learn_command, &options->window);
  learn_command.choice("--kind", "KIND", &options->kind, {"max", "p99", "p95", "p50", "mean"},
                       "What of the frames a budget is for");
  learn_command.number("--margin", "PERCENT", &options->margin_percent, 0.0, 10000.0, "So much more than the good runs")
      .shows_default();
  learn_command.number("--min", "PERCENT", &options->least_percent, 0.0, 100.0,
                       "Only scopes that take this share of a frame; by default shorter ones, too");
  add_report_file(&learn_command, "-o,--output", &options->output, "Write to FILE");
  learn_command.run([options] { return learn(*options); });
}

void add_check_command(Command* budgets) {
  const auto options = std::make_shared<CheckOptions>();
  Command check_command = budgets->add_command("check", "Hold captures against a file of budgets");
  check_command.footer(
      "Lists what takes longer than its budget in any of the captures. The exit code is 0 if nothing does, 5 if\n"
      "something does, 6 if a capture has no frame, and 2 if a line of the file is wrong or names an unknown scope.\n\n"
      "Example:\n"
      "  flamelet budgets check game.budgets new-*.flamelet");
  check_command.positional("BUDGETS", &options->budgets, "A file of budgets");
  check_command.positionals("CAPTURE", &options->files, "Captures");
  check_command.flag("--strict", &options->strict, "Exit with 3 if a file is damaged");
  add_frames_of_option(&check_command, &options->frames_of);
  add_window_options(&check_command, &options->window);
  add_json_options(&check_command, &options->report, "JSON, with the budgets that are kept; times in nanoseconds");
  add_width_option(&check_command, &options->report);
  check_command.run([options] { return check(*options); });
}

}  // namespace

void add_budgets_command(Command* program) {
  Command budgets = program->add_command("budgets", "How long frames and scopes may take");
  budgets.needs_command();
  add_learn_command(&budgets);
  add_check_command(&budgets);
}

}  // namespace flamelet::tools
