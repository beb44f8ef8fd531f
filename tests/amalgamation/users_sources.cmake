# SPDX-License-Identifier: MIT
#
# write_users_sources(<repository> <folder>): into the folder, what a user of the two files has: program.c, quick_start.cpp (of
# the README) and watch.cpp, which looks at it, with the one header in the place of Flamelet's; and the files of
# docs/sdl2-opengl.md with watch_sdl.c.
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

  file(READ ${source}/docs/sdl2-opengl.md page)
  foreach(file IN ITEMS profiler.h profiler.cpp game.c)
    string(REGEX REPLACE ".*\\." "" language ${file})
    string(REPLACE "h" "c" language ${language})
    if(NOT page MATCHES "`${file}` [^`]*(`[^`]+`[^`]+)*```${language}\n([^`]*)```")
      message(FATAL_ERROR "docs/sdl2-opengl.md has no ${file}.")
    endif()
    file(CONFIGURE OUTPUT ${folder}/${file} CONTENT "${CMAKE_MATCH_2}" @ONLY)
  endforeach()
  file(COPY ${source}/tests/amalgamation/watch_sdl.c DESTINATION ${folder})
endfunction()
