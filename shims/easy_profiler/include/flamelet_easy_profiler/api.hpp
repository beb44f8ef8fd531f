// SPDX-License-Identifier: MIT
//
// api.hpp: what the macros of easy/profiler.h stand on, and what programs call without them. Where it is switched off, no
// function needs the library.
#ifndef FLAMELET_EASY_PROFILER_API_HPP
#define FLAMELET_EASY_PROFILER_API_HPP

#include <stdint.h>

// ---- Names that are there with and without the macros ----------------------------------------------------------------

#ifndef EASY_DEFAULT_PORT
#define EASY_DEFAULT_PORT 28077
#endif
// Options of its build: nothing asks for them here.
#ifndef EASY_OPTION_LOG_ENABLED
#define EASY_OPTION_LOG_ENABLED 0
#endif
#ifndef EASY_OPTION_START_LISTEN_ON_STARTUP
#define EASY_OPTION_START_LISTEN_ON_STARTUP 0
#endif
#ifndef EASY_OPTION_EVENT_TRACING_ENABLED
#define EASY_OPTION_EVENT_TRACING_ENABLED false
#endif
#ifndef EASY_OPTION_LOW_PRIORITY_EVENT_TRACING
#define EASY_OPTION_LOW_PRIORITY_EVENT_TRACING true
#endif
#ifndef EASY_OPTION_MEASURE_STORAGE_EXPAND
#define EASY_OPTION_MEASURE_STORAGE_EXPAND 0
#endif
#ifndef EASY_OPTION_STORAGE_EXPAND_BLOCKS_ON
#define EASY_OPTION_STORAGE_EXPAND_BLOCKS_ON true
#endif

namespace profiler {

using timestamp_t = uint64_t;
using thread_id_t = uint64_t;
using block_id_t = uint32_t;
using color_t = uint32_t;

enum class BlockType : uint8_t { Event, Block, Value, TypesCount };
using block_type_t = BlockType;

constexpr uint16_t DEFAULT_PORT = EASY_DEFAULT_PORT;

enum Duration : uint8_t { TICKS, MICROSECONDS };

// Those whose name begins with OFF are not recorded. The others are, and so are the blocks inside.
enum EasyBlockStatus : uint8_t {
  OFF = 0,
  ON = 1,
  FORCE_ON = 3,
  OFF_RECURSIVE = 4,
  ON_WITHOUT_CHILDREN = 5,
  FORCE_ON_WITHOUT_CHILDREN = 7,
};

}  // namespace profiler

#ifdef USING_EASY_PROFILER

#include <stddef.h>

#include <type_traits>

#include "../easy/details/profiler_colors.h"
#include "flamelet_shim/calls.h"
#include "flamelet_shim/open_scopes.h"

#define FLAMELET_EASY_ANSWER_ FLAMELET_SHIM_ANSWER_

namespace profiler {

// Recording is on from the start; this switches it.
FLAMELET_EASY_ANSWER_(void, setEnabled, (bool enable), flamelet_set_enabled(enable))
FLAMELET_EASY_ANSWER_(bool, isEnabled, (), flamelet_enabled())
// Ends the innermost block of this thread, scoped or not.
void endBlock();
// Names the lane. A thread named "Main" is the main thread: the end of its outermost block marks a frame.
const char* registerThread(const char* name);
struct ThreadGuard {};  // a thread's lane ends with it
FLAMELET_EASY_ANSWER_(const char*, registerThreadScoped, (const char* name, ThreadGuard&), registerThread(name))
bool isMainThread();
// Writes what the ring holds as a capture of Flamelet's: to `path` with ".flamelet" behind it. Returns how many scopes it
// has, 0 if it could not be written.
uint32_t dumpBlocksToFile(const char* path);

// In ticks of the recorder's clock.
FLAMELET_EASY_ANSWER_(timestamp_t, now, (), flamelet_now_ticks())
timestamp_t toNanoseconds(timestamp_t ticks);
timestamp_t toMicroseconds(timestamp_t ticks);

// ---- Nothing listens, and nothing of the system is traced -----------------------------------------------------------

FLAMELET_EASY_ANSWER_(void, startListen, (uint16_t = DEFAULT_PORT),
                      flamelet_shim_note_(FLAMELET_SHIM_NOTE_EASY_LISTEN_))
FLAMELET_NOT_INSTRUMENTED_ inline void stopListen() {}
FLAMELET_EASY_ANSWER_(bool, isListening, (), false)
FLAMELET_EASY_ANSWER_(void, setEventTracingEnabled, (bool), flamelet_shim_note_(FLAMELET_SHIM_NOTE_EASY_TRACING_))
FLAMELET_EASY_ANSWER_(bool, isEventTracingEnabled, (), false)
FLAMELET_EASY_ANSWER_(void, setLowPriorityEventTracing, (bool), flamelet_shim_note_(FLAMELET_SHIM_NOTE_EASY_TRACING_))
FLAMELET_EASY_ANSWER_(bool, isLowPriorityEventTracing, (), false)
FLAMELET_EASY_ANSWER_(void, setContextSwitchLogFilename, (const char*),
                      flamelet_shim_note_(FLAMELET_SHIM_NOTE_EASY_TRACING_))
FLAMELET_EASY_ANSWER_(const char*, getContextSwitchLogFilename, (), "")

// How long the frame before took: of the main thread. The other threads have no frames: 0.
timestamp_t main_thread_frameTime(Duration duration = MICROSECONDS);
timestamp_t main_thread_frameTimeLocalMax(Duration duration = MICROSECONDS);
timestamp_t main_thread_frameTimeLocalAvg(Duration duration = MICROSECONDS);
FLAMELET_EASY_ANSWER_(timestamp_t, this_thread_frameTime, (Duration duration = MICROSECONDS),
                      isMainThread() ? main_thread_frameTime(duration) : 0)
FLAMELET_EASY_ANSWER_(timestamp_t, this_thread_frameTimeLocalMax, (Duration duration = MICROSECONDS),
                      isMainThread() ? main_thread_frameTimeLocalMax(duration) : 0)
FLAMELET_EASY_ANSWER_(timestamp_t, this_thread_frameTimeLocalAvg, (Duration duration = MICROSECONDS),
                      isMainThread() ? main_thread_frameTimeLocalAvg(duration) : 0)

// The version of the easy_profiler whose macros these are.
FLAMELET_EASY_ANSWER_(uint8_t, versionMajor, (), 2)
FLAMELET_EASY_ANSWER_(uint8_t, versionMinor, (), 1)
FLAMELET_EASY_ANSWER_(uint16_t, versionPatch, (), 0)
FLAMELET_EASY_ANSWER_(uint32_t, version, (), 0x02010000)
FLAMELET_EASY_ANSWER_(const char*, versionName, (), "v2.1.0_flamelet")

// Whose value it is. Values of one name are one counter, as with EASY_GLOBAL_VIN.
class ValueId {
 public:
  FLAMELET_NOT_INSTRUMENTED_ constexpr ValueId() = default;
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit ValueId(size_t) : is_global(false) {}
  bool is_global = true;
};

}  // namespace profiler

namespace flamelet_easy_profiler {

// ---- What may stand behind a name, in any order: a colour, a status, whose value it is ------------------------------

struct Options {
  uint32_t color;
  ::profiler::EasyBlockStatus status;
  bool value_id;

  FLAMELET_NOT_INSTRUMENTED_ constexpr bool is_on() const { return (status & ::profiler::ON) != 0; }
  FLAMELET_NOT_INSTRUMENTED_ constexpr bool hides_blocks_inside() const {
    return (status & ::profiler::OFF_RECURSIVE) != 0;
  }
};
struct NoMore {};

FLAMELET_NOT_INSTRUMENTED_ constexpr Options add(Options options, NoMore) {
  return options;
}
template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
FLAMELET_NOT_INSTRUMENTED_ constexpr Options add(Options options, Integer color) {
  return {static_cast<uint32_t>(color) & 0xFFFFFFu, options.status, options.value_id};
}
FLAMELET_NOT_INSTRUMENTED_ constexpr Options add(Options options, ::profiler::EasyBlockStatus status) {
  return {options.color, status, options.value_id};
}
FLAMELET_NOT_INSTRUMENTED_ constexpr Options add(Options options, ::profiler::ValueId id) {
  return {options.color, options.status, !id.is_global};
}
FLAMELET_NOT_INSTRUMENTED_ constexpr Options add_all(Options options) {
  return options;
}
template <class First, class... Rest>
FLAMELET_NOT_INSTRUMENTED_ constexpr Options add_all(Options options, const First& first, const Rest&... rest) {
  return add_all(add(options, first), rest...);
}
template <class... Arguments>
FLAMELET_NOT_INSTRUMENTED_ constexpr Options make_options(const Arguments&... arguments) {
  return add_all({0, ::profiler::ON, false}, arguments...);
}

// ---- Names: constants are arrays of constant characters; all others are looked up each time ----------------------------

template <class Name>
struct IsConstant : std::false_type {};
template <size_t size>
struct IsConstant<const char (&)[size]> : std::true_type {};

FLAMELET_NOT_INSTRUMENTED_ constexpr const char* constant_name(const char* name) {
  return name;
}
template <class Name>
FLAMELET_NOT_INSTRUMENTED_ const char* constant_name(const Name&) {
  return nullptr;
}

FLAMELET_NOT_INSTRUMENTED_ inline const char* text_of(const char* name) noexcept {
  return name;
}
template <class String>
FLAMELET_NOT_INSTRUMENTED_ const char* text_of(const String& name) noexcept {
  return name.c_str();
}

template <bool constant>
struct Place {
  flamelet_site site;
};
template <>
struct Place<false> {
  flamelet_site site;  // its name is not used
  flamelet_shim_names names;
};

template <bool constant>
FLAMELET_NOT_INSTRUMENTED_ constexpr Place<constant> make_place(const char* name, const char* category, Options options,
                                                                const char* function, const char* file, uint32_t line) {
  if constexpr (constant)
    return {{0, name, category, file, function, line, options.color}};
  else
    return {{0, "(run-time name)", category, file, function, line, options.color}, {}};
}

// ---- Blocks ----------------------------------------------------------------------------------------------------------

template <class Name>
__attribute__((always_inline, no_instrument_function)) inline flamelet_id begin(Place<true>& place, Options options,
                                                                                const Name&) noexcept {
  if (options.hides_blocks_inside()) flamelet_shim_note_(FLAMELET_SHIM_NOTE_EASY_STATUS_);
  return options.is_on() ? flamelet_scope_begin_(&place.site) : 0;
}
template <class Name>
__attribute__((always_inline, no_instrument_function)) inline flamelet_id begin(Place<false>& place, Options options,
                                                                                const Name& name) noexcept {
  const flamelet_site& site = place.site;
  if (options.hides_blocks_inside()) flamelet_shim_note_(FLAMELET_SHIM_NOTE_EASY_STATUS_);
  return options.is_on()
             ? flamelet_shim_begin_named_(&place.names, text_of(name), site.function, site.file, site.line, site.color)
             : 0;
}
// The end of an outermost block.
void end_outermost() noexcept;
// The end of a block that is not the innermost: it was ended already, or blocks inside have no end.
void end_other(uint32_t depth, flamelet_id id) noexcept;
// The end of a block that was not recorded; `unrecorded` counts those at its depth, up to it.
void end_unrecorded(uint32_t depth, uint32_t unrecorded) noexcept;

class Block {
 public:
  __attribute__((always_inline, no_instrument_function)) explicit Block(flamelet_id id) noexcept : id_(id) {
    flamelet_shim_push_(id);
    depth_ = flamelet_shim_open_here_()->depth;
    unrecorded_ = flamelet_shim_open_here_()->unrecorded[depth_];
  }
  __attribute__((always_inline, no_instrument_function)) ~Block() noexcept {
    if (id_ == 0) {
      end_unrecorded(depth_, unrecorded_);
      return;
    }
    flamelet_shim_open_scopes* const open = flamelet_shim_open_here_();
    if (open->depth != depth_ || open->ids[depth_ - 1] != id_) {
      end_other(depth_, id_);
      return;
    }
    open->depth = depth_ - 1;
    flamelet_scope_end_(id_);
    if (depth_ == 1) end_outermost();
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

 private:
  flamelet_id id_;
  uint32_t depth_, unrecorded_;
};

// ---- Points ------------------------------------------------------------------------------------------------------------

template <class Name>
FLAMELET_NOT_INSTRUMENTED_ void store_event(Place<true>& place, Options options, const Name&) noexcept {
  if (options.is_on()) flamelet_site_instant_(&place.site, nullptr);
}
template <class Name>
FLAMELET_NOT_INSTRUMENTED_ void store_event(Place<false>& place, Options options, const Name& name) noexcept {
  if (options.is_on() && !flamelet_is_off_())
    flamelet_instant(flamelet_intern(text_of(name)), place.site.category, nullptr);
}

}  // namespace flamelet_easy_profiler

// ---- Places that are registered at run time --------------------------------------------------------------------------

namespace profiler {

class BaseBlockDescriptor {
 public:
  FLAMELET_NOT_INSTRUMENTED_ block_id_t id() const { return id_; }
  FLAMELET_NOT_INSTRUMENTED_ int32_t line() const { return static_cast<int32_t>(place_.site.line); }
  FLAMELET_NOT_INSTRUMENTED_ color_t color() const { return place_.site.color; }
  FLAMELET_NOT_INSTRUMENTED_ block_type_t type() const { return type_; }
  FLAMELET_NOT_INSTRUMENTED_ EasyBlockStatus status() const { return options_.status; }

 private:
  friend struct DescriptorAccess;
  mutable ::flamelet_easy_profiler::Place<false> place_;
  ::flamelet_easy_profiler::Options options_;
  block_id_t id_;
  block_type_t type_;
  const char* unique_id_;
  const BaseBlockDescriptor* next_;
};

// One description for each unique id; NULL without memory. The calls below take NULL.
const BaseBlockDescriptor* registerDescription(EasyBlockStatus status, const char* unique_id, const char* name,
                                               const char* file, int line, block_type_t type, color_t color,
                                               bool copy_name = false);
void storeEvent(const BaseBlockDescriptor* description, const char* name = "");
// Its time is over: no call adds to what a thread recorded then.
FLAMELET_NOT_INSTRUMENTED_ inline void storeBlock(const BaseBlockDescriptor*, const char*, timestamp_t, timestamp_t) {
  flamelet_shim_note_(FLAMELET_SHIM_NOTE_EASY_STORED_BLOCK_);
}
void beginNonScopedBlock(const BaseBlockDescriptor* description, const char* name = "");

// Begins with beginBlock().
class Block {
 public:
  FLAMELET_NOT_INSTRUMENTED_ Block(const BaseBlockDescriptor* description, const char* name, bool = true) noexcept
      : description_(description), name_(name) {}
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  FLAMELET_NOT_INSTRUMENTED_ const char* name() const { return name_; }

 private:
  friend void beginBlock(Block& block);
  const BaseBlockDescriptor* description_;
  const char* name_;
  union {
    ::flamelet_easy_profiler::Block block_;  // once it has begun
  };
  bool has_begun_ = false;
};
void beginBlock(Block& block);

}  // namespace profiler

#else

// ---- Switched off ----------------------------------------------------------------------------------------------------

// A function that is one expression.
#define FLAMELET_EASY_ANSWER_(type, name, parameters, answer) \
  inline type name parameters {                               \
    return answer;                                            \
  }

namespace profiler {
inline namespace switched_off {

inline void setEnabled(bool) {}
FLAMELET_EASY_ANSWER_(bool, isEnabled, (), false)
inline void endBlock() {}
FLAMELET_EASY_ANSWER_(const char*, registerThread, (const char*), "")
struct ThreadGuard {};
FLAMELET_EASY_ANSWER_(const char*, registerThreadScoped, (const char*, ThreadGuard&), "")
FLAMELET_EASY_ANSWER_(bool, isMainThread, (), false)
FLAMELET_EASY_ANSWER_(uint32_t, dumpBlocksToFile, (const char*), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, now, (), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, toNanoseconds, (timestamp_t), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, toMicroseconds, (timestamp_t), 0)
inline void startListen(uint16_t = DEFAULT_PORT) {}
inline void stopListen() {}
FLAMELET_EASY_ANSWER_(bool, isListening, (), false)
inline void setEventTracingEnabled(bool) {}
FLAMELET_EASY_ANSWER_(bool, isEventTracingEnabled, (), false)
inline void setLowPriorityEventTracing(bool) {}
FLAMELET_EASY_ANSWER_(bool, isLowPriorityEventTracing, (), false)
inline void setContextSwitchLogFilename(const char*) {}
FLAMELET_EASY_ANSWER_(const char*, getContextSwitchLogFilename, (), "")
FLAMELET_EASY_ANSWER_(timestamp_t, this_thread_frameTime, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, this_thread_frameTimeLocalMax, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, this_thread_frameTimeLocalAvg, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, main_thread_frameTime, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, main_thread_frameTimeLocalMax, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, main_thread_frameTimeLocalAvg, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(uint8_t, versionMajor, (), 0)
FLAMELET_EASY_ANSWER_(uint8_t, versionMinor, (), 0)
FLAMELET_EASY_ANSWER_(uint16_t, versionPatch, (), 0)
FLAMELET_EASY_ANSWER_(uint32_t, version, (), 0)
FLAMELET_EASY_ANSWER_(const char*, versionName, (), "")

struct BaseBlockDescriptor {
  FLAMELET_EASY_ANSWER_(block_id_t, id, () const, 0)
  FLAMELET_EASY_ANSWER_(int32_t, line, () const, 0)
  FLAMELET_EASY_ANSWER_(color_t, color, () const, 0)
  FLAMELET_EASY_ANSWER_(block_type_t, type, () const, BlockType::Event)
  FLAMELET_EASY_ANSWER_(EasyBlockStatus, status, () const, OFF)
};
inline const BaseBlockDescriptor* registerDescription(EasyBlockStatus, const char*, const char*, const char*, int,
                                                      block_type_t, color_t, bool = false) {
  static const BaseBlockDescriptor nothing = {};
  return &nothing;
}
inline void storeEvent(const BaseBlockDescriptor*, const char* = "") {}
inline void storeBlock(const BaseBlockDescriptor*, const char*, timestamp_t, timestamp_t) {}
inline void beginNonScopedBlock(const BaseBlockDescriptor*, const char* = "") {}
struct Block {
  Block(const BaseBlockDescriptor*, const char*, bool = true) {}
  ~Block() {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  FLAMELET_EASY_ANSWER_(const char*, name, () const, "")
};
inline void beginBlock(Block&) {}

}  // namespace switched_off
}  // namespace profiler

#endif

// ---- Other names of the same -----------------------------------------------------------------------------------------

namespace profiler {
#ifndef USING_EASY_PROFILER
inline namespace switched_off {
#endif

FLAMELET_EASY_ANSWER_(bool, isCapturing, (), isEnabled())
FLAMELET_EASY_ANSWER_(void, startCapture, (), setEnabled(true))
FLAMELET_EASY_ANSWER_(void, stopCapture, (), setEnabled(false))
FLAMELET_EASY_ANSWER_(timestamp_t, currentTime, (), now())
namespace this_thread {
FLAMELET_EASY_ANSWER_(const char*, registrate, (const char* name), registerThread(name))
FLAMELET_EASY_ANSWER_(const char*, registrate, (const char* name, ThreadGuard& guard),
                      registerThreadScoped(name, guard))
FLAMELET_EASY_ANSWER_(timestamp_t, frameTime, (Duration unit = MICROSECONDS), this_thread_frameTime(unit))
FLAMELET_EASY_ANSWER_(timestamp_t, frameTimeLocalMax, (Duration unit = MICROSECONDS),
                      this_thread_frameTimeLocalMax(unit))
FLAMELET_EASY_ANSWER_(timestamp_t, frameTimeLocalAvg, (Duration unit = MICROSECONDS),
                      this_thread_frameTimeLocalAvg(unit))
FLAMELET_EASY_ANSWER_(bool, isMain, (), isMainThread())
}  // namespace this_thread
namespace main_thread {
FLAMELET_EASY_ANSWER_(timestamp_t, frameTime, (Duration unit = MICROSECONDS), main_thread_frameTime(unit))
FLAMELET_EASY_ANSWER_(timestamp_t, frameTimeLocalMax, (Duration unit = MICROSECONDS),
                      main_thread_frameTimeLocalMax(unit))
FLAMELET_EASY_ANSWER_(timestamp_t, frameTimeLocalAvg, (Duration unit = MICROSECONDS),
                      main_thread_frameTimeLocalAvg(unit))
FLAMELET_EASY_ANSWER_(bool, isMain, (), true)
}  // namespace main_thread

#ifndef USING_EASY_PROFILER
}  // namespace switched_off
#endif
#undef FLAMELET_EASY_ANSWER_
}  // namespace profiler

#endif  // FLAMELET_EASY_PROFILER_API_HPP
