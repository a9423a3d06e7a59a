#include "agent/reply_calls.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "agent/tool_set.h"
#include "base/text.h"

namespace pedro {
namespace {

// Returns the name of the only output of a phase if it is a required text; "" if there are others.
std::string only_text_output(const Json& schema) {
  const Json& properties = member(schema, "properties");
  const Json& required = member(schema, "required");
  if (!properties.is_object() || properties.size() != 1 || required.size() != 1) return "";
  const auto only = properties.begin();
  return required[0] == only.key() && text_of(only.value(), "type") == "string" ? only.key() : "";
}

bool only_reads(const Phase& phase) {
  return std::all_of(phase.allow.begin(), phase.allow.end(),
                     [](Permission permission) { return permission == Permission::kRead; });
}

bool is_repeated(const ParsedCall& call, const std::vector<FoundCall>& before) {
  return std::any_of(before.begin(), before.end(), [&](const FoundCall& other) {
    return other.call.tool == call.tool && other.call.args == call.args;
  });
}

// Removes calls without arguments if the same tool is called with arguments.
void drop_empty_calls(std::vector<FoundCall>& calls, const ToolSet& tools) {
  const auto has_args = [&](const std::string& tool) {
    return std::any_of(calls.begin(), calls.end(), [&](const FoundCall& other) {
      return other.call.tool == tool && !other.call.args.empty();
    });
  };
  std::vector<FoundCall> kept;
  for (const FoundCall& one : calls) {
    const bool is_empty = one.call.args.empty() && tools.needs_arguments(one.call.tool);
    if (!is_empty || !has_args(one.call.tool)) kept.push_back(one);
  }
  calls = std::move(kept);
}

constexpr std::size_t kMaxNameBytes = 120;
constexpr std::size_t kMaxOutcomeBytes = 600;

void add(std::vector<WrittenPart>& parts, WrittenPart part, bool apart) {
  if (part.text.empty()) return;
  const bool behind_text = std::any_of(parts.begin(), parts.end(),
                                       [](const WrittenPart& one) { return !one.text.empty(); });
  if (apart && behind_text) part.text.insert(0, "\n\n");
  parts.push_back(std::move(part));
}

// Returns the text for described tools. An accepted end of a phase has none.
std::string described_result(const CallAnswer& answer, const Feedback& feedback) {
  if (answer.heading.empty()) return answer.ok ? "" : answer.text;
  return feedback.text(
      "result",
      {{"call", answer.heading}, {"status", answer.ok ? "ok" : "failed"}, {"text", answer.text}});
}

}  // namespace

std::optional<ParsedCall> plain_answer(const Phase& phase, const Reply& reply, int plain_replies) {
  const std::string output = only_text_output(phase.output_schema_json);
  const std::string_view text = trim(reply.text);
  const bool is_plain = reply.stop == StopReason::kEnd && reply.parts.empty() && !text.empty();
  if (output.empty() || !is_plain) return std::nullopt;
  const bool at_once = only_reads(phase) && phase.evidence == Evidence::kNone;
  if (plain_replies < (at_once ? 1 : 2)) return std::nullopt;
  ParsedCall call;
  call.tool = kPhaseComplete;
  call.args[output] = text;
  return call;
}

FoundCalls find_calls(const Reply& reply, const ToolSet& tools) {
  FoundCalls found;
  for (const CallPart& part : reply.parts) {
    if (const auto* call = std::get_if<ParsedCall>(&part)) {
      FoundCall one{*call};
      one.repairs = tools.correct_name(one.call);
      if (!is_repeated(one.call, found.calls)) found.calls.push_back(std::move(one));
      continue;
    }
    const CallProblem& problem = std::get<RejectedText>(part).problem;
    if (found.problem.empty()) found.problem = to_string(problem);
    const bool endless =
        problem.kind == CallProblem::Kind::kTooMany || problem.kind == CallProblem::Kind::kTooLong;
    if (endless) {
      found.calls.clear();
      return found;
    }
  }
  drop_empty_calls(found.calls, tools);
  return found;
}

std::string text_beside_calls(const Reply& reply) {
  for (const CallPart& part : reply.parts) {
    const ByteRange where = std::visit([](const auto& one) { return one.where; }, part);
    if (where != ByteRange{}) return "";
  }
  return std::string(trim(reply.text));
}

std::string name_of(const ToolCall& call) {
  std::string text = call.tool;
  if (const std::string action = text_of(call.args, "action"); !action.empty()) {
    text += " " + action;
  }
  for (const char* key : {"path", "pattern", "name", "directory", "id"}) {
    const std::string value = text_of(call.args, key);
    if (value.empty()) continue;
    return text + " " + cut_middle(value, kMaxNameBytes, "");
  }
  return text;
}

CallFacts facts_of(const ToolCall& call, const ToolResult& result) {
  CallFacts facts;
  facts.tool = call.tool;
  facts.call = name_of(call);
  for (const char* key : {"path", "command", "pattern", "name", "directory", "id"}) {
    if (facts.target.empty()) facts.target = cut_middle(text_of(call.args, key), kMaxNameBytes, "");
  }
  facts.ok = result.ok;
  facts.changed = result.changed;
  facts.outcome = result.ended;
  if (!facts.outcome.empty()) {
    facts.kind = CallKind::kCommand;
    if (facts.call == call.tool || !facts.call.ends_with(facts.target)) {
      facts.call += facts.target.empty() ? "" : " " + facts.target;
    }
  } else if (call.tool == "context" && text_of(call.args, "action") == "note") {
    facts.kind = CallKind::kNote;
    facts.outcome = cut_middle(text_of(call.args, "text"), kMaxOutcomeBytes, "");
  }
  return facts;
}

CallFacts facts_of_end(const std::string& phase, const Json& output) {
  CallFacts facts;
  facts.kind = CallKind::kDecision;
  facts.tool = kPhaseComplete;
  facts.call = kPhaseComplete;
  facts.target = phase;
  facts.outcome = cut_middle(to_line(output), kMaxOutcomeBytes, "");
  return facts;
}

void OpenTurn::add_result(ChatMessage message, WrittenPart part) {
  results_.push_back({std::move(message), {std::move(part)}});
}

void OpenTurn::add_paragraph(WrittenPart part) {
  add(user_, std::move(part), true);
}

void OpenTurn::add_to_last(WrittenPart part, bool apart) {
  const bool behind_result = user_.empty() && !results_.empty();
  add(behind_result ? results_.back().parts : user_, std::move(part), apart);
}

void OpenTurn::close_into(Conversation& conversation) {
  for (Result& result : std::exchange(results_, {})) {
    conversation.append(std::move(result.message), std::move(result.parts));
  }
  std::vector<WrittenPart> user = std::exchange(user_, {});
  if (user.empty()) return;
  conversation.append(text_message(Role::kUser, ""), std::move(user));
}

void add_repairs(ToolResult& result, std::vector<std::string> repairs, const Feedback& feedback) {
  result.repaired.insert(result.repaired.begin(), repairs.begin(), repairs.end());
  if (result.repaired.empty()) return;
  result.text += feedback.text("call_repaired", {{"repairs", join(result.repaired, "; ")}});
}

void add_answer(OpenTurn& turn, CallAnswer answer, ToolStyle style, const Feedback& feedback) {
  WrittenPart part{.kind = PartKind::kResult,
                   .text = "",
                   .pinned = answer.pinned,
                   .kept_as = std::move(answer.kept_as)};
  part.facts = std::move(answer.facts);
  if (style == ToolStyle::kDescribed) {
    part.text = described_result(answer, feedback);
    turn.add_paragraph(std::move(part));
    return;
  }
  part.text = !answer.ok && !answer.heading.empty()
                  ? feedback.text("failed_result", {{"text", answer.text}})
                  : std::move(answer.text);
  ChatMessage message = text_message(Role::kTool, "");
  message.call_id = std::move(answer.call_id);
  message.name = std::move(answer.tool);
  turn.add_result(std::move(message), std::move(part));
}

}  // namespace pedro
