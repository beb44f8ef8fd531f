# SPDX-License-Identifier: MIT
#
# flamelet_discover_tests(<target> [label...]): every test case of a doctest program is a test of its own to ctest, with
# these labels, in a process of its own. The program is asked when ctest starts. doctest's own module asks at build time,
# when a sanitized program may not be able to run yet, and takes a semicolon in a name for the end of it.
#
# A test that takes seconds is of the suite "gate", and so gets the label "gate": ./tests/run without options leaves it out.
#
# With a sanitizer, a process takes long to start, so all test cases of a source run in one.

function(flamelet_discover_tests target)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}_discovery.cmake)
  file(GENERATE OUTPUT ${script} CONTENT
    "set(program [==[$<TARGET_FILE:${target}>]==])\nset(emulator ${CMAKE_CROSSCOMPILING_EMULATOR})\nset(labels [==[${ARGN}]==])\nset(together [==[${FLAMELET_SANITIZE}]==])\ninclude([==[${CMAKE_CURRENT_FUNCTION_LIST_DIR}/flamelet_register_test_cases.cmake]==])\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
