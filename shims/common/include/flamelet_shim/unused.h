// SPDX-License-Identifier: MIT
//
// flamelet_shim/unused.h: what macros do with values where they are switched off: they are not evaluated, but used, so that
// no compiler warns of what a program has for the macros alone. No code comes of it. Constant names, tokens, contexts and the
// like are not even looked at, because programs declare them only where the macros are on.
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
#define FLAMELET_SHIM_UNUSED_(a) (0 ? (void)(a) : (void)0)
#define FLAMELET_SHIM_UNUSED2_(a, b) (0 ? ((void)(a), (void)(b)) : (void)0)
#define FLAMELET_SHIM_UNUSED3_(a, b, c) (0 ? ((void)(a), (void)(b), (void)(c)) : (void)0)
#endif

#endif  // FLAMELET_SHIM_UNUSED_H
