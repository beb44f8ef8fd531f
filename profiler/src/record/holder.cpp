// SPDX-License-Identifier: MIT
#include "record/track.h"

#include <string.h>

#include "flamelet/detail/preload.h"
#include "platform/process.h"
#include "record/names.h"
#include "record/session.h"
#include "record/thread.h"

namespace flamelet {
namespace {

const Track* live_track(const void* holder) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(holder) - reinterpret_cast<uintptr_t>(tracks);
  if (offset >= sizeof(Track) * FLAMELET_MAX_TRACKS || offset % sizeof(Track) != 0) return nullptr;
  const Track* track = &tracks[offset / sizeof(Track)];
  const bool is_of_session = track->session.load_acquire() == recorder.session.load_relaxed();
  return is_of_session && track->state.load_relaxed() == kTrackLive ? track : nullptr;
}

struct HolderScope {
  uint64_t word;  // 0: none
  uint64_t strings;
  uint64_t begin_ticks;
};

// The innermost open scope of another thread, which goes on, and stores each word by itself: so the scope counts only if
// the depth and the word are the same before and after. acquire keeps the loads in this order; that of the depth pairs with
// the release that ends each event. A thread that is busy all the time has no scope here.
HolderScope innermost_of(const Track& track) {
  for (int attempt = 0; attempt < 16; ++attempt) {
    const uint64_t depth = as_atomic(track.head.depth).load_acquire();
    if (depth == 0) break;
    if (depth == FLAMELET_DEPTH_BUSY_) continue;
    const uint64_t word = as_atomic(track.head.open[depth]).load_acquire();
    const uint64_t strings = as_atomic(track.strings[depth]).load_acquire();
    // As in know_open_ticks().
    const bool is_older = as_atomic(track.known_word[depth]).load_acquire() == word;
    const uint64_t known = as_atomic(track.known_ticks[depth]).load_acquire();
    const uint64_t base = track.base_ticks.load_acquire();
    if (as_atomic(track.head.depth).load_acquire() == depth && as_atomic(track.head.open[depth]).load_relaxed() == word)
      return {word, strings, is_older ? known : word_ticks(word, base)};
  }
  return {0, 0, 0};
}

// As it was saved. It may go on meanwhile, and then the scope is perhaps another one.
HolderScope parked_scope(const SavedStack& stack) {
  return {stack.top_word.load_relaxed(), stack.top_strings.load_relaxed(), stack.top_ticks.load_relaxed()};
}

// A thread, or a fiber that does not run.
struct Holder {
  uint32_t kind;  // as write_default_name() numbers them
  uint32_t id, name;
  HolderScope scope;
};

Holder thread_holder(const Track& track, const HolderScope& scope) {
  return {FLAMELET_TRACK_THREAD, track.id.load_relaxed(), track.name.load_acquire(), scope};
}

// Who runs what ran on the track's thread. False: the fiber has ended.
bool find_holder(const Track& track, uint32_t fiber, Holder* holder) {
  const uint32_t running = as_atomic(track.head.fiber).load_relaxed();
  if (fiber == running || fiber == FLAMELET_ANY_FIBER_) {
    *holder = thread_holder(track, innermost_of(track));
    return true;
  }
  if (fiber == 0) {
    *holder = thread_holder(track, parked_scope(fibers.homes[&track - tracks]));
    return true;
  }
  for (uint32_t slot = 0, slots = used_slots(); slot < slots; ++slot) {
    if (as_atomic(tracks[slot].head.fiber).load_relaxed() != fiber || live_track(&tracks[slot]) == nullptr) continue;
    *holder = thread_holder(tracks[slot], innermost_of(tracks[slot]));
    return true;
  }
  const SavedStack* stack = find_fiber(fiber);
  if (stack == nullptr) return false;
  *holder = {kFiberName, fiber, stack->name.load_acquire(), parked_scope(*stack)};
  return stack->id.load_acquire() == fiber;
}

flamelet_string string_of(uint32_t id) {
  flamelet_string string = {"", 0};
  const char* text = names.strings.text(id, &string.size);
  if (text != nullptr) string.text = text;
  return string;
}

flamelet_string site_name(uint32_t id) {
  SiteRecord site;
  size_t size = 0;
  const char* bytes = names.sites.text(id, &size);
  if (bytes == nullptr || size != sizeof site) return {"", 0};
  memcpy(&site, bytes, sizeof site);
  return string_of(site.name);
}

// Cuts what is too long.
class HolderText {
 public:
  void add(flamelet_string text) {
    const size_t size = text.size < sizeof text_ - size_ ? text.size : sizeof text_ - size_;
    memcpy(text_ + size_, text.text, size);
    size_ += size;
  }
  uint32_t intern() const { return intern_object(text_, size_); }

 private:
  char text_[256];
  size_t size_ = 0;
};

}  // namespace

static void* track_of_system_thread(uint32_t thread) {
  const uint32_t slots = used_slots();
  for (uint32_t slot = 0; slot < slots && thread != 0; ++slot)
    if (tracks[slot].system_thread.load_acquire() == thread && live_track(&tracks[slot]) != nullptr)
      return &tracks[slot];
  return nullptr;
}

static bool name_of_track(const void* thread, char* text, size_t size) {
  const Track* track = live_track(thread);
  const uint32_t id = track == nullptr ? 0 : track->name.load_acquire();
  if (id == 0) return false;
  const flamelet_string name = string_of(id);
  const size_t used = name.size < size ? name.size : size - 1;
  memcpy(text, name.text, used);
  text[used] = 0;
  return used != 0;
}

void connect_preload() {
  static const flamelet_preload_calls_ kCalls = {FLAMELET_PRELOAD_VERSION_, flamelet_wait_begin,    flamelet_wait_end,
                                                 flamelet_hand_over_,       track_of_system_thread, flamelet_file_begin,
                                                 flamelet_file_end,         begin_join_since,       name_of_track};
  void* connect = symbol_of_process(FLAMELET_PRELOAD_CONNECT_);
  if (connect != nullptr) reinterpret_cast<flamelet_preload_connect_function_>(connect)(&kCalls);
}

uint32_t end_string(const void* thread) {
  const Track* track = live_track(thread);
  const uint32_t name = track == nullptr ? 0 : track->name.load_acquire();
  if (name == 0) return 0;
  HolderText text;
  text.add({"end of ", 7});
  text.add(string_of(name));
  return text.intern();
}

uint32_t holder_string(const void* holder, uint32_t fiber, HolderCache* cache) {
  const Track* track = live_track(holder);
  Holder found;
  if (track == nullptr || !find_holder(*track, fiber, &found)) return 0;
  const HolderScope& scope = found.scope;
  const uint32_t code = word_code(scope.word, scope.begin_ticks);
  const bool is_named = code_type(code) == WordType::kBeginWith && strings_name(scope.strings) != 0;
  const uint32_t scope_name = is_named ? strings_name(scope.strings) : code_id(code);
  const uint64_t thread_key = uint64_t{found.id} << 32 | uint64_t{found.kind} << 24 | found.name;
  const uint64_t scope_key = scope.word == 0 ? 0 : uint64_t{is_named ? 2u : 1u} << 32 | scope_name;
  if (cache->thread == thread_key && cache->scope == scope_key) return cache->string;

  HolderText text;
  char default_name[kDefaultNameBytes];
  if (found.name == 0) write_default_name(default_name, found.kind, found.id);
  text.add(found.name == 0 ? flamelet_string{default_name, strlen(default_name)} : string_of(found.name));
  if (scope.word != 0) {
    text.add({" in ", 4});
    text.add(is_named ? string_of(scope_name) : site_name(scope_name));
  }
  *cache = {thread_key, scope_key, text.intern()};
  return cache->string;
}

}  // namespace flamelet
