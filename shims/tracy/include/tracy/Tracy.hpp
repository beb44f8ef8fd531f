// SPDX-License-Identifier: MIT
//
// tracy/Tracy.hpp: Tracy's C++ macros, recorded by Flamelet. docs/tracy.md says what becomes of each. Without
// TRACY_ENABLE every macro is nothing, and its arguments are not evaluated.
#ifndef FLAMELET_TRACY_HPP
#define FLAMELET_TRACY_HPP

#include "../common/TracyColor.hpp"
#include "../common/TracySystem.hpp"

#ifndef TracyConcat
#define TracyConcatIndirect(x, y) x##y
#define TracyConcat(x, y) TracyConcatIndirect(x, y)
#endif
// The whole signature: Flamelet shows it as Class::method.
#ifndef TracyFunction
#define TracyFunction __PRETTY_FUNCTION__
#endif
#ifndef TracyFile
#define TracyFile __FILE__
#endif
#ifndef TracyLine
#define TracyLine __LINE__
#endif

#define TracyParamTypeInt 0
#define TracyParamTypeBool 1
#define TracyParamTypeTrigger 2

#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED)
#include "../flamelet_tracy/macros.hpp"
#else
#include "../flamelet_tracy/no_macros.hpp"
#endif

#endif  // FLAMELET_TRACY_HPP
