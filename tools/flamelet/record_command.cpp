// SPDX-License-Identifier: MIT
//
// record_command.cpp: `flamelet record -- PROGRAM`: runs a program whose recorder has its memory in a file, and saves what
// is in it when the program has ended, however it ended.
#include <flamelet/capture_file.h>
#include <flamelet/recorder.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line.h"
#include "display_text.h"
#include "files.h"
#include "platform/system.h"

namespace flamelet::tools {
namespace {

struct RecordOptions {
  std::vector<std::string> program;
  std::string output;
  std::string categories;
  bool locks = false;
  bool files = false;
  std::string files_from = "50";
  bool states = false;
};

// Where the program's recorder keeps its memory.
class RingFolder {
 public:
  RingFolder() : path_(make_private_folder("flamelet-record")) {
    if (path_.empty())
      throw CommandError(kExitOutput, std::string("cannot make a folder for the recording: ") + strerror(errno));
  }
  ~RingFolder() {
    std::error_code ignored;
    if (!keep) std::filesystem::remove_all(std::filesystem::u8path(path_), ignored);
  }
  RingFolder(const RingFolder&) = delete;
  RingFolder& operator=(const RingFolder&) = delete;

  std::string ring() const { return path_ + "/ring"; }
  bool keep = false;

 private:
  const std::string path_;
};

// What the program has to preload, with what it preloads already.
std::string preloaded() {
  const std::string library = library_of_command("libflamelet_preload.so");
  if (library.empty())
    throw CommandError(kExitUsage,
                       "--locks and --files need libflamelet_preload.so, which is not installed here: it is for Linux");
  const char* before = std::getenv("LD_PRELOAD");
  return before == nullptr || *before == 0 ? library : library + ":" + before;
}

const std::string& microseconds(const std::string& text) {
  const bool is_number = !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || std::stol(text) == 0)
    throw CommandError(kExitUsage,
                       "--files-from " + printable(text) + ": that is no number of microseconds, 1 or more");
  return text;
}

int run(const RecordOptions& options) {
  const std::string& program = options.program[0];
  const std::string output =
      !options.output.empty() ? options.output : utf8_of(std::filesystem::u8path(program).filename()) + ".flamelet";
  check_output(output);  // not only after an hour of play
  if (!options.categories.empty()) {
    const flamelet_result applied = flamelet_categories_apply(options.categories.c_str());
    if (applied != FLAMELET_OK)
      throw CommandError(kExitUsage,
                         "--categories " + printable(options.categories) + ": " + flamelet_result_message(applied));
  }
  RingFolder folder;
  Variables variables = {{"FLAMELET_RING_FILE", folder.ring()}};
  if (!options.categories.empty()) variables.emplace_back("FLAMELET_CATEGORIES", options.categories);
  if (options.locks || options.files) variables.emplace_back("LD_PRELOAD", preloaded());
  if (options.locks) variables.emplace_back("FLAMELET_PRELOAD_LOCKS", "on");
  if (options.files) variables.emplace_back("FLAMELET_PRELOAD_FILES", microseconds(options.files_from));
  if (options.states) variables.emplace_back("FLAMELET_THREAD_STATES", "on");
  const std::optional<ProgramEnd> end = run_to_its_end(options.program, variables);
  if (!end) throw CommandError(kExitInput, "cannot run " + printable(program) + ": " + strerror(errno));
  if (!end->killed_by.empty())
    std::fprintf(stderr, "flamelet: %s was ended by %s\n", printable(program).c_str(), end->killed_by.c_str());

  flamelet_capture* recovered = nullptr;
  const flamelet_result result = flamelet_capture_recover(nullptr, folder.ring().c_str(), &recovered, nullptr);
  const std::unique_ptr<flamelet_capture, void (*)(flamelet_capture*)> capture(recovered, flamelet_capture_destroy);
  if (result == FLAMELET_ERROR_FILE_OPEN || result == FLAMELET_ERROR_FILE_FORMAT) {
    std::fprintf(stderr,
                 "flamelet: %s recorded nothing here: it has to call flamelet_init() with\n"
                 "config.ring_path_from_environment = true\n",
                 printable(program).c_str());
    return end->exit_code != 0 ? end->exit_code : int{kExitNothing};
  }
  try {
    if (result != FLAMELET_OK)
      throw CommandError(kExitInput, "cannot read " + folder.ring() + ": " + flamelet_result_message(result));
    OutputFile file(output);
    const auto write = [](void* to, const void* bytes, size_t size) {
      return static_cast<OutputFile*>(to)->write({static_cast<const char*>(bytes), size});
    };
    flamelet_capture_save_to(recovered, INT64_MIN, INT64_MAX, {write, &file});
    file.finish();
  } catch (const CommandError& error) {
    folder.keep = true;
    throw CommandError(error.code(), std::string(error.what()) + "\nThe recording is still there: flamelet convert " +
                                         folder.ring() + " FILE.flamelet saves it");
  }
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(recovered, &stats);
  std::fprintf(stderr, "flamelet: wrote %s: %zu frames, %llu events, and %llu before them are overwritten\n",
               printable(output).c_str(), flamelet_capture_frame_count(recovered),
               static_cast<unsigned long long>(stats.events_read), static_cast<unsigned long long>(stats.events_lost));
  if (options.states && stats.thread_states != FLAMELET_THREAD_STATES_RECORDED)
    std::fprintf(stderr, "flamelet: without states of threads. %s\n",
                 flamelet_thread_states_message(stats.thread_states));
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
      "The exit code is the program's, or 128 plus the number of the signal that ended it. Signals to this command\n"
      "are passed on to the program.\n\n"
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
