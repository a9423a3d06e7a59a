#include "chat_format/hostile_contents.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "chat_format/prompt_encoder.h"
#include "chat_format/python_json.h"
#include "support/hostile_texts.h"

namespace pedro {
namespace {

ChatRequest hostile_request(const std::string& text) {
  const std::vector<ContentChunk> content = {{ContentChunk::Kind::kText, text}};
  const RequestedCall call{text, text, "{\"a\": " + python_json_string(text) + "}"};
  ChatRequest request;
  request.messages.push_back({Role::kSystem, content, {}, false, {}, {}});
  request.messages.push_back({Role::kUser, content, {}, false, {}, {}});
  request.messages.push_back({Role::kAssistant, {}, {call, call}, false, {}, {}});
  request.messages.push_back({Role::kTool, content, {}, false, text, text});
  request.messages.push_back({Role::kAssistant, content, {}, false, {}, {}});
  request.messages.push_back({Role::kUser, content, {}, false, {}, {}});
  request.messages.push_back({Role::kAssistant, {}, {call}, false, {}, {}});
  request.messages.push_back({Role::kTool, content, {}, false, text, text});
  request.tools.push_back({text, text, "{\"description\": " + python_json_string(text) + "}"});
  return request;
}

// Removes calls and results, for formats without them.
ChatRequest without_calls(ChatRequest request) {
  std::erase_if(request.messages, [](const ChatMessage& message) {
    return message.role == Role::kTool || !message.calls.empty();
  });
  return request;
}

std::string without_contents(const PromptText& text) {
  std::string out;
  std::size_t at = 0;
  for (const ByteRange& range : text.content) {
    out += text.text.substr(at, range.begin - at);
    at = range.end;
  }
  return out + text.text.substr(at);
}

constexpr TokenId kSomeControl = -1;

// The expected tokens of a prompt: ids, and kSomeControl for control tokens.
class ExpectedIds {
 public:
  explicit ExpectedIds(VocabularyTokenizer& tokenizer) : tokenizer_(tokenizer) {}

  void add(const ControlToken& control) {
    if (!control.may_be_text) return add_token(kSomeControl);
    const auto alone = tokenizer_.encode(control.name, Specials::kAll);
    REQUIRE(alone.ok());
    if (alone->size() == 1) {
      add_token(alone->front());
    } else {
      text_ += control.name;
    }
    joins_ = alone->size() != 1;
  }

  void add(const PromptText& text) {
    CHECK(without_contents(text).find(kHostileMark) == std::string::npos);
    if (!joins_) end_text();
    joins_ = false;
    text_ += text.text;
  }

  std::vector<TokenId> take() {
    end_text();
    return std::move(ids_);
  }

 private:
  void add_token(TokenId id) {
    end_text();
    ids_.push_back(id);
    joins_ = false;
  }

  void end_text() {
    const auto alone = tokenizer_.encode(text_, Specials::kNone);
    REQUIRE(alone.ok());
    for (const TokenId id : *alone) {
      CHECK(!tokenizer_.vocabulary().is_control(id));
      ids_.push_back(id);
    }
    text_.clear();
  }

  VocabularyTokenizer& tokenizer_;
  std::vector<TokenId> ids_;
  std::string text_;
  bool joins_ = false;
};

void check_prompt(const Prompt& prompt, VocabularyTokenizer& tokenizer) {
  ExpectedIds all(tokenizer);
  for (const PromptPart& part : prompt.parts) {
    std::visit([&](const auto& one) { all.add(one); }, part);
  }
  const std::vector<TokenId> expected = all.take();
  const auto ids = encode_prompt(prompt, tokenizer);
  REQUIRE_MESSAGE(ids.ok(), ids.error().message);
  REQUIRE(ids->size() == expected.size());
  for (std::size_t i = 0; i < ids->size(); ++i) {
    if (expected[i] == kSomeControl) {
      CHECK(tokenizer.vocabulary().is_control((*ids)[i]));
    } else {
      CHECK((*ids)[i] == expected[i]);
    }
  }
}

}  // namespace

void check_hostile_contents(const FormatFamily& family, VocabularyTokenizer& tokenizer) {
  std::vector<std::string> texts = hostile_texts();
  for (const TokenId id : tokenizer.vocabulary().specials()) {
    const std::string_view piece = tokenizer.vocabulary().piece(id);
    if (texts.size() < 200) texts.push_back(std::string(kHostileMark) + std::string(piece));
  }
  for (const std::string& text : texts) {
    CAPTURE(family.name);
    CAPTURE(text);
    auto prompt = render_conversation(family, hostile_request(text));
    if (!prompt) prompt = render_conversation(family, without_calls(hostile_request(text)));
    REQUIRE_MESSAGE(prompt.ok(), prompt.error().message);
    check_prompt(*prompt, tokenizer);
  }
}

}  // namespace pedro
