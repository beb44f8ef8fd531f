# SPDX-License-Identifier: MIT
#
# cmake -D build=DIR -D work=DIR [-D emulator=LIST] -P archive.cmake
# Packs the command with cpack, unpacks it elsewhere, and runs it (with the emulator).

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work}/packed ${work}/unpacked)
execute_process(COMMAND ${CMAKE_CPACK_COMMAND} --config ${build}/CPackConfig.cmake -B ${work}/packed
  COMMAND_ERROR_IS_FATAL ANY)
file(GLOB archive ${work}/packed/flamelet-*.tar.gz ${work}/packed/flamelet-*.zip)
file(GLOB checksum ${work}/packed/flamelet-*.sha256)
if(NOT archive OR NOT checksum)
  message(FATAL_ERROR "cpack left no archive, or no checksum of it")
endif()
file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${work}/unpacked)
file(GLOB_RECURSE files RELATIVE ${work}/unpacked ${work}/unpacked/*)
file(GLOB_RECURSE commands ${work}/unpacked/flamelet ${work}/unpacked/flamelet.exe)
list(LENGTH commands count)
if(NOT count EQUAL 1 OR NOT "${files}" MATCHES "/LICENSE" OR "${files}" MATCHES "\\.(a|h|so|dll)(;|$)")
  message(FATAL_ERROR "the archive holds: ${files}")
endif()
execute_process(COMMAND ${emulator} ${commands} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
if(NOT help MATCHES "convert")
  message(FATAL_ERROR "its command says: ${help}")
endif()
