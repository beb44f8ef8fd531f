// SPDX-License-Identifier: MIT
//
// run_time_site.cpp: sites that are made at run time, for as long as the process lives. Their text and they themselves lie
// in static memory, so that a pointer to one is as good as a pointer to a macro's: in every session, and between them.
// Each session registers a site at its first event there, as it does with any other.
#include <string.h>

#include "platform/process.h"
#include "record/intern_table.h"
#include "record/run_time_site.h"
#include "record/session.h"

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
Atomic<uint32_t> lock;
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

void forget_run_time_site_lock() {
  lock.store_relaxed(0);
}

}  // namespace flamelet

using namespace flamelet;

flamelet_site* flamelet_site_create(const char* name, const char* function, const char* file, uint32_t line,
                                    const char* category, uint32_t color) {
  // acquire and release: the tables pass from one caller to the next.
  while (!lock.cas_acquire(0, 1)) yield_thread();
  flamelet_site* site = create_site(name, function, file, line, category, color);
  lock.store_release(0);
  if (site != nullptr) return site;
  recorder.counts.add(kSitesOverflowed);
  return &overflow_site;
}
