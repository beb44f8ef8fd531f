// SPDX-License-Identifier: MIT
//
// perfetto_letters.h: events in older forms, where a letter says what they are, as in Chrome's JSON: Chrome's own ones, and lines
// that programs print into the kernel's trace, as Android's atrace has them: "B|12|name" begins a scope of the thread that
// prints it, and "E|12" ends it.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_LETTERS_H
#define FLAMELET_IMPORT_SRC_PERFETTO_LETTERS_H

#include <string_view>

#include "perfetto_tracks.h"

namespace flamelet::formats::perfetto {

// Makes it what it would be today. False: there is nothing like it.
bool read_legacy(const Legacy& legacy, Tracks& tracks, Event* event);
// False: it is no such line.
bool read_line(std::string_view line, int64_t tid, SequenceReader& sequences, Tracks& tracks, Event* event);

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_LETTERS_H
