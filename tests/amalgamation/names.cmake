# SPDX-License-Identifier: MIT
#
# cmake -D bash=BASH -D source=DIR -D work=DIR -D cxx=COMPILER -D flags=FLAGS -P names.cmake
# Lets the compiler read the two sources that tools/amalgamate makes, with the warnings that users may have.
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
string(REPLACE "-I" "-isystem;" flags "${flags}")
file(MAKE_DIRECTORY ${work})
execute_process(COMMAND ${bash} ${source}/tools/amalgamate ${work} COMMAND_ERROR_IS_FATAL ANY)
foreach(file flamelet flamelet_overlay)
  execute_process(COMMAND ${cxx} -std=c++17 -fsyntax-only ${warnings} ${flags} ${work}/${file}.cpp COMMAND_ERROR_IS_FATAL ANY)
endforeach()
