#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "llm/llama_client.h"
#include "template_learner/choose_format.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// The format family of a llama-server's model.
struct ServedFamily {
  ChosenFormat chosen;
  std::string why;  ///< human-readable reason of the choice
  /// Tags of an explicitly requested family that are not tokens of the model. They are written as
  /// text.
  std::vector<std::string> spelled_tags;
};

/// Finds the family that `name` selects. "auto" recognises the server's chat template, or else uses
/// `known`, the family of the model's row in the table. "learned" learns a family from it, and
/// other names select a family directly. Errors: those of choose_format(); kModel if the template
/// cannot be learned. kUsage if the model's vocabulary lacks control tokens of the requested
/// family.
Result<ServedFamily> find_served_family(LlamaClient& client, Tokenizer& tokenizer,
                                        std::string_view name, std::string_view known = {});

}  // namespace pedro
