// SPDX-License-Identifier: MIT
#include "expected.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "flamelet/statistics.h"
#include "require.h"

namespace {

std::string format(const char* text, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* text, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, text);
  std::vsnprintf(buffer, sizeof(buffer), text, arguments);
  va_end(arguments);
  return buffer;
}

class Names {
 public:
  uint32_t number(std::string_view name) {
    return numbers_.try_emplace(std::string(name), static_cast<uint32_t>(numbers_.size())).first->second;
  }
  std::string json() const {
    std::vector<std::string> in_order(numbers_.size());
    for (const auto& [name, number] : numbers_)
      for (const char c : name)
        in_order[number] += format("%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    std::string text = "[";
    for (const std::string& name : in_order) text += (text.size() > 1 ? ",\"" : "\"") + name + '"';
    return text + "]";
  }

 private:
  std::map<std::string, uint32_t> numbers_;
};

struct PathTotals {
  uint64_t pieces = 0, calls = 0;
  int64_t self_ns = 0;
};

class CaptureTotals {
 public:
  explicit CaptureTotals(const flamelet_capture* capture)
      : capture_(capture), memory_(flamelet_statistics_memory_required(4096, 65536)) {
    if (flamelet_statistics_create(4096, memory_.data(), memory_.size(), &lane_) != FLAMELET_OK) std::abort();
  }

  std::string json() {
    std::string lanes;
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture_); ++lane)
      lanes += (lane == 0 ? "\n" : ",\n") + lane_json(lane);
    const std::string others = ",\n\"intervals\":[" + intervals() + "],\n\"frames\":[" + frames() + "]";
    return "{\"names\":" + names_.json() + ",\n\"lanes\":[" + lanes + "]" + others + "}\n";
  }

 private:
  uint32_t number(flamelet_string text) { return names_.number({text.text, text.size}); }
  uint32_t name_of(uint32_t string) { return number(flamelet_capture_string(capture_, string)); }

  std::string lane_json(size_t lane) {
    static const char* const kinds[] = {"thread", "gpu", "external", "fiber"};
    flamelet_lane_info info;
    flamelet_capture_lane(capture_, lane, &info);
    std::vector<flamelet_span> spans(flamelet_capture_count_spans(capture_, lane, INT64_MIN, INT64_MAX));
    flamelet_capture_read_spans(capture_, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size(), nullptr);
    // Viewers know names, and no sites.
    for (flamelet_span& span : spans) {
      span.name = name_of(span.name);
      span.site = 0;
    }
    return format("{\"name\":%u,\"kind\":\"%s\",\"spans\":%zu,\"scopes\":[", number(info.name), kinds[info.kind],
                  spans.size()) +
           scopes(spans) + "],\"paths\":[" + paths(spans) + "],\"points\":[" + points(lane) + "]}";
  }

  // [name, spans, total ns, self ns, spans of no length]
  std::string scopes(const std::vector<flamelet_span>& spans) {
    std::map<uint32_t, unsigned> count, empty;
    for (const flamelet_span& span : spans) {
      ++count[span.name];
      empty[span.name] += span.begin_ns == span.end_ns;
    }
    flamelet_statistics_clear(lane_);
    flamelet_statistics_add(lane_, spans.data(), spans.size());
    const flamelet_statistics_summary summary = flamelet_statistics_finish(lane_);
    require(summary.left_out_count == 0, "more scopes than the statistics hold");
    std::string text;
    for (size_t i = 0; i < summary.row_count; ++i) {
      const flamelet_scope_statistics& row = summary.rows[i];
      text += format("%s[%u,%u,%" PRId64 ",%" PRId64 ",%u]", i == 0 ? "" : ",", row.name, count[row.name], row.total_ns,
                     row.self_ns, empty[row.name]);
    }
    return text;
  }

  // [[names from the outermost on], calls, self ns, spans: more than calls where fibers switch inside of one]
  static std::string paths(const std::vector<flamelet_span>& spans) {
    std::map<std::vector<uint32_t>, PathTotals> paths;
    for (const flamelet_span& span : spans) {
      std::vector<uint32_t> path = {span.name};
      for (uint32_t at = span.parent; at != FLAMELET_NO_PARENT; at = spans[at].parent)
        path.insert(path.begin(), spans[at].name);
      PathTotals& totals = paths[path];
      ++totals.pieces;
      totals.calls += (span.flags & FLAMELET_SPAN_RESUMED) == 0;
      totals.self_ns += span.self_ns;
    }
    std::string text;
    for (const auto& [path, totals] : paths) {
      std::string list;
      for (const uint32_t name : path) list += (list.empty() ? "" : ",") + std::to_string(name);
      text += (text.empty() ? "[[" : ",\n[[") + list +
              format("],%" PRIu64 ",%" PRId64 ",%" PRIu64 "]", totals.calls, totals.self_ns, totals.pieces);
    }
    return text;
  }

  // ["i" or "C", name, ns, value or object]
  std::string points(size_t lane) {
    std::vector<flamelet_point> points(flamelet_capture_count_points(capture_, lane, INT64_MIN, INT64_MAX));
    flamelet_capture_read_points(capture_, lane, INT64_MIN, INT64_MAX, points.data(), points.size(), nullptr);
    std::string text;
    for (const flamelet_point& point : points) {
      const bool instant = point.kind == FLAMELET_POINT_INSTANT;
      text += format("%s[\"%s\",%u,%" PRId64 ",%.17g]", text.empty() ? "" : ",", instant ? "i" : "C",
                     name_of(point.name), point.time_ns, instant ? name_of(point.object) : point.value);
    }
    return text;
  }

  // [name, begin, end]
  std::string intervals() {
    std::vector<flamelet_interval> intervals(
        flamelet_capture_read_intervals(capture_, INT64_MIN, INT64_MAX, nullptr, 0));
    flamelet_capture_read_intervals(capture_, INT64_MIN, INT64_MAX, intervals.data(), intervals.size());
    std::string text;
    for (const flamelet_interval& interval : intervals)
      text += format("%s[%u,%" PRId64 ",%" PRId64 "]", text.empty() ? "" : ",", name_of(interval.name),
                     interval.begin_ns, interval.end_ns);
    return text;
  }

  // [index, begin, end]
  std::string frames() const {
    std::string text;
    for (size_t i = 0; i < flamelet_capture_frame_count(capture_); ++i) {
      flamelet_frame_info frame;
      flamelet_capture_frame(capture_, i, &frame);
      text += format("%s[%" PRIu64 ",%" PRId64 ",%" PRId64 "]", text.empty() ? "" : ",", frame.index, frame.begin_ns,
                     frame.end_ns);
    }
    return text;
  }

  const flamelet_capture* capture_;
  std::vector<uint64_t> memory_;
  flamelet_statistics* lane_;
  Names names_;
};

}  // namespace

std::string expected_of(const flamelet_capture* capture) {
  return CaptureTotals(capture).json();
}

std::string expected_of(flamelet_call_tree* tree) {
  struct Visit {
    flamelet_call_tree* tree;
    std::vector<std::pair<std::vector<uint32_t>, flamelet_call_path>> paths;
  } all = {tree, {}};
  flamelet_call_tree_query(
      tree, 0,
      [](void* user, const flamelet_call_path* path) {
        static_cast<Visit*>(user)->paths.emplace_back(std::vector<uint32_t>(path->ids, path->ids + path->depth), *path);
        return true;
      },
      &all);
  Names names;
  std::string paths, blocks;
  for (const auto& [ids, path] : all.paths) {
    std::string list = std::to_string(names.number(flamelet_call_tree_name(tree, FLAMELET_CALL_ROOT)));
    for (const uint32_t id : ids) list += "," + std::to_string(names.number(flamelet_call_tree_name(tree, id)));
    paths +=
        (paths.empty() ? "[[" : ",\n[[") + list + format("],%" PRIu64 ",%" PRIu64 "]", path.calls, path.self_samples);
  }
  std::vector<flamelet_call_totals> totals(flamelet_call_tree_blocks(tree, FLAMELET_CALL_ORDER_OVERALL, nullptr, 0));
  flamelet_call_tree_blocks(tree, FLAMELET_CALL_ORDER_OVERALL, totals.data(), totals.size());
  for (const flamelet_call_totals& block : totals)
    blocks += format("%s[%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", blocks.empty() ? "" : ",",
                     names.number(flamelet_call_tree_name(tree, block.id)), block.calls, block.overall_samples,
                     block.self_samples);
  return "{\"names\":" + names.json() + ",\n\"blocks\":[" + blocks + "],\n\"paths\":[" + paths + "]}\n";
}
