// SPDX-License-Identifier: MIT
//
// capture_ingest.cpp: takes new words of pages into a capture. Each word is looked at once here: to check it, so that
// every later reader can trust the pages' structure; to count it; and to note what must be found without decoding.
#include <string.h>

#include "capture/capture_data.h"

namespace flamelet {
namespace {

uint64_t max_of(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

// Makes room for one page. The open page of a track that lives is passed over, though it may be old: the words still to
// come need what is in it.
void make_room(flamelet_capture* capture) {
  PageStore& pages = capture->pages;
  for (uint32_t passed = 0; pages.full();) {
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

void begin_run(flamelet_capture* capture, Lane* lane, PageId page, uint64_t ticks, uint16_t first_word) {
  if (lane->fiber == 0) return;
  const uint32_t fiber = lane_for(capture, lane->fiber, FLAMELET_LANE_FIBER);
  if (fiber == kNoLane) return;
  FiberRun run = {};
  run.begin_ticks = ticks;
  run.ticket = lane->ticket;
  run.place = capture->pages.place(page);
  run.first_word = first_word;
  run.end_word = FiberRun::kPageEnd;
  capture->lanes[fiber].last_page = page;
  lane->open_run = capture->fiber_runs.add(&capture->lanes[fiber].runs, run);
}

PageId begin_page(flamelet_capture* capture, uint32_t lane_index, const PagePart& part) {
  const PageHeader& from = *part.header;
  make_room(capture);
  Lane& lane = capture->lanes[lane_index];
  const uint64_t begin_ticks = max_of(lane.now_ticks, from.base_ticks);
  const uint64_t expected = lane.events_read + lane.events_lost;
  if (from.first_event > expected) {
    lane.events_lost += from.first_event - expected;
    capture->events_lost += from.first_event - expected;
    capture->frames.lose(lane.now_ticks, begin_ticks);
  }
  const PageId id = capture->pages.add(&lane.pages);
  lane.last_page = id;
  lane.ticket = part.ticket;
  lane.now_ticks = begin_ticks;
  lane.depth = from.open_count;
  lane.open_run = 0;
  const uint32_t fiber = from.track != 0 ? from.fiber : 0;  // that runs on the track
  if (lane.fiber != fiber) {                                // the switch itself is lost
    lane.fiber = fiber;
    lane.run_ticks = begin_ticks;
    ++lane.fiber_switches;
  }

  PageHeader& header = capture->pages.page(id).header;
  header = PageHeader();
  header.base_ticks = from.base_ticks;
  header.first_event = from.first_event;
  header.track = from.track;
  header.fiber = from.fiber;
  header.open_count = from.open_count;
  header.slot = from.slot;
  header.session = from.session;
  PageInfo& info = capture->pages.info(id);
  info.ticket = part.ticket;
  info.begin_ticks = begin_ticks;
  info.end_ticks = begin_ticks;
  info.run_ticks = lane.run_ticks;
  info.lane = lane_index;
  info.fiber_switches = lane.fiber_switches;
  if (from.open_count > FLAMELET_MAX_DEPTH) {
    info.bad = true;
    header.open_count = 0;
  }
  begin_run(capture, &lane, id, begin_ticks, FiberRun::kPageStart);
  if (begin_ticks < capture->oldest_ticks) capture->oldest_ticks = begin_ticks;
  return id;
}

// Looks at the words of a page from info.word_count on.
class Intake {
 public:
  Intake(flamelet_capture* capture, Lane* lane, PageId id)
      : capture_(capture),
        lane_(lane),
        id_(id),
        info_(capture->pages.info(id)),
        words_(capture->pages.page(id).words),
        base_ticks_(capture->pages.page(id).header.base_ticks) {}

  void run() {
    const uint32_t block_words = 2 * capture_->pages.page(id_).header.open_count;
    if (info_.copied_words >= block_words) {
      if (info_.word_count < block_words) info_.word_count = block_words;
      take_events();
    }
    // What is left of a closed page can never become an event.
    if (info_.closed && info_.word_count < info_.copied_words) info_.bad = true;
    if (info_.bad) capture_->bad_words += info_.copied_words - info_.word_count;
  }

 private:
  void take_events() {
    const uint32_t count = info_.copied_words;
    uint32_t at = info_.word_count;
    uint32_t events = 0;
    uint64_t clamped = 0;
    uint64_t now = lane_->now_ticks;
    uint32_t depth = lane_->depth;
    while (at < count) {
      const uint64_t word = words_[at];
      const uint64_t ticks = word_ticks(word, base_ticks_);
      const uint32_t code = word_code(word, ticks);
      clamped += ticks < now ? 1 : 0;
      now = max_of(now, ticks);
      const WordType type = code_type(code);
      if (type == WordType::kEnd && depth != 0) {
        --depth;
        ++at;
      } else if (type == WordType::kBegin && depth != FLAMELET_MAX_DEPTH) {
        ++depth;
        ++at;
      } else if (type == WordType::kNext && depth != 0) {
        ++at;
      } else {
        lane_->depth = depth;
        const uint32_t size = take_other(at, now, type, code_id(code));
        if (size == 0) break;
        at += size;
        now = max_of(now, lane_->now_ticks);
        depth = lane_->depth;
      }
      ++events;
    }
    lane_->depth = depth;
    lane_->now_ticks = now;
    // What is submitted may end later than it came.
    if (!lane_->submitted) capture_->times_clamped += clamped;
    lane_->events_read += events;
    capture_->events_read += events;
    info_.event_count += events;
    info_.word_count = at;
  }

  // Returns the size of the event in words; 0 if it is not whole yet, or bad.
  uint32_t take_other(uint32_t at, uint64_t now, WordType type, uint32_t id) {
    uint32_t size = 1u + kPayloadWords[static_cast<uint32_t>(type)];
    if (type == WordType::kFiber) size += 2 * id;
    if (size > kPageWords - at) return bad();
    if (size > info_.copied_words - at) return 0;
    const uint64_t* payload = words_ + at + 1;
    uint32_t& depth = lane_->depth;
    switch (type) {
      case WordType::kEnd:
        ++capture_->extra_ends;
        break;
      case WordType::kNext:  // with nothing to end
        ++capture_->extra_ends;
        ++depth;
        break;
      case WordType::kBegin:
      case WordType::kBeginWith:
        if (depth == FLAMELET_MAX_DEPTH) return bad();
        ++depth;
        break;
      case WordType::kEndTo:
        if (id < depth) {
          capture_->missing_ends += depth - id - 1;
          depth = id;
        } else {
          ++capture_->extra_ends;
        }
        break;
      case WordType::kInstant:
      case WordType::kCounter:
      case WordType::kFrame:
        break;
      case WordType::kFiber:
        if (id > FLAMELET_MAX_DEPTH) return bad();
        depth = id;
        end_run(at);
        lane_->fiber = static_cast<uint32_t>(payload[0] >> 32);
        lane_->run_ticks = now;
        ++lane_->fiber_switches;
        begin_run(capture_, lane_, id_, now, static_cast<uint16_t>(at));
        break;
      case WordType::kStart:
        if (!capture_->intervals.start(interval_id(words_[at], payload[0]), lane_->id, now, id,
                                       payload[0] & kStringsMask))
          capture_->bad_words += size;
        break;
      case WordType::kFinish:
        if (!capture_->intervals.finish(payload[0], lane_->id, now)) ++capture_->extra_ends;
        break;
      case WordType::kSpan:
        submitted(payload[0], max_of(payload[0], payload[1]));
        break;
      case WordType::kPoint:
      case WordType::kValue:
        submitted(payload[0], payload[0]);
        break;
      case WordType::kReopen:
      default:
        return bad();
    }
    return size;
  }

  void end_run(uint32_t at) {
    if (capture_->fiber_runs.holds(lane_->open_run))
      capture_->fiber_runs[lane_->open_run].end_word = static_cast<uint16_t>(at);
    lane_->open_run = 0;
  }

  void submitted(uint64_t begin_ticks, uint64_t end_ticks) {
    lane_->submitted = true;
    capture_->pages.note_submitted(id_, begin_ticks, end_ticks);
    lane_->now_ticks = max_of(lane_->now_ticks, end_ticks);
    if (begin_ticks < capture_->oldest_ticks) capture_->oldest_ticks = begin_ticks;
  }

  uint32_t bad() {
    info_.bad = true;
    return 0;
  }

  flamelet_capture* const capture_;
  Lane* const lane_;
  const PageId id_;
  PageInfo& info_;
  const uint64_t* const words_;
  const uint64_t base_ticks_;
};

void add_frame_part(flamelet_capture* capture, const PagePart& part) {
  const PageHeader& header = *part.header;
  if (part.ticket != capture->frame_ticket) {
    if (part.ticket < capture->frame_ticket) return;
    const uint64_t expected = capture->frame_events_read + capture->frame_events_lost;
    if (header.first_event > expected) {
      capture->frame_events_lost += header.first_event - expected;
      capture->events_lost += header.first_event - expected;
    }
    capture->frame_ticket = part.ticket;
    capture->frame_words = 0;
  }
  uint32_t at = capture->frame_words;
  while (at + 2 <= part.count) {
    const uint64_t ticks = word_ticks(part.words[at], header.base_ticks);
    const uint64_t index = part.words[at + 1];
    if (code_type(word_code(part.words[at], ticks)) != WordType::kFrame) {
      capture->bad_words += part.count - at;
      at = part.count;
      break;
    }
    capture->frame_now_ticks = max_of(capture->frame_now_ticks, ticks);
    capture->frames.mark(capture->frame_now_ticks, index & ~kFramePartialBit, (index & kFramePartialBit) != 0);
    ++capture->frame_events_read;
    ++capture->events_read;
    at += 2;
  }
  capture->frame_words = at;
  capture->newest_ticks = max_of(capture->newest_ticks, capture->frame_now_ticks);
}

}  // namespace

void add_part(flamelet_capture* capture, const PagePart& part) {
  if (part.count > kPageWords) return;
  ++capture->version;
  const PageHeader& header = *part.header;
  if (header.track == kFrameTrack) {
    add_frame_part(capture, part);
    return;
  }
  const uint32_t lane_index = lane_of_page(capture, header);
  if (lane_index == kNoLane) return;
  Lane& lane = capture->lanes[lane_index];
  PageId id = lane.pages.newest;
  if (lane.pages.count == 0 || part.ticket > lane.ticket) {
    id = begin_page(capture, lane_index, part);
  } else if (part.ticket < lane.ticket || !capture->pages.holds(id)) {
    return;  // what is left out here, the next page's first_event counts as lost
  }

  PageInfo& info = capture->pages.info(id);
  if (info.closed || part.count < info.copied_words) return;
  const uint32_t copied = info.copied_words;
  const uint32_t events_before = info.event_count;
  info.copied_words = part.count;
  info.closed = part.closed;
  if (info.bad) {
    capture->bad_words += part.count - copied;
  } else {
    memcpy(capture->pages.page(id).words + copied, part.words + copied, (part.count - copied) * sizeof(uint64_t));
    Intake(capture, &lane, id).run();
  }
  lane.events_held += info.event_count - events_before;
  capture->events_held += info.event_count - events_before;
  if (info.closed) {
    // Time up to the closing is known to be covered. A time that the page cannot have is not believed.
    const uint64_t last_ticks = header.last_ticks;
    if (last_ticks - header.base_ticks <= kTickMask) lane.now_ticks = max_of(lane.now_ticks, last_ticks);
    capture->pages.page(id).header.last_ticks = last_ticks;
    capture->pages.page(id).header.event_count = header.event_count;
  }
  info.end_ticks = max_of(info.end_ticks, lane.now_ticks);
  capture->newest_ticks = max_of(capture->newest_ticks, lane.now_ticks);
}

void evict_oldest(flamelet_capture* capture) {
  const PageInfo& info = capture->pages.info(capture->pages.oldest());
  capture->events_evicted += info.event_count;
  capture->events_held -= info.event_count;
  capture->lanes[info.lane].events_held -= info.event_count;
  capture->evicted_ticks = max_of(capture->evicted_ticks, info.end_ticks);
  capture->pages.evict();
}

void clear_capture(flamelet_capture* capture) {
  capture->pages.clear();
  capture->events_held = 0;
  capture->lanes.clear();
  capture->fiber_runs.clear();
  capture->frames.clear();
  capture->intervals.clear();
  capture->strings.clear();
  capture->sites.clear();
  capture->strings_settled = 0;
  capture->sites_settled = 0;
  capture->frame_ticket = 0;
  capture->frame_words = 0;
  capture->frame_now_ticks = 0;
  capture->frame_events_read = 0;
  capture->frame_events_lost = 0;
  capture->ended_events = 0;
  capture->dropped_events = 0;
  capture->unattributed_events = 0;
  capture->settled_ticks = 0;
  capture->oldest_ticks = UINT64_MAX;
  capture->newest_ticks = 0;
  capture->evicted_ticks = 0;
  ++capture->version;
}

}  // namespace flamelet
