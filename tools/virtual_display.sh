# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# To be sourced. ensure_display [OPTION OF XVFB...]: does nothing where there is a display; else starts an Xvfb of its own
# on a display number that Xvfb finds free, sets DISPLAY, and ends that Xvfb when the script exits. It replaces an EXIT
# trap.

ensure_display() {
  [[ -z ${DISPLAY:-} ]] || return 0
  command -v Xvfb >/dev/null || { echo "There is no display, and no Xvfb to make one (Debian: xvfb)." >&2 && return 1; }

  # exec: the co-process is Xvfb itself, so its id is the one to end. Xvfb writes its display number to descriptor 1.
  # -r: a key that a test holds for long, because the machine is busy, is not repeated.
  coproc virtual_display { exec Xvfb -displayfd 1 -screen 0 1280x720x24 -r -nolisten tcp -noreset "$@" 2>/dev/null; }
  # shellcheck disable=SC2154 # coproc sets it, and unsets it when Xvfb ends
  xvfb_id=$virtual_display_PID
  trap 'kill "$xvfb_id" 2>/dev/null && wait "$xvfb_id" || true' EXIT
  local number
  if ! read -r -t 30 number <&"${virtual_display[0]}"; then
    echo "Xvfb did not start." >&2
    return 1
  fi
  export DISPLAY=:$number
}
