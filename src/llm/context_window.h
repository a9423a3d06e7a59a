#pragma once

#include <string>

#include "tokenizer/model_registry.h"

namespace pedro {

/// The size of a model's context window.
struct ContextWindow {
  long long tokens = 0;  ///< of a prompt and its reply together; 0: unknown
  std::string source;    ///< origin of the size, for the user
};

/// Chooses the server's size, else `configured` (model.context_size, 0: not set), else that of the
/// table's row, which may be null. `configured` also reduces the server's size.
ContextWindow choose_window(ContextWindow served, long long configured, const KnownModel* row);

}  // namespace pedro
