#include "monitor/metric.h"

#include <doctest/doctest.h>

#include <charconv>
#include <map>
#include <set>

#include "base/text.h"
#include "monitor/journal_lines.h"

namespace pedro {
namespace {

// A slow, strict parser of the Prometheus text format: samples by name and labels, and types by
// name.
struct PrometheusText {
  std::map<std::string, double> samples;
  std::map<std::string, std::string> types;
  std::string problem;

  explicit PrometheusText(std::string_view text) {
    if (!text.empty() && text.back() != '\n') problem = "the last line has no end";
    for (const std::string_view line : split_lines(text)) {
      if (problem.empty()) read(line);
    }
  }

 private:
  static bool is_name(std::string_view text) {
    return !text.empty() &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") ==
               std::string_view::npos &&
           (text[0] < '0' || text[0] > '9');
  }

  void read(std::string_view line) {
    if (line.starts_with("# HELP ")) {
      helped_ = std::string(line.substr(7, line.find(' ', 7) - 7));
      return;
    }
    if (line.starts_with("# TYPE ")) return read_type(line.substr(7));
    read_sample(line);
  }

  void read_type(std::string_view text) {
    const std::size_t blank = text.find(' ');
    const std::string name(text.substr(0, blank));
    const std::string type(text.substr(blank + 1));
    if (name != helped_) problem = "TYPE without HELP: " + name;
    if (!types.emplace(name, type).second) problem = "TYPE twice: " + name;
    if (type != "counter" && type != "gauge") problem = "type " + type;
    if ((type == "counter") != name.ends_with("_total")) problem = "not named like a " + type;
    current_ = name;
  }

  void read_sample(std::string_view line) {
    std::size_t at = line.find_first_of("{ ");
    std::string key(line.substr(0, at));
    if (!is_name(key) || key != current_) problem = "not below its TYPE: " + std::string(line);
    if (line[at] == '{') {
      ++at;
      while (problem.empty() && line[at] != '}') read_label(line, at, key);
      ++at;
    }
    if (at >= line.size() || line[at] != ' ') problem = "no value: " + std::string(line);
    double value = 0;
    const auto read = std::from_chars(line.data() + at + 1, line.data() + line.size(), value);
    if (read.ec != std::errc() || read.ptr != line.data() + line.size()) problem = "no number";
    if (!samples.emplace(key, value).second) problem = "twice: " + key;
  }

  void read_label(std::string_view line, std::size_t& at, std::string& key) {
    const std::size_t equals = line.find("=\"", at);
    if (equals == std::string_view::npos || !is_name(line.substr(at, equals - at))) {
      problem = "no label: " + std::string(line);
      return;
    }
    key += "|" + std::string(line.substr(at, equals - at)) + "=";
    for (at = equals + 2; at < line.size() && line[at] != '"'; ++at) {
      if (line[at] == '\\')
        key += line[++at] == 'n' ? '\n' : line[at];
      else
        key += line[at];
    }
    ++at;
    if (at < line.size() && line[at] == ',') ++at;
  }

  std::string helped_;
  std::string current_;
};

const KnownModel* model_of(const JobFigures& job) {
  return ModelRegistry::builtin().model(job.model);
}

}  // namespace

TEST_CASE("metrics: Prometheus reads them") {
  const JobFigures job = figures_in(small_journal());
  const PrometheusText text(to_prometheus(metrics_of(job, model_of(job))));
  CHECK(text.problem == "");
  const std::string plan = "|agent=build|model=gpt-4.1-mini|phase=plan";
  const std::string work = "|agent=build|model=gpt-4.1-mini|phase=work";
  CHECK(text.samples.at("pedrocli_prompt_tokens_total" + plan) == 2700);
  CHECK(text.samples.at("pedrocli_cached_tokens_total" + plan) == 900);
  CHECK(text.samples.at("pedrocli_evaluated_tokens_total" + work) == 800);
  CHECK(text.samples.at("pedrocli_generated_tokens_total" + work) == 10);
  CHECK(text.samples.at("pedrocli_cache_missed_tokens_total" + plan) == 149);
  CHECK(text.samples.at("pedrocli_prefill_seconds_total" + plan) == doctest::Approx(1.8));
  CHECK(text.samples.at("pedrocli_decode_seconds_total" + work) == doctest::Approx(0.1));
  CHECK(text.samples.at("pedrocli_phase_seconds_total" + work) == 10);
  CHECK(text.samples.at("pedrocli_compactions_total" + work) == 1);
  CHECK(text.samples.at("pedrocli_cost_dollars_total" + work) == doctest::Approx(0.000736));
  CHECK(text.samples.at("pedrocli_tool_calls_total|agent=build|tool=git|result=refused") == 1);
  CHECK(text.samples.at(
            "pedrocli_failed_requests_total|agent=build|model=gpt-4.1-mini|next=tried again") == 1);
  CHECK(text.samples.at(
            "pedrocli_failed_requests_total|agent=build|model=gpt-4.1-mini|next=given up") == 1);
  CHECK(text.samples.count("pedrocli_tool_calls_total|agent=build|tool=git|result=ok") == 0);
  CHECK(text.samples.at("pedrocli_window_used_tokens|agent=build|model=gpt-4.1-mini") == 1810);
  CHECK(text.samples.at("pedrocli_job_exit_code|agent=build|model=gpt-4.1-mini") == 5);
  CHECK(text.types.at("pedrocli_prompt_tokens_total") == "counter");
  CHECK(text.types.at("pedrocli_window_tokens") == "gauge");
}

TEST_CASE("metrics: a job without a price has no cost, and one that runs no exit code") {
  JobFigures job = figures_in(small_journal());
  job.outcome.clear();
  const PrometheusText text(to_prometheus(metrics_of(job, nullptr)));
  CHECK(text.problem == "");
  CHECK(text.types.count("pedrocli_cost_dollars_total") == 0);
  CHECK(text.types.count("pedrocli_job_exit_code") == 0);
  CHECK(text.samples.at("pedrocli_job_running|agent=build|model=gpt-4.1-mini") == 1);
}

TEST_CASE("metrics: a name with quotes, backslashes and line ends stays one label") {
  JobFigures job = figures_in(small_journal());
  job.model = "a\"b\\c\nd{},=";
  const PrometheusText text(to_prometheus(metrics_of(job, nullptr)));
  CHECK(text.problem == "");
  CHECK(text.samples.at("pedrocli_window_tokens|agent=build|model=" + job.model) == 4096);
}

TEST_CASE("metrics: before a job begins there are none") {
  CHECK(to_prometheus(metrics_of(JobFigures(), nullptr)) == "");
}

}  // namespace pedro
