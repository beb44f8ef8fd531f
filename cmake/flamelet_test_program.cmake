# SPDX-License-Identifier: MIT
#
# flamelet_add_test_program(<target> [INLINED] [OPTIMIZED] <source>...): a program of doctest test cases. All of them share the one
# main(), which holds doctest itself and takes seconds to compile.
#
# Test cases compile for longer than they run, so their sources are not optimized, unlike the libraries that they test.
# OPTIMIZED is for those that test what the public headers inline: a release build compiles them as the user's code is.
# INLINED is for those, too, where the same at -O0 will do. UBSan looks at the sources of both, at no others', and at the
# libraries: with it test cases take half as long again to compile.
# tests/precompiled.h is compiled once for all programs of either kind.
#
# A compiler cache does not take what uses a precompiled header, so a build with a launcher has none, and neither has a
# cross build or one that joins sources: there, a test source that lacks an include does not compile.

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

# flamelet_add_test_header(<target> <source> <option>...): this source, and the precompiled header. Both are compiled with
# what the test programs of this kind are, because a compiler takes a precompiled header only then.
function(flamelet_add_test_header target source)
  add_library(${target} OBJECT ${source})
  flamelet_target_defaults(${target})
  target_link_libraries(${target} PRIVATE doctest::doctest)
  target_compile_definitions(${target} PRIVATE ${test_definitions})
  target_compile_options(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_CROSSCOMPILING
      AND NOT FLAMELET_JOIN_SOURCES)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIE)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/precompiled.h)
  endif()
endfunction()

function(flamelet_add_test_program target)
  cmake_parse_arguments(program "INLINED;OPTIMIZED" "" "" ${ARGN})
  # A try block less for each assertion: a fifth of what they take to compile. An exception still fails its test case.
  set(test_definitions DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
  set(test_options "")
  if(NOT MSVC)
    set(test_options $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
  endif()
  if(NOT TARGET flamelet_test_main)
    flamelet_add_test_header(flamelet_test_main ${PROJECT_SOURCE_DIR}/tests/main.cpp ${test_options})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tests/optimized_header.cpp CONTENT "// Holds a precompiled header.\n")
    flamelet_add_test_header(flamelet_optimized_test_header ${PROJECT_BINARY_DIR}/tests/optimized_header.cpp)
  endif()
  add_executable(${target} ${program_UNPARSED_ARGUMENTS})
  flamelet_target_defaults(${target})
  target_link_libraries(${target} PRIVATE flamelet_test_main doctest::doctest)
  target_compile_definitions(${target} PRIVATE ${test_definitions})
  set(header flamelet_optimized_test_header)
  if(NOT program_OPTIMIZED OR FLAMELET_SANITIZE)
    target_compile_options(${target} PRIVATE ${test_options})
    set(header flamelet_test_main)
  endif()
  if(FLAMELET_SANITIZE STREQUAL "address" AND NOT program_INLINED AND NOT program_OPTIMIZED)
    target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
  endif()
  get_target_property(precompiled ${header} PRECOMPILE_HEADERS)
  if(precompiled)
    target_precompile_headers(${target} REUSE_FROM ${header})
  endif()
endfunction()
