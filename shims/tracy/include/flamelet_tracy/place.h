// SPDX-License-Identifier: MIT
//
// flamelet_tracy/place.h: what the macros say of their place. A program may say it otherwise.
#ifndef FLAMELET_TRACY_PLACE_H
#define FLAMELET_TRACY_PLACE_H

#ifndef TracyConcat
#define TracyConcatIndirect(x, y) x##y
#define TracyConcat(x, y) TracyConcatIndirect(x, y)
#endif
#ifndef TracyFunction
#ifdef __cplusplus  // the whole signature: Flamelet shows it as Class::method
#define TracyFunction __PRETTY_FUNCTION__
#else
#define TracyFunction __func__
#endif
#endif
#ifndef TracyFile
#define TracyFile __FILE__
#endif
#ifndef TracyLine
#define TracyLine __LINE__
#endif

// What macros do that FLAMELET_DISABLED alone switches off.
#ifdef TRACY_ENABLE
#define FLAMELET_TRACY_OFF_(...) __VA_ARGS__
#else
#define FLAMELET_TRACY_OFF_(...)
#endif
// What macros do that are nothing where they are switched off.
#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED)
#define FLAMELET_TRACY_ON_(...) __VA_ARGS__
#else
#define FLAMELET_TRACY_ON_(...)
#endif

#endif  // FLAMELET_TRACY_PLACE_H
