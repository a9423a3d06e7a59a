#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "eval/grade.h"

namespace pedro {

/// What came of one call.
struct EvalCall {
  std::string configuration;
  int run = 0;    ///< which conversation, from 1
  int round = 0;  ///< in it, from 1
  int rounds = 0;
  std::string task;
  CallFailure failure = CallFailure::kNone;
  bool right = false;
  long long tokens = 0;  ///< generated
  double ms = 0;         ///< from asking to having it
  std::string notice;    ///< of what had to be done without; "" for none
};

/// The first line of a record. Runs can be added to a record only where this is the same.
struct EvalHeader {
  std::string model;
  std::string backend;
  std::string format;
  std::string plan;  ///< hash of the plan and of what else decides
  std::string version;
  bool operator==(const EvalHeader&) const = default;
};

/// A record: the header's line, then a line for each call, the calls of one conversation together.
struct EvalRecord {
  EvalHeader header;
  std::vector<EvalCall> calls;

  /// Whether a conversation is in it, whole.
  bool has(const std::string& configuration, int run) const;
};

std::string to_line(const EvalHeader& header);
std::string to_line(const EvalCall& call);

/// Reads a record; a torn last line, or a conversation that is not whole, is left out. Errors
/// (kUsage) name the line.
Result<EvalRecord> read_eval_record(std::string_view place, std::string_view text);

}  // namespace pedro
