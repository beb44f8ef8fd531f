// SPDX-License-Identifier: MIT
//
// page.h: the format of a ring page. A page holds one track's run of events and decodes alone: with the tables of
// strings and sites, nothing else is needed. It contains ids and never pointers, so it can be written to a file as it
// is, and a hostile one can only name an id out of bounds.
//
//   bytes 0..63     PageHeader
//   64..4095        504 words: first 2 * open_count words that re-open the scopes that were open when the page was
//                   taken (REOPEN + strings each, outermost first), then events
//
// A word is `ticks + (code << 44)` modulo 2^64; code is `type:4 | id:16`. Events have a fixed number of payload words
// behind them, by type. An event's words are never split over two pages.
#ifndef FLAMELET_SRC_PAGE_H
#define FLAMELET_SRC_PAGE_H

#include "flamelet/detail/record.h"

namespace flamelet {

enum class WordType : uint32_t {
  kEnd = FLAMELET_WORD_END_,               // ends the innermost open scope
  kBegin = FLAMELET_WORD_BEGIN_,           // id = site
  kBeginWith = FLAMELET_WORD_BEGIN_WITH_,  // id = site; strings
  kNext = FLAMELET_WORD_NEXT_,             // id = site; ends the innermost open scope and begins its sibling
  kEndTo = 4,    // id = level: ends scope number `level` (0 = outermost); those inside it had no end of their own, nor
                 // had the scope itself with kEndToMissing
  kInstant = 5,  // id = site; strings
  kCounter = 6,  // id = site; the value's bits (double)
  kFrame =
      7,  // index of the frame that begins here | kFramePartialBit if the one that ends is partial | kFrameClockBit if
  // the clock jumped in it; the track id of the thread that marked it. id = threads of which three words follow, see
  // write_thread_time()
  kFiber = 8,    // id = open scopes of the fiber that runs now; from | to << 32. As many REOPEN pairs follow at once,
                 // and replace the scopes that were open before
  kReopen = 9,   // free: a REOPEN pair is the word that began the scope (its id), and strings with the high ticks. It
                 // stands only where a count says so (open_count, kFiber), because it is older than the page. Not an
                 // event
  kStart = 10,   // id = site; strings and mark, see interval_id()
  kFinish = 11,  // the interval's id
  kSpan = 12,    // id = site; begin ticks, end ticks, id, strings. Submitted; the word's time is that of the submit
  kPoint = 13,   // id = site; time ticks, strings. Submitted
  kValue = 14,   // id = site; time ticks, the value's bits. A counter of an importer; no recorder writes it
  kMore = 15,    // id = MoreType << 8 | payload words: the kinds that have no code of their own
};

// The kinds behind kMore. The word says how long its payload is, so a reader skips those that it does not know.
enum class MoreType : uint32_t {
  kNamedFrame = 0,  // named_frame_mark(): one frame of a named set ends, and the next begins
  kFlowBegin = 1,   // the flow's id; submitted: before it its time in ticks
  kFlowEnd = 2,     // the same
  kSwitch = 3,      // of a thread: write_switch(). On a track of their own
  kFiberEnd = 4,    // a fiber was destroyed: its id | its open scopes << 32, which end here without ends of their own
};

// What a kind of word does to the scopes that are open on its track.
enum class Scopes : uint8_t {
  kNothing,
  kBegin,    // opens one more
  kEnd,      // ends the innermost
  kNext,     // ends the innermost and opens its sibling
  kEndTo,    // ends one, and those inside it
  kReplace,  // all are others from here on
};
// What it is to those who read.
enum class Reading : uint8_t {
  kScope,     // a begin or an end
  kFiber,     // a change of the stack that runs
  kPoint,     // an instant or a value, at the word's time
  kFrame,     // a mark between two frames
  kInterval,  // one end of an interval
  kOwnTimes,  // submitted or imported: the payload says when
  kEscape,    // the id says what
  kNoEvent,   // stands only where a count says so
};

struct WordKind {
  uint8_t payload_words;  // beside those that the id counts
  Scopes scopes;
  Reading reading;
};

// One row for each type, in the order of their numbers.
constexpr WordKind kWordKinds[] = {
    {0, Scopes::kEnd, Reading::kScope},        {0, Scopes::kBegin, Reading::kScope},
    {1, Scopes::kBegin, Reading::kScope},      {0, Scopes::kNext, Reading::kScope},
    {0, Scopes::kEndTo, Reading::kScope},      {1, Scopes::kNothing, Reading::kPoint},
    {1, Scopes::kNothing, Reading::kPoint},    {2, Scopes::kNothing, Reading::kFrame},
    {1, Scopes::kReplace, Reading::kFiber},    {1, Scopes::kNothing, Reading::kNoEvent},
    {1, Scopes::kNothing, Reading::kInterval}, {1, Scopes::kNothing, Reading::kInterval},
    {4, Scopes::kNothing, Reading::kOwnTimes}, {2, Scopes::kNothing, Reading::kOwnTimes},
    {2, Scopes::kNothing, Reading::kOwnTimes}, {0, Scopes::kNothing, Reading::kEscape},
};
constexpr uint32_t kWordTypes = 16;
static_assert(sizeof kWordKinds / sizeof kWordKinds[0] == kWordTypes, "each type has its row, and there are no others");

constexpr const WordKind& kind_of(WordType type) {
  return kWordKinds[static_cast<uint32_t>(type)];
}

constexpr uint32_t kTickBits = FLAMELET_CODE_SHIFT_;
constexpr uint64_t kTickMask = (uint64_t{1} << kTickBits) - 1;
constexpr uint64_t kMaxPageAgeTicks = uint64_t{1} << (kTickBits - 1);
constexpr uint64_t kFramePartialBit = uint64_t{1} << 63;
constexpr uint64_t kFrameClockBit = uint64_t{1} << 62;
constexpr uint32_t kFramePayloadWords = 2;
constexpr uint32_t kThreadTimeWords = 3;  // of one thread in a FRAME
// Ids of tracks that no thread and no source has.
constexpr uint32_t kFrameTrack = 0xFFFFFFFFu;              // holds the frame marks
constexpr uint32_t kSwitchTrack = 0xFFFFFFFEu;             // holds the switches of threads, of all processors, by time
constexpr uint32_t kTrackSlots = FLAMELET_MAX_TRACKS + 2;  // a page's slot is below

constexpr uint64_t make_code(WordType type, uint32_t id) {
  return (uint64_t{static_cast<uint32_t>(type)} << FLAMELET_TYPE_SHIFT_) | (uint64_t{id} << FLAMELET_CODE_SHIFT_);
}

// How far an event may be stamped before its page's base. The counters of two cores may differ by a little; that of a
// virtual machine that goes on elsewhere, or from an older state, may be set back by much, and the inlined path does not
// look. A page is never older than half of what 44 bits can tell, so there is room: 2^42 ticks are 24 minutes at 3 GHz.
constexpr uint64_t kTickSlack = uint64_t{1} << 42;

// The full ticks of a word of a page with this base: from kTickSlack before it to 2^44 - kTickSlack after it.
constexpr uint64_t word_ticks(uint64_t word, uint64_t base_ticks) {
  return (base_ticks - kTickSlack) + ((word - (base_ticks - kTickSlack)) & kTickMask);
}
// What is left of the word without its time.
constexpr uint32_t word_code(uint64_t word, uint64_t ticks) {
  return static_cast<uint32_t>((word - ticks) >> FLAMELET_CODE_SHIFT_);
}
constexpr WordType code_type(uint32_t code) {
  return static_cast<WordType>(code >> 16);
}
constexpr uint32_t code_id(uint32_t code) {
  return code & 0xFFFFu;
}

constexpr uint32_t kEndToMissing = 0x8000;

// The id of a kMore.
constexpr uint32_t make_more_id(MoreType type, uint32_t payload_words) {
  return static_cast<uint32_t>(type) << 8 | payload_words;
}
constexpr MoreType more_type(uint32_t id) {
  return static_cast<MoreType>(id >> 8);
}
constexpr uint32_t more_payload_words(uint32_t id) {
  return id & 0xFFu;
}
// Whether the payload says when: the word's time may then be earlier than the one before it.
constexpr bool has_own_times(WordType type, uint32_t id) {
  return kind_of(type).reading == Reading::kOwnTimes ||
         (type == WordType::kMore && more_payload_words(id) == 2 &&
          (more_type(id) == MoreType::kFlowBegin || more_type(id) == MoreType::kFlowEnd));
}
// The words of an event, its own included.
constexpr uint32_t event_words(WordType type, uint32_t id) {
  return 1u + kind_of(type).payload_words +
         (type == WordType::kFiber   ? 2 * id
          : type == WordType::kFrame ? kThreadTimeWords * id
          : type == WordType::kMore  ? more_payload_words(id)
                                     : 0);
}

// The strings word: a dynamic name and an object. In REOPEN also what makes the scope's begin exact: the type of its
// word and the high bits of its time.   name:21 | object:21 | type:2 | ticks >> 44 : 20
constexpr uint32_t kStringIdBits = 21;
constexpr uint32_t kMaxStringId = (1u << kStringIdBits) - 1;
constexpr uint64_t make_strings(uint32_t name, uint32_t object) {
  return uint64_t{name} | (uint64_t{object} << kStringIdBits);
}
constexpr uint32_t strings_name(uint64_t strings) {
  return static_cast<uint32_t>(strings) & kMaxStringId;
}
constexpr uint32_t strings_object(uint64_t strings) {
  return static_cast<uint32_t>(strings >> kStringIdBits) & kMaxStringId;
}
constexpr uint64_t make_reopen_strings(uint64_t strings, WordType begin_type, uint64_t begin_ticks) {
  return strings | (uint64_t{static_cast<uint32_t>(begin_type)} << (2 * kStringIdBits)) |
         (begin_ticks >> kTickBits) << kTickBits;
}
// The code is added above bit 44, so the low bits of the word are the time's own.
constexpr uint64_t reopen_ticks(uint64_t word, uint64_t strings) {
  return (strings & ~kTickMask) | (word & kTickMask);
}
// The word that began the scope, which is its id.
constexpr uint64_t reopen_id(uint64_t word, uint64_t strings) {
  const uint64_t ticks = reopen_ticks(word, strings);
  const WordType type = static_cast<WordType>((strings >> (2 * kStringIdBits)) & 3u);
  return ticks + make_code(type, code_id(word_code(word, ticks)));
}
static_assert(2 * kStringIdBits + 2 == kTickBits, "the high bits of the time stand where they belong");
// Scopes of one site that begin inside each other in one tick have one word. So that ids differ, each one's id is this much
// more than that of the one around it; the inlined path does not do so.
constexpr uint64_t kSameWordStep = uint64_t{1} << 37;
static_assert(FLAMELET_MAX_DEPTH * kSameWordStep <= uint64_t{1} << kTickBits, "the code stays what it is");
// The id of the scope at a level; open[0 .. level].id are the words.
template <class Open>
uint64_t id_of_open(const Open* open, uint32_t level) {
  const uint64_t word = open[level].id;
  uint64_t id = word;
  while (level-- != 0 && ((open[level].id ^ word) & kTickMask) == 0)
    if (open[level].id == word) id += kSameWordStep;
  return id;
}
// In START a mark of the interval. Without it, two that begin at one site and tick would have one id: on two threads, or
// on one that is faster than its clock.   name:21 | object:21 | place of the track:8 | number:14
constexpr uint64_t kStringsMask = (uint64_t{1} << (2 * kStringIdBits)) - 1;
constexpr uint64_t make_interval_strings(uint64_t strings, uint32_t slot, uint32_t number) {
  return strings | uint64_t{slot} << (2 * kStringIdBits) | uint64_t{number} << (2 * kStringIdBits + 8);
}
// Without the site: what the mark and the tick make is unique as it is. A word without a mark (of the first place's number
// 0, or written before there were marks) is the id itself, type and all.
constexpr uint64_t interval_id(uint64_t word, uint64_t strings) {
  const uint64_t mark = strings & ~kStringsMask;
  return mark == 0 ? word : mark | (word & kStringsMask);
}
static_assert(FLAMELET_MAX_TRACKS <= 256, "a track's place fits into 8 bits");
// The payload of MoreType::kNamedFrame.   index of the frame that begins : 42 | partial : 1 | name of the set : 21
// Partial: recording was switched while the frame that ends here ran.
constexpr uint32_t kNamedFrameIndexBits = 42;
constexpr uint64_t named_frame_mark(uint32_t name, uint64_t index, bool ends_partial) {
  return (index & ((uint64_t{1} << kNamedFrameIndexBits) - 1)) | uint64_t{ends_partial} << kNamedFrameIndexBits |
         uint64_t{name} << (kNamedFrameIndexBits + 1);
}
static_assert(kNamedFrameIndexBits + 1 + kStringIdBits == 64, "the word is full");
// The id of a flow from who gives a lock back to who gets it: none of the program's own, which are numbers from 0 on, or
// addresses.   1 : 1 | track id : 31 | number : 32
constexpr uint64_t hand_over_id(uint32_t track, uint32_t number) {
  return uint64_t{1} << 63 | uint64_t{track} << 32 | number;
}
// In SPAN what an importer knows of it: FLAMELET_SPAN_* flags, and the depth, which the times of a span of no length do
// not tell. A recorder writes no flag but kSpanCutFlag.   name:21 | object:21 | flags:6 | depth + 1 : 16, 0 = not known
constexpr uint32_t kSpanFlagBits = 6;
constexpr uint32_t kMaxSpanFlags = (1u << kSpanFlagBits) - 1;
constexpr uint32_t kSpanCutFlag = 8;  // FLAMELET_SPAN_CUT
constexpr uint64_t make_span_strings(uint64_t strings, uint32_t flags, uint16_t depth_and_1) {
  return strings | uint64_t{flags & kMaxSpanFlags} << (2 * kStringIdBits) |
         uint64_t{depth_and_1} << (2 * kStringIdBits + kSpanFlagBits);
}
constexpr uint32_t span_flags(uint64_t strings) {
  return static_cast<uint32_t>(strings >> (2 * kStringIdBits)) & kMaxSpanFlags;
}
constexpr uint16_t span_depth_and_1(uint64_t strings) {
  return static_cast<uint16_t>(strings >> (2 * kStringIdBits + kSpanFlagBits));
}
static_assert(2 * kStringIdBits + kSpanFlagBits + 16 == 64, "the word is full");

// What a thread did in the frame that a FRAME ends, as far as the system told.
struct ThreadTime {
  uint32_t thread;  // its track's id
  uint32_t known;   // kTime*
  uint64_t ran_ns, ready_ns;
  uint64_t switches, major_faults, minor_faults;
};
// The numbers of flamelet_thread_time.known.
enum : uint32_t {
  kTimeRan = 1,
  kTimeReady = 2,
  kTimeSwitches = 4,
  kTimeMajorFaults = 8,
  kTimeMinorFaults = 16,
  kTimeAll = 31
};
//   track id : 32 | known : 8 | minor faults : 24        ran ns : 40 | switches : 24        ready ns : 40 | major faults : 24
// A number that does not fit (18 minutes, say) becomes the largest that does.
constexpr uint32_t kTimeNsBits = 40;
constexpr uint64_t fitting(uint64_t number, uint32_t bits) {
  return number >> bits == 0 ? number : (uint64_t{1} << bits) - 1;
}
inline void write_thread_time(const ThreadTime& time, uint64_t* words) {
  constexpr uint32_t kCountBits = 64 - kTimeNsBits;
  words[0] = time.thread | uint64_t{time.known} << 32 | fitting(time.minor_faults, kCountBits) << kTimeNsBits;
  words[1] = fitting(time.ran_ns, kTimeNsBits) | fitting(time.switches, kCountBits) << kTimeNsBits;
  words[2] = fitting(time.ready_ns, kTimeNsBits) | fitting(time.major_faults, kCountBits) << kTimeNsBits;
}
constexpr ThreadTime read_thread_time(const uint64_t* words) {
  constexpr uint64_t kNsMask = (uint64_t{1} << kTimeNsBits) - 1;
  return {static_cast<uint32_t>(words[0]),
          static_cast<uint32_t>(words[0] >> 32) & kTimeAll,
          words[1] & kNsMask,
          words[2] & kNsMask,
          words[1] >> kTimeNsBits,
          words[2] >> kTimeNsBits,
          words[0] >> kTimeNsBits};
}

// One switch of a thread.   thread's track id, or how many are lost : 32 | processor : 16 | what : 16
struct SwitchEvent {
  uint32_t thread;  // 0: one of the program's that has no track. kSwitchLost: how many are known to be lost
  uint16_t processor;
  uint16_t what;
};
// The numbers of SwitchKind (platform/thread_account.h).
enum : uint16_t { kSwitchIn = 0, kSwitchAsleep = 1, kSwitchTakenOff = 2, kSwitchLost = 3, kSwitchKinds = 4 };
constexpr uint64_t write_switch(const SwitchEvent& event) {
  return event.thread | uint64_t{event.processor} << 32 | uint64_t{event.what} << 48;
}
constexpr SwitchEvent read_switch(uint64_t word) {
  return {static_cast<uint32_t>(word), static_cast<uint16_t>(word >> 32), static_cast<uint16_t>(word >> 48)};
}

// Who may touch what, and when, is in page_ring.h. A fiber has no pages of its own but in captures of importers: these
// have no track (0), and the fiber's id.
struct alignas(64) PageHeader {
  uint64_t state;        // as_atomic() in the ring: ticket << 9 | owned << 8 | pins
  uint64_t commit;       // as_atomic() in the ring: ticket << 16 | 0 while open, | words + 1 once closed
  uint64_t base_ticks;   // not later than any event of the page
  uint64_t last_ticks;   // of the closing, once closed
  uint64_t first_event;  // sequence number, on this track, of the page's first event
  uint32_t track;        // the track's id, from 1; 0 = the page is the fiber's own
  uint32_t fiber;        // that ran when the page was taken; 0 = the thread itself
  uint32_t open_count;   // scopes re-opened at the start
  uint32_t name;         // string id of the track's name, once closed: another track may have its slot soon
  uint16_t slot;         // the track's place in the static table: where the reader finds the cursor
  uint16_t kind;         // flamelet_track_kind: the table may have forgotten the track. 0 in pages of older versions
  uint32_t session;      // low bits of the session that wrote it
};

constexpr uint32_t kPageBytes = FLAMELET_PAGE_BYTES;
constexpr uint32_t kPageWords = (kPageBytes - sizeof(PageHeader)) / 8;

struct Page {
  PageHeader header;
  uint64_t words[kPageWords];
};

// The most threads whose times a frame holds: a FRAME has to fit into a page.
constexpr uint32_t kMostThreadTimes = (kPageWords - 1 - kFramePayloadWords) / kThreadTimeWords;

static_assert(sizeof(PageHeader) == 64, "the header is one cache line");
static_assert(sizeof(Page) == kPageBytes, "a page is exactly its size");
static_assert(4 * FLAMELET_MAX_DEPTH + 2 <= kPageWords, "a new page has room for a switch between the deepest fibers");

// One string or site of the intern tables, as the capture copies it.
struct SiteRecord {
  uint32_t name;
  uint32_t category;
  uint32_t file;
  uint32_t function;
  uint32_t line;
  uint32_t color;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_PAGE_H
