#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A chart of stacked columns, as HTML without scripts. It is inline SVG as wide as the page, with
/// texts of fixed size beside it. Its style is a part of job_page.css.
struct ColumnChart {
  struct Series {
    std::string_view name;    ///< HTML
    std::string_view colour;  ///< CSS variable of the page's style, without dashes: "k0"
  };
  struct Column {
    std::vector<long long> values;  ///< one per series, from the bottom; at least 0
    std::string title;              ///< plain text: the tooltip
  };
  /// A range of adjacent columns, with a name below them.
  struct Stretch {
    std::string name;  ///< plain text
    std::size_t columns = 0;
  };
  std::string label;  ///< plain text: the description of the chart
  std::vector<Series> series = {};
  std::vector<Column> columns = {};
  std::vector<std::size_t> marks = {};  ///< indices of columns with a mark on their left edge
  long long limit = 0;                  ///< a line, shown up to twice the highest column; 0: none
  std::vector<Stretch> stretches = {};  ///< cover all columns, or empty
};

/// Renders the chart. Above 400 columns, combines adjacent columns and draws the highest of each
/// group.
std::string to_html(const ColumnChart& chart);

/// A part of a horizontal bar that represents a total.
struct BarPart {
  double value = 0;
  std::string_view colour;  ///< as in ColumnChart::Series
};
/// Renders a bar as wide as its container. `whole`: the total, in the unit of the parts.
std::string bar_html(const std::vector<BarPart>& parts, double whole);

}  // namespace pedro
