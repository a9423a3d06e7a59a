#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "format/call_part.h"
#include "format/json_extent.h"
#include "format/known_tools.h"
#include "format/reply_text.h"
#include "format/written_call.h"

namespace pedro {

/// The most that a reply may have of anything.
struct CallLimits {
  std::size_t max_bytes = 1U << 20U;  ///< what is behind them is not looked at
  std::size_t max_calls = 32;
  std::size_t max_rejected = 32;  ///< with the last of them reading ends
};

/// Takes what a reader finds, asks whether there are such tools, and keeps the parts in order.
/// Parts within <think> are held back: they count where nothing but blanks is behind </think>, or
/// where the thinking never ends; a model that thinks about a call and answers then has not called.
class CallCollector {
 public:
  CallCollector(const ReplyText& reply, const KnownTools& tools, const CallLimits& limits)
      : reply_(reply), tools_(tools), limits_(limits) {}

  /// A value that is a call, or holds calls.
  void add_value(ByteRange where, const Json& value, CallMark mark);
  /// Arguments behind a name.
  void add_arguments(ByteRange where, std::string_view tool, std::string_view id,
                     const Json& value);
  void add_call(ByteRange where, WrittenCall call);

  /// Whether the last call is to have this parameter behind it. Such a call is kept back until it
  /// has all of them, or something else comes.
  bool wants_body(std::string_view parameter) const;
  /// Requires wants_body(); `end` is the byte behind it.
  void add_body(const std::string& parameter, std::string_view text, std::size_t end);
  /// The reply ends within one: that call is none.
  void reject_open_body(std::string expected);

  void reject(ByteRange where, CallProblem problem);
  /// The same for what began at `begin` and cannot be right at the byte `at`, which is there.
  void reject_at(std::size_t begin, std::size_t at, CallProblem::Kind kind, std::string expected);
  /// The text is closed, but no JSON.
  void reject_value(ByteRange where, const Error& error);
  /// What began at `begin` cannot be right where the reply is read: the byte that is there is
  /// wrong, or the reply ends.
  void reject_here(std::size_t begin, CallProblem::Kind kind, std::string expected);
  /// Rejects all calls so far. The text at byte `at` shows that one of them was truncated.
  void reject_calls(std::size_t at, std::string expected);
  /// The reply ends within what began at `begin`.
  void reject_end(std::size_t begin, std::string expected);

  /// The reply is longer than it may be: what there is of it has been read, nothing more is.
  void reject_length();

  void open_thinking() {
    settle_call();
    thinking_ = true;
  }
  /// `at` is the byte behind the closing tag.
  void close_thinking(std::size_t at);
  /// Nothing comes any more.
  void finish();

  /// One of the limits was reached: nothing more is taken.
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
  std::optional<WaitingCall> waiting_;  // for bodies
  std::optional<std::size_t> thinking_ended_;
  bool thinking_ = false;
  bool full_ = false;
  std::size_t calls_ = 0;
  std::size_t rejected_ = 0;
};

}  // namespace pedro
