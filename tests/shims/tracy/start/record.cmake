# SPDX-License-Identifier: MIT
#
# cmake -D TOOL=flamelet -D PROGRAM=program -D WORK=DIR -P record.cmake
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${TOOL} record -o ${WORK}/game.flamelet -- ${PROGRAM} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${TOOL} stats ${WORK}/game.flamelet --json OUTPUT_VARIABLE stats COMMAND_ERROR_IS_FATAL ANY)
foreach(zone IN ITEMS "static initializer" "physics: gather" "c named" "asset 3")
  if(NOT stats MATCHES "\"${zone}\"")
    message(FATAL_ERROR "the capture has no zone '${zone}':\n${stats}")
  endif()
endforeach()
