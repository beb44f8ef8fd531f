// SPDX-License-Identifier: MIT
#include "capture_input.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "command.h"
#include "display_text.h"

namespace flamelet::tools {
namespace {

std::string shown_name(const std::string& path) {
  return path == "-" ? "standard input" : printable(path);
}

void append(std::string* text, uint64_t count, const char* one, const char* many) {
  if (count == 0) return;
  if (!text->empty()) *text += ", ";
  *text += std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

void add_input_options(Command* command, InputOptions* options, const std::string& help) {
  command->positional("FILE", &options->file, help);
  command->flag("--strict", &options->strict, "Exit with 3 if the file is damaged");
}

bool is_capture(std::string_view head) {
  constexpr std::string_view kBegin(
      "\x89"
      "FLCAP\r\n",
      8);  // docs/capture_format.md
  return head.substr(0, kBegin.size()) == kBegin;
}

std::string damage_text(const flamelet_load_report& report) {
  std::string text;
  if (report.truncated) text = "it ends too early";
  append(&text, report.chunks_damaged, "damaged chunk", "damaged chunks");
  append(&text, report.chunks_unknown, "chunk of a newer version", "chunks of a newer version");
  append(&text, report.pages_refused, "refused page", "refused pages");
  append(&text, report.entries_refused, "refused table entry", "refused table entries");
  append(&text, report.duplicates, "double table entry", "double table entries");
  return text;
}

CaptureInput::CaptureInput(const InputOptions& options) : name_(shown_name(options.file)) {
  InputFile file(options.file);
  open(options, &file);
}

CaptureInput::CaptureInput(const InputOptions& options, InputFile* file) : name_(shown_name(options.file)) {
  open(options, file);
}

void CaptureInput::open(const InputOptions& options, InputFile* file) {
  if (file->head().empty()) throw CommandError(kExitNothing, name_ + " is empty");
  if (!is_capture(file->head())) throw CommandError(kExitInput, name_ + " is not a capture");
  flamelet_capture* capture = nullptr;
  flamelet_result result;
  if (file->is_regular()) {
    result = flamelet_capture_load(nullptr, options.file.c_str(), &capture, &report_);
  } else {
    std::string bytes;  // a pipe cannot be read twice
    file->read([&](std::string_view piece) { bytes += piece; });
    result = flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &capture, &report_);
  }
  if (result != FLAMELET_OK) {
    const std::string reason = result == FLAMELET_ERROR_FILE_READ || result == FLAMELET_ERROR_FILE_OPEN
                                   ? std::strerror(errno)
                                   : flamelet_result_message(result);
    throw CommandError(kExitInput, "cannot read " + name_ + ": " + reason);
  }
  capture_.reset(capture);
  const std::string damage = damage_text(report_);
  if (damage.empty()) return;
  if (options.strict) throw CommandError(kExitInput, name_ + " is damaged: " + damage);
  std::fprintf(stderr, "%s is damaged (%s); the rest of it is shown\n", name_.c_str(), damage.c_str());
}

}  // namespace flamelet::tools
