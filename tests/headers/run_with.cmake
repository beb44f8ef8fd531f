# SPDX-License-Identifier: MIT
#
# cmake -D "compile=<compiler>;<argument>..." -D program=file -P run_with.cmake
# Compiles and links a program, and runs it.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${compile} -o ${program} COMMAND_ERROR_IS_FATAL ANY)
get_filename_component(folder ${program} DIRECTORY)
execute_process(COMMAND ${program} WORKING_DIRECTORY ${folder} COMMAND_ERROR_IS_FATAL ANY)
