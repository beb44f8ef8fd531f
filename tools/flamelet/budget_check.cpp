// SPDX-License-Identifier: MIT
#include "budget_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "command.h"
#include "display_text.h"
#include "files.h"
#include "flamelet/detail/site.h"
#include "scope_frames.h"

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

}  // namespace

MeasuredFrames measure_frames(const CaptureInput& input, const WindowOptions& options) {
  MeasuredFrames measured;
  if (flamelet_capture_frame_count(input.get()) == 0) return measured;
  const Window window = window_of(input, options);
  std::vector<size_t> whole;  // frames, counted from the window's first
  flamelet_frame_info frame;
  for (size_t i = window.first_frame; i < window.end_frame && flamelet_capture_frame(input.get(), i, &frame); ++i) {
    if ((frame.flags & (FLAMELET_FRAME_PARTIAL | FLAMELET_FRAME_LOSSY)) != 0) continue;
    whole.push_back(i - window.first_frame);
    measured.frames_ns.push_back(frame.end_ns - frame.begin_ns);
  }
  for (const flamelet_lane_kind kind : {FLAMELET_LANE_THREAD, FLAMELET_LANE_GPU})
    for (const ScopeFrames& scope : scope_frames(input, lanes_of_kind(input, kind), window, true)) {
      flamelet_site_info site;
      flamelet_capture_site(input.get(), scope.site, &site);
      const flamelet_string name = flamelet_capture_string(input.get(), scope.name);
      measured.scopes.push_back({std::string(view_of(name)), kind == FLAMELET_LANE_GPU, is_wait(site), {}});
      for (const size_t i : whole) measured.scopes.back().times_ns.push_back(scope.total_ns[i]);
    }
  return measured;
}

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

constexpr size_t kMostBudgetBytes = size_t{1} << 20;

BudgetCheck::BudgetCheck(const std::string& path) : path_(path == "-" ? "standard input" : printable(path)) {
  std::string text;
  InputFile(path).read([&](std::string_view piece) {
    if (piece.size() > kMostBudgetBytes - text.size())
      throw CommandError(kExitInput, path_ + " is no budgets file: it has more than 1 MiB");
    text += piece;
  });
  size_t count = 0;
  flamelet_budgets_error error;
  if (flamelet_budgets_read(text.data(), text.size(), nullptr, 0, &count, &error) != FLAMELET_OK)
    throw CommandError(kExitUsage, path_ + ":" + std::to_string(error.line) + ": " + error.message);
  std::vector<flamelet_budget> budgets(count);
  flamelet_budgets_read(text.data(), text.size(), budgets.data(), count, &count, nullptr);
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
  MeasuredFrames measured = measure_frames(input, window);
  if (measured.frames_ns.empty()) return false;
  ++captures_;
  for (Result& result : results_) {
    double took_ns = 0;
    const auto take = [&](std::vector<int64_t>* times_ns, bool on_gpu) {
      const double figure_ns = budget_figure(result.kind, times_ns);
      took_ns = std::max(took_ns, figure_ns);
      if (figure_ns <= result.most_ns) return;
      result.most_ns = figure_ns;
      result.on_gpu = on_gpu;
      result.capture = input.name();
    };
    if (result.scope.empty()) take(&measured.frames_ns, false);
    for (NamedScope& scope : measured.scopes)
      if (!result.scope.empty() && scope.name == result.scope) take(&scope.times_ns, scope.on_gpu);
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
  const std::string all = std::to_string(results_.size()) + (results_.size() == 1 ? " budget" : " budgets");
  const std::string in_captures = " in " + std::to_string(captures_) + (captures_ == 1 ? " capture" : " captures");
  if (count == 0)
    return (results_.size() == 1 ? "the " : "all ") + all + (results_.size() == 1 ? " is kept" : " are kept") +
           in_captures;
  return std::to_string(count) + " of " + all + (count == 1 ? " is exceeded" : " are exceeded") + in_captures;
}

Table BudgetCheck::table() const {
  Table table;
  table.columns = {{"scope", "over its budget", ColumnKind::kName},
                   {"kind", "kind", ColumnKind::kText},
                   {"limit_ns", "budget", ColumnKind::kNs},
                   {"most_ns", "took", ColumnKind::kNs},
                   {"over", "over", ColumnKind::kShare},
                   {"exceeded_in", "captures", ColumnKind::kText, 2},
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

}  // namespace flamelet::tools
