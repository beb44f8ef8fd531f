# SPDX-License-Identifier: MIT
#
# Run by ctest: registers each test case of `program`, with `labels`; `emulator` runs it. Names are taken line by line and
# never enter a CMake list, so any character may stand in them.

set(list "")
if(EXISTS ${program})
  execute_process(COMMAND ${emulator} ${program} --list-test-cases OUTPUT_VARIABLE list RESULT_VARIABLE result)
endif()
if(NOT list MATCHES "unskipped test cases")
  get_filename_component(name ${program} NAME)
  add_test("${name} can list its test cases" ${emulator} ${program} --list-test-cases)
  return()
endif()

while(list MATCHES "^([^\n]*)\n(.*)$")
  set(name "${CMAKE_MATCH_1}")
  set(list "${CMAKE_MATCH_2}")
  if(NOT name MATCHES "^(\\[doctest\\]|===)")
    string(REPLACE "\\" "\\\\" filter "${name}")
    string(REPLACE "," "\\," filter "${filter}")
    add_test("${name}" ${emulator} ${program} "--test-case=${filter}")
    # A name that the filter does not find again would run nothing and pass.
    set_tests_properties("${name}" PROPERTIES
      TIMEOUT 300 FAIL_REGULAR_EXPRESSION "test cases: +0 " LABELS "${labels}")
  endif()
endwhile()
