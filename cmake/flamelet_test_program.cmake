# SPDX-License-Identifier: MIT
#
# flamelet_add_test_program(<target> [OPTIMIZED] <source>...): a program of doctest test cases. All of them share the one
# main(), which holds doctest itself and takes seconds to compile.
#
# Test cases compile for longer than they run, so a release build hardly optimizes them, unlike the libraries that they
# test, and tests/precompiled.h is compiled once for all. OPTIMIZED is for those that test what the public headers inline:
# they are compiled as the user's code is.
#
# A compiler cache does not take what uses a precompiled header, so a build with a launcher has none, and neither has a
# cross build: there, a test source that lacks an include does not compile.

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

# flamelet_test_main: main(), and the precompiled header. Both are compiled with what ordinary test programs are, because
# a compiler takes a precompiled header only then.
function(flamelet_add_test_main)
  add_library(flamelet_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/main.cpp)
  flamelet_target_defaults(flamelet_test_main)
  target_link_libraries(flamelet_test_main PRIVATE doctest::doctest)
  target_compile_definitions(flamelet_test_main PRIVATE ${test_definitions})
  target_compile_options(flamelet_test_main PRIVATE ${test_options})
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_CROSSCOMPILING)
    set_target_properties(flamelet_test_main PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(flamelet_test_main PRIVATE -fPIE)
    target_precompile_headers(flamelet_test_main PRIVATE ${PROJECT_SOURCE_DIR}/tests/precompiled.h)
  endif()
endfunction()

function(flamelet_add_test_program target)
  cmake_parse_arguments(program OPTIMIZED "" "" ${ARGN})
  # A try block less for each assertion: a fifth of what they take to compile. An exception still fails its test case.
  set(test_definitions DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
  set(test_options "")
  if(NOT MSVC)
    set(test_options $<$<CONFIG:Release>:-O1>)
  endif()
  if(NOT TARGET flamelet_test_main)
    flamelet_add_test_main()
  endif()
  add_executable(${target} ${program_UNPARSED_ARGUMENTS})
  flamelet_target_defaults(${target})
  target_link_libraries(${target} PRIVATE flamelet_test_main doctest::doctest)
  target_compile_definitions(${target} PRIVATE ${test_definitions})
  if(NOT program_OPTIMIZED)
    target_compile_options(${target} PRIVATE ${test_options})
    get_target_property(precompiled flamelet_test_main PRECOMPILE_HEADERS)
    if(precompiled)
      target_precompile_headers(${target} REUSE_FROM flamelet_test_main)
    endif()
  endif()
endfunction()
