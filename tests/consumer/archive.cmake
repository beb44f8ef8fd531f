# SPDX-License-Identifier: MIT
#
# cmake -D build=DIR -D work=DIR [-D emulator=LIST] [-D options=LIST] -P archive.cmake
# Packs Flamelet with cpack, unpacks the command elsewhere, and runs it (with the emulator). Where there are packages of
# Debian, unpacks them, too, and builds the program of find_package/ with `options` against what was in them.

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
list(FILTER files EXCLUDE REGEX "/libflamelet_preload\\.so$")  # what `flamelet record --locks` loads
if(NOT count EQUAL 1 OR NOT "${files}" MATCHES "/LICENSE" OR "${files}" MATCHES "\\.(a|h|so|dll)(;|$)")
  message(FATAL_ERROR "the archive holds: ${files}")
endif()
execute_process(COMMAND ${emulator} ${commands} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
if(NOT help MATCHES "convert")
  message(FATAL_ERROR "its command says: ${help}")
endif()

file(GLOB packages ${work}/packed/*.deb)
if(NOT packages)
  return()
endif()
foreach(package IN LISTS packages)
  execute_process(COMMAND dpkg -x ${package} ${work}/installed COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND dpkg-deb --field ${package} Package Description OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  message(STATUS "${package}: ${said}")
  list(APPEND descriptions "${said}")
endforeach()
if(NOT "${descriptions}" MATCHES "Package: flamelet\n" OR NOT "${descriptions}" MATCHES "Package: libflamelet-dev\n")
  message(FATAL_ERROR "the packages are: ${descriptions}")
endif()
execute_process(COMMAND ${work}/installed/usr/bin/flamelet --help OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(source ${CMAKE_CURRENT_LIST_DIR}/find_package)
list(APPEND options -DCMAKE_PREFIX_PATH=${work}/installed/usr)
set(work ${work}/find_package)
include(${CMAKE_CURRENT_LIST_DIR}/build_and_run.cmake)

# The archive has the same files.
get_filename_component(work ${work} DIRECTORY)
file(GLOB archive ${work}/packed/libflamelet-*.tar.gz)
file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${work}/libraries)
file(GLOB_RECURSE config ${work}/libraries/flameletConfig.cmake)
file(GLOB_RECURSE header ${work}/libraries/recorder.h)
if(NOT config OR NOT header)
  message(FATAL_ERROR "${archive} has no flameletConfig.cmake, or no recorder.h")
endif()
