#include "monitor/figure_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr double kSecond = 1000;
constexpr long long kTenthsOfMinute = 600;
constexpr long long kSecondsOfHour = 3600;

using Cells = std::vector<std::string>;

// Returns the width in columns. Counts code points, as names and figures have no wide characters.
std::size_t width_of(std::string_view text) {
  return count_characters(text);
}

// Aligns the first column left and all others right.
std::string table(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - width_of(row[i]), ' ');
      line += i == 0 ? row[i] + gap : "  " + gap + row[i];
    }
    text += line + "\n";
  }
  return text;
}

Cells heading(std::string name) {
  return {std::move(name), "rounds", "prompt", "cached",      "evaluated", "generated",
          "prefill",       "decode", "time",   "compactions", "saved",     "cost"};
}

Cells row_of(const std::string& name, const Sums& sums) {
  const Usage& usage = sums.usage;
  return {name,
          count_text(sums.inferences),
          count_text(usage.prompt_tokens),
          share_text(usage.cached_tokens, usage.prompt_tokens),
          count_text(sums.evaluated_tokens()),
          count_text(usage.generated_tokens),
          duration_text(usage.prompt_ms),
          duration_text(usage.generate_ms),
          duration_text(static_cast<double>(sums.ms)),
          count_text(sums.compactions),
          count_text(sums.saved_tokens),
          cost_text(sums.cost)};
}

std::string tool_table(const std::vector<ToolFigures>& tools) {
  std::vector<Cells> rows = {{"tool", "calls", "ok", "failed", "refused"}};
  for (const ToolFigures& tool : tools) {
    rows.push_back({tool.name, count_text(tool.calls), share_text(tool.succeeded(), tool.calls),
                    count_text(tool.failed), count_text(tool.refused)});
  }
  return table(rows);
}

Json cost_json(const Cost& cost, long long inferences) {
  return cost.unpriced == inferences && inferences > 0 ? Json() : Json(cost.dollars);
}

Json usage_json(const Usage& usage) {
  return {{"prompt_tokens", usage.prompt_tokens},
          {"cached_tokens", usage.cached_tokens},
          {"evaluated_tokens", usage.prompt_tokens - usage.cached_tokens},
          {"generated_tokens", usage.generated_tokens},
          {"prefill_ms", usage.prompt_ms},
          {"decode_ms", usage.generate_ms}};
}

Json sums_json(const Sums& sums) {
  Json json = {{"jobs", sums.jobs}, {"inferences", sums.inferences}};
  json.update(usage_json(sums.usage));
  json.update({{"missed_tokens", sums.missed_tokens},
               {"compactions", sums.compactions},
               {"saved_tokens", sums.saved_tokens},
               {"ms", sums.ms},
               {"cost_usd", cost_json(sums.cost, sums.inferences)},
               {"cost_is_at_most", sums.cost.at_most},
               {"cost_is_at_least", sums.cost.at_least},
               {"inferences_without_price", sums.cost.unpriced}});
  return json;
}

Json named_json(const char* key, const std::vector<NamedSums>& rows) {
  Json list = Json::array();
  for (const NamedSums& row : rows) {
    Json json = {{key, row.name}};
    json.update(sums_json(row.sums));
    list.push_back(std::move(json));
  }
  return list;
}

Json tools_json(const std::vector<ToolFigures>& tools) {
  Json list = Json::array();
  for (const ToolFigures& tool : tools) {
    list.push_back({{"tool", tool.name},
                    {"calls", tool.calls},
                    {"ok", tool.succeeded()},
                    {"failed", tool.failed},
                    {"refused", tool.refused}});
  }
  return list;
}

Json inference_json(const JobFigures& job, const InferenceFigures& one, const KnownModel* model) {
  Json json = {{"phase", job.phases[one.phase].name}, {"round", one.round}};
  json.update(usage_json(one.usage));
  json["missed_tokens"] = one.missed_tokens;
  json["window_used_tokens"] = one.window_used_tokens;
  json["window_tokens"] = one.window_tokens;
  json["cost_usd"] = cost_json(cost_of(one.usage, model), 1);
  return json;
}

}  // namespace

std::string count_text(long long count) {
  std::string digits = std::to_string(count);
  const std::size_t sign = count < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string about_text(long long count, bool estimated) {
  return (estimated ? kAbout : "") + count_text(count);
}

std::string duration_text(double ms) {
  // Rounds before it chooses the unit, so that no unit shows its own limit ("60.0 s").
  if (std::llround(ms) < 1000) return fmt::format("{} ms", std::llround(ms));
  const long long tenths = std::llround(10 * ms / kSecond);
  if (tenths < kTenthsOfMinute) return fmt::format("{}.{} s", tenths / 10, tenths % 10);
  const long long seconds = std::llround(ms / kSecond);
  if (seconds < kSecondsOfHour) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  const long long minutes = std::llround(ms / kSecond / 60);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string share_text(long long part, long long whole) {
  if (whole <= 0) return "-";
  return fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string cost_text(const Cost& cost) {
  if (cost.dollars == 0) return "-";
  const int digits = std::llround(10'000 * cost.dollars) < 10'000 ? 4 : 2;
  const char* about = cost.at_most && cost.at_least ? kAbout
                      : cost.at_most                ? "≤ "
                      : cost.at_least               ? "≥ "
                                                    : "";
  return fmt::format("{}${:.{}f}{}", about, cost.dollars, digits, cost.unpriced > 0 ? " + ?" : "");
}

std::string to_stats_text(const FigureSums& sums) {
  std::vector<Cells> models = {heading("model")};
  for (const NamedSums& one : sums.models()) models.push_back(row_of(one.name, one.sums));
  if (sums.models().size() > 1) models.push_back(row_of("all", sums.total()));
  std::vector<Cells> phases = {heading("phase")};
  for (const NamedSums& one : sums.phases()) phases.push_back(row_of(one.name, one.sums));
  std::string text = table(models);
  if (phases.size() > 1) text += "\n" + table(phases);
  if (!sums.tools().empty()) text += "\n" + tool_table(sums.tools());
  const Sums& all = sums.total();
  if (all.retries + all.failed_requests > 0) {
    text += fmt::format("\n{} requests without a reply were retried, {} failed\n",
                        count_text(all.retries), count_text(all.failed_requests));
  }
  if (all.hooks > 0) {
    text += fmt::format("\n{} runs of hooks took {}\n", count_text(all.hooks),
                        duration_text(all.hook_s * 1000));
  }
  return text;
}

Json to_json(const FigureSums& sums) {
  Json total = sums_json(sums.total());
  total["hooks"] = sums.total().hooks;
  total["hook_s"] = sums.total().hook_s;
  total["retries"] = sums.total().retries;
  total["failed_requests"] = sums.total().failed_requests;
  return {{"total", std::move(total)},
          {"models", named_json("model", sums.models())},
          {"phases", named_json("phase", sums.phases())},
          {"tools", tools_json(sums.tools())}};
}

Json to_json(const JobFigures& job, const KnownModel* model) {
  Json inferences = Json::array();
  for (const InferenceFigures& one : job.inferences) {
    inferences.push_back(inference_json(job, one, model));
  }
  Json compactions = Json::array();
  for (const CompactionFigures& one : job.compactions) {
    Json stayed = Json::array();
    for (const StayedFigures& kept : one.stayed) {
      stayed.push_back({{"why", kept.why}, {"exchanges", kept.exchanges}, {"tokens", kept.tokens}});
    }
    compactions.push_back({{"before_inference", one.inference + 1},
                           {"before", one.before},
                           {"after", one.after},
                           {"estimated", one.estimated},
                           {"exchanges", one.exchanges},
                           {"cleared", one.cleared},
                           {"stayed", std::move(stayed)},
                           {"note", one.note}});
  }
  return {{"job", job.id},
          {"agent", job.agent},
          {"task", job.task},
          {"model", job.model},
          {"outcome", job.outcome},
          {"started", to_rfc3339(job.started_ms)},
          {"ms", job.ms()},
          {"checks", job.checks},
          {"checks_failed", job.checks_failed},
          {"inferences", std::move(inferences)},
          {"compactions", std::move(compactions)}};
}

}  // namespace pedro
