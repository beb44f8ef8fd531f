// SPDX-License-Identifier: MIT
//
// names.cpp: text and sites become ids. What does not fit becomes the overflow entry, and is counted.
#include <string.h>

#include "record/categories.h"
#include "record/function_name.h"
#include "record/names.h"
#include "record/run_time_site.h"
#include "record/session.h"

namespace flamelet {

namespace {

// Cuts at the last whole UTF-8 character that fits: steps back over continuation bytes (10xxxxxx).
size_t fitting_size(const char* text, size_t size) {
  if (size <= InternTable::kMaxSize) return size;
  size_t cut = InternTable::kMaxSize;
  for (int back = 0; back < 3 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80; ++back) --cut;
  return cut;
}

// There may be any number of sites that are made at run time, so they leave a quarter of the table to the others.
uint32_t intern_site(const SiteRecord& record, bool is_made_at_run_time) {
  const uint32_t left = is_made_at_run_time ? names.sites.limit() / 4 : 0;
  const uint32_t id = names.sites.intern(&record, sizeof(record), {left, 0});
  if (id != InternTable::kFull) return id;
  recorder.counts.add(kSitesOverflowed);
  return kSiteOverflow;
}

}  // namespace

static InternTable::Room part_of_strings(uint32_t parts) {
  return {names.strings.limit() / parts, names.strings.bytes_limit() / parts};
}

static uint32_t intern_text(const char* text, size_t size, InternTable::Room left) {
  const uint32_t id = names.strings.intern(text, fitting_size(text, size), left);
  if (id != InternTable::kFull) return id;
  recorder.counts.add(kStringsOverflowed);
  return kStringOverflow;
}

uint32_t intern_string(const char* text, size_t size) {
  return intern_text(text, size, {0, 0});
}

uint32_t intern_object(const char* text, size_t size) {
  return intern_text(text, size, part_of_strings(4));
}

static uint32_t intern_text(const char* text, InternTable::Room left) {
  if (text == nullptr) return kStringNull;
  const uint32_t known = names.strings.id_of(text);
  return known != InternTable::kFull ? known : intern_text(text, strlen(text), left);
}

uint32_t intern_string(const char* text) {
  return intern_text(text, {0, 0});
}

uint32_t object_string(const char* text) {
  if (text == nullptr) return 0;
  const uint32_t known = names.strings.id_of(text);
  if (known != InternTable::kFull) return known;
  recorder.counts.add(kInternedOnTheSpot);
  return intern_object(text, strlen(text));
}

uint32_t register_site(flamelet_site* site) {
  // First, and with acquire: the category is asked for what it says since then.
  const uint64_t number = recorder.site_number.load_acquire();
  if (!category_is_on(category_id(site->category != nullptr ? site->category : ""))) {
    as_atomic(site->word).store_relaxed(make_code(WordType::kBegin, 0) | FLAMELET_SITE_OFF_ | number);
    return kSiteOff;
  }
  const bool is_made_at_run_time = is_run_time_site(site);
  const InternTable::Room left = is_made_at_run_time ? part_of_strings(8) : InternTable::Room{0, 0};
  SiteRecord record = {};
  const FunctionName function = parse_function_name(site->function != nullptr ? site->function : "");
  record.function = intern_text(function.full, function.full_size, left);
  record.name = intern_text(function.name, function.name_size, left);
  if (site->name != nullptr) {
    const FunctionName given = parse_given_name(site->name);
    record.name = intern_text(given.name, given.name_size, left);
    // A signature: its whole text is kept as the function, if there is none.
    if (given.name_size != given.full_size && function.full_size == 0) record.function = intern_text(site->name, left);
  }
  record.category = site->category != nullptr ? intern_text(site->category, left) : kStringEmpty;
  record.file = site->file != nullptr ? intern_text(site->file, left) : kStringEmpty;
  record.line = site->line;
  record.color = site->color;
  const uint32_t id = intern_site(record, is_made_at_run_time);
  // relaxed: two threads store the same word, and it orders nothing (the id travels through a page, with release).
  as_atomic(site->word).store_relaxed(make_code(WordType::kBegin, id) | number);
  return id;
}

// Gives a place the code of its site, which says whether the category is on: whatever is switched meanwhile. seq_cst: the
// one who switches stores the category's state and then walks the places; either it finds this one, or this finds the
// state.
static void open_place(PointerSite* place, uint32_t code, uint32_t category) {
  bool is_on;
  do {
    is_on = category_is_on(category);
    place->code.store_seq_cst(is_on ? code : code | kPlaceOff);
  } while (category_is_on(category) != is_on);
}

void update_pointer_sites() {
  const uint64_t places = names.pointer_mask / sizeof(PointerSite) + 1 + kPointerProbes;
  for (uint64_t i = 0; i < places; ++i) {
    PointerSite* place = &names.pointer_sites[i];
    const uint32_t code = place->code.load_seq_cst();
    if (code > kPlaceBusy) open_place(place, code & ~uint32_t{kPlaceOff}, category_id(place->category_text.text));
  }
}

uint32_t pointer_site(const char* name, const char* category) {
  if (category == nullptr) category = "";
  PointerSite* place = names.first_place(name);
  PointerSite* free_place = nullptr;
  for (uint32_t probe = 0; probe < kPointerProbes && name != nullptr; ++probe, ++place) {
    const uint32_t code = place->code.load_acquire();  // pairs with the release below
    if (code == kPlaceFree) {
      free_place = place;
      break;
    }
    if (code != kPlaceBusy && place->name == name && place->category == category &&
        strcmp(name, place->name_text) == 0 && strcmp(category, place->category_text.text) == 0)
      return (code & kPlaceOff) != 0 ? kSiteOff : code_id(code);
  }
  SiteRecord record = {};
  const InternTable::Room left = part_of_strings(8);
  const uint32_t text = intern_text(name, left);
  record.name = text;
  const FunctionName given = parse_given_name(name != nullptr ? name : "");
  if (given.name_size != given.full_size) {  // a signature
    record.function = text;
    record.name = intern_text(given.name, given.name_size, left);
  }
  const size_t category_size = strlen(category);
  record.category = intern_text(category, category_size, left);
  const uint32_t id = intern_site(record, true);
  const uint32_t category_of_process = category_id(category);
  const uint32_t result = category_is_on(category_of_process) ? id : kSiteOff;
  // relaxed: only reserves the place; the code is stored again once it is whole.
  if (free_place == nullptr || category_size >= kTextWidth || !is_on_one_page(category, kTextWidth) ||
      !free_place->code.cas_relaxed(kPlaceFree, kPlaceBusy))
    return result;
  size_t name_size = 0;
  free_place->name = name;
  free_place->category = category;
  free_place->name_text = names.strings.text(text, &name_size);
  free_place->name_steps = text_steps(name, name_size);
  free_place->category_text.know(category, category_size);
  open_place(free_place, static_cast<uint32_t>(make_code(WordType::kBegin, id) >> FLAMELET_CODE_SHIFT_),
             category_of_process);
  return result;
}

}  // namespace flamelet

using namespace flamelet;

const char* flamelet_intern_bytes(const char* text, size_t size) {
  const SessionGuard guard;
  if (!guard) return "";
  const uint32_t id = text == nullptr ? static_cast<uint32_t>(kStringNull) : intern_object(text, size);
  const char* copy = names.strings.text(id, &size);
  return copy;
}

const char* flamelet_intern(const char* text) {
  return flamelet_intern_bytes(text, text == nullptr ? 0 : strlen(text));
}
