# SPDX-License-Identifier: MIT
#
# cmake -D prefix=DIR -D library_dir=DIR -D work=DIR -D compiler=CC -D cxx=CXX -P other_layout.cmake
# A program that was built with the headers of another layout does not link, and the linker says why: the names that have
# the layout's number are changed in a copy of the headers.

file(REMOVE_RECURSE ${work})
file(COPY ${prefix}/include/flamelet DESTINATION ${work})
file(GLOB_RECURSE headers ${work}/flamelet/*.h)
foreach(header IN LISTS headers)
  file(READ ${header} text)
  string(REGEX REPLACE "_abi[0-9]+" "_abi999" text "${text}")
  file(WRITE ${header} "${text}")
endforeach()
file(WRITE ${work}/starts.c "#include <flamelet/recorder.h>\nint main(void) { return flamelet_config_default().max_tracks != 64; }\n")
file(WRITE ${work}/records.c "#include <flamelet/flamelet.h>\nint main(void) { FLAMELET_BEGIN(scope, \"a\"); FLAMELET_END(scope); return 0; }\n")
foreach(program IN ITEMS starts records)
  foreach(include IN ITEMS ${prefix}/include ${work})
    execute_process(COMMAND ${compiler} -std=c11 -I${include} -c ${work}/${program}.c -o ${work}/${program}.o
      COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${cxx} ${work}/${program}.o -L${prefix}/${library_dir} -lflamelet_profiler
      -lflamelet_platform -pthread -o ${work}/${program} RESULT_VARIABLE status ERROR_VARIABLE error)
    if(include STREQUAL "${work}")
      if(status EQUAL 0 OR NOT error MATCHES "flamelet_[a-z_]+_abi999")
        message(SEND_ERROR "${program}.c with another layout: ${status}, ${error}")
      endif()
    elseif(NOT status EQUAL 0)
      message(SEND_ERROR "${program}.c with the same layout: ${error}")
    endif()
  endforeach()
endforeach()
