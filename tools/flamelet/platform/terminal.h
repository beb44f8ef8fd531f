// SPDX-License-Identifier: MIT
//
// terminal.h: what the standard streams lead to, and the command line as UTF-8.
#ifndef FLAMELET_TOOLS_PLATFORM_TERMINAL_H
#define FLAMELET_TOOLS_PLATFORM_TERMINAL_H

#include <cstddef>
#include <string>
#include <vector>

namespace flamelet::tools {

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

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_PLATFORM_TERMINAL_H
