#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "acp/job_updates.h"
#include "base/clock.h"
#include "base/json.h"
#include "job/job_store.h"
#include "sys/child_program.h"

namespace pedro {

/// A job that runs for a prompt of a session: a child process with `-live`. Its lines become
/// updates. The job ends if this process is killed. Only for the main thread.
class AcpTurn {
 public:
  struct Events {
    std::function<void(const std::string& job)> on_job;  ///< the job has an id
    /// The policy asks: {number, what, why, always}. answer() replies.
    std::function<void(const Json& question)> on_question;
  };

  /// `argv`: a command line of this program. Borrows `updates` and the clock. Errors: the process
  /// cannot be started.
  static Result<std::unique_ptr<AcpTurn>> start(const std::vector<std::string>& argv,
                                                acp::JobUpdates& updates, Events events,
                                                const Clock& clock);

  ChildProgram& program() { return *program_; }

  /// Answers the question with this number: "yes", "no" or "always".
  void answer(long long number, std::string_view word) const;

  /// See ChildProgram::stop(): after Ctrl-C, a job commits its work.
  void stop() { program_->stop(clock_, kCommitGrace_ms); }
  bool is_stopping() const { return program_->is_stopping(); }

  /// Returns the last error that the process printed; "" if there is none.
  const std::string& last_error() const { return last_error_; }

 private:
  AcpTurn(acp::JobUpdates& updates, Events events, const Clock& clock)
      : updates_(updates), events_(std::move(events)), clock_(clock) {}
  void hear(StandardStream stream, std::string_view line);

  acp::JobUpdates& updates_;
  Events events_;
  const Clock& clock_;
  std::string last_error_;
  std::unique_ptr<ChildProgram> program_;
};

/// The end of a turn, for the client and for the later turns.
struct AcpTurnEnd {
  std::string stop_reason;  ///< of the protocol; "" if the turn failed
  std::string problem;      ///< the reason of a failure
  std::string said;         ///< the answer, or the text in its place
};

/// The acts of a client during a turn.
struct ClientActs {
  bool cancelled = false;
  bool went_away = false;
};

/// Returns the end of a turn whose job had this exit code.
AcpTurnEnd end_of(const AcpTurn& turn, const acp::JobUpdates& updates, int code, ClientActs client);

}  // namespace pedro
