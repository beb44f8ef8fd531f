// SPDX-License-Identifier: MIT
#include <optick.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <thread>

#include "flamelet/capture_file.h"
#include "shim_recording.h"
#include "support/comma_locale.h"
#include "temporary_folder.h"

using namespace shim_test;

namespace game {

struct Enemy {
  template <class T>
  void update(T) {
    OPTICK_EVENT();
    OPTICK_CATEGORY(OPTICK_FUNC, Optick::Category::AI);
  }
};

}  // namespace game

TEST_CASE_FIXTURE(Shim, "optick: an event without a name, or with its function's, is the function's") {
  game::Enemy().update(1);
  CHECK(tree() == "game::Enemy::update(game::Enemy::update)");
  const std::vector<flamelet_span> spans = capture().spans(capture().lane("main"));
  CHECK(text_of(site(spans[0].site).category).empty());
  CHECK(text_of(site(spans[1].site).category) == "AI");
  CHECK(site(spans[1].site).color == 0x800080);
}

TEST_CASE_FIXTURE(Shim, "optick: an event in a lambda is the lambda's") {
  [] { OPTICK_EVENT(); }();
  CHECK(is_lambda(tree()));
}

TEST_CASE_FIXTURE(Shim, "optick: categories, waits among them") {
  { OPTICK_CATEGORY("a", Optick::Category::GPU_Water); }
  { OPTICK_CATEGORY("b", Optick::Category::WaitEmpty); }
  { OPTICK_CATEGORY("c", OPTICK_MAKE_CATEGORY(31u, 0x112233u)); }
  const std::vector<flamelet_span> spans = capture().spans(capture().lane("main"));
  CHECK(text_of(site(spans[0].site).category) == "GPU water");
  CHECK(text_of(site(spans[1].site).category) == "wait");
  CHECK(text_of(site(spans[2].site).category).empty());
  CHECK(site(spans[2].site).color == 0x112233);
}

TEST_CASE_FIXTURE(Shim, "optick: a pop without a push, and one on another thread, end nothing") {
  OPTICK_POP();
  {
    OPTICK_EVENT("outer");
    std::thread([] { OPTICK_POP(); }).join();
  }
  CHECK(tree() == "outer");
  CHECK(stats().extra_ends == 2);
}

TEST_CASE("optick: a pair that is opened on a fiber ends there, on whichever thread the fiber runs by then") {
  check_pairs_of_fibers([] { OPTICK_PUSH("kept"); }, [] { OPTICK_PUSH("home"); }, [] { OPTICK_POP(); });
}

TEST_CASE_FIXTURE(Shim, "optick: tags stand where they are made, whole") {
  const std::string longer(5000, 'x');
  {
    OPTICK_EVENT("event");
    OPTICK_TAG("text", longer.c_str());
    OPTICK_TAG("none", static_cast<const char*>(nullptr));
    const float vector[3] = {1, 2.5f, -3};
    OPTICK_TAG("vector", vector);
  }
  const std::vector<std::string> expected = {"text: " + longer, "none: (null)", "vector: 1, 2.5, -3"};
  CHECK(instants() == expected);
}

TEST_CASE_FIXTURE(Shim, "optick: a tag of 100 KB, a number that is none, names with %s in them: nothing else is lost") {
  const std::string text(100'000, 'x'), name = "%s %n";
  {
    OPTICK_EVENT_DYNAMIC(name.c_str());
    OPTICK_TAG("text", text.c_str());
    OPTICK_TAG("%d", std::nanf(""));
    OPTICK_PUSH_DYNAMIC(name.c_str());
    OPTICK_POP();
  }
  const std::vector<std::string> expected = {"text: " + text.substr(0, 65535), "%d: nan"};
  CHECK(instants() == expected);
  CHECK(tree() == "%s %n(%s %n)");
}

TEST_CASE_FIXTURE(Shim, "optick: names that are empty, again and again") {
  for (int i = 0; i < 3; ++i) {
    const std::string name;
    OPTICK_EVENT_DYNAMIC(name.c_str());
    Optick::Event::Push("");
    OPTICK_POP();
    OPTICK_PUSH_DYNAMIC(name.c_str());
    OPTICK_POP();
  }
  CHECK(capture().spans(capture().lane("main")).size() == 9);
}

TEST_CASE_FIXTURE(Shim, "optick: numbers in tags have points, also where the C library has a decimal comma") {
  const flamelet::tests::CommaLocale commas;
  if (!commas.is_there()) return;
  {
    OPTICK_EVENT("event");
    OPTICK_TAG("float", 0.1f);
    OPTICK_TAG("large", 1234567.5f);
    OPTICK_TAG("small", -1.25e-20f);
    OPTICK_TAG("three", -1.5e-20f, 16777216.0f, -3.25e-30f);
  }
  const std::vector<std::string> expected = {"float: 0.1", "large: 1.23457e+06", "small: -1.25e-20",
                                             "three: -1.5e-20, 1.67772e+07, -3.25e-30"};
  CHECK(instants() == expected);
}

TEST_CASE_FIXTURE(Shim, "optick: frames marked by two threads at one time are marked or counted") {
  on_threads(2, [](uint32_t) {
    for (int i = 0; i < 500; ++i) {
      OPTICK_FRAME_FLIP();
      OPTICK_FRAME_FLIP(Optick::FrameType::Render);
    }
  });
  CHECK(stats().frames + stats().dropped_frame == 1000);
  CHECK(capture().stats().bad_words == 0);
}

TEST_CASE_FIXTURE(Shim, "optick: captures are switched, and saved as Flamelet's") {
  const TemporaryFolder folder;
  const std::string path = folder.file("game.opt");
  { OPTICK_EVENT("first"); }
  OPTICK_STOP_CAPTURE();
  CHECK_FALSE(Optick::IsActive());
  { OPTICK_EVENT("off"); }
  OPTICK_START_CAPTURE();
  { OPTICK_EVENT("second"); }
  CHECK(Optick::SaveCapture(path.c_str()));
  CHECK_FALSE(Optick::SaveCapture("/no/such/folder/game.opt"));
  CHECK_FALSE(Optick::SaveCapture(std::string(5000, 'x').c_str()));
  flamelet_capture* loaded = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, (path + ".flamelet").c_str(), &loaded, nullptr) == FLAMELET_OK);
  CHECK(recorder_test::read_spans(loaded, recorder_test::find_lane(loaded, "main")).size() == 2);
  flamelet_capture_destroy(loaded);
  CHECK(tree() == "first second");
}

TEST_CASE_FIXTURE(Shim, "optick: what is ignored is counted") {
  const uint64_t gpu = noted("OPTICK_GPU"), storage = noted("OPTICK_STORAGE");
  OPTICK_GPU_INIT_VULKAN(nullptr, nullptr, nullptr, nullptr, 1, nullptr);
  { OPTICK_GPU_EVENT("draw"); }
  Optick::EventStorage* queue = OPTICK_STORAGE_REGISTER("queue");
  OPTICK_STORAGE_EVENT(queue, nullptr, 1, 2);
  CHECK(noted("OPTICK_GPU") == gpu + 2);
  CHECK(noted("OPTICK_STORAGE") == storage + 2);
  CHECK(tree() == "draw");
}

// The table of docs/optick.md: each name compiles; some do nothing, and of these some are counted.
TEST_CASE_FIXTURE(Shim, "optick: names that programs call without macros") {
  static int calls = 0;
  const TemporaryFolder folder;
  static std::string path;
  path = folder.file("names");
  enum Does { kSomething, kNothing, kNothingAndCounts };
  struct Case {
    const char* name;
    Does does;
    void (*use)();
  };
  using namespace Optick;
  static const uint8_t byte = 0;
  const Case cases[] = {
      {"BeginFrame", kSomething, [] { BeginFrame(FrameType::CPU); }},
      {"RegisterThread", kSomething, [] { CHECK(RegisterThread("main")); }},
      {"RegisterThread, wide", kSomething, [] { CHECK(RegisterThread(L"main")); }},
      {"ThreadScope", kSomething, [] { const ThreadScope scope("main"); }},
      {"Event", kSomething, [] { const Event event(*EventDescription::Create("a", "a.cpp", 1)); }},
      {"Event, shared", kSomething, [] { const Event event(*EventDescription::CreateShared("b")); }},
      {"Event::Push", kSomething, [] { Event::Push("c"), Event::Pop(); }},
      {"StopCapture", kSomething, [] { StopCapture(), CHECK_FALSE(IsActive(Mode::TAGS)); }},
      {"StartCapture", kSomething, [] { StartCapture(Mode::DEFAULT), CHECK(IsActive()); }},
      {"SaveCapture", kSomething, [] { CHECK(SaveCapture(path.c_str())); }},
      {"GetHighPrecisionTime", kSomething, [] { CHECK(GetHighPrecisionTime() > 0); }},
      {"GetHighPrecisionFrequency", kSomething, [] { CHECK(GetHighPrecisionFrequency() > 0); }},
      {"Category", kSomething, [] { CHECK(Category::GetColor(Category::AI) == Color::Purple); }},
      {"GPUQueueType", kSomething, [] { CHECK(GPUQueueType(GPU_QUEUE_VSYNC) < GPU_QUEUE_COUNT); }},
      {"EndFrame", kNothing, [] { EndFrame(FrameType::Render); }},
      {"Update", kNothing, [] { Update(); }},
      {"UnRegisterThread", kNothing, [] { UnRegisterThread(true); }},
      {"Shutdown", kNothing, [] { Shutdown(); }},
      {"RegisterStorage", kNothingAndCounts,
       [] {
         EventStorage* storage = RegisterStorage("disk");
         CHECK(storage == nullptr);
       }},
      {"SetStateChangedCallback", kNothingAndCounts,
       [] { SetStateChangedCallback([](State::Type state) { return calls += state + 1, true; }); }},
      {"AttachSummary", kNothingAndCounts, [] { AttachSummary("map", "1"); }},
      {"AttachFile, bytes", kNothingAndCounts, [] { AttachFile(File::OPTICK_IMAGE, "a", &byte, 1); }},
      {"AttachFile, path", kNothingAndCounts, [] { AttachFile(File::OPTICK_TEXT, "a", "a.txt"); }},
      {"VulkanFunctions", kNothing,
       [] {
         VulkanFunctions functions = {};
         functions.vkGetPhysicalDeviceProperties = std::malloc;
         functions.vkCreateQueryPool = (PFN_vkCreateQueryPool_)std::free;
         functions.vkResetFences = nullptr;
         OPTICK_GPU_INIT_VULKAN(&functions, 1, &functions);
       }},
      {"AttachFile, wide path", kNothingAndCounts, [] { AttachFile(File::OPTICK_OTHER, "a", L"a.bin"); }},
  };
  { OPTICK_EVENT("first"); }
  for (const Case& of : cases) {
    CAPTURE(std::string(of.name));
    const uint64_t before = noted("OPTICK_STORAGE") + noted("OPTICK_SET_STATE");
    const uint64_t frames = stats().frames;
    const std::string scopes = tree();
    of.use();
    CHECK(noted("OPTICK_STORAGE") + noted("OPTICK_SET_STATE") - before == (of.does == kNothingAndCounts));
    if (of.does == kSomething) continue;
    CHECK(stats().frames == frames);
    CHECK(tree() == scopes);
  }
  CHECK(tree() == "first a b c");
  CHECK(stats().frames == 1);
  StopCapture();
  StartCapture();
  CHECK(calls == 0);  // of the callback
}
