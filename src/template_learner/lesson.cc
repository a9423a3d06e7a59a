#include "template_learner/lesson.h"

#include <algorithm>

#include "chat_format/prompt.h"
#include "chat_format/turn_render.h"

namespace pedro {

Result<std::string> Lesson::text(const ChatRequest& request, const TemplateMode& mode) {
  Result<std::string> text = probes.render(request, mode);
  if (!text && text.error().kind == ErrorKind::kUsage) return std::string();
  return text;
}

Result<std::vector<std::string>> Lesson::cut(const ChatRequest& request,
                                             std::span<const std::string> marks,
                                             const TemplateMode& mode) {
  PEDRO_TRY(const std::string all, text(request, mode));
  std::vector<std::string> pieces = cut_at_marks(all, marks);
  if (!std::all_of(pieces.begin(), pieces.end(), can_be_piece)) pieces.clear();
  return pieces;
}

Result<bool> Lesson::agrees(const TurnRules& candidate, const ChatRequest& request) {
  PEDRO_TRY(const std::string theirs, text(request));
  const Result<Prompt> ours = render_turns(candidate, request);
  return ours ? to_text(*ours) == theirs : theirs.empty();
}

Result<bool> Lesson::agrees_on_all(const TurnRules& candidate,
                                   std::span<const ChatRequest> requests) {
  for (const ChatRequest& request : requests) {
    const Result<bool> same = agrees(candidate, request);
    if (!same || !*same) return same;
  }
  return true;
}

bool can_be_piece(std::string_view text) {
  return text.find("{{") == std::string_view::npos;
}

}  // namespace pedro
