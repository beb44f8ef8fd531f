// SPDX-License-Identifier: MIT
#include "lanes/lane_choices.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "counters/counter_table.h"

namespace lane_choices_test {

using namespace flamelet::ui;

namespace {

struct Lanes {
  explicit Lanes(const std::vector<std::string>& texts) : names(texts), storage(texts.size()) {
    lanes.data = storage.data();
    lanes.count = lanes.capacity = static_cast<uint32_t>(storage.size());
    for (uint32_t i = 0; i < lanes.count; ++i) {
      storage[i].name = names[i];
      storage[i].id = i + 1;
      storage[i].height = 10;
    }
  }
  std::string order() const {
    std::string all;
    for (const Lane& lane : storage) all += std::string(lane.name) + ' ';
    return all;
  }
  uint32_t at(const std::string& name) const {
    uint32_t i = 0;
    while (storage[i].name != name) ++i;
    return i;
  }
  std::vector<std::string> names;
  std::vector<Lane> storage;
  Array<Lane> lanes;
};

std::string text_of(const LaneChoices& choices) {
  static char text[32768];
  TextWriter writer(text, sizeof text);
  choices.write(&writer);
  return text;
}

}  // namespace

TEST_CASE("lane choices: a lane changes places with the next shown one, and lanes of its name go with it") {
  Lanes l({"Main", "job", "job", "Audio", "Net"});
  LaneChoices choices;
  CHECK(choices.move(&l.lanes, 3, -1));
  CHECK(l.order() == "Main Audio job job Net ");
  CHECK_FALSE(choices.move(&l.lanes, 0, -1));
  l.storage[l.at("Audio")].height = 0;  // not shown: it is passed
  CHECK(choices.move(&l.lanes, 0, 1));
  CHECK(l.order() == "job job Audio Main Net ");
  CHECK(choices.move(&l.lanes, l.at("Net"), -1));
  CHECK(l.order() == "job job Audio Net Main ");
}

TEST_CASE("lane choices: pinned lanes stand at the top, hidden ones are hidden, and all of it is read back from text") {
  Lanes l({"Main", "job", "Audio, 2", "Net"});
  LaneChoices choices;
  choices.of("Net")->pinned = true;
  choices.of("job")->hidden = true;
  choices.of("Audio, 2")->color = 5;
  choices.arrange(&l.lanes);
  CHECK(l.order() == "Net Main job Audio, 2 ");
  CHECK(choices.move(&l.lanes, l.at("Audio, 2"), -1));
  CHECK(l.order() == "Net Main Audio, 2 job ");
  CHECK_FALSE(choices.move(&l.lanes, l.at("Main"), -1));  // not past one that is pinned

  LaneChoices again;
  const std::string text = text_of(choices);
  for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    CHECK(again.read(text.substr(begin + 5, text.find('\n', begin) - begin - 5)));
  CHECK(text_of(again) == text);
  Lanes other({"job", "Main", "Net", "Audio, 2"});
  again.arrange(&other.lanes);
  CHECK(other.order() == "Net Main Audio, 2 job ");
  CHECK(other.storage[3].hidden);
  CHECK(other.storage[2].color == 5);
  CHECK(other.storage[0].pinned);
  again.show_all();
  again.arrange(&other.lanes);
  CHECK_FALSE(other.storage[3].hidden);
}

TEST_CASE("lane choices: nonsense is refused, and there is an end to what is kept") {
  LaneChoices choices;
  for (const char* text :
       {"", "1", "1,2", "1,2,3", "70000,0,0,a", "1,9,0,a", "1,0,99,a", "-1,0,0,a", "1,0,0,", "x,0,0,a"})
    CHECK_FALSE(choices.read(text));
  CHECK_FALSE(choices.read("1,0,0," + std::string(64, 'a')));
  CHECK(text_of(choices).empty());
  for (uint32_t i = 0; i < LaneChoices::kMost; ++i) CHECK(choices.of("lane " + std::to_string(i)) != nullptr);
  CHECK(choices.of("one more") == nullptr);
  CHECK(choices.of("lane 7") != nullptr);
  Lanes l({"one more", "lane 1"});
  CHECK_FALSE(choices.move(&l.lanes, 0, 1));
  CHECK(l.order() == "one more lane 1 ");
}

TEST_CASE("lane choices: a name that text cannot keep is not chosen, neither of a lane nor of a counter") {
  LaneChoices lanes;
  CounterChoices counters;
  for (const std::string_view name : {std::string_view("a\0b", 3), std::string_view("a\nb"), std::string_view()}) {
    CHECK(lanes.of(name) == nullptr);
    CHECK_FALSE(CounterChoices::takes(name));
    CHECK_FALSE(counters.set(name, 1));
  }
  CHECK(counters.room() == CounterChoices::kMost);
  CHECK(counters.set("load [%]", 1));
  CHECK(counters.group_of("load [%]") == 1);
}

}  // namespace lane_choices_test
