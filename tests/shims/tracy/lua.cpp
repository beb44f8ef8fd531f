// SPDX-License-Identifier: MIT
//
// The header for scripts, with what it needs of Lua's.
struct lua_State;
struct lua_Debug;
typedef int (*lua_CFunction)(lua_State*);
void lua_newtable(lua_State*);
void lua_pushcfunction(lua_State*, lua_CFunction);
void lua_pushinteger(lua_State*, long long);
void lua_setfield(lua_State*, int, const char*);
void lua_setglobal(lua_State*, const char*);

#include <tracy/TracyLua.hpp>

void use(lua_State* state, lua_Debug* activation, char* script);
void use(lua_State* state, lua_Debug* activation, char* script) {
  tracy::LuaRegister(state);
  tracy::LuaRemove(script);
  tracy::LuaHook(state, activation);
}
