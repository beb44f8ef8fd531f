# SPDX-License-Identifier: MIT
#
# flamelet_target_defaults(<target>): what every target of this project is built with. All of it is PRIVATE:
# a program that links Flamelet keeps its own language standard, warnings and visibility.

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
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /permissive- $<$<BOOL:${FLAMELET_WERROR}>:/WX>)
  else()
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion $<$<BOOL:${FLAMELET_WERROR}>:-Werror>
      "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")  # a site's file is "demo/agents.cpp" on every machine
  endif()
endfunction()
