# SPDX-License-Identifier: MIT
#
# write_users_sources(<repository> <folder>): into the folder, what a user of the two files has: program.c, quick_start.cpp (of
# the README) and watch.cpp, which looks at it, with the one header in the place of Flamelet's.
function(write_users_source folder file text)
  string(REGEX REPLACE "#include <flamelet/[a-z_]+\\.h>" "#include \"flamelet.h\"" text "${text}")
  string(REPLACE "int main() {" "#include \"flamelet_overlay.h\"\nint main() {" text "${text}")
  file(CONFIGURE OUTPUT ${folder}/${file} CONTENT "${text}" @ONLY)
endfunction()

function(write_users_sources source folder)
  file(READ ${source}/tests/consumer/program.c program)
  write_users_source(${folder} program.c "${program}")
  file(READ ${source}/tests/consumer/quick_start/watch.cpp watch)
  write_users_source(${folder} watch.cpp "${watch}")
  file(READ ${source}/README.md readme)
  if(NOT readme MATCHES "```cpp\n([^`]*int main[^`]*)```")
    message(FATAL_ERROR "README.md has no program.")
  endif()
  write_users_source(${folder} quick_start.cpp "${CMAKE_MATCH_1}")
endfunction()
