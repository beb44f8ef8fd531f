// SPDX-License-Identifier: MIT
#ifndef FLAMELET_TOOLS_HTML_PAGE_TEXT_H
#define FLAMELET_TOOLS_HTML_PAGE_TEXT_H

#include <string_view>

namespace flamelet::tools {

// The page without a capture; empty if this program was built without it (tools/CMakeLists.txt).
std::string_view html_page();

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_HTML_PAGE_TEXT_H
