# SPDX-License-Identifier: MIT
#
# cmake -D bash=BASH -D source=DIR -D work=DIR -P head_comment.cmake
# Builds gpu_check as the comment at its head says, but without -O2, in a folder that looks like the repository.

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
foreach(name IN ITEMS CMakeLists.txt LICENSE overlay profiler tests tools)
  file(CREATE_LINK ${source}/${name} ${work}/${name} SYMBOLIC)
endforeach()
file(READ ${source}/tests/gpu/gpu_check.cpp text)
if(NOT text MATCHES "\n//   (tools/amalgamate.*)\n//   ./gpu_check ")
  message(FATAL_ERROR "The head of gpu_check.cpp does not say how to build it.")
endif()
string(REPLACE "\n//   " "\n" commands "${CMAKE_MATCH_1}")
string(REPLACE "-O2" "-O0" commands "${commands}")
execute_process(COMMAND ${bash} -ec "${commands}" WORKING_DIRECTORY ${work} COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${work}/gpu_check)
  message(FATAL_ERROR "There is no gpu_check.")
endif()
