// SPDX-License-Identifier: MIT
//
// Parameters that only macros use. With FLAMELET_DISABLED, none is unused; where the macros are off as the other profiler
// says, there are none.
#include <Remotery.h>

#if RMT_ENABLED
#define PARAMETERS(...) (__VA_ARGS__)
#else
#define PARAMETERS(...) (void)
#endif

rmt_PropertyDefine_S32(voices, 0, NoFlags, "voices");

void c_named PARAMETERS(const char* name, int count, void* queue);
void c_named PARAMETERS(const char* name, int count, void* queue) {
  rmt_BeginCPUSampleDynamic(name, 0);
  rmt_PropertySet_S32(voices, count);
  rmt_PropertyAdd_S32(voices, count);
  rmt_EndCPUSample();
  rmt_BeginCUDASample(sample, queue);
  rmt_EndCUDASample(queue);
}

rmtError c_started PARAMETERS(Remotery* remotery);
rmtError c_started PARAMETERS(Remotery* remotery) {
  rmtError error = rmt_CreateGlobalInstance(&remotery);
  if (rmt_CreateGlobalInstance(&remotery) != RMT_ERROR_NONE) return RMT_ERROR_UNKNOWN;
  rmt_DestroyGlobalInstance(remotery);
  return error;
}

rmtError c_bound PARAMETERS(void* device, void* queue, rmtD3D12Bind* bind, rmtVulkanBind* vulkan);
rmtError c_bound PARAMETERS(void* device, void* queue, rmtD3D12Bind* bind, rmtVulkanBind* vulkan) {
  rmtError error = rmt_BindD3D12(device, queue, &bind);
  if (error == RMT_ERROR_NONE) error = rmt_BindVulkan(device, device, device, queue, device, &vulkan);
  return error;
}

void hashed PARAMETERS(const char* name, rmtU32* hash);
void hashed PARAMETERS(const char* name, rmtU32* hash) {
  _rmt_BeginCPUSample(name, 0, hash);
  rmt_EndCPUSample();
}
rmtU32 hash_of(const char* text);
rmtU32 hash_of(const char* text) {
  return _rmt_HashString32(text, 3, 0);
}
