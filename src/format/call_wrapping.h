#pragma once

#include <functional>
#include <optional>

#include "base/result.h"
#include "format/call_form.h"
#include "grammar/tool_calls.h"

namespace pedro {

/// The model's token for a control token; nothing where it is to be text.
using OneTokenOf = std::function<Result<std::optional<OneToken>>(const ControlToken&)>;

/// Whether calls of the form are JSON and do not end the reply, so that texts can stand behind one
/// as they are (CallBranch::bodies).
bool takes_bodies(const CallForm& form);

/// The grammar's side of a form: what stands around a call in a reply that was begun with its
/// `lead`, up to the end of the arguments, or of the texts behind the call. Errors are those of
/// `token_of`.
Result<CallWrapping> call_wrapping(const CallForm& form, const OneTokenOf& token_of);

}  // namespace pedro
