# SPDX-License-Identifier: MIT
#
# Fails if two object files differ in their instructions, symbols or sizes of data.

function(describe object result)
  execute_process(COMMAND ${objdump} -d --no-show-raw-insn ${object}
    OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${nm} -S ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "^[^\n]*\n[^\n]*file format[^\n]*" "" code "${code}")
  set(${result} "${code}\n${symbols}" PARENT_SCOPE)
endfunction()

describe(${compiled_out} with)
describe(${no_macros} without)
if(NOT with MATCHES "work")
  message(FATAL_ERROR "The object file does not hold the function under test:\n${with}")
endif()
if(NOT with STREQUAL without)
  message(FATAL_ERROR "Macros that are compiled out left something behind.\n--- with\n${with}\n--- without\n${without}")
endif()
