// SPDX-License-Identifier: MIT
#include "platform/system.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "platform/file.h"
#include "platform/posix/file_calls.h"

namespace flamelet::tools {

// ---- terminal

namespace {

int number_of(Stream stream) {
  return stream == Stream::kOutput ? STDOUT_FILENO : STDERR_FILENO;
}

}  // namespace

bool is_terminal(Stream stream) {
  return isatty(number_of(stream)) == 1;
}

TerminalSize terminal_size(Stream stream) {
  winsize size = {};
  if (ioctl(number_of(stream), TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_col, size.ws_row};
}

void prepare_terminal() {}

std::vector<std::string> utf8_arguments(int count, char** arguments) {
  return {arguments, arguments + count};
}

// ---- unfinished file

namespace {

char unfinished[4096];
volatile sig_atomic_t is_unfinished = 0;

void remove_unfinished(int signal) {
  if (is_unfinished != 0) unlink(unfinished);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

void set_unfinished(const char* path) {
  is_unfinished = 0;
  if (*path == 0 || strlen(path) >= sizeof unfinished) return;
  strcpy(unfinished, path);
  is_unfinished = 1;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before = {};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) ::signal(signal, remove_unfinished);
  }
}

// ---- child process

namespace {

volatile sig_atomic_t child = 0;
volatile sig_atomic_t times_asked_to_end = 0, times_asked_at_last = 0;
char last_words[4096];
constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT};

// What the terminal sends, it sends to the program, too.
void forward(int signal, siginfo_t* info, void*) {
  const int before = errno;
  if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) {
    times_asked_to_end = times_asked_to_end + 1;
    if (last_words[0] != 0 && (times_asked_at_last = times_asked_at_last + 1) == 2 &&
        write(STDERR_FILENO, last_words, strlen(last_words)) != 0)
      remove_unfinished(signal);
  }
  if (info->si_code <= 0 && child != 0) kill(child, signal);
  errno = before;
}

// In the new process. Returns only if the program cannot be run.
void become(const std::vector<std::string>& arguments, const Variables& variables) {
  std::vector<char*> texts;
  for (const std::string& argument : arguments) texts.push_back(const_cast<char*>(argument.c_str()));
  texts.push_back(nullptr);
  for (const auto& [name, value] : variables)
    if (setenv(name.c_str(), value.c_str(), 1) != 0) return;
  execvp(texts[0], texts.data());
}

// 0, or what the new process said of why it could not start; the pipe is closed by its start.
int read_failure(int pipe_end) {
  int why = 0;
  const ssize_t told = retried([&] { return read(pipe_end, &why, sizeof why); });
  return told == sizeof why ? why : 0;
}

// Its exit code, or as the shell says that a signal ended it.
ProgramEnd end_of(int status) {
  if (!WIFSIGNALED(status)) return {WEXITSTATUS(status), ""};
  const int signal = WTERMSIG(status);
  return {128 + signal, "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")"};
}

}  // namespace

void set_last_words(const std::string& words) {
  words.copy(last_words + 1, sizeof last_words - 2, 1);
  last_words[0] = words[0];
}

std::optional<std::string> library_of_command(const std::string& name) {
  char program[4096];
  const ssize_t size = readlink("/proc/self/exe", program, sizeof program);
  if (size <= 0 || size == sizeof program) return std::nullopt;
  const std::string path(program, static_cast<size_t>(size));
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  for (const char* place : {"", "preload/", "../" FLAMELET_LIBRARY_FOLDER "/flamelet/"}) {
    const std::string library = folder + place + name;
    if (access(library.c_str(), R_OK) == 0) return library;
  }
  return "";
}

std::optional<ProgramEnd> run_to_its_end(const std::vector<std::string>& arguments, const Variables& variables) {
  int failure[2];
  if (pipe(failure) != 0) return std::nullopt;
  for (int end : failure) fcntl(end, F_SETFD, FD_CLOEXEC);

  sigset_t forwarded, before;
  sigemptyset(&forwarded);
  for (int signal : kForwarded) sigaddset(&forwarded, signal);
  sigprocmask(SIG_BLOCK, &forwarded, &before);
  const pid_t pid = fork();
  if (pid == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    become(arguments, variables);
    const int why = errno;
    _exit(write(failure[1], &why, sizeof why) < 0 ? 126 : 127);
  }
  signal(SIGPIPE, SIG_IGN);  // the recording is saved though nobody reads the messages
  int why = pid < 0 ? errno : 0;
  if (why == 0) {
    child = pid;
    struct sigaction action = {};
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (int signal : kForwarded) sigaction(signal, &action, nullptr);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);

  close(failure[1]);
  if (why == 0) why = read_failure(failure[0]);
  close(failure[0]);
  int status = 0;
  if (pid > 0) retried([&] { return waitpid(pid, &status, 0); });
  child = 0;
  errno = why;
  if (why != 0) return std::nullopt;
  return end_of(status);
}

namespace {

// What a process has in its memory tells it from a later one with its number; one that is dead has nothing there.
bool has_in_memory(const std::string& process, const std::vector<std::string>& names) {
  std::ifstream maps("/proc/" + process + "/maps");
  for (std::string line; std::getline(maps, line);)
    for (const std::string& name : names)
      if (line.find(name) != std::string::npos) return true;
  return false;
}

// "": there is none, or the system does not tell.
std::string process_with(const std::vector<std::string>& names) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string process = entry.path().filename();
    if (process[0] >= '0' && process[0] <= '9' && has_in_memory(process, names)) return process;
  }
  return "";
}

}  // namespace

std::string wait_for_processes_with(const std::vector<std::string>& names,
                                    const std::function<void(const std::string& process)>& tell) {
  const auto is_over = [] { return times_asked_to_end >= 2; };
  std::string process;
  while (!(process = process_with(names)).empty() && !is_over()) {
    tell(process);
    child = static_cast<sig_atomic_t>(std::stol(process));
    while (!is_over() && has_in_memory(process, names)) usleep(50'000);
    child = 0;
  }
  return process;
}

namespace {

// As execvp() does. Empty: it is not there.
std::string find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* const path = getenv("PATH");
  std::string rest = path == nullptr ? "/bin:/usr/bin" : path;
  for (rest += ':'; !rest.empty(); rest.erase(0, rest.find(':') + 1)) {
    const std::string folder = rest.substr(0, rest.find(':'));
    const std::string found = (folder.empty() ? "." : folder) + "/" + program;
    if (access(found.c_str(), X_OK) == 0) return found;
  }
  return "";
}

template <class Number>
Number number_at(const std::string& bytes, size_t at) {
  Number number = 0;
  if (at <= bytes.size() && bytes.size() - at >= sizeof number) memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

}  // namespace

// ELF: a program that is loaded with its libraries has a segment that names the loader.
bool is_static_program(const std::string& program) {
  constexpr size_t kHead = 4096;  // the table of segments follows the header
  constexpr uint32_t kLoader = 3;
  File file;
  std::string head(kHead, 0);
  if (!file.open(find_program(program).c_str(), FileUse::kRead)) return false;
  const int64_t size = file.read_at(0, head.data(), head.size());
  head.resize(size < 0 ? 0 : static_cast<size_t>(size));
  if (head.compare(0, 4, "\177ELF") != 0 || head.size() < 64) return false;
  const bool is_64 = head[4] == 2;
  const uint64_t table = is_64 ? number_at<uint64_t>(head, 32) : number_at<uint32_t>(head, 28);
  const size_t entry_bytes = number_at<uint16_t>(head, is_64 ? 54 : 42);
  const size_t count = number_at<uint16_t>(head, is_64 ? 56 : 44);
  if (table > kHead || count * entry_bytes > kHead - table || entry_bytes < 4) return false;
  for (size_t i = 0; i < count; ++i)
    if (number_at<uint32_t>(head, static_cast<size_t>(table) + i * entry_bytes) == kLoader) return false;
  return count != 0;
}

bool has_rights_of_file(const std::string& program) {
  struct stat status;
  return stat(find_program(program).c_str(), &status) == 0 &&
         (((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid()) ||
          ((status.st_mode & S_ISGID) != 0 && status.st_gid != getgid()));
}

std::string make_private_folder_in(const std::string& place, const std::string& name) {
  std::string path = place + "/" + name + "-XXXXXX";
  return mkdtemp(path.data()) != nullptr ? path : "";
}

std::string make_private_folder(const std::string& name) {
  const char* const places[] = {getenv("XDG_RUNTIME_DIR"), "/dev/shm", getenv("TMPDIR"), "/tmp"};
  for (const char* place : places) {
    if (place == nullptr || place[0] == 0) continue;
    const std::string path = make_private_folder_in(place, name);
    if (!path.empty()) return path;
  }
  return "";
}

}  // namespace flamelet::tools
