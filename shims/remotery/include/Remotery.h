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

#if RMT_ENABLED && !defined(FLAMELET_DISABLED)
#include "flamelet_remotery/macros.h"
#include "flamelet_remotery/properties.h"
#else
#include "flamelet_remotery/no_macros.h"
#endif
#include "flamelet_remotery/gpu_macros.h"

#endif  // FLAMELET_REMOTERY_H
