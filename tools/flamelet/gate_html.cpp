// SPDX-License-Identifier: MIT
//
// gate_html.cpp: what `flamelet gate` found, as one HTML file: the tables, a dot for each run of what changed, and how
// frame times are spread.
#include <algorithm>
#include <cmath>

#include "display_text.h"
#include "gate_report.h"
#include "plot.h"
#include "svg.h"

namespace flamelet::tools {
namespace {

constexpr const char* kColors[] = {"#2166ac", "#b35806"};
constexpr const char* kStyle =
    "body{font:15px/1.4 Helvetica,Arial,sans-serif;max-width:1032px;margin:2em auto;padding:0 1em;color:#222}"
    "h1{font-size:1.3em}table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em .8em;text-align:left;"
    "border-bottom:1px solid #ddd}svg{max-width:100%;height:auto}.slower{color:#b2182b}.faster{color:#1b7837}"
    "p.note{color:#666;font-size:.85em}";

// What a row of dots shows: a figure of each run.
struct Strip {
  std::string name;
  std::vector<double> values_ns[2];
};

// Two rows, BASE above NEW, with a dot for each run and a line at the median.
std::string draw_strip(const Strip& strip) {
  constexpr double kLeft = kSvgMargin + 50, kRow = 26, kTop = kSvgMargin + 20;
  double low = strip.values_ns[0][0], high = low;
  for (const std::vector<double>& side : strip.values_ns)
    for (const double ns : side) {
      low = std::min(low, ns);
      high = std::max(high, ns);
    }
  const TimeUnit unit = unit_for(high);
  const double room = std::max({(high - low) * 0.05, high * 0.001, 1.0});
  const SvgScale x = {(low - room) / unit.ns, (high + room) / unit.ns, kLeft, kSvgWidth - kSvgMargin - 10};
  const double bottom = kTop + 2 * kRow;
  Svg svg(bottom + 2 * kSvgFont + kSvgMargin);
  svg.title(strip.name);
  draw_x_axis(&svg, axis_marks(x.low, x.high, 10), x, kTop, bottom, unit.name);
  for (size_t side = 0; side < 2; ++side) {
    const double y = kTop + kRow * (static_cast<double>(side) + 0.5);
    const std::string color = std::string("fill=\"") + kColors[side] + "\"";
    svg.label(kLeft - 8, y + kSvgFont / 3, side == 0 ? "BASE" : "NEW", Svg::Anchor::kEnd, color);
    std::vector<double> sorted = strip.values_ns[side];
    std::sort(sorted.begin(), sorted.end());
    for (const double ns : sorted)
      svg.rectangle(x(ns / unit.ns) - 4, y - 4, 8, 8, "rx=\"4\" fill-opacity=\"0.5\" " + color);
    const double median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
    svg.rectangle(x(median / unit.ns) - 1, y - 10, 2, 20, color);
  }
  return svg.finish();
}

std::vector<Strip> strips_of(const GateReport& report) {
  std::vector<Strip> strips;
  for (const FrameFigure figure : {kP50, kP95, kP99}) {
    Strip strip;
    strip.name = frame_figure_name(report, figure) + " of each run";
    for (size_t side = 0; side < 2; ++side)
      for (const Run& run : report.runs[side]) {
        std::vector<int64_t> sorted_ns = run.frames_ns;
        std::sort(sorted_ns.begin(), sorted_ns.end());
        strip.values_ns[side].push_back(frame_figure(figure, sorted_ns, 0));
      }
    strips.push_back(std::move(strip));
  }
  constexpr size_t kMostPaths = 12;
  for (const std::vector<PathChange>* changes : {&report.result.slower, &report.result.faster})
    for (size_t i = 0; i < std::min(changes->size(), kMostPaths); ++i) {
      const PathChange& change = (*changes)[i];
      Strip strip;
      strip.name = path_text(report, change) + ", in a usual frame of each run";
      for (size_t side = 0; side < 2; ++side)
        for (const Run& run : report.runs[side]) {
          const RunPath& path = run.path(change.path);
          const FrameTime& time = change.is_scope  ? run.scope(change.path).self
                                  : change.is_self ? path.self
                                                   : path.inclusive;
          strip.values_ns[side].push_back(time.typical_ns);
        }
      strips.push_back(std::move(strip));
    }
  return strips;
}

std::string histogram_of(const GateReport& report, size_t side) {
  std::vector<int64_t> sorted_ns;
  for (const Run& run : report.runs[side])
    sorted_ns.insert(sorted_ns.end(), run.frames_ns.begin(), run.frames_ns.end());
  std::sort(sorted_ns.begin(), sorted_ns.end());
  HistogramPlot plot = make_histogram(sorted_ns);
  plot.title = side_text(report, side);
  plot.bound_ns = report.options.budget_ns;
  return draw_as_svg(plot);
}

std::string table_row(const std::vector<std::string>& cells, const char* element = "td") {
  std::string text = "<tr>";
  for (const std::string& cell : cells)
    text += std::string("<") + element + ">" + xml_text(cell) + "</" + element + ">";
  return text + "</tr>\n";
}

}  // namespace

std::string gate_html(const GateReport& report) {
  const GateResult& result = report.result;
  const bool is_tested = report.is_compared() && result.verdict != Verdict::kNotEnoughRuns;
  const char* const tone = !is_tested                           ? ""
                           : result.verdict == Verdict::kSlower ? "slower"
                           : result.verdict == Verdict::kFaster ? "faster"
                                                                : "";
  std::string text =
      std::string("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">") +
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">" +
      "<title>flamelet gate</title><style>" + kStyle + "</style></head><body>\n<h1 class=\"" + tone + "\">" +
      xml_text(gate_sentence(report)) + "</h1>\n";
  for (const std::string& doubt : report.doubts) text += "<p>" + xml_text(doubt) + "</p>\n";
  if (report.budgets) text += "<p>" + xml_text(report.budgets->sentence()) + "</p>\n";
  if (report.is_over_budget()) {
    text += "<table>\n" + table_row({"over its budget", "budget", "took", "most in"}, "th");
    for (const BudgetCheck::Result* budget : report.budgets->exceeded())
      text += table_row({budget_name(*budget), duration_text(static_cast<double>(budget->limit_ns)), most_text(*budget),
                         budget->capture});
    text += "</table>\n";
  }
  if (!report.is_compared()) return text + "</body></html>\n";
  text += "<table>\n" + table_row({"", side_text(report, 0), side_text(report, 1), "change", "p", "verdict"}, "th");
  for (const FrameFigure figure : frame_figures(report))
    text +=
        table_row({frame_figure_name(report, figure), value_text(figure, result.frames.side[0][figure]),
                   value_text(figure, result.frames.side[1][figure]), change_text(figure, result.frames.change[figure]),
                   is_tested ? p_text(result.frame_changes[figure].p) : "",
                   is_tested ? direction_text(result.frame_changes[figure].direction) : ""});
  text += "</table>\n";
  for (const std::vector<PathChange>* changes : {&result.slower, &result.faster}) {
    if (changes->empty()) continue;
    text += "<table>\n" + table_row({changes == &result.slower ? "slower call path" : "faster call path", "before",
                                     "after", "change", "p", "calls a frame"},
                                    "th");
    for (const PathChange& change : *changes)
      text += table_row({path_text(report, change), short_duration_text(change.before_ns),
                         short_duration_text(change.after_ns), path_change_text(change), p_text(change.p),
                         calls_text(change)});
    text += "</table>\n";
  }
  for (const Strip& strip : strips_of(report)) text += draw_strip(strip);
  for (size_t side = 0; side < 2; ++side) text += histogram_of(report, side);
  if (is_tested) text += "<p class=\"note\">" + xml_text(footnote(report)) + "</p>\n";
  return text + "</body></html>\n";
}

}  // namespace flamelet::tools
