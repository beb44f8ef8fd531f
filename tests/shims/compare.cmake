# SPDX-License-Identifier: MIT
#
# cmake -D RECORDED=program -D EXPECTED=file -P compare.cmake
# What the capture has is what the file says.
execute_process(COMMAND ${RECORDED} OUTPUT_VARIABLE recorded RESULT_VARIABLE status)
file(READ ${EXPECTED} expected)
if(NOT recorded STREQUAL expected)
  string(REPLACE ";" "\\;" recorded "${recorded}")
  string(REPLACE ";" "\\;" expected "${expected}")
  string(REPLACE "\n" ";" recorded "${recorded}")
  string(REPLACE "\n" ";" expected "${expected}")
  set(missing ${expected})
  list(REMOVE_ITEM missing ${recorded})
  set(extra ${recorded})
  list(REMOVE_ITEM extra ${expected})
  list(JOIN missing "\n  " missing)
  list(JOIN extra "\n  " extra)
  message(FATAL_ERROR "expected, but not recorded:\n  ${missing}\nrecorded, but not expected:\n  ${extra}")
endif()
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${RECORDED}: ${status}")
endif()
