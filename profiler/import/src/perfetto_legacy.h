// SPDX-License-Identifier: MIT
//
// perfetto_legacy.h: events in Chrome's older form, where a letter says what they are, as in its JSON.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_LEGACY_H
#define FLAMELET_IMPORT_SRC_PERFETTO_LEGACY_H

#include "perfetto_tracks.h"

namespace flamelet::formats::perfetto {

// Makes it what it would be today. False: there is nothing like it.
bool read_legacy(const Legacy& legacy, Tracks& tracks, Event* event);

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_LEGACY_H
