#include "support/fault_proxy.h"

#include <doctest/doctest.h>

#include "sys/http.h"

namespace pedro {
namespace {

// Returns "STATUS body" for each answer, or the error of a failed request.
std::vector<std::string> answers(const char* rules, int count, std::string body = R"({"a":1})") {
  auto read = read_fault_script(std::string(R"({"rules": )") + rules + "}");
  REQUIRE_MESSAGE(read.ok(), read.error().message);
  LoopbackServer server([](const LoopbackRequest& request) -> LoopbackReply {
    return {.body = request.target + " " + request.body};
  });
  const FaultProxy proxy(*std::move(read), server.url(""));
  CurlHttp http;
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) {
    const auto answer = http.send(
        {.method = "POST", .url = proxy.url() + "/x", .body = body, .idle_timeout_s = 0.3}, {},
        CancelToken());
    out.push_back(answer ? std::to_string(answer->status) + " " + answer->body
                         : answer.error().message.substr(proxy.url().size() + 4));
  }
  return out;
}

const std::string kPlain = R"(200 /x {"a":1})";

}  // namespace

TEST_CASE("fault proxy: the requests that a rule selects, and their answers") {
  using Lines = std::vector<std::string>;
  struct Row {
    const char* name;
    const char* rules;
    Lines answers;
  };
  const Row rows[] = {
      {"no rule", "[]", {kPlain, kPlain}},
      {"the second of another path", R"([{"path": "/y", "answer": {}}])", {kPlain}},
      {"one with another text in it", R"([{"has": "b", "answer": {}}])", {kPlain}},
      {"the second and third",
       R"([{"path": "/x", "has": "a", "skip": 1, "times": 2, "answer": {"status": 429}}])",
       {kPlain, "429 ", "429 ", kPlain}},
      {"what the first does not want goes to the second",
       R"([{"times": 1, "answer": {"body": "1"}}, {"times": 1, "answer": {"body": {"b": 2}}}])",
       {"200 1", R"(200 {"b":2})", kPlain}},
      {"for no time at all after the first",
       R"([{"for_s": 0, "answer": {"status": 503}}])",
       {"503 ", kPlain}},
      {"another request", R"([{"with": {"a": null, "b": 2}}])", {R"(200 /x {"b":2})"}},
      {"a long answer",
       R"([{"answer": {"body": "<", "fill": {"text": "xy", "times": 3}, "tail": ">"}}])",
       {"200 <xyxyxy>"}},
      {"bytes put into it",
       R"([{"put": {"behind": "{\"", "hex": "ff41"}}])",
       {"200 /x {\"\xff"
        "Aa\":1}"}},
      {"cut, with an end", R"([{"cut": 4}])", {"200 /x {"}},
      {"cut, and closed",
       R"([{"cut": 4, "then": "close"}])",
       {"the connection broke after 4 bytes of the answer; see the server's log"}},
      {"cut, and reset",
       R"([{"cut": 4, "then": "reset"}])",
       {"the connection broke after 4 bytes of the answer; see the server's log"}},
      {"silence",
       R"([{"cut": 0, "then": "stall"}])",
       {"nothing arrived for 0.3 s; is the server stuck? see its log"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(answers(row.rules, static_cast<int>(row.answers.size())) == row.answers);
  }
}

TEST_CASE("fault proxy: a server that is down listens again, at the same port") {
  auto rules = read_fault_script(R"({"rules": [{"times": 1, "then": "down", "down_s": 0.3}]})");
  REQUIRE(rules.ok());
  LoopbackServer server{{.body = "up"}};
  const FaultProxy proxy(*std::move(rules), server.url(""));
  CurlHttp http;
  CHECK_FALSE(http.send({.url = proxy.url()}, {}, CancelToken()).ok());
  int refused = 0;
  RetryPolicy policy{.first_delay_s = 0.1};
  const auto answer =
      send_with_retry(http, {.url = proxy.url()}, {}, policy, CancelToken(),
                      [&](std::string_view why, double) { refused += why == kConnectionRefused; });
  REQUIRE(answer.ok());
  CHECK(answer->body == "up");
  CHECK(refused > 0);
  CHECK(proxy.applied(0) == 1);
}

TEST_CASE("fault proxy: a script that is not understood is refused") {
  for (const char* script :
       {"", "[]", R"({"rule": []})", R"({"rules": [{"pth": "/x"}]})",
        R"({"rules": [{"then": "explode"}]})", R"({"rules": [{"answer": {"code": 500}}]})"}) {
    CAPTURE(script);
    const auto rules = read_fault_script(script);
    REQUIRE_FALSE(rules.ok());
    CHECK(rules.error().message.starts_with("fault script: "));
  }
}

}  // namespace pedro
