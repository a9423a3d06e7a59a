#include "agent/tool_preferences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr double kMaxToolBias = 10;

Error wrong(std::string_view tool, std::string_view what) {
  return Error{ErrorKind::kConfig,
               fmt::format("tool_bias: '{}': {}", make_printable(truncate_utf8(tool, 80)), what)};
}

}  // namespace

Result<ToolPreferences> read_tool_preferences(const Json& settings, const Registry& registry) {
  ToolPreferences out;
  const std::vector<std::string> names = registry.names();
  for (const auto& [tool, value] : settings.items()) {
    if (registry.find(tool) == nullptr) {
      return wrong(tool, fmt::format("there is no such tool{}; there are {}",
                                     did_you_mean(tool, names), join(names, ", ")));
    }
    if (value == false) {
      out.blocked.insert(tool);
      continue;
    }
    if (!value.is_number() || std::abs(value.get<double>()) > kMaxToolBias) {
      return wrong(tool, fmt::format("expected a number from -{0} to {0}, or false to block the "
                                     "tool, got {1}",
                                     kMaxToolBias, cut_middle(to_line(value), 80, "")));
    }
    out.biases.push_back({tool, value.get<double>()});
  }
  return out;
}

void block_tools(Workflow& workflow, const std::set<std::string>& blocked) {
  for (Phase& phase : workflow.phases) {
    std::erase_if(phase.tools, [&](const std::string& tool) { return blocked.contains(tool); });
  }
}

}  // namespace pedro
