// SPDX-License-Identifier: MIT
#include "html_page.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "tool_place.h"

// The page that the command is built with is another one, or none.
std::string_view flamelet::tools::html_page() {
  return "<p>the page</p>\n";
}

namespace {

using flamelet::tests::has;
using flamelet::tools::HtmlPageWriter;

bool append(void* user, const void* bytes, size_t size) {
  static_cast<std::string*>(user)->append(static_cast<const char*>(bytes), size);
  return true;
}

std::string page_of(const std::string& name, const std::string& capture, size_t piece) {
  std::string page;
  HtmlPageWriter writer(name, {append, &page});
  REQUIRE(writer.begin());
  const flamelet_sink sink = writer.sink();
  for (size_t at = 0; at < capture.size(); at += piece) {
    const std::string part = capture.substr(at, piece);
    REQUIRE(sink.write(sink.user, part.data(), part.size()));
  }
  REQUIRE(writer.finish());
  return page;
}

}  // namespace

TEST_CASE_FIXTURE(flamelet::tests::ToolPlace, "html page: the capture stands behind the page, in base64 of gzip") {
  std::minstd_rand random(3);
  for (const size_t size : {0u, 1u, 2u, 3u, 100u, 200000u}) {
    CAPTURE(size);
    std::string capture;
    for (size_t i = 0; i < size; ++i) capture += static_cast<char>(random() >> (i % 16));
    const std::string page = page_of("a.flamelet", capture, 7000);
    const std::string begin = "<p>the page</p>\n<script id=\"capture\" type=\"text/plain\" data-name=\"a.flamelet\">";
    const std::string end = "</script>\n";
    REQUIRE(page.substr(0, begin.size()) == begin);
    REQUIRE(page.substr(page.size() - end.size()) == end);
    write("base64", page.substr(begin.size(), page.size() - begin.size() - end.size()));
    REQUIRE(shell("base64 -d base64 | gzip -d", ">capture").exit_code == 0);
    CHECK(read("capture") == capture);
    CHECK(page_of("a.flamelet", capture, 1 << 20).size() >= begin.size());
  }
}

TEST_CASE("html page: a name ends no attribute and begins no element") {
  CHECK(has(page_of("a \"b\" <script> & c", "x", 1), "data-name=\"a &quot;b&quot; &lt;script&gt; &amp; c\">"));
}

TEST_CASE("html page: a sink that fails is not written to again") {
  int calls = 0;
  const auto refuse = [](void* user, const void*, size_t) { return ++*static_cast<int*>(user), false; };
  HtmlPageWriter writer("a", {refuse, &calls});
  CHECK_FALSE(writer.begin());
  CHECK(calls == 1);
  CHECK_FALSE(writer.finish());
}
