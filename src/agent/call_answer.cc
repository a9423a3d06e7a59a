#include "agent/call_answer.h"

#include <utility>

#include "base/text.h"

namespace pedro {
namespace {

// Returns the text for described tools. An accepted end of a phase has none.
std::string described_result(const CallAnswer& answer, const Feedback& feedback) {
  if (answer.heading.empty()) return answer.ok ? "" : answer.text;
  return feedback.text(
      "result",
      {{"call", answer.heading}, {"status", answer.ok ? "ok" : "failed"}, {"text", answer.text}});
}

}  // namespace

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
