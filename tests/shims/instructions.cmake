# SPDX-License-Identifier: MIT
#
# flamelet_shim_zone_loop(<shim>): flamelet_<shim>_zone_loop, of the folder's zone_loop.cpp.
# flamelet_shim_instructions(<shim> <kind> <at most> <what it is>): a test of the instructions of one zone of it.
function(flamelet_shim_zone_loop shim)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    add_executable(flamelet_${shim}_zone_loop zone_loop.cpp)
    flamelet_target_defaults(flamelet_${shim}_zone_loop)
    target_link_libraries(flamelet_${shim}_zone_loop PRIVATE flamelet_${shim}_shim)
    target_include_directories(flamelet_${shim}_zone_loop PRIVATE ${PROJECT_SOURCE_DIR}/tests/shims)
  endif()
endfunction()

function(flamelet_shim_instructions shim kind at_most name)
  if(NOT TARGET flamelet_${shim}_zone_loop OR NOT CMAKE_BUILD_TYPE MATCHES "^Rel" OR FLAMELET_SANITIZE)
    return()
  endif()
  add_test(NAME "instructions: ${name} takes at most ${at_most}"
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:flamelet_${shim}_zone_loop> -DKINDS=${kind} -DAT_MOST=${at_most}
      -P ${PROJECT_SOURCE_DIR}/bench/count_instructions.cmake)
  set_tests_properties("instructions: ${name} takes at most ${at_most}" PROPERTIES
    LABELS instructions TIMEOUT 120 SKIP_REGULAR_EXPRESSION "skipped:" ENVIRONMENT "FLAMELET_BUDGET_MIB=16")
endfunction()
