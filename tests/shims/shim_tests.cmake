# SPDX-License-Identifier: MIT
#
# flamelet_add_shim_tests(<shim> <definition that switches its macros off>)
#
# The tests of tests/shims/<shim>: its unit tests (<shim>_test.cpp), and a program of its macros (program.cpp,
# systems.cpp), which is built with the shim and with a stand-in that counts. Both must say the same. The program is also
# read as a user's files are: in other dialects, by other compilers, with and without code, without a warning.
function(flamelet_add_shim_tests shim off)
  set(user_warnings -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror)
  set(shims ${PROJECT_SOURCE_DIR}/tests/shims)

  foreach(way IN ITEMS recorded counted)
    set(program flamelet_${shim}_${way})
    add_executable(${program} program.cpp systems.cpp)
    target_include_directories(${program} PRIVATE ${shims})
    set_target_properties(${program} PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
  endforeach()
  target_sources(flamelet_${shim}_recorded PRIVATE ${shims}/recorded.cpp)
  target_link_libraries(flamelet_${shim}_recorded PRIVATE flamelet_${shim}_shim)
  target_compile_options(flamelet_${shim}_recorded PRIVATE ${user_warnings})
  target_sources(flamelet_${shim}_counted PRIVATE ${shims}/counting.cpp)
  target_include_directories(flamelet_${shim}_counted PRIVATE stand_in)

  flamelet_add_test_program(flamelet_${shim}_tests ${shim}_test.cpp)
  target_link_libraries(flamelet_${shim}_tests PRIVATE flamelet_${shim}_shim)
  target_include_directories(flamelet_${shim}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests ${shims})
  flamelet_discover_tests(flamelet_${shim}_tests)

  # What follows runs programs and compilers as they are.
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  add_test(NAME "${shim}: the capture of a program is what its macros were called with" COMMAND ${CMAKE_COMMAND}
    -D RECORDED=$<TARGET_FILE:flamelet_${shim}_recorded> -D COUNTED=$<TARGET_FILE:flamelet_${shim}_counted>
    -P ${shims}/compare.cmake)

  set(profiler ${PROJECT_SOURCE_DIR}/profiler)
  set(folders -I${shims} -I${profiler}/shims/${shim}/include -I${profiler}/shims/common/include -I${profiler}/include)
  set(files ${CMAKE_CURRENT_SOURCE_DIR}/program.cpp ${CMAKE_CURRENT_SOURCE_DIR}/systems.cpp)
  find_program(FLAMELET_CLANGXX clang++)
  mark_as_advanced(FLAMELET_CLANGXX)
  set(compilers ${CMAKE_CXX_COMPILER} ${FLAMELET_CLANGXX})
  list(REMOVE_DUPLICATES compilers)
  foreach(compiler IN LISTS compilers)
    get_filename_component(name ${compiler} NAME)
    foreach(dialect IN ITEMS c++17 c++20)
      set(read ${compiler} -std=${dialect} -fsyntax-only ${user_warnings} ${folders})
      add_test(NAME "${shim}: headers as ${dialect}, ${name}" COMMAND ${read} ${files})
      # Where every macro is nothing, what only macros used is unused.
      add_test(NAME "${shim}: headers as ${dialect}, ${name}, ${off}"
        COMMAND ${read} -D${off} -Wno-unused -Wno-unused-parameter -Wno-empty-body ${files})
    endforeach()
  endforeach()
endfunction()
