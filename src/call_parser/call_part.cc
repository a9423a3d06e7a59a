#include "call_parser/call_part.h"

#include <fmt/format.h>

namespace pedro {

std::string_view to_string(CallProblem::Kind kind) {
  switch (kind) {
    case CallProblem::Kind::kNotClosed:
      return "not-closed";
    case CallProblem::Kind::kNotJson:
      return "not-json";
    case CallProblem::Kind::kNotACall:
      return "not-a-call";
    case CallProblem::Kind::kUnknownTool:
      return "unknown-tool";
    case CallProblem::Kind::kBadArguments:
      return "bad-arguments";
    case CallProblem::Kind::kTooMany:
      return "too-many";
    case CallProblem::Kind::kTooLong:
      return "too-long";
  }
  return "";
}

std::string to_string(const CallProblem& problem) {
  return fmt::format("{}: expected {}, got {}", problem.place, problem.expected, problem.found);
}

}  // namespace pedro
