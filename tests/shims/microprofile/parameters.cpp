// SPDX-License-Identifier: MIT
//
// Parameters that only macros use. With FLAMELET_DISABLED, none is unused; where the macros are off as the other profiler
// says, there are none.
#include <microprofile.h>

#if MICROPROFILE_ENABLED
#define PARAMETERS(...) (__VA_ARGS__)
#else
#define PARAMETERS(...) ()
#endif

void counted PARAMETERS(int voices, double load, int64_t* total);
void counted PARAMETERS(int voices, double load, int64_t* total) {
  MICROPROFILE_SCOPEI("audio", "mix", 0);
  MICROPROFILE_COUNTER_ADD("voices", voices);
  MICROPROFILE_COUNTER_SET_DOUBLE("load", load);
  MICROPROFILE_COUNTER_SET_INT64_PTR("total", total);
}

void named PARAMETERS(const char* name, bool condition, int index);
void named PARAMETERS(const char* name, bool condition, int index) {
  MICROPROFILE_SCOPE_CSTR(name);
  MICROPROFILE_CONDITIONAL_SCOPEI(condition, "audio", "part", 0);
  MICROPROFILE_TIMELINE_SCOPE(0, "part %d", index);
  MICROPROFILE_META_CPU("index", index);
}

void changed PARAMETERS(int added, int left);
void changed PARAMETERS(int added, int left) {
  MICROPROFILE_COUNTER_SUB("left", added);
  MICROPROFILE_COUNTER_SET("left", left);
}

// Names that no other test has.
MICROPROFILE_DECLARE_SECTION(section);
MICROPROFILE_DEFINE_SECTION(section, "section", 0);
MICROPROFILE_DECLARE_SECTION_GPU(pass);
MICROPROFILE_DEFINE_SECTION_GPU(pass, "pass", 0);
MICROPROFILE_DECLARE_LOCAL_ATOMIC_COUNTER(jobs);
MICROPROFILE_DEFINE_LOCAL_ATOMIC_COUNTER(jobs, "jobs");

void counted_by_many PARAMETERS(int count);
void counted_by_many PARAMETERS(int count) {
  MICROPROFILE_SECTION(section);
  MICROPROFILE_COUNTER_LOCAL_ADD_ATOMIC(jobs, count);
  MICROPROFILE_COUNTER_LOCAL_SUB_ATOMIC(jobs, count);
  MICROPROFILE_COUNTER_LOCAL_SET_ATOMIC(jobs, count);
  MICROPROFILE_COUNTER_LOCAL_UPDATE_ADD_ATOMIC(jobs);
  MICROPROFILE_COUNTER_LOCAL_UPDATE_SET_ATOMIC(jobs);
}

void on_gpu PARAMETERS(MicroProfileThreadLogGpu* log, uint64_t work, void* context, int count, const char* text);
void on_gpu PARAMETERS(MicroProfileThreadLogGpu* log, uint64_t work, void* context, int count, const char* text) {
  const int queue = MICROPROFILE_GPU_INIT_QUEUE("queue");
  MICROPROFILE_GPU_BEGIN(context, log);
  MICROPROFILE_GPU_SET_CONTEXT(context, log);
  MICROPROFILE_SECTIONGPU(pass);
  MICROPROFILE_SECTIONGPU_TOKEN(g_mpGPU_pass);
  MICROPROFILE_SECTIONGPUI("pass", 0);
  MICROPROFILE_SECTIONGPU_L(log, pass);
  MICROPROFILE_SECTIONGPU_TOKEN_L(log, g_mpGPU_pass);
  MICROPROFILE_SECTIONGPUI_L(log, "pass", 0);
  MICROPROFILE_SCOPEGPU_L(log, pass);
  MICROPROFILE_SCOPEGPU_TOKEN_L(log, g_mpGPU_pass);
  MICROPROFILE_SCOPEGPUI_L(log, "pass", 0);
  MICROPROFILE_SCOPEGPU_CSTR_L(log, text);
  MICROPROFILE_GPU_ENTER_TOKEN(g_mpGPU_pass);
  MICROPROFILE_GPU_ENTER_L(log, pass);
  MICROPROFILE_GPU_ENTER_TOKEN_L(log, g_mpGPU_pass);
  MICROPROFILE_GPU_ENTERI_L(log, "pass", 0);
  MICROPROFILE_GPU_LEAVE_L(log);
  MICROPROFILE_META_GPU("triangles", count);
  MICROPROFILE_PLATFORM_MARKER_BEGIN(0, text);
  MICROPROFILE_PLATFORM_MARKER_END();
  MICROPROFILE_GPU_SUBMIT(queue, work);
  const uint64_t done = MICROPROFILE_GPU_END(log);
  MICROPROFILE_THREADLOGGPURESET(log);
  MICROPROFILE_GPU_FREE_QUEUE(MICROPROFILE_GPU_GET_QUEUE("queue"));
  MICROPROFILE_FORCEENABLEGPUGROUP("GPU");
  MICROPROFILE_FORCEDISABLEGPUGROUP("GPU");
  static_cast<void>(queue), static_cast<void>(done);
}

float functions();
float functions() {
  MicroProfileToken token = MICROPROFILE_INVALID_TOKEN;
  MicroProfileGetTokenC(&token, "group", "name", 0, MicroProfileTokenTypeCpu, 0);
  MicroProfileToggleFrozen();
  MicroProfileThreadLogGpuFree(MicroProfileThreadLogGpuAlloc());
  return MicroProfileIsFrozen() != 0 ? 1 : MicroProfileGetTime("group", "name");
}
