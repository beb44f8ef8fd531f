// SPDX-License-Identifier: MIT
#include "trouble.h"

#include <doctest/doctest.h>

#include <map>

using namespace demo;

namespace {

std::vector<Trouble> parsed(const std::string& text) {
  std::vector<Trouble> troubles;
  CHECK(parse_troubles(text, &troubles) == "");
  return troubles;
}
std::string error_of(const std::string& text) {
  std::vector<Trouble> troubles;
  const std::string error = parse_troubles(text, &troubles);
  CHECK_MESSAGE(troubles.empty(), text);
  return error;
}

}  // namespace

TEST_CASE("demo trouble: a cause, a frame, and how long") {
  const std::vector<Trouble> lock = parsed("lock@150:33.5");
  REQUIRE(lock.size() == 1);
  CHECK(lock[0].kind == TroubleKind::kLock);
  CHECK(lock[0].frame == 150);
  CHECK(lock[0].ms == 33.5);
  CHECK(demo::text_of(lock[0]) == "lock@150:33.5");
  CHECK(demo::text_of(parsed("more-calls@1")[0]) == "more-calls@1:60");
}

TEST_CASE("demo trouble: the help names every cause, and every cause can be ordered") {
  const std::string help = demo::trouble_help();
  for (const char* name : {"slow-job", "more-calls", "lock", "new-scope", "no-scope", "gpu-pass", "allocations",
                           "carried-over", "page-faults", "stall", "convoy", "read"}) {
    CHECK_MESSAGE(help.find(std::string("  ") + name) != std::string::npos, name);
    CHECK(demo::text_of(parsed(std::string(name) + "@9:1")[0]) == std::string(name) + "@9:1");
  }
}

TEST_CASE("demo trouble: anything else is refused, and it is said why") {
  CHECK(error_of("") == "\"\" is no CAUSE@FRAME[:MS]");
  CHECK(error_of("lock") == "\"lock\" is no CAUSE@FRAME[:MS]");
  CHECK(error_of("locks@3") == "there is no cause \"locks\"");
  CHECK(error_of("@3") == "there is no cause \"\"");
  CHECK(error_of("lock@x") == "\"x\" in \"lock@x\" is no number");
  CHECK(error_of("lock@0") == "frame 0 in \"lock@0\" is the start of the game; the first one is 1");
  CHECK(error_of("lock@3:5ms") == "\"5ms\" is no time in milliseconds, above 0 and up to 10000");
  CHECK(error_of("lock@3:5:6") == "\"lock@3:5:6\" is no CAUSE@FRAME[:MS]");
  CHECK(error_of("random@3") == "\"random@3\" is no random@SEED:COUNT[:MS]");
  CHECK(error_of("random@3:0") == "COUNT in \"random@3:0\" is to be 1 to 10000");
  for (const char* wrong : {"lock@", "lock@-1", "lock@3x", "lock@3:", "lock@3:x", "lock@3:-1", "lock@3:0", "lock@3:1e9",
                            "lock@3:20000", "loc@3", "lock@3:nan", "lock@3: 4", "lock@99999999999999999999",
                            "random@1:x", "random@1:10001", "random@x:1", "random@1:2:3:4", "random@1:2:0"})
    CHECK_MESSAGE(error_of(wrong) != "", wrong);
}

TEST_CASE("demo trouble: random ones are of all causes, apart from each other, and the same for the same seed") {
  const std::vector<Trouble> troubles = parsed("random@7:200:25");
  const std::vector<Trouble> again = parsed("random@7:200:25");
  REQUIRE(troubles.size() == again.size());
  std::map<TroubleKind, int> kinds;
  size_t twos = 0;
  for (size_t i = 0; i < troubles.size(); ++i) {
    CHECK(demo::text_of(troubles[i]) == demo::text_of(again[i]));
    CHECK(troubles[i].ms == 25);
    ++kinds[troubles[i].kind];
    if (i == 0) continue;
    const bool is_second = troubles[i].frame == troubles[i - 1].frame;
    twos += is_second;
    CHECK((is_second ? troubles[i].kind != troubles[i - 1].kind : troubles[i].frame >= troubles[i - 1].frame + 8));
  }
  CHECK(troubles[0].frame >= 60);
  CHECK(troubles.size() - twos == 200);
  CHECK(twos > 10);
  CHECK(kinds.size() >= 10);
}

TEST_CASE("demo trouble: of one kind in one frame adds up") {
  const Troubles troubles({{TroubleKind::kLock, 5, 10}, {TroubleKind::kLock, 5, 2}, {TroubleKind::kNewScope, 5, 1}});
  CHECK(troubles.ms(TroubleKind::kLock, 5) == 12);
  CHECK(troubles.ms(TroubleKind::kLock, 6) == 0);
  CHECK(troubles.ms(TroubleKind::kNoScope, 5) == 0);
  CHECK(troubles.has(TroubleKind::kLock));
  CHECK_FALSE(troubles.has(TroubleKind::kNoScope));
}
