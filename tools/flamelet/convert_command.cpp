// SPDX-License-Identifier: MIT
//
// convert_command.cpp: `flamelet convert`: recorded data in the formats of other tools (docs/formats.md), or as a capture.
#include <flamelet/export.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "files.h"
#include "html_page.h"

namespace flamelet::tools {
namespace {

struct ConvertOptions {
  InputOptions input;
  WindowOptions window;
  std::string output, named_output;
  std::string format;        // "": by the output's name
  std::string process_name;  // "": by the input's name
  bool gzip = false;
};

struct Target {
  bool is_capture = false;
  bool is_page = false;
  flamelet_export_format format = FLAMELET_EXPORT_CHROME;
  bool gzip = false;
};

constexpr const char *kCaptureEnd = ".flamelet", *kPageEnd = ".html";

std::vector<std::string> format_names() {
  std::vector<std::string> names = {"capture", "html"};
  for (int format = 0; flamelet_export_format_get_info(format) != nullptr; ++format)
    names.push_back(flamelet_export_format_get_info(format)->name);
  return names;
}

// "  .json .trace.json    chrome       DevTools, ui.perfetto.dev, speedscope, Tracy"
std::string format_line(const std::string& ends, const std::string& name, const std::string& readers) {
  return "  " + left(ends, 21) + left(name, 13) + readers + "\n";
}

std::string format_table() {
  std::string table = format_line(kCaptureEnd, "capture", "this tool, the overlay");
  table += format_line(kPageEnd, "html", "every browser: the capture, and a viewer");
  for (int format = 0; flamelet_export_format_get_info(format) != nullptr; ++format) {
    const flamelet_export_format_info& info = *flamelet_export_format_get_info(format);
    const std::string second = info.name_ends[1] == nullptr ? "" : std::string(" ") + info.name_ends[1];
    table += format_line(info.name_ends[0] + second, info.name,
                         std::string(info.readers) + (info.always_gzip ? " (gzipped)" : ""));
  }
  return table;
}

// A capture does not know its program's name, so the name of its file stands for it: up to the first dot. "": unknown.
std::string process_name_of(const ConvertOptions& options) {
  if (!options.process_name.empty()) return options.process_name;
  const std::string file = utf8_of(std::filesystem::u8path(options.input.file).filename());
  return file == "-" ? "" : file.substr(0, file.find('.'));
}

std::string without_gz(const std::string& name, bool* gzip) {
  *gzip = ends_with(name, ".gz");
  return *gzip ? name.substr(0, name.size() - 3) : name;
}

Target target_of(const ConvertOptions& options) {
  Target target;
  if (!options.format.empty()) {
    target.is_capture = options.format == "capture";
    target.is_page = options.format == "html";
    for (int format = 0; flamelet_export_format_get_info(format) != nullptr; ++format)
      if (options.format == flamelet_export_format_get_info(format)->name)
        target.format = static_cast<flamelet_export_format>(format);
    target.gzip = options.gzip || ends_with(options.output, ".gz");
  } else if (const std::string name = without_gz(options.output, &target.gzip); ends_with(name, kCaptureEnd)) {
    target.is_capture = true;
  } else if (ends_with(name, kPageEnd)) {
    target.is_page = true;
  } else if (!flamelet_export_format_of_path(options.output.c_str(), &target.format, &target.gzip)) {
    throw CommandError(kExitUsage,
                       "the name " + printable(options.output) +
                           " says no format: --format names one, and flamelet convert --help lists the ends "
                           "of names");
  }
  target.gzip = target.gzip || options.gzip;
  if (target.is_capture) check_capture_name(options.output);
  if (target.is_capture && target.gzip) throw CommandError(kExitUsage, "captures are not compressed: leave --gzip out");
  if (target.is_page && target.gzip)
    throw CommandError(kExitUsage, "in an HTML file the capture is compressed already: leave .gz and --gzip out");
  if (!options.process_name.empty() &&
      (target.is_capture || target.is_page || target.format == FLAMELET_EXPORT_SPEEDSCOPE ||
       target.format == FLAMELET_EXPORT_COLLAPSED))
    throw CommandError(kExitUsage, "--process-name is nothing here: only Chrome, Perfetto and pprof have processes");
  if (target.is_page && html_page().empty())
    throw CommandError(kExitOutput,
                       "cannot write " + printable(options.output) +
                           ": this flamelet was built without its page, which comes with a source archive of a "
                           "release, or Emscripten builds it (docs/platforms.md, \"The browser\")");
  return target;
}

// Where pieces go, and how much of it there was.
struct Sink {
  OutputFile file;
  Progress progress;
  uint64_t bytes = 0;

  static bool write(void* user, const void* data, size_t size) {
    Sink& sink = *static_cast<Sink*>(user);
    if (!sink.file.write({static_cast<const char*>(data), size})) return false;
    sink.bytes += size;
    sink.progress.add(size);
    return true;
  }
};

flamelet_result save_page(const CaptureInput& input, const Window& window, const std::string& file, flamelet_sink to) {
  const std::string name = utf8_of(std::filesystem::u8path(file).filename());
  HtmlPageWriter page(name == "-" ? "capture.flamelet" : name, to);
  if (!page.begin()) return FLAMELET_ERROR_FILE_WRITE;
  const flamelet_result result = flamelet_capture_save_to(input.get(), window.begin_ns, window.end_ns, page.sink());
  return result != FLAMELET_OK || page.finish() ? result : FLAMELET_ERROR_FILE_WRITE;
}

int run(const ConvertOptions& options) {
  const Target target = target_of(options);
  const CaptureInput input(options.input);
  Window window = window_of(input, options.window);
  if (window.begin_ns == window.end_ns) ++window.end_ns;  // one frame of no length
  const FileReaders readers = target.is_capture ? FileReaders::kThisUser : FileReaders::kAsBefore;
  Sink sink = {OutputFile(options.output, readers), Progress("writing " + printable(options.output))};
  flamelet_result result;
  flamelet_export_report report = {};
  if (target.is_capture) {
    result = flamelet_capture_save_to(input.get(), window.begin_ns, window.end_ns, {Sink::write, &sink});
  } else if (target.is_page) {
    result = save_page(input, window, options.input.file, {Sink::write, &sink});
  } else {
    const std::string process_name = process_name_of(options);
    flamelet_export_options export_options = flamelet_export_options_default();
    export_options.gzip = target.gzip;
    if (!process_name.empty()) export_options.process_name = process_name.c_str();
    export_options.begin_ns = window.begin_ns;
    export_options.end_ns = window.end_ns;
    result = flamelet_export(input.get(), target.format, &export_options, {Sink::write, &sink}, &report);
  }
  if (result == FLAMELET_OK || result == FLAMELET_ERROR_FILE_WRITE) sink.file.finish();  // says why it failed
  if (result != FLAMELET_OK) throw CommandError(kExitOutput, flamelet_result_message(result));

  std::string losses;
  append(&losses, report.texts_repaired, "name was not UTF-8", "names were not UTF-8");
  append(&losses, report.values_nonfinite, "counter value is no number", "counter values are no numbers");
  append(&losses, report.spans_clamped, "span was cut to nest", "spans were cut to nest");
  append(&losses, report.paths_dropped, "span is counted at its caller or lane (too many call paths)",
         "spans are counted at their callers or lanes (too many call paths)");
  if (!losses.empty()) std::fprintf(stderr, "%s: %s\n", printable(options.output).c_str(), losses.c_str());
  if (options.output == "-") return kExitDone;
  std::string content;
  append(&content, report.spans, "span", "spans");
  append(&content, report.points, "point", "points");
  append(&content, report.intervals, "interval", "intervals");
  append(&content, report.flows, "end of a flow", "ends of flows");
  append(&content, report.frames, "frame", "frames");
  print("wrote " + printable(options.output) + " (" + bytes_text(sink.bytes) + (content.empty() ? "" : ": " + content) +
        ")\n");
  return kExitDone;
}

}  // namespace

void add_convert_command(Command* program) {
  const auto options = std::make_shared<ConvertOptions>();
  Command convert = program->add_command("convert", "Converts a capture to other tools' formats, or cuts it");
  convert.footer("The name of TO chooses the format; a final .gz compresses, but no capture and no HTML.\n\n" +
                 format_table() +
                 "\n"
                 "Examples:\n"
                 "  flamelet convert game.flamelet game.perfetto-trace\n"
                 "  flamelet convert game.flamelet game.html      for who only has a browser\n"
                 "  flamelet convert trace.json.gz game.flamelet  for the overlay, or this tool\n"
                 "  flamelet convert game.flamelet hitch.flamelet --frames 810..830\n"
                 "  flamelet convert game.flamelet - --format collapsed | flamegraph.pl > game.svg");
  convert.positional("FROM", &options->input.file, "A capture, or another tool's trace; - is the standard input");
  const Option to =
      convert.positional("TO", &options->output, "The file to write; - is the standard output, with --format")
          .optional();
  convert.text("-o,--output", "FILE", &options->named_output, "Another way to say TO").excludes(to);
  convert.flag("--strict", &options->input.strict, "Exit with 3 if the file is damaged");
  add_frames_of_option(&convert, &options->input.frames_of);
  add_window_options(&convert, &options->window);
  convert
      .text("--format", "NAME", &options->format, "The format, whatever the name of TO says: the middle column below")
      .check([](const std::string& name) -> std::string {
        const std::vector<std::string> names = format_names();
        if (std::find(names.begin(), names.end(), name) != names.end()) return "";
        std::string all = "the formats are " + names[0];
        for (size_t i = 1; i < names.size(); ++i) all += (i + 1 == names.size() ? " and " : ", ") + names[i];
        return all;
      });
  convert.flag("--gzip", &options->gzip, "Compress, even if the name of TO has no .gz");
  convert.text("--process-name", "NAME", &options->process_name,
               "What TO calls the program; without this option, FROM up to its first dot");
  convert.check([options] {
    if (!options->named_output.empty()) options->output = options->named_output;
    if (options->output.empty()) throw CommandError(kExitUsage, "TO is required: the file to write");
  });
  convert.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
