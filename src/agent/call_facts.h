#pragma once

#include <string>

#include "chat/message.h"
#include "context/ledger.h"

namespace pedro {

/// Returns a short name of a call for headings: tool, action and most specific argument.
std::string name_of(const ToolCall& call);

/// Returns the facts that remain when a call's result is removed.
CallFacts facts_of(const ToolCall& call, const ToolResult& result);

/// Returns the facts of an accepted end of a phase with its output.
CallFacts facts_of_end(const std::string& phase, const Json& output);

}  // namespace pedro
