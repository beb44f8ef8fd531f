# SPDX-License-Identifier: MIT
#
# cmake -DROOT=<repository> -P platform_tables.cmake
# README.md, docs/integrate.md and docs/platforms.md each have a table of platforms. How each was tested is said in more
# words in the last one. Fails if the platforms, compilers or paths differ.
cmake_minimum_required(VERSION 3.22)

# read_rows(<file> <variable>): the rows without their last column.
function(read_rows file result)
  file(READ ${ROOT}/${file} page)
  string(REPLACE ";" "," page "${page}")
  string(REPLACE "[" "(" page "${page}")
  string(REPLACE "]" ")" page "${page}")
  string(REPLACE "\n" ";" lines "${page}")
  set(rows "")
  set(inside OFF)
  foreach(line IN LISTS lines)
    if(line MATCHES "^\\| platform \\| compiler \\| path \\|")
      set(inside ON)
    elseif(inside AND NOT line MATCHES "^\\|")
      break()
    elseif(inside AND line MATCHES "^(\\| [^|]+\\| [^|]+\\| [^|]+\\|) [^|]+\\|$")
      list(APPEND rows "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(${result} "${rows}" PARENT_SCOPE)
endfunction()

read_rows(docs/platforms.md expected)
list(LENGTH expected count)
if(count LESS 5)
  message(FATAL_ERROR "docs/platforms.md has a table of ${count} platforms.")
endif()
foreach(file IN ITEMS README.md docs/integrate.md)
  read_rows(${file} rows)
  foreach(row IN LISTS expected rows)
    if(NOT row IN_LIST rows)
      message(SEND_ERROR "${file} lacks this row of docs/platforms.md: ${row}")
    elseif(NOT row IN_LIST expected)
      message(SEND_ERROR "docs/platforms.md lacks this row of ${file}: ${row}")
    endif()
  endforeach()
endforeach()
