#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "chat/message.h"

namespace pedro {

/// The text a model's chat template puts around the contents of turns: what stands before, between
/// and after them. Template text may spell control tokens; contents never may.
struct TurnTemplate {
  std::string before_system;      ///< from the very start (without a BOS token)
  std::string system_to_user;     ///< between the system prompt and the first user turn
  std::string before_user;        ///< instead of both, where the template has no system turn
  std::string user_to_assistant;  ///< closes a user turn and opens the reply
  std::string assistant_to_user;  ///< closes a reply and opens the next user turn
  /// False: the template has no system turn; the system prompt is written above the first user
  /// turn.
  bool has_system = true;
};

/// Renders turns with the model's own template, generation prompt included ("/apply-template").
class TemplateRenderer {
 public:
  virtual ~TemplateRenderer() = default;
  virtual Result<std::string> render(std::span<const Message> turns) = 0;
};

/// Learns a template by rendering turns whose contents are sentinels and cutting at them. An error
/// (kModel) where a sentinel does not come out exactly once and in order: such a template cannot be
/// used this way.
Result<TurnTemplate> learn_turn_template(TemplateRenderer& renderer);

}  // namespace pedro
