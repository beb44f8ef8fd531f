// SPDX-License-Identifier: MIT
//
// scope_disabled.h: the macros of scope.h, compiled out. Included by scope.h alone.
//
// The argument of sizeof is checked and not evaluated, and a function that is only called there leaves no code. A handle
// stays a name, so that an end without a begin does not compile here either: in C++ an empty object, in C an enumerator.
#ifndef FLAMELET_DETAIL_SCOPE_DISABLED_H
#define FLAMELET_DETAIL_SCOPE_DISABLED_H

FLAMELET_NOT_INSTRUMENTED_ static inline int flamelet_check_string_(const char* text) {
  return text != FLAMELET_NULL_;
}
FLAMELET_NOT_INSTRUMENTED_ static inline int flamelet_check_number_(double value) {
  return value > 0;
}
FLAMELET_NOT_INSTRUMENTED_ static inline int flamelet_check_site_(const flamelet_site* site) {
  return site != FLAMELET_NULL_;
}
#define FLAMELET_SIZE_STRING_(text) sizeof(flamelet_check_string_(text))
#define FLAMELET_SIZE_NUMBER_(value) sizeof(flamelet_check_number_(FLAMELET_DOUBLE_(value)))
#define FLAMELET_SIZE_SITE_(site) sizeof(flamelet_check_site_(site))
#define FLAMELET_IGNORE_(sizes) ((void)(sizes))

#ifdef __cplusplus
namespace flamelet {
struct NoScope {
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit NoScope(size_t) noexcept {}
  FLAMELET_NOT_INSTRUMENTED_ void end() const noexcept {}
  FLAMELET_NOT_INSTRUMENTED_ flamelet_id id() const noexcept { return 0; }
};
}  // namespace flamelet
#define FLAMELET_SCOPE(name) FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name))
#define FLAMELET_SCOPE_CATEGORY(name, category) \
  FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name) + FLAMELET_SIZE_STRING_(category))
#define FLAMELET_SCOPE_COLOR(name, color) FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name) + FLAMELET_SIZE_NUMBER_(color))
#define FLAMELET_SCOPE_WAIT(name) FLAMELET_SCOPE(name)
#define FLAMELET_SCOPE_OBJECT(name, object) \
  FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name) + FLAMELET_SIZE_STRING_(object))
#define FLAMELET_SCOPE_DYNAMIC(name) FLAMELET_SCOPE(name)
#define FLAMELET_SCOPE_SITE(site) FLAMELET_IGNORE_(FLAMELET_SIZE_SITE_(site))
#define FLAMELET_FUNCTION() ((void)0)
#define FLAMELET_FUNCTION_OBJECT(object) FLAMELET_SCOPE(object)
#define FLAMELET_SIGNAL_GUARD() ((void)0)
#define FLAMELET_HANDLE_(handle, sizes) [[maybe_unused]] constexpr ::flamelet::NoScope handle(sizes)
#else
#define FLAMELET_HANDLE_(handle, sizes) enum { handle = (int)((sizes)*0) }
#endif

#define FLAMELET_BEGIN(handle, name) FLAMELET_HANDLE_(handle, FLAMELET_SIZE_STRING_(name))
#define FLAMELET_BEGIN_CATEGORY(handle, name, category) \
  FLAMELET_HANDLE_(handle, FLAMELET_SIZE_STRING_(name) + FLAMELET_SIZE_STRING_(category))
#define FLAMELET_BEGIN_COLOR(handle, name, color) \
  FLAMELET_HANDLE_(handle, FLAMELET_SIZE_STRING_(name) + FLAMELET_SIZE_NUMBER_(color))
#define FLAMELET_BEGIN_WAIT(handle, name) FLAMELET_BEGIN(handle, name)
#define FLAMELET_BEGIN_OBJECT(handle, name, object) \
  FLAMELET_HANDLE_(handle, FLAMELET_SIZE_STRING_(name) + FLAMELET_SIZE_STRING_(object))
#define FLAMELET_NEXT(handle, name) ((void)(handle), FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name)))
#define FLAMELET_NEXT_WAIT(handle, name) FLAMELET_NEXT(handle, name)
#define FLAMELET_END(handle) ((void)(handle))
#define FLAMELET_BEGIN_LOCAL(word) FLAMELET_BEGIN(FLAMELET_CONCAT_(flamelet_local_, word), #word)
#define FLAMELET_END_LOCAL(word) FLAMELET_END(FLAMELET_CONCAT_(flamelet_local_, word))

#define FLAMELET_BEGIN_FUNCTION() FLAMELET_BEGIN(flamelet_function_, FLAMELET_NULL_)
#define FLAMELET_BEGIN_FUNCTION_OBJECT(object) FLAMELET_BEGIN(flamelet_function_, object)
#define FLAMELET_END_FUNCTION() FLAMELET_END(flamelet_function_)
#ifdef __cplusplus
#define FLAMELET_END_FUNCTION_VALUE(...) __VA_ARGS__
#else
#define FLAMELET_END_FUNCTION_VALUE(...) (__VA_ARGS__)
#endif

#define FLAMELET_INSTANT(name) FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name))
#define FLAMELET_INSTANT_OBJECT(name, object) \
  FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name) + FLAMELET_SIZE_STRING_(object))
#define FLAMELET_COUNTER(name, value) FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name) + FLAMELET_SIZE_NUMBER_(value))
#define FLAMELET_FRAME() ((void)0)
#define FLAMELET_FLOW_BEGIN(id) FLAMELET_IGNORE_(sizeof(FLAMELET_FLOW_ID_(id)))
#define FLAMELET_FLOW_END(id) FLAMELET_IGNORE_(sizeof(FLAMELET_FLOW_ID_(id)))
#define FLAMELET_FRAME_NAMED(name) FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name))
#define FLAMELET_THREAD_NAME(name) FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name))

#endif  // FLAMELET_DETAIL_SCOPE_DISABLED_H
