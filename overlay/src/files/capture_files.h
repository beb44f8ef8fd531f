// SPDX-License-Identifier: MIT
//
// capture_files.h: which capture is shown: the live one, one of a file, one of the program's; and the way between
// captures and files.
#ifndef FLAMELET_OVERLAY_SRC_CAPTURE_FILES_H
#define FLAMELET_OVERLAY_SRC_CAPTURE_FILES_H

#include "files/file_job.h"
#include "flamelet/overlay.h"
#include "lanes/timeline.h"

namespace flamelet::ui {

// What the dialog with the path is about.
enum class FileDialog : uint32_t { kNone, kSaveFrames, kSaveAll, kOpen };

struct CaptureFiles {
  bool shared = false;                 // it is the program's: held while paused, and not destroyed
  bool holds = false;                  // the overlay holds it
  flamelet_capture* opened = nullptr;  // from a file; the overlay's
  size_t opened_bytes = 0;
  char folder[512] = {};
  FileJob job;
  OverlayHost host;  // the program's part

  FileDialog dialog = FileDialog::kNone;
  bool begin_dialog = false;     // in this frame
  bool focus_path = false;       // in this frame: the path was no good
  bool path_gets_focus = false;  // it was asked for, and ImGui has not given it yet
  FrameRange dialog_frames;      // to be saved
  char path[FileJob::kPathBytes] = {};
  bool path_is_taken = false;  // a file of this name is there
};

// Shows a capture that stands still. `title` is copied. Takes `opened`, which may be NULL, in place of the one before.
void show_standing(Overlay& o, const flamelet_capture* capture, std::string_view title, flamelet_capture* opened);
void show_live(Overlay& o);

// From the begin of the first to the end of the last of these frames that the capture has; empty if it has none.
TimeWindow saved_window(const flamelet_capture* capture, uint64_t first, uint64_t last);

// Opens the dialog, with a path proposed.
void open_file_dialog(Overlay& o, FileDialog dialog);
// After the path was edited: whether a file of this name would be replaced.
void look_for_file(CaptureFiles* files);
// What its button does: the job begins.
void start_file_job(Overlay& o);
// Saves the newest seconds of the game, without a question. Nothing while another job is under way.
void save_last_seconds(Overlay& o);
// Once a frame: takes what the job has done.
void poll_file_job(Overlay& o);
// Before what it may be reading is touched. Nothing if there is no job.
void finish_file_job(Overlay& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CAPTURE_FILES_H
