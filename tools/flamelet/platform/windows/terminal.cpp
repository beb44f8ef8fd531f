// SPDX-License-Identifier: MIT
#include "platform/terminal.h"

#include "wide_text.h"

#include <shellapi.h>

namespace flamelet::tools {
namespace {

HANDLE handle_of(Stream stream) {
  return GetStdHandle(stream == Stream::kOutput ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
}

}  // namespace

bool is_terminal(Stream stream) {
  DWORD mode;
  return GetConsoleMode(handle_of(stream), &mode) != 0;
}

TerminalSize terminal_size(Stream stream) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (GetConsoleScreenBufferInfo(handle_of(stream), &info) == 0) return {};
  const SMALL_RECT& window = info.srWindow;
  return {static_cast<size_t>(window.Right - window.Left + 1), static_cast<size_t>(window.Bottom - window.Top + 1)};
}

void prepare_terminal() {
  SetConsoleOutputCP(CP_UTF8);
  for (const Stream stream : {Stream::kOutput, Stream::kError}) {
    DWORD mode;
    if (GetConsoleMode(handle_of(stream), &mode) != 0)
      SetConsoleMode(handle_of(stream), mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

// What main() gets has lost what the code page cannot say.
std::vector<std::string> utf8_arguments(int count, char** arguments) {
  int wide_count = 0;
  wchar_t** const wide = CommandLineToArgvW(GetCommandLineW(), &wide_count);
  if (wide == nullptr) return {arguments, arguments + count};
  std::vector<std::string> texts;
  for (int i = 0; i < wide_count; ++i) texts.push_back(to_utf8(wide[i]));
  LocalFree(wide);
  return texts;
}

}  // namespace flamelet::tools
