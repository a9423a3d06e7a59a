#include "llm/manual.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace pedro {

TEST_CASE("manual: the user sees the new messages, also after old ones were removed") {
  std::vector<std::string> shown;
  ManualModel model(
      [&](std::span<const ChatMessage> messages) -> Result<std::string> {
        for (const ChatMessage& message : messages) shown.push_back(text_of(message));
        return std::string("reply");
      },
      1000);
  REQUIRE(model.open().ok());
  ChatRequest chat;
  const auto ask = [&] {
    shown.clear();
    const auto reply = model.generate({.chat = chat});
    REQUIRE(reply.ok());
    chat.messages.push_back(text_message(Role::kAssistant, reply->text));
    return reply->usage.prompt_tokens;
  };
  chat.messages = {text_message(Role::kSystem, std::string(300, 's')),
                   text_message(Role::kUser, "one")};
  CHECK(ask() == 101);
  CHECK(shown.size() == 2);
  for (const char* text : {"two", "three"}) {
    chat.messages.push_back(text_message(Role::kUser, text));
    ask();
    CHECK(shown == std::vector<std::string>{text});
  }

  // Removes "one" and "two", inserts a summary in their place, and adds a new turn.
  chat.messages.erase(chat.messages.begin() + 1, chat.messages.begin() + 5);
  chat.messages.insert(chat.messages.begin() + 1, text_message(Role::kUser, "earlier: one, two"));
  chat.messages.push_back(text_message(Role::kUser, "four"));
  const std::array<std::size_t, 5> origins = {0, Model::kChanged, 5, 6, 7};
  REQUIRE(model.compacted(chat, origins).ok());
  CHECK(ask() == (300 + 17 + 5 + 5 + 4) / 3);
  CHECK(shown == std::vector<std::string>{"four"});

  // The user has already seen all messages.
  const std::array<std::size_t, 2> few = {0, 5};
  chat.messages.erase(chat.messages.begin() + 1, chat.messages.begin() + 5);
  REQUIRE(chat.messages.size() == 2);
  REQUIRE(model.compacted(chat, few).ok());
  ask();
  CHECK(shown.empty());
}

}  // namespace pedro
