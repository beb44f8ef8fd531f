// SPDX-License-Identifier: MIT
//
// api.hpp: what the macros of optick.h stand on, and what programs call without them.
#ifndef FLAMELET_OPTICK_API_HPP
#define FLAMELET_OPTICK_API_HPP

#include <stddef.h>
#include <stdint.h>

#include "flamelet_optick/categories.hpp"
#include "flamelet_shim/calls.h"
#include "flamelet_shim/open_scopes.h"
#include "flamelet_shim/start.h"

namespace Optick {

struct Mode {
  enum Type {
    OFF = 0,
    INSTRUMENTATION_CATEGORIES = 1 << 0,
    INSTRUMENTATION_EVENTS = 1 << 1,
    INSTRUMENTATION = INSTRUMENTATION_CATEGORIES | INSTRUMENTATION_EVENTS,
    SAMPLING = 1 << 2,
    TAGS = 1 << 3,
    AUTOSAMPLING = 1 << 4,
    SWITCH_CONTEXT = 1 << 5,
    IO = 1 << 6,
    GPU = 1 << 7,
    END_SCREENSHOT = 1 << 8,
    HW_COUNTERS = 1 << 11,
    LIVE = 1 << 12,
    SYS_CALLS = 1 << 16,
    OTHER_PROCESSES = 1 << 17,
    NOGUI = 1 << 18,
    TRACER = AUTOSAMPLING | SWITCH_CONTEXT | SYS_CALLS,
    DEFAULT = INSTRUMENTATION | TAGS | AUTOSAMPLING | SWITCH_CONTEXT | IO | GPU | SYS_CALLS | OTHER_PROCESSES,
  };
};

struct FrameType {
  enum Type { CPU, GPU, Render, COUNT, NONE = -1 };
};

enum GPUQueueType { GPU_QUEUE_GRAPHICS, GPU_QUEUE_COMPUTE, GPU_QUEUE_TRANSFER, GPU_QUEUE_VSYNC, GPU_QUEUE_COUNT };

// ---- Places --------------------------------------------------------------------------------------------------------------

// What may stand in the brackets of OPTICK_EVENT(): nothing, a name, a category, or both.
struct EventLabel {
  enum Kind { kTag };

  constexpr EventLabel() = default;
  FLAMELET_NOT_INSTRUMENTED_ constexpr EventLabel(const char* name_given) : name(name_given) {}
  FLAMELET_NOT_INSTRUMENTED_ constexpr EventLabel(Category::Type type)
      : category(Category::GetName(type)), color(Category::GetColor(type)) {}
  FLAMELET_NOT_INSTRUMENTED_ constexpr EventLabel(const char* name_given, Category::Type type)
      : name(name_given), category(Category::GetName(type)), color(Category::GetColor(type)) {}
  FLAMELET_NOT_INSTRUMENTED_ constexpr EventLabel(const char* name_given, Kind) : name(name_given), category("tag") {}

  const char* name = nullptr;
  const char* category = "";
  uint32_t color = 0;
};

FLAMELET_NOT_INSTRUMENTED_ constexpr bool IsSameText(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

// The function's own signature as a name is no name: Flamelet shortens the function's.
FLAMELET_NOT_INSTRUMENTED_ constexpr flamelet_site MakePlace(const EventLabel& label, const char* function,
                                                             const char* file, uint32_t line) {
  return {0,
          label.name != nullptr && IsSameText(label.name, function) ? nullptr : label.name,
          label.category,
          file,
          function,
          line,
          label.color & 0xFFFFFF};
}

// A place that is made at run time; the same one for the same content, for the life of the process.
struct EventDescription {
  flamelet_site site;

  static EventDescription* Create(const char* name, const char* file, unsigned long line,
                                  unsigned long color = Color::Null, unsigned long filter = 0, uint8_t flags = 0);
  FLAMELET_NOT_INSTRUMENTED_ static EventDescription* CreateShared(const char* name, const char* file = nullptr,
                                                                   unsigned long line = 0,
                                                                   unsigned long color = Color::Null,
                                                                   unsigned long filter = 0) {
    return Create(name, file, line, color, filter);
  }
};

// ---- Scopes --------------------------------------------------------------------------------------------------------------

class Event {
 public:
  __attribute__((always_inline, no_instrument_function)) explicit Event(flamelet_site* place) noexcept
      : id_(flamelet_scope_begin_(place)) {}
  FLAMELET_NOT_INSTRUMENTED_ explicit Event(EventDescription& description) noexcept : Event(&description.site) {}
  __attribute__((always_inline, no_instrument_function)) FLAMELET_NOT_INSTRUMENTED_ Event(
      flamelet_shim_names& known, const char* name, const char* function, const char* file, uint32_t line) noexcept
      : id_(flamelet_shim_begin_named_(&known, name, function, file, line, 0)) {}
  __attribute__((always_inline, no_instrument_function)) ~Event() noexcept { flamelet_scope_end_(id_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // `name` is looked up by its address and text.
  static void Push(const char* name) noexcept;
  FLAMELET_NOT_INSTRUMENTED_ static void Pop() noexcept { flamelet_shim_pop_(); }

 private:
  flamelet_id id_;
};

// Instants: their name is the place's, their object the value as text.
struct Tag {
  static void Attach(flamelet_site* place, float value);
  static void Attach(flamelet_site* place, int32_t value);
  static void Attach(flamelet_site* place, uint32_t value);
  static void Attach(flamelet_site* place, uint64_t value);
  FLAMELET_NOT_INSTRUMENTED_ static void Attach(flamelet_site* place, const float (&value)[3]) {
    Attach(place, value[0], value[1], value[2]);
  }
  static void Attach(flamelet_site* place, float x, float y, float z);
  static void Attach(flamelet_site* place, const char* value);
  static void Attach(flamelet_site* place, const char* value, uint16_t length);
};

// ---- Frames and threads --------------------------------------------------------------------------------------------------

// A frame of the CPU is a main frame. Those of the GPU and of rendering are sets of frames of those names.
FLAMELET_NOT_INSTRUMENTED_ uint32_t BeginFrame(FrameType::Type type = FrameType::CPU, int64_t timestamp = -1,
                                               uint64_t thread = ~uint64_t{0});
FLAMELET_NOT_INSTRUMENTED_ inline uint32_t EndFrame(FrameType::Type = FrameType::CPU, int64_t = -1,
                                                    uint64_t = ~uint64_t{0}) {
  return 0;  // the next begin ends it
}
FLAMELET_NOT_INSTRUMENTED_ inline void Update() {}

bool RegisterThread(const char* name);
bool RegisterThread(const wchar_t* name);
FLAMELET_NOT_INSTRUMENTED_ inline bool UnRegisterThread(bool) {
  return true;  // a thread's lane ends with it
}
// Names the thread at its first frame, too.
void BeginNamedFrame(const char* thread, FrameType::Type type = FrameType::CPU);

class ThreadScope {
 public:
  FLAMELET_NOT_INSTRUMENTED_ explicit ThreadScope(const char* name) { RegisterThread(name); }
  FLAMELET_NOT_INSTRUMENTED_ explicit ThreadScope(const wchar_t* name) { RegisterThread(name); }
  FLAMELET_NOT_INSTRUMENTED_ ~ThreadScope() { UnRegisterThread(false); }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;
};

// ---- Captures ------------------------------------------------------------------------------------------------------------

FLAMELET_NOT_INSTRUMENTED_ inline bool IsActive(Mode::Type = Mode::INSTRUMENTATION_EVENTS) {
  return flamelet_enabled();
}
// Recording is on from the start; these switch it.
bool StartCapture(Mode::Type mode = Mode::DEFAULT, int sampling_frequency = 1000, bool force = true);
bool StopCapture(bool force = true);
// Writes what the ring holds as a capture of Flamelet's: to `path` with ".flamelet" behind it. False: it could not be
// written.
bool SaveCapture(const char* path, bool force = true);
// The recorder ends at exit.
FLAMELET_NOT_INSTRUMENTED_ inline void Shutdown() {}

FLAMELET_NOT_INSTRUMENTED_ inline int64_t GetHighPrecisionTime() {
  return static_cast<int64_t>(flamelet_now_ticks());
}
FLAMELET_NOT_INSTRUMENTED_ inline int64_t GetHighPrecisionFrequency() {
  return static_cast<int64_t>(flamelet_clock_info().ticks_per_second);
}

// ---- Ignored ---------------------------------------------------------------------------------------------------------------

struct EventStorage;
EventStorage* RegisterStorage(const char* name, uint64_t thread = ~uint64_t{0}, int type = 0);

// What a callback for changes of the state takes and calls. Nothing calls one.
struct State {
  enum Type { START_CAPTURE, STOP_CAPTURE, DUMP_CAPTURE, CANCEL_CAPTURE };
};
typedef bool (*StateCallback)(State::Type state);
struct File {
  enum Type { OPTICK_IMAGE, OPTICK_TEXT, OPTICK_OTHER };
};
FLAMELET_NOT_INSTRUMENTED_ inline bool SetStateChangedCallback(StateCallback callback) {
  flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_, callback);
  return false;
}
FLAMELET_NOT_INSTRUMENTED_ inline bool AttachSummary(const char* key, const char* value) {
  flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_, key, value);
  return false;
}
FLAMELET_NOT_INSTRUMENTED_ inline bool AttachFile(File::Type type, const char* name, const uint8_t* data,
                                                  uint32_t size) {
  flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_, type, name, data, size);
  return false;
}
FLAMELET_NOT_INSTRUMENTED_ inline bool AttachFile(File::Type type, const char* name, const char* path) {
  flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_, type, name, path);
  return false;
}
FLAMELET_NOT_INSTRUMENTED_ inline bool AttachFile(File::Type type, const char* name, const wchar_t* path) {
  flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_, type, name, path);
  return false;
}

// What OPTICK_GPU_INIT_VULKAN takes. Nothing calls them.
struct VulkanFunction {
  VulkanFunction() = default;
  template <class Function>
  FLAMELET_NOT_INSTRUMENTED_ VulkanFunction(Function) {}
};
struct VulkanFunctions {
  VulkanFunction vkGetPhysicalDeviceProperties, vkCreateQueryPool, vkCreateCommandPool, vkCreateEvent,
      vkAllocateCommandBuffers, vkCreateFence, vkCmdResetQueryPool, vkResetQueryPool, vkCmdWaitEvents, vkResetEvent,
      vkSetEvent, vkQueueSubmit, vkWaitForFences, vkResetCommandBuffer, vkCmdWriteTimestamp, vkGetQueryPoolResults,
      vkBeginCommandBuffer, vkEndCommandBuffer, vkResetFences, vkDestroyCommandPool, vkDestroyQueryPool, vkDestroyEvent,
      vkDestroyFence, vkFreeCommandBuffers, vkGetPastPresentationTimingGOOGLE;
};

}  // namespace Optick

typedef Optick::VulkanFunction PFN_vkGetPhysicalDeviceProperties_, PFN_vkCreateQueryPool_, PFN_vkCreateCommandPool_,
    PFN_vkCreateEvent_, PFN_vkAllocateCommandBuffers_, PFN_vkCreateFence_, PFN_vkCmdResetQueryPool_,
    PFN_vkResetQueryPool_, PFN_vkCmdWaitEvents_, PFN_vkResetEvent_, PFN_vkSetEvent_, PFN_vkQueueSubmit_,
    PFN_vkWaitForFences_, PFN_vkResetCommandBuffer_, PFN_vkCmdWriteTimestamp_, PFN_vkGetQueryPoolResults_,
    PFN_vkBeginCommandBuffer_, PFN_vkEndCommandBuffer_, PFN_vkResetFences_, PFN_vkDestroyCommandPool_,
    PFN_vkDestroyQueryPool_, PFN_vkDestroyEvent_, PFN_vkDestroyFence_, PFN_vkFreeCommandBuffers_,
    PFN_vkGetPastPresentationTimingGOOGLE_;

#endif  // FLAMELET_OPTICK_API_HPP
