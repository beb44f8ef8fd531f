// SPDX-License-Identifier: MIT
#include "log_analysis.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace flamelet::tools;
using flamelet::tools::LogLine;
using flamelet::tools::parse_log_line;

namespace {

// A log read whole, as text: "update[ collect 2:11, update 1:36 ]", with '~' where the begin or the end is missing.
struct Read {
  explicit Read(const std::string& log, size_t piece = SIZE_MAX, LogLimits limits = {}) {
    LogReader reader(
        [&](const LogFrame& frame) {
          frames.push_back(frame);
          text += frame.routine == NameTable::kNone ? "?" : reader_names(frame.routine);
          text += frame.has_begin ? "[" : "~[";
          for (const LogBlock& block : frame.blocks)
            text += " " + reader_names(block.name) + " " + std::to_string(block.depth) + ":" +
                    std::to_string(block.duration_ns);
          text += frame.has_end ? " ]\n" : " ]~\n";
        },
        [&](uint64_t line, const char* problem) { problems.emplace_back(line, problem); }, limits);
    names = &reader.names();
    for (size_t at = 0; at < log.size(); at += std::min(piece, log.size() - at))
      reader.feed(std::string_view(log).substr(at, piece));
    reader.finish();
    CHECK(reader.frame_count() == frames.size());
    CHECK(reader.problem_count() == problems.size());
    names = nullptr;
  }
  std::string reader_names(uint32_t name) const { return (*names)[name]; }

  std::vector<LogFrame> frames;
  std::vector<std::pair<uint64_t, std::string>> problems;
  std::string text;
  const NameTable* names = nullptr;
};

const std::string kTwoFrames =
    "Frame : update\n"
    "3,read,10,105,115\n"
    "2,collect,11,105,116\n"
    "2,move,20,116,136\n"
    "1,update,36,100,136\n"
    "Frame : render\n"
    "1,render,7,136,143\n";

std::vector<std::pair<uint32_t, int64_t>> costs_of(const std::string& log) {
  FrameCosts costs;
  std::vector<std::pair<uint32_t, int64_t>> result;
  for (const LogFrame& frame : Read(log).frames)
    for (const RoutineCost& cost : costs.of(frame)) result.emplace_back(cost.name, cost.cost_ns);
  return result;
}

}  // namespace

TEST_CASE("log reader: frames end with their outermost block") {
  const Read read(kTwoFrames);
  CHECK(read.text == "update[ read 3:10 collect 2:11 move 2:20 update 1:36 ]\nrender[ render 1:7 ]\n");
  CHECK(read.problems.empty());
  CHECK(read.frames[0].number == 1);
  CHECK(read.frames[0].line == 1);
  CHECK(read.frames[1].number == 2);
  CHECK(read.frames[1].line == 6);
}

TEST_CASE("log reader: the size of the pieces does not matter") {
  const std::string expected = Read(kTwoFrames).text;
  for (size_t piece = 1; piece < 40; ++piece) CHECK(Read(kTwoFrames, piece).text == expected);
}

TEST_CASE("log reader: one frame only, with and without the end of its last line") {
  CHECK(Read("Frame : a\n1,a,5,0,5\n").text == "a[ a 1:5 ]\n");
  CHECK(Read("Frame : a\n1,a,5,0,5").text == "a[ a 1:5 ]\n");
  CHECK(Read("1,a,5\n").text == "a~[ a 1:5 ]\n");
}

TEST_CASE("log reader: a file that starts inside a frame") {
  const Read read("2,move,20,116,136\n1,update,36,100,136\nFrame : render\n1,render,7,136,143\n");
  CHECK(read.text == "update~[ move 2:20 update 1:36 ]\nrender[ render 1:7 ]\n");
}

TEST_CASE("log reader: a file that ends inside a frame, and a frame cut by the next") {
  CHECK(Read("Frame : a\n2,b,1,0,1\n").text == "a[ b 2:1 ]~\n");
  CHECK(Read("Frame : a\n2,b,1,0,1\nFrame : c\n1,c,1,1,2\n").text == "a[ b 2:1 ]~\nc[ c 1:1 ]\n");
  for (const std::string rest : {"", "2,b,1,0,", "2,b,1,0,\n", "\n", "Lost : 3 events\n"})
    CHECK(Read("1,a,1,0,1\nFrame : a\n" + rest).text == "a~[ a 1:1 ]\na[ ]~\n");
  CHECK(Read("Frame : a\nFrame : c\n1,c,1,1,2\n").text == "a[ ]~\nc[ c 1:1 ]\n");
  LogLimits limits;
  limits.threads = 1;
  const std::string prefix = "I1030 16:22:29.477175 ";
  const Read threads(prefix + "1 a.cc:1] Frame : a\n" + prefix + "2 a.cc:1] Frame : c\n", SIZE_MAX, limits);
  CHECK(threads.text == "a[ ]~\n");
  CHECK(threads.problems.size() == 1);
}

TEST_CASE("log reader: without lines that say so, a frame begins where the last one ended") {
  CHECK(Read("2,b,1\n1,a,2\n2,b,3\n1,a,4\n").text == "a~[ b 2:1 a 1:2 ]\na[ b 2:3 a 1:4 ]\n");
}

TEST_CASE("log reader: a log that is cut anywhere loses its last line at most, says so, and nothing is invented") {
  const std::string ours =
      "Frame : \"void f(int, char[3])\" on thread \"Main\"\n"
      "3,read,10,105,115\n"
      "2,\"move<1, 2>\",20,116,136\n"
      "2,\"a,7,1,8\",1,136,137\n"
      "1,\"void f(int, char[3])\",37000,100,37100\n"
      "Frame : update on fiber 3\n"
      "1,update,362820,5008101,5370921\n";
  std::string older = "Log file created at: 2022/10/30 16:22:29\nRunning on machine: build-3\n";
  for (const char* text :
       {"Frame : virtual bool a::b<int>::Proc(std::map<int, char[3]>)", "2,cloud_preprocessor,7629514",
        "2,f(1,0,1),55,20,75", "1,virtual bool a::b<int>::Proc(std::map<int, char[3]>),9000111,0,9000111"})
    older += "I1030 16:22:29.477175 12116 frame.cc:53] " + std::string(text) + "\n";
  for (const std::string& log : {ours, older}) {
    REQUIRE(Read(log).problems.empty());
    for (size_t cut = 0; cut < log.size(); ++cut) {
      CAPTURE(log.substr(0, cut));
      const size_t whole = cut == 0 ? 0 : log.rfind('\n', cut - 1) + 1;  // behind the last line that has its end
      const uint64_t lines =
          static_cast<uint64_t>(std::count(log.begin(), log.begin() + static_cast<ptrdiff_t>(whole), '\n'));
      const Read before(log.substr(0, whole)), read(log.substr(0, cut));
      const Read after(log.substr(0, log.find('\n', cut) + 1));
      if (read.problems.empty()) {
        // Nothing but the line's end is missing, or all of the line.
        CHECK((read.text == before.text || read.text == after.text));
        if (cut != whole) CHECK((log[cut] == '\n' || read.text == before.text));
      } else {
        CHECK(read.text == before.text);
        REQUIRE(read.problems.size() == 1);
        CHECK(read.problems[0].first == lines + 1);
      }
    }
  }
}

TEST_CASE("log reader: a last line without its end counts if its numbers show that it is whole") {
  CHECK(Read("Frame : a\n1,a,5,0,5").problems.empty());
  for (const char* last : {"1,a,5", "1,a,50,0,5", "Frame : b", "1,\"a,1,2,3", "1,f(2,0,2"}) {
    const Read read("1,x,1,0,1\n" + std::string(last));
    CHECK(read.text == "x~[ x 1:1 ]\n");
    REQUIRE(read.problems.size() == 1);
    CHECK(read.problems[0] == std::pair<uint64_t, std::string>(2, "the last line has no end: it may be cut"));
  }
}

TEST_CASE("log reader: a header of a logging library is skipped") {
  const Read read("Log file created at: today\nRunning on machine: it\nLog line format: text\n" + kTwoFrames);
  CHECK(read.problems.empty());
  CHECK(read.frames.size() == 2);
}

TEST_CASE("log reader: a byte order mark is no part of the first line") {
  const Read read("\xEF\xBB\xBF" + std::string(kTwoFrames));
  CHECK(read.problems.empty());
  CHECK(read.text == Read(kTwoFrames).text);
  CHECK(Read("\n\xEF\xBB\xBF" + std::string(kTwoFrames)).problems.size() == 1);
}

TEST_CASE("log reader: an older log of two threads, mixed") {
  const auto line = [](int thread, const std::string& text) {
    return "I1030 16:22:29.477175 " + std::to_string(thread) + " frame.cc:53] " + text + "\n";
  };
  const Read read(line(7, "Frame : a") + line(8, "Frame : x") + line(7, "2,b,1,0,1") + line(8, "2,y,2,0,2") +
                  line(7, "1,a,3,0,3") + line(8, "1,x,4,0,4"));
  CHECK(read.text == "a[ b 2:1 a 1:3 ]\nx[ y 2:2 x 1:4 ]\n");
}

TEST_CASE("log reader: a bad line is reported with its number and skipped, and nothing else is lost") {
  for (const char* bad : {"nonsense", "1,2", "x,y,z", ",,,", "1,\xFF\xFE,x", "99999999999999999999,a,1"}) {
    const std::string log = kTwoFrames;
    for (size_t at = 0; at <= log.size(); at = log.find('\n', at) + 1) {
      std::string spoilt = log;
      spoilt.insert(at, std::string(bad) + "\n");
      const Read read(spoilt);
      CHECK(read.text == Read(kTwoFrames).text);
      REQUIRE(read.problems.size() == 1);
      uint64_t line = 1;
      for (size_t i = 0; i < at; ++i) line += log[i] == '\n';
      CHECK(read.problems[0].first == line);
      if (at == log.size()) break;
    }
  }
}

TEST_CASE("log reader: a line without an end takes no more memory than the limit") {
  LogLimits limits;
  limits.line_bytes = 100;
  std::string log = "Frame : a\n" + std::string(101, 'x') + "\n1,a,1\n" + std::string(100, '7') + "\n";
  for (const size_t piece : {size_t{1}, size_t{7}, SIZE_MAX}) {
    const Read read(log + std::string(1000, 'y'), piece, limits);
    CHECK(read.text == "a[ a 1:1 ]\n");
    REQUIRE(read.problems.size() == 3);
    CHECK(read.problems[0] == std::pair<uint64_t, std::string>(2, "the line is too long"));
    CHECK(read.problems[1] == std::pair<uint64_t, std::string>(4, "it is neither a frame nor a block"));
    CHECK(read.problems[2] == std::pair<uint64_t, std::string>(5, "the line is too long"));
  }
}

TEST_CASE("log reader: limits of names, of open blocks and of threads are exact, and what is beyond is reported") {
  LogLimits limits;
  limits.names = 3;
  Read names("2,b,1\n2,c,1\n2,d,1\n2,e,1\n1,b,9\n", SIZE_MAX, limits);
  CHECK(names.text == "b~[ b 2:1 c 2:1 d 2:1 b 1:9 ]\n");
  REQUIRE(names.problems.size() == 1);
  CHECK(names.problems[0] == std::pair<uint64_t, std::string>(4, "there are too many different names"));

  limits = LogLimits();
  limits.open_blocks = 2;
  Read blocks("2,b,1\n2,c,1\n2,d,1\n1,a,9\nFrame : e\n1,e,1\n", SIZE_MAX, limits);
  CHECK(blocks.text == "a~[ b 2:1 c 2:1 a 1:9 ]\ne[ e 1:1 ]\n");
  CHECK(blocks.problems.size() == 1);

  limits = LogLimits();
  limits.threads = 2;
  std::string log;
  for (const char* thread : {"1", "2", "3"}) log += "I1030 16:22:29.477175 " + std::string(thread) + " a.cc:1] 2,b,1\n";
  log += "I1030 16:22:29.477175 2 a.cc:1] 1,a,1\nI1030 16:22:29.477175 3 a.cc:1] 1,a,1\n";
  Read threads(log, SIZE_MAX, limits);
  CHECK(threads.problems.size() == 1);  // thread 3's first line; then thread 2 has ended its frame
  CHECK(threads.frames.size() == 3);
}

TEST_CASE("log reader: any bytes are read without harm") {
  std::mt19937_64 random(0x10C);
  for (int round = 0; round < 2000; ++round) {
    std::string log = kTwoFrames;
    for (int change = 0; change < 8; ++change) {
      const size_t at = random() % log.size();
      switch (random() % 3) {
        case 0:
          log[at] = static_cast<char>(random());
          break;
        case 1:
          log.erase(at, random() % 8);
          break;
        default:
          log.insert(at, log.substr(random() % log.size(), random() % 20));
      }
    }
    const Read read(log, 1 + random() % 50);
    FrameCosts costs;
    for (const LogFrame& frame : read.frames) {
      CHECK((!frame.blocks.empty() || (frame.has_begin && !frame.has_end)));
      size_t blocks = 0;
      for (const RoutineCost& cost : costs.of(frame)) blocks += cost.block_count;
      CHECK(blocks == frame.blocks.size());
    }
  }
}

TEST_CASE("frame costs: the blocks of a routine add up") {
  // Names by number: a 0, b 1.
  CHECK(costs_of("2,b,1,0,1\n2,b,2,1,3\n1,a,5,0,5\n") == std::vector<std::pair<uint32_t, int64_t>>{{1, 5}, {0, 3}});
}

TEST_CASE("frame costs: a routine inside itself counts once") {
  CHECK(costs_of("3,a,2,1,3\n2,b,4,0,4\n1,a,9,0,9\n") == std::vector<std::pair<uint32_t, int64_t>>{{0, 9}, {1, 4}});
  // Beside each other they are two.
  CHECK(costs_of("2,a,2,0,2\n2,a,3,2,5\n") == std::vector<std::pair<uint32_t, int64_t>>{{0, 5}});
}

TEST_CASE("frame costs: sums stop at the largest number") {
  CHECK(costs_of("2,a,9223372036854775807\n2,a,9223372036854775807\n") ==
        std::vector<std::pair<uint32_t, int64_t>>{{0, INT64_MAX}});
}

TEST_CASE("frame costs: blocks without times stand one behind the other") {
  const Read read("2,b,10\n2,c,20\n1,a,50\n2,b,10\n1,a,40\n");
  FrameCosts costs;
  REQUIRE(read.frames.size() == 2);
  std::vector<RoutineCost> first = costs.of(read.frames[0]);
  REQUIRE(first.size() == 3);
  CHECK(first[0].begin_ns == 0);
  CHECK(first[0].end_ns == 50);
  CHECK(first[1].begin_ns == 30);  // c
  CHECK(first[1].end_ns == 50);
  CHECK(first[2].begin_ns == 20);  // b
  CHECK(first[2].end_ns == 30);
  std::vector<RoutineCost> second = costs.of(read.frames[1]);
  CHECK(second[0].begin_ns == 50);
  CHECK(second[0].end_ns == 90);
  CHECK(second[1].begin_ns == 80);
}

// ---- Log line -----------------------------------------------------------------------------------------------------

namespace {

LogLine block(const std::string& text) {
  LogLine line = parse_log_line(text);
  REQUIRE(line.kind == LogLine::Kind::kBlock);
  return line;
}

const char* problem(const std::string& text) {
  const LogLine line = parse_log_line(text);
  CHECK(line.kind == LogLine::Kind::kBad);
  return line.problem;
}

}  // namespace

TEST_CASE("log line: five fields") {
  const LogLine line = block("2,collect,11,105,116");
  CHECK(line.depth == 2);
  CHECK(line.name == "collect");
  CHECK(line.duration_ns == 11);
  CHECK(line.has_times);
  CHECK(line.begin_ns == 105);
  CHECK(line.end_ns == 116);
  CHECK(line.thread == 0);
}

TEST_CASE("log line: the older logger's prefix is taken off") {
  const LogLine line =
      block("I1030 16:22:29.477175 12116 frame.cc:53] 2,cloud_preprocessor,7629514,3628204071235884,3628204078865398");
  CHECK(line.depth == 2);
  CHECK(line.name == "cloud_preprocessor");
  CHECK(line.duration_ns == 7629514);
  CHECK(line.begin_ns == 3628204071235884);
  CHECK(line.end_ns == 3628204078865398);
  CHECK(line.thread == 12116);
  CHECK(block("W20221030 16:22:29.477175     7 a/b.cc:1] 1,x,5,1,6").thread == 7);
}

TEST_CASE("log line: the older logger's three fields have no times") {
  const LogLine line = block("I1030 16:22:29.477175 12116 frame.cc:53] 2,cloud_preprocessor,7629514");
  CHECK(line.name == "cloud_preprocessor");
  CHECK(line.duration_ns == 7629514);
  CHECK_FALSE(line.has_times);
  CHECK(block("1,plain,7").name == "plain");
}

TEST_CASE("log line: names with commas and brackets, without quotes") {
  const std::string name = "virtual bool a::b<int>::Proc(std::map<int, char[3]>)";
  CHECK(block("3," + name + ",10,5,15").name == name);
  CHECK(block("3," + name + ",10").name == name);
  const LogLine line = block("I1030 16:22:29.477175 12116 frame.cc:53] 3," + name + ",10,5,15");
  CHECK(line.name == name);
  CHECK(line.depth == 3);
  // A "] " in a name comes after that of the prefix.
  CHECK(block("I1030 16:22:29.477175 12116 frame.cc:53] 3,f(int[2] , char),10,5,15").name == "f(int[2] , char)");
}

TEST_CASE("log line: names that end with numbers") {
  CHECK(block("1,f<1,2,9").name == "f<1,2");
  CHECK(block("1,f<1,2,9").duration_ns == 9);
  CHECK(block("1,f,7,3,1,4").name == "f,7");
  CHECK(block("1,\"f,7\",3,1,4").name == "f,7");
  CHECK(block("1,\"f,1,2\",3").name == "f,1,2");
}

TEST_CASE("log line: names in quotes") {
  CHECK(block("1,\"a, \\\"b\\\" [c]\\n\\r\\t\\\\\\x01\",3,1,4").name == "a, \"b\" [c]\n\r\t\\\x01");
  CHECK(block("1,\"\",3,1,4").name.empty());
  CHECK(block("1,\" spaces \",3,1,4").name == " spaces ");
  // What only looks like quotes is a name.
  CHECK(block("1,\"half,3,1,4").name == "\"half");
  CHECK(block("1,\"bad \\q escape\",3,1,4").name == "\"bad \\q escape\"");
  CHECK(block("1,\"a\"b,3,1,4").name == "\"a\"b");
}

TEST_CASE("log line: frames") {
  LogLine line = parse_log_line("Frame : update");
  CHECK(line.kind == LogLine::Kind::kFrame);
  CHECK(line.name == "update");
  line = parse_log_line("I1030 16:22:29.477175 12116 frame.cc:50] Frame : virtual bool a::b<int>::Proc()");
  CHECK(line.kind == LogLine::Kind::kFrame);
  CHECK(line.name == "virtual bool a::b<int>::Proc()");
  CHECK(line.thread == 12116);
  CHECK(parse_log_line("Frame : \"a, b\"").name == "a, b");
  CHECK(parse_log_line("Frame:x").name == "x");
  CHECK(parse_log_line("Frames,1,2").kind == LogLine::Kind::kBad);
}

TEST_CASE("log line: frames say on which thread or fiber they ran") {
  const auto frame = [](const std::string& text) {
    const LogLine line = parse_log_line(text);
    CHECK(line.kind == LogLine::Kind::kFrame);
    return line.name + "|" + line.place;
  };
  CHECK(frame("Frame : void Game::update() on thread \"Main\"") == "void Game::update()|thread Main");
  CHECK(frame("Frame : \"move<int, 3>\" on fiber \"Loader, \\\"2\\\"\"") == "move<int, 3>|fiber Loader, \"2\"");
  CHECK(frame("Frame : update on thread 3") == "update|thread 3");
  CHECK(frame("Frame : walk on thread ice on fiber 12") == "walk on thread ice|fiber 12");
  CHECK(frame("Frame : a on thread \"b on thread \\\"c\\\"\"") == "a|thread b on thread \"c\"");
  // What only looks like it belongs to the name, as in logs that do not say it.
  CHECK(frame("Frame : turn on thread") == "turn on thread|");
  CHECK(frame("Frame : turn on thread \"half") == "turn on thread \"half|");
  CHECK(frame("Frame : \"turn\" on and on") == "\"turn\" on and on|");
}

TEST_CASE("log line: a tag between the prefix and the text is taken off") {
  LogLine line = parse_log_line("I1030 16:22:29.477175 12116 frame.cc:50] [perf]Frame : update");
  CHECK(line.kind == LogLine::Kind::kFrame);
  CHECK(line.name == "update");
  CHECK(line.thread == 12116);
  line = block("I1030 16:22:29.477175 12116 frame.cc:50] [perf] 2,f(int[2], char),10,5,15");
  CHECK(line.name == "f(int[2], char)");
  CHECK(block("[perf]1,a,5").name == "a");
}

TEST_CASE("log line: what logging libraries write at the begin of a file is no bad line") {
  for (const char* header :
       {"Log file created at: 2022/10/30 16:22:29", "Running on machine: build-3",
        "Running duration (h:mm:ss): 0:00:00", "Log line format: [IWEF]mmdd hh:mm:ss.uuuuuu threadid file:line] msg"})
    CHECK(parse_log_line(header).kind == LogLine::Kind::kHeader);
}

TEST_CASE("log line: damaged numbers do not become names") {
  CHECK(std::string(problem("2,collect,1x,105,116")) == "a number is damaged");
  CHECK(std::string(problem("2,collect,11,1x5,116")) == "a number is damaged");
  CHECK(std::string(problem("2,collect,,105,116")) == "a number is damaged");
  CHECK(std::string(problem("2,collect,11,105,1x6")) == "the last field is not a duration");
  CHECK(std::string(problem("2,collect,11000,105,116")) == "the duration is not the time from begin to end");
  CHECK(std::string(problem("2,f(int, char),x1,105,116")) == "a number is damaged");
  CHECK(block("2,load, then parse,11").name == "load, then parse");
  CHECK(block("2,f<1,2>(int),11").name == "f<1,2>(int)");
}

TEST_CASE("log line: a duration may differ from the times a little, as of another clock") {
  CHECK(block("1,a,1000900,0,1000000").has_times);
  CHECK_FALSE(block("1,a,1000900,0,1000000").is_exact);
  CHECK(block("1,a,1000000,0,1000000").is_exact);
  CHECK(parse_log_line("1,a,1100000,0,1000000").kind == LogLine::Kind::kBad);
}

TEST_CASE("log line: spaces, carriage returns and empty lines") {
  CHECK(parse_log_line("").kind == LogLine::Kind::kEmpty);
  CHECK(parse_log_line(" \t\r").kind == LogLine::Kind::kEmpty);
  const LogLine line = block(" 2 , collect , 11 , 105 , 116 \r");
  CHECK(line.name == "collect");
  CHECK(line.end_ns == 116);
}

TEST_CASE("log line: the largest and the smallest numbers") {
  CHECK(block("65535,deep,9223372036854775807,-9223372036854775808,9223372036854775807").depth == 65535);
  CHECK(block("1,zero,0,5,5").duration_ns == 0);
  CHECK(std::string(problem("65536,x,1")) == "the depth is out of range");
  CHECK(std::string(problem("0,x,1")) == "the depth is out of range");
  CHECK(std::string(problem("1,x,9223372036854775808")) == "the last field is not a duration");
}

TEST_CASE("log line: what is wrong is said") {
  CHECK(std::string(problem("nonsense")) == "it is neither a frame nor a block");
  CHECK(std::string(problem("x,y,1")) == "the first field is not a depth");
  CHECK(std::string(problem("-1,y,1")) == "the first field is not a depth");
  CHECK(std::string(problem("1,")) == "the last field is not a duration");
  CHECK(std::string(problem("1,name,")) == "the last field is not a duration");
  CHECK(std::string(problem("1,name,1.5")) == "the last field is not a duration");
  CHECK(std::string(problem("1,name")) == "the last field is not a duration");
  CHECK(std::string(problem("1,,5")) == "it has no name");
  CHECK(std::string(problem("1,name,-5")) == "the duration is negative");
  CHECK(std::string(problem("1,name,5,9,4")) == "it ends before it begins");
  CHECK(std::string(problem("1,\"name\",other,5,4,9")) == "there is something between the name and the numbers");
}
