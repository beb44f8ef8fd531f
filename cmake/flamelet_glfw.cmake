# SPDX-License-Identifier: MIT
#
# Target `flamelet_glfw`: the window library of the demo. First match wins: an existing target `glfw`;
# FLAMELET_GLFW_DIR, a folder with GLFW's sources; the system's package.

if(TARGET flamelet_glfw)
  return()
endif()

if(EMSCRIPTEN)
  add_library(flamelet_glfw INTERFACE)  # a part of its own; the headers are among the system's
  target_link_options(flamelet_glfw INTERFACE -sUSE_GLFW=3)
  target_compile_definitions(flamelet_glfw INTERFACE GLFW_INCLUDE_NONE)
  return()
endif()
if(NOT TARGET glfw)
  if(FLAMELET_GLFW_DIR)
    if(NOT EXISTS ${FLAMELET_GLFW_DIR}/CMakeLists.txt)
      message(FATAL_ERROR "FLAMELET_GLFW_DIR is '${FLAMELET_GLFW_DIR}', which has no CMakeLists.txt.")
    endif()
    add_subdirectory(${FLAMELET_GLFW_DIR} ${PROJECT_BINARY_DIR}/glfw EXCLUDE_FROM_ALL)
  else()
    find_package(glfw3 3.3 QUIET)
    if(NOT TARGET glfw)
      message(FATAL_ERROR "GLFW 3.3 was not found. Set FLAMELET_GLFW_DIR to its sources, "
        "or install it (Debian, Ubuntu: apt-get install libglfw3-dev).")
    endif()
  endif()
endif()
add_library(flamelet_glfw INTERFACE)
target_link_libraries(flamelet_glfw INTERFACE glfw)
target_compile_definitions(flamelet_glfw INTERFACE GLFW_INCLUDE_NONE)
