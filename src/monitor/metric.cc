#include "monitor/metric.h"

#include <fmt/format.h>

#include <functional>
#include <iterator>

namespace pedro {
namespace {

constexpr double kSecond_ms = 1000;

double real(long long count) {
  return static_cast<double>(count);
}

// A counter with one point per phase.
struct PhaseMetric {
  Metric metric;
  double (*value)(const Sums&);
};

const std::vector<PhaseMetric>& phase_metrics() {
  static const std::vector<PhaseMetric> kMetrics = {
      {{"inferences", "", "{inference}", "Replies requested from a model"},
       [](const Sums& s) { return real(s.inferences); }},
      {{"prompt_tokens", "", "{token}", "Tokens of prompts"},
       [](const Sums& s) { return real(s.usage.prompt_tokens); }},
      {{"cached_tokens", "", "{token}", "Tokens of prompts that came from the cache"},
       [](const Sums& s) { return real(s.usage.cached_tokens); }},
      {{"evaluated_tokens", "", "{token}", "Tokens of prompts that were evaluated"},
       [](const Sums& s) { return real(s.evaluated_tokens()); }},
      {{"cache_missed_tokens", "", "{token}",
        "Tokens that were evaluated but should have been cached"},
       [](const Sums& s) { return real(s.missed_tokens); }},
      {{"generated_tokens", "", "{token}", "Tokens of replies"},
       [](const Sums& s) { return real(s.usage.generated_tokens); }},
      {{"prefill", "_seconds", "s", "Time in which prompts were evaluated"},
       [](const Sums& s) { return s.usage.prompt_ms / kSecond_ms; }},
      {{"decode", "_seconds", "s", "Time in which replies were generated"},
       [](const Sums& s) { return s.usage.generate_ms / kSecond_ms; }},
      {{"phase", "_seconds", "s", "Elapsed time"},
       [](const Sums& s) { return real(s.ms) / kSecond_ms; }},
      {{"compactions", "", "{compaction}", "Compactions of the conversation"},
       [](const Sums& s) { return real(s.compactions); }},
      {{"compaction_saved_tokens", "", "{token}", "Tokens removed from the conversation"},
       [](const Sums& s) { return real(s.saved_tokens); }},
  };
  return kMetrics;
}

Metric cost_metric() {
  return {"cost", "_dollars", "USD", "Cost of inferences at the model's price"};
}

Metric tool_metric(const JobFigures& job) {
  Metric metric{"tool_calls", "", "{call}", "Calls of tools by result"};
  for (const ToolFigures& tool : job.tools) {
    const auto add = [&](const char* result, long long calls) {
      if (calls == 0) return;
      metric.points.push_back(
          {{{"agent", job.agent}, {"tool", tool.name}, {"result", result}}, real(calls)});
    };
    add("ok", tool.succeeded());
    add("failed", tool.failed);
    add("refused", tool.refused);
  }
  return metric;
}

Metric failure_metric(const JobFigures& job) {
  Metric metric{"failed_requests", "", "{request}", "Requests without a reply by next step"};
  const auto add = [&](const char* next, long long requests) {
    metric.points.push_back(
        {{{"agent", job.agent}, {"model", job.model}, {"next", next}}, real(requests)});
  };
  add("tried again", job.retries);
  add("given up", job.failed_requests);
  return metric;
}

void add_gauges(const JobFigures& job, std::vector<Metric>& metrics) {
  const auto gauge = [&](std::string_view name, std::string_view suffix, std::string_view unit,
                         std::string_view help, double value) {
    metrics.push_back({name,
                       suffix,
                       unit,
                       help,
                       MetricKind::kGauge,
                       {{{{"agent", job.agent}, {"model", job.model}}, value}}});
  };
  if (!job.inferences.empty()) {
    const InferenceFigures& last = job.inferences.back();
    gauge("window_used_tokens", "", "{token}", "Tokens in the window after the last reply",
          real(last.window_used_tokens));
    gauge("window_tokens", "", "{token}", "Size of the window in tokens", real(last.window_tokens));
  }
  gauge("job_running", "", "1", "1 while the job runs", job.outcome.empty() ? 1 : 0);
  if (!job.outcome.empty()) gauge("job_exit_code", "", "1", "Exit code of the job", job.exit_code);
  gauge("job_start_timestamp", "_seconds", "s", "Start of the job, since 1970",
        real(job.started_ms) / kSecond_ms);
  metrics.push_back({"job_info",
                     "",
                     "1",
                     "The job",
                     MetricKind::kGauge,
                     {{{{"job", job.id},
                        {"agent", job.agent},
                        {"model", job.model},
                        {"backend", job.backend},
                        {"format", job.format},
                        {"version", job.version}},
                       1}}});
}

std::string escaped(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? "\\n" : std::string(1, c);
  }
  return out;
}

std::string labels_of(const MetricPoint& point) {
  std::string text;
  for (const auto& [name, value] : point.labels) {
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", name, escaped(value));
  }
  return text.empty() ? "" : "{" + text + "}";
}

}  // namespace

std::vector<Metric> metrics_of(const JobFigures& job, const KnownModel* model) {
  std::vector<Metric> metrics;
  if (job.id.empty()) return metrics;
  const std::vector<Sums> phases = phase_sums(job, model);
  const auto add = [&](Metric metric, const std::function<double(const Sums&)>& value) {
    for (std::size_t i = 0; i < phases.size(); ++i) {
      metric.points.push_back(
          {{{"agent", job.agent}, {"model", job.model}, {"phase", job.phases[i].name}},
           value(phases[i])});
    }
    metrics.push_back(std::move(metric));
  };
  for (const PhaseMetric& one : phase_metrics()) add(one.metric, one.value);
  if (model != nullptr && model->price_in && model->price_out) {
    add(cost_metric(), [](const Sums& sums) { return sums.cost.dollars; });
  }
  metrics.push_back(tool_metric(job));
  metrics.push_back(failure_metric(job));
  add_gauges(job, metrics);
  return metrics;
}

std::string to_prometheus(const std::vector<Metric>& metrics) {
  std::string text;
  for (const Metric& metric : metrics) {
    if (metric.points.empty()) continue;
    const bool counts = metric.kind == MetricKind::kCounter;
    const std::string name =
        fmt::format("pedrocli_{}{}{}", metric.name, metric.suffix, counts ? "_total" : "");
    fmt::format_to(std::back_inserter(text), "# HELP {0} {1}.\n# TYPE {0} {2}\n", name, metric.help,
                   counts ? "counter" : "gauge");
    for (const MetricPoint& point : metric.points) {
      fmt::format_to(std::back_inserter(text), "{}{} {}\n", name, labels_of(point), point.value);
    }
  }
  return text;
}

}  // namespace pedro
