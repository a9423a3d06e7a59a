#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/feedback.h"
#include "agent/phase.h"
#include "agent/tool_set.h"
#include "call_parser/call_part.h"
#include "chat/chat_request.h"
#include "chat/message.h"
#include "context/conversation.h"
#include "context/ledger.h"
#include "llm/model.h"

namespace pedro {

/// Returns the call of phase_complete that a reply without a call means. The phase's output must be
/// exactly one required text, and the reply complete text without parts of calls. A phase that only
/// reads and needs no evidence takes the first such reply in a row, others the second.
/// `plain_replies` is the number of replies without a call in a row, with this one.
std::optional<ParsedCall> plain_answer(const Phase& phase, const Reply& reply, int plain_replies);

/// A call of a reply, with the name and the action that the model meant.
struct FoundCall {
  ParsedCall call;
  std::vector<std::string> repairs = {};
};

/// The calls in a reply.
struct FoundCalls {
  std::vector<FoundCall> calls;
  std::string problem;  ///< of the first part that is not a call; "" if there is none
};

/// Collects the calls of a reply. Omits a repeated call, and a call without arguments next to
/// another one of the same tool: servers repeat calls. Returns none if the reply has too many calls
/// or an overlong one, because a partial list must not run.
FoundCalls find_calls(const Reply& reply, const ToolSet& tools);

/// Returns the text next to calls that a server reports apart from it. "" for other replies: their
/// calls are in the text, and their format writes them again.
std::string text_beside_calls(const Reply& reply);

/// Returns a short name of a call for headings: tool, action and most specific argument.
std::string name_of(const ToolCall& call);

/// Returns the facts that remain when a call's result is removed.
CallFacts facts_of(const ToolCall& call, const ToolResult& result);

/// Returns the facts of an accepted end of a phase with its output.
CallFacts facts_of_end(const std::string& phase, const Json& output);

/// The next messages to the model, under construction: results of declared tools, each a separate
/// message, and the user message. A value.
class OpenTurn {
 public:
  /// Adds a result as a separate message. `message` has no text yet.
  void add_result(ChatMessage message, WrittenPart part);

  /// Adds a paragraph to the user message, after an empty line unless it is the first.
  void add_paragraph(WrittenPart part);

  /// Adds a part at the end: to the user message, else to the last result. `apart`: separates them
  /// with an empty line.
  void add_to_last(WrittenPart part, bool apart);

  /// Appends the messages to the conversation and clears this turn.
  void close_into(Conversation& conversation);

 private:
  struct Result {
    ChatMessage message;
    std::vector<WrittenPart> parts;
  };
  std::vector<Result> results_;
  std::vector<WrittenPart> user_;
};

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
