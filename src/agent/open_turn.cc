#include "agent/open_turn.h"

#include <algorithm>
#include <utility>

namespace pedro {
namespace {

void add(std::vector<WrittenPart>& parts, WrittenPart part, bool apart) {
  if (part.text.empty()) return;
  const bool behind_text = std::any_of(parts.begin(), parts.end(),
                                       [](const WrittenPart& one) { return !one.text.empty(); });
  if (apart && behind_text) part.text.insert(0, "\n\n");
  parts.push_back(std::move(part));
}

}  // namespace

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

}  // namespace pedro
