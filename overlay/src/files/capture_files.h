// SPDX-License-Identifier: MIT
//
// capture_files.h: which capture is shown: the live one, one of a file, one of the program's; and the way between
// captures and files.
#ifndef FLAMELET_OVERLAY_SRC_CAPTURE_FILES_H
#define FLAMELET_OVERLAY_SRC_CAPTURE_FILES_H

#include <atomic>
#include <string_view>
#include <thread>

#include "flamelet/capture_file.h"
#include "flamelet/overlay.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

struct Choice;
struct Content;
struct PageContext;
class TextWriter;

// File job: a capture on its way to or from a disk, on a thread of its own that ends with it. One at a time. Where there
// are no threads, the job is done when it was begun.
//
// The two threads share a capture only while it is saved, and then both only read it: the overlay does not update or
// destroy a capture before the job is taken. Everything else is handed over at the begin (by the start of the thread) and
// at the end (done() pairs with the job's last store; take() joins).

enum class FileTask : uint32_t { kNone, kSave, kOpen };

struct FileOutcome {
  FileTask task = FileTask::kNone;
  flamelet_result result = FLAMELET_OK;
  int error_number = 0;                 // errno, where the result has one
  flamelet_capture* capture = nullptr;  // opened: the taker's
  flamelet_load_report report = {};     // of opening
  uint64_t file_bytes = 0;
  int64_t took_ns = 0;
};

// These do the work, on the thread that calls.
FileOutcome open_file(const flamelet_allocator& allocator, const char* path);

class FileJob {
 public:
  static constexpr size_t kPathBytes = 1024;

  FileJob() = default;
  ~FileJob();
  FileJob(const FileJob&) = delete;
  FileJob& operator=(const FileJob&) = delete;

  // Only while task() is kNone. What does not fit of the path is cut, and then not found.
  void save(const flamelet_capture* capture, TimeWindow window, std::string_view path);
  void open(const flamelet_allocator& allocator, std::string_view path);

  // The one under way, or done and not yet taken.
  FileTask task() const { return task_; }
  const char* path() const { return path_; }
  // Acquire: pairs with the release in run(), so that what the job wrote can be read.
  bool done() const { return done_.load(std::memory_order_acquire); }
  // Waits for it.
  FileOutcome take();

 private:
  void start(FileTask task, std::string_view path);
  void run();

  FileTask task_ = FileTask::kNone;
  char path_[kPathBytes] = {};
  const flamelet_capture* saved_ = nullptr;
  TimeWindow window_;
  flamelet_allocator allocator_ = {};
  FileOutcome outcome_;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

// What the dialog with the path is about.
enum class FileDialog : uint32_t { kNone, kSaveFrames, kSaveAll, kOpen };

// What typing does once the path gets the keys: it goes on where it was, or behind what was chosen from the list, or replaces
// what was there before.
enum class PathCaret : uint8_t { kStays, kAtEnd, kSelectsAll };

// The folder of the path in the dialog: its folders first, then its captures and traces, then its other files; by name.
// Entries whose names begin with a dot are left out, but "..". What finds no room is left out, of the other files first.
struct FolderList {
  static constexpr uint32_t kMostEntries = 1024;
  static constexpr uint32_t kNone = UINT32_MAX;
  enum class Kind : uint8_t { kFolder, kCapture, kOther };
  struct Entry {
    uint32_t name;  // where it begins in `names`
    Kind kind;
  };

  char folder[FileJob::kPathBytes] = {};  // up to and with its last separator
  bool is_read = false;
  Entry entries[kMostEntries];
  uint32_t count = 0;
  char names[1 << 15];
  uint32_t used = 0;  // of `names`
  bool is_full = false;
  uint32_t chosen = kNone;  // by the keys
  bool moved = false;       // in this frame

  void read(std::string_view of);
  void add(const char* name, Kind kind);
  const char* name(uint32_t i) const { return names + entries[i].name; }
};

struct CaptureFiles {
  bool shared = false;                 // it is the program's: held while paused, and not destroyed
  bool holds = false;                  // the overlay holds it
  flamelet_capture* opened = nullptr;  // from a file; the overlay's
  size_t opened_bytes = 0;
  char folder[512] = {};
  FileJob job;
  OverlayHost host;                   // the program's part
  flamelet_allocator allocator = {};  // the program's

  FileDialog dialog = FileDialog::kNone;
  bool begin_dialog = false;     // in this frame
  bool focus_path = false;       // in this frame: the path was no good
  bool path_gets_focus = false;  // it was asked for, and ImGui has not given it yet
  FrameRange dialog_frames;      // to be saved
  char path[FileJob::kPathBytes] = {};
  bool path_is_taken = false;  // a file of this name is there,
  bool may_replace = false;    // and the user was asked
  FolderList list;
  PathCaret caret = PathCaret::kStays;
};

// Shows a capture that stands still. `title` is copied. Takes `opened`, which may be NULL, in place of the one before.
void show_standing(PageContext& o, CaptureFiles& files, const flamelet_capture* capture, std::string_view title,
                   flamelet_capture* opened);
void show_live(PageContext& o, CaptureFiles& files);
// From a file, resuming goes back to the game.
void pause_or_resume(PageContext& o, CaptureFiles& files);

// From the begin of the first to the end of the last of these frames that the capture has; empty if it has none.
TimeWindow saved_window(const flamelet_capture* capture, uint64_t first, uint64_t last);

// What its button does: the job begins.
void start_file_job(PageContext& o, CaptureFiles& files);
// Saves the newest seconds of the game, without a question. Nothing while another job is under way.
void save_last_seconds(PageContext& o, CaptureFiles& files);
// What comes with the button "File": a menu, and the dialog for a path.
void show_file_menu(PageContext& o, CaptureFiles& files);
// Gives the program a text that leads back to where the user is (overlay_write_link); it has OverlayHost::copy_link.
void copy_link(const PageContext& o, const OverlayHost& host);
// The selected scope as `--frames-of` takes it: with its lane where several have spans.
void add_frames_of(Content& content, const Choice& choice, TextWriter* text);
// Once a frame: takes what the job has done.
void poll_file_job(PageContext& o, CaptureFiles& files);
// Before what it may be reading is touched. Nothing if there is no job.
void finish_file_job(PageContext& o, CaptureFiles& files);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CAPTURE_FILES_H
