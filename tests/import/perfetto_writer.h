// SPDX-License-Identifier: MIT
//
// perfetto_writer.h: Perfetto traces as other programs write them, put together field by field.
#ifndef FLAMELET_TESTS_IMPORT_PERFETTO_WRITER_H
#define FLAMELET_TESTS_IMPORT_PERFETTO_WRITER_H

#include <protozero/pbf_writer.hpp>
#include <string>
#include <utility>
#include <vector>

namespace perfetto_writer {

using protozero::pbf_writer;

template <class Fill>
std::string message(Fill fill) {
  std::string bytes;
  pbf_writer writer(bytes);
  fill(writer);
  return bytes;
}

inline std::string text_field(uint32_t field, const std::string& text) {
  return message([&](pbf_writer& fields) { fields.add_string(field, text); });
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
    packet([&](pbf_writer& packet) {
      if (time_ns != 0) packet.add_uint64(8, time_ns);
      packet.add_uint32(10, 1);
      packet.add_message(11, message(fill));
    });
  }
  // What a thread prints into the kernel's trace.
  void print(uint64_t time_ns, uint32_t tid, const char* line) {
    const std::string print = message([&](pbf_writer& event) {
      event.add_uint64(1, time_ns);
      event.add_uint32(2, tid);
      event.add_message(3, text_field(2, line));
    });
    packet([&](pbf_writer& packet) {
      packet.add_int32(3, 1000);  // as the tracing service adds it to all
      packet.add_message(1, message([&](pbf_writer& bundle) { bundle.add_message(2, print); }));
    });
  }
  // A process tree of one process and one thread.
  void tree(int pid, const char* command, int tid, const char* name) {
    packet([&](pbf_writer& packet) {
      packet.add_message(2, message([&](pbf_writer& tree) {
                           tree.add_message(1, message([&](pbf_writer& process) {
                                              process.add_int32(1, pid);
                                              process.add_string(3, command);
                                              if (*command != 0) process.add_string(3, "--an-option");
                                            }));
                           tree.add_message(2, message([&](pbf_writer& thread) {
                                              thread.add_int32(1, tid);
                                              thread.add_string(2, name);
                                              thread.add_int32(3, pid);
                                            }));
                         }));
    });
  }
  // What describes a track.
  template <class Fill>
  void descriptor(uint64_t uuid, Fill fill) {
    const std::string track = message([&](pbf_writer& fields) {
      fields.add_uint64(1, uuid);
      fill(fields);
    });
    packet([&](pbf_writer& packet) { packet.add_message(60, track); });
  }
  void process(uint64_t uuid, int pid, const char* name) {
    descriptor(uuid, [&](pbf_writer& track) {
      track.add_message(3, message([&](pbf_writer& process) {
                          process.add_int32(1, pid);
                          process.add_string(6, name);
                        }));
    });
  }
  void thread(uint64_t uuid, int pid, int tid, const char* name) {
    descriptor(uuid, [&](pbf_writer& track) {
      track.add_message(4, message([&](pbf_writer& thread) {
                          thread.add_int32(1, pid);
                          thread.add_int64(2, tid);
                          thread.add_string(5, name);
                        }));
    });
  }
  void track(uint64_t uuid, uint64_t parent, const char* name, bool counter = false) {
    descriptor(uuid, [&](pbf_writer& track) {
      if (parent != 0) track.add_uint64(5, parent);
      track.add_string(2, name);
      if (counter) track.add_message(8, std::string());
    });
  }
  void ranked_track(uint64_t uuid, uint64_t parent, const char* name, int32_t rank, bool orders_children = false) {
    descriptor(uuid, [&](pbf_writer& track) {
      track.add_uint64(5, parent);
      track.add_string(2, name);
      if (orders_children) track.add_enum(11, 3);
      track.add_int32(12, rank);
    });
  }
  // An event with all in it, on the trace's own clock. Of the texts, each is an annotation.
  void event(uint64_t time_ns, uint64_t track, int type, const char* name = nullptr, double value = 0,
             const std::vector<std::pair<const char*, const char*>>& texts = {}, uint64_t flow = 0,
             uint64_t last_flow = 0) {
    packet([&](pbf_writer& packet) {
      packet.add_uint64(8, time_ns);
      packet.add_uint32(10, 1);
      packet.add_message(11, message([&](pbf_writer& event) {
                           event.add_enum(9, type);
                           event.add_uint64(11, track);
                           if (name != nullptr) event.add_string(23, name);
                           if (type == kCounter) event.add_double(44, value);
                           if (flow != 0) event.add_fixed64(47, flow);
                           if (last_flow != 0) event.add_fixed64(48, last_flow);
                           for (const auto& text : texts)
                             event.add_message(4, message([&](pbf_writer& annotation) {
                                                 annotation.add_string(10, text.first);
                                                 annotation.add_string(6, text.second);
                                               }));
                         }));
    });
  }
};

// With one thread, of which the track is 2.
struct ThreadTrace : TraceFile {
  ThreadTrace() { thread(2, 1, 7, "main"); }
};

inline std::string clock(uint32_t id, uint64_t time, bool incremental = false, uint64_t multiplier = 0) {
  return message([&](pbf_writer& clock) {
    clock.add_uint32(1, id);
    clock.add_uint64(2, time);
    if (incremental) clock.add_bool(3, true);
    if (multiplier != 0) clock.add_uint64(4, multiplier);
  });
}

}  // namespace perfetto_writer

#endif  // FLAMELET_TESTS_IMPORT_PERFETTO_WRITER_H
