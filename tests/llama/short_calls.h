#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "base/json.h"
#include "call_parser/call_part.h"
#include "chat/message.h"
#include "json_schema/schema.h"
#include "llama/build_phases.h"
#include "schema_to_gbnf/tool_calls.h"

namespace pedro {

/// The calls of a phase, with texts of at most 24 characters: noise fills the allowed length.
struct ShortCalls {
  ShortCalls(const BuildPhases& build, std::size_t phase, Bodies bodies);
  ShortCalls(const ShortCalls&) = delete;
  ShortCalls& operator=(const ShortCalls&) = delete;

  /// Keeps only calls with texts after them, if there are any.
  void keep_those_with_texts();

  /// Returns the error in a call, or "".
  std::string check(const ParsedCall& call) const;

  std::deque<Schema> schemas;
  std::deque<Json> written;          ///< borrowed by `branches`
  std::vector<CallBranch> branches;  ///< borrow from both
};

}  // namespace pedro
