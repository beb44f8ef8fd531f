// SPDX-License-Identifier: MIT
//
// causes.cpp: what took more time than usual, and what is known of it. The call paths of the frame are a tree. The search follows
// the surplus from the roots down to where it arises. A path that is new, or called more often than usual, is a cause as
// a whole. Any other path is searched further: its children, and its own time. A path that runs in each frame, but is
// seldom waited for, is on few critical paths and yet not new: what it usually takes is read from the frames before.
// When all evidence is there, the verdicts are taken from it, and the largest causes are kept.
#include <string.h>

#include <algorithm>
#include <cstdlib>

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

  void find() {
    EvidenceList stop = {}, tick = {};
    flamelet_late_lane late[FLAMELET_EXPLAIN_MAX_LATE_LANES];
    size_t late_count = 0;
    Stillness still[kMostStill] = {};
    const bool is_unusual = (why_.flags & (FLAMELET_EXPLAIN_UNUSUAL | FLAMELET_EXPLAIN_OVER_BUDGET)) != 0;
    if (is_unusual) late_count = find_late_lanes(question_, late);
    // A stop is one also where frames scatter so much that one of them hides in that.
    look_for_stop(question_, &stop, still);
    if (is_unusual) {
      look_for_slowdown(&stop);
      look_for_tick(&tick);
    }
    uint32_t root = link();
    for (; root != kNoIndex; root = explain_->next_sibling[root]) examine(root, false);
    examine_what_scatters();
    for (Evidence& evidence : list_) ask_history(&evidence);
    ask_usual_places();
    limit_to_waits();
    join_turns(question_, &list_);
    for (Evidence& evidence : list_) note_order(question_, &evidence);
    for (const Evidence& evidence : stop) list_.add(evidence);
    note_states(question_, &list_);
    for (Evidence& evidence : list_) {
      look_for_spin(question_, &evidence);
      look_for_busy(question_, &evidence);
      look_for_new_work(question_, list_, &evidence);
    }
    charge_lost_time(question_, &list_);
    charge_states(question_, &list_);
    for (Evidence& evidence : list_) {
      if (evidence.spinner == kNoIndex) look_for_full_queue(question_, &evidence);
      look_for_sleep(question_, list_, &evidence);
    }
    charge_states(question_, &list_);  // of the work that was found
    join_same_work(&list_);
    for (Evidence& evidence : list_)  // of two that waited for the same, each had a surplus
      if (machine_ns(evidence) == 0)
        evidence.surplus_ns = std::min(evidence.surplus_ns, evidence.time_ns - evidence.no_processor_ns);
    for (Evidence& evidence : list_) compare_whole_wait(&evidence);
    list_.leave_out(question_.least_ns);
    pass_to_who_delayed();
    note_rivals(question_, &list_);
    note_machine(question_, &list_);
    note_page_faults(explain_, &list_);
    ask_whether_it_ran();
    for (Evidence& evidence : list_) {
      evidence.verdict = verdict_of(evidence);
      // States do not tell when a thread that slept was woken; what the system tells of that is no sleep.
      const int64_t taken_off_ns = evidence.knows_states ? evidence.states.ns[FLAMELET_STATE_TAKEN_OFF] : 0;
      const int64_t woken_ns =
          evidence.knows_states ? std::max<int64_t>(evidence.no_processor_ns - taken_off_ns, 0) : 0;
      evidence.asleep_ns = std::clamp<int64_t>(evidence.time_ns - evidence.no_processor_ns, 0,
                                               std::max<int64_t>(evidence.asleep_ns - woken_ns, 0));
      note_lanes(&evidence);
      note_files(&evidence);
      note_turns(question_, &evidence);
      note_lost_here(question_, list_, &evidence);
      if (evidence.verdict == FLAMELET_VERDICT_WAIT && evidence.has(kIsWait) && evidence.spinner != evidence.lane) {
        note_begun(&evidence);
        if (evidence.begun_path == FLAMELET_NO_PATH && (evidence.flags & kIsKnown) == 0)
          note_begun_late(question_, &evidence);
      }
      if (!evidence.has(kIsWait)) note_put_off(&evidence);
      if (evidence.verdict == FLAMELET_VERDICT_MORE_CALLS)
        evidence.idle_frames = frames_without(question_, evidence.path);
      // What was waited for may take longer than the wait.
      if (evidence.waiting != FLAMELET_NO_PATH) evidence.waited_ns = waited_ns(evidence.waiting);
      if (evidence.has(kIsUsualJob)) evidence.flags |= FLAMELET_CAUSE_USUAL_JOB;
      if (is_for_unknown(evidence)) evidence.flags |= FLAMELET_CAUSE_FOR_UNKNOWN;
      if (may_have_stopped(evidence, still)) evidence.flags |= FLAMELET_CAUSE_MAY_HAVE_STOPPED;
    }
    std::sort(list_.begin(), list_.end(), [](const Evidence& a, const Evidence& b) {
      return a.surplus_ns != b.surplus_ns ? a.surplus_ns > b.surplus_ns : a.path < b.path;
    });
    keep_largest(tick);
    if (why_.surplus_ns < over_budget_ns() / 2 && why_.cause_count == 0) fill_budget();
    for (size_t i = 0; i < why_.cause_count; ++i) note_job(question_, &explain_->causes[i]);
    note_late_lanes(question_, late, late_count, &why_);
    note_late_beside(question_, &why_);
  }

 private:
  static constexpr double kMore = 1.5;      // times as much as usual
  static constexpr double kAsUsual = 1.25;  // no more than that is as usual
  static constexpr int64_t kMuchLonger = 3;
  static constexpr uint32_t kRare = 10;  // a path in fewer than one of so many frames is not usual

  static int64_t machine_ns(const Evidence& evidence) {
    return (evidence.facts & (kLostProcessor | kStoodStill | kAllSlower)) != 0 ? evidence.surplus_ns : 0;
  }

  // Of a wait: what it was for is told.
  static constexpr uint32_t kIsKnown = FLAMELET_PIECE_NOT_BEGUN | FLAMELET_PIECE_NO_WAKER | FLAMELET_CAUSE_IN_TURN |
                                       FLAMELET_CAUSE_FILE | FLAMELET_CAUSE_NEXT_TICK;

  // Whether a fact is missing: its thread waited or slept, and for what is not recorded, or why work that took as long as
  // usual was waited for. Work that is new, or called more often, may sleep as a part of what it does.
  bool is_for_unknown(const Evidence& cause) const {
    if ((cause.flags & kIsKnown) != 0 || cause.begun_path != FLAMELET_NO_PATH) return false;
    if (cause.has(kIsWait) && cause.object != 0 && is_lock(cause.path)) return false;  // it says who held it
    if (cause.has(kTookAsUsual) && cause.usual_ns == 0 && cause.usual_there_ns != 0) return false;  // it is rare
    if (cause.verdict == FLAMELET_VERDICT_WAIT && (cause.has(kIsWait) || cause.has(kTookAsUsual))) return true;
    if (cause.asleep_ns * 2 <= cause.time_ns - cause.no_processor_ns || cause.files_ns != 0 || cause.major_faults != 0)
      return false;
    switch (cause.verdict) {
      case FLAMELET_VERDICT_NEW:
        return cause.usual_there_ns != 0 && cause.time_ns > 3 * cause.usual_there_ns;
      case FLAMELET_VERDICT_MORE_CALLS:
        return static_cast<double>(cause.time_ns) * cause.usual_calls >
               1.5 * static_cast<double>(cause.usual_ns) * cause.calls;
      case FLAMELET_VERDICT_WAIT:
      case FLAMELET_VERDICT_SLOWER_CALLS:
      case FLAMELET_VERDICT_UNINSTRUMENTED:
        return true;
      default:
        return false;
    }
  }

  // Whether nobody knows that a thread slept, and was not stopped, and all others with it.
  static bool may_have_stopped(const Evidence& cause, const Stillness* still) {
    const bool is_unknown = (cause.flags & FLAMELET_CAUSE_FOR_UNKNOWN) != 0 && !cause.knows_states;
    return is_unknown && cause.asleep_ns != 0 && std::any_of(still, still + kMostStill, [&](const Stillness& at) {
             const int64_t meanwhile_ns =
                 std::min(cause.span_end_ns, at.window.end_ns) - std::max(cause.span_begin_ns, at.window.begin_ns);
             return std::min(meanwhile_ns, at.most_ns) * 10 >= cause.asleep_ns * 9;
           });
  }

  // Several lanes may share the time of a scope: the one that has most of it is named, and how many have a tenth.
  void note_lanes(Evidence* cause) const {
    const bool is_work =
        cause->verdict == FLAMELET_VERDICT_SLOWER_CALLS || cause->verdict == FLAMELET_VERDICT_MORE_CALLS;
    if (!is_work || cause->threads != 0 || path_.time_of(cause->path).stamp == 0) return;
    constexpr uint32_t kMostLanes = 64;
    const bool is_own = cause->time_ns == path_.time_of(cause->path).self_ns;
    int64_t lanes_ns[kMostLanes] = {}, sum_ns = 0, lock_ns = 0;
    uint32_t lock = FLAMELET_NO_PATH;
    const flamelet_piece* longest[kMostLanes] = {};
    for (size_t i = 0; i < why_.piece_count; ++i) {
      const flamelet_piece& piece = why_.pieces[i];
      if (piece.lane >= kMostLanes || !is_part(piece, cause->path, is_own)) continue;
      const flamelet_piece*& most = longest[piece.lane];
      if (most == nullptr || piece.end_ns - piece.begin_ns > most->end_ns - most->begin_ns) most = &piece;
      lanes_ns[piece.lane] += piece.end_ns - piece.begin_ns;
      sum_ns += piece.end_ns - piece.begin_ns;
      if (piece.nearest_wait == FLAMELET_NO_PATH || !is_lock(piece.nearest_wait)) continue;
      lock_ns += piece.end_ns - piece.begin_ns;
      lock = piece.nearest_wait;
    }
    // Found beside the path, it is of one lane.
    if (cause->lane >= kMostLanes || lanes_ns[cause->lane] == 0 || sum_ns == 0) return;
    const auto lane = static_cast<uint32_t>(std::max_element(lanes_ns, lanes_ns + kMostLanes) - lanes_ns);
    if (lanes_ns[lane] * 4 > lanes_ns[cause->lane] * 5) {
      cause->via_count = 0;
      cause->lane = lane;
      cause->waiting = longest[lane]->waiting;
      cause->nearest_wait = longest[lane]->nearest_wait;
      if (cause->nearest_wait == FLAMELET_NO_PATH || !is_lock(cause->nearest_wait)) {
        cause->facts &= ~uint32_t{kHeldLock};
        cause->flags &= ~uint32_t{FLAMELET_CAUSE_HELD_LOCK};
      }
    }
    const auto shared =
        std::count_if(lanes_ns, lanes_ns + kMostLanes, [=](int64_t ns) { return ns != 0 && ns * 10 >= sum_ns; });
    if (shared > 1) cause->threads = static_cast<uint32_t>(shared);
    // Each waits for a lock that another one holds, but for the last.
    if (shared > 1 && lock_ns * 5 >= sum_ns) {
      cause->nearest_wait = lock;
      cause->facts |= kHeldLock;
      cause->flags |= FLAMELET_CAUSE_HELD_LOCK;
    }
  }
  bool is_lock(uint32_t path) const {
    const uint32_t site = explain_->paths[path].site;
    return site != kNoIndex && explain_->lanes.is_lock(site);
  }
  bool is_part(const flamelet_piece& piece, uint32_t path, bool is_own) const {
    uint32_t at = piece.path;
    while (!is_own && at != path && at != FLAMELET_NO_PATH) at = explain_->paths[at].parent;
    return at == path;
  }

  // In a wait of the frame's thread. A fiber may have left a thread to wait.
  int64_t waited_ns(uint32_t waiting) const {
    int64_t sum_ns = 0;
    for (const flamelet_piece* piece = why_.pieces; piece != why_.pieces + why_.piece_count; ++piece) {
      const bool is_there =
          piece->waiting == FLAMELET_NO_PATH ? is_under(*explain_, piece->path, waiting) : piece->waiting == waiting;
      if (is_there) sum_ns += piece->end_ns - piece->begin_ns;
    }
    return sum_ns;
  }

  // The work of another lane that a wait was for at its end, and that began when most of it was over.
  void note_begun(Evidence* cause) const {
    const flamelet_piece* longest = nullptr;
    for (size_t i = 0; i < why_.piece_count; ++i) {
      const flamelet_piece& piece = why_.pieces[i];
      const bool is_of_cause = piece.path == cause->path && piece.lane == cause->lane;
      if (is_of_cause && (longest == nullptr || piece.end_ns - piece.begin_ns > longest->end_ns - longest->begin_ns))
        longest = &piece;
    }
    if (longest == nullptr) return;
    const flamelet_piece* const end = why_.pieces + why_.piece_count;
    const flamelet_piece* const after = std::find_if(longest, end, [longest](const flamelet_piece& piece) {
      return piece.lane != longest->lane || (piece.flags & FLAMELET_PIECE_WAIT) == 0;
    });
    if (after == end) return;
    // It was awake for a moment before.
    const flamelet_piece* begun = after;
    constexpr uint32_t kIsNoWork = FLAMELET_PIECE_WAIT | FLAMELET_PIECE_OUTSIDE;
    while (begun + 1 != end && begun[1].lane == after->lane && (begun->flags & kIsNoWork) != 0 &&
           begun->end_ns - after->begin_ns <= explain_->config.tolerance_ns)
      ++begun;
    const flamelet_piece& next = *begun;
    constexpr uint32_t kIsUnsure =
        FLAMELET_PIECE_WAIT | FLAMELET_PIECE_OUTSIDE | FLAMELET_PIECE_PROBABLY | FLAMELET_PIECE_USUALLY;
    const bool is_work = (next.flags & kIsUnsure) == 0 && next.lane != longest->lane;
    if (!is_work || (longest->end_ns - longest->begin_ns) * 2 < cause->surplus_ns) return;
    set_begun(question_, next.lane, root_of(*explain_, next.path), {longest->begin_ns, next.begin_ns}, cause);
  }

  // Compares a wait of the frame's thread that nobody is known to have ended with all that it takes in usual frames, also with
  // what others are known to have of it there.
  void compare_whole_wait(Evidence* cause) const {
    const WorkWindow call = window_of(*cause, why_.frame);
    const bool is_whole = cause->calls == 1 && cause->time_ns * 10 >= (call.end_ns - call.begin_ns) * 9;
    if (!cause->has(kIsWait) || !is_whole || cause->lane != why_.main_lane || cause->spinner != kNoIndex) return;
    const JobUsual usual = usual_job(question_, cause->path, why_.frame.begin_ns);
    if (usual.calls > 1 || usual.call_ns > static_cast<double>(kLongestFrame)) return;
    const auto usual_ns = static_cast<int64_t>(usual.calls * usual.call_ns);
    if (usual_ns <= cause->usual_ns) return;
    cause->usual_ns = usual_ns;
    cause->surplus_ns = std::clamp<int64_t>(cause->time_ns - cause->no_processor_ns - usual_ns, 0, cause->surplus_ns);
  }

  // Work of another lane that was waited for only because something else came behind it, which had been asked for before.
  void note_put_off(Evidence* cause) const {
    if (cause->waiting == FLAMELET_NO_PATH || (cause->facts & (kOnGpu | kLostProcessor)) != 0) return;
    const flamelet_piece* last = nullptr;
    const flamelet_piece* const end = why_.pieces + why_.piece_count;
    for (const flamelet_piece* piece = why_.pieces; piece + 1 < end; ++piece)
      if (piece->lane == cause->lane && root_of(*explain_, piece->path) == root_of(*explain_, cause->path))
        last = piece;
    if (last == nullptr) return;
    const flamelet_piece& next = last[1];
    if (next.lane != cause->lane || (next.flags & (FLAMELET_PIECE_WAIT | FLAMELET_PIECE_OUTSIDE)) != 0) return;
    FrameLanes& lanes = explain_->lanes;
    const int64_t late_ns = explain_->config.tolerance_ns;
    for (const FlowEnd* flow = lanes.first_flow(next.lane, next.begin_ns - late_ns);
         flow != lanes.end_of_flows() && flow->lane == next.lane && flow->time_ns <= next.begin_ns + late_ns; ++flow) {
      if (flow->from_lane == kNoIndex || flow->from_ns + cause->surplus_ns / 2 > next.begin_ns) continue;
      cause->begun_lane = next.lane;
      cause->begun_path = root_of(*explain_, next.path);
    }
  }

  // Keeps the causes with the largest surplus; behind them, what came of them.
  void keep_largest(const EvidenceList& tick) {
    // If a wait was shorter than usual, such as that for the display, the causes took more than the frame did.
    int64_t sum_ns = 0, machines_ns = 0;
    for (const Evidence& evidence : list_) {
      sum_ns += evidence.surplus_ns;
      machines_ns += machine_ns(evidence);
    }
    const int64_t tick_ns = tick.count != 0 ? tick.items[0].surplus_ns : 0;
    const int64_t all_ns = std::max(why_.surplus_ns - tick_ns, sum_ns);
    // What the machine did must not hide what the program did: that has to be explained, too.
    const int64_t own_ns = all_ns - machines_ns;
    int64_t left_ns = all_ns, own_left_ns = own_ns;
    uint32_t kept = 0;
    while (kept < list_.count && (left_ns > all_ns / 10 || own_left_ns > own_ns / 10 || kept == 0)) {
      const Evidence& evidence = list_.items[kept];
      explain_->causes[kept++] = evidence;
      note_growth(evidence);
      left_ns -= evidence.surplus_ns;
      own_left_ns -= evidence.surplus_ns - machine_ns(evidence);
    }
    if (tick.count != 0) {
      explain_->causes[std::min(kept++, FLAMELET_EXPLAIN_MAX_CAUSES - 1)] = tick.items[0];
      kept = std::min(kept, FLAMELET_EXPLAIN_MAX_CAUSES);
      // What is left besides may be too little to have made it late, and nothing says that it did.
      const auto says_little = [](const flamelet_cause& cause) {
        return (cause.flags & FLAMELET_CAUSE_FOR_UNKNOWN) != 0;
      };
      if (sum_ns * 3 < tick_ns && std::all_of(explain_->causes, explain_->causes + kept - 1, says_little)) {
        std::rotate(explain_->causes, explain_->causes + kept - 1, explain_->causes + kept);
        explain_->causes[0].flags |= FLAMELET_CAUSE_FOR_UNKNOWN;
      }
    }
    why_.causes = explain_->causes;
    why_.cause_count = kept;
    why_.unexplained_ns = std::max<int64_t>(why_.surplus_ns - tick_ns - (all_ns - left_ns), 0);
  }

  // Frames that all take the same time are paced by a clock, mostly the display's. One that takes twice as long or so came too
  // late for a tick. The rest of its time, up to the next one, it waits where it always does, for nobody. That is no cause,
  // but hides it: what made the frame late may have taken much less.
  void look_for_tick(EvidenceList* tick) {
    const int64_t usual_ns = why_.usual_ns, took_ns = why_.frame.end_ns - why_.frame.begin_ns;
    if (usual_ns <= 0) return;
    const int64_t ticks = (took_ns + usual_ns / 2) / usual_ns, off_ns = took_ns - ticks * usual_ns;
    const bool is_late = why_.spread_ns * 50 <= usual_ns && std::abs(off_ns) * 50 <= usual_ns;
    const int64_t ready_ns = explain_->lanes.ready_ns(why_.main_lane, question_.position);
    const int64_t most_off_ns = usual_ns / 50 + why_.spread_ns;
    if (ticks < 2 || std::abs(off_ns) > most_off_ns + ready_ns) return;
    const flamelet_piece* found = nullptr;
    int64_t longer_ns = 0;
    for (size_t i = 0; i < why_.piece_count; ++i) {
      const flamelet_piece& piece = why_.pieces[i];
      if ((piece.flags & (FLAMELET_PIECE_WAIT | FLAMELET_PIECE_NOT_BEGUN)) != FLAMELET_PIECE_WAIT) continue;
      // A clock usually ends it, and it began when the tick before had gone by.
      const bool is_missed = piece.lane == why_.main_lane && path_.has_clock(piece.path) &&
                             piece.begin_ns - why_.frame.begin_ns + most_off_ns >= (ticks - 1) * usual_ns;
      if (!is_late && !is_missed) continue;
      const Baseline::PathUsual usual = explain_->baseline.of(piece.path);
      const int64_t more_ns = std::min(piece.end_ns - piece.begin_ns,
                                       path_.time_of(piece.path).self_ns - static_cast<int64_t>(usual.self.middle));
      if (usual.seen * 10 < why_.baseline_frames * 9 || more_ns >= usual_ns || more_ns <= longer_ns) continue;
      longer_ns = more_ns;
      found = &piece;
    }
    if (found == nullptr || static_cast<double>(longer_ns) <= question_.least_ns) return;
    const Baseline::PathUsual usual = explain_->baseline.of(found->path);
    add(found->path, path_.time_of(found->path).self_ns, usual.self, usual, 0);
    tick->add(list_.items[--list_.count]);
    tick->items[0].surplus_ns = longer_ns;
    tick->items[0].verdict = FLAMELET_VERDICT_WAIT;
    tick->items[0].flags |= FLAMELET_CAUSE_NEXT_TICK;
    explain_->path.take_out(found->end_ns - longer_ns, found->end_ns);
    question_.least_ns *= static_cast<double>(why_.surplus_ns - longer_ns) / static_cast<double>(why_.surplus_ns);
  }

  int64_t over_budget_ns() const {
    const bool is_over = (why_.flags & FLAMELET_EXPLAIN_OVER_BUDGET) != 0;
    return is_over ? why_.frame.end_ns - why_.frame.begin_ns - explain_->config.budget_ns : 0;
  }

  // Nothing is longer than usual, and yet the frame is too long: what took most of it.
  void fill_budget() {
    constexpr uint32_t kMost = 3;
    list_.count = 0;
    for (uint32_t i = 0; i < path_.touched_count(); ++i) {
      const uint32_t path = path_.touched()[i];
      const PathTime& time = path_.time_of(path);
      const bool is_little = time.self_ns * 50 < why_.frame.end_ns - why_.frame.begin_ns;
      if (is_little || PathTable::is_figure(explain_->paths[path]) || (time.own_flags() & FLAMELET_PIECE_WAIT) != 0)
        continue;
      const Baseline::PathUsual usual = explain_->baseline.of(path);
      add(path, time.self_ns, usual.self, usual, kFillsBudget);
      list_.items[list_.count - 1].verdict = FLAMELET_VERDICT_AS_USUAL;
      std::sort(list_.begin(), list_.end(), [](const Evidence& a, const Evidence& b) { return a.time_ns > b.time_ns; });
      list_.count = std::min(list_.count, kMost);
    }
    for (uint32_t i = 0; i < list_.count; ++i) explain_->causes[i] = list_.items[i];
    why_.cause_count = list_.count;
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

  // Where it scatters much, also what is longer than nearly ever, and half as long again as most.
  bool stands_out(double surplus_ns, const Usual& usual) const {
    const bool is_longest =
        usual.nearly_all > 0 && surplus_ns > usual.nearly_all - usual.middle && surplus_ns * 2 > usual.middle;
    return surplus_ns > question_.least_ns && (surplus_ns > 3 * usual.spread || is_longest);
  }

  // With the time for which its thread was taken off its processor, or without: that of other frames hides much.
  bool total_stands_out(const PathTime& time, const Baseline::PathUsual& usual) const {
    const auto total_ns = static_cast<double>(time.total_ns);
    return stands_out(total_ns - usual.total.middle, usual.total) ||
           stands_out(total_ns - static_cast<double>(time.total_off_ns) - usual.total_on.middle, usual.total_on);
  }
  bool self_stands_out(const PathTime& time, const Baseline::PathUsual& usual) const {
    const auto self_ns = static_cast<double>(time.self_ns);
    return stands_out(self_ns - usual.self.middle, usual.self) ||
           stands_out(self_ns - static_cast<double>(time.self_off_ns) - usual.self_on.middle, usual.self_on);
  }

  // Time is calls x time of each. The factor that grew more is the cause.
  static bool is_by_calls(double calls, double each_ns, double usual_calls, double usual_each_ns) {
    return usual_calls > 0 && calls * usual_each_ns >= usual_calls * each_ns;
  }
  // A call that is longer than usual by most of the surplus says more than how many there were.
  static bool is_by_one_call(const PathTime& time, double usual_each_ns, double surplus_ns) {
    return (static_cast<double>(time.longest_call_ns) - usual_each_ns) * 2 > surplus_ns;
  }
  // How long one takes is not known of what is in less than half of the frames: there no call may be most of the time.
  static bool is_by_calls(const PathTime& time, const Baseline::PathUsual& usual) {
    const double calls = usual.calls.middle;
    if (calls < 1) return time.longest_call_ns * 2 < time.total_ns;
    const double surplus_ns = static_cast<double>(time.total_ns) - usual.total.middle;
    if (is_by_one_call(time, usual.total.middle / calls, surplus_ns)) return false;
    return is_by_calls(time.calls, static_cast<double>(time.total_ns) / time.calls, calls, usual.total.middle / calls);
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
    return explain::is_same_scope(explain_->paths[path], explain_->paths[other]);
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

  // Calls to files inside of what is not one itself.
  void note_files(Evidence* cause) const {
    if ((cause->facts & (kIsFile | kLostProcessor | kStoodStill | kAllSlower)) != 0) return;
    const PathTime& time = path_.time_of(cause->path);
    if (cause->time_ns == time.self_ns && time.self_ns != time.total_ns) return;  // its own time has no calls
    const int64_t files_ns = inside_ns(cause->path, [this](uint32_t path) {
      const uint32_t site = explain_->paths[path].site;
      return site != kNoIndex && explain_->lanes.is_file(site);
    });
    if (files_ns * 2 >= cause->time_ns) cause->files_ns = std::min(files_ns, cause->time_ns);
  }

  // The own time of the paths inside of one that are of a kind.
  template <class IsOfKind>
  int64_t inside_ns(uint32_t outer, IsOfKind is_of_kind) const {
    int64_t sum_ns = 0;
    for (uint32_t i = 0; i < path_.touched_count(); ++i) {
      const uint32_t path = path_.touched()[i];
      if (PathTable::is_figure(explain_->paths[path]) || !is_of_kind(path)) continue;
      uint32_t at = explain_->paths[path].parent;
      while (at != FLAMELET_NO_PATH && at != outer) at = explain_->paths[at].parent;
      if (at == outer) sum_ns += path_.time_of(path).self_ns;
    }
    return sum_ns;
  }

  // Of a path's own time on the critical path, what its threads were taken off their processors; 0 if states are not known.
  int64_t taken_off_ns(uint32_t path) const {
    int64_t sum_ns = 0;
    for (size_t i = 0; i < why_.piece_count; ++i) {
      const flamelet_piece& piece = why_.pieces[i];
      flamelet_state_times states;
      if (piece.path == path &&
          flamelet_capture_state_times(capture_, piece.lane, piece.begin_ns, piece.end_ns, &states))
        sum_ns += states.ns[FLAMELET_STATE_TAKEN_OFF];
    }
    return sum_ns;
  }

  // Everything took longer by about the same factor: each path of some weight that is there in most frames, as far as 85 %
  // of the time go. From then on, that factor is usual. Of few paths, the factors have to agree more.
  void look_for_slowdown(EvidenceList* list) {
    constexpr double kLeastFactor = 1.3, kShare = 0.85, kLeastWeight = 0.005;
    constexpr uint32_t kLeastPaths = 4, kManyPaths = 6, kMostPaths = 256, kMostLanes = 64;
    struct Part {
      uint32_t path;
      int64_t took_ns;
      double factor, usual_ns;
    } parts[kMostPaths];
    uint32_t count = 0;
    double sum_ns = 0, parts_ns = 0;
    for (uint32_t i = 0; i < path_.touched_count() && count < kMostPaths; ++i) {
      const uint32_t path = path_.touched()[i];
      if (PathTable::is_figure(explain_->paths[path]) || (facts_of(path) & (kOnGpu | kIsWait | kIsFile)) != 0) continue;
      const Baseline::PathUsual usual = explain_->baseline.of(path);
      sum_ns += usual.self.middle;
      const bool is_usual = usual.seen * 2 >= why_.baseline_frames && explain_->paths[path].site != kNoIndex;
      if (!is_usual || usual.self.middle <= kLeastWeight * static_cast<double>(why_.usual_ns)) continue;
      // More calls, or fewer, are something else.
      constexpr double kAsOften = 1.25;
      const PathTime& time = path_.time_of(path);
      const bool is_as_often =
          time.calls <= kAsOften * usual.calls.middle && time.calls * kAsOften >= usual.calls.middle;
      const bool may_lose =
          time.lane < explain_->lanes.lane_count() && explain_->lanes.ready_ns(time.lane, question_.position) != 0;
      const int64_t took_ns = time.self_ns - (may_lose ? taken_off_ns(path) : 0);
      const double factor = is_as_often ? static_cast<double>(took_ns) / usual.self.middle : 0;
      parts[count++] = {path, took_ns, factor, usual.self.middle};
      parts_ns += usual.self.middle;
    }
    if (count < kLeastPaths) return;
    const double kAlike = count < kManyPaths ? 1.12 : 1.25;
    std::sort(parts, parts + count, [](const Part& a, const Part& b) { return a.factor < b.factor; });
    double below_ns = 0;
    uint32_t middle = 0;
    while (middle + 1 < count && (below_ns + parts[middle].usual_ns) * 2 < parts_ns)
      below_ns += parts[middle++].usual_ns;
    const double factor = parts[middle].factor;
    if (factor < kLeastFactor) return;
    Evidence cause = no_evidence();
    double alike_ns = 0, most_ns = 0;
    uint64_t lanes = 0;
    int64_t ready_ns[kMostLanes];
    for (uint32_t lane = 0; lane < kMostLanes; ++lane)
      ready_ns[lane] = lane < explain_->lanes.lane_count() ? explain_->lanes.ready_ns(lane, question_.position) : 0;
    for (uint32_t i = 0; i < count; ++i) {
      const Part& part = parts[i];
      const PathTime& time = path_.time_of(part.path);
      if (part.factor * kAlike < factor) continue;
      int64_t took_ns = part.took_ns;
      if (part.factor > factor * kAlike) {
        // Its thread may have had no processor beside that.
        const int64_t more_ns = took_ns - static_cast<int64_t>(factor * part.usual_ns);
        if (time.lane >= kMostLanes || more_ns > ready_ns[time.lane]) continue;
        ready_ns[time.lane] -= more_ns;
        took_ns -= more_ns;
      }
      alike_ns += part.usual_ns;
      lanes |= uint64_t{1} << std::min(time.lane, kMostLanes - 1);
      cause.calls += time.calls;
      cause.time_ns += took_ns;
      cause.usual_ns += static_cast<int64_t>(part.usual_ns);
      ++cause.threads;
      if (part.usual_ns <= most_ns) continue;
      most_ns = part.usual_ns;
      cause.path = part.path;
      cause.lane = time.lane;
      cause.span_begin_ns = time.span_begin_ns;
      cause.span_end_ns = time.span_end_ns;
    }
    if (alike_ns < kShare * sum_ns || cause.threads < kLeastPaths) return;
    cause.facts = kAllSlower;
    cause.surplus_ns = cause.time_ns - cause.usual_ns;
    if (static_cast<double>(cause.surplus_ns) <= question_.least_ns) return;
    // On slower processors threads run for longer. One that lost its processor again and again does not.
    int64_t ran_longer_ns = 0;
    for (uint32_t lane = 0; lane < kMostLanes; ++lane) {
      LaneTimes times = {};
      if ((lanes >> lane & 1) == 0) continue;
      if (!times_of(question_, lane, &times)) ran_longer_ns += cause.surplus_ns;
      ran_longer_ns += std::max<int64_t>(times.ran_ns - times.usual_ran_ns, 0);
    }
    if (ran_longer_ns * 2 < cause.surplus_ns) return;
    cause.waiting = cause.nearest_wait = FLAMELET_NO_PATH;
    cause.usual_calls = static_cast<double>(cause.calls);
    cause.threads = 0;
    list->add(cause);
    slower_ = factor * kAlike;
  }

  bool is_seldom(uint32_t path) const { return explain_->baseline.seen(path) * 2 < why_.baseline_frames; }
  // Where a path would be without the scopes that are seldom open around it: those say nothing of what is usual in them.
  uint32_t without_seldom(uint32_t path) const {
    if (path == FLAMELET_NO_PATH) return path;
    const flamelet_explain_scope& scope = explain_->paths[path];
    const uint32_t parent = without_seldom(scope.parent);
    return is_seldom(path) || parent == kNoIndex ? parent : explain_->paths.find(parent, scope);
  }
  // The same on the frame's thread, if that is usual there, and all of it is elsewhere in this frame; else kNoIndex.
  uint32_t usual_place(uint32_t path) const {
    const flamelet_explain_scope& scope = explain_->paths[path];
    const PathTime& time = path_.time_of(path);
    if (scope.parent == FLAMELET_NO_PATH || time.lane != why_.main_lane || !is_seldom(scope.parent)) return kNoIndex;
    const uint32_t place = explain_->paths.find(without_seldom(scope.parent), scope);
    const bool is_usual =
        place != kNoIndex && place != path && path_.time_of(place).stamp != time.stamp && !is_seldom(place);
    return is_usual ? place : kNoIndex;
  }
  bool is_around_usual_work(uint32_t path) const {
    int64_t usual_ns = 0;
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      if (usual_place(child) != kNoIndex || is_around_usual_work(child)) usual_ns += path_.time_of(child).total_ns;
    return usual_ns * 2 >= path_.time_of(path).total_ns;
  }

  // With the factor by which everything is slower: add() says what is usual without it. Times on a processor are without: they
  // only tell what stands out. Of work that grows from frame to frame, and whose time scatters by that: what it was before.
  Baseline::PathUsual usual_of_path(uint32_t path) const {
    const uint32_t place = usual_place(path);
    Baseline::PathUsual usual = explain_->baseline.of(place == kNoIndex ? path : place);
    const PathTime& time = path_.time_of(path);
    const bool is_work = time.stamp != 0 && (time.own_flags() & FLAMELET_PIECE_WAIT) == 0;
    for (const bool is_own : {false, true}) {
      Usual& wall = is_own ? usual.self : usual.total;
      Usual& on = is_own ? usual.self_on : usual.total_on;
      const int64_t now_ns = is_own ? time.self_ns : time.total_ns;
      if (is_work && now_ns * 8 >= why_.frame.end_ns - why_.frame.begin_ns &&
          wall.spread * 12 > static_cast<double>(now_ns)) {
        const Growth growth = growth_of(explain_, path, is_own, why_.baseline_frames);
        if (growth.blocks != 0) wall = on = {growth.from_ns, 0};
      }
      wall.middle *= slower_;
      wall.spread *= slower_;
      wall.nearly_all *= slower_;
    }
    return usual;
  }

  // `is_among_usual`: the path around it is usual, so this path alone is unusual.
  void examine(uint32_t path, bool is_among_usual) {
    const PathTime& time = path_.time_of(path);
    const Baseline::PathUsual usual = usual_of_path(path);
    const double calls = static_cast<double>(time.calls);
    if (!total_stands_out(time, usual)) return examine_inside(path);
    if (is_seldom(path) && is_around_usual_work(path)) {
      if (self_stands_out(time, usual)) add(path, time.self_ns, usual.self, usual, own_time(path) | kIsRare);
      for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
        examine(child, true);
      return;
    }
    if (usual.seen * kRare < why_.baseline_frames) {
      // Others seldom wait for this lane, so many of its paths are rare here. The path with the time counts then.
      const bool may_be_usual = !is_among_usual || time.waiting != FLAMELET_NO_PATH;
      const uint32_t child = may_be_usual ? only_child(path) : kNoIndex;
      if (child != kNoIndex) return examine(child, false);
      if (time.waiting != FLAMELET_NO_PATH && !is_recursion(path) && examine_job(path)) return;
      return add(path, time.total_ns, usual.total, usual, kIsRare);
    }
    const bool more = calls > kMore * usual.calls.middle && calls > usual.calls.middle + 3 * usual.calls.spread;
    if (more && is_by_calls(time, usual)) {
      const uint32_t child = child_with_more(path, usual);
      return child != kNoIndex ? examine(child, true) : add(path, time.total_ns, usual.total, usual, kMoreOnPath);
    }
    if (is_recursion(path) && examine_recursion(path, usual)) return;
    const bool has_children = explain_->first_child[path] != kNoIndex;
    if (self_stands_out(time, usual)) add(path, time.self_ns, usual.self, usual, own_time(path));
    const uint32_t before = list_.count;
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      examine(child, true);
    if (has_children) examine_together(path, usual, before);
  }

  // The own time of all levels of a recursion.
  struct Levels {
    int64_t time_ns;
    Usual usual;
    double most_ns;              // which a level added
    bool are_usual, has_others;  // each is as often as ever; scopes of other names are inside
  };
  void add_levels(uint32_t path, Levels* levels) const {
    const PathTime& time = path_.time_of(path);
    const Baseline::PathUsual usual = usual_of_path(path);
    levels->time_ns += time.self_ns;
    levels->usual.middle += usual.self.middle;
    levels->usual.spread += usual.self.spread;
    levels->most_ns = std::max(levels->most_ns, static_cast<double>(time.self_ns) - usual.self.middle);
    levels->are_usual = levels->are_usual && time.calls <= kMore * usual.calls.middle;
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      if (is_same_scope(child, path))
        add_levels(child, levels);
      else
        levels->has_others = true;
  }
  void examine_others(uint32_t path) {
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      if (is_same_scope(child, path))
        examine_others(child);
      else
        examine(child, true);
  }

  // A recursion whose levels are called as often as usual, and of which none has most of the surplus: it is one cause.
  bool examine_recursion(uint32_t path, const Baseline::PathUsual& usual) {
    Levels levels = {0, {0, 0}, 0, true, false};
    add_levels(path, &levels);
    const double surplus_ns = static_cast<double>(levels.time_ns) - levels.usual.middle;
    if (!levels.are_usual || levels.most_ns * 4 > surplus_ns * 3 || !stands_out(surplus_ns, levels.usual)) return false;
    add(path, levels.time_ns, levels.usual, usual, levels.has_others ? uint32_t{kIsOwnTime} : 0u);
    examine_others(path);
    return true;
  }

  // Of a path whose time always scatters as much: what is inside of it may be steady, and have taken most of the surplus.
  void examine_inside(uint32_t path) {
    const PathTime& time = path_.time_of(path);
    const Baseline::PathUsual usual = usual_of_path(path);
    const double own_ns = static_cast<double>(time.self_ns) - usual.self.middle;
    const bool is_most =
        own_ns * 2 > static_cast<double>(why_.surplus_ns) && (time.own_flags() & FLAMELET_PIECE_WAIT) == 0;
    if (is_most && explain_->first_child[path] != kNoIndex && stands_out(own_ns, usual.self))
      add(path, time.self_ns, usual.self, usual, own_time(path));
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child])
      if ((path_.time_of(child).total_ns - static_cast<int64_t>(usual_of_path(child).total.middle)) * 2 >
          why_.surplus_ns)
        examine(child, true);
  }

  // Where what stands out explains less than half of the surplus: the innermost path that grew by half of that, in its own time
  // or with what is inside of it. Its time always scatters as much, as that of one that grows from frame to frame.
  void examine_what_scatters() {
    int64_t explained_ns = 0;
    for (const Evidence& cause : list_) explained_ns += cause.surplus_ns;
    const bool is_unusual = (why_.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0;
    const bool is_asked = is_unusual || why_.surplus_ns > why_.spread_ns;
    if (explained_ns * 2 >= why_.surplus_ns || !is_asked) return;
    uint32_t most = kNoIndex;
    double most_ns = static_cast<double>(why_.surplus_ns) / 2;
    bool is_own = false;
    for (uint32_t i = 0; i < path_.touched_count(); ++i) {
      const uint32_t path = path_.touched()[i];
      const flamelet_explain_scope& scope = explain_->paths[path];
      const PathTime& time = path_.time_of(path);
      if (PathTable::is_figure(scope) || scope.site == kNoIndex || (time.own_flags() & FLAMELET_PIECE_WAIT) != 0)
        continue;
      const Baseline::PathUsual usual = usual_of_path(path);
      const double own_ns = static_cast<double>(time.self_ns) - usual.self.middle;
      const double all_ns = static_cast<double>(time.total_ns) - usual.total.middle;
      const bool is_in_it = most != kNoIndex && !is_own && is_under(*explain_, path, most);
      const bool is_better =
          own_ns >= most_ns || (is_unusual && !is_own && all_ns * 2 >= static_cast<double>(why_.surplus_ns) &&
                                (most == kNoIndex || is_in_it));
      if (!is_better) continue;
      is_own = own_ns >= most_ns;
      most = path;
      if (is_own) most_ns = own_ns;
    }
    if (most == kNoIndex) return;
    const Baseline::PathUsual usual = usual_of_path(most);
    const PathTime& time = path_.time_of(most);
    if (is_own)
      add(most, time.self_ns, usual.self, usual, own_time(most));
    else
      add(most, time.total_ns, usual.total, usual, 0);
  }

  // Of a path that is called more often: the child that has nearly all of what that added, and whose calls grew more still.
  uint32_t child_with_more(uint32_t path, const Baseline::PathUsual& usual) const {
    const PathTime& time = path_.time_of(path);
    const double surplus_ns = static_cast<double>(time.total_ns) - usual.total.middle;
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child]) {
      const PathTime& inner = path_.time_of(child);
      const Baseline::PathUsual usual_inner = usual_of_path(child);
      const double inner_ns = static_cast<double>(inner.total_ns) - usual_inner.total.middle;
      if (inner_ns < 0.9 * surplus_ns || is_same_scope(child, path)) continue;
      const bool grew_more = inner.calls * usual.calls.middle > kMore * time.calls * usual_inner.calls.middle;
      if (grew_more && is_by_calls(inner, usual_inner)) return child;
    }
    return kNoIndex;
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
    const double usual_calls = explain_->baseline.calls_inside(path, explain_->paths);
    const double usual_each_ns = usual_inside.middle / std::max(usual_calls, 1.0);
    double calls = 0;
    bool is_one = false;
    for (uint32_t child = explain_->first_child[path]; child != kNoIndex; child = explain_->next_sibling[child]) {
      calls += path_.time_of(child).calls;
      is_one = is_one || is_by_one_call(path_.time_of(child), usual_each_ns, surplus_ns);
    }
    const bool more =
        !is_one && calls > kMore * usual_calls &&
        (usual_calls == 0 || is_by_calls(calls, inside_ns / calls, usual_calls, usual_inside.middle / usual_calls));
    list_.count = before;
    add(path, static_cast<int64_t>(inside_ns), usual_inside, usual, more ? kMoreOnPath : 0u);
    Evidence& cause = list_.items[before];
    cause.flags |= FLAMELET_CAUSE_INSIDE;
    cause.calls = static_cast<uint32_t>(calls);
    cause.usual_calls = usual_calls;
  }

  // The waits of the main thread can have made the frame longer by no more than they took longer themselves. For whom they are at
  // their end may be chance: jobs that take as long as one another each end last in some frames. Not so of work that is new, that
  // grew, or had most of the wait and takes much less wherever it is done: where waits always scatter, theirs say little.
  void limit_to_waits() {
    const auto is_limited = [&](const Evidence& e) {
      const bool is_longer = e.has(kIsUsualJob) && !e.has(kTookAsUsual) && e.time_ns > kMuchLonger * e.usual_ns;
      return e.growth.blocks == 0 && verdict_of(e) != FLAMELET_VERDICT_NEW &&
             (!is_longer || e.time_ns * 2 <= waited_ns(e.waiting));
    };
    for (Evidence& first : list_) {
      const bool is_met =
          std::any_of(list_.begin(), &first, [&](const Evidence& e) { return e.waiting == first.waiting; });
      if (first.waiting == FLAMELET_NO_PATH || is_met) continue;
      int64_t sum_ns = 0;
      for (const Evidence& cause : list_) sum_ns += cause.waiting == first.waiting ? cause.surplus_ns : 0;
      const double left = path_surplus_ns(question_, first.waiting) / static_cast<double>(std::max<int64_t>(sum_ns, 1));
      for (Evidence& cause : list_)
        if (cause.waiting == first.waiting && is_limited(cause))
          cause.surplus_ns =
              std::min(cause.surplus_ns, static_cast<int64_t>(left * static_cast<double>(cause.surplus_ns)));
    }
    list_.leave_out(question_.least_ns);
  }

  // Work that took as long as usual and was waited for longer began later. If its thread or queue did something unusual before
  // that, or waited for it, which took longer by so much, then that is the cause.
  void pass_to_who_delayed() {
    const auto is_late_only = [](const Evidence& e) { return e.has(kTookAsUsual) && !e.has(kInOtherOrder); };
    const auto delayed = [&](const Evidence& late, const Evidence& other) {
      const bool is_there =
          other.lane == late.lane || std::count(other.via_lanes, other.via_lanes + other.via_count, late.lane) != 0;
      const int64_t longer_ns = std::max(other.time_ns, other.span_end_ns - other.span_begin_ns) - other.usual_ns;
      return !is_late_only(other) && other.waiting == late.waiting && is_there &&
             other.span_end_ns <= late.span_begin_ns + explain_->config.tolerance_ns &&
             longer_ns >= other.surplus_ns + late.surplus_ns;
    };
    const auto is_passed = [&](const Evidence& late) {
      if (!is_late_only(late) || late.waiting == FLAMELET_NO_PATH) return false;
      Evidence* cause = nullptr;
      for (Evidence& other : list_)
        if (delayed(late, other) && (cause == nullptr || other.surplus_ns > cause->surplus_ns)) cause = &other;
      if (cause == nullptr) return false;
      const int64_t sum_ns = std::min(cause->surplus_ns + late.surplus_ns, why_.surplus_ns);
      cause->surplus_ns = std::max(cause->surplus_ns, sum_ns);
      return true;
    };
    for (uint32_t i = 0; i < list_.count;)
      if (is_passed(list_.items[i]))
        std::move(list_.items + i + 1, list_.items + list_.count--, list_.items + i);
      else
        ++i;
  }

  void ask_usual_places() {
    Evidence* asked[FLAMELET_EXPLAIN_MAX_CAUSES];
    uint32_t count = 0;
    for (Evidence& evidence : list_) {
      const bool has_scope = explain_->paths[evidence.path].site != kNoIndex;
      const flamelet_verdict verdict = verdict_of(evidence);
      if (has_scope && (verdict == FLAMELET_VERDICT_NEW || may_have_moved(evidence) || calls_itself(evidence.path)))
        asked[count++] = &evidence;
    }
    if (count != 0) note_usual_places(question_, asked, count);
  }

  void ask_whether_it_ran() {
    Evidence* asked[FLAMELET_EXPLAIN_MAX_CAUSES];
    uint32_t count = 0;
    for (Evidence& evidence : list_)
      if (explain_->paths[evidence.path].site != kNoIndex && evidence.seen_frames * 2 < why_.baseline_frames)
        asked[count++] = &evidence;
    note_frames_with(question_, asked, count);
  }

  // A path that nobody waited for was not on the critical path, but it may have run. How many of a job's calls are on it,
  // and how much of each, depends on when the wait for the job begins, so neither says what the job does.
  void ask_history(Evidence* cause) {
    const PathTime& time = path_.time_of(cause->path);
    const flamelet_verdict verdict = verdict_of(*cause);
    if (cause->waiting == FLAMELET_NO_PATH && verdict == FLAMELET_VERDICT_MORE_CALLS) count_on_all(cause);
    if (cause->waiting == FLAMELET_NO_PATH || (cause->facts & (kIsWait | kOfProfiler | kInNoScope)) != 0) return;
    if (verdict == FLAMELET_VERDICT_CARRIED_OVER) return ask_seldom(cause);
    const bool is_counted = verdict == FLAMELET_VERDICT_MORE_CALLS, is_own = cause->time_ns == time.self_ns;
    if ((cause->flags & FLAMELET_CAUSE_INSIDE) != 0 && (is_counted || cause->usual_calls >= 1)) return;
    const JobUsual usual = usual_job(question_, cause->path, cause->span_begin_ns);
    if (usual.calls == 0) return ask_seldom(cause);
    const JobUsual now = job_in_frame(question_, cause->path);
    const double count = cause->calls, each_ns = static_cast<double>(cause->time_ns) / count;
    const double usual_each_ns = is_own ? usual.self_ns : usual.call_ns;
    // Threads may share the calls, and the critical path has only those of one.
    const double all = std::max(count, now.calls);
    const bool more = all > kMore * usual.calls + 1 && is_by_calls(all, each_ns, usual.calls, usual_each_ns);
    if (is_periodic(*cause, now, usual)) return blame_nobody(cause);
    if (!more && took_as_usual(*cause, now, usual, is_own)) {
      cause->facts |= kIsUsualJob;
      // It takes as long as in the frames just before: each call may have grown to that.
      cause->growth = growth_of_job(question_, cause->path, is_own);
      if (cause->growth.to_ns <= cause->growth.from_ns * kMore || cause->growth.from_ns <= 0) cause->growth = {};
      if (cause->growth.blocks == 0) {
        cause->facts |= kTookAsUsual;
        cause->flags |= FLAMELET_CAUSE_AS_USUAL;
        return;
      }
      cause->usual_ns = static_cast<int64_t>(cause->growth.from_ns * count);
      cause->usual_calls = usual.calls;
      cause->surplus_ns = std::max<int64_t>(cause->time_ns - cause->usual_ns, 0);
      cause->spread_ns = 0;
      return;
    }
    if (!is_counted && cause->usual_calls >= 1 && !cause->has(kOnGpu)) return;
    // Work of every frame that is as usual may have held a lock. Otherwise that is what changed, whoever waited.
    if (verdict == FLAMELET_VERDICT_WAIT && !more && each_ns <= kMore * usual_each_ns) return;
    cause->usual_calls = usual.calls;
    cause->usual_ns = static_cast<int64_t>(usual_each_ns * count * (more ? usual.calls / all : 1));
    cause->spread_ns = 0;
    if (more && !cause->has(kOnGpu)) cause->calls = static_cast<uint32_t>(all);
    cause->facts |= kIsUsualJob | (more ? kMoreOnAll : 0u);
    if (time.self_ns > cause->time_ns - time.self_ns) cause->facts |= own_time(cause->path);
  }

  void note_growth(const Evidence& cause) {
    const Growth& growth = cause.growth;
    const double grown_ns = (growth.to_ns - growth.from_ns) * cause.calls;
    if (growth.blocks == 0 || cause.has(kLostProcessor) || why_.growth_to_ns != 0 ||
        grown_ns * 10 < static_cast<double>(why_.usual_ns))
      return;
    why_.flags |= FLAMELET_EXPLAIN_SCOPE_GREW;
    why_.growth_path = cause.path;
    why_.growth_since = growth.since;
    why_.growth_from_ns = static_cast<int64_t>(growth.from_ns * cause.calls);
    why_.growth_to_ns = static_cast<int64_t>(growth.to_ns * cause.calls);
  }

  // A job that is not done in each frame, and for which others seldom wait: whether it took longer than it does where it is
  // done, or as long.
  void ask_seldom(Evidence* cause) {
    const bool may_be_seldom = cause->has(kIsRare) || cause->has(kOnGpu);
    if ((cause->flags & FLAMELET_CAUSE_INSIDE) != 0 || !may_be_seldom) return;
    const JobUsual usual = seldom_job(question_, cause->path, cause->span_begin_ns);
    if (usual.calls == 0 || cause->calls > kMore * usual.calls + 1) return;
    // Where it is mostly waited for when it is done, the path says what it takes.
    if (cause->usual_there_ns != 0 && usual.frames <= 2 * cause->seen_frames) return;
    const PathTime& time = path_.time_of(cause->path);
    const bool is_own = cause->time_ns == time.self_ns && time.self_ns != time.total_ns;
    const JobUsual now = job_in_frame(question_, cause->path);
    if (took_as_usual(*cause, now, usual, is_own)) {
      if (verdict_of(*cause) == FLAMELET_VERDICT_CARRIED_OVER) return;
      const bool is_waited_for = usual.frames <= 2 * cause->seen_frames;  // mostly, when it is done
      cause->usual_there_ns = is_waited_for ? explain_->baseline.usual_where_seen(cause->path) : 0;
      cause->facts |= kTookAsUsual | kIsUsualJob;
      cause->flags |= FLAMELET_CAUSE_AS_USUAL;
      return;
    }
    const double usual_ns = is_own ? usual.longest_self : usual.longest_ns;
    const auto whole_ns = static_cast<double>(cause->span_end_ns - cause->span_begin_ns);
    if (whole_ns <= kMore * usual_ns) return;
    const auto each_ns = static_cast<int64_t>((is_own ? usual.self_ns : usual.call_ns) * cause->calls);
    cause->spread_ns = 0;
    // Who was only probably waited for may also have held a lock.
    if (verdict_of(*cause) == FLAMELET_VERDICT_WAIT) {
      cause->usual_there_ns = each_ns;
      return;
    }
    cause->facts |= kIsUsualJob;
    cause->usual_ns = each_ns;
  }

  // More calls on the main thread, which others share: how many all of them made.
  void count_on_all(Evidence* cause) {
    if ((cause->flags & FLAMELET_CAUSE_INSIDE) != 0) return;
    const JobUsual usual = usual_job(question_, cause->path, cause->span_begin_ns);
    const JobUsual now = job_in_frame(question_, cause->path);
    if (now.calls <= cause->calls || usual.calls < cause->usual_calls || now.calls <= kMore * usual.calls) return;
    cause->usual_ns =
        static_cast<int64_t>(static_cast<double>(cause->time_ns) * usual.calls / now.calls *
                             std::min(usual.call_ns * cause->calls / static_cast<double>(cause->time_ns), 1.0));
    cause->calls = static_cast<uint32_t>(now.calls);
    cause->usual_calls = usual.calls;
    cause->facts |= kMoreOnAll;
  }

  // Whether its thread did it as often as ever for the time, each call as long as ever, and slept nearly all of the time. That
  // one of its calls ended when the wait did is chance.
  bool is_periodic(const Evidence& cause, const JobUsual& now, const JobUsual& usual) const {
    const double frame_ns = static_cast<double>(why_.frame.end_ns - why_.frame.begin_ns);
    const double expected = usual.calls * frame_ns / static_cast<double>(std::max<int64_t>(why_.usual_ns, 1));
    const bool is_told = (cause.flags & (FLAMELET_PIECE_PROBABLY | FLAMELET_PIECE_USUALLY)) == 0;
    if (is_told || now.calls > kMore * expected + 1 || now.longest_ns > kAsUsual * usual.longest_ns) return false;
    const int64_t awake_ns =
        explain_->lanes.awake_ns(cause.lane, question_.position, why_.frame.begin_ns, why_.frame.end_ns);
    return static_cast<double>(awake_ns) * 10 < frame_ns;
  }

  // The candidate becomes the wait on the main thread.
  void blame_nobody(Evidence* cause) const {
    cause->facts = kIsWait;
    cause->path = cause->waiting;
    cause->inner_path = FLAMELET_NO_PATH;
    cause->lane = why_.main_lane;
    cause->object = 0;
    cause->flags = FLAMELET_PIECE_WAIT;
    cause->waiting = cause->nearest_wait = FLAMELET_NO_PATH;
    cause->via_count = 0;
  }

  // Whether its thread slept for most of its call, and for less than a fourth of those before: its usual calls lost their
  // processor, or worked. False if states of threads are not known.
  bool slept_unlike_before(const Evidence& cause) const {
    constexpr size_t kFar = 128;
    constexpr uint32_t kEnough = 16;
    const WorkWindow call = window_of(cause, why_.frame);
    flamelet_state_times states;
    if (!flamelet_capture_state_times(capture_, cause.lane, call.begin_ns, call.end_ns, &states) ||
        states.ns[FLAMELET_STATE_ASLEEP] * 2 < call.end_ns - call.begin_ns)
      return false;
    int64_t asleep_ns = 0, all_ns = 0;
    uint32_t calls = 0;
    for_each_frame_before(question_, kFar, why_.frame.begin_ns, [&](const flamelet_frame_info&) {
      if (calls >= kEnough) return;
      explain_->path.for_each_span(cause.lane, cause.path, [&](const flamelet_span& span) {
        if (!flamelet_capture_state_times(capture_, cause.lane, span.begin_ns, span.end_ns, &states)) return;
        asleep_ns += states.ns[FLAMELET_STATE_ASLEEP];
        all_ns += span.end_ns - span.begin_ns;
        ++calls;
      });
    });
    return calls >= 3 && asleep_ns * 4 < all_ns;
  }

  // Whether none of its calls took longer than the longest of a usual frame, by so much that it matters.
  bool took_as_usual(const Evidence& cause, const JobUsual& now, const JobUsual& usual, bool is_own) const {
    if (slept_unlike_before(cause)) return false;
    double longest_ns = is_own ? now.longest_self : now.longest_ns;
    const double usual_ns = is_own ? usual.longest_self : usual.longest_ns;
    if (cause.span_begin_ns < why_.frame.begin_ns)  // which is not one of those that began in this frame
      longest_ns =
          std::max(longest_ns, static_cast<double>(cause.span_end_ns) - static_cast<double>(cause.span_begin_ns));
    // Of what a queue did in the frame, only some was waited for.
    if (cause.has(kOnGpu))
      longest_ns = std::min(longest_ns, static_cast<double>(cause.span_end_ns - cause.span_begin_ns));
    const double half_ns = static_cast<double>(cause.surplus_ns) / 2;
    if (longest_ns > kAsUsual * usual_ns || longest_ns - usual_ns > half_ns) return false;
    // Nor did several together, which the longest one may hide.
    return now.calls < 3 || usual.work_ns == 0 || now.work_ns <= kAsUsual * usual.work_ns ||
           (now.work_ns - usual.work_ns) * now.calls <= half_ns;
  }

  // Own time of a scope that has others, in any frame that was read, is in no scope that says what. Waits do not say it.
  uint32_t own_time(uint32_t path) const {
    for (uint32_t i = path + 1; i < explain_->paths.count(); ++i)
      if (explain_->paths[i].parent == path && !explain_->lanes.site_waits(explain_->paths[i].site)) return kIsOwnTime;
    return 0;
  }

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
           fact(kIsFile, scope.site != kNoIndex && explain_->lanes.is_file(scope.site)) |
           fact(kIsWait, (time.own_flags() & FLAMELET_PIECE_WAIT) != 0 && time.self_ns == time.total_ns) |
           fact(kHeldLock, was_waited_for && time.nearest_wait != FLAMELET_NO_PATH && is_lock(time.nearest_wait)) |
           fact(kNotBegun, (time.own_flags() & FLAMELET_PIECE_NOT_BEGUN) != 0) |
           fact(kBeganEarlier, was_waited_for && time.span_begin_ns < before_.begin_ns) |
           fact(kIsProbable, was_waited_for && (time.flags & (FLAMELET_PIECE_PROBABLY | FLAMELET_PIECE_BY_FLOW)) ==
                                                   FLAMELET_PIECE_PROBABLY);
  }

  // Whether who waited for it went on when the outermost scope around it ended, which is there in each frame. A lock would
  // have been let go inside of that.
  bool ended_usual_job(const Evidence& cause) {
    uint32_t root = cause.path;
    while (explain_->paths[root].parent != FLAMELET_NO_PATH) root = explain_->paths[root].parent;
    const PathTime& time = path_.time_of(root);
    if (root == cause.path || time.calls != 1) return false;
    int64_t end_ns = 0;
    for (size_t i = 0; i < why_.piece_count; ++i)
      if (why_.pieces[i].lane == cause.lane && why_.pieces[i].nearest_wait == cause.nearest_wait)
        end_ns = std::max(end_ns, why_.pieces[i].end_ns);
    return end_ns == time.span_end_ns && usual_job(question_, root, time.span_begin_ns).calls >= 1;
  }

  // Whom a lane that was waited for on this path had waited for it, back to the main thread.
  void note_via(Evidence* cause, uint32_t via) const {
    uint32_t lanes[FLAMELET_EXPLAIN_MAX_VIA], count = 0;
    for (; via != kNoIndex && count < FLAMELET_EXPLAIN_MAX_VIA; via = waited_for_by(via, cause->waiting))
      lanes[count++] = via;
    std::reverse_copy(lanes, lanes + count, cause->via_lanes);
    cause->via_count = count;
  }
  uint32_t waited_for_by(uint32_t lane, uint32_t waiting) const {
    for (uint32_t i = 0; i < path_.touched_count(); ++i) {
      const PathTime& time = path_.time_of(path_.touched()[i]);
      if (time.lane == lane && time.waiting == waiting && time.piece_ns != 0 && time.via != lane) return time.via;
    }
    return kNoIndex;
  }

  void add(uint32_t path, int64_t time_ns, const Usual& usual, const Baseline::PathUsual& all, uint32_t changed) {
    Evidence cause = no_evidence();
    const PathTime& time = path_.time_of(path);
    cause.facts = facts_of(path) | changed;
    cause.path = path;
    cause.lane = time.lane;
    cause.waiting = time.waiting;
    cause.nearest_wait = time.nearest_wait;
    note_via(&cause, time.via);
    cause.object = time.object;
    cause.flags = time_ns == time.self_ns ? time.own_flags() : time.flags;
    const auto is_waiting = [this](uint32_t at) { return (path_.time_of(at).own_flags() & FLAMELET_PIECE_WAIT) != 0; };
    const bool has_waits = time_ns != time.self_ns && (cause.flags & FLAMELET_PIECE_WAIT) != 0;
    if (has_waits && inside_ns(path, is_waiting) * 2 < time_ns) cause.flags &= ~uint32_t{FLAMELET_PIECE_WAIT};
    if (cause.has(kIsFile)) cause.flags |= FLAMELET_CAUSE_FILE;
    if (cause.has(kHeldLock)) cause.flags |= FLAMELET_CAUSE_HELD_LOCK;
    cause.calls = time.calls;
    cause.usual_calls = all.calls.middle;
    cause.time_ns = time_ns;
    cause.usual_ns = static_cast<int64_t>(usual.middle / slower_);
    cause.spread_ns = static_cast<int64_t>(usual.spread / slower_);
    cause.surplus_ns = cause.time_ns - static_cast<int64_t>(usual.middle);
    cause.seen_frames = all.seen;
    if (cause.has(kIsRare | kIsProbable) && ended_usual_job(cause)) cause.facts |= kEndedUsualJob;
    if (verdict_of(cause) == FLAMELET_VERDICT_NEW) {
      cause.usual_there_ns = explain_->baseline.usual_where_seen(path);
      for (uint32_t child = only_child(path); child != kNoIndex; child = only_child(child)) cause.inner_path = child;
    }
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
  double slower_ = 1;  // everything, by this factor
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
