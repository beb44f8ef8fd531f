// SPDX-License-Identifier: MIT
//
// frames_of.h: --frames-of NAME: what shall be the frames of a capture whose program marked none, or marked others: the marks
// of a set (flamelet_frame_named()), intervals (Tracy's FrameMarkStart and FrameMarkEnd), the calls of a scope, or what is between instants.
#ifndef FLAMELET_TOOLS_FRAMES_OF_H
#define FLAMELET_TOOLS_FRAMES_OF_H

#include <flamelet/capture.h>

#include <string>

namespace flamelet::tools {

// Makes those of this name, or of this lane and name ("Server: tick"), the frames of the capture, numbered from 1. What is not
// whole, or begins before the one before it ends, is left out. Exit code 1 if there are none, 2 if several lanes have them.
// `file` is printable.
void set_frames_of(flamelet_capture* capture, const std::string& file, const std::string& name);

// What could be frames, most of the time first: a line for each, with the option that makes it the frames. "" if there is
// nothing that was repeated.
std::string frames_of_choices(const flamelet_capture* capture);
// "there is no complete frame in game.json: --frames-of takes something else ..."
std::string no_frames_text(const flamelet_capture* capture, const std::string& file);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_FRAMES_OF_H
