// SPDX-License-Identifier: MIT
#include "log_analysis.h"

#include <doctest/doctest.h>

#include <string>

using flamelet::tools::LogLine;
using flamelet::tools::parse_log_line;

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
