// SPDX-License-Identifier: MIT
//
// program.cpp: a game's worth of Remotery's macros.
#include "program.h"

#include <Remotery.h>

#include <string>
#include <thread>

#include "systems.h"

rmt_PropertyDefine_Group(Game, "what the game does");
extern "C" {
rmt_PropertyExtern(Frames);
}
rmt_PropertyDefine_U64(Frames, 0, NoFlags, "frames so far");
rmt_PropertyDefine_S32(Score, 0, NoFlags, "points", &Game)  // without a semicolon
    rmt_PropertyDefine_Bool(WasUpdated, RMT_FALSE, FrameReset, "whether the game ran", &Game);
rmt_PropertyDefine_F64(Speed, 1, NoFlags, "speed");
rmt_PropertyDefine_S64(wide, 5, NoFlags, "s64");
rmt_PropertyDefine_U32(narrow, 6, FrameReset, "u32");
rmt_PropertyDefine_F32(real, 0.5f, FrameReset, "f32");
rmt_PropertyDefine_U32(NeverSet, 7, NoFlags, "not known to a snapshot");

namespace {

// Runs before main().
struct Early {
  Early() {
    rmt_SetCurrentThreadName("main");
    rmt_ScopedCPUSample(static_initializer, RMTSF_None);
  }
};
Early early;

}  // namespace

static void properties(int frame) {
  rmt_PropertySet_S32(Score, -3 * frame);
  rmt_PropertyAdd_S32(Score, 1);
  rmt_PropertySet_Bool(WasUpdated, RMT_TRUE);
  rmt_PropertySet_U64(Frames, static_cast<rmtU64>(frame) << 40);
  rmt_PropertySet_F64(Speed, 0.5 * frame);
  if (frame == 4) rmt_PropertyReset(Speed);
}

static void more_properties() {
  rmt_PropertyAdd_S64(wide, -7);
  rmt_PropertySet_U32(narrow, 8);
  rmt_PropertySet_F32(real, 9.5f);
}

static void gpu() {
  rmt_BindOpenGL();
  rmt_BeginOpenGLSample(opengl);
  rmt_BeginOpenGLSampleDynamic("opengl at run time");
  rmt_EndOpenGLSample();
  rmt_EndOpenGLSample();
  rmt_UnbindOpenGL();
  rmt_BindD3D11(nullptr, nullptr);
  rmt_BeginD3D11Sample(d3d11);
  rmt_BeginD3D11SampleDynamic("d3d11 at run time");
  rmt_EndD3D11Sample();
  { rmt_ScopedD3D11Sample(d3d11_scoped); }
  rmt_EndD3D11Sample();
  rmt_UnbindD3D11();
  rmt_BindMetal(nullptr);
  rmt_BeginMetalSample(metal);
  rmt_BeginMetalSampleDynamic("metal at run time");
  rmt_EndMetalSample();
  { rmt_ScopedMetalSample(metal_scoped); }
  rmt_EndMetalSample();
  rmt_UnbindMetal();
  rmtD3D12Bind* bind = nullptr;
  if (rmt_BindD3D12(nullptr, nullptr, &bind) == RMT_ERROR_NONE) {
    rmt_BeginD3D12Sample(bind, nullptr, d3d12);
    rmt_BeginD3D12SampleDynamic(bind, nullptr, "d3d12 at run time");
    rmt_EndD3D12Sample();
    { rmt_ScopedD3D12Sample(bind, nullptr, d3d12_scoped); }
    rmt_EndD3D12Sample();
    rmt_UnbindD3D12(bind);
  }
  rmtVulkanFunctions functions = {};
  rmtVulkanBind* vulkan = nullptr;
  if (rmt_BindVulkan(nullptr, nullptr, nullptr, nullptr, &functions, &vulkan) == RMT_ERROR_NONE) {
    rmt_BeginVulkanSample(vulkan, nullptr, vulkan_pass);
    rmt_BeginVulkanSampleDynamic(vulkan, nullptr, "vulkan at run time");
    rmt_EndVulkanSample();
    { rmt_ScopedVulkanSample(vulkan, nullptr, vulkan_scoped); }
    rmt_EndVulkanSample();
    rmt_UnbindVulkan(vulkan);
  }
  rmtCUDABind cuda = {};
  rmt_BindCUDA(&cuda);
  rmt_BeginCUDASample(kernel, nullptr);
  { rmt_ScopedCUDASample(kernel_scoped, nullptr); }
  rmt_EndCUDASample(nullptr);
}

static void worker(const char* name) {
  rmt_SetCurrentThreadName(name);
  rmt_ScopedCPUSample(work, 0);
  rmt_LogText((std::string(name) + " runs").c_str());
}

void play() {
  rmtSettings* const settings = rmt_Settings();
  if (settings != nullptr) settings->port = 0x4597;
  Remotery* remotery = nullptr;
  if (rmt_CreateGlobalInstance(&remotery) != RMT_ERROR_NONE) rmt_LogText(rmt_GetLastErrorMessage());
  rmt_SetGlobalInstance(remotery);
  if (rmt_GetGlobalInstance() != remotery) rmt_LogText("another instance");
  for (int frame = 0; frame < 5; ++frame) {
    rmt_ScopedCPUSample(frame, RMTSF_Root);
    update_systems(frame);
    update_c_systems(frame);
    properties(frame);
    more_properties();
    gpu();
    rmt_PropertySnapshotAll();
    rmt_PropertyFrameResetAll();
    rmt_MarkFrame();
  }
  std::thread(worker, "worker 1").join();
  std::thread(worker, "worker 2").join();
  rmt_DestroyGlobalInstance(remotery);
}
