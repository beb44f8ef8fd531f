// SPDX-License-Identifier: MIT
//
// explanation_text.cpp: an explanation as one sentence and a few lines. What makes it unsure stands first.
#include <algorithm>
#include <utility>

#include "evidence.h"
#include "names.h"
#include "text_sink.h"

using namespace flamelet::explain;

namespace {

constexpr size_t kMaxCauseLines = 4;  // and one for what is left

const char* plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

class Words {
 public:
  Words(const flamelet_explain* explain, const flamelet_capture* capture, const flamelet_explanation& why,
        TextSink* out)
      : explain_(explain), capture_(capture), why_(why), out_(*out) {}

  void write() {
    write_sentence();
    if (has_parts()) return write_parts();
    for (size_t i = 0; i < why_.cause_count && i < kMaxCauseLines; ++i) write_cause(why_.causes[i]);
    for (size_t i = 0; i < why_.late_count; ++i) write_late(why_.late[i]);
    if (why_.cause_count != 0) write_rest();
  }
  void write_sentence() {
    write_doubts();
    write_frame();
    const bool is_late = is_unusual() || has(FLAMELET_EXPLAIN_OVER_BUDGET) || is_as_long_as_few();
    if (is_late && !has(FLAMELET_EXPLAIN_NO_MAIN_THREAD)) {
      if (why_.cause_count != 0 && why_.causes[0].verdict != FLAMELET_VERDICT_AS_USUAL)
        write_first_cause();
      else
        write_no_cause();
      write_second_cause();
    } else if (has_parts()) {
      write_most_time();
    }
    write_times();
  }

  // "Worker 2: Job > Plan all paths {beacon 1}"
  void write_place(const flamelet_cause& cause) {
    if (cause.verdict == FLAMELET_VERDICT_SLOWED) return;
    write_lane(cause);
    out_.add(": ");
    write_path(cause.path);
    write_object(cause);
  }

  static const char* verdict_of(const flamelet_cause& cause) {
    if (cause.verdict != FLAMELET_VERDICT_NEW || (cause.usual_there_ns == 0 && !was_there(cause)))
      return flamelet_verdict_name(cause.verdict);
    if (cause.usual_there_ns != 0 || (cause.usual_lane == UINT32_MAX && !is_frequent(cause))) return "rare";
    return cause.usual_lane != UINT32_MAX || cause.recursion_depth == 0 ? "new here" : "more levels";
  }

 private:
  // Milliseconds, with more digits where frames are short. From ten seconds on, and in such frames, with their units.
  struct Ms {
    char text[48];
  };
  Ms ms(int64_t ns) const {
    const int64_t frame_ns = why_.frame.end_ns - why_.frame.begin_ns;
    Ms result;
    if (is_long(ns) || is_long(frame_ns)) {
      TextSink out(result.text, sizeof result.text);
      write_long(ns, &out);
      out.finish();
      return result;
    }
    char* const end =
        flamelet::write_fixed(result.text, result.text + sizeof result.text - 1, static_cast<double>(ns) / 1e6,
                              frame_ns < 1000000   ? 3
                              : frame_ns < 5000000 ? 2
                                                   : 1);
    *end = 0;  // there is always room
    return result;
  }

  static bool is_long(int64_t ns) { return ns >= 10000000000 || ns <= -10000000000; }
  // "1 d 16 h", "2 min 5 s", "12.0 s", "16.1 ms"
  static void write_long(int64_t ns, TextSink* out) {
    constexpr struct {
      uint64_t seconds;
      const char* name;
    } kUnits[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    if (!is_long(ns)) return out->print("%.1f ms", static_cast<double>(ns) / 1e6);
    if (std::abs(static_cast<double>(ns)) < 60e9) return out->print("%.1f s", static_cast<double>(ns) / 1e9);
    const uint64_t size_ns = ns < 0 ? 0 - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
    size_t unit = 0;
    while (unit < 2 && size_ns / 1000000000 < kUnits[unit].seconds) ++unit;
    const uint64_t least_ns = kUnits[unit + 1].seconds * 1000000000;
    const uint64_t rounded = (size_ns + least_ns / 2) / least_ns * kUnits[unit + 1].seconds;
    if (unit != 0 && rounded >= kUnits[unit - 1].seconds) --unit;
    out->print("%s%llu %s %llu %s", ns < 0 ? "-" : "", static_cast<unsigned long long>(rounded / kUnits[unit].seconds),
               kUnits[unit].name,
               static_cast<unsigned long long>(rounded % kUnits[unit].seconds / kUnits[unit + 1].seconds),
               kUnits[unit + 1].name);
  }

  static bool is_inside(const flamelet_cause& cause) { return has(cause, FLAMELET_CAUSE_INSIDE); }
  bool has(uint32_t flag) const { return (why_.flags & flag) != 0; }
  static bool has(const flamelet_cause& cause, uint32_t flags) { return (cause.flags & flags) != 0; }
  bool is_unusual() const { return has(FLAMELET_EXPLAIN_UNUSUAL); }
  // Half as long again as most, and no longer than a few: it has a cause, too.
  bool is_as_long_as_few() const {
    if (why_.baseline_frames < FLAMELET_EXPLAIN_MIN_BASELINE || why_.surplus_ns * 2 < why_.usual_ns) return false;
    const int64_t first_ns = why_.cause_count > 0 ? why_.causes[0].surplus_ns : 0;
    const int64_t second_ns = why_.cause_count > 1 ? why_.causes[1].surplus_ns : 0;
    return first_ns * 2 >= why_.surplus_ns || (first_ns + second_ns) * 4 >= why_.surplus_ns * 3;
  }

  void write_doubts() {
    if (has(FLAMELET_EXPLAIN_LOSSY)) out_.add("Events of this frame were lost, so what follows may be wrong. ");
    if (has(FLAMELET_EXPLAIN_PARTIAL)) {
      out_.add(why_.frame.index == 0 ? "This is no frame, but the time before the first mark. "
                                     : "Recording was off in this frame, or in a part of it. ");
    }
    if (has(FLAMELET_EXPLAIN_SILENT_MARKER))
      out_.add("The thread that marked this frame has recorded nothing else: it needs a scope. ");
    else if (has(FLAMELET_EXPLAIN_NO_MAIN_THREAD))
      out_.add("No thread has a scope in this frame. ");
    if (has(FLAMELET_EXPLAIN_OVER_LIMITS)) out_.add("The frame has more than the limits allow, so parts are missing. ");
    if (has(FLAMELET_EXPLAIN_IN_TURN))
      out_.add("Every second frame takes twice as long, as where two places mark frames in turn. ");
    if (has(FLAMELET_EXPLAIN_LITTLE_BASELINE))
      out_.print("There is little to compare with: %u whole frame%s%s. ", why_.baseline_frames,
                 plural(why_.baseline_frames), has(FLAMELET_EXPLAIN_OVER_LIMITS) ? " within the limits" : "");
  }

  // "Frame 1502 took 49.8 ms, 33.1 more than usual (240 frames, 16.7 ± 0.9)."
  // "Frame 1503 took 17.1 ms; up to 21.2 is usual (240 frames, 16.7 ± 0.9)."
  void write_frame() {
    out_.print("Frame %llu took %s ms", static_cast<unsigned long long>(why_.frame.index),
               ms(why_.frame.end_ns - why_.frame.begin_ns).text);
    if (why_.baseline_frames != 0) {
      if (has(FLAMELET_EXPLAIN_OVER_BUDGET))
        out_.print(", %s over its budget",
                   ms(why_.frame.end_ns - why_.frame.begin_ns - explain_->config.budget_ns).text);
      if (is_unusual())
        out_.print(", %s more than usual", ms(why_.surplus_ns).text);
      else
        out_.print("; up to %s is usual", ms(why_.limit_ns).text);
      out_.print(" (%u ", why_.baseline_frames);
      if (has(FLAMELET_EXPLAIN_SAMPLED)) out_.print("of %llu ", static_cast<unsigned long long>(why_.baseline_range));
      out_.print(
          "frame%s%s%s, %s \xC2\xB1 %s", plural(why_.baseline_frames), has(FLAMELET_EXPLAIN_AROUND) ? " around it" : "",
          has(FLAMELET_EXPLAIN_IN_TURN) ? ", every second one" : "", ms(why_.usual_ns).text, ms(why_.spread_ns).text);
      // Where they scatter much, that says little of how long they can be.
      if (why_.spread_ns * 4 > why_.usual_ns)
        out_.print(", %s up to %s", why_.baseline_frames < 50 ? "all" : "98 %", ms(why_.nearly_all_ns).text);
      out_.add(")");
    }
    out_.add(".");
  }

  // " Every 120 frames one is like that. Frames have grown from 8.1 ms to 12.4 since frame 200, most of all in Physics."
  void write_times() {
    if (why_.period_path != FLAMELET_NO_PATH) {
      out_.add(" ");
      out_.add(path_name(explain_, capture_, why_.period_path));
      out_.print(" runs every %u frames.", why_.period_frames);
    } else if (why_.period_frames != 0) {
      out_.print(" Every %u frames one is like that.", why_.period_frames);
    }
    if (why_.growth_to_ns == 0) return;
    if (has(FLAMELET_EXPLAIN_SCOPE_GREW)) {
      out_.add(" ");
      write_path(why_.growth_path);
      out_.print(" has grown from %s ms to %s since frame %llu.", ms(why_.growth_from_ns).text,
                 ms(why_.growth_to_ns).text, static_cast<unsigned long long>(why_.growth_since));
      return;
    }
    out_.print(" Frames have grown from %s ms to %s since frame %llu", ms(why_.growth_from_ns).text,
               ms(why_.growth_to_ns).text, static_cast<unsigned long long>(why_.growth_since));
    if (why_.growth_path != FLAMELET_NO_PATH) {
      out_.add(", most of all in ");
      write_path(why_.growth_path);
    }
    out_.add(".");
  }

  // "\n  Render was nearly as late: 15.9 ms in Render frame", "\n  Crowd took longer meanwhile: 25.5 ms in Walk, usually 1.2"
  void write_late(const flamelet_late_lane& late) {
    out_.add("\n  ");
    out_.add(lane_name(capture_, late.lane));
    out_.print(late.usual_ns != 0 ? " took longer meanwhile: %s ms in " : " was nearly as late: %s ms in ",
               ms(late.work_ns).text);
    write_path(late.path);
    if (late.usual_ns != 0) out_.print(", usually %s", ms(late.usual_ns).text);
  }

  // Hardly anything can be compared: then what the frame consists of is the answer.
  bool has_parts() const {
    constexpr uint32_t kLeast = 3;
    return why_.baseline_frames < kLeast && !is_unusual() && !has(FLAMELET_EXPLAIN_OVER_BUDGET) &&
           why_.piece_count != 0;
  }

  // The path that took most of the frame's critical path, of those that took less than `below`.
  uint32_t longest_below(std::pair<int64_t, uint32_t> below) const {
    std::pair<int64_t, uint32_t> longest = {0, FLAMELET_NO_PATH};
    for (size_t i = 0; i < why_.piece_count; ++i) {
      const std::pair<int64_t, uint32_t> at = {explain_->path.time_of(why_.pieces[i].path).self_ns,
                                               why_.pieces[i].path};
      if (at > longest && at < below) longest = at;
    }
    return longest.second;
  }

  // "\n  212.0 ms  Main: Load level" for each of the longest.
  void write_parts() {
    constexpr int64_t kLeast = 20;  // of the frame: the others are too little to mention
    std::pair<int64_t, uint32_t> below = {INT64_MAX, 0};
    for (size_t lines = 0; lines <= kMaxCauseLines; ++lines) {
      const uint32_t path = longest_below(below);
      if (path == FLAMELET_NO_PATH) return;
      below = {explain_->path.time_of(path).self_ns, path};
      if (below.first * kLeast < why_.frame.end_ns - why_.frame.begin_ns) return;
      out_.print("\n  %s ms  ", ms(below.first).text);
      out_.add(lane_name(capture_, explain_->path.time_of(path).lane));
      out_.add(": ");
      write_path(path);
    }
  }

  void write_no_cause() {
    out_.add(" No scope stands out.");
    if (has(FLAMELET_EXPLAIN_OVER_BUDGET)) write_most_time();
  }

  // " Most took Main: Draw, 20.1 ms."
  void write_most_time() {
    const CriticalPath& path = explain_->path;
    const uint32_t most = longest_below({INT64_MAX, 0});
    if (most == FLAMELET_NO_PATH) return;
    out_.add(" Most took ");
    out_.add(lane_name(capture_, path.time_of(most).lane));
    out_.add(": ");
    write_path(most);
    out_.print(", %s ms.", ms(path.time_of(most).self_ns).text);
  }

  // "Main waited 31.0 ms for Worker 2 in Plan all paths: new, never in those frames."
  void write_first_cause() {
    const flamelet_cause& cause = why_.causes[0];
    if (cause.verdict == FLAMELET_VERDICT_STOPPED) return write_stop(cause);
    if (cause.verdict == FLAMELET_VERDICT_SLOWED) {
      out_.add(" Everything ");
      write_slowed(cause);
      write_machine(cause);
      out_.add(".");
      return;
    }
    const bool was_waited_for = cause.waiting != FLAMELET_NO_PATH && cause.lane != why_.main_lane;
    out_.add(" ");
    // If the frame is a fiber, its own work was perhaps on several threads.
    if (was_waited_for || cause.others_calls != 0)
      out_.add(lane_name(capture_, why_.main_lane));
    else
      write_lane(cause);
    if (cause.verdict == FLAMELET_VERDICT_PREEMPTED) {
      if (was_waited_for) {
        out_.add(has(cause, FLAMELET_PIECE_PROBABLY) ? " waited (probably) for " : " waited for ");
        write_waited_for(cause);
        out_.add(", which");
      }
      if (has(cause, FLAMELET_PIECE_NOT_BEGUN))
        out_.add(" had no processor to begin ");
      else
        out_.add(is_place_unsure(cause) ? " lost its processor, probably in " : " lost its processor in ");
    } else if (cause.others_calls != 0) {
      out_.add(cause.others_lane == why_.main_lane ? " did more as " : " waited as ");
      out_.add(lane_name(capture_, cause.lane));
      out_.print(" was %s ms in ", ms(cause.span_end_ns - cause.span_begin_ns).text);
    } else if (was_waited_for) {
      out_.print(" waited %s ms ", ms(waited_ns(cause)).text);
      if (has(cause, FLAMELET_PIECE_PROBABLY)) out_.add("(probably) ");
      out_.add("for ");
      write_waited_for(cause);
      out_.add(" in ");
    } else if (has(cause, FLAMELET_CAUSE_FILE)) {
      out_.print(" waited %s ms to ", ms(cause.time_ns).text);
      out_.add(path_name(explain_, capture_, cause.path));
      out_.add(" ");
      out_.add(cause.object != 0 ? flamelet_capture_string(capture_, cause.object) : text_of("a file"));
      out_.add(": ");
      write_verdict(cause);
      out_.add(".");
      return;
    } else {
      out_.print(has(cause, FLAMELET_PIECE_WAIT) ? " waited %s ms in " : " spent %s ms in ", ms(cause.time_ns).text);
    }
    write_scope(cause);
    out_.add(": ");
    write_verdict(cause);
    write_recursion(cause);
    write_idle(cause, false);
    write_faults(cause);
    write_machine(cause);
    out_.add(".");
  }

  // "Worker"; where another fiber of the same thread waits for it, "Bake on Worker".
  void write_waited_for(const flamelet_cause& cause) {
    write_via(cause);
    const bool is_same_thread = cause.via_count != 0 && cause.via_lanes[cause.via_count - 1] == cause.lane;
    const size_t fiber = is_same_thread ? fiber_that_began(cause.span_begin_ns, cause.span_end_ns) : kNoIndex;
    if (fiber != kNoIndex) {
      out_.add(lane_name(capture_, static_cast<uint32_t>(fiber)));
      out_.add(" on ");
    }
    write_lane(cause);
  }
  // The lane of the fiber that has this span.
  size_t fiber_that_began(int64_t begin_ns, int64_t end_ns) const {
    constexpr size_t kMostAround = 64;
    flamelet_lane_info info;
    for (size_t lane = 0; flamelet_capture_lane(capture_, lane, &info); ++lane) {
      if (info.kind != FLAMELET_LANE_FIBER) continue;
      flamelet_span spans[kMostAround];
      size_t count = 0;
      flamelet_capture_read_spans(capture_, lane, begin_ns, begin_ns + 1, spans, kMostAround, &count);
      for (size_t i = 0; i < std::min(count, kMostAround); ++i)
        if (spans[i].begin_ns == begin_ns && spans[i].end_ns == end_ns) return lane;
    }
    return kNoIndex;
  }

  // "Thumbnails in Collect selected, which waited for "
  void write_via(const flamelet_cause& cause) {
    for (uint32_t i = 0; i < cause.via_count; ++i) {
      out_.add(lane_name(capture_, cause.via_lanes[i]));
      const bool is_last = i + 1 == cause.via_count;
      if (is_last && cause.nearest_wait != FLAMELET_NO_PATH && is_scope(cause.nearest_wait) && !held_lock(cause)) {
        out_.add(" in ");
        out_.add(path_name(explain_, capture_, cause.nearest_wait));
      }
      out_.add(", which waited for ");
    }
  }

  // "The whole program stood still for 80.0 ms, with Main in Draw: 3 threads were at work, and none had a processor."
  void write_stop(const flamelet_cause& cause) {
    out_.print(" The whole program %sstood still for %s ms, with ",
               has(cause, FLAMELET_PIECE_PROBABLY) ? "probably " : "", ms(cause.time_ns).text);
    out_.add(lane_name(capture_, cause.lane));
    out_.add(" in ");
    write_scope(cause);
    out_.add(": ");
    write_who_stopped(cause);
    write_machine(cause);
    out_.add(".");
  }
  void write_who_stopped(const flamelet_cause& cause) {
    if (cause.threads == 0)
      out_.add("no thread ");
    else
      out_.print("%u thread%s at work, and none ", cause.threads, cause.threads == 1 ? " was" : "s were");
    if (has(cause, FLAMELET_CAUSE_HAD_WORK))
      out_.add("had a processor");
    else if (has(cause, FLAMELET_PIECE_PROBABLY))
      out_.add("began or ended anything, as where a signal, a debugger or the system stops it");
    else
      out_.add("ran or waited for a processor, as where a signal, a debugger or the system stops it");
  }

  // "took 2.1 times as long as usual, 25.2 ms for 12.0: the processors or the memory were slower"
  void write_slowed(const flamelet_cause& cause) {
    out_.print("took %.1f times as long as usual, %s ms for %s: the processors or the memory were slower",
               static_cast<double>(cause.time_ns) / static_cast<double>(cause.usual_ns), ms(cause.time_ns).text,
               ms(cause.usual_ns).text);
  }

  // The sentence must not hide a second cause of about the same weight, nor one of the program behind what the machine did.
  void write_second_cause() {
    if (why_.cause_count < 2 || why_.causes[0].verdict == FLAMELET_VERDICT_AS_USUAL) return;
    const int64_t first_ns = why_.causes[0].surplus_ns;
    const bool is_large = why_.causes[1].surplus_ns * 2 >= first_ns;
    if (is_large && !is_lost_in_first(why_.causes[1])) write_another(why_.causes[1]);
    if (!is_by_machine(why_.causes[0]) && !(is_large && is_by_machine(why_.causes[1]))) return;
    const flamelet_cause* const end = why_.causes + why_.cause_count;
    const flamelet_cause* const own = std::find_if(why_.causes + 1, end, [this](const flamelet_cause& cause) {
      return !is_by_machine(cause) && is_scope(cause.path) &&
             !has(cause, FLAMELET_CAUSE_NEXT_TICK | FLAMELET_CAUSE_FOR_UNKNOWN);
    });
    const bool is_said = is_large && own == why_.causes + 1;
    if (own != end && !is_said && own->surplus_ns * (is_by_machine(why_.causes[0]) ? 3 : 2) >= first_ns)
      write_another(*own);
  }
  // What is said of the first cause already.
  bool is_lost_in_first(const flamelet_cause& cause) const {
    const flamelet_cause& first = why_.causes[0];
    return cause.verdict == FLAMELET_VERDICT_PREEMPTED && cause.lane == first.lane && cause.path == first.path &&
           says_no_processor(first);
  }
  static bool says_no_processor(const flamelet_cause& cause) {
    return cause.verdict != FLAMELET_VERDICT_PREEMPTED && cause.no_processor_ns * 20 > cause.time_ns;
  }
  static bool is_by_machine(const flamelet_cause& cause) {
    return cause.verdict == FLAMELET_VERDICT_PREEMPTED || cause.verdict == FLAMELET_VERDICT_STOPPED ||
           cause.verdict == FLAMELET_VERDICT_SLOWED;
  }

  // " Another 293.9 ms: Lock town (lock or wait)."
  void write_another(const flamelet_cause& cause) {
    if (has(cause, FLAMELET_CAUSE_NEXT_TICK)) {
      out_.print(" Then it waited %s ms more in ", ms(cause.surplus_ns).text);
      write_scope(cause);
      out_.add(", because it came too late for a tick");
      write_tick();
      out_.add(".");
      return;
    }
    const bool is_place = cause.verdict == FLAMELET_VERDICT_PREEMPTED && is_place_unsure(cause);
    const bool is_probable = is_place || has(cause, FLAMELET_PIECE_PROBABLY);
    out_.print(" Another %s ms%s: ", ms(cause.surplus_ns).text, is_probable ? " (probably)" : "");
    write_scope(cause);
    out_.add(" (");
    out_.add(verdict_of(cause));
    out_.add(").");
  }

  void write_next_tick(const flamelet_cause& cause) {
    out_.add("for the next tick");
    write_tick();
    if (!has(cause, FLAMELET_CAUSE_FOR_UNKNOWN)) out_.add(", because it came too late for one");
  }
  // " of 16.7 ms", if frames mostly take just one.
  void write_tick() {
    if (why_.spread_ns * 100 <= why_.usual_ns) out_.print(" of %s ms", ms(why_.usual_ns).text);
  }

  void write_scope(const flamelet_cause& cause) {
    out_.add(path_name(explain_, capture_, cause.path));
    write_object(cause);
  }

  void write_verdict(const flamelet_cause& cause) {
    switch (cause.verdict) {
      case FLAMELET_VERDICT_NEW:
        write_new(cause);
        break;
      case FLAMELET_VERDICT_MORE_CALLS:
        write_more_calls(cause);
        break;
      case FLAMELET_VERDICT_SLOWER_CALLS:
        write_calls_took(cause);
        if (cause.spread_ns != 0) out_.print(" \xC2\xB1 %s", ms(cause.spread_ns).text);
        if (cause.calls > 1 && !is_inside(cause))
          out_.print(is_longer(cause) ? "; parts of them, the longest took %s" : "; the longest %s",
                     ms(cause.span_end_ns - cause.span_begin_ns).text);
        break;
      case FLAMELET_VERDICT_WAIT:
        if (has(cause, FLAMELET_CAUSE_NEXT_TICK))
          write_next_tick(cause);
        else if (has(cause, FLAMELET_CAUSE_IN_TURN))
          out_.print("a lock that %u threads held in turn, usually %s ms", cause.threads, ms(cause.usual_ns).text);
        else if (has(cause, FLAMELET_CAUSE_AS_USUAL))
          write_as_usual(cause);
        else if (held_lock(cause))
          write_rare_lock(cause);
        else if (has(cause, FLAMELET_CAUSE_FILE))
          write_file(cause);
        else if (cause.usual_there_ns != 0)
          out_.print("a lock, or longer work, usually %s ms", ms(cause.usual_there_ns).text);
        else if (!has(cause, FLAMELET_PIECE_WAIT))
          write_lock_or_work(cause);
        else
          out_.print("a lock or a wait, usually %s ms", ms(cause.usual_ns).text);
        if (!has(cause, FLAMELET_CAUSE_AS_USUAL) && !slept_most(cause)) write_for_unknown(cause);
        if (has(cause, FLAMELET_PIECE_NO_WAKER)) out_.add(", which no recorded thread ended");
        if (has(cause, FLAMELET_PIECE_NOT_BEGUN)) out_.add("; for work that was asked for, and not begun");
        break;
      case FLAMELET_VERDICT_GPU_BOUND:
        if (has(cause, FLAMELET_CAUSE_BEGAN_LATE))
          out_.add(
              "the GPU began it so late, though it had been handed over; another program or the driver had the GPU");
        else
          write_gpu_took(cause);
        break;
      case FLAMELET_VERDICT_CARRIED_OVER:
        out_.print("carried over, it began %s ms before the frame", ms(why_.frame.begin_ns - cause.span_begin_ns).text);
        break;
      case FLAMELET_VERDICT_UNINSTRUMENTED:
        if (is_scope(cause.path))
          out_.print("its own time, usually %s ms", ms(cause.usual_ns).text);
        else
          out_.print("no scope says what, usually %s ms", ms(cause.usual_ns).text);
        break;
      case FLAMELET_VERDICT_RECORDING:
        out_.add("the profiler's own work");
        break;
      case FLAMELET_VERDICT_PREEMPTED:
        out_.add("preempted, ");
        if (in_line_ && is_place_unsure(cause)) out_.add("probably here, ");
        out_.print("did not run for %s ms", ms(cause.time_ns).text);
        if (cause.calls == 0) out_.add(" of the frame");
        if (cause.lost_here_ns != 0)
          out_.print(", %s%s of it here", is_place_unsure(cause) ? "at most " : "", ms(cause.lost_here_ns).text);
        if (has(cause, FLAMELET_PIECE_NOT_BEGUN)) out_.add(" before it began");
        // How much is usually lost in one scope is not known. What is usually lost in others can be lost in one.
        if (cause.calls == 0 && cause.usual_ns < why_.usual_ns) out_.print(", usually %s", ms(cause.usual_ns).text);
        if (cause.calls == 0 && (cause.surplus_ns - cause.time_ns + cause.usual_ns) * 10 > cause.time_ns)
          out_.add(" elsewhere");
        write_rivals(cause);
        break;
      case FLAMELET_VERDICT_STOPPED:
        out_.print("the whole program %sstood still; ", has(cause, FLAMELET_PIECE_PROBABLY) ? "probably " : "");
        write_who_stopped(cause);
        break;
      case FLAMELET_VERDICT_ORDER:
        write_order(cause);
        break;
      case FLAMELET_VERDICT_SLOWED:
        out_.add("everything ");
        write_slowed(cause);
        break;
      case FLAMELET_VERDICT_AS_USUAL:
        out_.print(
            cause.time_ns * 4 > cause.usual_ns * 5 ? "usually %s \xC2\xB1 %s" : "as long as usual, %s \xC2\xB1 %s",
            ms(cause.usual_ns).text, ms(cause.spread_ns).text);
        break;
      case FLAMELET_VERDICT_COUNT:
        break;
    }
    write_begun(cause);
    write_meanwhile(cause);
    write_job(cause);
  }

  void write_gpu_took(const flamelet_cause& cause) {
    const int64_t call_ns = cause.span_end_ns - cause.span_begin_ns;
    if (cause.usual_ns == 0 && cause.usual_there_ns == 0 && !was_there(cause)) {
      out_.print("the GPU took %s ms", ms(std::max(cause.time_ns, cause.calls == 1 ? call_ns : 0)).text);
      return write_never(cause);
    }
    const bool is_one = cause.calls <= 1 || call_ns * 10 >= cause.time_ns * 9;  // that has nearly all of the time
    const int64_t usual_ns = is_one ? cause.usual_ns / std::max(cause.calls, 1u) : cause.usual_ns;
    if (is_one && call_ns - waited_ns(cause) > 100000)
      out_.print("the GPU took longer: %s ms, usually %s", ms(call_ns).text, ms(usual_ns).text);
    else
      out_.print("the GPU took longer, usually %s ms", ms(usual_ns).text);
    if (!is_one && cause.usual_calls >= 1 && cause.calls >= 1.5 * cause.usual_calls)
      out_.print("; %u of these, usually %.0f", cause.calls, cause.usual_calls);
  }

  // And not the time of a lane outside of all its scopes.
  bool is_scope(uint32_t path) const {
    flamelet_explain_scope scope;
    return flamelet_explain_path(explain_, path, &scope) && scope.lane == UINT32_MAX;
  }

  // "1 call took 40.0 ms, usually 10.0", "1 call took 40.0 ms; 32.0 of it were waited for, usually 2.0", "1 call took 40.0 ms,
  // usually 10.0; 32.0 of it were waited for"
  void write_calls_took(const flamelet_cause& cause) {
    out_.print("%u call%s%s took ", cause.calls, plural(cause.calls), is_inside(cause) ? " inside" : "");
    const int64_t call_ns = cause.span_end_ns - cause.span_begin_ns;
    const bool is_part =
        cause.calls == 1 && cause.waiting != FLAMELET_NO_PATH && !is_inside(cause) && call_ns - cause.time_ns > 100000;
    if (cause.usual_lane != UINT32_MAX && cause.usual_there_ns != 0) {
      out_.print("%s ms, usually %s, by ", ms(cause.time_ns).text, ms(cause.usual_there_ns).text);
      out_.add(lane_name(capture_, cause.usual_lane));
    } else if (!is_part) {
      out_.print("%s ms, usually %s", ms(cause.time_ns).text, ms(cause.usual_ns).text);
    } else if (has(cause, FLAMELET_CAUSE_USUAL_JOB)) {
      out_.print("%s ms, usually %s; %s of it were waited for", ms(call_ns).text, ms(cause.usual_ns).text,
                 ms(cause.time_ns).text);
    } else {
      out_.print("%s ms; %s of it were waited for, usually %s", ms(call_ns).text, ms(cause.time_ns).text,
                 ms(cause.usual_ns).text);
    }
  }

  // A call took longer than all of them on the critical path.
  static bool is_longer(const flamelet_cause& cause) { return cause.span_end_ns - cause.span_begin_ns > cause.time_ns; }

  void write_as_usual(const flamelet_cause& cause) {
    // Of work that is seldom done.
    if (cause.usual_ns == 0 && cause.usual_there_ns != 0)
      return out_.print("rare, %s ms in %u of those frames", ms(cause.usual_there_ns).text, cause.seen_frames);
    out_.print("it took as long as usual, and usually %s ms of it are waited for", ms(cause.usual_ns).text);
    if (has(cause, FLAMELET_CAUSE_FOR_UNKNOWN)) out_.add("; it probably began later");
  }

  // "3 calls to files blocked, never in those frames"
  void write_file(const flamelet_cause& cause) {
    if (cause.calls == 1)
      out_.add("a call to a file blocked");
    else
      out_.print("%u calls to files blocked, the longest for %s ms", cause.calls,
                 ms(cause.span_end_ns - cause.span_begin_ns).text);
    if (cause.seen_frames != 0)
      out_.print(", usually %s ms", ms(cause.usual_ns).text);
    else if (cause.ran_frames != 0)
      out_.add(", never here");  // but of this kind
    else
      write_never(cause);
  }

  // Whether any frame that was read had it, on the critical path or not.
  static bool was_there(const flamelet_cause& cause) { return cause.seen_frames != 0 || cause.ran_frames != 0; }
  static bool is_frequent(const flamelet_cause& cause) {
    return cause.ran_frames != 0 && cause.ran_frames * 2 >= cause.read_frames;
  }
  // ", never in those frames"
  void write_never(const flamelet_cause& cause) {
    if (cause.read_frames != 0 && cause.read_frames < why_.baseline_frames)
      out_.print(", never in the last %u frames", cause.read_frames);
    else
      out_.add(", never in those frames");
  }
  // "in 2 of those frames"
  void write_in_frames(const flamelet_cause& cause) {
    const bool is_part = cause.read_frames < why_.baseline_frames && cause.ran_frames >= cause.seen_frames;
    out_.print("in %u of ", std::max(cause.ran_frames, cause.seen_frames));
    if (is_part)
      out_.print("the last %u frames", cause.read_frames);
    else
      out_.add("those frames");
  }

  // "3 threads held the lock world in turn"
  static bool held_lock(const flamelet_cause& cause) { return has(cause, FLAMELET_CAUSE_HELD_LOCK); }
  static bool has_turns(const flamelet_cause& cause) {
    return held_lock(cause) && cause.threads > 1 && cause.verdict != FLAMELET_VERDICT_PREEMPTED;
  }
  void write_turns(const flamelet_cause& cause) {
    out_.print("%u threads held the lock ", cause.threads);
    out_.add(path_name(explain_, capture_, cause.nearest_wait));
    out_.add(" in turn");
  }

  // "; UI was idle and began UI frame only then"
  void write_begun(const flamelet_cause& cause) {
    if (cause.begun_path == FLAMELET_NO_PATH) return;
    out_.add(has(cause, FLAMELET_CAUSE_MAY_HAVE_BEGUN) ? "; probably " : "; ");
    out_.add(lane_name(capture_, cause.begun_lane));
    if (has(cause, FLAMELET_CAUSE_BEGUN_BY_IDLE)) out_.add(" was idle and");
    if (has(cause, FLAMELET_CAUSE_BEGUN_AFTER_SLEEP)) out_.add(" slept and");
    out_.add(" began ");
    out_.add(path_name(explain_, capture_, cause.begun_path));
    out_.add(" only then");
  }

  // "it held the lock world"
  void write_held_lock(const flamelet_cause& cause) {
    if (has_turns(cause)) return write_turns(cause);
    out_.add("it held the lock ");
    out_.add(path_name(explain_, capture_, cause.nearest_wait));
  }

  // "it held the lock world, never in those frames"
  // Of work that was probably waited for: nobody knows whether for its end, or for a lock that it held.
  void write_lock_or_work(const flamelet_cause& cause) {
    if (!was_there(cause)) {
      out_.add("a lock, or new work");
      write_never(cause);
    } else if (cause.usual_ns != 0) {
      out_.print("a lock or a wait, usually %s ms", ms(cause.usual_ns).text);
    } else if (is_frequent(cause)) {
      out_.add("a lock, or longer work, for which nobody usually waits");
    } else {
      out_.add("a lock, or rare work, ");
      write_in_frames(cause);
    }
  }

  void write_rare_lock(const flamelet_cause& cause) {
    write_held_lock(cause);
    if (!was_there(cause)) return write_never(cause);
    if (cause.seen_frames != 0 || is_frequent(cause)) return;
    out_.add(", in rare work, ");
    write_in_frames(cause);
  }

  // "took as long as usual, but ran before Pose", "each took as long as usual, but all 7 ran on Worker 2, usually some on
  // Worker 1"
  void write_order(const flamelet_cause& cause) {
    out_.add(cause.calls > 1 ? "each took as long as usual, but " : "it took as long as usual, but ");
    if (cause.others_path != FLAMELET_NO_PATH) {
      out_.add("ran before ");
      out_.add(path_name(explain_, capture_, cause.others_path));
      return;
    }
    out_.print("%u ran on ", cause.calls);
    out_.add(lane_name(capture_, cause.lane));
    out_.add(", usually some of them on ");
    out_.add(lane_name(capture_, cause.usual_lane));
  }

  // "; meanwhile Worker 2 ran all 7 Job"
  void write_meanwhile(const flamelet_cause& cause) {
    if (cause.others_path == FLAMELET_NO_PATH || cause.others_calls == 0) return;
    out_.add("; meanwhile ");
    out_.add(lane_name(capture_, cause.others_lane));
    out_.print(" ran %u \xC3\x97 ", cause.others_calls);
    out_.add(path_name(explain_, capture_, cause.others_path));
  }

  void write_new(const flamelet_cause& cause) {
    const bool is_elsewhere = cause.usual_lane != UINT32_MAX;
    if (cause.usual_there_ns != 0) {
      out_.print("rare%s, %s ms in %u of those frames", is_elsewhere ? " here" : "", ms(cause.usual_there_ns).text,
                 cause.seen_frames);
    } else if (is_elsewhere || is_frequent(cause)) {
      out_.add(is_elsewhere || cause.recursion_depth == 0 ? "new here" : "more levels");
    } else if (was_there(cause)) {
      out_.add("rare, ");
      write_in_frames(cause);
    } else {
      out_.add("new");
      write_never(cause);
    }
    if (is_elsewhere) {
      out_.add(", usually done by ");
      out_.add(lane_name(capture_, cause.usual_lane));
    }
    if (cause.inner_path == FLAMELET_NO_PATH) return;
    out_.add("; nearly all of it in ");
    out_.add(path_name(explain_, capture_, cause.inner_path));
  }

  static bool is_place_unsure(const flamelet_cause& cause) { return has(cause, FLAMELET_CAUSE_PLACE_UNSURE); }

  // How long others had the processor is known of the frame, and not of a scope.
  void write_for(const flamelet_cause& cause, int64_t ns) {
    if (cause.calls == 0 || (cause.rivals_ns + cause.others_ns) * 10 <= cause.time_ns * 11)
      out_.print(" for %s ms", ms(std::min(ns, cause.time_ns)).text);  // clocks of two kinds differ a little
  }

  void write_rivals(const flamelet_cause& cause) {
    if (cause.limited_ns != 0) return;
    if (has(cause, FLAMELET_CAUSE_TAKEN_OFF)) {
      out_.add(has(cause, FLAMELET_CAUSE_KEPT_OFF) ? "; kept off by " : "; taken off by ");
      if (cause.rival_lane < FLAMELET_BY_UNKNOWN)
        out_.add(lane_name(capture_, cause.rival_lane));
      else
        out_.add(cause.rival_lane == FLAMELET_BY_OTHERS ? "another program" : "a thread that records nothing");
      if (cause.threads > 1) out_.print(" and %u other%s", cause.threads - 1, plural(cause.threads - 1));
      write_for(cause, cause.rivals_ns);
      if (cause.rival_path != FLAMELET_NO_PATH) {
        out_.add(", in ");
        out_.add(path_name(explain_, capture_, cause.rival_path));
      }
      if (cause.others_ns == 0) return;
      out_.add(", and by another program");
      write_for(cause, cause.others_ns);
      return;
    }
    if (has(cause, FLAMELET_CAUSE_OTHERS_RAN))
      out_.add("; probably another program ran, or a thread that records nothing");
    if (cause.rival_lane == UINT32_MAX) return;
    if (cause.rivals_ns == 0)
      out_.add("; probably other threads of the program ran, most of all ");
    else
      out_.print("; the program's other threads ran %s ms more than usual, most of all ", ms(cause.rivals_ns).text);
    out_.add(lane_name(capture_, cause.rival_lane));
    if (cause.rival_path == FLAMELET_NO_PATH) return;
    out_.add(", in ");
    out_.add(path_name(explain_, capture_, cause.rival_path));
  }

  // "; 66 × Job ran in the frame, usually 8; Job is usually done by Worker 2", each once
  void write_job(const flamelet_cause& cause) {
    const auto is_same = [&](const flamelet_cause& other) { return other.job_path == cause.job_path; };
    if (cause.job_path != FLAMELET_NO_PATH && std::find_if(why_.causes, &cause, is_same) == &cause) {
      out_.print("; %u \xC3\x97 ", cause.job_calls);
      out_.add(path_name(explain_, capture_, cause.job_path));
      out_.print(" ran in the frame, usually %.0f", cause.usual_job_calls);
    }
    const uint32_t root = root_of(*explain_, cause.path);
    const auto is_told = [&](const flamelet_cause& other) {
      return other.usual_lane == cause.usual_lane && root_of(*explain_, other.path) == root;
    };
    if (cause.usual_lane == UINT32_MAX || cause.usual_there_ns != 0 ||
        std::find_if(why_.causes, &cause, is_told) != &cause ||
        (cause.verdict != FLAMELET_VERDICT_MORE_CALLS && cause.verdict != FLAMELET_VERDICT_PREEMPTED &&
         cause.verdict != FLAMELET_VERDICT_SLOWER_CALLS))
      return;
    out_.add("; ");
    out_.add(path_name(explain_, capture_, root));
    out_.add(" is usually done by ");
    out_.add(lane_name(capture_, cause.usual_lane));
  }

  void write_recursion(const flamelet_cause& cause) {
    if (cause.recursion_depth == 0) return;
    out_.print("; a recursion %u deep", cause.recursion_depth);
    if (cause.usual_recursion_depth != 0) out_.print(", usually %u", cause.usual_recursion_depth);
  }

  // Sleep, if it is most of the time. What is another cause's surplus, since the figures would not add up.
  void write_idle(const flamelet_cause& cause, bool is_line) {
    if (cause.verdict == FLAMELET_VERDICT_PREEMPTED) return;
    constexpr int64_t kWorthAWord = 6;  // of one that did something else for most of its time
    const bool may_have_slept = cause.probably_asleep_ns * 2 > cause.time_ns;
    if (slept_most(cause) ||
        (!may_have_slept && cause.files_ns == 0 && cause.asleep_ns * kWorthAWord >= cause.time_ns)) {
      out_.print("; it slept %s ms", ms(cause.asleep_ns).text);
      write_of_what(cause);
      if (slept_most(cause)) write_for_unknown(cause);
    } else if (may_have_slept) {
      out_.print("; it probably slept %s ms", ms(cause.probably_asleep_ns).text);
      write_of_what(cause);
    }
    if (!says_no_processor(cause)) return;
    out_.print("; it %shad no processor for %s ms", is_place_unsure(cause) ? "probably " : "",
               ms(cause.no_processor_ns).text);
    write_of_what(cause);
    const bool is_told =
        std::any_of(why_.causes, why_.causes + why_.cause_count, [&cause](const flamelet_cause& other) {
          return other.verdict == FLAMELET_VERDICT_PREEMPTED && other.lane == cause.lane;
        });
    if (is_line && is_told) out_.add(", a cause of its own");
  }
  static int64_t waited_ns(const flamelet_cause& cause) {
    return cause.waited_ns != 0 ? std::min(cause.time_ns, cause.waited_ns) : cause.time_ns;
  }

  // A line begins with what a cause added, the sentence with how long it was waited for. Where its whole time is more, and not
  // said before, it stands here.
  void write_of_what(const flamelet_cause& cause) {
    const bool is_said = cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS;
    const int64_t said_ns = in_line_ ? cause.surplus_ns : waited_ns(cause);
    if (!is_said && (cause.time_ns - said_ns) * 20 > cause.time_ns)
      out_.print(" of its %s ms", ms(cause.time_ns).text);
    else
      out_.add(" of that");
  }

  // Of what is no other cause's.
  static bool slept_most(const flamelet_cause& cause) {
    return cause.asleep_ns * 2 > std::max<int64_t>(cause.time_ns - cause.no_processor_ns, 0);
  }
  void write_for_unknown(const flamelet_cause& cause) {
    if (has(cause, FLAMELET_CAUSE_FOR_UNKNOWN)) out_.add(", probably for something that is not recorded");
    if (has(cause, FLAMELET_CAUSE_MAY_HAVE_STOPPED)) out_.add(", or the whole program was stopped");
  }

  void write_machine(const flamelet_cause& cause) {
    if (cause.limited_ns != 0) out_.add("; throttled, because the program had used up its CPU limit");
    if (cause.host_ns != 0)
      out_.print("; meanwhile the host of this virtual machine took its processors for %s ms", ms(cause.host_ns).text);
    if (cause.processor_mhz != 0)
      out_.print("; the processor ran at %.0f MHz, usually %.0f", cause.processor_mhz, cause.usual_processor_mhz);
  }

  void write_faults(const flamelet_cause& cause) {
    if (held_lock(cause) && cause.verdict != FLAMELET_VERDICT_WAIT) {
      out_.add("; ");
      write_held_lock(cause);
    }
    if (cause.files_ns != 0) out_.print("; %s ms of it in calls to files", ms(cause.files_ns).text);
    if (cause.major_faults != 0)
      out_.print("; its thread read from a disk for %u page fault%s", cause.major_faults, plural(cause.major_faults));
    if (cause.minor_faults != 0) out_.print("; its thread took %u page faults for new memory", cause.minor_faults);
  }

  void write_more_calls(const flamelet_cause& cause) {
    const double each_ns = static_cast<double>(cause.time_ns - cause.no_processor_ns) / cause.calls;
    const double usual_each_ns = static_cast<double>(cause.usual_ns) / cause.usual_calls;
    out_.print("%u calls%s, usually ", cause.calls, is_inside(cause) ? " inside" : "");
    if (cause.usual_calls < 0.5)
      out_.add("none on the critical path");
    else
      out_.print("%.0f", cause.usual_calls);
    if (cause.idle_frames != 0 && cause.usual_calls >= 1)
      out_.print(", and none in the %u frame%s before", cause.idle_frames, plural(cause.idle_frames));
    if (cause.usual_calls < 1) return;
    out_.add(", ");
    if (each_ns < 1.5 * usual_each_ns)
      out_.add("each about as long as usual");
    else
      out_.print("each %.1f times as long as usual", each_ns / usual_each_ns);
  }

  // A scope that calls itself is written once, with how often.
  __attribute__((noinline)) void write_path(uint32_t path) {
    flamelet_explain_scope last = {};
    uint32_t times = 0;
    for_each_scope(explain_, path, [&](uint32_t at) {
      flamelet_explain_scope scope;
      flamelet_explain_path(explain_, at, &scope);
      const bool is_again = times != 0 && is_same_scope(scope, last);
      if (!is_again && times > 1) out_.print(" \xC3\x97 %u", times);
      if (!is_again && times != 0) out_.add(" > ");
      if (!is_again) out_.add(path_name(explain_, capture_, at));
      times = is_again ? times + 1 : 1;
      last = scope;
    });
    if (times > 1) out_.print(" \xC3\x97 %u", times);
  }

  void write_object(const flamelet_cause& cause) {
    if (cause.object == 0) return;
    out_.add(" {");
    out_.add(flamelet_capture_string(capture_, cause.object));
    out_.add("}");
  }

  // "Worker 2", "Worker 2 and 1 other"
  void write_lane(const flamelet_cause& cause) {
    out_.add(lane_name(capture_, cause.lane));
    const bool is_shared =
        cause.threads > 1 && !held_lock(cause) &&
        (cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS || cause.verdict == FLAMELET_VERDICT_MORE_CALLS);
    if (is_shared) out_.print(" and %u other%s", cause.threads - 1, plural(cause.threads - 1));
  }

  // "  +31.0 ms  Worker 2: Job > Plan all paths: new, never in those frames; waited for in Wait for agents"
  void write_cause(const flamelet_cause& cause) {
    in_line_ = true;
    const bool is_usual = cause.verdict == FLAMELET_VERDICT_AS_USUAL;
    const int64_t ns = is_usual ? cause.time_ns : cause.surplus_ns;
    out_.print("\n  %s%s ms  ", is_usual || ns < 0 ? "" : "+", ms(ns).text);
    if (cause.verdict == FLAMELET_VERDICT_SLOWED) {
      write_verdict(cause);
      write_machine(cause);
      return;
    }
    write_place(cause);
    out_.add(": ");
    write_verdict(cause);
    write_recursion(cause);
    write_idle(cause, true);
    write_faults(cause);
    write_machine(cause);
    if (cause.waiting == FLAMELET_NO_PATH) return;
    out_.add(has(cause, FLAMELET_PIECE_PROBABLY) ? "; probably waited for in " : "; waited for in ");
    if (cause.via_count != 0) {
      out_.add(path_name(explain_, capture_, cause.nearest_wait));
      out_.add(" by ");
      out_.add(lane_name(capture_, cause.via_lanes[cause.via_count - 1]));
      if (cause.nearest_wait == cause.waiting) return;
      out_.add(", and therefore in ");
    }
    out_.add(path_name(explain_, capture_, cause.waiting));
  }

  void write_rest() {
    const size_t more = why_.cause_count > kMaxCauseLines ? why_.cause_count - kMaxCauseLines : 0;
    if (more != 0) out_.print("\n  and %u more", static_cast<unsigned>(more));
    if (why_.unexplained_ns * 20 < why_.surplus_ns || why_.unexplained_ns <= 0) return;  // too little to mention
    out_.print(more != 0 ? "; %s ms unexplained" : "\n  %s ms unexplained", ms(why_.unexplained_ns).text);
  }

  const flamelet_explain* const explain_;
  const flamelet_capture* const capture_;
  const flamelet_explanation& why_;
  TextSink& out_;
  bool in_line_ = false;  // of the list, which begins with the surplus
};

}  // namespace

const char* flamelet_verdict_name(flamelet_verdict verdict) {
  static const char* const kNames[] = {
      "new",       "more calls", "slower calls", "lock or wait",   "GPU-bound", "carried over", "uninstrumented",
      "recording", "preempted",  "stopped",      "order or place", "as usual",  "all slower"};
  static_assert(sizeof kNames / sizeof kNames[0] == FLAMELET_VERDICT_COUNT, "each verdict has a name");
  return static_cast<unsigned>(verdict) < FLAMELET_VERDICT_COUNT ? kNames[verdict] : "";
}

const char* flamelet_cause_verdict(const flamelet_cause* cause) {
  return cause != nullptr ? Words::verdict_of(*cause) : "";
}

size_t flamelet_explain_text(const flamelet_explain* explain, const flamelet_capture* capture,
                             const flamelet_explanation* why, char* text, size_t size) {
  TextSink out(text, size);
  if (explain != nullptr && capture != nullptr && why != nullptr) Words(explain, capture, *why, &out).write();
  return out.finish();
}

size_t flamelet_explain_sentence(const flamelet_explain* explain, const flamelet_capture* capture,
                                 const flamelet_explanation* why, char* text, size_t size) {
  TextSink out(text, size);
  if (explain != nullptr && capture != nullptr && why != nullptr) Words(explain, capture, *why, &out).write_sentence();
  return out.finish();
}

size_t flamelet_explain_place(const flamelet_explain* explain, const flamelet_capture* capture,
                              const flamelet_cause* cause, char* text, size_t size) {
  TextSink out(text, size);
  const flamelet_explanation none = {};
  if (explain != nullptr && capture != nullptr && cause != nullptr)
    Words(explain, capture, none, &out).write_place(*cause);
  return out.finish();
}
