// Tests learning from templates that render like a known family, and from adversarial ones.
// llama/learn_test.cc tests real templates.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "chat/sample_request.h"
#include "chat_format/family_named.h"
#include "chat_format/turn_render.h"
#include "chat_format/write_chat_request.h"
#include "chat_format/written_date.h"
#include "messages_api/read_chat_request.h"
#include "support/read_file.h"
#include "support/tiny_vocabulary.h"
#include "template_learner/choose_format.h"
#include "template_learner/family_template.h"
#include "template_learner/template_text.h"

namespace pedro {
namespace {

std::unique_ptr<VocabularyTokenizer> tokenizer_of(const TurnRules& rules) {
  std::vector<std::string> names = rules.control;
  names.insert(names.end(), rules.tags.begin(), rules.tags.end());
  return tiny_tokenizer(names);
}

Result<LearnedFormat> learn(ServedTemplate& served, const TurnRules& rules) {
  const auto tokenizer = tokenizer_of(rules);
  TemplateProbes probes(served);
  return learn_format(probes, *tokenizer);
}

std::string text_by(const FormatFamily& family, const ChatRequest& request) {
  const Result<Prompt> prompt = render_conversation(family, request);
  return prompt ? to_text(*prompt) : "refused";
}

bool thinks(const ChatMessage& message) {
  return std::any_of(message.content.begin(), message.content.end(),
                     [](const auto& chunk) { return chunk.kind == ContentChunk::Kind::kThinking; });
}

// Returns true if the conversation uses only learned parts of the format.
bool is_known(const LearnedFormat& format, const ChatRequest& request) {
  return std::all_of(request.messages.begin(), request.messages.end(), [&](const auto& message) {
    const bool calls = !message.calls.empty();
    return (format.calls || (!calls && message.role != Role::kTool)) &&
           (format.several || message.calls.size() < 2) &&
           (format.text || !calls || message.content.empty()) &&
           (format.thinking || !thinks(message));
  });
}

std::vector<ChatRequest> conversations() {
  const std::string text = read_file(TEST_DATA "/format/turns.requests.jsonl");
  std::vector<ChatRequest> out;
  for (const std::string_view line : split_lines(text)) {
    const auto request = read_chat_request(line);
    REQUIRE(request.ok());
    out.push_back(*request);
  }
  return out;
}

std::string gap_kinds_of(const std::vector<FormatGap>& gaps) {
  std::vector<std::string> kinds;
  for (const FormatGap& gap : gaps) kinds.emplace_back(to_string(gap.kind));
  return join(kinds, " ");
}

std::string parts_of(const LearnedFormat& format) {
  std::string out;
  if (format.turns) out += "turns ";
  if (format.tools) out += "tools ";
  if (format.calls) out += "calls ";
  if (format.several) out += "several ";
  if (format.text) out += "text ";
  if (format.thinking) out += "thinking ";
  return out;
}

}  // namespace

TEST_CASE("learn_format: a family learned from its output writes the same output") {
  struct Row {
    const char* family;
    const char* learned;
  };
  const Row rows[] = {
      {"chatml", "turns "},
      {"generic", "turns tools calls several text thinking "},
      {"hermes", "turns tools calls several text thinking "},
      {"qwen3-coder", "turns tools calls several text thinking "},
      {"qwen3.5", "turns tools calls several thinking "},
      {"llama3", "turns tools calls text thinking "},
      {"gemma", "turns "},
      {"deepseek", "turns tools calls several text thinking "},
      {"deepseek-v3.1", "turns tools calls several text thinking "},
      {"harmony", "turns tools calls several text thinking "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.family);
    const FormatFamily& family = family_named(row.family);
    FamilyTemplate served(family);
    const auto learned = learn(served, std::get<TurnRules>(family.rules));
    REQUIRE_MESSAGE(learned.ok(), learned.error().message);
    CHECK(parts_of(*learned) == row.learned);
    CAPTURE(to_line(write_turn_rules(std::get<TurnRules>(learned->family.rules))));
    for (ChatRequest request : conversations()) {
      if (!learned->tools) request.tools.clear();
      if (!is_known(*learned, request)) continue;
      CHECK(text_by(learned->family, request) == text_by(family, request));
    }
  }
}

TEST_CASE("learn_format: a result followed by the template's own braces") {
  FormatFamily family = family_named("hermes");
  auto& rules = std::get<TurnRules>(family.rules);
  rules.result = replace_all(rules.result, "{{content}}", R"({"result": {{json}}})");
  REQUIRE(rules.result.find("{{json}}}") != std::string::npos);
  FamilyTemplate served(family);
  const auto learned = learn(served, rules);
  REQUIRE(learned.ok());
  CHECK(parts_of(*learned) == "turns tools calls several text thinking ");
}

TEST_CASE("learn_format: turns that become wrong once thinking is learned are a gap") {
  FormatFamily family = family_named("hermes");
  auto& rules = std::get<TurnRules>(family.rules);
  rules.thinking = "<think>\n{{content}}\n</think>\n\n";
  rules.no_thinking = "";
  rules.old_thinking = "";
  rules.thinking_kept = TurnRules::Thinking::kAfterUser;
  // Turns without thinking get an empty one, and turns that lose their thinking get none.
  FamilyTemplate served(family, [](std::string text, const ChatRequest& request) {
    const std::string open = "<|im_start|>assistant\n";
    std::size_t at = 0;
    for (const ChatMessage& message : request.messages) {
      if (message.role != Role::kAssistant) continue;
      at = text.find(open, at) + open.size();
      if (!thinks(message)) text.insert(at, "[no thinking]");
    }
    return text;
  });
  const auto learned = learn(served, rules);
  REQUIRE(learned.ok());
  CHECK(gap_kinds_of(learned->gaps) == "thinking blanks blanks results turns turns tools");
  CHECK(parts_of(*learned) == "");
  // A rule that treats all turns alike would have been wrong.
  const ChatRequest old_answer =
      conversation({user_message("Go."), answer_message("Yes."), user_message("On.")});
  const auto theirs = served.render(old_answer, {});
  REQUIRE(theirs.ok());
  CHECK(text_by(learned->family, old_answer) != *theirs);
}

TEST_CASE("learn_format: calls that no family writes so") {
  struct Row {
    const char* name;
    const char* call;
    const char* parameter;
    const char* calls_end;
    const char* result;
    const char* syntax;
  };
  const Row rows[] = {
      {"an id behind the arguments is the call's",
       "{\"name\": {{name_json}}, \"arguments\": {{arguments}}, \"id\": \"{{id}}\"}", "", "]",
       "\n<tool_response>\n{{content}}\n</tool_response>", "tags"},
      {"an id behind the object is the result's",
       "{\"name\": {{name_json}}, \"arguments\": {{arguments}}}", "", "]",
       "\n<tool_response>{{id}} is {{content}}</tool_response>", "tags"},
      {"GLM 4.6", "<tool_call>{{name}}\n{{parameters}}</tool_call>",
       "<arg_key>{{name}}</arg_key>\n<arg_value>{{json_value}}</arg_value>\n", "",
       "\n<tool_response>\n{{content}}\n</tool_response>", "glm"},
      {"GLM 4.7", "<tool_call>{{name}}{{parameters}}</tool_call>",
       "<arg_key>{{name}}</arg_key><arg_value>{{json_value}}</arg_value>", "",
       "\n<tool_response>\n{{content}}\n</tool_response>", "glm"},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.name));
    FormatFamily family = family_named("hermes");
    auto& rules = std::get<TurnRules>(family.rules);
    rules.call = row.call;
    rules.parameter = row.parameter;
    rules.calls = *row.calls_end == '\0' ? "" : "<tool_calls>[";
    rules.calls_end = row.calls_end;
    rules.result = row.result;
    FamilyTemplate served(family);
    const auto learned = learn(served, rules);
    REQUIRE_MESSAGE(learned.ok(), learned.error().message);
    CHECK(parts_of(*learned) == "turns tools calls several text thinking ");
    CHECK((learned->syntax ? to_string(*learned->syntax) : "none") == row.syntax);
    for (const ChatRequest& request : conversations()) {
      if (!is_known(*learned, request)) continue;
      CHECK(text_by(learned->family, request) == text_by(family, request));
    }
  }
}

TEST_CASE("learn_format: its rules can be written to families.json") {
  for (const FormatFamily& family : format_families()) {
    const auto* rules = std::get_if<TurnRules>(&family.rules);
    if (rules == nullptr) continue;
    CAPTURE(family.name);
    const Json row = write_turn_rules(*rules);
    const auto read = read_turn_rules(row);
    REQUIRE_MESSAGE(read.ok(), read.error().message);
    CHECK(write_turn_rules(*read) == row);
    const FormatFamily again{"again", "", "", *read};
    for (const ChatRequest& request : conversations()) {
      CHECK(text_by(again, request) == text_by(family, request));
    }
  }
}

TEST_CASE("learn_format: templates that are no good") {
  using Distortion = FamilyTemplate::Distortion;
  const std::string user = "Quserquaone";
  int count = 0;
  struct Row {
    const char* name;
    Distortion distort;
    const char* error;  // an error or the kinds of gaps
    const char* gaps;
  };
  const std::string not_once =
      "the chat template does not write a question exactly once and in order; start the server "
      "with "
      "another --chat-template";
  const Row rows[] = {
      {"a content is missing",
       [&](const std::string& text, const ChatRequest&) { return replace_all(text, user, ""); },
       not_once.c_str(), ""},
      {"a content comes twice",
       [&](const std::string& text, const ChatRequest&) {
         return replace_all(text, user, user + user);
       },
       not_once.c_str(), ""},
      {"nothing is written", [](const std::string&, const ChatRequest&) { return std::string(); },
       not_once.c_str(), ""},
      {"every conversation is refused",
       [](const std::string&, const ChatRequest&) {
         return Error{ErrorKind::kUsage, "roles must alternate"};
       },
       not_once.c_str(), ""},
      {"the server goes away",
       [](const std::string&, const ChatRequest&) {
         return Error{ErrorKind::kModel, "connection refused"};
       },
       "connection refused", ""},
      {"turns come in another order",
       [](std::string text, const ChatRequest& request) {
         if (request.messages.size() < 4) return text;
         return "Quserquatwo" + replace_all(text, "Quserquatwo", "");
       },
       "the chat template does not write questions and answers exactly once and in order; start "
       "the "
       "server with another --chat-template",
       ""},
      {"an answer is too long",
       [](const std::string& text, const ChatRequest&) {
         return text + std::string(2U << 20U, 'x');
       },
       "the chat template writes a short conversation in", ""},
      {"what is written is no UTF-8",
       [](const std::string& text, const ChatRequest&) { return text + "\xC3"; },
       "the chat template does not write UTF-8", ""},
      {"what stands for a value is in a turn",
       [&](const std::string& text, const ChatRequest&) {
         return replace_all(text, "<|im_start|>", "<|im_start|>{{system}}");
       },
       not_once.c_str(), ""},
      {"the same in the list of tools",
       [](const std::string& text, const ChatRequest&) {
         return replace_all(text, "# Tools", "# Tools {{tool}}");
       },
       "", "tools thinking"},
      {"every answer is another one",
       [&](std::string text, const ChatRequest&) { return fmt::format("{}{}", ++count, text); }, "",
       "own-prompt blanks empty turns turns turns turns empty tools calls"},
      {"system prompts stand in front of the last question",
       [](std::string text, const ChatRequest& request) {
         const auto& first = request.messages.front();
         if (first.role != Role::kSystem || first.content.empty()) return text;
         const std::string system = first.content.front().text;
         const std::string turn = "<|im_start|>system\n" + system + "<|im_end|>\n";
         text = replace_all(text, turn, "");
         return text.insert(text.rfind("<|im_start|>user"), turn);
       },
       "", "system blanks turns empty tools calls"},
      {"calls are refused",
       [](std::string text, const ChatRequest& request) -> Result<std::string> {
         for (const ChatMessage& message : request.messages) {
           if (!message.calls.empty()) return Error{ErrorKind::kUsage, "no calls"};
         }
         return text;
       },
       "", "calls"},
      {"tools are listed behind the conversation",
       [](std::string text, const ChatRequest& request) {
         for (const DeclaredTool& tool : request.tools) text += tool.name;
         return text;
       },
       "", "tools thinking"},
      {"a name is written with its letters in another order",
       [](std::string text, const ChatRequest& request) {
         for (const DeclaredTool& tool : request.tools) {
           text = replace_all(text, tool.name, std::string(tool.name.rbegin(), tool.name.rend()));
         }
         return text;
       },
       "", "tools thinking"},
      {"system messages lose their text, and tools stand in front of the first user's",
       [](std::string text, const ChatRequest& request) {
         const ChatMessage& first = request.messages.front();
         if (first.role != Role::kSystem || first.content.empty()) return text;
         return replace_all(text, first.content.front().text, "");
       },
       "", "system system blanks empty turns turns empty tools calls"},
      {"a system message without text is written otherwise beside tools",
       [](const std::string& text, const ChatRequest& request) {
         const ChatMessage& first = request.messages.front();
         const bool empty = first.role == Role::kSystem &&
                            (first.content.empty() || first.content.front().text.empty());
         return empty && !request.tools.empty() ? "None." + text : text;
       },
       "", "empty thinking"},
      {"a question ends with more than stands in front of an answer",
       [&](const std::string& text, const ChatRequest& request) {
         const bool alone = request.messages.size() == 1;
         if (alone && !text.ends_with("assistant\n")) return text + std::string(200, 'x');
         const std::string end = "<|im_end|>\n";
         return replace_all(text, user + end + "<|im_start|>user",
                            user + end + std::string(200, 'x') + "<|im_start|>user");
       },
       "", "thinking"},
  };
  const FormatFamily& family = family_named("qwen3-coder");
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FamilyTemplate served(family, row.distort);
    const auto learned = learn(served, std::get<TurnRules>(family.rules));
    CHECK(served.requests <= TemplateLimits().max_requests);
    if (*row.error != '\0') {
      REQUIRE_FALSE(learned.ok());
      CHECK(learned.error().message.starts_with(row.error));
      CHECK(learned.error().kind == ErrorKind::kModel);
    } else {
      REQUIRE_MESSAGE(learned.ok(), learned.error().message);
      CHECK(gap_kinds_of(learned->gaps) == row.gaps);
    }
  }
}

TEST_CASE("learn_format: no more requests than allowed") {
  const FormatFamily& family = family_named("hermes");
  const auto tokenizer = tokenizer_of(std::get<TurnRules>(family.rules));
  for (const int limit : {0, 1, 5, 20}) {
    FamilyTemplate served(family);
    TemplateLimits limits;
    limits.max_requests = limit;
    TemplateProbes probes(served, limits);
    const auto learned = learn_format(probes, *tokenizer);
    REQUIRE_FALSE(learned.ok());
    CHECK(learned.error().message ==
          fmt::format("the chat template cannot be learned in {} requests", limit));
    CHECK(served.requests == limit);
  }
}

TEST_CASE("learn_format: which texts are tokens") {
  const auto tokenizer = tiny_tokenizer({"<|a|>", "]~b]", "+<tag>", "+word", "=[no]"});
  const std::vector<std::string> texts = {"x<|a|>word", "]~b]<tag><|a|>[no]"};
  const auto names = find_token_names(texts, *tokenizer);
  REQUIRE(names.ok());
  CHECK(join(names->control, " ") == "<|a|> ]~b]");
  CHECK(join(names->tags, " ") == "<tag>");
}

TEST_CASE("learn_format: a cut is never within a token's name or a character") {
  const TemplateCutter cutter({{"<|user|>", "<|system|>"}, {}});
  CHECK(cutter.common_prefix("ab<|user|>c", "ab<|user|>d") == "ab<|user|>");
  CHECK(cutter.common_prefix("ab<|user|>", "ab<|system|>") == "ab");
  CHECK(cutter.common_prefix("<|user|><|us", "<|user|><|us") == "<|user|><|us");
  CHECK(cutter.common_suffix("ab<|user|>c", "x<|user|>c") == "<|user|>c");
  CHECK(cutter.common_suffix("<|user|>\n", "<|system|>\n") == "\n");
  CHECK(cutter.common_prefix("a\xC3\xA4", "a\xC3\xB6") == "a");
  CHECK(cutter.end_of_first_name("ab<|user|>c<|system|>") == 10);
  CHECK(cutter.end_of_first_name("ab") == std::string::npos);
}

// A search for each name at each position would exceed ctest's timeout.
TEST_CASE("learn_format: many names in a long text take no time to speak of") {
  TurnRules rules;
  TokenNames names;
  for (int i = 0; i < 254; ++i) names.control.push_back(fmt::format("<a{}>", i));
  names.control.emplace_back("<a>");
  names.control.emplace_back("aa");
  std::string tokens;
  while (tokens.size() < TemplateLimits().max_text_bytes) tokens += "<a>";
  rules.control = names.control;
  rules.head_none = tokens;
  rules.user = "{{content}}";
  const auto prompt = render_turns(rules, conversation({user_message("Go.")}));
  REQUIRE(prompt.ok());
  CHECK(prompt->parts.size() == tokens.size() / 3 + 1);
  const TemplateCutter cutter(names);
  const std::string letters(TemplateLimits().max_text_bytes, 'a');
  CHECK(cutter.common_prefix(letters, letters + "a").empty());
  CHECK(cutter.common_suffix("b" + letters, "c" + letters) == letters);
  CHECK(cutter.common_suffix(letters, "a" + letters).empty());
}

TEST_CASE("learn_format: dates in a head") {
  CHECK(find_date("Today: 22 Nov 2026\n").iso == "2026-11-22");
  CHECK(find_date("Today: 22 Nov 2026\n").is_day);
  CHECK(find_date("on 2026-11-22.").begin == 3);
  CHECK(find_date("from 2024-01-01 to 2026-11-22.").iso == "2026-11-22");
  CHECK(find_date("22 Abc 2026, 2026-1-2, December 2023").iso.empty());
}

TEST_CASE("write_chat_request: a request that was read is written unchanged") {
  for (const ChatRequest& request : conversations()) {
    const Json once = write_chat_request(request);
    const auto read = read_chat_request(to_line(once));
    REQUIRE_MESSAGE(read.ok(), read.error().message);
    CHECK(write_chat_request(*read) == once);
    for (const char* name : {"hermes", "llama3", "harmony"}) {
      CHECK(text_by(family_named(name), *read) == text_by(family_named(name), request));
    }
  }
}

}  // namespace pedro
