#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "eval/share.h"

namespace pedro {

/// {"some", "all", "low", "high"}
Json to_json(const Share& share);

inline constexpr int kBarLength = 20;
/// Returns a bar of kBarLength characters for a terminal. `value`: from 0 to 1.
std::string bar_of(double value);

/// A row of a chart: a wide bar with its 95% interval, and up to three narrow bars below.
struct ChartRow {
  std::string label;
  Share share;
  std::vector<double> parts = {};
};

/// Returns the CSS rules for a chart.
std::string_view share_chart_style();
/// Renders an SVG chart. `title`: the text for screen readers.
std::string share_chart(std::string_view title, std::span<const ChartRow> rows);

}  // namespace pedro
