// SPDX-License-Identifier: MIT
//
// call_tree_export.cpp: a call tree as pprof or collapsed stacks. A visitor must not call into its tree, so the names of
// all blocks are taken before.
#include <algorithm>
#include <new>

#include "flamelet/export.h"
#include "output.h"
#include "pprof_writer.h"

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
  try {
    SinkStage last(sink);
    GzipStage gzip(last);
    Stage& plain = last;
    Output out(is_pprof ? gzip : plain);
    CallTreeExport job(tree, out, *report);
    if (is_pprof)
      job.write_pprof(sample_type, sample_unit, calls_are_samples);
    else
      job.write_collapsed();
    const bool whole = out.finish();
    report->bytes = last.bytes();
    return whole ? FLAMELET_OK : FLAMELET_ERROR_FILE_WRITE;
  } catch (const std::bad_alloc&) {
    return FLAMELET_ERROR_OUT_OF_MEMORY;
  }
}
