#include "llm/served_format.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "call_parser/call_syntax.h"
#include "chat_format/family_vocabulary.h"
#include "chat_format/format_family.h"
#include "tokenizer/end_of_generation.h"

namespace pedro {
namespace {

struct FileTool {
  Schema schema = *parse_schema(*parse_json(
      R"({"type": "object", "properties": {"action": {"const": "read"}, "path": {"type": "string"}},
          "required": ["action", "path"], "additionalProperties": false})"));
  std::vector<CallBranch> branches = {{"file", "read", &schema}};
};

ServedFormat open(const FormatFamily& family, VocabularyTokenizer& tokenizer) {
  ChosenFormat chosen;
  chosen.family = family;
  chosen.syntax = call_syntax_of(family.name);
  auto format = ServedFormat::open(chosen, tokenizer, &tokenizer, "", "");
  REQUIRE_MESSAGE(format.ok(), format.error().message);
  return *std::move(format);
}

bool bans(const ServedFormat& format, bool constrained, TokenId id) {
  const std::string rows = "," + format.bans(constrained) + ",";
  return rows.find(fmt::format(",[{},false],", id)) != std::string::npos;
}

}  // namespace

TEST_CASE("served format: a call that was begun and ended for the model is read, in every family") {
  const FileTool tool;
  for (const FormatFamily& family : format_families()) {
    CAPTURE(family.name);
    const auto tokenizer = tokenizer_of(family);
    const ServedFormat format = open(family, *tokenizer);
    const CallForm form = call_form(family).value_or(plain_call_form());
    CHECK(format.has_tools() == call_form(family).has_value());
    const std::string reply =
        format.whole_call(format.lead(), to_text(example_generation(form)), StopReason::kEnd);
    const auto parts = format.read(reply, tool.branches);
    REQUIRE(parts.size() == 1);
    const auto* call = std::get_if<ParsedCall>(&parts[0]);
    REQUIRE_MESSAGE(call != nullptr, to_string(std::get<RejectedText>(parts[0]).problem));
    CHECK(call->tool == "file");
    CHECK(call->args == *parse_json(kExampleArguments));
    // A reply that a limit cut is not completed.
    CHECK(format.whole_call(format.lead(), "fi", StopReason::kLimit) == to_text(form.lead) + "fi");
  }
}

TEST_CASE("served format: bans control tokens, except for the grammar or the end of a reply") {
  for (const FormatFamily& family : format_families()) {
    CAPTURE(family.name);
    const auto tokenizer = tokenizer_of(family);
    ServedFormat format = open(family, *tokenizer);
    const FileTool tool;
    const std::string grammar = format.grammar(tool.branches).text;
    const auto ends = ends_of_generation();
    for (const TokenId id : tokenizer->vocabulary().specials()) {
      const std::string name(tokenizer->vocabulary().piece(id));
      CAPTURE(name);
      const bool wanted = grammar.find(fmt::format("<[{}]>", id)) != std::string::npos;
      const bool kept = std::find(format.kept_tokens().begin(), format.kept_tokens().end(), name) !=
                        format.kept_tokens().end();
      const bool ends_reply = std::find(ends.begin(), ends.end(), name) != ends.end();
      if (wanted) CHECK_FALSE(bans(format, true, id));
      if (wanted) CHECK(kept);
      if (kept) CHECK_FALSE(bans(format, false, id));
      if (ends_reply) CHECK_FALSE(bans(format, true, id));
      if (!kept && !ends_reply && !bans(format, true, id)) {
        // A token that ends a turn of the family.
        CHECK_FALSE(bans(format, false, id));
      }
    }
    CHECK(format.banned() > 0);
  }
}

// llama.cpp allows a token if a text may contain its first byte and then end. If the text cannot
// end before, the token then crashes the server.
TEST_CASE("served format: a parameter's end is text in a grammar, although it is a token") {
  FormatFamily family = **find_format("hermes");
  auto& rules = std::get<TurnRules>(family.rules);
  rules.call = "<tool_call>{{name}}{{parameters}}</tool_call>";
  rules.parameter = "<arg_key>{{name}}</arg_key><arg_value>{{json_value}}</arg_value>";
  rules.tags = {"<tool_call>", "</tool_call>", "<arg_key>",
                "</arg_key>",  "<arg_value>",  "</arg_value>"};
  std::vector<std::string> names = rules.control;
  for (const std::string& tag : rules.tags) names.push_back("=" + tag);
  const auto tokenizer = tiny_tokenizer(names);
  ChosenFormat chosen;
  chosen.family = family;
  chosen.syntax = CallSyntax::kGlm;
  auto format = ServedFormat::open(chosen, *tokenizer, tokenizer.get(), "", "");
  REQUIRE_MESSAGE(format.ok(), format.error().message);
  const FileTool tool;
  const std::string grammar = format->grammar(tool.branches).text;
  const auto token_of = [&](const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), "=" + name);
    return fmt::format("<[{}]>", 256 + (at - names.begin()));
  };
  CAPTURE(grammar);
  for (const char* name : {"<arg_key>", "</arg_key>", "<arg_value>"}) {
    CHECK(grammar.find(token_of(name)) != std::string::npos);
  }
  CHECK(grammar.find(token_of("</arg_value>")) == std::string::npos);
  CHECK(grammar.find("\"</arg_value>") != std::string::npos);
}

TEST_CASE("served format: a token with an old name in the vocabulary is known by its id") {
  const FormatFamily& family = **find_format("mistral-v13-tekken");
  const auto tokenizer = tiny_tokenizer({"<s>", "</s>", "[INST]", "[/INST]", "[TOOL_CALLS]",
                                         "<SPECIAL_32>", "[TOOL_RESULTS]", "[/TOOL_RESULTS]"});
  ServedFormat format = open(family, *tokenizer);
  const TokenId args = 256 + 5;
  const FileTool tool;
  CHECK(format.grammar(tool.branches).text.find(fmt::format("<[{}]>", args)) != std::string::npos);
  CHECK_FALSE(bans(format, true, args));
  CHECK(std::find(format.kept_tokens().begin(), format.kept_tokens().end(), "<SPECIAL_32>") !=
        format.kept_tokens().end());
}

TEST_CASE("served format: thinking that the template opens ends before a call") {
  FormatFamily family = **find_format("hermes");
  auto& rules = std::get<TurnRules>(family.rules);
  rules.reply += "<think>\n";
  const auto tokenizer = tokenizer_of(family);
  const ServedFormat format = open(family, *tokenizer);
  CHECK(to_text(format.lead()).starts_with("\n</think>\n\n<tool_call>\n{\"name\": \""));
  const std::string call = R"(<tool_call>{"name": "file", "arguments": {}}</tool_call>)";
  // The model considered a call while thinking, but replied with text.
  CHECK(format.read("I could " + call + "\n</think>\nNo.", {}).empty());
  CHECK(format.read("I do.\n</think>\n" + call, {}).size() == 1);
}

TEST_CASE("served format: thinking before a call, if requested") {
  struct Row {
    const char* family;
    const char* reply;  // of the template that lets the model think; "": the family's reply
    const char* open;
    const char* end;
    const char* behind_end;
    const char* lead;
  };
  for (const Row& row : {
           Row{"hermes", "", "<think>\n", "</think>", "\n\n", "<tool_call>\n{\"name\": \""},
           Row{"hermes", "<|im_start|>assistant\n<think>\n", "", "</think>", "\n\n",
               "<tool_call>\n{\"name\": \""},
           Row{"qwen3.5", "", "", "</think>", "\n\n", "<tool_call>\n<function="},
           Row{"harmony", "", "<|channel|>analysis<|message|>", "<|end|>", "<|start|>assistant",
               " to=functions."},
           Row{"mistral-v13-tekken", "", "[THINK]", "[/THINK]", "", "[TOOL_CALLS]"},
       }) {
    CAPTURE(row.family);
    FormatFamily family = **find_format(row.family);
    if (*row.reply != 0) std::get<TurnRules>(family.rules).reply = row.reply;
    const bool is_mistral = family.name.starts_with("mistral");
    const auto tokenizer = is_mistral
                               ? tiny_tokenizer({"<s>", "</s>", "[INST]", "[/INST]", "[TOOL_CALLS]",
                                                 "[ARGS]", "[THINK]", "[/THINK]"})
                               : tokenizer_of(family);
    const ServedFormat format = open(family, *tokenizer);
    REQUIRE(format.thinking());
    const ThinkingForm& form = format.thinking()->form;
    CHECK(to_text(form.open) == row.open);
    CHECK(form.end == row.end);
    CHECK(to_text(form.behind_end) == row.behind_end);
    CHECK(to_text(form.close).ends_with(std::string(row.end) + row.behind_end));
    CHECK(to_text(format.thinking()->lead) == row.lead);
  }
  const FormatFamily& silent = **find_format("mistral-v3");
  const auto tokenizer = tokenizer_of(silent);
  CHECK_FALSE(open(silent, *tokenizer).thinking());
}

}  // namespace pedro
