// SPDX-License-Identifier: MIT
//
// flamelet/adapters/lua.h: the functions of a Lua program (5.2 or newer), as scopes of the category "lua". C and C++.
//
//   flamelet_lua_trace(L);     // for coroutines, too, that are made afterwards
//   lua_pcall(L, 0, 0, 0);
//   flamelet_lua_untrace(L);
//
// A tail call is a sibling of the function that it replaces. A function that an error leaves ends when Lua next calls or
// returns. A coroutine's scopes end when it yields; when it goes on, only what it calls then is shown.
// Threads:   one interpreter on several threads is fine, one thread at a time; scopes belong to the thread.
// Cost:      of a call: two look-ups by Lua, flamelet_site_create(), and a scope. Lua's hooks cost more than that.
#ifndef FLAMELET_ADAPTERS_LUA_H
#define FLAMELET_ADAPTERS_LUA_H

#include <lua.h>

#include "flamelet/scope.h"

#ifdef __cplusplus
#define FLAMELET_LUA_THREAD_LOCAL_ thread_local
#define FLAMELET_LUA_UNSIGNED_(number) static_cast<unsigned>(number)
#else
#define FLAMELET_LUA_THREAD_LOCAL_ _Thread_local
#define FLAMELET_LUA_UNSIGNED_(number) ((unsigned)(number))
#endif

// What is open on this thread. A function is known by its interpreter and the address of Lua's record of the call.
typedef struct flamelet_lua_scopes_ {
  uint32_t count;
  struct {
    const lua_State* lua;
    const void* call;
    flamelet_id id;
  } open[FLAMELET_MAX_DEPTH];
} flamelet_lua_scopes_;
static FLAMELET_LUA_THREAD_LOCAL_ flamelet_lua_scopes_ flamelet_lua_open_;

// How many are open up to this call, innermost first; 0: it is not open.
FLAMELET_NOT_INSTRUMENTED_ static inline uint32_t flamelet_lua_find_(const lua_State* lua, const void* call) {
  uint32_t level = flamelet_lua_open_.count;
  while (level > 0 &&
         (flamelet_lua_open_.open[level - 1].lua != lua || flamelet_lua_open_.open[level - 1].call != call))
    --level;
  return level;
}
FLAMELET_NOT_INSTRUMENTED_ static inline void flamelet_lua_end_to_(uint32_t level) {
  while (flamelet_lua_open_.count > level) flamelet_site_end(flamelet_lua_open_.open[--flamelet_lua_open_.count].id);
}

FLAMELET_NOT_INSTRUMENTED_ static inline flamelet_site* flamelet_lua_site_(lua_State* lua, lua_Debug* call) {
  lua_getinfo(lua, "nS", call);
  const char* name = call->name;
  if (name == FLAMELET_NULL_) name = *call->what == 'm' ? "main chunk" : "(function)";
  // Below 0: a function in C.
  const unsigned line = call->linedefined < 0 ? 0u : FLAMELET_LUA_UNSIGNED_(call->linedefined);
  return flamelet_site_create(name, FLAMELET_NULL_, call->short_src, line, "lua", 0);
}

FLAMELET_NOT_INSTRUMENTED_ static inline void flamelet_lua_hook_(lua_State* lua, lua_Debug* call) {
  flamelet_lua_scopes_* scopes = &flamelet_lua_open_;
  const uint32_t level = flamelet_lua_find_(lua, call->i_ci);
  if (call->event == LUA_HOOKRET) {
    if (level != 0) flamelet_lua_end_to_(level - 1);
    return;
  }
  flamelet_site* site = flamelet_lua_site_(lua, call);
  if (call->event == LUA_HOOKTAILCALL && level != 0) {
    flamelet_lua_end_to_(level);
    scopes->open[level - 1].id = flamelet_site_next(scopes->open[level - 1].id, site);
    return;
  }
  // What was open inside the caller was left by an error; without a caller, so was all of this interpreter's.
  lua_Debug caller;
  if (lua_getstack(lua, 1, &caller)) {
    const uint32_t callers = flamelet_lua_find_(lua, caller.i_ci);
    if (callers != 0) flamelet_lua_end_to_(callers);
  } else {
    while (scopes->count > 0 && scopes->open[scopes->count - 1].lua == lua) flamelet_lua_end_to_(scopes->count - 1);
  }
  if (scopes->count == FLAMELET_MAX_DEPTH) return;
  scopes->open[scopes->count].lua = lua;
  scopes->open[scopes->count].call = call->i_ci;
  scopes->open[scopes->count++].id = flamelet_site_begin(site);
}

FLAMELET_NOT_INSTRUMENTED_ static inline void flamelet_lua_trace(lua_State* lua) {
  lua_sethook(lua, flamelet_lua_hook_, LUA_MASKCALL | LUA_MASKRET, 0);
}
// Ends what is open on this thread.
FLAMELET_NOT_INSTRUMENTED_ static inline void flamelet_lua_untrace(lua_State* lua) {
  lua_sethook(lua, FLAMELET_NULL_, 0, 0);
  flamelet_lua_end_to_(0);
}

#endif  // FLAMELET_ADAPTERS_LUA_H
