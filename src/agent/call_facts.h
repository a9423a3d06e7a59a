#pragma once

#include <string>

#include "chat/message.h"
#include "context/ledger.h"

namespace pedro {

/// A short name of a call, for headings: its tool, its action and the argument that tells most.
std::string name_of(const ToolCall& call);

/// What is remembered of a call when its result is gone.
CallFacts facts_of(const ToolCall& call, const ToolResult& result);

/// The same of the end of a phase that was accepted, with what it hands on.
CallFacts facts_of_end(const std::string& phase, const Json& output);

}  // namespace pedro
