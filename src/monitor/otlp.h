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

/// Where OpenTelemetry's variables want figures to be sent
/// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
struct OtlpTarget {
  std::string url;
  std::vector<std::string> headers;  ///< "Name: value"; they may hold keys
};

/// OTEL_EXPORTER_OTLP_METRICS_ENDPOINT as it is, else OTEL_EXPORTER_OTLP_ENDPOINT with /v1/metrics
/// behind it, with OTEL_EXPORTER_OTLP_HEADERS; nothing where neither is set, or OTEL_SDK_DISABLED
/// is "true".
std::optional<OtlpTarget> otlp_target(const Environment& environment);

/// A job's figures as OTLP/JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding):
/// tokens and times of its inferences as the histograms `gen_ai.client.token.usage` and
/// `gen_ai.client.operation.duration`, and all of metrics_of(). Totals since the job began.
Json to_otlp(const JobFigures& job, const KnownModel* model);

/// Sends them once, in at most three seconds. Errors (kModel) name the address.
Status send_otlp(Http& http, const OtlpTarget& target, const Json& body, const CancelToken& cancel);

}  // namespace pedro
