#include "mcp/http_transport.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/text.h"
#include "mcp/client.h"
#include "support/loopback_server.h"

namespace pedro::mcp {
namespace {

LoopbackReply json_reply(const Json& id, Json result) {
  return {.headers = {"Content-Type: application/json"},
          .body = to_line({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}})};
}

// A server of the protocol with sessions; `call` answers tools/call.
LoopbackServer::Handler session_server(std::function<LoopbackReply(const Json& id)> call) {
  return [call = std::move(call)](const LoopbackRequest& request) -> LoopbackReply {
    const auto json = parse_json(request.body);
    const std::string method = json ? text_of(*json, "method") : "";
    const Json id = json ? member(*json, "id") : Json();
    if (method == "server/discover") return {.status = 400, .body = "Bad Request"};
    if (method == "initialize") {
      LoopbackReply reply = json_reply(
          id, {{"protocolVersion", "2025-06-18"}, {"capabilities", {{"tools", Json::object()}}}});
      reply.headers.emplace_back("Mcp-Session-Id: s-1");
      return reply;
    }
    if (id.is_null() || method.empty()) return {.status = 202};
    if (method == "tools/call") return call(id);
    return json_reply(id, {{"tools", Json::array()}});
  };
}

// A client of such a server.
struct Connection {
  explicit Connection(LoopbackServer::Handler handler) : server(std::move(handler)) {}
  Client connect(double total_s = 5) {
    return Client(std::make_unique<HttpTransport>(
                      http, replies, HttpAddress{server.url("/mcp"), {"Authorization: Bearer t"}}),
                  "1.0", clock, {.idle_s = 2, .total_s = total_s});
  }

  LoopbackServer server;
  CurlHttp http;
  CurlHttp replies;
  CancelToken cancel;
  RealClock clock;
};

std::string header(const LoopbackRequest& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? "" : found->second;
}

}  // namespace

TEST_CASE("mcp http: the session's id and version are repeated, and the session ends at the end") {
  Connection bench(session_server([](const Json& id) {
    return json_reply(id, {{"content", Json::array()}});
  }));
  {
    Client client = bench.connect();
    REQUIRE(client.open(bench.cancel).ok());
    CHECK(client.protocol() == "2025-06-18");
    REQUIRE(client.call_tool("a", Json::object(), bench.cancel).ok());
  }
  const auto requests = bench.server.requests();
  REQUIRE(requests.size() == 5);
  CHECK(header(requests[0], "mcp-method") == "server/discover");
  CHECK(header(requests[1], "mcp-session-id") == "");
  for (std::size_t i = 2; i < 5; ++i) {
    CHECK(header(requests[i], "mcp-session-id") == "s-1");
    CHECK(header(requests[i], "mcp-protocol-version") == "2025-06-18");
    CHECK(header(requests[i], "authorization") == "Bearer t");
  }
  CHECK(requests[4].method == "DELETE");
}

TEST_CASE("mcp http: an answer may be a stream with requests and progress before it") {
  Connection bench(session_server([](const Json& id) {
    const std::string begin =
        ": hello\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n\n";
    return LoopbackReply{
        .headers = {"Content-Type: text/event-stream"},
        .body = begin + "data: {\"jsonrpc\":\"2.0\",\"id\":" + to_line(id) +
                ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"streamed\"}]}}\n\n"};
  }));
  Client client = bench.connect();
  REQUIRE(client.open(bench.cancel).ok());
  const auto result = client.call_tool("a", Json::object(), bench.cancel);
  REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : result.error().message));
  CHECK((*result)["content"][0]["text"] == "streamed");
  const auto requests = bench.server.requests();
  CHECK(requests.back().body == R"({"jsonrpc":"2.0","id":9,"result":{}})");
}

TEST_CASE("mcp http: a server that answers any method with an empty result has a handshake") {
  Connection bench([](const LoopbackRequest& request) -> LoopbackReply {
    const auto json = parse_json(request.body);
    Json result = Json::object();
    if (text_of(*json, "method") == "initialize") result["protocolVersion"] = "2025-06-18";
    return json_reply(member(*json, "id"), std::move(result));
  });
  Client client = bench.connect();
  REQUIRE(client.open(bench.cancel).ok());
  CHECK(client.protocol() == "2025-06-18");
}

TEST_CASE("mcp http: a stateless server gets the method and the tool's name as headers") {
  Connection bench([](const LoopbackRequest& request) -> LoopbackReply {
    const auto json = parse_json(request.body);
    const Json id = member(*json, "id");
    if (text_of(*json, "method") == "server/discover") {
      return json_reply(id, {{"supportedVersions", {"2026-07-28"}},
                             {"capabilities", {{"tools", Json::object()}}}});
    }
    return json_reply(id, {{"resultType", "complete"}, {"content", Json::array()}});
  });
  Client client = bench.connect();
  REQUIRE(client.open(bench.cancel).ok());
  REQUIRE(client.call_tool("größe", Json::object(), bench.cancel).ok());
  const auto requests = bench.server.requests();
  CHECK(header(requests.back(), "mcp-protocol-version") == "2026-07-28");
  CHECK(header(requests.back(), "mcp-method") == "tools/call");
  CHECK(header(requests.back(), "mcp-name") == "=?base64?Z3LDtsOfZQ==?=");
}

TEST_CASE("mcp http: a call that takes too long is cancelled, by a notification in a session") {
  const LoopbackReply stall{.chunks = {": wait\n\n"}, .after = AfterReply::kStall};
  Connection session(session_server([&](const Json&) { return stall; }));
  Connection stateless([&](const LoopbackRequest& request) -> LoopbackReply {
    const auto json = parse_json(request.body);
    if (text_of(*json, "method") != "server/discover") return stall;
    return json_reply(member(*json, "id"),
                      {{"supportedVersions", {"2026-07-28"}}, {"capabilities", Json::object()}});
  });
  for (Connection* bench : {&session, &stateless}) {
    Client client = bench->connect(1);
    REQUIRE(client.open(bench->cancel).ok());
    CHECK_FALSE(client.call_tool("a", Json::object(), bench->cancel).ok());
    const auto last = parse_json(bench->server.requests().back().body);
    REQUIRE(last.ok());
    CHECK(text_of(*last, "method") ==
          (bench == &session ? "notifications/cancelled" : "tools/call"));
  }
}

TEST_CASE("mcp http: slow replies to the server's own requests use the time of the exchange") {
  std::atomic<int> replies = 0;
  Connection bench([&](const LoopbackRequest& request) -> LoopbackReply {
    const auto json = parse_json(request.body);
    const Json id = json ? member(*json, "id") : Json();
    if (text_of(*json, "method") == "server/discover") {
      return json_reply(id, {{"supportedVersions", {"2026-07-28"}},
                             {"capabilities", {{"tools", Json::object()}}}});
    }
    if (text_of(*json, "method").empty()) {  // a reply to a ping
      ++replies;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      return {.status = 202};
    }
    Json pings = Json::array();
    for (int i = 0; i < 1000; ++i) {
      pings.push_back({{"jsonrpc", "2.0"}, {"id", i}, {"method", "ping"}});
    }
    return {.headers = {"Content-Type: application/json"}, .body = to_line(pings)};
  });
  Client client = bench.connect(1);
  REQUIRE(client.open(bench.cancel).ok());
  const auto tools = client.list_tools(bench.cancel);
  REQUIRE_FALSE(tools.ok());
  CHECK(tools.error().message == "did not complete tools/list in 1 s");
  CHECK(tools.error().kind == ErrorKind::kModel);
  CHECK(replies < 100);
}

TEST_CASE("mcp http: refusals and broken answers are errors with the next step") {
  struct Row {
    LoopbackReply reply;
    const char* error;
  };
  const std::string long_text(5'000'000, ' ');
  const Row rows[] = {
      {{.status = 401},
       "HTTP status 401; run 'pedrocli mcp login SERVER', or put its token in \"headers\""},
      {{.status = 404}, "HTTP status 404; it has ended the session"},
      {{.status = 400, .body = R"({"error":{"code":-1,"message":"no"}})"}, "no (error -1)"},
      {{.body = "{\"a\""}, "sent a message that is not JSON: 1:5: syntax error"},
      {{.body = "{" + long_text + "}"}, "sent a message of more than 4 MiB"},
      {{.body = "data: " + long_text + "\n\n"}, "sent a message of more than 4 MiB"},
      {{.body = "data: {}\n\n"}, "the response ended without an answer"},
      {{.body = ""}, "the response ended without an answer"},
  };
  for (const Row& row : rows) {
    Connection bench(session_server([&row](const Json&) { return row.reply; }));
    Client client = bench.connect();
    REQUIRE(client.open(bench.cancel).ok());
    const auto result = client.call_tool("a", Json::object(), bench.cancel);
    REQUIRE_FALSE(result.ok());
    const std::string where = bench.server.url("/mcp") + ": ";
    CHECK(replace_all(result.error().message, where, "").starts_with(row.error));
  }
}

}  // namespace pedro::mcp
