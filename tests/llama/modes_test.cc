// Each generation mode on a real llama-server, whose model writes noise: alone it never calls.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "llama/short_calls.h"
#include "llm/llama_server.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

VocabularyStore& vocabularies() {
  static RealFileSystem files;
  static VocabularyStore store(files, {}, ModelRegistry::builtin());
  return store;
}

struct Talk {
  Talk() {
    const char* url = std::getenv("PEDROCLI_SERVER_URL");
    REQUIRE(url != nullptr);
    ServerOptions options;
    options.url = url;
    LlamaServer::Settings settings;
    settings.format = "hermes";
    GenerateEvents events;
    events.on_notice = [this](std::string_view notice) { notices.emplace_back(notice); };
    model = std::make_unique<LlamaServer>(http, watch_http, options, settings, vocabularies(),
                                          events, clock, cancel);
    info = *model->open();
    chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, "U")};
  }

  // Whether one call came that is valid as it is.
  bool calls(const ShortCalls& calls, GenerationMode mode, long long thinking_tokens = 0) {
    const auto reply = model->generate({.chat = chat,
                                        .calls = calls.branches,
                                        .mode = mode,
                                        .temperature = 1,
                                        .max_tokens = 300,
                                        .thinking_tokens = thinking_tokens});
    REQUIRE_MESSAGE(reply.ok(), reply.error().message);
    thought += reply->thinking.size();
    CHECK(reply->usage.generated_tokens > 0);
    twice += std::max(0LL, reply->expected_cached_tokens - reply->usage.cached_tokens);
    chat.messages.push_back(text_message(Role::kAssistant, reply->text));
    chat.messages.push_back(text_message(Role::kUser, "U"));
    if (reply->stop != StopReason::kEnd || reply->parts.size() != 1) return false;
    const auto* call = std::get_if<ParsedCall>(&reply->parts[0]);
    return call != nullptr && calls.check(*call).empty();
  }

  CurlHttp http;
  CurlHttp watch_http;
  RealClock clock;
  CancelToken cancel;
  std::unique_ptr<LlamaServer> model;
  ModelInfo info;
  ChatRequest chat;
  long long twice = 0;
  std::size_t thought = 0;  // bytes
  std::vector<std::string> notices;
};

}  // namespace

TEST_CASE("modes: noise never calls, and always does under a grammar or a schema") {
  const auto build = BuildPhases::load();
  REQUIRE(build.ok());
  const char* wanted = std::getenv("PEDROCLI_CALLS");
  const int count = wanted == nullptr ? 1 : std::atoi(wanted);
  for (const GenerationMode mode : {GenerationMode::kUnconstrained, GenerationMode::kSchema,
                                    GenerationMode::kGrammar, GenerationMode::kHybrid}) {
    CAPTURE(to_string(mode));
    Talk talk;
    CHECK(talk.info.can.supports_constraints());
    int valid = 0;
    int all = 0;
    for (std::size_t phase = 0; phase < build->phases().size(); ++phase) {
      const ShortCalls calls(*build, phase, Bodies::kJson);
      for (int i = 0; i < count; ++i, ++all) valid += talk.calls(calls, mode) ? 1 : 0;
    }
    MESSAGE(fmt::format("{}: {} of {} calls are valid; {} notices", to_string(mode), valid, all,
                        talk.notices.size()));
    CHECK(talk.twice == 0);
    if (mode == GenerationMode::kUnconstrained) {
      CHECK(valid == 0);
    } else if (mode == GenerationMode::kSchema) {
      CHECK(valid > all / 2);  // as well as the server's own grammar has it
    } else {
      CHECK(valid == all);
    }
  }
}

TEST_CASE("modes: noise that thinks is stopped, and calls then") {
  const auto build = BuildPhases::load();
  REQUIRE(build.ok());
  const ShortCalls calls(*build, 0, Bodies::kJson);
  Talk talk;
  for (int i = 0; i < 5; ++i) CHECK(talk.calls(calls, GenerationMode::kGrammar, 40));
  CHECK(talk.thought > 0);
  CHECK(talk.twice == 0);
  // And a reply without goes on from there.
  talk.thought = 0;
  CHECK(talk.calls(calls, GenerationMode::kGrammar));
  CHECK(talk.thought == 0);
  CHECK(talk.twice == 0);
}

}  // namespace pedro
