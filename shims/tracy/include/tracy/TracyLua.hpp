// SPDX-License-Identifier: MIT
//
// tracy/TracyLua.hpp: scripts that call Tracy run, and record nothing: flamelet/site.h records them.
// Include it after Lua's headers.
#ifndef FLAMELET_TRACY_LUA_HPP
#define FLAMELET_TRACY_LUA_HPP

#include "flamelet/base.h"

namespace tracy {

namespace detail {

FLAMELET_NOT_INSTRUMENTED_ inline int lua_nothing(lua_State*) {
  return 0;
}
FLAMELET_NOT_INSTRUMENTED_ inline int lua_zero(lua_State* state) {
  lua_pushinteger(state, 0);
  return 1;
}

}  // namespace detail

FLAMELET_NOT_INSTRUMENTED_ inline void LuaRegister(lua_State* state) {
  lua_newtable(state);
  const char* const names[] = {"ZoneBegin", "ZoneBeginN", "ZoneBeginS", "ZoneBeginNS", "ZoneEnd",
                               "ZoneText",  "ZoneName",   "Message",    "SectionLeave"};
  for (const char* name : names) {
    lua_pushcfunction(state, detail::lua_nothing);
    lua_setfield(state, -2, name);
  }
  lua_pushcfunction(state, detail::lua_zero);
  lua_setfield(state, -2, "SectionEnter");
  lua_setglobal(state, "tracy");
}
// The calls stay in the script, and do nothing.
FLAMELET_NOT_INSTRUMENTED_ inline void LuaRemove(char*) {}
FLAMELET_NOT_INSTRUMENTED_ inline void LuaHook(lua_State*, lua_Debug*) {}

}  // namespace tracy

#endif  // FLAMELET_TRACY_LUA_HPP
