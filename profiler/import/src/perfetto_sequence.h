// SPDX-License-Identifier: MIT
//
// perfetto_sequence.h: what the packets of one sequence say by number, and its events with the numbers resolved.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_SEQUENCE_H
#define FLAMELET_IMPORT_SRC_PERFETTO_SEQUENCE_H

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flamelet/capture_builder.h"
#include "importer.h"
#include "perfetto_wire.h"

namespace flamelet::formats::perfetto {

// A debug annotation that means something here.
enum class Word : uint8_t {
  kOther,
  kObject,
  kColor,
  kScope,
  kFlags,
  kCounter,
  kFrame,
  kThread,
  kTimes,
  kCall,
  kBeginTid,
  kEndTid,
  kFlowBegin,
  kFlowEnd
};

struct Place {
  uint32_t file = 0, function = 0, line = 0;
};

struct Sequence {
  bool has_begun = false;  // it had a packet
  bool valid = false;      // it said that it starts anew, and lost nothing since
  bool has_track = false;
  uint64_t track = 0;                                           // of events that name none
  uint32_t clock = 0;                                           // of stamps that name none
  uint64_t run = 0;                                             // a number of its own each time that it starts anew
  std::vector<uint64_t> extra_counters, extra_double_counters;  // tracks of values beside events that name none
  // Older writers give no stamps: the time of their thread counts from here.
  bool has_reference = false;
  uint64_t reference_us = 0;
  Clocks::Map clocks;
  std::unordered_map<uint64_t, uint32_t> categories, names;  // strings of the builder
  std::unordered_map<uint64_t, Place> places;
  struct Named {
    Word word = Word::kOther;
    std::string name;
  };
  std::unordered_map<uint64_t, Named> words;  // names of annotations
  struct Text {
    std::string text;
    uint32_t string = 0;  // of the builder, once it was needed there
  };
  std::unordered_map<uint64_t, Text> texts;  // values of annotations
};

// The older form of an event.
struct Legacy {
  int32_t phase = 0;  // a letter, as in Chrome's JSON
  bool has_id = false, is_local = false, has_duration = false;
  int64_t duration_us = 0, pid = 0, tid = 0;
  uint64_t id = 0, scope = 0;  // scope: a hash of its text
};

// All strings are the builder's; 0: none.
struct Event {
  uint32_t type = 0;
  bool has_track = false, has_value = false, has_own_name = false;
  bool is_whole = false;     // a slice with its duration
  bool ends_named = false;   // an end: of the innermost slice of its name
  bool ends_inside = false;  // and of those inside that have no end of their own
  uint64_t duration_ns = 0;
  uint64_t track = 0;
  uint32_t name = 0, category = 0, object = 0;
  Place place;
  double value = 0;
  std::vector<uint64_t> flows, terminating_flows;
  uint32_t args_left_out = 0;  // annotations for which there is no place
  // A flow whose begins and ends are told apart: Flamelet's own, and Chrome's older ones.
  uint64_t flow = 0;
  bool is_flow = false, begins_flow = false, ends_flow = false;  // is_flow: it is nothing else
  // Flamelet's own words.
  uint32_t own_name = 0, color = 0, flags = 0;
  uint64_t frame = 0, thread = 0, begin_tid = 0, end_tid = 0, call = 0;
  std::string_view times;  // in the packet
};

// What an event says besides.
struct EventParts {
  bool has_delta = false, has_absolute = false, has_legacy = false;
  int64_t delta_us = 0, absolute_us = 0;
  Legacy legacy;
  std::vector<std::pair<uint64_t, double>> counters;   // tracks and values
  std::vector<std::pair<std::string, double>> series;  // the numbers of a counter in the older form, and their names
};

class SequenceReader {
 public:
  SequenceReader(flamelet_capture_builder* builder, ArgumentTexts* arguments)
      : builder_(builder), arguments_(*arguments) {}

  // Debug annotations with names like Flamelet's are read only if Flamelet wrote the trace.
  void set_own_words(bool own) { own_words_ = own; }

  void clear(Sequence* sequence);
  void read_defaults(protozero::data_view bytes, Sequence* sequence);
  void read_interned(protozero::data_view bytes, Sequence* sequence);
  void read_event(protozero::data_view bytes, Sequence* sequence, Event* event, EventParts* parts);

  // Texts that the builder would cut end in a hash: two of them are still two.
  uint32_t string(protozero::data_view text);
  uint64_t dropped() const { return dropped_; }  // interned texts and extra counters beyond what is kept
  uint64_t unknown() const { return unknown_; }  // numbers of interned texts and places that were not told

 private:
  // Kept at one time, of all sequences.
  static constexpr size_t kMaxEntries = size_t{1} << 20;
  static constexpr size_t kMaxTextBytes = size_t{64} << 20;
  static constexpr size_t kMaxExtraCounters = 64;  // beside one event, and series of one

  bool take(size_t bytes);
  template <class Number>
  void add_varints(protozero::pbf_reader& reader, std::vector<Number>* to);
  void add_doubles(protozero::pbf_reader& reader, std::vector<double>* to);
  template <class Number>
  void add(Number value, std::vector<Number>* to);
  void read_default_event(protozero::data_view bytes, Sequence* sequence);
  Legacy read_legacy(protozero::data_view bytes, Sequence* sequence, Event* event);
  void read_entry(uint32_t field, protozero::data_view bytes, Sequence* sequence);
  Place read_place(protozero::data_view bytes, uint64_t* id);
  void read_annotation(protozero::data_view bytes, Sequence* sequence, Event* event, protozero::data_view* first_text);
  void read_series(protozero::data_view bytes, const Sequence& sequence, EventParts* parts);
  void read_number(protozero::data_view bytes, const Sequence& sequence, EventParts* parts);
  void apply(Word word, std::string_view text, Event* event);

  flamelet_capture_builder* const builder_;
  ArgumentTexts& arguments_;
  bool own_words_ = false;
  size_t entries_ = 0, text_bytes_ = 0;
  uint64_t runs_ = 0;
  // The values beside the event in hand, and their tracks.
  std::vector<uint64_t> extra_tracks_, extra_double_tracks_;
  std::vector<double> extra_values_, extra_double_values_;
  uint64_t dropped_ = 0, unknown_ = 0;
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_SEQUENCE_H
