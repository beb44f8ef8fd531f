# SPDX-License-Identifier: MIT
#
# cmake -D source=DIR -D work=DIR -D compiler=CXX -P no_cmake.cmake
# Builds a program with one call of the compiler, by the row "the source, no CMake" of docs/integrate.md, and runs it.

file(STRINGS ${source}/docs/integrate.md row REGEX "^\\| the source, no CMake \\|")
string(REGEX MATCHALL "`profiler/[^`]*\\.cpp`" patterns "${row}")
string(REGEX MATCHALL "-(std|pthread|I)[^ `]*" flags "${row}")
string(REGEX MATCH "without `([^`]*)`" ignored "${row}")
set(without "${CMAKE_MATCH_1}")
if(NOT patterns OR NOT flags OR NOT without)
  message(FATAL_ERROR "docs/integrate.md does not say how to build without CMake")
endif()
set(sources)
foreach(pattern IN LISTS patterns)
  string(REPLACE "`" "" pattern "${pattern}")
  file(GLOB found ${source}/${pattern})
  if(NOT found)
    message(FATAL_ERROR "docs/integrate.md: no file is ${pattern}")
  endif()
  list(APPEND sources ${found})
endforeach()
list(FILTER sources EXCLUDE REGEX "/${without}$")

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
execute_process(COMMAND ${compiler} ${flags} -O0 ${sources} -x c++ ${CMAKE_CURRENT_LIST_DIR}/program.c -o ${work}/program
  WORKING_DIRECTORY ${source} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/program COMMAND_ERROR_IS_FATAL ANY)
