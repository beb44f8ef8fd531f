// SPDX-License-Identifier: MIT
//
// optick.h: Optick's macros, recorded by Flamelet. docs/optick.md says what becomes of each. With USE_OPTICK 0, or with
// FLAMELET_DISABLED, every macro is nothing; with USE_OPTICK 0, its arguments need not exist.
#ifndef FLAMELET_OPTICK_H
#define FLAMELET_OPTICK_H

#include <stddef.h>
#include <stdint.h>

#include "flamelet_shim/calls.h"
#include "flamelet_shim/open_scopes.h"
#include "optick.config.h"

// ---- What programs call without macros, and what the macros stand on ------------------------------------------------------

// ---- Colours, as 0xAARRGGBB, and categories ------------------------------------------------------------------------------

// A filter's number and a colour.
#define OPTICK_MAKE_CATEGORY(filter, color) \
  (static_cast<::Optick::Category::Type>((uint64_t{1} << ((filter) + 32)) | static_cast<uint64_t>(color)))

namespace Optick {

struct Color {
  // clang-format off
  enum : uint32_t {
    Null = 0, AliceBlue = 0xFFF0F8FF, AntiqueWhite = 0xFFFAEBD7, Aqua = 0xFF00FFFF, Aquamarine = 0xFF7FFFD4,
    Azure = 0xFFF0FFFF, Beige = 0xFFF5F5DC, Bisque = 0xFFFFE4C4, Black = 0xFF000000, BlanchedAlmond = 0xFFFFEBCD,
    Blue = 0xFF0000FF, BlueViolet = 0xFF8A2BE2, Brown = 0xFFA52A2A, BurlyWood = 0xFFDEB887, CadetBlue = 0xFF5F9EA0,
    Chartreuse = 0xFF7FFF00, Chocolate = 0xFFD2691E, Coral = 0xFFFF7F50, CornflowerBlue = 0xFF6495ED,
    Cornsilk = 0xFFFFF8DC, Crimson = 0xFFDC143C, Cyan = 0xFF00FFFF, DarkBlue = 0xFF00008B, DarkCyan = 0xFF008B8B,
    DarkGoldenRod = 0xFFB8860B, DarkGray = 0xFFA9A9A9, DarkGreen = 0xFF006400, DarkKhaki = 0xFFBDB76B,
    DarkMagenta = 0xFF8B008B, DarkOliveGreen = 0xFF556B2F, DarkOrange = 0xFFFF8C00, DarkOrchid = 0xFF9932CC,
    DarkRed = 0xFF8B0000, DarkSalmon = 0xFFE9967A, DarkSeaGreen = 0xFF8FBC8F, DarkSlateBlue = 0xFF483D8B,
    DarkSlateGray = 0xFF2F4F4F, DarkTurquoise = 0xFF00CED1, DarkViolet = 0xFF9400D3, DeepPink = 0xFFFF1493,
    DeepSkyBlue = 0xFF00BFFF, DimGray = 0xFF696969, DodgerBlue = 0xFF1E90FF, FireBrick = 0xFFB22222,
    FloralWhite = 0xFFFFFAF0, ForestGreen = 0xFF228B22, Fuchsia = 0xFFFF00FF, Gainsboro = 0xFFDCDCDC,
    GhostWhite = 0xFFF8F8FF, Gold = 0xFFFFD700, GoldenRod = 0xFFDAA520, Gray = 0xFF808080, Green = 0xFF008000,
    GreenYellow = 0xFFADFF2F, HoneyDew = 0xFFF0FFF0, HotPink = 0xFFFF69B4, IndianRed = 0xFFCD5C5C,
    Indigo = 0xFF4B0082, Ivory = 0xFFFFFFF0, Khaki = 0xFFF0E68C, Lavender = 0xFFE6E6FA, LavenderBlush = 0xFFFFF0F5,
    LawnGreen = 0xFF7CFC00, LemonChiffon = 0xFFFFFACD, LightBlue = 0xFFADD8E6, LightCoral = 0xFFF08080,
    LightCyan = 0xFFE0FFFF, LightGoldenRodYellow = 0xFFFAFAD2, LightGray = 0xFFD3D3D3, LightGreen = 0xFF90EE90,
    LightPink = 0xFFFFB6C1, LightSalmon = 0xFFFFA07A, LightSeaGreen = 0xFF20B2AA, LightSkyBlue = 0xFF87CEFA,
    LightSlateGray = 0xFF778899, LightSteelBlue = 0xFFB0C4DE, LightYellow = 0xFFFFFFE0, Lime = 0xFF00FF00,
    LimeGreen = 0xFF32CD32, Linen = 0xFFFAF0E6, Magenta = 0xFFFF00FF, Maroon = 0xFF800000,
    MediumAquaMarine = 0xFF66CDAA, MediumBlue = 0xFF0000CD, MediumOrchid = 0xFFBA55D3, MediumPurple = 0xFF9370DB,
    MediumSeaGreen = 0xFF3CB371, MediumSlateBlue = 0xFF7B68EE, MediumSpringGreen = 0xFF00FA9A,
    MediumTurquoise = 0xFF48D1CC, MediumVioletRed = 0xFFC71585, MidnightBlue = 0xFF191970, MintCream = 0xFFF5FFFA,
    MistyRose = 0xFFFFE4E1, Moccasin = 0xFFFFE4B5, NavajoWhite = 0xFFFFDEAD, Navy = 0xFF000080, OldLace = 0xFFFDF5E6,
    Olive = 0xFF808000, OliveDrab = 0xFF6B8E23, Orange = 0xFFFFA500, OrangeRed = 0xFFFF4500, Orchid = 0xFFDA70D6,
    PaleGoldenRod = 0xFFEEE8AA, PaleGreen = 0xFF98FB98, PaleTurquoise = 0xFFAFEEEE, PaleVioletRed = 0xFFDB7093,
    PapayaWhip = 0xFFFFEFD5, PeachPuff = 0xFFFFDAB9, Peru = 0xFFCD853F, Pink = 0xFFFFC0CB, Plum = 0xFFDDA0DD,
    PowderBlue = 0xFFB0E0E6, Purple = 0xFF800080, Red = 0xFFFF0000, RosyBrown = 0xFFBC8F8F, RoyalBlue = 0xFF4169E1,
    SaddleBrown = 0xFF8B4513, Salmon = 0xFFFA8072, SandyBrown = 0xFFF4A460, SeaGreen = 0xFF2E8B57,
    SeaShell = 0xFFFFF5EE, Sienna = 0xFFA0522D, Silver = 0xFFC0C0C0, SkyBlue = 0xFF87CEEB, SlateBlue = 0xFF6A5ACD,
    SlateGray = 0xFF708090, Snow = 0xFFFFFAFA, SpringGreen = 0xFF00FF7F, SteelBlue = 0xFF4682B4, Tan = 0xFFD2B48C,
    Teal = 0xFF008080, Thistle = 0xFFD8BFD8, Tomato = 0xFFFF6347, Turquoise = 0xFF40E0D0, Violet = 0xFFEE82EE,
    Wheat = 0xFFF5DEB3, White = 0xFFFFFFFF, WhiteSmoke = 0xFFF5F5F5, Yellow = 0xFFFFFF00, YellowGreen = 0xFF9ACD32,
  };
  // clang-format on
};

// Each filter, its category's colour, and Flamelet's name of it: that of waits makes them grey.
#define FLAMELET_OPTICK_FILTERS_(X)                \
  X(None, Null, "")                                \
  X(AI, Purple, "AI")                              \
  X(Animation, LightSkyBlue, "animation")          \
  X(Audio, HotPink, "audio")                       \
  X(Debug, Black, "debug")                         \
  X(Camera, Black, "camera")                       \
  X(Cloth, DarkGreen, "cloth")                     \
  X(GameLogic, RoyalBlue, "game logic")            \
  X(Input, Ivory, "input")                         \
  X(Navigation, Magenta, "navigation")             \
  X(Network, Olive, "network")                     \
  X(Physics, LawnGreen, "physics")                 \
  X(Rendering, BurlyWood, "rendering")             \
  X(Scene, RoyalBlue, "scene")                     \
  X(Script, Plum, "script")                        \
  X(Streaming, Gold, "streaming")                  \
  X(UI, PaleTurquoise, "UI")                       \
  X(VFX, SaddleBrown, "VFX")                       \
  X(Visibility, Snow, "visibility")                \
  X(Wait, Tomato, "wait")                          \
  X(IO, Khaki, "IO")                               \
  X(GPU_Cloth, DarkGreen, "GPU cloth")             \
  X(GPU_Lighting, Khaki, "GPU lighting")           \
  X(GPU_PostFX, Maroon, "GPU post FX")             \
  X(GPU_Reflections, CadetBlue, "GPU reflections") \
  X(GPU_Scene, RoyalBlue, "GPU scene")             \
  X(GPU_Shadows, LightSlateGray, "GPU shadows")    \
  X(GPU_UI, PaleTurquoise, "GPU UI")               \
  X(GPU_VFX, SaddleBrown, "GPU VFX")               \
  X(GPU_Water, SteelBlue, "GPU water")

#define FLAMELET_OPTICK_FILTER_(filter, color, name) filter,
#define FLAMELET_OPTICK_CATEGORY_(filter, color, name) filter = (uint64_t{1} << (Filter::filter + 32)) | Color::color,
#define FLAMELET_OPTICK_NAME_(filter, color, name) name,

struct Filter {
  enum Type : uint32_t { FLAMELET_OPTICK_FILTERS_(FLAMELET_OPTICK_FILTER_) };
};

struct Category {
  enum Type : uint64_t {
    WaitEmpty = (uint64_t{1} << (Filter::Wait + 32)) | Color::White,
    FLAMELET_OPTICK_FILTERS_(FLAMELET_OPTICK_CATEGORY_)
  };

  FLAMELET_NOT_INSTRUMENTED_ static constexpr uint32_t GetMask(Type type) { return static_cast<uint32_t>(type >> 32); }
  FLAMELET_NOT_INSTRUMENTED_ static constexpr uint32_t GetColor(Type type) { return static_cast<uint32_t>(type); }

  FLAMELET_NOT_INSTRUMENTED_ static constexpr const char* GetName(Type type) {
    constexpr const char* kNames[] = {FLAMELET_OPTICK_FILTERS_(FLAMELET_OPTICK_NAME_)};
    uint32_t filter = 0;
    for (uint32_t mask = GetMask(type); mask > 1; mask >>= 1) ++filter;
    return filter < sizeof(kNames) / sizeof(kNames[0]) ? kNames[filter] : "";
  }
};

#undef FLAMELET_OPTICK_FILTERS_
#undef FLAMELET_OPTICK_FILTER_
#undef FLAMELET_OPTICK_CATEGORY_
#undef FLAMELET_OPTICK_NAME_

}  // namespace Optick

// ---- Calls -----------------------------------------------------------------------------------------------------------

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

  FLAMELET_NOT_INSTRUMENTED_ constexpr EventLabel() = default;
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

// Names the thread, as OPTICK_APP.
struct OptickApp : ThreadScope {
  FLAMELET_NOT_INSTRUMENTED_ explicit OptickApp(const char* name) : ThreadScope(name) {}
  FLAMELET_NOT_INSTRUMENTED_ ~OptickApp() = default;
};

FLAMELET_NOT_INSTRUMENTED_ inline EventDescription* GetFrameDescription(FrameType::Type = FrameType::CPU) {
  static EventDescription* const description = EventDescription::Create("frame", "", 0);
  return description;
}

// ---- Captures ------------------------------------------------------------------------------------------------------------

FLAMELET_SHIM_ANSWER_(bool, IsActive, (Mode::Type = Mode::INSTRUMENTATION_EVENTS), flamelet_enabled())
// Recording is on from the start; these switch it.
bool StartCapture(Mode::Type mode = Mode::DEFAULT, int sampling_frequency = 1000, bool force = true);
bool StopCapture(bool force = true);
// Writes what the ring holds as a capture of Flamelet's: to `path` with ".flamelet" behind it. False: it could not be
// written.
bool SaveCapture(const char* path, bool force = true);
// The recorder ends at exit.
FLAMELET_NOT_INSTRUMENTED_ inline void Shutdown() {}

FLAMELET_SHIM_ANSWER_(int64_t, GetHighPrecisionTime, (), static_cast<int64_t>(flamelet_now_ticks()))
FLAMELET_SHIM_ANSWER_(int64_t, GetHighPrecisionFrequency, (),
                      static_cast<int64_t>(flamelet_clock_info().ticks_per_second))

// ---- Ignored ---------------------------------------------------------------------------------------------------------------

struct EventStorage;
EventStorage* RegisterStorage(const char* name, uint64_t thread = ~uint64_t{0}, int type = 0);
FLAMELET_NOT_INSTRUMENTED_ inline bool RegisterFiber(uint64_t fiber, EventStorage** slot) {
  flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_STORAGE_, fiber);
  *slot = nullptr;
  return false;
}
template <class Allocate, class Free, class InitThread>
FLAMELET_NOT_INSTRUMENTED_ void SetAllocator(Allocate, Free, InitThread) {
  flamelet_shim_note_(FLAMELET_SHIM_NOTE_OPTICK_ALLOCATOR_);
}

struct GPUContext {
  void* cmdBuffer;
  GPUQueueType queue;
  int node;
  FLAMELET_NOT_INSTRUMENTED_ GPUContext(void* buffer = nullptr, GPUQueueType of = GPU_QUEUE_GRAPHICS, int on_node = 0)
      : cmdBuffer(buffer), queue(of), node(on_node) {}
};
FLAMELET_NOT_INSTRUMENTED_ inline GPUContext SetGpuContext(GPUContext context) {
  flamelet_shim_note_(FLAMELET_SHIM_NOTE_OPTICK_GPU_);
  return context;
}

// What a callback for changes of the state takes and calls. Nothing calls one.
struct State {
  enum Type { START_CAPTURE, STOP_CAPTURE, DUMP_CAPTURE, CANCEL_CAPTURE };
};
typedef bool (*StateCallback)(State::Type state);
struct File {
  enum Type { OPTICK_IMAGE, OPTICK_TEXT, OPTICK_OTHER };
};
FLAMELET_SHIM_ANSWER_(bool, SetStateChangedCallback, (StateCallback),
                      (flamelet_shim_note_(FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_), false))
FLAMELET_SHIM_ANSWER_(bool, AttachSummary, (const char*, const char*),
                      (flamelet_shim_note_(FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_), false))
FLAMELET_SHIM_ANSWER_(bool, AttachFile, (File::Type, const char*, const uint8_t*, uint32_t),
                      (flamelet_shim_note_(FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_), false))
FLAMELET_SHIM_ANSWER_(bool, AttachFile, (File::Type, const char*, const char*),
                      (flamelet_shim_note_(FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_), false))
FLAMELET_SHIM_ANSWER_(bool, AttachFile, (File::Type, const char*, const wchar_t*),
                      (flamelet_shim_note_(FLAMELET_SHIM_NOTE_OPTICK_CALLBACK_), false))

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

// ---- Macros ------------------------------------------------------------------------------------------------------------

#define OPTICK_UNUSED(x) (void)(x)
#define OPTICK_CONCAT_IMPL(x, y) x##y
#define OPTICK_CONCAT(x, y) OPTICK_CONCAT_IMPL(x, y)
#ifdef __GNUC__
#define OPTICK_FUNC __PRETTY_FUNCTION__
#else
#define OPTICK_FUNC __FUNCSIG__
#endif

#if USE_OPTICK && !defined(FLAMELET_DISABLED)
#include "flamelet_shim/start.h"
#define FLAMELET_OPTICK_ON_(...) __VA_ARGS__
#define FLAMELET_OPTICK_USES_(...)
#else
#include "flamelet_shim/unused.h"
#define FLAMELET_OPTICK_ON_(...)
#if USE_OPTICK
#define FLAMELET_OPTICK_USES_(...) FLAMELET_SHIM_UNUSED_(__VA_ARGS__);
#else
#define FLAMELET_OPTICK_USES_(...)
#endif
#endif

// A static place; without a name, the function's. Constant, where the name is.
#define FLAMELET_OPTICK_PLACE_(number, ...)                            \
  static flamelet_site OPTICK_CONCAT(flamelet_optick_place_, number) = \
      ::Optick::MakePlace(::Optick::EventLabel{__VA_ARGS__}, OPTICK_FUNC, __FILE__, __LINE__)
#define FLAMELET_OPTICK_EVENT_(number, ...)    \
  FLAMELET_OPTICK_PLACE_(number, __VA_ARGS__); \
  const ::Optick::Event OPTICK_CONCAT(autogen_event_, number)(&OPTICK_CONCAT(flamelet_optick_place_, number));
#define FLAMELET_OPTICK_DYNAMIC_(number, name)                                                                     \
  static flamelet_shim_names OPTICK_CONCAT(flamelet_optick_names_, number);                                        \
  const ::Optick::Event OPTICK_CONCAT(autogen_event_, number)(OPTICK_CONCAT(flamelet_optick_names_, number), name, \
                                                              OPTICK_FUNC, __FILE__, __LINE__);
#define FLAMELET_OPTICK_PUSH_(number, name)                                                     \
  {                                                                                             \
    FLAMELET_OPTICK_PLACE_(number, name);                                                       \
    flamelet_shim_push_(flamelet_scope_begin_(&OPTICK_CONCAT(flamelet_optick_place_, number))); \
  }
#define FLAMELET_OPTICK_PUSH_DYNAMIC_(number, name)                                                                   \
  {                                                                                                                   \
    static flamelet_shim_names OPTICK_CONCAT(flamelet_optick_names_, number);                                         \
    flamelet_shim_push_(flamelet_shim_begin_named_(&OPTICK_CONCAT(flamelet_optick_names_, number), name, OPTICK_FUNC, \
                                                   __FILE__, __LINE__, 0));                                           \
  }
#define FLAMELET_OPTICK_TAG_(number, name, ...)                                         \
  {                                                                                     \
    FLAMELET_OPTICK_PLACE_(number, name, ::Optick::EventLabel::kTag);                   \
    ::Optick::Tag::Attach(&OPTICK_CONCAT(flamelet_optick_place_, number), __VA_ARGS__); \
  }

// ---- Scopes: each ends with a semicolon of its own, so programs may leave theirs out --------------------------------------

#define OPTICK_EVENT(...) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_EVENT_(__COUNTER__, __VA_ARGS__))
#define OPTICK_CATEGORY(NAME, CATEGORY) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_EVENT_(__COUNTER__, NAME, CATEGORY))
#define OPTICK_EVENT_DYNAMIC(NAME) \
  FLAMELET_OPTICK_USES_(NAME) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_DYNAMIC_(__COUNTER__, NAME))
#define OPTICK_CUSTOM_EVENT(DESCRIPTION) \
  FLAMELET_OPTICK_ON_(const ::Optick::Event OPTICK_CONCAT(autogen_event_, __COUNTER__)(*(DESCRIPTION));)
#define OPTICK_PUSH(NAME) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_PUSH_(__COUNTER__, NAME))
#define OPTICK_PUSH_DYNAMIC(NAME) \
  FLAMELET_OPTICK_USES_(NAME) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_PUSH_DYNAMIC_(__COUNTER__, NAME))
#define OPTICK_POP() FLAMELET_OPTICK_ON_(::Optick::Event::Pop();)
#define OPTICK_TAG(NAME, ...) \
  FLAMELET_OPTICK_USES_(__VA_ARGS__) FLAMELET_OPTICK_ON_(FLAMELET_OPTICK_TAG_(__COUNTER__, NAME, __VA_ARGS__))

// ---- Frames and threads --------------------------------------------------------------------------------------------------

// The first argument names the thread; a second one is a FrameType.
#define OPTICK_FRAME(...) FLAMELET_OPTICK_ON_(::Optick::BeginNamedFrame(__VA_ARGS__); OPTICK_EVENT("frame"))
#define OPTICK_FRAME_EVENT(...) FLAMELET_OPTICK_ON_(::Optick::BeginFrame(__VA_ARGS__); OPTICK_EVENT("frame"))
#define OPTICK_FRAME_FLIP(...) FLAMELET_OPTICK_ON_(::Optick::BeginFrame(__VA_ARGS__);)
#define OPTICK_UPDATE() FLAMELET_OPTICK_ON_(::Optick::Update();)

#define OPTICK_THREAD(THREAD_NAME)   \
  FLAMELET_OPTICK_USES_(THREAD_NAME) \
  FLAMELET_OPTICK_ON_(const ::Optick::ThreadScope OPTICK_CONCAT(flamelet_optick_thread_, __COUNTER__)(THREAD_NAME);)
#define OPTICK_START_THREAD(THREAD_NAME) \
  FLAMELET_OPTICK_USES_(THREAD_NAME) FLAMELET_OPTICK_ON_(::Optick::RegisterThread(THREAD_NAME);)
#define OPTICK_STOP_THREAD() FLAMELET_OPTICK_ON_(::Optick::UnRegisterThread(false);)
#define OPTICK_APP(NAME) OPTICK_THREAD(NAME)

// ---- Captures ------------------------------------------------------------------------------------------------------------

#define OPTICK_START_CAPTURE(...) FLAMELET_OPTICK_ON_(::Optick::StartCapture(__VA_ARGS__);)
#define OPTICK_STOP_CAPTURE(...) FLAMELET_OPTICK_ON_(::Optick::StopCapture(__VA_ARGS__);)
#define OPTICK_SAVE_CAPTURE(...) \
  FLAMELET_OPTICK_USES_(__VA_ARGS__) FLAMELET_OPTICK_ON_(::Optick::SaveCapture(__VA_ARGS__);)
#define OPTICK_SHUTDOWN() FLAMELET_OPTICK_ON_(::Optick::Shutdown();)

// ---- Accepted, ignored and counted ----------------------------------------------------------------------------------------

#define OPTICK_STORAGE_REGISTER(STORAGE_NAME) FLAMELET_OPTICK_ON_(::Optick::RegisterStorage(STORAGE_NAME);)
#define OPTICK_STORAGE_EVENT(STORAGE, DESCRIPTION, CPU_TIMESTAMP_START, CPU_TIMESTAMP_FINISH)           \
  FLAMELET_OPTICK_USES_(CPU_TIMESTAMP_START, CPU_TIMESTAMP_FINISH)                                      \
  FLAMELET_OPTICK_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_STORAGE_, STORAGE, DESCRIPTION, \
                                              CPU_TIMESTAMP_START, CPU_TIMESTAMP_FINISH);)
#define OPTICK_STORAGE_PUSH(STORAGE, DESCRIPTION, CPU_TIMESTAMP_START) \
  FLAMELET_OPTICK_USES_(CPU_TIMESTAMP_START)                           \
  FLAMELET_OPTICK_ON_(                                                 \
      ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_STORAGE_, STORAGE, DESCRIPTION, CPU_TIMESTAMP_START);)
#define OPTICK_STORAGE_POP(STORAGE, CPU_TIMESTAMP_FINISH) \
  FLAMELET_OPTICK_USES_(CPU_TIMESTAMP_FINISH)             \
  FLAMELET_OPTICK_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_STORAGE_, STORAGE, CPU_TIMESTAMP_FINISH);)
#define OPTICK_SET_STATE_CHANGED_CALLBACK(CALLBACK) FLAMELET_OPTICK_ON_(::Optick::SetStateChangedCallback(CALLBACK);)
#define OPTICK_SET_MEMORY_ALLOCATOR(...) \
  FLAMELET_OPTICK_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_ALLOCATOR_, __VA_ARGS__);)
#define OPTICK_GPU_CONTEXT(...)      \
  FLAMELET_OPTICK_USES_(__VA_ARGS__) \
  FLAMELET_OPTICK_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_GPU_, __VA_ARGS__);)
#define OPTICK_GPU_INIT_D3D12(...) OPTICK_GPU_CONTEXT(__VA_ARGS__)
#define OPTICK_GPU_INIT_VULKAN(...) OPTICK_GPU_CONTEXT(__VA_ARGS__)
#define OPTICK_GPU_FLIP(SWAP_CHAIN) OPTICK_GPU_CONTEXT(SWAP_CHAIN)
// The half on the CPU is recorded.
#define OPTICK_GPU_EVENT(NAME) \
  FLAMELET_OPTICK_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_OPTICK_GPU_); OPTICK_EVENT(NAME))

#endif  // FLAMELET_OPTICK_H
