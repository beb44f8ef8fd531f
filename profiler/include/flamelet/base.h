// SPDX-License-Identifier: MIT
//
// flamelet/base.h: the types that every other header needs.
//
// Threads:   nothing here has state.
// Lifetime:  a flamelet_string lives as long as the object that returned it (a recorder, a capture).
// Errors:    set-up, files and captures return a flamelet_result. Recording calls return no error; they count what they
//            drop (flamelet_stats in recorder.h).
// Objects:   flamelet_X_config_default() makes a config, flamelet_X_memory_required() gives the object's size,
//            flamelet_X_create() makes the object, flamelet_X_destroy() ends it (NULL is fine). Exceptions: the recorder
//            has flamelet_init() and flamelet_shutdown(), because a process has one; objects in the caller's memory
//            (trees, statistics, explain) have no destroy; statistics have one limit, an argument, instead of a config;
//            fibers, tracks, sites and call threads have no config, and 0 or NULL instead of an error; a capture
//            builder's size depends on its lanes.
// Arguments: the object or what it is made from (a config, options), then what it works on (memory, a path, a source, a
//            window), then where the answer goes (a sink, a pointer to the result, a report).
#ifndef FLAMELET_BASE_H
#define FLAMELET_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLAMELET_VERSION_MAJOR 0
#define FLAMELET_VERSION_MINOR 1
#define FLAMELET_VERSION_PATCH 0

// FLAMELET_API marks what a shared library exports. Define FLAMELET_DLL when you link against a DLL of Flamelet.
#ifdef FLAMELET_DLL
#ifdef FLAMELET_BUILDING
#define FLAMELET_API __declspec(dllexport)
#else
#define FLAMELET_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define FLAMELET_API __attribute__((visibility("default")))
#else
#define FLAMELET_API
#endif

// Each function that a header defines has this. -finstrument-functions then calls no hook for it: the hook would record in
// the middle of an event.
#if defined(__GNUC__)
#define FLAMELET_NOT_INSTRUMENTED_ __attribute__((no_instrument_function))
#else
#define FLAMELET_NOT_INSTRUMENTED_
#endif

// Behind the name of an enum that functions take: from C++, too, any 32 bits may be passed as one. Functions refuse a number that has no name, as they
// say: nothing happens, or the result is that of an argument that is wrong.
#ifdef __cplusplus
#define FLAMELET_ANY_ENUM_ : uint32_t
#else
#define FLAMELET_ANY_ENUM_
#endif

#ifdef __cplusplus
#define FLAMELET_EXTERN_C_BEGIN extern "C" {
#define FLAMELET_EXTERN_C_END }
#else
#define FLAMELET_EXTERN_C_BEGIN
#define FLAMELET_EXTERN_C_END
#endif

FLAMELET_EXTERN_C_BEGIN

// The result of calls that can fail. 0 is success, so `if (flamelet_init(&config))` means "if it failed".
// flamelet_result_message() returns a sentence that a user can act on.
typedef enum flamelet_result {
  FLAMELET_OK = 0,
  FLAMELET_ERROR_INVALID_ARGUMENT,     // a NULL, a config that was not made by its *_default(), a value out of range
  FLAMELET_ERROR_BUDGET_TOO_SMALL,     // the budget cannot hold the tables; *_memory_required() says the least
  FLAMELET_ERROR_OUT_OF_MEMORY,        // the allocator returned NULL
  FLAMELET_ERROR_ALREADY_INITIALIZED,  // init without a shutdown before it
  FLAMELET_ERROR_NOT_INITIALIZED,      // the recorder is not running
  FLAMELET_ERROR_THREADS_RUNNING,      // shutdown found a thread inside the recorder; the memory is kept, call again
  FLAMELET_ERROR_LIMIT,                // a fixed table (tracks, fibers) is full
  FLAMELET_ERROR_BUSY,                 // another thread is inside the same call
  FLAMELET_ERROR_NO_GPU_TIMESTAMPS,    // this graphics context cannot time its work (gpu_opengl.h)
  FLAMELET_ERROR_FILE_OPEN,            // a file could not be opened; errno says why
  FLAMELET_ERROR_FILE_WRITE,           // a file could not be written: the disk is full, for example
  FLAMELET_ERROR_FILE_READ,            // a file could not be read to its end; errno says why
  FLAMELET_ERROR_FILE_FORMAT,          // this is not a file of the expected kind, or of a later version
  FLAMELET_ERROR_NOT_SUPPORTED,        // this platform cannot do it
  FLAMELET_ERROR_CATEGORY_LIST,        // a list of categories, or FLAMELET_CATEGORIES, is not "-physics,+audio"
  FLAMELET_ERROR_BUFFER_TOO_SMALL,     // not everything fits into the caller's array
  FLAMELET_ERROR_CHANGED,              // the capture was updated while it was read in pieces: start again
  FLAMELET_RESULT_IS_INT_ = INT32_MIN  // never returned: makes the type a signed int with every compiler
} flamelet_result;

// A sentence for a result, in static storage. Never NULL. Any number is accepted, because a newer library may return
// one that this enum lacks.
FLAMELET_API const char* flamelet_result_message(int result);

// Text with its length: any bytes, even zeros.
// `text[size]` is always 0, so text without zeros inside is a C string.
// In a string that Flamelet returns, `text` is never NULL.
typedef struct flamelet_string {
  const char* text;
  size_t size;
} flamelet_string;

// The engine's memory. `allocate` returns memory aligned to `alignment` (a power of two) or NULL. `free` gets the same
// size and alignment. Neither may throw. Both NULL = the C library's aligned allocation. Only functions that say so
// call them.
typedef struct flamelet_allocator {
  void* (*allocate)(void* user, size_t size, size_t alignment);
  void (*free)(void* user, void* memory, size_t size, size_t alignment);
  void* user;
} flamelet_allocator;

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_BASE_H
