// SPDX-License-Identifier: MIT
//
// flamelet_score_runs CAPTURE OUTPUT [CAPTURE OUTPUT ...]
//
// How often the explainer is right about runs of the demo with --inject: the captures, and what the runs printed. Prints
// what was answered to each cause, each wrong answer in its words, and as the last line the counts, for a script:
//   score injected N first N after_machine N in_three N unnamed N ordinary N blamed N
// An answer is right if it has the cause's verdict and scope. `after_machine` counts those that stand first, or behind
// nothing but what the machine did. An ordinary frame is blamed if it is called unusual, and the first cause is neither
// "preempted" nor "probably" nor says that the thread slept, as it does where the threads of a software renderer were held
// up, which the profiler does not know.
#include <flamelet/capture_file.h>
#include <flamelet/explain.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "trouble.h"

namespace {

using demo::Trouble;
using demo::TroubleKind;

constexpr uint64_t kFirstFrame = 40;                     // before, there is too little to compare with
constexpr size_t kColumns = FLAMELET_VERDICT_COUNT + 1;  // the last one: nothing

struct Answer {
  TroubleKind kind;
  const char* name;
  flamelet_verdict verdict;
  const char* scope;  // the innermost
};
constexpr Answer kAnswers[] = {
    {TroubleKind::kSlowJob, "slow-job", FLAMELET_VERDICT_SLOWER_CALLS, "Look ahead"},
    {TroubleKind::kMoreCalls, "more-calls", FLAMELET_VERDICT_MORE_CALLS, "Fill snapshot"},
    {TroubleKind::kLock, "lock", FLAMELET_VERDICT_WAIT, "Survey town"},
    {TroubleKind::kNewScope, "new-scope", FLAMELET_VERDICT_NEW, "Load district"},
    {TroubleKind::kNoScope, "no-scope", FLAMELET_VERDICT_UNINSTRUMENTED, "Simulate"},
    {TroubleKind::kGpuPass, "gpu-pass", FLAMELET_VERDICT_GPU_BOUND, "Scene pass"},
    {TroubleKind::kPreempted, "preempted", FLAMELET_VERDICT_PREEMPTED, "demo::Game::run_events"},
    {TroubleKind::kAllocations, "allocations", FLAMELET_VERDICT_UNINSTRUMENTED, "no scope"},
    {TroubleKind::kCarriedOver, "carried-over", FLAMELET_VERDICT_CARRIED_OVER, "Bake lights"},
    {TroubleKind::kPageFaults, "page-faults", FLAMELET_VERDICT_SLOWER_CALLS, "demo::Game::repair_buildings"},
    {TroubleKind::kConvoy, "convoy", FLAMELET_VERDICT_WAIT, "File papers"},
    {TroubleKind::kRead, "read", FLAMELET_VERDICT_WAIT, "read"},
    {TroubleKind::kStall, "stall", FLAMELET_VERDICT_SLOWER_CALLS, "demo::Agents::sort_into_cells"},
};
constexpr size_t kCauses = std::size(kAnswers);

struct Score {
  int injected = 0, first = 0, after_machine = 0, in_three = 0, unnamed = 0;
  int ordinary = 0, blamed = 0, preempted = 0, unsure = 0;
  int planned = 0, planned_blamed = 0;  // frames of the game's own hitches
  int verdicts[kCauses][kColumns] = {};
  int right[kCauses] = {};
};

std::string text_of(flamelet_string text) {
  return std::string(text.text, text.size);
}

class Run {
 public:
  Run(const char* capture_path, const char* output_path) {
    const flamelet_result result = flamelet_capture_load(nullptr, capture_path, &capture_, nullptr);
    if (result != FLAMELET_OK)
      throw std::runtime_error(std::string(capture_path) + ": " + flamelet_result_message(result));
    read_troubles(output_path);
    const flamelet_explain_config config = flamelet_explain_config_default();
    memory_.resize(flamelet_explain_memory_required(&config));
    flamelet_explain_create(&config, memory_.data(), memory_.size(), &explain_);
  }
  ~Run() { flamelet_capture_destroy(capture_); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void score(Score* score) {
    flamelet_frame_info frame;
    for (size_t i = 0; flamelet_capture_frame(capture_, i, &frame); ++i) {
      if (frame.index < kFirstFrame) continue;
      flamelet_explanation why;
      flamelet_explain_frame(explain_, capture_, i, &why);
      const auto found = troubles_.find(frame.index);
      if (found != troubles_.end())
        for (const TroubleKind kind : found->second) score_injected(why, kind, found->second.size(), score);
      else
        score_ordinary(why, plans(i), score);
    }
  }

 private:
  void read_troubles(const char* path) {
    std::ifstream file(path);
    std::string word, text;
    while (file >> word) {
      if (word != "Inject" || !(file >> text)) continue;
      std::vector<Trouble> troubles;
      const std::string wrong = demo::parse_troubles(text, &troubles);
      if (!wrong.empty()) throw std::runtime_error(std::string(path) + ": " + wrong);
      for (const Trouble& trouble : troubles) troubles_[trouble.frame].push_back(trouble.kind);
    }
    if (troubles_.empty()) throw std::runtime_error(std::string(path) + ": nothing was injected");
  }

  std::string scope_of(uint32_t path) const {
    flamelet_explain_scope scope = {};
    if (!flamelet_explain_path(explain_, path, &scope)) return "";
    return scope.lane != UINT32_MAX ? "no scope" : text_of(flamelet_capture_string(capture_, scope.name));
  }
  bool is_about(uint32_t path, const std::set<std::string>& scopes) const {
    flamelet_explain_scope scope;
    for (; flamelet_explain_path(explain_, path, &scope); path = scope.parent)
      if (scopes.count(scope_of(path)) != 0) return true;
    return false;
  }

  void score_injected(const flamelet_explanation& why, TroubleKind kind, size_t at_once, Score* score) {
    const auto* const answer =
        std::find_if(std::begin(kAnswers), std::end(kAnswers), [&](const Answer& known) { return known.kind == kind; });
    size_t place = 0, by_machine = 0;
    const auto is_right = [&](const flamelet_cause& cause) {
      return cause.verdict == answer->verdict && scope_of(cause.path) == answer->scope &&
             (kind != TroubleKind::kPageFaults || cause.minor_faults != 0) &&
             (kind != TroubleKind::kStall || cause.asleep_ns * 2 > cause.time_ns);
    };
    while (place < why.cause_count && !is_right(why.causes[place]))
      by_machine += why.causes[place++].verdict == FLAMELET_VERDICT_PREEMPTED;
    const bool is_named = (why.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0;
    const bool is_there = is_named && place < why.cause_count;
    const bool is_first = is_there && place < at_once;  // of two at once, either is first
    ++score->injected;
    score->first += is_first;
    score->in_three += is_there && place - by_machine < 3;
    score->unnamed += !is_named;
    const size_t row = static_cast<size_t>(answer - kAnswers);
    const bool is_right_or_behind = is_there && place - by_machine < at_once;
    score->right[row] += is_right_or_behind;
    const size_t shown = is_right_or_behind ? place : 0;
    score->after_machine += is_right_or_behind;
    ++score->verdicts[row][is_named && why.cause_count != 0 ? size_t{why.causes[shown].verdict} : kColumns - 1];
    if (!is_right_or_behind) print_answer(answer->name, why);
  }

  // Frames in which the game plans paths are slow for a cause of their own, which is right to name.
  void score_ordinary(const flamelet_explanation& why, bool plans, Score* score) {
    const bool is_named = (why.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0 && why.cause_count != 0;
    const bool by_machine = is_named && why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED;
    const bool is_probable = is_named && (why.causes[0].flags & FLAMELET_PIECE_PROBABLY) != 0;
    const bool is_right =
        is_named && plans &&
        is_about(why.causes[0].path, {"Plan paths", "Plan all paths", "demo::Navigation::mark_obstacles"});
    ++(plans ? score->planned : score->ordinary);
    score->preempted += by_machine && !plans;
    const bool is_asleep = is_named && why.causes[0].asleep_ns * 2 > why.causes[0].time_ns;
    score->unsure += (is_probable || is_asleep) && !plans;
    if (!is_named || by_machine || is_probable || is_asleep || is_right) return;
    ++(plans ? score->planned_blamed : score->blamed);
    print_answer(plans ? "(plans paths)" : "(ordinary)", why);
  }

  // Whether paths were planned in the step for which this frame waits, or the one before.
  bool plans(size_t position) const {
    flamelet_frame_info frame, before;
    if (!flamelet_capture_frame(capture_, position, &frame)) return false;
    if (position == 0 || !flamelet_capture_frame(capture_, position - 1, &before)) before = frame;
    std::vector<flamelet_span> spans;
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture_); ++lane) {
      spans.resize(flamelet_capture_count_spans(capture_, lane, before.begin_ns, frame.end_ns));
      flamelet_capture_read_spans(capture_, lane, before.begin_ns, frame.end_ns, spans.data(), spans.size(), nullptr);
      for (const flamelet_span& span : spans)
        if (text_of(flamelet_capture_string(capture_, span.name)) == "Plan paths") return true;
    }
    return false;
  }

  void print_answer(const char* asked, const flamelet_explanation& why) const {
    std::string text(flamelet_explain_text(explain_, capture_, &why, nullptr, 0) + 1, '\0');
    flamelet_explain_text(explain_, capture_, &why, text.data(), text.size());
    std::printf("%s: %s\n", asked, text.c_str());
  }

  flamelet_capture* capture_ = nullptr;
  std::map<uint64_t, std::vector<TroubleKind>> troubles_;
  std::vector<char> memory_;
  flamelet_explain* explain_ = nullptr;
};

void print(const Score& score) {
  std::printf("\n%-14s", "");
  for (uint32_t i = 0; i < FLAMELET_VERDICT_COUNT; ++i)
    std::printf(" %14s", flamelet_verdict_name(static_cast<flamelet_verdict>(i)));
  std::printf(" %8s %7s\n", "nothing", "right");
  for (size_t cause = 0; cause < kCauses; ++cause) {
    std::printf("%-14s", kAnswers[cause].name);
    for (size_t i = 0; i < kColumns; ++i) std::printf(i + 1 == kColumns ? " %8d" : " %14d", score.verdicts[cause][i]);
    std::printf(" %7d\n", score.right[cause]);
  }
  std::printf(
      "%d injected: right first %d, first or behind what the machine did %d, in the first three behind that %d, not "
      "called unusual "
      "%d\n",
      score.injected, score.first, score.after_machine, score.in_three, score.unnamed);
  std::printf(
      "%d ordinary frames: blamed %d; said that the machine did it %d, named somebody as probable, or that the thread "
      "slept %d\n",
      score.ordinary, score.blamed, score.preempted, score.unsure);
  std::printf("%d frames in which the game plans paths: something else blamed %d\n", score.planned,
              score.planned_blamed);
  std::printf("score injected %d first %d after_machine %d in_three %d unnamed %d ordinary %d blamed %d\n",
              score.injected, score.first, score.after_machine, score.in_three, score.unnamed, score.ordinary,
              score.blamed);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc % 2 == 0) {
    std::fprintf(stderr, "flamelet_score_runs CAPTURE OUTPUT [CAPTURE OUTPUT ...]\n");
    return 2;
  }
  try {
    Score score;
    for (int i = 1; i < argc; i += 2) Run(argv[i], argv[i + 1]).score(&score);
    print(score);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
