#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace pedro {

/// The syntaxes of calls in replies: enumerator, name, and the function of `NAME_call_reader.cc`
/// that makes its reader. Several families may share one. A template or a text has the first syntax
/// that reads its calls, so specific markers come first.
// clang-format off
#define PEDRO_CALL_SYNTAXES(row)               \
  row(kTags, "tags", new_tag_reader)           \
  row(kGlm, "glm", new_key_value_reader)       \
  row(kInvoke, "invoke", new_invoke_reader)    \
  row(kMistral, "mistral", new_mistral_reader) \
  row(kDeepseek, "deepseek", new_deepseek_reader) \
  row(kKimi, "kimi", new_kimi_reader)          \
  row(kHarmony, "harmony", new_harmony_reader) \
  row(kGemma4, "gemma4", new_gemma4_reader)    \
  row(kPython, "python", new_python_reader)    \
  row(kLlama, "llama", new_llama_reader)       \
  row(kGemma, "gemma", new_gemma_reader)       \
  row(kJson, "json", new_json_reader)
// clang-format on

#define PEDRO_NAME_SYNTAX(id, name, make) id,
enum class CallSyntax : std::uint8_t { PEDRO_CALL_SYNTAXES(PEDRO_NAME_SYNTAX) };
#undef PEDRO_NAME_SYNTAX

/// All syntaxes, in the order of the list.
std::span<const CallSyntax> call_syntaxes();

/// Returns the name of the list.
std::string_view to_string(CallSyntax syntax);

/// Returns the syntax with this name; nothing for an unknown name.
std::optional<CallSyntax> call_syntax_named(std::string_view name);

}  // namespace pedro
