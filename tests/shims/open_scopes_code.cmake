# SPDX-License-Identifier: MIT
#
# In a shared library no code takes the address of the thread's open scopes itself: compilers would keep it over a call.
#   cmake -D "compile=<compiler>;<option>..." -P open_scopes_code.cmake
execute_process(COMMAND ${compile} OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
if(NOT code MATCHES "flamelet_shim_open_here_")
  message(FATAL_ERROR "the code has no call of flamelet_shim_open_here_():\n${code}")
endif()
if(code MATCHES "flamelet_shim_open_[^h]")
  message(FATAL_ERROR "the code takes the address of flamelet_shim_open_:\n${code}")
endif()
