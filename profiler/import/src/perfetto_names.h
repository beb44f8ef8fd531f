// SPDX-License-Identifier: MIT
//
// perfetto_names.h: the names of a Perfetto trace's threads and processes, and which thread is of which process, as tracks, the
// process tree and the kernel's switches tell it.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_NAMES_H
#define FLAMELET_IMPORT_SRC_PERFETTO_NAMES_H

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "perfetto_wire.h"

namespace flamelet::formats::perfetto {

class Names {
 public:
  // A later one counts more, and of one kind the last name. Empty names say nothing.
  enum class Source : uint8_t { kNone, kSwitch, kTree, kCommand, kTrack, kDescriptor };

  void tell_process(int64_t pid, std::string_view name, Source source);
  // `pid` 0: of whichever process.
  void tell_thread(int64_t pid, int64_t tid, std::string_view name, Source source);
  // A ProcessTree.
  void read_tree(protozero::data_view bytes);
  // A ProcessDescriptor. Returns its pid.
  int64_t read_process(protozero::data_view bytes);

  // 0: nobody told.
  int64_t pid_of(int64_t tid) const;
  std::string process(int64_t pid) const;
  std::string thread(int64_t pid, int64_t tid) const;

 private:
  static constexpr size_t kMost = size_t{1} << 17;  // threads, and processes
  static constexpr size_t kMaxBytes = 256;          // of a name

  struct Name {
    std::string text;
    Source source = Source::kNone;
    void tell(std::string_view name, Source from);
  };
  struct Thread {
    int64_t pid = 0;
    Name name;
  };

  std::unordered_map<int64_t, Name> processes_;               // by pid
  std::unordered_map<int64_t, Thread> threads_;               // by tid, which the kernel gives once
  std::map<std::pair<int64_t, int64_t>, Name> of_processes_;  // by pid and tid, which may be a process's own
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_NAMES_H
