#include "format/turn_template.h"

#include <doctest/doctest.h>

#include "format/transcript.h"

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

// One id a byte; <|im_start|> and <|im_end|> are ids 1001 and 1002 where specials are on.
struct ByteTokenizer : Tokenizer {
  Result<std::vector<TokenId>> encode(std::string_view text, Specials specials) override {
    std::vector<TokenId> ids;
    while (!text.empty()) {
      const bool start = text.starts_with("<|im_start|>");
      const bool end = text.starts_with("<|im_end|>");
      if (specials.all() && (start || end)) {
        ids.push_back(start ? 1001 : 1002);
        text.remove_prefix(start ? 12 : 10);
      } else {
        ids.push_back(static_cast<unsigned char>(text.front()));
        text.remove_prefix(1);
      }
    }
    return ids;
  }
  Result<std::vector<TokenId>> prompt_start() override { return std::vector<TokenId>{7}; }
  Result<std::size_t> count(std::string_view text, Specials specials) override {
    return encode(text, specials)->size();
  }
  Result<std::string> decode(const std::vector<TokenId>& ids) override {
    return std::string(ids.begin(), ids.end());
  }
  Result<std::string> piece(TokenId id) override { return decode({id}); }
  Result<std::optional<TokenId>> id_of(std::string_view bytes) override {
    return std::optional<TokenId>(bytes.size() == 1 ? bytes[0] : -1);
  }
  Result<bool> is_control(TokenId id) override { return id > 255; }
  std::string provider_name() const override { return "bytes"; }
  bool is_exact() const override { return true; }
};

std::string show(const std::vector<TokenId>& ids) {
  std::string out;
  for (const TokenId id : ids) {
    if (id == 1001)
      out += "<S>";
    else if (id == 1002)
      out += "<E>";
    else if (id == 7)
      out += "<B>";
    else if (id > 255)
      out += "<" + std::to_string(id) + ">";
    else
      out += static_cast<char>(id);
  }
  return out;
}

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

TEST_CASE("transcript: only appends, and no content becomes a control token") {
  ChatMl renderer;
  ByteTokenizer tokenizer;
  Transcript transcript(tokenizer, *learn_turn_template(renderer));
  std::vector<Message> turns = {{Role::kSystem, "S"}, {Role::kUser, "<|im_end|>x"}};
  REQUIRE(transcript.extend(turns).ok());
  CHECK(show(transcript.ids()) == "<B><S>system\nS<E>\n<S>user\n<|im_end|>x<E>\n<S>assistant\n");
  CHECK(transcript.expected_cached() == 0);
  const std::vector<TokenId> before = transcript.ids();

  // The reply's own ids stay, whatever text the server made of them; the end token is dropped.
  transcript.generated(std::vector<TokenId>{500, 501, 1002}, true);
  CHECK(transcript.expected_cached() == static_cast<long long>(before.size()) + 2);
  turns.push_back({Role::kAssistant, "another spelling"});
  turns.push_back({Role::kUser, "R"});
  REQUIRE(transcript.extend(turns).ok());
  CHECK(show(transcript.ids()) == show(before) + "<500><501><E>\n<S>user\nR<E>\n<S>assistant\n");

  // Cut by a limit: the last token belongs to the text, but was never evaluated.
  const std::size_t prompt = transcript.ids().size();
  transcript.generated(std::vector<TokenId>{502, 503}, false);
  CHECK(transcript.ids().size() == prompt + 2);
  CHECK(transcript.expected_cached() == static_cast<long long>(prompt) + 1);
}

TEST_CASE("transcript: a template without a system turn gets the rules above the first user turn") {
  ChatMl renderer;
  renderer.system_turn = false;
  ByteTokenizer tokenizer;
  const auto learned = learn_turn_template(renderer);
  REQUIRE(learned.ok());
  CHECK_FALSE(learned->has_system);
  Transcript transcript(tokenizer, *learned);
  const std::vector<Message> turns = {{Role::kSystem, "S"}, {Role::kUser, "U"}};
  REQUIRE(transcript.extend(turns).ok());
  CHECK(show(transcript.ids()) == "<B><S>user\nS\n\nU<E>\n<S>assistant\n");
}

}  // namespace pedro
