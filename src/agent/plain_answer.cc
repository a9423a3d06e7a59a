#include "agent/plain_answer.h"

#include <algorithm>
#include <string>

#include "agent/tool_set.h"
#include "base/text.h"

namespace pedro {
namespace {

// Returns the name of the only output of a phase if it is a required text; "" if there are others.
std::string only_text_output(const Json& schema) {
  const Json& properties = member(schema, "properties");
  const Json& required = member(schema, "required");
  if (!properties.is_object() || properties.size() != 1 || required.size() != 1) return "";
  const auto only = properties.begin();
  return required[0] == only.key() && text_of(only.value(), "type") == "string" ? only.key() : "";
}

bool only_reads(const Phase& phase) {
  return std::all_of(phase.allow.begin(), phase.allow.end(),
                     [](Permission permission) { return permission == Permission::kRead; });
}

}  // namespace

std::optional<ParsedCall> plain_answer(const Phase& phase, const Reply& reply, int plain_replies) {
  const std::string output = only_text_output(phase.output_schema_json);
  const std::string_view text = trim(reply.text);
  const bool is_plain = reply.stop == StopReason::kEnd && reply.parts.empty() && !text.empty();
  if (output.empty() || !is_plain) return std::nullopt;
  const bool at_once = only_reads(phase) && phase.evidence == Evidence::kNone;
  if (plain_replies < (at_once ? 1 : 2)) return std::nullopt;
  ParsedCall call;
  call.tool = kPhaseComplete;
  call.args[output] = text;
  return call;
}

}  // namespace pedro
