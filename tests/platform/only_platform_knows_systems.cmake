# SPDX-License-Identifier: MIT
#
# cmake -D root=DIR -P only_platform_knows_systems.cmake
# Fails where a source outside of a folder named platform/ asks for an operating system, or includes a header of one.

cmake_minimum_required(VERSION 3.22)

# The record path is inlined into programs.
set(allowed profiler/include/flamelet/detail/record.h)

set(macros "_WIN32|_WIN64|WIN32|__linux__|__APPLE__|__ANDROID__|__EMSCRIPTEN__|__unix__|__GLIBC__|__FreeBSD__")
set(headers "unistd\\.h|fcntl\\.h|pthread\\.h|sched\\.h|signal\\.h|dlfcn\\.h|poll\\.h|termios\\.h|io\\.h|windows\\.h")
string(APPEND headers "|sys/[a-z]+\\.h|linux/[a-z]+\\.h|mach/[a-z_]+\\.h")

file(GLOB_RECURSE sources RELATIVE ${root}
  ${root}/profiler/*.h ${root}/profiler/*.cpp ${root}/overlay/*.h ${root}/overlay/*.cpp
  ${root}/shims/*.h ${root}/shims/*.cpp ${root}/tools/*.h ${root}/tools/*.cpp)
list(LENGTH sources count)
if(count LESS 100)
  message(FATAL_ERROR "Only ${count} sources below ${root}: this looks in the wrong place.")
endif()
set(wrong "")
foreach(source IN LISTS sources)
  if(source MATCHES "/platform/" OR source IN_LIST allowed)
    continue()
  endif()
  file(STRINGS ${root}/${source} found REGEX "^ *# *(if|ifdef|ifndef|elif)[^/]*[^A-Za-z_](${macros})|^ *# *include *<(${headers})>")
  if(found)
    string(APPEND wrong "\n  ${source}: ${found}")
  endif()
endforeach()
if(wrong)
  message(FATAL_ERROR "What knows an operating system belongs into a platform/ folder:${wrong}")
endif()
