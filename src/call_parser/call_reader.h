#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "call_parser/call_collector.h"
#include "call_parser/call_syntax.h"
#include "call_parser/reply_text.h"

namespace pedro {

/// The result of a reader's step.
enum class Step {
  kOn,    ///< more may be readable now
  kWait,  ///< more bytes are needed, or the reply is complete
};

/// Reads the calls of one syntax while a reply is generated. Virtual, so that a syntax is one
/// source file and one row of PEDRO_CALL_SYNTAXES.
class CallReader {
 public:
  virtual ~CallReader() = default;

  /// Reads on, as far as the bytes so far determine.
  virtual void read(ReplyText& reply, CallCollector& out) {
    while (!out.full() && step(reply, out) == Step::kOn) {
    }
  }
  /// Returns true if the reply has a marker of the syntax.
  bool found_any() const { return found_any_; }

 protected:
  virtual Step step(ReplyText& reply, CallCollector& out) = 0;

  bool found_any_ = false;
};

/// A reader whose state is the function that makes its next step.
template <typename Reader>
class StateReader : public CallReader {
 protected:
  using State = Step (Reader::*)(ReplyText& reply, CallCollector& out);

  /// `find` searches for a call. A rejected call is skipped up to the first of `ends`.
  explicit StateReader(State find, std::vector<std::string_view> ends = {})
      : find_(find), state_(find), ends_(std::move(ends)) {}

  Step step(ReplyText& reply, CallCollector& out) override {
    return (static_cast<Reader&>(*this).*state_)(reply, out);
  }
  Step go(State next) {
    state_ = next;
    return Step::kOn;
  }
  Step skip(ReplyText& reply, CallCollector&) {
    return reply.seek(ends_) < 0 ? Step::kWait : go(find_);
  }
  Step ignore_rest(ReplyText& reply, CallCollector&) {
    reply.at = reply.text().size();
    return Step::kWait;
  }
  /// Rejects the call and ignores everything up to its end.
  Step reject(CallCollector& out, std::string expected) {
    out.reject_here(begin_, CallProblem::Kind::kNotACall, std::move(expected));
    return go(&StateReader::skip);
  }
  /// Rejects a call that the reply does not complete. Waits for more bytes before its end.
  Step reject_at_end(const ReplyText& reply, CallCollector& out, std::string_view expected) {
    return reply.ended() ? reject(out, std::string(expected)) : Step::kWait;
  }

  const State find_;
  State state_;
  std::vector<std::string_view> ends_;
  std::size_t begin_ = 0;  ///< of the call
};

#define PEDRO_DECLARE_READER(id, name, make) std::unique_ptr<CallReader> make();
PEDRO_CALL_SYNTAXES(PEDRO_DECLARE_READER)
#undef PEDRO_DECLARE_READER

}  // namespace pedro
