// SPDX-License-Identifier: MIT
#include "call_paths.h"

#include "command.h"
#include "span_pieces.h"

namespace flamelet::tools {
namespace {

constexpr uint32_t kMostNodes = 1u << 22;

[[noreturn]] void fail(flamelet_result result) {
  throw CommandError(kExitInput, std::string("cannot make a call tree: ") + flamelet_result_message(result));
}

// A span tree with its memory.
class SpanTree {
 public:
  explicit SpanTree(const flamelet_span_tree_config& config) {
    const size_t bytes = flamelet_span_tree_memory_required(&config);
    memory_.reset(new unsigned char[bytes]);
    const flamelet_result result = flamelet_span_tree_create(&config, memory_.get(), bytes, &tree_);
    if (result != FLAMELET_OK) fail(result);
  }
  flamelet_span_tree* get() const { return tree_; }

 private:
  std::unique_ptr<unsigned char[]> memory_;
  flamelet_span_tree* tree_ = nullptr;
};

}  // namespace

CallTree::CallTree(const flamelet_call_tree_config& config) {
  const size_t bytes = flamelet_call_tree_memory_required(&config);
  memory_.reset(new unsigned char[bytes]);
  const flamelet_result result = flamelet_call_tree_create(&config, memory_.get(), bytes, &tree_);
  if (result != FLAMELET_OK) fail(result);
}

CallTree call_tree_of(const CaptureInput& input, const std::vector<size_t>& lanes, const Window& window,
                      bool keep_recursion) {
  const flamelet_capture* const capture = input.get();
  const size_t span_count = count_spans(capture, lanes, window.begin_ns, window.end_ns);
  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.max_spans = FLAMELET_CURSOR_LEAST;
  config.keep_recursion = keep_recursion;
  SpanPieces pieces(capture);
  for (;;) {
    const SpanTree spans(config);
    const auto bind_and_name = [&] { flamelet_span_tree_add_window(spans.get(), capture, 0, 0); };
    bind_and_name();
    flamelet_call_tree_config merged_config = flamelet_call_tree_config_default();
    merged_config.max_nodes = config.max_nodes;
    merged_config.max_blocks = config.max_scopes;
    merged_config.max_threads = 0;
    merged_config.keep_recursion = keep_recursion;
    CallTree merged(merged_config);
    bool scopes_fit = true;
    Progress progress("adding up " + input.name(), span_count, Progress::Unit::kSpans);
    for (const size_t lane : lanes) {
      flamelet_lane_info info;
      flamelet_capture_lane(capture, lane, &info);
      flamelet_span_tree_select(spans.get(), FLAMELET_LANE_BIT(info.kind), info.id, keep_recursion);
      pieces.read(lane, window.begin_ns, window.end_ns, [&](const flamelet_span* piece, size_t count) {
        flamelet_span_tree_add_spans(spans.get(), piece, count, window.begin_ns, window.end_ns);
        progress.add(count);
      });
      bind_and_name();
      flamelet_call_tree_merge(merged.get(), flamelet_span_tree_calls(spans.get()));
      flamelet_span_tree_stats stats;
      flamelet_span_tree_get_stats(spans.get(), &stats);
      scopes_fit = scopes_fit && stats.calls_of_no_scope == 0;
    }
    flamelet_call_tree_stats stats;
    flamelet_call_tree_get_stats(merged.get(), &stats);
    if ((scopes_fit && stats.charged_no_room == 0) || config.max_nodes >= kMostNodes) return merged;
    config.max_nodes *= 4;
    config.max_scopes *= 4;
  }
}

std::vector<CallPath> paths_of(flamelet_call_tree* tree) {
  struct Walk {
    std::vector<CallPath> paths;
    std::vector<uint32_t> ids;   // by path; a visitor must not ask the tree for names
    std::vector<uint32_t> open;  // the path at each depth
  } walk;
  flamelet_call_tree_query(
      tree, 0,
      [](void* user, const flamelet_call_path* path) {
        Walk& self = *static_cast<Walk*>(user);
        self.open.resize(path->depth);
        const uint32_t parent = path->depth == 0 ? 0 : self.open.back();
        self.open.push_back(static_cast<uint32_t>(self.paths.size()));
        self.ids.push_back(path->depth == 0 ? FLAMELET_CALL_ROOT : path->ids[path->depth - 1]);
        self.paths.push_back({parent, path->depth, "", path->calls, path->self_samples, path->total_samples});
        return true;
      },
      &walk);
  for (size_t i = 0; i < walk.paths.size(); ++i) walk.paths[i].name = flamelet_call_tree_name(tree, walk.ids[i]);
  return std::move(walk.paths);
}

}  // namespace flamelet::tools
