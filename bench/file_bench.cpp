// SPDX-License-Identifier: MIT
//
// flamelet_file_bench capture|export|import [SCOPES]: what it costs to save and to load a capture of 10 million scopes on
// one thread, to write it in each format, and to read traces of such. Each in a process of its own, whose memory beyond
// what it began with is then known: most of an import's is the capture. Exports go nowhere; what is read lies in files that
// the system has in memory. Time is the processor's, so that other programs on the machine do not count; what the kernel
// took of it (copies of the file, new memory) stands apart, because that differs from machine to machine and from run to
// run.
//
// flamelet_file_bench files FOLDER: captures for the benches of commands.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

#include "big_capture.h"
#include "flamelet/capture_file.h"
#include "flamelet/export.h"
#include "flamelet/import.h"
#include "flamelet/scope.h"

namespace {

double to_ns(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
}

struct CpuTime {
  double program_ns, kernel_ns;
};
CpuTime cpu_time() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return {to_ns(usage.ru_utime), to_ns(usage.ru_stime)};
}

struct Done {
  uint64_t count, bytes;  // 0 of them: it failed
};

// In a child: the peak counts from the fork on.
template <class Work>
int measure(const char* name, const char* unit, Work work) {
  const pid_t child = fork();
  if (child == 0) {
    const long before_kib = peak_kib();
    const CpuTime before = cpu_time();
    const Done done = work();
    const CpuTime after = cpu_time();
    const double kernel_ns = after.kernel_ns - before.kernel_ns;
    const double taken_ns = after.program_ns - before.program_ns + kernel_ns;
    if (done.count == 0) _exit(1);
    const auto count = static_cast<double>(done.count), bytes = static_cast<double>(done.bytes);
    std::printf(
        "%-31s %9.0f %ss %7.2f ns each (kernel: %5.2f) %7.1f M/s %8.1f MB/s %7.2f bytes each %8.1f MiB at most\n", name,
        count, unit, taken_ns / count, kernel_ns / count, count / taken_ns * 1e3, bytes / taken_ns * 1e3, bytes / count,
        static_cast<double>(peak_kib() - before_kib) / 1024);
    std::fflush(stdout);
    _exit(0);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

// ---- Captures

Done events_in(const flamelet_capture* capture, const char* path) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return {};
  std::fseek(file, 0, SEEK_END);
  return {stats.events_read, static_cast<uint64_t>(std::ftell(file))};
}

int bench_capture(uint64_t scopes) {
  const char* path = "file_bench.flamelet";
  flamelet_capture* capture = make_big_capture(scopes);
  int failures = measure("save", "event", [&]() -> Done {
    if (flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path) != FLAMELET_OK) return {};
    return events_in(capture, path);
  });
  flamelet_capture_destroy(capture);
  failures += measure("load", "event", [&]() -> Done {
    flamelet_capture* loaded = nullptr;
    if (flamelet_capture_load(nullptr, path, &loaded, nullptr) != FLAMELET_OK) return {};
    return events_in(loaded, path);
  });
  std::remove(path);
  return failures;
}

// ---- Exports

flamelet_export_report write_as(const flamelet_capture* capture, flamelet_export_format format, bool gzip,
                                flamelet_sink sink) {
  flamelet_export_options options = flamelet_export_options_default();
  options.gzip = gzip;
  flamelet_export_report report;
  if (flamelet_export(capture, format, &options, sink, &report) != FLAMELET_OK) std::abort();
  return report;
}

int bench_export(uint64_t scopes) {
  flamelet_capture* capture = make_big_capture(scopes);
  int failures = 0;
  for (int i = 0; i < FLAMELET_EXPORT_FORMAT_COUNT; ++i) {
    for (int gzip = i == FLAMELET_EXPORT_PPROF ? 1 : 0; gzip < 2; ++gzip) {  // pprof is always compressed
      char name[64];
      std::snprintf(name, sizeof name, "%s%s", flamelet_export_format_get_info(i)->name, gzip ? ", gzip" : "");
      failures += measure(name, "scope", [&]() -> Done {
        const auto nowhere = [](void*, const void*, size_t) { return true; };
        const flamelet_export_report report =
            write_as(capture, static_cast<flamelet_export_format>(i), gzip != 0, {nowhere, nullptr});
        return {report.spans, report.bytes};
      });
    }
  }
  flamelet_capture_destroy(capture);
  return failures;
}

// ---- Imports

FILE* new_file() {
  FILE* file = tmpfile();
  if (file == nullptr) std::abort();
  return file;
}

FILE* exported(const flamelet_capture* capture, flamelet_export_format format, bool gzip) {
  FILE* file = new_file();
  const auto write = [](void* to, const void* bytes, size_t size) {
    return fwrite(bytes, 1, size, static_cast<FILE*>(to)) == size;
  };
  write_as(capture, format, gzip, {write, file});
  return file;
}

// As other programs write it: complete events in the order of their ends, each with its names and an argument.
FILE* foreign(uint64_t scopes) {
  FILE* file = new_file();
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

int measure_import(const char* name, FILE* file) {
  const int failures = measure(name, "scope", [&]() -> Done {
    rewind(file);
    flamelet_capture* capture = nullptr;
    flamelet_import_report report;
    if (flamelet_import(nullptr, {read_some, FLAMELET_SIZE_UNKNOWN, file}, &capture, &report) != FLAMELET_OK) return {};
    return {report.spans, report.bytes};
  });
  fclose(file);
  return failures;
}

int bench_import(uint64_t scopes) {
  flamelet_capture* capture = make_big_capture(scopes);
  FILE* const chrome = exported(capture, FLAMELET_EXPORT_CHROME, false);
  FILE* const chrome_gzip = exported(capture, FLAMELET_EXPORT_CHROME, true);
  FILE* const perfetto = exported(capture, FLAMELET_EXPORT_PERFETTO, false);
  flamelet_capture_destroy(capture);
  int failures = measure_import("Chrome JSON", chrome);
  failures += measure_import("Chrome JSON, gzip", chrome_gzip);
  failures += measure_import("Chrome JSON of another program", foreign(scopes));
  failures += measure_import("Perfetto", perfetto);
  return failures;
}

// ---- The captures by which the times of `flamelet why` and `flamelet gate` in docs/performance.md were taken

// A main thread that does half of the work, then waits for a worker with the other half. Calls take 100 to 300 ns; one
// frame of 100 has twice the work.
class Game {
 public:
  Game(uint64_t seed, uint64_t started_unix_ns) : random_(seed) {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = size_t{1} << 30;
    if (flamelet_capture_builder_create(&config, &builder_) != FLAMELET_OK) std::abort();
    flamelet_capture_builder_set_origin(builder_, started_unix_ns);
    main_ = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("Main"));
    worker_ = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("Worker"));
    for (uint32_t i = 0; i < kSites; ++i) sites_[i] = site("scope " + std::to_string(i), "");
    wait_ = site("Wait", FLAMELET_WAIT_CATEGORY);
  }
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;

  void play(uint64_t frames, uint64_t scopes_a_frame) {
    for (uint64_t frame = 0; frame < frames; ++frame) {
      const int64_t begin_ns = now_ns_;
      const uint64_t groups = scopes_a_frame / 20 * (frame % 100 == 99 ? 2 : 1);
      next_ = 0;
      for (uint64_t i = 0; i < groups; ++i) group(main_);
      flamelet_capture_builder_begin(builder_, main_, now_ns_, wait_, 0, 0);
      for (uint64_t i = 0; i < groups; ++i) group(worker_);
      flamelet_capture_builder_flow(builder_, worker_, now_ns_, frame, false);
      flamelet_capture_builder_flow(builder_, main_, now_ns_ + 1, frame, true);
      flamelet_capture_builder_end(builder_, main_, now_ns_ += 2);
      flamelet_capture_builder_frame(builder_, frame, begin_ns, now_ns_, 0);
    }
  }
  void save(const std::string& path) {
    flamelet_capture* capture = nullptr;
    flamelet_capture_builder_finish(builder_, &capture);
    const flamelet_result result = flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path.c_str());
    flamelet_capture_destroy(capture);
    if (result == FLAMELET_OK) return;
    std::fprintf(stderr, "%s: %s\n", path.c_str(), flamelet_result_message(result));
    std::exit(1);
  }

 private:
  static constexpr uint32_t kSites = 200;

  uint32_t string(const std::string& text) {
    return flamelet_capture_builder_string(builder_, text.data(), text.size());
  }
  uint32_t site(const std::string& name, const char* category) {
    return flamelet_capture_builder_site(builder_, string(name), string(category), 0, 0, 0, 0);
  }
  void step() { now_ns_ += 50 + static_cast<int64_t>(random_() % 100); }
  void begin(uint32_t lane) {
    step();
    flamelet_capture_builder_begin(builder_, lane, now_ns_, sites_[next_], 0, 0);
    next_ = (next_ + 1) % kSites;
  }
  void end(uint32_t lane) {
    step();
    flamelet_capture_builder_end(builder_, lane, now_ns_);
  }
  void group(uint32_t lane) {
    ten_scopes([&] { begin(lane); }, [&] { end(lane); });
  }

  flamelet_capture_builder* builder_ = nullptr;
  uint32_t main_ = 0, worker_ = 0, wait_ = 0, sites_[kSites] = {}, next_ = 0;
  int64_t now_ns_ = 0;
  std::mt19937_64 random_;
};

// big.flamelet (10 M scopes: 500 frames of 20,000), and base-1.flamelet to base-10.flamelet and new-1.flamelet to
// new-10.flamelet (1 M scopes each: 1000 frames of 1,000).
int write_files(const char* to) {
  const std::string folder = std::string(to) + "/";
  Game big(0, 1);
  big.play(500, 20000);
  big.save(folder + "big.flamelet");
  for (uint64_t run = 0; run < 20; ++run) {  // in turns
    Game game(1 + run, 2 + run);
    game.play(1000, 1000);
    game.save(folder + (run % 2 == 0 ? "base-" : "new-") + std::to_string(1 + run / 2) + ".flamelet");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const uint64_t scopes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10000000;
  if (what == "capture") return bench_capture(scopes) != 0;
  if (what == "export") return bench_export(scopes) != 0;
  if (what == "import") return bench_import(scopes) != 0;
  if (what == "files" && argc > 2) return write_files(argv[2]);
  std::fprintf(stderr, "flamelet_file_bench capture|export|import [SCOPES], or files FOLDER\n");
  return 2;
}
