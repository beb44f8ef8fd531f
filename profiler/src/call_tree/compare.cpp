// SPDX-License-Identifier: MIT
#include "flamelet/compare.h"

#include <string.h>

#include <new>

#include "platform/engine_memory.h"
#include "platform/hash_index.h"

using namespace flamelet;

namespace {

constexpr uint32_t kCompareCookie = 0xF1A3C0DE;
constexpr uint32_t kNoPlace = UINT32_MAX;

struct Path {
  uint32_t parent;
  uint32_t text;  // where its name begins
  flamelet_compare_figures side[2];
};

// What a query of a tree tells: names are asked for when it is over.
struct Visited {
  uint32_t id, parent;  // the parent is an index in the same list
  uint32_t path;        // to which it was joined, kNoPlace
  uint64_t calls, self, total;
};

uint32_t hash_of_child(uint32_t parent, uint32_t text) {
  return hash_of_key(uint64_t{parent} << 32 | text);
}

}  // namespace

struct flamelet_compare {
  flamelet_compare_config config;
  Path* paths;
  uint32_t path_count;
  HashIndex children;  // paths, by parent and name
  char* text;
  uint32_t text_size;
  HashIndex names;  // of each path whose name no earlier path has
  Visited* visited;
  uint32_t visited_count;
  uint32_t* open;  // the visited node at each depth, kNoPlace where it had no room
  uint64_t left_out;
};

namespace {

bool is_valid(const flamelet_compare_config* config) {
  constexpr uint32_t kMost = 1u << 26;
  return config != nullptr && config->cookie == kCompareCookie && config->max_paths >= 2 &&
         config->max_paths <= kMost && config->max_text >= 1 && config->max_text <= 1u << 30;
}

constexpr size_t kCompareAlignment = alignof(flamelet_compare);

size_t lay_out(const flamelet_compare_config& config, char* base, flamelet_compare** compare) {
  Carver carver(base);
  auto* at = carver.take<flamelet_compare>(1);
  flamelet_compare measured = {};
  flamelet_compare& made = base == nullptr ? measured : *new (at) flamelet_compare();
  made.config = config;
  made.paths = carver.take<Path>(config.max_paths);
  made.visited = carver.take<Visited>(config.max_paths);
  made.open = carver.take<uint32_t>(config.max_paths);
  const uint32_t slot_count = HashIndex::slots_for(config.max_paths);
  auto* children = carver.take<uint32_t>(slot_count);
  auto* names = carver.take<uint32_t>(slot_count);
  made.text = carver.take<char>(config.max_text);
  if (base != nullptr) {
    made.children.attach(children, slot_count);
    made.names.attach(names, slot_count);
    *compare = &made;
  }
  return carver.used();
}

// Where the name begins in the text, kNoPlace if there is no room for it. `*is_new` if it was added.
uint32_t text_of(flamelet_compare* compare, const char* name, bool* is_new) {
  const size_t size = strlen(name) + 1;
  const uint32_t found = compare->names.find(hash_of_text(name, size), [&](uint32_t path) {
    return strcmp(compare->text + compare->paths[path].text, name) == 0;
  });
  *is_new = found == HashIndex::kNone;
  if (!*is_new) return compare->paths[found].text;
  if (size > compare->config.max_text - compare->text_size) return kNoPlace;
  memcpy(compare->text + compare->text_size, name, size);
  return compare->text_size;
}

// kNoPlace if there is no room for it.
uint32_t child_of(flamelet_compare* compare, uint32_t parent, const char* name) {
  bool is_new = false;
  const uint32_t text = text_of(compare, name, &is_new);
  if (text == kNoPlace) return kNoPlace;
  const uint32_t hash = hash_of_child(parent, text);
  if (!is_new) {
    const uint32_t found = compare->children.find(hash, [&](uint32_t path) {
      return compare->paths[path].parent == parent && compare->paths[path].text == text;
    });
    if (found != HashIndex::kNone) return found;
  }
  if (compare->path_count == compare->config.max_paths) return kNoPlace;
  const uint32_t path = compare->path_count++;
  compare->paths[path] = {parent, text, {}};
  compare->children.add(hash, path);
  if (is_new) {
    const size_t size = strlen(name) + 1;
    compare->names.add(hash_of_text(name, size), path);
    compare->text_size += static_cast<uint32_t>(size);
  }
  return path;
}

bool visit(void* user, const flamelet_call_path* path) {
  flamelet_compare* compare = static_cast<flamelet_compare*>(user);
  // Nobody keeps what was called from a path without room.
  const uint32_t parent = path->depth == 0 ? kNoPlace : compare->open[path->depth - 1];
  const bool has_caller = path->depth == 0 || parent != kNoPlace;
  const bool has_room =
      has_caller && path->depth < compare->config.max_paths && compare->visited_count < compare->config.max_paths;
  if (path->depth < compare->config.max_paths)
    compare->open[path->depth] = has_room ? compare->visited_count : kNoPlace;
  if (!has_room) {
    ++compare->left_out;
    return true;
  }
  compare->visited[compare->visited_count++] = {path->depth == 0 ? FLAMELET_CALL_ROOT : path->ids[path->depth - 1],
                                                path->depth == 0 ? 0 : parent,
                                                0,
                                                path->calls,
                                                path->self_samples,
                                                path->total_samples};
  return true;
}

// A scope inside itself counts once in its total. By path, there is no other of the same path above it.
bool is_outermost(const flamelet_compare* compare, uint32_t visited) {
  if (!compare->config.by_scope) return true;
  const uint32_t path = compare->visited[visited].path;
  for (uint32_t at = compare->visited[visited].parent; at != 0; at = compare->visited[at].parent)
    if (compare->visited[at].path == path) return false;
  return true;
}

}  // namespace

flamelet_compare_config flamelet_compare_config_default(void) {
  flamelet_compare_config config = {};
  config.cookie = kCompareCookie;
  config.max_paths = 16384;
  config.max_text = 524288;
  return config;
}

size_t flamelet_compare_memory_required(const flamelet_compare_config* config) {
  return is_valid(config) ? lay_out(*config, nullptr, nullptr) + kCompareAlignment - 1 : 0;
}

flamelet_result flamelet_compare_create(const flamelet_compare_config* config, void* memory, size_t memory_bytes,
                                        flamelet_compare** compare) {
  const flamelet_result checked = check_memory(flamelet_compare_memory_required(config), memory, memory_bytes, compare);
  if (checked != FLAMELET_OK) return checked;
  lay_out(*config, aligned_start(memory, kCompareAlignment), compare);
  flamelet_compare_clear(*compare);
  return FLAMELET_OK;
}

void flamelet_compare_clear(flamelet_compare* compare) {
  if (compare == nullptr) return;
  compare->children.clear();
  compare->names.clear();
  compare->paths[0] = {};
  compare->path_count = 1;
  compare->text[0] = 0;  // the root's name
  compare->text_size = 1;
  compare->left_out = 0;
}

void flamelet_compare_add(flamelet_compare* compare, uint32_t side, flamelet_call_tree* calls, double divisor) {
  if (compare == nullptr || calls == nullptr || side > 1 || !(divisor > 0)) return;
  compare->visited_count = 0;
  flamelet_call_tree_query(calls, 0, visit, compare);
  for (uint32_t i = 0; i < compare->visited_count; ++i) {
    Visited& from = compare->visited[i];
    const uint32_t parent = i == 0 || compare->config.by_scope ? 0 : compare->visited[from.parent].path;
    const bool has_caller = i == 0 || compare->visited[from.parent].path != kNoPlace;
    from.path = i == 0        ? 0
                : !has_caller ? kNoPlace
                              : child_of(compare, parent, flamelet_call_tree_name(calls, from.id));
    if (from.path == kNoPlace) {
      ++compare->left_out;
      continue;
    }
    flamelet_compare_figures& figures = compare->paths[from.path].side[side];
    figures.is_there = true;
    if (is_outermost(compare, i)) figures.total += static_cast<double>(from.total) / divisor;
    figures.self += static_cast<double>(from.self) / divisor;
    figures.calls += static_cast<double>(from.calls) / divisor;
  }
}

size_t flamelet_compare_count(const flamelet_compare* compare) {
  return compare != nullptr ? compare->path_count : 0;
}

bool flamelet_compare_path(const flamelet_compare* compare, size_t path, flamelet_compared_path* info) {
  if (compare == nullptr || info == nullptr || path >= compare->path_count) return false;
  const Path& from = compare->paths[path];
  *info = {from.parent, compare->text + from.text, {from.side[0], from.side[1]}};
  return true;
}

uint64_t flamelet_compare_left_out(const flamelet_compare* compare) {
  return compare != nullptr ? compare->left_out : 0;
}
