// SPDX-License-Identifier: MIT
//
// flamelet/perf.h: PERF blocks: scopes whose costs are also kept as a log and as statistics (perf_log.h).
//
//   void Frame::run() {
//     PERF_FUNCTION();                  this function, until it returns
//     PERF_BLOCK(collect);              a bare word or a "string"; until PERF_BLOCK_END or the end of the braces
//     collect_input();
//     PERF_BLOCK_END;
//     for (Agent& agent : agents) {
//       PERF_BLOCK("think");            ends with each pass through the loop
//       agent.think();
//     }
//   }
//
// A block is an ordinary scope of the recorder, in the category "perf", and shows in the overlay like any other.
//
// PERF_BLOCK_END ends the newest block that is open in this call of this function. So blocks nest without braces, too:
//
//   PERF_BLOCK(outer);
//   PERF_BLOCK(inner);
//   ...
//   PERF_BLOCK_END;                     ends inner
//   ...
//   PERF_BLOCK_END;                     ends outer
//
// An end without such a block is ignored and counted (flamelet_stats.extra_ends). It never ends a PERF_FUNCTION, a
// block of a calling function, or a block of an outer call of the same function. A lambda is a function of its own. If
// more than FLAMELET_PERF_LEVELS blocks are open at once, PERF_BLOCK_END finds only the newest ones; the others end
// with their braces.
//
// Threads:   any thread or fiber. In a coroutine, an end that comes after a suspension of the coroutine may be counted
//            as extra; its block then ends with its braces.
// Lifetime:  tags are copied at the first event.
// Cost:      that of a FLAMELET_SCOPE, and some loads and stores of the calling thread's own memory.
// Form:      PERF_FUNCTION and PERF_BLOCK are one declaration each, PERF_BLOCK_END is one expression, all without a
//            semicolon. They may be the body of an unbraced `if`, and share a line.
// Compiled out: with FLAMELET_DISABLED every macro becomes nothing; tags are still checked.
#ifndef FLAMELET_PERF_H
#define FLAMELET_PERF_H

#include "flamelet/scope.h"

// Scopes of this category are PERF blocks, whoever records them.
#define FLAMELET_PERF_CATEGORY "perf"

// How many open blocks PERF_BLOCK_END can tell apart.
#define FLAMELET_PERF_LEVELS 16u

FLAMELET_EXTERN_C_BEGIN

// An open block. It is a copy, not a pointer to the object in the braces: a stale copy (after a longjmp, say) is
// compared and dropped, but never followed.
typedef struct flamelet_perf_block_ {
  const void* block;     // which object
  const void* frame;     // of the function call that began it
  const char* function;  // its text
  flamelet_id id;
  uint32_t order;  // of its place in the source; 0 = it has ended
  uint32_t level;  // how many blocks were open when it began
} flamelet_perf_block_;

// The open blocks of a thread or fiber. A block of level n is at n % FLAMELET_PERF_LEVELS. Its object in the braces
// keeps the block that was there before, and puts it back when the braces close.
typedef struct flamelet_perf_blocks_ {
  flamelet_perf_block_ newest[FLAMELET_PERF_LEVELS];
  uint32_t open_count;
} flamelet_perf_blocks_;

// The name has the version that modules must agree on, as in detail/record.h. flamelet_fiber_switch() swaps it.
#define flamelet_perf_open_ flamelet_perf_open_abi2
#define flamelet_perf_open_call_ flamelet_perf_open_call_abi2
#if defined(__ELF__)
extern FLAMELET_API __thread flamelet_perf_blocks_ flamelet_perf_open_ __attribute__((tls_model("initial-exec")));
#else
FLAMELET_API flamelet_perf_blocks_* flamelet_perf_open_call_(void);  // the calling thread's
#endif

// Counts. The argument is not used.
FLAMELET_API void flamelet_perf_extra_end_(void* unused);

FLAMELET_EXTERN_C_END

// The calling thread's open blocks, located anew after every call: see flamelet_head_() in detail/record.h.
#if defined(__GNUC__) && defined(__ELF__) && \
    (defined(__aarch64__) || (defined(__clang__) && defined(__x86_64__) && defined(__LP64__)))
static inline __attribute__((always_inline, no_instrument_function)) flamelet_perf_blocks_* flamelet_perf_here_(void) {
  flamelet_perf_blocks_* here;
  uintptr_t offset;
#ifdef __x86_64__
  __asm__(
      "{movq flamelet_perf_open_abi2@gottpoff(%%rip), %0"
      "|mov %0, qword ptr flamelet_perf_open_abi2@gottpoff[rip]}"
      : "=r"(offset));
  __asm__ volatile("{movq %%fs:0, %0\n\taddq %1, %0|mov %0, qword ptr fs:0\n\tadd %0, %1}"
                   : "=&r"(here)
                   : "r"(offset)
                   : "cc");
#else
  __asm__(
      "adrp %0, :gottprel:flamelet_perf_open_abi2\n\t"
      "ldr %0, [%0, :gottprel_lo12:flamelet_perf_open_abi2]"
      : "=r"(offset));
  __asm__ volatile("mrs %0, tpidr_el0\n\tadd %0, %0, %1" : "=&r"(here) : "r"(offset));
#endif
  return here;
}
#define FLAMELET_PERF_OPEN_ (*flamelet_perf_here_())
#elif !defined(__ELF__)
#define FLAMELET_PERF_OPEN_ (*flamelet_perf_open_call_())
#else
#define FLAMELET_PERF_OPEN_ flamelet_perf_open_
#endif

#ifdef __cplusplus

namespace flamelet {

// A tag as it is spelled in the source begins a word or a string.
FLAMELET_NOT_INSTRUMENTED_ constexpr bool perf_tag_is_valid(const char* spelled) {
  const char c = spelled[0];
  return c == '"' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// The text of a tag: a word as it is spelled, a string as the compiler would read it.
template <size_t Size>
struct PerfTag {
  char text[Size];

  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit PerfTag(const char (&spelled)[Size]) : text{} {
    const bool is_string = spelled[0] == '"';
    size_t length = 0;
    for (size_t at = 0; at + 1 < Size;) {
      if (!is_string) {
        text[length++] = spelled[at++];
      } else if (spelled[at] == '"') {
        for (++at; at + 1 < Size && spelled[at] != '"';) text[length++] = character(spelled, &at);
        ++at;
      } else {
        ++at;  // between two strings that stand side by side
      }
    }
  }

 private:
  FLAMELET_NOT_INSTRUMENTED_ static constexpr bool is_octal(char c) { return c >= '0' && c <= '7'; }
  FLAMELET_NOT_INSTRUMENTED_ static constexpr int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  }
  FLAMELET_NOT_INSTRUMENTED_ static constexpr char character(const char* spelled, size_t* at) {
    if (spelled[*at] != '\\') return spelled[(*at)++];
    const char c = spelled[++*at];
    unsigned value = 0;
    if (c == 'x') {
      for (++*at; hex_digit(spelled[*at]) >= 0; ++*at)
        value = value * 16 + static_cast<unsigned>(hex_digit(spelled[*at]));
      return static_cast<char>(static_cast<unsigned char>(value));
    }
    if (is_octal(c)) {
      for (int digits = 0; digits < 3 && is_octal(spelled[*at]); ++digits, ++*at)
        value = value * 8 + static_cast<unsigned>(spelled[*at] - '0');
      return static_cast<char>(static_cast<unsigned char>(value));
    }
    ++*at;
    switch (c) {
      case 'a':
        return '\a';
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'v':
        return '\v';
      default:
        return c;
    }
  }
};

// One PERF_BLOCK.
class PerfBlock {
 public:
  __attribute__((always_inline, no_instrument_function))
  PerfBlock(flamelet_site* site, const void* frame, const char* function, uint32_t order) noexcept
      : id_(flamelet_scope_begin_(site)), level_(FLAMELET_PERF_OPEN_.open_count) {
    flamelet_perf_blocks_& open = FLAMELET_PERF_OPEN_;
    flamelet_perf_block_& place = open.newest[level_ % FLAMELET_PERF_LEVELS];
    covered_ = place;
    place = {this, frame, function, id_, order, level_};
    open.open_count = level_ + 1;
  }
  __attribute__((always_inline, no_instrument_function)) ~PerfBlock() noexcept {
    flamelet_perf_blocks_& open = FLAMELET_PERF_OPEN_;
    flamelet_perf_block_& place = open.newest[level_ % FLAMELET_PERF_LEVELS];
    // If a scheduler does not report its switches, another fiber's block may be here. Ends by id are right even then.
    const bool is_open = place.block != this || place.order != 0;
    if (place.block == this) {
      if (open.open_count > level_) open.open_count = level_;
      place = covered_;
    }
    if (is_open) flamelet_scope_end_(id_);
  }
  PerfBlock(const PerfBlock&) = delete;
  PerfBlock& operator=(const PerfBlock&) = delete;

 private:
  flamelet_perf_block_ covered_;
  flamelet_id id_;
  uint32_t level_;
};

// Ends the newest open block if this call of this function began it, earlier in the source.
__attribute__((always_inline, no_instrument_function)) inline bool perf_end_block_(const void* frame,
                                                                                   const char* function,
                                                                                   uint32_t order) noexcept {
  flamelet_perf_blocks_& open = FLAMELET_PERF_OPEN_;
  const uint32_t level = open.open_count - 1u;
  flamelet_perf_block_& place = open.newest[level % FLAMELET_PERF_LEVELS];
  // The order of a block that has ended is 0; one less makes that the largest number.
  if (place.level != level || place.frame != frame || place.order - 1u >= order || place.function != function)
    return false;
  place.order = 0;
  open.open_count = level;
  flamelet_scope_end_(place.id);
  return true;
}

}  // namespace flamelet

#ifndef FLAMELET_DISABLED

#define FLAMELET_PERF_SITE_(spelled)                                                                                \
  FLAMELET_SITE_OF_(static_assert(::flamelet::perf_tag_is_valid(spelled), "a bare word or a string");               \
                    static constexpr ::flamelet::PerfTag<sizeof(spelled)> flamelet_tag_(spelled);                   \
                    static flamelet_site flamelet_site_ = {0, flamelet_tag_.text, FLAMELET_PERF_CATEGORY, __FILE__, \
                                                           __PRETTY_FUNCTION__, __LINE__, 0u};)

// A call of a function is identified by its frame's address, and by its text in case a callee is inlined into the
// frame. If g++ inlined a recursive function into itself, both would be equal. It never does so with a function that
// calls alloca(), so PERF_BLOCK_END calls it, for 0 bytes, on the path of an extra end. clang++ does not inline a
// function into itself.
#define FLAMELET_PERF_CALL_() __builtin_frame_address(0), __PRETTY_FUNCTION__, static_cast<uint32_t>(__COUNTER__) + 1u
#ifdef __clang__
#define FLAMELET_PERF_NOT_INLINED_() nullptr
#else
#define FLAMELET_PERF_NOT_INLINED_() __builtin_alloca(0)
#endif

#define PERF_FUNCTION() \
  const ::flamelet::Scope FLAMELET_UNIQUE_(flamelet_perf_)(FLAMELET_SITE_(nullptr, FLAMELET_PERF_CATEGORY, 0u))
#define PERF_BLOCK(...) \
  const ::flamelet::PerfBlock FLAMELET_UNIQUE_(flamelet_perf_)(FLAMELET_PERF_SITE_(#__VA_ARGS__), FLAMELET_PERF_CALL_())
#define PERF_BLOCK_END                                                       \
  (::flamelet::perf_end_block_(FLAMELET_PERF_CALL_()) ? static_cast<void>(0) \
                                                      : ::flamelet_perf_extra_end_(FLAMELET_PERF_NOT_INLINED_()))

#else  // FLAMELET_DISABLED

#define PERF_FUNCTION() ((void)0)
#define PERF_BLOCK(...) ((void)sizeof(char[::flamelet::perf_tag_is_valid(#__VA_ARGS__) ? 1 : -1]))
#define PERF_BLOCK_END ((void)0)

#endif

#endif  // __cplusplus

#endif  // FLAMELET_PERF_H
