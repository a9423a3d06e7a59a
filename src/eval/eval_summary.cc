#include "eval/eval_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/median.h"
#include "base/text.h"
#include "eval/share_chart.h"

namespace pedro {
namespace {

void add(Share& share, bool some) {
  share.some += some ? 1 : 0;
  ++share.all;
}

EvalSummary summary_of(const std::string& configuration, const EvalRecord& record) {
  EvalSummary summary;
  summary.configuration = configuration;
  std::vector<double> tokens;
  std::vector<double> ms;
  for (const EvalCall& call : record.calls) {
    if (call.configuration != configuration) continue;
    const bool valid = call.failure == CallFailure::kNone;
    add(summary.valid, valid);
    add(summary.right, call.right);
    add(summary.thirds[static_cast<std::size_t>((call.round - 1) * 3 / call.rounds)], valid);
    ++summary.failures[static_cast<std::size_t>(call.failure)];
    tokens.push_back(static_cast<double>(call.tokens));
    ms.push_back(call.ms);
    summary.repaired += call.repaired ? 1 : 0;
    if (!call.notice.empty()) summary.notices.insert(call.notice);
    if (!call.reason.empty()) summary.notices.insert("failed: " + call.reason);
  }
  summary.tokens = median(std::move(tokens));
  summary.ms = median(std::move(ms));
  return summary;
}

}  // namespace

std::vector<std::string> failures_of(const EvalSummary& summary) {
  std::vector<std::string> kinds;
  for (std::size_t i = 1; i < summary.failures.size(); ++i) {
    if (summary.failures[i] == 0) continue;
    kinds.push_back(
        fmt::format("{} {}", summary.failures[i], to_string(static_cast<CallFailure>(i))));
  }
  return kinds;
}

std::vector<EvalSummary> summarize(const EvalRecord& record) {
  std::vector<std::string> names;
  for (const EvalCall& call : record.calls) {
    if (std::find(names.begin(), names.end(), call.configuration) == names.end()) {
      names.push_back(call.configuration);
    }
  }
  std::vector<EvalSummary> summaries;
  for (const std::string& name : names) summaries.push_back(summary_of(name, record));
  return summaries;
}

Json to_json(const EvalSummary& summary) {
  Json failures = Json::object();
  for (std::size_t i = 1; i < summary.failures.size(); ++i) {
    failures[std::string(to_string(static_cast<CallFailure>(i)))] = summary.failures[i];
  }
  return {{"configuration", summary.configuration},
          {"valid", to_json(summary.valid)},
          {"right", to_json(summary.right)},
          {"early", to_json(summary.thirds[0])},
          {"middle", to_json(summary.thirds[1])},
          {"late", to_json(summary.thirds[2])},
          {"failures", std::move(failures)},
          {"repaired", summary.repaired},
          {"tokens", summary.tokens},
          {"ms", summary.ms},
          {"notices", summary.notices}};
}

std::string to_table(const std::vector<EvalSummary>& summaries) {
  std::size_t width = 13;
  for (const EvalSummary& one : summaries) width = std::max(width, one.configuration.size());
  std::string table = fmt::format(
      "{:<{}}  {:>5}  {:<{}}  {:>7}  {:>5}  {:>5} {:>5} {:>5}  {:>6}  {:>6}\n", "configuration",
      width, "calls", "valid", kBarLength, "", "right", "early", "mid", "late", "tokens", "ms");
  for (const EvalSummary& one : summaries) {
    table += fmt::format(
        "{:<{}}  {:>5}  {}  {:>6.1f}%  {:>4.0f}%  {:>4.0f}% {:>4.0f}% {:>4.0f}%  {:>6.0f}  "
        "{:>6.0f}",
        one.configuration, width, one.valid.all, bar_of(one.valid.value()), 100 * one.valid.value(),
        100 * one.right.value(), 100 * one.thirds[0].value(), 100 * one.thirds[1].value(),
        100 * one.thirds[2].value(), one.tokens, one.ms);
    std::vector<std::string> kinds = failures_of(one);
    if (one.repaired > 0) kinds.push_back(fmt::format("{} repaired", one.repaired));
    table += kinds.empty() ? "\n" : "  " + join(kinds, ", ") + "\n";
  }
  return table;
}

}  // namespace pedro
