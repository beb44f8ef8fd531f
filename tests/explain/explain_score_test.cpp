// SPDX-License-Identifier: MIT
//
// How often the explainer is right: frames of a simulated game, most of them ordinary, some with trouble that is known.
#include <cstdio>
#include <string>
#include <vector>

#include "explain/explaining.h"
#include "explain/simulated_game.h"
#include "rounds.h"

namespace explain_test {
namespace {

constexpr int kTroubles = static_cast<int>(Trouble::kCount);

std::string scope_of(const Explaining& explain, const flamelet_capture* capture, const flamelet_cause& cause) {
  const std::string path = explain.path(capture, cause.path);
  const size_t last = path.rfind(" > ");
  return last == std::string::npos ? path : path.substr(last + 3);
}

// The place of the right answer among the causes, from 0; -1 if it is not there.
int place_of(const Explaining& explain, const flamelet_capture* capture, const flamelet_explanation& why,
             Trouble trouble) {
  const Answer answer = answer_of(trouble);
  for (size_t i = 0; i < why.cause_count; ++i)
    if (why.causes[i].verdict == answer.verdict && scope_of(explain, capture, why.causes[i]) == answer.scope)
      return static_cast<int>(i);
  return -1;
}

struct Score {
  int frames = 0, first = 0, in_three = 0, unnamed = 0;
  int verdicts[kTroubles][FLAMELET_VERDICT_COUNT + 1] = {};  // of the first cause; the last column: none
};

void print(const Score& score) {
  std::printf("%-22s", "trouble \\ answered");
  for (uint32_t i = 0; i < FLAMELET_VERDICT_COUNT; ++i)
    std::printf(" %14s", flamelet_verdict_name(static_cast<flamelet_verdict>(i)));
  std::printf(" %8s\n", "nothing");
  for (int trouble = 1; trouble < kTroubles; ++trouble) {
    std::printf("%-22s", name_of(static_cast<Trouble>(trouble)));
    for (uint32_t i = 0; i <= FLAMELET_VERDICT_COUNT; ++i)
      std::printf(i == FLAMELET_VERDICT_COUNT ? " %8d\n" : " %14d", score.verdicts[trouble][i]);
  }
  std::printf("%d frames: right first %d, in the first three %d; not named unusual %d\n", score.frames, score.first,
              score.in_three, score.unnamed);
}

}  // namespace

TEST_CASE("explain: trouble of a known kind is named, path and verdict, first in 95 % and in three in 99 %") {
  Score score;
  for (uint32_t seed = 1; seed <= rounds(20); ++seed) {
    SimulatedGame game(seed);
    std::mt19937 random(seed);
    std::vector<Trouble> troubles;
    for (int frame = 0; frame < 450; ++frame) {
      Trouble trouble = Trouble::kNone;
      if (frame >= 100 && frame % 12 == 0) trouble = static_cast<Trouble>(1 + random() % (kTroubles - 1));
      troubles.push_back(trouble);
      game.add_frame(trouble, 3 + static_cast<double>(random() % 300) / 10);
    }
    flamelet_capture* const capture = game.finish();
    const Explaining explain;
    for (size_t i = 0; i < troubles.size(); ++i) {
      if (troubles[i] == Trouble::kNone) continue;
      const flamelet_explanation why = explain.frame(capture, i);
      ++score.frames;
      score.unnamed += (why.flags & FLAMELET_EXPLAIN_UNUSUAL) == 0;
      const int place = place_of(explain, capture, why, troubles[i]);
      score.first += place == 0;
      score.in_three += place >= 0 && place < 3;
      ++score.verdicts[static_cast<int>(troubles[i])]
                      [why.cause_count == 0 ? FLAMELET_VERDICT_COUNT : why.causes[0].verdict];
      if (place != 0) MESSAGE(std::string(name_of(troubles[i])) << ": " << explain.text(capture, why));
    }
  }
  print(score);
  CHECK(score.frames >= static_cast<int>(rounds(500)));
  CHECK(score.first * 100 >= score.frames * 95);
  CHECK(score.in_three * 100 >= score.frames * 99);
  CHECK(score.unnamed * 100 <= score.frames);
}

TEST_CASE("explain: two troubles at once are both named, in the first three") {
  int frames = 0, both = 0;
  for (uint32_t seed = 1; seed <= rounds(4); ++seed) {
    SimulatedGame game(seed);
    std::vector<std::pair<Trouble, Trouble>> troubles;
    for (int frame = 0; frame < 450; ++frame) {
      const bool is_bad = frame >= 100 && frame % 12 == 0;
      constexpr Trouble kFirst[] = {Trouble::kSlowJob, Trouble::kMoreCalls, Trouble::kNewScope};
      constexpr Trouble kSecond[] = {Trouble::kNewScope, Trouble::kGpu, Trouble::kLock};
      troubles.emplace_back(is_bad ? kFirst[frame / 12 % 3] : Trouble::kNone,
                            is_bad ? kSecond[frame / 12 % 3] : Trouble::kNone);
      game.add_frame(troubles.back().first, 12, troubles.back().second);
    }
    flamelet_capture* const capture = game.finish();
    const Explaining explain;
    for (size_t i = 0; i < troubles.size(); ++i) {
      if (troubles[i].first == Trouble::kNone) continue;
      const flamelet_explanation why = explain.frame(capture, i);
      const int first = place_of(explain, capture, why, troubles[i].first);
      const int second = place_of(explain, capture, why, troubles[i].second);
      ++frames;
      both += first >= 0 && first < 3 && second >= 0 && second < 3;
      if (first < 0 || second < 0)
        MESSAGE(name_of(troubles[i].first)
                << ", " << name_of(troubles[i].second) << ": " << explain.text(capture, why));
    }
  }
  std::printf("two at once: both named in %d of %d frames\n", both, frames);
  CHECK(both * 100 >= frames * 95);
}

TEST_CASE("explain: at most 1 % of ordinary frames are called unusual") {
  int frames = 0, blamed = 0;
  for (uint32_t seed = 101; seed <= 100 + rounds(5); ++seed) {
    SimulatedGame game(seed);
    for (int frame = 0; frame < 300; ++frame) game.add_frame();
    flamelet_capture* const capture = game.finish();
    const Explaining explain;
    for (size_t i = 100; i < 300; ++i, ++frames)
      blamed += (explain.frame(capture, i).flags & FLAMELET_EXPLAIN_UNUSUAL) != 0;
  }
  std::printf("ordinary frames: %d of %d called unusual\n", blamed, frames);
  CHECK(blamed * 100 <= frames);
}

}  // namespace explain_test
