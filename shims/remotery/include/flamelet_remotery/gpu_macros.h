// SPDX-License-Identifier: MIT
//
// gpu_macros.h: Remotery's samples on the GPU. With RMT_USE_... their scopes on the CPU are recorded, in the category "gpu",
// and with RMT_USE_OPENGL those on the GPU, too; without, they are nothing.
#ifndef FLAMELET_REMOTERY_GPU_MACROS_H
#define FLAMELET_REMOTERY_GPU_MACROS_H

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

#endif  // FLAMELET_REMOTERY_GPU_MACROS_H
