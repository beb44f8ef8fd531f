// SPDX-License-Identifier: MIT
#include <easy/arbitrary_value.h>
#include <easy/profiler.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/capture_file.h"
#include "shim_recording.h"
#include "support/comma_locale.h"
#include "temporary_folder.h"

using namespace shim_test;

namespace game {

struct Enemy {
  void update() { EASY_FUNCTION(profiler::colors::Magenta); }
};

}  // namespace game

TEST_CASE("easy_profiler: a function's block has its class, its colour and its place") {
  Shim shim;
  game::Enemy().update();
  CHECK(shim.tree() == "game::Enemy::update");
  const flamelet_site_info site = shim.site(shim.capture().spans(shim.capture().lane("main"))[0].site);
  CHECK(site.color == 0xe040fb);
  CHECK(site.line != 0);
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: a block in a lambda is the lambda's") {
  [] { EASY_FUNCTION(); }();
  CHECK(is_lambda(tree()));
}

TEST_CASE_FIXTURE(Shim,
                  "easy_profiler: an end of the innermost block ends a scoped one, whose brace then ends nothing") {
  {
    EASY_BLOCK("outer");
    {
      EASY_BLOCK("early");
      EASY_END_BLOCK;
      EASY_BLOCK("sibling");
    }
    EASY_NONSCOPED_BLOCK("open");
  }
  { EASY_BLOCK("next"); }
  EASY_END_BLOCK;  // of a block that ended with the one around it
  CHECK(tree() == "outer(early sibling open) next");
  CHECK(stats().extra_ends == 1);
  CHECK(stats().missing_ends == 1);
}

TEST_CASE("easy_profiler: a pair that is opened on a fiber ends there, on whichever thread the fiber runs by then") {
  check_pairs_of_fibers([] { EASY_NONSCOPED_BLOCK("kept"); }, [] { EASY_NONSCOPED_BLOCK("home"); },
                        [] { EASY_END_BLOCK; });
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: at the brace of a block that is off, the blocks that are open inside end") {
  EASY_NONSCOPED_BLOCK("outer");
  {
    EASY_BLOCK("off", profiler::OFF);
    EASY_NONSCOPED_BLOCK("inside");
  }
  { EASY_BLOCK("next"); }
  EASY_END_BLOCK;
  CHECK(tree() == "outer(inside next)");
  CHECK(unmatched_ends() == 0);
}

TEST_CASE_FIXTURE(
    Shim, "easy_profiler: a block that took the place of one that ended early stays open at the brace of that one") {
  {
    EASY_BLOCK("early");
    EASY_END_BLOCK;
    EASY_NONSCOPED_BLOCK("open");
  }
  { EASY_BLOCK("inside"); }
  EASY_END_BLOCK;
  CHECK(tree() == "early open(inside)");
  CHECK(unmatched_ends() == 0);
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: an end without a block, and one on another thread, end nothing") {
  EASY_END_BLOCK;
  {
    EASY_BLOCK("outer");
    std::thread([] { EASY_END_BLOCK; }).join();
  }
  CHECK(tree() == "outer");
  CHECK(stats().extra_ends == 2);
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: blocks that are off, or begin while recording is, take their ends with them") {
  EASY_NONSCOPED_BLOCK("outer");
  EASY_NONSCOPED_BLOCK("off", profiler::OFF);
  EASY_END_BLOCK;
  EASY_PROFILER_DISABLE;
  CHECK_FALSE(profiler::isEnabled());
  EASY_NONSCOPED_BLOCK("while off");
  EASY_PROFILER_ENABLE;
  { EASY_BLOCK("inner"); }
  EASY_END_BLOCK;
  { EASY_BLOCK("last"); }
  EASY_END_BLOCK;
  CHECK(tree() == "outer(inner last)");
  CHECK(unmatched_ends() == 0);
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: names at run time are text, whatever is in them") {
  char buffer[16] = "%s %n";
  { EASY_BLOCK(buffer); }
  buffer[0] = '*';
  { EASY_BLOCK(buffer); }
  { EASY_BLOCK(std::string("string") + " %d"); }
  CHECK(tree() == "%s %n *s %n string %d");
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: the end of an outermost block of the thread Main marks a frame") {
  EASY_MAIN_THREAD;
  CHECK(profiler::isMainThread());
  for (int i = 0; i < 3; ++i) {
    EASY_BLOCK("frame");
    { EASY_BLOCK("inside"); }
    EASY_NONSCOPED_BLOCK("and inside");
    EASY_END_BLOCK;
  }
  EASY_NONSCOPED_BLOCK("frame");
  EASY_END_BLOCK;
  { EASY_BLOCK("no frame", profiler::OFF); }
  std::thread([] {
    EASY_THREAD("worker");
    CHECK_FALSE(profiler::isMainThread());
    EASY_BLOCK("no frame");
  }).join();
  CHECK(stats().frames == 4);
  CHECK(profiler::main_thread_frameTime(profiler::TICKS) > 0);
  CHECK(profiler::main_thread_frameTimeLocalMax(profiler::TICKS) >= profiler::this_thread_frameTime(profiler::TICKS));
  CHECK(profiler::main_thread_frameTimeLocalMax(profiler::TICKS) == 0);
  EASY_THREAD("main");
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: outermost blocks of two main threads at one time mark frames, or are counted") {
  on_threads(2, [](uint32_t) {
    EASY_MAIN_THREAD;
    for (int i = 0; i < 500; ++i) {
      EASY_BLOCK("frame");
    }
  });
  CHECK(stats().frames + stats().dropped_frame == 1000);
}

TEST_CASE("easy_profiler: numbers are counters, what is no number is too, and texts are whole up to 65,535 bytes") {
  Shim shim;
  const std::string text(100'000, 'x');
  std::vector<int> many(30'000, 7);
  EASY_VALUE("number", 1.5f);
  EASY_VALUE("number", std::nan(""));
  EASY_TEXT("text", text);
  EASY_TEXT("none", static_cast<const char*>(nullptr));
  EASY_STRING("with its zero", "abc", 4u);
  EASY_STRING("empty", "", 0u);
  EASY_ARRAY("many", many.data(), many.size());
  const std::vector<double> numbers = shim.values("number");
  REQUIRE(numbers.size() == 2);
  CHECK(numbers[0] == 1.5);
  CHECK(std::isnan(numbers[1]));
  const std::vector<std::string> instants = shim.instants();
  REQUIRE(instants.size() == 5);
  CHECK(instants[0] == "text: " + text.substr(0, 65535));
  CHECK(instants[1] == "none: (null)");
  CHECK(instants[2] == "with its zero: abc");
  CHECK(instants[3] == "empty: ");
  CHECK(instants[4].size() > 65'000);
  CHECK(instants[4].substr(0, 12) == "many: 7, 7, ");
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: numbers of arrays have points, also where the C library has a decimal comma") {
  const flamelet::tests::CommaLocale commas;
  if (!commas.is_there()) return;
  const double numbers[] = {0.1, -1234567.5, -1.25e-300};
  EASY_ARRAY("numbers", numbers, 3);
  CHECK(instants() == std::vector<std::string>{"numbers: 0.1, -1.23457e+06, -1.25e-300"});
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: what is ignored is counted") {
  const uint64_t listen = noted("profiler::startListen"), ids = noted("EASY_VIN"), status = noted("profiler::OFF_");
  profiler::startListen();
  EASY_VALUE("v", 1, EASY_UNIQUE_VIN);
  EASY_VALUE("v", 2, EASY_GLOBAL_VIN);
  { EASY_BLOCK("b", profiler::ON_WITHOUT_CHILDREN); }
  CHECK(noted("profiler::startListen") == listen + 1);
  CHECK(noted("EASY_VIN") == ids + 1);
  CHECK(noted("profiler::OFF_") == status + 1);
}

// Names of the original's headers that no other test has.
TEST_CASE_FIXTURE(Shim, "easy_profiler: each name that programs call without macros is there") {
  using namespace profiler;
  const uint64_t stored = noted("profiler::storeBlock");
  const auto place = [](const char* id, const char* name, block_type_t type, EasyBlockStatus status = ON) {
    return registerDescription(status, id, name, "game.cpp", 7, type, colors::Red, true);
  };
  const BaseBlockDescriptor* const block = place("1", "block", BlockType::Block);
  const BaseBlockDescriptor* const event = place("2", "event", BlockType::Event);
  const BaseBlockDescriptor* const off = place("3", "off", BlockType::Block, OFF);
  CHECK(place("1", "other", BlockType::Value) == block);
  CHECK(block->id() != event->id());
  CHECK(block->line() == 7);
  CHECK(block->color() == (colors::Red & 0xFFFFFF));
  CHECK(block->type() == BlockType::Block);
  CHECK(off->status() == OFF);
  {
    Block scoped(block, ""), named(block, "named"), none(off, ""), never(block, "never");
    for (Block* each : {&scoped, &named, &none}) beginBlock(*each);
    CHECK(std::string(named.name()) == "named");
    beginNonScopedBlock(block, "inner");
    endBlock();
  }
  beginNonScopedBlock(block);
  endBlock();
  storeEvent(event);
  storeEvent(event, "at run time");
  storeEvent(off);
  storeBlock(block, "", now(), currentTime());
  CHECK(noted("profiler::storeBlock") == stored + 1);
  CHECK(tree() == "block(named(inner)) block");
  CHECK(instants() == std::vector<std::string>{"event: ", "at run time: "});
  CHECK(unmatched_ends() == 0);
  stopCapture();
  CHECK_FALSE(isCapturing());
  startCapture();
  CHECK(isCapturing());
  ThreadGuard guard;
  CHECK(std::string(this_thread::registrate("Main")) == "Main");
  CHECK(this_thread::isMain());
  CHECK(main_thread::isMain());
  this_thread::registrate("main", guard);
  CHECK_FALSE(this_thread::isMain());
  for (const auto time : {this_thread::frameTime, this_thread::frameTimeLocalMax, this_thread::frameTimeLocalAvg})
    CHECK(time(TICKS) == 0);
  main_thread::frameTime();
  main_thread::frameTimeLocalMax();
  main_thread::frameTimeLocalAvg();
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: values of registered places are counters, arrays and texts are instants") {
  using namespace profiler;
  const auto place = [](const char* name, EasyBlockStatus status = ON) {
    return registerDescription(status, name, name, "game.cpp", 7, BlockType::Value, colors::Red);
  };
  const uint64_t ids = noted("EASY_VIN");
  const int numbers[] = {1, -2};
  const float half = 0.5f;
  setValue(place("number"), 7u, ValueId());
  storeValue(place("number"), DataType::Float, &half, sizeof half, false, ValueId(1));
  setValue(place("off", OFF), 7, ValueId());
  setValue(place("all"), numbers, ValueId());
  setValue(place("one"), numbers, ValueId(), 1);
  storeValue(place("stored"), DataType::Int32, numbers, sizeof numbers, true, ValueId());
  storeValue(place("none"), DataType::TypesCount, numbers, sizeof numbers, true, ValueId());
  setText(place("text"), "abc", ValueId());
  setText(place("string"), std::string("def"), ValueId());
  setText(place("cut"), "ghi", ValueId(), 2);
  CHECK(values("number") == std::vector<double>{7, 0.5});
  CHECK(noted("EASY_VIN") == ids + 1);
  CHECK(instants() ==
        std::vector<std::string>{"all: 1, -2", "one: 1", "stored: 1, -2", "text: abc", "string: def", "cut: gh"});
}

TEST_CASE_FIXTURE(Shim, "easy_profiler: a dump of blocks is a capture of Flamelet's") {
  const TemporaryFolder folder;
  const std::string path = folder.file("game.prof");
  { EASY_BLOCK("first"); }
  { EASY_BLOCK("second"); }
  CHECK(profiler::dumpBlocksToFile(path.c_str()) == 2);
  CHECK(profiler::dumpBlocksToFile("/no/such/folder/game.prof") == 0);
  flamelet_capture* loaded = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, (path + ".flamelet").c_str(), &loaded, nullptr) == FLAMELET_OK);
  CHECK(recorder_test::read_spans(loaded, recorder_test::find_lane(loaded, "main")).size() == 2);
  flamelet_capture_destroy(loaded);
}
