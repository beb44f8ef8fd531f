// SPDX-License-Identifier: MIT
#include "perfetto_sequence.h"

#include <charconv>
#include <cstring>
#include <limits>

#include "flamelet/detail/hash.h"

namespace flamelet::formats::perfetto {

using protozero::data_view;
using protozero::pbf_reader;

namespace {

Word word_of(std::string_view name) {
  static constexpr struct {
    const char* name;
    Word word;
  } kWords[] = {{annotation_name::kObject, Word::kObject},   {annotation_name::kColor, Word::kColor},
                {annotation_name::kScope, Word::kScope},     {annotation_name::kFlags, Word::kFlags},
                {annotation_name::kCounter, Word::kCounter}, {annotation_name::kFrame, Word::kFrame},
                {annotation_name::kThread, Word::kThread},   {annotation_name::kTimes, Word::kTimes},
                {annotation_name::kCall, Word::kCall},       {annotation_name::kBeginTid, Word::kBeginTid},
                {annotation_name::kEndTid, Word::kEndTid},   {annotation_name::kFlowBegin, Word::kFlowBegin},
                {annotation_name::kFlowEnd, Word::kFlowEnd}};
  for (const auto& known : kWords)
    if (name == known.name) return known.word;
  return Word::kOther;
}

// Spans and frames have no word in common.
uint32_t flags_of(std::string_view words) {
  uint32_t bits = 0;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(','));
    for (const Flag& flag : kSpanFlags) bits |= word == flag.word ? flag.bit : 0;
    for (const Flag& flag : kFrameFlags) bits |= word == flag.word ? flag.bit : 0;
    words.remove_prefix(std::min(words.size(), word.size() + 2));  // ", "
  }
  return bits;
}

}  // namespace

uint32_t SequenceReader::string(data_view text) {
  const bool has_zero = !own_words_ && view(text).find('\0') != std::string_view::npos;
  return formats::string(builder_, has_zero ? std::string_view(without_zeros(view(text))) : view(text));
}

template <class Number>
void SequenceReader::add_varints(pbf_reader& reader, std::vector<Number>* to) {
  each_varint(reader, [&](int64_t value) { add(static_cast<Number>(value), to); });
}

void SequenceReader::add_doubles(pbf_reader& reader, std::vector<double>* to) {
  each_fixed64(reader, [&](uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    add(value, to);
  });
}

template <class Number>
void SequenceReader::add(Number value, std::vector<Number>* to) {
  if (to->size() < kMaxExtraCounters)
    to->push_back(value);
  else
    ++dropped_;
}

bool SequenceReader::take(size_t bytes) {
  if (entries_ >= kMaxEntries || bytes > kMaxTextBytes - text_bytes_) {
    ++dropped_;
    return false;
  }
  ++entries_;
  text_bytes_ += bytes;
  return true;
}

void SequenceReader::clear(Sequence* sequence) {
  entries_ -= sequence->categories.size() + sequence->names.size() + sequence->places.size() + sequence->words.size() +
              sequence->texts.size();
  for (const auto& [id, text] : sequence->texts) text_bytes_ -= text.text.size();
  for (const auto& [id, named] : sequence->words) text_bytes_ -= named.name.size();
  Clocks::Map clocks = std::move(sequence->clocks);  // those go on
  *sequence = {};
  sequence->clocks = std::move(clocks);
  sequence->run = ++runs_;
  sequence->has_begun = sequence->valid = true;
}

void SequenceReader::read_defaults(data_view bytes, Sequence* sequence) {
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(defaults::kTimestampClock):
        sequence->clock = get_uint32(reader);
        break;
      case length(defaults::kTrackEvent):
        read_default_event(reader.get_view(), sequence);
        break;
      default:
        reader.skip();
    }
  }
}

void SequenceReader::read_default_event(data_view bytes, Sequence* sequence) {
  sequence->extra_counters.clear();
  sequence->extra_double_counters.clear();
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(event::kTrackUuid):
        sequence->track = reader.get_uint64();
        sequence->has_track = true;
        break;
      case varint(event::kExtraCounterTracks):
      case length(event::kExtraCounterTracks):
        add_varints(reader, &sequence->extra_counters);
        break;
      case varint(event::kExtraDoubleCounterTracks):
      case length(event::kExtraDoubleCounterTracks):
        add_varints(reader, &sequence->extra_double_counters);
        break;
      default:
        reader.skip();
    }
  }
}

void SequenceReader::read_interned(data_view bytes, Sequence* sequence) {
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case length(interned::kCategory):
      case length(interned::kEventName):
      case length(interned::kAnnotationName):
      case length(interned::kSourceLocation):
      case length(interned::kAnnotationString): {
        const uint32_t field = reader.tag();
        read_entry(field, reader.get_view(), sequence);
        break;
      }
      default:
        reader.skip();
    }
  }
}

// The first meaning of a number stays.
void SequenceReader::read_entry(uint32_t field, data_view bytes, Sequence* sequence) {
  uint64_t id = 0;
  if (field == interned::kSourceLocation) {
    const Place place = read_place(bytes, &id);
    if (sequence->places.count(id) == 0 && take(0)) sequence->places.emplace(id, place);
    return;
  }
  data_view text("", 0);
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(interned::kId):
        id = reader.get_uint64();
        break;
      case length(interned::kText):
        text = reader.get_view();
        break;
      default:
        reader.skip();
    }
  }
  if (field == interned::kCategory) {
    if (sequence->categories.count(id) == 0 && take(0)) sequence->categories.emplace(id, string(text));
  } else if (field == interned::kEventName) {
    if (sequence->names.count(id) == 0 && take(0)) sequence->names.emplace(id, string(text));
  } else if (field == interned::kAnnotationName) {
    if (sequence->words.count(id) == 0 && take(text.size()))
      sequence->words.emplace(id, Sequence::Named{word_of(view(text)), std::string(view(text))});
  } else if (sequence->texts.count(id) == 0 && take(text.size())) {
    sequence->texts.emplace(id, Sequence::Text{std::string(view(text)), 0});
  }
}

Place SequenceReader::read_place(data_view bytes, uint64_t* id) {
  Place place;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(source_location::kId):
        *id = reader.get_uint64();
        break;
      case length(source_location::kFile):
        place.file = string(reader.get_view());
        break;
      case length(source_location::kFunction):
        place.function = string(reader.get_view());
        break;
      case varint(source_location::kLine):
        place.line = get_uint32(reader);
        break;
      default:
        reader.skip();
    }
  }
  return place;
}

void SequenceReader::read_event(data_view bytes, Sequence* sequence, Event* event, EventParts* parts) {
  const auto find = [this](const auto& table, uint64_t id) {
    const auto at = table.find(id);
    unknown_ += at == table.end();
    return at == table.end() ? decltype(at->second){} : at->second;
  };
  event->flows.clear();
  event->terminating_flows.clear();
  Event made;
  made.flows.swap(event->flows);  // their memory
  made.terminating_flows.swap(event->terminating_flows);
  parts->has_delta = parts->has_absolute = parts->has_legacy = false;
  parts->counters.clear();
  parts->series.clear();
  extra_tracks_.clear();
  extra_double_tracks_.clear();
  extra_values_.clear();
  extra_double_values_.clear();
  data_view first_text("", 0);
  Place posted_from;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(event::kTimestampDeltaUs):
        parts->delta_us = reader.get_int64();
        parts->has_delta = true;
        break;
      case varint(event::kTimestampAbsoluteUs):
        parts->absolute_us = reader.get_int64();
        parts->has_absolute = true;
        break;
      case varint(event::kCategoryId):
      case length(event::kCategoryId):
        each_varint(reader, [&](int64_t id) {
          const uint32_t category = find(sequence->categories, static_cast<uint64_t>(id));
          if (made.category == 0) made.category = category;
        });
        break;
      case length(event::kCategory): {
        const data_view category = reader.get_view();
        if (made.category == 0) made.category = string(category);
        break;
      }
      case length(event::kAnnotation):
        read_annotation(reader.get_view(), sequence, &made, &first_text);
        break;
      case length(event::kLegacy):
        parts->legacy = read_legacy(reader.get_view(), sequence, &made);
        parts->has_legacy = true;
        break;
      case varint(event::kType):
        made.type = get_uint32(reader);
        break;
      case varint(event::kNameId):
        made.name = find(sequence->names, reader.get_uint64());
        break;
      case length(event::kName):
        made.name = string(reader.get_view());
        break;
      case varint(event::kTrackUuid):
        made.track = reader.get_uint64();
        made.has_track = true;
        break;
      case varint(event::kCounterValue):
        made.value = static_cast<double>(reader.get_int64());
        made.has_value = true;
        break;
      case fixed64(event::kDoubleCounterValue):
        made.value = reader.get_double();
        made.has_value = true;
        break;
      case length(event::kSourceLocation): {
        uint64_t id = 0;
        made.place = read_place(reader.get_view(), &id);
        break;
      }
      case varint(event::kSourceLocationId):
        made.place = find(sequence->places, reader.get_uint64());
        break;
      case length(event::kTaskExecution):
        for (pbf_reader task(reader.get_view()); task.next();) {
          if (task.tag_and_type() == varint(task_execution::kPostedFromId))
            posted_from = find(sequence->places, task.get_uint64());
          else
            task.skip();
        }
        break;
      case fixed64(event::kFlowId):
      case length(event::kFlowId):
        push_fixed64s(reader, &made.flows);
        break;
      case fixed64(event::kTerminatingFlowId):
      case length(event::kTerminatingFlowId):
        push_fixed64s(reader, &made.terminating_flows);
        break;
      case varint(event::kOldFlowId):
      case length(event::kOldFlowId):
        push_varints(reader, &made.flows);
        break;
      case varint(event::kOldTerminatingFlowId):
      case length(event::kOldTerminatingFlowId):
        push_varints(reader, &made.terminating_flows);
        break;
      case varint(event::kExtraCounterTracks):
      case length(event::kExtraCounterTracks):
        add_varints(reader, &extra_tracks_);
        break;
      case varint(event::kExtraDoubleCounterTracks):
      case length(event::kExtraDoubleCounterTracks):
        add_varints(reader, &extra_double_tracks_);
        break;
      case varint(event::kExtraCounterValues):
      case length(event::kExtraCounterValues):
        add_varints(reader, &extra_values_);
        break;
      case fixed64(event::kExtraDoubleCounterValues):
      case length(event::kExtraDoubleCounterValues):
        add_doubles(reader, &extra_double_values_);
        break;
      default:
        reader.skip();
    }
  }
  if (made.place.file == 0 && posted_from.file != 0) made.place = posted_from;
  const bool is_old_counter = made.type == 0 && parts->has_legacy && parts->legacy.phase == 'C' && !own_words_;
  if (is_old_counter) {
    read_series(bytes, *sequence, parts);
    made.args_left_out -= static_cast<uint32_t>(parts->series.size());
  }
  // Without an annotation "object" the first text is the object.
  if (made.object == 0 && first_text.size() != 0 && made.type != event::kCounter && !is_old_counter) {
    made.object = arguments_.string(view(first_text));
    made.args_left_out -= made.object != 0;
  }
  if (!made.has_track && sequence->has_track) {
    made.track = sequence->track;
    made.has_track = true;
  }
  const auto add_counters = [&](const std::vector<uint64_t>& tracks, const std::vector<double>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (i < tracks.size())
        parts->counters.emplace_back(tracks[i], values[i]);
      else
        ++made.args_left_out;  // it is no track's
    }
  };
  add_counters(extra_tracks_.empty() ? sequence->extra_counters : extra_tracks_, extra_values_);
  add_counters(extra_double_tracks_.empty() ? sequence->extra_double_counters : extra_double_tracks_,
               extra_double_values_);
  *event = std::move(made);
}

Legacy SequenceReader::read_legacy(data_view bytes, Sequence* sequence, Event* event) {
  Legacy legacy;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(legacy::kNameId): {
        const auto name = sequence->names.find(reader.get_uint64());
        unknown_ += name == sequence->names.end();
        if (name != sequence->names.end() && event->name == 0) event->name = name->second;
        break;
      }
      case varint(legacy::kPhase):
        legacy.phase = reader.get_int32();
        break;
      case varint(legacy::kDurationUs):
        legacy.duration_us = reader.get_int64();
        legacy.has_duration = true;
        break;
      case varint(legacy::kLocalId):
      case varint(legacy::kUnscopedId):
      case varint(legacy::kGlobalId):
        legacy.is_local = reader.tag() == legacy::kLocalId;
        legacy.has_id = true;
        legacy.id = reader.get_uint64();
        break;
      case length(legacy::kIdScope): {
        const data_view scope = reader.get_view();
        legacy.scope = fnv_of_text(scope.data(), scope.size());
        break;
      }
      case varint(legacy::kBindId):
        event->flow = reader.get_uint64();
        break;
      case varint(legacy::kFlowDirection): {
        const uint64_t direction = reader.get_uint64();
        event->begins_flow = (direction & legacy::kFlowOut) != 0;
        event->ends_flow = (direction & legacy::kFlowIn) != 0;
        break;
      }
      case varint(legacy::kPid):
        legacy.pid = reader.get_int64();
        break;
      case varint(legacy::kTid):
        legacy.tid = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
  return legacy;
}

// The numbers among the annotations.
void SequenceReader::read_series(data_view bytes, const Sequence& sequence, EventParts* parts) {
  for (pbf_reader reader(bytes); reader.next();) {
    if (reader.tag_and_type() == length(event::kAnnotation))
      read_number(reader.get_view(), sequence, parts);
    else
      reader.skip();
  }
}

void SequenceReader::read_number(data_view bytes, const Sequence& sequence, EventParts* parts) {
  data_view name("", 0);
  double number = 0;
  bool has_number = false;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(annotation::kNameId): {
        const auto at = sequence.words.find(reader.get_uint64());
        if (at != sequence.words.end()) name = data_view(at->second.name);
        break;
      }
      case length(annotation::kName):
        name = reader.get_view();
        break;
      case varint(annotation::kUint):
        number = static_cast<double>(reader.get_uint64());
        has_number = true;
        break;
      case varint(annotation::kInt):
        number = static_cast<double>(reader.get_int64());
        has_number = true;
        break;
      case fixed64(annotation::kDouble):
        number = reader.get_double();
        has_number = true;
        break;
      default:
        reader.skip();
    }
  }
  if (has_number && parts->series.size() < kMaxExtraCounters) parts->series.emplace_back(view(name), number);
}

void SequenceReader::read_annotation(data_view bytes, Sequence* sequence, Event* event, data_view* first_text) {
  Word word = Word::kOther;
  Sequence::Text* interned = nullptr;
  data_view text("", 0);
  uint64_t number = 0;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(annotation::kNameId): {
        const auto at = sequence->words.find(reader.get_uint64());
        unknown_ += at == sequence->words.end();
        if (at != sequence->words.end()) word = at->second.word;
        break;
      }
      case length(annotation::kName):
        word = word_of(view(reader.get_view()));
        break;
      case varint(annotation::kUint):
        number = reader.get_uint64();
        break;
      case length(annotation::kString):
        text = reader.get_view();
        break;
      case varint(annotation::kStringId): {
        const auto at = sequence->texts.find(reader.get_uint64());
        unknown_ += at == sequence->texts.end();
        if (at != sequence->texts.end()) interned = &at->second;
        break;
      }
      default:
        reader.skip();
    }
  }
  if (interned != nullptr) text = data_view(interned->text);
  const auto string_id = [&] {
    if (interned == nullptr) return string(text);
    if (interned->string == 0) interned->string = string(text);
    return interned->string;
  };
  if (word == Word::kObject && (own_words_ || text.size() != 0)) {
    event->object = string_id();
    return;
  }
  if (!own_words_) {
    ++event->args_left_out;
    if (first_text->size() == 0) *first_text = text;
    return;
  }
  switch (word) {
    case Word::kOther:
      break;
    case Word::kScope:
      event->own_name = string_id();
      event->has_own_name = true;
      break;
    case Word::kFrame:
      event->frame = number;
      break;
    case Word::kThread:
      event->thread = number;
      break;
    case Word::kTimes:
      event->times = view(text);
      break;
    case Word::kCall:
      event->call = number;
      break;
    case Word::kBeginTid:
      event->begin_tid = number;
      break;
    case Word::kEndTid:
      event->end_tid = number;
      break;
    case Word::kFlowBegin:
    case Word::kFlowEnd:
      event->flow = number;
      event->is_flow = true;
      (word == Word::kFlowEnd ? event->ends_flow : event->begins_flow) = true;
      break;
    default:
      apply(word, view(text), event);
  }
}

void SequenceReader::apply(Word word, std::string_view text, Event* event) {
  if (word == Word::kFlags) {
    event->flags = flags_of(text);
  } else if (word == Word::kColor) {
    if (text.size() == 7 && text[0] == '#') std::from_chars(text.data() + 1, text.data() + 7, event->color, 16);
  } else if (word == Word::kCounter && event->type == event::kInstant) {
    event->type = event::kCounter;
    event->has_value = true;
    event->value = text == "nan"   ? std::numeric_limits<double>::quiet_NaN()
                   : text == "inf" ? std::numeric_limits<double>::infinity()
                                   : -std::numeric_limits<double>::infinity();
  }
}

}  // namespace flamelet::formats::perfetto
