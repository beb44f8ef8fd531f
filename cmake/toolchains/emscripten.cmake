# SPDX-License-Identifier: MIT
#
# WebAssembly in a browser, with Emscripten: Debian's package emscripten, or an SDK whose emcc is in PATH.
#
#   cmake --preset web && cmake --build --preset web
find_program(FLAMELET_EMCC emcc REQUIRED NO_CMAKE_FIND_ROOT_PATH)
file(REAL_PATH ${FLAMELET_EMCC} emcc)
cmake_path(GET emcc PARENT_PATH emscripten)
include(${emscripten}/cmake/Modules/Platform/Emscripten.cmake)

# Debian's emcc asks node for its JavaScript's modules, which node looks for elsewhere.
if(IS_DIRECTORY /usr/share/nodejs AND emscripten STREQUAL "/usr/share/emscripten")
  set(CMAKE_C_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
  set(CMAKE_CXX_LINKER_LAUNCHER ${CMAKE_C_LINKER_LAUNCHER})
  set(ENV{NODE_PATH} /usr/share/nodejs)  # of the checks of compilers
endif()
