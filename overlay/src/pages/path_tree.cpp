// SPDX-License-Identifier: MIT
#include "pages/path_tree.h"

#include <math.h>
#include <string.h>
#include <algorithm>

#include "content/range_statistics.h"
#include "draw/theme.h"
#include "flamelet/detail/hash.h"
#include "flamelet/detail/sums.h"

namespace flamelet::ui {

namespace {

uint64_t value_of(const PathNode& node, PathColumn column) {
  return column == PathColumn::kTotal ? node.total : column == PathColumn::kSelf ? node.self : node.calls;
}

// What add() needs beside the tree.
struct ReadingOfTree {
  PathTree* tree;
  flamelet_call_tree* calls;
  const flamelet_span_tree* scopes;
};

constexpr uint32_t kSpansAtOnce = 4096;
constexpr int64_t kFirstSliceNs = 1000000;
constexpr int64_t kLeastSliceNs = 1000;
constexpr int64_t kMostSliceNs = 10000000000;
constexpr int64_t kMostSlices = 1024;  // of a range in which hardly anything is

flamelet_call_tree_config shown_config(uint32_t max_paths, uint32_t max_scopes) {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_nodes = max_paths + 1;  // and the root
  config.max_blocks = max_scopes;
  config.max_threads = 0;
  config.max_jumps = 0;
  config.keep_recursion = true;
  return config;
}

uint64_t key_of_name(std::string_view name) {
  uint64_t hash = fnv_of_text(name.data(), name.size());
  hash ^= hash >> 29;
  return hash != 0 ? hash : 1;
}

constexpr uint32_t kFirstOctave = 6;  // 64 ns

constexpr uint32_t kMostScopes = 1024;  // with a histogram
constexpr int64_t kSliceNs = 20000000;

flamelet_compare_config compare_config(uint32_t max_paths) {
  flamelet_compare_config config = flamelet_compare_config_default();
  config.max_paths = std::max(max_paths, 2u);
  config.max_text = config.max_paths * 32;
  return config;
}

double value_of(const flamelet_compare_figures& figures, CompareBy by) {
  return by == CompareBy::kTotal ? figures.total : by == CompareBy::kCalls ? figures.calls : figures.self;
}

}  // namespace

void PathTree::carve(Carver* carver, uint32_t max_paths) {
  carver->take(&nodes_, max_paths);
  carver->take(&rows_, max_paths);
  carver->take(&stack_, max_paths);
  toggled_.carve(carver, kToggled);
}

void PathTree::clear() {
  nodes_.clear();
  rows_.clear();
  total_ = most_total_ = most_self_ = 0;
  complete_ = true;
}

bool PathTree::add(void* user, const flamelet_call_path* path) {
  const ReadingOfTree& reading = *static_cast<ReadingOfTree*>(user);
  PathTree& tree = *reading.tree;
  if (path->depth == 0) {
    tree.total_ = path->total_samples;
    return true;
  }
  PathNode node = {};
  node.depth = path->depth - 1;
  node.id = path->ids[node.depth];
  node.calls = path->calls;
  node.self = path->self_samples;
  node.total = path->total_samples;
  uint64_t identity = node.id;
  if (reading.scopes == nullptr) {
    node.text = flamelet_call_tree_name(reading.calls, node.id);
  } else {
    flamelet_span_tree_scope(reading.scopes, node.id, &node.scope.site, &node.scope.name);
    identity = node.scope.bits();
  }
  const uint64_t above = node.depth != 0 ? tree.nodes_[tree.stack_[node.depth - 1]].key : 0;
  node.key = spread_key(above + identity + 1);
  node.key ^= node.key >> 29;
  if (node.key == 0) node.key = 1;
  const uint32_t index = tree.nodes_.count;
  if (!tree.nodes_.push(node)) return tree.complete_ = false;
  // Whatever was open at this depth or below ends here.
  for (uint32_t i = node.depth; i < tree.stack_.count; ++i) tree.nodes_[tree.stack_[i]].subtree_end = index;
  tree.stack_.count = node.depth;
  tree.stack_.push(index);
  tree.most_total_ = std::max(tree.most_total_, node.total);
  tree.most_self_ = std::max(tree.most_self_, node.self);
  return true;
}

void PathTree::read(flamelet_call_tree* calls, const flamelet_span_tree* scopes) {
  clear();
  stack_.clear();
  ReadingOfTree reading = {this, calls, scopes};
  flamelet_call_tree_query(calls, 0, &add, &reading);
  for (const uint32_t node : stack_) nodes_[node].subtree_end = nodes_.count;
  list();
}

void PathTree::sort_by(PathColumn column, bool descending) {
  column_ = column;
  descending_ = descending;
  list();
}

bool PathTree::is_open(const PathNode& node) const {
  return (node.depth < open_depth_) != (toggled_.find(node.key) != nullptr);
}

void PathTree::toggle(const PathNode& node) {
  if (toggled_.find(node.key) != nullptr)
    toggled_.erase(node.key);
  else
    toggled_.insert(node.key);
  list();
}

void PathTree::open_to(uint32_t depth) {
  open_depth_ = depth;
  toggled_.clear();
  list();
}

void PathTree::list() {
  rows_.clear();
  stack_.clear();
  // The children go onto the stack with the first one on top.
  const auto push_children = [this](uint32_t begin, uint32_t end) {
    const uint32_t first = stack_.count;
    for (uint32_t i = begin; i < end; i = nodes_[i].subtree_end) stack_.push(i);
    const auto listed_later = [this](uint32_t a, uint32_t b) {
      if (column_ == PathColumn::kPath) return descending_ ? a < b : a > b;
      const uint64_t value_a = value_of(nodes_[a], column_);
      const uint64_t value_b = value_of(nodes_[b], column_);
      if (value_a != value_b) return descending_ ? value_a < value_b : value_a > value_b;
      return a > b;
    };
    std::sort(stack_.begin() + first, stack_.end(), listed_later);
  };
  push_children(0, nodes_.count);
  while (!stack_.empty()) {
    const uint32_t node = stack_[--stack_.count];
    rows_.push(node);
    if (is_open(nodes_[node])) push_children(node + 1, nodes_[node].subtree_end);
  }
}

flamelet_span_tree_config RangePaths::config() const {
  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.max_nodes = max_paths_ + 1;
  config.max_scopes = max_scopes_;
  config.max_lanes = max_lanes_;
  config.max_spans = kSpansAtOnce;
  return config;
}

void RangePaths::carve(Carver* carver, uint32_t max_paths, uint32_t max_scopes, uint32_t max_lanes) {
  max_paths_ = max_paths;
  max_scopes_ = max_scopes;
  max_lanes_ = max_lanes;
  const flamelet_span_tree_config reader = config();
  const flamelet_call_tree_config shown = shown_config(max_paths, max_scopes);
  carver->take(&reader_memory_, flamelet_span_tree_memory_required(&reader));
  carver->take(&shown_memory_, flamelet_call_tree_memory_required(&shown));
  if (reader_memory_.data != nullptr) reset();
}

void RangePaths::reset() {
  const flamelet_span_tree_config reader = config();
  const flamelet_call_tree_config shown = shown_config(max_paths_, max_scopes_);
  flamelet_span_tree_create(&reader, reader_memory_.data, reader_memory_.capacity, &reader_);
  flamelet_call_tree_create(&shown, shown_memory_.data, shown_memory_.capacity, &shown_);
  range_ = {};
  reading_ = false;
}

void RangePaths::begin(const flamelet_capture* capture, TimeWindow range, uint32_t lane_kinds, bool keep_recursion) {
  flamelet_span_tree_select(reader_, lane_kinds, 0, keep_recursion);
  capture_ = capture;
  range_ = range;
  read_until_ns_ = range.begin_ns;
  slice_ns_ = kFirstSliceNs;
  reading_ = true;
}

void RangePaths::extend(int64_t end_ns) {
  if (capture_ == nullptr || end_ns <= range_.end_ns) return;
  range_.end_ns = end_ns;
  reading_ = true;
}

bool RangePaths::step(uint32_t max_zones) {
  if (!reading_) return false;
  const uint32_t share = std::max(max_zones / 8, 1u);
  const int64_t most_ns = std::max(kMostSliceNs, range_.end_ns / kMostSlices - range_.begin_ns / kMostSlices);
  for (size_t zones = 0; read_until_ns_ < range_.end_ns;) {
    if (zones >= max_zones) return false;
    const int64_t slice_ns = std::min(slice_ns_, range_.end_ns - read_until_ns_);
    const size_t looked = flamelet_span_tree_add_window(reader_, capture_, read_until_ns_, read_until_ns_ + slice_ns);
    read_until_ns_ += slice_ns;
    if (looked > share) slice_ns_ = std::max(slice_ns_ / 2, kLeastSliceNs);
    if (looked < share / 4) slice_ns_ = std::min(slice_ns_ * 2, most_ns);
    zones += looked + 1;  // so that stretches without a span end, too
  }
  flamelet_call_tree_clear(shown_);
  flamelet_call_tree_merge(shown_, flamelet_span_tree_calls(reader_));
  flamelet_call_tree_stats nodes;
  flamelet_call_tree_get_stats(shown_, &nodes);
  flamelet_span_tree_stats scopes;
  flamelet_span_tree_get_stats(reader_, &scopes);
  left_out_ = nodes.charged_no_room + scopes.calls_of_no_scope;
  reading_ = false;
  return true;
}

uint32_t find_path(const Array<PathNode>& nodes, uint64_t key) {
  const auto is = [key](const PathNode& node) { return node.key == key; };
  return static_cast<uint32_t>(std::find_if(nodes.begin(), nodes.end(), is) - nodes.begin());
}

FlameLayout layout_flame(const Array<PathNode>& nodes, uint64_t total, uint32_t zoom, float width_px,
                         float merge_limit_px, Array<uint64_t>* edges, Array<FlameBlock>* blocks) {
  FlameLayout layout;
  blocks->clear();
  const bool zoomed = zoom < nodes.count;
  if (zoomed) total = nodes[zoom].total;
  if (total == 0 || !(width_px > 0)) return layout;
  const double px_per_sample = static_cast<double>(width_px) / static_cast<double>(total);
  const auto x = [&](uint64_t samples) {
    return std::min(static_cast<float>(static_cast<double>(samples) * px_per_sample), width_px);
  };
  const auto push = [&](const FlameBlock& block) {
    layout.rows = std::max(layout.rows, block.depth + 1);
    return blocks->push(block);
  };
  // The callers of the zoomed path: those whose subtree holds it.
  uint32_t begin = 0, end = nodes.count;
  if (zoomed) {
    begin = zoom;
    end = nodes[zoom].subtree_end;
    for (uint32_t i = 0; i < zoom;) {
      const bool above = nodes[i].subtree_end > zoom;
      if (above && !push({0, width_px, i, 1, nodes[i].depth, false})) layout.complete = false;
      i = above ? i + 1 : nodes[i].subtree_end;
    }
  }
  // edges[d]: where the next path of depth d begins, in samples from the left.
  edges->count = edges->capacity;
  if (begin < end) (*edges)[nodes[begin].depth] = 0;
  for (uint32_t i = begin; i < end;) {
    const PathNode& node = nodes[i];
    const uint64_t left = (*edges)[node.depth];
    const uint64_t right = left + node.total;
    (*edges)[node.depth] = right;
    const float x0 = x(left), x1 = x(right);
    if (x1 - x0 >= merge_limit_px) {
      if (!push({x0, x1, i, 1, node.depth, false})) layout.complete = false;
      if (node.subtree_end > i + 1) (*edges)[node.depth + 1] = left;
      ++i;
      continue;
    }
    // A path of this depth that follows directly on a narrow one has the same caller.
    FlameBlock* last = blocks->empty() ? nullptr : &blocks->data[blocks->count - 1];
    const uint32_t paths = node.subtree_end - i;
    if (last != nullptr && last->narrow && last->depth == node.depth) {
      last->x1 = x1;
      last->paths += paths;
    } else if (!push({x0, x1, i, paths, node.depth, true})) {
      layout.complete = false;
    }
    i = node.subtree_end;
  }
  for (const FlameBlock& block : *blocks) (block.merged() ? layout.paths_merged : layout.paths_drawn) += block.paths;
  return layout;
}

uint32_t bin_of(int64_t duration_ns) {
  uint64_t ns = duration_ns > 0 ? static_cast<uint64_t>(duration_ns) : 0;
  if (ns < uint64_t{1} << kFirstOctave) return 0;
  const uint32_t octave = highest_bit(ns);
  const uint32_t upper = (ns >> (octave - 1) & 1);  // from one and a half times the octave's begin on
  const uint32_t bin = 1 + 2 * (octave - kFirstOctave) + upper;
  return bin < ScopeHistogram::kBins ? bin : ScopeHistogram::kBins - 1;
}

int64_t bin_begin_ns(uint32_t bin) {
  if (bin == 0) return 0;
  const int64_t octave_ns = int64_t{1} << (kFirstOctave + (bin - 1) / 2);
  return (bin - 1) % 2 == 0 ? octave_ns : octave_ns + octave_ns / 2;
}

void ScopeHistograms::clear() {
  scopes_.clear();
  left_out_ = 0;
}

void ScopeHistograms::add(uint32_t side, std::string_view name, int64_t duration_ns) {
  ScopeHistogram* scope = scopes_.insert(key_of_name(name));
  if (scope != nullptr)
    ++scope->calls[side][bin_of(duration_ns)];
  else
    ++left_out_;
}

const ScopeHistogram* ScopeHistograms::find(std::string_view name) const {
  return scopes_.find(key_of_name(name));
}

void ComparedPaths::carve(Carver* carver, uint32_t max_paths, uint32_t max_scopes) {
  const flamelet_compare_config config = compare_config(max_paths);
  carver->take(&memory_, flamelet_compare_memory_required(&config));
  if (memory_.data != nullptr) flamelet_compare_create(&config, memory_.data, memory_.capacity, &compare_);
  histograms_.carve(carver, std::min(max_scopes, kMostScopes));
  carver->take(&rows_, config.max_paths);
  carver->take(&nodes_, config.max_paths);
  carver->take(&first_child_, config.max_paths);
  carver->take(&next_sibling_, config.max_paths);
}

void ComparedPaths::clear() {
  stop_reading();
  sides_[0] = sides_[1] = ComparedSide();
  flamelet_compare_clear(compare_);
  histograms_.clear();
  rows_.clear();
  nodes_.clear();
  most_change_ = 0;
  total_ = 0;
}

void ComparedPaths::stop_reading() {
  if (reading_ == kNone) return;
  reading_ = kNone;
  capture_ = nullptr;
  reader_->reset();
}

void ComparedPaths::set_next(const flamelet_capture* capture, TimeWindow range, FrameRange frames,
                             std::string_view title, RangePaths* reader) {
  if (range.end_ns <= range.begin_ns || reading()) return;
  if (complete()) clear();
  reading_ = sides_[0].is_set ? 1 : 0;
  ComparedSide& side = sides_[reading_];
  side = ComparedSide();
  memcpy(side.title, title.data(), std::min(title.size(), sizeof side.title - 1));
  side.frames = frames;
  side.duration_ns = range.end_ns - range.begin_ns;
  flamelet_frame_info frame;
  for (size_t i = frames.valid ? flamelet_capture_find_frame(capture, frames.first) : SIZE_MAX;
       flamelet_capture_frame(capture, i, &frame) && frame.index <= frames.last; ++i)
    side.frames_ns += frame.end_ns - frame.begin_ns;
  side.lacks_frames = flamelet_capture_frame_count(capture) == 0;
  capture_ = capture;
  paths_read_ = false;
  lane_ = 0;
  read_until_ns_ = range.begin_ns;
  reader_ = reader;
  reader_->reset();
  reader_->begin(capture, range, FLAMELET_LANE_BIT(FLAMELET_LANE_THREAD), false);
}

bool ComparedPaths::step(uint32_t max_zones, Array<flamelet_span>* scratch) {
  if (reading_ == kNone) return false;
  if (!paths_read_) {
    paths_read_ = reader_->step(max_zones);
    return false;
  }
  if (!read_durations(max_zones, scratch)) return false;
  finish();
  return true;
}

// Lane by lane, a slice of time after the other. True at the end.
bool ComparedPaths::read_durations(uint32_t max_zones, Array<flamelet_span>* scratch) {
  const TimeWindow range = reader_->range();
  const size_t lanes = flamelet_capture_lane_count(capture_);
  for (size_t zones = 0; lane_ < lanes && zones < max_zones;) {
    flamelet_lane_info info;
    const bool is_thread = flamelet_capture_lane(capture_, lane_, &info) && info.kind == FLAMELET_LANE_THREAD;
    if (!is_thread || read_until_ns_ >= range.end_ns) {
      ++lane_;
      read_until_ns_ = range.begin_ns;
      continue;
    }
    const int64_t end_ns = std::min(read_until_ns_ + kSliceNs, range.end_ns);
    visit_spans(capture_, lane_, {read_until_ns_, end_ns}, scratch, [&](const flamelet_span& span) {
      if (span.begin_ns >= read_until_ns_) {
        const std::string_view name = view_of(flamelet_capture_string(capture_, span.name));
        histograms_.add(reading_, name.empty() ? kNoName : name, span.end_ns - span.begin_ns);
      }
      ++zones;
      return true;
    });
    ++zones;
    read_until_ns_ = end_ns;
  }
  return lane_ >= lanes;
}

void ComparedPaths::finish() {
  ComparedSide& side = sides_[reading_];
  flamelet_compare_add(compare_, reading_, reader_->calls(), 1);
  side.left_out = reader_->left_out();
  side.is_set = true;
  reading_ = kNone;
  capture_ = nullptr;
  reader_->reset();
  sort_by(column_, descending_);
  list_nodes();
}

double ComparedPaths::divisor(uint32_t side) const {
  const ComparedSide& of = sides_[side];
  return per_frame() ? static_cast<double>(of.frame_count()) : static_cast<double>(of.duration_ns) * 1e-9;
}

flamelet_compared_path ComparedPaths::path(uint32_t number) const {
  flamelet_compared_path path = {};
  flamelet_compare_path(compare_, number, &path);
  if (number != 0 && path.name != nullptr && *path.name == 0) path.name = kNoName;
  for (uint32_t side = 0; side < 2; ++side) {
    if (!sides_[side].is_set) continue;
    flamelet_compare_figures& figures = path.side[side];
    const double by = divisor(side);
    figures.self /= by;
    figures.total /= by;
    figures.calls /= by;
  }
  return path;
}

double ComparedPaths::change_of(const flamelet_compared_path& path) const {
  return value_of(path.side[1], by_) - value_of(path.side[0], by_);
}

double ComparedPaths::ratio_of(const flamelet_compared_path& path) const {
  const double a = value_of(path.side[0], by_), change = change_of(path);
  return a > 0 ? change / a : change > 0 ? HUGE_VAL : 0;
}

double ComparedPaths::sort_value(const flamelet_compared_path& path) const {
  switch (column_) {
    case CompareColumn::kChange:
      return fabs(change_of(path));
    case CompareColumn::kPercent:
      return fabs(ratio_of(path));
    case CompareColumn::kSelfA:
    case CompareColumn::kTotalA:
    case CompareColumn::kCallsA:
      return value_of(path.side[0], by_);
    case CompareColumn::kSelfB:
    case CompareColumn::kTotalB:
    case CompareColumn::kCallsB:
      return value_of(path.side[1], by_);
    case CompareColumn::kPath:
      break;
  }
  return 0;
}

void ComparedPaths::sort_by(CompareColumn column, bool descending) {
  column_ = column;
  descending_ = descending;
  if (column == CompareColumn::kSelfA || column == CompareColumn::kSelfB) by_ = CompareBy::kSelf;
  if (column == CompareColumn::kTotalA || column == CompareColumn::kTotalB) by_ = CompareBy::kTotal;
  if (column == CompareColumn::kCallsA || column == CompareColumn::kCallsB) by_ = CompareBy::kCalls;
  rows_.clear();
  most_change_ = 0;
  for (uint32_t i = 1; i < path_count(); ++i) {
    if (matches(path(i).name, filter_)) rows_.push(i);
    most_change_ = std::max(most_change_, fabs(change_of(path(i))));
  }
  std::sort(rows_.begin(), rows_.end(), [&](uint32_t a, uint32_t b) {
    const flamelet_compared_path path_a = path(a), path_b = path(b);
    const int names = column_ == CompareColumn::kPath ? compare_names(path_a.name, path_b.name) : 0;
    if (names != 0) return descending_ ? names > 0 : names < 0;
    const double value_a = sort_value(path_a), value_b = sort_value(path_b);
    return value_a != value_b ? (value_a > value_b) == descending_ : a < b;
  });
}

void ComparedPaths::filter_by(const char (&text)[sizeof Filter::text]) {
  if (strcmp(filter_, text) == 0) return;
  memcpy(filter_, text, sizeof filter_);
  if (complete()) sort_by(column_, descending_);
}

void ComparedPaths::list_nodes() {
  nodes_.clear();
  total_ = static_cast<uint64_t>(path(0).side[1].total);
  const uint32_t count = path_count();
  for (uint32_t i = 0; i < count; ++i) first_child_[i] = kNone;
  for (uint32_t i = count; i-- > 1;) {  // so that the first child comes first
    const uint32_t parent = path(i).parent;
    next_sibling_[i] = first_child_[parent];
    first_child_[parent] = i;
  }
  uint32_t depth = 0;
  uint32_t open = kNone;  // the node whose children are listed; its caller is in `scope` meanwhile
  for (uint32_t at = count != 0 ? first_child_[0] : kNone; at != kNone || open != kNone;) {
    if (at == kNone) {
      PathNode& done = nodes_[open];
      done.subtree_end = nodes_.count;
      at = next_sibling_[done.id];
      open = done.scope.site;
      --depth;
      continue;
    }
    const flamelet_compared_path path = this->path(at);
    PathNode node = {};
    node.key = uint64_t{at} + 1;
    node.text = path.name;
    node.id = at;
    node.depth = depth;
    node.total = static_cast<uint64_t>(path.side[1].total);
    node.self = static_cast<uint64_t>(path.side[1].self);
    node.scope.site = open;
    nodes_.push(node);
    open = nodes_.count - 1;
    ++depth;
    at = first_child_[node.id];
  }
}

}  // namespace flamelet::ui
