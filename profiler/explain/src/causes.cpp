// SPDX-License-Identifier: MIT
//
// causes.cpp: what took more time than usual, and what is known of it. The call paths of the frame are a tree. The search follows
// the surplus from the roots down to where it arises. A path that is new, or called more often than usual, is a cause as
// a whole. Any other path is searched further: its children, and its own time. A path that runs in each frame, but is
// seldom waited for, is on few critical paths and yet not new: what it usually takes is read from the frames before.
// When all evidence is there, the verdicts are taken from it, and the largest causes are kept.
#include <string.h>

#include <algorithm>

#include "evidence.h"

namespace flamelet::explain {
namespace {

class CauseFinder {
 public:
  CauseFinder(flamelet_explain* explain, const flamelet_capture* capture, const Usual& frame, flamelet_explanation* why)
      : explain_(explain),
        capture_(capture),
        path_(explain->path),
        why_(*why),
        question_{explain, capture, *why, flamelet_capture_find_frame(capture, why->frame.index), 0} {
    const int64_t duration_ns = why->frame.end_ns - why->frame.begin_ns;
    const size_t position = question_.position;
    if (position == 0 || position == SIZE_MAX || !flamelet_capture_frame(capture, position - 1, &before_))
      before_.begin_ns = why->frame.begin_ns - why->usual_ns;
    // Less than a twentieth of the surplus explains nothing. In a usual frame, the scatter hides even more.
    question_.least_ns = std::max(0.05 * static_cast<double>(why->surplus_ns),
                                  std::max(0.005 * static_cast<double>(duration_ns), 0.1 * frame.spread));
  }

  // explain_->lanes has other frames afterwards.
  void find() {
    uint32_t root = link();
    for (; root != kNoIndex; root = explain_->next_sibling[root]) examine(root, false);
    for (Evidence& evidence : list_) ask_history(&evidence);
    ask_usual_places();
    charge_lost_time(question_, &list_);
    for (Evidence& evidence : list_) {
      look_for_full_queue(question_, &evidence);
      look_for_sleep(question_, list_, &evidence);
    }
    join_queues(&list_);
    note_rivals(question_, &list_);
    note_page_faults(explain_, &list_);
    for (Evidence& evidence : list_) evidence.verdict = verdict_of(evidence);
    std::sort(list_.begin(), list_.end(), [](const Evidence& a, const Evidence& b) {
      return a.surplus_ns != b.surplus_ns ? a.surplus_ns > b.surplus_ns : a.path < b.path;
    });
    keep_largest();
  }

 private:
  static constexpr double kMore = 1.5;      // times as much as usual
  static constexpr double kAsUsual = 1.25;  // no more than that is as usual
  static constexpr uint32_t kRare = 10;     // a path in fewer than one of so many frames is not usual

  static int64_t machine_ns(const Evidence& evidence) { return evidence.has(kLostProcessor) ? evidence.surplus_ns : 0; }

  // Of the causes by surplus.
  void keep_largest() {
    // If a wait was shorter than usual, such as that for the display, the causes took more than the frame did.
    int64_t sum_ns = 0, machines_ns = 0;
    for (const Evidence& evidence : list_) {
      sum_ns += evidence.surplus_ns;
      machines_ns += machine_ns(evidence);
    }
    const int64_t all_ns = std::max(why_.surplus_ns, sum_ns);
    // What the machine did must not hide what the program did: that has to be explained, too.
    const int64_t own_ns = all_ns - machines_ns;
    int64_t left_ns = all_ns, own_left_ns = own_ns;
    uint32_t kept = 0;
    while (kept < list_.count && (left_ns > all_ns / 10 || own_left_ns > own_ns / 10 || kept == 0)) {
      const Evidence& evidence = list_.items[kept];
      explain_->causes[kept++] = evidence;
      left_ns -= evidence.surplus_ns;
      own_left_ns -= evidence.surplus_ns - machine_ns(evidence);
    }
    why_.causes = explain_->causes;
    why_.cause_count = kept;
    why_.unexplained_ns = std::max<int64_t>(why_.surplus_ns - (all_ns - left_ns), 0);
  }

  // Makes the touched paths a tree, and returns its first root.
  uint32_t link() {
    uint32_t first_root = kNoIndex;
    for (uint32_t i = path_.touched_count(); i != 0; --i) {
      const uint32_t path = path_.touched()[i - 1];
      explain_->first_child[path] = kNoIndex;
    }
    for (uint32_t i = path_.touched_count(); i != 0; --i) {
      const uint32_t path = path_.touched()[i - 1];
      if (PathTable::is_figure(explain_->paths[path])) continue;
      const uint32_t parent = explain_->paths[path].parent;
      uint32_t& first = parent == FLAMELET_NO_PATH ? first_root : explain_->first_child[parent];
      explain_->next_sibling[path] = first;
      first = path;
    }
    return first_root;
  }

  bool stands_out(double surplus_ns, const Usual& usual) const {
    return surplus_ns > question_.least_ns && surplus_ns > 3 * usual.spread;
  }

  // Time is calls x time of each. The factor that grew more is the cause.
  static bool is_by_calls(double calls, double each_ns, double usual_calls, double usual_each_ns) {
    return usual_calls > 0 && calls * usual_each_ns >= usual_calls * each_ns;
  }

  // Whether its scope calls itself directly. Where nobody usually waits for it, the outermost call stands for all.
  bool is_recursion(uint32_t path) const {
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      if (is_same_scope(child, path)) return true;
    return false;
  }

  // The child that has nearly all of the time, or kNoIndex.
  uint32_t only_child(uint32_t path) const {
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      if (path_.time_of(child).total_ns * 10 >= path_.time_of(path).total_ns * 9)
        return is_recursion(path) ? kNoIndex : child;
    return kNoIndex;
  }

  bool is_same_scope(uint32_t path, uint32_t other) const {
    return explain_->paths[path].site == explain_->paths[other].site &&
           explain_->paths[path].name == explain_->paths[other].name;
  }

  // Whether its scope is also around it, or inside of it.
  bool calls_itself(uint32_t path) const {
    for (uint32_t at = explain_->paths[path].parent; at != FLAMELET_NO_PATH; at = explain_->paths[at].parent)
      if (is_same_scope(at, path)) return true;
    for (uint32_t i = 0; i < path_.touched_count(); ++i) {
      const uint32_t other = path_.touched()[i];
      if (other <= path || PathTable::is_figure(explain_->paths[other]) || !is_same_scope(other, path)) continue;
      for (uint32_t at = explain_->paths[other].parent; at != FLAMELET_NO_PATH; at = explain_->paths[at].parent)
        if (at == path) return true;
    }
    return false;
  }

  // `is_among_usual`: the path around it is usual, so this path alone is unusual.
  void examine(uint32_t path, bool is_among_usual) {
    const PathTime& time = path_.time_of(path);
    const Baseline::PathUsual usual = explain_->baseline.of(path);
    const double total_ns = static_cast<double>(time.total_ns), calls = static_cast<double>(time.calls);
    if (!stands_out(total_ns - usual.total.middle, usual.total)) return;
    if (usual.seen * kRare < why_.baseline_frames) {
      // Others seldom wait for this lane, so many of its paths are rare here. The path with the time counts then.
      const bool may_be_usual = !is_among_usual || time.waiting != FLAMELET_NO_PATH;
      const uint32_t child = may_be_usual ? only_child(path) : kNoIndex;
      if (child != kNoIndex) return examine(child, false);
      if (time.waiting != FLAMELET_NO_PATH && !is_recursion(path) && examine_job(path)) return;
      return add(path, time.total_ns, usual.total, usual, kIsRare);
    }
    const bool more = calls > kMore * usual.calls.middle && calls > usual.calls.middle + 3 * usual.calls.spread;
    if (more && is_by_calls(calls, total_ns / calls, usual.calls.middle, usual.total.middle / usual.calls.middle))
      return add(path, time.total_ns, usual.total, usual, kMoreOnPath);
    const bool has_children = explain_->first_child[path] != kNoIndex;
    if (stands_out(static_cast<double>(time.self_ns) - usual.self.middle, usual.self))
      add(path, time.self_ns, usual.self, usual, own_time(path));
    const uint32_t before = list_.count;
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      examine(child, true);
    if (has_children) examine_together(path, usual, before);
  }

  // A path that others seldom wait for, with several parts: those that are longer than usual are causes of their own.
  // False if it is no usual job, or no part of it stands out.
  bool examine_job(uint32_t path) {
    const PathTime& time = path_.time_of(path);
    bool has_parts = false;
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      has_parts = has_parts || static_cast<double>(path_.time_of(child).total_ns) > question_.least_ns;
    if (!has_parts) return false;
    const JobUsual usual = usual_job(question_, path, time.span_begin_ns);
    if (usual.calls == 0 || time.calls > kMore * usual.calls + 1) return false;
    const uint32_t before = list_.count;
    if (static_cast<double>(time.self_ns) - usual.self_ns * time.calls > question_.least_ns)
      add(path, time.self_ns, {0, 0}, explain_->baseline.of(path), own_time(path));
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      examine(child, true);
    return list_.count != before;
  }

  // Many children with a little surplus each, none of which stands out: together they are the cause, as what is inside of
  // the path. `before`: how many causes there were before its children were examined.
  void examine_together(uint32_t path, const Baseline::PathUsual& usual, uint32_t before) {
    const PathTime& time = path_.time_of(path);
    const double inside_ns = static_cast<double>(time.total_ns - time.self_ns);
    const Usual usual_inside = {usual.total.middle - usual.self.middle, usual.total.spread + usual.self.spread};
    double left_ns = inside_ns - usual_inside.middle;
    const double surplus_ns = left_ns;
    for (uint32_t i = before; i < list_.count; ++i) left_ns -= static_cast<double>(list_.items[i].surplus_ns);
    if (left_ns * 2 < surplus_ns || !stands_out(left_ns, usual_inside) || before == FLAMELET_EXPLAIN_MAX_CAUSES) return;
    double calls = 0;
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      calls += path_.time_of(child).calls;
    const double usual_calls = explain_->baseline.calls_inside(path, explain_->paths);
    const bool more =
        calls > kMore * usual_calls &&
        (usual_calls == 0 || is_by_calls(calls, inside_ns / calls, usual_calls, usual_inside.middle / usual_calls));
    list_.count = before;
    add(path, static_cast<int64_t>(inside_ns), usual_inside, usual, more ? kMoreOnPath : 0u);
    Evidence& cause = list_.items[before];
    cause.flags |= FLAMELET_CAUSE_INSIDE;
    cause.calls = static_cast<uint32_t>(calls);
    cause.usual_calls = usual_calls;
  }

  void ask_usual_places() {
    Evidence* asked[FLAMELET_EXPLAIN_MAX_CAUSES];
    uint32_t count = 0;
    for (Evidence& evidence : list_) {
      const bool has_scope = explain_->paths[evidence.path].site != kNoIndex;
      if (has_scope && (verdict_of(evidence) == FLAMELET_VERDICT_NEW || calls_itself(evidence.path)))
        asked[count++] = &evidence;
    }
    if (count != 0) note_usual_places(question_, asked, count);
  }

  // A path that nobody waited for was not on the critical path, but it may have run. How many of a job's calls are on it
  // depends on when the wait for the job begins, so more of them there are not yet more calls.
  void ask_history(Evidence* cause) {
    const PathTime& time = path_.time_of(cause->path);
    const flamelet_verdict verdict = verdict_of(*cause);
    if (cause->waiting == FLAMELET_NO_PATH || (cause->facts & (kIsWait | kOfProfiler | kInNoScope)) != 0 ||
        verdict == FLAMELET_VERDICT_CARRIED_OVER)
      return;
    const bool is_counted = verdict == FLAMELET_VERDICT_MORE_CALLS;
    if ((cause->flags & FLAMELET_CAUSE_INSIDE) != 0 && (is_counted || cause->usual_calls >= 1)) return;
    if (!is_counted && cause->usual_calls >= 1) return ask_of_calls(cause, verdict);
    const JobUsual usual = usual_job(question_, cause->path, cause->span_begin_ns);
    if (usual.calls == 0) return;
    const double usual_each_ns = cause->time_ns == time.self_ns ? usual.self_ns : usual.call_ns;
    const double count = cause->calls, each_ns = static_cast<double>(cause->time_ns) / count;
    // Threads may share the calls, and the critical path has only those of one.
    const double all = std::max<double>(count, calls_in_frame(question_, cause->path));
    const bool more = all > kMore * usual.calls + 1 && is_by_calls(all, each_ns, usual.calls, usual_each_ns);
    // Work of every frame that is as usual may have held a lock. Otherwise that is what changed, whoever waited.
    if (verdict == FLAMELET_VERDICT_WAIT && !more && each_ns <= kMore * usual_each_ns) return;
    cause->usual_calls = usual.calls;
    cause->usual_ns = static_cast<int64_t>(usual_each_ns * count * (more ? usual.calls / all : 1));
    cause->spread_ns = 0;
    if (more && !cause->has(kOnGpu)) cause->calls = static_cast<uint32_t>(all);
    cause->facts |= kIsUsualJob | (more ? kMoreOnAll : 0u);
    if (time.self_ns > cause->time_ns - time.self_ns) cause->facts |= own_time(cause->path);
  }

  // How much of a call was waited for says nothing of how long it took.
  void ask_of_calls(Evidence* cause, flamelet_verdict verdict) {
    if (verdict != FLAMELET_VERDICT_SLOWER_CALLS || cause->time_ns != path_.time_of(cause->path).total_ns) return;
    const double longest_ns = static_cast<double>(cause->span_end_ns) - static_cast<double>(cause->span_begin_ns);
    const JobUsual usual = usual_job(question_, cause->path, cause->span_begin_ns);
    if (usual.calls == 0 || longest_ns > kAsUsual * usual.call_ns) return;
    cause->facts |= kTookAsUsual;
    cause->flags |= FLAMELET_CAUSE_AS_USUAL;
  }

  // Own time of a scope that has others is in no scope that says what.
  uint32_t own_time(uint32_t path) const { return explain_->paths.has_children(path) ? uint32_t{kIsOwnTime} : 0; }

  // What is known of a path beside how its time changed.
  uint32_t facts_of(uint32_t path) const {
    const flamelet_explain_scope& scope = explain_->paths[path];
    const PathTime& time = path_.time_of(path);
    const auto fact = [](Fact name, bool is_there) { return is_there ? uint32_t{name} : 0; };
    flamelet_lane_info lane = {};
    flamelet_capture_lane(capture_, time.lane, &lane);
    flamelet_site_info site = {};
    if (scope.site != kNoIndex) flamelet_capture_site(capture_, scope.site, &site);
    const bool was_waited_for = time.waiting != FLAMELET_NO_PATH;
    return fact(kOnGpu, lane.kind == FLAMELET_LANE_GPU) | fact(kInNoScope, scope.site == kNoIndex) |
           fact(kOfProfiler, site.category.size != 0 && strcmp(site.category.text, "flamelet") == 0) |
           fact(kIsWait, (time.flags & FLAMELET_PIECE_WAIT) != 0 && time.self_ns == time.total_ns) |
           fact(kBeganEarlier, was_waited_for && time.span_begin_ns < before_.begin_ns) |
           fact(kIsProbable, was_waited_for && (time.flags & FLAMELET_PIECE_PROBABLY) != 0);
  }

  void add(uint32_t path, int64_t time_ns, const Usual& usual, const Baseline::PathUsual& all, uint32_t changed) {
    Evidence cause = {};
    const PathTime& time = path_.time_of(path);
    cause.facts = facts_of(path) | changed;
    cause.path = path;
    cause.lane = time.lane;
    cause.waiting = time.waiting;
    cause.nearest_wait = time.nearest_wait;
    cause.object = time.object;
    cause.flags = time_ns == time.self_ns ? time.self_flags : time.flags;
    cause.calls = time.calls;
    cause.usual_calls = all.calls.middle;
    cause.time_ns = time_ns;
    cause.usual_ns = static_cast<int64_t>(usual.middle);
    cause.spread_ns = static_cast<int64_t>(usual.spread);
    cause.surplus_ns = cause.time_ns - cause.usual_ns;
    cause.seen_frames = all.seen;
    cause.usual_lane = cause.rival_lane = kNoIndex;
    if (verdict_of(cause) == FLAMELET_VERDICT_NEW) cause.usual_there_ns = explain_->baseline.usual_where_seen(path);
    cause.span_begin_ns = time.span_begin_ns;
    cause.span_end_ns = time.span_end_ns;
    list_.add(cause);
  }

  flamelet_explain* const explain_;
  const flamelet_capture* const capture_;
  const CriticalPath& path_;
  flamelet_explanation& why_;
  flamelet_frame_info before_ = {};  // the frame before this one
  Question question_;
  EvidenceList list_ = {};
};

}  // namespace

void EvidenceList::add(const Evidence& evidence) {
  if (count < FLAMELET_EXPLAIN_MAX_CAUSES) {
    items[count++] = evidence;
    return;
  }
  Evidence* const least =
      std::min_element(begin(), end(), [](const auto& a, const auto& b) { return a.surplus_ns < b.surplus_ns; });
  if (least->surplus_ns < evidence.surplus_ns) *least = evidence;
}

void find_causes(flamelet_explain* explain, const flamelet_capture* capture, const Usual& usual,
                 flamelet_explanation* why) {
  if (why->baseline_frames != 0) CauseFinder(explain, capture, usual, why).find();
}

}  // namespace flamelet::explain
