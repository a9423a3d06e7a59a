#include "schema_to_gbnf/call_schema.h"

#include <string>
#include <utility>

#include "json_schema/schema_keywords.h"

namespace pedro {
namespace {

Json args_of(const CallBranch& call, std::size_t index) {
  if (call.args_json == nullptr || !call.args_json->is_object()) return {{"type", "object"}};
  Json args = moved_schema(*call.args_json, "/anyOf/" + std::to_string(index) + "/properties/args");
  for_each_schema(args, [](Json& schema) {
    schema.erase("x-names");
    schema.erase("x-gbnf");
  });
  return args;
}

}  // namespace

Json call_schema(std::span<const CallBranch> calls) {
  Json branches = Json::array();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    branches.push_back(
        {{"type", "object"},
         {"properties", {{"tool", {{"const", calls[i].tool}}}, {"args", args_of(calls[i], i)}}},
         {"required", {"tool", "args"}},
         {"additionalProperties", false}});
  }
  return {{"anyOf", std::move(branches)}};
}

}  // namespace pedro
