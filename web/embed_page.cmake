# SPDX-License-Identifier: MIT
#
# cmake -D page=view.html -D source=html_page_text.cpp -P embed_page.cmake
# The page as a string of the command's. Without a page: an empty one.
cmake_minimum_required(VERSION 3.22)
set(pieces "")
if(page)
  file(READ ${page} text)
  string(LENGTH "${text}" length)
  set(piece_size 16000) # some compilers take no longer literals
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} ${piece_size} piece)
    string(APPEND pieces "\n    R\"piece(${piece})piece\"")
    math(EXPR at "${at} + ${piece_size}")
  endwhile()
else()
  set(pieces " \"\"")
endif()
file(WRITE ${source} "// Made by web/embed_page.cmake.
#include <string_view>

namespace flamelet::tools {

std::string_view html_page();  // of html_page.h

std::string_view html_page() {
  static constexpr char kPage[] =${pieces};
  return std::string_view(kPage, sizeof kPage - 1);
}

}  // namespace flamelet::tools
")
