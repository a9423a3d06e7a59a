#include "format/turn_template.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

// ChatML as Qwen writes it.
struct ChatMl : TemplateRenderer {
  Result<std::string> render(std::span<const Message> turns) override {
    std::string out;
    for (const Message& turn : turns) {
      if (turn.role == Role::kSystem && !system_turn) {
        return Error{ErrorKind::kModel, "System role not supported"};
      }
      const char* role = turn.role == Role::kSystem ? "system"
                         : turn.role == Role::kUser ? "user"
                                                    : "assistant";
      out += std::string("<|im_start|>") + role + "\n" + turn.text + "<|im_end|>\n";
    }
    return out + "<|im_start|>assistant\n";
  }
  bool system_turn = true;
};

}  // namespace

TEST_CASE("template: learns what stands around the turns") {
  ChatMl renderer;
  const auto learned = learn_turn_template(renderer);
  REQUIRE(learned.ok());
  CHECK(learned->has_system);
  CHECK(learned->before_system == "<|im_start|>system\n");
  CHECK(learned->system_to_user == "<|im_end|>\n<|im_start|>user\n");
  CHECK(learned->user_to_assistant == "<|im_end|>\n<|im_start|>assistant\n");
  CHECK(learned->assistant_to_user == "<|im_end|>\n<|im_start|>user\n");
}

TEST_CASE("template: one that cannot be cut is refused") {
  struct Twice : TemplateRenderer {
    Result<std::string> render(std::span<const Message> turns) override {
      return turns[0].text + turns[0].text;
    }
  } renderer;
  CHECK(learn_turn_template(renderer).error().message ==
        "the chat template does not write turn 1 of 1 exactly once and in order; start the server "
        "with another --chat-template");
}

}  // namespace pedro
