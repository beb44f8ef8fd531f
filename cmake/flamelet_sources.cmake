# SPDX-License-Identifier: MIT
#
# For a system without packages: Dear ImGui, simdjson and zlib, built here from the folders imgui or imgui-VERSION and so on
# in FLAMELET_SOURCES_DIR (tools/debian_archive fills it), as the targets that a package would give. protozero is headers
# alone, and taken from this machine.

set(FLAMELET_SOURCES_DIR "" CACHE PATH "A folder with the sources of imgui, simdjson and zlib, built along")
if(NOT FLAMELET_SOURCES_DIR)
  return()
endif()
foreach(needed imgui/imgui.cpp simdjson/singleheader/simdjson.cpp zlib/inflate.c)
  string(REGEX MATCH "^([a-z]+)/(.*)$" _ ${needed})
  set(package ${CMAKE_MATCH_1})
  set(file ${CMAKE_MATCH_2})
  file(GLOB found ${FLAMELET_SOURCES_DIR}/${package}/${file} ${FLAMELET_SOURCES_DIR}/${package}-*/${file})
  if(NOT found)
    message(FATAL_ERROR "FLAMELET_SOURCES_DIR is '${FLAMELET_SOURCES_DIR}', which has no folder ${package} with ${file}. On "
      "Debian: tools/debian_archive source ${FLAMELET_SOURCES_DIR} imgui/bookworm simdjson/bookworm zlib/bookworm")
  endif()
  list(GET found 0 found)
  get_filename_component(${package}_dir ${found} DIRECTORY)
endforeach()
set(FLAMELET_IMGUI_DIR ${imgui_dir})

add_library(simdjson STATIC ${simdjson_dir}/simdjson.cpp)
target_include_directories(simdjson SYSTEM PUBLIC ${simdjson_dir})
target_compile_features(simdjson PUBLIC cxx_std_17)
add_library(simdjson::simdjson ALIAS simdjson)

set(zlib_sources adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil)
list(TRANSFORM zlib_sources PREPEND ${zlib_dir}/)
list(TRANSFORM zlib_sources APPEND .c)
add_library(zlib STATIC ${zlib_sources})
target_include_directories(zlib SYSTEM PUBLIC ${zlib_dir})
set_target_properties(simdjson zlib PROPERTIES UNITY_BUILD OFF)  # zlib is written for files of their own
add_library(ZLIB::ZLIB ALIAS zlib)
if(NOT EMSCRIPTEN)
  set_target_properties(simdjson zlib PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()
if(NOT MSVC)
  target_compile_options(simdjson PRIVATE -w)  # it says that 64 bits would be faster
endif()

# By a link of its own: the folder that it stands in has the headers of another system.
find_path(protozero_dir protozero/version.hpp PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH NO_CACHE)
if(NOT protozero_dir)
  message(FATAL_ERROR "protozero was not found (Debian, Ubuntu: apt-get install libprotozero-dev).")
endif()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/headers)
file(CREATE_LINK ${protozero_dir}/protozero ${PROJECT_BINARY_DIR}/headers/protozero SYMBOLIC)
set(FLAMELET_PROTOZERO_INCLUDE_DIR ${PROJECT_BINARY_DIR}/headers CACHE PATH "protozero's headers" FORCE)
