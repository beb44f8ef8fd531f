# SPDX-License-Identifier: MIT
#
# cmake -D source=DIR -D work=DIR -D options=LIST -P recipe_steps.cmake
# What the recipes of Conan and vcpkg do, without these programs: the files that the Conan recipe exports, configured with the
# options that both recipes set, built, installed, and used by find_package. Both recipes must set the same options.

file(REMOVE_RECURSE ${work})
file(READ ${source}/packaging/conan/conanfile.py conan)
file(READ ${source}/packaging/vcpkg/flamelet/portfile.cmake portfile)

# What is exported.
string(REGEX MATCH "for pattern in \\(([^)]*)\\)" _ "${conan}")
string(REGEX MATCHALL "\"[^\"]+\"" patterns "${CMAKE_MATCH_1}")
list(LENGTH patterns count)
if(count LESS 3)
  message(FATAL_ERROR "packaging/conan/conanfile.py exports: ${patterns}")
endif()
foreach(pattern IN LISTS patterns)
  string(REGEX REPLACE "\"|/\\*" "" path ${pattern})
  file(COPY ${source}/${path} DESTINATION ${work}/source)
endforeach()

# How it is configured.
string(REGEX MATCHALL "-DFLAMELET_BUILD_[A-Z]+=O(N|FF)" of_vcpkg "${portfile}")
string(REGEX MATCH "for part in \\(([^)]*)\\)" _ "${conan}")
string(REGEX MATCHALL "[A-Z]+" parts "${CMAKE_MATCH_1}")
list(TRANSFORM parts REPLACE "(.+)" "-DFLAMELET_BUILD_\\1=OFF" OUTPUT_VARIABLE of_conan)
string(REGEX MATCHALL "FLAMELET_BUILD_[A-Z]+\"\\] = True" parts "${conan}")
list(TRANSFORM parts REPLACE "([A-Z_]+).*" "-D\\1=ON")
list(APPEND of_conan ${parts})
if(NOT of_conan STREQUAL of_vcpkg)
  message(FATAL_ERROR "Conan's recipe sets ${of_conan}, vcpkg's ${of_vcpkg}")
endif()

set(flags -G Ninja -DCMAKE_BUILD_TYPE=Debug ${options})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${work}/source -B ${work}/build ${flags} ${of_conan}
  -DCMAKE_INSTALL_PREFIX=${work}/prefix OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${work}/build OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# What the recipes say of the result.
foreach(path IN ITEMS lib/cmake/flamelet lib/pkgconfig)
  if(NOT EXISTS ${work}/prefix/${path})
    message(SEND_ERROR "The recipes look for ${path}, which is not installed.")
  endif()
endforeach()
string(REGEX MATCH "cpp_info.libs = \\[([^]]*)\\]" _ "${conan}")
string(REGEX MATCHALL "flamelet_[a-z_]+" libraries "${CMAKE_MATCH_1}")
foreach(library IN LISTS libraries ITEMS flamelet_platform)
  if(NOT EXISTS ${work}/prefix/lib/lib${library}.a)
    message(SEND_ERROR "packaging/conan/conanfile.py names ${library}, which is not installed.")
  endif()
endforeach()

# A program that finds it.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${source}/tests/consumer/find_package -B ${work}/consumer ${flags}
  -DCMAKE_PREFIX_PATH=${work}/prefix OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/consumer OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/consumer/consumer COMMAND_ERROR_IS_FATAL ANY)
