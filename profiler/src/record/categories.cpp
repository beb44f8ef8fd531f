// SPDX-License-Identifier: MIT
#include "record/categories.h"

#include <string.h>

#include "platform/process.h"
#include "record/intern_table.h"
#include "record/names.h"
#include "record/ring_file.h"
#include "record/session.h"

namespace flamelet {

CategoriesOff categories_off = {};
namespace {

constexpr size_t kTextBytes = size_t{FLAMELET_MAX_CATEGORIES} * 64;

enum : uint32_t { kAsAll, kOn, kOff };  // kAsAll: as the newest switch of all categories said

struct Categories {
  Atomic<uint32_t> created;
  Atomic<uint32_t> all;  // kOn, kOff, or kAsAll, which is on
  Atomic<uint32_t> states[FLAMELET_MAX_CATEGORIES];
  InternTable texts;
  alignas(64) char text_memory[kTextBytes + 24 * FLAMELET_MAX_CATEGORIES];
};
Categories categories = {};
// What categories_off has, by id; behind the last one "*", and then "...".
constexpr uint32_t kAllOthers = FLAMELET_MAX_CATEGORIES, kNoRoom = FLAMELET_MAX_CATEGORIES + 1;
bool is_noted[kNoRoom + 1];

// False: there is no room for it. `text` may end before its zero.
bool set_state(const char* text, size_t size, uint32_t state) {
  const uint32_t id = categories.texts.intern(text, size);
  if (id == InternTable::kFull) return false;
  categories.states[id].store_seq_cst(state);
  return true;
}

void set_all(uint32_t state) {
  categories.all.store_seq_cst(state);
  for (Atomic<uint32_t>& one : categories.states) one.store_seq_cst(kAsAll);
}

// ---- "-physics,+audio,-*" ---------------------------------------------------------------------------------------

struct Item {
  uint32_t state;
  const char* name;
  size_t size;
};

void trim(const char** begin, const char** end) {
  while (*begin < *end && **begin == ' ') ++*begin;
  while (*begin < *end && (*end)[-1] == ' ') --*end;
}

// Calls use(item) for each of them; false as soon as one is none, or use() says so.
template <class Use>
bool for_each_item(const char* list, Use use) {
  for (const char* at = list;; ++at) {
    const char* item = at;
    while (*at != 0 && *at != ',') ++at;
    const char* end = at;
    trim(&item, &end);
    if (end - item < 2 || (*item != '+' && *item != '-')) return false;
    const char* name = item + 1;
    trim(&name, &end);
    if (!use(Item{*item == '+' ? kOn : kOff, name, static_cast<size_t>(end - name)})) return false;
    if (*at == 0) return true;
  }
}

flamelet_result apply(const char* list) {
  if (!for_each_item(list, [](const Item& item) { return item.size != 0; })) return FLAMELET_ERROR_CATEGORY_LIST;
  const bool fits = for_each_item(list, [](const Item& item) {
    if (item.size != 1 || *item.name != '*') return set_state(item.name, item.size, item.state);
    set_all(item.state);
    return true;
  });
  return fits ? FLAMELET_OK : FLAMELET_ERROR_LIMIT;
}

// ---- Which were off ---------------------------------------------------------------------------------------------

constexpr char kNoCategoryText[] = "(no category)", kAllOthersText[] = "*", kNoRoomText[] = "...";

bool is_text(const char* text, size_t size, const char* other) {
  return strlen(other) == size && memcmp(text, other, size) == 0;
}

// `written` is of a size that fits.
void add_to_list(size_t size, const char* written, size_t written_size) {
  char* at = categories_off.names.text + size;
  const size_t comma = size == 0 ? 0 : 2;
  memcpy(at, ", ", comma);
  memcpy(at + comma, written, written_size);
  // release: pairs with the acquire of a capture.
  categories_off.size.store_release(static_cast<uint32_t>(size + comma + written_size));
}

void note_off(uint32_t id, const char* written, size_t written_size) {
  if (is_noted[id] || is_noted[kNoRoom]) return;
  constexpr size_t kCommas = 4, kDots = sizeof(kNoRoomText);
  const size_t size = categories_off.size.load_relaxed();
  const bool fits = size + written_size + kCommas + kDots <= sizeof(CategoryNames);
  is_noted[fits ? id : kNoRoom] = true;
  add_to_list(size, fits ? written : kNoRoomText, fits ? written_size : kDots - 1);
}

// A name is written as it is, but that a backslash stands before each comma and backslash in it, and before a name that
// means something else here.
void note_name_off(uint32_t id, const char* name, size_t name_size) {
  char written[sizeof(CategoryNames)];
  size_t size = 0;
  if (is_text(name, name_size, kNoCategoryText) || is_text(name, name_size, kAllOthersText) ||
      is_text(name, name_size, kNoRoomText))
    written[size++] = '\\';
  for (size_t i = 0; i < name_size && size + 2 <= sizeof written; ++i) {
    if (name[i] == ',' || name[i] == '\\') written[size++] = '\\';
    written[size++] = name[i];
  }
  note_off(id, written, size);
}

}  // namespace

void begin_categories_off() {
  categories_off.size.store_relaxed(0u);
  categories_off.names = {};
  memset(is_noted, 0, sizeof is_noted);
  note_categories_off();
}

void note_categories_off() {
  for (uint32_t id = 0; id < categories.texts.count(); ++id) {
    size_t size;
    const char* name = categories.texts.text(id, &size);
    if (name == nullptr || categories.states[id].load_relaxed() != kOff) continue;
    if (size == 0)
      note_off(id, kNoCategoryText, strlen(kNoCategoryText));
    else
      note_name_off(id, name, size);
  }
  if (categories.all.load_relaxed() == kOff) note_off(kAllOthers, kAllOthersText, strlen(kAllOthersText));
  share_categories_off();
}

CategoryNames checked(const CategoryNames& list) {
  CategoryNames whole = {};
  memcpy(whole.text, list.text, strnlen(list.text, sizeof whole.text - 1));
  return whole;
}

void prepare_categories() {
  if (categories.created.load_relaxed() != 0) return;
  if (InternTable::required_bytes(FLAMELET_MAX_CATEGORIES, kTextBytes) > sizeof categories.text_memory)
    __builtin_trap();  // the size above is wrong
  categories.texts.create(categories.text_memory, FLAMELET_MAX_CATEGORIES, kTextBytes);
  categories.created.store_release(1);  // pairs with the acquire of those who have no session
}

flamelet_result read_categories_from_environment() {
  static bool was_read = false;
  if (was_read) return FLAMELET_OK;
  const char* list = environment_of_user("FLAMELET_CATEGORIES");
  const flamelet_result result = list == nullptr || *list == 0 ? FLAMELET_OK : apply(list);
  was_read = result == FLAMELET_OK;
  return result;
}

uint32_t category_id(const char* text) {
  static_assert(kNoCategory == InternTable::kFull, "no room");
  return categories.texts.intern(text, strlen(text));
}

// seq_cst: with who switches, see pointer_site().
bool category_is_on(uint32_t category) {
  const uint32_t state = category == kNoCategory ? kAsAll : categories.states[category].load_seq_cst();
  return (state == kAsAll ? categories.all.load_seq_cst() : state) != kOff;
}

}  // namespace flamelet

using namespace flamelet;

namespace {

// Changes categories as a control call.
template <class Change>
flamelet_result switch_categories(Change change) {
  lock_control();
  prepare_categories();
  const flamelet_result result = change();
  register_sites_again();
  if (recorder.state.load_relaxed() == State::kRunning) note_categories_off();
  unlock_control();
  return result;
}

}  // namespace

flamelet_result flamelet_category_set_enabled(const char* category, bool enabled) {
  return switch_categories([=] {
    const uint32_t state = enabled ? kOn : kOff;
    if (category != nullptr) return set_state(category, strlen(category), state) ? FLAMELET_OK : FLAMELET_ERROR_LIMIT;
    set_all(state);
    return FLAMELET_OK;
  });
}

flamelet_result flamelet_categories_apply(const char* list) {
  if (list == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  return switch_categories([=] { return apply(list); });
}

bool flamelet_category_enabled(const char* category) {
  if (categories.created.load_acquire() == 0) return true;
  return category_is_on(category == nullptr ? kNoCategory : categories.texts.find(category, strlen(category)));
}

uint32_t flamelet_categories(flamelet_category* list, uint32_t capacity) {
  if (categories.created.load_acquire() == 0) return 0;
  uint32_t count = 0;
  for (uint32_t id = 0; id < categories.texts.count(); ++id) {
    size_t size;
    const char* name = categories.texts.text(id, &size);
    // Not yet whole, or a copy that another thread made at the same time.
    if (name == nullptr || categories.texts.find(name, size) != id) continue;
    if (count < capacity) list[count] = {name, category_is_on(id)};
    ++count;
  }
  return count;
}
