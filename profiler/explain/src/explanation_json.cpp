// SPDX-License-Identifier: MIT
//
// explanation_json.cpp: an explanation as JSON. Text is UTF-8; a byte that is none becomes U+FFFD.
#include "flamelet/detail/text.h"
#include "names.h"
#include "text_sink.h"

using namespace flamelet::explain;

namespace {

class Json {
 public:
  Json(const flamelet_explain* explain, const flamelet_capture* capture, const flamelet_explanation& why, TextSink* out)
      : explain_(explain), capture_(capture), why_(why), out_(*out) {}

  void write() {
    out_.print("{\"frame\":%llu", static_cast<unsigned long long>(why_.frame.index));
    integer("begin_ns", why_.frame.begin_ns);
    integer("duration_ns", why_.frame.end_ns - why_.frame.begin_ns);
    integer("baseline_frames", why_.baseline_frames);
    integer("baseline_range", static_cast<int64_t>(why_.baseline_range));
    integer("usual_ns", why_.usual_ns);
    integer("spread_ns", why_.spread_ns);
    integer("nearly_all_ns", why_.nearly_all_ns);
    integer("limit_ns", why_.limit_ns);
    integer("surplus_ns", why_.surplus_ns);
    integer("unexplained_ns", why_.unexplained_ns);
    flag("unusual", why_.flags & FLAMELET_EXPLAIN_UNUSUAL);
    flag("lossy", why_.flags & FLAMELET_EXPLAIN_LOSSY);
    flag("partial", why_.flags & FLAMELET_EXPLAIN_PARTIAL);
    flag("no_main_thread", why_.flags & FLAMELET_EXPLAIN_NO_MAIN_THREAD);
    flag("silent_marker", why_.flags & FLAMELET_EXPLAIN_SILENT_MARKER);
    flag("little_baseline", why_.flags & FLAMELET_EXPLAIN_LITTLE_BASELINE);
    flag("over_budget", why_.flags & FLAMELET_EXPLAIN_OVER_BUDGET);
    flag("in_turn", why_.flags & FLAMELET_EXPLAIN_IN_TURN);
    flag("around", why_.flags & FLAMELET_EXPLAIN_AROUND);
    flag("over_limits", why_.flags & FLAMELET_EXPLAIN_OVER_LIMITS);
    if (why_.main_lane < flamelet_capture_lane_count(capture_))
      text("main_thread", lane_name(capture_, why_.main_lane));
    integer("period_frames", why_.period_frames);
    if (why_.growth_to_ns != 0) {
      integer("growth_since", static_cast<int64_t>(why_.growth_since));
      integer("growth_from_ns", why_.growth_from_ns);
      integer("growth_to_ns", why_.growth_to_ns);
      flag("scope_grew", why_.flags & FLAMELET_EXPLAIN_SCOPE_GREW);
      if (why_.growth_path != FLAMELET_NO_PATH) write_path("growth_path", why_.growth_path);
    }
    write_sentence();
    out_.add(",\"causes\":[");
    for (size_t i = 0; i < why_.cause_count; ++i) write_cause(why_.causes[i], i == 0 ? "" : ",");
    out_.add("],\"late\":[");
    for (size_t i = 0; i < why_.late_count; ++i) write_late(why_.late[i], i == 0 ? "" : ",");
    out_.add("],\"critical_path\":[");
    for (size_t i = 0; i < why_.piece_count; ++i) write_piece(why_.pieces[i], i == 0 ? "" : ",");
    out_.add("]}");
  }

 private:
  __attribute__((noinline)) void key(const char* name) { out_.print(",\"%s\":", name); }
  __attribute__((noinline)) void integer(const char* name, int64_t value) {
    key(name);
    out_.print("%lld", static_cast<long long>(value));
  }
  __attribute__((noinline)) void flag(const char* name, uint32_t value) {
    key(name);
    out_.add(value != 0 ? "true" : "false");
  }
  __attribute__((noinline)) void text(const char* name, flamelet_string value) {
    key(name);
    quote(value);
  }
  __attribute__((noinline)) void quote(flamelet_string value) {
    out_.add("\"");
    flamelet::add_json_text({value.text, value.size},
                            [&](std::string_view part) { out_.add(part.data(), part.size()); });
    out_.add("\"");
  }

  void write_sentence() {
    char words[1024];
    const size_t length = flamelet_explain_sentence(explain_, capture_, &why_, words, sizeof words);
    text("sentence", {words, length < sizeof words ? length : sizeof words - 1});
  }

  __attribute__((noinline)) void write_path(const char* name, uint32_t path) {
    key(name);
    const char* separator = "[";
    for_each_scope(explain_, path, [&](uint32_t at) {
      out_.add(separator);
      separator = ",";
      quote(path_name(explain_, capture_, at));
    });
    out_.add("]");
  }

  void write_cause(const flamelet_cause& cause, const char* separator) {
    out_.print("%s{\"verdict\":\"%s\"", separator, flamelet_verdict_name(cause.verdict));
    text("lane", lane_name(capture_, cause.lane));
    write_path("path", cause.path);
    if (cause.object != 0) text("object", flamelet_capture_string(capture_, cause.object));
    if (cause.waiting != FLAMELET_NO_PATH) {
      text("waiting_in", path_name(explain_, capture_, cause.waiting));
      text("nearest_wait", path_name(explain_, capture_, cause.nearest_wait));
      key("via");
      for (uint32_t i = 0; i < cause.via_count; ++i) {
        out_.add(i == 0 ? "[" : ",");
        quote(lane_name(capture_, cause.via_lanes[i]));
      }
      out_.add(cause.via_count == 0 ? "[]" : "]");
    }
    flag("probably", cause.flags & (FLAMELET_PIECE_PROBABLY | FLAMELET_CAUSE_FOR_UNKNOWN | FLAMELET_CAUSE_PLACE_UNSURE |
                                    FLAMELET_CAUSE_MAY_HAVE_BEGUN));
    flag("for_unknown", cause.flags & FLAMELET_CAUSE_FOR_UNKNOWN);
    flag("may_have_stopped", cause.flags & FLAMELET_CAUSE_MAY_HAVE_STOPPED);
    flag("place_unsure", cause.flags & FLAMELET_CAUSE_PLACE_UNSURE);
    flag("usual_job", cause.flags & FLAMELET_CAUSE_USUAL_JOB);
    flag("usually", cause.flags & FLAMELET_PIECE_USUALLY);
    flag("inside", cause.flags & FLAMELET_CAUSE_INSIDE);
    flag("as_usual", cause.flags & FLAMELET_CAUSE_AS_USUAL);
    flag("not_begun", cause.flags & FLAMELET_PIECE_NOT_BEGUN);
    integer("surplus_ns", cause.surplus_ns);
    integer("waited_ns", cause.waited_ns);
    integer("time_ns", cause.time_ns);
    integer("usual_ns", cause.usual_ns);
    integer("spread_ns", cause.spread_ns);
    integer("asleep_ns", cause.asleep_ns);
    integer("probably_asleep_ns", cause.probably_asleep_ns);
    integer("no_processor_ns", cause.no_processor_ns);
    integer("calls", cause.calls);
    key("usual_calls");
    out_.print("%.1f", cause.usual_calls);
    integer("seen_frames", cause.seen_frames);
    integer("lost_here_ns", cause.lost_here_ns);
    integer("ran_frames", cause.ran_frames);
    integer("read_frames", cause.read_frames);
    integer("usual_there_ns", cause.usual_there_ns);
    integer("major_faults", cause.major_faults);
    integer("minor_faults", cause.minor_faults);
    flag("in_turn", cause.flags & FLAMELET_CAUSE_IN_TURN);
    flag("had_work", cause.flags & FLAMELET_CAUSE_HAD_WORK);
    flag("taken_off", cause.flags & FLAMELET_CAUSE_TAKEN_OFF);
    flag("kept_off", cause.flags & FLAMELET_CAUSE_KEPT_OFF);
    flag("others_ran", cause.flags & FLAMELET_CAUSE_OTHERS_RAN);
    flag("began_late", cause.flags & FLAMELET_CAUSE_BEGAN_LATE);
    flag("next_tick", cause.flags & FLAMELET_CAUSE_NEXT_TICK);
    flag("sleep_known", cause.flags & FLAMELET_CAUSE_SLEEP_KNOWN);
    integer("threads", cause.threads);
    integer("idle_frames", cause.idle_frames);
    if (cause.rival_lane < FLAMELET_BY_UNKNOWN) text("rival_lane", lane_name(capture_, cause.rival_lane));
    if (cause.rival_path != FLAMELET_NO_PATH) write_path("rival_path", cause.rival_path);
    integer("rivals_ns", cause.rivals_ns);
    integer("others_ns", cause.others_ns);
    integer("files_ns", cause.files_ns);
    integer("limited_ns", cause.limited_ns);
    integer("host_ns", cause.host_ns);
    integer("processor_mhz", static_cast<int64_t>(cause.processor_mhz));
    integer("usual_processor_mhz", static_cast<int64_t>(cause.usual_processor_mhz));
    if (cause.others_path != FLAMELET_NO_PATH) {
      text("others_lane", lane_name(capture_, cause.others_lane));
      write_path("others_path", cause.others_path);
      integer("others_calls", cause.others_calls);
    }
    if (cause.inner_path != FLAMELET_NO_PATH) write_path("inner_path", cause.inner_path);
    if (cause.begun_path != FLAMELET_NO_PATH) {
      text("begun_lane", lane_name(capture_, cause.begun_lane));
      write_path("begun_path", cause.begun_path);
      flag("begun_by_idle", cause.flags & FLAMELET_CAUSE_BEGUN_BY_IDLE);
      flag("begun_after_sleep", cause.flags & FLAMELET_CAUSE_BEGUN_AFTER_SLEEP);
    }
    if (cause.usual_lane != UINT32_MAX) text("usual_lane", lane_name(capture_, cause.usual_lane));
    integer("recursion_depth", cause.recursion_depth);
    integer("usual_recursion_depth", cause.usual_recursion_depth);
    integer("span_begin_ns", cause.span_begin_ns);
    integer("span_end_ns", cause.span_end_ns);
    out_.add("}");
  }

  void write_late(const flamelet_late_lane& late, const char* separator) {
    out_.print("%s{\"work_ns\":%lld", separator, static_cast<long long>(late.work_ns));
    if (late.usual_ns != 0) integer("usual_ns", late.usual_ns);
    text("lane", lane_name(capture_, late.lane));
    write_path("path", late.path);
    out_.add("}");
  }

  void write_piece(const flamelet_piece& piece, const char* separator) {
    out_.print("%s{\"begin_ns\":%lld,\"end_ns\":%lld", separator, static_cast<long long>(piece.begin_ns),
               static_cast<long long>(piece.end_ns));
    text("lane", lane_name(capture_, piece.lane));
    text("scope", path_name(explain_, capture_, piece.path));
    flag("wait", piece.flags & FLAMELET_PIECE_WAIT);
    flag("probably", piece.flags & FLAMELET_PIECE_PROBABLY);
    out_.add("}");
  }

  const flamelet_explain* const explain_;
  const flamelet_capture* const capture_;
  const flamelet_explanation& why_;
  TextSink& out_;
};

}  // namespace

bool flamelet_explain_json(const flamelet_explain* explain, const flamelet_capture* capture,
                           const flamelet_explanation* why, flamelet_sink sink) {
  if (explain == nullptr || capture == nullptr || why == nullptr || sink.write == nullptr) return false;
  TextSink out(sink);
  Json(explain, capture, *why, &out).write();
  return out.is_good();
}
