// SPDX-License-Identifier: MIT
//
// system.h: what the command asks of a system: what the standard streams lead to, the command line as UTF-8, a program that is
// run to its end, and a folder for what that leaves.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace flamelet::tools {

// Terminal.

enum class Stream { kOutput, kError };

bool is_terminal(Stream stream);

struct TerminalSize {
  size_t columns, rows;  // 0: it is no terminal, or does not say
};
TerminalSize terminal_size(Stream stream);

// Before anything is printed: the terminal takes UTF-8 and the escape sequences that clear a line.
void prepare_terminal();

// The arguments of main(), the program's name first.
std::vector<std::string> utf8_arguments(int count, char** arguments);

// A file that is removed if a signal ends this process, such as Ctrl+C; "": none. On POSIX systems.
void set_unfinished(const char* path);

// Behind run_to_its_end(): the second signal from now on that would have ended the program ends this process, which says
// these words. On POSIX systems.
void set_last_words(const std::string& words);

// Child process.

struct ProgramEnd {
  int exit_code;
  std::string killed_by;  // "signal 11 (Segmentation fault)"; empty: it ended by itself
};

// Names and values, for the environment.
using Variables = std::vector<std::pair<std::string, std::string>>;

// Runs arguments[0], found as a shell finds it, with more variables in its environment. Until it ends, what would end
// this process is passed on to it, or reaches it from the terminal, and this process goes on. Once a process. Nothing: it
// could not be started; errno says why.
std::optional<ProgramEnd> run_to_its_end(const std::vector<std::string>& arguments, const Variables& variables);

// Behind that: waits until no process has a file in its memory whose path holds one of these names, and tells of each for
// which it waits. What would end this process is passed on to it; the second time it ends the waiting, which returns that
// process's number. "": there is none, or the system does not tell (all but Linux).
std::string wait_for_processes_with(const std::vector<std::string>& names,
                                    const std::function<void(const std::string& process)>& tell);

// The path of a library that is installed with this program; "": there is none here. Nothing: the system does not tell where
// this program lies; errno says why.
std::optional<std::string> library_of_command(const std::string& name);

// Whether a program that is found as a shell finds it is linked without its libraries, so that nothing can be preloaded.
// False: also where that is not known.
bool is_static_program(const std::string& program);

// Whether it runs with the rights of its file's owner or group, which are not this user's (set-user-id).
bool has_rights_of_file(const std::string& program);

// A new folder that only this user can enter, in memory where the system has a place for that. Empty: errno says why.
std::string make_private_folder(const std::string& name);
// The same in a folder.
std::string make_private_folder_in(const std::string& place, const std::string& name);

}  // namespace flamelet::tools
