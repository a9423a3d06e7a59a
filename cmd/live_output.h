#pragma once

#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/clock.h"
#include "call_parser/answer_stream.h"
#include "policy/policy_gate.h"
#include "secret_setup.h"

namespace pedro {

/// The output of `-live`: lines between those of the journal, for a program that shows the job.
/// docs/journal.md describes them. Borrows everything; one thread.
class LiveOutput {
 public:
  LiveOutput(const Clock& clock, const Secrets& secrets) : clock_(clock), secrets_(secrets) {}

  /// Prints a line of the journal. The next text begins another reply.
  void print_event(std::string_view line);

  /// Prints the new part of an answer, with secrets masked: whole words, at most 20 times a second.
  /// The journal has the complete answer later.
  void hear_text(std::string_view part);

  /// Prints a question of the policy, and waits for its answer on standard input. The answer is
  /// "no" if standard input ends. Errors: kInterrupted once `cancel` is set.
  Result<policy::Answer> ask(const policy::Question& question, const CancelToken& cancel);

 private:
  const Clock& clock_;
  const Secrets& secrets_;
  AnswerStream stream_{"answer"};
  std::string shown_;              // of the answer
  long long last_shown_ms_ = -50;  // on the monotonic clock
  int questions_ = 0;
};

}  // namespace pedro
