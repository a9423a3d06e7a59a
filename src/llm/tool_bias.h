#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "llm/token_bias.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// How much likelier a tool is to be chosen than the model alone would have it: a summand of the
/// logits that begin its name. Negative: less likely.
struct ToolBias {
  std::string tool;
  double bias = 0;
};

/// A tool, and how its name stands in a reply ("file\"").
struct NamedTool {
  std::string tool;
  std::string written;
};

/// Whether a choice between `texts`, behind `before`, is one between tools.
bool chooses_tool(std::string_view before, std::span<const std::string> texts,
                  std::span<const NamedTool> tools);

/// The tokens that a choice between `texts` can begin with and that only one tool's texts have,
/// with that tool's bias; however it is cut into tokens, a tool's name is then as likely as its
/// bias says. `before` is what stands there already. Errors are the tokenizer's.
Result<std::vector<TokenBias>> bias_choice(std::string_view before,
                                           std::span<const std::string> texts,
                                           std::span<const NamedTool> tools,
                                           std::span<const ToolBias> biases, Tokenizer& tokenizer);

}  // namespace pedro
