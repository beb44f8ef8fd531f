# SPDX-License-Identifier: MIT
#
# Included by the game's project() (CMAKE_PROJECT_rocks_INCLUDE), so the game knows nothing of it: watch.cpp stands between
# the game and GLFW, presses F1, and looks at what the overlay shows.
function(watch_rocks)
  target_sources(rocks PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/watch.cpp)
  target_include_directories(rocks PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/flamelet)
  target_link_options(rocks PRIVATE
    -Wl,--wrap=glfwSwapBuffers,--wrap=glfwWindowShouldClose,--wrap=_ZN8flamelet12overlay_showEPNS_7OverlayE)
endfunction()
cmake_language(DEFER CALL watch_rocks)
