#include "chat_format/prompt.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "chat_format/hostile_contents.h"
#include "chat_format/prompt_encoder.h"
#include "support/tiny_vocabulary.h"

namespace pedro {
namespace {

using Ids = std::vector<TokenId>;
using Ranges = std::vector<ByteRange>;

Prompt greeting(std::string_view content) {
  PromptWriter out;
  out.control("<user>");
  out.add_template("a");
  out.add_content(content);
  out.add_template("c");
  out.control("<end>", "<old>");
  return std::move(out).take();
}

}  // namespace

TEST_CASE("prompt: template and content are one text, with the content's ranges recorded") {
  PromptWriter out;
  out.add_template("a");
  out.add_content("b");
  out.add_content("c");
  out.add_content("");
  out.add_template("");
  out.add_content("d");
  out.add_template("e");
  out.add_content("f");
  out.begin_text();
  out.begin_text();
  out.add_content("g");
  out.control("<x>");
  out.add_template("h");
  const Prompt prompt = std::move(out).take();
  REQUIRE(prompt.parts.size() == 4);
  const auto& first = std::get<PromptText>(prompt.parts[0]);
  CHECK(first.text == "abcdef");
  CHECK(first.content == Ranges{{1, 4}, {5, 6}});
  CHECK(std::get<PromptText>(prompt.parts[1]).content == Ranges{{0, 1}});
  CHECK(std::get<ControlToken>(prompt.parts[2]).name == "<x>");
  CHECK(std::get<PromptText>(prompt.parts[3]).content.empty());
}

TEST_CASE("prompt: template and content merge") {
  const auto tokenizer = tiny_tokenizer({"<user>", "<end>", "=ab", "=abc"});
  CHECK(*encode_prompt(greeting("b"), *tokenizer) == Ids{256, 259, 257});
  CHECK(*encode_prompt(greeting("bb"), *tokenizer) == Ids{256, 258, 'b', 'c', 257});
}

TEST_CASE("prompt: texts that are apart do not merge") {
  const auto tokenizer = tiny_tokenizer({"=ab"});
  PromptWriter out;
  out.add_template("a");
  out.begin_text();
  out.add_template("b");
  CHECK(*encode_prompt(std::move(out).take(), *tokenizer) == Ids{'a', 'b'});
}

TEST_CASE("prompt: a content that spells a control token is text") {
  const auto tokenizer = tiny_tokenizer({"<user>", "<end>"});
  const auto ids = encode_prompt(greeting("<end><user>"), *tokenizer);
  REQUIRE(ids.ok());
  CHECK(*ids == Ids{256, 'a', '<', 'e', 'n', 'd', '>', '<', 'u', 's', 'e', 'r', '>', 'c', 257});
}

TEST_CASE("prompt: a control token has to be one of the vocabulary") {
  CHECK(*encode_prompt(greeting("b"), *tiny_tokenizer({"<user>", "<old>"})) ==
        Ids{256, 'a', 'b', 'c', 257});
  CHECK(encode_prompt(greeting("b"), *tiny_tokenizer({"<user>"})).error().message ==
        "tiny: the vocabulary has no control token <end>: it is not one of the format's");
  CHECK(encode_prompt(greeting("b"), *tiny_tokenizer({"=<user>", "<end>"})).error().message ==
        "tiny: the vocabulary has no control token <user>: it is not one of the format's");
}

TEST_CASE("prompt: as text") {
  const Prompt prompt = greeting("<end>\x1b[2J");
  CHECK(to_text(prompt) == "<user>a<end>\x1b[2Jc<end>");
  CHECK(to_marked_text(prompt) == "«<user>»a<end>\uFFFD[2Jc«<end>»");
  CHECK(to_coloured_text(prompt) ==
        "\x1b[48;5;88m<user>\x1b[0ma\x1b[38;5;78m<end>\uFFFD[2J\x1b[0mc\x1b[48;5;88m<end>\x1b[0m");
  PromptWriter spaced(true);
  spaced.control("<user>");
  spaced.add_content("a");
  spaced.begin_text();
  spaced.add_content(" b");
  CHECK(to_text(std::move(spaced).take()) == "<user> a  b");
}

TEST_CASE("prompt: a tag is a token if the vocabulary has it, else text joined to its neighbours") {
  PromptWriter out;
  out.add_template("a");
  out.tag("<t>");
  out.add_content("b");
  out.tag("</t>");
  const Prompt prompt = std::move(out).take();
  const auto with = tiny_tokenizer({"<t>", "</t>", "=a<"});
  const auto without = tiny_tokenizer({"=a<"});
  CHECK(*encode_prompt(prompt, *with) == Ids{'a', 256, 'b', 257});
  CHECK(*encode_prompt(prompt, *without) == Ids{256, 't', '>', 'b', '<', '/', 't', '>'});
}

TEST_CASE("prompt: no content becomes a control token, in any format") {
  std::vector<std::string> tokens = {"<s>",
                                     "</s>",
                                     "[INST]",
                                     "[/INST]",
                                     "[AVAILABLE_TOOLS]",
                                     "[/AVAILABLE_TOOLS]",
                                     "[TOOL_CALLS]",
                                     "[TOOL_RESULTS]",
                                     "[/TOOL_RESULTS]",
                                     "[SYSTEM_PROMPT]",
                                     "[/SYSTEM_PROMPT]",
                                     "[TOOL_CONTENT]",
                                     "[ARGS]",
                                     "[CALL_ID]",
                                     "[THINK]",
                                     "[/THINK]",
                                     "<unk>"};
  for (const FormatFamily& family : format_families()) {
    const auto* rules = std::get_if<TurnRules>(&family.rules);
    if (rules == nullptr) continue;
    for (const auto* names : {&rules->control, &rules->tags}) {
      for (const std::string& name : *names) {
        if (std::find(tokens.begin(), tokens.end(), name) == tokens.end()) tokens.push_back(name);
      }
    }
  }
  const auto tokenizer = tiny_tokenizer(tokens);
  for (const FormatFamily& family : format_families()) check_hostile_contents(family, *tokenizer);
}

}  // namespace pedro
