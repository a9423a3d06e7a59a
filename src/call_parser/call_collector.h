#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "call_parser/call_part.h"
#include "call_parser/json_extent.h"
#include "call_parser/known_tools.h"
#include "call_parser/reply_text.h"
#include "call_parser/written_call.h"

namespace pedro {

/// Limits of one reply.
struct CallLimits {
  std::size_t max_bytes = 1U << 20U;  ///< bytes after them are not read
  std::size_t max_calls = 32;
  std::size_t max_rejected = 32;  ///< reading ends with the last of them
};

/// Collects a reader's findings, checks them against the known tools, and keeps the parts in order.
/// Parts within <think> are held back. They count if only blanks follow </think>, or if the
/// thinking never ends. A model that thinks about a call and then answers has not called.
class CallCollector {
 public:
  CallCollector(const ReplyText& reply, const KnownTools& tools, const CallLimits& limits)
      : reply_(reply), tools_(tools), limits_(limits) {}

  /// Adds a value that is a call or contains calls.
  void add_value(ByteRange where, const Json& value, CallMark mark);
  /// Adds a call with arguments that followed its name.
  void add_arguments(ByteRange where, std::string_view tool, std::string_view id,
                     const Json& value);
  void add_call(ByteRange where, WrittenCall call);

  /// Returns true if the last call needs this parameter as a text after it. Such a call waits until
  /// it has all of them or another part follows.
  bool wants_body(std::string_view parameter) const;
  /// Adds such a text. Requires wants_body(). `end` is the offset after the text.
  void add_body(const std::string& parameter, std::string_view text, std::size_t end);
  /// Rejects the waiting call, because the reply ends within one of its texts.
  void reject_open_body(std::string expected);

  void reject(ByteRange where, CallProblem problem);
  /// Rejects a part that began at `begin` and is wrong at the existing byte `at`.
  void reject_at(std::size_t begin, std::size_t at, CallProblem::Kind kind, std::string expected);
  /// Rejects a complete text that is not JSON.
  void reject_value(ByteRange where, const Error& error);
  /// Rejects the part from `begin` that is wrong at the read position: by its byte, or because the
  /// reply ends.
  void reject_here(std::size_t begin, CallProblem::Kind kind, std::string expected);
  /// Rejects all calls so far. The text at byte `at` shows that one of them was truncated.
  void reject_calls(std::size_t at, std::string expected);
  /// Rejects a part that began at `begin`, because the reply ends within it.
  void reject_end(std::size_t begin, std::string expected);

  /// Rejects the rest of a reply that is longer than the limit, and stops reading.
  void reject_length();

  void open_thinking() {
    settle_call();
    thinking_ = true;
  }
  /// Ends the thinking. `at` is the offset after the closing tag.
  void close_thinking(std::size_t at);
  /// Ends the reply.
  void finish();

  /// Returns true if a limit was reached. No more parts are added then.
  bool full() const { return full_; }
  bool empty() const { return parts_.empty() && held_.empty() && !waiting_; }
  const KnownTools& tools() const { return tools_; }
  const std::vector<CallPart>& parts() const { return parts_; }

 private:
  struct WaitingCall {
    ByteRange where;
    WrittenCall call;
  };

  void add(CallPart part);
  bool misses_bodies(const WrittenCall& call) const;
  void settle_call();
  bool reject_bytes(ByteRange where);
  void settle_thinking(std::size_t before);
  bool add_calls_in(ByteRange where, const Json& value);

  const ReplyText& reply_;
  const KnownTools& tools_;
  CallLimits limits_;
  std::vector<CallPart> parts_;
  std::vector<CallPart> held_;
  std::optional<WaitingCall> waiting_;  // waits for its texts
  std::optional<std::size_t> thinking_ended_;
  bool thinking_ = false;
  bool full_ = false;
  std::size_t calls_ = 0;
  std::size_t rejected_ = 0;
};

}  // namespace pedro
