#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace pedro {

/// Syntaxes of calls in replies. Several families may share one.
enum class CallSyntax {
  kJson,      ///< objects in free text: {"tool": …, "args": {…}}
  kTags,      ///< <tool_call> with JSON or <function=…><parameter=…>
  kLlama,     ///< objects in free text or after <|python_tag|>
  kMistral,   ///< [TOOL_CALLS] before an array or name[ARGS]{…}
  kDeepseek,  ///< <｜tool▁calls▁begin｜>
  kHarmony,   ///< <|channel|>commentary to=functions.NAME
  kGemma,     ///< ```tool_code, or objects in free text
  kGlm,       ///< <tool_call> with a name and <arg_key>…<arg_value>
};

/// All syntaxes.
std::span<const CallSyntax> call_syntaxes();

/// Returns the name: "json", "tags", "llama", "mistral", "deepseek", "harmony", "gemma", "glm"
std::string_view to_string(CallSyntax syntax);

/// Returns the syntax with this name; nothing for an unknown name.
std::optional<CallSyntax> call_syntax_named(std::string_view name);

/// Returns the syntax of a format; `pedrocli format list` shows the names. Returns nothing for an
/// unknown format. Formats without their own calls (mistral-v1, chatml) have kJson.
std::optional<CallSyntax> call_syntax_of(std::string_view format);

}  // namespace pedro
