// SPDX-License-Identifier: MIT
//
// pprof_export.cpp: call paths of captures and of call trees, for pprof and as collapsed stacks. Of a capture, pprof gets a
// sample for each call path of each lane: calls, and self time in nanoseconds. Readers add up the totals themselves, and
// count a recursion once, as flamelet_statistics does.
#include <algorithm>
#include <iterator>
#include <new>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exporter.h"
#include "flamelet/export.h"

namespace flamelet::formats {

// The messages of profile.proto, for whatever has samples by call path.
//
// By pprof's rules: string 0 is empty, ids count from 1, the innermost location stands first. A mapping that claims to
// have symbols keeps `go tool pprof` from looking for a program.
class PprofWriter {
 public:
  PprofWriter(Output& out, flamelet_export_report& report) : out_(out), report_(report) { string(""); }

  // Index in the string table; new ones are written on the spot.
  int64_t string(std::string_view text) {
    std::string whole;
    const bool was_whole = append_utf8(text, &whole);
    const auto [at, added] = strings_.try_emplace(whole, static_cast<int64_t>(strings_.size()));
    if (added) {
      report_.texts_repaired += !was_whole;
      std::string bytes;
      protozero::pbf_writer(bytes).add_string(kProfileString, whole);
      out_.append(bytes);
    }
    return at->second;
  }

  // What the values of a sample are, in their order: two of these.
  void sample_type(int64_t type, int64_t unit) { value_type(kProfileSampleType, type, unit); }

  // `label`: a Label message, or nothing.
  void sample(const std::vector<uint64_t>& locations, int64_t first_value, int64_t second_value,
              const std::string& label) {
    const int64_t values[] = {first_value, second_value};
    protozero::pbf_writer sample = message(kProfileSample);
    sample.add_packed_uint64(1, locations.begin(), locations.end());
    sample.add_packed_int64(2, std::begin(values), std::end(values));
    if (!label.empty()) sample.add_message(3, label);
    flush();
  }

  // A location, and the function that it is in, of the same id. Where the system's name is the name itself, go tool
  // pprof takes it for one that it failed to demangle, and cuts what stands in brackets off: so it is left out.
  void location(uint64_t id, int64_t name, int64_t system_name, int64_t file, int64_t line_number) {
    if (system_name == name) system_name = 0;
    protozero::pbf_writer function = message(kProfileFunction);
    function.add_uint64(1, id);
    function.add_int64(2, name);
    if (system_name != 0) function.add_int64(3, system_name);
    function.add_int64(4, file);
    flush();
    std::string line;
    protozero::pbf_writer line_writer(line);
    line_writer.add_uint64(1, id);
    line_writer.add_int64(2, line_number);
    protozero::pbf_writer location = message(kProfileLocation);
    location.add_uint64(1, id);
    location.add_uint64(2, 1);
    location.add_message(4, line);
    flush();
  }

  void mapping(std::string_view file) {
    const int64_t name = string(file);
    protozero::pbf_writer mapping = message(kProfileMapping);
    mapping.add_uint64(1, 1);
    mapping.add_int64(5, name);
    mapping.add_bool(7, true);   // has functions
    mapping.add_bool(8, true);   // has file names
    mapping.add_bool(9, true);   // has lines
    mapping.add_bool(10, true);  // has inlined frames: nothing is left to look up
    flush();
  }

  void time(int64_t unix_ns, int64_t duration_ns) {
    std::string bytes;
    protozero::pbf_writer profile(bytes);
    profile.add_int64(kProfileTime, unix_ns);
    profile.add_int64(kProfileDuration, duration_ns);
    out_.append(bytes);
  }

  // Each sample counts 1 of this, and it is shown unless another type is asked for.
  void default_type(int64_t type, int64_t unit) {
    value_type(kProfilePeriodType, type, unit);
    std::string bytes;
    protozero::pbf_writer profile(bytes);
    profile.add_int64(kProfilePeriod, 1);
    profile.add_int64(kProfileDefaultSampleType, type);
    out_.append(bytes);
  }

 private:
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

  // One message at a time: fill it, then flush() it.
  protozero::pbf_writer message(protozero::pbf_tag_type tag) {
    tag_ = tag;
    bytes_.clear();
    return protozero::pbf_writer(bytes_);
  }
  void flush() {
    std::string framed;
    protozero::pbf_writer(framed).add_message(tag_, bytes_);
    out_.append(framed);
    bytes_.clear();
  }

  void value_type(protozero::pbf_tag_type tag, int64_t type, int64_t unit) {
    protozero::pbf_writer value = message(tag);
    value.add_int64(1, type);
    value.add_int64(2, unit);
    flush();
  }

  Output& out_;
  flamelet_export_report& report_;
  std::unordered_map<std::string, int64_t> strings_;
  std::string bytes_;
  protozero::pbf_tag_type tag_ = 0;
};

namespace {

// Where the spans without a caller are that found no room. The ids of scopes are below.
constexpr uint64_t kNoRoomLocation = uint64_t{1} << 32;

// Returns whether there is something at kNoRoomLocation.
bool write_samples(PprofWriter& writer, const std::vector<CallPath>& paths, int64_t thread, int64_t name) {
  std::string label;
  protozero::pbf_writer label_writer(label);
  label_writer.add_int64(1, thread);
  label_writer.add_int64(2, name);
  std::vector<uint64_t> locations;
  for (uint32_t path = 0; path < paths.size(); ++path) {
    if (paths[path].calls == 0 && paths[path].self_ns == 0) continue;
    locations.clear();
    for (uint32_t at = path; at != 0; at = paths[at].parent) locations.push_back(paths[at].scope + 1);
    if (path == 0) locations.push_back(kNoRoomLocation);
    writer.sample(locations, static_cast<int64_t>(paths[path].calls), paths[path].self_ns, label);
  }
  return paths[0].self_ns != 0;
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
  bool has_no_room = false;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(job.capture) && !job.out.failed(); ++lane) {
    flamelet_lane_info info;
    flamelet_capture_lane(job.capture, lane, &info);
    if (info.kind == FLAMELET_LANE_FIBER) continue;
    paths.read(lane, spans);
    if (paths.paths().size() > 1)
      has_no_room |= write_samples(writer, paths.paths(), thread, writer.string(view(info.name)));
  }
  for (size_t i = 0; i < paths.scopes().size(); ++i) write_scope(writer, job, i + 1, paths.scopes()[i]);
  if (has_no_room) writer.location(kNoRoomLocation, writer.string("(too many call paths)"), 0, 0, 0);
  writer.mapping(job.process_name);
  write_time(writer, job);
  writer.default_type(wall, nanoseconds);
}

// ---- collapsed stacks
//
// A line for each call path: its frames from the lane inwards, and its self time in nanoseconds. The lane alone has the
// spans without a caller that found no room.

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
    job.count_text(info.name, append_collapsed_frame(view(info.name), &lane_name));
    paths.read(lane, spans);
    while (names.size() < paths.scopes().size()) {
      names.emplace_back();
      const flamelet_string name = job.string(paths.scopes()[names.size() - 1].name);
      job.count_text(name, append_collapsed_frame(view(name), &names.back()));
    }
    for (uint32_t path = 0; path < paths.paths().size(); ++path) {
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

// ---- call tree export
//
// A call tree as pprof or collapsed stacks. A visitor must not call into its tree, so the names of
// all blocks are taken before.

namespace flamelet::formats {
namespace {

class CallTreeExport {
 public:
  CallTreeExport(flamelet_call_tree* tree, Output& out, flamelet_export_report& report)
      : tree_(tree), out_(out), report_(report) {
    std::vector<uint32_t> ids = {FLAMELET_CALL_ROOT};
    // Each path is visited, so the last ids of all paths are all ids that any path has.
    visit([&](const flamelet_call_path& path) {
      if (path.depth == 0) return;
      const uint32_t id = path.ids[path.depth - 1];
      if (location_of_.emplace(id, ids.size() + 1).second) ids.push_back(id);
    });
    for (const uint32_t id : ids) names_.emplace_back(flamelet_call_tree_name(tree, id));
  }

  void write_pprof(const char* sample_type, const char* sample_unit, bool calls_are_samples) {
    PprofWriter writer(out_, report_);
    const int64_t type = writer.string(sample_type), unit = writer.string(sample_unit);
    writer.sample_type(writer.string(calls_are_samples ? "samples" : "calls"), writer.string("count"));
    writer.sample_type(type, unit);
    std::vector<uint64_t> locations;
    const std::vector<uint64_t> own = calls_are_samples ? own_calls() : std::vector<uint64_t>();
    size_t number = 0;
    visit([&](const flamelet_call_path& path) {
      locations.clear();
      for (uint32_t i = path.depth; i-- > 0;) locations.push_back(location_of_.find(path.ids[i])->second);
      locations.push_back(1);
      writer.sample(locations, static_cast<int64_t>(calls_are_samples ? own[number++] : path.calls),
                    static_cast<int64_t>(path.self_samples), "");
    });
    for (size_t i = 0; i < names_.size(); ++i) {
      const int64_t name = writer.string(names_[i]);
      writer.location(i + 1, name, 0, 0, 0);
    }
    writer.mapping("program");
    writer.default_type(type, unit);
  }

  void write_collapsed() {
    std::vector<std::string> frames(names_.size());
    for (size_t i = 0; i < names_.size(); ++i) report_.texts_repaired += !append_collapsed_frame(names_[i], &frames[i]);
    visit([&](const flamelet_call_path& path) {
      if (path.self_samples == 0) return;
      out_.append(frames[0]);
      for (uint32_t i = 0; i < path.depth; ++i) {
        out_.append(";");
        out_.append(frames[static_cast<size_t>(location_of_.find(path.ids[i])->second - 1)]);
      }
      out_.append(" ");
      out_.append_integer(path.self_samples);
      out_.append("\n");
    });
  }

 private:
  // The calls of each path without those of the paths right below it.
  std::vector<uint64_t> own_calls() {
    std::vector<uint64_t> own;
    std::vector<size_t> open;  // the path at each depth
    visit([&](const flamelet_call_path& path) {
      open.resize(path.depth);
      if (path.depth != 0) own[open.back()] -= std::min(own[open.back()], path.calls);
      open.push_back(own.size());
      own.push_back(path.depth == 0 ? 0 : path.calls);  // the root's are threads
    });
    return own;
  }

  // An exception must not go through the tree's code: it waits until the walk is over.
  template <class Function>
  void visit(Function function) {
    struct Walk {
      Function& function;
      bool out_of_memory;
    } walk = {function, false};
    flamelet_call_tree_query(
        tree_, 0,
        [](void* user, const flamelet_call_path* path) {
          Walk& self = *static_cast<Walk*>(user);
          try {
            self.function(*path);
          } catch (const std::bad_alloc&) {
            self.out_of_memory = true;
          }
          return !self.out_of_memory;
        },
        &walk);
    if (walk.out_of_memory) throw std::bad_alloc();
  }

  flamelet_call_tree* const tree_;
  Output& out_;
  flamelet_export_report& report_;
  std::vector<std::string> names_;                      // by location; [0] is the root's
  std::unordered_map<uint32_t, uint64_t> location_of_;  // by id of the tree; they count from 1
};

}  // namespace
}  // namespace flamelet::formats

flamelet_result flamelet_export_call_tree(flamelet_call_tree* tree, flamelet_export_format format,
                                          const char* sample_type, const char* sample_unit, bool calls_are_samples,
                                          flamelet_sink sink, flamelet_export_report* report) {
  using namespace flamelet::formats;
  flamelet_export_report ignored;
  if (report == nullptr) report = &ignored;
  *report = {};
  const bool is_pprof = format == FLAMELET_EXPORT_PPROF;
  if (tree == nullptr || sink.write == nullptr || (!is_pprof && format != FLAMELET_EXPORT_COLLAPSED))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (is_pprof && (sample_type == nullptr || sample_unit == nullptr)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  return write_to(sink, is_pprof, report, [&](Output& out) {
    CallTreeExport job(tree, out, *report);
    if (is_pprof)
      job.write_pprof(sample_type, sample_unit, calls_are_samples);
    else
      job.write_collapsed();
  });
}
