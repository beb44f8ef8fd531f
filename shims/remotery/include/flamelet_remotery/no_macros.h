// SPDX-License-Identifier: MIT
//
// no_macros.h: Remotery.h where it is switched off. Included by Remotery.h alone.
#ifndef FLAMELET_REMOTERY_NO_MACROS_H
#define FLAMELET_REMOTERY_NO_MACROS_H

#include "flamelet_shim/unused.h"

static inline rmtError flamelet_remotery_done_(void) {
  return RMT_ERROR_NONE;
}

#define rmt_Settings() ((rmtSettings*)NULL)
#define rmt_CreateGlobalInstance(rmt) (FLAMELET_SHIM_UNUSED_(rmt), flamelet_remotery_done_())
#define rmt_DestroyGlobalInstance(rmt) FLAMELET_SHIM_UNUSED_(rmt)
#define rmt_SetGlobalInstance(rmt) FLAMELET_SHIM_UNUSED_(rmt)
#define rmt_GetGlobalInstance() ((Remotery*)NULL)
#define rmt_GetLastErrorMessage() ""
#define rmt_SetCurrentThreadName(name) FLAMELET_SHIM_UNUSED_(name)
#define rmt_LogText(text) FLAMELET_SHIM_UNUSED_(text)
#define rmt_BeginCPUSample(name, flags) FLAMELET_SHIM_UNUSED_(flags)
#define rmt_BeginCPUSampleDynamic(namestr, flags) FLAMELET_SHIM_UNUSED2_(namestr, flags)
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
#define FLAMELET_REMOTERY_SET_(field, name, set_value) FLAMELET_SHIM_UNUSED_(set_value)
#define FLAMELET_REMOTERY_ADD_(field, name, add_value) FLAMELET_SHIM_UNUSED_(add_value)
#define rmt_PropertyReset(name) ((void)0)
#define rmt_PropertySnapshotAll() flamelet_remotery_done_()
#define rmt_PropertyFrameResetAll() ((void)0)

#endif  // FLAMELET_REMOTERY_NO_MACROS_H
