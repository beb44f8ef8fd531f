// SPDX-License-Identifier: MIT
#include "platform/child_process.h"

#include <cerrno>
#include <cstdio>

#include "wide_text.h"

namespace flamelet::tools {
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

std::string library_of_command(const std::string&) {
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

// The temporary folder of a user is this user's.
std::string make_private_folder(const std::string& name) {
  wchar_t place[MAX_PATH + 1];
  const DWORD size = GetTempPathW(MAX_PATH + 1, place);  // with a backslash at its end
  for (unsigned i = 0; size != 0 && i < 100; ++i) {
    const std::string path =
        to_utf8({place, size}) + name + "-" + std::to_string(GetCurrentProcessId()) + "-" + std::to_string(i);
    if (CreateDirectoryW(to_wide(path).c_str(), nullptr) != 0) return path;
    if (GetLastError() != ERROR_ALREADY_EXISTS) break;
  }
  set_errno();
  return "";
}

}  // namespace flamelet::tools
