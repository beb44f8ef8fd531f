# SPDX-License-Identifier: MIT
#
# cmake -D bash=BASH -D files=DIR -D source=DIR -D work=DIR -P same_bytes.cmake
# Runs tools/amalgamate once more, and on a copy of the sources with an #include that leads nowhere.

file(REMOVE_RECURSE ${work})
execute_process(COMMAND ${bash} ${source}/tools/amalgamate ${work}/again COMMAND_ERROR_IS_FATAL ANY)
foreach(file IN ITEMS flamelet.h flamelet.cpp flamelet_overlay.h flamelet_overlay.cpp)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${files}/${file} ${work}/again/${file}
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()

file(COPY ${source}/tools/amalgamate ${source}/CMakeLists.txt ${source}/LICENSE ${source}/profiler ${source}/overlay
  DESTINATION ${work}/sources)
file(MAKE_DIRECTORY ${work}/sources/tools)
file(RENAME ${work}/sources/amalgamate ${work}/sources/tools/amalgamate)
# fails_with(<message> <file> <line>): where this line stands at the end of the file.
function(fails_with message file line)
  file(READ ${work}/sources/${file} before)
  file(APPEND ${work}/sources/${file} "${line}\n")
  execute_process(COMMAND ${bash} ${work}/sources/tools/amalgamate ${work}/bad
    RESULT_VARIABLE status ERROR_VARIABLE error)
  if(status EQUAL 0 OR NOT error MATCHES "${message}")
    message(SEND_ERROR "With ${line} in ${file}, tools/amalgamate answered ${status}, and said: ${error}")
  endif()
  # What it could not finish is not there, and what was there before is whole.
  file(GLOB left ${work}/bad/flamelet.cpp* ${work}/bad/*.part)
  if(left)
    message(SEND_ERROR "After an error, tools/amalgamate left ${left}")
  endif()
  file(WRITE ${work}/sources/${file} "${before}")
endfunction()
fails_with("frame.cpp:[0-9]+: cannot place #include \"nowhere.h\"" profiler/src/record/frame.cpp "#include \"nowhere.h\"")
file(WRITE ${work}/sources/profiler/platform/os2/file.cpp "")
fails_with("for which system is this folder" profiler/src/record/frame.cpp "")
