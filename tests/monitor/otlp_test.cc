#include <doctest/doctest.h>

#include "base/text.h"
#include "monitor/journal_lines.h"
#include "monitor/metric.h"
#include "support/loopback_server.h"

namespace pedro {
namespace {

Json metrics_in(const Json& body) {
  return body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
}

Json metric_named(const Json& body, const std::string& name) {
  for (const Json& metric : metrics_in(body)) {
    if (text_of(metric, "name") == name) return metric;
  }
  return Json();
}

std::string attribute_of(const Json& owner, const std::string& key) {
  for (const Json& one : owner["attributes"]) {
    if (text_of(one, "key") == key) return text_of(one["value"], "stringValue");
  }
  return "";
}

}  // namespace

TEST_CASE("otlp: tokens and times have the names that models' figures have everywhere") {
  const JobFigures job = figures_in(small_journal());
  const Json body = to_otlp(job, ModelRegistry::builtin().model(job.model));
  const Json& resource = body["resourceMetrics"][0]["resource"];
  CHECK(attribute_of(resource, "service.name") == "pedrocli");
  CHECK(attribute_of(resource, "service.instance.id") == job.id);

  const Json usage = metric_named(body, "gen_ai.client.token.usage");
  CHECK(usage["unit"] == "{token}");
  CHECK(usage["histogram"]["aggregationTemporality"] == 2);
  const Json& input = usage["histogram"]["dataPoints"][0];
  CHECK(attribute_of(input, "gen_ai.token.type") == "input");
  CHECK(attribute_of(input, "gen_ai.request.model") == "gpt-4.1-mini");
  CHECK(attribute_of(input, "gen_ai.provider.name") == "openai");
  CHECK(attribute_of(input, "gen_ai.operation.name") == "chat");
  CHECK(input["count"] == "3");
  CHECK(input["sum"] == 4500);
  CHECK(input["startTimeUnixNano"] == "1795255200000000000");
  CHECK(input["timeUnixNano"] == "1795255220000000000");
  REQUIRE(input["bucketCounts"].size() == input["explicitBounds"].size() + 1);
  CHECK(input["bucketCounts"][5] == "1");  // 1000 is at most 1024
  CHECK(input["bucketCounts"][6] == "2");
  const Json& output = usage["histogram"]["dataPoints"][1];
  CHECK(attribute_of(output, "gen_ai.token.type") == "output");
  CHECK(output["sum"] == 100);

  const Json duration = metric_named(body, "gen_ai.client.operation.duration");
  CHECK(duration["unit"] == "s");
  CHECK(duration["histogram"]["dataPoints"][0]["sum"] == doctest::Approx(3.7));
}

TEST_CASE("otlp: a bound belongs to the bucket below it") {
  JobFigures job = figures_in(small_journal());
  job.inferences.resize(1);
  for (const auto& [tokens, bucket] : {std::pair(1023, 5), {1024, 5}, {1025, 6}}) {
    CAPTURE(tokens);
    job.inferences[0].usage.prompt_tokens = tokens;
    const Json usage = metric_named(to_otlp(job, nullptr), "gen_ai.client.token.usage");
    CHECK(usage["histogram"]["dataPoints"][0]["bucketCounts"][bucket] == "1");
  }
}

TEST_CASE("otlp: a summary counts as an inference like the others") {
  JobFigures job = figures_in(small_journal());
  const auto counts = [&job](const std::string& name) {
    const Json body = to_otlp(job, nullptr);
    return text_of(metric_named(body, name)["histogram"]["dataPoints"][0], "count");
  };
  CHECK(counts("gen_ai.client.token.usage") == "3");
  job.compactions[0].asked = {.prompt_tokens = 900, .generated_tokens = 90, .prompt_ms = 10};
  CHECK(counts("gen_ai.client.token.usage") == "4");
  CHECK(counts("gen_ai.client.operation.duration") == "4");
}

TEST_CASE("otlp: all other figures are sums and gauges") {
  const JobFigures job = figures_in(small_journal());
  const Json body = to_otlp(job, nullptr);
  const Json missed = metric_named(body, "pedrocli.cache_missed_tokens");
  CHECK(missed["sum"]["isMonotonic"] == true);
  CHECK(missed["sum"]["dataPoints"][0]["asInt"] == "149");
  CHECK(attribute_of(missed["sum"]["dataPoints"][0], "phase") == "plan");
  CHECK(metric_named(body, "pedrocli.prefill")["sum"]["dataPoints"][0]["asDouble"] ==
        doctest::Approx(1.8));
  CHECK(metric_named(body, "pedrocli.window_tokens")["gauge"]["dataPoints"][0]["asInt"] == "4096");
  CHECK(metric_named(body, "pedrocli.cost").is_null());
  CHECK(metrics_in(to_otlp(JobFigures(), nullptr)).empty());
}

TEST_CASE("otlp: OpenTelemetry's own variables set the destination") {
  struct Row {
    std::map<std::string, std::string> variables;
    std::string url;
    std::vector<std::string> headers;
  };
  const std::string base = "OTEL_EXPORTER_OTLP_";
  for (const Row& row : {
           Row{{}, "", {}},
           Row{{{base + "ENDPOINT", "http://h:4318"}}, "http://h:4318/v1/metrics", {}},
           Row{{{base + "ENDPOINT", "http://h:4318/x/"}}, "http://h:4318/x/v1/metrics", {}},
           Row{{{base + "ENDPOINT", "http://h"}, {base + "METRICS_ENDPOINT", "http://m/in"}},
               "http://m/in",
               {}},
           Row{{{base + "ENDPOINT", "http://h"}, {"OTEL_SDK_DISABLED", "True"}}, "", {}},
           Row{{{base + "ENDPOINT", "http://h"},
                {base + "HEADERS", "api-key=a%20b%3D, other = c ,junk,bad=x%0d%0aHost: y,p=%zz"}},
               "http://h/v1/metrics",
               {"api-key: a b=", "other: c", "p: %zz"}},
       }) {
    const std::optional<OtlpTarget> target = otlp_target(Environment{row.variables});
    CHECK((target ? target->url : "") == row.url);
    CHECK((target ? target->headers : std::vector<std::string>()) == row.headers);
  }
}

TEST_CASE("otlp: sends one request, and any other status than success is an error") {
  LoopbackServer server({{.status = 200, .body = "{}"}, {.status = 503}});
  CurlHttp http;
  const CancelToken cancel;
  const std::string address = server.url("/v1/metrics");
  const std::string with_secrets = replace_all(address, "://", "://me:hunter2@") + "?key=hunter3";
  const OtlpTarget target{with_secrets, {"api-key: k"}};
  CHECK(send_otlp(http, target, Json{{"a", 1}}, cancel).ok());
  const Status refused = send_otlp(http, target, Json{{"a", 1}}, cancel);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == address + ": HTTP 503");
  const std::vector<LoopbackRequest> requests = server.requests();
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].method == "POST");
  CHECK(requests[0].target == "/v1/metrics?key=hunter3");
  CHECK(requests[0].body == "{\"a\":1}");
  CHECK(requests[0].headers.at("content-type") == "application/json");
  CHECK(requests[0].headers.at("api-key") == "k");
}

}  // namespace pedro
