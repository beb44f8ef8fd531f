// SPDX-License-Identifier: MIT
#include "plot_file.h"

#include "command.h"
#include "display_text.h"
#include "files.h"
#include "png.h"

namespace flamelet::tools {

bool is_plot_file(const std::string& path) {
  return ends_with(path, ".svg") || ends_with(path, ".png");
}

std::string check_plot_file(const std::string& path) {
  if (!ends_with(path, ".png") || can_draw_png()) return "";
  return "this flamelet was built without librsvg, which draws PNG: use a name with .svg";
}

void put_plot_file(const std::string& path, const std::string& svg) {
  if (ends_with(path, ".png")) {
    std::string png, problem;
    if (!svg_to_png(svg, &png, &problem)) throw CommandError(kExitOutput, "cannot draw the PNG: " + problem);
    write_file(path, png);
  } else {
    write_file(path, svg);
  }
  print("wrote " + printable(path) + "\n");
}

}  // namespace flamelet::tools
