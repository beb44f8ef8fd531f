// SPDX-License-Identifier: MIT
//
// perfetto_wire.h: a field and its wire type, to switch over: a field of another type than it should have is then one
// that is not known, and never read as what it is not.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_WIRE_H
#define FLAMELET_IMPORT_SRC_PERFETTO_WIRE_H

#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <protozero/data_view.hpp>
#include <protozero/pbf_reader.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "perfetto_fields.h"

namespace flamelet::formats::perfetto {

constexpr uint32_t varint(uint32_t field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::varint);
}
constexpr uint32_t length(uint32_t field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::length_delimited);
}
constexpr uint32_t fixed64(uint32_t field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::fixed64);
}

inline std::string_view view(protozero::data_view bytes) {
  return {bytes.data(), bytes.size()};
}
inline uint32_t get_uint32(protozero::pbf_reader& reader) {
  return static_cast<uint32_t>(reader.get_uint64());
}

// Each value of a repeated field: writers give them one by one, or all in one ("packed"), and a reader takes both.
template <class Use>
void each_varint(protozero::pbf_reader& reader, Use use) {
  if (reader.wire_type() != protozero::pbf_wire_type::length_delimited)
    use(reader.get_int64());
  else
    for (const int64_t value : reader.get_packed_int64()) use(value);
}
template <class Use>
void each_fixed64(protozero::pbf_reader& reader, Use use) {
  if (reader.wire_type() != protozero::pbf_wire_type::length_delimited)
    use(reader.get_fixed64());
  else
    for (const uint64_t value : reader.get_packed_fixed64()) use(value);
}
inline void push_varints(protozero::pbf_reader& reader, std::vector<uint64_t>* to) {
  each_varint(reader, [to](int64_t value) { to->push_back(static_cast<uint64_t>(value)); });
}

}  // namespace flamelet::formats::perfetto

namespace flamelet::formats {

// Packet reader: the packets of a protobuf trace one by one, each whole in memory and none longer than a limit.
//
// A length is believed as far as bytes follow: the buffer grows with what was read, not with what was promised.

// Source: size_t read(void* to, size_t count), which answers less than `count` only at the end.
template <class Source>
class PacketReader {
 public:
  enum class Result { kPacket, kOther, kEnd, kTruncated };

  explicit PacketReader(Source& in) : in_(in), buffer_(kReadBytes) {}

  // The next field of the file. kPacket: it is a packet, and `packet` is it until the next call. kOther: it is something
  // else, or longer than kMaxPacketBytes, and was skipped. kTruncated: the file ends inside of it, or it is none.
  Result next(protozero::data_view* packet) {
    uint64_t tag, value;
    while (fill(1) && buffer_[at_] == 0) ++at_;  // a file that was grown in advance ends in zeros, which are no field
    if (!fill(1)) return Result::kEnd;
    if (!read_varint(&tag)) return Result::kTruncated;
    switch (tag & 7) {
      case 0:
        return read_varint(&value) ? Result::kOther : Result::kTruncated;
      case 1:
        return skip(8) ? Result::kOther : Result::kTruncated;
      case 5:
        return skip(4) ? Result::kOther : Result::kTruncated;
      case 2:
        break;
      default:
        return Result::kTruncated;
    }
    if (!read_varint(&value)) return Result::kTruncated;
    if (tag >> 3 != 1 || value > kMaxPacketBytes) return skip(value) ? Result::kOther : Result::kTruncated;
    const auto size = static_cast<size_t>(value);
    if (!fill(size)) return Result::kTruncated;
    *packet = {buffer_.data() + at_, size};
    at_ += size;
    return Result::kPacket;
  }

  static constexpr size_t kMaxPacketBytes = size_t{16} << 20;

 private:
  static constexpr size_t kReadBytes = size_t{64} << 10;

  // At least `size` bytes from at_ on are in the buffer.
  bool fill(size_t size) {
    while (end_ - at_ < size) {
      if (at_ != 0) {
        memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
        end_ -= at_;
        at_ = 0;
      }
      if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
      const size_t got = in_.read(buffer_.data() + end_, buffer_.size() - end_);
      if (got == 0) return false;
      end_ += got;
    }
    return true;
  }

  bool skip(uint64_t size) {
    while (size > end_ - at_) {
      size -= end_ - at_;
      at_ = end_ = 0;
      end_ = in_.read(buffer_.data(), buffer_.size());
      if (end_ == 0) return false;
    }
    at_ += static_cast<size_t>(size);
    return true;
  }

  bool read_varint(uint64_t* value) {
    *value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (!fill(1)) return false;
      const auto byte = static_cast<unsigned char>(buffer_[at_++]);
      *value |= shift < 64 ? uint64_t{byte & 0x7Fu} << shift : 0;
      if (byte < 0x80) return true;
    }
    return false;
  }

  Source& in_;
  std::vector<char> buffer_;
  size_t at_ = 0, end_ = 0;
};

}  // namespace flamelet::formats

namespace flamelet::formats::perfetto {

// Perfetto clocks: the stamps of a Perfetto trace as times of its own clock (BOOTTIME, unless it names another).
//
// A snapshot tells several clocks at one moment; until the next one, a clock keeps its distance from the trace's. A stamp
// takes the last snapshot that its own clock had reached by then: all snapshots may stand before the events, and at a
// suspend two clocks jump apart. Clocks from 64 to 127 mean something on their own sequence only, and may count from stamp
// to stamp. Sums wrap: whatever a file says, it is a time.
//
// Another machine's clocks lead to its own BOOTTIME. How far that is ahead of the host's, the machine that wrote the trace, is
// told once, before the machine's events.

struct Clock {
  uint64_t multiplier = 1;
  uint64_t last_ns = 0;  // its last stamp
  bool incremental = false;
  std::map<uint64_t, uint64_t> offsets_ns;  // to the trace's clock, by the times of the snapshots

  // By the last snapshot that is not later; before the first one, by the first.
  uint64_t to_trace_ns(uint64_t ns) const {
    auto at = offsets_ns.upper_bound(ns);
    if (at != offsets_ns.begin()) --at;
    return ns + at->second;
  }
};

class Clocks {
 public:
  using Map = std::unordered_map<uint32_t, Clock>;

  // `own`: the clocks of the packet's sequence.
  void read_snapshot(protozero::data_view bytes, Map* own) {
    uint64_t now_ns;
    if (!read_moment(bytes, &now_ns)) return;
    for (const auto& [id, clock] : entries_) {
      Map& map = is_own(id) ? *own : shared_;
      if (map.size() >= kMaxClocks && map.count(id) == 0) continue;
      Clock& known = map[id];
      known.multiplier = clock.multiplier;
      known.last_ns = clock.last_ns;
      known.incremental = clock.incremental;
      add_offset(now_ns - clock.last_ns, &known);
      if (id == clock::kRealtime && !has_wall_clock_) wall_clock_ns_ = clock.last_ns - now_ns;
      has_wall_clock_ = has_wall_clock_ || id == clock::kRealtime;
    }
  }

  // A RemoteClockSync: snapshots of this machine and of the host in turn, each taken when the other one's had come. So two
  // pairs in a row tell twice how far this clock is ahead, without the time that the messages took; the mean of all counts,
  // as in Perfetto.
  void read_sync(protozero::data_view bytes, Clocks* host, Map* own) {
    constexpr int64_t kRoundNs = 30'000'000'000;  // then the next two are taken
    struct {
      uint64_t first = 0, sum = 0;  // of differences to the first one
      int64_t count = 0;
      void add(uint64_t ahead_ns) {
        if (count++ == 0) first = ahead_ns;
        sum += ahead_ns - first;
      }
      uint64_t mean() const { return first + static_cast<uint64_t>(static_cast<int64_t>(sum) / count); }
    } aheads, rough;  // rough: of one pair
    uint64_t client_before = 0, host_before = 0;
    for (protozero::pbf_reader reader(bytes); reader.next();) {
      if (reader.tag_and_type() != length(remote_clock_sync::kSyncedClocks)) {
        reader.skip();
        continue;
      }
      uint64_t client_ns = 0, host_ns = 0;
      if (!read_pair(reader.get_view(), host, own, &client_ns, &host_ns)) continue;
      const auto half = [](uint64_t to, uint64_t from) {
        return static_cast<uint64_t>(static_cast<int64_t>(to - from) / 2);
      };
      if (rough.count != 0 && static_cast<int64_t>(client_ns - client_before) < kRoundNs) {
        aheads.add(client_before + half(client_ns, client_before) - host_before);
        aheads.add(client_ns - host_before - half(host_ns, host_before));
      }
      rough.add(client_ns - host_ns);
      client_before = client_ns;
      host_before = host_ns;
    }
    if (rough.count == 0) return;
    ahead_ns_ = aheads.count != 0 ? aheads.mean() : rough.mean();
    is_synced_ = true;
  }
  bool is_synced() const { return is_synced_; }
  int64_t ahead_ns() const { return static_cast<int64_t>(ahead_ns_); }

  // The host's time. False if no snapshot told the clock. `id` 0: the trace's own.
  bool to_trace_ns(uint32_t id, uint64_t stamp, Map* own, int64_t* time_ns) {
    uint64_t ns = stamp;
    if (id != 0 && id != trace_clock()) {
      Map& map = is_own(id) ? *own : shared_;
      const auto at = map.find(id);
      if (at == map.end()) return false;
      Clock& clock = at->second;
      ns *= clock.multiplier;
      if (clock.incremental && is_own(id)) ns = clock.last_ns += ns;
      ns = clock.to_trace_ns(ns);
    }
    *time_ns = static_cast<int64_t>(ns - ahead_ns_);
    return true;
  }

  // The wall clock at the trace's 0. False if no snapshot told it.
  bool has_wall_clock() const { return has_wall_clock_; }
  uint64_t wall_clock_ns() const { return wall_clock_ns_ + ahead_ns_; }

 private:
  static constexpr size_t kMaxClocks = 256;               // in one snapshot, of one sequence, shared
  static constexpr size_t kMaxOffsets = size_t{1} << 18;  // of all clocks; then a new one replaces its neighbour

  static bool is_own(uint32_t id) { return id >= clock::kFirstOfSequence && id <= clock::kLastOfSequence; }
  uint32_t trace_clock() const { return trace_clock_ != 0 ? trace_clock_ : uint32_t{clock::kBoottime}; }

  // A snapshot's clocks, and its moment. False: it tells none.
  bool read_moment(protozero::data_view bytes, uint64_t* now_ns) {
    entries_.clear();
    for (protozero::pbf_reader reader(bytes); reader.next();) {
      switch (reader.tag_and_type()) {
        case length(clock_snapshot::kClock):
          if (entries_.size() < kMaxClocks)
            entries_.push_back(read_clock(reader.get_view()));
          else
            reader.skip();
          break;
        case varint(clock_snapshot::kPrimaryTraceClock):
          if (const uint32_t id = get_uint32(reader); trace_clock_ == 0) trace_clock_ = id;
          break;
        default:
          reader.skip();
      }
    }
    return find_now(now_ns);
  }

  // What this machine's snapshot says of its clocks counts, too.
  bool read_pair(protozero::data_view bytes, Clocks* host, Map* own, uint64_t* client_ns, uint64_t* host_ns) {
    bool has_client = false, has_host = false;
    for (protozero::pbf_reader reader(bytes); reader.next();) {
      switch (reader.tag_and_type()) {
        case length(remote_clock_sync::kClientClocks):
          read_snapshot(reader.get_view(), own);
          has_client = find_now(client_ns);
          break;
        case length(remote_clock_sync::kHostClocks):
          has_host = host->read_moment(reader.get_view(), host_ns);
          break;
        default:
          reader.skip();
      }
    }
    return has_client && has_host;
  }

  // The snapshot's moment by the trace's clock, or else by one that an earlier snapshot told.
  bool find_now(uint64_t* now_ns) const {
    for (const auto& [id, clock] : entries_) {
      *now_ns = clock.last_ns;
      if (id == trace_clock()) return true;
    }
    for (const auto& [id, clock] : entries_) {
      const auto at = is_own(id) ? shared_.end() : shared_.find(id);
      if (at == shared_.end()) continue;
      *now_ns = at->second.to_trace_ns(clock.last_ns);
      return true;
    }
    return false;
  }

  void add_offset(uint64_t offset_ns, Clock* clock) {
    std::map<uint64_t, uint64_t>& offsets_ns = clock->offsets_ns;
    const auto [at, is_new] = offsets_ns.insert_or_assign(clock->last_ns, offset_ns);
    if (!is_new) return;
    if (offsets_ < kMaxOffsets || offsets_ns.size() == 1)
      ++offsets_;
    else
      offsets_ns.erase(at != offsets_ns.begin() ? std::prev(at) : std::next(at));
  }

  static std::pair<uint32_t, Clock> read_clock(protozero::data_view bytes) {
    std::pair<uint32_t, Clock> entry = {0, {}};
    Clock& clock = entry.second;
    for (protozero::pbf_reader reader(bytes); reader.next();) {
      switch (reader.tag_and_type()) {
        case varint(clock::kId):
          entry.first = get_uint32(reader);
          break;
        case varint(clock::kTimestamp):
          clock.last_ns = reader.get_uint64();
          break;
        case varint(clock::kIsIncremental):
          clock.incremental = reader.get_uint64() != 0;
          break;
        case varint(clock::kUnitMultiplierNs):
          clock.multiplier = reader.get_uint64();
          break;
        default:
          reader.skip();
      }
    }
    if (clock.multiplier == 0) clock.multiplier = 1;
    clock.last_ns *= clock.multiplier;
    return entry;
  }

  size_t offsets_ = 0;
  uint32_t trace_clock_ = 0;
  uint64_t wall_clock_ns_ = 0;
  bool has_wall_clock_ = false, is_synced_ = false;
  uint64_t ahead_ns_ = 0;  // of the host's
  Map shared_;
  std::vector<std::pair<uint32_t, Clock>> entries_;  // of the snapshot in hand
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_WIRE_H
