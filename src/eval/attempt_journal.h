#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"
#include "eval/attempt_record.h"
#include "monitor/job_figures.h"
#include "sys/file_system.h"

namespace pedro {

/// Computes the figures of an attempt from a job's journal.
class AttemptJournal {
 public:
  /// Processes the events of one journal, oldest first.
  void hear(const Json& event);
  /// Completes the last round. Call this after the last event.
  void end() { end_round(); }

  const JobFigures& job() const { return reader_.figures(); }
  /// Returns the delivered branch, else the job's branch; "" if there is none.
  const std::string& branch() const { return branch_; }
  /// Fills in the figures from the journal. `started_ms`: start time of the job's process, in ms
  /// since the epoch.
  void fill(TaskAttempt& attempt, long long started_ms) const;

 private:
  void hear_item(const Json& event);
  void end_round();

  FigureReader reader_;
  std::string branch_;
  long long rounds_ = 0;
  long long tries_ = 0;
  long long first_call_ms_ = 0;
  long long calls_ = 0;
  long long refused_ = 0;
  // State of the current round.
  bool in_round_ = false;
  bool did_something_ = false;
  long long refused_calls_ = 0;
  std::string reply_;
  // State of consecutive refused rounds.
  std::string last_refused_;
  long long same_now_ = 0;
  long long same_most_ = 0;
};

/// Reads the journal at `path`. Returns the errors of read_journal().
Result<AttemptJournal> read_attempt_journal(const FileSystem& files, const std::string& path);

}  // namespace pedro
