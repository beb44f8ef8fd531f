// SPDX-License-Identifier: MIT
//
// files.h: files in and out. Failures are a CommandError that names the file and the reason.
#ifndef FLAMELET_TOOLS_FILES_H
#define FLAMELET_TOOLS_FILES_H

#include <functional>
#include <string>
#include <string_view>

namespace flamelet::tools {

// Hands out a file in pieces; "-" is the standard input. Shows its progress on a terminal if it takes long.
void read_file(const std::string& path, const std::function<void(std::string_view piece)>& take);

// Writes to a temporary file beside it, and renames that: whoever looks at `path` finds the old content or the new. A
// link is replaced, not followed.
void write_file(const std::string& path, std::string_view content);

// To the standard output; complains when it is full or closed.
void print(std::string_view text);

// Of the terminal, or of COLUMNS; 100 where there is neither.
size_t terminal_columns();

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_FILES_H
