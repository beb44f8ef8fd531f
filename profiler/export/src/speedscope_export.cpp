// SPDX-License-Identifier: MIT
//
// speedscope_export.cpp: an evented profile for each lane that has spans. Every frame is closed, in the order that a
// stack asks for, and times never go back. Frames are told at the end, when all are known: a JSON object has no order.
#include "exporter.h"

namespace flamelet::formats {
namespace {

class SpeedscopeWriter {
 public:
  explicit SpeedscopeWriter(Export& job)
      : job_(job), out_(job.out), base_ns_(earliest_ns(job.capture, job.begin_ns, job.end_ns)) {}

  void write() {
    out_.append(
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"flamelet\","
        "\"activeProfileIndex\":0,\"profiles\":[");
    LaneStream<ReadSpans> spans(job_.capture);
    for (size_t lane = 0; lane < flamelet_capture_lane_count(job_.capture) && !out_.failed(); ++lane)
      write_lane(lane, spans);
    out_.append("\n],\"shared\":{\"frames\":[");
    for (size_t i = 0; i < scopes_.scopes().size(); ++i) write_frame(i);
    out_.append("\n]}}\n");
  }

  // ---- NestedSpans ----
  void begin(const flamelet_span& span, size_t) {
    write_event("{\"type\":\"O\",\"frame\":", span, span.begin_ns);
    ++job_.report.spans;
  }
  void end(const flamelet_span& span, size_t) { write_event("{\"type\":\"C\",\"frame\":", span, span.end_ns); }

 private:
  void write_lane(size_t lane, LaneStream<ReadSpans>& spans) {
    spans.start(lane, job_.begin_ns, job_.end_ns);
    const flamelet_span* span = spans.next();
    if (span == nullptr) return;
    flamelet_lane_info info;
    flamelet_capture_lane(job_.capture, lane, &info);
    out_.append(profiles_++ == 0 ? "\n" : ",\n");
    out_.append("{\"type\":\"evented\",\"unit\":\"nanoseconds\",\"name\":" + job_.json(info.name) + ",\"events\":[");
    events_ = 0;
    last_ns_ = span->begin_ns;
    NestedSpans<SpeedscopeWriter> nested(*this);
    for (; span != nullptr; span = spans.next()) nested.add(*span);
    nested.finish();
    job_.report.spans_clamped += nested.clamped();
    out_.append("\n],\"startValue\":0,\"endValue\":");
    out_.append_integer(last_ns_ - base_ns_);
    out_.append("}");
  }

  void write_event(std::string_view head, const flamelet_span& span, int64_t time_ns) {
    bool added;
    out_.append(events_++ == 0 ? "\n" : ",\n");
    out_.append(head);
    out_.append_integer(scopes_.number(span.site, span.name, &added));
    out_.append(",\"at\":");
    out_.append_integer(time_ns - base_ns_);
    out_.append("}");
    last_ns_ = time_ns;
  }

  void write_frame(size_t number) {
    const Scope& scope = scopes_.scopes()[number];
    const flamelet_site_info info = job_.site(scope.site);
    out_.append(number == 0 ? "\n" : ",\n");
    out_.append("{\"name\":" + job_.json(job_.string(scope.name)));
    if (info.file.size != 0) out_.append(",\"file\":" + job_.json(info.file));
    if (info.line != 0) out_.append(",\"line\":" + std::to_string(info.line));
    out_.append("}");
  }

  Export& job_;
  Output& out_;
  const int64_t base_ns_;
  ScopeNumbers scopes_;
  uint64_t profiles_ = 0, events_ = 0;
  int64_t last_ns_ = 0;
};

}  // namespace

void export_speedscope(Export& job) {
  SpeedscopeWriter(job).write();
}

}  // namespace flamelet::formats
