# SPDX-License-Identifier: MIT
#
# cmake -D source=DIR -D libraries=DIR -P recipes.cmake
# The recipes in packaging/ name libraries and options that exist, the version of CMakeLists.txt, and every library that an
# installed Flamelet has (in the folder `libraries`), but for those that the recipes leave out. recipe_steps.cmake does what
# they say.

file(READ ${source}/CMakeLists.txt project)
string(REGEX MATCH "project\\(flamelet VERSION ([0-9.]+)" _ "${project}")
set(version ${CMAKE_MATCH_1})
foreach(recipe IN ITEMS meson.build packaging/conan/conanfile.py packaging/vcpkg/flamelet/vcpkg.json)
  file(READ ${source}/${recipe} text)
  if(NOT text MATCHES "version\"?:? ?=? [\"']${version}[\"']")
    message(SEND_ERROR "${recipe} does not have version ${version}")
  endif()
endforeach()

file(READ ${source}/packaging/conan/conanfile.py conan)
file(GLOB installed RELATIVE ${libraries} ${libraries}/libflamelet_*.a ${libraries}/libflamelet_*.so)
list(LENGTH installed count)
if(count LESS 8)
  message(FATAL_ERROR "${libraries} has the libraries: ${installed}")
endif()
foreach(library IN LISTS installed)
  string(REGEX REPLACE "^lib(.*)\\.(a|so)$" "\\1" name ${library})
  if(NOT name MATCHES "_(export|import)$" AND NOT conan MATCHES "\"${name}\"")
    message(SEND_ERROR "packaging/conan/conanfile.py does not name ${name}")
  endif()
endforeach()

file(READ ${source}/packaging/vcpkg/flamelet/portfile.cmake portfile)
string(REGEX MATCHALL "FLAMELET_BUILD_[A-Z]+" options "${portfile}")
string(REGEX MATCH "for part in \\([^)]*\\)" parts "${conan}")
string(REGEX MATCHALL "\"[A-Z]+\"" parts "${parts}")
foreach(part IN LISTS parts)
  string(REPLACE "\"" "" part ${part})
  list(APPEND options FLAMELET_BUILD_${part})
endforeach()
foreach(option IN LISTS options)
  if(NOT project MATCHES "option\\(${option} ")
    message(SEND_ERROR "packaging/ sets ${option}, which does not exist")
  endif()
endforeach()
