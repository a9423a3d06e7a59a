#include "llm/server_search.h"

#include <doctest/doctest.h>

#include "support/loopback_server.h"

namespace pedro {
namespace {

// Returns "kind, kind" of the servers found on ports with these answers and expected kinds.
std::string kinds_found(
    const std::vector<std::pair<std::string_view, std::vector<LoopbackReply>>>& servers) {
  std::vector<std::unique_ptr<LoopbackServer>> running;
  std::vector<LocalServer> expected;
  for (const auto& [kind, replies] : servers) {
    running.push_back(std::make_unique<LoopbackServer>(
        [reply = replies.front()](const LoopbackRequest& request) -> LoopbackReply {
          CHECK(request.target == "/v1/models");
          CHECK_FALSE(request.headers.contains("authorization"));
          return reply;
        }));
    expected.push_back({std::string(kind), running.back()->url("")});
  }
  const CancelToken cancel;
  std::string kinds;
  const auto found = find_local_servers(
      expected, [] { return std::make_unique<CurlHttp>(); }, cancel);
  for (const LocalServer& server : found) kinds += (kinds.empty() ? "" : ", ") + server.kind;
  return kinds;
}

LoopbackReply list_of(std::string_view owner) {
  return {.body =
              R"({"object":"list","data":[{"id":"m","owned_by":")" + std::string(owner) + "\"}]}"};
}

}  // namespace

TEST_CASE("server search: the answer decides the kind, and the ports the order") {
  CHECK(kinds_found({{"llamacpp", {list_of("llamacpp")}}, {"ollama", {list_of("library")}}}) ==
        "llamacpp, ollama");
  CHECK(kinds_found({{"vllm", {list_of("llamacpp")}}}) == "llamacpp");
  CHECK(kinds_found({{"vllm", {list_of("sglang")}}}) == "openai");
  CHECK(kinds_found({{"ollama", {list_of("somebody")}}}) == "ollama");
  CHECK(kinds_found({{"lmstudio", {{.body = R"({"data":[]})"}}}}) == "lmstudio");
}

TEST_CASE("server search: a server that loads or wants a key counts, another service does not") {
  const LoopbackReply loading = {.status = 503,
                                 .body = R"({"error":{"code":503,"message":"Loading model"}})"};
  const LoopbackReply locked = {.status = 401, .body = R"({"error":"Unauthorized"})"};
  CHECK(kinds_found({{"llamacpp", {loading}}, {"vllm", {locked}}}) == "llamacpp, vllm");
  CHECK(kinds_found({{"llamacpp", {{.body = "<html>"}}},
                     {"llamacpp", {{.status = 404, .body = R"({"error":"none"})"}}},
                     {"vllm", {{.body = "[]"}}},
                     {"vllm", {{.body = R"({"data":1})"}}},
                     {"ollama", {list_of("library")}}}) == "ollama");
}

TEST_CASE("server search: a server that does not answer in time is left out") {
  const LoopbackReply silent = {.chunks = {"{"}, .after = AfterReply::kStall};
  CHECK(kinds_found({{"llamacpp", {silent}}, {"ollama", {list_of("library")}}}) == "ollama");
}

}  // namespace pedro
