#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitor/figure_sums.h"
#include "monitor/job_figures.h"

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

}  // namespace pedro
