// SPDX-License-Identifier: MIT
//
// budgets_command.cpp: `flamelet budgets`: a file of how long frames and scopes may take, made from good runs, and held
// against others.
#include "budgets_command.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "files.h"
#include "flamelet/detail/site.h"

namespace flamelet::tools {
namespace {

std::vector<size_t> lanes_of_kind(const CaptureInput& input, flamelet_lane_kind kind) {
  std::vector<size_t> lanes;
  flamelet_lane_info info;
  for (size_t lane = 0; flamelet_capture_lane(input.get(), lane, &info); ++lane)
    if (info.kind == kind) lanes.push_back(lane);
  return lanes;
}

double over(const BudgetCheck::Result& result) {
  return result.most_ns / static_cast<double>(result.limit_ns);
}

// How long each whole frame of the window took, and the scopes of each name in it: on all threads together, and on all GPU
// queues together. Partial frames and those with losses are left out.
struct NamedScope {
  std::string name;
  bool on_gpu;
  bool is_wait;
  ScopeFrames frames;
};
struct MeasuredFrames {
  std::vector<int64_t> frames_ns;
  std::vector<NamedScope> scopes;
};
MeasuredFrames measure_frames(const CaptureInput& input, const WindowOptions& options) {
  MeasuredFrames measured;
  if (flamelet_capture_frame_count(input.get()) == 0) return measured;
  const Window window = window_of(input, options);
  std::vector<flamelet_frame_info> whole;
  flamelet_frame_info frame;
  for (size_t i = window.first_frame; i < window.end_frame && flamelet_capture_frame(input.get(), i, &frame); ++i) {
    if ((frame.flags & (FLAMELET_FRAME_PARTIAL | FLAMELET_FRAME_LOSSY)) != 0) continue;
    whole.push_back(frame);
    measured.frames_ns.push_back(frame.end_ns - frame.begin_ns);
  }
  for (const flamelet_lane_kind kind : {FLAMELET_LANE_THREAD, FLAMELET_LANE_GPU})
    for (ScopeFrames& scope : scope_frames(input, lanes_of_kind(input, kind), whole, true)) {
      flamelet_site_info site;
      flamelet_capture_site(input.get(), scope.site, &site);
      const flamelet_string name = flamelet_capture_string(input.get(), scope.name);
      measured.scopes.push_back(
          {std::string(view_of(name)), kind == FLAMELET_LANE_GPU, is_wait(site), std::move(scope)});
    }
  return measured;
}

// What a budget of this kind is held against. `times_ns` is not empty, and in no order afterwards.
double budget_figure(flamelet_budget_kind kind, std::vector<int64_t>* times_ns) {
  const auto count = static_cast<double>(times_ns->size());
  double share = 1;
  switch (kind) {
    case FLAMELET_BUDGET_MEAN:
      return std::accumulate(times_ns->begin(), times_ns->end(), 0.0) / count;
    case FLAMELET_BUDGET_P99:
      share = 0.99;
      break;
    case FLAMELET_BUDGET_P95:
      share = 0.95;
      break;
    case FLAMELET_BUDGET_P50:
      share = 0.50;
      break;
    default:
      break;
  }
  const auto rank = times_ns->begin() + static_cast<std::ptrdiff_t>(std::ceil(share * count - 1e-9)) - 1;
  std::nth_element(times_ns->begin(), rank, times_ns->end());
  return static_cast<double>(*rank);
}

}  // namespace

constexpr size_t kMostBudgetBytes = size_t{1} << 20;

BudgetCheck::BudgetCheck(const std::string& path) : path_(path == "-" ? "standard input" : printable(path)) {
  std::string text;
  InputFile(path).read([&](std::string_view piece) {
    if (piece.size() > kMostBudgetBytes - text.size())
      throw CommandError(kExitInput, path_ + " is no budgets file: it has more than 1 MiB");
    text += piece;
  });
  std::vector<flamelet_budget> budgets(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  size_t count = 0;
  flamelet_budgets_error error;
  if (flamelet_budgets_read(text.data(), text.size(), budgets.data(), budgets.size(), &count, &error) != FLAMELET_OK)
    throw CommandError(kExitUsage, path_ + ":" + std::to_string(error.line) + ": " + error.message);
  budgets.resize(count);
  for (const flamelet_budget& budget : budgets) {
    Result result;
    result.scope = view_of(budget.scope);
    result.limit_ns = budget.limit_ns;
    result.kind = budget.kind;
    result.line = budget.line;
    result.is_known = result.scope.empty();
    results_.push_back(std::move(result));
  }
  if (results_.empty()) throw CommandError(kExitUsage, path_ + " has no budget in it");
}

// Also scopes that were never entered have a site.
void BudgetCheck::add_names(const CaptureInput& input) {
  std::set<std::string_view> names;
  flamelet_site_info site;
  for (size_t i = 0; i < flamelet_capture_site_count(input.get()); ++i)
    if (flamelet_capture_site(input.get(), static_cast<uint32_t>(i), &site)) names.insert(view_of(site.name));
  for (Result& result : results_) result.is_known = result.is_known || names.count(result.scope) != 0;
}

bool BudgetCheck::add(const CaptureInput& input, const WindowOptions& window) {
  add_names(input);
  const MeasuredFrames measured = measure_frames(input, window);
  if (measured.frames_ns.empty()) return false;
  ++captures_;
  for (Result& result : results_) {
    double took_ns = 0;
    const auto take = [&](std::vector<int64_t> times_ns, bool on_gpu) {
      const double figure_ns = budget_figure(result.kind, &times_ns);
      took_ns = std::max(took_ns, figure_ns);
      if (figure_ns <= result.most_ns) return;
      result.most_ns = figure_ns;
      result.on_gpu = on_gpu;
      result.capture = input.name();
    };
    if (result.scope.empty()) take(measured.frames_ns, false);
    for (const NamedScope& scope : measured.scopes)
      if (!result.scope.empty() && scope.name == result.scope)
        take(scope.frames.of_all(measured.frames_ns.size()), scope.on_gpu);
    result.exceeded_in += took_ns > static_cast<double>(result.limit_ns);
  }
  return true;
}

void BudgetCheck::finish() const {
  for (const Result& result : results_)
    if (!result.is_known)
      throw CommandError(kExitUsage, path_ + ":" + std::to_string(result.line) + ": no capture has a scope " +
                                         printable(result.scope));
}

std::vector<const BudgetCheck::Result*> BudgetCheck::exceeded() const {
  std::vector<const Result*> exceeded;
  for (const Result& result : results_)
    if (result.exceeded_in != 0) exceeded.push_back(&result);
  std::stable_sort(exceeded.begin(), exceeded.end(),
                   [](const Result* a, const Result* b) { return over(*a) > over(*b); });
  return exceeded;
}

std::string BudgetCheck::sentence() const {
  if (captures_ == 0) return "no budget was checked: no capture has a whole frame";
  const size_t count = exceeded().size();
  const std::string all = counted(results_.size(), "budget", "budgets");
  const std::string in_captures = " in " + counted(captures_, "capture", "captures");
  if (count == 0)
    return (results_.size() == 1 ? "the " : "all ") + all + (results_.size() == 1 ? " is kept" : " are kept") +
           in_captures;
  return std::to_string(count) + " of " + all + (count == 1 ? " is exceeded" : " are exceeded") + in_captures;
}

Table BudgetCheck::table() const {
  Table table;
  table.columns = {{"scope", "over its budget", ColumnKind::kName}, {"kind", "kind", ColumnKind::kText},
                   {"limit_ns", "budget", ColumnKind::kNs},         {"most_ns", "took", ColumnKind::kNs},
                   {"over", "over", ColumnKind::kExcess},           {"exceeded_in", "captures", ColumnKind::kText, 2},
                   {"capture", "most in", ColumnKind::kText, 1}};
  for (const Result* result : exceeded())
    table.rows.push_back({result->scope.empty() ? "frame" : result->scope + (result->on_gpu ? " on the GPU" : ""),
                          std::string(flamelet_budget_kind_name(result->kind)), static_cast<double>(result->limit_ns),
                          result->most_ns, over(*result) - 1,
                          std::to_string(result->exceeded_in) + " of " + std::to_string(captures_), result->capture});
  return table;
}

void BudgetCheck::json(JsonWriter* json, const char* key) const {
  json->objects(key, results_, [&](const Result& result) {
    json->text("scope", result.scope.empty() ? "frame" : result.scope);
    json->text("kind", flamelet_budget_kind_name(result.kind));
    json->integer("limit_ns", result.limit_ns);
    json->number("most_ns", result.most_ns);
    json->boolean("on_gpu", result.on_gpu);
    json->text("capture", result.capture);
    json->count("exceeded_in", result.exceeded_in);
  });
}

std::string budget_name(const BudgetCheck::Result& result) {
  return (result.scope.empty() ? "frame" : printable(result.scope)) + ", " + flamelet_budget_kind_name(result.kind);
}

std::string most_text(const BudgetCheck::Result& result) {
  return duration_text(result.most_ns) + (result.on_gpu ? " on the GPU" : "");
}

// ---- the command

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

std::string bare_number(double number) {
  std::string text = fixed(number, 6);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// Milliseconds, rounded up to three digits.
std::string limit_text(double ns) {
  const double unit = std::max(std::pow(10, std::floor(std::log10(ns)) - 2), 1.0);
  return bare_number(std::ceil(ns / unit - 1e-9) * unit / 1e6);
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
    for (const NamedScope& scope : measured.scopes) {
      if (scope.is_wait) continue;  // how long it takes is for others to say
      Learned& learned = scopes[scope.name];
      std::vector<int64_t> times_ns = scope.frames.of_all(measured.frames_ns.size());
      const auto idle = std::count(times_ns.begin(), times_ns.end(), int64_t{0});
      const bool is_steady = 2 * static_cast<size_t>(idle) < times_ns.size();
      if (is_steady && std::exchange(learned.last_of, captures) != captures) ++learned.steady_in;
      learned.most_ns = std::max(learned.most_ns, budget_figure(kind, &times_ns));
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
  std::string text = "# " + counted(options.files.size(), "capture, ", "captures, ") +
                     counted(frames, "frame", "frames") + ": the largest " + options.kind + " of a capture, and " +
                     bare_number(options.margin_percent) + " % more. Milliseconds in a frame.\n";
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
    } catch (const EmptyInput& error) {
      throw CommandError(kExitUnclear, error.what());
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
