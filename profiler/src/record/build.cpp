// SPDX-License-Identifier: MIT
#include "record/build.h"

#include <stddef.h>
#include <string.h>

#include "flamelet/detail/record.h"

#define FLAMELET_TEXT2_(x) #x
#define FLAMELET_TEXT_(x) FLAMELET_TEXT2_(x)
#define FLAMELET_NUMBERS_(a, b, c) FLAMELET_TEXT_(a) "." FLAMELET_TEXT_(b) "." FLAMELET_TEXT_(c)

#if defined(__clang__)
#define FLAMELET_COMPILER_ "clang++ " FLAMELET_NUMBERS_(__clang_major__, __clang_minor__, __clang_patchlevel__)
#elif defined(__GNUC__)
#define FLAMELET_COMPILER_ "g++ " FLAMELET_NUMBERS_(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#elif defined(_MSC_VER)
#define FLAMELET_COMPILER_ "MSVC " FLAMELET_TEXT_(_MSC_VER)
#else
#define FLAMELET_COMPILER_ "another compiler"
#endif

#if defined(__x86_64__) || defined(_M_X64)
#define FLAMELET_CPU_ "x86-64"
#elif defined(__aarch64__) || defined(_M_ARM64)
#define FLAMELET_CPU_ "ARM64"
#elif defined(__i386__) || defined(_M_IX86)
#define FLAMELET_CPU_ "x86"
#elif defined(__arm__)
#define FLAMELET_CPU_ "ARM"
#elif defined(__riscv)
#define FLAMELET_CPU_ "RISC-V"
#elif defined(__wasm__)
#define FLAMELET_CPU_ "WebAssembly"
#else
#define FLAMELET_CPU_ "another processor"
#endif

#ifdef FLAMELET_INLINE_RECORD_
#define FLAMELET_PATH_ "inlined scopes"
#else
#define FLAMELET_PATH_ "scopes by call"
#endif

#if defined(__GNUC__) && !defined(__OPTIMIZE__)
#define FLAMELET_OPTIMIZED_ "not optimized"
#else
#define FLAMELET_OPTIMIZED_ "optimized"
#endif

namespace flamelet {

BuildInfo describe_build(const char* note) {
  BuildInfo info = {};
  constexpr char kLibrary[] = "Flamelet " FLAMELET_NUMBERS_(
      FLAMELET_VERSION_MAJOR, FLAMELET_VERSION_MINOR,
      FLAMELET_VERSION_PATCH) ", " FLAMELET_COMPILER_ ", " FLAMELET_CPU_ ", " FLAMELET_PATH_ ", " FLAMELET_OPTIMIZED_;
  static_assert(sizeof kLibrary <= sizeof info.library, "it has room");
  memcpy(info.library, kLibrary, sizeof kLibrary);
  const size_t size = note == nullptr ? 0 : strnlen(note, sizeof info.note - 1);
  if (size != 0) memcpy(info.note, note, size);
  return info;
}

BuildInfo checked(const BuildInfo& info) {
  BuildInfo whole = {};
  memcpy(whole.library, info.library, strnlen(info.library, sizeof whole.library - 1));
  memcpy(whole.note, info.note, strnlen(info.note, sizeof whole.note - 1));
  return whole;
}

}  // namespace flamelet
