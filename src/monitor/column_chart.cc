#include "monitor/column_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "markdown/markdown.h"
#include "monitor/figure_text.h"

namespace pedro {
namespace {

constexpr std::size_t kMostColumns = 400;
constexpr std::size_t kGapsUpTo = 120;
constexpr long long kMostSteps = 5;
constexpr double kHeight = 1000;  // of the drawing, in user units

long long height_of(const ColumnChart::Column& column) {
  return std::accumulate(column.values.begin(), column.values.end(), 0LL);
}

// Returns the number of columns that are drawn as one.
std::size_t width_of_one(const ColumnChart& chart) {
  return (chart.columns.size() + kMostColumns - 1) / kMostColumns;
}

std::vector<const ColumnChart::Column*> drawn_columns(const ColumnChart& chart) {
  const std::size_t step = std::max<std::size_t>(1, width_of_one(chart));
  std::vector<const ColumnChart::Column*> drawn;
  for (std::size_t first = 0; first < chart.columns.size(); first += step) {
    const auto begin = chart.columns.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end =
        begin + static_cast<std::ptrdiff_t>(std::min(step, chart.columns.size() - first));
    drawn.push_back(&*std::max_element(
        begin, end, [](const auto& a, const auto& b) { return height_of(a) < height_of(b); }));
  }
  return drawn;
}

// Returns the smallest 1, 2 or 5 times a power of ten of which at most kMostSteps fit below `top`.
long long step_below(long long top) {
  for (long long power = 1;; power *= 10) {
    for (const long long times : {1, 2, 5}) {
      if (power * times >= (top + kMostSteps - 1) / kMostSteps) return power * times;
    }
  }
}

// Returns the SVG path of all rectangles of one series.
std::string path_of(const std::vector<const ColumnChart::Column*>& columns, std::size_t series,
                    double top) {
  const double width = columns.size() <= kGapsUpTo ? 0.86 : 1;
  std::string path;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::vector<long long>& values = columns[i]->values;
    if (values[series] <= 0) continue;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(series);
    const double below = static_cast<double>(std::accumulate(values.begin(), at, 0LL));
    const double height = static_cast<double>(values[series]) / top * kHeight;
    fmt::format_to(std::back_inserter(path), "M{:.2f} {:.1f}h{}v-{:.1f}h-{}z",
                   static_cast<double>(i) + (1 - width) / 2, kHeight - below / top * kHeight, width,
                   height, width);
  }
  return path;
}

std::string line_at(double y, std::size_t width, std::string_view colour, std::string_view dashes) {
  return fmt::format(R"svg(<path d="M0 {:.1f}h{}" stroke="var(--{})" stroke-dasharray="{}" )svg"
                     R"(vector-effect="non-scaling-stroke"/>)",
                     y, width, colour, dashes);
}

std::string drawing(const ColumnChart& chart,
                    const std::vector<const ColumnChart::Column*>& columns, double top,
                    long long step) {
  std::string svg = fmt::format(
      R"(<svg viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}" )"
      R"(style="overflow:hidden">)",
      columns.size(), kHeight, escape_html(chart.label));
  for (long long value = step; static_cast<double>(value) < top; value += step) {
    svg += line_at(kHeight - static_cast<double>(value) / top * kHeight, columns.size(), "line",
                   "none");
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    fmt::format_to(std::back_inserter(svg), R"svg(<path fill="var(--{})" d="{}"/>)svg",
                   chart.series[i].colour, path_of(columns, i, top));
  }
  if (chart.limit > 0 && static_cast<double>(chart.limit) <= top) {
    svg += line_at(kHeight - static_cast<double>(chart.limit) / top * kHeight, columns.size(),
                   "cut", "6 4");
  }
  const std::size_t one = width_of_one(chart);
  for (const std::size_t mark : chart.marks) {
    fmt::format_to(std::back_inserter(svg),
                   R"svg(<path d="M{} 0v{}" stroke="var(--cut)" stroke-dasharray="2 3" )svg"
                   R"(vector-effect="non-scaling-stroke"/>)",
                   mark / one, kHeight);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    fmt::format_to(std::back_inserter(svg),
                   R"(<rect class="hover" x="{}" width="1" height="{}"><title>{}</title></rect>)",
                   i, kHeight, escape_html(columns[i]->title));
  }
  return svg + "</svg>";
}

std::string ticks(long long step, double top) {
  std::string html;
  for (long long value = step; static_cast<double>(value) < top; value += step) {
    // The drawing is 14rem high.
    fmt::format_to(std::back_inserter(html),
                   R"(<span class="tick" style="bottom:{:.2f}rem">{}</span>)",
                   static_cast<double>(value) / top * 14, count_text(value));
  }
  return html;
}

std::string marks_above(const ColumnChart& chart, std::size_t columns) {
  std::string html;
  for (const std::size_t mark : chart.marks) {
    fmt::format_to(
        std::back_inserter(html), R"(<span class="cut" style="left:{:.2f}%">▼</span>)",
        100.0 * static_cast<double>(mark / width_of_one(chart)) / static_cast<double>(columns));
  }
  return html;
}

std::string names_below(const ColumnChart& chart) {
  std::string html = R"(<div class="stretches">)";
  for (const ColumnChart::Stretch& stretch : chart.stretches) {
    const std::string name = escape_html(stretch.name);
    fmt::format_to(std::back_inserter(html), R"(<span style="flex:{} 1 0" title="{}">{}</span>)",
                   stretch.columns, name, name);
  }
  return chart.stretches.empty() ? "" : html + "</div>\n";
}

std::string legend(const ColumnChart& chart) {
  std::string html = R"(<div class="legend">)";
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const auto has = [&](const ColumnChart::Column& column) { return column.values[i] > 0; };
    if (std::none_of(chart.columns.begin(), chart.columns.end(), has)) continue;
    fmt::format_to(std::back_inserter(html),
                   R"svg(<span><i style="background:var(--{})"></i>{}</span>)svg",
                   chart.series[i].colour, chart.series[i].name);
  }
  return html + "</div>\n";
}

}  // namespace

std::string to_html(const ColumnChart& chart) {
  const std::vector<const ColumnChart::Column*> columns = drawn_columns(chart);
  long long highest = 1;
  for (const ColumnChart::Column* column : columns) highest = std::max(highest, height_of(*column));
  const bool near = chart.limit > 0 && chart.limit <= 2 * highest;
  const double top = 1.05 * static_cast<double>(near ? std::max(highest, chart.limit) : highest);
  const long long step = step_below(static_cast<long long>(top));
  std::string html = fmt::format(
      "<figure><div class=\"plot\">{}{}{}</div>\n{}{}", drawing(chart, columns, top, step),
      ticks(step, top), marks_above(chart, columns.size()), names_below(chart), legend(chart));
  if (const std::size_t one = width_of_one(chart); one > 1) {
    fmt::format_to(std::back_inserter(html),
                   "<p class=\"meta\">Each column is the highest of {} adjacent ones.</p>\n", one);
  }
  return html + "</figure>\n";
}

std::string bar_html(const std::vector<BarPart>& parts, double whole) {
  std::string html = R"(<span class="bar">)";
  for (const BarPart& part : parts) {
    if (part.value <= 0 || whole <= 0) continue;
    fmt::format_to(std::back_inserter(html),
                   R"svg(<i style="width:{:.2f}%;background:var(--{})"></i>)svg",
                   std::min(100.0, 100 * part.value / whole), part.colour);
  }
  return html + "</span>";
}

}  // namespace pedro
