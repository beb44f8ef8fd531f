// SPDX-License-Identifier: MIT
#include "plot.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "display_text.h"

namespace plot_test {

using namespace flamelet::tools;

namespace {

size_t count_of(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

size_t widest_line(const std::string& text) {
  size_t widest = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    widest = std::max(widest, column_count(text.substr(at, end - at)));
    at = end + 1;
  }
  return widest;
}

// `frames` frames of 1 ms; one of them takes 20 ms.
CostPlot plot_with_hitch(uint64_t frames, uint64_t hitch) {
  CostPlot plot;
  plot.title = "a.log: frames";
  plot.last_frame = frames;
  CostPanel panel;
  panel.name = "update<int & char>";
  panel.mean_ns = 1e6;
  for (uint64_t frame = 1; frame <= frames; ++frame) {
    const double cost_ns = frame == hitch ? 20e6 : 1e6;
    panel.points.push_back({frame, frame, cost_ns, cost_ns, cost_ns});
  }
  plot.panels.push_back(panel);
  return plot;
}

}  // namespace

TEST_CASE("plot: one slow frame of many is seen on the terminal, at any width") {
  for (const size_t columns : {40u, 80u, 200u})
    for (const uint64_t hitch : {1u, 777u, 5000u}) {
      const std::string text = draw_on_terminal(plot_with_hitch(5000, hitch), columns);
      CHECK(widest_line(text) <= columns);
      const std::string top = text.substr(text.find("20 ms"));
      CHECK(count_of(top.substr(0, top.find('\n')), "█") == 1);
    }
}

TEST_CASE("plot: beyond a minute, marks are minutes, hours and days") {
  CostPlot plot = plot_with_hitch(100, 50);
  for (CostPoint& point : plot.panels[0].points) point.high_ns *= 360e3;  // 6 min, and 2 h
  CHECK(count_of(draw_on_terminal(plot, 80), "2 h ┤") == 1);
  CHECK(count_of(draw_as_svg(plot), ">2.0 h<") == 1);
  std::vector<int64_t> hours(99, 3600000000000);
  hours.push_back(7200000000000);
  const std::string two_hours = draw_on_terminal(make_histogram(hours), 80);
  CHECK(count_of(two_hours, "1.000 h │") == 1);
  CHECK(count_of(two_hours, " s ") == 0);
  for (int64_t i = 0; i < 99; ++i) hours[static_cast<size_t>(i)] = i * 3000000000;
  const std::string minutes = draw_on_terminal(make_histogram(hours), 80);
  CHECK(count_of(minutes, "0.5 min │") == 1);
  CHECK(count_of(minutes, "≥ 5.0 min │") == 1);
}

TEST_CASE("plot: one frame and no points are drawn") {
  CHECK(count_of(draw_on_terminal(plot_with_hitch(1, 1), 80), "frame 1\n") == 1);
  CHECK(count_of(draw_as_svg(plot_with_hitch(1, 1)), "<polyline") == 1);
  CostPlot empty = plot_with_hitch(1, 1);
  empty.panels[0].points.clear();
  CHECK_FALSE(draw_on_terminal(empty, 80).empty());
  CHECK_FALSE(draw_as_svg(empty).empty());
  CostPlot all = plot_with_hitch(1, 2);
  all.last_frame = UINT64_MAX;
  all.panels[0].points.push_back({UINT64_MAX, UINT64_MAX, 20e6, 20e6, 20e6});
  const std::string text = draw_on_terminal(all, 80);
  CHECK(count_of(text, "18446744073709551615\n") == 1);
  const std::string top = text.substr(text.find("20 ms ┤") + sizeof "20 ms ┤" - 1);
  CHECK(top.find("█") > 60);
}

TEST_CASE("text: a character of two columns takes two, and an accent none") {
  CHECK(column_count("stream") == 6);
  CHECK(column_count("渲染线程") == 8);
  CHECK(column_count("フレーム更新") == 12);
  CHECK(column_count("Главный поток") == 13);
  CHECK(column_count("e\xCC\x81") == 1);
  CHECK(left("渲染", 6) == "渲染  ");
  CHECK(right("渲染", 6) == "  渲染");
  CHECK(cut_to("渲染线程", 5) == "渲染…");
  CHECK(cut_to("渲染线程", 4) == "渲…");  // half a character is none
  CHECK(left("渲染线程", 4) == "渲… ");
  CHECK(cut_front_to("渲染线程", 5) == "…线程");
  CHECK(cut_front_to("渲染线程", 4) == "…程");
  CHECK(cut_to("stream", 3) == "st…");
  CHECK(cut_front_to("stream", 3) == "…am");
  CHECK(cut_front_to("ae\xCC\x81z", 2) == "…z");
}

TEST_CASE("plot: names are escaped in SVG") {
  const std::string svg = draw_as_svg(plot_with_hitch(10, 3));
  CHECK(count_of(svg, "update&lt;int &amp; char&gt;") == 1);
  CHECK(count_of(svg, "update<int") == 0);
}

TEST_CASE("plot: the timeline has a row for each routine and a bar for each frame") {
  TimelinePlot plot;
  plot.title = "a.log";
  plot.begin_ns = 1e9;
  plot.end_ns = 1e9 + 100e6;
  plot.rows = {{"first", {{1e9, 1e9 + 50e6, 1}}},
               {"second", {{1e9 + 50e6, 1e9 + 75e6, 1}, {1e9 + 75e6, 1e9 + 100e6, 1}}}};
  const std::string text = draw_on_terminal(plot, 100);
  CHECK(widest_line(text) <= 100);
  const std::string first = text.substr(0, text.find('\n'));
  const size_t cells = count_of(first, "█");
  CHECK(cells >= 44);
  CHECK(cells <= 48);
  CHECK(text.find("second") != std::string::npos);
  // A bar is a rectangle; one more is the paper.
  CHECK(count_of(draw_as_svg(plot), "<rect") == 4);
}

TEST_CASE("plot: an SVG becomes a PNG of twice its size") {
  std::string png;
  std::string problem;
  const std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"10\"/>";
  if (!can_draw_png()) {
    CHECK_FALSE(svg_to_png(svg, &png, &problem));
    CHECK(problem.find("librsvg") != std::string::npos);
    return;
  }
  REQUIRE(svg_to_png(svg, &png, &problem));
  REQUIRE(png.size() > 24);
  CHECK(png.substr(1, 3) == "PNG");
  CHECK(static_cast<int>(png[19]) == 60);
  CHECK(static_cast<int>(png[23]) == 20);
  CHECK_FALSE(svg_to_png("no picture", &png, &problem));
  CHECK_FALSE(problem.empty());
}

TEST_CASE("plot: axis marks are round, and within the axis") {
  const auto marks = [](double low, double high, int most, double least) {
    std::string text;
    for (const AxisMark& mark : axis_marks(low, high, most, least)) text += mark.text + " ";
    return text;
  };
  CHECK(marks(0, 10, 5, 0) == "0 2 4 6 8 10 ");
  CHECK(marks(0, 0.25, 5, 0) == "0.00 0.05 0.10 0.15 0.20 0.25 ");
  CHECK(marks(1, 3, 12, 1) == "1 2 3 ");
  CHECK(axis_top(17, 4) == 20);
  CHECK(axis_top(0, 4) == 1);
}

TEST_CASE("text: what could drive the terminal does not get there") {
  CHECK(printable_lines("a\x1B\n\nb\xE2\x80\xAE") == "a\xEF\xBF\xBD\n\nb<U+202E>");
  CHECK(printable_lines("") == "");
  CHECK(printable("plain \xC3\xA9") == "plain \xC3\xA9");
  CHECK(printable("\x1B[2J") == "\xEF\xBF\xBD[2J");
  CHECK(printable("a\nb\x7F") ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
  CHECK(printable("\xC2\x9B") == "\xEF\xBF\xBD");                              // a control character of two bytes
  CHECK(printable("\xFF\xC0\xAF") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // overlong
  CHECK(printable("\xED\xA0\x80").find("\xED") == std::string::npos);          // a surrogate
  CHECK(printable("\xEF\xBF\xBE\xEF\xBF\xBF") == "\xEF\xBF\xBD\xEF\xBF\xBD");  // no characters: XML forbids them
}

TEST_CASE("text: what is invisible, or turns the direction of text, is shown") {
  CHECK(printable("a\xE2\x80\xAE"
                  "b") == "a<U+202E>b");
  CHECK(printable("\xE2\x81\xA6\xE2\x80\x8B\xEF\xBB\xBF\xC2\xAD") == "<U+2066><U+200B><U+FEFF><U+00AD>");
  CHECK(printable("\xF3\xA0\x81\xA1") == "<U+E0061>");                         // a tag
  CHECK(printable("\xE2\x80\xA8") == "<U+2028>");                              // a separator of lines
  CHECK(printable("\xE2\x80\x8D\xEF\xB8\x8F") == "\xE2\x80\x8D\xEF\xB8\x8F");  // emoji and Persian need these
  CHECK(json_printable("\"a\xE2\x80\xAE\xF3\xA0\x81\xA1\xC3\xA9\"") == "\"a\\u202e\\udb40\\udc61\xC3\xA9\"");
}

TEST_CASE("text: is cut and filled by characters") {
  CHECK(cut_to("caf\xC3\xA9s", 5) == "caf\xC3\xA9s");
  CHECK(cut_to("caf\xC3\xA9s", 4) == "caf…");
  CHECK(left("a", 3) == "a  ");
  CHECK(right("a", 3) == "  a");
  CHECK(duration_text(7629514) == "7.630 ms");
  CHECK(duration_text(999) == "999 ns");
  CHECK(duration_text(-4999999990) == "-5000.000 ms");
  CHECK(duration_text(192.5) == "193 ns");  // as in tables
  CHECK(duration_text(59.999e9) == "59.999 s");
  CHECK(duration_text(60e9) == "1 min 0 s");
  CHECK(duration_text(5101200e9) == "59 d 1 h");
  CHECK(duration_text(3599.6e9) == "1 h 0 min");
  CHECK(duration_text(-5100e9) == "-1 h 25 min");
  CHECK(short_duration_text(125e9) == "2 min 5 s");
}

}  // namespace plot_test
