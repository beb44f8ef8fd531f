// SPDX-License-Identifier: MIT
//
// perfetto_atrace.h: lines that programs print into the kernel's trace, as Android's atrace has them: "B|12|name" begins a scope
// of the thread that prints it, and "E|12" ends it.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_ATRACE_H
#define FLAMELET_IMPORT_SRC_PERFETTO_ATRACE_H

#include <string_view>

#include "perfetto_tracks.h"

namespace flamelet::formats::perfetto {

class Atrace {
 public:
  Atrace(SequenceReader& sequences, Tracks& tracks) : sequences_(sequences), tracks_(tracks) {}

  // False: it is no such line.
  bool read(std::string_view line, int64_t tid, Event* event);

 private:
  uint32_t string(std::string_view text) { return sequences_.string({text.data(), text.size()}); }

  SequenceReader& sequences_;
  Tracks& tracks_;
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_ATRACE_H
