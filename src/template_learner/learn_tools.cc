#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "chat/sample_request.h"
#include "chat_format/python_json.h"
#include "chat_format/tool_text.h"
#include "template_learner/lesson.h"
#include "template_learner/template_text.h"

namespace pedro {
namespace {

constexpr std::string_view kToolsPlace = "{{tools}}";
constexpr std::string_view kGuidePlace = "{{guide}}";

// Its words are unique. If any remain after spellings are replaced, a spelling is unknown.
DeclaredTool sample_tool(int number) {
  const std::string word = number == 0 ? "one" : "two";
  return {
      "qtoolqua" + word, "Qdescriptionqua" + word + ".",
      fmt::format(R"({{"type": "object", "properties": {{"qkeyqua{0}": {{"type": "string", )"
                  R"("description": "Qpropertyqua{0}"}}, "qnumqua{0}": {{"type": "integer"}}}}, )"
                  R"("required": ["qkeyqua{0}"]}})",
                  word)};
}

bool has_sample_words(std::string_view text) {
  for (const char* word : {"qtoolqua", "Qdescriptionqua", "qkeyqua", "Qpropertyqua", "qnumqua"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

void add_spellings(const DeclaredTool& tool, int owner, std::vector<Spelling>& out) {
  out.push_back({tool_json(tool), "{{tool}}", owner});
  out.push_back({tool_function_json(tool), "{{function}}", owner});
  out.push_back({tool_indented_json(tool), "{{tool_indented}}", owner});
  out.push_back({tool_xml(tool), "{{tool_xml}}", owner});
  out.push_back({tool_typescript(tool), "{{tool_typescript}}", owner});
  out.push_back({python_json_or_string(tool.parameters), "{{schema}}", owner});
  out.push_back({tool.description, "{{description}}", owner});
  out.push_back({tool.name, "{{name}}", owner});
}

// The conversations that check the rules; the last one has turns after the tools.
std::vector<ChatRequest> check_requests() {
  const ChatMessage system = system_message("Use tools.");
  const ChatMessage user = user_message("Go.");
  DeclaredTool tool = sample_tool(0);
  tool.description = "Finds \"it\".\nSlowly.";
  tool.parameters =
      R"({"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"], "default": )"
      R"("x"}, "b": {"type": "array", "items": {"type": "integer"}, "description": "some"}, "c": )"
      R"({"type": "object", "properties": {"d": {"type": "boolean"}}}}, "required": ["a", "b"], )"
      R"("additionalProperties": false})";
  const DeclaredTool other = sample_tool(1);
  return {conversation({system, user}, {tool, other, tool}), conversation({user}, {tool}),
          conversation({system, user, answer_message("Yes."), user}, {tool, other})};
}

/// The text up to the first user's text, with tools in it.
struct WithTools {
  std::string before;   // before the tools
  std::string tool;     // one tool
  std::string between;  // between two tools
  std::string behind;   // after the tools, up to the user's text
};

class ToolLearner {
 public:
  ToolLearner(Lesson& lesson, Tokenizer& tokenizer) : lesson_(lesson), tokenizer_(tokenizer) {
    const std::string& user = lesson.rules.user;
    open_ = user.substr(0, user.find("{{content}}"));
  }

  Result<bool> run() {
    const ChatMessage system = system_message(mark::kSystem);
    const ChatMessage user = user_message(mark::kUser);
    const DeclaredTool one = sample_tool(0);
    const DeclaredTool two = sample_tool(1);
    PEDRO_TRY(const auto both, lesson_.text(conversation({system, user}, {one, two})));
    PEDRO_TRY(const auto alone, lesson_.text(conversation({user}, {one})));
    if (!has_sample_words(both)) return fail("the template does not write tools");
    const std::vector<std::string> texts = {both, alone};
    PEDRO_TRY(const auto names, find_token_names(texts, tokenizer_));
    cutter_ = TemplateCutter(names);
    const auto with_system = cut(both, 2);
    const auto without = cut(alone, 1);
    if (!with_system || !without || with_system->tool != without->tool) {
      return fail("the template writes tools in an unknown syntax");
    }
    TurnRules candidate = lesson_.rules;
    if (!place(*with_system, *without, candidate)) {
      return fail("tools are not before the first user's text");
    }
    return adopt(candidate);
  }

 private:
  Result<bool> fail(std::string what) {
    lesson_.note(FormatGap::Kind::kTools, std::move(what));
    return false;
  }

  // Splits a text at its tools. Returns nothing if they are missing, out of order or misspelled.
  std::optional<WithTools> cut(const std::string& all, int tools) const {
    const std::size_t user = all.find(mark::kUser);
    if (user == std::string::npos || has_sample_words(all.substr(user))) return {};
    const std::string text = all.substr(0, user);
    std::vector<Spelling> spellings = {{mark::kSystem, "{{system}}", -1}};
    for (int i = 0; i < tools; ++i) add_spellings(sample_tool(i), i, spellings);
    const std::vector<SpellingFound> found = find_spellings(text, spellings);
    std::size_t begin[2] = {std::string::npos, std::string::npos};
    std::size_t end[2] = {0, 0};
    for (const SpellingFound& one : found) {
      const int owner = one.spelling->owner;
      if (owner < 0) continue;
      begin[owner] = std::min(begin[owner], one.begin);
      end[owner] = one.end;
    }
    const int last = tools - 1;
    const bool all_there = begin[0] != std::string::npos && begin[last] != std::string::npos;
    if (!all_there || (tools == 2 && begin[1] < end[0])) return {};
    WithTools out;
    out.before = with_values(text, 0, begin[0], found);
    out.tool = with_values(text, begin[0], end[0], found);
    if (tools == 2) {
      out.between = with_values(text, end[0], begin[1], found);
      if (with_values(text, begin[1], end[1], found) != out.tool) return {};
    }
    out.behind = with_values(text, end[last], text.size(), found);
    for (const std::string* piece : {&out.before, &out.tool, &out.between, &out.behind}) {
      if (has_sample_words(*piece)) return {};
    }
    return can_be_piece(text) ? std::optional(out) : std::nullopt;
  }

  // Places the tools in a head, or before the first user's text.
  bool place(WithTools with_system, WithTools without, TurnRules& rules) const {
    rules.tool = with_system.tool;
    rules.tool_between = with_system.between;
    for (WithTools* one : {&with_system, &without}) {
      take_prefix(one->before, rules.begin);
      if (!take_suffix(one->behind, open_)) return place_in_user(with_system, without, rules);
    }
    std::string before(cutter_.common_suffix(with_system.before, without.before));
    std::string behind(cutter_.common_prefix(with_system.behind, without.behind));
    // The end of the head is not part of the guide.
    std::string closing;
    const std::size_t value = rules.head.find("}}");
    if (rules.first_user_system.empty() && value != std::string::npos) {
      closing = rules.head.substr(value + 2);
    }
    if (!closing.empty()) take_suffix(behind, closing);
    rules.guide = before + std::string(kToolsPlace) + behind;
    const auto head = [&](const WithTools& one) {
      return one.before.substr(0, one.before.size() - before.size()) + std::string(kGuidePlace) +
             one.behind.substr(behind.size());
    };
    rules.head_tools = head(with_system);
    rules.head_tools_only = head(without);
    return rules.head_tools.find("{{system}}") != std::string::npos;
  }

  bool place_in_user(const WithTools& with_system, const WithTools& without,
                     TurnRules& rules) const {
    const std::size_t at = with_system.before.rfind(open_);
    const std::size_t at_without = without.before.rfind(open_);
    if (open_.empty() || at == std::string::npos || at_without == std::string::npos) return false;
    const std::string guide = with_system.before.substr(at + open_.size());
    if (guide != without.before.substr(at_without + open_.size()) ||
        with_system.behind != without.behind || guide.find("{{") != std::string::npos) {
      return false;
    }
    rules.guide = guide + std::string(kToolsPlace) + with_system.behind;
    rules.first_user_tools = kGuidePlace;
    rules.head_tools = with_system.before.substr(0, at);
    rules.head_tools_only = without.before.substr(0, at_without);
    take_prefix(rules.head_tools, rules.begin);
    take_prefix(rules.head_tools_only, rules.begin);
    return true;
  }

  Result<bool> adopt(const TurnRules& candidate) {
    const std::vector<ChatRequest> requests = check_requests();
    PEDRO_TRY(const bool same, lesson_.agrees_on_all(candidate, requests));
    if (!same) {
      // Ignores requests without a system prompt: the template may write its own one there.
      const Result<bool> with_system = lesson_.agrees(candidate, requests[0]);
      const Result<bool> later = lesson_.agrees(candidate, requests[2]);
      if (!with_system || !later) return with_system ? later : with_system;
      return fail(*with_system && !*later
                      ? "tools move as the conversation grows"
                      : "tools are written in a way that pieces cannot express");
    }
    lesson_.rules = candidate;
    lesson_.cutter.add(cutter_.names());
    PEDRO_RETURN_IF_ERROR(look_beyond_ascii());
    return find_empty_system();
  }

  Status look_beyond_ascii() {
    DeclaredTool tool = sample_tool(0);
    tool.description = "S\u00FCdw\u00E4rts.";
    PEDRO_TRY(const bool same,
              lesson_.agrees(lesson_.rules,
                             conversation({system_message("Use."), user_message("Go.")}, {tool})));
    if (!same)
      lesson_.note(FormatGap::Kind::kTools,
                   "non-ASCII characters in tools are written differently");
    return {};
  }

  // An empty system message may have another effect if there are tools.
  Result<bool> find_empty_system() {
    const ChatRequest request =
        conversation({system_message(""), user_message("Go.")}, {sample_tool(0)});
    for (const bool counts : {lesson_.rules.empty_system, !lesson_.rules.empty_system}) {
      TurnRules candidate = lesson_.rules;
      candidate.empty_system_with_tools = counts;
      PEDRO_TRY(const bool same, lesson_.agrees(candidate, request));
      if (!same) continue;
      lesson_.rules = candidate;
      return true;
    }
    lesson_.note(FormatGap::Kind::kEmpty,
                 "with tools, a system message without text is written differently");
    return true;
  }

  Lesson& lesson_;
  Tokenizer& tokenizer_;
  TemplateCutter cutter_;
  std::string open_;  // start of a user's turn
};

}  // namespace

Result<bool> learn_tools(Lesson& lesson, Tokenizer& tokenizer) {
  return ToolLearner(lesson, tokenizer).run();
}

Result<bool> check_tools(Lesson& lesson) {
  const Result<bool> same = lesson.agrees_on_all(lesson.rules, check_requests());
  if (!same || *same) return same;
  lesson.note(FormatGap::Kind::kTools, "with the learned calls, tools are written differently");
  return false;
}

}  // namespace pedro
