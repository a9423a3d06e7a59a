#include "llm/reply_hold.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace pedro {
namespace {

std::string_view taken(ReplyHold hold) {
  switch (hold) {
    case ReplyHold::kSchema:
      return "replies are constrained to a JSON Schema";
    case ReplyHold::kTools:
      return "tool calls are required and checked";
    case ReplyHold::kGrammar:
      return "replies are constrained to a grammar";
    case ReplyHold::kNothing:
      break;
  }
  return "calls are found in free text and checked";
}

bool is_there(ReplyHold hold, const Capabilities& can, bool has_tools) {
  switch (hold) {
    case ReplyHold::kGrammar:
      return can.grammar;
    case ReplyHold::kSchema:
      return can.json_schema;
    case ReplyHold::kTools:
      return has_tools;
    case ReplyHold::kNothing:
      break;
  }
  return true;
}

std::span<const ReplyHold> order_of(GenerationMode mode) {
  static constexpr std::array kGrammarFirst = {ReplyHold::kGrammar, ReplyHold::kTools,
                                               ReplyHold::kSchema, ReplyHold::kNothing};
  static constexpr std::array kSchemaFirst = {ReplyHold::kSchema, ReplyHold::kTools,
                                              ReplyHold::kNothing};
  static constexpr std::array kFree = {ReplyHold::kNothing};
  switch (mode) {
    case GenerationMode::kUnconstrained:
      return kFree;
    case GenerationMode::kSchema:
      return kSchemaFirst;
    case GenerationMode::kGrammar:
    case GenerationMode::kHybrid:
      break;
  }
  return kGrammarFirst;
}

}  // namespace

HoldChoice choose_hold(GenerationMode mode, const Capabilities& can, bool has_tools) {
  const std::span<const ReplyHold> order = order_of(mode);
  for (const ReplyHold hold : order) {
    if (!is_there(hold, can, has_tools)) continue;
    if (hold == order.front()) return {hold, ""};
    return {hold, fmt::format("mode {}: the server does not obey a {}; {}", to_string(mode),
                              order.front() == ReplyHold::kSchema ? "JSON Schema" : "grammar",
                              taken(hold))};
  }
  return {};
}

}  // namespace pedro
