// SPDX-License-Identifier: MIT
//
// locks_command.cpp: `flamelet locks`: which locks threads waited for, who held them, and convoys.
#include <flamelet/waits.h>

#include <memory>
#include <string>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "table.h"

namespace flamelet::tools {
namespace {

struct LocksOptions {
  InputOptions input;
  WindowOptions window;
  ReportOptions report;
  std::string sort = "total";
  std::string filter;
  size_t top = 30;
};

constexpr uint32_t kFewLocks = 1u << 13, kMostLocks = 1u << 20, kMostWaits = 65536;

constexpr struct {
  const char* name;
  flamelet_waits_column column;
} kSorts[] = {{"name", FLAMELET_WAITS_NAME},       {"waits", FLAMELET_WAITS_COUNT},     {"total", FLAMELET_WAITS_TOTAL},
              {"longest", FLAMELET_WAITS_LONGEST}, {"threads", FLAMELET_WAITS_THREADS}, {"at", FLAMELET_WAITS_BEGIN}};

class LockReader {
 public:
  LockReader(const CaptureInput& input, const Window& window) {
    std::vector<flamelet_span> spans(size_t{1} << 15);
    uint32_t locks = kFewLocks / 2;
    do {
      locks *= 2;
      memory_.resize(flamelet_waits_memory_required(locks, kMostWaits));
      flamelet_waits* waits = nullptr;
      flamelet_waits_create(locks, kMostWaits, memory_.data(), memory_.size(), &waits);
      flamelet_waits_begin(waits, input.get(), window.begin_ns, window.end_ns);
      while (!flamelet_waits_step(waits, spans.data(), spans.size(), SIZE_MAX)) {
      }
      summary_ = flamelet_waits_result(waits);
    } while (summary_.left_out_count + summary_.convoys_left_out != 0 && locks < kMostLocks);
  }
  const flamelet_waits_summary& summary() const { return summary_; }

 private:
  std::vector<char> memory_;
  flamelet_waits_summary summary_;
};

std::string text_of_id(const CaptureInput& input, uint32_t string) {
  return string == 0 ? std::string() : std::string(view_of(flamelet_capture_string(input.get(), string)));
}

std::string lane_text(const CaptureInput& input, uint32_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(input.get(), lane, &info) ? std::string(view_of(info.name)) : "";
}

Table locks_table(const LocksOptions& options, const CaptureInput& input, const flamelet_waits_summary& summary) {
  Table table;
  table.columns = {{"lock", "lock", ColumnKind::kName},
                   {"kind", "kind", ColumnKind::kText, 4},
                   {"convoy", "", ColumnKind::kCount},
                   {"waits", "waits", ColumnKind::kCount, 1},
                   {"threads", "threads", ColumnKind::kCount, 2},
                   {"total_ns", "total", ColumnKind::kNs},
                   {"longest_ns", "longest", ColumnKind::kNs},
                   {"longest_at_ns", "at", ColumnKind::kNs, 5},
                   {"longest_thread", "", ColumnKind::kName},
                   {"held_by", "mostly held by", ColumnKind::kName, 1},
                   {"held_ns", "", ColumnKind::kNs},
                   {"waiter", "mostly waited for by", ColumnKind::kName, 3},
                   {"waiter_ns", "", ColumnKind::kNs},
                   {"begin_ns", "", ColumnKind::kNs},
                   {"end_ns", "", ColumnKind::kNs}};
  flamelet_waits_column column = FLAMELET_WAITS_TOTAL;
  for (const auto& sort : kSorts)
    if (options.sort == sort.name) column = sort.column;
  std::vector<uint32_t> order(summary.row_count);
  const bool is_rising = column == FLAMELET_WAITS_NAME || column == FLAMELET_WAITS_BEGIN;
  flamelet_waits_sort(summary.rows, summary.row_count, column, !is_rising, input.get(), order.data());
  for (const uint32_t i : order) {
    const flamelet_lock_waits& row = summary.rows[i];
    const std::string name = text_of_id(input, row.name);
    if (!matches(name, options.filter)) continue;
    flamelet_site_info site;
    flamelet_capture_site(input.get(), row.site, &site);
    table.rows.push_back({row.is_convoy ? name + " (convoy)" : name, std::string(view_of(site.name)),
                          uint64_t{row.is_convoy}, row.waits, uint64_t{row.threads}, row.total_ns, row.longest_ns,
                          row.longest_begin_ns, lane_text(input, row.longest_lane), text_of_id(input, row.holder),
                          row.holder_ns, lane_text(input, row.waiter), row.waiter_ns, row.begin_ns, row.end_ns});
  }
  return table;
}

std::string locks_text(const Table& table, const flamelet_waits_summary& summary, size_t left_out, size_t width) {
  std::string text = table.text(width);
  const size_t convoys = summary.row_count - summary.lock_count;
  text += "\n" + counted(summary.wait_count, "wait", "waits") + " for " + counted(summary.lock_count, "lock", "locks");
  if (convoys != 0)
    text += ", " + counted(convoys, "convoy", "convoys") + ": stretches in which " +
            std::to_string(FLAMELET_WAITS_CONVOY) + " or more threads waited";
  text += "\n";
  if (summary.left_out_count != 0)
    text += counted(summary.left_out_count, "wait has no row", "waits have no row") + ": there are too many locks\n";
  if (summary.convoys_left_out != 0)
    text += counted(summary.convoys_left_out, "convoy has", "convoys have") + " no row: the shortest\n";
  if (left_out != 0) text += counted(left_out, "row is", "rows are") + " not shown (--top 0 shows all)\n";
  return text;
}

std::string locks_json(const CaptureInput& input, const Table& table, const flamelet_waits_summary& summary) {
  JsonWriter json;
  json.text("file", input.name());
  json.count("waits", summary.wait_count);
  json.count("locks", summary.lock_count);
  json.count("convoys", summary.row_count - summary.lock_count);
  if (summary.left_out_count != 0) json.count("waits_left_out", summary.left_out_count);
  if (summary.convoys_left_out != 0) json.count("convoys_left_out", summary.convoys_left_out);
  table.json(&json, "rows");
  return json.take();
}

int run(const LocksOptions& options) {
  const CaptureInput input(options.input);
  const LockReader reader(input, window_of(input, options.window));
  const flamelet_waits_summary& summary = reader.summary();
  Table table = locks_table(options, input, summary);
  if (table.rows.empty())
    throw CommandError(kExitNothing, options.filter.empty() ? "no thread waited for a lock that is recorded there"
                                                            : "no lock's name holds " + printable(options.filter));
  const size_t left_out = cut_rows(&table.rows, options.top);
  put_report(
      options.report, [&] { return table.csv(); }, [&] { return locks_json(input, table, summary); },
      [&](size_t width) { return locks_text(table, summary, left_out, width); });
  return kExitDone;
}

}  // namespace

void add_locks_command(Command* program) {
  const auto options = std::make_shared<LocksOptions>();
  Command locks = program->add_command("locks", "Which locks threads waited for, and who held them");
  locks.footer(
      "Has the waits of flamelet::Mutex and the other locks of flamelet/lock.h, and of Tracy's macros. Who held a "
      "lock\n"
      "is the thread, and the scope that was open there as the wait began: of those, the one with the longest sum of\n"
      "waits. A convoy is one stretch in which three or more threads waited for one lock. A wait counts with its "
      "whole\n"
      "length, also what is outside of the window.\n\n"
      "Examples:\n"
      "  flamelet locks game.flamelet\n"
      "  flamelet locks game.flamelet --frames 1502 --sort longest\n"
      "  flamelet locks game.flamelet --json | jq '.rows[0].held_by'");
  add_input_options(&locks, &options->input);
  add_window_options(&locks, &options->window);
  locks.choice("--sort", "COLUMN", &options->sort, {"name", "waits", "total", "longest", "threads", "at"},
               "Sort by this column");
  locks.text("--filter", "TEXT", &options->filter, "Only locks whose name contains this text");
  locks.number("--top", "N", &options->top, 0, SIZE_MAX, "The first N rows; 0 = all").shows_default();
  add_report_options(&locks, &options->report);
  locks.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
