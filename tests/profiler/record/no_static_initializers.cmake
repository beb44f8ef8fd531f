# SPDX-License-Identifier: MIT
#
# cmake -D nm=PROGRAM -D library=FILE -P no_static_initializers.cmake
# Fails where a variable of the library is initialized by code: that may run after a static initializer of the program
# has recorded, and would wipe what is there. Compilers without optimization make such code where others make none.

cmake_minimum_required(VERSION 3.22)

execute_process(COMMAND ${nm} ${library} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES "flamelet_init")
  message(FATAL_ERROR "${library} has no flamelet_init: this looks in the wrong place.")
endif()
string(REGEX MATCHALL "_GLOBAL__sub_I_[^\n]*" found "${symbols}")
if(found)
  message(FATAL_ERROR "Initialized when the program starts: ${found}. Give them constant initializers.")
endif()
