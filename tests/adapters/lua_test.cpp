// SPDX-License-Identifier: MIT
//
// The packaged Lua's functions: calls, returns, tail calls, errors, coroutines.
#include <lua.hpp>
#include <string>

#include "adapters/adapted.h"
//
#include "flamelet/adapters/lua.h"

using namespace recorder_test;

namespace {

// What a script records, as text. C functions that it calls are among it.
std::string trace(const char* script, bool fails = false) {
  const Recording recording;
  lua_State* lua = luaL_newstate();
  luaL_openlibs(lua);
  REQUIRE(luaL_loadstring(lua, script) == LUA_OK);
  flamelet_lua_trace(lua);
  CHECK((lua_pcall(lua, 0, 0, 0) != LUA_OK) == fails);
  flamelet_lua_untrace(lua);
  lua_close(lua);
  check_nothing_unpaired();
  return own_tree();
}

}  // namespace

TEST_CASE_FIXTURE(Recording, "adapters: Lua's functions are scopes with file and line") {
  lua_State* lua = luaL_newstate();
  const std::string script = "function f()\n end\n f()";
  REQUIRE(luaL_loadbuffer(lua, script.data(), script.size(), "@enemy.lua") == LUA_OK);
  flamelet_lua_trace(lua);
  REQUIRE(lua_pcall(lua, 0, 0, 0) == LUA_OK);
  flamelet_lua_untrace(lua);
  lua_close(lua);
  CHECK(own_tree() == "main chunk(f)");
  Capture capture(Captured::kNow);
  const flamelet_site_info site = site_of(capture, capture.spans(capture.lane("own"))[1].site);
  CHECK(text_of(site.file) == "enemy.lua");
  CHECK(site.line == 1);
  CHECK(text_of(site.category) == "lua");
}

TEST_CASE("adapters: Lua's calls nest, and recursion does") {
  CHECK(trace("local function g(n) if n > 0 then g(n - 1) end end "
              "local function f() g(2) g(0) end f() f()") == "main chunk(f(g(g(g)) g) f(g(g(g)) g))");
}

TEST_CASE("adapters: a tail call of Lua is a sibling of what it replaces") {
  CHECK(trace("local function last() end "
              "local function middle() return last() end "
              "local function first() return middle() end "
              "local x = first()") == "main chunk(first (function) (function))");
  // A million of them are no stack.
  const Recording recording;
  lua_State* lua = luaL_newstate();
  REQUIRE(luaL_loadstring(lua, "local function f(n) if n > 0 then return f(n - 1) end end f(1000)") == LUA_OK);
  flamelet_lua_trace(lua);
  REQUIRE(lua_pcall(lua, 0, 0, 0) == LUA_OK);
  flamelet_lua_untrace(lua);
  lua_close(lua);
  CHECK(stats().dropped_depth == 0);
  CHECK(stats().events_recorded == 2 + 2 + 1000 + 1);  // main chunk, f, a NEXT each, the first frame
}

TEST_CASE("adapters: functions that an error leaves end, and what comes after is where it belongs") {
  CHECK(trace("local function bad() error('x') end "
              "local function f() bad() end "
              "local function g() end "
              "pcall(f) g()") == "main chunk(pcall((function)(bad(error))) g)");
  CHECK(trace("local function bad() error('x') end bad()", true) == "main chunk(bad(error))");
}

TEST_CASE_FIXTURE(Recording, "adapters: after an error out of the script, the next script begins outside") {
  lua_State* lua = luaL_newstate();
  flamelet_lua_trace(lua);
  for (const char* script : {"local function bad() local x = nil + 1 end bad()", "local function f() end f()"}) {
    REQUIRE(luaL_loadstring(lua, script) == LUA_OK);
    lua_pcall(lua, 0, 0, 0);
    lua_settop(lua, 0);
  }
  flamelet_lua_untrace(lua);
  lua_close(lua);
  CHECK(own_tree() == "main chunk(bad) main chunk(f)");
  check_nothing_unpaired();
}

TEST_CASE("adapters: a coroutine's scopes end when it yields, and what it calls later is shown where it is resumed") {
  CHECK(trace("local function work() end "
              "local co = coroutine.create(function() work() coroutine.yield() work() end) "
              "local resume = coroutine.resume "
              "resume(co) work() resume(co)") == "main chunk(create resume((function)(work yield)) work resume(work))");
}
