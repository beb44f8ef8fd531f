// SPDX-License-Identifier: MIT
//
// Remotery.h: Remotery's macros, recorded by Flamelet; C++17, and C from C99 on. docs/remotery.md says what becomes of each.
// With RMT_ENABLED 0, or with FLAMELET_DISABLED, every macro is nothing; those that give a value give that of no profiler.
#ifndef FLAMELET_REMOTERY_H
#define FLAMELET_REMOTERY_H

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

#include "flamelet_remotery/types.h"

#include "flamelet_remotery/macros.h"

#include "flamelet_remotery/gpu_macros.h"

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
