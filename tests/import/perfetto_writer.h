// SPDX-License-Identifier: MIT
//
// perfetto_writer.h: Perfetto traces as other programs write them, put together field by field.
#pragma once

#include <protozero/pbf_writer.hpp>
#include <string>
#include <utility>
#include <vector>

namespace perfetto_writer {

using protozero::pbf_writer;

// The fields of a message: what `fill` writes, or as they are.
template <class Fill>
std::string message(Fill fill) {
  std::string bytes;
  pbf_writer writer(bytes);
  fill(writer);
  return bytes;
}
inline std::string message(std::string fields) {
  return fields;
}

// A field each; a message is the sum of its fields.
template <class Value>
std::string number(uint32_t field, Value value) {
  return message([&](pbf_writer& fields) { fields.add_int64(field, static_cast<int64_t>(value)); });
}
inline std::string text_field(uint32_t field, const std::string& text) {
  return message([&](pbf_writer& fields) { fields.add_string(field, text); });
}
inline std::string part(uint32_t field, const std::string& message) {
  return text_field(field, message);
}

constexpr int kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;

class TraceFile {
 public:
  std::string bytes;

  template <class Fill>
  void packet(Fill fill) {
    const std::string packet = message(fill);
    pbf_writer(bytes).add_message(1, packet);
  }
  // An event of which `fill` writes all but the sequence, which is 1. `time_ns` 0: it has no stamp.
  template <class Fill>
  void event_of(uint64_t time_ns, Fill fill) {
    packet((time_ns != 0 ? number(8, time_ns) : "") + number(10, 1) + part(11, message(fill)));
  }
  // What a thread prints into the kernel's trace.
  void print(uint64_t time_ns, uint32_t tid, const char* line) {
    const std::string print = number(1, time_ns) + number(2, tid) + part(3, text_field(2, line));
    packet(number(3, 1000) + part(1, part(2, print)));  // as the tracing service adds it to all
  }
  // A process tree of one process and one thread.
  void tree(int pid, const char* command, int tid, const char* name) {
    packet(
        part(2, part(1, number(1, pid) + text_field(3, command) + (*command != 0 ? text_field(3, "--an-option") : "")) +
                    part(2, number(1, tid) + text_field(2, name) + number(3, pid))));
  }
  // What describes a track.
  template <class Fill>
  void descriptor(uint64_t uuid, Fill fill) {
    packet(part(60, number(1, uuid) + message(fill)));
  }
  void process(uint64_t uuid, int pid, const char* name) {
    descriptor(uuid, part(3, number(1, pid) + text_field(6, name)));
  }
  void thread(uint64_t uuid, int pid, int tid, const char* name) {
    descriptor(uuid, part(4, number(1, pid) + number(2, tid) + text_field(5, name)));
  }
  void track(uint64_t uuid, uint64_t parent, const char* name, bool counter = false) {
    descriptor(uuid,
               (parent != 0 ? number(5, parent) : "") + text_field(2, name) + (counter ? part(8, std::string()) : ""));
  }
  void ranked_track(uint64_t uuid, uint64_t parent, const char* name, int32_t rank, bool orders_children = false) {
    descriptor(uuid,
               number(5, parent) + text_field(2, name) + (orders_children ? number(11, 3) : "") + number(12, rank));
  }
  // An event with all in it, on the trace's own clock. Of the texts, each is an annotation.
  void event(uint64_t time_ns, uint64_t track, int type, const char* name = nullptr, double value = 0,
             const std::vector<std::pair<const char*, const char*>>& texts = {}, uint64_t flow = 0,
             uint64_t last_flow = 0) {
    packet(number(8, time_ns) + number(10, 1) + part(11, message([&](pbf_writer& event) {
                                                       event.add_enum(9, type);
                                                       event.add_uint64(11, track);
                                                       if (name != nullptr) event.add_string(23, name);
                                                       if (type == kCounter) event.add_double(44, value);
                                                       if (flow != 0) event.add_fixed64(47, flow);
                                                       if (last_flow != 0) event.add_fixed64(48, last_flow);
                                                       for (const auto& text : texts)
                                                         event.add_message(4, text_field(10, text.first) +
                                                                                  text_field(6, text.second));
                                                     })));
  }
};

// With one thread, of which the track is 2.
struct ThreadTrace : TraceFile {
  ThreadTrace() { thread(2, 1, 7, "main"); }
};

inline std::string clock(uint32_t id, uint64_t time, bool incremental = false, uint64_t multiplier = 0) {
  return number(1, id) + number(2, time) + (incremental ? number(3, true) : "") +
         (multiplier != 0 ? number(4, multiplier) : "");
}

}  // namespace perfetto_writer
