// SPDX-License-Identifier: MIT
//
// pprof_export.cpp: a sample for each call path of each lane: calls, and self time in nanoseconds. Readers add up the
// totals themselves, and count a recursion once, as flamelet_statistics does.
//
// By pprof's rules: string 0 is empty, ids count from 1, the innermost location stands first. A mapping that claims to
// have symbols keeps `go tool pprof` from looking for a program.
#include <protozero/pbf_writer.hpp>

#include "call_paths.h"

namespace flamelet::formats {
namespace {

// Field numbers of profile.proto.
enum : protozero::pbf_tag_type {
  kProfileSampleType = 1,
  kProfileSample = 2,
  kProfileMapping = 3,
  kProfileLocation = 4,
  kProfileFunction = 5,
  kProfileString = 6,
  kProfileTime = 9,
  kProfileDuration = 10,
  kProfilePeriodType = 11,
  kProfilePeriod = 12,
  kProfileDefaultSampleType = 14,
};

class PprofWriter {
 public:
  explicit PprofWriter(Export& job) : job_(job) {}

  void write() {
    string("");
    const int64_t nanoseconds = string("nanoseconds"), wall = string("wall"), thread = string("thread");
    value_type(kProfileSampleType, string("calls"), string("count"));
    value_type(kProfileSampleType, wall, nanoseconds);
    LaneStream<ReadSpans> spans(job_.capture);
    CallPaths paths(job_);
    for (size_t lane = 0; lane < flamelet_capture_lane_count(job_.capture) && !job_.out.failed(); ++lane) {
      flamelet_lane_info info;
      flamelet_capture_lane(job_.capture, lane, &info);
      if (info.kind == FLAMELET_LANE_FIBER) continue;
      paths.read(lane, spans);
      if (paths.paths().size() > 1) write_samples(paths.paths(), thread, string(view(info.name)));
    }
    for (size_t i = 0; i < paths.scopes().size(); ++i) write_scope(i + 1, paths.scopes()[i]);
    {
      protozero::pbf_writer mapping = message(kProfileMapping);
      mapping.add_uint64(1, 1);
      mapping.add_int64(5, string("game"));
      mapping.add_bool(7, true);   // has functions
      mapping.add_bool(8, true);   // has file names
      mapping.add_bool(9, true);   // has lines
      mapping.add_bool(10, true);  // has inlined frames: nothing is left to look up
      flush();
    }
    value_type(kProfilePeriodType, wall, nanoseconds);
    write_time();
    protozero::pbf_writer profile(bytes_);
    profile.add_int64(kProfilePeriod, 1);
    profile.add_int64(kProfileDefaultSampleType, wall);
    job_.out.append(bytes_);
  }

 private:
  // Index in the string table; new ones are written on the spot.
  int64_t string(std::string_view text) {
    std::string whole;
    const bool was_whole = append_utf8(text, &whole);
    const auto [at, added] = strings_.try_emplace(whole, static_cast<int64_t>(strings_.size()));
    if (added) {
      job_.count_text(was_whole);
      std::string bytes;
      protozero::pbf_writer(bytes).add_string(kProfileString, whole);
      job_.out.append(bytes);
    }
    return at->second;
  }

  // One message at a time: fill it, then flush() it.
  protozero::pbf_writer message(protozero::pbf_tag_type tag) {
    tag_ = tag;
    bytes_.clear();
    return protozero::pbf_writer(bytes_);
  }
  void flush() {
    std::string framed;
    protozero::pbf_writer(framed).add_message(tag_, bytes_);
    job_.out.append(framed);
    bytes_.clear();
  }

  void value_type(protozero::pbf_tag_type tag, int64_t type, int64_t unit) {
    protozero::pbf_writer value = message(tag);
    value.add_int64(1, type);
    value.add_int64(2, unit);
    flush();
  }

  void write_samples(const std::vector<CallPath>& paths, int64_t thread, int64_t name) {
    std::string label;
    protozero::pbf_writer label_writer(label);
    label_writer.add_int64(1, thread);
    label_writer.add_int64(2, name);
    std::vector<uint64_t> locations;
    for (uint32_t path = 1; path < paths.size(); ++path) {
      if (paths[path].calls == 0 && paths[path].self_ns == 0) continue;
      locations.clear();
      for (uint32_t at = path; at != 0; at = paths[at].parent) locations.push_back(paths[at].scope + 1);
      const int64_t values[] = {static_cast<int64_t>(paths[path].calls), paths[path].self_ns};
      protozero::pbf_writer sample = message(kProfileSample);
      sample.add_packed_uint64(1, locations.begin(), locations.end());
      sample.add_packed_int64(2, std::begin(values), std::end(values));
      sample.add_message(3, label);
      flush();
    }
  }

  void write_scope(uint64_t id, const Scope& scope) {
    const flamelet_site_info info = job_.site(scope.site);
    const int64_t name = string(view(job_.string(scope.name))), file = string(view(info.file)),
                  function_name = info.function.size != 0 ? string(view(info.function)) : name;
    protozero::pbf_writer function = message(kProfileFunction);
    function.add_uint64(1, id);
    function.add_int64(2, name);
    function.add_int64(3, function_name);
    function.add_int64(4, file);
    flush();
    std::string line;
    protozero::pbf_writer line_writer(line);
    line_writer.add_uint64(1, id);
    line_writer.add_int64(2, info.line);
    protozero::pbf_writer location = message(kProfileLocation);
    location.add_uint64(1, id);
    location.add_uint64(2, 1);
    location.add_message(4, line);
    flush();
  }

  void write_time() {
    int64_t begin_ns = 0, end_ns = 0;
    flamelet_capture_extent(job_.capture, &begin_ns, &end_ns);
    begin_ns = std::max(begin_ns, job_.begin_ns);
    end_ns = std::max(std::min(end_ns, job_.end_ns), begin_ns);
    const auto origin = static_cast<int64_t>(flamelet_capture_clock(job_.capture).origin_unix_ns);
    protozero::pbf_writer profile(bytes_);
    profile.add_int64(kProfileTime, origin + begin_ns);
    profile.add_int64(kProfileDuration, end_ns - begin_ns);
    job_.out.append(bytes_);
    bytes_.clear();
  }

  Export& job_;
  std::unordered_map<std::string, int64_t> strings_;
  std::string bytes_;
  protozero::pbf_tag_type tag_ = 0;
};

}  // namespace

void export_pprof(Export& job) {
  PprofWriter(job).write();
}

}  // namespace flamelet::formats
