# SPDX-License-Identifier: MIT
#
# cmake -D source=DIR -D work=DIR -D bash=BASH -D options=LIST -P five_minutes.cmake
# Takes the game of somebody who has never heard of Flamelet, does what the first page of docs/integrate.md says, with
# the changes that stand there, and runs the game. Fails if there are more than ten changed lines.

include(${source}/tests/docs/apply_diff.cmake)
set(game ${work}/game)
file(REMOVE_RECURSE ${work})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/game/ DESTINATION ${game})

file(READ ${source}/docs/integrate.md page)
string(FIND "${page}" "tools/amalgamate game/flamelet" found)
if(found EQUAL -1)
  message(FATAL_ERROR "docs/integrate.md does not say how the files are made.")
endif()
execute_process(COMMAND ${bash} ${source}/tools/amalgamate ${game}/flamelet COMMAND_ERROR_IS_FATAL ANY)
apply_diffs(${source}/docs/integrate.md ${game} changed)
message(STATUS "${changed} lines changed")
if(changed GREATER 10)
  message(FATAL_ERROR "docs/integrate.md promises ten lines, and changes ${changed}.")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -S ${game} -B ${work}/build -G Ninja -DCMAKE_BUILD_TYPE=Debug
  -DCMAKE_PROJECT_rocks_INCLUDE=${CMAKE_CURRENT_LIST_DIR}/watch.cmake ${options} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ./rocks WORKING_DIRECTORY ${work}/build COMMAND_ERROR_IS_FATAL ANY)
