# SPDX-License-Identifier: MIT
#
# Target `flamelet_imgui`: the one Dear ImGui that the overlay and the demo are built against. First match wins:
#   1. FLAMELET_IMGUI_TARGET  a target of the surrounding build (the engine's own ImGui). It may be defined after
#                             Flamelet, unless it is imported: CMake looks it up when the whole build is known;
#   2. FLAMELET_IMGUI_DIR     a folder with ImGui's sources: built here, with its GLFW and OpenGL 3 backends
#                             where there is a window;
#   3. the system's           through pkg-config (Debian and Ubuntu: libimgui-dev, backends inside).
# ImGui's structures change with its version and imconfig.h, so a second copy must never enter a program.

if(TARGET flamelet_imgui)
  return()
endif()

if(FLAMELET_IMGUI_TARGET)
  if(NOT TARGET ${FLAMELET_IMGUI_TARGET})
    function(flamelet_check_imgui target)
      if(NOT TARGET ${target})
        message(FATAL_ERROR "FLAMELET_IMGUI_TARGET names '${target}', which is no target of this build. "
          "Define it, before Flamelet is added if it is imported and not GLOBAL.")
      endif()
    endfunction()
    cmake_language(EVAL CODE
      "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL flamelet_check_imgui [[${FLAMELET_IMGUI_TARGET}]])")
  endif()
  add_library(flamelet_imgui INTERFACE)
  target_link_libraries(flamelet_imgui INTERFACE ${FLAMELET_IMGUI_TARGET})
elseif(FLAMELET_IMGUI_DIR)
  if(NOT EXISTS ${FLAMELET_IMGUI_DIR}/imgui.h)
    message(FATAL_ERROR "FLAMELET_IMGUI_DIR is '${FLAMELET_IMGUI_DIR}', which has no imgui.h.")
  endif()
  add_library(flamelet_imgui STATIC
    ${FLAMELET_IMGUI_DIR}/imgui.cpp
    ${FLAMELET_IMGUI_DIR}/imgui_draw.cpp
    ${FLAMELET_IMGUI_DIR}/imgui_tables.cpp
    ${FLAMELET_IMGUI_DIR}/imgui_widgets.cpp)
  set_target_properties(flamelet_imgui PROPERTIES UNITY_BUILD OFF)  # its backends share names
  target_include_directories(flamelet_imgui SYSTEM PUBLIC ${FLAMELET_IMGUI_DIR} ${FLAMELET_IMGUI_DIR}/backends)
  if(NOT PROJECT_IS_TOP_LEVEL OR FLAMELET_BUILD_DEMO OR FLAMELET_BUILD_VIEWER)  # whoever opens a window
    include(flamelet_glfw)
    target_sources(flamelet_imgui PRIVATE
      ${FLAMELET_IMGUI_DIR}/backends/imgui_impl_glfw.cpp
      ${FLAMELET_IMGUI_DIR}/backends/imgui_impl_opengl3.cpp)
    target_link_libraries(flamelet_imgui PUBLIC flamelet_glfw PRIVATE ${CMAKE_DL_LIBS})
  endif()
  if(EMSCRIPTEN)
    target_compile_definitions(flamelet_imgui PRIVATE IMGUI_IMPL_OPENGL_ES3)  # and not WebGL 1
  else()
    set_target_properties(flamelet_imgui PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
else()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(flamelet_imgui_system QUIET IMPORTED_TARGET imgui)
  endif()
  if(NOT TARGET PkgConfig::flamelet_imgui_system)
    message(FATAL_ERROR "Dear ImGui was not found. Set FLAMELET_IMGUI_TARGET or FLAMELET_IMGUI_DIR to your own, "
      "or install it (Debian, Ubuntu: apt-get install libimgui-dev libstb-dev pkg-config), "
      "or leave the overlay out with -DFLAMELET_BUILD_OVERLAY=OFF -DFLAMELET_BUILD_DEMO=OFF.")
  endif()
  add_library(flamelet_imgui INTERFACE)
  target_link_libraries(flamelet_imgui INTERFACE PkgConfig::flamelet_imgui_system)
endif()
