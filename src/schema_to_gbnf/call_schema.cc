#include "schema_to_gbnf/call_schema.h"

#include <string>
#include <utility>

#include "json_schema/schema_keywords.h"

namespace pedro {
namespace {

// Prepends `to` to local references, because they are relative to the document root and the schema
// moves. An anchor has the same name everywhere. Also removes pedrocli's own keywords.
void move_references(Json& document, const std::string& to) {
  for_each_schema(document, [&to](Json& schema) {
    schema.erase("x-names");
    schema.erase("x-gbnf");
    const auto reference = schema.find("$ref");
    if (reference == schema.end() || !reference->is_string()) return;
    auto& target = reference->get_ref<std::string&>();
    if (target == "#" || target.starts_with("#/")) target.insert(1, to);
  });
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
