# SPDX-License-Identifier: MIT
#
# cmake -D files=DIR -D source=DIR -D work=DIR -D cxx=COMPILER -D cc=COMPILER -P two_files.cmake
# Copies the files of tools/amalgamate into an empty folder and compiles them there, without a warning, together with a
# program in C11, the quick start of the README, and the game of docs/sdl2-opengl.md. Runs all three.

include(${CMAKE_CURRENT_LIST_DIR}/users_sources.cmake)
file(REMOVE_RECURSE ${work})
file(COPY ${files}/ DESTINATION ${work})
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${work} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

write_users_sources(${source} ${work})

run(${cxx} -std=c++17 ${warnings} -c flamelet.cpp)
run(${cc} -std=c11 ${warnings} -c program.c)
run(${cxx} program.o flamelet.o -pthread -o program)
run(./program)

find_program(PKG_CONFIG pkg-config REQUIRED)
execute_process(COMMAND ${PKG_CONFIG} --cflags imgui glfw3 OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PKG_CONFIG} --libs imgui glfw3 gl OUTPUT_VARIABLE libraries COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "-I" "-isystem " flags "${flags}")
separate_arguments(flags UNIX_COMMAND "${flags}")
separate_arguments(libraries UNIX_COMMAND "${libraries}")
run(${cxx} -std=c++17 ${warnings} ${flags} -c flamelet_overlay.cpp)
run(${cxx} -std=c++17 ${flags} quick_start.cpp watch.cpp flamelet_overlay.o flamelet.o -o quick_start
  -Wl,--wrap=glfwSwapBuffers,--wrap=glfwWindowShouldClose ${libraries} -pthread)
run(./quick_start)

execute_process(COMMAND ${PKG_CONFIG} --cflags imgui sdl2 OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PKG_CONFIG} --libs imgui sdl2 gl OUTPUT_VARIABLE libraries COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
separate_arguments(libraries UNIX_COMMAND "${libraries}")
run(${cc} -std=c11 ${flags} -c game.c watch_sdl.c)
run(${cxx} -std=c++17 ${flags} game.o watch_sdl.o profiler.cpp flamelet_overlay.o flamelet.o -o game
  -Wl,--wrap=SDL_GL_SwapWindow ${libraries} -pthread)
run(./game)
file(GLOB saved ${work}/last-5s-*.flamelet)
if(NOT saved)
  message(FATAL_ERROR "F2 has saved nothing.")
endif()
if(EXISTS ${work}/imgui.ini)
  message(FATAL_ERROR "The game's folder has an imgui.ini.")
endif()
