#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/call_facts.h"
#include "agent/feedback.h"
#include "agent/open_turn.h"
#include "agent/tool_set.h"

namespace pedro {

/// The result of a call, for the model.
struct CallAnswer {
  std::string heading = {};  ///< the call; "" for an accepted end of a phase
  bool ok = true;
  std::string text = {};
  std::string call_id = {};
  std::string tool = {};
  bool pinned = false;                          ///< see WrittenPart
  std::string kept_as = {};                     ///< see WrittenPart
  std::shared_ptr<const CallFacts> facts = {};  ///< see WrittenPart
};

/// Records repairs of a call's arguments in its result, and adds all repairs to the text.
void add_repairs(ToolResult& result, std::vector<std::string> repairs, const Feedback& feedback);

/// Adds an answer to the next turn. Results of declared tools are separate messages; those of
/// described tools are paragraphs of one text.
void add_answer(OpenTurn& turn, CallAnswer answer, ToolStyle style, const Feedback& feedback);

}  // namespace pedro
