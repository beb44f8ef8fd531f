# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# To be sourced by play_overlay, which has started the demo: its keys and mouse, its state, its pictures.

# signal_demo SIGNAL KEY
signal_demo() {
  if ((${#run[@]})); then xdotool key "$2"; else kill "-$1" "$demo_id"; fi
}

# ask: takes a fresh state dump. It is written before a frame is built, so it shows the input of the frame before.
ask() {
  rm -f "$state"
  signal_demo USR1 F9
  wait_for_file "$state"
}
# frames N: returns when N frames have been drawn.
frames() {
  local i
  for ((i = 0; i < $1 + 1; ++i)); do ask; done
}
# field NAME: from the last dump, without quotes.
field() { sed -n "s/^ *\"$1\": \"\{0,1\}\(.*[^\",]\)\{0,1\}\"\{0,1\},\{0,1\}$/\1/p" "$state"; }
# calculate EXPRESSION: true if awk says so.
calculate() { awk "BEGIN { exit !($1) }"; }

# until_is NAME VALUE, until_not NAME VALUE: asks until a field has the value, or another one.
until_is() {
  local end=$((SECONDS + deadline_s))
  ask
  until [[ $(field "$1") == "$2" ]]; do
    ((SECONDS < end)) || fail "$1 is '$(field "$1")', not '$2'"
    ask
  done
}
until_not() {
  local end=$((SECONDS + deadline_s))
  ask
  while [[ $(field "$1") == "$2" ]]; do
    ((SECONDS < end)) || fail "$1 is still '$2'"
    ask
  done
}

# A key that goes down and up between two frames is lost to Dear ImGui before 1.87.
press() {
  xdotool keydown "$1"
  frames 2
  xdotool keyup "$1"
  frames 1
}
move() {
  xdotool mousemove --window "$window" "$1" "$2"
  frames 2
}
click() {
  xdotool mousedown 1
  frames 1
  xdotool mouseup 1
  frames 2
}
view_width() { awk "BEGIN { printf \"%.0f\", $(field view_end_ns) - $(field view_begin_ns) }"; }
# time_at X: under that pixel of the lanes, in nanoseconds since the begin of the recording.
time_at() {
  local share="($1 - $(field canvas_left_px)) / $(field canvas_width_px)"
  awk "BEGIN { printf \"%.0f\", $(field view_begin_ns) + $share * $(view_width) }"
}
# take NAME: keeps a picture.
take() {
  rm -f "$picture"
  signal_demo USR2 F10
  wait_for_file "$picture"
  mv "$picture" "$folder/$1.png"
  # One colour all over would be some 3 KB.
  (($(stat --format %s "$folder/$1.png") > 30000)) || fail "the picture $1 is empty"
}
same() { cmp --silent "$folder/$1.png" "$folder/$2.png"; }
# png_width NAME
png_width() { echo $((0x$(od --address-radix=n --skip-bytes=16 --read-bytes=4 --format=x1 "$folder/$1.png" | tr -d ' '))); }
