#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "format/call_collector.h"
#include "format/call_part.h"
#include "format/call_syntax.h"
#include "format/deepseek_call_reader.h"
#include "format/harmony_call_reader.h"
#include "format/json_call_reader.h"
#include "format/key_value_call_reader.h"
#include "format/mistral_call_reader.h"
#include "format/tag_call_reader.h"

namespace pedro {

/// Finds the calls in a model's reply while it is generated. Pieces may be split anywhere, also
/// within a UTF-8 sequence; the result does not depend on that. A call is found at its last byte,
/// with or without a closing tag.
///
/// A call has the shape of its syntax, the name of a known tool, and arguments that fit that tool's
/// schema. An invalid attempt is rejected with the reason; everything else is text. Calls in
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
  using Reader = std::variant<JsonCallReader, TagCallReader, MistralCallReader, DeepseekCallReader,
                              HarmonyCallReader, KeyValueCallReader>;

  static Reader reader_of(CallSyntax syntax);
  const CallCollector& found() const { return again_ ? *again_ : out_; }
  void read();
  void read_again();

  KnownTools tools_;
  CallLimits limits_;
  ReplyText reply_;
  CallCollector out_;
  Reader reader_;
  std::optional<CallCollector> again_;  // results of the second reading
};

/// Finds the calls in a complete reply.
std::vector<CallPart> parse_calls(std::string_view reply, CallSyntax syntax,
                                  std::span<const CallBranch> known = {},
                                  CallChecks checks = CallChecks::kAll);

}  // namespace pedro
