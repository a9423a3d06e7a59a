#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "monitor/job_figures.h"
#include "sys/file_system.h"

namespace pedro {

/// The result of one run of one task.
struct TaskAttempt {
  std::string task;
  int run = 1;
  std::string kind;
  std::string language;
  bool solved = false;            ///< the hidden check passes in a fresh clone of the result
  std::string outcome;            ///< of the job, one word; "timeout" after the time limit
  int exit_code = 0;              ///< of the job
  bool verified = false;          ///< the job reports that its checks pass
  bool visible_in_clone = false;  ///< the visible check passes in a fresh clone of the result
  long long rounds = 0;
  long long calls = 0;         ///< tool calls
  long long refused = 0;       ///< refused calls, and replies after which nothing ran
  long long same_refused = 0;  ///< longest run of refused replies with identical text
  long long generated_tokens = 0;
  long long prompt_tokens = 0;
  long long cached_tokens = 0;
  double seconds = 0;        ///< wall-clock time
  double first_call_s = -1;  ///< from the start to the end of the first executed call; -1: none
  long long tries = 0;       ///< checked answers; 0 if the journal has no count

  bool falsely_verified() const { return verified && !visible_in_clone; }
};

/// The first line of a record. Attempts may be appended only under an equal header.
struct AttemptHeader {
  std::string agent;  ///< "build", or "alone": one request without an agent
  std::string label;  ///< human-readable name of the configuration
  std::string tasks;  ///< hash of the tasks
  std::string args;   ///< extra arguments for the agent, beyond those of every task
  std::string version;
  std::string model;
  std::string backend;
  std::string format;
  bool operator==(const AttemptHeader&) const = default;

  /// Returns the name of this configuration: the label, else the agent.
  const std::string& name() const { return label.empty() ? agent : label; }
};

/// A record: one line for the header, then one line per attempt.
struct AttemptRecord {
  AttemptHeader header;
  std::vector<TaskAttempt> attempts;

  const TaskAttempt* find(std::string_view task, int run) const;
};

std::string to_line(const AttemptHeader& header);
std::string to_line(const TaskAttempt& attempt);

/// Returns true if `text` begins like a record of attempts.
bool is_attempt_record(std::string_view text);
/// Reads a record. Ignores an incomplete last line. The first line for an attempt wins: no result
/// is replaced by a luckier one. Errors (kUsage) name the line.
Result<AttemptRecord> read_attempt_record(std::string_view place, std::string_view text);

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
