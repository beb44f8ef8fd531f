// SPDX-License-Identifier: MIT
#include "hud/hud_numbers.h"

#include <algorithm>

#include "content/range_statistics.h"
#include "counters/counter_lanes.h"
#include "flamelet/detail/site.h"
#include "imgui.h"
#include "pages/pages.h"

namespace flamelet::ui {

namespace {

constexpr int64_t kWorstNs = 5000000000;
constexpr uint32_t kMeanFrames = 15;

int64_t length_of(const flamelet_frame_info& frame) {
  return frame.end_ns - frame.begin_ns;
}

// The lane of the thread that ended the frame; the first thread's where that is not known. SIZE_MAX without threads.
size_t frame_lane(const flamelet_capture* capture, const flamelet_frame_info& frame) {
  size_t first = SIZE_MAX;
  const size_t lanes = flamelet_capture_lane_count(capture);
  for (size_t lane = 0; lane < lanes; ++lane) {
    flamelet_lane_info info;
    if (!flamelet_capture_lane(capture, lane, &info) || info.kind != FLAMELET_LANE_THREAD) continue;
    if (info.id == frame.thread) return lane;
    if (first == SIZE_MAX) first = lane;
  }
  return first;
}

}  // namespace

void BottleneckFinder::carve(Carver* carver, uint32_t max_lanes) {
  carver->take(&ran_ns_, max_lanes);
  carver->take(&sites_, kSites);
}

void BottleneckFinder::reset() {
  sites_.clear();
  found_ = Bottleneck::kUnknown;
}

bool BottleneckFinder::is_wait(const flamelet_capture* capture, uint32_t site) {
  while (!sites_.full()) sites_.push({UINT32_MAX, false});
  Site& known = sites_[site % kSites];
  if (known.site != site) {
    flamelet_site_info info;
    flamelet_capture_site(capture, site, &info);
    known = {site, flamelet::is_wait(info)};
  }
  return known.waits;
}

int64_t BottleneckFinder::waits_ns(const flamelet_capture* capture, uint32_t lane, const flamelet_frame_info& frame,
                                   Array<flamelet_span>* scratch) {
  int64_t waits = 0;
  int64_t until_ns = INT64_MIN;  // the end of the outermost wait
  visit_spans(capture, lane, {frame.begin_ns, frame.end_ns}, scratch, [&](const flamelet_span& span) {
    if (span.begin_ns < until_ns || !is_wait(capture, span.site)) return true;
    waits += std::max<int64_t>(std::min(span.end_ns, frame.end_ns) - std::max(span.begin_ns, frame.begin_ns), 0);
    until_ns = span.end_ns;
    return true;
  });
  return waits;
}

void BottleneckFinder::find_busiest(const flamelet_capture* capture, size_t first, size_t last,
                                    Array<flamelet_span>* scratch, BottleneckInput* input) {
  flamelet_thread_time times[FLAMELET_MAX_TRACKS];
  ran_ns_.count = ran_ns_.capacity;
  std::fill(ran_ns_.begin(), ran_ns_.end(), int64_t{0});
  int64_t sum_ns = 0;
  for (size_t position = first; position <= last; ++position) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(capture, position, &frame)) continue;
    const size_t count = std::min<size_t>(
        flamelet_capture_read_thread_times(capture, position, times, FLAMELET_MAX_TRACKS), FLAMELET_MAX_TRACKS);
    if (count != 0) sum_ns += length_of(frame);
    for (size_t i = 0; i < count; ++i)
      if ((times[i].known & FLAMELET_TIME_RAN) != 0 && times[i].lane < ran_ns_.count)
        ran_ns_[times[i].lane] += times[i].ran_ns;
  }
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(capture, last, &frame)) return;
  // A thread that spins while it waits runs, too: of the one that ends the frames, waits do not count as work.
  const size_t lane = frame_lane(capture, frame);
  if (lane == SIZE_MAX) return;
  const int64_t works_ns = length_of(frame) - waits_ns(capture, static_cast<uint32_t>(lane), frame, scratch);
  const double share = static_cast<double>(works_ns) / static_cast<double>(std::max<int64_t>(length_of(frame), 1));
  lane_ = static_cast<uint32_t>(lane);
  input->cpu_ns = static_cast<int64_t>(share * static_cast<double>(input->frame_ns));
  if (sum_ns == 0) return;
  int64_t most_ns = -1;
  for (uint32_t i = 0; i < ran_ns_.count; ++i) {
    const double ran = static_cast<double>(ran_ns_[i]) / static_cast<double>(sum_ns);
    const int64_t ns =
        static_cast<int64_t>((i == lane ? std::min(ran, share) : ran) * static_cast<double>(input->frame_ns));
    if (ns <= most_ns) continue;
    most_ns = ns;
    lane_ = i;
  }
  input->cpu_ns = most_ns;
}

void BottleneckFinder::update(const Content& content, size_t last, Array<flamelet_span>* scratch) {
  const size_t first = last + 1 - std::min<size_t>(last + 1, kFrames);
  int64_t lengths[kFrames];
  uint32_t count = 0, gpu_count = 0;
  int64_t gpu_ns = 0, gpu_frames_ns = 0;
  for (size_t position = first; position <= last; ++position) {
    flamelet_frame_info frame;
    GpuFrame gpu;
    if (!flamelet_capture_frame(content.capture, position, &frame) || (frame.flags & FLAMELET_FRAME_PARTIAL) != 0)
      continue;
    lengths[count++] = length_of(frame);
    if (!content.gpu.find(frame.index, &gpu)) continue;
    ++gpu_count;
    gpu_ns += gpu.busy_ns;
    gpu_frames_ns += length_of(frame);
  }
  BottleneckInput input;
  if (count != 0) {
    std::sort(lengths, lengths + count);
    input.frame_ns = lengths[count / 2];
    input.spread_ns = lengths[(count - 1) * 9 / 10] - lengths[(count - 1) / 10];
    if (gpu_count != 0 && gpu_frames_ns > 0)
      input.gpu_ns = static_cast<int64_t>(static_cast<double>(gpu_ns) / static_cast<double>(gpu_frames_ns) *
                                          static_cast<double>(input.frame_ns));
    find_busiest(content.capture, first, last, scratch, &input);
  }
  found_ = find_bottleneck(input);
}

namespace {

void find_worst(const flamelet_capture* capture, HudNumbers* numbers) {
  numbers->has_worst = false;
  flamelet_frame_info newest, frame;
  const size_t count = flamelet_capture_frame_count(capture);
  if (count == 0 || !flamelet_capture_frame(capture, count - 1, &newest)) return;
  for (size_t i = count; i-- > 0 && flamelet_capture_frame(capture, i, &frame);) {
    if (frame.end_ns < newest.end_ns - kWorstNs) break;
    // Frame 0 lasts from the start to the first mark.
    if (frame.index == 0 || (numbers->has_worst && length_of(frame) <= length_of(numbers->worst))) continue;
    numbers->worst = frame;
    numbers->has_worst = true;
  }
}

void fill_rows(const Choice& choice, HudNumbers* numbers) {
  const PinTimes& pins = numbers->pins;
  numbers->row_count = choice.watched.pin_count();
  for (uint32_t i = 0; i < numbers->row_count; ++i) {
    const WatchedScope& pin = choice.watched.pinned(i);
    PinRow& row = numbers->rows[i];
    row = PinRow();
    row.budget_ns = choice.watched.budget_of(pin.name, pin.on_gpu);
    const uint32_t mean = std::min(pins.frame_count(), kMeanFrames);
    for (uint32_t back = 0; back < pins.frame_count(); ++back) {
      if (back < mean) row.time_ns += pins.time_ns(i, back);
      if (row.budget_ns != 0 && pins.time_ns(i, back) > row.budget_ns) row.over = true;
    }
    if (mean != 0) row.time_ns = mean_of(row.time_ns, mean);
  }
}

void fill_counters(const Content& content, const Settings& settings, HudNumbers* numbers) {
  const uint32_t count = settings.hud_counters ? counter_count(content) : 0;
  numbers->counter_count = 0;
  for (uint32_t i = 0; i < count && numbers->counter_count < HudNumbers::kMostRows; ++i) {
    CounterReading reading;
    const bool known = read_counter(content, i, &reading);
    if (!is_of_events(reading.unit)) numbers->counters[numbers->counter_count++] = {i, known ? reading.value : 0};
  }
}

// The newest frame whose GPU work is known; SIZE_MAX without frames.
size_t settled_frame(const Content& content) {
  const size_t count = flamelet_capture_frame_count(content.capture);
  flamelet_frame_info newest;
  if (count == 0 || !flamelet_capture_frame(content.capture, count - 1, &newest)) return SIZE_MAX;
  const uint64_t settled = content.gpu.newest_frame();
  if (settled >= newest.index || newest.index - settled > GpuFrames::kMostLag) return count - 1;
  const size_t position = flamelet_capture_find_frame(content.capture, settled);
  return position != SIZE_MAX ? position : count - 1;
}

}  // namespace

void update_hud(Content& content, Choice& choice) {
  HudNumbers& numbers = content.hud;
  const size_t last = settled_frame(content);
  if (last == SIZE_MAX) return;
  const CaptureTime time(content.numbers);
  numbers.pins.update(content.capture, last, choice.watched, &content.statistics.scratch(), Refresh::kZonesPerFrame);
  const double now_s = ImGui::GetTime();
  const bool other_pins = numbers.row_count != choice.watched.pin_count();
  if (!Refresh::is_over(numbers.next_s, now_s) && !other_pins) return;
  numbers.next_s = now_s + Refresh::kSeconds;
  find_worst(content.capture, &numbers);
  fill_rows(choice, &numbers);
  fill_counters(content, choice.settings, &numbers);
  numbers.bottleneck.update(content, last, &content.statistics.scratch());
}

// ---- What limits the rate of frames -------------------------------------------------------------------------------

namespace {

// At least nine tenths of a frame.
bool is_busy(int64_t work_ns, int64_t frame_ns) {
  return work_ns >= frame_ns - frame_ns / 10;
}

}  // namespace

Bottleneck find_bottleneck(const BottleneckInput& input) {
  if (input.frame_ns <= 0 || (input.cpu_ns < 0 && input.gpu_ns < 0)) return Bottleneck::kUnknown;
  const bool cpu = is_busy(input.cpu_ns, input.frame_ns);
  const bool gpu = is_busy(input.gpu_ns, input.frame_ns);
  if (cpu && gpu) return Bottleneck::kBalanced;
  if (cpu) return Bottleneck::kCpu;
  if (gpu) return Bottleneck::kGpu;
  if (input.cpu_ns < 0) return Bottleneck::kUnknown;
  if (input.gpu_ns < 0) return Bottleneck::kWaits;
  return input.spread_ns <= input.frame_ns / 10 ? Bottleneck::kVsync : Bottleneck::kBalanced;
}

}  // namespace flamelet::ui
