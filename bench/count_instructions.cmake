# SPDX-License-Identifier: MIT
#
# cmake -DPROGRAM=flamelet_scope_loop -DKINDS=limit,flat,... [-DAT_MOST=50] [-DJSON=file] [-DEMULATOR=qemu...]
#   -P count_instructions.cmake
#
# Instructions of one scope of each kind, as callgrind counts them: exact, and the same on every run. With an emulator,
# which has to be qemu, each instruction is a line of its log: slower, so there are fewer of them. AT_MOST fails if a kind
# takes more.
set(SCOPES 20000)
if(EMULATOR)
  set(SCOPES 5000)
  list(JOIN EMULATOR " " emulator)
  set(counter bash -c
    "${emulator} -singlestep -d exec,nochain -D /dev/stderr \"$@\" 2> >(echo \"Collected : $(grep -c ^Trace)\" >&2)" qemu)
else()
  find_program(VALGRIND valgrind)
  if(NOT VALGRIND)
    message(STATUS "skipped: valgrind was not found")
    return()
  endif()
  set(counter ${VALGRIND} --tool=callgrind --callgrind-out-file=/dev/null)
endif()

function(count_run kind scopes result)
  execute_process(
    COMMAND ${counter} ${PROGRAM} ${kind} ${scopes}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE report)
  if(status EQUAL 3)
    message(STATUS "skipped: ${output}")
    return()
  endif()
  if(NOT status EQUAL 0 OR NOT report MATCHES "Collected : ([0-9]+)")
    message(FATAL_ERROR "${PROGRAM} ${kind} ${scopes}: ${status}\n${report}")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

string(REPLACE "," ";" kinds "${KINDS}")
math(EXPR twice "2 * ${SCOPES}")
foreach(kind IN LISTS kinds)
  count_run(${kind} ${SCOPES} once)
  count_run(${kind} ${twice} both)
  if(NOT once OR NOT both)
    return()
  endif()
  math(EXPR hundredths "(${both} - ${once}) * 100 / ${SCOPES}")
  math(EXPR whole "${hundredths} / 100")
  math(EXPR rest "${hundredths} % 100 + 100")
  string(SUBSTRING ${rest} 1 2 rest)
  message(STATUS "${kind}: ${whole}.${rest} instructions")
  list(APPEND lines "  \"${kind}\": ${whole}.${rest}")
  if(DEFINED AT_MOST)
    math(EXPR allowed "${AT_MOST} * 100")
    # A program that does nothing would be the fastest.
    if(hundredths GREATER allowed OR hundredths LESS 300)
      message(SEND_ERROR "${kind} should take from 3 to ${AT_MOST} instructions.")
    endif()
  endif()
endforeach()

if(DEFINED JSON)
  list(JOIN lines ",\n" lines)
  file(WRITE ${JSON} "{\n${lines}\n}\n")
endif()
