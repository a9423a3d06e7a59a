#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Columns of stacked values, as HTML without a script: inline SVG as wide as the page, with texts
/// beside it that keep their size on a phone.
struct ColumnChart {
  struct Series {
    std::string_view name;    ///< HTML
    std::string_view colour;  ///< a variable of the page's style: "k0"
  };
  struct Column {
    std::vector<long long> values;  ///< one for each series, from the bottom; none below 0
    std::string title;              ///< a text: what is said where one points at it
  };
  /// A stretch of columns, named below them.
  struct Stretch {
    std::string name;  ///< a text
    std::size_t columns = 0;
  };
  std::string label;  ///< a text: what it shows
  std::vector<Series> series = {};
  std::vector<Column> columns = {};
  std::vector<std::size_t> marks = {};  ///< columns with a mark at their left
  long long limit = 0;                  ///< a line where it is near; 0: none
  std::vector<Stretch> stretches = {};  ///< together as many as the columns; or none
};

/// Of more than 400 columns those beside each other are one: the highest of them.
std::string to_html(const ColumnChart& chart);

/// A bar of parts that are together `whole`, as wide as it has room.
struct BarPart {
  double value = 0;
  std::string_view colour;  ///< as ColumnChart::Series
};
std::string bar_html(const std::vector<BarPart>& parts, double whole);

/// The rules that both need, to stand in the page's style.
std::string_view chart_style();

}  // namespace pedro
