// SPDX-License-Identifier: MIT
#include "pages/compare/compared_paths.h"

#include <math.h>
#include <string.h>
#include <algorithm>

#include "content/range_statistics.h"
#include "draw/scope_styles.h"
#include "flamelet/detail/hash.h"

namespace flamelet::ui {

// ---- scope histograms

namespace {

uint64_t key_of_name(std::string_view name) {
  uint64_t hash = fnv_of_text(name.data(), name.size());
  hash ^= hash >> 29;
  return hash != 0 ? hash : 1;
}

constexpr uint32_t kFirstOctave = 6;  // 64 ns

}  // namespace

uint32_t bin_of(int64_t duration_ns) {
  uint64_t ns = duration_ns > 0 ? static_cast<uint64_t>(duration_ns) : 0;
  if (ns < uint64_t{1} << kFirstOctave) return 0;
  uint32_t octave = 0;
  for (uint64_t rest = ns; rest > 1; rest >>= 1) ++octave;
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

namespace {

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
      if (span.begin_ns >= read_until_ns_)
        histograms_.add(reading_, view_of(flamelet_capture_string(capture_, span.name)), span.end_ns - span.begin_ns);
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
    rows_.push(i);
    most_change_ = std::max(most_change_, fabs(change_of(path(i))));
  }
  std::sort(rows_.begin(), rows_.end(), [&](uint32_t a, uint32_t b) {
    const flamelet_compared_path path_a = path(a), path_b = path(b);
    const int names = column_ == CompareColumn::kPath ? strcmp(path_a.name, path_b.name) : 0;
    if (names != 0) return descending_ ? names > 0 : names < 0;
    const double value_a = sort_value(path_a), value_b = sort_value(path_b);
    return value_a != value_b ? (value_a > value_b) == descending_ : a < b;
  });
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
