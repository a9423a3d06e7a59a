#include <doctest/doctest.h>

#include <chrono>
#include <deque>

#include "support/loopback_server.h"
#include "sys/http.h"

namespace pedro {
namespace {

constexpr const char* kLoading =
    R"({"error":{"message":"Loading model","type":"unavailable_error","code":503}})";

/// Returns prepared answers in order, then repeats the last one.
class ScriptedHttp : public Http {
 public:
  explicit ScriptedHttp(std::deque<Result<HttpResponse>> answers) : answers_(std::move(answers)) {}

  Result<HttpResponse> send(const HttpRequest& /*request*/, const BodySink& sink,
                            const CancelToken& /*cancel*/) override {
    ++sent;
    if (sink && !streamed.empty()) sink(streamed);
    Result<HttpResponse> answer = answers_.front();
    if (answers_.size() > 1) answers_.pop_front();
    return answer;
  }

  int sent = 0;
  std::string streamed;  ///< passed to the sink for each answer

 private:
  std::deque<Result<HttpResponse>> answers_;
};

Error refused() {
  return Error{ErrorKind::kModel, "http://x: connection refused; is the server running?"};
}

Error broken() {
  return Error{ErrorKind::kModel, "u: the connection broke after 3 bytes of the answer"};
}

HttpResponse answer(int status, std::string body = "", double retry_after_s = 0) {
  return HttpResponse{.status = status, .body = std::move(body), .retry_after_s = retry_after_s};
}

struct Outcome {
  Result<HttpResponse> result;
  int sent = 0;
  std::vector<double> waited_s;
  std::string why;
};

Outcome send(ScriptedHttp& http, RetryPolicy policy = {}) {
  std::vector<double> waited_s;
  std::string why;
  CancelToken cancel;
  policy.wait = [&](double seconds, const CancelToken&) { waited_s.push_back(seconds); };
  const auto on_wait = [&](std::string_view reason, double) { why = reason; };
  const BodySink sink = [](std::string_view) { return true; };
  Result<HttpResponse> result = send_with_retry(http, {}, sink, policy, cancel, on_wait);
  return {std::move(result), http.sent, waited_s, why};
}

using Seconds = std::vector<double>;

}  // namespace

TEST_CASE("http retry: the retried failures and the delays") {
  struct Row {
    std::string name;
    std::deque<Result<HttpResponse>> answers;
    Seconds waited_s;
    std::string why;
    int status;  // 0: an error
  };
  const std::vector<Row> rows = {
      {"success is final", {answer(200)}, {}, "", 200},
      {"a refusal is final", {answer(400)}, {}, "", 400},
      {"an error of the server is final: it may be our request", {answer(500)}, {}, "", 500},
      {"other errors are final", {Error{ErrorKind::kModel, "u: not HTTP"}}, {}, "", 0},
      {"a connection that broke", {broken(), answer(200)}, {0.5}, "the connection broke", 200},
      {"but only once: it may be our request",
       {broken(), broken(), answer(200)},
       {0.5},
       "the connection broke",
       0},
      {"a server that ends and is started anew",
       {broken(), refused(), answer(503, kLoading), answer(200)},
       {0.5, 1, 1},
       "the model is loading",
       200},
      {"an interruption is final",
       {Error{ErrorKind::kInterrupted, "connection refused"}},
       {},
       "",
       0},
      {"a refused connection",
       {refused(), refused(), answer(200)},
       {0.5, 1},
       "connection refused",
       200},
      {"in vain, ever slower up to 8 s, six times in all",
       {refused()},
       {0.5, 1, 2, 4, 8},
       "connection refused",
       0},
      {"too many requests", {answer(429), answer(200)}, {0.5}, "429 Too Many Requests", 200},
      {"Retry-After is obeyed",
       {answer(429, "", 7), answer(200)},
       {7},
       "429 Too Many Requests",
       200},
      {"Retry-After ends at a minute",
       {answer(503, "", 3600), answer(200)},
       {60},
       "503 Service Unavailable",
       200},
      {"unavailable for another reason",
       {answer(503, "Loading model"), answer(200)},
       {0.5},
       "503 Service Unavailable",
       200},
      {"in vain, the last answer is the result",
       {answer(429)},
       {0.5, 1, 2, 4, 8},
       "429 Too Many Requests",
       429},
      {"loading is asked about every second",
       {answer(503, kLoading), answer(503, kLoading), answer(200)},
       {1, 1},
       "the model is loading",
       200},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ScriptedHttp http(row.answers);
    const Outcome outcome = send(http);
    CHECK(outcome.waited_s == row.waited_s);
    CHECK(outcome.why == row.why);
    CHECK(outcome.sent == static_cast<int>(row.waited_s.size()) + 1);
    CHECK((outcome.result.ok() ? outcome.result->status : 0) == row.status);
  }
}

TEST_CASE("http retry: a failed request is repeated for servers with temporary failures") {
  for (const int status : {408, 409, 425, 498, 500, 502, 504, 520, 522, 524, 529}) {
    CAPTURE(status);
    ScriptedHttp once({answer(status), answer(200)});
    CHECK(send(once).result->status == status);
    ScriptedHttp again({answer(status), answer(200)});
    const Outcome outcome = send(again, {.is_temporary = [&](const HttpResponse& failure) {
                                   return failure.status == status;
                                 }});
    CHECK(outcome.result->status == 200);
    CHECK(outcome.why == "the server failed");
    CHECK(outcome.waited_s == Seconds{0.5});
  }
  for (const bool is_temporary : {false, true}) {
    ScriptedHttp refusal({answer(is_temporary ? 400 : 500)});
    CHECK(send(refusal, {.is_temporary = [=](const auto&) { return is_temporary; }}).sent == 1);
  }
}

TEST_CASE("http retry: loading has its own patience and takes no attempts") {
  std::deque<Result<HttpResponse>> answers(20, answer(503, kLoading));
  answers.push_back(refused());
  answers.push_back(answer(200));
  ScriptedHttp http(answers);
  CHECK(send(http).result->status == 200);

  ScriptedHttp forever({answer(503, kLoading)});
  const Outcome outcome = send(forever, {.max_loading_wait_s = 2.5});
  CHECK(outcome.waited_s == Seconds{1, 1, 0.5});
  CHECK(outcome.result->status == 503);
}

TEST_CASE("http retry: one attempt means no retry") {
  ScriptedHttp http({refused()});
  CHECK(send(http, {.max_attempts = 1}).sent == 1);
}

TEST_CASE("http retry: nothing is sent twice once the sink has seen a byte") {
  ScriptedHttp http({refused()});
  http.streamed = "x";
  CHECK(send(http).sent == 1);
}

TEST_CASE("http retry: cancelling while waiting") {
  ScriptedHttp http({refused()});
  CancelToken cancel;
  RetryPolicy policy;
  policy.first_delay_s = 8;
  const auto start = std::chrono::steady_clock::now();
  const auto result = send_with_retry(http, {}, nullptr, policy, cancel,
                                      [&](std::string_view, double) { cancel.cancel(15); });
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::kInterrupted);
  CHECK(result.error().message == "stopped by signal 15");
  CHECK(http.sent == 1);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(4));
}

TEST_CASE("http retry: a real server that is loading, then busy, then ready") {
  LoopbackServer server{{.status = 503, .body = kLoading},
                        {.status = 429, .headers = {"Retry-After: 3"}},
                        {.body = "ready"}};
  CurlHttp http;
  Seconds waited_s;
  RetryPolicy policy;
  policy.wait = [&](double seconds, const CancelToken&) { waited_s.push_back(seconds); };
  const auto result =
      send_with_retry(http, {.url = server.url()}, nullptr, policy, CancelToken(), nullptr);
  REQUIRE(result.ok());
  CHECK(result->body == "ready");
  CHECK(waited_s == Seconds{1, 3});
}

TEST_CASE("http retry: a real connection that is refused") {
  const std::string url = "http://127.0.0.1:" + std::to_string(unused_port()) + "/";
  CurlHttp http;
  int waits = 0;
  RetryPolicy policy;
  policy.max_attempts = 3;
  policy.wait = [&](double, const CancelToken&) { ++waits; };
  CHECK_FALSE(send_with_retry(http, {.url = url}, nullptr, policy, CancelToken(), nullptr).ok());
  CHECK(waits == 2);
}

}  // namespace pedro
