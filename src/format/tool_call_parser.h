#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {

/// A call as it was written, before anyone checked that there is such a tool.
struct WrittenCall {
  std::string tool;
  Json args = Json::object();
};

/// What a reply says.
struct ParsedReply {
  std::vector<WrittenCall> calls;  ///< in the order they were written
  /// Where something looks like a call but is not one: what is wrong, for the model. Empty else.
  std::string problem;
};

/// Finds the tool calls in a model's free text, in this order: the whole text is an array of calls;
/// it is one call; calls in ``` code blocks; calls on lines of their own or anywhere in the text,
/// found by a scanner that knows strings. The first way that finds one wins. A call is an object
/// with `tool` (or `name`) and `args` (or `arguments`, `parameters`; an object, or a string holding
/// one). An object without arguments is a call only under the key `tool`, so that a package.json in
/// a code block is none. More than 32 calls are a problem and no call; text over 1 MiB is not
/// searched.
ParsedReply parse_tool_calls(std::string_view text);

}  // namespace pedro
