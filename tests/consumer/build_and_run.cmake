# SPDX-License-Identifier: MIT
#
# cmake -D source=DIR -D work=DIR [-D options=LIST] [-D emulator=LIST] -P build_and_run.cmake
# Configures and builds a user's project from nothing and runs its program `consumer` (with the emulator). Where the
# project has a folder `downstream`, the project is installed, and the one in that folder is built against it and run; one in a
# folder `build_tree` is built against what the project's build exports.

file(REMOVE_RECURSE ${work})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${work} -G Ninja -DCMAKE_BUILD_TYPE=Debug ${options}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB program ${work}/consumer ${work}/consumer.exe)
execute_process(COMMAND ${emulator} ${program} COMMAND_ERROR_IS_FATAL ANY)
if(EXISTS ${source}/downstream)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${work} --prefix ${work}/prefix COMMAND_ERROR_IS_FATAL ANY
    OUTPUT_QUIET)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${source}/downstream -B ${work}/downstream -G Ninja
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH=${work}/prefix ${options} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/downstream COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${work}/downstream/consumer COMMAND_ERROR_IS_FATAL ANY)
endif()
if(EXISTS ${source}/build_tree)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${source}/build_tree -B ${work}/build_tree -G Ninja
    -DCMAKE_BUILD_TYPE=Debug -DENGINE_BUILD_DIR=${work} ${options} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build_tree COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${work}/build_tree/consumer COMMAND_ERROR_IS_FATAL ANY)
endif()
