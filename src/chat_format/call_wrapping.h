#pragma once

#include <functional>
#include <optional>

#include "base/result.h"
#include "chat_format/call_form.h"
#include "schema_to_gbnf/tool_calls.h"

namespace pedro {

/// Returns the model's token for a control token; nothing if it is written as text.
using OneTokenOf = std::function<Result<std::optional<OneToken>>(const ControlToken&)>;

/// Returns true if calls of the form are JSON and do not end the reply. Verbatim texts can then
/// follow a call (CallBranch::bodies).
bool takes_bodies(const CallForm& form);

/// Converts a form to a wrapping for the grammar. It covers a call after `lead`, up to the end of
/// the arguments or of the texts after the call. Errors are those of `token_of`.
Result<CallWrapping> call_wrapping(const CallForm& form, const OneTokenOf& token_of);

}  // namespace pedro
