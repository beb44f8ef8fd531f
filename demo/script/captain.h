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
inline const std::vector<std::string>& captain_ports() {
  static const std::vector<std::string> ports = {"spread", "explosions", "seen", "pace"};
  return ports;
}

// The script begins with "captain", which takes no arguments.
//
// Gathering and fleeing go back to marching, never to each other. Among the paths of such a star with two rays that
// repeat nothing, none is long; so the call tree stays small, however long the captain lives.
inline constexpr const char* kCaptainScript = R"(
function captain 0
  tail_call march

function march 0
  push 100  write pace  wait
  call alarmed  jump_if_zero calm
  push 90  tail_call flee
calm:
  read spread  call root  push 25  less  jump_if_zero scattered
  tail_call march
scattered:
  push 30  tail_call gather

function gather 1                       # turns left: those ahead walk slowly
  push 75  write pace  wait
  call alarmed  jump_if_zero calm
  tail_call march
calm:
  argument 0  jump_if_zero over
  argument 0  push 1  subtract  tail_call gather
over:
  tail_call march

function flee 1                         # turns left: faster at every other one
  argument 0  call is_even  push 40  multiply  push 110  add  write pace  wait
  argument 0  jump_if_zero over
  argument 0  push 1  subtract  tail_call flee
over:
  tail_call march

function alarmed 0                      # whether there is an explosion that the captain has not seen
  read explosions  read seen  subtract  jump_if_zero no
  read explosions  write seen
  push 1  return
no:
  push 0  return

function root 1                         # square root, rounded down
  argument 0  jump_if_zero zero
  argument 0  argument 0  push 0  tail_call newton
zero:
  push 0  return

function newton 3                       # of n: x is too large, or right; room for a better one
  argument 0  argument 1  divide  argument 1  add  push 2  divide  set 2
  argument 2  argument 1  less  jump_if_zero found
  argument 0  argument 2  push 0  tail_call newton
found:
  argument 1  return

function is_even 1                      # the slow way, to have some recursion
  argument 0  jump_if_zero yes
  argument 0  push 1  subtract  call is_odd  return
yes:
  push 1  return

function is_odd 1
  argument 0  jump_if_zero no
  argument 0  push 1  subtract  call is_even  return
no:
  push 0  return
)";

}  // namespace script
