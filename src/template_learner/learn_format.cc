#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "call_parser/call_parser.h"
#include "chat/sample_request.h"
#include "chat_format/prompt.h"
#include "chat_format/turn_render.h"
#include "chat_format/written_date.h"
#include "template_learner/choose_format.h"
#include "template_learner/lesson.h"

namespace pedro {
namespace {

// Returns the opening of a reply without thinking. It is the end of the template's text for a
// question.
Result<std::string> reply_without_thinking(Lesson& lesson) {
  const std::string marks[] = {mark::kUser};
  const ChatRequest request = conversation({user_message(mark::kUser)});
  PEDRO_TRY(const auto pieces, lesson.cut(request, marks, {.thinks = false}));
  const std::string& user = lesson.rules.user;
  const std::string close =
      user.substr(user.find(TurnRules::kContent) + TurnRules::kContent.size());
  std::string reply = pieces.empty() ? "" : pieces.back();
  if (pieces.empty() || !take_prefix(reply, close)) return lesson.rules.reply;
  return reply;
}

// Replaces a date in the heads by the request's date.
void make_date_a_value(Lesson& lesson) {
  TurnRules& rules = lesson.rules;
  for (std::string* head :
       {&rules.head, &rules.head_none, &rules.head_tools, &rules.head_tools_only}) {
    const WrittenDate found = find_date(*head);
    if (found.iso.empty() || (!rules.date.empty() && rules.date != found.iso)) continue;
    head->replace(found.begin, found.end - found.begin, found.is_day ? "{{day}}" : "{{date}}");
    if (rules.date.empty()) {
      lesson.note(FormatGap::Kind::kDate, fmt::format("the head has the date {}", found.iso));
    }
    rules.date = found.iso;
  }
}

// Returns the first syntax that reads a turn with a call as that call.
std::optional<CallSyntax> syntax_of(const TurnRules& rules) {
  const RequestedCall call{"abcdefghi", "read_file", R"({"path": "a \"b\"\n", "line": 5})"};
  const ChatRequest request = conversation({user_message("Read."), calling_message({call})});
  const Result<Prompt> prompt = render_turns(rules, request);
  if (!prompt) return {};
  const std::string text = to_text(*prompt);
  const std::string reply = text.substr(text.find("Read.") + 5);
  for (const CallSyntax syntax :
       {CallSyntax::kTags, CallSyntax::kGlm, CallSyntax::kMistral, CallSyntax::kDeepseek,
        CallSyntax::kHarmony, CallSyntax::kLlama, CallSyntax::kGemma, CallSyntax::kJson}) {
    const std::vector<CallPart> parts = parse_calls(reply, syntax);
    if (parts.size() != 1) continue;
    const auto* found = std::get_if<ParsedCall>(&parts.front());
    if (found == nullptr || found->tool != call.name) continue;
    const Json& args = found->args;
    const bool same_line = member(args, "line") == 5 || text_of(args, "line") == "5";
    if (text_of(args, "path") == "a \"b\"\n" && same_line) return syntax;
  }
  return {};
}

}  // namespace

Result<LearnedFormat> learn_format(TemplateProbes& probes, Tokenizer& tokenizer) {
  Lesson lesson(probes);
  LearnedFormat out;
  PEDRO_TRY(const bool turns, learn_turns(lesson, tokenizer));
  out.turns = turns;
  PEDRO_TRY(const bool tools, learn_tools(lesson, tokenizer));
  out.tools = tools;
  PEDRO_TRY(const LearnedCalls calls, learn_calls(lesson, tokenizer));
  out.calls = calls.calls;
  out.several = calls.several;
  out.text = calls.text;
  out.thinking = calls.thinking;

  PEDRO_TRY(std::string reply, reply_without_thinking(lesson));
  out.reply_without_thinking = std::move(reply);
  TurnRules& rules = lesson.rules;
  if (rules.reply != rules.assistant) {
    lesson.note(FormatGap::Kind::kReply,
                "a reply is opened differently from how its turn is written later: a prompt "
                "extended by token ids differs from the template's");
  }
  make_date_a_value(lesson);
  // Later steps may have changed earlier results.
  if (out.turns) {
    PEDRO_TRY(const bool still, check_turns(lesson));
    out.turns = still;
  }
  if (out.tools) {
    PEDRO_TRY(const bool still, check_tools(lesson));
    out.tools = still;
  }
  if (out.calls) {
    out.syntax = syntax_of(rules);
    if (!out.syntax) lesson.note(FormatGap::Kind::kCalls, "no known call syntax reads them");
  }
  rules.control = lesson.cutter.names().control;
  rules.tags = lesson.cutter.names().tags;
  PEDRO_TRY(const auto start, tokenizer.prompt_start());
  PEDRO_TRY(const auto begin, tokenizer.decode(start));
  if (!rules.begin.starts_with(begin)) rules.begin.insert(0, begin);
  PEDRO_TRY(const auto names, tokenizer.pieces(start));
  for (const std::string& name : names) {
    const bool known =
        std::find(rules.control.begin(), rules.control.end(), name) != rules.control.end();
    if (!name.empty() && !known) rules.control.push_back(name);
  }
  out.family = {"learned", "as the server's chat template writes it", "", std::move(rules)};
  out.gaps = std::move(lesson.gaps);
  return out;
}

}  // namespace pedro
