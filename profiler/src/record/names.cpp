// SPDX-License-Identifier: MIT
//
// names.cpp: text and sites become ids. What does not fit becomes the overflow entry, and is counted.
#include <string.h>

#include "record/function_name.h"
#include "record/names.h"
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

uint32_t intern_site(const SiteRecord& record) {
  const uint32_t id = names.sites.intern(&record, sizeof(record));
  if (id != InternTable::kFull) return id;
  recorder.counts.add(kSitesOverflowed);
  return kSiteOverflow;
}

}  // namespace

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
  return intern_text(text, size, {names.strings.limit() / 4, names.strings.bytes_limit() / 4});
}

uint32_t intern_string(const char* text) {
  if (text == nullptr) return kStringNull;
  const uint32_t known = names.strings.id_of(text);
  return known != InternTable::kFull ? known : intern_string(text, strlen(text));
}

uint32_t object_string(const char* text) {
  if (text == nullptr) return 0;
  const uint32_t known = names.strings.id_of(text);
  if (known != InternTable::kFull) return known;
  recorder.counts.add(kInternedOnTheSpot);
  return intern_object(text, strlen(text));
}

uint32_t register_site(flamelet_site* site) {
  SiteRecord record = {};
  FunctionName function = parse_function_name(site->function != nullptr ? site->function : "");
  record.function = intern_string(function.full, function.full_size);
  record.name = site->name != nullptr ? intern_string(site->name) : intern_string(function.name, function.name_size);
  record.category = site->category != nullptr ? intern_string(site->category) : kStringEmpty;
  record.file = site->file != nullptr ? intern_string(site->file) : kStringEmpty;
  record.line = site->line;
  record.color = site->color;
  const uint32_t id = intern_site(record);
  // relaxed: two threads store the same word, and it orders nothing (the id travels through a page, with release).
  as_atomic(site->word).store_relaxed(make_code(WordType::kBegin, id) | recorder.session.load_relaxed());
  return id;
}

uint32_t pointer_site(const char* name, const char* category) {
  if (category == nullptr) category = "";
  PointerSite* place = names.first_place(name);
  PointerSite* free_place = nullptr;
  for (uint32_t probe = 0; probe < kPointerProbes && name != nullptr; ++probe, ++place) {
    const uint32_t code = place->code.load_acquire();  // pairs with the release below
    if (code == 0) {
      free_place = place;
      break;
    }
    if (code != 1 && place->name == name && place->category == category && strcmp(name, place->name_text) == 0 &&
        strcmp(category, place->category_text.text) == 0)
      return code_id(code);
  }
  SiteRecord record = {};
  const uint32_t text = intern_string(name);
  record.name = text;
  const FunctionName given = parse_given_name(name != nullptr ? name : "");
  if (given.name_size != given.full_size) {  // a signature
    record.function = text;
    record.name = intern_string(given.name, given.name_size);
  }
  const size_t category_size = strlen(category);
  record.category = intern_string(category, category_size);
  const uint32_t id = intern_site(record);
  // relaxed: only reserves the place; the code is stored again, with release, once it is whole.
  if (free_place == nullptr || category_size >= kTextWidth || !is_on_one_page(category, kTextWidth) ||
      !free_place->code.cas_relaxed(0, 1))
    return id;
  size_t name_size = 0;
  free_place->name = name;
  free_place->category = category;
  free_place->name_text = names.strings.text(text, &name_size);
  free_place->name_steps = text_steps(name, name_size);
  free_place->category_text.know(category, category_size);
  free_place->code.store_release(static_cast<uint32_t>(make_code(WordType::kBegin, id) >> FLAMELET_CODE_SHIFT_));
  return id;
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
