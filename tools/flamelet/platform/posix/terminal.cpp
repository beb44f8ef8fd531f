// SPDX-License-Identifier: MIT
#include "platform/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace flamelet::tools {
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

}  // namespace flamelet::tools
