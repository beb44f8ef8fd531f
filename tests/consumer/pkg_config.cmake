# SPDX-License-Identifier: MIT
#
# cmake -D prefix=DIR -D library_dir=DIR -D work=DIR -D compiler=CC [-D static=--static] -P pkg_config.cmake
# Builds the C program with one call of the C compiler and what pkg-config says, and runs it.

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
set(ENV{PKG_CONFIG_PATH} ${prefix}/${library_dir}/pkgconfig)
find_program(PKG_CONFIG pkg-config REQUIRED)
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${static} flamelet
  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND ${flags})
execute_process(COMMAND ${compiler} -std=c11 -pedantic -Wall -Wextra -Werror
    ${CMAKE_CURRENT_LIST_DIR}/program.c -o ${work}/consumer ${flags} -Wl,-rpath,${prefix}/${library_dir}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/consumer COMMAND_ERROR_IS_FATAL ANY)
