# SPDX-License-Identifier: MIT
#
# `cpack` in the build folder packs the flamelet command, with its viewer, for machines that build nothing: a .tar.gz, or a
# .zip for Windows. What the command links from the system must be there, too; a build for Windows needs nothing.

string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
string(TOLOWER ${CMAKE_SYSTEM_PROCESSOR} processor)
set(CPACK_PACKAGE_VENDOR "Flamelet")
set(CPACK_PACKAGE_FILE_NAME flamelet-${PROJECT_VERSION}-${system}-${processor})
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)
if(WIN32)
  set(CPACK_GENERATOR ZIP)
endif()
# Only the command: libraries are built by those who use them, with their own compiler.
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENTS_ALL command)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/docs/tool.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
include(CPack)
