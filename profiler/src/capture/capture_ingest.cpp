// SPDX-License-Identifier: MIT
//
// capture_ingest.cpp: takes new words of pages into a capture. Each is played once here: to check it, so that every later
// reader can trust the pages' structure; to count it; and to note what must be found without playing the page.
#include <string.h>

#include "capture/capture_data.h"

namespace flamelet {

namespace {

template <class Number>
Number max_of(Number a, Number b) {
  return a > b ? a : b;
}

// Makes room for the words of a page, and for one more page. The open page of a track that lives is passed over, though it
// may be old: the words still to come need what is in it.
void make_room(flamelet_capture* capture, bool one_more) {
  PageStore& pages = capture->pages;
  for (uint32_t passed = 0; (one_more && pages.full()) || !pages.has_raw_page();) {
    if (!pages.has_raw_page() && pages.pack_one()) continue;
    const PageId oldest = pages.oldest();
    const PageInfo& info = pages.info(oldest);
    Lane& lane = capture->lanes[info.lane];
    if (!info.closed && lane.alive && lane.pages.newest == oldest && ++passed < pages.capacity()) {
      lane.last_page = pages.rotate(&lane.pages);
    } else {
      evict_oldest(capture);
    }
  }
}

void begin_run(flamelet_capture* capture, Lane* lane, PageId page, uint64_t ticks, uint32_t first_word,
               uint32_t depth) {
  if (lane->fiber == 0) return;
  const uint32_t fiber = lane_for(capture, lane->fiber, FLAMELET_LANE_FIBER);
  if (fiber == kNoLane) return;
  FiberRun run = {};
  run.begin_ticks = ticks;
  run.ticket = lane->ticket;
  run.place = capture->pages.place(page);
  run.first_word = first_word & FiberRun::kPageStart;
  run.end_word = FiberRun::kPageEnd;
  run.begin_depth = FiberRun::known_depth(depth) & FiberRun::kMostDepth;
  capture->lanes[fiber].last_page = page;
  lane->open_run = capture->fiber_runs.add(&capture->lanes[fiber].runs, run);
}

// What the lane's track recorded before its event `first_event`, and nobody read, is lost. False: there is no such event.
bool lose_before(flamelet_capture* capture, Lane* lane, uint64_t first_event, uint64_t begin_ticks) {
  if (first_event <= lane->next_event) return false;
  lane->counts.events_lost += first_event - lane->next_event;
  capture->counts.events_lost += first_event - lane->next_event;
  lane->next_event = first_event;
  capture->frames.lose(lane->now_ticks, begin_ticks);
  return true;
}

uint64_t lose_before(flamelet_capture* capture, OwnTrack* track, uint64_t first_event) {
  const uint64_t expected = track->events_read + track->events_lost;
  const uint64_t lost = first_event > expected ? first_event - expected : 0;
  track->events_lost += lost;
  capture->counts.events_lost += lost;
  return lost;
}

PageId begin_page(flamelet_capture* capture, uint32_t lane_index, const PagePart& part) {
  const PageHeader& from = *part.header;
  make_room(capture, true);
  Lane& lane = capture->lanes[lane_index];
  const uint64_t begin_ticks = max_of(lane.now_ticks, from.base_ticks);
  const uint32_t fiber = from.track != 0 ? from.fiber : 0;  // that runs on the track
  const bool has_gap = lose_before(capture, &lane, from.first_event, begin_ticks);
  if (has_gap && fiber != lane.fiber) leave_in_gap(capture, lane);
  const PageId id = capture->pages.add(&lane.pages);
  lane.last_page = id;
  lane.ticket = part.ticket;
  lane.now_ticks = begin_ticks;
  lane.depth = from.open_count;
  lane.open_run = 0;
  if (lane.fiber != fiber) {  // the switch itself is lost
    lane.fiber = fiber;
    lane.run_ticks = begin_ticks;
    ++lane.fiber_switches;
  }

  PageInfo& info = capture->pages.info(id);
  info.base_ticks = from.base_ticks;
  info.first_event = from.first_event;
  info.track = from.track;
  info.fiber = from.fiber;
  info.ticket = part.ticket;
  info.begin_ticks = begin_ticks;
  info.end_ticks = begin_ticks;
  info.run_ticks = lane.run_ticks;
  info.lane = lane_index;
  info.fiber_switches = lane.fiber_switches;
  info.bad = from.open_count > FLAMELET_MAX_DEPTH;
  info.open_count = static_cast<uint16_t>(info.bad ? 0 : from.open_count);
  begin_run(capture, &lane, id, begin_ticks, FiberRun::kPageStart, info.open_count);
  if (begin_ticks < capture->oldest_ticks) capture->oldest_ticks = begin_ticks;
  return id;
}

// Notes what must be found without playing a page again. Scopes and points are found in their page.
class Intake {
 public:
  Intake(flamelet_capture* capture, Lane* lane, PageId id) : capture_(capture), lane_(lane), id_(id) {}

  void begin(uint64_t, uint32_t, uint64_t, uint32_t, uint64_t) {}
  void end(uint64_t, uint32_t, bool) {}
  void point(uint64_t, const PointEvent&) {}
  void frame(uint64_t, const FrameMark&) {}
  // As intervals from mark to mark: those of a set may come from several threads, whose pages come one after the other.
  void named_frame(uint64_t ticks, uint32_t set, uint64_t index, bool ends_partial) {
    IntervalTable& table = capture_->named_frames;
    const bool news = table.start(named_frame_mark(set, index, false), lane_->id, ticks, 0, make_strings(set, 0)) &&
                      (index <= 1 || table.finish(named_frame_mark(set, index - 1, false), lane_->id, ticks,
                                                  ends_partial ? uint32_t{FLAMELET_FRAME_PARTIAL} : 0));
    if (!news) capture_->counts.bad_words += event_words(WordType::kMore, make_more_id(MoreType::kNamedFrame, 1));
  }
  void fiber(uint64_t ticks, uint32_t depth, const FiberChange& change) {
    if (capture_->fiber_runs.holds(lane_->open_run)) {
      FiberRun& run = capture_->fiber_runs[lane_->open_run];
      run.end_ticks = ticks;
      run.end_word = change.at & FiberRun::kPageEnd;
      run.end_depth = FiberRun::known_depth(depth) & FiberRun::kMostDepth;
      const uint32_t lane = capture_->lanes.find(lane_->fiber, true);
      if (lane != kNoLane)
        capture_->fiber_runs.settle(&capture_->lanes[lane].runs, lane_->open_run, [&](const FiberRun& run_before) {
          return capture_->pages.info_at(run_before.place).track == lane_->id;
        });
    }
    lane_->open_run = 0;
    lane_->fiber = change.to;
    lane_->run_ticks = ticks;
    ++lane_->fiber_switches;
    begin_run(capture_, lane_, id_, ticks, change.at, change.block.count);
  }
  // Its runs may stand on pages that come later.
  void fiber_end(uint64_t ticks, uint32_t fiber, uint32_t depth) {
    LaneTable& lanes = capture_->lanes;
    if (fiber == 0 || (lanes.full() && lanes.find(fiber, true) == kNoLane)) return;
    Lane& lane = lanes[lane_for(capture_, fiber, FLAMELET_LANE_FIBER)];
    lane.destroyed_ticks = ticks;
    lane.destroyed_depth = depth;
  }
  void interval_begin(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings) {
    if (!capture_->intervals.start(id, lane_->id, ticks, site, strings))
      capture_->counts.bad_words += event_words(WordType::kStart, 0);
  }
  void interval_end(uint64_t ticks, uint64_t id) {
    if (!capture_->intervals.finish(id, lane_->id, ticks)) ++capture_->counts.extra_ends;
  }
  void span(const SubmittedSpan& span) { submitted(span.begin_ticks, span.end_ticks); }
  void flow(uint64_t, const FlowEvent&) { ++capture_->pages.info(id_).flow_count; }
  void thread_switch(uint64_t, const SwitchEvent&) {}
  void submitted_point(uint64_t ticks, const PointEvent&) { submitted(ticks, ticks); }
  void submitted_flow(uint64_t ticks, const FlowEvent& event) {
    flow(ticks, event);
    submitted(ticks, ticks);
  }

 private:
  // It may end later than it came.
  void submitted(uint64_t begin_ticks, uint64_t end_ticks) {
    lane_->submitted = true;
    capture_->pages.note_submitted(id_, begin_ticks, end_ticks);
    lane_->now_ticks = max_of(lane_->now_ticks, end_ticks);
    if (begin_ticks < capture_->oldest_ticks) capture_->oldest_ticks = begin_ticks;
  }

  flamelet_capture* const capture_;
  Lane* const lane_;
  const PageId id_;
};

// Takes in the words of a page from info.word_count on.
void take_words(flamelet_capture* capture, Lane* lane, PageId id, const uint64_t* words) {
  PageInfo& info = capture->pages.info(id);
  const uint32_t block_words = 2u * info.open_count;
  ReplayEnd end = ReplayEnd::kIncomplete;
  if (info.copied_words >= block_words) {
    ReplayCursor cursor = {max_of(uint32_t{info.word_count}, block_words), lane->depth, lane->now_ticks, 0};
    Intake intake(capture, lane, id);
    RepairCounts counts = {};
    end = check({words, info.copied_words, info.base_ticks}, &cursor, intake, &counts);
    capture->counts.missing_ends += counts.missing_ends;
    capture->counts.extra_ends += counts.extra_ends;
    capture->counts.times_clamped += counts.times_clamped;
    capture->counts.unknown_events += counts.unknown_events;
    lane->depth = cursor.depth;
    lane->now_ticks = max_of(lane->now_ticks, cursor.now_ticks);
    lane->counts.events_read += cursor.events;
    lane->next_event += cursor.events;
    capture->counts.events_read += cursor.events;
    info.event_count = static_cast<uint16_t>(info.event_count + cursor.events);
    info.word_count = static_cast<uint16_t>(cursor.at);
  }
  // What is left of a closed page can never become an event.
  info.bad = end == ReplayEnd::kBad || (info.closed && info.word_count < info.copied_words);
  if (info.bad) capture->counts.bad_words += uint32_t{info.copied_words} - info.word_count;
}

struct FrameIntake : IgnoreEvents {
  flamelet_capture* const capture;
  uint64_t taken = 0;
  explicit FrameIntake(flamelet_capture* c) : capture(c) {}
  void frame(uint64_t ticks, const FrameMark& mark) {
    ++taken;
    if (!capture->frames.mark(ticks, mark)) return;
    for (uint32_t i = 0; i < mark.time_count; ++i)
      capture->thread_times.add(mark.index - 1, read_thread_time(mark.times + i * kThreadTimeWords));
  }
};

struct SwitchIntake : IgnoreEvents {
  flamelet_capture* const capture;
  uint64_t taken = 0;
  explicit SwitchIntake(flamelet_capture* c) : capture(c) {}
  void thread_switch(uint64_t ticks, const SwitchEvent& event) {
    if (!add_switch(capture, ticks, event)) return;
    ++taken;
    if (event.what == kSwitchLost) capture->states.lost += event.thread;
  }
};

template <class IntakeOfTrack>
void add_own_part(flamelet_capture* capture, const PagePart& part, OwnTrack* track) {
  const PageHeader& header = *part.header;
  uint64_t lost = 0;
  if (part.ticket != track->ticket) {
    if (part.ticket < track->ticket) return;
    lost = lose_before(capture, track, header.first_event);
    track->ticket = part.ticket;
    track->words = 0;
    if (lost != 0 && track == &capture->switch_track) add_switch(capture, track->now_ticks, {0, 0, kSwitchLost});
  }
  ReplayCursor cursor = {track->words, 0, track->now_ticks, 0};
  IntakeOfTrack intake(capture);
  RepairCounts counts = {};  // of a track that any thread writes to: their clocks may differ a little
  const ReplayEnd end = check({part.words, part.count, header.base_ticks}, &cursor, intake, &counts);
  track->events_read += intake.taken;
  capture->counts.events_read += intake.taken;
  capture->counts.bad_words += cursor.events - intake.taken;
  if (end == ReplayEnd::kBad) {
    capture->counts.bad_words += part.count - cursor.at;
    cursor.at = part.count;
  }
  track->words = cursor.at;
  track->now_ticks = cursor.now_ticks;
  capture->newest_ticks = max_of(capture->newest_ticks, track->now_ticks);
}

}  // namespace

void lose_page(flamelet_capture* capture, const PageHeader& header) {
  if (header.track == kFrameTrack || header.track == kSwitchTrack) {
    OwnTrack& track = header.track == kFrameTrack ? capture->frame_track : capture->switch_track;
    lose_before(capture, &track, header.first_event);
    return;
  }
  const uint32_t index = lane_of_page(capture, header);
  if (index == kNoLane) return;
  Lane& lane = capture->lanes[index];
  lose_before(capture, &lane, header.first_event, max_of(lane.now_ticks, header.base_ticks));
}

void add_part(flamelet_capture* capture, const PagePart& part) {
  if (part.count > kPageWords) return;
  ++capture->version;
  const PageHeader& header = *part.header;
  if (header.track == kFrameTrack) return add_own_part<FrameIntake>(capture, part, &capture->frame_track);
  if (header.track == kSwitchTrack) return add_own_part<SwitchIntake>(capture, part, &capture->switch_track);
  const uint32_t lane_index = lane_of_page(capture, header);
  if (lane_index == kNoLane) return;
  capture->has_news = true;
  Lane& lane = capture->lanes[lane_index];
  PageId id = lane.pages.newest;
  if (lane.pages.count == 0 || part.ticket > lane.ticket) {
    id = begin_page(capture, lane_index, part);
  } else if (part.ticket < lane.ticket || !capture->pages.holds(id)) {
    return;  // what is left out here, the next page's first_event counts as lost
  }
  PageInfo& found = capture->pages.info(id);
  if (found.closed || part.count < found.copied_words) return;
  if (found.is_packed()) {  // it was open for long
    make_room(capture, false);
    id = lane.pages.newest;
    if (!capture->pages.holds(id)) return;
  }
  PageInfo& info = capture->pages.info(id);
  const uint32_t copied = info.copied_words;
  const uint32_t events_before = info.event_count;
  uint64_t* const words = capture->pages.writable_words(id);
  info.copied_words = static_cast<uint16_t>(part.count);
  info.closed = part.closed;
  if (info.bad) {
    capture->counts.bad_words += part.count - copied;
  } else {
    memcpy(words + copied, part.words + copied, (part.count - copied) * sizeof(uint64_t));
    info.kept_words = info.copied_words;
    take_words(capture, &lane, id, words);
  }
  lane.events_held += info.event_count - events_before;
  capture->events_held += info.event_count - events_before;
  if (info.closed) {
    // Time up to the closing is known to be covered. A time that the page cannot have is not believed.
    const uint64_t last_ticks = header.last_ticks;
    if (last_ticks - header.base_ticks <= kTickMask) lane.now_ticks = max_of(lane.now_ticks, last_ticks);
    info.last_ticks = last_ticks;
    // The thread may have ended: perhaps no table has its name any more.
    if (header.name != 0 && !is_fiber(lane)) lane.name = header.name;
  }
  info.end_ticks = max_of(info.end_ticks, lane.now_ticks);
  capture->newest_ticks = max_of(capture->newest_ticks, lane.now_ticks);
}

void evict_oldest(flamelet_capture* capture) {
  const PageInfo& info = capture->pages.info(capture->pages.oldest());
  capture->counts.events_evicted += info.event_count;
  capture->events_held -= info.event_count;
  capture->lanes[info.lane].events_held -= info.event_count;
  capture->evicted_ticks = max_of(capture->evicted_ticks, info.end_ticks);
  capture->pages.evict();
}

bool add_switch(flamelet_capture* capture, uint64_t ticks, const SwitchEvent& event) {
  SwitchTable& table = capture->switches;
  LaneTable& lanes = capture->lanes;
  const auto list_of = [&](const SwitchEvent& of) {
    const uint32_t lane = of.thread == 0 || of.what == kSwitchLost ? kNoLane : lanes.find(of.thread, false);
    return lane == kNoLane ? nullptr : &lanes[lane].switches;
  };
  if (event.what >= kSwitchKinds || !table.takes(ticks)) return false;
  // A thread may be switched before the first of its pages comes. No other lane goes for it.
  if (event.thread != 0 && event.what != kSwitchLost && !lanes.full())
    lane_for(capture, event.thread, FLAMELET_LANE_THREAD);
  if (!table.make_room()) {
    table.evict(list_of(table[table.first()].event));
    ++capture->states.evicted;
  }
  table.add(ticks, event, list_of(event));
  return true;
}

void clear_capture(flamelet_capture* capture) {
  capture->pages.clear();
  capture->events_held = 0;
  capture->lanes.clear();
  capture->fiber_runs.clear();
  capture->frames.clear();
  capture->thread_times.clear();
  capture->switches.clear();
  capture->states = {};
  capture->intervals.clear();
  capture->named_frames.clear();
  capture->strings.clear();
  capture->sites.clear();
  capture->strings_settled = 0;
  capture->sites_settled = 0;
  capture->frame_track = {};
  capture->switch_track = {};
  capture->ended_events = 0;
  capture->dropped_events = 0;
  capture->unattributed_events = 0;
  capture->settled_ticks = 0;
  capture->oldest_ticks = UINT64_MAX;
  capture->newest_ticks = 0;
  capture->evicted_ticks = 0;
  capture->window_begin_ticks = 0;
  capture->window_end_ticks = UINT64_MAX;
  ++capture->version;
}

// ---- Copies of strings and sites ----------------------------------------------------------------------------------

void StringCopies::attach(Entry* entries, uint32_t capacity, char* bytes, size_t byte_capacity) {
  entries_ = entries;
  capacity_ = capacity;
  bytes_ = bytes;
  byte_capacity_ = byte_capacity;
  clear();
}

void StringCopies::clear() {
  memset(entries_, 0, capacity_ * sizeof(Entry));
  byte_count_ = 0;
  count_ = 0;
}

bool StringCopies::put(uint32_t id, const flamelet_string& text) {
  if (id >= capacity_ || text.size > UINT32_MAX || text.size >= byte_capacity_ - byte_count_) return false;
  memcpy(bytes_ + byte_count_, text.text, text.size);
  bytes_[byte_count_ + text.size] = 0;
  entries_[id] = {byte_count_, static_cast<uint32_t>(text.size), true};
  byte_count_ += text.size + 1;
  if (id >= count_) count_ = id + 1;
  return true;
}

flamelet_string StringCopies::get(uint32_t id) const {
  return {bytes_ + entries_[id].offset, entries_[id].size};
}

void SiteCopies::attach(SiteRecord* records, bool* known, uint32_t capacity) {
  records_ = records;
  known_ = known;
  capacity_ = capacity;
  clear();
}

void SiteCopies::clear() {
  memset(records_, 0, capacity_ * sizeof(SiteRecord));
  memset(known_, 0, capacity_ * sizeof(bool));
  count_ = 0;
}

bool SiteCopies::put(uint32_t id, const SiteRecord& site) {
  if (id >= capacity_) return false;
  records_[id] = site;
  known_[id] = true;
  if (id >= count_) count_ = id + 1;
  return true;
}

}  // namespace flamelet
