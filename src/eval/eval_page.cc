#include "eval/eval_page.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "eval/attempt_summary.h"
#include "eval/share_chart.h"
#include "markdown/html_page.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

std::string chart(const std::vector<AttemptSummary>& summaries) {
  std::vector<ChartRow> rows;
  for (const AttemptSummary& one : summaries) rows.push_back({one.kind, one.solved});
  return share_chart("solved tasks by kind", rows);
}

std::string summary_table(const std::vector<AttemptSummary>& summaries) {
  std::string html =
      "<table><tr><th>kind</th><th>tasks</th><th>solved</th><th>verified</th>"
      "<th>falsely verified</th><th>seconds (solved)</th><th>rounds</th><th>tries</th></tr>\n";
  for (const AttemptSummary& one : summaries) {
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{} ({:.1f} %)</td><td>{}</td><td>{}</td><td>{:.0f}</td>"
        "<td>{:.1f}</td><td>{:.1f}</td></tr>\n",
        escape_html(one.kind), one.solved.all, one.solved.some, 100 * one.solved.value(),
        one.verified, one.falsely_verified, one.seconds, one.rounds, one.tries);
  }
  return html + "</table>";
}

std::string attempt_table(const AttemptRecord& record) {
  std::string html =
      "<table><tr><th>task</th><th>run</th><th>kind</th><th>language</th><th>rounds</th>"
      "<th>calls</th><th>refused</th><th>tokens</th><th>tries</th><th>outcome</th></tr>\n";
  for (const TaskAttempt& one : record.attempts) {
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td></tr>\n",
        escape_html(one.task), one.run, escape_html(one.kind), escape_html(one.language),
        one.rounds, one.calls, one.refused, one.generated_tokens, one.tries,
        escape_html(to_text(one)));
  }
  return html + "</table>";
}

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
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.1f} %</td><td>{:.1f} %</td><td>{:.0f}</td><td>{:.0f}</td>"
        "<td>{}</td></tr>\n",
        escape_html(one.configuration), one.valid.all, 100 * one.valid.value(),
        100 * one.right.value(), one.tokens, one.ms, escape_html(join(failures_of(one), ", ")));
  }
  return html + "</table>";
}

}  // namespace

std::string to_page(const EvalHeader& header, const std::vector<EvalSummary>& summaries) {
  const std::string title = "Tool calls of " + header.model;
  return html_page(
      {title, share_chart_style(),
       fmt::format("<h1>{}</h1>\n"
                   "<p>{}, format {}, pedrocli {}. The wide bar is the share of valid calls, with "
                   "its 95 % confidence interval; below it the first, middle and last third of the "
                   "conversations.</p>\n"
                   "<div class=\"wide\">{}</div>\n"
                   "<div class=\"wide\">{}</div>\n",
                   escape_html(title), escape_html(header.backend), escape_html(header.format),
                   escape_html(header.version), chart(summaries), table(summaries))});
}

std::string to_page(const AttemptRecord& record) {
  const AttemptHeader& header = record.header;
  const std::vector<AttemptSummary> summaries = summarize(record);
  const std::string title = fmt::format("Tasks solved by {}: {}", header.model, header.name());
  return html_page(
      {title, share_chart_style(),
       fmt::format(
           "<h1>{}</h1>\n"
           "<p>{}, format {}, agent {}{}, pedrocli {}. A task is solved when its hidden check "
           "passes in a fresh clone of the result. The line is the 95 % confidence interval.</p>\n"
           "<div class=\"wide\">{}</div>\n"
           "<div class=\"wide\">{}</div>\n"
           "<h2>Attempts</h2>\n"
           "<div class=\"wide\">{}</div>\n",
           escape_html(title), escape_html(header.backend), escape_html(header.format),
           escape_html(header.agent), header.args.empty() ? "" : " " + escape_html(header.args),
           escape_html(header.version), chart(summaries), summary_table(summaries),
           attempt_table(record))});
}

}  // namespace pedro
