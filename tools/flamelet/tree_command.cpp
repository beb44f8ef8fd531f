// SPDX-License-Identifier: MIT
//
// tree_command.cpp: `flamelet tree`: the aggregated call tree (docs/call_tree.md) of a capture or of perf's samples.
#include <flamelet/export.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command.h"
#include "command_line.h"
#include "display_text.h"
#include "perf_tree.h"
#include "tree_report.h"

namespace flamelet::tools {
namespace {

struct TreeOptions {
  InputOptions input;
  WindowOptions window;
  LaneOptions lanes;
  ReportOptions report;
  TreeCut cut;
  double least_percent = -1;  // -1: as the format wants it
  size_t depth = UINT32_MAX;
  std::string by = "merged";
  std::string sort = "total";
  bool keep_recursion = false;
  bool fold = false;  // as without it
  bool merge_lanes = false;
  std::string event;
};

bool is_export_name(const std::string& path, flamelet_export_format* format) {
  bool gzip = false;
  return flamelet_export_format_of_path(path.c_str(), format, &gzip) &&
         (*format == FLAMELET_EXPORT_PPROF || (*format == FLAMELET_EXPORT_COLLAPSED && !gzip));
}

// What is shown. A tree takes a megabyte and more, and there may be thousands of lanes: only their paths are kept.
struct Trees {
  TreeReport report;
  std::unique_ptr<CallTree> first;                                // what a file for pprof is made of
  std::string sample_type = "time", sample_unit = "nanoseconds";  // there

  void add(std::string name, CallTree tree) {
    report.trees.push_back({std::move(name), paths_of(tree.get())});
    if (!first) first = std::make_unique<CallTree>(std::move(tree));
  }
};

void add_capture(const TreeOptions& options, const CaptureInput& input, Trees* trees) {
  const Window window = window_of(input, options.window);
  const std::vector<size_t> lanes = lanes_of(input, options.lanes);
  trees->report.unit = "ns";
  if (options.by == "thread" || lanes.size() == 1) {
    for (const NamedLanes& named : named_lanes(input, lanes, options.merge_lanes)) {
      CallTree tree = call_tree_of(input, named.lanes, window, options.keep_recursion);
      const bool ran = flamelet_call_tree_query(
                           tree.get(), 0, [](void*, const auto*) { return true; }, nullptr) > 1;
      if (ran) trees->add(printable(named.name), std::move(tree));
    }
  } else {
    CallTree tree = call_tree_of(input, lanes, window, options.keep_recursion);
    trees->add("sum of " + lanes_text(lanes.size(), options.lanes), std::move(tree));
  }
}

// "cycles 12, page-faults 3"
std::string other_events_text(const PerfTree& samples) {
  std::string text;
  for (const auto& [event, count] : samples.other_events())
    text += (text.empty() ? "" : ", ") + printable(event) + " " + std::to_string(count);
  return text;
}

// Samples of perf. Its reader goes with what it read, so names are kept in `names`.
void add_perf(const TreeOptions& options, InputFile* file, std::unique_ptr<PerfReader>* reader, Trees* trees) {
  if (!options.window.frames.empty() || !options.window.time.empty() || !options.input.frames_of.empty() ||
      !options.lanes.names.empty() || options.lanes.kind != LaneOptions().kind || options.by != TreeOptions().by ||
      options.merge_lanes)
    throw CommandError(kExitUsage,
                       "perf's samples have neither frames nor lanes: leave --frames, --frames-of, --time, --thread, "
                       "--lanes, --by and --merge-lanes out. The commands are the tree's first paths");
  // For a long recording of a large program: about 100 MB.
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_nodes = 1u << 20;
  config.max_blocks = 1u << 18;
  config.max_threads = 1;
  config.keep_recursion = options.keep_recursion;
  CallTree tree(config);
  const std::string name = options.input.file == "-" ? "standard input" : printable(options.input.file);
  uint64_t problems = 0;
  std::string first_problems;  // said when it is clear that this is perf's text
  std::unique_ptr<PerfTree> samples;
  *reader = std::make_unique<PerfReader>([&](const PerfSample& sample) { samples->add(sample); },
                                         [&](uint64_t line, const char* problem) {
                                           if (++problems <= 10)
                                             first_problems +=
                                                 name + ":" + std::to_string(line) + ": skipped: " + problem + "\n";
                                         });
  PerfTreeOptions perf;
  perf.event = options.event;
  perf.keep_recursion = options.keep_recursion;
  samples = std::make_unique<PerfTree>(tree.get(), (*reader)->names(), perf);
  const bool was_log = is_log(file->head());
  const CommandError no_samples = no_recording(name, file->head(), ", nor the text of perf script");
  if (is_perf_data(file->head())) throw no_samples;
  file->read([&](std::string_view piece) { (*reader)->feed(piece); });
  (*reader)->finish();
  if (samples->samples_added() == 0) {
    if (samples->samples_of_other_events() != 0)
      throw CommandError(kExitNothing, name + " has no samples of the event " + printable(options.event) + ", but of " +
                                           other_events_text(*samples));
    if ((*reader)->stray_frame_count() != 0 && !was_log)
      throw CommandError(kExitInput,
                         name +
                             " has stacks as perf script prints them, but no line above them tells a sample; "
                             "needed is what perf script -F comm,tid,time,period,event,ip,sym,dso prints");
    throw no_samples;
  }
  std::fputs(first_problems.c_str(), stderr);
  if (problems > 10)
    std::fprintf(stderr, "%s: %llu lines were skipped\n", name.c_str(), static_cast<unsigned long long>(problems));
  if (options.input.strict && (problems != 0 || (*reader)->is_cut()))
    throw CommandError(kExitInput, name + " is damaged" + ((*reader)->is_cut() ? ": it ends too early" : ""));
  if ((*reader)->is_cut())
    std::fprintf(stderr,
                 "%s is damaged (it ends too early, so the last sample may lack frames); the rest of it is shown\n",
                 name.c_str());
  if (samples->samples_of_other_events() != 0)
    std::fprintf(stderr, "%s: samples of other events than %s are left out (--event chooses): %s\n", name.c_str(),
                 printable(samples->event()).c_str(), other_events_text(*samples).c_str());
  if ((*reader)->lost_count() != 0)
    std::fprintf(stderr, "%s is not complete: %llu samples or other records were lost when it was recorded\n",
                 name.c_str(), static_cast<unsigned long long>((*reader)->lost_count()));
  // The periods of perf's clocks are nanoseconds. Without periods there are samples, of whatever event.
  const std::string event = samples->event();
  const bool has_periods = !samples->counts_samples();
  const bool is_time = has_periods && (event.rfind("cpu-clock", 0) == 0 || event.rfind("task-clock", 0) == 0);
  trees->report.unit = is_time ? "ns" : has_periods ? printable(event) : "samples";
  trees->report.calls_are_samples = true;
  if (!is_time) {
    trees->sample_type = has_periods ? event : "samples";
    trees->sample_unit = "count";
  }
  samples.reset();
  trees->add(printable(event), std::move(tree));
}

void write_export(const TreeOptions& options, const Trees& trees, flamelet_export_format format) {
  if (trees.report.trees.size() != 1)
    throw CommandError(kExitUsage, "such a file holds one tree: leave --by thread out, or name a --thread");
  std::string bytes;
  const flamelet_sink sink = {[](void* user, const void* data, size_t size) {
                                static_cast<std::string*>(user)->append(static_cast<const char*>(data), size);
                                return true;
                              },
                              &bytes};
  const flamelet_result result =
      flamelet_export_call_tree(trees.first->get(), format, trees.sample_type.c_str(), trees.sample_unit.c_str(),
                                trees.report.calls_are_samples, sink, nullptr);
  if (result != FLAMELET_OK) throw CommandError(kExitOutput, flamelet_result_message(result));
  put_report(options.report, bytes);
}

TreeOrder order_of(const std::string& column) {
  return column == "self"    ? TreeOrder::kSelf
         : column == "calls" ? TreeOrder::kCalls
         : column == "name"  ? TreeOrder::kName
                             : TreeOrder::kTotal;
}

int run(TreeOptions options) {
  options.cut.order = order_of(options.sort);
  options.cut.depth = static_cast<uint32_t>(options.depth);
  const ReportFormat report_format = options.report.format();
  flamelet_export_format format = FLAMELET_EXPORT_PPROF;
  const bool is_export = !options.report.csv && !options.report.json && is_export_name(options.report.output, &format);
  if (is_export && (options.depth != UINT32_MAX || options.least_percent >= 0 || !options.cut.filter.empty()))
    throw CommandError(kExitUsage,
                       "pprof and collapsed files hold the whole tree: leave --depth, --min and --filter out "
                       "and cut in what shows them (go tool pprof -focus, -nodefraction)");
  options.cut.least_share = (options.least_percent >= 0             ? options.least_percent
                             : report_format == ReportFormat::kText ? 0.1
                                                                    : 0) /
                            100;

  Trees trees;
  InputFile file(options.input.file);
  std::unique_ptr<CaptureInput> capture;
  std::unique_ptr<PerfReader> perf;
  if (file.head().empty() || is_recording(file.head())) {
    if (!options.event.empty()) throw CommandError(kExitUsage, "--event is for the text of perf script alone");
    capture = std::make_unique<CaptureInput>(options.input, &file);
    add_capture(options, *capture, &trees);
    trees.report.file = capture->name();
  } else {
    add_perf(options, &file, &perf, &trees);
    trees.report.file = printable(options.input.file);
  }
  if (trees.report.trees.empty() || (trees.report.trees.size() == 1 && trees.report.trees[0].paths.size() == 1))
    throw CommandError(kExitNothing, "no scope ran there");
  if (is_export) {
    write_export(options, trees, format);
    return kExitDone;
  }
  if (!filter_finds(trees.report, options.cut))
    throw CommandError(kExitNothing, "no name holds " + printable(options.cut.filter));
  put_report(
      options.report, [&] { return tree_csv(trees.report, options.cut); },
      [&] { return tree_json(trees.report, options.cut); },
      [&](size_t width) { return tree_text(trees.report, options.cut, width); });
  return kExitDone;
}

}  // namespace

void add_tree_command(Command* program) {
  const auto options = std::make_shared<TreeOptions>();
  Command tree = program->add_command("tree", "The call tree: who called whom, how often, and where the time went");
  tree.footer(
      "Every distinct call path is one line: its time with its callees (total), without them (self), and the calls "
      "that\n"
      "began in the window. Shares refer to the first line, the sum of all lanes. pprof and collapsed files have the\n"
      "whole tree; they take no --depth, --min or --filter.\n"
      "Recursion is folded, so paths stay short however deep it went; --keep shows it as it was called.\n"
      "FILE may also be the text of Linux's perf script; the calls of a path are then the samples that contain it.\n\n"
      "Examples:\n"
      "  flamelet tree game.flamelet --frames 120..130 --min 1\n"
      "  flamelet tree game.flamelet --thread Main --filter physics --depth 4\n"
      "  flamelet tree game.flamelet -o game.pb.gz && go tool pprof -http : game.pb.gz\n"
      "  perf script | flamelet tree -");
  add_input_options(&tree, &options->input,
                    "A capture, another tool's trace, or the text of perf script; - is the standard input");
  add_window_options(&tree, &options->window);
  add_lane_options(&tree, &options->lanes);
  tree.choice("--by", "HOW", &options->by, {"merged", "thread"}, "One tree of all lanes, or one for each");
  tree.flag("--merge-lanes", &options->merge_lanes, "With --by thread: lanes of the same name as one");
  const Option keep = tree.flag("--keep", &options->keep_recursion, "Keep recursion as it was called");
  tree.flag("--fold", &options->fold, "Fold recursion (default)").excludes(keep);
  tree.number("--depth", "N", &options->depth, 0, UINT32_MAX, "Sum up paths deeper than N");
  tree.number("--min", "PERCENT", &options->least_percent, 0, 100,
              "Sum up paths below this share of all (text: 0.1; else 0)");
  tree.choice("--sort", "COLUMN", &options->sort, {"total", "self", "calls", "name"}, "How siblings are sorted");
  tree.text("--filter", "TEXT", &options->cut.filter, "Only names that contain this text, their callers and callees");
  tree.text("--event", "NAME", &options->event, "perf script: samples of this event; by default the first");
  add_report_options(&tree, &options->report, ".pb.gz or .pprof for pprof, .folded, ", [](const std::string& path) {
    flamelet_export_format format;
    return is_export_name(path, &format);
  });
  tree.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
