#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "base/result.h"
#include "monitor/figure_sums.h"
#include "monitor/job_figures.h"
#include "sys/environment.h"
#include "sys/http.h"

namespace pedro {

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
