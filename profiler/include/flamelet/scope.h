// SPDX-License-Identifier: MIT
//
// flamelet/scope.h: the macros that mark scopes in code.
//
//   C++  FLAMELET_FUNCTION();                          this function, until it returns
//        FLAMELET_FUNCTION_OBJECT(object);             the same, for an object: text from flamelet_intern(), or NULL
//        FLAMELET_SCOPE("name");                       until the end of the enclosing braces
//        FLAMELET_SCOPE_CATEGORY("name", "category");
//        FLAMELET_SCOPE_COLOR("name", 0xRRGGBB);
//        FLAMELET_SCOPE_WAIT("name");                  the thread waits here; drawn grey
//        FLAMELET_SCOPE_OBJECT("name", object);
//        FLAMELET_SCOPE_DYNAMIC(name);                 a name known at run time; interned here, if it was not before
//        FLAMELET_SCOPE_SITE(site);                    a site made at run time (flamelet_site*); calls: site.h
//        FLAMELET_SIGNAL_GUARD();                      at the start of a signal handler that records: recorder.h
//   both FLAMELET_BEGIN(handle, "name");               declares `handle`
//        FLAMELET_BEGIN_CATEGORY(handle, "name", "category");
//        FLAMELET_BEGIN_COLOR(handle, "name", 0xRRGGBB);
//        FLAMELET_BEGIN_WAIT(handle, "name");
//        FLAMELET_BEGIN_OBJECT(handle, "name", object);
//        FLAMELET_NEXT(handle, "name");                ends its scope and begins the sibling with one timestamp
//        FLAMELET_NEXT_WAIT(handle, "name");
//        FLAMELET_END(handle);                         ends its scope
//        FLAMELET_BEGIN_FUNCTION();                    at the top of a function; then an END_FUNCTION at each return:
//        FLAMELET_BEGIN_FUNCTION_OBJECT(object);
//        FLAMELET_END_FUNCTION();
//        return FLAMELET_END_FUNCTION_VALUE(value);    ends after `value` was computed. It may have commas. C: gcc and
//                                                      clang only
//        FLAMELET_BEGIN_LOCAL(word); FLAMELET_END_LOCAL(word);   the name is a bare word
//        FLAMELET_INSTANT("name"); FLAMELET_INSTANT_OBJECT("name", object); FLAMELET_COUNTER("name", value);
//        FLAMELET_FRAME(); FLAMELET_FRAME_NAMED("physics step"); FLAMELET_THREAD_NAME("name");
//        FLAMELET_FLOW_BEGIN(id); FLAMELET_FLOW_END(id);   a flow to another thread; an integer, or a pointer
//
// Handles:   in C++, a handle is a flamelet::Scope, which ends at its closing brace at the latest. In C, it is a
//            flamelet_id; if a return skips the end, the parent's end ends the scope (counted: missing_ends).
// Threads:   any thread or fiber. A scope must end on the thread or fiber on which it began. Elsewhere, the end is
//            ignored and counted (extra_ends), and the parent's end ends the scope.
// Names:     names and categories in quotes are constants; they are copied at the first event. For other names, use
//            FLAMELET_SCOPE_DYNAMIC(), or flamelet_instant() and flamelet_counter() with flamelet_intern().
// Cost:      README.md has figures. While recording is disabled: one thread-local load, one relaxed load, a branch.
// Form:      each scope macro is one declaration without its semicolon. Two may share a line. The C++ macros without a
//            handle may be the body of an unbraced `if`. The other macros are one statement each.
// Compiled out: FLAMELET_DISABLED, defined for a translation unit, turns every macro into nothing. Arguments are
//            type-checked, but not evaluated, except the value that a function returns.
#ifndef FLAMELET_SCOPE_H
#define FLAMELET_SCOPE_H

#include "flamelet/site.h"

#define FLAMELET_CONCAT2_(a, b) a##b
#define FLAMELET_CONCAT_(a, b) FLAMELET_CONCAT2_(a, b)
#define FLAMELET_UNIQUE_(prefix) FLAMELET_CONCAT_(prefix, __COUNTER__)
#ifdef __cplusplus
#define FLAMELET_NULL_ nullptr
#define FLAMELET_FLOW_ID_(id) ::flamelet::flow_id(id)
#define FLAMELET_DOUBLE_(value) static_cast<double>(value)
#else
#define FLAMELET_NULL_ NULL
#define FLAMELET_FLOW_ID_(id) ((uint64_t)(id))  // on 32 bits, cast a pointer to uintptr_t
#define FLAMELET_DOUBLE_(value) ((double)(value))
#endif

#ifndef FLAMELET_CATEGORY
// The category of every scope in this file. Define your own before the include.
#define FLAMELET_CATEGORY ""
#endif
// The category of scopes in which a thread waits; pass it to flamelet_begin(), too. The overlay draws these scopes
// grey, and `flamelet frames` does not take them for the cause of a slow frame.
#define FLAMELET_WAIT_CATEGORY "wait"

#ifdef __cplusplus

namespace flamelet {

// The parameter of the lambdas in which macros have their sites.
struct SiteLambda {};

// What FLAMELET_FLOW_BEGIN() and FLAMELET_FLOW_END() take.
template <class Number>
FLAMELET_NOT_INSTRUMENTED_ constexpr uint64_t flow_id(Number number) noexcept {
  return static_cast<uint64_t>(number);
}
template <class Pointee>
FLAMELET_NOT_INSTRUMENTED_ uint64_t flow_id(Pointee* pointer) noexcept {
  return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer));
}

// One open scope. Not copyable; ends in its destructor.
class Scope {
 public:
  __attribute__((always_inline, no_instrument_function)) explicit Scope(flamelet_site* site) noexcept
      : id_(flamelet_scope_begin_(site)) {}
  FLAMELET_NOT_INSTRUMENTED_ Scope(flamelet_site* site, const char* name, const char* object) noexcept
      : id_(flamelet_scope_begin_with_(site, name, object)) {}
  __attribute__((always_inline, no_instrument_function)) ~Scope() noexcept { flamelet_scope_end_(id_); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // Ends now; the destructor then does nothing.
  FLAMELET_NOT_INSTRUMENTED_ void end() noexcept {
    flamelet_scope_end_(id_);
    id_ = 0;
  }
  // Ends now and begins a sibling with the same timestamp. After end(), this just begins.
  __attribute__((always_inline, no_instrument_function)) void next(flamelet_site* site) noexcept {
    id_ = flamelet_scope_next_(id_, site);
  }
  FLAMELET_NOT_INSTRUMENTED_ flamelet_id id() const noexcept { return id_; }

 private:
  flamelet_id id_;
};

// What FLAMELET_SIGNAL_GUARD() declares.
class SignalGuard {
 public:
  FLAMELET_NOT_INSTRUMENTED_ SignalGuard() noexcept { flamelet_signal_enter(); }
  FLAMELET_NOT_INSTRUMENTED_ ~SignalGuard() noexcept { flamelet_signal_leave(); }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
};

}  // namespace flamelet

// Braces make site and scope one declaration: g++'s lambda, whose function name has the arguments of templates, and which the
// library removes from it; clang++'s lambda would call the hook of -finstrument-functions.
#ifdef __clang__
#define FLAMELET_SITE_OF_(...) (__extension__({ __VA_ARGS__ static_cast<flamelet_site*>(&flamelet_site_); }))
#else
#define FLAMELET_SITE_OF_(...) \
  ([](::flamelet::SiteLambda)  \
       FLAMELET_NOT_INSTRUMENTED_ -> flamelet_site* { __VA_ARGS__ return &flamelet_site_; }(::flamelet::SiteLambda()))
#endif
// The name is constexpr, because the site is initialized once: a name that can change must not compile.
#define FLAMELET_SITE_(name, category, color)                                                                          \
  FLAMELET_SITE_OF_(static constexpr const char* flamelet_name_ = name;                                                \
                    static flamelet_site flamelet_site_ = {0, flamelet_name_, category, __FILE__, __PRETTY_FUNCTION__, \
                                                           __LINE__, color};)

#endif  // __cplusplus

#ifdef FLAMELET_DISABLED
#include "flamelet/detail/scope_disabled.h"
#else

// ---- Without a handle: C++ -------------------------------------------------------------------------------------------

#ifdef __cplusplus
#define FLAMELET_ANONYMOUS_ const ::flamelet::Scope FLAMELET_UNIQUE_(flamelet_scope_)
#define FLAMELET_SCOPE(name) FLAMELET_ANONYMOUS_(FLAMELET_SITE_(name, FLAMELET_CATEGORY, 0u))
#define FLAMELET_SCOPE_CATEGORY(name, category) FLAMELET_ANONYMOUS_(FLAMELET_SITE_(name, category, 0u))
#define FLAMELET_SCOPE_COLOR(name, color) FLAMELET_ANONYMOUS_(FLAMELET_SITE_(name, FLAMELET_CATEGORY, color))
#define FLAMELET_SCOPE_WAIT(name) FLAMELET_ANONYMOUS_(FLAMELET_SITE_(name, FLAMELET_WAIT_CATEGORY, 0u))
#define FLAMELET_SCOPE_OBJECT(name, object) \
  FLAMELET_ANONYMOUS_(FLAMELET_SITE_(name, FLAMELET_CATEGORY, 0u), nullptr, (object))
#define FLAMELET_SCOPE_DYNAMIC(name) \
  FLAMELET_ANONYMOUS_(FLAMELET_SITE_("(dynamic)", FLAMELET_CATEGORY, 0u), (name), nullptr)
#define FLAMELET_SCOPE_SITE(site) FLAMELET_ANONYMOUS_(site)
#define FLAMELET_FUNCTION() FLAMELET_SCOPE(nullptr)
#define FLAMELET_FUNCTION_OBJECT(object) FLAMELET_SCOPE_OBJECT(nullptr, object)
#define FLAMELET_SIGNAL_GUARD() const ::flamelet::SignalGuard FLAMELET_UNIQUE_(flamelet_signal_guard_)
#endif

// ---- With a handle ---------------------------------------------------------------------------------------------------

// FLAMELET_BEGIN_AT_ declares a handle, FLAMELET_NEXT_AT_ reuses it. A NULL name means the function's name.
#ifdef __cplusplus
#define FLAMELET_BEGIN_AT_(handle, name, category, color) \
  ::flamelet::Scope handle(FLAMELET_SITE_(name, category, color))
#define FLAMELET_BEGIN_WITH_(handle, name, object) \
  ::flamelet::Scope handle(FLAMELET_SITE_(name, FLAMELET_CATEGORY, 0u), nullptr, (object))
#define FLAMELET_NEXT_AT_(handle, name, category) (handle).next(FLAMELET_SITE_(name, category, 0u))
#define FLAMELET_END(handle) (handle).end()
// A static site, for macros that are statements.
#define FLAMELET_STATIC_SITE_(variable, name, category, color)           \
  static constexpr const char* FLAMELET_CONCAT_(variable, name_) = name; \
  static flamelet_site variable = {0, FLAMELET_CONCAT_(variable, name_), category, __FILE__, __func__, __LINE__, color}
#else
#define FLAMELET_STATIC_SITE_(variable, name, category, color) \
  static flamelet_site variable = {0, name, category, __FILE__, __func__, __LINE__, color}
#define FLAMELET_BEGIN_AT_(handle, name, category, color)                                 \
  FLAMELET_STATIC_SITE_(FLAMELET_CONCAT_(flamelet_site_, handle), name, category, color); \
  flamelet_id handle = flamelet_scope_begin_(&FLAMELET_CONCAT_(flamelet_site_, handle))
#define FLAMELET_BEGIN_WITH_(handle, name, object)                                              \
  FLAMELET_STATIC_SITE_(FLAMELET_CONCAT_(flamelet_site_, handle), name, FLAMELET_CATEGORY, 0u); \
  flamelet_id handle = flamelet_scope_begin_with_(&FLAMELET_CONCAT_(flamelet_site_, handle), NULL, (object))
#define FLAMELET_NEXT_AT_(handle, name, category)                    \
  do {                                                               \
    FLAMELET_STATIC_SITE_(flamelet_next_site_, name, category, 0u);  \
    (handle) = flamelet_scope_next_((handle), &flamelet_next_site_); \
  } while (0)
#define FLAMELET_END(handle) flamelet_scope_end_(handle)
#endif

#define FLAMELET_BEGIN(handle, name) FLAMELET_BEGIN_AT_(handle, name, FLAMELET_CATEGORY, 0u)
#define FLAMELET_BEGIN_CATEGORY(handle, name, category) FLAMELET_BEGIN_AT_(handle, name, category, 0u)
#define FLAMELET_BEGIN_COLOR(handle, name, color) FLAMELET_BEGIN_AT_(handle, name, FLAMELET_CATEGORY, color)
#define FLAMELET_BEGIN_WAIT(handle, name) FLAMELET_BEGIN_AT_(handle, name, FLAMELET_WAIT_CATEGORY, 0u)
#define FLAMELET_BEGIN_OBJECT(handle, name, object) FLAMELET_BEGIN_WITH_(handle, name, object)
#define FLAMELET_NEXT(handle, name) FLAMELET_NEXT_AT_(handle, name, FLAMELET_CATEGORY)
#define FLAMELET_NEXT_WAIT(handle, name) FLAMELET_NEXT_AT_(handle, name, FLAMELET_WAIT_CATEGORY)
#define FLAMELET_BEGIN_LOCAL(word) FLAMELET_BEGIN(FLAMELET_CONCAT_(flamelet_local_, word), #word)
#define FLAMELET_END_LOCAL(word) FLAMELET_END(FLAMELET_CONCAT_(flamelet_local_, word))

// ---- A function ------------------------------------------------------------------------------------------------------

#define FLAMELET_BEGIN_FUNCTION() FLAMELET_BEGIN(flamelet_function_, FLAMELET_NULL_)
#define FLAMELET_BEGIN_FUNCTION_OBJECT(object) FLAMELET_BEGIN_OBJECT(flamelet_function_, FLAMELET_NULL_, object)
#define FLAMELET_END_FUNCTION() FLAMELET_END(flamelet_function_)
#ifdef __cplusplus
// The handle's destructor comes after the value, so a reference, a null pointer constant and braces stay what they are.
#define FLAMELET_END_FUNCTION_VALUE(...) __VA_ARGS__
#elif defined(__GNUC__)
#define FLAMELET_END_AFTER_(variable, ...)              \
  __extension__({                                       \
    __extension__ __auto_type variable = (__VA_ARGS__); \
    FLAMELET_END_FUNCTION();                            \
    variable;                                           \
  })
#define FLAMELET_END_FUNCTION_VALUE(...) FLAMELET_END_AFTER_(FLAMELET_UNIQUE_(flamelet_value_), __VA_ARGS__)
#endif

// ---- Points ----------------------------------------------------------------------------------------------------------

#define FLAMELET_INSTANT(name) FLAMELET_INSTANT_OBJECT(name, FLAMELET_NULL_)
#define FLAMELET_INSTANT_OBJECT(name, object)                                   \
  do {                                                                          \
    FLAMELET_STATIC_SITE_(flamelet_instant_site_, name, FLAMELET_CATEGORY, 0u); \
    flamelet_site_instant_(&flamelet_instant_site_, (object));                  \
  } while (0)
#define FLAMELET_COUNTER(name, value)                                           \
  do {                                                                          \
    FLAMELET_STATIC_SITE_(flamelet_counter_site_, name, FLAMELET_CATEGORY, 0u); \
    flamelet_site_counter_(&flamelet_counter_site_, FLAMELET_DOUBLE_(value));   \
  } while (0)
#define FLAMELET_FRAME() flamelet_frame()
#define FLAMELET_FRAME_NAMED(name) flamelet_frame_named(name)
#define FLAMELET_THREAD_NAME(name) flamelet_set_thread_name(name)
#define FLAMELET_FLOW_BEGIN(id) flamelet_flow_begin(FLAMELET_FLOW_ID_(id))
#define FLAMELET_FLOW_END(id) flamelet_flow_end(FLAMELET_FLOW_ID_(id))

#endif  // FLAMELET_DISABLED

#endif  // FLAMELET_SCOPE_H
