// SPDX-License-Identifier: MIT
//
// Writes those seeds of the fuzz targets that the library's own writers make; the others of the corpus are written by hand:
//
//   build/dev/tests/fuzz/flamelet_make_seeds tests/fuzz/corpus
//
// A clock of its own makes them the same each time, but for the wall clock in the captures' headers.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>

#include "flamelet/capture_file.h"
#include "flamelet/export.h"
#include "flamelet/flamelet.h"
#include "flamelet/perf.h"
#include "flamelet/perf_log.h"
#include "fuzz.h"
#include "record/page.h"
#include "record/page_ring.h"
#include "record/ring_file.h"
#include "support/string_io.h"
#include "tree_input.h"

using namespace flamelet;

namespace {

constexpr uint32_t kSeedPages = 2;  // the frame marks' and a thread's

std::filesystem::path corpus;

void write(const char* target, const char* name, const std::string& bytes) {
  std::filesystem::create_directories(corpus / target);
  std::ofstream file(corpus / target / name, std::ios::binary);
  FUZZ_CHECK(file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).good());
}

uint64_t now_ticks = 0;

// A recorder, while it lives.
class Recording {
 public:
  explicit Recording(const char* ring_path = nullptr) {
    now_ticks = 1000;
    flamelet_config config = flamelet_config_default();
    config.max_tracks = 4;
    config.max_fibers = 2;
    config.clock = [](void*) { return now_ticks += 7; };
    config.clock_ticks_per_second = 1e9;
    if (ring_path != nullptr) {  // and as small as it can be
      config.max_fibers = 1;
      config.max_strings = 64;
      config.string_bytes = 2048;
      config.max_sites = 32;
      config.max_submit_events = 2;
      config.budget_bytes = flamelet_memory_required(&config);
      config.ring_path = ring_path;
    }
    FUZZ_CHECK(flamelet_init(&config) == FLAMELET_OK);
  }
  ~Recording() { flamelet_shutdown(); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
};

std::string export_trace(flamelet_export_format format, bool gzip) {
  flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  FUZZ_CHECK(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
  FUZZ_CHECK(flamelet_capture_update(capture) == FLAMELET_OK);
  flamelet_export_options options = flamelet_export_options_default();
  options.gzip = gzip;
  std::string bytes;
  FUZZ_CHECK(flamelet_export(capture, format, &options, sink_to(&bytes), nullptr) == FLAMELET_OK);
  flamelet_capture_destroy(capture);
  return bytes;
}

std::string save_capture() {
  flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  FUZZ_CHECK(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
  FUZZ_CHECK(flamelet_capture_update(capture) == FLAMELET_OK);
  std::string bytes;
  FUZZ_CHECK(flamelet_capture_save_to(capture, INT64_MIN, INT64_MAX, sink_to(&bytes)) == FLAMELET_OK);
  flamelet_capture_destroy(capture);
  return bytes;
}

// One event of each kind that a thread has, twice: in an outer scope that is still open at the end. A category is off.
void record_events() {
  flamelet_category_set_enabled("off", false);
  flamelet_begin("outer", "seed", nullptr);
  for (int i = 0; i < 2; ++i) {
    const flamelet_id scope = flamelet_begin("inner", "seed", i == 0 ? nullptr : flamelet_intern("an object"));
    { FLAMELET_SCOPE_DYNAMIC("a name \xff\"\\\n"); }
    FLAMELET_BEGIN(phase, "first");
    FLAMELET_NEXT(phase, "second");
    FLAMELET_INSTANT("instant");
    FLAMELET_COUNTER("counter", i == 0 ? 1.5 : -HUGE_VAL);
    const flamelet_id interval = flamelet_interval_begin("interval", "seed", nullptr);
    flamelet_end(scope);  // the phase inside it has no end of its own
    if (i == 0) flamelet_interval_end(interval);
    flamelet_frame();
  }
  flamelet_category_set_enabled("off", true);
}

void record_fibers() {
  const uint32_t first = flamelet_fiber_create("first fiber"), second = flamelet_fiber_create("second fiber");
  flamelet_fiber_switch(0, first);
  flamelet_begin("in the first", "seed", nullptr);
  flamelet_fiber_switch(first, second);
  FLAMELET_SCOPE("in the second");
  flamelet_fiber_switch(second, first);
  flamelet_end_top();
  flamelet_fiber_switch(first, 0);
}

void record_queue() {
  const uint32_t queue = flamelet_track_create("queue", FLAMELET_TRACK_GPU, 1e9);
  flamelet_track_calibrate(queue, 0, 0);
  const flamelet_event events[] = {
      {5000, 1, "pass", "gpu", nullptr, 0, 'B', false, 0},    {6000, 2, "draw", "gpu", "mesh", 0, 'B', false, 0},
      {7000, 2, nullptr, nullptr, nullptr, 0, 'E', false, 0}, {8000, 1, nullptr, nullptr, nullptr, 0, 'E', false, 0},
      {8500, 0, "present", "gpu", nullptr, 0, 'I', false, 0},
  };
  FUZZ_CHECK(flamelet_submit(queue, events, 5) == 5);
}

void write_captures() {
  {
    Recording recording;
    write("capture", "empty", save_capture());
  }
  {
    Recording recording;
    record_events();
    write("capture", "events", save_capture());
  }
  {
    Recording recording;
    record_fibers();
    record_queue();
    write("capture", "fibers_and_queue", save_capture());
  }
  {
    Recording recording;  // several pages
    flamelet_begin("open all the time", "seed", nullptr);
    for (int i = 0; i < 600; ++i) FLAMELET_SCOPE("scope");
    write("capture", "pages", save_capture());
  }
}

void write_perfetto_traces() {
  {
    Recording recording;
    write("perfetto", "empty", export_trace(FLAMELET_EXPORT_PERFETTO, false));
  }
  {
    Recording recording;
    record_events();
    write("perfetto", "events", export_trace(FLAMELET_EXPORT_PERFETTO, false));
  }
  {
    Recording recording;
    record_fibers();
    record_queue();
    write("perfetto", "fibers_and_queue", export_trace(FLAMELET_EXPORT_PERFETTO, false));
  }
}

void write_chrome_traces() {
  {
    Recording recording;
    record_events();
    write("chrome_trace", "events", export_trace(FLAMELET_EXPORT_CHROME, false));
    write("chrome_trace", "events_gzip", export_trace(FLAMELET_EXPORT_CHROME, true));
  }
  {
    Recording recording;
    record_fibers();
    record_queue();
    write("chrome_trace", "fibers_and_queue", export_trace(FLAMELET_EXPORT_CHROME, false));
  }
}

// A ring of the pages that were used, and no others: the places of their tickets are the same in the smaller ring.
std::string without_unused_pages(std::string ring) {
  RingFileHeader header;
  std::memcpy(&header, ring.data(), sizeof header);
  uint32_t used = 0;
  uint64_t state = 0;
  const auto page_at = [&](uint32_t index) { return header.pages_offset + index * sizeof(Page); };
  while (std::memcpy(&state, &ring[page_at(used)], sizeof state), state != 0) {
    // Tickets begin with the number of pages.
    uint64_t* const words = reinterpret_cast<uint64_t*>(&ring[page_at(used)]);
    const uint64_t difference = header.page_count - kSeedPages;
    words[0] -= difference << Protocol::kTicketShift;
    words[1] -= difference << Protocol::kCountShift;
    ++used;
  }
  FUZZ_CHECK(used <= kSeedPages);
  const uint64_t removed = uint64_t{header.page_count - kSeedPages} * sizeof(Page);
  ring.erase(page_at(kSeedPages), removed);
  header.page_count = kSeedPages;
  header.file_bytes -= removed;
  for (uint64_t* offset : {&header.strings.text_offset, &header.strings.entries_offset, &header.sites.text_offset,
                           &header.sites.entries_offset, &header.fibers_offset})
    *offset -= removed;
  std::memcpy(&ring[0], &header, sizeof header);
  // Behind the fiber comes what readers do not look at.
  ring.resize(header.fibers_offset + header.fiber_bytes);
  return ring;
}

void write_rings() {
  const std::filesystem::path path = corpus / "ring";
  const auto record = [&](const char* name, void (*events)()) {
    {
      Recording recording(path.c_str());
      events();
    }
    std::ifstream file(path, std::ios::binary);
    write("ring_file", name, without_unused_pages({std::istreambuf_iterator<char>(file), {}}));
    std::filesystem::remove(path);
  };
  record("events", record_events);
  record("fibers", record_fibers);
}

void routine(int depth) {
  PERF_FUNCTION();
  PERF_BLOCK("a name, with <commas>");
  if (depth != 0) routine(depth - 1);
}

void write_perf_logs() {
  Recording recording;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  std::string text;
  config.sink = sink_to(&text);
  flamelet_perf_log* log = nullptr;
  FUZZ_CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  for (int frame = 0; frame < 4; ++frame) routine(frame);
  FUZZ_CHECK(flamelet_perf_log_destroy(log) == FLAMELET_OK);
  write("perf_log", "frames", text);
}

std::string steps_of(std::initializer_list<uint8_t> steps) {
  return {steps.begin(), steps.end()};
}

std::string name_step(unsigned number, const std::string& name) {
  const uint8_t head[] = {tree_step(TreeStep::kName, number), static_cast<uint8_t>(name.size())};
  return std::string(head, head + 2) + name;
}

// Recursion, a tail call, and what is called while the tree is off.
std::string tree_steps(unsigned first) {
  return steps_of({tree_step(TreeStep::kEnter, first), tree_step(TreeStep::kSample, 7),
                   tree_step(TreeStep::kEnter, first + 1), tree_step(TreeStep::kEnter, first),
                   tree_step(TreeStep::kSample, 9), tree_step(TreeStep::kExit, 1),
                   tree_step(TreeStep::kTailCall, first + 2), tree_step(TreeStep::kSample, 31),
                   tree_step(TreeStep::kEnabled, 0), tree_step(TreeStep::kEnter, 30), tree_step(TreeStep::kEnabled, 1),
                   tree_step(TreeStep::kEnter, 4), tree_step(TreeStep::kSample, 3), tree_step(TreeStep::kUnwind)});
}

// Two trees for compare_fuzz: the second has other ids, of which some have the names of the first one's.
void write_trees() {
  const std::string names = name_step(3, "update") + name_step(4, "a;name \xff");
  const std::string others = name_step(5, "update") + name_step(6, "") + name_step(7, "render");
  const char swap = static_cast<char>(tree_step(TreeStep::kOther, 5));
  const std::string two = names + tree_steps(3) + swap + others + tree_steps(5) + swap;
  for (const auto& [name, options] : {std::pair("by_path", 0), std::pair("by_scope", 3), std::pair("no_room", 31)})
    write("compare", name, static_cast<char>(options) + two);
  write("call_tree_export", "folded", static_cast<char>(0) + names + tree_steps(3));
  write("call_tree_export", "recursion", static_cast<char>(5) + others + tree_steps(5));
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::fprintf(stderr, "usage: flamelet_make_seeds FOLDER\n");
    return 2;
  }
  corpus = arguments[1];
  write_captures();
  write_chrome_traces();
  write_rings();
  write_perfetto_traces();
  write_perf_logs();
  write_trees();
  return 0;
}
