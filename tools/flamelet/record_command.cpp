// SPDX-License-Identifier: MIT
//
// record_command.cpp: `flamelet record -- PROGRAM`: runs a program whose recorder has its memory in a file, and saves what
// is in it when the program has ended, however it ended.
#include <fcntl.h>
#include <flamelet/capture_file.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "display_text.h"
#include "files.h"

namespace flamelet::tools {
namespace {

struct RecordOptions {
  std::vector<std::string> program;
  std::string output;
};

// A folder that only this user can enter, in memory where the system has a place for that.
class RingFolder {
 public:
  RingFolder() {
    const char* const places[] = {getenv("XDG_RUNTIME_DIR"), "/dev/shm", getenv("TMPDIR"), "/tmp"};
    for (const char* place : places) {
      if (place == nullptr || place[0] == 0) continue;
      path_ = std::string(place) + "/flamelet-record-XXXXXX";
      if (mkdtemp(path_.data()) != nullptr) return;
    }
    throw CommandError(kExitOutput, "cannot make a folder for the recording: " + std::string(strerror(errno)));
  }
  ~RingFolder() {
    std::error_code ignored;
    if (!keep) std::filesystem::remove_all(path_, ignored);
  }
  RingFolder(const RingFolder&) = delete;
  RingFolder& operator=(const RingFolder&) = delete;

  std::string ring() const { return path_ + "/ring"; }
  bool keep = false;

 private:
  std::string path_;
};

volatile sig_atomic_t child = 0;
constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT};

// What the terminal sends, it sends to the program, too.
void forward(int signal, siginfo_t* info, void*) {
  const int before = errno;
  if (info->si_code <= 0 && child != 0) kill(child, signal);
  errno = before;
}

// Runs the program and returns how it ended, as waitpid() says it.
int run_program(const std::vector<std::string>& program, const std::string& ring) {
  std::vector<char*> arguments;
  for (const std::string& argument : program) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  int failure[2];  // tells why the program could not be started; closed by its start
  if (pipe(failure) != 0) throw CommandError(kExitInput, strerror(errno));
  for (int end : failure) fcntl(end, F_SETFD, FD_CLOEXEC);

  sigset_t forwarded, before;
  sigemptyset(&forwarded);
  for (int signal : kForwarded) sigaddset(&forwarded, signal);
  sigprocmask(SIG_BLOCK, &forwarded, &before);
  const pid_t pid = fork();
  if (pid < 0) throw CommandError(kExitInput, "cannot start a process: " + std::string(strerror(errno)));
  if (pid == 0) {
    setenv("FLAMELET_RING_FILE", ring.c_str(), 1);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    execvp(arguments[0], arguments.data());
    const int why = errno;
    if (write(failure[1], &why, sizeof why) < 0) _exit(126);
    _exit(127);
  }
  child = pid;
  struct sigaction action = {};
  action.sa_sigaction = forward;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (int signal : kForwarded) sigaction(signal, &action, nullptr);
  sigprocmask(SIG_SETMASK, &before, nullptr);

  close(failure[1]);
  int why = 0;
  ssize_t told;
  do told = read(failure[0], &why, sizeof why);
  while (told < 0 && errno == EINTR);
  close(failure[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  if (told == sizeof why) throw CommandError(kExitInput, "cannot run " + printable(program[0]) + ": " + strerror(why));
  return status;
}

// Its exit code, or as the shell says that a signal ended it.
int exit_code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run(const RecordOptions& options) {
  const std::string& program = options.program[0];
  const std::string output =
      !options.output.empty() ? options.output : std::filesystem::path(program).filename().string() + ".flamelet";
  check_output(output);  // not only after an hour of play
  RingFolder folder;
  const int status = run_program(options.program, folder.ring());
  const int exit_code = exit_code_of(status);
  if (WIFSIGNALED(status))
    std::fprintf(stderr, "flamelet: %s was ended by signal %d (%s)\n", printable(program).c_str(), WTERMSIG(status),
                 strsignal(WTERMSIG(status)));

  flamelet_capture* recovered = nullptr;
  const flamelet_result result = flamelet_capture_recover(nullptr, folder.ring().c_str(), &recovered, nullptr);
  const std::unique_ptr<flamelet_capture, void (*)(flamelet_capture*)> capture(recovered, flamelet_capture_destroy);
  if (result == FLAMELET_ERROR_FILE_OPEN || result == FLAMELET_ERROR_FILE_FORMAT) {
    std::fprintf(stderr,
                 "flamelet: %s recorded nothing here: it has to call flamelet_init() with\n"
                 "config.ring_path_from_environment = true\n",
                 printable(program).c_str());
    return exit_code != 0 ? exit_code : int{kExitNothing};
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
  return exit_code;
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
      "Examples:\n"
      "  flamelet record ./game --level 3               saves game.flamelet\n"
      "  flamelet record -o crash.flamelet ./game\n"
      "  flamelet tree crash.flamelet                   where the time went");
  record.text("-o,--output", "FILE", &options->output, "The capture; by default PROGRAM.flamelet in this folder");
  record.positionals("PROGRAM", &options->program, "The program and its arguments");
  record.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
