#include "call_parser/call_examples.h"

namespace pedro {

Json in_json(const CallPart& part) {
  if (const auto* call = std::get_if<ParsedCall>(&part)) {
    Json json = {{"tool", call->tool}, {"args", call->args}};
    if (!call->id.empty()) json["id"] = call->id;
    return json;
  }
  const CallProblem& problem = std::get<RejectedText>(part).problem;
  return {{"rejected", to_string(problem.kind)},
          {"place", problem.place},
          {"expected", problem.expected},
          {"found", problem.found}};
}

Json in_json(const std::vector<CallPart>& parts) {
  Json list = Json::array();
  for (const CallPart& part : parts) list.push_back(in_json(part));
  return list;
}

}  // namespace pedro
