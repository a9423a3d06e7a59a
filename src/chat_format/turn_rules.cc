#include "chat_format/turn_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pedro {
namespace {

using Piece = std::pair<std::string_view, std::string TurnRules::*>;
using Flag = std::pair<std::string_view, bool TurnRules::*>;

constexpr Piece kPieces[] = {
    {"begin", &TurnRules::begin},
    {"head", &TurnRules::head},
    {"head_none", &TurnRules::head_none},
    {"head_tools", &TurnRules::head_tools},
    {"head_tools_only", &TurnRules::head_tools_only},
    {"guide", &TurnRules::guide},
    {"tool", &TurnRules::tool},
    {"tool_between", &TurnRules::tool_between},
    {"first_user_system", &TurnRules::first_user_system},
    {"first_user_tools", &TurnRules::first_user_tools},
    {"system", &TurnRules::system},
    {"user", &TurnRules::user},
    {"assistant", &TurnRules::assistant},
    {"assistant_after_result", &TurnRules::assistant_after_result},
    {"thinking", &TurnRules::thinking},
    {"no_thinking", &TurnRules::no_thinking},
    {"old_thinking", &TurnRules::old_thinking},
    {"text", &TurnRules::text},
    {"text_end", &TurnRules::text_end},
    {"text_with_calls", &TurnRules::text_with_calls},
    {"calls", &TurnRules::calls},
    {"calls_after_text", &TurnRules::calls_after_text},
    {"call", &TurnRules::call},
    {"parameter", &TurnRules::parameter},
    {"parameter_between", &TurnRules::parameter_between},
    {"call_between", &TurnRules::call_between},
    {"calls_end", &TurnRules::calls_end},
    {"assistant_end", &TurnRules::assistant_end},
    {"results", &TurnRules::results},
    {"result", &TurnRules::result},
    {"result_between", &TurnRules::result_between},
    {"results_end", &TurnRules::results_end},
    {"reply", &TurnRules::reply},
    {"reply_after_result", &TurnRules::reply_after_result},
};

constexpr Flag kTrims[] = {
    {"system", &TurnRules::trims_system},       {"user", &TurnRules::trims_user},
    {"assistant", &TurnRules::trims_assistant}, {"calling", &TurnRules::trims_calling},
    {"tool", &TurnRules::trims_results},        {"thinking", &TurnRules::trims_thinking},
};

constexpr std::pair<std::string_view, TurnRules::Thinking> kThinking[] = {
    {"", TurnRules::Thinking::kNever},
    {"after_user", TurnRules::Thinking::kAfterUser},
    {"after_answer", TurnRules::Thinking::kAfterAnswer},
    {"with_tools", TurnRules::Thinking::kWithTools},
    {"always", TurnRules::Thinking::kAlways},
};

template <typename Table>
auto find(const Table& table, std::string_view name) {
  return std::find_if(std::begin(table), std::end(table),
                      [&](const auto& row) { return row.first == name; });
}

// The values that a piece may contain; see TurnRules.
constexpr std::string_view kValues[] = {"system",
                                        "guide",
                                        "date",
                                        "day",
                                        "effort",
                                        "tools",
                                        "name",
                                        "description",
                                        "schema",
                                        "tool",
                                        "content",
                                        "json",
                                        "tool_indented",
                                        "tool_xml",
                                        "name_json",
                                        "arguments",
                                        "parameters",
                                        "value",
                                        "tool_typescript",
                                        "function",
                                        "id",
                                        "json_value",
                                        "python_value",
                                        "gemma_value",
                                        "gemma_tool",
                                        "is_string",
                                        "index"};

Status check_values(std::string_view piece) {
  for (std::size_t at = find_placeholder(piece); at != std::string_view::npos;
       at = find_placeholder(piece, at)) {
    const std::size_t end = piece.find("}}", at);
    const std::string_view name = piece.substr(at + 2, end - std::min(end, at + 2));
    if (std::find(std::begin(kValues), std::end(kValues), name) == std::end(kValues)) {
      return config_error(fmt::format("pieces: {{{{{}}}}} is not a value", name));
    }
    at = end;
  }
  return {};
}

// Returns the default of a piece.
std::string inherited(const TurnRules& rules, std::string_view piece) {
  if (piece == "text") return std::string(TurnRules::kContent);
  if (piece == "text_with_calls") return rules.text;
  if (piece == "assistant_after_result") return rules.assistant;
  if (piece == "reply_after_result") return rules.reply;
  return "";
}

Status read_pieces(const Json& pieces, TurnRules& rules) {
  for (const auto& [name, text] : pieces.items()) {
    const auto piece = find(kPieces, name);
    if (piece == std::end(kPieces) || !text.is_string()) {
      return config_error(fmt::format("pieces: '{}' is not a piece, or not a text", name));
    }
    rules.*piece->second = text.get<std::string>();
    if (Status good = check_values(rules.*piece->second); !good) return good;
  }
  for (const auto& [name, to] : kPieces) {
    if (!pieces.contains(name)) rules.*to = inherited(rules, name);
  }
  return {};
}

Status read_trims(const Json& names, TurnRules& rules) {
  for (const Json& name : names) {
    const auto flag = find(kTrims, name.is_string() ? name.get<std::string>() : "");
    if (flag == std::end(kTrims)) return config_error("trims: " + to_line(name) + " is not known");
    rules.*flag->second = true;
  }
  return {};
}

Status read_names(const Json& names, std::vector<std::string>& into) {
  for (const Json& name : names) {
    if (!name.is_string() || name.get<std::string>().empty()) {
      return config_error("control, tags: expected names, got " + to_line(name));
    }
    into.push_back(name.get<std::string>());
  }
  return {};
}

}  // namespace

std::size_t find_placeholder(std::string_view piece, std::size_t from) {
  std::size_t at = piece.find("{{", from);
  while (at != std::string_view::npos && piece.substr(at + 2).starts_with('{')) ++at;
  return at;
}

Result<TurnRules> read_turn_rules(const Json& row) {
  TurnRules rules;
  const Json& pieces = member(row, "pieces");
  if (!pieces.is_object()) return config_error("expected an object as \"pieces\"");
  const auto thinking = find(kThinking, text_of(row, "thinking"));
  if (thinking == std::end(kThinking))
    return config_error("thinking: expected after_user, after_answer, with_tools or always");
  rules.thinking_kept = thinking->second;
  rules.joins_system = truth_of(row, "joins_system");
  rules.one_call = truth_of(row, "one_call");
  rules.empty_system = truth_of(row, "empty_system", true);
  rules.empty_system_with_tools = truth_of(row, "empty_system_with_tools", rules.empty_system);
  rules.date = text_of(row, "date");
  rules.effort = text_of(row, "effort");
  PEDRO_RETURN_IF_ERROR(read_names(member(row, "control"), rules.control));
  PEDRO_RETURN_IF_ERROR(read_names(member(row, "tags"), rules.tags));
  PEDRO_RETURN_IF_ERROR(read_trims(member(row, "trims"), rules));
  PEDRO_RETURN_IF_ERROR(read_pieces(pieces, rules));
  return rules;
}

Json write_turn_rules(const TurnRules& rules) {
  const TurnRules usual;
  Json row = Json::object();
  if (!rules.control.empty()) row["control"] = rules.control;
  if (!rules.tags.empty()) row["tags"] = rules.tags;
  for (const auto& [name, thinking] : kThinking) {
    if (thinking == rules.thinking_kept && !name.empty()) row["thinking"] = name;
  }
  for (const auto& [name, flag] : kTrims) {
    if (rules.*flag) row["trims"].push_back(name);
  }
  if (rules.joins_system) row["joins_system"] = true;
  if (rules.one_call) row["one_call"] = true;
  if (rules.empty_system != usual.empty_system) row["empty_system"] = rules.empty_system;
  if (rules.empty_system_with_tools != rules.empty_system) {
    row["empty_system_with_tools"] = rules.empty_system_with_tools;
  }
  if (!rules.date.empty()) row["date"] = rules.date;
  if (!rules.effort.empty()) row["effort"] = rules.effort;
  row["pieces"] = Json::object();
  for (const auto& [name, text] : kPieces) {
    if (rules.*text != inherited(rules, name)) row["pieces"][std::string(name)] = rules.*text;
  }
  return row;
}

}  // namespace pedro
