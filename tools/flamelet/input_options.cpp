// SPDX-License-Identifier: MIT
//
// Apart from capture_input.cpp, which is also in programs without a command line.
#include "capture_input.h"

namespace flamelet::tools {

void add_input_options(Command* command, InputOptions* options, const std::string& help) {
  command->positional("FILE", &options->file, help);
  command->flag("--strict", &options->strict, "Exit with 3 if the file is damaged");
  add_frames_of_option(command, &options->frames_of);
}

void add_frames_of_option(Command* command, std::string* frames_of) {
  command->text(
      "--frames-of", "NAME", frames_of,
      "Take the calls of a scope, or the intervals, marks or instants of this name, for frames; also \"LANE: NAME\"");
}

}  // namespace flamelet::tools
