#include "answer_schema.h"

#include <utility>

#include "json_schema/schema_keywords.h"
#include "text_input.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxAnswerSchemaBytes = 1024 * 1024;
constexpr const char* kAnswer = "answer";

bool is_object_schema(const Json& schema) {
  return text_of(schema, "type") == "object";
}

Json wrapped(Json schema) {
  const std::string draft = text_of(schema, "$schema");
  Json outer = {{"type", "object"},
                {"properties", {{kAnswer, moved_schema(std::move(schema), "/properties/answer")}}},
                {"required", {kAnswer}},
                {"additionalProperties", false}};
  if (!draft.empty()) outer["$schema"] = draft;  // it decides how "$ref" is read
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
