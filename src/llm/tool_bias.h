#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/trace.h"
#include "llm/token_bias.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// A bias of a tool's selection: an addend for the logits of tokens that begin its name. Negative
/// values make the tool less likely.
struct ToolBias {
  std::string tool;
  double bias = 0;
  double computed = 0;  ///< the part of `bias` by the state of the job, for traces
};

/// Traces each bias and its effect: "bias tool search 2 (1 of it computed): EFFECT".
void trace_tool_biases(const Trace& trace, std::span<const ToolBias> biases,
                       std::string_view effect);

/// A tool and the spelling of its name in a reply ("file\"").
struct NamedTool {
  std::string tool;
  std::string written;
};

/// Returns true if a choice between `texts` after `before` decides between tools.
bool chooses_tool(std::string_view before, std::span<const std::string> texts,
                  std::span<const NamedTool> tools);

/// Returns biases for all tokens that begin texts of only one tool. The bias of a tool is thus
/// independent of the tokenization of its name. `before`: the preceding text. Errors are the
/// tokenizer's.
Result<std::vector<TokenBias>> bias_choice(std::string_view before,
                                           std::span<const std::string> texts,
                                           std::span<const NamedTool> tools,
                                           std::span<const ToolBias> biases, Tokenizer& tokenizer);

}  // namespace pedro
