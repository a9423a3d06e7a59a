#include "answer_schema.h"

#include <utility>

#include "text_input.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxAnswerSchemaBytes = 1024 * 1024;
constexpr const char* kAnswer = "answer";

bool is_object_schema(const Json& schema) {
  return text_of(schema, "type") == "object";
}

// Moves definitions up, so that references from the root of the document still find them.
Json wrapped(Json schema) {
  Json outer = {{"type", "object"}, {"required", {kAnswer}}, {"additionalProperties", false}};
  for (const char* definitions : {"$defs", "definitions"}) {
    if (!schema.is_object() || !schema.contains(definitions)) continue;
    outer[definitions] = std::move(schema[definitions]);
    schema.erase(definitions);
  }
  outer["properties"][kAnswer] = std::move(schema);
  return outer;
}

}  // namespace

Result<AnswerSchema> AnswerSchema::read(const CommandContext& context, const std::string& path) {
  PEDRO_TRY(TextInput input, read_input(context, path, kMaxAnswerSchemaBytes));
  Result<Json> json = parse_json(input.text, {.max_bytes = kMaxAnswerSchemaBytes});
  if (!json) return Error{ErrorKind::kConfig, input.name + ":" + json.error().message};
  AnswerSchema out;
  out.wraps_ = !is_object_schema(*json);
  out.json_ = out.wraps_ ? wrapped(*std::move(json)) : *std::move(json);
  Result<Schema> schema = parse_schema(out.json_);
  if (!schema) return schema.error().at(input.name);
  out.schema_ = *std::move(schema);
  out.text_ = std::move(input.text);
  return out;
}

void AnswerSchema::use_for(Phase& phase) const {
  phase.output_schema_json = json_;
  phase.output_schema = schema_;
}

const Json& AnswerSchema::value_of(const Json& output) const {
  return wraps_ ? member(output, kAnswer) : output;
}

}  // namespace pedro
