#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "base/result.h"
#include "monitor/figure_sums.h"
#include "monitor/job_figures.h"
#include "sys/environment.h"
#include "sys/http.h"

namespace pedro {

enum class MetricKind { kCounter, kGauge };

/// One value with its labels.
struct MetricPoint {
  std::vector<std::pair<std::string_view, std::string>> labels;
  double value = 0;
};

/// A metric of a job, in a form common to Prometheus and OpenTelemetry.
struct Metric {
  std::string_view name;    ///< "prompt_tokens"; output formats add a prefix "pedrocli"
  std::string_view suffix;  ///< the unit in Prometheus's name, after `name`
  std::string_view unit;    ///< OpenTelemetry's unit, in UCUM notation
  std::string_view help;    ///< one sentence without its full stop
  MetricKind kind = MetricKind::kCounter;
  std::vector<MetricPoint> points = {};
};

/// Returns all metrics of a job, which may still run. Omits the cost if
/// `model` is null or has no prices.
std::vector<Metric> metrics_of(const JobFigures& job, const KnownModel* model);

/// Formats metrics for Prometheus
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format). Names follow
/// OpenMetrics: "pedrocli_prefill_seconds_total". Skips metrics without points.
std::string to_prometheus(const std::vector<Metric>& metrics);

/// The destination of metrics, from OpenTelemetry's variables
/// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
struct OtlpTarget {
  std::string url;
  std::vector<std::string> headers;  ///< "Name: value"; may contain keys
};

/// Returns OTEL_EXPORTER_OTLP_METRICS_ENDPOINT verbatim, else OTEL_EXPORTER_OTLP_ENDPOINT with
/// "/v1/metrics" appended. Adds OTEL_EXPORTER_OTLP_HEADERS. Returns nullopt if neither is set or
/// OTEL_SDK_DISABLED is "true".
std::optional<OtlpTarget> otlp_target(const Environment& environment);

/// Converts a job's figures to OTLP/JSON
/// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). Tokens and times of
/// inferences are the histograms `gen_ai.client.token.usage` and
/// `gen_ai.client.operation.duration`. All metrics of metrics_of() follow. Values are totals since
/// the start of the job. `model` may be null.
Json to_otlp(const JobFigures& job, const KnownModel* model);

/// Sends `body` once, with a limit of 3 s. Errors: those of Http::send(); kModel for a status
/// outside of 200 to 299.
Status send_otlp(Http& http, const OtlpTarget& target, const Json& body, const CancelToken& cancel);

}  // namespace pedro
