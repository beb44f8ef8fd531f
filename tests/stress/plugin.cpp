// SPDX-License-Identifier: MIT
//
// A plug-in that records in every way that has names. PLUGIN_NAME is a literal of its own in each build.
#include "flamelet/api.h"
#include "flamelet/scope.h"

extern "C" __attribute__((visibility("default"))) void plugin_work(const flamelet_api* api);

void plugin_work(const flamelet_api* api) {
  FLAMELET_SCOPE(PLUGIN_NAME " macro");
  FLAMELET_SCOPE_OBJECT("object", PLUGIN_NAME " object");
  FLAMELET_INSTANT(PLUGIN_NAME " instant");
  flamelet_end(flamelet_begin(PLUGIN_NAME " call", PLUGIN_NAME " category", nullptr));
  if (api == nullptr) return;
  const flamelet_id id = api->begin(PLUGIN_NAME " table", "", nullptr);
  api->end(id);
}
