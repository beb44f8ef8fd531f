// SPDX-License-Identifier: MIT
#undef FLAMELET_DISABLED
#include "flamelet/perf_log.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/perf.h"

namespace {

uint64_t now_ns = 0;

void start_recorder(size_t budget_bytes = size_t{16} << 20) {
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = budget_bytes;
  config.max_tracks = 16;
  config.max_fibers = 8;
  config.clock = [](void*) { return now_ns; };
  config.clock_ticks_per_second = 1e9;
  now_ns = 0;
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
}

bool append_to_string(void* user, const char* text, size_t size) {
  static_cast<std::string*>(user)->append(text, size);
  return true;
}

// A recorder and its log, as text.
class Log {
 public:
  explicit Log(flamelet_perf_log_config config = flamelet_perf_log_config_default()) {
    start_recorder();
    if (config.path == nullptr && config.write == nullptr) {
      config.write = append_to_string;
      config.write_user = &text;
    }
    REQUIRE(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  }
  ~Log() {
    flamelet_perf_log_destroy(log);
    flamelet_shutdown();
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  std::string poll() {
    text.clear();
    CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
    return text;
  }
  flamelet_perf_log_stats stats() const {
    flamelet_perf_log_stats result;
    flamelet_perf_log_get_stats(log, &result);
    return result;
  }
  flamelet_perf_routine routine(const std::string& name) const {
    flamelet_perf_routine result;
    for (size_t i = 0; flamelet_perf_log_routine(log, i, &result); ++i)
      if (std::string(result.name.text, result.name.size) == name) return result;
    FAIL("no routine of this name");
    return result;
  }

  flamelet_perf_log* log = nullptr;
  std::string text;
};

void named_block(const char* name, uint64_t ns) {
  const flamelet_id id = flamelet_begin(flamelet_intern(name), FLAMELET_PERF_CATEGORY, nullptr);
  now_ns += ns;
  flamelet_end(id);
}

size_t count_of(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// A path in a folder of its own that goes with the object.
class TemporaryFile {
 public:
  TemporaryFile() {
    REQUIRE(mkdtemp(&folder_[0]) != nullptr);
    path = folder_ + "/perf.log";
  }
  ~TemporaryFile() {
    std::remove(path.c_str());
    rmdir(folder_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string read() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }

  std::string path;

 private:
  std::string folder_ = "/tmp/flamelet-perf-log-XXXXXX";
};

}  // namespace

TEST_CASE("perf log: a frame is an outermost block, its lines stand in the order in which blocks end") {
  Log log;
  now_ns = 100;
  {
    PERF_BLOCK(update);
    now_ns += 5;
    {
      PERF_BLOCK(collect);
      {
        PERF_BLOCK(read);
        now_ns += 10;
      }
      now_ns += 1;
    }
    PERF_BLOCK(move);
    now_ns += 20;
  }
  {
    PERF_BLOCK(render);
    now_ns += 7;
  }
  CHECK(log.poll() ==
        "Frame : update\n"
        "3,read,10,105,115\n"
        "2,collect,11,105,116\n"
        "2,move,20,116,136\n"
        "1,update,36,100,136\n"
        "Frame : render\n"
        "1,render,7,136,143\n");
  CHECK(log.poll() == "");
}

TEST_CASE("perf log: a frame is written when its routine has ended, once, over any number of polls and pages") {
  Log log;
  std::string text;
  {
    PERF_BLOCK(routine);
    for (int i = 0; i < 3000; ++i) {
      PERF_BLOCK(step);
      now_ns += 1;
      if (i % 700 == 0) text += log.poll();
    }
    CHECK(text == "");
  }
  text += log.poll();
  text += log.poll();
  CHECK(count_of(text, "Frame : routine\n") == 1);
  CHECK(count_of(text, "2,step,1,") == 3000);
  CHECK(text.find("1,routine,3000,0,3000\n") == text.size() - std::string("1,routine,3000,0,3000\n").size());
}

TEST_CASE("perf log: scopes that are no PERF blocks are not in the log, nor in the depth") {
  Log log;
  {
    FLAMELET_SCOPE("frame");
    PERF_BLOCK(outer);
    FLAMELET_SCOPE("between");
    named_block("inner", 3);
  }
  CHECK(log.poll() == "Frame : outer\n2,inner,3,0,3\n1,outer,3,0,3\n");
}

TEST_CASE("perf log: names with commas, brackets, quotes and newlines are quoted") {
  Log log;
  for (const char* name : {"virtual bool a::b<int>::Proc(std::map<int, char[3]>)", "plain(int)", "say \"hi\"",
                           "a\nb\r\tc\x01", "back\\slash", "", " space", "Größe [m]"})
    named_block(name, 1);
  const std::string text = log.poll();
  CHECK(text.find("1,\"virtual bool a::b<int>::Proc(std::map<int, char[3]>)\",1,0,1\n") != std::string::npos);
  CHECK(text.find("Frame : \"virtual bool a::b<int>::Proc(std::map<int, char[3]>)\"\n") != std::string::npos);
  CHECK(text.find("1,plain(int),1,1,2\n") != std::string::npos);
  CHECK(text.find("1,\"say \\\"hi\\\"\",1,2,3\n") != std::string::npos);
  CHECK(text.find("1,\"a\\nb\\r\\tc\\x01\",1,3,4\n") != std::string::npos);
  CHECK(text.find("1,\"back\\\\slash\",1,4,5\n") != std::string::npos);
  CHECK(text.find("1,\"\",1,5,6\n") != std::string::npos);
  CHECK(text.find("1,\" space\",1,6,7\n") != std::string::npos);
  CHECK(text.find("1,Größe [m],1,7,8\n") != std::string::npos);
}

TEST_CASE("perf log: frames of several threads do not mix, and stand in the order of their ends") {
  Log log;
  {
    PERF_BLOCK(main_routine);
    now_ns = 10;
    std::thread([] {
      PERF_BLOCK(worker_routine);
      named_block("worker step", 10);
    }).join();
    named_block("main step", 10);
  }
  CHECK(log.poll() ==
        "Frame : worker_routine\n"
        "2,worker step,10,10,20\n"
        "1,worker_routine,10,10,20\n"
        "Frame : main_routine\n"
        "2,main step,10,20,30\n"
        "1,main_routine,30,0,30\n");
}

TEST_CASE("perf log: the blocks of a fiber are one frame, whichever threads it ran on") {
  Log log;
  const uint32_t fiber = flamelet_fiber_create("fiber");
  static flamelet_id routine = 0;
  // This thread's page is read first at every poll, though it has the fiber's later blocks.
  named_block("warm up", 1);
  std::thread([fiber] {
    flamelet_fiber_switch(0, fiber);
    routine = flamelet_begin("routine", FLAMELET_PERF_CATEGORY, nullptr);
    named_block("first", 5);
    flamelet_fiber_switch(fiber, 0);
  }).join();
  flamelet_fiber_switch(0, fiber);
  named_block("second", 5);
  flamelet_end(routine);
  flamelet_fiber_switch(fiber, 0);
  CHECK(log.poll() ==
        "Frame : warm up\n1,warm up,1,0,1\n"
        "Frame : routine\n"
        "2,first,5,1,6\n"
        "2,second,5,6,11\n"
        "1,routine,10,1,11\n");
}

TEST_CASE("perf log: a missing end closes with its parent, as in the recorder") {
  Log log;
  const flamelet_id outer = flamelet_begin("outer", FLAMELET_PERF_CATEGORY, nullptr);
  flamelet_begin("inner", FLAMELET_PERF_CATEGORY, nullptr);
  now_ns = 4;
  flamelet_end(outer);
  CHECK(log.poll() == "Frame : outer\n2,inner,4,0,4\n1,outer,4,0,4\n");
}

TEST_CASE("perf log: the close writes what was completed since the last poll, and nothing that still runs") {
  start_recorder();
  std::string text;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.write = append_to_string;
  config.write_user = &text;
  flamelet_perf_log* log = nullptr;
  REQUIRE(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  {
    named_block("done", 1);
    PERF_BLOCK(runs);
    CHECK(flamelet_perf_log_destroy(log) == FLAMELET_OK);
  }
  CHECK(text == "Frame : done\n1,done,1,0,1\n");
  flamelet_shutdown();
}

TEST_CASE("perf log: what was recorded before the log began is read, as far as it is there") {
  start_recorder();
  named_block("before", 2);
  std::string text;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.write = append_to_string;
  config.write_user = &text;
  flamelet_perf_log* log = nullptr;
  REQUIRE(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
  CHECK(text == "Frame : before\n1,before,2,0,2\n");
  flamelet_perf_log_destroy(log);
  flamelet_shutdown();
}

TEST_CASE("perf log: a restart of the recorder begins a new count of time") {
  Log log;
  named_block("first", 5);
  CHECK(log.poll() == "Frame : first\n1,first,5,0,5\n");
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_ERROR_NOT_INITIALIZED);
  start_recorder();
  named_block("second", 5);
  named_block("first", 1);
  CHECK(log.poll() == "Frame : second\n1,second,5,0,5\nFrame : first\n1,first,1,5,6\n");
  CHECK(log.routine("first").frame_count == 2);
}

TEST_CASE("perf log: events that the ring has overwritten are counted exactly, and no frame is made up") {
  start_recorder(size_t{4} << 20);
  std::string text;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.write = append_to_string;
  config.write_user = &text;
  flamelet_perf_log* log = nullptr;
  REQUIRE(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  {
    PERF_BLOCK(torn);
    named_block("its child", 1);
    CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
  }
  constexpr uint64_t kFrames = 400000;
  for (uint64_t i = 0; i < kFrames; ++i) {
    PERF_BLOCK(routine);
    PERF_BLOCK(child);
    now_ns += 1;
  }
  CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
  flamelet_perf_log_stats stats;
  flamelet_perf_log_get_stats(log, &stats);
  CHECK(stats.events_lost > 0);
  CHECK(stats.blocks_dropped > 0);  // more frames in one poll than blocks have places
  CHECK(text.find("Frame : torn") == std::string::npos);
  // Every line is of a frame that ends with its routine.
  CHECK(count_of(text, "Frame : routine\n") == stats.frames);
  CHECK(count_of(text, "1,routine,1,") == stats.frames);
  CHECK(count_of(text, "its child") == 0);
  flamelet_perf_log_destroy(log);
  flamelet_shutdown();
}

TEST_CASE("perf log: blocks without a place are counted, and their routine is still logged") {
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.max_blocks = 16;  // two of them for outermost blocks only
  Log log(config);
  {
    PERF_BLOCK(wide);
    for (int i = 0; i < 20; ++i) named_block("part", 1);
  }
  const std::string text = log.poll();
  CHECK(count_of(text, "2,part,1,") == 14);
  CHECK(count_of(text, "1,wide,20,0,20\n") == 1);
  CHECK(log.stats().blocks_dropped == 6);
  named_block("next", 1);
  CHECK(log.poll() == "Frame : next\n1,next,1,20,21\n");
}

TEST_CASE("perf log: a routine that does not end does not keep others from the log") {
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.max_blocks = 16;
  Log log(config);
  {
    PERF_BLOCK(endless);
    for (int i = 0; i < 20; ++i) named_block("part", 1);
    CHECK(log.poll() == "");
    CHECK(log.stats().blocks_dropped == 20);
    std::thread([] {
      PERF_BLOCK(other);
      named_block("inner", 1);
    }).join();
    CHECK(log.poll() == "Frame : other\n2,inner,1,20,21\n1,other,1,20,21\n");
    named_block("late part", 1);
  }
  CHECK(log.poll() == "Frame : endless\n2,late part,1,21,22\n1,endless,22,0,22\n");
}

TEST_CASE("perf log: names beyond the table are one") {
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.max_names = 3;
  Log log(config);
  for (const char* name : {"a", "b", "c", "d"}) named_block(name, 1);
  CHECK(log.poll() ==
        "Frame : a\n1,a,1,0,1\nFrame : b\n1,b,1,1,2\n"
        "Frame : (overflow)\n1,(overflow),1,2,3\nFrame : (overflow)\n1,(overflow),1,3,4\n");
  CHECK(log.stats().names_overflowed == 2);
  CHECK(log.routine("(overflow)").frame_count == 2);
}

TEST_CASE("perf log: configurations that cannot work are refused") {
  flamelet_perf_log* log = nullptr;
  CHECK(flamelet_perf_log_create(nullptr, &log) == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_perf_log_config config = {};
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_INVALID_ARGUMENT);
  config = flamelet_perf_log_config_default();
  CHECK(flamelet_perf_log_create(&config, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  config.path = "both";
  config.write = append_to_string;
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_INVALID_ARGUMENT);
  config = flamelet_perf_log_config_default();
  config.max_blocks = 0;
  CHECK(flamelet_perf_log_memory_required(&config) == 0);
  CHECK(flamelet_perf_log_destroy(nullptr) == FLAMELET_OK);
  CHECK(flamelet_perf_log_poll(nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("perf log: one allocation of the size that was told, and one free") {
  struct Counts {
    size_t allocated = 0;
    size_t freed = 0;
    int calls = 0;
  } counts;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.allocator = {[](void* user, size_t size, size_t alignment) {
                        auto* c = static_cast<Counts*>(user);
                        c->allocated = size;
                        ++c->calls;
                        return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
                      },
                      [](void* user, void* memory, size_t size, size_t) {
                        static_cast<Counts*>(user)->freed = size;
                        free(memory);
                      },
                      &counts};
  flamelet_perf_log* log = nullptr;
  REQUIRE(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  CHECK(counts.allocated == flamelet_perf_log_memory_required(&config));
  flamelet_perf_log_destroy(log);
  CHECK(counts.freed == counts.allocated);
  CHECK(counts.calls == 1);
  config.allocator.allocate = [](void*, size_t, size_t) -> void* { return nullptr; };
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_OUT_OF_MEMORY);
  CHECK(log == nullptr);
}

TEST_CASE("perf log: every frame of running threads is logged once, while they run") {
  flamelet_config recorder = flamelet_config_default();
  REQUIRE(flamelet_init(&recorder) == FLAMELET_OK);
  std::string text;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.write = append_to_string;
  config.write_user = &text;
  config.max_blocks = 1 << 18;
  flamelet_perf_log* log = nullptr;
  REQUIRE(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  constexpr int kThreads = 3;
  constexpr int kFrames = 20000;
  std::atomic<int> running = kThreads;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&running] {
      for (int i = 0; i < kFrames; ++i) {
        PERF_BLOCK(routine);
        for (int part = 0; part < 2; ++part) PERF_BLOCK(part);
      }
      --running;
    });
  }
  while (running != 0) {
    CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
  CHECK(flamelet_perf_log_destroy(log) == FLAMELET_OK);
  flamelet_shutdown();
  CHECK(count_of(text, "Frame : routine\n2,part,") == kThreads * kFrames);
  CHECK(count_of(text, "\n1,routine,") == kThreads * kFrames);
  CHECK(count_of(text, "\n2,part,") == 2 * kThreads * kFrames);
}

// ---- Files -----------------------------------------------------------------------------------------------------------

TEST_CASE("perf log: a file is made for its owner only, and appended to") {
  TemporaryFile file;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = file.path.c_str();
  for (int run = 0; run < 2; ++run) {
    Log log(config);
    named_block("routine", 1);
  }
  CHECK(file.read() == "Frame : routine\n1,routine,1,0,1\nFrame : routine\n1,routine,1,0,1\n");
  struct stat status;
  REQUIRE(stat(file.path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("perf log: half a line that a killed process left does not spoil the next frame") {
  TemporaryFile file;
  file.write("Frame : old\n2,half,12");
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = file.path.c_str();
  {
    Log log(config);
    named_block("routine", 1);
  }
  CHECK(file.read() == "Frame : old\n2,half,12\nFrame : routine\n1,routine,1,0,1\n");
}

TEST_CASE("perf log: links, folders, pipes and paths that do not exist are refused") {
  TemporaryFile file;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = file.path.c_str();
  flamelet_perf_log* log = nullptr;
  REQUIRE(symlink("/tmp/elsewhere", file.path.c_str()) == 0);
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(errno == ELOOP);
  std::remove(file.path.c_str());
  REQUIRE(mkfifo(file.path.c_str(), 0600) == 0);
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  config.path = "/tmp";
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  config.path = "/no/such/folder/perf.log";
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(errno == ENOENT);
  CHECK(log == nullptr);
}

TEST_CASE("perf log: when the disk is full, the file ends with a whole frame, and goes on when there is room") {
  TemporaryFile file;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = file.path.c_str();
  Log log(config);
  named_block("first", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
  const std::string first = file.read();
  CHECK(first == "Frame : first\n1,first,1,0,1\n");

  // A limit on the size of files stands for the full disk.
  signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit full = before;
  full.rlim_cur = first.size() + 20;
  setrlimit(RLIMIT_FSIZE, &full);
  named_block("second", 1);
  named_block("third", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_ERROR_FILE_WRITE);
  CHECK(file.read() == first);
  CHECK(log.stats().frames_unwritten == 2);
  CHECK(log.stats().last_errno == EFBIG);
  CHECK(log.stats().frames == 3);
  CHECK(log.routine("second").frame_count == 1);  // statistics do not depend on the disk

  setrlimit(RLIMIT_FSIZE, &before);
  named_block("fourth", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
  CHECK(file.read() == first + "Frame : fourth\n1,fourth,1,3,4\n");
}

TEST_CASE("perf log: after a write function has failed inside a frame, the next one begins on a line of its own") {
  struct Sink {
    std::string text;
    int calls = 0;
  } sink;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.write = [](void* user, const char* text, size_t size) {
    auto* to = static_cast<Sink*>(user);
    if (++to->calls == 2) return false;
    to->text.append(text, size);
    return true;
  };
  config.write_user = &sink;
  Log log(config);
  {
    PERF_BLOCK(wide);  // more text than the buffer holds
    for (int i = 0; i < 4000; ++i) named_block("a part of some length", 1);
  }
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_ERROR_FILE_WRITE);
  named_block("next", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
  const std::string next = "\nFrame : next\n1,next,1,4000,4001\n";
  CHECK(sink.text.substr(sink.text.size() - next.size()) == next);
  CHECK(log.stats().frames_unwritten == 1);
}

// ---- Statistics ------------------------------------------------------------------------------------------------------

TEST_CASE("perf log: statistics are over frames, with the deviation of a sample") {
  Log log;
  for (const uint64_t ns : {2u, 4u, 4u, 4u, 5u, 5u, 7u, 9u}) {
    PERF_BLOCK(frame);
    named_block("half", ns / 2);
    named_block("half", ns - ns / 2);
  }
  log.poll();
  for (const char* name : {"frame", "half"}) {
    const flamelet_perf_routine routine = log.routine(name);
    CHECK(routine.frame_count == 8);
    CHECK(routine.mean_ns == doctest::Approx(5));
    CHECK(routine.deviation_ns == doctest::Approx(std::sqrt(32.0 / 7)));
    CHECK(routine.min_ns == 2);
    CHECK(routine.max_ns == 9);
    CHECK(routine.last_ns == 9);
  }
  CHECK(log.routine("half").block_count == 16);
}

TEST_CASE("perf log: a routine inside itself costs its time once") {
  Log log;
  for (int frame = 0; frame < 2; ++frame) {
    PERF_BLOCK(update);
    PERF_BLOCK(visit);
    named_block("other", 1);
    PERF_BLOCK(visit);
    now_ns += 10;
  }
  log.poll();
  CHECK(log.routine("visit").mean_ns == 11);
  CHECK(log.routine("visit").block_count == 4);
  CHECK(log.routine("update").mean_ns == 11);
}

TEST_CASE("perf log: one frame has no deviation") {
  Log log;
  named_block("once", 3);
  log.poll();
  CHECK(log.routine("once").deviation_ns == 0);
  flamelet_perf_routine none;
  CHECK_FALSE(flamelet_perf_log_routine(log.log, 1000, &none));
}

TEST_CASE("perf log: the table shows the most expensive routine first, and fits the terminal") {
  Log log;
  named_block("cheap", 1000);
  for (int i = 0; i < 3; ++i) {
    PERF_BLOCK(a routine with a name that is too long);
    now_ns += 1500000 + 1000 * static_cast<uint64_t>(i);
  }
  log.poll();
  std::string table;
  flamelet_perf_log_print(log.log, 88, append_to_string, &table);
  CHECK(table ==
        "routine                    frames    last ms    mean ms      sd ms     min ms     max ms\n"
        "a routine with a name th        3      1.502      1.501      0.001      1.500      1.502\n"
        "cheap                           1      0.001      0.001          -      0.001      0.001\n");
  table.clear();
  flamelet_perf_log_print(log.log, UINT32_MAX, append_to_string, &table);
  CHECK(table.size() == 3 * 1025);
}
