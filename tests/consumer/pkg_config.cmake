# SPDX-License-Identifier: MIT
#
# cmake -D prefix=DIR -D library_dir=DIR -D work=DIR -D compiler=CC [-D static=--static] [-D traces=ON] -P pkg_config.cmake
# Builds C programs, each with one call of the C compiler and what pkg-config says, and runs them; with traces one that
# exports and imports.

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
set(ENV{PKG_CONFIG_PATH} ${prefix}/${library_dir}/pkgconfig)
find_program(PKG_CONFIG pkg-config REQUIRED)
# build_and_run(<program> <package>...): run with the name of a file that it may write.
function(build_and_run program)
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${static} ${ARGN}
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND ${flags})
  execute_process(COMMAND ${compiler} -std=c11 -pedantic -Wall -Wextra -Werror
      ${CMAKE_CURRENT_LIST_DIR}/${program} -o ${work}/program ${flags} -pthread -Wl,-rpath,${prefix}/${library_dir}
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${work}/program ${work}/trace.json COMMAND_ERROR_IS_FATAL ANY)
endfunction()
build_and_run(program.c flamelet)
build_and_run(ship_events/ship_events.c flamelet_events)
if(traces)
  build_and_run(traces.c flamelet_export flamelet_import)
endif()
