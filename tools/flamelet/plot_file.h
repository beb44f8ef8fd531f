// SPDX-License-Identifier: MIT
//
// plot_file.h: pictures in files, as SVG or PNG by their names.
#ifndef FLAMELET_TOOLS_PLOT_FILE_H
#define FLAMELET_TOOLS_PLOT_FILE_H

#include <string>

namespace flamelet::tools {

bool is_plot_file(const std::string& path);

// For the command line: what is wrong with the name, "" if nothing is. A .png needs librsvg.
std::string check_plot_file(const std::string& path);

// Writes the picture and says so. A CommandError if that fails.
void put_plot_file(const std::string& path, const std::string& svg);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_PLOT_FILE_H
