# SPDX-License-Identifier: MIT
#
# Install rules; also on when this is a subproject, because a parent's install(EXPORT) of a target that links
# flamelet::profiler needs it in an export set.
#
#   libraries, headers   flamelet::profiler, flamelet::events, flamelet::api, flamelet::perf, flamelet::explain, flamelet::gpu,
#                        flamelet::gpu_opengl, flamelet::gpu_vulkan, flamelet::export, flamelet::import, flamelet::adapters: find_package(flamelet); or pkg-config flamelet,
#                        flamelet_events, flamelet_api, flamelet_explain, flamelet_perf, flamelet_export, flamelet_import
#   shims                flamelet::tracy_shim, flamelet::optick_shim, flamelet::microprofile_shim,
#                        flamelet::easy_profiler_shim, flamelet::remotery_shim, each with a folder of headers;
#                        TracyConfig.cmake, for find_package(Tracy)
#   overlay              its sources: find_package(flamelet COMPONENTS overlay) compiles flamelet::overlay in the
#                        program's own build. Prebuilt, it would carry the layout of the ImGui that it was built
#                        with into a program that has another.
#                        In a parent's build it is compiled against the parent's ImGui, so there the library itself
#                        is installed.
# What these link privately (zlib, simdjson, ImGui) stays out of the export set, because a parent may have them as
# targets that it does not export. flameletConfig.cmake finds them again. $<TARGET_EXISTS> keeps them out of export(EXPORT)'s
# check, too: whoever includes what a build tree exports finds them before, and brings the ImGui of the overlay.

include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME flamelet_development)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/flamelet)
set(overlay_dir ${CMAKE_INSTALL_DATADIR}/flamelet/overlay)

# flamelet_install_library(<name> <folder>): target flamelet_<name> as flamelet::<name>, with the headers of its folder.
function(flamelet_install_library name folder)
  if(NOT TARGET flamelet_${name})
    return()
  endif()
  set_target_properties(flamelet_${name} PROPERTIES
    EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  install(TARGETS flamelet_${name} EXPORT flameletTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()
# A shared library holds what it needs of it; a static one, as the shims always are, is linked together with it. It has no
# headers for users.
set_target_properties(flamelet_platform PROPERTIES EXPORT_NAME platform)
install(TARGETS flamelet_platform EXPORT flameletTargets)
set(platform_library "")
if(NOT BUILD_SHARED_LIBS)
  set(platform_library " -lflamelet_platform")
endif()
flamelet_install_library(profiler profiler)
flamelet_install_library(events profiler/events)
flamelet_install_library(api profiler/api)
flamelet_install_library(adapters profiler/adapters)
get_property(gpu_libraries GLOBAL PROPERTY flamelet_gpu_libraries)
list(JOIN gpu_libraries ", " gpu_components)
foreach(name IN LISTS gpu_libraries)
  flamelet_install_library(${name} profiler/gpu)
endforeach()
flamelet_install_library(explain profiler/explain)
flamelet_install_library(perf profiler/perf)
if(FLAMELET_BUILD_SHIMS)
  flamelet_install_library(shim shims/common)
  # Not among the other headers: a prefix may have those of the other profiler, of the same names.
  foreach(name IN ITEMS easy_profiler microprofile optick remotery tracy)
    set_target_properties(flamelet_${name}_shim PROPERTIES EXPORT_NAME ${name}_shim)
    install(TARGETS flamelet_${name}_shim EXPORT flameletTargets)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/shims/${name}/include/
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/flamelet_${name}_shim)
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/shims/tracy/TracyConfig.cmake DESTINATION ${package_dir}/tracy)
endif()
flamelet_install_library(export profiler/export)
flamelet_install_library(import profiler/import)
if(NOT PROJECT_IS_TOP_LEVEL)
  flamelet_install_library(overlay overlay)
endif()
install(EXPORT flameletTargets NAMESPACE flamelet:: DESTINATION ${package_dir})
# The build tree is a package, too, but for the overlay. A parent exports the set itself, where it wants it: a second file
# would keep it from exporting what links these targets.
if(PROJECT_IS_TOP_LEVEL)
  export(EXPORT flameletTargets NAMESPACE flamelet:: FILE ${PROJECT_BINARY_DIR}/flameletTargets.cmake)
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/flameletConfig.cmake.in
  ${PROJECT_BINARY_DIR}/flameletConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS overlay_dir)
# Below 1.0 a minor version may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/flameletConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/flameletConfig.cmake
  ${PROJECT_BINARY_DIR}/flameletConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/flamelet_imgui.cmake
  ${PROJECT_SOURCE_DIR}/cmake/flamelet_glfw.cmake
  ${PROJECT_SOURCE_DIR}/cmake/flamelet_target_defaults.cmake
  DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/overlay/ DESTINATION ${overlay_dir})

# The pkg-config files find their prefix from where they lie, so the installed tree can be moved.
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE library_dir)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${library_dir}/pkgconfig OUTPUT_VARIABLE prefix_from_pc)
set(definitions "")
if(FLAMELET_DISABLED)
  set(definitions " -DFLAMELET_DISABLED")
endif()
# What `pkg-config --static` adds for a C linker: the hook that ends a thread's track comes from the C++ runtime.
set(cpp_runtime -lstdc++)
if(APPLE)
  set(cpp_runtime -lc++)
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/flamelet.pc.in ${PROJECT_BINARY_DIR}/flamelet.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/flamelet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# flamelet_pkg_config(<library> <what it is> <the module that it stands on> [<what static ones need>...])
function(flamelet_pkg_config library description requires)
  list(JOIN ARGN " " private_libraries)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/flamelet_library.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
flamelet_pkg_config(flamelet_events "Events that Flamelet recorded, one by one" flamelet)
flamelet_pkg_config(flamelet_api "Flamelet as a table of functions, for plug-ins" flamelet_events)
flamelet_pkg_config(flamelet_perf "PERF blocks of Flamelet, and their log" flamelet)
flamelet_pkg_config(flamelet_explain "Why a frame was slow: critical path, causes, words" flamelet)
if(TARGET flamelet_export)
  flamelet_pkg_config(flamelet_export "Flamelet's captures as traces and profiles of other tools" flamelet -lz -lm)
endif()
if(TARGET flamelet_import)
  flamelet_pkg_config(flamelet_import "Traces of other tools as Flamelet's captures" flamelet -lsimdjson -lz -lm)
endif()
