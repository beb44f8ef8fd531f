# SPDX-License-Identifier: MIT
#
# cmake -D "compile=<compiler>;<option>..." -D source=file -D object=file -D objdump=program -P instrumented.cmake
# Compiles a file that includes public headers, with -finstrument-functions, and fails with the functions of theirs for which
# the compiler calls the hook. Left out: what is implicit, the C++ library's, and the headers that are the library's own.
execute_process(COMMAND ${compile} -O0 -finstrument-functions -fkeep-inline-functions -c ${source} -o ${object}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${objdump} -dr -C --no-show-raw-insn ${object} OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" ":" code "${code}")
string(REPLACE "\n" ";" lines "${code}")
set(found "")
set(functions 0)
foreach(line IN LISTS lines)
  if(line MATCHES "^[0-9a-f]+ <(.*)>:$")
    set(function "${CMAKE_MATCH_1}")
    if(function MATCHES "flamelet")
      math(EXPR functions "${functions} + 1")
    endif()
  elseif(line MATCHES "__cyg_profile_func_enter" AND function MATCHES "^[^(]*flamelet" AND
         NOT function MATCHES "^(.* )?std::|~|operator flamelet_site\\*|spread_key|fnv_|JsonCharacter|utf8_|is_invisible|is_wait")
    list(APPEND found "${function}")
  endif()
endforeach()
list(REMOVE_DUPLICATES found)
if(found)
  list(JOIN found "\n  " found)
  message(FATAL_ERROR "instrumented:\n  ${found}")
endif()
if(functions EQUAL 0)
  message(FATAL_ERROR "No function of the headers was found.")
endif()
message(STATUS "${functions} functions, and none is instrumented")
