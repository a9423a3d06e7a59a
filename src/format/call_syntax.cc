#include "format/call_syntax.h"

namespace pedro {
namespace {

struct FormatSyntax {
  std::string_view format;
  CallSyntax syntax;
};

constexpr FormatSyntax kSyntaxOfFormat[] = {
    {"generic", CallSyntax::kJson},
    {"chatml", CallSyntax::kJson},
    {"hermes", CallSyntax::kTags},
    {"qwen3-coder", CallSyntax::kTags},
    {"qwen3.5", CallSyntax::kTags},
    {"llama3", CallSyntax::kLlama},
    {"gemma", CallSyntax::kGemma},
    {"deepseek", CallSyntax::kDeepseek},
    {"deepseek-v3.1", CallSyntax::kDeepseek},
    {"harmony", CallSyntax::kHarmony},
    {"mistral-v1", CallSyntax::kJson},
    {"mistral-v2", CallSyntax::kMistral},
    {"mistral-v3", CallSyntax::kMistral},
    {"mistral-v3-tekken", CallSyntax::kMistral},
    {"mistral-v7", CallSyntax::kMistral},
    {"mistral-v7-tekken", CallSyntax::kMistral},
    {"mistral-v11-tekken", CallSyntax::kMistral},
    {"mistral-v13-tekken", CallSyntax::kMistral},
};

}  // namespace

std::span<const CallSyntax> call_syntaxes() {
  static constexpr CallSyntax kAll[] = {
      CallSyntax::kJson,     CallSyntax::kTags,    CallSyntax::kLlama, CallSyntax::kMistral,
      CallSyntax::kDeepseek, CallSyntax::kHarmony, CallSyntax::kGemma, CallSyntax::kGlm};
  return kAll;
}

std::string_view to_string(CallSyntax syntax) {
  switch (syntax) {
    case CallSyntax::kJson:
      return "json";
    case CallSyntax::kTags:
      return "tags";
    case CallSyntax::kLlama:
      return "llama";
    case CallSyntax::kMistral:
      return "mistral";
    case CallSyntax::kDeepseek:
      return "deepseek";
    case CallSyntax::kHarmony:
      return "harmony";
    case CallSyntax::kGemma:
      return "gemma";
    case CallSyntax::kGlm:
      return "glm";
  }
  return "";
}

std::optional<CallSyntax> call_syntax_named(std::string_view name) {
  for (const CallSyntax syntax : call_syntaxes()) {
    if (to_string(syntax) == name) return syntax;
  }
  return {};
}

std::optional<CallSyntax> call_syntax_of(std::string_view format) {
  for (const FormatSyntax& row : kSyntaxOfFormat) {
    if (row.format == format) return row.syntax;
  }
  return {};
}

}  // namespace pedro
