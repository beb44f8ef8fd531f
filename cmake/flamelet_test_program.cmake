# SPDX-License-Identifier: MIT
#
# flamelet_add_test_program(<target> [OPTIMIZED] <source>...): a program of doctest test cases. All of them share the one
# main(), which holds doctest itself and takes seconds to compile.
#
# Test cases compile for longer than they run, so a release build hardly optimizes them, unlike the libraries that they
# test. OPTIMIZED is for those that test what the public headers inline: they are compiled as the user's code is.

#
# flamelet_run_by_tests(<variable> <target>): the path that runs this program, to be started by a test: a script where an
# emulator runs it.

function(flamelet_run_by_tests variable target)
  set(path $<TARGET_FILE:${target}>)
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
    set(script ${CMAKE_CURRENT_BINARY_DIR}/run/$<TARGET_FILE_NAME:${target}>)
    file(GENERATE OUTPUT ${script} CONTENT "#!/bin/sh\nexec ${emulator} '${path}' \"$@\"\n"
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    set(path ${script})
  endif()
  set(${variable} ${path} PARENT_SCOPE)
endfunction()

function(flamelet_add_test_program target)
  cmake_parse_arguments(program OPTIMIZED "" "" ${ARGN})
  if(NOT TARGET flamelet_test_main)
    add_library(flamelet_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/main.cpp)
    flamelet_target_defaults(flamelet_test_main)
    target_link_libraries(flamelet_test_main PRIVATE doctest::doctest)
  endif()
  add_executable(${target} ${program_UNPARSED_ARGUMENTS})
  flamelet_target_defaults(${target})
  target_link_libraries(${target} PRIVATE flamelet_test_main doctest::doctest)
  # A try block less for each assertion: a fifth of what they take to compile. An exception still fails its test case.
  target_compile_definitions(${target} PRIVATE DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
  if(NOT MSVC AND NOT program_OPTIMIZED)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()
