// SPDX-License-Identifier: MIT
//
// What an import costs: traces of 10 million scopes on one thread, in files of their own that the system has in memory,
// read by a process each, whose memory is then known: most of it is the capture. The time is the processor's, so that
// other programs matter less. Argument: the number of scopes.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "big_capture.h"
#include "flamelet/export.h"
#include "flamelet/import.h"

namespace {

FILE* exported(const flamelet_capture* capture, flamelet_export_format format, bool gzip) {
  FILE* file = tmpfile();
  if (file == nullptr) std::abort();
  flamelet_export_options options = flamelet_export_options_default();
  options.gzip = gzip;
  const auto write = [](void* to, const void* bytes, size_t size) {
    return fwrite(bytes, 1, size, static_cast<FILE*>(to)) == size;
  };
  if (flamelet_export(capture, format, &options, {write, file}, nullptr) != FLAMELET_OK) std::abort();
  return file;
}

// As other programs write it: complete events in the order of their ends, each with its names and an argument.
FILE* foreign(uint64_t scopes) {
  FILE* file = tmpfile();
  if (file == nullptr) std::abort();
  fputs("{\"traceEvents\":[\n", file);
  uint64_t now_ns = 0;
  for (uint64_t i = 0; i < scopes; ++i) {
    const bool is_parent = i % 10 == 9;  // of the nine before it
    const uint64_t begin_ns = is_parent ? now_ns - 1800 : now_ns, size_ns = is_parent ? 1900 : 100;
    fprintf(file,
            "{\"pid\":4711,\"tid\":4712,\"ts\":%" PRIu64
            ".%03u,\"dur\":%u.%03u,\"ph\":\"X\",\"cat\":\"bench\","
            "\"name\":\"scope %u\",\"args\":{\"count\":%u}}%s\n",
            begin_ns / 1000, static_cast<unsigned>(begin_ns % 1000), static_cast<unsigned>(size_ns / 1000),
            static_cast<unsigned>(size_ns % 1000), static_cast<unsigned>(i % 200), static_cast<unsigned>(i),
            i + 1 == scopes ? "" : ",");
    now_ns += 200;
  }
  fputs("]}\n", file);
  return file;
}

bool read_some(void* from, uint64_t, void* to, size_t size, size_t* count) {
  *count = fread(to, 1, size, static_cast<FILE*>(from));
  return ferror(static_cast<FILE*>(from)) == 0;
}

// In a child: the peak counts from the fork on.
int measure(const char* name, FILE* file) {
  const long before_kib = peak_kib();
  rewind(file);
  flamelet_capture* capture = nullptr;
  flamelet_import_report report;
  const clock_t begin = clock();
  const flamelet_result result = flamelet_import(nullptr, {read_some, FLAMELET_SIZE_UNKNOWN, file}, &capture, &report);
  const double taken_ns = static_cast<double>(clock() - begin) * (1e9 / CLOCKS_PER_SEC);
  const long peak = peak_kib() - before_kib;
  if (result != FLAMELET_OK || report.spans == 0) return 1;
  const auto spans = static_cast<double>(report.spans);
  printf("%-29s %9.0f scopes %7.1f ns/scope %7.2f bytes/scope %8.1f MiB at most\n", name, spans, taken_ns / spans,
         static_cast<double>(report.bytes) / spans, static_cast<double>(peak) / 1024);
  fflush(stdout);
  flamelet_capture_destroy(capture);
  return 0;
}

int measure_in_child(const char* name, FILE* file) {
  const pid_t child = fork();
  if (child == 0) _exit(measure(name, file));
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child) status = 1;
  fclose(file);
  return status != 0;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t scopes = argc > 1 ? strtoull(argv[1], nullptr, 10) : 10000000;
  flamelet_capture* capture = make_big_capture(scopes);
  FILE* const chrome = exported(capture, FLAMELET_EXPORT_CHROME, false);
  FILE* const chrome_gzip = exported(capture, FLAMELET_EXPORT_CHROME, true);
  FILE* const perfetto = exported(capture, FLAMELET_EXPORT_PERFETTO, false);
  flamelet_capture_destroy(capture);
  int failures = measure_in_child("Chrome JSON", chrome);
  failures += measure_in_child("Chrome JSON, gzip", chrome_gzip);
  failures += measure_in_child("Chrome JSON of another program", foreign(scopes));
  failures += measure_in_child("Perfetto", perfetto);
  return failures == 0 ? 0 : 1;
}
