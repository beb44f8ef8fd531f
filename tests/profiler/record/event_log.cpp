// SPDX-License-Identifier: MIT
#include "profiler/record/event_log.h"

#include <cstring>
#include <sstream>

#include "record/session.h"

using flamelet::PagePart;
using flamelet::WordType;

namespace recorder_test {
namespace {

constexpr uint64_t kLow44 = (uint64_t{1} << 44) - 1;

// Above the time: 16 bits of id, 4 of type.
struct Code {
  WordType type;
  uint32_t id;
};
Code code_of(uint64_t word, uint64_t ticks) {
  const uint64_t code = (word - ticks) >> 44;
  return {static_cast<WordType>(code >> 16), static_cast<uint32_t>(code & 0xFFFF)};
}

// The time is the first one from 2^42 ticks before the page's base on that has the word's low 44 bits: what is added
// above them changes no bit below.
uint64_t ticks_of(uint64_t word, uint64_t base_ticks) {
  const uint64_t first = base_ticks - (uint64_t{1} << 42);
  uint64_t ticks = (first & ~kLow44) | (word & kLow44);
  if (ticks < first) ticks += kLow44 + 1;
  return ticks;
}

uint32_t payload_words(WordType type) {
  switch (type) {
    case WordType::kBeginWith:
    case WordType::kInstant:
    case WordType::kCounter:
    case WordType::kFiber:
    case WordType::kStart:
    case WordType::kFinish:
      return 1;
    case WordType::kSpan:
      return 4;
    case WordType::kPoint:
    case WordType::kFrame:
      return 2;
    default:
      return 0;
  }
}

uint32_t name_of(uint64_t strings) {
  return static_cast<uint32_t>(strings & 0x1FFFFF);
}
uint32_t object_of(uint64_t strings) {
  return static_cast<uint32_t>((strings >> 21) & 0x1FFFFF);
}

bool same(const OpenScope& a, const OpenScope& b) {
  return a.id == b.id && a.ticks == b.ticks && a.site == b.site && a.name == b.name && a.object == b.object;
}

}  // namespace

std::string string_text(uint32_t id) {
  flamelet_string text;
  return flamelet::get_string(id, &text) ? std::string(text.text, text.size) : "?";
}

FoundTrack find_track(uint32_t id, bool fiber) {
  FoundTrack found;
  if (!flamelet::hold_session()) return found;
  for (uint32_t slot = 0; slot < flamelet::track_slots(); ++slot) {
    flamelet::TrackRecord record;
    if (!flamelet::get_track(slot, &record) || record.id != id || (record.fiber != 0) != fiber) continue;
    CHECK_FALSE(found.found);
    found = {true, record, string_text(record.name)};
  }
  flamelet::release_session();
  return found;
}

std::string site_name(uint32_t site) {
  flamelet::SiteRecord record;
  return flamelet::get_site(site, &record) ? string_text(record.name) : "?";
}

// ---- EventReader -------------------------------------------------------------------------------------------------

EventReader::EventReader() : reader_(new flamelet::RingReader()) {}

bool EventReader::read() {
  do {
    if (!poll()) return false;
  } while (any_);
  return true;
}

bool EventReader::poll() {
  any_ = false;
  return reader_->poll(on_part, this);
}

const TrackState& EventReader::track(uint32_t id) const {
  static const TrackState kNone;
  const auto found = tracks_.find(id);
  return found == tracks_.end() ? kNone : found->second;
}

uint64_t EventReader::total_read() const {
  uint64_t sum = 0;
  for (const auto& track : tracks_) sum += track.second.read;
  return sum;
}

uint64_t EventReader::total_lost() const {
  uint64_t sum = 0;
  for (const auto& track : tracks_) sum += track.second.lost;
  return sum;
}

void EventReader::fail(const TrackState& track, const std::string& what) {
  std::ostringstream text;
  text << "track " << track.id << ", ticket " << track.ticket << ", word " << track.words << ", event "
       << track.next_index() << ": " << what;
  problems_.push_back(text.str());
}

void EventReader::on_part(void* self, const PagePart& part) {
  static_cast<EventReader*>(self)->take(part);
}

void EventReader::take(const PagePart& part) {
  if (part.count > part.first || part.closed) any_ = true;
  const uint32_t session = flamelet::recorder.session.load_relaxed();
  if (session_ != session) {
    session_ = session;
    tracks_.clear();
    on_session();
  }
  TrackState& track = tracks_[part.header->track];
  track.id = part.header->track;
  if (part.first == 0) begin_page(&track, part);
  if (part.ticket != track.ticket) return fail(track, "a part of a page that is not the newest");
  if (part.first != 0 && part.first != track.words) return fail(track, "a part does not continue the one before");
  if (track.closed) return fail(track, "more of a closed page");
  if (part.header->session != session_) return fail(track, "a page of another session");
  if (part.count > 504) return fail(track, "more words than a page has");
  while (track.words < part.count) {
    const uint32_t size = take_event(&track, part, track.words);
    if (size == 0) return;
    track.words += size;
  }
  track.closed = part.closed;
}

void EventReader::begin_page(TrackState* track, const PagePart& part) {
  const flamelet::PageHeader& header = *part.header;
  if (part.ticket <= track->ticket) fail(*track, "pages are not in their order");
  track->ticket = part.ticket;
  track->words = 0;
  track->closed = false;
  track->slot = header.slot;
  if (header.first_event < track->next_index()) fail(*track, "events come twice");
  const uint64_t gap = header.first_event - track->next_index();
  const std::vector<OpenScope> open = open_block(*track, part, 0, header.open_count);
  for (const OpenScope& scope : open)
    if (scope.ticks > header.base_ticks + (uint64_t{1} << 20))
      fail(*track, "a re-opened scope is younger than its page");
  if (gap == 0) {
    bool matches = open.size() == track->open.size() && header.fiber == track->fiber;
    for (size_t i = 0; matches && i < open.size(); ++i) matches = same(open[i], track->open[i]);
    if (!matches) fail(*track, "a page re-opens other scopes than were open");
  } else {
    track->lost += gap;
    on_gap(*track, gap);
  }
  track->open = open;
  track->fiber = header.fiber;
  track->words = 2 * header.open_count;
}

std::vector<OpenScope> EventReader::open_block(const TrackState& track, const PagePart& part, uint32_t at,
                                               uint32_t count) {
  std::vector<OpenScope> open;
  if (at + 2 * count > part.count) {
    fail(track, "a re-open block is not whole");
    return open;
  }
  for (uint32_t i = 0; i < count; ++i, at += 2) {
    const uint64_t word = part.words[at], strings = part.words[at + 1];
    OpenScope scope;
    scope.id = word;
    scope.ticks = (strings & ~kLow44) | (word & kLow44);
    const Code code = code_of(word, scope.ticks);
    scope.site = code.id;
    scope.name = name_of(strings);
    scope.object = object_of(strings);
    if (code.type != WordType::kBegin && code.type != WordType::kBeginWith && code.type != WordType::kNext)
      fail(track, "a re-open pair is not the word that began a scope");
    open.push_back(scope);
  }
  return open;
}

uint32_t EventReader::take_event(TrackState* track, const PagePart& part, uint32_t at) {
  RawEvent event;
  event.word = part.words[at];
  event.ticks = ticks_of(event.word, part.header->base_ticks);
  const Code code = code_of(event.word, event.ticks);
  event.type = code.type;
  event.id = code.id;
  event.index = track->next_index();
  event.payload = part.words + at + 1;
  uint32_t size = 1 + payload_words(event.type);
  if (event.type == WordType::kFiber) size += 2 * event.id;
  if (event.type == WordType::kMore) size += event.id & 0xFF;
  if (event.type == WordType::kFrame) size += 3 * event.id;  // threads
  if (at + size > part.count) {
    fail(*track, "an event is not whole");
    return 0;
  }
  std::vector<OpenScope>& open = track->open;
  switch (event.type) {
    case WordType::kNext:
    case WordType::kEnd:
      if (open.empty()) {
        fail(*track, "an end of nothing");
        return 0;
      }
      open.pop_back();
      if (event.type == WordType::kNext) open.push_back({event.word, event.ticks, event.id, 0, 0});
      break;
    case WordType::kBegin:
      open.push_back({event.word, event.ticks, event.id, 0, 0});
      break;
    case WordType::kBeginWith:
      open.push_back({event.word, event.ticks, event.id, name_of(event.payload[0]), object_of(event.payload[0])});
      break;
    case WordType::kEndTo:
      if ((event.id & ~flamelet::kEndToMissing) >= open.size()) {
        fail(*track, "an end of a scope that is not open");
        return 0;
      }
      // The log tells how many scopes it closed, so it comes before they are forgotten.
      break;
    case WordType::kFiber:
      if (static_cast<uint32_t>(event.payload[0]) != track->fiber) fail(*track, "a switch from another fiber");
      track->fiber = static_cast<uint32_t>(event.payload[0] >> 32);
      open.clear();
      open = open_block(*track, part, at + 2, event.id);
      break;
    case WordType::kInstant:
    case WordType::kCounter:
    case WordType::kFrame:
    case WordType::kStart:
    case WordType::kFinish:
    case WordType::kSpan:
    case WordType::kPoint:
    case WordType::kMore:
      break;
    default:
      fail(*track, "not the type of an event");
      return 0;
  }
  if (open.size() > FLAMELET_MAX_DEPTH) fail(*track, "too deep");
  if (event.ticks < track->ticks) ++track->backwards;
  track->ticks = event.ticks;
  on_event(*track, event);
  if (event.type == WordType::kEndTo) open.resize(event.id & ~flamelet::kEndToMissing);
  ++track->read;
  return size;
}

// ---- EventLog ----------------------------------------------------------------------------------------------------

namespace {

std::string with_object(const std::string& name, uint32_t object) {
  return object == 0 ? name : name + "{" + string_text(object) + "}";
}

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string scope_name(const OpenScope& scope) {
  return with_object(scope.name != 0 ? string_text(scope.name) : site_name(scope.site), scope.object);
}

}  // namespace

void EventLog::on_event(const TrackState& track, const RawEvent& event) {
  std::string text;
  const uint64_t* payload = event.payload;
  switch (event.type) {
    case WordType::kBegin:
    case WordType::kBeginWith:
      text = "+" + scope_name(track.open.back());
      break;
    case WordType::kNext:
      text = "~" + scope_name(track.open.back());
      break;
    case WordType::kEnd:
      text = "-";
      break;
    case WordType::kEndTo:
      text = "-" + std::to_string(track.open.size() - (event.id & ~flamelet::kEndToMissing));
      break;
    case WordType::kInstant:
      text = "!" + with_object(site_name(event.id), object_of(payload[0]));
      break;
    case WordType::kCounter: {
      double value;
      std::memcpy(&value, payload, sizeof(value));
      text = site_name(event.id) + "=" + number(value);
      break;
    }
    case WordType::kFrame:
      text = "#" + std::to_string(payload[0] & ~(uint64_t{1} << 63)) + (payload[0] >> 63 != 0 ? "*" : "");
      break;
    case WordType::kFiber: {
      std::string names;
      for (const OpenScope& scope : track.open) names += (names.empty() ? "" : ",") + scope_name(scope);
      text = "@" + std::to_string(static_cast<uint32_t>(payload[0])) + ">" + std::to_string(payload[0] >> 32) + "(" +
             names + ")";
      break;
    }
    case WordType::kStart:
      started_[flamelet::interval_id(event.word, payload[0])] = site_name(event.id);
      text = ">" + with_object(site_name(event.id), object_of(payload[0]));
      break;
    case WordType::kFinish:
      text = "<" + (started_.count(payload[0]) != 0 ? started_[payload[0]] : "?");
      break;
    case WordType::kSpan:
      text = with_object(site_name(event.id), object_of(payload[3])) + "[" + std::to_string(payload[0]) + ".." +
             std::to_string(payload[1]) + "]";
      break;
    case WordType::kMore:
      text = "x" + std::to_string(static_cast<uint32_t>(payload[0])) + "(" + std::to_string(payload[0] >> 32) + ")";
      break;
    case WordType::kPoint:
      text = with_object(site_name(event.id), object_of(payload[1])) + "[" + std::to_string(payload[0]) + "]";
      break;
    default:
      text = "?";
      break;
  }
  events_[track.id].push_back({event.index, event.ticks, text});
}

void EventLog::on_gap(const TrackState& track, uint64_t) {
  events_[track.id].push_back({track.next_index(), 0, "..."});
}

void EventLog::on_session() {
  events_.clear();
  started_.clear();
}

std::string EventLog::text(uint32_t track) const {
  std::string all;
  for (const LoggedEvent& event : events(track)) all += (all.empty() ? "" : " ") + event.text;
  return all;
}

const std::vector<LoggedEvent>& EventLog::events(uint32_t track) const {
  static const std::vector<LoggedEvent> kNone;
  const auto found = events_.find(track);
  return found == events_.end() ? kNone : found->second;
}

std::string own_events(EventLog* log) {
  const uint32_t track = flamelet_thread_id();
  log->read();
  return log->problem().empty() ? log->text(track) : log->problem();
}

}  // namespace recorder_test
