// SPDX-License-Identifier: MIT
#include <optick.h>

#include <cmath>
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

TEST_CASE("optick: an event without a name, or with its function's, is the function's") {
  Shim shim;
  game::Enemy().update(1);
  CHECK(shim.tree() == "game::Enemy::update(game::Enemy::update)");
  const std::vector<flamelet_span> spans = shim.capture().spans(shim.capture().lane("main"));
  CHECK(text_of(shim.site(spans[0].site).category).empty());
  CHECK(text_of(shim.site(spans[1].site).category) == "AI");
  CHECK(shim.site(spans[1].site).color == 0x800080);
}

TEST_CASE("optick: categories, waits among them") {
  Shim shim;
  { OPTICK_CATEGORY("a", Optick::Category::GPU_Water); }
  { OPTICK_CATEGORY("b", Optick::Category::WaitEmpty); }
  { OPTICK_CATEGORY("c", OPTICK_MAKE_CATEGORY(31u, 0x112233u)); }
  const std::vector<flamelet_span> spans = shim.capture().spans(shim.capture().lane("main"));
  CHECK(text_of(shim.site(spans[0].site).category) == "GPU water");
  CHECK(text_of(shim.site(spans[1].site).category) == "wait");
  CHECK(text_of(shim.site(spans[2].site).category).empty());
  CHECK(shim.site(spans[2].site).color == 0x112233);
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
