// SPDX-License-Identifier: MIT
//
// parity.h: a script whose functions call each other in turns, also by tail calls.
#pragma once

inline const char* const kParity = R"(
function main 1
  argument 0  call is_even  return
function main_by_tail_calls 1
  argument 0  tail_call even_by_tail_calls

function is_even 1
  argument 0  jump_if_zero yes
  argument 0  push 1  subtract  call is_odd  return
yes:
  push 1  return
function is_odd 1
  argument 0  jump_if_zero no
  argument 0  push 1  subtract  call is_even  return
no:
  push 0  return

function even_by_tail_calls 1
  argument 0  jump_if_zero yes
  argument 0  push 1  subtract  tail_call odd_by_tail_calls
yes:
  push 1  return
function odd_by_tail_calls 1
  argument 0  jump_if_zero no
  argument 0  push 1  subtract  tail_call even_by_tail_calls
no:
  push 0  return
)";
