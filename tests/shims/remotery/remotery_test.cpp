// SPDX-License-Identifier: MIT
#include <Remotery.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "shim_recording.h"

using namespace shim_test;

rmt_PropertyDefine_Group(Outer, "outer");
rmt_PropertyDefine_Group(Inner, "inner", &Outer);
rmt_PropertyDefine_F64(Value, 2, FrameReset, "a value", &Inner);
rmt_PropertyDefine_U64(Wide, 0, NoFlags, "64 bits");

TEST_CASE_FIXTURE(Shim, "remotery: samples by word, by name at run time, and scoped, nest") {
  {
    rmt_ScopedCPUSample(outer, 0);
    rmt_BeginCPUSample(by_word, 0);
    const std::string name = "at run time %s";
    rmt_BeginCPUSampleDynamic(name.c_str(), 0);
    { rmt_ScopedCPUSample(inner, 0); }
    rmt_EndCPUSample();
    rmt_EndCPUSample();
    rmt_BeginCPUSample(by_word, 0);
    rmt_EndCPUSample();
  }
  CHECK(tree() == "outer(by_word(at run time %s(inner)) by_word)");
  CHECK(site(capture().spans(capture().lane("main"))[0].site).line != 0);
}

TEST_CASE_FIXTURE(Shim, "remotery: an end without a begin, and one on another thread, end nothing") {
  rmt_EndCPUSample();
  {
    rmt_ScopedCPUSample(outer, 0);
    rmt_BeginCPUSample(inner, 0);
    std::thread([] { rmt_EndCPUSample(); }).join();
    rmt_EndCPUSample();
    rmt_EndCPUSample();  // a scoped sample has an end of its own
  }
  CHECK(tree() == "outer(inner)");
  CHECK(stats().extra_ends == 3);
}

TEST_CASE("remotery: a pair that is opened on a fiber ends there, on whichever thread the fiber runs by then") {
  check_pairs_of_fibers([] { rmt_BeginCPUSampleDynamic("kept", 0); }, [] { rmt_BeginCPUSampleDynamic("home", 0); },
                        [] { rmt_EndCPUSample(); });
}

#ifdef __ELF__
extern "C" {
extern __thread flamelet_shim_open_scopes flamelet_shim_open_;
}
TEST_CASE("remotery: code of any compiler finds the same open samples, by the function and by the variable") {
  CHECK((flamelet_shim_open_here_)() == &flamelet_shim_open_);
  CHECK(flamelet_shim_open_here_() == &flamelet_shim_open_);
}
#endif

TEST_CASE_FIXTURE(Shim,
                  "remotery: a sample ends with its own end, also inside more samples than the recorder has levels") {
  flamelet_set_enabled(false);
  for (int i = 0; i < 130; ++i) rmt_BeginCPUSample(off, 0);
  flamelet_set_enabled(true);
  rmt_BeginCPUSample(first, 0);
  rmt_EndCPUSample();
  for (int i = 0; i < 130; ++i) {
    rmt_ScopedCPUSample(second, 0);
    rmt_EndCPUSample();  // of one that was not recorded
  }
  CHECK(tree().compare(0, 13, "first second ") == 0);
  CHECK(unmatched_ends() == 0);
}

TEST_CASE("remotery: samples without an end do not take the ends of those that have one") {
  Shim shim;
  for (int i = 0; i < 130; ++i) {
    rmt_ScopedCPUSample(outer, 0);
    rmt_BeginCPUSample(left_open, 0);
  }
  rmt_BeginCPUSample(first, 0);
  rmt_EndCPUSample();
  { rmt_ScopedCPUSample(second, 0); }
  const std::string tree = shim.tree();
  CHECK(tree.substr(tree.size() - 13) == " first second");
  CHECK(stats().missing_ends == 130);
  CHECK(stats().extra_ends == 0);
}

TEST_CASE_FIXTURE(Shim, "remotery: a begin while recording is off takes its end with it") {
  rmt_BeginCPUSample(outer, 0);
  flamelet_set_enabled(false);
  rmt_BeginCPUSample(off, 0);
  flamelet_set_enabled(true);
  rmt_BeginCPUSample(inner, 0);
  rmt_EndCPUSample();
  rmt_EndCPUSample();
  { rmt_ScopedCPUSample(last, 0); }
  rmt_EndCPUSample();
  CHECK(tree() == "outer(inner last)");
  CHECK(unmatched_ends() == 0);
}

static void nest(int depth) {
  rmt_BeginCPUSample(nested, RMTSF_Recursive);
  if (depth > 1) nest(depth - 1);
  rmt_EndCPUSample();
}

TEST_CASE_FIXTURE(Shim, "remotery: samples deeper than the recorder goes are counted, and end with their own ends") {
  nest(500);
  { rmt_ScopedCPUSample(after, 0); }
  CHECK(capture().spans(capture().lane("main")).size() == FLAMELET_MAX_DEPTH + 1);
  CHECK(stats().dropped_depth == 500 - FLAMELET_MAX_DEPTH);
  CHECK(stats().extra_ends == 0);
  CHECK(noted("flags of rmt_BeginCPUSample") >= 500);
}

TEST_CASE("remotery: a property is recorded at a snapshot, by its path, from its first change on") {
  Shim shim;
  CHECK(rmt_PropertySnapshotAll() == RMT_ERROR_NONE);
  rmt_PropertySet_F64(Value, 1.5);
  rmt_PropertyAdd_F64(Value, 2);
  rmt_PropertySnapshotAll();
  rmt_PropertyFrameResetAll();
  rmt_PropertySnapshotAll();
  rmt_PropertySet_F64(Value, std::nan(""));
  rmt_PropertySnapshotAll();
  rmt_PropertyReset(Value);
  rmt_PropertySet_U64(Wide, UINT64_MAX);
  rmt_PropertySnapshotAll();
  const std::vector<double> values = shim.values("Outer/Inner/Value");
  REQUIRE(values.size() == 4);
  CHECK(values[0] == 3.5);
  CHECK(values[1] == 2);
  CHECK(std::isnan(values[2]));
  CHECK(values[3] == 2);
  CHECK(shim.values("Wide") == std::vector<double>{18446744073709551616.0});
}

TEST_CASE_FIXTURE(Shim, "remotery: a long message is cut at 65,535 bytes, and nothing else is lost") {
  const std::string text(100'000, 'x');
  rmt_LogText(text.c_str());
  rmt_LogText("100 %s %n");
  rmt_LogText(nullptr);
  const std::vector<std::string> expected = {"message: " + text.substr(0, 65535), "message: 100 %s %n",
                                             "message: (null)"};
  CHECK(instants() == expected);
}

TEST_CASE_FIXTURE(Shim, "remotery: frames marked by two threads at one time are marked or counted") {
  on_threads(2, [](uint32_t) {
    for (int i = 0; i < 1000; ++i) rmt_MarkFrame();
  });
  CHECK(stats().frames + stats().dropped_frame == 2000);
}

TEST_CASE_FIXTURE(Shim, "remotery: the instance is the recorder's, handlers are counted and never called") {
  const uint64_t before = noted("handlers in rmtSettings");
  rmt_Settings()->sampletree_handler = [](void*, rmtSampleTree*) { FAIL("called"); };
  Remotery* remotery = nullptr;
  CHECK(rmt_CreateGlobalInstance(&remotery) == RMT_ERROR_NONE);
  rmt_Settings()->sampletree_handler = nullptr;
  CHECK(remotery != nullptr);
  CHECK(rmt_GetGlobalInstance() == remotery);
  CHECK(rmt_CreateGlobalInstance(nullptr) == RMT_ERROR_INVALID_INPUT);
  CHECK(noted("handlers in rmtSettings") == before + 1);
  flamelet_shutdown();
  CHECK(rmt_CreateGlobalInstance(&remotery) == RMT_ERROR_RESOURCE_CREATE_FAIL);
  CHECK(flamelet_shim_start());
  CHECK(rmt_CreateGlobalInstance(&remotery) == RMT_ERROR_NONE);
  rmt_DestroyGlobalInstance(remotery);
}
