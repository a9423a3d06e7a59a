#include "llm/server_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/json.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxListBytes = 4u << 20;

struct UsualPort {
  int port;
  const char* kind;
};
constexpr UsualPort kUsualPorts[] = {
    {9931, "llamacpp"}, {8080, "llamacpp"}, {11434, "ollama"}, {1234, "lmstudio"}, {8000, "vllm"}};

/// The name that a kind of server gives as the owner of its models.
struct ListOwner {
  std::string_view owner;
  std::string_view kind;
};
constexpr ListOwner kListOwners[] = {{"llamacpp", "llamacpp"},
                                     {"vllm", "vllm"},
                                     {"library", "ollama"},
                                     {"organization_owner", "lmstudio"}};

// Returns the kind of a server by its list of models. llama-server and vLLM name themselves in it.
std::string_view kind_of_list(const Json& models, std::string_view expected) {
  const std::string owner = models.empty() ? "" : text_of(models.front(), "owned_by");
  const auto* const known = std::find_if(std::begin(kListOwners), std::end(kListOwners),
                                         [&](const ListOwner& one) { return one.owner == owner; });
  if (known != std::end(kListOwners)) return known->kind;
  const bool names_itself = expected == "llamacpp" || expected == "vllm";
  return names_itself && !models.empty() ? "openai" : expected;
}

// Returns "" if the answer is not a model server's. A server may refuse a request without a key, or
// until its model is loaded.
std::string_view kind_of_answer(const HttpResponse& answer, std::string_view expected) {
  const Result<Json> json = parse_json(answer.body);
  if (!json || !json->is_object()) return "";
  const Json& models = member(*json, "data");
  if (answer.status == 200 && models.is_array()) return kind_of_list(models, expected);
  const bool refuses = answer.status == 401 || answer.status == 503;
  return refuses && json->contains("error") ? expected : "";
}

}  // namespace

std::vector<LocalServer> usual_servers() {
  std::vector<LocalServer> servers;
  for (const UsualPort& usual : kUsualPorts) {
    servers.push_back({usual.kind, fmt::format("http://127.0.0.1:{}", usual.port)});
  }
  return servers;
}

std::vector<LocalServer> find_local_servers(std::span<const LocalServer> expected,
                                            const std::function<std::unique_ptr<Http>()>& connect,
                                            const CancelToken& cancel, double timeout_s) {
  std::vector<LocalServer> found(expected.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    threads.emplace_back([&, i] {
      const std::string& url = expected[i].url;
      const HttpRequest request{.url = url_of_route(url, "/v1/models"),
                                .connect_timeout_s = timeout_s,
                                .timeout_s = timeout_s,
                                .max_response_bytes = kMaxListBytes};
      const Result<HttpResponse> answer = connect()->send(request, {}, cancel);
      if (answer) found[i] = {std::string(kind_of_answer(*answer, expected[i].kind)), url};
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::erase_if(found, [](const LocalServer& server) { return server.kind.empty(); });
  return found;
}

}  // namespace pedro
