// SPDX-License-Identifier: MIT
//
// flamelet/overlay.h: the profiler inside the running game, drawn with Dear ImGui.
//
// Quick start, for a program in which the recorder runs (flamelet_init) and which draws ImGui with any backend:
//
//   flamelet::Overlay* overlay = nullptr;
//   flamelet::overlay_create(flamelet::OverlayConfig(), &overlay);   // FLAMELET_OK, or a reason
//   while (running) {
//     ImGui::NewFrame();
//     flamelet::overlay_show(overlay);    // F1: off, HUD, read-only, active
//     ImGui::Render();
//     flamelet_frame();                   // the frame mark: without it there are no frames to look at
//   }
//   flamelet::overlay_destroy(overlay);   // before or after flamelet_shutdown() and ImGui::DestroyContext()
//
// Call these between NewFrame and Render:
//   overlay_show        the mode key, the HUD and the window in one call
// or, in a layout of your own:
//   overlay_menu_item   an item in your menu that opens and closes the window
//   overlay_window      one ImGui window with the content in it
//   overlay_content     the content alone, inside a window, a tab or a dock of yours
//
// The "?" key or button of the overlay lists what mouse and keys do.
//
// ImGui:     compiled against your own copy of ImGui, versions 1.86 to 1.92, with your imconfig.h. It includes nothing
//            but imgui.h. It uses the current font, and every distance follows the font's size: scale your font to
//            scale the overlay. It needs no texture and no window system.
// Keyboard:  with ImGui 1.87 and later, keys are ImGuiKey values. ImGui 1.86 knows few keys by name: there, letters
//            come in as typed characters, and toggle_key is the index in io.KeysDown that your backend uses.
//            An active overlay takes the keyboard, Escape included, and sets io.WantCaptureKeyboard. Test that before
//            the program acts on a key, also on a polled one: docs/overlay-program.md, "Who gets a key".
// DLLs:      if your ImGui lies in several modules, call overlay_set_imgui_context() once in the module of the overlay.
// Threads:   all calls on the thread that drives ImGui. All other threads may record meanwhile. The menu saves and
//            opens files on a thread of its own; only the list of a folder is read in a frame. Another one finds why a
//            hitch was slow. These threads may call the allocator.
//            While it saves, the overlay reads nothing new: events wait in the recorder's ring, and losses are counted.
// Lifetime:  the overlay keeps the pointers to captures and call trees, and the allocator's user pointer. It copies
//            everything else that is passed.
// Memory:    one allocation of budget_bytes at creation, and one free. ImGui's own buffers grow when the overlay first
//            opens; after that, a frame makes no heap allocation. An opened capture file takes memory beyond the budget
//            until another capture is shown. While a file is saved, it takes what capture_file.h says.
// Cost:      off: one comparison and one key test. HUD and window: the truth line shows the cost.
// When full: a view with more spans than max_spans shows as many as fit, and says so.
#ifndef FLAMELET_OVERLAY_H
#define FLAMELET_OVERLAY_H

#include "flamelet/budgets.h"
#include "flamelet/call_tree.h"
#include "flamelet/capture_file.h"
#include "flamelet/flight.h"

struct ImGuiContext;

namespace flamelet {

struct Overlay;

// What overlay_show() draws. The mode key switches in this order.
enum class OverlayMode : uint32_t {
  kOff = 0,   // nothing; the capture is not updated either
  kHud,       // a small display in a corner; clicks go through it, unless a setting gives them to it
  kReadOnly,  // the whole overlay; the mouse and the keys stay with the game
  kActive,    // the whole overlay, with mouse and keys
};

constexpr uint32_t kOverlayMaxBudgets = 64;

// What the program does for the menu "File". Each may be NULL. They are called on the thread of ImGui, while the overlay
// draws or a call below waits for a file.
struct OverlayHost {
  void* user = nullptr;
  // "Open capture ..." was chosen: asks for a file in the program's own way, and later calls overlay_open_capture() or
  // overlay_show_capture(). NULL: the overlay asks for a path.
  void (*choose_capture)(void* user) = nullptr;
  // The path that was typed for "Open capture ...": the program opens it, after the overlay is drawn, and says what is wrong
  // with it. NULL: the overlay opens a capture file in place of what it shows. Not called with choose_capture.
  void (*open_capture)(void* user, const char* path) = nullptr;
  // A capture was saved under this path.
  void (*capture_saved)(void* user, const char* path) = nullptr;
  // "Copy link" was chosen: puts a text with this link (overlay_write_link) into the clipboard. NULL: there is no such
  // item.
  void (*copy_link)(void* user, const char* link) = nullptr;
  // "Calls of NAME as frames" was chosen for the selected scope, of a capture that stands. `name` is as `flamelet view
  // --frames-of` takes it. After the overlay is drawn, the program gives its capture these frames
  // (flamelet_capture_set_frames()), and shows it again. "": the frames that were marked. NULL: there is no such item.
  void (*frames_of)(void* user, const char* name) = nullptr;
  // A name of the capture in UTF-8 has characters beyond ASCII; each name once. For programs whose font gets characters
  // when they are needed; before the next ImGui::NewFrame(), since the overlay is drawing.
  void (*needs_characters)(void* user, const char* text, size_t size) = nullptr;
};

struct OverlayConfig {
  flamelet_allocator allocator = {nullptr, nullptr, nullptr};
  size_t budget_bytes = size_t{64} << 20;  // all memory: the overlay's tables; the rest is for its capture
  OverlayMode mode = OverlayMode::kOff;    // the first mode
  int toggle_key = 0;                      // 0 = F1; negative = none: then call overlay_set_mode()
  double frame_budget_ms = 1000.0 / 60.0;  // the line in the frame bars; a second one stands at twice that
  uint32_t max_spans = 1u << 18;           // spans in view at one time, all lanes together; about 50 bytes each
  uint32_t max_scopes = 4096;              // rows of the statistics table; about 450 bytes each
  uint32_t max_paths = 8192;               // call paths on the pages Tree, Flame and Compare; about 490 bytes each
  uint32_t max_lanes = 256;                // threads, GPU queues, fibers, counters; about 530 bytes each
  uint32_t max_counters = 256;             // about 400 bytes each
  // Values of counters that are kept one by one, all counters together; about 140 bytes each, and at least 4 for each
  // counter. Beyond these, neighbouring values become one, with their count, smallest, largest and last value.
  uint32_t max_counter_values = 1u << 15;
  uint32_t max_intervals = 4096;     // about 140 bytes each; beyond these, only those that overlap the view
  uint32_t max_messages = 1u << 15;  // the newest instants on the page Messages; about 36 bytes each
  // Frames of the overlay's own capture, and bars. About 370 bytes each: with them, the bars reach back to the first frame
  // that the overlay ever saw, as sums of more and more frames.
  uint32_t max_frames = 4096;
  // Shows this capture instead of the live one. It must outlive the overlay, which never updates it. The program may
  // update it on the thread of ImGui. For a capture that does not change, use overlay_show_capture().
  const flamelet_capture* capture = nullptr;
  // A live capture that others read, too, such as the flight recorder: the overlay shows it as if it were its own, and its
  // budget is for the tables alone. The overlay updates it while it is shown, the program in every frame, both on the thread
  // of ImGui: an update without news costs next to nothing. While the overlay is paused on it or saves, it holds it
  // (flamelet_capture_hold()), so that no update moves what is looked at. Turning the overlay off ends the pause. It outlives
  // the overlay. Not with `capture`.
  flamelet_capture* shared_capture = nullptr;
  // Where the menu proposes to save; NULL = the current folder. It is copied, up to 511 bytes.
  const char* capture_folder = nullptr;
  OverlayHost host;
  // The program's flight recorder: its hitches get flags on their bars, and a strip at the left of the bars.
  // The program updates it, on the thread of ImGui, and destroys it after the overlay. NULL = none.
  flamelet_flight* flight = nullptr;
  // Budgets of the frame and of scopes, from flamelet_budgets_read(): the HUD and the page Scope hold scopes against them,
  // as flamelet_flight_set_budgets() does. The frame's replaces frame_budget_ms. They are copied; at most
  // kOverlayMaxBudgets scopes with names of at most 63 bytes, else overlay_create() returns FLAMELET_ERROR_LIMIT.
  const flamelet_budget* budgets = nullptr;
  size_t budget_count = 0;
  bool pause_on_hitch = false;  // pauses on each new hitch, while the overlay is shown; also under "settings"
  int save_key = 0;             // saves the last seconds to capture_folder, in every mode; 0 = F2; negative = none
  double save_seconds = 5;
  // The overlay is active while this key is held. Numbers as for toggle_key; 0 = none. Also under "settings".
  int peek_key = 0;
};

// For flamelet_config_small() and flamelet_capture_config_small(): 16,384 spans in view, 1,024 frames, 512 scopes, paths and
// intervals, 64 lanes and counters, 2,048 values and messages. Its tables take less than 6 MiB. Give it a shared_capture, or
// leave it its budget_bytes, which are 10 MiB, for one of its own.
OverlayConfig overlay_config_small();

// The smallest budget_bytes for these limits; 0 if one of them is out of range.
size_t overlay_memory_required(const OverlayConfig& config);

// FLAMELET_ERROR_BUDGET_TOO_SMALL, _OUT_OF_MEMORY, _LIMIT or _INVALID_ARGUMENT set *overlay to NULL. Needs no running recorder
// and no ImGui context.
flamelet_result overlay_create(const OverlayConfig& config, Overlay** overlay);
void overlay_destroy(Overlay* overlay);  // NULL is fine

// Other budgets, in place of those before, also of OverlayConfig::budgets. The user's budgets of scopes come before them.
// FLAMELET_ERROR_LIMIT, FLAMELET_ERROR_INVALID_ARGUMENT: nothing has changed.
flamelet_result overlay_set_budgets(Overlay* overlay, const flamelet_budget* budgets, size_t count);

// Only needed if the overlay and the program each have an ImGui (see DLLs above).
void overlay_set_imgui_context(ImGuiContext* context);

// ---- Drawing -------------------------------------------------------------------------------------------------------
// Each of these does nothing for NULL, so that a build without a profiler needs no `if`.

// Handles the mode key, and draws what the mode shows. The window opens at the top of the main viewport. Afterwards
// ImGui keeps its place and size, or a setting holds it. When the viewport changes its size, it keeps its share of it.
void overlay_show(Overlay* overlay);

// Everything in the space that is left in the current window.
void overlay_content(Overlay* overlay);

// A window of its own. `open` may be NULL; otherwise the window has a close button that clears it.
void overlay_window(Overlay* overlay, bool* open);

// A menu item with a check mark. Chosen, it switches between off and active. True when it was chosen.
bool overlay_menu_item(Overlay* overlay, const char* label = "Flamelet");

// The small display alone, in a corner of the main viewport: the upper right one, or what the settings say.
void overlay_hud(Overlay* overlay);

// ---- Control -------------------------------------------------------------------------------------------------------

OverlayMode overlay_mode(const Overlay* overlay);
void overlay_set_mode(Overlay* overlay, OverlayMode mode);
void overlay_cycle_mode(Overlay* overlay);  // what the key does

// The key may also be changed by the user, under "settings".
int overlay_toggle_key(const Overlay* overlay);
void overlay_set_toggle_key(Overlay* overlay, int key);

// A paused overlay's view stands still. Recording goes on; events that the ring overwrites meanwhile are counted as
// lost.
bool overlay_paused(const Overlay* overlay);
void overlay_set_paused(Overlay* overlay, bool paused);

// Pauses and shows the frames `first` to `last` (flamelet_frame_info::index). False if the capture does not have them.
bool overlay_select_frames(Overlay* overlay, uint64_t first, uint64_t last);

// Pauses and selects the longest scope of this name in the frames that are shown, on any lane. False if there is none.
bool overlay_select_scope(Overlay* overlay, const char* name);

// The text of the filter; NULL or "" = none. At most 127 bytes are used.
void overlay_set_filter(Overlay* overlay, const char* text);

// ---- Touch ---------------------------------------------------------------------------------------------------------
// ImGui knows one mouse and no fingers. A program with a touch screen tells the overlay of them: then one finger pans,
// two zoom, a tap is a click, and a long press opens the menu. Keep the system from sending the same touches as a mouse.

enum class TouchPhase : uint32_t { kBegan, kMoved, kEnded, kCancelled };

// A finger, by a number that it has from kBegan to kEnded, at (x, y) in ImGui's coordinates. At any time, on the thread
// that drives ImGui. A third finger is ignored.
void overlay_touch(Overlay* overlay, uint64_t finger, TouchPhase phase, float x, float y);
// Moves ImGui's mouse as the fingers say. Once a frame, between the backend's NewFrame and ImGui::NewFrame().
void overlay_apply_touch(Overlay* overlay);

// ---- Links ---------------------------------------------------------------------------------------------------------

// Writes where the user is, as the part of a web address behind its "#": the page, the frames, the scope, the view, the
// measured time and the filter, such as "page=lanes&frame=12&scope=Physics&at=1234567&view=1200000-1300000". Sizes as in
// overlay_save_settings(); 2048 bytes are enough.
size_t overlay_write_link(const Overlay* overlay, char* text, size_t capacity);
// Goes there. Takes any text; what it does not name stays. False if something that it names is not in the capture, or in no
// link: then the rest is shown, and `problem` names all such parts, cut to `capacity` bytes with the closing 0.
bool overlay_open_link(Overlay* overlay, const char* link, char* problem = nullptr, size_t capacity = 0);

// ---- Captures in files -----------------------------------------------------------------------------------------------
// The overlay's menu "File" does the same in the background. The calls below return when the work is done.

// Saves the frames `first` to `last` (flamelet_frame_info::index) of the shown capture, by default all of it, with
// flamelet_capture_save(), and returns its result. FLAMELET_ERROR_INVALID_ARGUMENT if the capture has none of these
// frames.
flamelet_result overlay_save_capture(Overlay* overlay, const char* path, uint64_t first = 0,
                                     uint64_t last = UINT64_MAX);

// Shows a capture file in place of the live game, paused on its longest frame. `report` may be NULL. Results are those
// of flamelet_capture_load(). After an error, the overlay goes on showing what it did.
flamelet_result overlay_open_capture(Overlay* overlay, const char* path, flamelet_load_report* report = nullptr);

// Shows a capture of the program's own, such as an import. It must not change, and must live until another one is
// shown. `title` is shown above it, and copied up to 255 bytes. A NULL capture: shows the live game again.
void overlay_show_capture(Overlay* overlay, const flamelet_capture* capture, const char* title);

// False while a capture file or a capture of the program's own is shown.
bool overlay_shows_live_game(const Overlay* overlay);

// ---- Call trees of the program's own -------------------------------------------------------------------------------

constexpr uint32_t kOverlayMaxTrees = 8;

// Offers a call tree (call_tree.h), such as a script interpreter's, on the pages Tree and Flame, under this name (at
// most 31 bytes are kept). A second call with the same name replaces the tree. A NULL tree removes it; do this before
// the tree's memory is freed.
// The thread that drives ImGui reads the tree a few times a second while it is shown, so it must be allowed to use the
// tree. samples_per_second converts samples to times; 0 = samples are shown as numbers. False if there are
// kOverlayMaxTrees others, if the name is empty, or if no tree of this name can be removed.
bool overlay_show_tree(Overlay* overlay, const char* name, flamelet_call_tree* tree, double samples_per_second = 0);

// ---- Settings ------------------------------------------------------------------------------------------------------
// imgui.h cannot add sections to imgui.ini, so the program stores this text: beside the ini file, or in its own
// settings. Only window positions are in imgui.ini.

// Writes the settings as lines `name=value`, with a closing 0. Returns the size without it. If that does not fit in
// `capacity`, only the closing 0 is written. `text` may be NULL with capacity 0.
size_t overlay_save_settings(const Overlay* overlay, char* text, size_t capacity);
// Takes any text. Lines that are unknown or out of range are skipped: then false, and `problem` says what is wrong with the
// first of them, cut to `capacity` bytes with the closing 0.
bool overlay_load_settings(Overlay* overlay, const char* text, size_t size, char* problem = nullptr,
                           size_t capacity = 0);
// True once after the user changed something that overlay_save_settings() would write.
bool overlay_settings_changed(Overlay* overlay);

// ---- Numbers -------------------------------------------------------------------------------------------------------

// About the last frame in which the overlay was drawn.
struct OverlayStats {
  int64_t draw_ns;     // everything that the overlay did, without reading the capture
  int64_t lanes_ns;    // the part of draw_ns that the lanes took: layout and drawing
  int64_t bars_ns;     // the part that the frame bars took
  int64_t capture_ns;  // flamelet_capture_update() and reading spans
  // What recording the newest shown frame cost the game: how many scopes of each flamelet_scope_kind began in it, and
  // what one of them costs on this machine, measured when the overlay first meets one (0 before).
  uint64_t scopes[FLAMELET_SCOPE_KINDS];
  double scope_ns[FLAMELET_SCOPE_KINDS];
  double recording_ns;       // the sum of scopes * scope_ns
  size_t memory_bytes;       // taken from the allocator
  uint32_t zones_in_view;    // spans that overlap the view, all unfolded lanes
  uint32_t zones_drawn;      // drawn as blocks of their own
  uint32_t zones_merged;     // merged into blocks with counts; drawn + merged = in view
  uint64_t zones_left_out;   // spans beyond max_spans, not counted in the three above
  uint32_t canvas_commands;  // ImGui draw commands of the lanes
  uint32_t canvas_vertices;
  float merge_limit_px;  // narrower scopes are merged; rises when a view would take too many vertices
};
void overlay_get_stats(const Overlay* overlay, OverlayStats* stats);

// True while the overlay goes on reading what it shows, a piece in each of its frames: a picture would lack it.
bool overlay_reading(const Overlay* overlay);

// Writes what the overlay shows as one JSON object, for tests and bug reports. Sizes as in overlay_save_settings().
// Times are nanoseconds of the capture; `null` = none.
size_t overlay_write_state(const Overlay* overlay, char* text, size_t capacity);

}  // namespace flamelet

#endif  // FLAMELET_OVERLAY_H
