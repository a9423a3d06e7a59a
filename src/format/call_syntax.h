#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace pedro {

/// How models write calls. Several families share one.
enum class CallSyntax {
  kJson,      ///< objects in free text: {"tool": …, "args": {…}}
  kTags,      ///< <tool_call>, and in it JSON or <function=…><parameter=…>
  kLlama,     ///< objects in free text, or behind <|python_tag|>
  kMistral,   ///< [TOOL_CALLS], and behind it an array or name[ARGS]{…}
  kDeepseek,  ///< <｜tool▁calls▁begin｜>
  kHarmony,   ///< <|channel|>commentary to=functions.NAME
  kGemma,     ///< ```tool_code, or objects in free text
  kGlm,       ///< <tool_call>, and in it a name and <arg_key>…<arg_value>
};

/// All of them.
std::span<const CallSyntax> call_syntaxes();

/// "json", "tags", "llama", "mistral", "deepseek", "harmony", "gemma", "glm"
std::string_view to_string(CallSyntax syntax);

/// The other way round; nothing where none has that name.
std::optional<CallSyntax> call_syntax_named(std::string_view name);

/// The syntax of a format: `pedrocli format list` has their names. Nothing where no format has
/// that name; one without calls of its own (mistral-v1, chatml) has those of kJson.
std::optional<CallSyntax> call_syntax_of(std::string_view format);

}  // namespace pedro
