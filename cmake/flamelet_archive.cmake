# SPDX-License-Identifier: MIT
#
# `cpack` in the build folder packs Flamelet, as two archives (.tar.gz, or .zip for Windows) and, where dpkg is, as two
# packages of Debian:
#   command       the flamelet command with its viewer, for machines that build nothing (package flamelet). What it links from
#                 the system must be there, too; a build for Windows needs nothing.
#   development   libraries, headers, and what find_package() and pkg-config need (package libflamelet-dev). For the same
#                 system and C++ library; the overlay is in it as sources.
# Names of components are shared with a parent project, so the second has a longer one (flamelet_install.cmake).

string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
string(TOLOWER ${CMAKE_SYSTEM_PROCESSOR} processor)
set(name ${PROJECT_VERSION}-${system}-${processor})
set(CPACK_PACKAGE_VENDOR "Flamelet")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL flamelet_development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
# Read for each generator: an archive has one folder at its top, a package of Debian begins at /usr.
file(WRITE ${PROJECT_BINARY_DIR}/flamelet_cpack.cmake
  "if(NOT CPACK_GENERATOR STREQUAL DEB)\n  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)\nendif()\n")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/flamelet_cpack.cmake)
if(FLAMELET_BUILD_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL command)
  set(pages gate inspect no-overlay perf-log slow-frames tool view)
  list(TRANSFORM pages REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/docs/\\1.md")
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libflamelet-dev COMPONENT flamelet_development)

set(CPACK_GENERATOR TGZ)
if(WIN32)
  set(CPACK_GENERATOR ZIP)
endif()
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMMAND_FILE_NAME flamelet-${name})
set(CPACK_ARCHIVE_FLAMELET_DEVELOPMENT_FILE_NAME libflamelet-${name})

find_program(FLAMELET_DPKG dpkg)
find_program(FLAMELET_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(FLAMELET_DPKG FLAMELET_SHLIBDEPS)
if(FLAMELET_DPKG AND NOT CMAKE_CROSSCOMPILING)
  list(APPEND CPACK_GENERATOR DEB)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The authors of Flamelet <flamelet@localhost>")
  set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME flamelet)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION utils)
  set(CPACK_DEBIAN_FLAMELET_DEVELOPMENT_PACKAGE_NAME libflamelet-dev)
  set(CPACK_DEBIAN_FLAMELET_DEVELOPMENT_PACKAGE_SECTION libdevel)
  # Exporters and importers.
  set(CPACK_DEBIAN_FLAMELET_DEVELOPMENT_PACKAGE_RECOMMENDS "zlib1g-dev, libsimdjson-dev")
  if(FLAMELET_SHLIBDEPS)
    set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
  endif()
endif()
include(CPack)
cpack_add_component(command DISPLAY_NAME "flamelet" DESCRIPTION "The flamelet command: reads captures of an in-game frame profiler")
cpack_add_component(flamelet_development DISPLAY_NAME "libflamelet-dev"
  DESCRIPTION "In-game frame profiler: libraries, headers, and the sources of the overlay")
