// SPDX-License-Identifier: MIT
//
// Remotery.h: Remotery's macros, recorded by Flamelet; C++17, and C from C99 on. docs/remotery.md says what becomes of each.
// With RMT_ENABLED 0, or with FLAMELET_DISABLED, every macro is nothing; those that give a value give that of no profiler.
#ifndef FLAMELET_REMOTERY_H
#define FLAMELET_REMOTERY_H

#include <stddef.h>

#include "flamelet/base.h"

#ifndef RMT_ENABLED
#define RMT_ENABLED 1
#endif
#ifndef RMT_USE_CUDA
#define RMT_USE_CUDA 0
#endif
#ifndef RMT_USE_D3D11
#define RMT_USE_D3D11 0
#endif
#ifndef RMT_USE_D3D12
#define RMT_USE_D3D12 0
#endif
#ifndef RMT_USE_OPENGL
#define RMT_USE_OPENGL 0
#endif
#ifndef RMT_USE_METAL
#define RMT_USE_METAL 0
#endif
#ifndef RMT_USE_VULKAN
#define RMT_USE_VULKAN 0
#endif

// ---- Types ----------------------------------------------------------------------------------------------------------

typedef unsigned int rmtBool;
#define RMT_TRUE 1u
#define RMT_FALSE 0u
typedef unsigned char rmtU8;
typedef unsigned short rmtU16;
typedef unsigned int rmtU32;
typedef unsigned long long rmtU64;
typedef signed char rmtS8;
typedef short rmtS16;
typedef int rmtS32;
typedef long long rmtS64;
typedef float rmtF32;
typedef double rmtF64;
typedef const char* rmtPStr;

// A hash of a text, and not the one that Remotery has.
FLAMELET_NOT_INSTRUMENTED_ static inline rmtU32 _rmt_HashString32(const char* s, int len, rmtU32 seed) {
  rmtU32 hash = seed ^ 0x811c9dc5u;
  int i;
  for (i = 0; i < len; ++i) hash = (hash ^ (rmtU8)s[i]) * 0x01000193u;
  return hash;
}

typedef struct Remotery Remotery;
typedef struct Msg_SampleTree rmtSampleTree;
typedef struct Sample rmtSample;
struct rmtProperty;

// Flamelet gives the first, and RESOURCE_CREATE_FAIL where no recorder runs.
typedef enum rmtError {
  RMT_ERROR_NONE,
  RMT_ERROR_RECURSIVE_SAMPLE,
  RMT_ERROR_UNKNOWN,
  RMT_ERROR_INVALID_INPUT,
  RMT_ERROR_RESOURCE_CREATE_FAIL,
  RMT_ERROR_RESOURCE_ACCESS_FAIL,
  RMT_ERROR_TIMEOUT,
  RMT_ERROR_MALLOC_FAIL,
  RMT_ERROR_TLS_ALLOC_FAIL,
  RMT_ERROR_VIRTUAL_MEMORY_BUFFER_FAIL,
  RMT_ERROR_CREATE_THREAD_FAIL,
  RMT_ERROR_OPEN_THREAD_HANDLE_FAIL,
  RMT_ERROR_REMOTERY_NOT_CREATED
} rmtError;

// Accepted and ignored: each sample is recorded, and views add up what has one name.
typedef enum rmtSampleFlags {
  RMTSF_None = 0,
  RMTSF_Aggregate = 1,
  RMTSF_Recursive = 2,
  RMTSF_Root = 4,
  RMTSF_SendOnClose = 8
} rmtSampleFlags;

typedef void* (*rmtMallocPtr)(void* context, rmtU32 size);
typedef void* (*rmtReallocPtr)(void* context, void* pointer, rmtU32 size);
typedef void (*rmtFreePtr)(void* context, void* pointer);
typedef void (*rmtInputHandlerPtr)(const char* text, void* context);
typedef void (*rmtSampleTreeHandlerPtr)(void* context, rmtSampleTree* sample_tree);
typedef void (*rmtPropertyHandlerPtr)(void* context, struct rmtProperty* root);

// Only for programs that fill it in: no field of it is read but the handlers', which are counted and never called.
typedef struct rmtSettings {
  rmtU16 port;
  rmtBool reuse_open_port;
  rmtBool limit_connections_to_localhost;
  rmtBool enableThreadSampler;
  rmtU32 msSleepBetweenServerUpdates;
  rmtU32 messageQueueSizeInBytes;
  rmtU32 maxNbMessagesPerUpdate;
  rmtMallocPtr malloc;
  rmtReallocPtr realloc;
  rmtFreePtr free;
  void* mm_context;
  rmtInputHandlerPtr input_handler;
  rmtSampleTreeHandlerPtr sampletree_handler;
  void* sampletree_context;
  rmtPropertyHandlerPtr snapshot_callback;
  void* snapshot_context;
  void* input_handler_context;
  rmtPStr logPath;
} rmtSettings;

typedef enum rmtPropertyFlags { RMT_PropertyFlags_NoFlags = 0, RMT_PropertyFlags_FrameReset = 1 } rmtPropertyFlags;

typedef enum rmtPropertyType {
  RMT_PropertyType_rmtGroup,
  RMT_PropertyType_rmtBool,
  RMT_PropertyType_rmtS32,
  RMT_PropertyType_rmtU32,
  RMT_PropertyType_rmtF32,
  RMT_PropertyType_rmtS64,
  RMT_PropertyType_rmtU64,
  RMT_PropertyType_rmtF64
} rmtPropertyType;

typedef union rmtPropertyValue {
#ifdef __cplusplus
  FLAMELET_NOT_INSTRUMENTED_ constexpr rmtPropertyValue() : U64(0) {}
  FLAMELET_NOT_INSTRUMENTED_ static constexpr rmtPropertyValue MakeBool(rmtBool v) {
    return rmtPropertyValue(v, 0);
  }
  FLAMELET_NOT_INSTRUMENTED_ static constexpr rmtPropertyValue MakeS32(rmtS32 v) {
    return rmtPropertyValue(v);
  }
  FLAMELET_NOT_INSTRUMENTED_ static constexpr rmtPropertyValue MakeU32(rmtU32 v) {
    return rmtPropertyValue(v);
  }
  FLAMELET_NOT_INSTRUMENTED_ static constexpr rmtPropertyValue MakeF32(rmtF32 v) {
    return rmtPropertyValue(v);
  }
  FLAMELET_NOT_INSTRUMENTED_ static constexpr rmtPropertyValue MakeS64(rmtS64 v) {
    return rmtPropertyValue(v);
  }
  FLAMELET_NOT_INSTRUMENTED_ static constexpr rmtPropertyValue MakeU64(rmtU64 v) {
    return rmtPropertyValue(v);
  }
  FLAMELET_NOT_INSTRUMENTED_ static constexpr rmtPropertyValue MakeF64(rmtF64 v) {
    return rmtPropertyValue(v);
  }
#endif
  rmtBool Bool;
  rmtS32 S32;
  rmtU32 U32;
  rmtF32 F32;
  rmtS64 S64;
  rmtU64 U64;
  rmtF64 F64;
#ifdef __cplusplus
 private:
  FLAMELET_NOT_INSTRUMENTED_ constexpr rmtPropertyValue(rmtBool v, int) : Bool(v) {}
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit rmtPropertyValue(rmtS32 v) : S32(v) {}
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit rmtPropertyValue(rmtU32 v) : U32(v) {}
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit rmtPropertyValue(rmtF32 v) : F32(v) {}
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit rmtPropertyValue(rmtS64 v) : S64(v) {}
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit rmtPropertyValue(rmtU64 v) : U64(v) {}
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit rmtPropertyValue(rmtF64 v) : F64(v) {}
#endif
} rmtPropertyValue;

// ---- Macros, on and off ----

#include "flamelet_shim/unused.h"

// What macros do that FLAMELET_DISABLED alone switches off. `used`: 1, or the RMT_USE_... that they need.
#define FLAMELET_REMOTERY_OFF_(used, what) FLAMELET_REMOTERY_OFF0_(RMT_ENABLED, used, what)
#define FLAMELET_REMOTERY_OFF0_(enabled, used, what) FLAMELET_REMOTERY_OFF1_(enabled, used, what)
#define FLAMELET_REMOTERY_OFF1_(enabled, used, what) FLAMELET_REMOTERY_OFF##enabled##used##_(what)
#define FLAMELET_REMOTERY_OFF00_(what) ((void)0)
#define FLAMELET_REMOTERY_OFF01_(what) ((void)0)
#define FLAMELET_REMOTERY_OFF10_(what) ((void)0)
#define FLAMELET_REMOTERY_OFF11_(what) what

#if RMT_ENABLED && !defined(FLAMELET_DISABLED)
#include "flamelet_shim/calls.h"
#include "flamelet_shim/open_scopes.h"
#include "flamelet_shim/start.h"

FLAMELET_EXTERN_C_BEGIN
rmtSettings* flamelet_remotery_settings_(void);
rmtError flamelet_remotery_create_(Remotery** remotery);
Remotery* flamelet_remotery_instance_(void);
void flamelet_remotery_log_(rmtPStr text);
rmtError flamelet_remotery_mark_frame_(void);
FLAMELET_EXTERN_C_END

// ---- The instance: the recorder runs from the start to the exit ------------------------------------------------------

#define rmt_Settings() flamelet_remotery_settings_()
#define rmt_CreateGlobalInstance(rmt) flamelet_remotery_create_(rmt)
#define rmt_DestroyGlobalInstance(rmt) ((void)(rmt))
#define rmt_SetGlobalInstance(rmt) ((void)(rmt))
#define rmt_GetGlobalInstance() flamelet_remotery_instance_()
#define rmt_GetLastErrorMessage() flamelet_remotery_no_text_(NULL)

// ---- Samples ---------------------------------------------------------------------------------------------------------

FLAMELET_FORCE_INLINE_ void flamelet_remotery_note_flags_(rmtU32 flags) {
  if (flags != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_REMOTERY_FLAGS_);
}

// The name of a sample is a bare word.
#define FLAMELET_REMOTERY_PLACE_(variable, name, category) \
  static flamelet_site variable = {0, #name, category, __FILE__, __func__, __LINE__, 0}
#define FLAMELET_REMOTERY_BEGIN_(name, category)                                 \
  do {                                                                           \
    FLAMELET_REMOTERY_PLACE_(flamelet_remotery_place_##name, name, category);    \
    flamelet_shim_push_(flamelet_scope_begin_(&flamelet_remotery_place_##name)); \
  } while (0)

#define FLAMELET_REMOTERY_BEGIN_NAMED_(namestr)                                                           \
  do {                                                                                                    \
    static flamelet_shim_names flamelet_remotery_names_;                                                  \
    flamelet_shim_push_(                                                                                  \
        flamelet_shim_begin_named_(&flamelet_remotery_names_, namestr, __func__, __FILE__, __LINE__, 0)); \
  } while (0)

#define rmt_SetCurrentThreadName(name) flamelet_shim_thread_name(name, 0)
#define rmt_LogText(text) flamelet_remotery_log_(text)
#define rmt_BeginCPUSample(name, flags)   \
  do {                                    \
    flamelet_remotery_note_flags_(flags); \
    FLAMELET_REMOTERY_BEGIN_(name, "");   \
  } while (0)
#define rmt_BeginCPUSampleDynamic(namestr, flags) \
  do {                                            \
    flamelet_remotery_note_flags_(flags);         \
    FLAMELET_REMOTERY_BEGIN_NAMED_(namestr);      \
  } while (0)
#define _rmt_BeginCPUSample(namestr, flags, hash_cache) \
  do {                                                  \
    (void)(hash_cache);                                 \
    rmt_BeginCPUSampleDynamic(namestr, flags);          \
  } while (0)
#define rmt_EndCPUSample() flamelet_shim_pop_()
#define rmt_MarkFrame() flamelet_remotery_mark_frame_()

#ifdef __cplusplus
namespace flamelet_remotery {

// Its end names its begin. So it does not stand among the open scopes, and an rmt_EndCPUSample() does not end it.
class Sample {
 public:
  __attribute__((always_inline, no_instrument_function)) explicit Sample(flamelet_site* place,
                                                                         rmtU32 flags = 0) noexcept
      : id_(flamelet_scope_begin_(place)) {
    flamelet_remotery_note_flags_(flags);
  }
  __attribute__((always_inline, no_instrument_function)) ~Sample() noexcept { flamelet_scope_end_(id_); }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

 private:
  flamelet_id id_;
};

}  // namespace flamelet_remotery

#define FLAMELET_REMOTERY_SCOPE_(name, category, ...)                       \
  FLAMELET_REMOTERY_PLACE_(flamelet_remotery_place_##name, name, category); \
  const ::flamelet_remotery::Sample flamelet_remotery_sample_##name(__VA_ARGS__)
#define rmt_ScopedCPUSample(name, flags) FLAMELET_REMOTERY_SCOPE_(name, "", &flamelet_remotery_place_##name, flags)
#endif

// ---- Sample trees: rmtSettings.sampletree_handler would get one, and is never called ---------------------------------

typedef struct rmtSampleIterator {
  rmtSample* sample;
} rmtSampleIterator;
typedef enum rmtSampleType {
  RMT_SampleType_CPU,
  RMT_SampleType_CUDA,
  RMT_SampleType_D3D11,
  RMT_SampleType_D3D12,
  RMT_SampleType_OpenGL,
  RMT_SampleType_Metal,
  RMT_SampleType_Vulkan,
  RMT_SampleType_Count
} rmtSampleType;

FLAMELET_FORCE_INLINE_ void flamelet_remotery_no_children_(rmtSampleIterator* iterator) {
  iterator->sample = NULL;
}
FLAMELET_FORCE_INLINE_ rmtSample* flamelet_remotery_no_sample_(void) {
  return NULL;
}
FLAMELET_FORCE_INLINE_ rmtU64 flamelet_remotery_nothing_(const rmtSample* sample) {
  (void)sample;
  return 0;
}
FLAMELET_FORCE_INLINE_ const char* flamelet_remotery_no_text_(const void* of) {
  (void)of;
  return "";
}
FLAMELET_FORCE_INLINE_ void flamelet_remotery_no_colour_(rmtU8* r, rmtU8* g, rmtU8* b) {
  *r = *g = *b = 0;
}

#define rmt_IterateChildren(iterator, of) ((void)(of), flamelet_remotery_no_children_(iterator))
#define rmt_IterateNext(iterator) ((iterator)->sample != NULL)
#define rmt_SampleTreeGetThreadName(sample_tree) flamelet_remotery_no_text_(sample_tree)
#define rmt_SampleTreeGetRootSample(sample_tree) ((void)(sample_tree), flamelet_remotery_no_sample_())
#define rmt_SampleGetName(of) flamelet_remotery_no_text_(of)
#define rmt_SampleGetNameHash(of) flamelet_remotery_nothing_(of)
#define rmt_SampleGetCallCount(of) flamelet_remotery_nothing_(of)
#define rmt_SampleGetStart(of) flamelet_remotery_nothing_(of)
#define rmt_SampleGetTime(of) flamelet_remotery_nothing_(of)
#define rmt_SampleGetSelfTime(of) flamelet_remotery_nothing_(of)
#define rmt_SampleGetColour(of, r, g, b) ((void)(of), flamelet_remotery_no_colour_(r, g, b))
#define rmt_SampleGetType(of) ((void)(of), RMT_SampleType_CPU)

// ---- Properties: values that the program sets and adds to, all recorded at a snapshot as counters. A property is known
// from its first set, add or reset on. As in Remotery, a property is for one thread at a time.

typedef struct rmtProperty {
  rmtPropertyType type;
  rmtPropertyFlags flags;
  rmtPropertyValue value;
  rmtPropertyValue defaultValue;
  const char* name;
  const char* description;
  struct rmtProperty* parent;
  struct rmtProperty* next_known;
  flamelet_site* site;  // NULL: not known yet
} rmtProperty;

FLAMELET_EXTERN_C_BEGIN
void flamelet_remotery_know_(rmtProperty* property);
rmtError flamelet_remotery_snapshot_(void);
void flamelet_remotery_frame_reset_(void);
FLAMELET_EXTERN_C_END

FLAMELET_FORCE_INLINE_ void flamelet_remotery_changed_(rmtProperty* property) {
  if (property->site == NULL) flamelet_remotery_know_(property);
}

// ---- Definitions, at global scope. In C++ they end with a semicolon of their own, as Remotery's do; in C one that the
// ---- program has behind it would then be one too many.
#ifdef __cplusplus
#define FLAMELET_REMOTERY_VALUE_(field, value) rmtPropertyValue::Make##field(value)
#define FLAMELET_REMOTERY_END_ ;
#else
#define FLAMELET_REMOTERY_VALUE_(field, value) \
  { .field = value }
#define FLAMELET_REMOTERY_END_
#endif

// What stands behind the description is the parent, or nothing.
#define FLAMELET_REMOTERY_PROPERTY_(type, field, name, default_value, flag, desc, parent, ...) \
  rmtProperty name = {RMT_PropertyType_##type,                                                 \
                      RMT_PropertyFlags_##flag,                                                \
                      FLAMELET_REMOTERY_VALUE_(field, default_value),                          \
                      FLAMELET_REMOTERY_VALUE_(field, default_value),                          \
                      #name,                                                                   \
                      desc,                                                                    \
                      parent,                                                                  \
                      NULL,                                                                    \
                      NULL} FLAMELET_REMOTERY_END_
#define FLAMELET_REMOTERY_GROUP_(name, desc, parent, ...) \
  FLAMELET_REMOTERY_PROPERTY_(rmtGroup, Bool, name, 0, NoFlags, desc, parent, 0)
#define FLAMELET_REMOTERY_DEFINE_(type, field, ...) FLAMELET_REMOTERY_PROPERTY_(type, field, __VA_ARGS__, NULL, 0)

#define rmt_PropertyExtern(name) extern rmtProperty name FLAMELET_REMOTERY_END_

// ---- Changes ---------------------------------------------------------------------------------------------------------

#define FLAMELET_REMOTERY_SET_(field, name, set_value) \
  ((name).value.field = (set_value), flamelet_remotery_changed_(&(name)))
#define FLAMELET_REMOTERY_ADD_(field, name, add_value) \
  ((name).value.field += (add_value), flamelet_remotery_changed_(&(name)))

#define rmt_PropertyReset(name) ((name).value = (name).defaultValue, flamelet_remotery_changed_(&(name)))

#define rmt_PropertySnapshotAll() flamelet_remotery_snapshot_()
#define rmt_PropertyFrameResetAll() flamelet_remotery_frame_reset_()

// ---- Asked for -------------------------------------------------------------------------------------------------------

// Those that are known, one behind the other: the program has the groups.
typedef struct rmtPropertyIterator {
  rmtProperty* property;
} rmtPropertyIterator;

#define rmt_PropertyIterateChildren(iterator, of) ((void)(of), (void)((iterator)->property = NULL))
#define rmt_PropertyIterateNext(iterator) ((iterator)->property != NULL)
#define rmt_PropertyGetType(of) ((of)->type)
#define rmt_PropertyGetName(of) ((of)->name)
#define rmt_PropertyGetDescription(of) ((of)->description)
#define rmt_PropertyGetValue(of) ((of)->value)

#else

// ---- Switched off ----------------------------------------------------------------------------------------------------

static inline rmtError flamelet_remotery_done_(void) {
  return RMT_ERROR_NONE;
}

#define rmt_Settings() ((rmtSettings*)NULL)
#define rmt_CreateGlobalInstance(rmt) (FLAMELET_REMOTERY_OFF_(1, FLAMELET_SHIM_UNUSED_(rmt)), flamelet_remotery_done_())
#define rmt_DestroyGlobalInstance(rmt) FLAMELET_REMOTERY_OFF_(1, FLAMELET_SHIM_UNUSED_(rmt))
#define rmt_SetGlobalInstance(rmt) FLAMELET_REMOTERY_OFF_(1, FLAMELET_SHIM_UNUSED_(rmt))
#define rmt_GetGlobalInstance() ((Remotery*)NULL)
#define rmt_GetLastErrorMessage() ""
#define rmt_SetCurrentThreadName(name) FLAMELET_REMOTERY_OFF_(1, FLAMELET_SHIM_UNUSED_(name))
#define rmt_LogText(text) FLAMELET_REMOTERY_OFF_(1, FLAMELET_SHIM_UNUSED_(text))
#define rmt_BeginCPUSample(name, flags) FLAMELET_REMOTERY_OFF_(1, FLAMELET_SHIM_UNUSED_(flags))
#define rmt_BeginCPUSampleDynamic(namestr, flags) FLAMELET_REMOTERY_OFF_(1, FLAMELET_SHIM_UNUSED2_(namestr, flags))
#define _rmt_BeginCPUSample(namestr, flags, hash_cache) \
  FLAMELET_REMOTERY_OFF_(1, FLAMELET_SHIM_UNUSED3_(namestr, flags, hash_cache))
#define rmt_EndCPUSample() ((void)0)
#define rmt_MarkFrame() flamelet_remotery_done_()
#define rmt_ScopedCPUSample(name, flags)

// At global scope, where a semicolon of its own is one too many in C.
#ifdef __cplusplus
#define FLAMELET_REMOTERY_NOTHING_
#else
#define FLAMELET_REMOTERY_NOTHING_ struct rmtProperty
#endif
#define FLAMELET_REMOTERY_GROUP_(...) FLAMELET_REMOTERY_NOTHING_
#define FLAMELET_REMOTERY_DEFINE_(...) FLAMELET_REMOTERY_NOTHING_
#define rmt_PropertyExtern(name) FLAMELET_REMOTERY_NOTHING_
#define FLAMELET_REMOTERY_SET_(field, name, set_value) FLAMELET_REMOTERY_OFF_(1, FLAMELET_SHIM_UNUSED_(set_value))
#define FLAMELET_REMOTERY_ADD_(field, name, add_value) FLAMELET_REMOTERY_OFF_(1, FLAMELET_SHIM_UNUSED_(add_value))
#define rmt_PropertyReset(name) ((void)0)
#define rmt_PropertySnapshotAll() flamelet_remotery_done_()
#define rmt_PropertyFrameResetAll() ((void)0)

#endif

// ---- Samples on the GPU ---------------------------------------------------------------------------------------------
//
// With RMT_USE_... their scopes on the CPU are recorded, in the category "gpu", and with RMT_USE_OPENGL those on the GPU,
// too; without, they are nothing.

typedef struct rmtD3D12Bind {
  void* device;
  void* queue;
} rmtD3D12Bind;
typedef struct rmtVulkanFunctions {
  void* vkGetPhysicalDeviceProperties;
  void* vkQueueSubmit;
  void* vkQueueWaitIdle;
  void* vkCreateQueryPool;
  void* vkDestroyQueryPool;
  void* vkResetQueryPool;
  void* vkGetQueryPoolResults;
  void* vkCmdWriteTimestamp;
  void* vkCreateSemaphore;
  void* vkDestroySemaphore;
  void* vkSignalSemaphore;
  void* vkGetSemaphoreCounterValue;
  void* vkGetCalibratedTimestampsEXT;
} rmtVulkanFunctions;
typedef struct rmtVulkanBind {
  void* physical_device;
  void* device;
  void* queue;
} rmtVulkanBind;
typedef struct rmtCUDABind {
  void* context;
  void* CtxSetCurrent;
  void* CtxGetCurrent;
  void* EventCreate;
  void* EventDestroy;
  void* EventRecord;
  void* EventQuery;
  void* EventElapsedTime;
} rmtCUDABind;

#if RMT_ENABLED && !defined(FLAMELET_DISABLED)
#define FLAMELET_REMOTERY_GPU_(name)                       \
  do {                                                     \
    flamelet_shim_note_(FLAMELET_SHIM_NOTE_REMOTERY_GPU_); \
    FLAMELET_REMOTERY_BEGIN_(name, "gpu");                 \
  } while (0)
#define FLAMELET_REMOTERY_GPU_DYNAMIC_(namestr)            \
  do {                                                     \
    flamelet_shim_note_(FLAMELET_SHIM_NOTE_REMOTERY_GPU_); \
    FLAMELET_REMOTERY_BEGIN_NAMED_(namestr);               \
  } while (0)
#define FLAMELET_REMOTERY_GPU_SCOPE_(name) FLAMELET_REMOTERY_SCOPE_(name, "gpu", &flamelet_remotery_place_##name)
#define FLAMELET_REMOTERY_IGNORE_GPU_() flamelet_shim_note_(FLAMELET_SHIM_NOTE_REMOTERY_GPU_)
#endif

#if RMT_USE_CUDA && RMT_ENABLED && !defined(FLAMELET_DISABLED)
#define rmt_BindCUDA(bind) ((void)(bind), FLAMELET_REMOTERY_IGNORE_GPU_())
#define rmt_BeginCUDASample(name, stream) \
  do {                                    \
    FLAMELET_SHIM_UNUSED_(stream);        \
    FLAMELET_REMOTERY_GPU_(name);         \
  } while (0)
#define rmt_EndCUDASample(stream)  \
  do {                             \
    FLAMELET_SHIM_UNUSED_(stream); \
    flamelet_shim_pop_();          \
  } while (0)
#define rmt_ScopedCUDASample(name, stream) FLAMELET_REMOTERY_GPU_SCOPE_(name)
#else
#define rmt_BindCUDA(bind) FLAMELET_REMOTERY_OFF_(RMT_USE_CUDA, FLAMELET_SHIM_UNUSED_(bind))
#define rmt_BeginCUDASample(name, stream) FLAMELET_REMOTERY_OFF_(RMT_USE_CUDA, FLAMELET_SHIM_UNUSED_(stream))
#define rmt_EndCUDASample(stream) FLAMELET_REMOTERY_OFF_(RMT_USE_CUDA, FLAMELET_SHIM_UNUSED_(stream))
#define rmt_ScopedCUDASample(name, stream) FLAMELET_REMOTERY_OFF_(RMT_USE_CUDA, FLAMELET_SHIM_UNUSED_(stream))
#endif

#if RMT_USE_OPENGL && RMT_ENABLED && !defined(FLAMELET_DISABLED)
FLAMELET_EXTERN_C_BEGIN
void flamelet_remotery_bind_opengl_(void);
void flamelet_remotery_unbind_opengl_(void);
// The half on the GPU of a scope that has begun.
void flamelet_remotery_opengl_begin_(flamelet_id id, const char* name);
void flamelet_remotery_opengl_end_(flamelet_id id);  // and the scope itself
FLAMELET_EXTERN_C_END

#define rmt_BindOpenGL() flamelet_remotery_bind_opengl_()
#define rmt_UnbindOpenGL() flamelet_remotery_unbind_opengl_()
#define rmt_BeginOpenGLSample(name)                                     \
  do {                                                                  \
    FLAMELET_REMOTERY_BEGIN_(name, "gpu");                              \
    flamelet_remotery_opengl_begin_(flamelet_shim_innermost_(), #name); \
  } while (0)
#define rmt_BeginOpenGLSampleDynamic(namestr)                                             \
  do {                                                                                    \
    const char* const flamelet_remotery_name_ = (namestr);                                \
    FLAMELET_REMOTERY_BEGIN_NAMED_(flamelet_remotery_name_);                              \
    flamelet_remotery_opengl_begin_(flamelet_shim_innermost_(), flamelet_remotery_name_); \
  } while (0)
#define rmt_EndOpenGLSample() flamelet_remotery_opengl_end_(flamelet_shim_take_())
#ifdef __cplusplus
namespace flamelet_remotery {

class OpenGlSample {
 public:
  FLAMELET_NOT_INSTRUMENTED_ explicit OpenGlSample(flamelet_site* place) noexcept : id_(flamelet_scope_begin_(place)) {
    flamelet_remotery_opengl_begin_(id_, place->name);
  }
  FLAMELET_NOT_INSTRUMENTED_ ~OpenGlSample() noexcept { flamelet_remotery_opengl_end_(id_); }
  OpenGlSample(const OpenGlSample&) = delete;
  OpenGlSample& operator=(const OpenGlSample&) = delete;

 private:
  flamelet_id id_;
};

}  // namespace flamelet_remotery
#define rmt_ScopedOpenGLSample(name)                                     \
  FLAMELET_REMOTERY_PLACE_(flamelet_remotery_place_##name, name, "gpu"); \
  const ::flamelet_remotery::OpenGlSample flamelet_remotery_sample_##name(&flamelet_remotery_place_##name)
#endif
#else
#define rmt_BindOpenGL() ((void)0)
#define rmt_UnbindOpenGL() ((void)0)
#define rmt_BeginOpenGLSample(name) ((void)0)
#define rmt_BeginOpenGLSampleDynamic(namestr) FLAMELET_REMOTERY_OFF_(RMT_USE_OPENGL, FLAMELET_SHIM_UNUSED_(namestr))
#define rmt_EndOpenGLSample() ((void)0)
#define rmt_ScopedOpenGLSample(name)
#endif

#if RMT_USE_D3D11 && RMT_ENABLED && !defined(FLAMELET_DISABLED)
#define rmt_BindD3D11(device, context) ((void)(device), (void)(context), FLAMELET_REMOTERY_IGNORE_GPU_())
#define rmt_UnbindD3D11() ((void)0)
#define rmt_BeginD3D11Sample(name) FLAMELET_REMOTERY_GPU_(name)
#define rmt_BeginD3D11SampleDynamic(namestr) FLAMELET_REMOTERY_GPU_DYNAMIC_(namestr)
#define rmt_EndD3D11Sample() flamelet_shim_pop_()
#define rmt_ScopedD3D11Sample(name) FLAMELET_REMOTERY_GPU_SCOPE_(name)
#else
#define rmt_BindD3D11(device, context) FLAMELET_REMOTERY_OFF_(RMT_USE_D3D11, FLAMELET_SHIM_UNUSED2_(device, context))
#define rmt_UnbindD3D11() ((void)0)
#define rmt_BeginD3D11Sample(name) ((void)0)
#define rmt_BeginD3D11SampleDynamic(namestr) FLAMELET_REMOTERY_OFF_(RMT_USE_D3D11, FLAMELET_SHIM_UNUSED_(namestr))
#define rmt_EndD3D11Sample() ((void)0)
#define rmt_ScopedD3D11Sample(name)
#endif

#if RMT_USE_D3D12 && RMT_ENABLED && !defined(FLAMELET_DISABLED)
#define rmt_BindD3D12(device, queue, out_bind) \
  ((void)(device), (void)(queue), (void)(*(out_bind) = NULL), FLAMELET_REMOTERY_IGNORE_GPU_(), RMT_ERROR_NONE)
#define rmt_UnbindD3D12(bind) ((void)(bind))
#define rmt_BeginD3D12Sample(bind, command_list, name) FLAMELET_REMOTERY_GPU_(name)
#define rmt_BeginD3D12SampleDynamic(bind, command_list, namestr) FLAMELET_REMOTERY_GPU_DYNAMIC_(namestr)
#define rmt_EndD3D12Sample() flamelet_shim_pop_()
#define rmt_ScopedD3D12Sample(bind, command_list, name) FLAMELET_REMOTERY_GPU_SCOPE_(name)
#else
#define rmt_BindD3D12(device, queue, out_bind) \
  (FLAMELET_REMOTERY_OFF_(RMT_USE_D3D12, FLAMELET_SHIM_UNUSED3_(device, queue, out_bind)), RMT_ERROR_NONE)
#define rmt_UnbindD3D12(bind) FLAMELET_REMOTERY_OFF_(RMT_USE_D3D12, FLAMELET_SHIM_UNUSED_(bind))
#define rmt_BeginD3D12Sample(bind, command_list, name) \
  FLAMELET_REMOTERY_OFF_(RMT_USE_D3D12, FLAMELET_SHIM_UNUSED2_(bind, command_list))
#define rmt_BeginD3D12SampleDynamic(bind, command_list, namestr) \
  FLAMELET_REMOTERY_OFF_(RMT_USE_D3D12, FLAMELET_SHIM_UNUSED3_(bind, command_list, namestr))
#define rmt_EndD3D12Sample() ((void)0)
#define rmt_ScopedD3D12Sample(bind, command_list, name) \
  FLAMELET_REMOTERY_OFF_(RMT_USE_D3D12, FLAMELET_SHIM_UNUSED2_(bind, command_list))
#endif

#if RMT_USE_METAL && RMT_ENABLED && !defined(FLAMELET_DISABLED)
#define rmt_BindMetal(command_buffer) ((void)(command_buffer), FLAMELET_REMOTERY_IGNORE_GPU_())
#define rmt_UnbindMetal() ((void)0)
#define rmt_BeginMetalSample(name) FLAMELET_REMOTERY_GPU_(name)
#define rmt_BeginMetalSampleDynamic(namestr) FLAMELET_REMOTERY_GPU_DYNAMIC_(namestr)
#define rmt_EndMetalSample() flamelet_shim_pop_()
#define rmt_ScopedMetalSample(name) FLAMELET_REMOTERY_GPU_SCOPE_(name)
#else
#define rmt_BindMetal(command_buffer) FLAMELET_REMOTERY_OFF_(RMT_USE_METAL, FLAMELET_SHIM_UNUSED_(command_buffer))
#define rmt_UnbindMetal() ((void)0)
#define rmt_BeginMetalSample(name) ((void)0)
#define rmt_BeginMetalSampleDynamic(namestr) FLAMELET_REMOTERY_OFF_(RMT_USE_METAL, FLAMELET_SHIM_UNUSED_(namestr))
#define rmt_EndMetalSample() ((void)0)
#define rmt_ScopedMetalSample(name)
#endif

#if RMT_USE_VULKAN && RMT_ENABLED && !defined(FLAMELET_DISABLED)
#define rmt_BindVulkan(instance, physical_device, device, queue, funcs, out_bind)           \
  ((void)(instance), (void)(physical_device), (void)(device), (void)(queue), (void)(funcs), \
   (void)(*(out_bind) = NULL), FLAMELET_REMOTERY_IGNORE_GPU_(), RMT_ERROR_NONE)
#define rmt_UnbindVulkan(bind) ((void)(bind))
#define rmt_BeginVulkanSample(bind, command_buffer, name) FLAMELET_REMOTERY_GPU_(name)
#define rmt_BeginVulkanSampleDynamic(bind, command_buffer, namestr) FLAMELET_REMOTERY_GPU_DYNAMIC_(namestr)
#define rmt_EndVulkanSample() flamelet_shim_pop_()
#define rmt_ScopedVulkanSample(bind, command_buffer, name) FLAMELET_REMOTERY_GPU_SCOPE_(name)
#else
#define rmt_BindVulkan(instance, physical_device, device, queue, funcs, out_bind)                     \
  (FLAMELET_REMOTERY_OFF_(RMT_USE_VULKAN, FLAMELET_SHIM_UNUSED3_(instance, physical_device, device)), \
   FLAMELET_REMOTERY_OFF_(RMT_USE_VULKAN, FLAMELET_SHIM_UNUSED3_(queue, funcs, out_bind)), RMT_ERROR_NONE)
#define rmt_UnbindVulkan(bind) FLAMELET_REMOTERY_OFF_(RMT_USE_VULKAN, FLAMELET_SHIM_UNUSED_(bind))
#define rmt_BeginVulkanSample(bind, command_buffer, name) \
  FLAMELET_REMOTERY_OFF_(RMT_USE_VULKAN, FLAMELET_SHIM_UNUSED2_(bind, command_buffer))
#define rmt_BeginVulkanSampleDynamic(bind, command_buffer, namestr) \
  FLAMELET_REMOTERY_OFF_(RMT_USE_VULKAN, FLAMELET_SHIM_UNUSED3_(bind, command_buffer, namestr))
#define rmt_EndVulkanSample() ((void)0)
#define rmt_ScopedVulkanSample(bind, command_buffer, name) \
  FLAMELET_REMOTERY_OFF_(RMT_USE_VULKAN, FLAMELET_SHIM_UNUSED2_(bind, command_buffer))
#endif

// ---- Properties, on or off -------------------------------------------------------------------------------------------

#define rmt_PropertyDefine_Group(...) FLAMELET_REMOTERY_GROUP_(__VA_ARGS__, NULL, 0)
#define rmt_PropertyDefine_Bool(...) FLAMELET_REMOTERY_DEFINE_(rmtBool, Bool, __VA_ARGS__)
#define rmt_PropertyDefine_S32(...) FLAMELET_REMOTERY_DEFINE_(rmtS32, S32, __VA_ARGS__)
#define rmt_PropertyDefine_U32(...) FLAMELET_REMOTERY_DEFINE_(rmtU32, U32, __VA_ARGS__)
#define rmt_PropertyDefine_F32(...) FLAMELET_REMOTERY_DEFINE_(rmtF32, F32, __VA_ARGS__)
#define rmt_PropertyDefine_S64(...) FLAMELET_REMOTERY_DEFINE_(rmtS64, S64, __VA_ARGS__)
#define rmt_PropertyDefine_U64(...) FLAMELET_REMOTERY_DEFINE_(rmtU64, U64, __VA_ARGS__)
#define rmt_PropertyDefine_F64(...) FLAMELET_REMOTERY_DEFINE_(rmtF64, F64, __VA_ARGS__)

#define rmt_PropertySet_Bool(name, set_value) FLAMELET_REMOTERY_SET_(Bool, name, set_value)
#define rmt_PropertySet_S32(name, set_value) FLAMELET_REMOTERY_SET_(S32, name, set_value)
#define rmt_PropertySet_U32(name, set_value) FLAMELET_REMOTERY_SET_(U32, name, set_value)
#define rmt_PropertySet_F32(name, set_value) FLAMELET_REMOTERY_SET_(F32, name, set_value)
#define rmt_PropertySet_S64(name, set_value) FLAMELET_REMOTERY_SET_(S64, name, set_value)
#define rmt_PropertySet_U64(name, set_value) FLAMELET_REMOTERY_SET_(U64, name, set_value)
#define rmt_PropertySet_F64(name, set_value) FLAMELET_REMOTERY_SET_(F64, name, set_value)
#define rmt_PropertyAdd_S32(name, add_value) FLAMELET_REMOTERY_ADD_(S32, name, add_value)
#define rmt_PropertyAdd_U32(name, add_value) FLAMELET_REMOTERY_ADD_(U32, name, add_value)
#define rmt_PropertyAdd_F32(name, add_value) FLAMELET_REMOTERY_ADD_(F32, name, add_value)
#define rmt_PropertyAdd_S64(name, add_value) FLAMELET_REMOTERY_ADD_(S64, name, add_value)
#define rmt_PropertyAdd_U64(name, add_value) FLAMELET_REMOTERY_ADD_(U64, name, add_value)
#define rmt_PropertyAdd_F64(name, add_value) FLAMELET_REMOTERY_ADD_(F64, name, add_value)

#endif  // FLAMELET_REMOTERY_H
