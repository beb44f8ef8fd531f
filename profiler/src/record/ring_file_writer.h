// SPDX-License-Identifier: MIT
//
// ring_file_writer.h: what the recorder writes into the header of its file. Does nothing if there is none.
#ifndef FLAMELET_SRC_RING_FILE_WRITER_H
#define FLAMELET_SRC_RING_FILE_WRITER_H

#include "record/ring_file.h"
#include "record/track.h"

namespace flamelet {

extern RingFileHeader* ring_file;  // in front of the session's memory; NULL = the memory is the allocator's

void begin_ring_file();
// The clock's rate, as far as it is known by now.
void share_clock();
void share_categories_off();
// Who has the track's slot; `ended`: and that there will be no more events.
void share_track(const Track& track, bool ended = false);
// The recorder is being shut down.
void end_ring_file();

}  // namespace flamelet

#endif  // FLAMELET_SRC_RING_FILE_WRITER_H
