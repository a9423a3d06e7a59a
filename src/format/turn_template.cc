#include "format/turn_template.h"

#include <fmt/format.h>

#include <vector>

namespace pedro {
namespace {

// Plain ASCII letters: no template escapes, trims or splits them.
const std::string kSystem = "PEDROSENTINELSYSTEM";
const std::string kUser = "PEDROSENTINELFIRSTUSER";
const std::string kReply = "PEDROSENTINELREPLY";
const std::string kNext = "PEDROSENTINELNEXTUSER";

// The texts before, between and after the sentinels: one more than there are sentinels.
Result<std::vector<std::string>> cut_at(std::string_view rendering,
                                        std::span<const Message> turns) {
  std::vector<std::string> pieces;
  for (const Message& turn : turns) {
    const std::size_t at = rendering.find(turn.text);
    if (at == std::string_view::npos ||
        rendering.find(turn.text, at + 1) != std::string_view::npos) {
      return Error{ErrorKind::kModel,
                   fmt::format("the chat template does not write turn {} of {} exactly once and in "
                               "order; start the server with another --chat-template",
                               pieces.size() + 1, turns.size())};
    }
    pieces.emplace_back(rendering.substr(0, at));
    rendering.remove_prefix(at + turn.text.size());
  }
  pieces.emplace_back(rendering);
  return pieces;
}

Result<std::vector<std::string>> probe(TemplateRenderer& renderer,
                                       const std::vector<Message>& turns) {
  const Result<std::string> rendering = renderer.render(turns);
  if (!rendering) return rendering.error();
  return cut_at(*rendering, turns);
}

}  // namespace

Result<TurnTemplate> learn_turn_template(TemplateRenderer& renderer) {
  const Message system{Role::kSystem, kSystem};
  const Message user{Role::kUser, kUser};
  TurnTemplate learned;
  Result<std::vector<std::string>> first = probe(renderer, {system, user});
  learned.has_system = first.ok();
  if (learned.has_system) {
    learned.before_system = (*first)[0];
    learned.system_to_user = (*first)[1];
  } else {
    first = probe(renderer, {user});
    if (!first) return first.error();
    learned.before_user = (*first)[0];
  }
  learned.user_to_assistant = first->back();
  const auto longer =
      probe(renderer, {user, Message{Role::kAssistant, kReply}, Message{Role::kUser, kNext}});
  if (!longer) return longer.error();
  learned.assistant_to_user = (*longer)[2];
  return learned;
}

}  // namespace pedro
