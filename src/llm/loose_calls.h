#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "call_parser/call_parser.h"
#include "call_parser/call_part.h"
#include "chat/chat_request.h"
#include "schema_to_gbnf/tool_calls.h"

namespace pedro {

/// Finds calls of known tools in text without a syntax, for servers that remove markers and models
/// that misspell them. A call has one of these forms:
///
///     {"name": "file", "arguments": {"path": "a.txt"}}   also with its arguments as a string
///     {"name": "file", "path": "a.txt"}
///     {"action": "read", "path": "a.txt"}                an action of one tool only
///     file[ARGS]{"path": "a.txt"}                        a name, separators, then the arguments
///     Action: file
///     Action Input: {"path": "a.txt"}
///     file(path='a.txt')
///     file path="a.txt"                                  alone in its line or in brackets
///     <function="file"><parameter="path">a.txt</parameter></function>
///     <file><path>a.txt</path></file>                    or with attributes
///     file<arg_key>path</arg_key><arg_value>a.txt</arg_value>
///
/// Names are those of CallNames, and objects those of read_loose_object(). Other keys may have the
/// name and the arguments if no other text is possible. Ignores objects of other tools and texts in
/// their strings. Stops at a broken call, since the rest may be its content. Does not check
/// arguments. Returns at most CallLimits::max_calls. Gives up after 64 candidates that are no
/// calls, or fewer with more than 64 KiB behind each. Takes linear time.
std::vector<CallPart> loose_calls(std::string_view text, std::span<const CallBranch> known);

/// Rewrites arguments as JSON that deviate from it in these ways. Leaves other arguments unchanged,
/// for example with a string that does not end.
void repair_arguments(std::span<RequestedCall> calls);

/// Finds calls in the text of a message, in any syntax. Takes the syntax with the most calls of
/// `known` that are valid after corrections. Then the most calls of known tools decide. Returns its
/// other calls and its rejected parts too, so that the model gets their errors. Without a valid
/// call, takes loose_calls() if all of them are valid. Ignores thinking in tags before a valid
/// call, and loose calls in thinking before any text. Empty without `known`.
std::vector<CallPart> calls_in_text(const std::string& text, std::span<const CallBranch> known);

/// The same for text that may contain drafts of calls. Empty unless each part is a valid call.
std::vector<CallPart> valid_calls_in_text(const std::string& text,
                                          std::span<const CallBranch> known);

/// Finds calls in the text of a message, else valid ones in its thinking.
std::vector<CallPart> calls_in_content(const ChatMessage& message,
                                       std::span<const CallBranch> known);

}  // namespace pedro
