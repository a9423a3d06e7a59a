#include "call_parser/call_syntax.h"

#include <cstddef>

namespace pedro {
namespace {

#define PEDRO_SYNTAX_NAME(id, name, make) name,
constexpr std::string_view kSyntaxNames[] = {PEDRO_CALL_SYNTAXES(PEDRO_SYNTAX_NAME)};
#undef PEDRO_SYNTAX_NAME

}  // namespace

std::span<const CallSyntax> call_syntaxes() {
#define PEDRO_SYNTAX_ID(id, name, make) CallSyntax::id,
  static constexpr CallSyntax kAll[] = {PEDRO_CALL_SYNTAXES(PEDRO_SYNTAX_ID)};
#undef PEDRO_SYNTAX_ID
  return kAll;
}

std::string_view to_string(CallSyntax syntax) {
  return kSyntaxNames[static_cast<std::size_t>(syntax)];
}

std::optional<CallSyntax> call_syntax_named(std::string_view name) {
  for (const CallSyntax syntax : call_syntaxes()) {
    if (to_string(syntax) == name) return syntax;
  }
  return {};
}

}  // namespace pedro
