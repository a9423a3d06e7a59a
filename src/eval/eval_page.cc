#include "eval/eval_page.h"

#include <fmt/format.h>

#include "base/text.h"
#include "eval/share_chart.h"
#include "markdown/html_page.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

std::string chart(const std::vector<EvalSummary>& summaries) {
  std::vector<ChartRow> rows;
  for (const EvalSummary& one : summaries) {
    rows.push_back({one.configuration,
                    one.valid,
                    {one.thirds[0].value(), one.thirds[1].value(), one.thirds[2].value()}});
  }
  return share_chart("valid calls by configuration", rows);
}

std::string table(const std::vector<EvalSummary>& summaries) {
  std::string html =
      "<table><tr><th>configuration</th><th>calls</th><th>valid</th><th>right</th><th>tokens</"
      "th><th>ms</th><th>errors</th></tr>\n";
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
      {title, kChartStyle,
       fmt::format("<h1>{}</h1>\n"
                   "<p>{}, format {}, pedrocli {}. The wide bar is the share of valid calls, with "
                   "its 95 % confidence interval; below it the first, middle and last third of the "
                   "conversations.</p>\n"
                   "<div class=\"wide\">{}</div>\n"
                   "<div class=\"wide\">{}</div>\n",
                   escape_html(title), escape_html(header.backend), escape_html(header.format),
                   escape_html(header.version), chart(summaries), table(summaries))});
}

}  // namespace pedro
