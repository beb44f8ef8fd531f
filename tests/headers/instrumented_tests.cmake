# SPDX-License-Identifier: MIT
#
# flamelet_add_instrumented_tests(<area> <source> C|CXX <option>...): of the public headers that the source includes, no
# function calls the hook of -finstrument-functions. By the build's compiler, and by clang.
find_program(FLAMELET_OBJDUMP objdump)
find_program(FLAMELET_CLANG clang)
find_program(FLAMELET_CLANGXX clang++)
mark_as_advanced(FLAMELET_OBJDUMP FLAMELET_CLANG FLAMELET_CLANGXX)

function(flamelet_add_instrumented_tests area source language)
  if(NOT FLAMELET_OBJDUMP)
    return()
  endif()
  set(compilers ${CMAKE_C_COMPILER} ${FLAMELET_CLANG})
  if(language STREQUAL "CXX")
    set(compilers ${CMAKE_CXX_COMPILER} ${FLAMELET_CLANGXX})
  endif()
  list(REMOVE_DUPLICATES compilers)
  get_filename_component(file ${source} NAME)
  foreach(compiler IN LISTS compilers)
    get_filename_component(name ${compiler} NAME)
    set(test "${area}: no function of theirs is instrumented (${file}, ${name})")
    add_test(NAME "${test}" COMMAND ${CMAKE_COMMAND} "-Dcompile=${compiler};${ARGN}" -Dsource=${source}
      -Dobject=${CMAKE_CURRENT_BINARY_DIR}/${file}.${name}.o -Dobjdump=${FLAMELET_OBJDUMP}
      -P ${PROJECT_SOURCE_DIR}/tests/headers/instrumented.cmake)
    if(NOT (compiler STREQUAL CMAKE_CXX_COMPILER OR compiler STREQUAL CMAKE_C_COMPILER))
      set_property(TEST "${test}" PROPERTY LABELS getting)
    elseif(area STREQUAL "headers")
      set_property(TEST "${test}" PROPERTY LABELS gate)
    endif()
  endforeach()
endfunction()
