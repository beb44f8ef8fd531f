/* SPDX-License-Identifier: MIT */
/* */
/* The stand-in for Remotery.h: counts each call. Only what the program uses. Numbers of properties are doubles here. */
#ifndef REMOTERY_STAND_IN_H
#define REMOTERY_STAND_IN_H
#include <stdio.h>
#include <string.h>

#include "counting.h"

typedef unsigned int rmtBool;
typedef unsigned long long rmtU64;
enum { RMT_FALSE, RMT_TRUE };
enum { RMTSF_None, RMTSF_Aggregate, RMTSF_Recursive, RMTSF_Root, RMTSF_SendOnClose };
enum { RMT_ERROR_NONE };
enum { RMT_PropertyFlags_NoFlags, RMT_PropertyFlags_FrameReset };
typedef struct {
  int port;
} rmtSettings;
typedef struct Remotery Remotery;
typedef struct {
  int nothing;
} rmtD3D12Bind;
typedef struct {
  int nothing;
} rmtVulkanFunctions;
typedef struct {
  int nothing;
} rmtVulkanBind;
typedef struct {
  int nothing;
} rmtCUDABind;

typedef struct rmtProperty {
  int flags;
  double value, default_value;
  const char* name;
  struct rmtProperty* parent;
  struct rmtProperty* next;
  int known;
} rmtProperty;

#ifdef __cplusplus
extern "C" {
inline rmtProperty* stand_in_properties = nullptr;
}
#else
extern rmtProperty* stand_in_properties;
#endif

static inline void stand_in_change(rmtProperty* property, double value) {
  property->value = value;
  if (property->known) return;
  property->known = 1;
  property->next = stand_in_properties;
  stand_in_properties = property;
}
static inline void stand_in_path(const rmtProperty* property, char* path) {
  if (property->parent != NULL) {
    stand_in_path(property->parent, path);
    strcat(path, "/");
  }
  strcat(path, property->name);
}
static inline void stand_in_snapshot(void) {
  rmtProperty* property;
  for (property = stand_in_properties; property != NULL; property = property->next) {
    char path[256] = "";
    stand_in_path(property, path);
    counting_plot(path, property->value);
  }
}
static inline void stand_in_frame_reset(void) {
  rmtProperty* property;
  for (property = stand_in_properties; property != NULL; property = property->next)
    if (property->flags) property->value = property->default_value;
}

#define rmt_Settings() ((rmtSettings*)NULL)
#define rmt_CreateGlobalInstance(r) (*(r) = NULL, RMT_ERROR_NONE)
#define rmt_DestroyGlobalInstance(r) (void)(r)
#define rmt_SetGlobalInstance(r) (void)(r)
#define rmt_GetGlobalInstance() ((Remotery*)NULL)
#define rmt_GetLastErrorMessage() ""
#define rmt_SetCurrentThreadName(n) counting_thread(n)
#define rmt_LogText(t) counting_message("message", 0, t, strlen(t))
#define rmt_BeginCPUSample(n, f) counting_begin(#n, 1)
#define rmt_BeginCPUSampleDynamic(n, f) counting_begin(n, 1)
#define rmt_EndCPUSample() counting_end(1)
#define rmt_MarkFrame() counting_frame(NULL)
#ifdef __cplusplus
class CountedSample {
 public:
  explicit CountedSample(const char* name) { counting_begin(name, 1); }
  ~CountedSample() { counting_end(1); }
};
#define rmt_ScopedCPUSample(n, f) const CountedSample sample_##n(#n)
#define STAND_IN_END ;
#else
#define STAND_IN_END
#endif

#define STAND_IN_PROPERTY(n, v, f, d, p, ...) \
  rmtProperty n = {RMT_PropertyFlags_##f, (double)(v), (double)(v), #n, p, NULL, 0} STAND_IN_END
#define STAND_IN_GROUP(n, d, p, ...) STAND_IN_PROPERTY(n, 0, NoFlags, d, p, 0)
#define rmt_PropertyDefine_Group(...) STAND_IN_GROUP(__VA_ARGS__, NULL, 0)
#define rmt_PropertyExtern(n) extern rmtProperty n STAND_IN_END
#define rmt_PropertyReset(n) stand_in_change(&(n), (n).default_value)
#define rmt_PropertySnapshotAll() stand_in_snapshot()
#define rmt_PropertyFrameResetAll() stand_in_frame_reset()
#define rmt_PropertyDefine_Bool(...) STAND_IN_PROPERTY(__VA_ARGS__, NULL, 0)
#define rmt_PropertySet_Bool(n, v) stand_in_change(&(n), (double)(v))
#define rmt_PropertyDefine_S32(...) STAND_IN_PROPERTY(__VA_ARGS__, NULL, 0)
#define rmt_PropertySet_S32(n, v) stand_in_change(&(n), (double)(v))
#define rmt_PropertyAdd_S32(n, v) stand_in_change(&(n), (n).value + (double)(v))
#define rmt_PropertyDefine_U32(...) STAND_IN_PROPERTY(__VA_ARGS__, NULL, 0)
#define rmt_PropertySet_U32(n, v) stand_in_change(&(n), (double)(v))
#define rmt_PropertyAdd_U32(n, v) stand_in_change(&(n), (n).value + (double)(v))
#define rmt_PropertyDefine_F32(...) STAND_IN_PROPERTY(__VA_ARGS__, NULL, 0)
#define rmt_PropertySet_F32(n, v) stand_in_change(&(n), (double)(v))
#define rmt_PropertyAdd_F32(n, v) stand_in_change(&(n), (n).value + (double)(v))
#define rmt_PropertyDefine_S64(...) STAND_IN_PROPERTY(__VA_ARGS__, NULL, 0)
#define rmt_PropertySet_S64(n, v) stand_in_change(&(n), (double)(v))
#define rmt_PropertyAdd_S64(n, v) stand_in_change(&(n), (n).value + (double)(v))
#define rmt_PropertyDefine_U64(...) STAND_IN_PROPERTY(__VA_ARGS__, NULL, 0)
#define rmt_PropertySet_U64(n, v) stand_in_change(&(n), (double)(v))
#define rmt_PropertyAdd_U64(n, v) stand_in_change(&(n), (n).value + (double)(v))
#define rmt_PropertyDefine_F64(...) STAND_IN_PROPERTY(__VA_ARGS__, NULL, 0)
#define rmt_PropertySet_F64(n, v) stand_in_change(&(n), (double)(v))
#define rmt_PropertyAdd_F64(n, v) stand_in_change(&(n), (n).value + (double)(v))

#define rmt_BindOpenGL()
#define rmt_UnbindOpenGL()
#define rmt_BindD3D11(d, c)
#define rmt_UnbindD3D11()
#define rmt_BindMetal(b)
#define rmt_UnbindMetal()
#define rmt_BindD3D12(d, q, o) (*(o) = NULL, RMT_ERROR_NONE)
#define rmt_UnbindD3D12(b) (void)(b)
#define rmt_BindVulkan(i, p, d, q, f, o) (*(o) = NULL, RMT_ERROR_NONE)
#define rmt_UnbindVulkan(b) (void)(b)
#define rmt_BindCUDA(b) (void)(b)
#define rmt_BeginCUDASample(n, s) counting_begin(#n, 1)
#define rmt_EndCUDASample(s) counting_end(1)
#define rmt_ScopedCUDASample(n, s) rmt_ScopedCPUSample(n, 0)
#define rmt_BeginOpenGLSample(n) counting_begin(#n, 1)
#define rmt_BeginOpenGLSampleDynamic(n) counting_begin(n, 1)
#define rmt_EndOpenGLSample() counting_end(1)
#define rmt_ScopedOpenGLSample(n) rmt_ScopedCPUSample(n, 0)
#define rmt_BeginD3D11Sample(n) counting_begin(#n, 1)
#define rmt_BeginD3D11SampleDynamic(n) counting_begin(n, 1)
#define rmt_EndD3D11Sample() counting_end(1)
#define rmt_ScopedD3D11Sample(n) rmt_ScopedCPUSample(n, 0)
#define rmt_BeginMetalSample(n) counting_begin(#n, 1)
#define rmt_BeginMetalSampleDynamic(n) counting_begin(n, 1)
#define rmt_EndMetalSample() counting_end(1)
#define rmt_ScopedMetalSample(n) rmt_ScopedCPUSample(n, 0)
#define rmt_BeginD3D12Sample(b, l, n) counting_begin(#n, 1)
#define rmt_BeginD3D12SampleDynamic(b, l, n) counting_begin(n, 1)
#define rmt_EndD3D12Sample() counting_end(1)
#define rmt_ScopedD3D12Sample(b, l, n) rmt_ScopedCPUSample(n, 0)
#define rmt_BeginVulkanSample(b, l, n) counting_begin(#n, 1)
#define rmt_BeginVulkanSampleDynamic(b, l, n) counting_begin(n, 1)
#define rmt_EndVulkanSample() counting_end(1)
#define rmt_ScopedVulkanSample(b, l, n) rmt_ScopedCPUSample(n, 0)

#endif
