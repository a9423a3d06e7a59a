#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

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

}  // namespace pedro
