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

bool is_trace(std::string_view head) {
  if (head.substr(0, 2) == "\x1f\x8b") return true;
  if (head.substr(0, 1) == "\x0a" && head.size() > 1 && head[1] != '\n') return true;  // Perfetto's first packet
  if (head.substr(0, 3) == "\xef\xbb\xbf") head.remove_prefix(3);
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
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
  if (is_capture(file->head()))
    load(options, file);
  else if (is_trace(file->head()))
    import(file);
  else
    throw CommandError(kExitInput, name_ + " is neither a capture nor a trace of a known kind");
  if (damage_.empty()) return;
  if (options.strict) throw CommandError(kExitInput, name_ + " is damaged: " + damage_);
  std::fprintf(stderr, "%s is damaged (%s); the rest of it is shown\n", name_.c_str(), damage_.c_str());
}

void CaptureInput::load(const InputOptions& options, InputFile* file) {
  flamelet_capture* capture = nullptr;
  flamelet_result result;
  if (file->is_regular()) {
    result = flamelet_capture_load(nullptr, options.file.c_str(), &capture, &load_report_);
  } else {
    std::string bytes;  // a pipe cannot be read twice
    file->read([&](std::string_view piece) { bytes += piece; });
    result = flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &capture, &load_report_);
  }
  if (result != FLAMELET_OK) {
    const std::string reason = result == FLAMELET_ERROR_FILE_READ || result == FLAMELET_ERROR_FILE_OPEN
                                   ? std::strerror(errno)
                                   : flamelet_result_message(result);
    throw CommandError(kExitInput, "cannot read " + name_ + ": " + reason);
  }
  capture_.reset(capture);
  format_ = "Flamelet capture, version " + std::to_string(load_report_.format_version) + ", " +
            bytes_text(load_report_.file_bytes);
  if (load_report_.truncated) damage_ = "it ends too early";
  append(&damage_, load_report_.chunks_damaged, "damaged chunk", "damaged chunks");
  append(&damage_, load_report_.chunks_unknown, "chunk of a newer version", "chunks of a newer version");
  append(&damage_, load_report_.pages_refused, "refused page", "refused pages");
  append(&damage_, load_report_.entries_refused, "refused table entry", "refused table entries");
  append(&damage_, load_report_.duplicates, "double table entry", "double table entries");
}

void CaptureInput::import(InputFile* file) {
  is_import_ = true;
  struct Source {
    InputFile* file;
    ByteProgress progress;
    int error;
  } source = {file, ByteProgress("reading " + name_), 0};
  const auto read = [](void* user, void* to, size_t size, size_t* count) {
    Source& self = *static_cast<Source*>(user);
    const bool good = self.file->pull(static_cast<char*>(to), size, count);
    if (!good) self.error = errno;
    if (good) self.progress.add(*count);
    return good;
  };
  flamelet_capture* capture = nullptr;
  const flamelet_result result = flamelet_import({read, &source}, nullptr, &capture, &import_report_);
  capture_.reset(capture);
  const flamelet_import_report& report = import_report_;
  if (result != FLAMELET_OK) {
    const std::string reason = source.error != 0           ? std::strerror(source.error)
                               : report.message[0] != '\0' ? printable(report.message)
                                                           : flamelet_result_message(result);
    throw CommandError(kExitInput, "cannot read " + name_ + ": " + reason);
  }
  format_ = std::string(report.format == FLAMELET_IMPORT_PERFETTO ? "Perfetto trace, " : "Chrome trace, ") +
            bytes_text(report.bytes) + (report.gzip ? " in gzip" : "");
  if (report.truncated) damage_ = "it ends too early";
  append(&damage_, report.events_damaged, "damaged event", "damaged events");
  append(&damage_, report.events_over_limits, "event beyond the limits", "events beyond the limits");
  append(&damage_, report.events_evicted, "event without room", "events without room");
}

}  // namespace flamelet::tools
