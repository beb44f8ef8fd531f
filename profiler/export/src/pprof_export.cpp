// SPDX-License-Identifier: MIT
//
// pprof_export.cpp: a sample for each call path of each lane: calls, and self time in nanoseconds. Readers add up the
// totals themselves, and count a recursion once, as flamelet_statistics does.
#include "exporter.h"
#include "pprof_writer.h"

namespace flamelet::formats {
namespace {

void write_samples(PprofWriter& writer, const std::vector<CallPath>& paths, int64_t thread, int64_t name) {
  std::string label;
  protozero::pbf_writer label_writer(label);
  label_writer.add_int64(1, thread);
  label_writer.add_int64(2, name);
  std::vector<uint64_t> locations;
  for (uint32_t path = 1; path < paths.size(); ++path) {
    if (paths[path].calls == 0 && paths[path].self_ns == 0) continue;
    locations.clear();
    for (uint32_t at = path; at != 0; at = paths[at].parent) locations.push_back(paths[at].scope + 1);
    writer.sample(locations, static_cast<int64_t>(paths[path].calls), paths[path].self_ns, label);
  }
}

void write_scope(PprofWriter& writer, const Export& job, uint64_t id, const Scope& scope) {
  const flamelet_site_info info = job.site(scope.site);
  const int64_t name = writer.string(view(job.string(scope.name))), file = writer.string(view(info.file)),
                function_name = writer.string(view(info.function));
  writer.location(id, name, function_name, file, info.line);
}

void write_time(PprofWriter& writer, const Export& job) {
  int64_t begin_ns = 0, end_ns = 0;
  flamelet_capture_extent(job.capture, &begin_ns, &end_ns);
  begin_ns = std::max(begin_ns, job.begin_ns);
  end_ns = std::max(std::min(end_ns, job.end_ns), begin_ns);
  // An imported file may say anything. What 64 bits do not hold is said to be unknown.
  const auto origin_ns = static_cast<int64_t>(flamelet_capture_clock(job.capture).origin_unix_ns);
  int64_t time_ns = 0, duration_ns = 0;
  if (__builtin_add_overflow(origin_ns, begin_ns, &time_ns)) time_ns = 0;
  if (__builtin_sub_overflow(end_ns, begin_ns, &duration_ns)) duration_ns = 0;
  writer.time(time_ns, duration_ns);
}

}  // namespace

void export_pprof(Export& job) {
  PprofWriter writer(job.out, job.report);
  const int64_t nanoseconds = writer.string("nanoseconds"), wall = writer.string("wall"),
                thread = writer.string("thread");
  writer.sample_type(writer.string("calls"), writer.string("count"));
  writer.sample_type(wall, nanoseconds);
  LaneStream<ReadSpans> spans(job.capture);
  CallPaths paths(job);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(job.capture) && !job.out.failed(); ++lane) {
    flamelet_lane_info info;
    flamelet_capture_lane(job.capture, lane, &info);
    if (info.kind == FLAMELET_LANE_FIBER) continue;
    paths.read(lane, spans);
    if (paths.paths().size() > 1) write_samples(writer, paths.paths(), thread, writer.string(view(info.name)));
  }
  for (size_t i = 0; i < paths.scopes().size(); ++i) write_scope(writer, job, i + 1, paths.scopes()[i]);
  writer.mapping(job.process_name);
  write_time(writer, job);
  writer.default_type(wall, nanoseconds);
}

}  // namespace flamelet::formats
