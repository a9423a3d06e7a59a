#pragma once

#include "base/result.h"
#include "llm/capabilities.h"
#include "llm/slot_completion.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Probes a llama-server with five requests of a few tokens, on the slot of `probe`. A grammar and
/// a schema allow only one improbable word. A bias favours that word. Two requests test a prompt
/// with a removed middle. A rejected schema or bias counts as unsupported. A rejected grammar is an
/// error, because its message advises what to change.
Result<Capabilities> probe_capabilities(SlotCompletion& probe, Tokenizer& tokenizer);

}  // namespace pedro
