#include "llm/staged_call.h"

#include <doctest/doctest.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "gbnf/parse_gbnf.h"
#include "support/tiny_vocabulary.h"

namespace pedro {
namespace {

constexpr TokenId kEnd = 999;  // the token that ends a reply

constexpr const char* kCalls = R"(root ::= file | find
file ::= "file\", \"args\": {\"action\": \"" ("read" | "list") "\", \"path\": " text (", \"deep\": " ("true" | "false"))? "}"
find ::= "find\", \"args\": {\"name\": " text ", \"most\": " [0-9]+ "}"
text ::= "\"" ([^"\\] | "\\" ["\\n])* "\""
)";

// A model that always continues `text`, one character per token. It ignores the request's grammar.
struct Script {
  explicit Script(std::string wanted) : text(std::move(wanted)) {}

  Result<Completion> operator()(const StageRequest& request) {
    std::string begun;
    for (const TokenId id : request.begun) begun += *tokenizer->piece(id);
    CHECK(request.text == with_valid_characters(begun));
    asked.push_back(begun);
    grammars.emplace_back(request.grammar);
    stops.emplace_back(request.stop);
    if (request.is_name) name_biases.assign(request.biases.begin(), request.biases.end());
    Completion out;
    out.usage.prompt_tokens = 100 + static_cast<long long>(request.begun.size());
    out.usage.cached_tokens = cached < 0 ? 7 : 100 + cached;
    out.usage.prompt_ms = 5;
    for (std::size_t at = begun.size();; ++at) {
      if (at >= text.size()) {
        out.tokens.push_back(kEnd);
        out.end = CompletionEnd::kToken;
        break;
      }
      out.tokens.push_back(static_cast<unsigned char>(text[at]));
      out.text += text[at];
      if (!request.stop.empty() && out.text.ends_with(request.stop)) {
        out.end = CompletionEnd::kWord;
        break;
      }
      if (static_cast<long long>(out.tokens.size()) == request.max_tokens) {
        out.end = CompletionEnd::kLimit;
        break;
      }
    }
    generated += out.tokens.size();
    out.usage.generated_tokens = static_cast<long long>(out.tokens.size());
    cached = static_cast<long long>(request.begun.size() + out.tokens.size()) - 1;
    return out;
  }

  std::string text;
  std::unique_ptr<VocabularyTokenizer> tokenizer = tiny_tokenizer({"[ARGS]", "+\", \""});
  std::vector<std::string> asked;
  std::vector<std::string> grammars;
  std::vector<std::string> stops;
  std::vector<TokenBias> name_biases;
  std::size_t generated = 0;
  long long cached = -1;
};

const std::vector<NamedTool> kTools = {{"file", "file\""}, {"find", "find\""}};

GrammarPlace place_in(const char* gbnf) {
  const auto parsed = parse_gbnf(gbnf, "test");
  REQUIRE_MESSAGE(parsed.ok(), parsed.error().message);
  auto place = GrammarPlace::begin(std::make_shared<const Gbnf>(parsed->grammar));
  REQUIRE(place.ok());
  return *std::move(place);
}

WrittenReply write(Script& script, CallManner manner = {}, const char* gbnf = kCalls) {
  if (manner.value_end.empty()) manner.value_end = "\"";
  manner.whole_grammar = "whole";
  PromptEncoder encoder(*script.tokenizer);
  const AskStage ask = [&script](const StageRequest& request) { return script(request); };
  auto reply = StagedCall(place_in(gbnf), kTools, manner, encoder, *script.tokenizer, ask).write();
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  std::string text;
  for (const TokenId id : reply->ids) text += *script.tokenizer->piece(id);
  CHECK(text == reply->text);
  CHECK(reply->usage.generated_tokens == static_cast<long long>(script.generated));
  CHECK(reply->missed_cache == 0);
  return *std::move(reply);
}

const std::string kRead = R"(file", "args": {"action": "read", "path": "a b"})";

}  // namespace

TEST_CASE("staged call: asks the model only if there is a choice") {
  Script script(kRead);
  const WrittenReply reply = write(script);
  CHECK(reply.end == WrittenReply::End::kWhole);
  CHECK(reply.text == kRead);
  CHECK(script.asked ==
        std::vector<std::string>{"fi", R"(file", "args": {"action": ")",
                                 R"(file", "args": {"action": "read", "path": ")",
                                 R"(file", "args": {"action": "read", "path": "a b")"});
  CHECK(script.stops == std::vector<std::string>{"", "", "\"", ""});
  CHECK(script.generated == 1 + 1 + 4 + 1);
  CHECK(reply.requests == 4);
  // All tokens that were not generated were evaluated, except the last one.
  CHECK(reply.evaluated == reply.ids.size() - 1);
  CHECK(reply.usage.cached_tokens == 7);
  CHECK(reply.first_prompt_ms == 5);
}

TEST_CASE("staged call: a grammar of the choice alone, or of the rest") {
  Script script(kRead);
  write(script);
  CHECK(script.grammars[0].starts_with("root ::= \"le\\\", \\\"args\\\""));
  CHECK(script.grammars[1] ==
        "root ::= \"read\\\", \\\"path\\\": \\\"\" | \"list\\\", \\\"path\\\": \\\"\"\n");
  CHECK(script.grammars[2].find("\"true\" | \"false\"") != std::string::npos);
  CHECK(script.grammars[3] ==
        "root ::= \", \\\"deep\\\": true}\" | \", \\\"deep\\\": false}\" | \"}\"\n");
}

TEST_CASE("staged call: in one request it is asked for whole") {
  Script script(kRead);
  const WrittenReply reply = write(script, {.staged = false});
  CHECK(reply.end == WrittenReply::End::kWhole);
  CHECK(reply.text == kRead);
  CHECK(script.asked == std::vector<std::string>{""});
  CHECK(script.grammars == std::vector<std::string>{"whole"});
  CHECK(script.stops == std::vector<std::string>{""});
  CHECK(reply.evaluated == reply.ids.size());
}

TEST_CASE("staged call: our text joins the last token if a vocabulary has one token for both") {
  Script script(kRead);
  const WrittenReply reply = write(script);
  CHECK(reply.ids == *script.tokenizer->encode(kRead, Specials::kNone));
  const auto joined = script.tokenizer->id_of("\", \"");
  CHECK(std::count(reply.ids.begin(), reply.ids.end(), **joined) == 2);
}

TEST_CASE("staged call: text before a choice joins the chosen text") {
  Script script("find_files now");
  script.tokenizer = tiny_tokenizer({"+_files"});
  PromptEncoder encoder(*script.tokenizer);
  const AskStage ask = [&script](const StageRequest& request) { return script(request); };
  const CallManner manner{.value_end = "\""};
  const GrammarPlace place = place_in(R"(root ::= "find_" ("fi" "les" | "in") " now")");
  const auto reply = StagedCall(place, {}, manner, encoder, *script.tokenizer, ask).write();
  REQUIRE(reply.ok());
  CHECK(reply->text == "find_files now");
  CHECK(reply->ids == *script.tokenizer->encode("find_files now", Specials::kNone));
  CHECK(reply->evaluated == 4);  // "_" was evaluated, but "_files" replaced it
}

TEST_CASE("staged call: a bias of tools is for the choice of the tool alone") {
  const std::vector<ToolBias> bias = {{"find", 3}, {"file", -2}};
  for (const bool staged : {true, false}) {
    Script script(kRead);
    const WrittenReply reply = write(script, {.staged = staged, .bias = bias});
    CHECK(reply.text == kRead);
    REQUIRE(script.name_biases.size() == 2);
    CHECK(script.name_biases[0].id == 'l');
    CHECK(script.name_biases[0].bias == -2);
    CHECK(script.name_biases[1].id == 'n');
    CHECK(script.name_biases[1].bias == 3);
    CHECK(reply.requests == (staged ? 4 : 3));
  }
}

TEST_CASE("staged call: a value with the end of values in it is asked for once more, and whole") {
  const std::string text =
      R"(file", "args": {"action": "list", "path": "a\"b\"c\"d", "deep": false})";
  Script script(text);
  const WrittenReply reply = write(script);
  CHECK(reply.end == WrittenReply::End::kWhole);
  CHECK(reply.text == text);
  CHECK(script.stops == std::vector<std::string>{"", "", "\"", ""});
}

TEST_CASE("staged call: a number ends at the next different text") {
  const std::string text = R"(find", "args": {"name": "x", "most": 120})";
  Script script(text);
  const WrittenReply reply = write(script);
  CHECK(reply.end == WrittenReply::End::kWhole);
  CHECK(reply.text == text);
  CHECK(reply.requests == 3);
}

TEST_CASE("staged call: a call cut at a limit continues, but not without end") {
  const std::string text =
      R"(file", "args": {"action": "read", "path": ")" + std::string(50, 'x') + "\"}";
  Script script(text);
  const WrittenReply reply = write(script, {.max_tokens = 20});
  CHECK(reply.end == WrittenReply::End::kWhole);
  CHECK(reply.text == text);
  Script endless(R"(file", "args": {"action": "read", "path": ")" + std::string(500, 'x') + "\"}");
  const WrittenReply cut = write(endless, {.max_tokens = 20});
  CHECK(cut.end == WrittenReply::End::kCut);
  CHECK(cut.text.ends_with(std::string(80, 'x')));
  CHECK_FALSE(cut.text.ends_with(std::string(81, 'x')));
  Script roomless(text);
  const WrittenReply small = write(roomless, {.max_tokens = 100, .room = 60});
  CHECK(small.end == WrittenReply::End::kCut);
  CHECK(small.ids.size() == 60);
}

TEST_CASE("staged call: a character that a limit cuts is written anew") {
  const std::string text = R"(file", "args": {"action": "read", "path": "xxäöüä"})";
  for (const long long limit : {4, 5, 6, 7}) {
    CAPTURE(limit);
    Script script(text);
    const WrittenReply reply = write(script, {.max_tokens = limit});
    CHECK(reply.end == WrittenReply::End::kWhole);
    CHECK(reply.text == text);
  }
}

TEST_CASE("staged call: invalid UTF-8 in a value is replaced, and the ids stay") {
  const std::string text = "file\", \"args\": {\"action\": \"read\", \"path\": \"a\xF8\x88z\"}";
  Script script(text);
  PromptEncoder encoder(*script.tokenizer);
  const AskStage ask = [&script](const StageRequest& request) { return script(request); };
  const CallManner manner{.value_end = "\""};
  const auto reply =
      StagedCall(place_in(kCalls), kTools, manner, encoder, *script.tokenizer, ask).write();
  REQUIRE(reply.ok());
  CHECK(reply->end == WrittenReply::End::kWhole);
  CHECK(reply->text.find("\"a\xEF\xBF\xBDz\"") != std::string::npos);
  CHECK(std::count(reply->ids.begin(), reply->ids.end(), 0xF8) == 1);
}

TEST_CASE("staged call: a server that does not obey is noticed") {
  for (const char* text : {"find nothing", R"(file", "args": {"action": "write"})"}) {
    CAPTURE(text);
    Script staged(text);
    CHECK(write(staged).end == WrittenReply::End::kDisobeyed);
    Script single(text);
    const WrittenReply reply = write(single, {.staged = false});
    CHECK(reply.end == WrittenReply::End::kDisobeyed);
    CHECK(reply.text == text);
  }
  Script early(R"(file", "args": {"action": "read", "path": "x)");
  CHECK(write(early).end == WrittenReply::End::kDisobeyed);
}

TEST_CASE("staged call: a token that the grammar wants is put there by its id") {
  Script script("find[ARGS]{7}");
  Gbnf grammar;
  grammar.rules.push_back({"root", sequence({alternation({literal("file"), literal("find")}),
                                             known_token(256, "[ARGS]"), literal("{"),
                                             one_of({{'0', '9'}}), literal("}")})});
  CallManner manner;
  manner.value_end = "\"";
  PromptEncoder encoder(*script.tokenizer);
  const AskStage ask = [&script](const StageRequest& request) { return script(request); };
  auto place = GrammarPlace::begin(std::make_shared<const Gbnf>(grammar));
  REQUIRE(place.ok());
  const std::vector<NamedTool> tools = {{"file", "file"}, {"find", "find"}};
  const auto reply = StagedCall(*place, tools, manner, encoder, *script.tokenizer, ask).write();
  REQUIRE(reply.ok());
  CHECK(reply->end == WrittenReply::End::kWhole);
  CHECK(reply->text == "find[ARGS]{7}");
  CHECK(reply->ids == std::vector<TokenId>{'f', 'i', 'n', 'd', 256, '{', '7', '}'});
  CHECK(script.asked == std::vector<std::string>{"fi", "find[ARGS]{"});
}

}  // namespace pedro
