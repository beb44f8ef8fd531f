# SPDX-License-Identifier: MIT
#
# flamelet_add_shim_tests(<shim> <flag that switches its macros off> [PREFIX <prefix> MACROS <header>...]
#   [DEFINES <definition>...] [TESTS <source>...] [C <source>...])
#
# The tests of tests/shims/<shim>: its unit tests (<shim>_test.cpp, or TESTS), and a program of its macros (program.cpp,
# systems.cpp with system.h, and sources in C), whose capture must say what expected.txt does. Stand-ins that only counted
# made that file once. A new macro: add its calls to the program, write the lines that they should give into expected.txt
# by hand (each thing, and how often, sorted), and only then compare: never copy what the program prints. Whoever reviews
# it counts the calls. The program uses every macro of these headers of the shim whose name begins with one of the prefixes
# (a|b). It is also read as a user's files are: in other dialects, by other compilers, with and without code, without a
# warning.
include(${PROJECT_SOURCE_DIR}/tests/headers/instrumented_tests.cmake)

function(flamelet_add_shim_tests shim off)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "PREFIX" "MACROS;DEFINES;TESTS;C")
  if(NOT arg_TESTS)
    set(arg_TESTS ${shim}_test.cpp)
  endif()
  set(user_warnings -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror)
  set(shims ${PROJECT_SOURCE_DIR}/tests/shims)
  set(sources program.cpp systems.cpp)

  add_executable(flamelet_${shim}_recorded ${sources} ${arg_C} ${shims}/recorded.cpp)
  target_include_directories(flamelet_${shim}_recorded PRIVATE ${shims})
  set_target_properties(flamelet_${shim}_recorded PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF C_STANDARD 99
    C_EXTENSIONS OFF)
  target_compile_definitions(flamelet_${shim}_recorded PRIVATE ${arg_DEFINES})
  target_link_libraries(flamelet_${shim}_recorded PRIVATE flamelet_${shim}_shim)
  target_compile_options(flamelet_${shim}_recorded PRIVATE ${user_warnings})

  flamelet_add_test_program(flamelet_${shim}_tests ${arg_TESTS})
  target_link_libraries(flamelet_${shim}_tests PRIVATE flamelet_${shim}_shim)
  target_compile_definitions(flamelet_${shim}_tests PRIVATE ${arg_DEFINES})
  target_include_directories(flamelet_${shim}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests ${shims})
  flamelet_discover_tests(flamelet_${shim}_tests)

  # What follows runs programs and compilers as they are.
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  add_test(NAME "${shim}: the capture of a program is what its macros were called with" COMMAND ${CMAKE_COMMAND}
    -D RECORDED=$<TARGET_FILE:flamelet_${shim}_recorded> -D EXPECTED=${CMAKE_CURRENT_SOURCE_DIR}/expected.txt
    -P ${shims}/compare.cmake)

  set(root ${PROJECT_SOURCE_DIR})
  set(folders -I${shims} -I${root}/shims/${shim}/include -I${root}/shims/common/include -I${root}/profiler/include
    -I${root}/profiler/gpu/include)
  list(TRANSFORM arg_DEFINES PREPEND -D OUTPUT_VARIABLE defines)
  list(TRANSFORM arg_MACROS PREPEND ${root}/shims/${shim}/include/)
  list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM arg_C PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  if(arg_MACROS)
    add_test(NAME "${shim}: the program has every macro" COMMAND ${CMAKE_COMMAND}
      "-DPREFIX=${arg_PREFIX}" "-DHEADERS=${arg_MACROS}" "-DSOURCES=${sources};${CMAKE_CURRENT_SOURCE_DIR}/system.h;${CMAKE_CURRENT_SOURCE_DIR}/parameters.cpp;${arg_C}" -P ${shims}/every_macro.cmake)
  endif()

  # systems.cpp has macros alone.
  list(GET sources 1 macros_alone)
  add_test(NAME "${shim}: switched off, macros leave nothing of Flamelet" COMMAND ${CMAKE_COMMAND} -D nm=${CMAKE_NM}
    -D object=${CMAKE_CURRENT_BINARY_DIR}/switched_off.o
    "-Dcompile=${CMAKE_CXX_COMPILER};-std=c++17;-O1;-c;${defines};${off};${folders};${macros_alone}"
    -P ${shims}/switched_off.cmake)

  if(FLAMELET_SANITIZE)  # what follows asks compilers, and says the same with a sanitizer
    return()
  endif()
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    flamelet_add_instrumented_tests("${shim}" ${CMAKE_CURRENT_SOURCE_DIR}/program.cpp CXX -std=c++17 ${defines} ${folders})
  endif()
  set(dialects_cpp c++17 c++20)
  set(dialects_c c99 c11)
  set(compilers_cpp ${CMAKE_CXX_COMPILER} ${FLAMELET_CLANGXX})
  set(compilers_c ${CMAKE_C_COMPILER} ${FLAMELET_CLANG})
  set(sources_cpp ${sources})
  set(sources_c ${arg_C})
  # Where every macro is nothing, what only macros used is unused.
  set(no_code -Wno-unused -Wno-unused-parameter -Wno-empty-body)
  foreach(language IN ITEMS cpp c)
    if(NOT sources_${language})
      continue()
    endif()
    list(REMOVE_DUPLICATES compilers_${language})
    # What a program has for the macros alone is no reason to warn, as it is where they are on.
    set(parameters ${CMAKE_CURRENT_SOURCE_DIR}/parameters.${language})
    foreach(compiler IN LISTS compilers_${language})
      get_filename_component(name ${compiler} NAME)
      foreach(dialect IN LISTS dialects_${language})
        set(read ${compiler} -std=${dialect} -fsyntax-only ${defines} ${user_warnings} ${folders})
        flamelet_add_dialect_test("${shim}: headers as ${dialect}, ${name}" ${dialect} ON ${read} ${sources_${language}})
        flamelet_add_dialect_test("${shim}: headers as ${dialect}, ${name}, ${off}" ${dialect} OFF
          ${read} ${off} ${no_code} ${sources_${language}})
        flamelet_add_dialect_test("${shim}: parameters of macros as ${dialect}, ${name}" ${dialect} ON ${read} ${parameters})
        foreach(flag IN ITEMS ${off} -DFLAMELET_DISABLED)
          flamelet_add_dialect_test("${shim}: parameters of macros as ${dialect}, ${name}, ${flag}" ${dialect} OFF
            ${read} ${flag} ${parameters})
        endforeach()
      endforeach()
    endforeach()
  endforeach()
endfunction()
