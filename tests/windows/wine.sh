# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# To be sourced. start_wine BUILD [OPTION OF XVFB...]: gives the script a display and a wine of its own, in the folder
# `wine` beside BUILD, and ends both when the script exits. It replaces an EXIT trap. `there PROGRAM ARGUMENTS...` runs a
# program of Windows, for ten minutes at the most.

# shellcheck source=../../tools/virtual_display.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../tools/virtual_display.sh"

start_wine() {
  WINEPREFIX=${WINEPREFIX:-$(realpath -m "$1/../wine")}
  export WINEPREFIX WINEDEBUG=-all LIBGL_ALWAYS_SOFTWARE=1
  export WINEDLLOVERRIDES='winedbg.exe,mscoree,mshtml=d' # whose windows wait for a click
  wineserver --kill || true                              # one that was left here by a script that was killed
  unset DISPLAY
  ensure_display "${@:2}" # before wine: it remembers whether there was one
  trap end_wine EXIT
  [[ -e $WINEPREFIX/system.reg ]] || there wineboot --init
}

end_wine() {
  wineserver --kill || true
  [[ -z ${xvfb_id:-} ]] || { kill "$xvfb_id" && wait "$xvfb_id"; } 2>/dev/null || true
}

there() { timeout --kill-after=10 600 wine "$@"; }
