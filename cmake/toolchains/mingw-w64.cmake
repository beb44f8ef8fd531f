# SPDX-License-Identifier: MIT
#
# Windows on x86-64 from Linux, with mingw-w64 and its POSIX threads (Debian, Ubuntu: g++-mingw-w64-x86-64-posix):
#
#   cmake -S . -B build/mingw --toolchain cmake/toolchains/mingw-w64.cmake -DFLAMELET_BUILD_OVERLAY=OFF \
#     -DFLAMELET_BUILD_EXPORT=OFF -DFLAMELET_BUILD_IMPORT=OFF -DFLAMELET_BUILD_DEMO=OFF -DFLAMELET_BUILD_TOOLS=OFF \
#     -DFLAMELET_BUILD_TESTS=OFF -DFLAMELET_BUILD_BENCH=OFF -DFLAMELET_WERROR=ON
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")  # a program that needs no library of the compiler's beside it
