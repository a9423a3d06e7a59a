#include "monitor/job_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/clock.h"
#include "base/embedded_file.h"
#include "markdown/html_page.h"
#include "markdown/markdown.h"
#include "monitor/column_chart.h"
#include "monitor/figure_text.h"

namespace pedro {

extern const EmbeddedFile kJobPageStyle[];

namespace {

constexpr std::size_t kMostArticles = 30;

// A table whose rows become cards on narrow screens.
class Table {
 public:
  explicit Table(std::vector<std::string_view> names) : names_(std::move(names)) {
    for (const std::string_view name : names_) head_ += fmt::format("<th>{}</th>", name);
  }

  Table& row() {
    rows_ += rows_.empty() ? "<tr>" : "</tr>\n<tr>";
    column_ = 0;
    return *this;
  }
  /// Adds the next cell of the row.
  Table& cell(std::string_view html) {
    const std::string_view name = names_[column_];
    if (column_ == 0) {
      rows_ += fmt::format("<td>{}</td>", html);
    } else if (name.empty()) {
      rows_ += fmt::format("<td class=\"plain\">{}</td>", html);
    } else {
      rows_ += fmt::format("<td data-n=\"{}\">{}</td>", name, html);
    }
    ++column_;
    return *this;
  }
  std::string html() const {
    if (rows_.empty()) return "";
    return fmt::format("<table><thead><tr>{}</tr></thead><tbody>\n{}</tr></tbody></table>\n", head_,
                       rows_);
  }

 private:
  std::vector<std::string_view> names_;
  std::string head_;
  std::string rows_;
  std::size_t column_ = 0;
};

std::string section(std::string_view title, const std::string& html, std::string_view text = "") {
  if (html.empty()) return "";
  return fmt::format("<section><h2>{}</h2>\n{}{}</section>\n", title,
                     text.empty() ? "" : fmt::format("<p class=\"meta\">{}</p>\n", text), html);
}

std::string cards(const Sums& sums, const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<std::pair<std::string, std::string>> all = more;
  const Usage& usage = sums.usage;
  all.insert(all.end(), {{"rounds", count_text(sums.inferences)},
                         {"prompt tokens", count_text(usage.prompt_tokens)},
                         {"from the cache", share_text(usage.cached_tokens, usage.prompt_tokens)},
                         {"evaluated", count_text(sums.evaluated_tokens())},
                         {"generated", count_text(usage.generated_tokens)},
                         {"prefill", duration_text(usage.prompt_ms)},
                         {"decode", duration_text(usage.generate_ms)},
                         {"cost", cost_text(sums.cost)}});
  if (sums.retries + sums.failed_requests > 0) {
    all.push_back({"retried requests", count_text(sums.retries)});
    all.push_back({"failed requests", count_text(sums.failed_requests)});
  }
  std::string html = "<dl class=\"cards\">\n";
  for (const auto& [name, value] : all) {
    fmt::format_to(std::back_inserter(html), "<div><dt>{}</dt><dd>{}</dd></div>\n", name,
                   escape_html(value));
  }
  return html + "</dl>\n";
}

std::vector<ColumnChart::Stretch> phase_stretches(const JobFigures& job) {
  std::vector<ColumnChart::Stretch> stretches;
  std::size_t before = job.phases.size();
  for (const InferenceFigures& one : job.inferences) {
    if (one.phase != before) stretches.push_back({job.phases[one.phase].name, 0});
    ++stretches.back().columns;
    before = one.phase;
  }
  return stretches;
}

std::string place_of(const JobFigures& job, std::size_t inference) {
  const InferenceFigures& one = job.inferences[inference];
  return fmt::format("{} · {} round {}", inference + 1, job.phases[one.phase].name, one.round);
}

std::string context_section(const JobFigures& job) {
  static constexpr std::array<std::string_view, kContextKinds> kColours = {"k0", "k1", "k2", "k3",
                                                                           "k4", "k5", "k6", "k7"};
  // Draws permanent parts of a conversation at the bottom.
  static constexpr std::array<std::size_t, kContextKinds> kOrder = {7, 0, 1, 2, 3, 4, 5, 6};
  ColumnChart chart{.label = "contents of the prompt of each round"};
  for (const std::size_t kind : kOrder) {
    chart.series.push_back({context_kind_name(kind), kColours[kind]});
  }
  chart.series.push_back({"unclassified", "rest"});
  for (std::size_t i = 0; i < job.inferences.size(); ++i) {
    const InferenceFigures& one = job.inferences[i];
    ColumnChart::Column column;
    std::string title = place_of(job, i);
    long long known = 0;
    for (const std::size_t kind : kOrder) {
      column.values.push_back(one.context[kind]);
      known += one.context[kind];
      if (one.context[kind] == 0) continue;
      title += fmt::format("\n{}: {}", context_kind_name(kind), count_text(one.context[kind]));
    }
    column.values.push_back(known == 0 ? one.usage.prompt_tokens : 0);
    column.title = std::move(title);
    chart.columns.push_back(std::move(column));
    chart.limit = std::max(chart.limit, one.window_tokens);
  }
  for (const CompactionFigures& one : job.compactions) chart.marks.push_back(one.inference);
  chart.stretches = phase_stretches(job);
  if (chart.columns.empty()) return "";
  std::string text = "Tokens of the prompt, round by round.";
  if (chart.limit > 0) text += fmt::format(" The window has {}.", count_text(chart.limit));
  if (!chart.marks.empty()) text += " ▼ marks removals from the conversation.";
  return section("Context", to_html(chart), text);
}

std::string cache_section(const JobFigures& job) {
  ColumnChart chart{
      .label = "cached and evaluated tokens of each round",
      .series = {
          {"from the cache", "cached"}, {"evaluated", "evaluated"}, {"evaluated again", "missed"}}};
  long long missed = 0;
  for (std::size_t i = 0; i < job.inferences.size(); ++i) {
    const InferenceFigures& one = job.inferences[i];
    const long long evaluated = one.usage.prompt_tokens - one.usage.cached_tokens;
    const long long again = std::min(evaluated, one.missed_tokens);
    missed += again;
    chart.columns.push_back(
        {{one.usage.cached_tokens, evaluated - again, again},
         fmt::format("{}\ncached: {}\nevaluated: {}\nprefill: {}", place_of(job, i),
                     count_text(one.usage.cached_tokens), count_text(evaluated),
                     duration_text(one.usage.prompt_ms))});
  }
  chart.stretches = phase_stretches(job);
  if (chart.columns.empty()) return "";
  std::string text = "Prompt tokens from the server's cache, and evaluated ones";
  if (missed > 0) text += fmt::format("; {} of those should have been cached", count_text(missed));
  return section("Cached and evaluated", to_html(chart), text + ".");
}

std::string phase_section(const JobFigures& job, const std::vector<Sums>& phases) {
  Table table({"phase", "", "time", "prefill", "decode", "other", "rounds", "cost", "end"});
  double longest = 0;
  for (const Sums& one : phases) longest = std::max(longest, static_cast<double>(one.ms));
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const Sums& one = phases[i];
    const auto ms = static_cast<double>(one.ms);
    const double rest = std::max(0.0, ms - one.usage.prompt_ms - one.usage.generate_ms);
    table.row()
        .cell(escape_html(job.phases[i].name))
        .cell(bar_html({{one.usage.prompt_ms, "evaluated"},
                        {one.usage.generate_ms, "written"},
                        {rest, "rest"}},
                       std::max(longest, one.usage.prompt_ms + one.usage.generate_ms)))
        .cell(duration_text(ms))
        .cell(duration_text(one.usage.prompt_ms))
        .cell(duration_text(one.usage.generate_ms))
        .cell(duration_text(rest))
        .cell(count_text(one.inferences))
        .cell(cost_text(one.cost))
        .cell(escape_html(job.phases[i].end));
  }
  return section(
      "Time by phase", table.html(),
      "Prefill evaluates prompts, decode writes replies; other is tools, checks and waiting.");
}

std::string tool_section(std::vector<ToolFigures> tools) {
  std::stable_sort(tools.begin(), tools.end(),
                   [](const ToolFigures& a, const ToolFigures& b) { return a.calls > b.calls; });
  Table table({"tool", "", "calls", "ok", "failed", "refused"});
  for (const ToolFigures& tool : tools) {
    table.row()
        .cell(escape_html(tool.name))
        .cell(bar_html({{static_cast<double>(tool.succeeded()), "written"},
                        {static_cast<double>(tool.failed), "k6"},
                        {static_cast<double>(tool.refused), "bad"}},
                       static_cast<double>(tools.front().calls)))
        .cell(count_text(tool.calls))
        .cell(share_text(tool.succeeded(), tool.calls))
        .cell(count_text(tool.failed))
        .cell(count_text(tool.refused));
  }
  return section("Tools", table.html(),
                 "Failed calls ran without success; refused ones did not fit their schema.");
}

// Returns the tokens of kept exchanges by reason: "newest 512".
std::string stayed_text(const CompactionFigures& compaction) {
  std::string text;
  for (const StayedFigures& one : compaction.stayed) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", one.why, count_text(one.tokens));
  }
  return text;
}

std::string compaction_section(const JobFigures& job) {
  Table table({"before round", "before", "after", "saved", "steps removed", "results cleared",
               "kept", "note"});
  bool estimated = false;
  for (const CompactionFigures& one : job.compactions) {
    table.row()
        .cell(one.inference < job.inferences.size() ? escape_html(place_of(job, one.inference))
                                                    : "the end")
        .cell(about_text(one.before, one.estimated))
        .cell(about_text(one.after, one.estimated))
        .cell(about_text(one.saved(), one.estimated))
        .cell(count_text(static_cast<long long>(one.exchanges)))
        .cell(count_text(static_cast<long long>(one.cleared)))
        .cell(escape_html(stayed_text(one)))
        .cell(escape_html(one.note));
    estimated = estimated || one.estimated;
  }
  std::string text =
      "Tokens. Kept: the head (rules, task), openings of phases, the newest step, unresolved "
      "errors.";
  if (estimated) text += " ≈: estimated.";
  return section("Removed from the conversation", table.html(), text);
}

// States how the job ended, and why.
std::string end_of(const JobFigures& job) {
  std::string text = job.outcome.empty()
                         ? "It has not ended"
                         : fmt::format("It ended: {}, exit {}", job.outcome, job.exit_code);
  const std::string& why = job.reason.empty() ? job.error : job.reason;
  if (!why.empty()) text += ": " + why;
  if (job.refusals.count() > 0) text += ". " + job.refusals.text();
  const bool is_bad = !job.outcome.empty() && job.exit_code != 0;
  if (!text.ends_with('.')) text += '.';
  return fmt::format("<p class=\"why{}\">{}</p>\n", is_bad ? " bad" : "",
                     escape_html(make_printable(text)));
}

std::string meta_of(const JobFigures& job) {
  const std::string text = fmt::format("{} · {} · model {}", job.id, job.agent, job.model);
  return fmt::format("<p class=\"meta\">{}<br>{}</p>\n", escape_html(text),
                     escape_html(to_rfc3339(job.started_ms).substr(0, 16) + " UTC"));
}

std::string job_body(const JobFigures& job, const KnownModel* model,
                     const std::string& conversation = "") {
  const std::vector<Sums> phases = phase_sums(job, model);
  const Sums whole = job_sums(job, phases);
  std::vector<std::pair<std::string, std::string>> own = {
      {"time", duration_text(static_cast<double>(job.ms()))}};
  if (job.checks > 0) {
    own.push_back(
        {"checks passed", fmt::format("{} of {}", job.checks - job.checks_failed, job.checks)});
  }
  return fmt::format("<h1>{}</h1>\n{}{}{}{}{}{}{}{}{}", escape_html(job.task), end_of(job),
                     meta_of(job), cards(whole, own), conversation, context_section(job),
                     cache_section(job), phase_section(job, phases), tool_section(job.tools),
                     compaction_section(job));
}

// Adds the last six cells of a row about a job or a group of jobs.
void add_sums(Table& row, const Sums& sums) {
  row.cell(count_text(sums.inferences))
      .cell(count_text(sums.usage.prompt_tokens))
      .cell(share_text(sums.usage.cached_tokens, sums.usage.prompt_tokens))
      .cell(count_text(sums.usage.generated_tokens))
      .cell(duration_text(static_cast<double>(sums.ms)))
      .cell(cost_text(sums.cost));
}

std::string group_section(std::string_view title, std::string_view first,
                          const std::vector<NamedSums>& groups) {
  Table table({first, "jobs", "rounds", "prompt", "cached", "generated", "time", "cost"});
  for (const NamedSums& one : groups) {
    add_sums(table.row().cell(escape_html(one.name)).cell(count_text(one.sums.jobs)), one.sums);
  }
  return section(title, table.html());
}

Sums sums_of(const JobFigures& job, const ModelRegistry& models) {
  FigureSums sums(models);
  sums.add(job);
  return sums.total();
}

std::string jobs_section(std::span<const JobFigures> jobs, const ModelRegistry& models) {
  Table table({"job", "end", "rounds", "prompt", "cached", "generated", "time", "cost"});
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Sums sums = sums_of(jobs[i], models);
    const std::string id = escape_html(jobs[i].id);
    const std::string name = i < kMostArticles ? fmt::format("<a href=\"#{0}\">{0}</a>", id) : id;
    table.row()
        .cell(fmt::format("{}<br>{}", name, escape_html(jobs[i].task)))
        .cell(jobs[i].outcome.empty() ? "-" : escape_html(jobs[i].outcome));
    add_sums(table, sums);
  }
  return section("Jobs", table.html());
}

std::string token_section(std::span<const JobFigures> jobs, const ModelRegistry& models) {
  ColumnChart chart{
      .label = "tokens of each job",
      .series = {
          {"from the cache", "cached"}, {"evaluated", "evaluated"}, {"generated", "written"}}};
  for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
    const Sums sums = sums_of(*job, models);
    chart.columns.push_back(
        {{sums.usage.cached_tokens, sums.evaluated_tokens(), sums.usage.generated_tokens},
         fmt::format("{}\n{}\ncached: {}\nevaluated: {}\ngenerated: {}", job->id, job->task,
                     count_text(sums.usage.cached_tokens), count_text(sums.evaluated_tokens()),
                     count_text(sums.usage.generated_tokens))});
  }
  return section("Tokens by job", to_html(chart), "The oldest job first.");
}

std::string page_of(std::string title, std::string body) {
  return html_page({std::move(title), kJobPageStyle[0].bytes, std::move(body)});
}

}  // namespace

std::string job_page(const JobFigures& job, const ModelRegistry& models,
                     const std::string& conversation) {
  return page_of(job.task, job_body(job, models.model(job.model), conversation));
}

std::string jobs_page(std::span<const JobFigures> jobs, const ModelRegistry& models) {
  FigureSums sums(models);
  for (const JobFigures& job : jobs) sums.add(job);
  std::string body = "<h1>Jobs of pedrocli</h1>\n";
  if (jobs.empty()) return page_of("Jobs of pedrocli", body + "<p>There are none.</p>\n");
  body += fmt::format("<p class=\"meta\">{} to {}</p>\n",
                      to_rfc3339(jobs.back().started_ms).substr(0, 10),
                      to_rfc3339(jobs.front().last_ms).substr(0, 10));
  body += cards(sums.total(), {{"jobs", count_text(sums.total().jobs)},
                               {"time", duration_text(static_cast<double>(sums.total().ms))}});
  body += token_section(jobs, models);
  body += group_section("By model", "model", sums.models());
  body += group_section("By phase", "phase", sums.phases());
  body += tool_section(sums.tools());
  body += jobs_section(jobs, models);
  for (std::size_t i = 0; i < std::min(jobs.size(), kMostArticles); ++i) {
    body += fmt::format("<article id=\"{}\">\n{}</article>\n", escape_html(jobs[i].id),
                        job_body(jobs[i], models.model(jobs[i].model)));
  }
  if (jobs.size() > kMostArticles) {
    body += fmt::format(
        "<p class=\"meta\">These are the newest {} jobs; `pedrocli report JOB` shows any "
        "other.</p>\n",
        kMostArticles);
  }
  return page_of("Jobs of pedrocli", std::move(body));
}

}  // namespace pedro
