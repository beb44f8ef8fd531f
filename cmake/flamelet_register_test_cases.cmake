# SPDX-License-Identifier: MIT
#
# Run by ctest: registers each test case of `program`, with `labels`, and those of the suite "gate" with the label "gate",
# too; `emulator` runs it. Names are taken line by line and never enter a CMake list, so any character may stand in them.

set(list "")
if(EXISTS ${program})
  execute_process(COMMAND ${emulator} ${program} --list-test-cases OUTPUT_VARIABLE list RESULT_VARIABLE result)
endif()
if(NOT list MATCHES "unskipped test cases")
  get_filename_component(name ${program} NAME)
  add_test("${name} can list its test cases" ${emulator} ${program} --list-test-cases)
  return()
endif()

execute_process(COMMAND ${emulator} ${program} --list-test-cases --test-suite=gate OUTPUT_VARIABLE of_gate)
while(list MATCHES "^([^\n]*)\n(.*)$")
  set(name "${CMAKE_MATCH_1}")
  set(list "${CMAKE_MATCH_2}")
  if(NOT name MATCHES "^(\\[doctest\\]|===)")
    string(REPLACE "\\" "\\\\" filter "${name}")
    string(REPLACE "," "\\," filter "${filter}")
    add_test("${name}" ${emulator} ${program} "--test-case=${filter}")
    set(all_labels ${labels})
    string(FIND "${of_gate}" "\n${name}\n" place)
    if(NOT place EQUAL -1)
      list(APPEND all_labels gate)
    endif()
    # A name that the filter does not find again would run nothing and pass.
    set_tests_properties("${name}" PROPERTIES
      TIMEOUT 300 FAIL_REGULAR_EXPRESSION "test cases: +0 " LABELS "${all_labels}")
  endif()
endwhile()
