#include "agent/call_facts.h"

#include "agent/tool_set.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxNameBytes = 120;
constexpr std::size_t kMaxOutcomeBytes = 600;

}  // namespace

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

}  // namespace pedro
