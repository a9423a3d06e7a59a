#include "monitor/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <span>
#include <string_view>

#include "base/text.h"
#include "sys/url.h"

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

constexpr double kConnectTimeout_s = 1;
constexpr double kTimeout_s = 3;
constexpr int kCumulative = 2;  // AGGREGATION_TEMPORALITY_CUMULATIVE

// Bucket bounds from the semantic conventions for these metrics.
constexpr std::array<double, 14> kTokenBounds = {
    1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864};
constexpr std::array<double, 14> kSecondBounds = {0.01, 0.02, 0.04, 0.08,  0.16,  0.32,  0.64,
                                                  1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92};

Json attribute(std::string_view key, std::string_view value) {
  return {{"key", key}, {"value", {{"stringValue", value}}}};
}

// Returns nanoseconds as a string: JSON numbers cannot represent 64 bits.
std::string nanoseconds(long long ms) {
  return fmt::format("{}000000", std::max(0LL, ms));
}

Json with_times(const JobFigures& job, Json point) {
  point["startTimeUnixNano"] = nanoseconds(job.started_ms);
  point["timeUnixNano"] = nanoseconds(job.last_ms);
  return point;
}

Json histogram_point(const JobFigures& job, Json attributes, std::span<const double> bounds,
                     const std::vector<double>& values) {
  std::vector<long long> counts(bounds.size() + 1, 0);
  double sum = 0;
  for (const double value : values) {
    // Bounds are inclusive upper limits of their buckets.
    const auto at = std::lower_bound(bounds.begin(), bounds.end(), value) - bounds.begin();
    ++counts[static_cast<std::size_t>(at)];
    sum += value;
  }
  Json buckets = Json::array();
  for (const long long count : counts) buckets.push_back(std::to_string(count));
  return with_times(job, {{"attributes", std::move(attributes)},
                          {"count", std::to_string(values.size())},
                          {"sum", sum},
                          {"bucketCounts", std::move(buckets)},
                          {"explicitBounds", std::vector<double>(bounds.begin(), bounds.end())}});
}

Json histogram(std::string_view name, std::string_view unit, std::string_view description,
               Json points) {
  return {
      {"name", name},
      {"unit", unit},
      {"description", description},
      {"histogram", {{"aggregationTemporality", kCumulative}, {"dataPoints", std::move(points)}}}};
}

Json model_attributes(const JobFigures& job) {
  return Json::array({attribute("gen_ai.operation.name", "chat"),
                      attribute("gen_ai.provider.name", job.backend),
                      attribute("gen_ai.request.model", job.model)});
}

// Returns the usage of all inferences, including those that wrote summaries.
std::vector<Usage> usages_of(const JobFigures& job) {
  std::vector<Usage> usages;
  for (const InferenceFigures& one : job.inferences) usages.push_back(one.usage);
  for (const CompactionFigures& one : job.compactions) {
    if (one.asked.prompt_tokens > 0) usages.push_back(one.asked);
  }
  return usages;
}

Json token_usage(const JobFigures& job, const std::vector<Usage>& usages) {
  Json points = Json::array();
  const auto add = [&](const char* type, auto tokens_of) {
    std::vector<double> values;
    for (const Usage& usage : usages) values.push_back(static_cast<double>(tokens_of(usage)));
    Json attributes = model_attributes(job);
    attributes.push_back(attribute("gen_ai.token.type", type));
    points.push_back(histogram_point(job, std::move(attributes), kTokenBounds, values));
  };
  add("input", [](const Usage& usage) { return usage.prompt_tokens; });
  add("output", [](const Usage& usage) { return usage.generated_tokens; });
  return histogram("gen_ai.client.token.usage", "{token}", "Tokens of prompts and of replies",
                   std::move(points));
}

Json operation_duration(const JobFigures& job, const std::vector<Usage>& usages) {
  std::vector<double> seconds;
  for (const Usage& usage : usages) {
    const double ms = usage.prompt_ms + usage.generate_ms;
    if (ms > 0) seconds.push_back(ms / 1000);  // older journals lack times of summaries
  }
  return histogram(
      "gen_ai.client.operation.duration", "s", "Time of inferences",
      Json::array({histogram_point(job, model_attributes(job), kSecondBounds, seconds)}));
}

std::string_view otlp_label(std::string_view label) {
  return label == "model" ? "gen_ai.request.model" : label == "tool" ? "gen_ai.tool.name" : label;
}

Json metric_json(const JobFigures& job, const Metric& metric) {
  Json points = Json::array();
  for (const MetricPoint& point : metric.points) {
    Json attributes = Json::array();
    for (const auto& [name, value] : point.labels) {
      attributes.push_back(attribute(otlp_label(name), value));
    }
    Json json = {{"attributes", std::move(attributes)}};
    if (std::floor(point.value) == point.value && std::fabs(point.value) < 1e15) {
      json["asInt"] = std::to_string(static_cast<long long>(point.value));
    } else {
      json["asDouble"] = point.value;
    }
    points.push_back(with_times(job, std::move(json)));
  }
  Json data = {{"dataPoints", std::move(points)}};
  const bool counts = metric.kind == MetricKind::kCounter;
  if (counts) data.update({{"aggregationTemporality", kCumulative}, {"isMonotonic", true}});
  return {{"name", fmt::format("pedrocli.{}", metric.name)},
          {"unit", metric.unit},
          {"description", metric.help},
          {counts ? "sum" : "gauge", std::move(data)}};
}

// Parses "name=value,other=value" with percent-encoded values, as in a baggage header. Skips values
// with line breaks, which could inject headers.
std::vector<std::string> headers_of(std::string_view text) {
  std::vector<std::string> headers;
  for (const std::string_view pair : split(text, ',')) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string value = percent_decoded(trim(pair.substr(equals + 1)));
    if (value.find_first_of("\r\n") != std::string::npos) continue;
    headers.push_back(fmt::format("{}: {}", trim(pair.substr(0, equals)), value));
  }
  return headers;
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

std::optional<OtlpTarget> otlp_target(const Environment& environment) {
  if (to_lower(environment.get("OTEL_SDK_DISABLED")) == "true") return std::nullopt;
  std::string url = environment.get("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT");
  if (url.empty()) {
    url = environment.get("OTEL_EXPORTER_OTLP_ENDPOINT");
    if (url.empty()) return std::nullopt;
    while (url.ends_with('/')) url.pop_back();
    url += "/v1/metrics";
  }
  return OtlpTarget{std::move(url), headers_of(environment.get("OTEL_EXPORTER_OTLP_HEADERS"))};
}

Json to_otlp(const JobFigures& job, const KnownModel* model) {
  Json metrics = Json::array();
  const std::vector<Usage> usages = usages_of(job);
  if (!usages.empty()) metrics = {token_usage(job, usages), operation_duration(job, usages)};
  for (const Metric& metric : metrics_of(job, model)) {
    if (!metric.points.empty()) metrics.push_back(metric_json(job, metric));
  }
  const Json resource = {
      {"attributes",
       {attribute("service.name", "pedrocli"), attribute("service.version", job.version),
        attribute("service.instance.id", job.id)}}};
  const Json scope = {{"name", "pedrocli"}, {"version", job.version}};
  return {{"resourceMetrics",
           Json::array({{{"resource", resource},
                         {"scopeMetrics",
                          Json::array({{{"scope", scope}, {"metrics", std::move(metrics)}}})}}})}};
}

Status send_otlp(Http& http, const OtlpTarget& target, const Json& body,
                 const CancelToken& cancel) {
  HttpRequest request{.method = "POST", .url = target.url, .headers = target.headers};
  request.headers.emplace_back("Content-Type: application/json");
  request.body = to_line(body);
  request.connect_timeout_s = kConnectTimeout_s;
  request.timeout_s = kTimeout_s;
  PEDRO_TRY(const HttpResponse answer, http.send(request, {}, cancel));
  if (answer.status >= 200 && answer.status < 300) return {};
  return Error{ErrorKind::kModel,
               fmt::format("{}: HTTP {}", public_url(target.url), answer.status)};
}

}  // namespace pedro
