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

/// Finds the calls in a model's reply while it is being written. The pieces may be cut anywhere,
/// also within a letter: what is found is what would be found in the whole. A call is found with
/// its last byte, whether or not a closing tag follows.
///
/// A call has the shape that its syntax gives it, the name of a known tool, and arguments that fit
/// that tool's schema. What looks like one and is none is rejected, with the reason; everything
/// else is text. What is found in <think>…</think> (or [THINK]) waits for the end of the reply: see
/// CallCollector. Where no marker of the syntax stands in the whole reply, it is read once more as
/// CallSyntax::kJson, at its end: models that were not shown tools in their own way write that.
///
/// The reply is hostile. Time and memory grow with its length, which is limited; nothing recurses.
/// One thread at a time.
class CallParser {
 public:
  /// What may be called; borrowed. Without any branch, every name and all arguments will do.
  CallParser(CallSyntax syntax, std::span<const CallBranch> known, const CallLimits& limits = {},
             CallChecks checks = CallChecks::kAll);
  CallParser(const CallParser&) = delete;
  CallParser& operator=(const CallParser&) = delete;

  /// The next piece of the reply.
  void feed(std::string_view piece);
  /// The reply is at its end. Nothing is fed after that.
  void finish();

  /// What has been found so far, in the order of the reply; only ever appended to.
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
  std::optional<CallCollector> again_;  // of the second reading
};

/// All of it at once.
std::vector<CallPart> parse_calls(std::string_view reply, CallSyntax syntax,
                                  std::span<const CallBranch> known = {},
                                  CallChecks checks = CallChecks::kAll);

}  // namespace pedro
