# SPDX-License-Identifier: MIT
#
# flamelet_doc_snippet(<page> <regex> <file> [<text> <replacement>]...)
# Writes the one code block of a page in docs/ that contains <regex> into <file>, below the current binary folder, for
# tests to include: so a test compiles what the page says. Blocks must not contain a backtick. <text> is what a test has
# to have otherwise, such as paths.
function(flamelet_doc_snippet page wanted file)
  set(path ${PROJECT_SOURCE_DIR}/docs/${page})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} text)
  if(NOT text MATCHES "```[a-z]+\n([^`]*${wanted}[^`]*)```")
    message(FATAL_ERROR "${path} has no code block with '${wanted}'.")
  endif()
  set(block "${CMAKE_MATCH_1}")
  while(ARGN)
    list(POP_FRONT ARGN from to)
    string(FIND "${block}" "${from}" found)
    if(found EQUAL -1)
      message(FATAL_ERROR "${path}: '${from}' is not in the code block with '${wanted}'.")
    endif()
    string(REPLACE "${from}" "${to}" block "${block}")
  endwhile()
  file(CONFIGURE OUTPUT ${file} CONTENT "${block}" @ONLY)
endfunction()
