// SPDX-License-Identifier: MIT
#include "content/memory.h"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "overlay/span_trees.h"

namespace hash_table_test {

using namespace flamelet::ui;

namespace {

struct Value {
  uint64_t key = 0;
  uint32_t number = 0;
};

struct Table : HashTable<Value> {
  explicit Table(uint32_t slots) : memory(slots * sizeof(Value) + 16) {
    Carver carver(memory.data());
    carve(&carver, slots);
  }
  std::vector<char> memory;
};

}  // namespace

TEST_CASE("overlay hash table: what is put in is found until it is taken out, whatever else comes and goes") {
  flamelet_tests::Random random(5);
  Table table(64);
  std::map<uint64_t, uint32_t> model;
  for (uint32_t i = 0; i < 20000; ++i) {
    const uint64_t key = random.below(70) + 1;  // neighbours in the table, so that runs grow and shrink
    if (random.below(2) == 0) {
      Value* value = table.insert(key);
      CHECK((value != nullptr) == (model.count(key) != 0 || model.size() < 48));
      if (value == nullptr) continue;
      value->number = i;
      model[key] = i;
    } else {
      table.erase(key);
      model.erase(key);
    }
    if (i % 100 != 0) continue;
    for (uint64_t each = 1; each <= 70; ++each) {
      const Value* found = table.find(each);
      REQUIRE((found != nullptr) == (model.count(each) != 0));
      if (found != nullptr) REQUIRE(found->number == model[each]);
    }
  }
  table.clear();
  for (uint64_t each = 1; each <= 70; ++each) CHECK(table.find(each) == nullptr);
}

}  // namespace hash_table_test
