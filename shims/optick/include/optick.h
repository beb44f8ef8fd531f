// SPDX-License-Identifier: MIT
//
// optick.h: Optick's macros, recorded by Flamelet. docs/optick.md says what becomes of each. With USE_OPTICK 0, or with
// FLAMELET_DISABLED, every macro is nothing; with USE_OPTICK 0, its arguments need not exist.
#ifndef FLAMELET_OPTICK_H
#define FLAMELET_OPTICK_H

#include "flamelet_optick/api.hpp"
#include "optick.config.h"

#define OPTICK_UNUSED(x) (void)(x)
#define OPTICK_CONCAT_IMPL(x, y) x##y
#define OPTICK_CONCAT(x, y) OPTICK_CONCAT_IMPL(x, y)
#ifdef __GNUC__
#define OPTICK_FUNC __PRETTY_FUNCTION__
#else
#define OPTICK_FUNC __FUNCSIG__
#endif

#if USE_OPTICK && !defined(FLAMELET_DISABLED)
#include "flamelet_shim/start_here.h"
#define FLAMELET_OPTICK_ON_(...) __VA_ARGS__
#define FLAMELET_OPTICK_USES_(...)
#else
#include "flamelet_shim/unused.h"
#define FLAMELET_OPTICK_ON_(...)
#if USE_OPTICK
#define FLAMELET_OPTICK_USES_(...) FLAMELET_SHIM_UNUSED_(__VA_ARGS__);
#else
#define FLAMELET_OPTICK_USES_(...)
#endif
#endif

// A static place; without a name, the function's. Constant, where the name is.
#define FLAMELET_OPTICK_PLACE_(number, ...)                            \
  static flamelet_site OPTICK_CONCAT(flamelet_optick_place_, number) = \
      ::Optick::MakePlace(::Optick::EventLabel{__VA_ARGS__}, OPTICK_FUNC, __FILE__, __LINE__)
#define FLAMELET_OPTICK_EVENT_(number, ...)    \
  FLAMELET_OPTICK_PLACE_(number, __VA_ARGS__); \
  const ::Optick::Event OPTICK_CONCAT(autogen_event_, number)(&OPTICK_CONCAT(flamelet_optick_place_, number));
#define FLAMELET_OPTICK_DYNAMIC_(number, name)                                                                     \
  static flamelet_shim_names OPTICK_CONCAT(flamelet_optick_names_, number);                                        \
  const ::Optick::Event OPTICK_CONCAT(autogen_event_, number)(OPTICK_CONCAT(flamelet_optick_names_, number), name, \
                                                              OPTICK_FUNC, __FILE__, __LINE__);
#define FLAMELET_OPTICK_PUSH_(number, name)                                                     \
  {                                                                                             \
    FLAMELET_OPTICK_PLACE_(number, name);                                                       \
    flamelet_shim_push_(flamelet_scope_begin_(&OPTICK_CONCAT(flamelet_optick_place_, number))); \
  }
#define FLAMELET_OPTICK_PUSH_DYNAMIC_(number, name)                                                                   \
  {                                                                                                                   \
    static flamelet_shim_names OPTICK_CONCAT(flamelet_optick_names_, number);                                         \
    flamelet_shim_push_(flamelet_shim_begin_named_(&OPTICK_CONCAT(flamelet_optick_names_, number), name, OPTICK_FUNC, \
                                                   __FILE__, __LINE__, 0));                                           \
  }
#define FLAMELET_OPTICK_TAG_(number, name, ...)                                         \
  {                                                                                     \
    FLAMELET_OPTICK_PLACE_(number, name, ::Optick::EventLabel::kTag);                   \
    ::Optick::Tag::Attach(&OPTICK_CONCAT(flamelet_optick_place_, number), __VA_ARGS__); \
  }

// ---- Scopes: each ends with a semicolon of its own, so programs may leave theirs out --------------------------------------

#define OPTICK_EVENT(...) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_EVENT_(__COUNTER__, __VA_ARGS__))
#define OPTICK_CATEGORY(NAME, CATEGORY) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_EVENT_(__COUNTER__, NAME, CATEGORY))
#define OPTICK_EVENT_DYNAMIC(NAME) \
  FLAMELET_OPTICK_USES_(NAME) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_DYNAMIC_(__COUNTER__, NAME))
#define OPTICK_CUSTOM_EVENT(DESCRIPTION) \
  FLAMELET_OPTICK_ON_(const ::Optick::Event OPTICK_CONCAT(autogen_event_, __COUNTER__)(*(DESCRIPTION));)
#define OPTICK_PUSH(NAME) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_PUSH_(__COUNTER__, NAME))
#define OPTICK_PUSH_DYNAMIC(NAME) \
  FLAMELET_OPTICK_USES_(NAME) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_PUSH_DYNAMIC_(__COUNTER__, NAME))
#define OPTICK_POP() FLAMELET_OPTICK_ON_(::Optick::Event::Pop();)
#define OPTICK_TAG(NAME, ...) \
  FLAMELET_OPTICK_USES_(__VA_ARGS__) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_TAG_(__COUNTER__, NAME, __VA_ARGS__))

// ---- Frames and threads --------------------------------------------------------------------------------------------------

// The first argument names the thread; a second one is a FrameType.
#define OPTICK_FRAME(...) FLAMELET_OPTICK_ON_(::Optick::BeginNamedFrame(__VA_ARGS__); OPTICK_EVENT("frame"))
#define OPTICK_FRAME_EVENT(...) FLAMELET_OPTICK_ON_(::Optick::BeginFrame(__VA_ARGS__); OPTICK_EVENT("frame"))
#define OPTICK_FRAME_FLIP(...) FLAMELET_OPTICK_ON_(::Optick::BeginFrame(__VA_ARGS__);)
#define OPTICK_UPDATE() FLAMELET_OPTICK_ON_(::Optick::Update();)

#define OPTICK_THREAD(THREAD_NAME)   \
  FLAMELET_OPTICK_USES_(THREAD_NAME) \
  FLAMELET_OPTICK_ON_(const ::Optick::ThreadScope OPTICK_CONCAT(flamelet_optick_thread_, __COUNTER__)(THREAD_NAME);)
#define OPTICK_START_THREAD(THREAD_NAME) \
  FLAMELET_OPTICK_USES_(THREAD_NAME) FLAMELET_OPTICK_ON_(::Optick::RegisterThread(THREAD_NAME);)
#define OPTICK_STOP_THREAD() FLAMELET_OPTICK_ON_(::Optick::UnRegisterThread(false);)
#define OPTICK_APP(NAME) OPTICK_THREAD(NAME)

// ---- Captures ------------------------------------------------------------------------------------------------------------

#define OPTICK_START_CAPTURE(...) FLAMELET_OPTICK_ON_(::Optick::StartCapture(__VA_ARGS__);)
#define OPTICK_STOP_CAPTURE(...) FLAMELET_OPTICK_ON_(::Optick::StopCapture(__VA_ARGS__);)
#define OPTICK_SAVE_CAPTURE(...) \
  FLAMELET_OPTICK_USES_(__VA_ARGS__) FLAMELET_OPTICK_ON_(::Optick::SaveCapture(__VA_ARGS__);)
#define OPTICK_SHUTDOWN() FLAMELET_OPTICK_ON_(::Optick::Shutdown();)

// ---- Accepted, ignored and counted ----------------------------------------------------------------------------------------

#define OPTICK_STORAGE_REGISTER(STORAGE_NAME) FLAMELET_OPTICK_ON_(::Optick::RegisterStorage(STORAGE_NAME);)
#define OPTICK_STORAGE_EVENT(STORAGE, DESCRIPTION, CPU_TIMESTAMP_START, CPU_TIMESTAMP_FINISH)           \
  FLAMELET_OPTICK_USES_(CPU_TIMESTAMP_START, CPU_TIMESTAMP_FINISH)                                      \
  FLAMELET_OPTICK_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_STORAGE_, STORAGE, DESCRIPTION, \
                                              CPU_TIMESTAMP_START, CPU_TIMESTAMP_FINISH);)
#define OPTICK_STORAGE_PUSH(STORAGE, DESCRIPTION, CPU_TIMESTAMP_START) \
  FLAMELET_OPTICK_USES_(CPU_TIMESTAMP_START)                           \
  FLAMELET_OPTICK_ON_(                                                 \
      ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_STORAGE_, STORAGE, DESCRIPTION, CPU_TIMESTAMP_START);)
#define OPTICK_STORAGE_POP(STORAGE, CPU_TIMESTAMP_FINISH) \
  FLAMELET_OPTICK_USES_(CPU_TIMESTAMP_FINISH)             \
  FLAMELET_OPTICK_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_STORAGE_, STORAGE, CPU_TIMESTAMP_FINISH);)
#define OPTICK_SET_STATE_CHANGED_CALLBACK(CALLBACK) FLAMELET_OPTICK_ON_(::Optick::SetStateChangedCallback(CALLBACK);)
#define OPTICK_SET_MEMORY_ALLOCATOR(...) \
  FLAMELET_OPTICK_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_ALLOCATOR_, __VA_ARGS__);)
#define OPTICK_GPU_CONTEXT(...)      \
  FLAMELET_OPTICK_USES_(__VA_ARGS__) \
  FLAMELET_OPTICK_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_GPU_, __VA_ARGS__);)
#define OPTICK_GPU_INIT_D3D12(...) OPTICK_GPU_CONTEXT(__VA_ARGS__)
#define OPTICK_GPU_INIT_VULKAN(...) OPTICK_GPU_CONTEXT(__VA_ARGS__)
#define OPTICK_GPU_FLIP(SWAP_CHAIN) OPTICK_GPU_CONTEXT(SWAP_CHAIN)
// The half on the CPU is recorded.
#define OPTICK_GPU_EVENT(NAME) \
  FLAMELET_OPTICK_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_GPU_); OPTICK_EVENT(NAME))

#endif  // FLAMELET_OPTICK_H
