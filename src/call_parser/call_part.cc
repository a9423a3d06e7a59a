#include "call_parser/call_part.h"

#include <fmt/format.h>

namespace pedro {

std::string_view to_string(CallProblem::Kind kind) {
  constexpr std::string_view kNames[] = {"not-closed",    "not-json", "not-a-call", "unknown-tool",
                                         "bad-arguments", "too-many", "too-long"};
  return kNames[static_cast<int>(kind)];
}

std::string to_string(const CallProblem& problem) {
  return fmt::format("{}: expected {}, got {}", problem.place, problem.expected, problem.found);
}

}  // namespace pedro
