# SPDX-License-Identifier: MIT
#
# cmake -D source=DIR -D work=DIR -D meson=MESON -P meson.cmake
# Builds a game with Meson, with Flamelet as its subproject by the wrap of packaging/, and runs it.

include(${source}/tests/amalgamation/users_sources.cmake)
file(REMOVE_RECURSE ${work})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/meson.build DESTINATION ${work})
write_users_sources(${source} ${work})
file(RENAME ${work}/quick_start.cpp ${work}/main.cpp)
file(COPY ${source}/packaging/flamelet.wrap DESTINATION ${work}/subprojects)
file(CREATE_LINK ${source} ${work}/subprojects/flamelet SYMBOLIC)
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${work} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(${meson} setup build)
run(${meson} compile -C build)
run(build/program)
run(build/consumer)
