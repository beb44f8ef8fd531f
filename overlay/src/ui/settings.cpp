// SPDX-License-Identifier: MIT
//
// The settings as text: one `name=value` a line, so that a newer version can read an older one's text and the reverse.
#include <charconv>

#include "flamelet/overlay.h"
#include "ui/overlay_state.h"
#include "view/text_buffer.h"

namespace flamelet {

using namespace ui;

namespace {

// The number behind `name=`, if the line is about that name and the number is in the range.
template <typename T>
void take(std::string_view line, std::string_view name, T least, T most, T* value) {
  if (line.size() <= name.size() || line.substr(0, name.size()) != name || line[name.size()] != '=') return;
  int64_t number = 0;
  const char* begin = line.data() + name.size() + 1;
  const char* end = line.data() + line.size();
  const std::from_chars_result result = std::from_chars(begin, end, number);
  if (result.ec != std::errc() || result.ptr != end) return;
  if (number >= static_cast<int64_t>(least) && number <= static_cast<int64_t>(most)) *value = static_cast<T>(number);
}

}  // namespace

size_t overlay_save_settings(const Overlay* overlay, char* text, size_t capacity) {
  TextWriter writer(text, capacity);
  if (overlay == nullptr) return 0;
  const Settings& settings = overlay->settings;
  writer.add("toggle_key=").add_signed(settings.toggle_key);
  writer.add("\nbudget_ns=").add_signed(settings.budget_ns);
  writer.add("\nbar_px=").add_signed(static_cast<int64_t>(settings.bar_px));
  writer.add("\nhide_empty=").add_signed(settings.hide_empty);
  writer.add("\nshow_details=").add_signed(settings.show_details);
  writer.add("\nwhy_always=").add_signed(settings.why_always);
  writer.add("\ncritical_path=").add_signed(settings.critical_path);
  writer.add("\npause_on_kept=").add_signed(settings.pause_on_kept);
  writer.add("\npage=").add(overlay->page->name).add('\n');
  const size_t wanted = writer.wanted();
  if (wanted >= capacity) writer.clear();
  return wanted;
}

void overlay_load_settings(Overlay* overlay, const char* text, size_t size) {
  if (overlay == nullptr || text == nullptr) return;
  Settings& settings = overlay->settings;
  std::string_view rest(text, size);
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    take(line, "toggle_key", -1, 1 << 20, &settings.toggle_key);
    take<int64_t>(line, "budget_ns", 100000, 1000000000, &settings.budget_ns);
    take(line, "bar_px", 1.0f, 16.0f, &settings.bar_px);
    take(line, "hide_empty", false, true, &settings.hide_empty);
    take(line, "show_details", false, true, &settings.show_details);
    take(line, "why_always", false, true, &settings.why_always);
    take(line, "critical_path", false, true, &settings.critical_path);
    take(line, "pause_on_kept", false, true, &settings.pause_on_kept);
    if (line.substr(0, 5) == "page=") overlay->page.open(line.substr(5));
  }
}

}  // namespace flamelet
