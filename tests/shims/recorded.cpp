// SPDX-License-Identifier: MIT
//
// recorded.cpp: plays the program with one of Flamelet's shims, and prints what is in a capture of it, in the form of
// expected.txt. It starts no recorder: the shim does.
#include <cstdlib>
#include <vector>

#include "flamelet/capture.h"
#include "lines.h"
#include "program.h"

namespace {

flamelet_capture* capture = nullptr;
Lines lines;

std::string text_of(uint32_t string) {
  const flamelet_string text = flamelet_capture_string(capture, string);
  return std::string(text.text, text.size);
}

flamelet_site_info site_of(uint32_t site) {
  flamelet_site_info info;
  flamelet_capture_site(capture, site, &info);
  return info;
}

// Each scope once: where a thread left a fiber or came back to it, the lane shows its pieces.
void add_zones(size_t lane, const std::string& thread) {
  std::vector<flamelet_span> spans(flamelet_capture_count_spans(capture, lane, INT64_MIN, INT64_MAX));
  flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size(), nullptr);
  for (const flamelet_span& span : spans) {
    if ((span.flags & FLAMELET_SPAN_RESUMED) != 0) continue;
    std::string path = "/" + text_of(span.name);
    for (uint32_t parent = span.parent; parent != FLAMELET_NO_PARENT; parent = spans[parent].parent)
      path = "/" + text_of(spans[parent].name) + path;
    lines.add("zone [" + thread + "] " + path);
    if ((span.flags & (FLAMELET_SPAN_OPEN | FLAMELET_SPAN_MISSING_END)) != 0) lines.add("without an end: " + path);
  }
}

void add_counter(const std::string& category, std::string name, double value) {
  if (category == "plot" || category == "counter") {
    lines.add("plot " + name);
    lines.add(value == value ? "plot " + name + " sum" : "plot " + name + " not a number", value == value ? value : 1);
    return;
  }
  name = name.substr(0, name.find(" (B"));  // without its unit
  const bool allocated = name.size() > 6 && name.compare(name.size() - 6, 6, " alloc") == 0;
  const bool freed = name.size() > 5 && name.compare(name.size() - 5, 5, " free") == 0;
  if (!allocated && !freed) return;  // the sum of all: below
  lines.add("counter " + name);
  lines.add("counter " + name + " sum", value);
  lines.add("live " + name.substr(0, name.size() - (allocated ? 6 : 5)), allocated ? value : -value);
}

void add_points(size_t lane, const std::string& thread) {
  std::vector<flamelet_point> points(flamelet_capture_count_points(capture, lane, INT64_MIN, INT64_MAX));
  flamelet_capture_read_points(capture, lane, INT64_MIN, INT64_MAX, points.data(), points.size(), nullptr);
  for (const flamelet_point& point : points) {
    const flamelet_site_info site = site_of(point.site);
    const std::string category = site.category.text, name = text_of(point.name), object = text_of(point.object);
    if (point.kind == FLAMELET_POINT_COUNTER)
      add_counter(category, name, point.value);
    else if (category == "zone")
      lines.add(name + " [" + thread + "] " + object);
    else if (category == "message")
      lines.add(name + " " + std::to_string(site.color) + ": " + object);
    else if (category == "tag")
      lines.add("tag " + name + ": " + object);
    else
      lines.add("mark " + name);
  }
}

void add_frames() {
  lines.add("frame", static_cast<double>(flamelet_capture_frame_count(capture)));
  std::vector<uint32_t> sets(flamelet_capture_frame_sets(capture, nullptr, 0));
  flamelet_capture_frame_sets(capture, sets.data(), sets.size());
  for (const uint32_t set : sets) {
    const size_t frames = flamelet_capture_read_frames(capture, set, INT64_MIN, INT64_MAX, nullptr, 0);
    lines.add("frame of " + text_of(set), static_cast<double>(frames + 1));  // the first mark ends none
  }
}

void add_intervals() {
  std::vector<flamelet_interval> all(flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, nullptr, 0));
  flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, all.data(), all.size());
  for (const flamelet_interval& interval : all)
    lines.add("interval " + std::string(site_of(interval.site).category.text) + " " + text_of(interval.name));
}

}  // namespace

int main() {
  play();
  flamelet_capture_config config = flamelet_capture_config_default();
  config.max_fiber_runs = 4096;
  if (flamelet_capture_create(&config, &capture) != FLAMELET_OK) return 1;
  if (flamelet_capture_update(capture) != FLAMELET_OK) return 1;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    flamelet_lane_info info;
    flamelet_capture_lane(capture, lane, &info);
    if (info.kind != FLAMELET_LANE_THREAD) continue;
    add_zones(lane, info.name.text);
    add_points(lane, info.name.text);
  }
  add_frames();
  add_intervals();
  flamelet_capture_destroy(capture);
  lines.print();
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.missing_ends + stats.extra_ends + stats.strings_overflowed + stats.fiber_misuse == 0 ? 0 : 2;
}
