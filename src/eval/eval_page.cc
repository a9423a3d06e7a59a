#include "eval/eval_page.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"
#include "markdown/html_page.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

constexpr int kLabelWidth = 190;
constexpr int kChartWidth = 460;
constexpr int kRowHeight = 44;
constexpr int kBarHeight = 8;

constexpr std::string_view kStyle = R"(
:root { --whole: #2a6f97; --early: #61a5c2; --middle: #89c2d9; --late: #a9d6e5; --likely: #b5651d; }
@media screen and (prefers-color-scheme: dark) {
  :root { --whole: #61a5c2; --early: #4a8fb0; --middle: #3a7391; --late: #2c5a73;
          --likely: #e0a060; } }
svg text { fill: var(--ink); font-size: 13px; } svg .small { font-size: 11px; }
td:last-child, th:last-child { text-align: left; }
)";

double x_of(double share) {
  return kLabelWidth + share * kChartWidth;
}

void add_bar(std::string& svg, double y, double height, double share, std::string_view colour) {
  fmt::format_to(
      std::back_inserter(svg),
      R"svg(<rect x="{}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="var(--{})"/>)svg",
      kLabelWidth, y, share * kChartWidth, height, colour);
}

void add_row(std::string& svg, const EvalSummary& one, int row) {
  const double top = 24.0 + row * kRowHeight;
  const auto out = std::back_inserter(svg);
  fmt::format_to(out, R"(<text x="{}" y="{:.1f}" text-anchor="end">{}</text>)", kLabelWidth - 8,
                 top + 13, escape_html(one.configuration));
  add_bar(svg, top, 2.0 * kBarHeight, one.valid.value(), "whole");
  const char* colours[] = {"early", "middle", "late"};
  for (int third = 0; third < 3; ++third) {
    add_bar(svg, top + 18 + third * 6, 5, one.thirds[static_cast<std::size_t>(third)].value(),
            colours[third]);
  }
  const Interval likely = one.valid.interval();
  const double middle = top + kBarHeight;
  fmt::format_to(
      out,
      R"(<path d="M{0:.1f} {2:.1f}V{3:.1f}M{0:.1f} {4:.1f}H{1:.1f}M{1:.1f} {2:.1f}V{3:.1f}" )"
      R"svg(stroke="var(--likely)" stroke-width="2" fill="none"/>)svg",
      x_of(likely.low), x_of(likely.high), middle - 5, middle + 5, middle);
  fmt::format_to(out, R"(<text class="small" x="{:.1f}" y="{:.1f}">{:.1f} %</text>)", x_of(1) + 8,
                 top + 12, 100 * one.valid.value());
}

std::string chart(const std::vector<EvalSummary>& summaries) {
  const int height = 40 + static_cast<int>(summaries.size()) * kRowHeight;
  std::string svg = fmt::format(R"(<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" )"
                                R"(aria-label="valid calls by configuration">)",
                                kLabelWidth + kChartWidth + 70, height);
  for (int percent = 0; percent <= 100; percent += 25) {
    fmt::format_to(std::back_inserter(svg),
                   R"svg(<path d="M{0:.1f} 18V{1}" stroke="var(--line)"/>)svg"
                   R"(<text class="small" x="{0:.1f}" y="12" text-anchor="middle">{2} %</text>)",
                   x_of(percent / 100.0), height - 14, percent);
  }
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    add_row(svg, summaries[i], static_cast<int>(i));
  }
  return svg + "</svg>";
}

std::string table(const std::vector<EvalSummary>& summaries) {
  std::string html =
      "<table><tr><th>configuration</th><th>calls</th><th>valid</th><th>right</th><th>tokens</th>"
      "<th>ms</th><th>what was wrong</th></tr>\n";
  for (const EvalSummary& one : summaries) {
    std::vector<std::string> wrong;
    for (std::size_t i = 1; i < one.failures.size(); ++i) {
      if (one.failures[i] == 0) continue;
      wrong.push_back(
          fmt::format("{} {}", one.failures[i], to_string(static_cast<CallFailure>(i))));
    }
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.1f} %</td><td>{:.1f} %</td><td>{:.0f}</td><td>{:.0f}</td>"
        "<td>{}</td></tr>\n",
        escape_html(one.configuration), one.valid.all, 100 * one.valid.value(),
        100 * one.right.value(), one.tokens, one.ms, escape_html(join(wrong, ", ")));
  }
  return html + "</table>";
}

}  // namespace

std::string to_page(const EvalHeader& header, const std::vector<EvalSummary>& summaries) {
  const std::string title = "Tool calls of " + header.model;
  return html_page(
      {title, kStyle,
       fmt::format("<h1>{}</h1>\n"
                   "<p>{}, format {}, pedrocli {}. The wide bar is the share of valid calls, with "
                   "the range "
                   "that is likely at 95 %; below it the first, middle and last third of the "
                   "conversations.</p>\n"
                   "<div class=\"wide\">{}</div>\n<div class=\"wide\">{}</div>\n",
                   escape_html(title), escape_html(header.backend), escape_html(header.format),
                   escape_html(header.version), chart(summaries), table(summaries))});
}

}  // namespace pedro
