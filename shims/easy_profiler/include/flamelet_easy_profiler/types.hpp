// SPDX-License-Identifier: MIT
//
// types.hpp: the names of easy_profiler that are there with and without its macros.
#ifndef FLAMELET_EASY_PROFILER_TYPES_HPP
#define FLAMELET_EASY_PROFILER_TYPES_HPP

#include <stdint.h>

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

namespace profiler {

using timestamp_t = uint64_t;
using thread_id_t = uint64_t;

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

#endif  // FLAMELET_EASY_PROFILER_TYPES_HPP
