#include "agent/found_calls.h"

#include <algorithm>
#include <variant>

#include "base/text.h"

namespace pedro {
namespace {

bool is_repeated(const ParsedCall& call, const std::vector<FoundCall>& before) {
  return std::any_of(before.begin(), before.end(), [&](const FoundCall& other) {
    return other.call.tool == call.tool && other.call.args == call.args;
  });
}

// Removes calls without arguments if the same tool is called with arguments.
void drop_empty_calls(std::vector<FoundCall>& calls, const ToolSet& tools) {
  const auto has_args = [&](const std::string& tool) {
    return std::any_of(calls.begin(), calls.end(), [&](const FoundCall& other) {
      return other.call.tool == tool && !other.call.args.empty();
    });
  };
  std::vector<FoundCall> kept;
  for (const FoundCall& one : calls) {
    const bool is_empty = one.call.args.empty() && tools.needs_arguments(one.call.tool);
    if (!is_empty || !has_args(one.call.tool)) kept.push_back(one);
  }
  calls = std::move(kept);
}

}  // namespace

FoundCalls find_calls(const Reply& reply, const ToolSet& tools) {
  FoundCalls found;
  for (const CallPart& part : reply.parts) {
    if (const auto* call = std::get_if<ParsedCall>(&part)) {
      FoundCall one{*call};
      one.repairs = tools.correct_name(one.call);
      if (!is_repeated(one.call, found.calls)) found.calls.push_back(std::move(one));
      continue;
    }
    const CallProblem& problem = std::get<RejectedText>(part).problem;
    if (found.problem.empty()) found.problem = to_string(problem);
    const bool endless =
        problem.kind == CallProblem::Kind::kTooMany || problem.kind == CallProblem::Kind::kTooLong;
    if (endless) {
      found.calls.clear();
      return found;
    }
  }
  drop_empty_calls(found.calls, tools);
  return found;
}

std::string text_beside_calls(const Reply& reply) {
  for (const CallPart& part : reply.parts) {
    const ByteRange where = std::visit([](const auto& one) { return one.where; }, part);
    if (where != ByteRange{}) return "";
  }
  return std::string(trim(reply.text));
}

}  // namespace pedro
