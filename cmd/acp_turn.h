#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "acp/job_updates.h"
#include "base/clock.h"
#include "base/json.h"
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

  /// Asks the job to end, as after Ctrl-C. Kills it if it has not ended after a minute, the time to
  /// commit its work. May be called any number of times.
  void stop();
  bool is_stopping() const { return stopped_ms_ > 0; }

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
  long long stopped_ms_ = 0;  // time of the request to end; 0: not requested
  std::unique_ptr<ChildProgram> program_;
};

}  // namespace pedro
