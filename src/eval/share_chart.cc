#include "eval/share_chart.h"

#include <fmt/format.h>

#include <iterator>

#include "base/embedded_file.h"
#include "markdown/markdown.h"

namespace pedro {

extern const EmbeddedFile kShareChartStyle[];

namespace {

constexpr int kLabelWidth = 190;
constexpr int kChartWidth = 460;
constexpr int kRowHeight = 44;
constexpr int kBarHeight = 8;

double x_of(double share) {
  return kLabelWidth + share * kChartWidth;
}

void add_bar(std::string& svg, double y, double height, double share, std::string_view colour) {
  fmt::format_to(
      std::back_inserter(svg),
      R"svg(<rect x="{}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="var(--{})"/>)svg",
      kLabelWidth, y, share * kChartWidth, height, colour);
}

void add_row(std::string& svg, const ChartRow& row, int number) {
  const double top = 24.0 + number * kRowHeight;
  const auto out = std::back_inserter(svg);
  fmt::format_to(out, R"(<text x="{}" y="{:.1f}" text-anchor="end">{}</text>)", kLabelWidth - 8,
                 top + 13, escape_html(row.label));
  add_bar(svg, top, 2.0 * kBarHeight, row.share.value(), "whole");
  const char* colours[] = {"early", "middle", "late"};
  for (std::size_t i = 0; i < row.parts.size() && i < std::size(colours); ++i) {
    add_bar(svg, top + 18 + static_cast<double>(i) * 6, 5, row.parts[i], colours[i]);
  }
  const Interval likely = row.share.interval();
  const double middle = top + kBarHeight;
  fmt::format_to(
      out,
      R"(<path d="M{0:.1f} {2:.1f}V{3:.1f}M{0:.1f} {4:.1f}H{1:.1f}M{1:.1f} {2:.1f}V{3:.1f}" )"
      R"svg(stroke="var(--likely)" stroke-width="2" fill="none"/>)svg",
      x_of(likely.low), x_of(likely.high), middle - 5, middle + 5, middle);
  fmt::format_to(out, R"(<text class="small" x="{:.1f}" y="{:.1f}">{:.1f} %</text>)", x_of(1) + 8,
                 top + 12, 100 * row.share.value());
}

}  // namespace

std::string_view share_chart_style() {
  return kShareChartStyle[0].bytes;
}

Json to_json(const Share& share) {
  const Interval likely = share.interval();
  return {{"some", share.some}, {"all", share.all}, {"low", likely.low}, {"high", likely.high}};
}

std::string bar_of(double value) {
  const int full = static_cast<int>(value * kBarLength + 0.5);
  std::string bar;
  for (int i = 0; i < kBarLength; ++i) bar += i < full ? "█" : "·";
  return bar;
}

std::string share_chart(std::string_view title, std::span<const ChartRow> rows) {
  const int height = 40 + static_cast<int>(rows.size()) * kRowHeight;
  std::string svg = fmt::format(R"(<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" )"
                                R"(aria-label="{2}">)",
                                kLabelWidth + kChartWidth + 70, height, escape_html(title));
  for (int percent = 0; percent <= 100; percent += 25) {
    fmt::format_to(std::back_inserter(svg),
                   R"svg(<path d="M{0:.1f} 18V{1}" stroke="var(--line)"/>)svg"
                   R"(<text class="small" x="{0:.1f}" y="12" text-anchor="middle">{2} %</text>)",
                   x_of(percent / 100.0), height - 14, percent);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) add_row(svg, rows[i], static_cast<int>(i));
  return svg + "</svg>";
}

}  // namespace pedro
