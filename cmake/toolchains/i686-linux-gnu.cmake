# SPDX-License-Identifier: MIT
#
# Linux on x86 of 32 bits from x86-64 (Debian, Ubuntu: g++-i686-linux-gnu). The programs run on the machine itself, with
# the C library of the compiler's package. The presets name CMAKE_FIND_ROOT_PATH, a folder of tests/cross_root.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_FIND_ROOT_PATH})  # where none is: this machine's packages are for another processor
set(libraries /usr/i686-linux-gnu/lib)
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-static-libstdc++ -static-libgcc -Wl,--dynamic-linker=${libraries}/ld-linux.so.2,-rpath,${libraries}")
