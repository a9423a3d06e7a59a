#include "sys/http.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include "base/text.h"
#include "support/loopback_server.h"

namespace pedro {
namespace {

Result<HttpResponse> send(Http& http, const HttpRequest& request) {
  return http.send(request, nullptr, CancelToken());
}

std::string failure(const HttpRequest& request) {
  CurlHttp http;
  const Result<HttpResponse> response = send(http, request);
  REQUIRE_FALSE(response.ok());
  CHECK(response.error().kind == ErrorKind::kModel);
  return response.error().message;
}

}  // namespace

TEST_CASE("http: the request and the response") {
  LoopbackServer server{{.headers = {"Content-Type: application/json"}, .body = "{}"}};
  CurlHttp http;
  const Result<HttpResponse> response = send(http, {.method = "POST",
                                                    .url = server.url("/completion?x=1"),
                                                    .headers = {"Authorization: Bearer k"},
                                                    .body = "{\"n\":1}"});
  REQUIRE(response.ok());
  CHECK(response->status == 200);
  CHECK(response->body == "{}");
  CHECK(response->content_type == "application/json");
  const LoopbackRequest request = server.requests().at(0);
  CHECK(request.method == "POST");
  CHECK(request.target == "/completion?x=1");
  CHECK(request.body == "{\"n\":1}");
  CHECK(request.headers.at("authorization") == "Bearer k");
  CHECK_FALSE(request.headers.contains("content-type"));
  CHECK_FALSE(request.headers.contains("expect"));
}

TEST_CASE("http: methods, with and without a body") {
  LoopbackServer server{LoopbackReply{.body = "x"}};
  CurlHttp http;
  for (const std::string method : {"GET", "DELETE", "PUT", "PATCH", "HEAD", "POST"}) {
    CAPTURE(method);
    const std::string body = method == "PATCH" ? "b" : "";
    const auto response = send(http, {.method = method, .url = server.url(), .body = body});
    REQUIRE(response.ok());
    CHECK(response->status == 200);
    CHECK(response->body == (method == "HEAD" ? "" : "x"));
    CHECK(server.requests().back().method == method);
    CHECK(server.requests().back().body == body);
  }
}

TEST_CASE("http: a long body goes out at once") {
  LoopbackServer server{LoopbackReply{}};
  CurlHttp http;
  const std::string body(3 << 20, 'x');
  REQUIRE(send(http, {.method = "POST", .url = server.url(), .body = body}).ok());
  CHECK(server.requests().at(0).body == body);
}

TEST_CASE("http: one connection serves many requests") {
  LoopbackServer server{LoopbackReply{.body = "x"}};
  CurlHttp http;
  for (int i = 0; i < 5; ++i) REQUIRE(send(http, {.url = server.url()}).ok());
  CHECK(server.requests().size() == 5);
  CHECK(server.connections() == 1);
}

TEST_CASE("http: a stream arrives piece by piece and not in the body") {
  LoopbackServer server{
      {.chunks = {"da", "ta: {\"a\"", ":1}\n", "\ndata: ", "\xE2", "\x82\xAC\n\n"}}};
  CurlHttp http;
  std::string seen;
  const BodySink sink = [&](std::string_view bytes) {
    seen += bytes;
    return true;
  };
  const auto response = http.send({.url = server.url()}, sink, CancelToken());
  REQUIRE(response.ok());
  CHECK(seen == "data: {\"a\":1}\n\ndata: \xE2\x82\xAC\n\n");
  CHECK(response->body.empty());
}

TEST_CASE("http: a sink that has enough ends the transfer without an error") {
  LoopbackServer server{{.chunks = {"one"}, .after = AfterReply::kStall}};
  CurlHttp http;
  const auto response = http.send(
      {.url = server.url()}, [](std::string_view) { return false; }, CancelToken());
  REQUIRE(response.ok());
  CHECK(response->status == 200);
}

TEST_CASE("http: the body of a refusal is kept from the sink") {
  LoopbackServer server{{.status = 400, .body = "{\"error\":1}"}};
  CurlHttp http;
  bool called = false;
  const BodySink sink = [&](std::string_view) { return called = true; };
  const auto response = http.send({.url = server.url()}, sink, CancelToken());
  REQUIRE(response.ok());
  CHECK(response->status == 400);
  CHECK(response->body == "{\"error\":1}");
  CHECK_FALSE(called);
}

TEST_CASE("http: of a refusal that is very long only the beginning is read") {
  LoopbackServer server{{.status = 500, .body = std::string(20u << 20, 'x')}};
  CurlHttp http;
  const auto response = http.send({.url = server.url()}, {}, CancelToken());
  REQUIRE(response.ok());
  CHECK(response->status == 500);
  CHECK(response->body.size() <= 1u << 20);
}

TEST_CASE("http: Retry-After is read, redirects are not followed") {
  LoopbackServer server{{.status = 429, .headers = {"Retry-After: 7"}},
                        {.status = 302, .headers = {"Location: /elsewhere"}}};
  CurlHttp http;
  CHECK(send(http, {.url = server.url()})->retry_after_s == 7);
  CHECK(send(http, {.url = server.url()})->status == 302);
  CHECK(server.requests().size() == 2);
}

TEST_CASE("http: a refused connection") {
  const std::string url = "http://127.0.0.1:" + std::to_string(unused_port()) + "/health";
  CHECK(failure({.url = url}) ==
        url + ": connection refused; is the server running? start it or give -model-url");
}

TEST_CASE("http: broken answers") {
  struct Row {
    std::string name;
    LoopbackReply reply;
    std::string message;
  };
  const std::vector<Row> rows = {
      {"reset in the middle of the body",
       {.body = "half", .after = AfterReply::kReset},
       "the connection broke after 4 bytes of the answer; see the server's log"},
      {"closed in the middle of a chunked body",
       {.raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
        .after = AfterReply::kClose},
       "the connection broke after 3 bytes of the answer; see the server's log"},
      {"closed before the answer",
       {.raw = "H", .after = AfterReply::kClose},
       "the connection broke after 0 bytes of the answer; see the server's log"},
      {"another protocol",
       {.raw = "SSH-2.0-OpenSSH_9.2\r\n", .after = AfterReply::kClose},
       "the server does not speak HTTP; is this the right port?"},
      {"endless headers",
       {.raw = "HTTP/1.1 200 OK\r\n" +
               replace_all(std::string(60'000, 'x'), "x", "X-Y: something\r\n"),
        .after = AfterReply::kStall},
       "the headers exceed the limit of 262144 bytes"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    LoopbackServer server{row.reply};
    CHECK(failure({.url = server.url()}) == server.url() + ": " + row.message);
  }
}

TEST_CASE("http: a server that says nothing for too long") {
  LoopbackServer server{{.chunks = {"one"}, .after = AfterReply::kStall}};
  CHECK(failure({.url = server.url("/x"), .idle_timeout_s = 0.2}) ==
        server.url("/x") + ": nothing arrived for 0.2 s; is the server stuck? see its log");
}

TEST_CASE("http: one that sends a byte now and then meets the deadline of the whole") {
  LoopbackServer server{{.chunks = {"one"}, .after = AfterReply::kStall}};
  CHECK(failure({.url = server.url("/x"), .idle_timeout_s = 60, .timeout_s = 0.3}) ==
        server.url("/x") + ": no complete answer within 0.3 s; is the server stuck? see its log");
}

TEST_CASE("http: an answer that is too long") {
  LoopbackServer server{{.body = std::string(5000, 'x')}};
  CHECK(failure({.url = server.url(), .max_response_bytes = 4999}) ==
        server.url() + ": the answer exceeds the limit of 4999 bytes");
  CurlHttp http;
  CHECK(send(http, {.url = server.url(), .max_response_bytes = 5000})->body.size() == 5000);
}

TEST_CASE("http: after a failure the next request works") {
  LoopbackServer server{{.body = "half", .after = AfterReply::kReset}, {.body = "whole"}};
  CurlHttp http;
  CHECK_FALSE(send(http, {.url = server.url()}).ok());
  CHECK(send(http, {.url = server.url()})->body == "whole");
}

TEST_CASE("http: cancelling a request in flight") {
  CancelToken cancel;
  LoopbackServer server([&](const LoopbackRequest&) {
    cancel.cancel(2);
    return LoopbackReply{.raw = "HTTP/1.1 200 OK\r\n", .after = AfterReply::kStall};
  });
  CurlHttp http;
  const auto response = http.send({.url = server.url()}, nullptr, cancel);
  REQUIRE_FALSE(response.ok());
  CHECK(response.error().kind == ErrorKind::kInterrupted);
  CHECK(response.error().message == "stopped by signal 2");
}

TEST_CASE("http: requests refused before anything is sent") {
  CHECK(failure({.url = "file:///etc/passwd"}) ==
        "file:///etc/passwd: only http://, https:// and unix:/PATH addresses can be used");
  CHECK(failure({.url = "http://a b"}) ==
        "http://a b: the address contains a blank or a control character");
  CHECK(failure({.url = "http://127.0.0.1:99999/"}).starts_with("http://127.0.0.1:99999/: "));
  CHECK(failure({.url = "http://me:pw@127.0.0.1/?key=k", .headers = {"A: b\r\nC: d"}}) ==
        "http://127.0.0.1/: a header contains a line break");
}

TEST_CASE("http: a proxy is not used for this machine") {
  LoopbackServer server{LoopbackReply{.body = "direct"}};
  REQUIRE(::setenv("http_proxy", "http://127.0.0.1:1", 1) == 0);
  CurlHttp http;
  const auto response = send(http, {.url = server.url()});
  REQUIRE(::unsetenv("http_proxy") == 0);
  REQUIRE(response.ok());
  CHECK(response->body == "direct");
}

}  // namespace pedro
