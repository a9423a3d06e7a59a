#pragma once

#include <string_view>

namespace pedro {

/// Names of Mistral's control tokens.
namespace mistral {
inline constexpr std::string_view kBegin = "<s>";
inline constexpr std::string_view kEnd = "</s>";
inline constexpr std::string_view kUser = "[INST]";
inline constexpr std::string_view kUserEnd = "[/INST]";
inline constexpr std::string_view kSystem = "[SYSTEM_PROMPT]";
inline constexpr std::string_view kSystemEnd = "[/SYSTEM_PROMPT]";
inline constexpr std::string_view kTools = "[AVAILABLE_TOOLS]";
inline constexpr std::string_view kToolsEnd = "[/AVAILABLE_TOOLS]";
inline constexpr std::string_view kCalls = "[TOOL_CALLS]";
inline constexpr std::string_view kResults = "[TOOL_RESULTS]";
inline constexpr std::string_view kResultsEnd = "[/TOOL_RESULTS]";
inline constexpr std::string_view kResultContent = "[TOOL_CONTENT]";
inline constexpr std::string_view kThink = "[THINK]";
inline constexpr std::string_view kThinkEnd = "[/THINK]";

// Vocabulary files before version 11 have no names for these two tokens.
inline constexpr std::string_view kArguments = "[ARGS]";
inline constexpr std::string_view kArgumentsOld = "<SPECIAL_32>";
inline constexpr std::string_view kCallId = "[CALL_ID]";
inline constexpr std::string_view kCallIdOld = "<SPECIAL_33>";
}  // namespace mistral

}  // namespace pedro
