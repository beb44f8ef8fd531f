// SPDX-License-Identifier: MIT
//
// The script of the squads' captains, who set the pace. A captain marches, gathers its squad or flees, and passes on
// from one to the next by tail calls; each has one turn a frame.
#pragma once

#include <string>
#include <vector>

namespace script {

// What a captain shares with the game.
enum CaptainPort : size_t {
  kPortSpread,      // in: mean square of the distances from the squad's middle, in square metres
  kPortExplosions,  // in: so far
  kPortSeen,        // the captain's own: explosions that it knows of
  kPortPace,        // out: percent of the usual one
};
const std::vector<std::string>& captain_ports();

extern const char* const kCaptainScript;  // begins with "captain", which takes no arguments

}  // namespace script
