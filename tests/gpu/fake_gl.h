// SPDX-License-Identifier: MIT
//
// fake_gl.h: an OpenGL whose clock, delays and failures a test scripts. It keeps the rules that a driver may rely on
// being kept: asking for a result before it is there would wait, so it is counted, and so is any use of a query that
// was not made or not issued.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "flamelet/gpu_opengl.h"
#include "gpu/fake_backend.h"

struct FakeGl : ScriptedGpu {
  struct Query {
    bool issued = false;
    uint64_t time_ns = 0;
    uint64_t ready_at = 0;  // in `now`
    bool was_ready_when_asked = false;
  };

  FakeGl() { current() = this; }
  ~FakeGl() { current() = nullptr; }
  FakeGl(const FakeGl&) = delete;
  FakeGl& operator=(const FakeGl&) = delete;

  // ---- The script
  std::set<std::string> missing_functions;
  std::vector<std::string> extensions = {"GL_ARB_sync", "GL_KHR_debug", "GL_ARB_timer_query"};
  int64_t max_debug_message_length = 256;
  std::string version = "3.3.0 fake";
  bool is_disjoint = false;  // until it is asked

  // ---- What happened
  std::map<uint32_t, Query> queries;
  uint64_t waits = 0;  // results read before they were said to be there
  uint64_t errors_fetched = 0;

  static FakeGl*& current() {
    static FakeGl* fake = nullptr;
    return fake;
  }

  static flamelet_gl_function get_proc(const char* name) {
    static const std::map<std::string, flamelet_gl_function> functions = {
        {"glGenQueries", reinterpret_cast<flamelet_gl_function>(&gen_queries)},
        {"glDeleteQueries", reinterpret_cast<flamelet_gl_function>(&delete_queries)},
        {"glQueryCounter", reinterpret_cast<flamelet_gl_function>(&query_counter)},
        {"glGetQueryiv", reinterpret_cast<flamelet_gl_function>(&get_query)},
        {"glGetQueryObjectuiv", reinterpret_cast<flamelet_gl_function>(&get_query_object_u32)},
        {"glGetQueryObjectui64v", reinterpret_cast<flamelet_gl_function>(&get_query_object_u64)},
        {"glGetInteger64v", reinterpret_cast<flamelet_gl_function>(&get_integer_64)},
        {"glGetStringi", reinterpret_cast<flamelet_gl_function>(&get_string)},
        {"glGetString", reinterpret_cast<flamelet_gl_function>(&get_context_string)},
        {"glGetIntegerv", reinterpret_cast<flamelet_gl_function>(&get_integer)},
        {"glQueryCounterEXT", reinterpret_cast<flamelet_gl_function>(&query_counter)},
        {"glGetQueryivEXT", reinterpret_cast<flamelet_gl_function>(&get_query)},
        {"glGetQueryObjectui64vEXT", reinterpret_cast<flamelet_gl_function>(&get_query_object_u64)},
        {"glPushDebugGroupKHR", reinterpret_cast<flamelet_gl_function>(&push_debug_group)},
        {"glPopDebugGroupKHR", reinterpret_cast<flamelet_gl_function>(&pop_debug_group)},
        {"glGetError", reinterpret_cast<flamelet_gl_function>(&get_error)},
        {"glPushDebugGroup", reinterpret_cast<flamelet_gl_function>(&push_debug_group)},
        {"glPopDebugGroup", reinterpret_cast<flamelet_gl_function>(&pop_debug_group)},
    };
    const auto found = functions.find(name);
    return found == functions.end() || current()->missing_functions.count(name) != 0 ? nullptr : found->second;
  }

 private:
  static FakeGl& gl() {
    ++current()->calls;
    return *current();
  }

  static void gen_queries(int32_t count, uint32_t* names) {
    static uint32_t next_name = 1;
    for (int32_t i = 0; i < count; ++i) {
      names[i] = next_name++;
      gl().queries[names[i]] = {};
    }
  }
  static void delete_queries(int32_t count, const uint32_t* names) {
    for (int32_t i = 0; i < count; ++i) gl().misuses += gl().queries.erase(names[i]) == 0;
  }
  static void query_counter(uint32_t name, uint32_t target) {
    FakeGl& fake = gl();
    const auto query = fake.queries.find(name);
    if (query == fake.queries.end() || target != 0x8E28) {
      ++fake.misuses;
      return;
    }
    const uint64_t command = fake.commands++;
    query->second = {true, fake.cut(fake.result(command, fake.clock())), fake.ready_at(command), false};
  }
  static void get_query(uint32_t target, uint32_t name, int32_t* value) {
    if (target == 0x8E28 && name == 0x8864)
      *value = static_cast<int32_t>(gl().counter_bits);
    else
      ++gl().misuses;
  }
  static void get_query_object_u32(uint32_t name, uint32_t what, uint32_t* value) {
    FakeGl& fake = gl();
    const auto query = fake.queries.find(name);
    if (query == fake.queries.end() || !query->second.issued || what != 0x8867) {
      ++fake.misuses;
      return;
    }
    query->second.was_ready_when_asked = query->second.ready_at <= fake.now;
    *value = query->second.was_ready_when_asked;
  }
  static void get_query_object_u64(uint32_t name, uint32_t what, uint64_t* value) {
    FakeGl& fake = gl();
    const auto query = fake.queries.find(name);
    if (query == fake.queries.end() || !query->second.issued || what != 0x8866) {
      ++fake.misuses;
      return;
    }
    fake.waits += !query->second.was_ready_when_asked;
    *value = query->second.time_ns;
  }
  static void get_integer_64(uint32_t name, int64_t* value) {
    FakeGl& fake = gl();
    if (name == 0x8E28) {
      ++fake.clock_reads;
      fake.on_clock_read();
      *value = static_cast<int64_t>(fake.cut(fake.clock()));
    } else if (name == 0x821D) {
      *value = static_cast<int64_t>(fake.extensions.size());
    } else if (name == 0x9143) {
      *value = fake.max_debug_message_length;
    } else {
      ++fake.misuses;
    }
  }
  static const uint8_t* get_string(uint32_t name, uint32_t index) {
    FakeGl& fake = gl();
    if (name != 0x1F03 || index >= fake.extensions.size()) {
      ++fake.misuses;
      return nullptr;
    }
    return reinterpret_cast<const uint8_t*>(fake.extensions[index].c_str());
  }
  static const uint8_t* get_context_string(uint32_t name) {
    FakeGl& fake = gl();
    fake.misuses += name != 0x1F02;
    return reinterpret_cast<const uint8_t*>(fake.version.c_str());
  }
  static void get_integer(uint32_t name, int32_t* value) {
    FakeGl& fake = gl();
    fake.misuses += name != 0x8FBB;
    *value = fake.is_disjoint;
    fake.is_disjoint = false;
  }
  static uint32_t get_error() {
    ++gl().errors_fetched;
    return 0;
  }
  static void push_debug_group(uint32_t source, uint32_t, int32_t length, const char* name) {
    FakeGl& fake = gl();
    if (source != 0x824A || length < 0 || length >= fake.max_debug_message_length || fake.groups.size() == 64)
      ++fake.misuses;
    fake.open_group(name, static_cast<size_t>(length));
  }
  static void pop_debug_group() { gl().close_group(); }
};
