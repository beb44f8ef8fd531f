// SPDX-License-Identifier: MIT
//
// chrome_lanes.h: the threads of a Chrome trace as lanes. Their names, and in which order they stand, may be told before,
// between or after their events.
#ifndef FLAMELET_IMPORT_SRC_CHROME_LANES_H
#define FLAMELET_IMPORT_SRC_CHROME_LANES_H

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chrome_event.h"
#include "importer.h"

namespace flamelet::formats {

// Where the events of a thread go.
struct ChromeThread {
  enum Kind { kLane, kFrames, kFrameSet, kIntervals } kind;
  uint32_t lane;  // of the builder; of a set of frames: its name, a string of the builder
  uint32_t id;    // that the capture shows
  uint32_t process;
  int64_t sort_index;
  std::string name;    // if it is not our exporter's
  std::string number;  // tid
  bool named_by_exporter;
};

class ChromeLanes {
 public:
  explicit ChromeLanes(Import& job) : job_(job) {}

  // The thread of an event, new if this is its first one. It stays where it is. NULL if there are too many.
  ChromeThread* thread_of(const ChromeEvent& event);
  // Metadata.
  void name_thread(const ChromeEvent& event);
  void name_process(const ChromeEvent& event);
  void sort_thread(const ChromeEvent& event);
  void sort_process(const ChromeEvent& event);
  // When all that is known.
  void finish();

 private:
  static constexpr size_t kMaxThreads = 1u << 16;
  static constexpr size_t kMaxKeyBytes = 256;

  struct Process {
    std::string name;
    std::string number;  // pid
    int64_t sort_index = 0;
  };

  bool add_lane(const ChromeEvent& event, ChromeThread* thread);
  uint32_t process_of(std::string_view pid);
  void name_lane(const ChromeThread& thread);
  std::string process_name(const Process& process) const;
  void place_lanes();

  Import& job_;
  std::unordered_map<std::string, ChromeThread> threads_;      // by pid and tid
  std::unordered_map<std::string, uint32_t> process_numbers_;  // in processes_, by pid
  std::vector<Process> processes_;
  bool is_sorted_ = false;
  std::string key_;
  std::string last_pid_, last_tid_;  // most events are of the thread of the one before
  ChromeThread* last_thread_ = nullptr;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_CHROME_LANES_H
