#include "llm/model_loading.h"

#include <doctest/doctest.h>

#include "llm/fake_router.h"
#include "llm/llama_client.h"

namespace pedro {
namespace {

// A client of a router that never sleeps.
struct RouterBench {
  explicit RouterBench(FakeRouter& router)
      : server([&router](const LoopbackRequest& request) { return router(request); }) {
    ServerOptions options;
    options.url = server.url("");
    options.idle_timeout_s = 3;
    options.retry.max_attempts = 1;
    options.retry.wait = [](double, const CancelToken&) {};
    options.on_notice = [this](std::string_view text) { notices.emplace_back(text); };
    settings = options;
  }

  std::string change(Status (*how)(JsonClient&, const ListedModel&, const OnModelProgress&),
                     const std::string& name) {
    settings.model = name;
    LlamaClient client(http, settings, cancel);
    const auto model = choose_model(client, "/v1/models");
    if (!model) return model.error().message;
    std::string seen;
    const Status changed = how(client, *model, [&](const ModelProgress& progress) {
      seen += (seen.empty() ? "" : "; ") + to_text(progress);
    });
    if (changed) return seen;
    return seen + "! " + changed.error().message.substr(settings.url.size());
  }

  std::string targets() const {
    std::string all;
    for (const LoopbackRequest& request : server.requests()) {
      if (request.method == "POST") all += request.target + " " + request.body + "\n";
    }
    return all;
  }

  LoopbackServer server;
  ServerOptions settings;
  std::vector<std::string> notices;
  CurlHttp http;
  CancelToken cancel;
};

}  // namespace

TEST_CASE("model loading: the progress of the stages, from events") {
  FakeRouter router;
  router.junk = "data: no JSON\n\ndata: {\"model\":\"c\",\"data\":{\"status\":\"loaded\"}}\n\n";
  RouterBench bench(router);
  CHECK(bench.change(load_model, "own/b:Q4 x") ==
        "loading; loading, 0 %; loading, 20 %; loading, 50 %; loaded");
  CHECK(bench.targets() == "/models/load {\"model\":\"own/b:Q4 x\"}\n");
  CHECK(bench.change(load_model, "own/b:Q4 x").empty());  // it is loaded
  CHECK(bench.change(unload_model, "own/b:Q4 x-alias") == "loaded; unloaded");
  CHECK(bench.change(unload_model, "own/b:Q4 x").empty());
  CHECK(bench.targets() ==
        "/models/load {\"model\":\"own/b:Q4 x\"}\n/models/unload {\"model\":\"own/b:Q4 x\"}\n");
}

TEST_CASE("model loading: a router without events is asked again and again") {
  FakeRouter router;
  router.has_events = false;
  RouterBench bench(router);
  CHECK(bench.change(load_model, "a") == "loading; loaded");
  CHECK(bench.change(unload_model, "a") == "loaded; unloaded");
}

TEST_CASE("model loading: a load that fails, an unknown model, and one that hangs") {
  FakeRouter router;
  router.rows[0].exit_code = 3;
  RouterBench bench(router);
  CHECK(bench.change(load_model, "a") ==
        "loading; loading, 0 %; loading, 20 %; loading, 50 %; unloaded! : model a: it did not "
        "load: its process ended with exit code 3; see the server's log");
  CHECK(bench.change(load_model, "aa")
            .ends_with(": the server has no model 'aa' (did you mean 'a'?): it has a (failed with "
                       "exit code 3), own/b:Q4 x (on disk); name one with -model or "
                       "model.model_name"));
  router.rows = {{"h", "downloading"}};
  CHECK(bench.change(load_model, "h") == "downloading! : model h: nothing changed for 3 s");
}

TEST_CASE("router: the model is loaded, and every further GET carries its encoded name") {
  FakeRouter router;
  RouterBench bench(router);
  bench.settings.model = "own/b:Q4 x";
  LlamaClient client(bench.http, bench.settings, bench.cancel);
  REQUIRE(client.props().ok());
  REQUIRE(client.get_of_model("/slots").ok());
  const std::vector<LoopbackRequest> requests = bench.server.requests();
  CHECK(requests[requests.size() - 2].target == "/props?model=own%2Fb%3AQ4%20x");
  CHECK(requests.back().target == "/slots?model=own%2Fb%3AQ4%20x");
  CHECK(bench.notices.front() == "model own/b:Q4 x: loading");
}

TEST_CASE("router: of several models the user is asked for one, if there is a user") {
  FakeRouter router;
  RouterBench bench(router);
  LlamaClient alone(bench.http, bench.settings, bench.cancel);
  const auto none = alone.props();
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == ErrorKind::kModel);
  CHECK(
      none.error().message.ends_with(": it has a (on disk), own/b:Q4 x (on disk); name one with "
                                     "-model or model.model_name"));
  std::string answer = "own/b:Q4 x";
  bench.settings.ask_model = [&](const std::vector<ListedModel>& models) -> Result<std::string> {
    CHECK(models.size() == 2);
    CHECK(models[1].path == "/m/own/b:Q4 x.gguf");
    return answer;
  };
  LlamaClient asked(bench.http, bench.settings, bench.cancel);
  REQUIRE(asked.props().ok());
  CHECK(asked.options().model == "own/b:Q4 x");
  router.rows[1].state = "unloaded";
  answer.clear();
  LlamaClient refused(bench.http, bench.settings, bench.cancel);
  CHECK_FALSE(refused.props().ok());
}

}  // namespace pedro
