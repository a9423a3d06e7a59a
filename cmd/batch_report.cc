#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/utf8.h"
#include "batch_run.h"
#include "markdown/html_page.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

bool succeeded(const TaskOutcome& outcome) {
  return outcome.known && outcome.record.exit_code == kExitDone;
}

std::string time_text(double seconds) {
  const auto whole = static_cast<long long>(seconds + 0.5);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{}:{:02} min", whole / 60, whole % 60);
}

std::string end_text(const TaskOutcome& outcome) {
  if (!outcome.known) return "not run";
  return outcome.run ? outcome.record.outcome : outcome.record.outcome + " (before)";
}

std::string moves_text(const TaskRecord& record) {
  return fmt::format("moves to another server: {}, now on {}; tokens evaluated again: {}",
                     record.moves, record.server, record.moved_tokens);
}

std::string row(const TaskOutcome& outcome) {
  const TaskRecord& record = outcome.record;
  std::string text = fmt::format(
      "{:>5}  {:<8}  {:<20}  {:>4}  {:>10}  {}", outcome.task->line, outcome.task->agent,
      end_text(outcome), outcome.known ? std::to_string(record.exit_code) : "-",
      outcome.known ? time_text(record.duration_s) : "-",
      outcome.known && !record.job.empty() ? record.job : outcome.task->title);
  if (outcome.known && !record.branch.empty()) text += "  " + record.branch;
  text += '\n';
  if (outcome.known && !record.error.empty()) text += fmt::format("{:>7}{}\n", "", record.error);
  if (record.moves > 0) text += fmt::format("{:>7}{}\n", "", moves_text(record));
  return text;
}

std::string totals(const BatchReport& report) {
  return fmt::format("{} tasks: {} succeeded, {} did not, {} not run; recorded in {}",
                     report.outcomes.size(), report.succeeded(), report.failed(), report.not_run(),
                     report.state);
}

double seconds_of(const BatchReport& report) {
  double sum = 0;
  for (const TaskOutcome& outcome : report.outcomes) {
    if (outcome.known) sum += outcome.record.duration_s;
  }
  return sum;
}

// The element inside a testcase; "" for success.
std::string junit_end(const TaskOutcome& outcome) {
  if (!outcome.known) return "<skipped message=\"not run\"/>";
  if (succeeded(outcome)) return "";
  const TaskRecord& record = outcome.record;
  const char* const element = is_settled(record) ? "failure" : "error";
  return fmt::format("<{0} type=\"{1}\" message=\"{1}, exit code {2}\">{3}</{0}>", element,
                     escape_html(record.outcome), record.exit_code, escape_html(record.error));
}

std::string junit_case(const TaskOutcome& outcome) {
  const TaskRecord& record = outcome.record;
  std::string facts;
  if (outcome.known && !record.job.empty()) facts += "job " + record.job + "\n";
  if (outcome.known && !record.branch.empty()) facts += "branch " + record.branch + "\n";
  if (!facts.empty()) facts = "<system-out>" + escape_html(facts) + "</system-out>";
  return fmt::format(
      "<testcase classname=\"{}\" name=\"line {}: {}\" time=\"{:.3f}\">{}{}"
      "</testcase>\n",
      escape_html(outcome.task->agent), outcome.task->line, escape_html(outcome.task->title),
      outcome.known ? record.duration_s : 0.0, junit_end(outcome), facts);
}

std::string page_row(const TaskOutcome& outcome) {
  const TaskRecord& record = outcome.record;
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td>{}</td><td>{}</td></tr>\n",
      outcome.task->line, escape_html(outcome.task->agent), escape_html(outcome.task->title),
      outcome.known ? escape_html(record.outcome) : "not run",
      outcome.known ? std::to_string(record.exit_code) : "",
      outcome.known ? time_text(record.duration_s) : "", escape_html(record.job),
      escape_html(record.branch), escape_html(record.error));
}

}  // namespace

std::size_t BatchReport::succeeded() const {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), pedro::succeeded));
}

std::size_t BatchReport::not_run() const {
  return static_cast<std::size_t>(std::count_if(
      outcomes.begin(), outcomes.end(), [](const TaskOutcome& outcome) { return !outcome.known; }));
}

std::string to_table(const BatchReport& report) {
  std::string text = fmt::format("{:>5}  {:<8}  {:<20}  {:>4}  {:>10}  {}\n", "line", "agent",
                                 "end", "exit", "time", "job");
  for (const TaskOutcome& outcome : report.outcomes) text += row(outcome);
  return text + totals(report) + "\n";
}

std::string to_json_lines(const BatchReport& report) {
  std::string text;
  for (const TaskOutcome& outcome : report.outcomes) {
    Json line = {{"type", "batch.task"},
                 {"line", outcome.task->line},
                 {"agent", outcome.task->agent},
                 {"run", outcome.run}};
    if (outcome.known) {
      const TaskRecord& record = outcome.record;
      line.update({{"job", record.job},
                   {"outcome", record.outcome},
                   {"exit_code", record.exit_code},
                   {"branch", record.branch},
                   {"error", record.error},
                   {"duration_s", record.duration_s},
                   {"server", record.server},
                   {"moves", record.moves},
                   {"moved_tokens", record.moved_tokens}});
    }
    text += to_line(line) + "\n";
  }
  return text +
         to_line({{"type", "batch.completed"},
                  {"tasks", report.outcomes.size()},
                  {"succeeded", report.succeeded()},
                  {"failed", report.failed()},
                  {"not_run", report.not_run()},
                  {"state", report.state}}) +
         "\n";
}

std::string to_junit(const BatchReport& report) {
  const auto errors = std::count_if(
      report.outcomes.begin(), report.outcomes.end(),
      [](const TaskOutcome& outcome) { return outcome.known && !is_settled(outcome.record); });
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                  report.outcomes.size(), report.failed() - static_cast<std::size_t>(errors),
                  errors, report.not_run(), seconds_of(report));
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n<testsuite name=\"{1}\" "
      "{0}>\n",
      counts, escape_html(make_printable(report.name)));
  for (const TaskOutcome& outcome : report.outcomes) text += junit_case(outcome);
  return text + "</testsuite>\n</testsuites>\n";
}

std::string to_page(const BatchReport& report) {
  const std::string title = "Batch " + make_printable(report.name);
  std::string table =
      "<table><tr><th>line</th><th>agent</th><th>task</th><th>end</th><th>exit</th><th>time</th>"
      "<th>job</th><th>branch</th><th>error</th></tr>\n";
  for (const TaskOutcome& outcome : report.outcomes) table += page_row(outcome);
  return html_page(
      {title, "",
       fmt::format("<h1>{}</h1>\n<p>{}</p>\n<div class=\"wide\">{}</table></div>\n",
                   escape_html(title), escape_html(make_printable(totals(report))), table)});
}

}  // namespace pedro
