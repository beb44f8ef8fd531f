// SPDX-License-Identifier: MIT
#include "trouble.h"

#include <doctest/doctest.h>

using demo::parse_trouble;
using demo::Trouble;
using demo::TroubleKind;
using demo::Troubles;

TEST_CASE("demo trouble: a cause, a frame, and how long") {
  const std::optional<Trouble> lock = parse_trouble("lock@150:33.5");
  REQUIRE(lock);
  CHECK(lock->kind == TroubleKind::kLock);
  CHECK(lock->frame == 150);
  CHECK(lock->ms == 33.5);
  const std::optional<Trouble> calls = parse_trouble("more-calls@1");
  REQUIRE(calls);
  CHECK(calls->kind == TroubleKind::kMoreCalls);
  CHECK(calls->ms == 60);
  for (const char* name : {"slow-job@9", "new-scope@9", "no-scope@9"}) CHECK(parse_trouble(name));
}

TEST_CASE("demo trouble: anything else is refused") {
  for (const char* wrong : {"", "lock", "@3", "lock@", "lock@x", "lock@0", "lock@-1", "lock@3x", "lock@3:", "lock@3:x",
                            "lock@3:-1", "lock@3:0", "lock@3:1e9", "lock@3:5ms", "locks@3", "loc@3", "lock@3:nan"})
    CHECK_FALSE_MESSAGE(parse_trouble(wrong).has_value(), wrong);
}

TEST_CASE("demo trouble: of one kind in one frame adds up") {
  const Troubles troubles({{TroubleKind::kLock, 5, 10}, {TroubleKind::kLock, 5, 2}, {TroubleKind::kNewScope, 5, 1}});
  CHECK(troubles.ms(TroubleKind::kLock, 5) == 12);
  CHECK(troubles.ms(TroubleKind::kLock, 6) == 0);
  CHECK(troubles.ms(TroubleKind::kNoScope, 5) == 0);
}
