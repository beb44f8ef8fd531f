// SPDX-License-Identifier: MIT
//
// instants.cpp: texts of zones, messages, plots, and the names of threads.
#include <stdio.h>
#include <string.h>

#include "flamelet_shim/calls.h"
#include "platform/thread_local.h"
#include "spin_lock.h"

namespace flamelet {
namespace {

constexpr const char* kZoneCategory = "zone";
constexpr const char* kMessageCategory = "message";
flamelet_site text_site = {0, "text", kZoneCategory, "", "", 0, 0};
flamelet_site name_site = {0, "name", kZoneCategory, "", "", 0, 0};
flamelet_site value_site = {0, "value", kZoneCategory, "", "", 0, 0};
flamelet_site app_info_site = {0, "app info", kMessageCategory, "", "", 0, 0};

constexpr const char* kSeverities[] = {"trace", "debug", "message", "warning", "error", "fatal"};
flamelet_site message_sites[] = {
    {0, kSeverities[0], kMessageCategory, "", "", 0, 0}, {0, kSeverities[1], kMessageCategory, "", "", 0, 0},
    {0, kSeverities[2], kMessageCategory, "", "", 0, 0}, {0, kSeverities[3], kMessageCategory, "", "", 0, 0},
    {0, kSeverities[4], kMessageCategory, "", "", 0, 0}, {0, kSeverities[5], kMessageCategory, "", "", 0, 0},
};

// Sites of messages that have a colour, in the order in which they were met.
constexpr uint32_t kMaxColored = 256;
struct ColoredSites {
  Atomic<uint32_t> lock;   // of who adds
  Atomic<uint32_t> count;  // sites below it are whole
  struct {
    int severity;
    flamelet_site* site;
  } all[kMaxColored];
};
ColoredSites colored = {};

FLAMELET_THREAD_LOCAL_ char this_thread_name[64];

void instant(flamelet_site* site, const char* text, size_t size) {
  if (!flamelet_is_off_()) flamelet_site_instant_(site, flamelet_intern_bytes(text, size));
}

flamelet_site* find_colored(int severity, uint32_t color, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (colored.all[i].site->color == color && colored.all[i].severity == severity) return colored.all[i].site;
  return nullptr;
}

flamelet_site* message_site(int severity, uint32_t color) {
  if (color == 0) return &message_sites[severity];
  flamelet_site* site = find_colored(severity, color, colored.count.load_acquire());  // pairs with the release below
  if (site != nullptr) return site;
  const SpinGuard guard(colored.lock);
  const uint32_t count = colored.count.load_relaxed();
  site = find_colored(severity, color, count);
  if (site != nullptr) return site;
  if (count < kMaxColored) site = flamelet_site_create(kSeverities[severity], "", "", 0, kMessageCategory, color);
  if (site == nullptr || site->color != color) {
    flamelet_shim_note_(FLAMELET_SHIM_NOTE_COLORS_);
    return &message_sites[severity];
  }
  colored.all[count].severity = severity;
  colored.all[count].site = site;
  colored.count.store_release(count + 1);
  return site;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

void flamelet_shim_zone_text(flamelet_id zone, const char* text, size_t size) {
  if (zone != 0) instant(&text_site, text, size);
}

void flamelet_shim_zone_name(flamelet_id zone, const char* text, size_t size) {
  if (zone != 0) instant(&name_site, text, size);
}

void flamelet_shim_zone_value(flamelet_id zone, uint64_t value) {
  if (zone == 0) return;
  char text[32];
  const int size = snprintf(text, sizeof(text), "%llu", static_cast<unsigned long long>(value));
  instant(&value_site, text, static_cast<size_t>(size));
}

void flamelet_shim_plot(const char* name, double value) {
  if (!flamelet_is_off_()) flamelet_counter(name, "plot", value);
}

void flamelet_shim_message(int severity, uint32_t color, const char* text, size_t size) {
  if (flamelet_is_off_()) return;
  if (severity < 0 || severity > 5) severity = 2;
  instant(message_site(severity, color & 0xFFFFFFu), text, size);
}

void flamelet_shim_app_info(const char* text, size_t size) {
  instant(&app_info_site, text, size);
}

void flamelet_shim_tag(const char* name, const char* text, size_t size) {
  if (!flamelet_is_off_()) flamelet_instant(name, "tag", flamelet_intern_bytes(text, size));
}

void flamelet_shim_thread_name(const char* name, int32_t group_hint) {
  if (group_hint != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_GROUP_HINT_);
  if (name == nullptr) return;
  const size_t size = strlen(name), fits = size < sizeof(this_thread_name) ? size : sizeof(this_thread_name) - 1;
  memcpy(this_thread_name, name, fits);
  this_thread_name[fits] = 0;
  flamelet_set_thread_name(name);
}

const char* flamelet_shim_this_thread_name(void) {
  return this_thread_name;
}
