# SPDX-License-Identifier: MIT
#
# cmake -D source=DIR -D work=DIR -D prefix=DIR -D options=LIST -P situations.cmake
# Builds the programs of the pages against the installed Flamelet, runs them, and counts what their captures have.

file(REMOVE_RECURSE ${work})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/ DESTINATION ${work})
set(build ${work}/build)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${work} -B ${build} -G Ninja -DCMAKE_BUILD_TYPE=Debug
  -DCMAKE_PREFIX_PATH=${prefix} -DDOCS=${source}/docs ${options} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} COMMAND_ERROR_IS_FATAL ANY)
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${build} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(./jobs)
run(./check_capture jobs.flamelet "level job/load level=1" "level job/load a part=3")

run(./game)
run(./check_capture plugins.flamelet frame=100 update_weather=100 script=100)

file(MAKE_DIRECTORY ${build}/hitches)
# A busy machine may slow a frame shortly before frame 100, which then falls into the dead time.
foreach(attempt RANGE 1 10)
  run(./server hitches)
  file(GLOB hitch ${build}/hitches/*-frame100-*.flamelet)
  if(hitch)
    break()
  endif()
endforeach()
if(NOT hitch)
  message(FATAL_ERROR "docs/no-overlay.md: the frame over its budgets was not kept")
endif()
list(GET hitch 0 hitch)
run(./check_capture ${hitch} @40 @100 @108)  # with 60 frames before and 8 after it

# Two files: the shell block of the page, in a folder with the sources and the program of the page.
file(READ ${source}/docs/two-files.md page)
if(NOT page MATCHES "```c\n([^`]*)```.*```sh\n([^`]*)```")
  message(FATAL_ERROR "docs/two-files.md has no program, or no commands.")
endif()
file(CONFIGURE OUTPUT ${work}/two_files/game.c CONTENT "${CMAKE_MATCH_1}" @ONLY)
file(CONFIGURE OUTPUT ${work}/two_files/commands CONTENT "${CMAKE_MATCH_2}" @ONLY)
file(CREATE_LINK ${source} ${work}/two_files/flamelet SYMBOLIC)
execute_process(COMMAND sh -e commands WORKING_DIRECTORY ${work}/two_files COMMAND_ERROR_IS_FATAL ANY)
run(./check_capture ${work}/two_files/game.flamelet physics=100)
