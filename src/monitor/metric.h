#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitor/figure_sums.h"
#include "monitor/job_figures.h"

namespace pedro {

enum class MetricKind { kCounter, kGauge };

/// One figure, with what it is of.
struct MetricPoint {
  std::vector<std::pair<std::string_view, std::string>> labels;
  double value = 0;
};

/// A figure of a job by what it is of, for programs that collect such.
struct Metric {
  std::string_view name;    ///< "prompt_tokens"; readers put "pedrocli" before it
  std::string_view suffix;  ///< what Prometheus has behind the name: its unit
  std::string_view unit;    ///< as OpenTelemetry writes it (UCUM)
  std::string_view help;    ///< a sentence without its full stop
  MetricKind kind = MetricKind::kCounter;
  std::vector<MetricPoint> points = {};
};

/// All that is known of a job, also while it runs. `model` may be null: then nothing has a price.
std::vector<Metric> metrics_of(const JobFigures& job, const KnownModel* model);

/// The text format of Prometheus
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format) with names as
/// OpenMetrics wants them: "pedrocli_prefill_seconds_total". Metrics without points are left out.
std::string to_prometheus(const std::vector<Metric>& metrics);

}  // namespace pedro
