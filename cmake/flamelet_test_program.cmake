# SPDX-License-Identifier: MIT
#
# flamelet_add_test_program(<target> <source>...): a program of doctest test cases. All of them share the one main(),
# which holds doctest itself and takes seconds to compile.

function(flamelet_add_test_program target)
  if(NOT TARGET flamelet_test_main)
    add_library(flamelet_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/main.cpp)
    flamelet_target_defaults(flamelet_test_main)
    target_link_libraries(flamelet_test_main PRIVATE doctest::doctest)
  endif()
  add_executable(${target} ${ARGN})
  flamelet_target_defaults(${target})
  target_link_libraries(${target} PRIVATE flamelet_test_main doctest::doctest)
endfunction()
