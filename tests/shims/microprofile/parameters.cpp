// SPDX-License-Identifier: MIT
//
// Parameters that only macros use: compiled with the macros off, too, none is unused.
#include <microprofile.h>

void counted(int voices, double load, int64_t* total);
void counted(int voices, double load, int64_t* total) {
  MICROPROFILE_SCOPEI("audio", "mix", 0);
  MICROPROFILE_COUNTER_ADD("voices", voices);
  MICROPROFILE_COUNTER_SET_DOUBLE("load", load);
  MICROPROFILE_COUNTER_SET_INT64_PTR("total", total);
}

void named(const char* name, bool condition, int index);
void named(const char* name, bool condition, int index) {
  MICROPROFILE_SCOPE_CSTR(name);
  MICROPROFILE_CONDITIONAL_SCOPEI(condition, "audio", "part", 0);
  MICROPROFILE_TIMELINE_SCOPE(0, "part %d", index);
  MICROPROFILE_META_CPU("index", index);
}

void changed(int added, int left);
void changed(int added, int left) {
  MICROPROFILE_COUNTER_SUB("left", added);
  MICROPROFILE_COUNTER_SET("left", left);
}
