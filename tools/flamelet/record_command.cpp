// SPDX-License-Identifier: MIT
//
// record_command.cpp: `flamelet record -- PROGRAM`: runs a program whose recorder has its memory in a file, and saves what
// is in it when the program has ended, however it ended.
#include <flamelet/capture_file.h>
#include <flamelet/export.h>
#include <flamelet/recorder.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "files.h"
#include "platform/file.h"
#include "platform/system.h"

namespace flamelet::tools {
namespace {

constexpr const char* kFilesFrom = "50";

struct RecordOptions {
  std::vector<std::string> program;
  std::string output;
  std::string categories;
  bool locks = false;
  bool files = false;
  std::string files_from = kFilesFrom;
  bool states = false;
};

// A recorder that got no file for its memory.
struct Refusal {
  int why;  // an errno; EEXIST: there were enough files
  unsigned mib;
  bool operator<(const Refusal& other) const { return std::tie(why, mib) < std::tie(other.why, other.mib); }
};

// Where the program's recorders keep their memory: one folder in memory, and one on a disk for what has no room there.
class RingFolders {
 public:
  explicit RingFolders(const std::string& output) : folders_{make_private_folder(kName)} {
    if (folders_[0].empty())
      throw CommandError(kExitOutput, std::string("cannot make a folder for the recording: ") + strerror(errno));
    const std::string roomy = make_private_folder_in(roomy_place(output), kName);
    if (!roomy.empty()) folders_.push_back(roomy);
  }
  ~RingFolders() {
    std::error_code ignored;
    for (const std::string& folder : folders_) {
      const std::filesystem::path path = std::filesystem::u8path(folder);
      if (keep)
        std::filesystem::remove(path, ignored);  // only if it is empty
      else
        std::filesystem::remove_all(path, ignored);
    }
  }
  RingFolders(const RingFolders&) = delete;
  RingFolders& operator=(const RingFolders&) = delete;

  Variables variables() const {
    Variables variables = {{"FLAMELET_RING_FILE", folders_[0] + kRing}};
    if (folders_.size() > 1) variables.emplace_back("FLAMELET_RING_FILE_ELSE", folders_[1] + kRing);
    return variables;
  }
  // Those of all recorders, each folder's in the order in which they began.
  std::vector<std::string> rings() const {
    std::vector<std::string> found;
    for (const std::string& folder : folders_)
      for (int number = 1;; ++number) {
        const std::string ring = folder + kRing + (number == 1 ? "" : "-" + std::to_string(number));
        if (kind_of_path(ring.c_str()) != PathKind::kFile) break;
        found.push_back(ring);
      }
    return found;
  }
  // What the paths of those hold alone, wherever a process finds the folders.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const std::string& folder : folders_) names.push_back(folder.substr(folder.rfind('/')) + kRing);
    return names;
  }
  std::set<Refusal> refusals() const {
    std::set<Refusal> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::u8path(folders_[0]), ignored)) {
      Refusal refusal;
      if (std::sscanf(utf8_of(entry.path().filename()).c_str(), "ring-failed-%d-%u", &refusal.why, &refusal.mib) == 2)
        found.insert(refusal);
    }
    return found;
  }

  // The path of a file, or of a link to it: a list that is parted at spaces and colons takes it.
  std::string without_spaces(const std::string& file) const {
    constexpr const char* kParting = " :";
    if (file.find_first_of(kParting) == std::string::npos) return file;
    const std::string link = folders_[0] + "/" + utf8_of(std::filesystem::u8path(file).filename());
    std::error_code error;
    std::filesystem::create_symlink(std::filesystem::u8path(file), std::filesystem::u8path(link), error);
    if (error || link.find_first_of(kParting) != std::string::npos)
      throw CommandError(kExitUsage, "cannot preload " + printable(file) + ": its path has a space or a colon");
    return link;
  }

  bool keep = false;

 private:
  static constexpr const char *kName = "flamelet-record", *kRing = "/ring";

  static uint64_t space_in(const std::filesystem::path& place) {
    std::error_code error;
    const std::filesystem::space_info space = std::filesystem::space(place, error);
    return error ? 0 : space.available;
  }
  // The temporary folder, or that of the output if it has more room and the other little. The program may be elsewhere, so
  // it is no relative path.
  static std::string roomy_place(const std::string& output) {
    constexpr uint64_t kEnough = uint64_t{1} << 30;
    std::error_code error;
    const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
    const uint64_t space = error ? 0 : space_in(temporary);
    if (space >= kEnough) return utf8_of(std::filesystem::absolute(temporary));
    const std::filesystem::path beside = std::filesystem::absolute(std::filesystem::u8path(output)).parent_path();
    return utf8_of(space > space_in(beside) ? std::filesystem::absolute(temporary) : beside);
  }

  std::vector<std::string> folders_;
};

// What the program has to preload, with what it preloads already.
std::string preloaded(const RingFolders& folders) {
  const std::optional<std::string> library = library_of_command("libflamelet_preload.so");
  if (!library)
    throw CommandError(kExitUsage,
                       std::string("--locks and --files are for Linux with /proc: /proc/self/exe: ") + strerror(errno));
  if (library->empty())
    throw CommandError(kExitUsage,
                       "--locks and --files need libflamelet_preload.so, which is not installed here: it is for Linux");
  const std::string shown = folders.without_spaces(*library);
  const char* before = std::getenv("LD_PRELOAD");
  return before == nullptr || *before == 0 ? shown : shown + ":" + before;
}

const std::string& microseconds(const std::string& text) {
  const bool is_number = !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || std::stol(text) == 0)
    throw CommandError(kExitUsage,
                       "--files-from " + printable(text) + ": that is no number of microseconds, 1 or more");
  return text;
}

using CapturePointer = std::unique_ptr<flamelet_capture, void (*)(flamelet_capture*)>;

// NULL: no recorder began there, or one of another version.
CapturePointer recover(const std::string& ring) {
  flamelet_capture* capture = nullptr;
  const flamelet_result result = flamelet_capture_recover(nullptr, ring.c_str(), &capture, nullptr);
  if (result != FLAMELET_OK && result != FLAMELET_ERROR_FILE_OPEN && result != FLAMELET_ERROR_FILE_FORMAT)
    throw CommandError(kExitInput, "cannot read " + ring + ": " + flamelet_result_message(result));
  return {capture, flamelet_capture_destroy};
}

void save(flamelet_capture* capture, const std::string& path) {
  OutputFile file(path, FileReaders::kThisUser);
  const auto write = [](void* to, const void* bytes, size_t size) {
    return static_cast<OutputFile*>(to)->write({static_cast<const char*>(bytes), size});
  };
  flamelet_capture_save_to(capture, INT64_MIN, INT64_MAX, {write, &file});
  file.finish();
}

flamelet_capture_stats stats_of(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  return stats;
}

// The next of "saved-2.flamelet", "saved-3.flamelet", ... that is not there.
std::string beside(const std::string& output, size_t* number) {
  std::filesystem::path path = std::filesystem::u8path(output);
  const std::string end = utf8_of(path.extension()), begin = utf8_of(path.replace_extension()) + "-";
  std::string name;
  do name = begin + std::to_string(++*number) + end;
  while (kind_of_path(name.c_str()) != PathKind::kNothing);
  return name;
}

// The rings that can be read, the one with most events first.
std::vector<std::string> by_events(const std::vector<std::string>& rings) {
  std::vector<std::pair<uint64_t, std::string>> with_events;
  for (const std::string& ring : rings) {
    const CapturePointer capture = recover(ring);
    if (capture == nullptr) continue;
    const flamelet_capture_stats stats = stats_of(capture.get());
    with_events.emplace_back(stats.events_read + stats.events_lost, ring);
  }
  std::stable_sort(with_events.begin(), with_events.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> sorted;
  for (const auto& [events, ring] : with_events) sorted.push_back(ring);
  return sorted;
}

void save_ring(const RecordOptions& options, const std::string& ring, const std::string& path) {
  const CapturePointer capture = recover(ring);
  if (capture == nullptr) return;
  save(capture.get(), path);
  const flamelet_capture_stats stats = stats_of(capture.get());
  std::fprintf(
      stderr, "flamelet: wrote %s: %s, %s, and %llu before them %s overwritten\n", printable(path).c_str(),
      counted(flamelet_capture_frame_count(capture.get()) - has_start(capture.get()), "frame", "frames").c_str(),
      counted(stats.events_read, "event", "events").c_str(), static_cast<unsigned long long>(stats.events_lost),
      stats.events_lost == 1 ? "is" : "are");
  if (options.states && stats.thread_states != FLAMELET_THREAD_STATES_RECORDED)
    std::fprintf(stderr, "flamelet: without states of threads. %s\n",
                 flamelet_thread_states_message(stats.thread_states));
}

// What recorders could not leave here.
void print_losses(const std::set<Refusal>& refusals, size_t unreadable) {
  for (const Refusal& refusal : refusals) {
    if (refusal.why == EEXIST)
      std::fprintf(stderr, "flamelet: more than 16 recorders began: what the later ones recorded is not here\n");
    else
      std::fprintf(stderr,
                   "flamelet: a recorder got no file of %u MiB for its memory: %s. What it recorded is not here\n",
                   refusal.mib, strerror(refusal.why));
  }
  if (unreadable != 0)
    std::fprintf(stderr,
                 "flamelet: the memory of %s cannot be read: the program ended while it began, or has another\n"
                 "version of Flamelet\n",
                 counted(unreadable, "recorder", "recorders").c_str());
}

void print_nothing_recorded(const std::string& program) {
  const std::string what = "flamelet: " + printable(program) + " recorded nothing here: it has ";
  if (has_rights_of_file(program))
    std::fprintf(stderr, "%smore rights than its user (set-user-id), and heeds no FLAMELET_RING_FILE\n", what.c_str());
  else
    std::fprintf(stderr,
                 "%sto call flamelet_init() with\n"
                 "config.ring_path_from_environment = true. If it does, something cleared its environment (env -i, "
                 "sudo), it\n"
                 "has more rights than its user, or called it after this command had ended, as a daemon may\n",
                 what.c_str());
  const char* const records = std::getenv("FLAMELET_RECORD");
  if (records != nullptr && (std::strcmp(records, "off") == 0 || std::strcmp(records, "0") == 0))
    std::fprintf(stderr, "flamelet: FLAMELET_RECORD=%s is set: macros of another profiler start no recorder\n",
                 records);
}

void check(const RecordOptions& options, const std::string& output, File* there) {
  if (output == "-")
    throw CommandError(kExitUsage, "record -o -: the program writes to the standard output, too. Name a file");
  flamelet_export_format format;
  bool gzip;
  if (ends_with(output, ".html") || flamelet_export_format_of_path(output.c_str(), &format, &gzip))
    throw CommandError(kExitUsage, "record -o " + printable(output) +
                                       ": what it writes is a capture. Name it FILE.flamelet; flamelet convert "
                                       "FILE.flamelet " +
                                       printable(output) + " makes the other of it");
  check_capture_name(output);
  microseconds(options.files_from);
  if (!options.files && options.files_from != kFilesFrom)
    throw CommandError(kExitUsage, "--files-from " + options.files_from + " is nothing without --files");
  check_output(output);  // not only after an hour of play
  // What is no file stays open: whoever reads a pipe would take a first opening for all.
  if (kind_of_path(output.c_str()) == PathKind::kOther && !there->open(output.c_str(), FileUse::kWriteNow))
    throw CommandError(kExitOutput,
                       "cannot write " + printable(output) + ": " +
                           (errno == ENXIO ? "nobody reads this pipe, or it is a socket" : strerror(errno)));
  if (options.categories.empty()) return;
  const flamelet_result applied = flamelet_categories_apply(options.categories.c_str());
  if (applied != FLAMELET_OK)
    throw CommandError(kExitUsage,
                       "--categories " + printable(options.categories) + ": " + flamelet_result_message(applied));
}

int run(const RecordOptions& options) {
  const std::string& program = options.program[0];
  const std::string output =
      !options.output.empty() ? options.output : utf8_of(std::filesystem::u8path(program).filename()) + ".flamelet";
  File there;
  check(options, output, &there);
  RingFolders folders(output);
  Variables variables = folders.variables();
  if (!options.categories.empty()) variables.emplace_back("FLAMELET_CATEGORIES", options.categories);
  if (options.locks || options.files) {
    variables.emplace_back("LD_PRELOAD", preloaded(folders));
    if (is_static_program(program))
      std::fprintf(stderr, "flamelet: %s is linked statically: --locks and --files record nothing of it\n",
                   printable(program).c_str());
  }
  if (options.locks) variables.emplace_back("FLAMELET_PRELOAD_LOCKS", "on");
  if (options.files) variables.emplace_back("FLAMELET_PRELOAD_FILES", options.files_from);
  if (options.states) variables.emplace_back("FLAMELET_THREAD_STATES", "on");
  const std::optional<ProgramEnd> end = run_to_its_end(options.program, variables);
  if (!end) throw CommandError(kExitInput, "cannot run " + printable(program) + ": " + strerror(errno));
  if (!end->killed_by.empty())
    std::fprintf(stderr, "flamelet: %s was ended by %s\n", printable(program).c_str(), end->killed_by.c_str());
  const std::string left = wait_for_processes_with(folders.names(), [&](const std::string& process) {
    std::fprintf(stderr,
                 "flamelet: %s has ended, and process %s goes on and records: this waits for it. A second Ctrl+C saves "
                 "what it recorded until then\n",
                 printable(program).c_str(), process.c_str());
  });
  if (!left.empty())
    std::fprintf(stderr, "flamelet: process %s still records: what it records from now on is not here\n", left.c_str());

  const std::vector<std::string> all = folders.rings();
  const std::set<Refusal> refusals = folders.refusals();
  std::string ring = all.empty() ? "" : all[0];
  const auto still_there = [&ring] {
    return "\nThe recording is still there: flamelet convert " + ring + " FILE.flamelet saves it";
  };
  if (!all.empty()) set_last_words("flamelet: ended before it had saved" + still_there() + "\n");
  try {
    const std::vector<std::string> rings = by_events(all);
    print_losses(refusals, all.size() - rings.size());
    if (rings.empty()) {
      if (all.empty() && refusals.empty()) print_nothing_recorded(program);
      return end->exit_code != 0 ? end->exit_code : int{kExitNothing};
    }
    const bool is_one_file = there.is_open();
    if (rings.size() > 1)
      std::fprintf(stderr, "flamelet: %zu recorders began, in one program or several: %s has most events%s\n",
                   rings.size(), printable(output).c_str(), is_one_file ? ", and the others are not saved" : "");
    for (size_t i = 0, number = 1; i < (is_one_file ? 1 : rings.size()); ++i) {
      ring = rings[i];
      save_ring(options, ring, i == 0 ? output : beside(output, &number));
    }
  } catch (const CommandError& error) {
    folders.keep = true;
    throw CommandError(error.code(), error.what() + still_there());
  }
  return end->exit_code;
}

}  // namespace

void add_record_command(Command* program) {
  const auto options = std::make_shared<RecordOptions>();
  Command record = program->add_command("record", "Runs a program and saves what it recorded, even if it crashes");
  record.footer(
      "The program's recorder keeps its memory in a file that outlives the program (FLAMELET_RING_FILE). The program\n"
      "must allow this: flamelet_config::ring_path_from_environment. Recording a scope costs the same as without.\n"
      "When the program ends, what the ring holds is saved: the last seconds or minutes, by the recorder's budget.\n"
      "The exit code is the program's, or 128 plus the number of the signal that ended it; 1 if it is 0 and nothing "
      "was\n"
      "recorded. Signals to this command are passed on to the program. On Linux, a program that it started and that "
      "outlives\n"
      "it is waited for.\n"
      "Where several recorders begin, in programs that it starts or one after another, the one with most events is "
      "saved as\n"
      "FILE.flamelet, and the others beside it as FILE-2.flamelet and so on, up to 16.\n\n"
      "With --locks the waits of its threads are recorded, though nobody marked them (Linux with glibc): for mutexes, "
      "condition\n"
      "variables, semaphores, barriers and ends of threads of pthreads, which those of C++ stand on. Each names who "
      "held\n"
      "the lock, and has a flow from who gave it back. Spin locks stay invisible. flamelet locks shows them.\n\n"
      "With --files the calls to files that block for 50 us or longer are recorded (Linux with glibc): opens, "
      "reads,\n"
      "writes and syncs, each with the file's name. Pipes, sockets, and memory that is mapped from files are left "
      "out.\n\n"
      "Examples:\n"
      "  flamelet record ./game --level 3               saves game.flamelet\n"
      "  flamelet record -o crash.flamelet ./game\n"
      "  flamelet tree crash.flamelet                   where the time went");
  record.text("-o,--output", "FILE", &options->output, "The capture; by default PROGRAM.flamelet in this folder");
  record.text("--categories", "LIST", &options->categories,
              "Which categories it records: \"-physics,+audio\"; \"-*,+ai\" is ai alone (FLAMELET_CATEGORIES)");
  record.flag("--locks", &options->locks, "Also who waits for which lock, and who held it");
  record.flag("--files", &options->files, "Also calls to files that block, with the file's name");
  record.text("--files-from", "MICROSECONDS", &options->files_from, "With --files: how long they take at least");
  record.flag("--states", &options->states,
              "Also when each thread ran, was taken off its processor, and slept (FLAMELET_THREAD_STATES=on)");
  record.positionals("PROGRAM", &options->program, "The program and its arguments");
  record.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
