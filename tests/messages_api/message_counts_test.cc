// Compares token counts of messages with the counts of OpenAI's API. The requests are those of
// gpt-tokenizer, fetched by `scripts/fetch-vocab` (gpt-tokenizer.requests, a TypeScript source),
// with o200k_base. Skipped (77) if either is missing.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cctype>
#include <optional>

#include "base/json.h"
#include "messages_api/message_tokens.h"
#include "sys/file_system.h"
#include "tokenizer/fetched_vocabularies.h"

namespace pedro {
namespace {

// Converts the list in the script to JSON: quotes names, changes quotes of texts, and removes
// trailing commas.
class ListInScript {
 public:
  explicit ListInScript(std::string_view script) : script_(script) {}

  std::string json() {
    for (at_ = script_.find("= ["); at_ < script_.size() && script_[at_] != ';'; ++at_) step();
    return json_.substr(json_.find('['));
  }

 private:
  void step() {
    const char c = script_[at_];
    if (c == '\'' || c == '"') return take_text(c);
    if (std::isspace(static_cast<unsigned char>(c)) != 0) return;
    if ((c == '}' || c == ']') && json_.ends_with(',')) json_.pop_back();
    if (std::isalpha(static_cast<unsigned char>(c)) == 0 && c != '_') {
      json_ += c;
      return;
    }
    const std::size_t begin = at_;
    while (std::isalnum(static_cast<unsigned char>(script_[at_])) != 0 || script_[at_] == '_')
      ++at_;
    const std::string word(script_.substr(begin, at_ - begin));
    json_ += script_[at_] == ':' ? "\"" + word + "\"" : word;
    --at_;
  }

  void take_text(char quote) {
    json_ += '"';
    for (++at_; script_[at_] != quote; ++at_) {
      const bool escaped_quote = script_[at_] == '\\' && script_[at_ + 1] == '\'';
      if (escaped_quote) continue;
      if (script_[at_] == '"') json_ += '\\';
      json_ += script_[at_];
      if (script_[at_] == '\\') json_ += script_[++at_];
    }
    json_ += '"';
  }

  std::string_view script_;
  std::size_t at_ = 0;
  std::string json_;
};

// Reads a row. "functions" are the older form of tools.
ChatRequest request_of(const Json& row) {
  ChatRequest request;
  for (const Json& one : member(row, "messages")) {
    const std::string role = text_of(one, "role");
    ChatMessage message = text_message(role == "system"      ? Role::kSystem
                                       : role == "assistant" ? Role::kAssistant
                                       : role == "function"  ? Role::kTool
                                                             : Role::kUser,
                                       text_of(one, "content"));
    if (one.contains("name")) message.name = text_of(one, "name");
    const Json& call = member(one, "function_call");
    if (call.is_object()) {
      message.calls.push_back({"", text_of(call, "name"), text_of(call, "arguments")});
    }
    request.messages.push_back(std::move(message));
  }
  for (const Json& one : member(row, "functions")) {
    request.tools.push_back(
        {text_of(one, "name"), text_of(one, "description"), to_line(member(one, "parameters"))});
  }
  const Json& choice = member(row, "function_call");
  if (choice == "none") request.tool_choice.kind = ToolChoice::Kind::kNone;
  if (choice.is_object()) request.tool_choice = {ToolChoice::Kind::kTool, text_of(choice, "name")};
  return request;
}

std::optional<std::string> requests() {
  const RealFileSystem files;
  Result<std::string> script = files.read(fetched_folder() + "/gpt-tokenizer.requests", 1 << 20);
  if (!script) return std::nullopt;
  return *std::move(script);
}

}  // namespace

TEST_CASE("message counts: each request of gpt-tokenizer has the tokens that the API counted") {
  const auto script = requests();
  const auto tokenizer = open_fetched("o200k_base");
  REQUIRE(tokenizer.ok());
  const auto rows = parse_json(ListInScript(*script).json());
  REQUIRE(rows.ok());
  const auto tokens = openai_message_tokens([&](std::string_view text) {
    return static_cast<long long>(*(*tokenizer)->count(text, Specials::kNone));
  });
  for (const Json& row : *rows) {
    CAPTURE(to_line(row));
    const ChatRequest request = request_of(row);
    long long counted = tokens->of_the_rest(request);
    for (const ChatMessage& message : request.messages) counted += tokens->of_message(message);
    CHECK(counted == number_of(row, "tokens"));
  }
  CHECK(rows->size() == 32);
  fmt::print("{} requests\n", rows->size());
}

}  // namespace pedro

int main(int argc, char** argv) {
  if (!pedro::requests() || !pedro::is_fetched("o200k_base")) {
    fmt::print("SKIPPED: needs scripts/fetch-vocab gpt-tokenizer.requests o200k_base.tiktoken\n");
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
