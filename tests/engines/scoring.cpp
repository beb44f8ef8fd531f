// SPDX-License-Identifier: MIT
#include "engines/scoring.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>

#include "flamelet/capture_file.h"
#include "flamelet/explain.h"

namespace engines {
namespace {

constexpr uint64_t kFirstFrame = 60;  // before, there is too little to compare with
constexpr uint64_t kApart = 12;       // frames from one hitch to the next
constexpr uint64_t kWindow = 4;       // of frames in which a hitch may show, from its begin on
constexpr uint64_t kAfter = 8;        // frames after a hitch's begin that are no ordinary ones
constexpr int64_t kSeenNs = 3'000'000;

std::string score_text(flamelet_string text) {
  return std::string(text.text, text.size);
}

// A capture and its explainer.
class Explained {
 public:
  explicit Explained(flamelet_capture* capture) : capture_(capture) {
    const flamelet_explain_config config = flamelet_explain_config_default();
    memory_.resize(flamelet_explain_memory_required(&config));
    flamelet_explain_create(&config, memory_.data(), memory_.size(), &explain_);
  }
  ~Explained() { flamelet_capture_destroy(capture_); }
  Explained(const Explained&) = delete;
  Explained& operator=(const Explained&) = delete;

  flamelet_explanation why(size_t position) {
    flamelet_explanation why;
    flamelet_explain_frame(explain_, capture_, position, &why);
    return why;
  }
  std::string sentence(const flamelet_explanation& why) const {
    std::string text(flamelet_explain_sentence(explain_, capture_, &why, nullptr, 0) + 1, '\0');
    flamelet_explain_sentence(explain_, capture_, &why, text.data(), text.size());
    text.pop_back();
    return text;
  }
  // The innermost scope of a path; "" = no scope.
  std::string scope(uint32_t path) const {
    flamelet_explain_scope scope = {};
    if (!flamelet_explain_path(explain_, path, &scope) || scope.lane != UINT32_MAX) return "";
    return score_text(flamelet_capture_string(capture_, scope.name));
  }
  std::string lane(uint32_t lane) const {
    flamelet_lane_info info;
    return flamelet_capture_lane(capture_, lane, &info) ? score_text(info.name) : "";
  }
  int64_t length_ns(size_t position) const {
    flamelet_frame_info frame;
    return flamelet_capture_frame(capture_, position, &frame) ? frame.end_ns - frame.begin_ns : 0;
  }
  size_t frames() const { return flamelet_capture_frame_count(capture_); }
  const flamelet_capture* capture() const { return capture_; }

 private:
  flamelet_capture* capture_;
  std::vector<char> memory_;
  flamelet_explain* explain_ = nullptr;
};

uint32_t claims_of_verdict(flamelet_verdict verdict) {
  switch (verdict) {
    case FLAMELET_VERDICT_NEW:
      return kNewWork;
    case FLAMELET_VERDICT_MORE_CALLS:
      return kMoreCalls;
    case FLAMELET_VERDICT_SLOWER_CALLS:
    case FLAMELET_VERDICT_SLOWED:
      return kWorkTookLonger;
    case FLAMELET_VERDICT_WAIT:
      return kWaitedForLock | kWaitedForWork;
    case FLAMELET_VERDICT_GPU_BOUND:
      return kGpu;
    case FLAMELET_VERDICT_CARRIED_OVER:
      return kNewWork | kPlacedDifferently;
    case FLAMELET_VERDICT_STOPPED:
      return kProcessStopped;
    case FLAMELET_VERDICT_ORDER:
      return kPlacedDifferently;
    case FLAMELET_VERDICT_UNINSTRUMENTED:
      return kWorkTookLonger | kMoreCalls | kNewWork;
    default:
      return 0;
  }
}

// Which of Cause an answer says, in the words that docs/slow-frames.md gives it. `is_recorded`: what the engine blames has a
// scope or a lane, which the answer must name.
uint32_t claims_of(const flamelet_cause& cause, bool is_recorded) {
  const auto has = [&](uint32_t flag) { return (cause.flags & flag) != 0; };
  if (cause.verdict == FLAMELET_VERDICT_PREEMPTED) {
    const bool is_own = cause.rival_lane != UINT32_MAX && !has(FLAMELET_CAUSE_OTHERS_RAN);
    // "probably another program ran, or a thread that records nothing"
    const bool may_be_own = has(FLAMELET_CAUSE_OTHERS_RAN) && !is_recorded;
    return is_own ? uint32_t{kOwnThread} : kOtherProgram | (may_be_own ? uint32_t{kOwnThread} : 0);
  }
  uint32_t claims = claims_of_verdict(cause.verdict);
  // "rare, 0.7 ms in 2 of those frames" says both, and so does "a lock, or longer work, usually 0.7 ms".
  const bool is_longer = cause.verdict == FLAMELET_VERDICT_NEW && cause.time_ns > 3 * cause.usual_there_ns;
  if (cause.usual_there_ns != 0 && (is_longer || cause.verdict == FLAMELET_VERDICT_WAIT)) claims |= kWorkTookLonger;
  if (cause.host_ns != 0) claims |= kProcessStopped | kOtherProgram;
  if (has(FLAMELET_CAUSE_AS_USUAL)) claims = kPlacedDifferently;
  if (cause.verdict != FLAMELET_VERDICT_STOPPED &&
      std::max(cause.asleep_ns, cause.probably_asleep_ns) * 2 > cause.time_ns)
    claims = kFileOrSleep | (claims & (kNewWork | kMoreCalls));
  // "a lock, or new work, never in those frames"
  if (cause.verdict == FLAMELET_VERDICT_WAIT && cause.seen_frames == 0 && cause.usual_there_ns == 0 &&
      (cause.flags & (FLAMELET_PIECE_WAIT | FLAMELET_CAUSE_IN_TURN | FLAMELET_CAUSE_AS_USUAL |
                      FLAMELET_CAUSE_HELD_LOCK | FLAMELET_CAUSE_FILE)) == 0)
    claims |= kNewWork;
  if (has(FLAMELET_PIECE_WAIT)) claims |= kFileOrSleep;  // it says only that the thread waited
  if (has(FLAMELET_CAUSE_IN_TURN) || has(FLAMELET_CAUSE_HELD_LOCK)) claims |= kWaitedForLock;
  if (has(FLAMELET_CAUSE_HAD_WORK)) claims |= kOtherProgram;
  if (has(FLAMELET_CAUSE_BEGAN_LATE)) claims |= kOtherProgram;  // "another program or the driver had the GPU"
  if (cause.major_faults != 0 || cause.minor_faults != 0) claims |= kMemoryFaults;
  if (cause.begun_path != FLAMELET_NO_PATH || cause.usual_lane != UINT32_MAX || cause.others_path != FLAMELET_NO_PATH ||
      has(FLAMELET_PIECE_NOT_BEGUN))
    claims |= kPlacedDifferently;
  // "it slept 40.9 ms of that, probably for something that is not recorded": a thread of a library, say
  if (cause.waiting != FLAMELET_NO_PATH || has(FLAMELET_CAUSE_FOR_UNKNOWN)) claims |= kWaitedForWork;
  return claims;
}

// A thread that took another one's processor is named beside it, with what it did if that is known.
bool has_place(const Explained& run, const flamelet_cause& cause, const Kind& kind) {
  if (cause.verdict == FLAMELET_VERDICT_PREEMPTED && cause.rival_lane != UINT32_MAX && !kind.lane.empty() &&
      run.lane(cause.rival_lane) == kind.lane)
    return true;
  if (cause.rival_path != FLAMELET_NO_PATH) {
    flamelet_cause rival = cause;
    rival.lane = cause.rival_lane;
    rival.path = cause.rival_path;
    rival.rival_path = FLAMELET_NO_PATH;
    if (has_place(run, rival, kind)) return true;
  }
  if (cause.begun_path != FLAMELET_NO_PATH) {
    flamelet_cause begun = cause;
    begun.lane = cause.begun_lane;
    begun.path = cause.begun_path;
    begun.begun_path = FLAMELET_NO_PATH;
    if (has_place(run, begun, kind)) return true;
  }
  if (cause.inner_path != FLAMELET_NO_PATH) {
    flamelet_cause inner = cause;
    inner.path = cause.inner_path;
    inner.inner_path = FLAMELET_NO_PATH;
    if (has_place(run, inner, kind)) return true;
  }
  const std::string scope = run.scope(cause.path);
  return (kind.scopes.empty() || std::find(kind.scopes.begin(), kind.scopes.end(), scope) != kind.scopes.end()) &&
         (kind.lane.empty() || run.lane(cause.lane) == kind.lane);
}

bool is_unusual(const flamelet_explanation& why) {
  return (why.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0 && why.cause_count != 0;
}
// Its sentence says "probably".
bool is_probable(const flamelet_cause& cause) {
  const bool may_sleep = cause.asleep_ns * 2 <= cause.time_ns && cause.probably_asleep_ns * 2 > cause.time_ns;
  const bool guesses_rivals =
      cause.verdict == FLAMELET_VERDICT_PREEMPTED && cause.rival_lane != UINT32_MAX && cause.rivals_ns == 0;
  const bool guesses_place =
      (cause.flags & FLAMELET_CAUSE_PLACE_UNSURE) != 0 &&
      (cause.verdict == FLAMELET_VERDICT_PREEMPTED || cause.no_processor_ns * 20 > cause.time_ns);
  return may_sleep || guesses_rivals || guesses_place ||
         (cause.flags & (FLAMELET_PIECE_PROBABLY | FLAMELET_CAUSE_OTHERS_RAN | FLAMELET_CAUSE_FOR_UNKNOWN |
                         FLAMELET_CAUSE_MAY_HAVE_BEGUN)) != 0;
}
bool is_blamed(const flamelet_explanation& why) {
  return is_unusual(why) && !is_probable(why.causes[0]);
}

std::string chain_of(const Explained& run, const flamelet_cause& cause) {
  std::string lanes;
  for (uint32_t i = 0; i < cause.via_count; ++i) lanes += (i == 0 ? "" : " > ") + run.lane(cause.via_lanes[i]);
  return lanes;
}

void score_hitch(const Explained& run, const flamelet_explanation& why, const Kind& kind, KindScore* score) {
  bool is_first = false, is_in_three = false, is_place = false;
  if ((kind.causes & kOrdinary) != 0 && !is_blamed(why)) {
    is_first = is_in_three = is_place = true;
  } else if (is_unusual(why)) {
    for (size_t i = 0; i < why.cause_count && i < 3; ++i) {
      const bool place = has_place(run, why.causes[i], kind);
      const bool is_recorded = !kind.scopes.empty() || !kind.lane.empty();
      const bool right = place && (claims_of(why.causes[i], is_recorded) & kind.causes) != 0;
      is_place = is_place || (place && i == 0);
      is_first = is_first || (right && i == 0);
      is_in_three = is_in_three || right;
    }
    if (is_blamed(why)) {
      ++score->sure;
      score->sure_right += is_first;
    }
  }
  score->first += is_first;
  if (kind.via != nullptr) {
    ++score->chained;
    score->chain += is_first && is_unusual(why) && chain_of(run, why.causes[0]) == kind.via;
  }
  score->in_three += is_in_three;
  score->place += is_place;
  score->unnamed += !is_unusual(why);
  if (!is_first) score->wrong.push_back(run.sentence(why));
}

// The longest frame of those in which a hitch may show.
size_t hitch_frame(const Explained& run, uint64_t begun) {
  const size_t first = flamelet_capture_find_frame(run.capture(), begun);
  size_t longest = first;
  for (size_t i = first; i < first + kWindow && i < run.frames(); ++i)
    if (run.length_ns(i) > run.length_ns(longest)) longest = i;
  return longest;
}

int64_t usual_length(const Explained& run) {
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < run.frames(); ++i) lengths.push_back(run.length_ns(i));
  std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), lengths.end());
  return lengths[lengths.size() / 2];
}

void score_run(const Engine& engine, const ScoreOptions& options, uint64_t seed, Score* score) {
  const Options run_with = run_options(engine, seed, options);
  Machine machine(run_with);
  Explained run(machine.run(engine.run));
  if (!options.save_folder.empty()) {
    const std::string facts =
        std::string(options.facts == Facts::kStates ? "states" : "times") + (options.records_locks ? "_locks" : "");
    const std::string path =
        options.save_folder + "/" + engine.name + "_" + std::to_string(seed) + "_" + facts + ".flamelet";
    if (flamelet_capture_save(run.capture(), INT64_MIN, INT64_MAX, path.c_str()) != FLAMELET_OK)
      throw std::runtime_error("cannot write " + path);
  }
  const int64_t usual_ns = usual_length(run);
  std::vector<size_t> hitch_of(run.frames(), SIZE_MAX);
  std::vector<bool> is_ordinary(run.frames(), true);
  for (size_t i = 0; i < run_with.hitches.size(); ++i) {
    const Hitch& hitch = run_with.hitches[i];
    KindScore& kind = score->kinds[hitch.kind];
    ++kind.hitches;
    const uint64_t begun = machine.begun_in(i);
    for (uint64_t frame = hitch.frame; begun != UINT64_MAX && frame < std::max(hitch.frame, begun) + kAfter; ++frame) {
      const size_t at = flamelet_capture_find_frame(run.capture(), frame);
      if (at != SIZE_MAX) is_ordinary[at] = false;
    }
    if (begun == UINT64_MAX || flamelet_capture_find_frame(run.capture(), begun) == SIZE_MAX) continue;
    const size_t frame = hitch_frame(run, begun);
    const bool is_no_hitch = (engine.kinds[hitch.kind].causes & kOrdinary) != 0;
    if (!is_no_hitch && run.length_ns(frame) < usual_ns + kSeenNs) continue;
    hitch_of[frame] = hitch.kind;
    ++kind.seen;
  }
  for (size_t i = kFirstFrame; i < run.frames(); ++i) {
    const flamelet_explanation why = run.why(i);
    if (is_unusual(why)) {
      const std::string sentence = run.sentence(why);
      const bool says_probably = sentence.substr(0, sentence.find(" Another ")).find("robably") != std::string::npos;
      if (says_probably != is_probable(why.causes[0])) score->unlike.push_back(sentence);
    }
    if (hitch_of[i] != SIZE_MAX) score_hitch(run, why, engine.kinds[hitch_of[i]], &score->kinds[hitch_of[i]]);
    if (!is_ordinary[i]) continue;
    ++score->ordinary;
    if (!is_blamed(why)) continue;
    ++score->blamed;
    score->blamed_sentences.push_back(run.sentence(why));
  }
}

std::string percent(int part, int whole) {
  char text[16];
  std::snprintf(text, sizeof text, "%5.1f %%", whole == 0 ? 0.0 : 100.0 * part / whole);
  return text;
}

void append_wrong(const std::vector<std::string>& sentences, std::string* text) {
  for (size_t i = 0; i < sentences.size() && i < 3; ++i) *text += "      said: " + sentences[i] + "\n";
}

}  // namespace

std::vector<Hitch> plan_hitches(const Engine& engine, uint64_t seed, int rounds) {
  std::mt19937_64 random(seed * 7919);
  std::vector<Hitch> hitches;
  uint64_t frame = kFirstFrame;
  for (int round = 0; round < rounds; ++round) {
    std::vector<size_t> kinds;  // in another order each time
    for (size_t kind = 0; kind < engine.kinds.size(); ++kind)
      kinds.insert(kinds.begin() + static_cast<std::ptrdiff_t>(random() % (kinds.size() + 1)), kind);
    for (const size_t kind : kinds) {
      frame += kApart + random() % 4;
      hitches.push_back({frame, kind, 10 + static_cast<double>(random() % 400) / 10});
    }
  }
  return hitches;
}

Options run_options(const Engine& engine, uint64_t seed, const ScoreOptions& options) {
  Options run;
  run.seed = seed;
  run.facts = options.facts;
  run.records_locks = options.records_locks;
  run.hitches = plan_hitches(engine, seed, options.rounds);
  run.frames = (run.hitches.empty() ? kFirstFrame : run.hitches.back().frame) + 20;
  return run;
}

Score score_engine(const Engine& engine, const ScoreOptions& options) {
  Score score;
  score.kinds.resize(engine.kinds.size());
  for (uint64_t seed = options.first_seed; seed < options.first_seed + options.seeds; ++seed)
    score_run(engine, options, seed, &score);
  return score;
}

std::string report(const Engine& engine, const Score& score) {
  std::string text;
  char line[384];
  KindScore sum;
  for (size_t i = 0; i < engine.kinds.size(); ++i) {
    const KindScore& kind = score.kinds[i];
    std::snprintf(line, sizeof line,
                  "  %-28s %3d hitches, %3d seen: first %s, in three %s, place %s, chain %s, unnamed %d\n",
                  engine.kinds[i].name, kind.hitches, kind.seen, percent(kind.first, kind.seen).c_str(),
                  percent(kind.in_three, kind.seen).c_str(), percent(kind.place, kind.seen).c_str(),
                  kind.chained == 0 ? "      -" : percent(kind.chain, kind.chained).c_str(), kind.unnamed);
    text += line;
    if (kind.seen < kind.hitches) text += "      THE ENGINE made no frame longer, or never asked for some of them\n";
    if (!kind.wrong.empty()) text += std::string("      truth: ") + engine.kinds[i].what + "\n";
    append_wrong(kind.wrong, &text);
    sum.hitches += kind.hitches;
    sum.seen += kind.seen;
    sum.first += kind.first;
    sum.in_three += kind.in_three;
    sum.place += kind.place;
    sum.chained += kind.chained;
    sum.chain += kind.chain;
    sum.sure += kind.sure;
    sum.sure_right += kind.sure_right;
  }
  std::snprintf(
      line, sizeof line,
      "%s: %d hitches, %d seen: right first %s, in the first three %s, right place first %s; without "
      "\"probably\" %d, of these right %s; of %d with a chain, all of it right %s; ordinary frames %d, blamed "
      "%s\n",
      engine.name, sum.hitches, sum.seen, percent(sum.first, sum.seen).c_str(), percent(sum.in_three, sum.seen).c_str(),
      percent(sum.place, sum.seen).c_str(), sum.sure, percent(sum.sure_right, sum.sure).c_str(), sum.chained,
      percent(sum.chain, sum.chained).c_str(), score.ordinary, percent(score.blamed, score.ordinary).c_str());
  append_wrong(score.blamed_sentences, &text);
  for (const std::string& sentence : score.unlike) text += "      sure, or probable? " + sentence + "\n";
  return text + line;
}

}  // namespace engines
