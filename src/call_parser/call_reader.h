#pragma once

#include <memory>

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

#define PEDRO_DECLARE_READER(id, name, make) std::unique_ptr<CallReader> make();
PEDRO_CALL_SYNTAXES(PEDRO_DECLARE_READER)
#undef PEDRO_DECLARE_READER

}  // namespace pedro
