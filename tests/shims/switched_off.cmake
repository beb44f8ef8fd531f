# SPDX-License-Identifier: MIT
#
# cmake -D nm=program -D object=file -D compile=list -P switched_off.cmake
# Fails if the object file that the list compiles names anything of Flamelet's.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${compile} -o ${object} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${nm} ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES "update_systems")
  message(FATAL_ERROR "The object file does not hold the program:\n${symbols}")
endif()
if(symbols MATCHES "[^\n]*[Ff]lamelet[^\n]*")
  message(FATAL_ERROR "Macros that are switched off left: ${CMAKE_MATCH_0}")
endif()
