// SPDX-License-Identifier: MIT
//
// flamelet_shim/unused.h: what macros do with values where FLAMELET_DISABLED alone switches them off: they are not evaluated,
// but used, so that no compiler warns of what a program has for the macros alone. No code comes of it. Where the program
// switches them off as the other profiler says, values are not even looked at: as there, they need not exist. Nor are
// constant names, tokens, contexts and the like.
#ifndef FLAMELET_SHIM_UNUSED_H
#define FLAMELET_SHIM_UNUSED_H

#ifdef __cplusplus
namespace flamelet_shim {

template <class... Values>
constexpr bool use(const Values&...) noexcept {
  return true;
}

}  // namespace flamelet_shim
#define FLAMELET_SHIM_UNUSED_(...) static_cast<void>(false && ::flamelet_shim::use(__VA_ARGS__))
#define FLAMELET_SHIM_UNUSED2_(a, b) FLAMELET_SHIM_UNUSED_(a, b)
#define FLAMELET_SHIM_UNUSED3_(a, b, c) FLAMELET_SHIM_UNUSED_(a, b, c)
#else
#define FLAMELET_SHIM_UNUSED_(a) ((void)(0 ? ((void)(a), 0) : 0))
#define FLAMELET_SHIM_UNUSED2_(a, b) ((void)(0 ? ((void)(a), (void)(b), 0) : 0))
#define FLAMELET_SHIM_UNUSED3_(a, b, c) ((void)(0 ? ((void)(a), (void)(b), (void)(c), 0) : 0))
#endif

#endif  // FLAMELET_SHIM_UNUSED_H
