#include "llm/tool_bias.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace pedro {
namespace {

constexpr std::size_t kLongestToken = 24;  // longest token for lookups, in bytes

// Returns the tool whose name is a prefix of `text` or begins with `text`; null for several or
// none.
const NamedTool* tool_of(std::string_view text, std::span<const NamedTool> tools) {
  const NamedTool* found = nullptr;
  for (const NamedTool& tool : tools) {
    if (text.starts_with(tool.written)) return &tool;
    if (!std::string_view(tool.written).starts_with(text)) continue;
    if (found != nullptr) return nullptr;
    found = &tool;
  }
  return found;
}

double bias_of(const NamedTool& tool, std::span<const ToolBias> biases) {
  double sum = 0;
  for (const ToolBias& bias : biases) sum += bias.tool == tool.tool ? bias.bias : 0;
  return sum;
}

}  // namespace

void trace_tool_biases(const Trace& trace, std::span<const ToolBias> biases,
                       std::string_view effect) {
  if (!trace.wants(TraceTopic::kTokens)) return;
  for (const ToolBias& one : biases) {
    const std::string part =
        one.computed == 0 ? "" : fmt::format(" ({} of it computed)", one.computed);
    trace.sink(TraceTopic::kTokens,
               fmt::format("bias tool {} {}{}: {}", one.tool, one.bias, part, effect));
  }
}

bool chooses_tool(std::string_view before, std::span<const std::string> texts,
                  std::span<const NamedTool> tools) {
  return tool_of(before, tools) == nullptr && !texts.empty();
}

Result<std::vector<TokenBias>> bias_choice(std::string_view before,
                                           std::span<const std::string> texts,
                                           std::span<const NamedTool> tools,
                                           std::span<const ToolBias> biases, Tokenizer& tokenizer) {
  std::map<std::string_view, const NamedTool*> beginnings;  // null: shared by several tools
  for (const std::string_view text : texts) {
    const NamedTool* tool = tool_of(std::string(before) + std::string(text), tools);
    for (std::size_t n = 1; n <= std::min(text.size(), kLongestToken); ++n) {
      const auto [known, is_new] = beginnings.try_emplace(text.substr(0, n), tool);
      if (!is_new && known->second != tool) known->second = nullptr;
    }
  }
  std::vector<TokenBias> rows;
  for (const auto& [text, tool] : beginnings) {
    const double bias = tool != nullptr ? bias_of(*tool, biases) : 0;
    if (bias == 0) continue;
    PEDRO_TRY(const std::optional<TokenId> id, tokenizer.id_of(text));
    if (id) rows.push_back({*id, bias});
  }
  return rows;
}

}  // namespace pedro
