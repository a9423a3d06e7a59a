#include "llm/calls_in_text.h"

#include <algorithm>

#include "grammar/repair_value.h"
#include "grammar/validate.h"

namespace pedro {
namespace {

// Returns true if a call is one of the known ones, after corrections of its arguments.
bool is_known_call(const CallPart& part, std::span<const CallBranch> known) {
  const auto* call = std::get_if<ParsedCall>(&part);
  return call != nullptr && std::any_of(known.begin(), known.end(), [&](const CallBranch& branch) {
           return branch.tool == call->tool &&
                  !validate(*branch.args, repair_value(*branch.args, call->args).value);
         });
}

}  // namespace

std::vector<CallPart> calls_in_text(const std::string& text, std::span<const CallBranch> known) {
  if (text.empty()) return {};
  for (const CallSyntax syntax : call_syntaxes()) {
    std::vector<CallPart> parts = parse_calls(text, syntax, known, CallChecks::kNothing);
    const bool is_right =
        !parts.empty() && std::all_of(parts.begin(), parts.end(),
                                      [&](auto& part) { return is_known_call(part, known); });
    if (is_right) return parts;
  }
  return {};
}

}  // namespace pedro
