# SPDX-License-Identifier: MIT
#
# cmake -D source=DIR -D work=DIR [-D options=LIST] -P build_and_run.cmake
# Configures and builds a user's project from nothing and runs its program `consumer`.

file(REMOVE_RECURSE ${work})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${work} -G Ninja -DCMAKE_BUILD_TYPE=Debug ${options}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/consumer COMMAND_ERROR_IS_FATAL ANY)
