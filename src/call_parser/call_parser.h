#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "call_parser/call_collector.h"
#include "call_parser/call_part.h"
#include "call_parser/call_reader.h"
#include "call_parser/call_syntax.h"

namespace pedro {

/// Finds the calls in a model's reply while it is generated. Pieces may be split anywhere, also
/// within a UTF-8 sequence; the result does not depend on that. A call is found at its last byte,
/// with or without a closing tag.
///
/// A call has the shape of its syntax, the name of a known tool, and arguments that fit its schema.
/// An invalid attempt is rejected with the reason; everything else is text. Calls in
/// <think>…</think> (or [THINK]) wait for the end of the reply: see CallCollector. A reply without
/// any marker of the syntax is read again as CallSyntax::kJson at its end. Models that were not
/// shown tools in their own format write such calls.
///
/// The reply is untrusted. Time and memory grow linearly with its length, which is limited; nothing
/// recurses. One thread at a time.
class CallParser {
 public:
  /// `known` are the allowed calls; borrowed. Without any branch, all names and arguments are
  /// valid.
  CallParser(CallSyntax syntax, std::span<const CallBranch> known, const CallLimits& limits = {},
             CallChecks checks = CallChecks::kAll);
  CallParser(const CallParser&) = delete;
  CallParser& operator=(const CallParser&) = delete;

  /// Reads the next piece of the reply.
  void feed(std::string_view piece);
  /// Ends the reply. Do not feed pieces after that.
  void finish();

  /// The parts found so far, in the order of the reply. Parts are only appended.
  const std::vector<CallPart>& parts() const { return found().parts(); }

 private:
  const CallCollector& found() const { return again_ ? *again_ : out_; }
  void read_again();

  KnownTools tools_;
  CallLimits limits_;
  ReplyText reply_;
  CallCollector out_;
  std::unique_ptr<CallReader> reader_;
  std::optional<CallCollector> again_;  // results of the second reading
};

/// Finds the calls in a complete reply.
///
///     parse_calls("<tool_call>{\"name\": \"ls\", \"arguments\": {}}</tool_call>",
///     CallSyntax::kTags)
///     // one ParsedCall of the tool "ls"
std::vector<CallPart> parse_calls(std::string_view reply, CallSyntax syntax,
                                  std::span<const CallBranch> known = {},
                                  CallChecks checks = CallChecks::kAll);

}  // namespace pedro
