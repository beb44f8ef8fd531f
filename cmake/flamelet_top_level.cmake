# SPDX-License-Identifier: MIT
#
# Defaults that only the developer of Flamelet wants: included when this is the top-level project, so that a
# parent project's build type and flags are never touched.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# flamelet_join_sources(): of the targets that follow. In a joined source a parameter hides a name of another file, g++
# warns of types with members of unnamed namespaces in any file but the first, and takes more std::optional values for
# uninitialized the more it inlines. The builds that join nothing warn of all that.
macro(flamelet_join_sources)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
  set(flamelet_joined_options -Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND flamelet_joined_options -Wno-subobject-linkage -Wno-maybe-uninitialized)
  endif()
endmacro()
if(FLAMELET_JOIN_SOURCES AND NOT FLAMELET_JOIN_SOURCES STREQUAL "PROGRAMS")
  flamelet_join_sources()
endif()

# Sanitizers instrument whole programs, so the flags are global here instead of per target.
if(FLAMELET_SANITIZE STREQUAL "address")
  set(sanitizers address,undefined)
elseif(FLAMELET_SANITIZE STREQUAL "thread")
  set(sanitizers thread)
elseif(FLAMELET_SANITIZE)
  message(FATAL_ERROR "FLAMELET_SANITIZE is '${FLAMELET_SANITIZE}'; it can be 'address', 'thread' or empty.")
endif()
if(sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
endif()
if(FLAMELET_BUILD_FUZZERS AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "FLAMELET_BUILD_FUZZERS needs clang++, which has libFuzzer.")
endif()
