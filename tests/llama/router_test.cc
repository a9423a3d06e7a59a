// Uses a real llama-server that routes to several models: see WITH_SERVER_ROUTER in with-server.
#include <doctest/doctest.h>

#include <cstdlib>

#include "llama/session.h"
#include "llm/llama_client.h"
#include "llm/model_loading.h"

namespace pedro {
namespace {

constexpr const char* kSecond = "the second:Q4";

ServerOptions options_of_router() {
  const char* url = std::getenv("PEDROCLI_SERVER_URL");
  REQUIRE(url != nullptr);
  ServerOptions options;
  options.url = url;
  return options;
}

// Returns the value of a property in the output of `models -json`; null if it is missing.
Json fact_in(const std::string& lines, const std::string& model, const std::string& property) {
  for (const std::string_view line : split_lines(lines)) {
    const Result<Json> fact = parse_json(line);
    REQUIRE(fact.ok());
    if (text_of(*fact, "model") != model || text_of(*fact, "property") != property) continue;
    return member(*fact, "value");
  }
  return {};
}

}  // namespace

TEST_CASE("router: models are listed, loaded with progress, and unloaded") {
  Session session;
  const ProcessResult before = session.pedrocli({"models", "-json"});
  CAPTURE(before.err);
  REQUIRE(before.exit_code == 0);
  for (const char* model : {"one", kSecond}) {
    CAPTURE(model);
    CHECK(fact_in(before.out, model, "state") == "on disk");
    CHECK(fact_in(before.out, model, "bytes") > 20'000'000);
    CHECK(fact_in(before.out, model, "tools").is_null());  // it would have to be loaded
  }

  const ProcessResult loaded = session.pedrocli({"models", "load", kSecond});
  CAPTURE(loaded.err);
  CHECK(loaded.exit_code == 0);
  CHECK(loaded.out == "the second:Q4: loaded\n");
  CHECK(loaded.err.find("pedrocli: the second:Q4: loading") != std::string::npos);
  CHECK(session.pedrocli({"models", "load", kSecond}).exit_code == 0);  // once more

  const ProcessResult after = session.pedrocli({"models", "-json"});
  CHECK(fact_in(after.out, "one", "state") == "on disk");
  CHECK(fact_in(after.out, kSecond, "state") == "loaded");
  CHECK(fact_in(after.out, kSecond, "window") == 32768);
  CHECK(fact_in(after.out, kSecond, "bytes") > 10'000'000);
  CHECK(fact_in(after.out, kSecond, "tools") == true);

  const ProcessResult unloaded = session.pedrocli({"models", "unload", kSecond});
  CHECK(unloaded.exit_code == 0);
  CHECK(unloaded.out == "the second:Q4: on disk\n");
  const ProcessResult unknown = session.pedrocli({"models", "load", "the secnd:Q4"});
  CHECK(unknown.exit_code == 4);
  CHECK(unknown.err.find("(did you mean 'the second:Q4'?)") != std::string::npos);
}

TEST_CASE("router: uses the only loaded model and its slots; of several it uses none") {
  CurlHttp http;
  const CancelToken cancel;
  LlamaClient nobody(http, options_of_router(), cancel);
  const auto none = nobody.props();
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == ErrorKind::kModel);
  CHECK(none.error().message.find("one (on disk), the second:Q4 (on disk)") != std::string::npos);

  ServerOptions named = options_of_router();
  named.model = kSecond;
  LlamaClient loader(http, named, cancel);
  const auto props = loader.props();  // loads it
  REQUIRE_MESSAGE(props.ok(), props.error().message);
  CHECK(number_of(*props, "total_slots") == 1);

  LlamaClient only(http, options_of_router(), cancel);
  REQUIRE(only.props().ok());
  CHECK(only.options().model == kSecond);
  const auto slots = only.get_of_model("/slots");
  REQUIRE(slots.ok());
  CHECK(slots->size() == 1);
  const PostJson post = only.poster();
  CHECK(post("/tokenize", {{"content", "hello"}}).ok());

  const auto listed = list_models(only, "/v1/models");
  REQUIRE(listed.ok());
  for (const ListedModel& model : *listed) CHECK(unload_model(only, model, {}).ok());
}

}  // namespace pedro
