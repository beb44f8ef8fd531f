# SPDX-License-Identifier: MIT
#
# cmake -D prefix=DIR -D library_dir=DIR -D work=DIR -D compiler=CC [-D static=--static] -P pkg_config.cmake
# Builds C programs, each with one call of the C compiler and what pkg-config says, and runs them.

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
set(ENV{PKG_CONFIG_PATH} ${prefix}/${library_dir}/pkgconfig)
find_program(PKG_CONFIG pkg-config REQUIRED)
function(build_and_run package program)
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${static} ${package}
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND ${flags})
  execute_process(COMMAND ${compiler} -std=c11 -pedantic -Wall -Wextra -Werror
      ${CMAKE_CURRENT_LIST_DIR}/${program} -o ${work}/${package} ${flags} -pthread -Wl,-rpath,${prefix}/${library_dir}
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${work}/${package} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
build_and_run(flamelet program.c)
build_and_run(flamelet_events ship_events/ship_events.c)
