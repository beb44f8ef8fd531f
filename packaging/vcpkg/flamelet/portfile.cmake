# SPDX-License-Identifier: MIT
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
  -DFLAMELET_BUILD_OVERLAY=OFF
  -DFLAMELET_BUILD_EXPORT=OFF
  -DFLAMELET_BUILD_IMPORT=OFF
  -DFLAMELET_BUILD_DEMO=OFF
  -DFLAMELET_BUILD_TOOLS=OFF
  -DFLAMELET_BUILD_TESTS=OFF
  -DFLAMELET_BUILD_BENCH=OFF
  -DFLAMELET_BUILD_SHIMS=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/flamelet)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
