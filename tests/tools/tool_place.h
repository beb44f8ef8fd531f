// SPDX-License-Identifier: MIT
//
// tool_place.h: a folder in which tests run the `flamelet` program on files.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "temporary_folder.h"
#include "tools/game_capture.h"

namespace flamelet::tests {

struct ToolResult {
  int exit_code;  // 128 + signal, as the shell says it
  std::string out;
  std::string err;
};

// The folder goes with the object.
class ToolPlace {
 public:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const { return exists(name) ? read_file(path(name)) : ""; }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
  std::string path(const std::string& name) const { return folder_.file(name); }

  // `arguments` as for the shell, with the folder as the current one.
  ToolResult run(const std::string& arguments, const std::string& after = "") const {
    return shell("COLUMNS=100 '" FLAMELET_TOOL "' " + arguments, after);
  }
  // The same, which succeeds; quiet() also says nothing on stderr.
  ToolResult good(const std::string& arguments, const std::string& after = "") const {
    const ToolResult result = run(arguments, after);
    CAPTURE(arguments);
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    return result;
  }
  ToolResult quiet(const std::string& arguments, const std::string& after = "") const {
    const ToolResult result = good(arguments, after);
    CHECK(result.err == "");
    return result;
  }
  // The exit code, and what it complained of: "2: flamelet: ...".
  std::string error(const std::string& arguments) const {
    const ToolResult result = run(arguments);
    return std::to_string(result.exit_code) + ": " + result.err;
  }
  ToolResult shell(const std::string& command, const std::string& after = "") const {
    const std::string line = "cd " + folder_.path() + " && " + command + " 2>err " + (after.empty() ? ">out" : after);
    const int status = std::system(line.c_str());
    REQUIRE(status != -1);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("out"), read("err")};
  }

 private:
  const TemporaryFolder folder_;
};

// A place to run the tool in, with a GameCapture as game.flamelet.
class GamePlace : public ToolPlace {
 public:
  GamePlace() { GameCapture().save(path("game.flamelet")); }
};

inline bool has(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}
inline bool begins_with(const std::string& text, const std::string& part) {
  return text.compare(0, part.size(), part) == 0;
}
inline size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace flamelet::tests
