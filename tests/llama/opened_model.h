#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "llm/llama_server.h"
#include "sys/file_system.h"

namespace pedro {

/// The opened model of with-server, with a short conversation. Its vocabulary is read from the
/// server's own file.
struct OpenedModel {
  explicit OpenedModel(LlamaServer::Settings settings = {}) {
    const char* url = std::getenv("PEDROCLI_SERVER_URL");
    REQUIRE(url != nullptr);
    ServerOptions options;
    options.url = url;
    if (settings.format == "auto") settings.format = "hermes";
    GenerateEvents events;
    events.on_notice = [this](std::string_view notice) { notices.emplace_back(notice); };
    model =
        std::make_unique<LlamaServer>(http, options, settings, vocabularies, events, clock, cancel);
    const auto opened = model->open();
    REQUIRE_MESSAGE(opened.ok(), (opened.ok() ? "" : opened.error().message));
    info = *opened;
    begin_chat();
  }
  OpenedModel(const OpenedModel&) = delete;
  OpenedModel& operator=(const OpenedModel&) = delete;

  /// Continues `chat`. Appends the reply and another user message to it.
  Reply reply_to(GenerateRequest request) {
    auto made = model->generate(request);
    REQUIRE_MESSAGE(made.ok(), made.error().message);
    evaluated_twice += std::max(0LL, made->expected_cached_tokens - made->usage.cached_tokens);
    chat.messages.push_back(text_message(Role::kAssistant, made->text));
    chat.messages.push_back(text_message(Role::kUser, "U"));
    return *std::move(made);
  }

  /// Starts another conversation.
  void begin_anew() {
    model->begin_anew();
    begin_chat();
  }

  RealFileSystem files;
  VocabularyStore vocabularies{files, {}, ModelRegistry::builtin()};
  CurlHttp http;
  RealClock clock;
  CancelToken cancel;
  std::unique_ptr<LlamaServer> model;
  ModelInfo info;
  ChatRequest chat;
  long long evaluated_twice = 0;
  std::vector<std::string> notices;

 private:
  void begin_chat() {
    chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, "U")};
  }
};

}  // namespace pedro
