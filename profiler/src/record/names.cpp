// SPDX-License-Identifier: MIT
//
// names.cpp: text and sites become ids. What does not fit becomes the overflow entry, and is counted.
#include <string.h>

#include "platform/process.h"
#include "record/categories.h"
#include "record/intern_table.h"
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

// There may be any number of sites that are made at run time, so they leave a quarter of the table to the others.
uint32_t intern_site(const SiteRecord& record, bool is_made_at_run_time) {
  const uint32_t left = is_made_at_run_time ? names.sites.limit() / 4 : 0;
  const uint32_t id = names.sites.intern(&record, sizeof(record), {left, 0});
  if (id != InternTable::kFull) return id;
  count_drop(kSitesOverflowed);
  return kSiteOverflow;
}

}  // namespace

static InternTable::Room part_of_strings(uint32_t parts) {
  return {names.strings.limit() / parts, names.strings.bytes_limit() / parts};
}

static uint32_t intern_text(const char* text, size_t size, InternTable::Room left) {
  const uint32_t id = names.strings.intern(text, fitting_size(text, size), left);
  if (id != InternTable::kFull) return id;
  count_drop(kStringsOverflowed);
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
    record.function = intern_text(given.full, given.full_size, left);
    record.name = intern_text(given.name, given.name_size, left);
  }
  const size_t category_size = strlen(category);
  record.category = intern_text(category, category_size, left);
  const uint32_t id = intern_site(record, true);
  const uint32_t category_of_process = category_id(category);
  const uint32_t result = category_is_on(category_of_process) ? id : kSiteOff;
  // relaxed: only reserves the place; the code is stored again once it is whole.
  if (free_place == nullptr || names.taken_bytes.load_relaxed() > names.pointer_mask / 2 ||
      category_size >= kTextWidth || !is_on_one_page(category, kTextWidth) ||
      !free_place->code.cas_relaxed(kPlaceFree, kPlaceBusy))
    return result;
  names.taken_bytes.fetch_add_relaxed(sizeof(PointerSite));
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

// Run time site: sites that are made at run time, for as long as the process lives. Their text and they themselves lie
// in static memory, so that a pointer to one is as good as a pointer to a macro's: in every session, and between them.
// Each session registers a site at its first event there, as it does with any other.

namespace flamelet {
namespace {

constexpr uint32_t kMaxTexts = 2 * FLAMELET_MAX_RUN_TIME_SITES;

// What makes a site: ids of its texts, 0 for NULL.
struct Content {
  uint32_t name, function, file, category, line, color;
};

struct RunTimeSites {
  bool created;
  InternTable texts;
  InternTable contents;
  flamelet_site sites[FLAMELET_MAX_RUN_TIME_SITES];  // [i] is that of content i
  alignas(64) char text_memory[FLAMELET_RUN_TIME_SITE_BYTES + 24 * kMaxTexts];
  alignas(64) char content_memory[80 * FLAMELET_MAX_RUN_TIME_SITES];
};
// Constant initialization: static initializers of the program may create sites before any of this file would run.
RunTimeSites run_time_sites = {};
Atomic<uint32_t> sites_lock;
Atomic<uint64_t> sites_without_room;  // while no recorder ran
flamelet_site overflow_site = {0, "(overflow)", "", "", "", 0, 0};

void create_tables() {
  constexpr size_t kContentBytes = size_t{FLAMELET_MAX_RUN_TIME_SITES} * (sizeof(Content) + 16);
  if (InternTable::required_bytes(kMaxTexts, FLAMELET_RUN_TIME_SITE_BYTES) > sizeof run_time_sites.text_memory ||
      InternTable::required_bytes(FLAMELET_MAX_RUN_TIME_SITES, kContentBytes) > sizeof run_time_sites.content_memory)
    __builtin_trap();  // the sizes above are wrong
  run_time_sites.texts.create(run_time_sites.text_memory, kMaxTexts, FLAMELET_RUN_TIME_SITE_BYTES);
  run_time_sites.contents.create(run_time_sites.content_memory, FLAMELET_MAX_RUN_TIME_SITES, kContentBytes);
  run_time_sites.texts.intern("", 0);  // id 0: none
  run_time_sites.created = true;
}

// False: there is no room for the text.
bool intern(const char* text, uint32_t* id) {
  *id = 0;
  if (text == nullptr) return true;
  const size_t size = strlen(text);
  *id = run_time_sites.texts.intern(text, size < InternTable::kMaxSize ? size : InternTable::kMaxSize);
  return *id != InternTable::kFull;
}

const char* text_of(uint32_t id) {
  size_t size;
  return id == 0 ? nullptr : run_time_sites.texts.text(id, &size);
}

flamelet_site* create_site(const char* name, const char* function, const char* file, uint32_t line,
                           const char* category, uint32_t color) {
  if (!run_time_sites.created) create_tables();
  Content content = {0, 0, 0, 0, line, color};
  if (!intern(name, &content.name) || !intern(function, &content.function) || !intern(file, &content.file) ||
      !intern(category, &content.category))
    return nullptr;
  const uint32_t id = run_time_sites.contents.intern(&content, sizeof(content));
  if (id == InternTable::kFull) return nullptr;
  flamelet_site* site = &run_time_sites.sites[id];
  if (site->category == nullptr)  // not yet made
    *site = {0,
             text_of(content.name),
             category == nullptr ? "" : text_of(content.category),
             text_of(content.file),
             text_of(content.function),
             line,
             color};
  return site;
}

}  // namespace

bool is_run_time_site(const flamelet_site* site) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(site) - reinterpret_cast<uintptr_t>(run_time_sites.sites);
  return offset < sizeof run_time_sites.sites || site == &overflow_site;
}

uint64_t take_sites_without_room() {
  return sites_without_room.exchange_relaxed(0);
}

void forget_run_time_site_lock() {
  sites_lock.store_relaxed(0);
}

}  // namespace flamelet

using namespace flamelet;

flamelet_site* flamelet_site_create(const char* name, const char* function, const char* file, uint32_t line,
                                    const char* category, uint32_t color) {
  // acquire and release: the tables pass from one caller to the next.
  while (!sites_lock.cas_acquire(0, 1)) yield_thread();
  flamelet_site* site = create_site(name, function, file, line, category, color);
  sites_lock.store_release(0);
  if (site != nullptr) return site;
  const SessionGuard guard;
  if (guard)
    count_drop(kSitesOverflowed);
  else
    sites_without_room.fetch_add_relaxed(1);
  return &overflow_site;
}

namespace flamelet {

// ---- function name

namespace {

// Where the macro's own lambda begins, which has a parameter of its own: "f(int)::<lambda(P)>". The last one: the user's code
// may be in a lambda itself.
size_t lambda_start(const char* text, size_t size) {
  static const char kMark[] = "::<lambda(";
  const char* own = nullptr;
  for (const char* at = text; (at = strstr(at, "flamelet::SiteLambda)")) != nullptr; ++at) own = at;
  if (own == nullptr) return size;
  for (const char* at = own; at != text; --at)
    if (strncmp(at - 1, kMark, sizeof kMark - 1) == 0) return static_cast<size_t>(at - 1 - text);
  return size;
}

bool opens(char c) {
  return c == '(' || c == '<' || c == '[' || c == '{';
}
bool closes(char c) {
  return c == ')' || c == '>' || c == ']' || c == '}';
}

bool in_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// "operator()" and the like contain brackets that open nothing. `at` itself if no operator begins there.
size_t operator_end(const char* text, size_t at, size_t size) {
  constexpr size_t kWord = 8;
  if (at + kWord > size || strncmp(text + at, "operator", kWord) != 0) return at;
  size_t end = at + kWord;
  if ((at > 0 && in_word(text[at - 1])) || (end < size && in_word(text[end]))) return at;
  const size_t symbol = end < size && text[end] == ' ' ? end + 1 : end;  // MSVC: "operator ()"
  if (symbol + 1 < size && text[symbol] == '(' && text[symbol + 1] == ')') return symbol + 2;
  if (symbol < size && strchr("<>=-[]", text[symbol]) != nullptr) end = symbol;
  while (end < size && strchr("<>=-[]", text[end]) != nullptr) ++end;
  return end;
}

// Behind the bracket that closes the one at `at`; beyond `size` if none does.
size_t closing_end(const char* text, size_t at, size_t size) {
  size_t nesting = 0;
  for (; at < size; ++at) {
    if (opens(text[at])) ++nesting;
    if (closes(text[at]) && --nesting == 0) return at + 1;
  }
  return size + 1;
}

bool begins_with(const char* text, size_t at, size_t size, const char* part) {
  const size_t part_size = strlen(part);
  return at + part_size <= size && strncmp(text + at, part, part_size) == 0;
}

// Behind the bracket at `at`, if it is part of a name or a type and opens no parameter list: "(anonymous namespace)",
// "(lambda at file:1:2)", "decltype(auto)". Else `at`.
size_t name_bracket_end(const char* text, size_t at, size_t size) {
  const size_t word_end = at > 0 && text[at - 1] == ' ' ? at - 1 : at;
  constexpr size_t kDecltype = 8;
  const bool in_name = begins_with(text, at, size, "(anonymous") || begins_with(text, at, size, "(unnamed") ||
                       begins_with(text, at, size, "(lambda") ||
                       (word_end >= kDecltype && begins_with(text, word_end - kDecltype, size, "decltype"));
  const size_t end = in_name ? closing_end(text, at, size) : at;
  return end <= size ? end : at;
}

// Behind the qualifiers of a parameter list that ends in front of `at`: " const", " volatile", " noexcept", " &&".
size_t qualifiers_end(const char* text, size_t at, size_t size) {
  static const char* const kQualifiers[] = {" const", " volatile", " noexcept", " mutable", " &&", " &"};
  for (bool found = true; found;) {
    found = false;
    for (const char* qualifier : kQualifiers) {
      if (!begins_with(text, at, size, qualifier)) continue;
      at += strlen(qualifier);
      found = true;
    }
  }
  return at;
}

bool contains(const char* text, size_t size, const char* part) {
  for (size_t at = 0; at + strlen(part) <= size; ++at)
    if (begins_with(text, at, size, part)) return true;
  return false;
}

// Text in front of a function's name: "virtual bool ", "const a::b& ". A label has words there: "load ".
bool is_type(const char* text, size_t size) {
  static const char* const kTypes[] = {"void",      "bool",   "char",    "short",   "int",    "long",
                                       "float",     "double", "auto",    "signed",  "static", "const",
                                       "constexpr", "inline", "virtual", "unsigned"};
  for (size_t at = 0; at < size;) {
    size_t end = at;
    while (end < size && in_word(text[end])) ++end;
    for (const char* type : kTypes)
      if (end - at == strlen(type) && strncmp(text + at, type, end - at) == 0) return true;
    at = end + 1;
  }
  return contains(text, size, "::") || contains(text, size, "* ") || contains(text, size, "& ");
}

// The name ends where its parameter list opens, and begins behind the last space before that; both outside any bracket.
// A list with "::" behind it belongs to the function around a local class or a lambda: the name goes on there.
FunctionName find_name(const char* text, size_t size) {
  size_t begin = 0, end = size, nesting = 0;
  bool is_operator = false;  // then a space is part of the name: "operator new", "operator bool"
  bool is_inside = false;    // of a function that is named already
  for (size_t at = 0; at < size; ++at) {
    const char c = text[at];
    if (nesting == 0) {
      const size_t skip = operator_end(text, at, size);
      if (skip != at) {
        is_operator = true;
        at = skip - 1;
        continue;
      }
      if (c == ' ' && !is_operator && !is_inside) begin = at + 1;
      if (c == '(') {
        size_t behind = name_bracket_end(text, at, size);
        if (behind == at) {
          behind = qualifiers_end(text, closing_end(text, at, size), size);
          if (!begins_with(text, behind, size, "::")) {
            end = at;
            break;
          }
          is_inside = true;
          is_operator = false;
        }
        at = behind - 1;
        continue;
      }
      if (c == '[' && is_inside && at > 0 && text[at - 1] == ' ') {  // " [with T = int]" behind a lambda
        end = at - 1;
        break;
      }
    }
    if (opens(c)) ++nesting;
    if (closes(c) && nesting > 0) --nesting;
  }
  while (begin < end && (text[begin] == '*' || text[begin] == '&')) ++begin;
  if (begin >= end) return {text, size, text, size};
  return {text, size, text + begin, end - begin};
}

}  // namespace

FunctionName parse_function_name(const char* pretty) {
  return find_name(pretty, lambda_start(pretty, strlen(pretty)));
}

FunctionName parse_given_name(const char* text) {
  const size_t size = strlen(text);
  if (lambda_start(text, size) != size) return parse_function_name(text);  // a macro's
  const FunctionName function = find_name(text, size);
  const FunctionName whole = {text, size, text, size};
  const size_t begin = static_cast<size_t>(function.name - text), end = begin + function.name_size;
  if (function.name_size == 0 || end >= size || text[end] != '(') return whole;
  size_t behind = closing_end(text, end, size);
  if (behind > size) return whole;
  behind = qualifiers_end(text, behind, size);
  bool ends = behind == size;
  static const char* const kMore[] = {" [", " -> ", " requires "};
  for (const char* more : kMore) ends |= begins_with(text, behind, size, more);
  if (!ends || !(contains(function.name, function.name_size, "::") || is_type(text, begin))) return whole;
  return function;
}

}  // namespace flamelet
