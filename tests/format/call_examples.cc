#include "format/call_examples.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

namespace pedro {

std::string read_example(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

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
