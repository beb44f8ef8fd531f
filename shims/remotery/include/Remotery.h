// SPDX-License-Identifier: MIT
//
// Remotery.h: Remotery's macros, recorded by Flamelet; C++17, and C from C99 on. docs/remotery.md says what becomes of each.
// With RMT_ENABLED 0, or with FLAMELET_DISABLED, every macro is nothing; those that give a value give that of no profiler.
#ifndef FLAMELET_REMOTERY_H
#define FLAMELET_REMOTERY_H

#include <stddef.h>

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
  constexpr rmtPropertyValue() : U64(0) {}
  static constexpr rmtPropertyValue MakeBool(rmtBool v) {
    return rmtPropertyValue(v, 0);
  }
  static constexpr rmtPropertyValue MakeS32(rmtS32 v) {
    return rmtPropertyValue(v);
  }
  static constexpr rmtPropertyValue MakeU32(rmtU32 v) {
    return rmtPropertyValue(v);
  }
  static constexpr rmtPropertyValue MakeF32(rmtF32 v) {
    return rmtPropertyValue(v);
  }
  static constexpr rmtPropertyValue MakeS64(rmtS64 v) {
    return rmtPropertyValue(v);
  }
  static constexpr rmtPropertyValue MakeU64(rmtU64 v) {
    return rmtPropertyValue(v);
  }
  static constexpr rmtPropertyValue MakeF64(rmtF64 v) {
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
  constexpr rmtPropertyValue(rmtBool v, int) : Bool(v) {}
  constexpr explicit rmtPropertyValue(rmtS32 v) : S32(v) {}
  constexpr explicit rmtPropertyValue(rmtU32 v) : U32(v) {}
  constexpr explicit rmtPropertyValue(rmtF32 v) : F32(v) {}
  constexpr explicit rmtPropertyValue(rmtS64 v) : S64(v) {}
  constexpr explicit rmtPropertyValue(rmtU64 v) : U64(v) {}
  constexpr explicit rmtPropertyValue(rmtF64 v) : F64(v) {}
#endif
} rmtPropertyValue;

#include "flamelet_remotery/macros.h"

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
