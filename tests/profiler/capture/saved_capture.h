// SPDX-License-Identifier: MIT
//
// Captures as bytes, and a recording that has everything in it.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "profiler/record/page_builder.h"
#include "support/building.h"
#include "support/loaded.h"

namespace flamelet {

using recorder_test::Loaded;
using recorder_test::save;

// A recording of three threads, one of which runs fibers, a queue and frame marks, with losses. Deterministic.
inline void record_random(FedCapture* capture, uint32_t seed, int steps) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random()) % n; };
  StringCopies& strings = (*capture)->strings;
  for (uint32_t id = 0; id < 40; ++id) {
    const std::string text = "string " + std::to_string(id) + std::string(id, '\0');
    if (id % 7 != 3) strings.put(id, {text.data(), text.size()});
  }
  for (uint32_t id = 0; id < 30; ++id) {
    if (id % 11 != 5) (*capture)->sites.put(id, {id + 1, id % 3, 2, 3, id * 10, id});
  }
  uint64_t ticket = 1, now = 1000, frame = 7, interval = 0;
  std::vector<std::unique_ptr<PageBuilder>> tracks;
  for (uint32_t track = 1; track <= 4; ++track) tracks.push_back(std::make_unique<PageBuilder>(track, &ticket));
  PageBuilder marks(kFrameTrack, &ticket);
  std::vector<BuiltStack> parked(3);
  std::vector<size_t> fed(tracks.size() + 1);
  for (int step = 0; step < steps; ++step) {
    now += below(50);
    const size_t index = below(4);
    PageBuilder& track = *tracks[index];
    const uint32_t site = below(32);
    if (below(40) == 0) {
      const bool partial = below(9) == 0;
      marks.frame(now, frame, partial, 1, {{1, kTimeAll, now, 7, frame, 3, now}, {2, kTimeRan, now % 100, 0, 0, 0, 0}});
      ++frame;
    }
    if (index == 3) {
      const uint64_t begin = now - below(400);
      if (below(3) != 0) {
        track.span(now, site, begin, begin + below(300), ticket);
      } else {
        track.point(now, site, begin);
      }
      continue;
    }
    const size_t depth = track.stack.scopes.size();
    switch (below(index == 2 ? 12 : 11)) {
      case 0:
      case 1:
      case 2:
        if (depth < 100) track.begin(now, site, below(4) == 0 ? below(40) : 0, below(4) == 0 ? below(40) : 0);
        break;
      case 3:
      case 4:
        track.end(now);
        break;
      case 5:
        track.next(now, site);
        break;
      case 6:
        track.end_to(now, depth == 0 ? 0 : below(static_cast<uint32_t>(depth)));
        break;
      case 7:
        track.instant(now, site, below(40), below(40));
        break;
      case 8:
        track.counter(now, site, below(1000) / 8.0);
        break;
      case 9:
        interval = track.start(now, site);
        break;
      case 10:
        if (interval != 0) track.finish(now, interval);
        interval = 0;
        break;
      default: {
        const uint32_t to = (track.fiber_now() + 1) % 3;
        const BuiltStack incoming = parked[to];
        parked[track.fiber_now()] = track.stack;
        track.fiber(now, to, incoming);
      }
    }
    if (track.pages.size() > 1 && below(500) == 0) track.new_page(now);
  }
  marks.frame(now, frame);
  capture->feed(marks);
  // In the order of the tickets, some of them lost, the last ones open and one in the middle of an event.
  std::vector<const BuiltPage*> pages;
  for (const auto& track : tracks) {
    for (const auto& page : track->pages) pages.push_back(page.get());
  }
  std::sort(pages.begin(), pages.end(), [](const BuiltPage* a, const BuiltPage* b) { return a->ticket < b->ticket; });
  for (const BuiltPage* page : pages) {
    if (below(12) == 0) continue;
    const uint32_t least = 2 * page->page.header.open_count;
    capture->feed(*page, page->closed ? page->words : least + below(page->words - least + 1), page->closed);
  }
}

}  // namespace flamelet
