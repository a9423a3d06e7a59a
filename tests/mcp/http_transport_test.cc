#include "mcp/http_transport.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
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
  Client connect(double total_s = 5, double idle_s = 2) {
    return Client(std::make_unique<HttpTransport>(
                      http, replies, HttpAddress{server.url("/mcp"), {"Authorization: Bearer t"}}),
                  "1.0", clock, {.idle_s = idle_s, .total_s = total_s});
  }

  LoopbackServer server;
  CurlHttp http;
  CurlHttp replies;
  CancelToken cancel;
  RealClock clock;
};

ToolDeclaration tool(const std::string& name, Json schema = Json::object()) {
  return {name, "", std::move(schema), Json()};
}

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
    REQUIRE(client.call_tool(tool("a"), Json::object(), bench.cancel).ok());
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
  const auto result = client.call_tool(tool("a"), Json::object(), bench.cancel);
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
  REQUIRE(client.call_tool(tool("größe"), Json::object(), bench.cancel).ok());
  const auto requests = bench.server.requests();
  CHECK(header(requests.back(), "mcp-protocol-version") == "2026-07-28");
  CHECK(header(requests.back(), "mcp-method") == "tools/call");
  CHECK(header(requests.back(), "mcp-name") == "=?base64?Z3LDtsOfZQ==?=");
}

// A server without sessions; `call` answers tools/call, and `list` is the result of tools/list.
LoopbackServer::Handler stateless_server(Json list,
                                         std::function<Json(const LoopbackRequest&)> call) {
  return [list = std::move(list), call = std::move(call)](const LoopbackRequest& request) {
    const auto json = parse_json(request.body);
    const std::string method = text_of(*json, "method");
    const Json id = member(*json, "id");
    if (method == "server/discover") {
      return json_reply(id, {{"supportedVersions", {"2026-07-28"}},
                             {"capabilities", {{"tools", Json::object()}}}});
    }
    return json_reply(id, method == "tools/list" ? list : call(request));
  };
}

TEST_CASE("mcp http: a stateless server gets the annotated arguments as headers") {
  const Json parameter = {{"type", "string"}, {"x-mcp-header", "Region"}};
  const Json valid = {{"type", "object"}, {"properties", {{"region", parameter}}}};
  const Json wrong = {{"type", "object"}, {"properties", {{"a", parameter}, {"b", parameter}}}};
  Connection bench(stateless_server({{"tools",
                                      {{{"name", "valid"}, {"inputSchema", valid}},
                                       {{"name", "wrong"}, {"inputSchema", wrong}}}}},
                                    [](const LoopbackRequest&) -> Json {
                                      return {{"content", Json::array()}};
                                    }));
  Client client = bench.connect();
  REQUIRE(client.open(bench.cancel).ok());
  const auto tools = client.list_tools(bench.cancel);
  REQUIRE(tools.ok());
  REQUIRE(tools->size() == 2);
  CHECK((*tools)[0].problem == "");
  CHECK((*tools)[1].problem == "x-mcp-header 'Region' is on two parameters");
  for (const char* region : {"us west", "größe", ""}) {
    REQUIRE(client.call_tool((*tools)[0], {{"region", region}}, bench.cancel).ok());
  }
  CHECK_FALSE(client.call_tool((*tools)[1], Json::object(), bench.cancel).ok());
  REQUIRE(client.call_tool((*tools)[0], Json::object(), bench.cancel).ok());
  const auto requests = bench.server.requests();
  REQUIRE(requests.size() == 6);
  CHECK(header(requests[2], "mcp-param-region") == "us west");
  CHECK(header(requests[3], "mcp-param-region") == "=?base64?Z3LDtsOfZQ==?=");
  CHECK(requests[4].headers.contains("mcp-param-region"));
  CHECK(header(requests[4], "mcp-param-region") == "");
  CHECK_FALSE(requests[5].headers.contains("mcp-param-region"));
}

TEST_CASE("mcp http: a server that refuses a version and offers it is asked once more") {
  int refused = 0;
  const auto accept =
      stateless_server(Json::object(), [](const LoopbackRequest&) { return Json(); });
  Connection bench([&](const LoopbackRequest& request) -> LoopbackReply {
    if (++refused > 1) return accept(request);
    return {
        .status = 400,
        .body = R"({"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}})"};
  });
  Client client = bench.connect();
  REQUIRE(client.open(bench.cancel).ok());
  CHECK(client.protocol() == "2026-07-28");
  CHECK(bench.server.requests().size() == 2);
}

TEST_CASE("mcp http: questions to the user are declined, with the server's state") {
  std::vector<Json> params;
  const Json question = {{"method", "elicitation/create"}, {"params", Json::object()}};
  Connection bench(stateless_server(Json::object(), [&](const LoopbackRequest& request) -> Json {
    params.push_back(member(*parse_json(request.body), "params"));
    switch (params.size()) {
      case 1:
        return {{"resultType", "input_required"},
                {"inputRequests", {{"sure", question}}},
                {"requestState", "s-1"}};
      case 2:
        return {{"resultType", "input_required"}, {"inputRequests", {{"why", question}}}};
      case 3:
        return {{"content", Json::array()}};
      case 4:
        return {{"resultType", "input_required"},
                {"inputRequests", {{"a", {{"method", "sampling/createMessage"}}}}}};
      default:
        return {{"resultType", "input_required"}, {"requestState", "again"}};
    }
  }));
  Client client = bench.connect();
  REQUIRE(client.open(bench.cancel).ok());
  ToolDeclaration asking = tool("a");
  asking.repeated = {{"Mcp-Param-X", {"x"}}};
  REQUIRE(client.call_tool(asking, {{"x", 1}}, bench.cancel).ok());
  REQUIRE(params.size() == 3);
  for (const LoopbackRequest& request : bench.server.requests()) {
    const bool is_call = header(request, "mcp-method") == "tools/call";
    CHECK(header(request, "mcp-param-x") == (is_call ? "1" : ""));
  }
  CHECK_FALSE(params[0].contains("inputResponses"));
  CHECK(params[1]["inputResponses"] == Json({{"sure", {{"action", "decline"}}}}));
  CHECK(params[1]["requestState"] == "s-1");
  CHECK(params[1]["arguments"] == Json({{"x", 1}}));
  CHECK(params[2]["inputResponses"] == Json({{"why", {{"action", "decline"}}}}));
  CHECK_FALSE(params[2].contains("requestState"));
  CHECK_FALSE(client.call_tool(tool("a"), Json::object(), bench.cancel).ok());
  CHECK(params.size() == 4);
  const auto endless = client.call_tool(tool("a"), Json::object(), bench.cancel);
  REQUIRE_FALSE(endless.ok());
  CHECK(endless.error().kind == ErrorKind::kRefused);
  CHECK(params.size() == 4 + 1 + Client::kMaxQuestions);
}

TEST_CASE("mcp http: requests of the server in a body without an answer are answered once") {
  Connection bench(session_server([](const Json&) {
    return LoopbackReply{.body = R"([{"jsonrpc":"2.0","id":9,"method":"ping"}])"};
  }));
  Client client = bench.connect();
  REQUIRE(client.open(bench.cancel).ok());
  CHECK_FALSE(client.call_tool(tool("a"), Json::object(), bench.cancel).ok());
  const auto requests = bench.server.requests();
  CHECK(std::ranges::count(requests, R"({"jsonrpc":"2.0","id":9,"result":{}})",
                           &LoopbackRequest::body) == 1);
}

TEST_CASE("mcp http: a stream that breaks is continued after its last event") {
  int streams = 0;
  std::string answer;
  const auto stream = [](std::string body, AfterReply after) {
    return LoopbackReply{
        .headers = {"Content-Type: text/event-stream"}, .body = std::move(body), .after = after};
  };
  const auto call = [&](const Json& id) {
    answer = "id: e-3\ndata: {\"jsonrpc\":\"2.0\",\"id\":" + to_line(id) +
             ",\"result\":{\"content\":[]}}\n\n";
    return stream("id: e-1\nretry: 10\ndata: \n\nid: cut", AfterReply::kReset);
  };
  const auto posts = session_server(call);
  Connection bench([&](const LoopbackRequest& request) {
    if (request.method != "GET") return posts(request);
    ++streams;
    return streams == 1 ? stream("id: e-2\ndata:\n\n", AfterReply::kClose)
                        : stream(answer, AfterReply::kClose);
  });
  {
    Client client = bench.connect();
    REQUIRE(client.open(bench.cancel).ok());
    const auto result = client.call_tool(tool("a"), Json::object(), bench.cancel);
    REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : result.error().message));
  }
  const auto requests = bench.server.requests();
  REQUIRE(requests.size() == 7);
  CHECK(header(requests[4], "last-event-id") == "e-1");
  CHECK(header(requests[5], "last-event-id") == "e-2");
  CHECK(header(requests[5], "mcp-session-id") == "s-1");
  CHECK(requests[5].body == "");
}

TEST_CASE("mcp http: the wait before a broken stream continues is part of the exchange's time") {
  Connection bench(session_server([](const Json&) {
    return LoopbackReply{.body = "id: e-1\nretry: 9000000000000000000\ndata: \n\n",
                         .after = AfterReply::kClose};
  }));
  Client client = bench.connect(0.3);
  REQUIRE(client.open(bench.cancel).ok());
  const auto result = client.call_tool(tool("a"), Json::object(), bench.cancel);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().message == "did not complete tools/call in 0.3 s");
}

TEST_CASE("mcp http: a stream is continued as long as it has new events") {
  const auto event = [](int number) {
    return LoopbackReply{.body = fmt::format("id: e-{}\nretry: 0\ndata: \n\n", number),
                         .after = AfterReply::kClose};
  };
  const auto posts = session_server([&](const Json&) { return event(0); });
  int gets = 0;
  Connection bench([&](const LoopbackRequest& request) {
    return request.method == "GET" ? event(std::min(++gets, 7)) : posts(request);
  });
  Client client = bench.connect();
  REQUIRE(client.open(bench.cancel).ok());
  CHECK_FALSE(client.call_tool(tool("a"), Json::object(), bench.cancel).ok());
  CHECK(gets == 7 + 5);
}

TEST_CASE("mcp http: a stream that a server does not continue, or must not, is an error") {
  struct Row {
    std::string id;
    int status;
    bool has_session;
    int gets;
  };
  for (const Row& row : {Row{"e-1", 200, true, 5}, Row{"e-1", 405, true, 1},
                         Row{std::string(2000, 'e'), 200, true, 0}, Row{"e-1", 200, false, 0}}) {
    CAPTURE(row.status);
    const std::string body = "id: " + row.id + "\nretry: 0\ndata: \n\n";
    const LoopbackReply broken{.body = body, .after = AfterReply::kClose};
    const auto session = session_server([&](const Json&) { return broken; });
    const auto stateless =
        stateless_server(Json::object(), [](const LoopbackRequest&) { return Json::object(); });
    int gets = 0;
    Connection bench([&](const LoopbackRequest& request) {
      if (request.method == "GET") {
        ++gets;
        return LoopbackReply{.status = row.status};
      }
      if (row.has_session) return session(request);
      return header(request, "mcp-method") == "tools/call" ? broken : stateless(request);
    });
    Client client = bench.connect();
    REQUIRE(client.open(bench.cancel).ok());
    const auto result = client.call_tool(tool("a"), Json::object(), bench.cancel);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message.ends_with("the response ended without an answer"));
    CHECK(gets == row.gets);
  }
}

TEST_CASE("mcp http: a silent stream is not continued") {
  const auto posts = session_server([](const Json&) {
    return LoopbackReply{.chunks = {"id: e-1\nretry: 0\ndata: \n\n"}, .after = AfterReply::kStall};
  });
  Connection bench(posts);
  Client client = bench.connect(5, 0.5);
  REQUIRE(client.open(bench.cancel).ok());
  CHECK_FALSE(client.call_tool(tool("a"), Json::object(), bench.cancel).ok());
  const auto requests = bench.server.requests();
  CHECK(std::ranges::count(requests, "GET", &LoopbackRequest::method) == 0);
}

TEST_CASE("mcp http: a stateless server that wants a sign-in refuses the handshake in vain") {
  Connection bench([](const LoopbackRequest& request) -> LoopbackReply {
    if (header(request, "mcp-protocol-version") == "2026-07-28") return {.status = 401};
    return {.status = 400, .body = R"({"error":{"code":-32020,"message":"no version"}})"};
  });
  Client client = bench.connect();
  const Status opened = client.open(bench.cancel);
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().message.find("run 'pedrocli mcp login") != std::string::npos);
}

TEST_CASE("mcp http: a wrong address is named with its remedy") {
  for (const int status : {404, 405}) {
    Connection bench([&](const LoopbackRequest&) { return LoopbackReply{.status = status}; });
    Client client = bench.connect();
    const Status opened = client.open(bench.cancel);
    REQUIRE_FALSE(opened.ok());
    CHECK(opened.error().message.ends_with(
        fmt::format("HTTP status {}; check the path in \"url\" of its settings", status)));
  }
}

TEST_CASE("mcp http: a stateless server's tools are listed again after the time that it gave") {
  FakeClock clock;
  struct Row {
    Json ttl_ms;
    long long fresh_ms;
  };
  for (const Row& row : {Row{nullptr, 60'000}, Row{0, 60'000}, Row{-1, 60'000},
                         Row{300'000, 300'000}, Row{9'000'000'000'000'000'000, 86'400'000}}) {
    CAPTURE(row.ttl_ms);
    Connection bench(stateless_server({{"tools", Json::array()}, {"ttlMs", row.ttl_ms}},
                                      [](const LoopbackRequest&) { return Json::object(); }));
    Client client(std::make_unique<HttpTransport>(bench.http, bench.replies,
                                                  HttpAddress{bench.server.url("/mcp")}),
                  "1.0", clock);
    REQUIRE(client.open(bench.cancel).ok());
    REQUIRE(client.list_tools(bench.cancel).ok());
    CHECK_FALSE(client.tools_changed());
    clock.ms += row.fresh_ms - 1;
    CHECK_FALSE(client.tools_changed());
    ++clock.ms;
    CHECK(client.tools_changed());
  }
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
    CHECK_FALSE(client.call_tool(tool("a"), Json::object(), bench->cancel).ok());
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
    const auto result = client.call_tool(tool("a"), Json::object(), bench.cancel);
    REQUIRE_FALSE(result.ok());
    const std::string where = bench.server.url("/mcp") + ": ";
    CHECK(replace_all(result.error().message, where, "").starts_with(row.error));
  }
}

}  // namespace pedro::mcp
