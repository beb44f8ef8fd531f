// SPDX-License-Identifier: MIT
//
// flamelet/scope.h: the macros that mark scopes in code.
//
//   C++  FLAMELET_FUNCTION();                  this function, until it returns
//        FLAMELET_FUNCTION_OBJECT(object);     ... of one object: a string from flamelet_intern(), or NULL
//        FLAMELET_SCOPE("name");               until the end of the enclosing braces
//        FLAMELET_SCOPE_OBJECT("name", object);
//        FLAMELET_SCOPE_COLOR("name", 0xRRGGBB);
//        FLAMELET_SCOPE_WAIT("name");          in which the thread waits for another: drawn grey
//        FLAMELET_SCOPE_DYNAMIC(name);         a name known at run time; from flamelet_intern(), else interned here
//        FLAMELET_SCOPE_VAR(var, "name");      named, so that it can be ended early with var.end(), or go on with
//        FLAMELET_NEXT(var, "name");           ends var's scope and begins its sibling with one timestamp
//        FLAMELET_SIGNAL_GUARD();              first in a signal handler that records: flamelet_signal_enter, recorder.h
//   C    FLAMELET_BEGIN_FUNCTION();            at the top of a function, then one of the two at each way out:
//        FLAMELET_BEGIN_FUNCTION_OBJECT(object);
//        FLAMELET_END_FUNCTION();
//        FLAMELET_END_FUNCTION_RETURN(value);  ends after `value` was computed, and returns it
//        FLAMELET_BEGIN_LOCAL(tag);            a bare word
//        FLAMELET_END_LOCAL(tag);
//   both FLAMELET_INSTANT("name"); FLAMELET_INSTANT_OBJECT("name", object); FLAMELET_COUNTER("name", value);
//        FLAMELET_FRAME(); FLAMELET_THREAD_NAME("name");
// The C forms work in C++ too.
//
// Threads:   any thread or fiber. A scope ends on the thread or fiber stack that it began on; ended elsewhere, it is
//            counted as an extra end and its parent closes it.
// Names:     names in quotes are constants, and are copied at the first event. For names that change there are
//            FLAMELET_SCOPE_DYNAMIC(), and flamelet_instant() and flamelet_counter() with flamelet_intern() in recorder.h.
// Cost:      see README.md for figures. While recording is disabled: one thread-local load, one relaxed load, a branch.
// Form:      each C++ scope macro is one declaration, without a semicolon; it can stand in an unbraced `if`, and twice
//            on one line. The C forms are declarations and belong at the top of a block.
// Compiled out: define FLAMELET_DISABLED for a translation unit, and every macro becomes nothing. Arguments are still
//            type-checked, but not evaluated.
#ifndef FLAMELET_SCOPE_H
#define FLAMELET_SCOPE_H

#include "flamelet/detail/record.h"

#define FLAMELET_CONCAT2_(a, b) a##b
#define FLAMELET_CONCAT_(a, b) FLAMELET_CONCAT2_(a, b)
#define FLAMELET_UNIQUE_(prefix) FLAMELET_CONCAT_(prefix, __COUNTER__)
#ifdef __cplusplus
#define FLAMELET_NULL_ nullptr
#define FLAMELET_DOUBLE_(value) static_cast<double>(value)
#else
#define FLAMELET_NULL_ NULL
#define FLAMELET_DOUBLE_(value) ((double)(value))
#endif

#ifndef FLAMELET_CATEGORY
// The category of every scope in this file, for filters and colours. Define your own before the include.
#define FLAMELET_CATEGORY ""
#endif
// The category of scopes in which a thread waits, also of those by flamelet_begin(). The overlay draws them grey, and
// `flamelet frames` looks for the cause of a slow frame elsewhere.
#define FLAMELET_WAIT_CATEGORY "wait"

#ifdef __cplusplus

namespace flamelet {

// One open scope. Not copyable; ends in its destructor.
class Scope {
 public:
  __attribute__((always_inline)) explicit Scope(flamelet_site* site) noexcept : id_(flamelet_scope_begin_(site)) {}
  Scope(flamelet_site* site, const char* name, const char* object) noexcept
      : id_(flamelet_scope_begin_with_(site, name, object)) {}
  __attribute__((always_inline)) ~Scope() noexcept { flamelet_scope_end_(id_); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // Ends now; the destructor then does nothing.
  void end() noexcept {
    flamelet_scope_end_(id_);
    id_ = 0;
  }
  // Ends now and begins a sibling with the same timestamp. After end(), this just begins.
  __attribute__((always_inline)) void next(flamelet_site* site) noexcept { id_ = flamelet_scope_next_(id_, site); }
  flamelet_id id() const noexcept { return id_; }

 private:
  flamelet_id id_;
};

// What FLAMELET_SIGNAL_GUARD() declares.
class SignalGuard {
 public:
  SignalGuard() noexcept { flamelet_signal_enter(); }
  ~SignalGuard() noexcept { flamelet_signal_leave(); }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
};

// What every scope macro becomes under FLAMELET_DISABLED where a variable is needed.
struct NoScope {
  void end() const noexcept {}
  flamelet_id id() const noexcept { return 0; }
};

}  // namespace flamelet

// A lambda makes the site and the scope one declaration. The library cuts the lambda's own name off the function's. The
// name is constexpr because the site is initialized once: a name that can change must not compile.
#define FLAMELET_SITE_IN_(name, category, color)                                      \
  ([]() noexcept -> flamelet_site* {                                                  \
    static constexpr const char* flamelet_name_ = name;                               \
    static flamelet_site flamelet_site_ = {                                           \
        0, flamelet_name_, category, __FILE__, __PRETTY_FUNCTION__, __LINE__, color}; \
    return &flamelet_site_;                                                           \
  }())
#define FLAMELET_SITE_(name, color) FLAMELET_SITE_IN_(name, FLAMELET_CATEGORY, color)

#endif  // __cplusplus

#ifndef FLAMELET_DISABLED

#ifdef __cplusplus
#define FLAMELET_SCOPE_COLOR(name, color) \
  const ::flamelet::Scope FLAMELET_UNIQUE_(flamelet_scope_)(FLAMELET_SITE_(name, color))
#define FLAMELET_SCOPE(name) FLAMELET_SCOPE_COLOR(name, 0u)
#define FLAMELET_SCOPE_WAIT(name) \
  const ::flamelet::Scope FLAMELET_UNIQUE_(flamelet_scope_)(FLAMELET_SITE_IN_(name, FLAMELET_WAIT_CATEGORY, 0u))
#define FLAMELET_SCOPE_OBJECT(name, object) \
  const ::flamelet::Scope FLAMELET_UNIQUE_(flamelet_scope_)(FLAMELET_SITE_(name, 0u), nullptr, (object))
#define FLAMELET_SCOPE_DYNAMIC(name) \
  const ::flamelet::Scope FLAMELET_UNIQUE_(flamelet_scope_)(FLAMELET_SITE_("(dynamic)", 0u), (name), nullptr)
#define FLAMELET_FUNCTION() FLAMELET_SCOPE(nullptr)
#define FLAMELET_FUNCTION_OBJECT(object) FLAMELET_SCOPE_OBJECT(nullptr, object)
#define FLAMELET_SCOPE_VAR(variable, name) ::flamelet::Scope variable(FLAMELET_SITE_(name, 0u))
#define FLAMELET_NEXT(variable, name) (variable).next(FLAMELET_SITE_(name, 0u))
#define FLAMELET_SIGNAL_GUARD() const ::flamelet::SignalGuard FLAMELET_UNIQUE_(flamelet_signal_guard_)
#endif

// A static site for the forms that are C. name == NULL: the function's name.
#ifdef __cplusplus
#define FLAMELET_STATIC_SITE_(variable, name)                            \
  static constexpr const char* FLAMELET_CONCAT_(variable, name_) = name; \
  static flamelet_site variable = {                                      \
      0, FLAMELET_CONCAT_(variable, name_), FLAMELET_CATEGORY, __FILE__, __func__, __LINE__, 0u}
#else
#define FLAMELET_STATIC_SITE_(variable, name) \
  static flamelet_site variable = {0, name, FLAMELET_CATEGORY, __FILE__, __func__, __LINE__, 0u}
#endif

#define FLAMELET_BEGIN_FUNCTION()                                 \
  FLAMELET_STATIC_SITE_(flamelet_function_site_, FLAMELET_NULL_); \
  const flamelet_id flamelet_function_ = flamelet_scope_begin_(&flamelet_function_site_)
#define FLAMELET_BEGIN_FUNCTION_OBJECT(object)                    \
  FLAMELET_STATIC_SITE_(flamelet_function_site_, FLAMELET_NULL_); \
  const flamelet_id flamelet_function_ = flamelet_scope_begin_with_(&flamelet_function_site_, FLAMELET_NULL_, (object))
#define FLAMELET_END_FUNCTION() flamelet_scope_end_(flamelet_function_)
#if defined(__cplusplus) || defined(__GNUC__)
#ifdef __cplusplus
#define FLAMELET_AUTO_ auto
#else
#define FLAMELET_AUTO_ __extension__ __auto_type
#endif
#define FLAMELET_END_FUNCTION_RETURN(value)   \
  do {                                        \
    FLAMELET_AUTO_ flamelet_value_ = (value); \
    flamelet_scope_end_(flamelet_function_);  \
    return flamelet_value_;                   \
  } while (0)
#endif
#define FLAMELET_BEGIN_LOCAL(tag)                                     \
  FLAMELET_STATIC_SITE_(FLAMELET_CONCAT_(flamelet_site_, tag), #tag); \
  const flamelet_id FLAMELET_CONCAT_(flamelet_local_, tag) =          \
      flamelet_scope_begin_(&FLAMELET_CONCAT_(flamelet_site_, tag))
#define FLAMELET_END_LOCAL(tag) flamelet_scope_end_(FLAMELET_CONCAT_(flamelet_local_, tag))

#define FLAMELET_INSTANT(name) FLAMELET_INSTANT_OBJECT(name, FLAMELET_NULL_)
#define FLAMELET_INSTANT_OBJECT(name, object)                  \
  do {                                                         \
    FLAMELET_STATIC_SITE_(flamelet_instant_site_, name);       \
    flamelet_site_instant_(&flamelet_instant_site_, (object)); \
  } while (0)
#define FLAMELET_COUNTER(name, value)                                         \
  do {                                                                        \
    FLAMELET_STATIC_SITE_(flamelet_counter_site_, name);                      \
    flamelet_site_counter_(&flamelet_counter_site_, FLAMELET_DOUBLE_(value)); \
  } while (0)
#define FLAMELET_FRAME() flamelet_frame()
#define FLAMELET_THREAD_NAME(name) flamelet_set_thread_name(name)

#else  // FLAMELET_DISABLED

// The argument of sizeof is checked and not evaluated, and a function that is only called there leaves no code.
static inline int flamelet_check_string_(const char* text) {
  return text != FLAMELET_NULL_;
}
static inline int flamelet_check_number_(double value) {
  return value > 0;
}
#define FLAMELET_IGNORE_STRING_(text) ((void)sizeof(flamelet_check_string_(text)))
#define FLAMELET_IGNORE_NUMBER_(value) ((void)sizeof(flamelet_check_number_(FLAMELET_DOUBLE_(value))))
#ifdef __cplusplus
#define FLAMELET_SCOPE_COLOR(name, color) (FLAMELET_IGNORE_STRING_(name), FLAMELET_IGNORE_NUMBER_(color))
#define FLAMELET_SCOPE(name) FLAMELET_IGNORE_STRING_(name)
#define FLAMELET_SCOPE_WAIT(name) FLAMELET_IGNORE_STRING_(name)
#define FLAMELET_SCOPE_OBJECT(name, object) (FLAMELET_IGNORE_STRING_(name), FLAMELET_IGNORE_STRING_(object))
#define FLAMELET_SCOPE_DYNAMIC(name) FLAMELET_IGNORE_STRING_(name)
#define FLAMELET_FUNCTION() ((void)0)
#define FLAMELET_FUNCTION_OBJECT(object) FLAMELET_IGNORE_STRING_(object)
#define FLAMELET_SCOPE_VAR(variable, name) \
  [[maybe_unused]] constexpr ::flamelet::NoScope variable = (FLAMELET_IGNORE_STRING_(name), ::flamelet::NoScope())
#define FLAMELET_NEXT(variable, name) ((void)(variable), FLAMELET_IGNORE_STRING_(name))
#define FLAMELET_SIGNAL_GUARD() ((void)0)
#endif
#define FLAMELET_BEGIN_FUNCTION() ((void)0)
#define FLAMELET_BEGIN_FUNCTION_OBJECT(object) FLAMELET_IGNORE_STRING_(object)
#define FLAMELET_END_FUNCTION() ((void)0)
#define FLAMELET_END_FUNCTION_RETURN(value) return (value)
#define FLAMELET_BEGIN_LOCAL(tag) ((void)#tag)
#define FLAMELET_END_LOCAL(tag) ((void)#tag)
#define FLAMELET_INSTANT(name) FLAMELET_IGNORE_STRING_(name)
#define FLAMELET_INSTANT_OBJECT(name, object) (FLAMELET_IGNORE_STRING_(name), FLAMELET_IGNORE_STRING_(object))
#define FLAMELET_COUNTER(name, value) (FLAMELET_IGNORE_STRING_(name), FLAMELET_IGNORE_NUMBER_(value))
#define FLAMELET_FRAME() ((void)0)
#define FLAMELET_THREAD_NAME(name) FLAMELET_IGNORE_STRING_(name)

#endif

#endif  // FLAMELET_SCOPE_H
