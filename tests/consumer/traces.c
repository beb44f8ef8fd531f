// SPDX-License-Identifier: MIT
//
// A program in plain C11 that writes a trace for other tools and reads it back. Exits with 0 if it has what was recorded.
#include <flamelet/capture.h>
#include <flamelet/export.h>
#include <flamelet/flamelet.h>
#include <flamelet/import.h>

#include <stdio.h>

static int check(const char* what, flamelet_result result) {
  if (result != FLAMELET_OK) fprintf(stderr, "%s: %s\n", what, flamelet_result_message(result));
  return result == FLAMELET_OK;
}

int main(int argument_count, char** arguments) {
  if (argument_count != 2) return 2;
  const flamelet_config config = flamelet_config_default();
  if (!check("init", flamelet_init(&config))) return 1;
  flamelet_end(flamelet_begin("physics", "game", NULL));
  flamelet_frame();

  const flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture *recorded = NULL, *read = NULL;
  flamelet_import_report report;
  if (!check("capture", flamelet_capture_create(&capture_config, &recorded))) return 1;
  if (!check("update", flamelet_capture_update(recorded))) return 1;
  if (!check("export", flamelet_export_file(recorded, FLAMELET_EXPORT_CHROME, NULL, arguments[1], NULL))) return 1;
  if (!check("import", flamelet_import_file(NULL, arguments[1], &read, &report))) return 1;
  const int is_same = report.spans == 1 && flamelet_capture_lane_count(read) == flamelet_capture_lane_count(recorded);
  flamelet_capture_destroy(read);
  flamelet_capture_destroy(recorded);
  flamelet_shutdown();
  if (!is_same) fprintf(stderr, "the trace has %llu spans\n", (unsigned long long)report.spans);
  return is_same ? 0 : 1;
}
