// Tests the selection of a family for a served template, which renders exactly or almost like the
// family.
#include "template_learner/choose_format.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "chat/sample_request.h"
#include "chat_format/family_named.h"
#include "chat_format/prompt_encoder.h"
#include "support/tiny_vocabulary.h"
#include "template_learner/family_template.h"

namespace pedro {
namespace {

using Likeness = ChosenFormat::Likeness;

// A tokenizer with the tokens of all families.
std::unique_ptr<VocabularyTokenizer> tokenizer(bool spaced = false) {
  std::vector<std::string> names = {"<s>",
                                    "</s>",
                                    "[INST]",
                                    "[/INST]",
                                    "[TOOL_CALLS]",
                                    "[CALL_ID]",
                                    "[ARGS]",
                                    "[TOOL_RESULTS]",
                                    "[/TOOL_RESULTS]",
                                    "[TOOL_CONTENT]",
                                    "[SYSTEM_PROMPT]",
                                    "[AVAILABLE_TOOLS]",
                                    "[/AVAILABLE_TOOLS]",
                                    "[/SYSTEM_PROMPT]",
                                    "[gMASK]",
                                    "<sop>"};
  for (const FormatFamily& family : format_families()) {
    const auto* rules = std::get_if<TurnRules>(&family.rules);
    if (rules == nullptr) continue;
    for (const auto* list : {&rules->control, &rules->tags}) {
      for (const std::string& name : *list) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
  }
  return tiny_tokenizer(names, spaced);
}

ChosenFormat choose(ServedTemplate& served, std::string_view name = {}, bool spaced = false) {
  const auto tokens = tokenizer(spaced);
  auto chosen = choose_format(served, *tokens, name);
  REQUIRE_MESSAGE(chosen.ok(), chosen.error().message);
  return *std::move(chosen);
}

std::string kinds_of(const std::vector<FormatGap>& gaps) {
  std::vector<std::string> kinds;
  for (const FormatGap& gap : gaps) kinds.emplace_back(to_string(gap.kind));
  return join(kinds, " ");
}

}  // namespace

TEST_CASE("choose_format: every family is recognised by its output") {
  for (const FormatFamily& family : format_families()) {
    const auto* mistral = std::get_if<MistralRules>(&family.rules);
    const bool spaced = mistral != nullptr && mistral->sentencepiece;
    // Some templates write the spaces of such a vocabulary, others leave them to the vocabulary.
    for (const bool writes_spaces : {false, true}) {
      CAPTURE(family.name);
      CAPTURE(writes_spaces);
      FamilyTemplate served(family);
      served.spaced = writes_spaces;
      const ChosenFormat chosen = choose(served, "", spaced);
      CHECK(chosen.family.name == family.name);
      CHECK_FALSE(chosen.is_learned);
      CHECK(chosen.likeness == Likeness::kAll);
      CHECK(chosen.requests <= 10);
      CHECK(served.requests == chosen.requests);
      CHECK(chosen.syntax == call_syntax_of(family.name));
    }
  }
}

TEST_CASE("choose_format: a family is not chosen if the vocabulary lacks its call tokens") {
  FamilyTemplate served(family_named("mistral-v13-tekken"));
  const auto tokens =
      tiny_tokenizer({"<s>", "</s>", "[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]",
                      "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]"});
  const auto chosen = choose_format(served, *tokens);
  REQUIRE(chosen.ok());
  CHECK(chosen->is_learned);
}

TEST_CASE("choose_format: a prompt need not begin with a control token") {
  FamilyTemplate served(family_named("chatml"),
                        [](const std::string& text, const ChatRequest&) { return ")" + text; });
  const auto tokens = tokenizer();
  const auto chosen = choose_format(served, *tokens);
  REQUIRE(chosen.ok());
  CHECK(chosen->family.name == "chatml");
  ChatRequest chat;
  chat.messages = {text_message(Role::kUser, "x")};
  const auto prompt = render_conversation(chosen->family, chat);
  REQUIRE(prompt.ok());
  CHECK(to_text(*prompt).starts_with(")<|im_start|>user"));
  CHECK(encode_prompt(*prompt, *tokens).ok());
}

TEST_CASE("choose_format: templates that are almost a family") {
  using Distortion = FamilyTemplate::Distortion;
  struct Row {
    const char* name;
    const char* family;
    Distortion distort;
    const char* chosen;
    Likeness likeness;
    const char* gaps;
  };
  const auto calls_in = [](const ChatRequest& request) {
    return std::any_of(request.messages.begin(), request.messages.end(),
                       [](const ChatMessage& message) { return !message.calls.empty(); });
  };
  const Row rows[] = {
      {"a system prompt of its own", "hermes",
       [](std::string text, const ChatRequest& request) {
         if (request.messages.front().role == Role::kSystem || !request.tools.empty()) return text;
         return "<|im_start|>system\nYou help.<|im_end|>\n" + text;
       },
       "hermes", Likeness::kAll, "own-prompt"},
      {"thinking in each reply", "hermes",
       [](std::string text, const ChatRequest&) { return text + "<think>\n"; }, "hermes",
       Likeness::kAll, "reply"},
      {"another date", "llama3",
       [](std::string text, const ChatRequest&) {
         return replace_all(text, "26 Jul 2024", "22 Nov 2026");
       },
       "llama3", Likeness::kAll, ""},
      {"other results", "hermes",
       [](std::string text, const ChatRequest&) {
         return replace_all(text, "tool_response>", "output>");
       },
       "learned", Likeness::kAll, "thinking"},
      {"other turns", "hermes",
       [](std::string text, const ChatRequest&) { return replace_all(text, "user\n", "human\n"); },
       "learned", Likeness::kAll, "thinking"},
      {"no calls", "hermes",
       [&](std::string text, const ChatRequest& request) -> Result<std::string> {
         if (calls_in(request)) return Error{ErrorKind::kUsage, "no calls"};
         return text;
       },
       "hermes", Likeness::kTurns, "calls thinking text"},
      {"neither calls nor what is asked first where a template is learned", "hermes",
       [&](std::string text, const ChatRequest& request) -> Result<std::string> {
         if (calls_in(request) || request.messages.size() == 5) {
           return Error{ErrorKind::kUsage, "not that"};
         }
         return text;
       },
       "hermes", Likeness::kTurns, "calls thinking text"},
      {"Mistral's with another beginning", "mistral-v7-tekken",
       [](std::string text, const ChatRequest&) { return replace_all(text, "<s>", "<bos>"); },
       "mistral-v7-tekken", Likeness::kAll, "turns"},
      {"neither tools nor calls", "chatml",
       [&](std::string text, const ChatRequest& request) -> Result<std::string> {
         if (calls_in(request)) return Error{ErrorKind::kUsage, "no calls"};
         return text;
       },
       "chatml", Likeness::kAll, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FamilyTemplate served(family_named(row.family), row.distort);
    const ChosenFormat chosen = choose(served);
    CHECK(chosen.family.name == row.chosen);
    CHECK(chosen.likeness == row.likeness);
    CHECK(kinds_of(chosen.gaps) == row.gaps);
  }
}

TEST_CASE("choose_format: the server's own beginning and reply are in the rules") {
  FamilyTemplate served(family_named("gemma"), [](std::string text, const ChatRequest&) {
    return replace_all(text, "<bos>", "<s>") + "<think>";
  });
  const ChosenFormat chosen = choose(served);
  CHECK(chosen.family.name == "gemma");
  const auto& rules = std::get<TurnRules>(chosen.family.rules);
  CHECK(rules.begin == "<s>");
  CHECK(rules.reply == "<start_of_turn>model\n<think>");
  CHECK(std::find(rules.control.begin(), rules.control.end(), "<s>") != rules.control.end());
  CHECK(std::find(rules.control.begin(), rules.control.end(), "<bos>") == rules.control.end());
}

TEST_CASE("choose_format: the server adds the tokens that it names") {
  struct Row {
    const char* name;
    const char* begin;
    const char* reply;
    std::vector<std::string> first;
    std::vector<std::string> last;
  };
  const Row rows[] = {
      {"one beginning, one token more in a reply",
       "<s>",
       "<think>",
       {"<s>", "<start_of_turn>"},
       {"<think>"}},
      {"a beginning of two tokens", "[gMASK]<sop>", "", {"[gMASK]", "<sop>"}, {}},
      {"none", "", "", {"<start_of_turn>"}, {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FamilyTemplate served(family_named("gemma"), [&](std::string text, const ChatRequest&) {
      return replace_all(text, "<bos>", row.begin) + row.reply;
    });
    const ChosenFormat chosen = choose(served);
    CHECK(chosen.family.name == "gemma");
    const auto prompt = render_conversation(chosen.family, conversation({user_message("Go.")}));
    REQUIRE(prompt.ok());
    const auto tokens = tokenizer();
    const auto ids = encode_prompt(*prompt, *tokens);
    REQUIRE_MESSAGE(ids.ok(), ids.error().message);
    for (std::size_t i = 0; i < row.first.size(); ++i) {
      CHECK(*tokens->piece((*ids)[i]) == row.first[i]);
    }
    for (const std::string& name : row.last) CHECK(*tokens->piece(ids->back()) == name);
  }
}

TEST_CASE("choose_format: by name") {
  FamilyTemplate served(family_named("chatml"));
  const ChosenFormat other = choose(served, "gemma");
  CHECK(other.family.name == "gemma");
  CHECK(other.likeness == Likeness::kNone);
  CHECK(kinds_of(other.gaps) == "turns");
  const ChosenFormat learned = choose(served, "learned");
  CHECK(learned.is_learned);
  CHECK(learned.likeness == Likeness::kTurns);
  const ChosenFormat generic = choose(served, "generic");
  CHECK(generic.likeness == Likeness::kTurns);
  const auto tokens = tokenizer();
  const auto none = choose_format(served, *tokens, "chatlm");
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == ErrorKind::kUsage);
}

}  // namespace pedro
