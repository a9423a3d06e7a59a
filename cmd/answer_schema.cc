#include "answer_schema.h"

#include <utility>
#include <vector>

#include "text_input.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxAnswerSchemaBytes = 1024 * 1024;
constexpr const char* kAnswer = "answer";

bool is_object_schema(const Json& schema) {
  return text_of(schema, "type") == "object";
}

// Returns true for keywords whose values are data, not schemas.
bool holds_data(std::string_view key) {
  return key == "const" || key == "enum" || key == "default" || key == "examples";
}

// Makes references from the root of the document refer to the same places below `root`.
void move_references(Json& schema, std::string_view root) {
  std::vector<Json*> rest = {&schema};
  while (!rest.empty()) {
    Json& at = *rest.back();
    rest.pop_back();
    if (!at.is_structured()) continue;
    for (auto item = at.begin(); item != at.end(); ++item) {
      const std::string_view key = at.is_object() ? std::string_view(item.key()) : "";
      const bool refers = key == "$ref" && item->is_string();
      if (refers && (*item == "#" || item->get<std::string>().starts_with("#/"))) {
        *item = "#" + std::string(root) + item->get<std::string>().substr(1);
      } else if (!holds_data(key)) {
        rest.push_back(&*item);
      }
    }
  }
}

Json wrapped(Json schema) {
  const std::string draft = text_of(schema, "$schema");
  move_references(schema, "/properties/answer");
  Json outer = {{"type", "object"},
                {"properties", {{kAnswer, std::move(schema)}}},
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
