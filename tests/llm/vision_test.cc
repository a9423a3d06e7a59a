#include "llm/vision.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "support/loopback_server.h"

namespace pedro {
namespace {

// A server with these answers by "METHOD /path", without the query; 404 for others.
struct VisionBench {
  explicit VisionBench(std::map<std::string, std::string> routes)
      : server([routes = std::move(routes)](const LoopbackRequest& request) {
          const auto found = routes.find(request.method + " " +
                                         request.target.substr(0, request.target.find('?')));
          if (found == routes.end()) return LoopbackReply{.status = 404, .body = "{}"};
          return LoopbackReply{.body = found->second};
        }) {}

  JsonClient client() {
    ServerOptions options;
    options.url = server.url("");
    options.retry.max_attempts = 1;
    return {http, options, {}, cancel};
  }

  LoopbackServer server;
  CurlHttp http;
  CancelToken cancel;
};

}  // namespace

TEST_CASE("vision: what servers say of a model") {
  struct Row {
    const char* model;  // in the list
    std::map<std::string, std::string> routes;
    std::optional<bool> takes;
  };
  for (const Row& row : std::vector<Row>{
           {R"({"id":"m","owned_by":"llamacpp"})",
            {{"GET /props", R"({"modalities":{"vision":true}})"}},
            true},
           {R"({"id":"m","owned_by":"llamacpp"})",
            {{"GET /props", R"({"modalities":{"vision":false}})"}},
            false},
           {R"({"id":"m","owned_by":"llamacpp"})", {{"GET /props", "{}"}}, {}},
           {R"({"id":"m","owned_by":"library"})",
            {{"POST /api/show", R"({"capabilities":["completion","vision"]})"}},
            true},
           {R"({"id":"m","owned_by":"library"})",
            {{"POST /api/show", R"({"capabilities":["completion"]})"}},
            false},
           {R"({"id":"m","owned_by":"library"})", {}, {}},
           // Other servers are not asked for routes that they lack.
           {R"({"id":"m"})", {{"POST /api/show", R"({"capabilities":["vision"]})"}}, {}},
           {R"({"id":"m","architecture":{"input_modalities":["text","image"]}})", {}, true},
           {R"({"id":"m","architecture":{"input_modalities":["text"]}})", {}, false},
           {R"({"id":"m","capabilities":["completion","multimodal"]})", {}, true},
           {R"({"id":"m","capabilities":{"vision":true}})", {}, true},
           {R"({"id":"m","capabilities":{"vision":false}})", {}, false},
           {R"({"id":"m","type":"vlm"})", {}, true},
           {R"({"id":"m","type":"llm"})", {}, false},
           {R"({"id":"m","status":{"value":"unloaded","args":["x","--mmproj","y"]}})", {}, true},
           {R"({"id":"m","architecture":7,"capabilities":"vision","status":[]})", {}, {}},
       }) {
    CAPTURE(std::string(row.model));
    auto routes = row.routes;
    routes["GET /v1/models"] = fmt::format(R"({{"data":[{}]}})", row.model);
    VisionBench bench(std::move(routes));
    JsonClient client = bench.client();
    const auto models = list_models(client, "/v1/models");
    REQUIRE(models.ok());
    REQUIRE(models->size() == 1);
    const auto takes = takes_images(client, MessageFormat::kOpenAi, models->front());
    REQUIRE(takes.ok());
    CHECK(*takes == row.takes);
    CHECK(*takes_images(client, MessageFormat::kAnthropic, models->front()) == true);
  }
}

TEST_CASE("vision: models in memory come first, and a router loads none for the question") {
  VisionBench bench({{"GET /v1/models", R"({"data":[
      {"id":"disk","owned_by":"llamacpp","status":{"value":"unloaded"}},
      {"id":"eye","owned_by":"llamacpp","status":{"value":"unloaded","args":["--mmproj","f"]}},
      {"id":"text","owned_by":"llamacpp","status":{"value":"loaded"},"capabilities":["completion"]},
      {"id":"warm","owned_by":"llamacpp","status":{"value":"loaded"}}]})"},
                     {"GET /props", R"({"modalities":{"vision":true}})"}});
  JsonClient client = bench.client();
  const auto models = models_with_vision(client);
  REQUIRE(models.ok());
  CHECK(*models == std::vector<std::string>{"warm", "eye"});
  CHECK(bench.server.requests().size() == 2);  // the list, and one question about "warm"
  CHECK(bench.server.requests()[1].target == "/props?autoload=false&model=warm");
}

}  // namespace pedro
