// SPDX-License-Identifier: MIT
//
// page_pack.cpp: a packed page is
//   1 byte      kPlain: the words follow as they are. kPacked:
//   2, 2 bytes  events; bytes of payloads
//   8 bytes     the lengths in bits that times have on this page
//   blocks      the words of the open block, then the payloads of the events: a mask of the bytes that differ from a
//               word before, then these bytes
//   codes       runs: a byte below 128 is the number of literals that follow, less 1. From 128 on, with the byte behind
//               it, it is 1 : 1 | length - 4 : 6 | distance - 1 : 9 of codes that stood before
//   tail        words behind the last whole event, as they are
//   times       3 bits an event, which of the lengths; then the times, each in so many bits
// A literal is leaf : 1 | symbol : 7; an END follows a leaf. The symbols are below.
#include "capture/page_store.h"

#include <string.h>

#include "flamelet/detail/sums.h"

namespace flamelet {
namespace {

enum : unsigned char { kPlain = 0, kPacked = 1 };
constexpr uint32_t kHeadBytes = 1 + 2 + 2 + 8;

enum : uint32_t {
  kEndSymbol = 0,
  kSiteSymbol = 1,   // BEGIN at a site by its number
  kNearSymbol = 60,  // BEGIN at a site near the last literal one
  kNearSites = 52,
  kTypeSymbol = 112,  // another type, or site: two bytes of id follow
  kLeaf = 128,
};
constexpr uint32_t kMostLiterals = 128;
constexpr uint32_t kLeastMatch = 4, kMostMatch = 67, kMostDistance = 512;
constexpr uint32_t kLengths = 8;
constexpr uint32_t kMaxEvents = kPageWords;

constexpr uint32_t begin_code(uint32_t site) {
  return static_cast<uint32_t>(WordType::kBegin) << 16 | site;
}

uint64_t load_word(const unsigned char* at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}
void store_word(unsigned char* at, uint64_t word) {
  memcpy(at, &word, sizeof word);
}
void store_16(unsigned char* at, uint32_t number) {
  at[0] = static_cast<unsigned char>(number);
  at[1] = static_cast<unsigned char>(number >> 8);
}
uint32_t load_16(const unsigned char* at) {
  return at[0] | uint32_t{at[1]} << 8;
}

// ---- Words: a mask of the bytes that differ, and these ---------------------------------------------------------------

// The bytes of a word that are not 0: bit 0 is the low one.
uint32_t bytes_in(uint64_t word) {
  constexpr uint64_t kLow = 0x7F7F7F7F7F7F7F7F;
  const uint64_t high_bits = (((word & kLow) + kLow) | word) & ~kLow;
  return static_cast<uint32_t>((high_bits >> 7) * 0x0102040810204080 >> 56 & 0xFF);
}

unsigned char* put_word(unsigned char* at, uint64_t word, uint64_t before) {
  const uint64_t different = word ^ before;
  uint32_t mask = bytes_in(different);
  *at++ = static_cast<unsigned char>(mask);
  for (; mask != 0; mask &= mask - 1) *at++ = static_cast<unsigned char>(different >> (8 * __builtin_ctz(mask)));
  return at;
}

const unsigned char* get_word(const unsigned char* at, uint64_t before, uint64_t* word) {
  uint64_t different = 0;
  for (uint32_t mask = *at++; mask != 0; mask &= mask - 1) different |= uint64_t{*at++} << (8 * __builtin_ctz(mask));
  *word = before ^ different;
  return at;
}

// The last payloads, by type. A change of fibers has pairs from its second word on.
class LastPayloads {
 public:
  uint64_t& at(uint32_t code, uint32_t word) { return words_[code >> 16][word < 4 ? word : 2 + (word & 1)]; }

 private:
  uint64_t words_[kWordTypes][4] = {};
};

const unsigned char* get_block(const unsigned char* at, uint64_t base_ticks, uint32_t levels, uint64_t* pairs) {
  uint64_t word = base_ticks, strings = base_ticks;
  for (uint32_t level = 0; level < levels; ++level) {
    at = get_word(at, word, &word);
    at = get_word(at, strings, &strings);
    pairs[2 * level] = word;
    pairs[2 * level + 1] = strings;
  }
  return at;
}

// The types whose events have more than one word, a bit each.
constexpr uint32_t payload_types(uint32_t from = 0) {
  return from == kWordTypes
             ? 0
             : (kWordKinds[from].payload_words != 0 || from == static_cast<uint32_t>(WordType::kMore) ? 1u << from
                                                                                                      : 0) |
                   payload_types(from + 1);
}
constexpr uint32_t kPayloadTypes = payload_types();

// ---- Codes ------------------------------------------------------------------------------------------------------------

unsigned char* put_literal(unsigned char* at, uint32_t code, bool leaf, uint32_t* last_site) {
  const uint32_t mark = leaf ? uint32_t{kLeaf} : 0;
  const uint32_t site = code_id(code);
  const bool begins = code_type(code) == WordType::kBegin;
  const uint32_t near = site - *last_site + kNearSites / 2;
  uint32_t symbol = kTypeSymbol + (code >> 16);
  if (begins && site < kNearSymbol - kSiteSymbol) symbol = kSiteSymbol + site;
  if (begins && symbol >= kTypeSymbol && near < kNearSites) symbol = kNearSymbol + near;
  if (code == 0) symbol = kEndSymbol;
  if (begins) *last_site = site;
  *at++ = static_cast<unsigned char>(mark | symbol);
  if (symbol < kTypeSymbol) return at;
  store_16(at, site);
  return at + 2;
}

// Finds where the same codes stood before.
class CodeMatcher {
 public:
  CodeMatcher(const uint32_t* codes, uint32_t count) : codes_(codes), count_(count) {
    memset(heads_, 0xFF, sizeof heads_);
  }

  // How many codes from `at` on stood at *from, as far as it was asked for that place. Less than kLeastMatch: too few.
  uint32_t find(uint32_t at, uint32_t* from) {
    if (at + kLeastMatch > count_) return 0;
    const uint32_t* const codes = codes_ + at;
    const uint32_t hash =
        (codes[0] * 0x9E3779B1u + codes[1] * 0x85EBCA77u + codes[2] * 0xC2B2AE3Du + codes[3] * 0x27D4EB2Fu) >> 24;
    *from = heads_[hash];
    heads_[hash] = static_cast<uint16_t>(at);
    if (*from == UINT16_MAX) return 0;
    const uint32_t most = count_ - at < kMostMatch ? count_ - at : kMostMatch;
    uint32_t length = 0;
    while (length < most && codes_[*from + length] == codes[length]) ++length;
    return length;
  }

 private:
  const uint32_t* const codes_;
  const uint32_t count_;
  uint16_t heads_[256];
};

unsigned char* put_codes(unsigned char* at, const uint32_t* codes, uint32_t count) {
  CodeMatcher matcher(codes, count);
  unsigned char* run = nullptr;  // of literals
  uint32_t last_site = 0;
  for (uint32_t i = 0; i < count;) {
    uint32_t from = 0;
    const uint32_t length = matcher.find(i, &from);
    if (length >= kLeastMatch) {
      const uint32_t match = 1u << 15 | (length - kLeastMatch) << 9 | (i - from - 1);
      *at++ = static_cast<unsigned char>(match >> 8);
      *at++ = static_cast<unsigned char>(match);
      i += length;
      run = nullptr;
      continue;
    }
    if (run == nullptr || *run == kMostLiterals - 1) {
      run = at++;
      *run = 0;
    } else {
      ++*run;
    }
    const bool leaf = i + 1 < count && codes[i + 1] == 0;
    at = put_literal(at, codes[i], leaf, &last_site);
    i += leaf ? 2 : 1;
  }
  return at;
}

// `codes` has room for kMaxEvents + 1.
const unsigned char* get_codes(const unsigned char* at, uint32_t count, uint32_t* codes) {
  uint32_t last_site = 0;
  for (uint32_t i = 0; i < count;) {
    const uint32_t head = *at++;
    if (head >= kMostLiterals) {
      const uint32_t match = head << 8 | *at++;
      const uint32_t distance = (match & (kMostDistance - 1)) + 1;
      const uint32_t end = i + (match >> 9 & 63) + kLeastMatch;
      for (; i < end; ++i) codes[i] = codes[i - distance];
      continue;
    }
    for (uint32_t left = head + 1; left != 0; --left) {
      const uint32_t literal = *at++, symbol = literal & (kLeaf - 1);
      uint32_t code = 0;
      if (symbol >= kTypeSymbol) {
        code = (symbol - kTypeSymbol) << 16 | load_16(at);
        at += 2;
      } else if (symbol >= kNearSymbol) {
        code = begin_code(last_site + symbol - kNearSymbol - kNearSites / 2);
      } else if (symbol != kEndSymbol) {
        code = begin_code(symbol - kSiteSymbol);
      }
      if (code_type(code) == WordType::kBegin) last_site = code_id(code);
      codes[i] = code;
      codes[i + 1] = 0;
      i += 1 + literal / kLeaf;
    }
  }
  return at;
}

// ---- Times ------------------------------------------------------------------------------------------------------------

uint32_t bit_length(uint64_t number) {
  return highest_bit(number << 1 | 1);
}

// Chooses the lengths with which the times of the page take few bits, from how often some of them have a length.
void choose_lengths(const uint16_t (&counts)[kTickBits + 1], uint32_t longest, unsigned char* lengths) {
  uint32_t up_to[kTickBits + 1];  // how many have this length or less
  uint32_t total = 0;
  for (uint32_t bits = 0; bits <= longest; ++bits) up_to[bits] = total += counts[bits];
  for (uint32_t i = 0, bits = 0; i < kLengths; ++i) {
    while (bits < longest && up_to[bits] < total * (i + 1) / kLengths) ++bits;
    lengths[i] = static_cast<unsigned char>(i + 1 == kLengths ? longest : bits);
  }
  for (uint32_t i = 0; i + 1 < kLengths; ++i) {
    const uint32_t below = i == 0 ? 0 : up_to[lengths[i - 1]], above = lengths[i + 1];
    uint32_t best = UINT32_MAX;
    for (uint32_t bits = i == 0 ? 0 : lengths[i - 1]; bits <= above; ++bits) {
      const uint32_t cost = bits * (up_to[bits] - below) + above * (up_to[above] - up_to[bits]);
      if (cost >= best) continue;
      best = cost;
      lengths[i] = static_cast<unsigned char>(bits);
    }
  }
}

// The choices of length for eight events take three bytes; the times follow behind one more.
constexpr uint32_t kGroup = 8, kGroupBytes = 3;
constexpr uint32_t choice_bytes(uint32_t count) {
  return (count + kGroup - 1) / kGroup * kGroupBytes + 1;
}

unsigned char* put_times(unsigned char* at, const uint64_t* times, uint32_t count, const unsigned char* lengths) {
  unsigned char choice_of[kTickBits + 1];
  for (uint32_t bits = 0, choice = 0; bits <= lengths[kLengths - 1]; ++bits) {
    while (lengths[choice] < bits) ++choice;
    choice_of[bits] = static_cast<unsigned char>(choice);
  }
  unsigned char* numbers = at + choice_bytes(count);
  uint64_t held = 0;
  uint32_t held_bits = 0;
  for (uint32_t first = 0; first < count; first += kGroup) {
    const uint32_t end = count - first < kGroup ? count : first + kGroup;
    uint32_t choices = 0;
    for (uint32_t i = first; i < end; ++i) {
      const uint32_t choice = choice_of[bit_length(times[i])];
      choices |= choice << (3 * (i - first));
      held |= times[i] << held_bits;
      held_bits += lengths[choice];
      store_word(numbers, held);
      numbers += held_bits >> 3;
      held >>= held_bits & ~7u;
      held_bits &= 7;
    }
    memcpy(at, &choices, sizeof choices);
    at += kGroupBytes;
  }
  return numbers + (held_bits + 7) / 8;
}

void get_times(const unsigned char* at, uint32_t count, const unsigned char* lengths, uint64_t* times) {
  struct {
    uint64_t mask;
    uint64_t bits;
  } kinds[kLengths];
  for (uint32_t i = 0; i < kLengths; ++i) kinds[i] = {(uint64_t{1} << lengths[i]) - 1, lengths[i]};
  const unsigned char* const numbers = at + choice_bytes(count);
  uint64_t bit = 0, now = kTickSlack;
  const auto get_group = [&](uint32_t first, uint32_t size) {
    uint32_t choices;
    memcpy(&choices, at, sizeof choices);
    at += kGroupBytes;
    for (uint32_t i = 0; i < size; ++i, choices >>= 3) {
      const auto& kind = kinds[choices & 7];
      now += load_word(numbers + (bit >> 3)) >> (bit & 7) & kind.mask;
      bit += kind.bits;
      times[first + i] = now & kTickMask;
    }
  };
  uint32_t first = 0;
  for (; count - first >= kGroup; first += kGroup) get_group(first, kGroup);
  if (first != count) get_group(first, count - first);
}

// ---- A page -----------------------------------------------------------------------------------------------------------

// Times are counted from as early as an event of the page can be.
constexpr uint64_t origin(const PackedShape& shape) {
  return shape.base_ticks - kTickSlack;
}

unsigned char* put_block(unsigned char* at, const uint64_t* words, const PackedShape& shape) {
  uint64_t word = shape.base_ticks, strings = shape.base_ticks;
  for (uint32_t i = 0; i < 2 * shape.open_count; i += 2) {
    at = put_word(at, words[i], word);
    at = put_word(at, words[i + 1], strings);
    word = words[i];
    strings = words[i + 1];
  }
  return at;
}

// The events of a page, taken apart.
struct EventParts {
  uint32_t count;
  uint32_t codes[kMaxEvents];
  uint64_t times[kMaxEvents];  // since the event before
  uint64_t all_times;          // the bits that any of them has
};

// Their payloads go to `at`.
unsigned char* take_apart(const uint64_t* words, const PackedShape& shape, unsigned char* at, EventParts* parts) {
  LastPayloads last;
  uint64_t now = kTickSlack, all_times = 0;
  uint32_t count = 0;
  for (uint32_t i = 2 * shape.open_count; i < shape.whole; ++count) {
    const uint64_t since = (words[i] - origin(shape)) & kTickMask;
    const uint32_t code = word_code(words[i], origin(shape) + since);
    const uint64_t time = (since - now) & kTickMask;
    now = since;
    parts->codes[count] = code;
    parts->times[count] = time;
    all_times |= time;
    ++i;
    if ((kPayloadTypes >> (code >> 16) & 1) == 0) continue;
    const uint32_t end = i + event_words(code_type(code), code_id(code)) - 1;
    for (uint32_t payload = 0; i < end; ++i, ++payload) {
      uint64_t& before = last.at(code, payload);
      at = put_word(at, words[i], before);
      before = words[i];
    }
  }
  parts->count = count;
  parts->all_times = all_times;
  return at;
}

void put_together(const uint32_t* codes, const uint64_t* times, uint32_t count, uint64_t origin_ticks,
                  const unsigned char* payloads, uint64_t* words) {
  LastPayloads last;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t code = codes[i];
    *words++ = origin_ticks + times[i] + (uint64_t{code} << kTickBits);
    if ((kPayloadTypes >> (code >> 16) & 1) == 0) continue;
    const uint32_t size = event_words(code_type(code), code_id(code));
    for (uint32_t payload = 0; payload + 1 < size; ++payload) {
      uint64_t& before = last.at(code, payload);
      payloads = get_word(payloads, before, &before);
      *words++ = before;
    }
  }
}

// Where no words are, memcpy() must not be called: the pointer may be NULL.
unsigned char* put_words(unsigned char* at, const uint64_t* words, uint32_t count) {
  if (count != 0) memcpy(at, words, count * sizeof(uint64_t));
  return at + count * sizeof(uint64_t);
}

uint32_t pack_plain(const uint64_t* words, uint32_t count, unsigned char* bytes) {
  bytes[0] = kPlain;
  return static_cast<uint32_t>(put_words(bytes + 1, words, count) - bytes) + kPackSlack;
}

}  // namespace

uint32_t pack_page(const uint64_t* words, const PackedShape& shape, unsigned char* bytes) {
  if (shape.whole < 2 * shape.open_count) return pack_plain(words, shape.count, bytes);
  EventParts parts;
  unsigned char* const payloads = put_block(bytes + kHeadBytes, words, shape);
  unsigned char* at = take_apart(words, shape, payloads, &parts);
  bytes[0] = kPacked;
  store_16(bytes + 1, parts.count);
  store_16(bytes + 3, static_cast<uint32_t>(at - payloads));
  unsigned char* const lengths = bytes + 5;
  // Every third time tells enough.
  uint16_t counts[kTickBits + 1] = {};
  for (uint32_t i = 0; i < parts.count; i += 3) ++counts[bit_length(parts.times[i])];
  choose_lengths(counts, bit_length(parts.all_times), lengths);
  at = put_codes(at, parts.codes, parts.count);
  at = put_words(at, words + shape.whole, shape.count - shape.whole);
  at = put_times(at, parts.times, parts.count, lengths);
  const uint32_t size = static_cast<uint32_t>(at - bytes) + kPackSlack;
  return size <= kMostPackedBytes ? size : pack_plain(words, shape.count, bytes);
}

void unpack_page(const unsigned char* bytes, const PackedShape& shape, PageWords* page) {
  uint64_t* const words = page->words;
  if (bytes[0] == kPlain) {
    memcpy(words, bytes + 1, shape.count * sizeof(uint64_t));
    return;
  }
  const uint32_t count = load_16(bytes + 1), payload_bytes = load_16(bytes + 3);
  const unsigned char* const payloads = get_block(bytes + kHeadBytes, shape.base_ticks, shape.open_count, words);
  uint32_t codes[kMaxEvents + 1];
  const unsigned char* at = get_codes(payloads + payload_bytes, count, codes);
  const uint32_t tail_bytes = (shape.count - shape.whole) * static_cast<uint32_t>(sizeof(uint64_t));
  memcpy(words + shape.whole, at, tail_bytes);
  uint64_t times[kMaxEvents];
  get_times(at + tail_bytes, count, bytes + 5, times);
  uint64_t* const events = words + 2 * shape.open_count;
  if (payload_bytes != 0) return put_together(codes, times, count, origin(shape), payloads, events);
  for (uint32_t i = 0; i < count; ++i) events[i] = origin(shape) + times[i] + (uint64_t{codes[i]} << kTickBits);
}

void unpack_block(const unsigned char* bytes, const PackedShape& shape, uint32_t levels, uint64_t* pairs) {
  if (bytes[0] == kPlain)
    memcpy(pairs, bytes + 1, 2 * levels * sizeof(uint64_t));
  else
    get_block(bytes + kHeadBytes, shape.base_ticks, levels, pairs);
}

}  // namespace flamelet
