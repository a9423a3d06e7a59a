#include "grammar/call_schema.h"

#include <string>
#include <utility>
#include <vector>

namespace pedro {
namespace {

// Prepends `to` to local references, because they are relative to the document root and the schema
// moves. Also removes the private keyword `x-names`.
void move_references(Json& schema, const std::string& to) {
  std::vector<Json*> todo = {&schema};
  while (!todo.empty()) {
    Json& here = *todo.back();
    todo.pop_back();
    if (here.is_object()) {
      here.erase("x-names");
      const auto reference = here.find("$ref");
      if (reference != here.end() && reference->is_string()) {
        auto& target = reference->get_ref<std::string&>();
        if (target.starts_with('#')) target.insert(1, to);
      }
    }
    if (!here.is_structured()) continue;
    for (auto& inner : here) todo.push_back(&inner);
  }
}

Json args_of(const CallBranch& call, std::size_t index) {
  if (call.args_json == nullptr || !call.args_json->is_object()) return {{"type", "object"}};
  Json args = *call.args_json;
  for (const char* annotation : {"$schema", "$id", "title", "description", "examples"}) {
    args.erase(annotation);
  }
  move_references(args, "/anyOf/" + std::to_string(index) + "/properties/args");
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
