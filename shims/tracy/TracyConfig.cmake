# SPDX-License-Identifier: MIT
#
# find_package(Tracy) with Tracy_DIR set to this folder: Tracy::TracyClient is Flamelet's shim.
include(CMakeFindDependencyMacro)
get_filename_component(flamelet_DIR ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
find_dependency(flamelet CONFIG COMPONENTS tracy_shim)
