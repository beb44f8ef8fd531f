// SPDX-License-Identifier: MIT
//
// capture_chunks.h: a lane as a sequence of chunks that can each be decoded alone: the pages of a thread, or the runs of
// a fiber on whichever threads. Three classes have the same members: LaneChunks is one of the other two, since what reads
// spans or points shall be there once:
//   seek(ticks)             to the last chunk that begins before a time, else to the first one; false if there is none
//   next()                  to the next one; false if there is none
//   next_begin_ticks()      where that one begins; UINT64_MAX if there is none
//   chunk(room)             the present one. Its words are in the room, or in the capture
//   begin_ticks()           where it begins
//   seek_last_open(...)     forward to the last chunk at whose start a scope is still open without having been suspended
//                           since the present one; false if that is the present one
//   fiber_switches()        on the thread before the present chunk
//   gone_ticks(capture)     if the present chunk is the last one: until when its open scopes can be there, at least up to
//                           its last event; UINT64_MAX if nothing says that they have ended
//   known_ticks(capture)    likewise: until when there are no other events of the lane. A part of a capture may lack later
//                           chunks: behind a closed page, and on pages of any thread
#ifndef FLAMELET_SRC_CAPTURE_CHUNKS_H
#define FLAMELET_SRC_CAPTURE_CHUNKS_H

#include "capture/capture_data.h"

namespace flamelet {

struct Chunk {
  WordRun words;
  OpenBlock block;
  uint32_t first_word;
  uint64_t begin_ticks;
  uint64_t run_ticks;  // scopes that began before this were resumed then; 0 = show them whole
};

// A damaged file has not all events of the lane that it says it has: those at its end are missing.
inline bool lacks_its_end(const Lane& lane) {
  return lane.is_saved && lane.next_event < lane.saved_next_event;
}

// The pages of a thread.
class ThreadChunks {
 public:
  ThreadChunks(const flamelet_capture& capture, const Lane& lane) : pages_(&capture.pages), lane_(&lane) {}

  bool seek(uint64_t ticks) {
    at_ = pages_->page_before(lane_->pages, ticks);
    return at_ != 0;
  }
  bool next() {
    const PageId next = pages_->info(at_).next;
    if (!pages_->holds(next)) return false;
    at_ = next;
    return true;
  }
  uint64_t next_begin_ticks() const {
    const PageId next = pages_->info(at_).next;
    return pages_->holds(next) ? pages_->info(next).begin_ticks : UINT64_MAX;
  }
  uint64_t begin_ticks() const { return pages_->info(at_).begin_ticks; }
  Chunk chunk(PageRoom* room) const {
    const PageInfo& info = pages_->info(at_);
    const WordRun words = pages_->words(at_, room);
    const OpenBlock block = {words.words, info.whole_open_count()};
    return {words, block, 2 * block.count, info.begin_ticks, info.run_ticks};
  }

  bool seek_last_open(uint32_t level, uint64_t scope_id, uint32_t fiber_switches, PageRoom*) {
    const PageId first_closed = pages_->first_where(lane_->pages, [&](PageId id) {
      return id > at_ && !(pages_->info(id).fiber_switches == fiber_switches &&
                           pages_->shows_at(pages_->place(id), level, scope_id));
    });
    const PageId last_open = first_closed == 0 ? lane_->pages.newest : pages_->info(first_closed).previous;
    if (last_open == at_) return false;
    at_ = last_open;
    return true;
  }
  uint32_t fiber_switches() const { return pages_->info(at_).fiber_switches; }
  // A thread ends its scopes when it exits.
  uint64_t gone_ticks(const flamelet_capture&) const { return lane_->ended ? 0 : UINT64_MAX; }
  uint64_t known_ticks(const flamelet_capture& capture) const {
    return known_until_ticks(capture, pages_->info(at_).closed);
  }
  bool lacks_end() const { return lacks_its_end(*lane_); }

 private:
  const PageStore* pages_;
  const Lane* lane_;
  PageId at_ = 0;
};

// The runs of a fiber.
class FiberChunks {
 public:
  FiberChunks(const flamelet_capture& capture, const Lane& lane)
      : pages_(&capture.pages), runs_(&capture.fiber_runs), lanes_(&capture.lanes), lane_(&lane) {}

  bool seek(uint64_t ticks) {
    RunId id = lane_->runs.newest;
    if (!alive(id)) return false;
    while ((*runs_)[id].begin_ticks >= ticks && alive((*runs_)[id].previous)) id = (*runs_)[id].previous;
    at_ = id;
    return true;
  }
  bool next() {
    const RunId next = (*runs_)[at_].next;
    if (!alive(next)) return false;
    at_ = next;
    return true;
  }
  uint64_t next_begin_ticks() const {
    const RunId next = (*runs_)[at_].next;
    return alive(next) ? (*runs_)[next].begin_ticks : UINT64_MAX;
  }
  uint64_t begin_ticks() const { return (*runs_)[at_].begin_ticks; }
  Chunk chunk(PageRoom* room) const {
    const FiberRun& run = (*runs_)[at_];
    const PageInfo& info = pages_->info_at(run.place);
    const uint32_t end_word = run.end_word != FiberRun::kPageEnd ? run.end_word : info.word_count;
    const uint64_t* const words = pages_->words_at(run.place, room);
    const OpenBlock block = block_of(run, words);
    const uint32_t first_word = static_cast<uint32_t>(block.pairs - words) + 2 * block.count;
    return {{words, end_word, info.base_ticks}, block, first_word, run.begin_ticks, 0};
  }
  bool seek_last_open(uint32_t level, uint64_t scope_id, uint32_t, PageRoom* room) {
    const RunId start = at_;
    for (RunId next = (*runs_)[at_].next; alive(next) && shows((*runs_)[next], level, scope_id, room);
         next = (*runs_)[at_].next)
      at_ = next;
    return at_ != start;
  }
  uint32_t fiber_switches() const { return 0; }
  // It was destroyed with open scopes, or it ended them in a gap: before it was destroyed without any, or after it left its
  // thread in one and was not seen again.
  uint64_t gone_ticks(const flamelet_capture& capture) const {
    const bool is_destroyed = lane_->destroyed_ticks != 0 && lane_->destroyed_ticks <= known_ticks(capture);
    const FiberRun& run = (*runs_)[at_];
    if (is_destroyed && lane_->destroyed_depth != 0) return lane_->destroyed_ticks;
    return is_destroyed || run.left_in_gap ? run.end_ticks : UINT64_MAX;
  }
  uint64_t known_ticks(const flamelet_capture& capture) const {
    bool may_lack = false;
    for (uint32_t i = 0; i < lanes_->count() && !may_lack; ++i)
      may_lack = pages_->holds((*lanes_)[i].pages.newest) && pages_->info((*lanes_)[i].pages.newest).closed;
    return known_until_ticks(capture, may_lack);
  }
  bool lacks_end() const { return lacks_its_end((*lanes_)[pages_->info_at((*runs_)[at_].place).lane]); }

 private:
  bool alive(RunId id) const {
    return runs_->holds(id) && pages_->info_at((*runs_)[id].place).ticket == (*runs_)[id].ticket;
  }
  bool shows(const FiberRun& run, uint32_t level, uint64_t scope_id, PageRoom* room) const {
    if (run.first_word == FiberRun::kPageStart) return pages_->shows_at(run.place, level, scope_id);
    return block_of(run, pages_->words_at(run.place, room)).shows(level, scope_id);
  }
  OpenBlock block_of(const FiberRun& run, const uint64_t* words) const {
    const PageInfo& info = pages_->info_at(run.place);
    if (run.first_word == FiberRun::kPageStart) return {words, info.whole_open_count()};
    return block_behind({words, kPageWords, info.base_ticks}, run.first_word);
  }

  const PageStore* pages_;
  const FiberRuns* runs_;
  const LaneTable* lanes_;
  const Lane* lane_;
  RunId at_ = 0;
};

// Those of any lane of spans.
class LaneChunks {
 public:
  LaneChunks(const flamelet_capture& capture, const Lane& lane) : is_fiber_(is_fiber(lane)) {
    if (is_fiber_)
      ::new (&fiber_) FiberChunks(capture, lane);
    else
      ::new (&thread_) ThreadChunks(capture, lane);
  }

  bool seek(uint64_t ticks) { return is_fiber_ ? fiber_.seek(ticks) : thread_.seek(ticks); }
  bool next() { return is_fiber_ ? fiber_.next() : thread_.next(); }
  uint64_t next_begin_ticks() const { return is_fiber_ ? fiber_.next_begin_ticks() : thread_.next_begin_ticks(); }
  __attribute__((noinline)) Chunk chunk(PageRoom* room) const {
    return is_fiber_ ? fiber_.chunk(room) : thread_.chunk(room);
  }
  bool seek_last_open(uint32_t level, uint64_t scope_id, uint32_t fiber_switches, PageRoom* room) {
    return is_fiber_ ? fiber_.seek_last_open(level, scope_id, fiber_switches, room)
                     : thread_.seek_last_open(level, scope_id, fiber_switches, room);
  }
  uint32_t fiber_switches() const { return is_fiber_ ? fiber_.fiber_switches() : thread_.fiber_switches(); }
  uint64_t gone_ticks(const flamelet_capture& capture) const {
    return is_fiber_ ? fiber_.gone_ticks(capture) : thread_.gone_ticks(capture);
  }
  uint64_t known_ticks(const flamelet_capture& capture) const {
    return is_fiber_ ? fiber_.known_ticks(capture) : thread_.known_ticks(capture);
  }
  bool lacks_end() const { return is_fiber_ ? fiber_.lacks_end() : thread_.lacks_end(); }

 private:
  bool is_fiber_;
  union {
    ThreadChunks thread_;
    FiberChunks fiber_;
  };
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_CHUNKS_H
