#pragma once

#include <functional>
#include <optional>

#include "base/result.h"
#include "format/call_form.h"
#include "grammar/tool_calls.h"
#include "tokenizer/token_id.h"

namespace pedro {

/// The id of a control token; nothing where it is to be text.
using ControlTokenId = std::function<Result<std::optional<TokenId>>(const ControlToken&)>;

/// Whether calls of the form are JSON and do not end the reply, so that texts can stand behind one
/// as they are (CallBranch::bodies).
bool takes_bodies(const CallForm& form);

/// The grammar's side of a form: what stands around a call in a reply that was begun with its
/// `lead`, up to the end of the arguments, or of the texts behind the call. Errors are those of
/// `id_of`.
Result<CallWrapping> call_wrapping(const CallForm& form, const ControlTokenId& id_of);

}  // namespace pedro
