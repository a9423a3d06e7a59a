#pragma once

#include <span>
#include <string>
#include <vector>

#include "grammar/schema_to_gbnf.h"

namespace pedro {

/// One thing that a reply may call.
struct CallBranch {
  std::string tool;
  std::string action;  ///< names the rules; empty where the tool has just one
  /// Of the whole `args` object. An `action` property, if there is one, is in it (as a constant,
  /// and first, so that the branches of a tool part as early as possible).
  Schema args;
};

/// What stands around a call: `open` TOOL `middle` ARGS `close`, to the letter. Well-formed UTF-8.
struct CallWrapping {
  std::string open = "{\"tool\": ";
  bool quoted_name = true;  ///< the tool's name as a JSON string, or as it is
  std::string middle = ", \"args\": ";
  std::string close = "}";
};

/// The grammar of a reply that is exactly one call of one of the branches. Each tool's name stands
/// there once, in the order of its first branch, with an alternative per branch behind it; what
/// the branches begin with is written once. No branches: a grammar that matches nothing.
/// Where the grammar allows more than a schema, it is appended to `loosened`, with
/// "tool.action: " before the pointer. Same input, same bytes.
Gbnf tool_call_grammar(std::span<const CallBranch> branches, const CallWrapping& wrapping = {},
                       std::vector<Loosened>* loosened = nullptr);

}  // namespace pedro
