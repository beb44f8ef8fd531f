# SPDX-License-Identifier: MIT
#
# cmake -DPROGRAM=... -DSEEDS=<folder> -DFOUND=<folder> -DSECONDS=... -DBYTES=<longest input> -P fuzz.cmake:
# fuzzes one target from its seeds and from what earlier runs found. An input that fails is kept beside FOUND; give its
# name to the program to see it fail again.
if(DEFINED ENV{FLAMELET_FUZZ_SECONDS})
  set(SECONDS $ENV{FLAMELET_FUZZ_SECONDS})
endif()
file(MAKE_DIRECTORY ${FOUND})
execute_process(
  COMMAND ${PROGRAM} -max_total_time=${SECONDS} -timeout=20 -rss_limit_mb=2048 -max_len=${BYTES} -entropic=0 -print_final_stats=1
    -artifact_prefix=${FOUND}- ${FOUND} ${SEEDS}
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM}: ${result}")
endif()
