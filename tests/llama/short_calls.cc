#include "llama/short_calls.h"

#include "base/json.h"
#include "json_schema/schema_keywords.h"
#include "json_schema/validate.h"

namespace pedro {
ShortCalls::ShortCalls(const BuildPhases& build, std::size_t phase, Bodies bodies) {
  branches = call_branches(build.registry(), build.phases()[phase], bodies);
  for (CallBranch& branch : branches) {
    const Manifest* tool = build.registry().find(branch.tool);
    const Json& json = tool == nullptr ? build.phases()[phase].output_schema_json
                                       : tool->find(branch.action)->schema_json;
    written.push_back(with_short_texts(json, 24));
    auto schema = parse_schema(written.back(), SchemaDialect::kClosed);
    schemas.push_back(*std::move(schema));
    branch.args = &schemas.back();
    branch.args_json = &written.back();
  }
}

void ShortCalls::keep_those_with_texts() {
  std::vector<CallBranch> kept;
  for (const CallBranch& branch : branches) {
    if (!branch.bodies.empty()) kept.push_back(branch);
  }
  if (!kept.empty()) branches = std::move(kept);
}

std::string ShortCalls::check(const ParsedCall& call) const {
  for (const CallBranch& branch : branches) {
    const bool same = branch.tool == call.tool && branch.action == text_of(call.args, "action");
    if (!same) continue;
    const auto violation = validate(*branch.args, call.args);
    return violation ? to_string(*violation) : "";
  }
  return "there is no such call";
}

}  // namespace pedro
