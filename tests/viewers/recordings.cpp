// SPDX-License-Identifier: MIT
#include "recordings.h"

#include <string>
#include <thread>

#define FLAMELET_CATEGORY "game"
#include "flamelet/flamelet.h"
#include "require.h"
#include "support/clock.h"

namespace recordings {
namespace {

using recorder_test::thread_now_ns;
void pass(uint64_t ns) {
  thread_now_ns += ns;
}

template <class Function>
void on_thread(const char* name, uint64_t begin_ns, Function function) {
  std::thread([&] {
    thread_now_ns = begin_ns;
    flamelet_set_thread_name(name);
    function();
  }).join();
}

void solve(int depth) {
  FLAMELET_SCOPE("solve");
  pass(7000 + 130 * static_cast<uint64_t>(depth));
  if (depth > 0) solve(depth - 1);
  pass(370);
}

void apply(int depth);

void eval(int depth) {
  FLAMELET_SCOPE("eval");
  pass(1100);
  if (depth > 0) apply(depth - 1);
}

void apply(int depth) {
  FLAMELET_SCOPE("apply");
  pass(900);
  if (depth > 0) eval(depth - 1);
  pass(200);
}

void play_frame(int frame, flamelet_id* stream) {
  FLAMELET_SCOPE("frame work");
  pass(250000);
  {
    FLAMELET_SCOPE("update");
    { FLAMELET_SCOPE("empty"); }
    pass(1410000);
    for (int island = 0; island < 3; ++island) solve(island + frame % 3);
    eval(5);
    FLAMELET_INSTANT_OBJECT("spawn", frame % 2 == 0 ? "orc" : "elf");
    FLAMELET_COUNTER("bodies", 100 + frame * 7);
    FLAMELET_COUNTER("load", 0.125 * frame);
    { FLAMELET_SCOPE("empty"); }
  }
  if (frame % 4 == 0) *stream = flamelet_interval_begin("stream texture", "io", "castle.dds");
  {
    FLAMELET_BEGIN(pass_scope, "shadow pass");
    pass(2030000);
    FLAMELET_NEXT(pass_scope, "scene pass");
    pass(3170000);
    FLAMELET_NEXT(pass_scope, "post pass");
    pass(640000);
  }
  const flamelet_id outer = flamelet_begin("scripts", "ai", nullptr);
  flamelet_begin("forgotten", "ai", nullptr);
  pass(55000);
  flamelet_end(outer);
  {
    FLAMELET_SCOPE_OBJECT("draw", flamelet_intern(("mesh " + std::to_string(frame)).c_str()));
    pass(80000);
  }
  {
    FLAMELET_SCOPE_DYNAMIC(flamelet_intern(("level " + std::to_string(frame / 4)).c_str()));
    pass(120000);
  }
  pass(3000000);
}

void play_jobs(int jobs, uint64_t ns) {
  for (int job = 0; job < jobs; ++job) {
    FLAMELET_SCOPE("job");
    pass(ns);
    const flamelet_id decode = flamelet_begin("decode", job % 2 == 0 ? "audio" : "video", nullptr);
    pass(3 * ns + 10);
    flamelet_end(decode);
    FLAMELET_INSTANT("stolen");
    pass(90000);
  }
}

// A loader that begins on one worker and goes on on another.
void play_fiber(uint64_t begin_ns) {
  const uint32_t fiber = flamelet_fiber_create("Loader");
  require(fiber != 0, "no fiber is left");
  flamelet_id load = 0;
  on_thread("Worker 1", begin_ns, [&] {
    play_jobs(40, 210000);
    flamelet_fiber_switch(0, fiber);
    load = flamelet_begin("load level", "io", nullptr);
    pass(400000);
    flamelet_fiber_switch(fiber, 0);
    play_jobs(2, 210000);
  });
  on_thread("Worker 2", begin_ns + 70000000, [&] {
    play_jobs(10, 330000);
    flamelet_fiber_switch(0, fiber);
    {
      FLAMELET_SCOPE("unpack");
      pass(500000);
    }
    flamelet_end(load);
    flamelet_fiber_switch(fiber, 0);
    play_jobs(1, 330000);
  });
}

void submit(uint32_t track, uint64_t begin_ticks, uint64_t end_ticks, uint64_t id, const char* name) {
  flamelet_event events[2] = {};
  events[0].type = 'B';
  events[0].time_ticks = begin_ticks;
  events[0].name = name;
  events[0].category = "gpu";
  events[1].type = 'E';
  events[1].time_ticks = end_ticks;
  events[0].id = events[1].id = id;
  require(flamelet_submit(track, events, 2) == 2, "submit");
}

void play_gpu(uint64_t begin_ns, int frames) {
  const uint32_t queue = flamelet_track_create("GPU queue", FLAMELET_TRACK_GPU, 1e9);
  const uint32_t audio = flamelet_track_create("Audio chip", FLAMELET_TRACK_EXTERNAL, 1e9);
  require(flamelet_track_calibrate(queue, 0, begin_ns) == FLAMELET_OK, "calibrate");
  require(flamelet_track_calibrate(audio, 0, begin_ns) == FLAMELET_OK, "calibrate");
  for (uint64_t frame = 0; frame < static_cast<uint64_t>(frames); ++frame) {
    const uint64_t ticks = frame * 11000000;
    submit(queue, ticks, ticks + 2500000, 4 * frame + 1, "shadows");
    submit(queue, ticks + 100000, ticks + 900000 + frame * 1000, 4 * frame + 2, "cascade");
    submit(queue, ticks + 2600000, ticks + 6600000, 4 * frame + 3, "scene");
    submit(audio, ticks + 5000000, ticks + 5700000, frame + 1, "mix");
  }
}

constexpr int kFrames = 12;

}  // namespace

void known() {
  flamelet_set_thread_name("Main");
  const uint64_t begin_ns = thread_now_ns;
  flamelet_frame();
  flamelet_id streams[kFrames] = {};
  for (int frame = 0; frame < kFrames; ++frame) {
    play_frame(frame, &streams[frame]);
    flamelet_frame();
  }
  on_thread("Streamer", begin_ns + 50000000, [&] {
    for (const flamelet_id stream : streams) {
      if (stream == 0) continue;
      pass(20000000);
      flamelet_interval_end(stream);
    }
  });
  play_fiber(begin_ns + 500000);
  play_gpu(begin_ns + 1000000, kFrames);
  flamelet_begin("left open", "game", nullptr);
  pass(150000000);
  flamelet_instant("last", "game", nullptr);  // so the newest time is that of an event
}

void names() {
  flamelet_set_thread_name("Main \"1\"; <b>\xF0\x9F\x8E\xAE</b>");
  static const char* const texts[] = {
      "plain",
      "with \"quotes\" and \\backslash\\",
      "'single' `back` $dollar %d %s {braces} [brackets]",
      "semi;colon",
      "tab\tand\nnewline\r",
      "control \x01\x02\x1f\x7f",
      "bad \xFF\xFE bytes \xC3(",
      "na\xC3\xAFve \xF0\x9F\x8E\xAE \xE6\xB8\xB8\xE6\x88\x8F",
      "<b>html</b> & <script>throw 1</script>",
      " spaces around ",
      "ends in a number 42",
      "game::Pool<int, 4>::take(unsigned long) const",
      "(anonymous namespace)::update(float)::{lambda(int)#1}::operator()(int) const",
      "_ZN4game6updateEf",
      "0x1234",
      "[root]",
      "root",
      "(program)",
      "__proto__",
      "constructor",
      "src/game.cpp:12",
      "\xE2\x80\xAEright to left",
      "",
  };
  uint64_t ns = 1000;
  for (const char* name : texts) {
    const flamelet_id outer = flamelet_begin(flamelet_intern(name), name, nullptr);
    pass(ns += 10);
    {
      FLAMELET_SCOPE_DYNAMIC(flamelet_intern((std::string(name) + " inside").c_str()));
      pass(ns += 10);
    }
    flamelet_end(outer);
  }
  FLAMELET_SCOPE_DYNAMIC(flamelet_intern((std::string(60000, 'x') + " 60 KiB").c_str()));
  pass(77000);
}

void call_tree(flamelet_call_tree* tree) {
  enum : uint32_t { kMain = 1, kThink, kPlan, kMove, kLog };
  flamelet_call_tree_set_name(tree, kMain, "main");
  flamelet_call_tree_set_name(tree, kThink, "think");
  flamelet_call_tree_set_name(tree, kPlan, "plan");
  flamelet_call_tree_set_name(tree, kMove, "move");
  flamelet_call_tree_set_name(tree, kLog, "log");
  flamelet_call_thread* thread = flamelet_call_thread_create(tree);
  flamelet_call_thread_enter(thread, kMain);
  flamelet_call_thread_sample(thread, 11);
  for (uint64_t round = 0; round < 1000; ++round) {
    flamelet_call_thread_enter(thread, kThink);
    flamelet_call_thread_sample(thread, 100 + round);
    flamelet_call_thread_enter(thread, kPlan);
    flamelet_call_thread_sample(thread, 30);
  }
  flamelet_call_thread_enter(thread, kLog);
  flamelet_call_thread_sample(thread, 5);
  flamelet_call_thread_exit(thread);
  for (int i = 0; i < 2000; ++i) flamelet_call_thread_exit(thread);
  flamelet_call_thread_enter(thread, kMove);
  flamelet_call_thread_sample(thread, 4000);
  flamelet_call_thread_tail_call(thread, kLog);
  flamelet_call_thread_sample(thread, 70);
  flamelet_call_thread_exit(thread);
  flamelet_call_thread_exit(thread);
}

}  // namespace recordings
