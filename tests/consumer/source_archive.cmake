# SPDX-License-Identifier: MIT
#
# cmake -D source=DIR -D work=DIR -D cxx=COMPILER -D options=LIST -P source_archive.cmake
# A source archive brings the page of `flamelet convert`, and the command that is built of it has this page.

file(REMOVE_RECURSE ${work})
file(WRITE ${work}/page.html "<!doctype html>\n<p>A page; with \\ and \"quotes\" [of] its own.</p>\n")
execute_process(COMMAND ${source}/tools/source_archive ${work}/sources.tar.gz ${work}/page.html COMMAND_ERROR_IS_FATAL ANY)
file(ARCHIVE_EXTRACT INPUT ${work}/sources.tar.gz DESTINATION ${work})
file(GLOB unpacked ${work}/flamelet-*)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${work}/page.html ${unpacked}/web/view.html
  COMMAND_ERROR_IS_FATAL ANY)

# The archive is that of the last commit. What was changed since then counts, too.
foreach(part IN ITEMS CMakeLists.txt cmake tools web)
  file(COPY ${source}/${part} DESTINATION ${unpacked} PATTERN web/view.html EXCLUDE)
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${unpacked} -B ${work}/build -G Ninja ${options} -DFLAMELET_BUILD_TESTS=OFF
  -DFLAMELET_BUILD_BENCH=OFF -DFLAMELET_BUILD_DEMO=OFF -DFLAMELET_BUILD_VIEWER=OFF OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build --target flamelet_page_text
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${work}/print_page.cpp "#include <iostream>\n#include <string_view>\n
namespace flamelet::tools {\nstd::string_view html_page();\n}\n
int main() {\n  std::cout << flamelet::tools::html_page();\n}\n")
execute_process(COMMAND ${cxx} -std=c++17 ${work}/print_page.cpp ${work}/build/tools/libflamelet_page_text.a
  -o ${work}/print_page COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/print_page OUTPUT_FILE ${work}/printed.html COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${work}/page.html ${work}/printed.html COMMAND_ERROR_IS_FATAL ANY)
