// SPDX-License-Identifier: MIT
//
// collapsed_export.cpp: a line for each call path: its frames from the lane inwards, and its self time in nanoseconds.
#include "exporter.h"

namespace flamelet::formats {

void export_collapsed(Export& job) {
  LaneStream<ReadSpans> spans(job.capture);
  CallPaths paths(job);
  std::vector<std::string> names;  // by scope
  std::vector<uint32_t> stack;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(job.capture) && !job.out.failed(); ++lane) {
    flamelet_lane_info info;
    flamelet_capture_lane(job.capture, lane, &info);
    if (info.kind == FLAMELET_LANE_FIBER) continue;
    std::string lane_name;
    job.count_text(append_collapsed_frame(view(info.name), &lane_name));
    paths.read(lane, spans);
    while (names.size() < paths.scopes().size()) {
      names.emplace_back();
      job.count_text(append_collapsed_frame(view(job.string(paths.scopes()[names.size() - 1].name)), &names.back()));
    }
    for (uint32_t path = 1; path < paths.paths().size(); ++path) {
      if (paths.paths()[path].self_ns <= 0) continue;
      stack.clear();
      for (uint32_t at = path; at != 0; at = paths.paths()[at].parent) stack.push_back(paths.paths()[at].scope);
      job.out.append(lane_name);
      for (size_t i = stack.size(); i-- != 0;) {
        job.out.append(";");
        job.out.append(names[stack[i]]);
      }
      job.out.append(" ");
      job.out.append_integer(paths.paths()[path].self_ns);
      job.out.append("\n");
    }
  }
}

}  // namespace flamelet::formats
