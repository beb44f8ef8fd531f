// SPDX-License-Identifier: MIT
#include "files/capture_files.h"

#include <errno.h>
#include <string.h>
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "input/input_compat.h"
#include "pages/pages.h"
#include "platform/system.h"

namespace flamelet::ui {

namespace {

std::string_view folder_of(std::string_view path) {
  const size_t end = path.find_last_of("/\\");
  return path.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

void copy_text(std::string_view text, char* to, size_t capacity) {
  const size_t size = std::min(text.size(), capacity - 1);
  memmove(to, text.data(), size);
  to[size] = 0;
}

// 20260131-235959, in local time: sorts by name as by time.
void add_time_of_day(TextWriter* text) {
  const LocalTime now = local_time();
  text->add_signed(now.year);
  const auto add = [&](int value) {
    text->add(static_cast<char>('0' + value / 10 % 10)).add(static_cast<char>('0' + value % 10));
  };
  for (const int value : {now.month, now.day}) add(value);
  text->add('-');
  for (const int value : {now.hour, now.minute, now.second}) add(value);
}

// "frames-18234-18240-20260131-235959.flamelet", in the folder of the config.
void propose_path(CaptureFiles* files, int64_t save_ns) {
  TextWriter path(files->path, sizeof files->path);
  path.add(files->folder);
  if (files->folder[0] != 0 && path.view().back() != '/') path.add('/');
  const FrameRange frames = files->dialog_frames;
  if (files->dialog == FileDialog::kNone) {
    path.add("last-").add_fixed(static_cast<double>(save_ns) * 1e-9, 0).add("s-");
  } else if (files->dialog == FileDialog::kSaveAll || !frames.valid) {
    path.add("capture-");
  } else if (frames.first == frames.last) {
    path.add("frame-").add_unsigned(frames.first).add('-');
  } else {
    path.add("frames-").add_unsigned(frames.first).add('-').add_unsigned(frames.last).add('-');
  }
  add_time_of_day(&path);
  path.add(".flamelet");
}

bool has_spans(const flamelet_capture* capture, const flamelet_frame_info& frame) {
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
    if (flamelet_capture_count_spans(capture, lane, frame.begin_ns, frame.end_ns) != 0) return true;
  return false;
}

// The longest of the frames that are whole, and not those in which the game starts; if there is none, of these; or else of
// those that have scopes left; or else of all.
bool find_longest_frame(const flamelet_capture* capture, uint64_t* index) {
  constexpr uint64_t kStart = 30;
  enum Rank { kNone, kEmpty, kLossy, kStarting, kWhole } best = kNone;
  int64_t longest_ns = -1;
  flamelet_frame_info frame;
  for (size_t i = has_start(capture) ? 1 : 0; flamelet_capture_frame(capture, i, &frame); ++i) {
    const int64_t took_ns = frame.end_ns - frame.begin_ns;
    Rank rank = frame.flags == 0 ? frame.index <= kStart ? kStarting : kWhole : kEmpty;
    if (rank == kEmpty && (best < kLossy || (best == kLossy && took_ns > longest_ns)) && has_spans(capture, frame))
      rank = kLossy;
    if (rank < best || (rank == best && took_ns <= longest_ns)) continue;
    best = rank;
    longest_ns = took_ns;
    *index = frame.index;
  }
  return best != kNone;
}

void switch_to(PageContext& o, const flamelet_capture* capture, bool standing) {
  o.capture = capture;
  o.standing = standing;
  reset_content(o);
}

// What a reader should know of a file that is not whole.
void add_damage(const flamelet_load_report& report, TextWriter* text) {
  if (report.truncated) text->add("; it ends too early");
  const uint64_t damaged = report.chunks_damaged + report.pages_refused + report.entries_refused;
  if (damaged != 0) text->add("; ").add_grouped(damaged).add(" damaged parts were left out");
  if (report.chunks_unknown != 0) text->add("; parts of it are of a later version");
}

// What keeps a job from beginning.
void refuse(StatusLine* status, CaptureFiles* files, std::string_view why) {
  status->say(Speaker::kFiles, true).add(why);
  files->focus_path = true;
}

// The outcome as a sentence.
void tell_outcome(const FileOutcome& outcome, const char* path, StatusLine* status) {
  TextWriter text = status->say(Speaker::kFiles, outcome.result != FLAMELET_OK);
  const bool saving = outcome.task == FileTask::kSave;
  if (outcome.result == FLAMELET_OK) {
    // The path of an opened file stands beside the notice anyway.
    text.add(saving ? "Saved " : "Opened").add(saving ? path : "");
    if (!saving) add_damage(outcome.report, &text);
    text.add("; ").add_bytes(outcome.file_bytes).add(" in ").add_time(outcome.took_ns);
    return;
  }
  // The reason is not cut off behind a long path.
  constexpr size_t kMostPath = 240;
  const size_t size = strlen(path);
  text.add(saving ? "Not saved: " : "Not opened: ").add(size > kMostPath ? "..." : "");
  text.add(path + (size > kMostPath ? size - kMostPath : 0)).add(": ");
  const bool has_reason = outcome.result == FLAMELET_ERROR_FILE_OPEN || outcome.result == FLAMELET_ERROR_FILE_READ ||
                          outcome.result == FLAMELET_ERROR_FILE_WRITE;
  text.add(has_reason && outcome.error_number != 0 ? strerror(outcome.error_number)
                                                   : flamelet_result_message(outcome.result));
}

// Captures and files, as the user sees them: a menu, a dialog with one path and a list of its folder, and a line that says
// what is shown. It is no file chooser of a system: the overlay lives in programs without a window system of their own.

constexpr float kPathWidth = 520;
constexpr int kListedRows = 12;

void add_frames(FrameRange frames, TextWriter* text) {
  text->add(frames.first == frames.last ? "frame " : "frames ").add_grouped(frames.first);
  if (frames.first != frames.last) text->add(" - ").add_grouped(frames.last);
}

// A lane of spans on which the scope is: the selected call's, or the first in view. Its name is empty if there is none, or no
// other lane.
std::string_view lane_of_scope(const Content& content, const Choice& choice) {
  std::string_view found;
  uint32_t lanes = 0;
  for (const Lane& lane : content.store.lanes()) {
    if (lane.content != LaneContent::kSpans) continue;
    ++lanes;
    const SelectedSpan& span = choice.selection.span;
    bool has = span.valid && span.lane_kind == lane.kind && span.lane_id == lane.id;
    for (uint32_t i = 0; !span.valid && found.empty() && !has && i < lane.rows.span_count; ++i)
      has = choice.selection.scope.is(lane.rows.spans[i], lane.kind);
    if (has) found = lane.name;
  }
  return lanes > 1 ? found : std::string_view();
}

// After the path was edited: whether a file of this name would be replaced.
void look_for_file(CaptureFiles* files) {
  files->path_is_taken = path_exists(files->path);
  files->may_replace = false;
}

// Opens the dialog, with a path proposed.
void open_file_dialog(PageContext& o, CaptureFiles& files, FileDialog dialog) {
  if (dialog == FileDialog::kOpen && files.host.choose_capture != nullptr)
    return files.host.choose_capture(files.host.user);
  files.dialog = dialog;
  files.begin_dialog = true;
  files.list.is_read = false;
  files.caret = PathCaret::kSelectsAll;
  files.dialog_frames = o.timeline.selected();
  o.status.take_back(Speaker::kFiles);
  // For opening, the path that was used last is as good a guess as any.
  if (dialog != FileDialog::kOpen) {
    freeze(o);
    propose_path(&files, o.settings.save_ns);
  }
  look_for_file(&files);
  if (dialog != FileDialog::kOpen) return;
  // A name that was only proposed is none to open.
  if (!files.path_is_taken) files.path[folder_of(files.path).size()] = 0;
  files.path_is_taken = false;
}

void show_menu(PageContext& o, CaptureFiles& files) {
  if (!begin_menu(o, "##file", MenuPlace::kBelowItem)) return;
  const FrameRange shown = o.timeline.selected();
  const bool idle = files.job.task() == FileTask::kNone;
  FixedText<192> label;
  if (shown.valid) {
    label.add("Save ");
    add_frames(shown, &label);
    label.add(" ...###save_frames");
  } else {
    label.add("Save the shown frames ...###save_frames");
  }
  if (menu_item(o, label.c_str(), nullptr, false, idle && shown.valid))
    open_file_dialog(o, files, FileDialog::kSaveFrames);
  TimeWindow extent;
  const bool any = flamelet_capture_extent(o.capture, &extent.begin_ns, &extent.end_ns);
  if (menu_item(o, "Save everything ...", nullptr, false, idle && any))
    open_file_dialog(o, files, FileDialog::kSaveAll);
  ImGui::Separator();
  if (menu_item(o, "Open capture ...", nullptr, false, idle)) open_file_dialog(o, files, FileDialog::kOpen);
  if (files.host.copy_link != nullptr && menu_item(o, "Copy link")) {
    copy_link(o, files.host);
    o.status.say(Speaker::kKeys).add("the link is copied");
  }
  if (files.host.frames_of != nullptr && o.standing) {
    const bool chosen = o.selection.scope.valid;
    FixedText<512> name;
    if (chosen) add_frames_of(o, o, &name);
    label.clear();
    const std::string_view shown_name = chosen ? name.view() : "the selected scope";
    const TextFit fit = fit_text(o.metrics, shown_name, scaled(o, 260));
    label.add("Calls of ").add(shown_name.substr(0, fit.bytes)).add(" as frames###frames_of");
    if (menu_item(o, label.c_str(), nullptr, false, idle && chosen))
      files.host.frames_of(files.host.user, name.c_str());
    if (menu_item(o, "Frame marks as frames", nullptr, false, idle)) files.host.frames_of(files.host.user, "");
  }
  if (o.own != nullptr && menu_item(o, "Back to the live game", nullptr, false, !o.live())) show_live(o, files);
  ImGui::EndPopup();
}

// To open a file, what was typed behind the folder is how its name begins.
bool is_listed(const CaptureFiles& files, uint32_t entry) {
  if (files.dialog != FileDialog::kOpen) return true;
  const std::string_view path = files.path, begin = path.substr(folder_of(path).size());
  return std::string_view(files.list.name(entry)).substr(0, begin.size()) == begin;
}

// The next one that is listed, or with -1 the one before; from the ends on the other way round.
void move_in_list(CaptureFiles* files, int by) {
  FolderList& list = files->list;
  uint32_t at = list.chosen == FolderList::kNone && by < 0 ? 0 : list.chosen;
  for (uint32_t looked = 0; looked < list.count; ++looked) {
    at = at == FolderList::kNone ? 0 : by < 0 ? (at + list.count - 1) % list.count : (at + 1) % list.count;
    if (!is_listed(*files, at)) continue;
    list.chosen = at;
    list.moved = true;
    return;
  }
}

// Puts it into the path. True: it is a file, and not a folder to look into.
bool take_entry(CaptureFiles* files, uint32_t entry) {
  const FolderList& list = files->list;
  const std::string_view name = list.name(entry);
  const bool is_folder = list.entries[entry].kind == FolderList::Kind::kFolder;
  std::string_view folder = list.folder;
  TextWriter path(files->path, sizeof files->path);
  const std::string_view above = folder_of(folder.substr(0, folder.empty() ? 0 : folder.size() - 1));
  const bool goes_up = name == ".." && !folder.empty() && folder.substr(above.size(), 2) != "..";
  path.add(goes_up ? above : folder);
  if (!goes_up) path.add(name);
  if (!goes_up && is_folder) path.add('/');
  files->list.chosen = FolderList::kNone;
  files->focus_path = true;
  files->caret = PathCaret::kAtEnd;
  look_for_file(files);
  files->path_is_taken = files->path_is_taken && !is_folder && files->dialog != FileDialog::kOpen;
  return !is_folder;
}

// A click takes an entry.
void show_folder(PageContext& o, CaptureFiles& files, float width) {
  FolderList& list = files.list;
  const std::string_view folder = folder_of(files.path);
  if (!list.is_read || folder != list.folder) list.read(folder);
  int rows = 0;
  for (uint32_t i = 0; i < list.count; ++i) rows += is_listed(files, i);
  if (rows == 0) return;
  const float row = ImGui::GetTextLineHeightWithSpacing();
  const float padding = 2 * ImGui::GetStyle().WindowPadding.y;
  // The buttons and what they ask stay in the window.
  const float below = 2 * ImGui::GetFrameHeightWithSpacing() + row + 2 * padding;
  const float most = ImGui::GetMainViewport()->WorkSize.y - ImGui::GetCursorPosY() - below;
  const float wanted = row * static_cast<float>(std::min(rows, kListedRows)) + padding;
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 1);  // without it there is no padding
  ImGui::BeginChild("##list", ImVec2(width, std::max(std::min(wanted, most), row + padding)), true);
  ImGui::PopStyleVar();
  uint32_t taken = FolderList::kNone;
  for (uint32_t i = 0; i < list.count; ++i) {
    if (!is_listed(files, i)) continue;
    FixedText<512> label;
    label.add(list.name(i)).add(list.entries[i].kind == FolderList::Kind::kFolder ? "/" : "");
    ImGui::PushID(static_cast<int>(i));
    const bool is_other = list.entries[i].kind == FolderList::Kind::kOther;
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(is_other ? color::kTextDim : color::kText));
    // In each version of ImGui the flag's value for a choice that leaves the popup open is 1.
    if (ImGui::Selectable(label.c_str(), i == list.chosen, static_cast<ImGuiSelectableFlags>(1))) taken = i;
    ImGui::PopStyleColor();
    if (i == list.chosen && list.moved) ImGui::SetScrollHereY();
    ImGui::PopID();
  }
  list.moved = false;
  ImGui::EndChild();
  if (list.is_full) ImGui::TextDisabled("there are more: type how the name begins");
  if (taken != FolderList::kNone) take_entry(&files, taken);
  o.notes.note_count("file_entries", static_cast<uint32_t>(rows));
}

int put_caret(ImGuiInputTextCallbackData* data) {
  PathCaret& caret = *static_cast<PathCaret*>(data->UserData);
  if (caret != PathCaret::kStays) {
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    if (caret == PathCaret::kSelectsAll) data->SelectionStart = 0;
  }
  caret = PathCaret::kStays;
  return 0;
}

void show_dialog_title(const Content& content, const CaptureFiles& files) {
  FixedText<96> title;
  if (files.dialog == FileDialog::kOpen) {
    title.add("Open a capture file");
  } else if (files.dialog == FileDialog::kSaveAll) {
    const size_t frames = counted_frames(content.capture);
    title.add("Save everything");
    if (frames != 0) title.add(": ").add_grouped(frames).add(frames == 1 ? " frame" : " frames");
  } else {
    title.add("Save ");
    add_frames(files.dialog_frames, &title);
  }
  ImGui::TextUnformatted(title.c_str());
}

void show_dialog(PageContext& o, CaptureFiles& files) {
  const bool begins = files.begin_dialog;
  files.begin_dialog = false;
  if (begins) ImGui::OpenPopup("##file_dialog");
  if (!ImGui::BeginPopup("##file_dialog")) {
    files.dialog = FileDialog::kNone;
    return;
  }
  // The job that this dialog began is done, and well; or the game has the keyboard again.
  if (files.dialog == FileDialog::kNone || !o.takes_input) ImGui::CloseCurrentPopup();
  show_dialog_title(o, files);
  const bool opening = files.dialog == FileDialog::kOpen;
  const float most = ImGui::GetMainViewport()->WorkSize.x - scaled(o, 40);
  ImGui::SetNextItemWidth(std::min(scaled(o, kPathWidth), most));
  if (begins || files.focus_path) {
    ImGui::SetKeyboardFocusHere();
    files.path_gets_focus = true;
  }
  files.focus_path = false;
  const ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways;
  bool entered = ImGui::InputTextWithHint("##path", "path of a .flamelet file", files.path, sizeof files.path, flags,
                                          put_caret, &files.caret);
  // From ImGui 1.92.5 on, the text field does not see Enter in its first frames. The Enter that chose the menu's entry
  // may be the one of the dialog's first frame.
  if (!begins && (files.path_gets_focus || ImGui::IsItemActive()) && key_pressed(Key::kEnter)) entered = true;
  if (ImGui::IsItemActive()) files.path_gets_focus = false;
  if (ImGui::IsItemEdited()) files.list.chosen = FolderList::kNone;
  if (ImGui::IsItemEdited() && !opening) look_for_file(&files);
  const bool escape = key_pressed(Key::kEscape);
  const bool busy = files.job.task() != FileTask::kNone;
  if (!busy) {
    if (key_pressed(Key::kDown)) move_in_list(&files, 1);
    if (key_pressed(Key::kUp)) move_in_list(&files, -1);
    if (entered && files.list.chosen != FolderList::kNone) entered = take_entry(&files, files.list.chosen) && opening;
    show_folder(o, files, std::min(scaled(o, kPathWidth), most));
  }
  if (busy) {
    ImGui::TextUnformatted(opening ? "opening ..." : "saving ...");
  } else {
    const bool pressed = ImGui::Button(opening ? "Open###go" : files.may_replace ? "Replace###go" : "Save###go");
    ImGui::SameLine();
    if (ImGui::Button("Cancel") || escape) ImGui::CloseCurrentPopup();
    const bool asks = files.path_is_taken && !files.may_replace;
    if ((entered || pressed) && !asks) start_file_job(o, files);
    if ((entered || pressed) && asks) files.may_replace = files.focus_path = true;
    if (files.path_is_taken)
      colored_text(color::kFrameFar, files.may_replace ? "This file is lost then. Enter again replaces it"
                                                       : "A file of this name is there");
  }
  if (o.status.is_of(Speaker::kFiles) && o.status.is_bad()) {
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kFrameFar));
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::min(scaled(o, kPathWidth), most));
    ImGui::TextUnformatted(o.status.text().data());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }
  // What it says below the buttons stays in the window.
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 at = ImGui::GetWindowPos();
  const float lowest = viewport->WorkPos.y + viewport->WorkSize.y - ImGui::GetWindowSize().y;
  if (at.y > lowest) ImGui::SetWindowPos(ImVec2(at.x, std::max(lowest, viewport->WorkPos.y)));
  ImGui::EndPopup();
}

// These do the work, on the thread that calls.
FileOutcome save_file(const flamelet_capture* capture, TimeWindow window, const char* path) {
  const int64_t start_ns = steady_ns();
  FileOutcome outcome;
  outcome.task = FileTask::kSave;
  outcome.result = flamelet_capture_save(capture, window.begin_ns, window.end_ns, path);
  outcome.error_number = errno;
  if (outcome.result == FLAMELET_OK) outcome.file_bytes = size_of_file(path);
  outcome.took_ns = steady_ns() - start_ns;
  return outcome;
}

}  // namespace

FileOutcome open_file(const flamelet_allocator& allocator, const char* path) {
  const int64_t start_ns = steady_ns();
  FileOutcome outcome;
  outcome.task = FileTask::kOpen;
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = allocator;
  outcome.result = flamelet_capture_load(&options, path, &outcome.capture, &outcome.report);
  outcome.error_number = errno;
  outcome.file_bytes = outcome.report.file_bytes;
  outcome.took_ns = steady_ns() - start_ns;
  return outcome;
}

FileJob::~FileJob() {
  if (task_ != FileTask::kNone) flamelet_capture_destroy(take().capture);
}

void FileJob::save(const flamelet_capture* capture, TimeWindow window, std::string_view path) {
  saved_ = capture;
  window_ = window;
  start(FileTask::kSave, path);
}

void FileJob::open(const flamelet_allocator& allocator, std::string_view path) {
  allocator_ = allocator;
  start(FileTask::kOpen, path);
}

void FileJob::start(FileTask task, std::string_view path) {
  const size_t size = std::min(path.size(), sizeof path_ - 1);
  memcpy(path_, path.data(), size);
  path_[size] = 0;
  task_ = task;
  // Relaxed: the start of the thread comes after it.
  done_.store(false, std::memory_order_relaxed);
  if (!start_thread([](void* job) { static_cast<FileJob*>(job)->run(); }, this, &thread_)) run();
}

void FileJob::run() {
  outcome_ = task_ == FileTask::kSave ? save_file(saved_, window_, path_) : open_file(allocator_, path_);
  // Release: pairs with the acquire in done().
  done_.store(true, std::memory_order_release);
}

FileOutcome FileJob::take() {
  if (thread_.joinable()) thread_.join();
  task_ = FileTask::kNone;
  return outcome_;
}

void show_standing(PageContext& o, CaptureFiles& files, const flamelet_capture* capture, std::string_view title,
                   flamelet_capture* opened) {
  flamelet_capture* before = files.opened;
  files.opened = opened;
  files.opened_bytes = 0;
  if (opened != nullptr) {
    flamelet_capture_stats stats;
    flamelet_capture_get_stats(opened, &stats);
    files.opened_bytes = stats.budget_bytes;
  }
  copy_text(title, o.title, sizeof o.title);
  switch_to(o, capture, true);
  if (before != opened) flamelet_capture_destroy(before);
  o.timeline.set_paused(true);
  o.gpu.update(capture, &o.statistics.scratch());
  uint64_t longest;
  if (find_longest_frame(capture, &longest))
    show_frames(o, o, longest, longest);
  else
    o.timeline.follow(UINT64_MAX, 0);
  o.numbers.update(o.capture, false, o.timeline.recorded());
}

void show_live(PageContext& o, CaptureFiles& files) {
  if (o.own == nullptr || o.live()) return;
  o.title[0] = 0;
  o.status.take_back(Speaker::kFiles);  // it was about the file
  if (files.job.task() == FileTask::kSave) finish_file_job(o, files);
  switch_to(o, o.own, false);
  flamelet_capture_destroy(files.opened);
  files.opened = nullptr;
  files.opened_bytes = 0;
  o.timeline.set_paused(false);
}

void pause_or_resume(PageContext& o, CaptureFiles& files) {
  o.standing ? show_live(o, files) : toggle_pause(o, o);
}

TimeWindow saved_window(const flamelet_capture* capture, uint64_t first, uint64_t last) {
  TimeWindow window;
  const size_t count = flamelet_capture_frame_count(capture);
  for (size_t i = 0; i < count; ++i) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(capture, i, &frame) || frame.index < first || frame.index > last) continue;
    if (window.end_ns <= window.begin_ns) window.begin_ns = frame.begin_ns;
    window.end_ns = frame.end_ns;
  }
  return window;
}

void FolderList::add(const char* name, Kind kind) {
  const size_t size = strlen(name) + 1;
  is_full = is_full || count == kMostEntries || size > sizeof names - used;
  if (is_full) return;
  entries[count++] = {used, kind};
  memcpy(names + used, name, size);
  used += static_cast<uint32_t>(size);
}

void FolderList::read(std::string_view of) {
  copy_text(of, folder, sizeof folder);
  is_read = true;
  is_full = false;
  count = used = 0;
  chosen = kNone;
  struct Pass {
    FolderList* list;
    Kind kind;
  };
  for (const Kind kind : {Kind::kFolder, Kind::kCapture, Kind::kOther}) {
    Pass pass = {this, kind};
    const uint32_t first = count;
    const auto visit = [](void* user, const char* name, bool is_folder) {
      const Pass& now = *static_cast<Pass*>(user);
      if (name[0] == '.' && strcmp(name, "..") != 0) return;
      const auto has = [name](const char* part) { return strstr(name, part) != nullptr; };
      const bool is_capture = has(".flamelet") || has(".json") || has(".perfetto-trace") || has(".pftrace");
      const Kind is = is_folder ? Kind::kFolder : is_capture ? Kind::kCapture : Kind::kOther;
      if (is == now.kind) now.list->add(name, is);
    };
    list_folder(folder[0] != 0 ? folder : ".", visit, &pass);
    std::sort(entries + first, entries + count,
              [this](const Entry& a, const Entry& b) { return strcmp(names + a.name, names + b.name) < 0; });
  }
}

void start_file_job(PageContext& o, CaptureFiles& files) {
  if (files.job.task() != FileTask::kNone) return;
  if (files.path[0] == 0) return refuse(&o.status, &files, "Type the path of a file first");
  o.status.take_back(Speaker::kFiles);
  if (files.dialog == FileDialog::kOpen && files.host.open_capture != nullptr) {
    files.dialog = FileDialog::kNone;
    return files.host.open_capture(files.host.user, files.path);
  }
  if (files.dialog == FileDialog::kOpen) return files.job.open(files.allocator, files.path);
  TimeWindow window = {INT64_MIN, INT64_MAX};
  if (files.dialog == FileDialog::kSaveFrames)
    window = saved_window(o.capture, files.dialog_frames.first, files.dialog_frames.last);
  if (window.end_ns <= window.begin_ns) return refuse(&o.status, &files, "Not saved: these frames are no longer there");
  files.job.save(o.capture, window, files.path);
}

void save_last_seconds(PageContext& o, CaptureFiles& files) {
  if (files.job.task() != FileTask::kNone || files.dialog != FileDialog::kNone) return;
  const flamelet_capture* capture = o.own != nullptr ? o.own : o.capture;
  // Also of an overlay that is off, whose capture is behind: the ring has what is new.
  if (files.holds) flamelet_capture_hold(o.own, false);
  if (o.own != nullptr) flamelet_capture_update(o.own);
  if (files.holds) flamelet_capture_hold(o.own, true);
  TimeWindow extent;
  if (!flamelet_capture_extent(capture, &extent.begin_ns, &extent.end_ns))
    return refuse(&o.status, &files, "Not saved: nothing was recorded");
  o.status.take_back(Speaker::kFiles);
  propose_path(&files, o.settings.save_ns);
  files.job.save(capture, {std::max(extent.end_ns - o.settings.save_ns, extent.begin_ns), extent.end_ns + 1},
                 files.path);
}

void finish_file_job(PageContext& o, CaptureFiles& files) {
  if (files.job.task() == FileTask::kNone) return;
  const FileOutcome outcome = files.job.take();
  tell_outcome(outcome, files.job.path(), &o.status);
  files.focus_path = outcome.result != FLAMELET_OK;
  if (outcome.result != FLAMELET_OK) return;
  if (outcome.task == FileTask::kOpen) show_standing(o, files, outcome.capture, files.job.path(), outcome.capture);
  if (outcome.task == FileTask::kSave && files.host.capture_saved != nullptr)
    files.host.capture_saved(files.host.user, files.job.path());
  files.dialog = FileDialog::kNone;
}

void poll_file_job(PageContext& o, CaptureFiles& files) {
  if (files.job.task() != FileTask::kNone && files.job.done()) finish_file_job(o, files);
}

void add_frames_of(Content& content, const Choice& choice, TextWriter* text) {
  const std::string_view lane = lane_of_scope(content, choice);
  text->add(lane).add(lane.empty() ? "" : ": ").add(content.styles.of(choice.selection.scope.key).name);
}

void show_file_menu(PageContext& o, CaptureFiles& files) {
  show_menu(o, files);
  show_dialog(o, files);
}

}  // namespace flamelet::ui
