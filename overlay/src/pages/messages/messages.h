// SPDX-License-Identifier: MIT
//
// messages.h: the instants of a capture as a list, by time. When it is full, the oldest are left out, and counted.
#ifndef FLAMELET_OVERLAY_SRC_MESSAGES_H
#define FLAMELET_OVERLAY_SRC_MESSAGES_H

#include "draw/scope_styles.h"

namespace flamelet::ui {

struct Message {
  int64_t time_ns;
  uint32_t site, name, object;  // of the instant
  uint32_t lane_id;
  flamelet_lane_kind lane_kind;

  bool operator==(const Message& other) const {
    return time_ns == other.time_ns && site == other.site && name == other.name && object == other.object &&
           lane_id == other.lane_id && lane_kind == other.lane_kind;
  }
};

class Messages {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  void carve(Carver* carver, uint32_t max_messages);
  void clear();

  // Replaces all from `begin_ns` on: first this, then each message in any order, then end_replacing().
  void begin_replacing(int64_t begin_ns);
  void add(const Message& message);
  void end_replacing();

  uint32_t count() const { return messages_.count; }
  const Message& operator[](uint32_t i) const { return messages_[i]; }
  uint64_t left_out() const { return left_out_; }  // older than the first one

  // The rows are the messages whose name or text matches; all of them without a filter. Looks only at what is new since
  // the call before, unless `anew`: the filter has changed.
  void update_rows(const flamelet_capture* capture, ScopeStyles* styles, std::string_view filter, bool anew);
  uint32_t row_count() const { return rows_.count; }
  const Message& row(uint32_t i) const { return messages_[rows_[i]]; }
  // The first row that is not before this time; row_count() if there is none.
  uint32_t row_at(int64_t time_ns) const;
  // The row of this message; kNone if it is not there.
  uint32_t find_row(const Message& message) const;

 private:
  Array<Message> messages_;
  Array<uint32_t> rows_;        // positions in messages_
  uint32_t replaced_from_ = 0;  // while messages are replaced
  uint32_t rows_until_ = 0;     // messages before this have been looked at
  uint64_t left_out_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_MESSAGES_H
