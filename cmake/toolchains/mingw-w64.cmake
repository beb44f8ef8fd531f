# SPDX-License-Identifier: MIT
#
# Windows on x86-64 from Linux, with mingw-w64 and its POSIX threads (Debian: tools/install_packages windows). Programs
# run with wine. Libraries are found below FLAMELET_WINDOWS_PACKAGES (tools/windows_packages), and nowhere else.
#
#   cmake --preset windows
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FLAMELET_WINDOWS_PACKAGES)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 ${FLAMELET_WINDOWS_PACKAGES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${FLAMELET_WINDOWS_PACKAGES}/lib/pkgconfig)

set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")  # programs and DLLs that need no library of the compiler's beside them
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-static")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-static")
