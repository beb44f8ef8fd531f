// SPDX-License-Identifier: MIT
//
// frame_times.cpp: what the frames before say by their lengths, and by what their causes took: that each so many frames one is
// long for the same cause, or that they have become longer and longer.
#include <algorithm>
#include <cmath>

#include "evidence.h"

namespace flamelet::explain {
namespace {

// How long the frame was that is so many frames before; -1: there is none, or it is not whole.
int64_t length_before(const flamelet_capture* capture, size_t position, size_t before) {
  flamelet_frame_info frame;
  if (before > position || !flamelet_capture_frame(capture, position - before, &frame) || frame.flags != 0) return -1;
  return frame.end_ns - frame.begin_ns;
}

// How long what made this frame longer took in another one; 0 if nobody knows, as of a stop and of time in no scope.
double took_ns(flamelet_explain* explain, const flamelet_capture* capture, size_t position,
               const flamelet_explanation& then, const flamelet_cause& cause) {
  flamelet_thread_time lost;
  if (cause.verdict == FLAMELET_VERDICT_PREEMPTED)
    return flamelet_capture_thread_time(capture, position, cause.lane, &lost) ? static_cast<double>(lost.ready_ns) : 0;
  const PathTime& time = explain->path.time_of(cause.path);
  const bool is_own = time.stamp != 0 && cause.time_ns == time.self_ns;
  const JobUsual job = job_in_frame({explain, capture, then, position, 0}, cause.path);
  return job.calls * (is_own ? job.self_ns : job.call_ns);
}

// Of the frames before that were at least half as much longer, those in which the first cause took most of that time, too: as
// far apart as the first one is from this. Five, or three if they are far apart: of so many, some are at equal distances by
// chance.
uint32_t period_of(flamelet_explain* explain, const flamelet_capture* capture, size_t position,
                   const flamelet_explanation& why) {
  constexpr size_t kShortest = 4, kLongest = 4096, kClose = 60, kMostRead = 32, kOneFrameOff = 12;
  if (why.cause_count == 0) return 0;
  const flamelet_cause& cause = why.causes[0];
  const bool is_lost = cause.verdict == FLAMELET_VERDICT_PREEMPTED;
  if (cause.verdict == FLAMELET_VERDICT_STOPPED || cause.verdict == FLAMELET_VERDICT_SLOWED ||
      (!is_lost && explain->paths[cause.path].site == kNoIndex))
    return 0;
  const int64_t like_ns = std::max(why.limit_ns, why.usual_ns + why.surplus_ns / 2);
  flamelet_explanation then = why;
  size_t first = 0, last = 0, repeats = 0, read = 0;
  for (size_t before = 1; before <= std::min(kLongest, position) && read < kMostRead; ++before) {
    const size_t slack = std::max<size_t>(first / 32, first >= kOneFrameOff ? 1 : 0);
    if (first != 0 && before > last + first + slack) break;
    if (length_before(capture, position, before) <= like_ns) continue;
    ++read;
    if (!flamelet_capture_frame(capture, position - before, &then.frame) ||
        took_ns(explain, capture, position - before, then, cause) <
            static_cast<double>(cause.time_ns - cause.surplus_ns / 2))
      continue;
    if (before < kShortest || (first != 0 && before + slack < last + first)) return 0;
    if (first == 0) first = before;
    last = before;
    const size_t wanted = first >= kClose ? 3 : 5;
    if (++repeats >= wanted) return static_cast<uint32_t>((last + repeats / 2) / repeats);
  }
  return 0;
}

// Of the frames that were picked, those that have a path which is in few of them: as far apart as the last one is from this
// frame, and three at least. 0: they are not.
uint32_t period_of_rare(const flamelet_explain& explain, uint32_t path, const flamelet_explanation& why) {
  constexpr uint64_t kShortest = 8, kOneFrameOff = 12;
  constexpr uint32_t kLeast = 3;
  uint64_t first = 0, last = why.frame.index;
  uint32_t repeats = 0;
  for (uint32_t back = 0; back < why.baseline_frames; ++back) {
    if (!explain.baseline.has(back, path)) continue;
    const uint64_t index = explain.baseline.picked(back), apart = last - index;
    if (index >= last) return 0;
    if (first == 0) first = apart;
    const uint64_t slack = std::max<uint64_t>(first / 32, first >= kOneFrameOff ? 1 : 0);
    if (apart < kShortest || apart + slack < first || apart > first + slack) return 0;
    last = index;
    ++repeats;
  }
  const uint64_t all = why.frame.index - last;
  return repeats >= kLeast ? static_cast<uint32_t>((all + repeats / 2) / repeats) : 0;
}

// A cause that took longer and longer in the frames just before, and goes on like that in this one.
void note_growth_of(const Question& question, const flamelet_cause& cause, flamelet_explanation* why) {
  flamelet_explain* const explain = question.explain;
  const PathTime& time = explain->path.time_of(cause.path);
  const bool is_wait = (time.own_flags() & FLAMELET_PIECE_WAIT) != 0;
  if (cause.verdict == FLAMELET_VERDICT_PREEMPTED || time.stamp == 0 || is_wait) return;
  const Growth growth = growth_of(explain, cause.path, cause.time_ns == time.self_ns, why->baseline_frames);
  const double grown_ns = growth.to_ns - growth.from_ns;
  const double more_ns = static_cast<double>(cause.time_ns - cause.no_processor_ns) - growth.from_ns;
  if (growth.blocks == 0 || more_ns * 2 < grown_ns || more_ns > 3 * grown_ns) return;
  if (grown_ns * 10 < static_cast<double>(why->usual_ns)) return;
  double* const values = explain->baseline.values();
  const auto length_ns = [&](uint32_t block) {
    for (uint32_t i = 0; i < kGrowthBlock; ++i) {
      const uint64_t before = why->frame.index - explain->baseline.picked(block * kGrowthBlock + i);
      values[i] = static_cast<double>(length_before(question.capture, question.position, static_cast<size_t>(before)));
    }
    return usual_of(values, kGrowthBlock).middle;
  };
  const double from_ns = length_ns(growth.blocks - 1), to_ns = length_ns(0);
  // Frames that have a limit, or are those of another thread, do not grow with it.
  const bool is_alike = to_ns >= from_ns + grown_ns / 2 && to_ns <= from_ns + 2 * grown_ns;
  if (!is_alike) why->flags |= FLAMELET_EXPLAIN_SCOPE_GREW;
  why->growth_since = growth.since;
  why->growth_from_ns = static_cast<int64_t>(is_alike ? from_ns : growth.from_ns);
  why->growth_to_ns = static_cast<int64_t>(is_alike ? to_ns : growth.to_ns);
  why->growth_path = cause.path;
}

// Work of this frame that grew in the frames before, though something else made this one long: at least to twice what it was, and
// over so many frames that chance does not do that.
void note_growth_beside(const Question& question, flamelet_explanation* why) {
  constexpr uint32_t kLeastBlocks = 10;
  flamelet_explain* const explain = question.explain;
  double most_ns = static_cast<double>(why->usual_ns) / 10;
  for (uint32_t i = 0; i < explain->path.touched_count(); ++i) {
    const uint32_t path = explain->path.touched()[i];
    const PathTime& time = explain->path.time_of(path);
    const double self_ns = static_cast<double>(time.self_ns) - static_cast<double>(time.self_off_ns);
    if (PathTable::is_figure(explain->paths[path]) || (time.own_flags() & FLAMELET_PIECE_WAIT) != 0 ||
        self_ns <= most_ns)
      continue;
    // It depends on chance for which of the jobs of other threads is waited.
    const Growth growth = time.waiting == FLAMELET_NO_PATH ? growth_of(explain, path, true, why->baseline_frames)
                                                           : growth_of_job(question, path, true);
    const double grown_ns = growth.to_ns - growth.from_ns;
    if (growth.blocks < kLeastBlocks || growth.from_ns <= 0 || growth.to_ns < 2 * growth.from_ns ||
        grown_ns <= most_ns || self_ns - growth.from_ns < grown_ns / 2)
      continue;
    most_ns = grown_ns;
    why->flags |= FLAMELET_EXPLAIN_SCOPE_GREW;
    why->growth_since = growth.since;
    why->growth_from_ns = static_cast<int64_t>(growth.from_ns);
    why->growth_to_ns = static_cast<int64_t>(growth.to_ns);
    why->growth_path = path;
  }
}

// Frames that have grown for long.
void note_growth(flamelet_explain* explain, const flamelet_capture* capture, size_t position,
                 flamelet_explanation* why) {
  // The medians of eight blocks of frames, the newest first.
  constexpr uint32_t kBlocks = 8, kMost = 128, kLeast = 8;
  double middles[kBlocks], scatter = 0, step_ns = 0;
  const auto each =
      static_cast<uint32_t>(std::min<size_t>({position / kBlocks, kMost, explain->config.baseline_frames}));
  if (each < kLeast || (why->flags & FLAMELET_EXPLAIN_IN_TURN) != 0) return;
  double* const values = explain->baseline.values();
  for (uint32_t block = 0; block < kBlocks; ++block) {
    uint32_t count = 0;
    for (uint32_t i = 1; i <= each; ++i) {
      const int64_t ns = length_before(capture, position, block * each + i);
      if (ns >= 0) values[count++] = static_cast<double>(ns);
    }
    if (count * 2 < each) return;
    const Usual usual = usual_of(values, count);
    middles[block] = usual.middle;
    scatter = std::max(scatter, usual.spread);
    if (block == 0) continue;
    if (middles[block] > middles[block - 1] * 1.01) return;
    step_ns = std::max(step_ns, middles[block - 1] - middles[block]);
  }
  uint32_t first = kBlocks - 1;  // the newest of those that are as the oldest
  while (first != 0 && middles[first - 1] < middles[kBlocks - 1] * 1.02) --first;
  const double grown_ns = middles[0] - middles[kBlocks - 1];
  const bool is_step = step_ns * 2 > grown_ns;  // once, and no growth
  if (middles[0] < 1.15 * middles[kBlocks - 1] || grown_ns < 2 * scatter || first < 3 || is_step) return;
  flamelet_frame_info since;
  flamelet_capture_frame(capture, position - size_t{first} * each - each / 2, &since);
  why->growth_since = since.index;
  why->growth_path = FLAMELET_NO_PATH;
  why->flags &= ~uint32_t{FLAMELET_EXPLAIN_SCOPE_GREW};
  why->growth_from_ns = static_cast<int64_t>(middles[kBlocks - 1]);
  why->growth_to_ns = static_cast<int64_t>(middles[0]);
  auto most_ns = static_cast<int64_t>(grown_ns / 4);  // what grew less is not what grew
  for (uint32_t i = 0; i < explain->path.touched_count(); ++i) {
    const uint32_t path = explain->path.touched()[i];
    if (PathTable::is_figure(explain->paths[path])) continue;
    const int64_t path_ns = explain->baseline.growth_of(path);
    if (path_ns <= most_ns) continue;
    most_ns = path_ns;
    why->growth_path = path;
  }
}

}  // namespace

Growth growth_of(flamelet_explain* explain, uint32_t path, bool is_own, uint32_t frames) {
  double* const values = explain->baseline.values();
  Growth growth = growth_in(frames / kGrowthBlock, [=](uint32_t block) {
    for (uint32_t i = 0; i < kGrowthBlock; ++i)
      values[i] = explain->baseline.time_in(block * kGrowthBlock + i, path, is_own);
    std::sort(values, values + kGrowthBlock);
    return values[kGrowthBlock / 4];  // what other programs take of its processor only adds to it
  });
  if (growth.blocks != 0) growth.since = explain->baseline.picked(growth.blocks * kGrowthBlock - kGrowthBlock / 2);
  return growth;
}

void note_time(flamelet_explain* explain, const flamelet_capture* capture, size_t position, flamelet_explanation* why) {
  const bool is_unusual = (why->flags & FLAMELET_EXPLAIN_UNUSUAL) != 0;
  if (is_unusual) why->period_frames = period_of(explain, capture, position, *why);
  for (size_t i = 0; i < why->cause_count && why->period_frames == 0; ++i) {
    const flamelet_cause& cause = why->causes[i];
    if (cause.verdict == FLAMELET_VERDICT_NEW) why->period_frames = period_of_rare(*explain, cause.path, *why);
    if (why->period_frames != 0) why->period_path = cause.path;
  }
  note_growth(explain, capture, position, why);
  // Of a usual frame, only the first cause.
  const Question question = {explain, capture, *why, position, 0};
  const size_t count = is_unusual ? why->cause_count : std::min<size_t>(why->cause_count, 1);
  for (size_t i = 0; i < count && why->growth_to_ns == 0; ++i) note_growth_of(question, why->causes[i], why);
  if (why->growth_to_ns == 0) note_growth_beside(question, why);
}

}  // namespace flamelet::explain
