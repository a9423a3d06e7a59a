#pragma once

#include "base/result.h"
#include "llm/capabilities.h"
#include "llm/slot_completion.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Tries what a llama-server can do, in five requests of a few tokens on the slot of `probe`: a
/// grammar and a schema that allow one absurd word only, a bias that makes a token of that word all
/// but certain, and a prompt out of whose middle something left. A schema or a bias that is refused
/// counts as not there; a grammar that is refused is an error, for an answer that says so names
/// what to do.
Result<Capabilities> probe_capabilities(SlotCompletion& probe, Tokenizer& tokenizer);

}  // namespace pedro
