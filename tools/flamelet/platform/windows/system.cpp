// SPDX-License-Identifier: MIT
#include "platform/system.h"

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "platform/windows/windows.h"

#include <shellapi.h>

namespace flamelet::tools {

// ---- wide text: what Windows takes. What is no text becomes U+FFFD

static std::wstring to_wide(std::string_view text) {
  const int bytes = static_cast<int>(text.size());
  std::wstring wide(static_cast<size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, nullptr, 0)), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, wide.data(), static_cast<int>(wide.size()));
  return wide;
}

static std::string to_utf8(std::wstring_view wide) {
  const int units = static_cast<int>(wide.size());
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<size_t>(bytes), '\0');
  WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, text.data(), bytes, nullptr, nullptr);
  return text;
}

// ---- terminal

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

void set_unfinished(const char*) {}
void set_last_words(const std::string&) {}

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

// ---- child process

namespace {

// As CommandLineToArgvW() takes it apart: backslashes count only in front of a quote.
void append_argument(const std::wstring& argument, std::wstring* line) {
  if (!line->empty()) *line += L' ';
  if (!argument.empty() && argument.find_first_of(L" \t\n\v\"") == std::wstring::npos) {
    *line += argument;
    return;
  }
  *line += L'"';
  size_t backslashes = 0;
  for (const wchar_t letter : argument) {
    if (letter == L'"') line->append(backslashes + 1, L'\\');
    backslashes = letter == L'\\' ? backslashes + 1 : 0;
    *line += letter;
  }
  line->append(backslashes, L'\\');
  *line += L'"';
}

// The console tells the program, too. When the console or the session closes, the system ends this process as soon as
// this returns: the main thread has until the system's patience ends.
BOOL WINAPI outlive(DWORD event) {
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) Sleep(INFINITE);
  return TRUE;
}

// A code of the severity "error" comes from the system, by the numbers of NTSTATUS.
ProgramEnd end_of(DWORD code) {
  ProgramEnd end = {static_cast<int>(code), ""};
  if (code >> 30 != 3) return end;
  char text[40];
  std::snprintf(text, sizeof text, "exception 0x%08lX", code);
  end.killed_by = code == STATUS_CONTROL_C_EXIT ? "Ctrl+C" : text;
  return end;
}

}  // namespace

std::optional<std::string> library_of_command(const std::string&) {
  return "";
}

std::optional<ProgramEnd> run_to_its_end(const std::vector<std::string>& arguments, const Variables& variables) {
  std::wstring line;
  for (const std::string& argument : arguments) append_argument(to_wide(argument), &line);
  STARTUPINFOW startup = {};
  startup.cb = sizeof startup;
  PROCESS_INFORMATION process = {};
  SetConsoleCtrlHandler(outlive, TRUE);
  bool set = true;
  for (const auto& [name, value] : variables)
    set = set && SetEnvironmentVariableW(to_wide(name).c_str(), to_wide(value).c_str()) != 0;
  if (!set ||
      CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &startup, &process) == 0) {
    set_errno();
    return std::nullopt;
  }
  CloseHandle(process.hThread);
  WaitForSingleObject(process.hProcess, INFINITE);
  DWORD code = 0;
  GetExitCodeProcess(process.hProcess, &code);
  CloseHandle(process.hProcess);
  return end_of(code);
}

std::string wait_for_processes_with(const std::vector<std::string>&,
                                    const std::function<void(const std::string& process)>&) {
  return "";
}

bool is_static_program(const std::string&) {
  return false;
}
bool has_rights_of_file(const std::string&) {
  return false;
}

// The temporary folder of a user is this user's.
std::string make_private_folder(const std::string& name) {
  wchar_t place[MAX_PATH + 1];
  const DWORD size = GetTempPathW(MAX_PATH + 1, place);  // with a backslash at its end
  if (size != 0) return make_private_folder_in(to_utf8({place, size}), name);
  set_errno();
  return "";
}

std::string make_private_folder_in(const std::string& place, const std::string& name) {
  for (unsigned i = 0; i < 100; ++i) {
    const std::string path = place + "/" + name + "-" + std::to_string(GetCurrentProcessId()) + "-" + std::to_string(i);
    if (CreateDirectoryW(to_wide(path).c_str(), nullptr) != 0) return path;
    if (GetLastError() != ERROR_ALREADY_EXISTS) break;
  }
  set_errno();
  return "";
}

}  // namespace flamelet::tools
