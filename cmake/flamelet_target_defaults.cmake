# SPDX-License-Identifier: MIT
#
# flamelet_target_defaults(<target>): what every target of this project is built with. All of it is PRIVATE:
# a program that links Flamelet keeps its own language standard, warnings and visibility.

# flamelet_compile_alone(<source>...): these define macros or names that their neighbours must not see, so
# FLAMELET_JOIN_SOURCES leaves them out.
function(flamelet_compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

function(flamelet_target_defaults target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 17
    CXX_STANDARD_REQUIRED ON
    CXX_EXTENSIONS OFF
    C_STANDARD 11
    C_STANDARD_REQUIRED ON
    C_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    C_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  if(NOT EMSCRIPTEN)  # where nothing is loaded later, and it makes larger code
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  file(RELATIVE_PATH from_build ${CMAKE_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /permissive- $<$<BOOL:${FLAMELET_WERROR}>:/WX>)
  else()
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion $<$<BOOL:${FLAMELET_WERROR}>:-Werror>
      # A site's file is "demo/agents.cpp" on every machine. Ninja gives relative paths where it can.
      "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=" "-fmacro-prefix-map=${from_build}/="
      "$<$<COMPILE_LANGUAGE:CXX>:${flamelet_joined_options}>")
  endif()
endfunction()
