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
    integers(Row{"begin_ns", why_.frame.begin_ns}, Row{"duration_ns", why_.frame.end_ns - why_.frame.begin_ns},
             Row{"baseline_frames", why_.baseline_frames},
             Row{"baseline_range", static_cast<int64_t>(why_.baseline_range)}, Row{"usual_ns", why_.usual_ns},
             Row{"spread_ns", why_.spread_ns}, Row{"nearly_all_ns", why_.nearly_all_ns}, Row{"limit_ns", why_.limit_ns},
             Row{"surplus_ns", why_.surplus_ns}, Row{"unexplained_ns", why_.unexplained_ns});
    flags(why_.flags, Row{"unusual", FLAMELET_EXPLAIN_UNUSUAL}, Row{"lossy", FLAMELET_EXPLAIN_LOSSY},
          Row{"partial", FLAMELET_EXPLAIN_PARTIAL}, Row{"no_main_thread", FLAMELET_EXPLAIN_NO_MAIN_THREAD},
          Row{"silent_marker", FLAMELET_EXPLAIN_SILENT_MARKER},
          Row{"little_baseline", FLAMELET_EXPLAIN_LITTLE_BASELINE}, Row{"over_budget", FLAMELET_EXPLAIN_OVER_BUDGET},
          Row{"in_turn", FLAMELET_EXPLAIN_IN_TURN}, Row{"around", FLAMELET_EXPLAIN_AROUND},
          Row{"over_limits", FLAMELET_EXPLAIN_OVER_LIMITS});
    if (why_.main_lane < flamelet_capture_lane_count(capture_))
      text("main_thread", lane_name(capture_, why_.main_lane));
    integer("period_frames", why_.period_frames);
    if (why_.period_path != FLAMELET_NO_PATH) write_path("period_path", why_.period_path);
    if (why_.growth_to_ns != 0) {
      integers(Row{"growth_since", static_cast<int64_t>(why_.growth_since)}, Row{"growth_from_ns", why_.growth_from_ns},
               Row{"growth_to_ns", why_.growth_to_ns});
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
  struct Row {
    const char* name;
    int64_t value;
  };
  template <class... Rows>
  void integers(Rows... rows) {
    for (const Row& row : {rows...}) integer(row.name, row.value);
  }
  template <class... Rows>
  void flags(uint32_t set, Rows... rows) {
    for (const Row& row : {rows...}) flag(row.name, set & static_cast<uint32_t>(row.value));
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
    flags(cause.flags, Row{"for_unknown", FLAMELET_CAUSE_FOR_UNKNOWN},
          Row{"may_have_stopped", FLAMELET_CAUSE_MAY_HAVE_STOPPED}, Row{"place_unsure", FLAMELET_CAUSE_PLACE_UNSURE},
          Row{"usual_job", FLAMELET_CAUSE_USUAL_JOB}, Row{"usually", FLAMELET_PIECE_USUALLY},
          Row{"inside", FLAMELET_CAUSE_INSIDE}, Row{"as_usual", FLAMELET_CAUSE_AS_USUAL},
          Row{"not_begun", FLAMELET_PIECE_NOT_BEGUN});
    integers(Row{"surplus_ns", cause.surplus_ns}, Row{"waited_ns", cause.waited_ns}, Row{"time_ns", cause.time_ns},
             Row{"usual_ns", cause.usual_ns}, Row{"spread_ns", cause.spread_ns}, Row{"asleep_ns", cause.asleep_ns},
             Row{"probably_asleep_ns", cause.probably_asleep_ns}, Row{"no_processor_ns", cause.no_processor_ns},
             Row{"calls", cause.calls});
    key("usual_calls");
    out_.print("%.1f", cause.usual_calls);
    integers(Row{"seen_frames", cause.seen_frames}, Row{"lost_here_ns", cause.lost_here_ns},
             Row{"ran_frames", cause.ran_frames}, Row{"read_frames", cause.read_frames},
             Row{"usual_there_ns", cause.usual_there_ns}, Row{"major_faults", cause.major_faults},
             Row{"minor_faults", cause.minor_faults});
    flags(cause.flags, Row{"in_turn", FLAMELET_CAUSE_IN_TURN}, Row{"had_work", FLAMELET_CAUSE_HAD_WORK},
          Row{"taken_off", FLAMELET_CAUSE_TAKEN_OFF}, Row{"kept_off", FLAMELET_CAUSE_KEPT_OFF},
          Row{"others_ran", FLAMELET_CAUSE_OTHERS_RAN}, Row{"began_late", FLAMELET_CAUSE_BEGAN_LATE},
          Row{"next_tick", FLAMELET_CAUSE_NEXT_TICK}, Row{"sleep_known", FLAMELET_CAUSE_SLEEP_KNOWN});
    integer("threads", cause.threads);
    integer("idle_frames", cause.idle_frames);
    if (cause.rival_lane < FLAMELET_BY_UNKNOWN) text("rival_lane", lane_name(capture_, cause.rival_lane));
    if (cause.rival_path != FLAMELET_NO_PATH) write_path("rival_path", cause.rival_path);
    integers(Row{"rivals_ns", cause.rivals_ns}, Row{"others_ns", cause.others_ns}, Row{"files_ns", cause.files_ns},
             Row{"limited_ns", cause.limited_ns}, Row{"host_ns", cause.host_ns},
             Row{"processor_mhz", static_cast<int64_t>(cause.processor_mhz)},
             Row{"usual_processor_mhz", static_cast<int64_t>(cause.usual_processor_mhz)});
    if (cause.others_path != FLAMELET_NO_PATH) {
      text("others_lane", lane_name(capture_, cause.others_lane));
      write_path("others_path", cause.others_path);
      integer("others_calls", cause.others_calls);
    }
    if (cause.inner_path != FLAMELET_NO_PATH) write_path("inner_path", cause.inner_path);
    if (cause.job_path != FLAMELET_NO_PATH) {
      write_path("job_path", cause.job_path);
      integer("job_calls", cause.job_calls);
      key("usual_job_calls");
      out_.print("%.1f", cause.usual_job_calls);
    }
    if (cause.begun_path != FLAMELET_NO_PATH) {
      text("begun_lane", lane_name(capture_, cause.begun_lane));
      write_path("begun_path", cause.begun_path);
      flag("begun_by_idle", cause.flags & FLAMELET_CAUSE_BEGUN_BY_IDLE);
      flag("begun_after_sleep", cause.flags & FLAMELET_CAUSE_BEGUN_AFTER_SLEEP);
    }
    if (cause.usual_lane != UINT32_MAX) text("usual_lane", lane_name(capture_, cause.usual_lane));
    integers(Row{"recursion_depth", cause.recursion_depth}, Row{"usual_recursion_depth", cause.usual_recursion_depth},
             Row{"span_begin_ns", cause.span_begin_ns}, Row{"span_end_ns", cause.span_end_ns});
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
