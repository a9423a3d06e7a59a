#include "agent/found_calls.h"

#include <variant>

#include "base/text.h"

namespace pedro {

FoundCalls find_calls(const Reply& reply) {
  FoundCalls found;
  for (const CallPart& part : reply.parts) {
    if (const auto* call = std::get_if<ParsedCall>(&part)) {
      found.calls.push_back(call);
      continue;
    }
    const CallProblem& problem = std::get<RejectedText>(part).problem;
    if (found.problem.empty()) found.problem = to_string(problem);
    const bool endless =
        problem.kind == CallProblem::Kind::kTooMany || problem.kind == CallProblem::Kind::kTooLong;
    if (endless) found.calls.clear();
  }
  return found;
}

std::string text_beside_calls(const Reply& reply) {
  for (const CallPart& part : reply.parts) {
    const auto* call = std::get_if<ParsedCall>(&part);
    if (call == nullptr || call->where != ByteRange{}) return "";
  }
  return std::string(trim(reply.text));
}

}  // namespace pedro
