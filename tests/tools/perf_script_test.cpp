// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "perf_script.h"

namespace perf_script_test {

using namespace flamelet::tools;

namespace {

const std::string kGame =
    "# hostname : somewhere\n"
    "#\n"
    "game  8240/8241 [001] 19807.771388:     250000 cycles:u: \n"
    "\t    55d0c2a1 Town::step(float)+0x1c (/opt/a game/game)\n"
    "\t    55d0c100 main+0x8f (/opt/a game/game)\n"
    "\n"
    "game  8240/8241 [001] 19807.771638:     100000 cycles:u: \n"
    "\t    55d0c2ff Rule::operator()(int) const+0x270 (/opt/a game/game)\n"
    "\t    55d0c2a1 Town::step(float)+0x1c (/opt/a game/game)\n"
    "\t    55d0c100 main+0x8f (/opt/a game/game)\n"
    "\n"
    "worker 2  8240/8250 [003] 19807.771700:         50 cycles:u: \n"
    "\t7f4b683bd8a8 [unknown] (/usr/lib/libfast.so.1)\n"
    "\t           0 [unknown] ([unknown])\n"
    "\n";

// A text read whole: "[game] cycles:u 250000: inner < outer".
struct Read {
  explicit Read(const std::string& text, size_t piece = SIZE_MAX, PerfLimits limits = {}) {
    PerfReader* self = nullptr;
    PerfReader reader(
        [&](const PerfSample& sample) {
          const NameTable& names = self->names();
          std::string line =
              names[sample.command] + " " + names[sample.event] + " " + std::to_string(sample.period) + ":";
          for (size_t i = 0; i < sample.frames.size(); ++i) line += (i ? " < " : " ") + names[sample.frames[i]];
          samples.push_back(line);
        },
        [&](uint64_t line, const char* problem) { problems.emplace_back(line, problem); }, limits);
    self = &reader;
    for (size_t at = 0; at < text.size(); at += std::min(piece, text.size() - at))
      reader.feed(std::string_view(text).substr(at, piece));
    reader.finish();
    lost = reader.lost_count();
    stray_frames = reader.stray_frame_count();
    is_cut = reader.is_cut();
    CHECK(reader.sample_count() == samples.size());
    CHECK(reader.problem_count() == problems.size());
  }

  std::vector<std::string> samples;
  std::vector<std::pair<uint64_t, std::string>> problems;
  uint64_t lost = 0;
  uint64_t stray_frames = 0;
  bool is_cut = false;
};

std::string header_of(const std::string& line) {
  PerfHeader header;
  if (!parse_perf_header(line, &header)) return "none";
  return std::string(header.command) + "|" + std::string(header.event) + "|" + std::to_string(header.period) + "|" +
         std::string(header.rest);
}

std::string symbol_of(const std::string& line) {
  std::string symbol;
  return parse_perf_frame(line, &symbol) ? symbol : "none";
}

struct Tree {
  explicit Tree(const std::string& text, PerfTreeOptions options = {}) {
    flamelet_call_tree_config config = flamelet_call_tree_config_default();
    memory.resize(flamelet_call_tree_memory_required(&config));
    REQUIRE(flamelet_call_tree_create(&config, memory.data(), memory.size(), &tree) == FLAMELET_OK);
    PerfTree* self = nullptr;
    PerfReader reader([&](const PerfSample& sample) { self->add(sample); }, [](uint64_t, const char*) {});
    PerfTree perf_tree(tree, reader.names(), options);
    self = &perf_tree;
    reader.feed(text);
    reader.finish();
    event = perf_tree.event();
    added = perf_tree.samples_added();
    is_full = perf_tree.is_full();
    others = perf_tree.samples_of_other_events();
    flamelet_call_tree_query(
        tree, 0,
        [](void* user, const flamelet_call_path* path) {
          Tree& result = *static_cast<Tree*>(user);
          if (path->depth == 0) result.total = path->total_samples;
          if (path->depth == 0) return true;
          std::string line;
          for (uint32_t i = 0; i < path->depth; ++i)
            line += (i ? " > " : "") + std::string(flamelet_call_tree_name(result.tree, path->ids[i]));
          result.paths.push_back(line + " " + std::to_string(path->calls) + "/" + std::to_string(path->self_samples));
          return true;
        },
        this);
    std::sort(paths.begin(), paths.end());
  }

  std::vector<unsigned char> memory;
  flamelet_call_tree* tree = nullptr;
  std::string event;
  uint64_t added = 0;
  uint64_t others = 0;
  bool is_full = false;
  uint64_t total = 0;
  std::vector<std::string> paths;
};

}  // namespace

TEST_CASE("perf script: samples have a command, an event, a period, and frames from the inside out") {
  const Read read(kGame);
  CHECK(read.problems.empty());
  CHECK(read.samples == std::vector<std::string>{
                            "[game] cycles:u 250000: Town::step(float) < main",
                            "[game] cycles:u 100000: Rule::operator()(int) const < Town::step(float) < main",
                            "[worker 2] cycles:u 50: [unknown in libfast.so.1] < [unknown]",
                        });
}

TEST_CASE("perf script: a command may begin with #, and other records are neither samples nor damage") {
  const std::string text =
      "# captured on: today\n"
      "# cmdline : perf record -- ./game: 1.0: cycles: x\n"
      "#worker  7 [000] 1.000000: 100 cycles: \n"
      "\t401136 f+0x16 (/opt/game)\n"
      "\n"
      "  perf  7 [000] 1.000000: PERF_RECORD_COMM exec: game:7/7\n"
      "game  7 [000] 1.000001: PERF_RECORD_FORK(8:8):(7:7)\n"
      "game  7 [000] 1.000002: PERF_RECORD_LOST lost 42\n"
      "game  7 [000] 1.000003: PERF_RECORD_LOST_SAMPLES lost 8\n"
      "game  7 [000] 1.000003:    metric:    0.13  insn per cycle\n"
      "game  7 [000] 1.000003: PERF_RECORD_NAMESPACES 7/7 - nr_namespaces: 7\n"
      "\t\t[0/net: 0/0, 1/uts: 0/0, 2/ipc: 0/0, 3/pid: 0/0, \n"
      "\t\t 4/user: 0/0, 5/mnt: 0/0, 6/cgroup: 0/0]\n"
      "game  7 [000] 1.000003: PERF_RECORD_TEXT_POKE ffffffff81000000 f+0x0 old len 1 new len 1\n"
      "            old bytes: 90\n"
      "            new bytes: 66\n"
      "PERF_RECORD_THROTTLE time 20000310000 id 5 stream_id 5\n"
      "game  7 [000] 1.000004: 50 cycles: \n"
      "\t401136 f+0x16 (/opt/game)\n";
  const Read read(text);
  CHECK(read.samples == std::vector<std::string>{"[#worker] cycles 100: f", "[game] cycles 50: f"});
  CHECK(read.problems.empty());
  CHECK(read.lost == 50);
}

TEST_CASE("perf script: it does not matter where the text is cut, nor that the last line has no end") {
  const Read whole(kGame);
  for (const size_t piece : {1u, 2u, 3u, 17u, 64u}) CHECK(Read(kGame, piece).samples == whole.samples);
  CHECK(Read(kGame.substr(0, kGame.size() - 2)).samples == whole.samples);
}

TEST_CASE("perf script: a byte order mark is no part of the first command") {
  const std::string text = kGame.substr(kGame.find("game"));
  CHECK(Read("\xEF\xBB\xBF" + text).samples == Read(text).samples);
}

TEST_CASE("perf script: a text that ends in the middle of a line or of a stack says so") {
  const std::string first = "game 1 5.5: 1 cycles: \n\t7f00 f+0x1 (game)\n\t7f01 main+0x1 (game)\n\n";
  const std::string second = "game 1 5.6: 2 cycles: \n\t7f00 f+0x1 (game)\n";
  struct Case {
    std::string text;
    bool is_cut;
    std::string last;
  };
  for (const Case& c : {
           Case{first, false, "[game] cycles 1: f < main"}, Case{first + second + "\n", false, "[game] cycles 2: f"},
           Case{first + second, true, "[game] cycles 2: f"},
           Case{first + second + "\t7f01 ma", true, "[game] cycles 2: f"},
           Case{first + second + "\t7f", true, "[game] cycles 2: f"},
           Case{first + second + "\t7f01 main+0x1 (game)", true, "[game] cycles 2: f < main"},
           Case{first + second + "\t7f01 main+0x1 (game)\r", true, "[game] cycles 2: f < main"},
           Case{first + "game 1 5.6:", true, "[game] samples 1:"},
           Case{first + "game 1 5.6: 2 cycles: \n\n", false, "[game] cycles 2:"},
           Case{second + second, false, "[game] cycles 2: f"},  // no stack ends with an empty line
       }) {
    CAPTURE(c.text);
    const Read read(c.text);
    CHECK(read.is_cut == c.is_cut);
    CHECK(read.samples.back() == c.last);
    CHECK(read.problems.empty());
  }
}

TEST_CASE("perf script: what stands between and behind frames on request is no frame, and no damage") {
  for (const std::string line : {
           "  game.cpp:20",
           "  /home/me/a game/game.cpp:20 (inlined)",
           "  ??:0",
           "  ??:?",
           "  libc.so.6[29d90]",
           "|20         work();",
           " 0x401130/0x401136/P/-/-/3  0x401120/0x401130/M/-/-/12 ",
           " main+0x5/work+0x0/P/-/-/1 ",
           " ABI:2    AX:0x0    BX:0x7ffd",
           " =>     401200 work+0x0 (/game)",
           " insn: 48 89 e7",
           "\tmain+22:",
           "\t0000000000401136\tinsn: 48 89 e7",
           "\t0000000000401139\tcallq  foo   # PRED 2 cycles [2]",
           "\t... not reaching sample ...",
           "  :0",
           "               0",
           "        12345678 4K N/A",
           " 2M 4K",
           " ilen: 2 insn: 85 c0",
           " ABI:2    AX:0x0 ilen: 2 insn: 85 c0",
           "        12345678 \t IPC: 0.50 (1/2)",
           "|20         case 3 done: work();",
           "      BPF output: 0000: 48 69 00 00 00 00 00 12  a: b",
           "                  0008: 48 69 00 00 00 00 00 12  a: b",
           "      BPF string: \"pid 12 done: ok\"",
       }) {
    CAPTURE(line);
    const Read behind("game 1 5.5: 1 cycles:\n\t7f00 f+0x1 (game)\n\n" + line + "\n\n");
    CHECK(behind.samples == std::vector<std::string>{"[game] cycles 1: f"});
    CHECK(behind.problems.empty());
    const Read read("game 1 5.5: 1 cycles:\n\t7f00 f+0x1 (game)\n" + line + "\n\t7f01 main+0x1 (game)\n\n");
    CHECK(read.samples == std::vector<std::string>{"[game] cycles 1: f < main"});
    CHECK(read.problems.empty());
  }
}

TEST_CASE("perf script: a line without a process is a sample if frames belong to it") {
  CHECK(Read("game 5.5: 7 cycles:\n\t7f00 f\n\n").samples == std::vector<std::string>{"[game] cycles 7: f"});
  CHECK(Read("game 1 5.5: 7 cycles:\n\n").samples == std::vector<std::string>{"[game] cycles 7:"});
  const Read log("init 12.5: load: done\ninit 12.6: sound: no device\n");
  CHECK(log.samples.empty());
  CHECK(log.problems.size() == 2);
}

TEST_CASE("perf script: frames without a line that tells their sample are counted") {
  const Read read("\t401136 leaf\n\t401200 main\n\ngame 1/2\n\t401136 leaf\n\n");
  CHECK(read.samples.empty());
  CHECK(read.stray_frames == 3);
  CHECK(Read("nothing of ours\n").stray_frames == 0);
}

TEST_CASE("perf script: headers are read with whatever fields perf was asked for") {
  CHECK(header_of("game 1234 5.000001: cycles: ") == "game|cycles|1|");
  CHECK(header_of("game 1234/1235 [000] 5.5: 7 cycles:ppp: ") == "game|cycles:ppp|7|");
  CHECK(header_of("game 1234 cycles:") == "game|cycles|1|");
  CHECK(header_of("game 1234 [002] d..1. 5.5: sched:sched_switch: prev_comm=game prev_pid=1") ==
        "game|sched:sched_switch|1|prev_comm=game prev_pid=1");
  CHECK(header_of("   game 1234 [000] 5.5: 1 cycles: ffff sym+0x1 (game)") == "game|cycles|1|ffff sym+0x1 (game)");
  CHECK(header_of("Web Content 12 3456 [000] 5.5: 1 cycles:") == "Web Content 12|cycles|1|");
  CHECK(header_of(":99 99 5.5: 1 cycles:") == ":99|cycles|1|");
  CHECK(header_of("game 1234 5.5: cpu/event=0x3c/:") == "game|cpu/event=0x3c/|1|");

  // A processor without brackets (-L), and a period in its column that stands first, are no process.
  CHECK(header_of("    game  1234   1 50.100000:         10 cycles: ") == "game|cycles|10|");
  CHECK(header_of("    game  1234  12 50.100000:         10 cycles: ") == "game|cycles|10|");
  CHECK(header_of("Job 12  1234 128 50.100000: cycles: ") == "Job 12|cycles|1|");
  CHECK(header_of("        10 cycles: ") == "|cycles|10|");
  CHECK(header_of("12345678901 cycles: ") == "|cycles|12345678901|");
  CHECK(header_of("  1234 cycles: ") == "|cycles|1|");

  CHECK(header_of("") == "none");
  CHECK(header_of("game") == "none");
  CHECK(header_of("game 1234") == "none");
  CHECK(header_of("game 1234 5.5:") == "game|samples|1|");  // -F without the event
  CHECK(header_of("game 1234/7 [005]  5.5: ") == "game|samples|1|");
  CHECK(header_of("game 1234 5.5: 17") == "game|period|17|");
  CHECK(header_of("game x [000] 5.5: 1 cycles:") == "game x|cycles|1|");
  CHECK(header_of("game x [000] U 250 cycles:u:") == "game x|cycles:u|250|");
  CHECK(header_of("game x [000] 250 cycles:u:") == "game x|cycles:u|250|");
  CHECK(header_of("game x 5.5: cycles:u:") == "game x|cycles:u|1|");
  CHECK(header_of("game 1234 U 5.5: 250 cycles:u:") == "game|cycles:u|250|");
  CHECK(header_of("game 1234/7 K 250 cycles:u:") == "game|cycles:u|250|");
  CHECK(header_of("game 1234 [000] 5.5: 7 my own event: 7f00 f (x)") == "game|my own event|7|7f00 f (x)");
  CHECK(header_of("game [000] 5.5:  7fd65937d6cc f") == "game|samples|1|7fd65937d6cc f");
  CHECK(header_of("game [000] 5.5:  401136 f") == "game|samples|1|401136 f");
  CHECK(header_of("[000] 5: x  7 [001] 1.5: 3 cycles:") == "[000] 5: x|cycles|3|");
  CHECK(header_of(":-1    -1 [002] 5.5: 1 cycles:") == ":-1|cycles|1|");
  CHECK(header_of("VM:13376 VCPU:003 CPU 3/KVM 13376/13395 [005] G 5.5: 1 cycles:") == "CPU 3/KVM|cycles|1|");
  CHECK(header_of("game 1 [000] 5.5: 1 branches:u:  tr strt  401136 f+0x1 (x) =>  401200 g+0x0 (x)") ==
        "game|branches:u|1|401136 f+0x1 (x)");
  CHECK(header_of("game cycles:") == "none");  // any text could be that
  CHECK(header_of("game 1 U") == "none");
  CHECK(header_of("game 5.5: :") == "none");
  CHECK(header_of("game 1234 [000] 5.5: 1 :") == "none");
  CHECK(header_of("game 1234 [000] 5.5: 99999999999999999999 cycles:") == "none");
  for (const char* const period :
       {"281474976710656", "1000000000000000", "9223372036854775807", "18446744073709551615"})
    CHECK(header_of("game 1234 [000] 5.5: " + std::string(period) + " cycles:") ==
          "game|cycles|" + std::string(period) + "|");
}

TEST_CASE("perf script: symbols may hold spaces, parentheses and plus signs, and files, too") {
  CHECK(symbol_of("\t7f00 main+0x1d (/usr/bin/foo bar)") == "main");
  CHECK(symbol_of("\t7f00 main (/usr/bin/foo)") == "main");
  CHECK(symbol_of("\t7f00 main+0x1d") == "main");
  CHECK(symbol_of("\t7f00 f(int (*)(char), a b)+0x2 (/x (y)/z)") == "f(int (*)(char), a b)");
  CHECK(symbol_of("\t7f00 operator+(A, B)+0x2 (x)") == "operator+(A, B)");
  CHECK(symbol_of("\t7f00 operator()(int) const (inlined)") == "operator()(int) const");
  CHECK(symbol_of("\t7f00 std::map<int, char[3]>::at(int)") == "std::map<int, char[3]>::at(int)");
  CHECK(symbol_of("\tffffffff8158c221 do_fault+0x2ec ([kernel.kallsyms])") == "do_fault");
  CHECK(symbol_of("\t7f00 [unknown] (/memfd:code (deleted))") == "[unknown in memfd:code]");
  CHECK(symbol_of("\t7f00 [unknown] ([unknown])") == "[unknown]");
  CHECK(symbol_of("\t7f00 (/usr/bin/game)") == "[unknown in game]");
  CHECK(symbol_of("\t7f00 [unknown]") == "[unknown]");
  CHECK(symbol_of("\t7f00 [unknown] (/usr/lib/libfast.so.1+0x22)") == "[unknown in libfast.so.1]");
  CHECK(symbol_of("\t7f00 main+0x1d (/usr/bin/game+0x1111)") == "main");

  CHECK(symbol_of("\t") == "none");
  CHECK(symbol_of("\t7f00") == "0x7f00");
  CHECK(symbol_of("\tmain (/usr/bin/game)") == "none");
  CHECK(symbol_of("\t10000000000000000 main") == "none");
}

TEST_CASE("perf script: a line that cannot be read costs itself") {
  const Read read(
      "game 1 5.5: 1 cycles:\n"
      "\t7f00 inner+0x1 (game)\n"
      "\twhat is this\n"
      "\t7f00 outer+0x1 (game)\n"
      "\n"
      "\t7f00 lost+0x1 (game)\n"
      "no sample at all\n"
      "\t7f00 its frame+0x1 (game)\n"
      "\n"
      "game 1 5.6: 2 cycles:\n"
      "game 1 5.7: 3 cycles:\n"
      "\t7f00 last+0x1 (game)");
  CHECK(read.samples == std::vector<std::string>{
                            "[game] cycles 1: inner < outer",
                            "[game] cycles 2:",
                            "[game] cycles 3: last",
                        });
  CHECK(read.problems == std::vector<std::pair<uint64_t, std::string>>{
                             {3, "it is neither a sample nor a frame"},
                             {6, "it is a frame of no sample"},
                             {7, "it is no sample"},
                         });
}

TEST_CASE("perf script: what does not fit the limits is left away, and counted") {
  PerfLimits limits;
  limits.line_bytes = 40;
  CHECK(Read("game 1 5.5: 1 cycles:\n\t7f00 " + std::string(50, 'x') + "\n\t7f00 short\n", 7, limits).samples ==
        std::vector<std::string>{"[game] cycles 1: short"});
  limits = {};
  limits.frames = 2;
  const Read frames("game 1 5.5: 1 cycles:\n\t1 a\n\t2 b\n\t3 c\n", 9, limits);
  CHECK(frames.samples == std::vector<std::string>{"[game] cycles 1: a < b"});
  CHECK(frames.problems == std::vector<std::pair<uint64_t, std::string>>{{4, "the sample has too many frames"}});
  limits = {};
  limits.names = 3;
  const Read names("game 1 5.5: 1 cycles:\n\t1 a\n\t2 b\n\t1 a\n\nmore 1 5.5: 1 cycles:\n\t1 a\n", 9, limits);
  CHECK(names.samples == std::vector<std::string>{"[game] cycles 1: a < a"});
  CHECK(names.problems.size() == 2);
}

TEST_CASE("perf script: a command that ends in a number keeps it, whichever fields there are") {
  for (const std::string fields :
       {"  6448 ", "  6448 [001] 7.5: ", "  6448 7.5: ", "  6448  250000 ", " 123456 7.5: 250000 "}) {
    CAPTURE(fields);
    const Read read("Job.Worker 12" + fields + "cycles: \n\t401136 f+0x16 (/x)\n\n");
    const bool has_period = fields.find("250000") != std::string::npos;
    CHECK(read.samples ==
          std::vector<std::string>{has_period ? "[Job.Worker 12] cycles 250000: f" : "[Job.Worker 12] cycles 1: f"});
  }
  const Read records(
      "Job.Worker 12  6587 38698.165307: PERF_RECORD_SWITCH OUT preempt\n"
      "Job.Worker 12  6587 38698.165332: PERF_RECORD_LOST lost 7\n");
  CHECK(records.samples.empty());
  CHECK(records.lost == 7);
}

TEST_CASE("perf script: samples without call chains have the frame behind the event") {
  const Read read(
      "    game  1 [000] 5.5: 7 cycles:  ffffffff8158c221 do_fault+0x2ec ([kernel.kallsyms])\n"
      "    game  1 [000] 5.6: 9 cycles:      7f4b683bd8a8 f(int)+0x2 (/bin/game)\n"
      "    game  1 [000] 5.7: sched:sched_wakeup: add one=1\n"
      "    game  1 [000] 5.8: 1 branches:uH:  call   401136 f+0x16 (/bin/game) =>   401200 g+0x0 (/bin/game)\n"
      "    game    [000] 5.9:    7fd65937d6cc f+0x16\n");
  CHECK(read.samples == std::vector<std::string>{
                            "[game] cycles 7: do_fault",
                            "[game] cycles 9: f(int)",
                            "[game] sched:sched_wakeup 1:",
                            "[game] branches:uH 1: f",
                            "[game] samples 1: f",
                        });
  CHECK(read.problems.empty());
}

TEST_CASE("perf script: a period behind the time is one before an address, and where no field says what it is") {
  CHECK(header_of("w 11265   859.195655:    1001001      559f16594146 leaf") == "w|samples|1001001|559f16594146 leaf");
  CHECK(header_of("w 11265   859.195655:    1001001      559f16594146") == "w|samples|1001001|559f16594146");
  CHECK(header_of("w 11265   859.195655:    401136 leaf") == "w|samples|1|401136 leaf");
  CHECK(header_of("w 11265   859.195655:    1001001 ") == "w|period|1001001|");
  CHECK(header_of("taskset   428 [-01] 10394.179041:          1 cpu_atom/cpu-cycles/: ") ==
        "taskset|cpu_atom/cpu-cycles/|1|");
}

TEST_CASE("perf script: a last sample that has its only frame in its line is whole") {
  const std::string line = "game 1 10.5: 7 page-faults: 401136 work (/game)\n";
  CHECK_FALSE(Read(kGame + line).is_cut);
  CHECK(Read(kGame + line + "game 1 10.6: 7 page-faults: \n\t401136 work (/game)\n").is_cut);
}

TEST_CASE("perf script: records without a time are no samples, either") {
  const Read read(
      "w 29137 PERF_RECORD_MMAP2 29137/29137: [0x55d3cad3a000(0x1000) @ 0x1000 fe:00 10953427 262273745]: r-xp /w\n" +
      kGame);
  CHECK(read.samples.size() == 3);
  CHECK(read.problems.empty());
}

TEST_CASE("perf script: data, weights and groups stand before the only frame of a sample") {
  const struct {
    const char* fields;
    const char* name;
  } kCases[] = {
      {"     7ffdeadbeef0         68100142 |OP LOAD|LVL L1 hit|LCK No|BLK  N/A         7           400100 f+0x10 (/x)",
       "f"},
      {"           601040         68100142 |OP LOAD|SNP None         107           400100 f+0x10 (/x)         1234000",
       "f"},
      {"         7ffd1234 [unknown] ([stack])          400100 f+0x10 (/x)", "f"},
      {"           601040 counter+0x0 (/x)          400100 f+0x10 (/x)", "f"},
      {"     7ffd12340000               7           400100 f+0x10 (/x)", "f"},
      {"               107           400100 f+0x10 (/x)", "f"},
      {" /user.slice/x.scope           400100 f+0x10 (/x)", "f"},
      {" /           400100 f+0x10 (/x)", "f"},
      {" /user.slice/x.scope ffffffff8158c221 do_fault+0x2 ([kernel.kallsyms])", "do_fault"},
      {"           400100", "0x400100"},
      {"           400100 ", "0x400100"},
      {"     add                          400300 add+0x1 (/x) => 400400 leaf+0x0 (/x)", "add"},
      {"   jcc      (x)                  400106 f+0x6 (/x) =>           400206 g+0x16 (/x)", "f"},
      {"   tr strt                            0 [unknown] ([unknown]) =>           400106 f+0x6 (/x)", "[unknown]"},
  };
  for (const auto& each : kCases) {
    CAPTURE(each.fields);
    const Read read(std::string("game 11 [000] 1.000001: 30 cycles:") + each.fields + "\n");
    CHECK(read.samples == std::vector<std::string>{std::string("[game] cycles 30: ") + each.name});
  }
}

TEST_CASE("perf script: the time of day, and the guest in columns") {
  CHECK(header_of("game 11/12 [000] 2024-01-01 12:00:00.123456 5000.123456: 5 cycles:") == "game|cycles|5|");
  CHECK(header_of("game 11/12    [000] 2024-01-01 12:00:00.123456          5 cycles:") == "game|cycles|5|");
  CHECK(header_of("game 11/12 [000] d..1. 2024-01-01 12:00:00.123456: 5 cycles:") == "game|cycles|5|");
  CHECK(header_of("VM:  900 VCPU:000 guest-app 901/901 [002] 12.345679: 200 cycles:") == "guest-app|cycles|200|");
}

TEST_CASE("perf script: whatever stands behind the only frame of a sample, with and without its file") {
  struct Case {
    std::string frame, name;
  };
  const Case frames[] = {{"55d000001010 main", "main"},
                         {"55d000001013 std::foo(int, char)", "std::foo(int, char)"},
                         {"401136 f+0x4 (/usr/bin/game)", "f"},
                         {"55d0 [unknown] (/memfd:code (deleted))", "[unknown in memfd:code]"},
                         {"55d000001013 (anonymous namespace)::g(int) (/game)", "(anonymous namespace)::g(int)"}};
  const std::string behind[] = {"",
                                " 0x4005d0/0x4005e0/P/-/-/3 0x400510/0x4005c0/M/-/-/0 ",
                                " ABI:2    AX:0x0    BX:0x7ffd   IP:0x55d000001010",
                                " insn: 48 89 e5",
                                " ilen: 3 insn: 48 89 e5 ",
                                " \t IPC: 0.50 (1/2)"};
  const std::string behind_file[] = {"        1a2b3c4d", " 4K", " N/A 512B", "\t\tmov %rsp, %rdi",
                                     " f+0x1/g+0x2/P/-/-/1 "};
  for (const std::string event : {"", "1000 cycles:P:"}) {
    const auto check = [&](const Case& of, const std::string& end) {
      CAPTURE(of.frame + end);
      const std::string line = "game 100 [000] 1.000001:    " + event + "   " + of.frame + end + "\n";
      const std::string sample = event.empty() ? "[game] samples 1: " : "[game] cycles:P 1000: ";
      CHECK(Read(line).samples == std::vector<std::string>{sample + of.name});
    };
    for (const Case& of : frames) {
      for (const std::string& end : behind) check(of, end);
      if (of.frame.find(" (/") == std::string::npos) continue;
      for (const std::string& end : behind_file) check(of, end);
    }
  }
  // An address of memory is none where a stack follows.
  const Read stack("game 1 5.5: 7 cycles:   7ffd1234 35\n\t7f00 f (x)\n\t7f01 main (x)\n\n");
  CHECK(stack.samples == std::vector<std::string>{"[game] cycles 7: f < main"});
  CHECK(Read("game 1 5.5: sched:x: be careful\n").samples == std::vector<std::string>{"[game] sched:x 1:"});
}

TEST_CASE("perf script: frames may be addresses alone, and samples without a command go by their process") {
  const Read read("100 cycles:\n\t55d000001111\n\t55d000002222\n\n5.5: 7 cycles:\n\t1 f\n\n");
  CHECK(read.samples ==
        std::vector<std::string>{"[100] cycles 1: 0x55d000001111 < 0x55d000002222", "[unknown] cycles 7: f"});
  CHECK(read.problems.empty());
}

TEST_CASE("perf script: a tree holds every sample at its path, with its period") {
  const Tree tree(kGame);
  CHECK(tree.paths == std::vector<std::string>{
                          "[game] 2/0",
                          "[game] > main 2/0",
                          "[game] > main > Town::step(float) 2/250000",
                          "[game] > main > Town::step(float) > Rule::operator()(int) const 1/100000",
                          "[worker 2] 1/0",
                          "[worker 2] > [unknown] 1/0",
                          "[worker 2] > [unknown] > [unknown in libfast.so.1] 1/50",
                      });
  CHECK(tree.total == 350050);
  CHECK(tree.event == "cycles:u");
  CHECK(tree.added == 3);
}

TEST_CASE("perf script: a tree may leave the command out, and count samples") {
  PerfTreeOptions options;
  options.command_is_root = false;
  options.count_samples = true;
  const Tree tree(kGame, options);
  CHECK(std::count(tree.paths.begin(), tree.paths.end(), "main > Town::step(float) 2/1") == 1);
  CHECK(tree.total == 3);
}

TEST_CASE("perf script: a tree is of one event, the first if none is named") {
  const std::string text = "a 1 5.5: 10 cycles:\n\t1 f\n\na 1 5.6: 3 faults:\n\t1 g\n\na 1 5.7: 20 cycles:\n\t1 f\n";
  const Tree first(text);
  CHECK(first.event == "cycles");
  CHECK(first.total == 30);
  CHECK(first.others == 1);
  PerfTreeOptions options;
  options.event = "faults";
  const Tree named(text, options);
  CHECK(named.paths == std::vector<std::string>{"[a] 1/0", "[a] > g 1/3"});
  CHECK(named.others == 2);
}

TEST_CASE("perf script: periods sum up to what a file for pprof can hold, and stay there") {
  const std::string a_third = "a 1 5.5: 4611686018427387904 cycles:\n\t1 f\n\n";  // 2^62
  CHECK(Tree(a_third).paths.back() == "[a] > f 1/4611686018427387904");
  CHECK_FALSE(Tree(a_third).is_full);
  const Tree tree(a_third + a_third + a_third + "a 1 5.5: 18446744073709551615 cycles:\n\t1 g\n\n");
  CHECK(tree.total == INT64_MAX);
  CHECK(tree.is_full);
  CHECK(tree.added == 4);
}

TEST_CASE("perf script: recursion is folded") {
  std::string text = "a 1 5.5: 10 cycles:\n";
  for (int i = 0; i < 1000; ++i) text += "\t1 apply\n\t2 eval\n";
  const Tree tree(text);
  CHECK(tree.paths == std::vector<std::string>{
                          "[a] 1/0",
                          "[a] > eval 1/0",
                          "[a] > eval > apply 1/10",
                      });
  // Once for each sample that is on a path.
  const std::string fib = "a 1 5.5: 10 cycles:\n\t1 fib\n\t1 fib\n\t1 fib\n\t2 main\n\n";
  CHECK(Tree(fib + fib).paths == std::vector<std::string>{"[a] 2/0", "[a] > main 2/0", "[a] > main > fib 2/20"});
}

TEST_CASE("perf script: damaged text is read without harm, and the rest of it is not lost") {
  std::mt19937 random(11);
  const std::string good = "last 1 5.5: 1 cycles:\n\t1 end\n";
  const std::string bytes("\n\t ():[]+/.#0x\0\xff", 16);
  for (int round = 0; round < 3000; ++round) {
    std::string text = kGame;
    for (int i = 0; i < 12; ++i) text[random() % text.size()] = bytes[random() % bytes.size()];
    text.resize(random() % text.size());
    const Read read(text + "\n\n" + good, 1 + random() % 100);
    REQUIRE(!read.samples.empty());
    CHECK(read.samples.back() == "[last] cycles 1: end");
  }
}

}  // namespace perf_script_test
