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

/// The result of one call.
struct EvalCall {
  std::string configuration;
  int run = 0;    ///< number of the conversation, from 1
  int round = 0;  ///< number of the call in the conversation, from 1
  int rounds = 0;
  std::string task;
  CallFailure failure = CallFailure::kNone;
  bool right = false;
  long long tokens = 0;     ///< generated tokens
  double ms = 0;            ///< duration of the request
  std::string notice;       ///< names unavailable features of the model; "" for none
  bool repaired = false;    ///< valid only after a repair of its arguments
  std::string reason = {};  ///< of kFailed, which ends the conversation
  std::string reply = {};   ///< the first call, else the text; at most 400 bytes
};

/// The first line of a record. Runs may be appended only under an equal header.
struct EvalHeader {
  std::string model;
  std::string backend;
  std::string format;
  std::string plan;  ///< hash of the plan and all other inputs that determine results
  std::string version;
  bool operator==(const EvalHeader&) const = default;
};

/// A record: one line for the header, then one line per call. The calls of a conversation are
/// adjacent.
struct EvalRecord {
  EvalHeader header;
  std::vector<EvalCall> calls;

  /// Returns true if the record contains the complete conversation.
  bool has(const std::string& configuration, int run) const;
};

std::string to_line(const EvalHeader& header);
std::string to_line(const EvalCall& call);

/// Reads a record. Skips an incomplete last line and incomplete conversations. A failed call
/// completes a conversation. Errors (kUsage) name
/// the line.
Result<EvalRecord> read_eval_record(std::string_view place, std::string_view text);

}  // namespace pedro
