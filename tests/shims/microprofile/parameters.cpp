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
