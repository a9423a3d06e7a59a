#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "base/json.h"
#include "chat/message.h"
#include "format/call_part.h"
#include "grammar/schema.h"
#include "grammar/tool_calls.h"
#include "llama/build_phases.h"

namespace pedro {

/// What a phase can call, with texts of at most 24 characters: noise goes on for as long as it may.
struct ShortCalls {
  ShortCalls(const BuildPhases& build, std::size_t phase, Bodies bodies);
  ShortCalls(const ShortCalls&) = delete;
  ShortCalls& operator=(const ShortCalls&) = delete;

  /// Those that have a text behind them, if there are any.
  void keep_those_with_texts();

  /// What is wrong with a call; "" where nothing is.
  std::string check(const ParsedCall& call) const;

  std::deque<Schema> schemas;
  std::deque<Json> written;          ///< the same
  std::vector<CallBranch> branches;  ///< borrow both
};

}  // namespace pedro
