#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/choose_format.h"
#include "llm/llama_client.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// In the words of which family a llama-server's model is spoken to.
struct ServedFamily {
  ChosenFormat chosen;
  std::string why;  ///< how it came to it, for people
  /// Where it was asked for by name: tags of it that are no tokens of the model, and are written as
  /// text.
  std::vector<std::string> spelled_tags;
};

/// That of the server's own chat template where `name` is "auto", what the template teaches where
/// it is "learned", else the one of that name. Errors: those of choose_format(); kModel, the
/// template cannot be learned; kUsage, the model's vocabulary lacks control tokens of the family
/// that was asked for.
Result<ServedFamily> find_served_family(LlamaClient& client, Tokenizer& tokenizer,
                                        std::string_view name);

}  // namespace pedro
