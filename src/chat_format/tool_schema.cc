#include "chat_format/tool_schema.h"

#include <cassert>

#include "base/embedded_file.h"
#include "base/json.h"
#include "json_schema/schema.h"
#include "json_schema/validate.h"

namespace pedro {

extern const EmbeddedFile kMetaSchema[];

namespace {

const Schema& meta_schema() {
  static const Schema schema = [] {
    const Result<Json> document = parse_json(kMetaSchema[0].bytes);
    assert(document.ok());
    Result<Schema> parsed = parse_schema(*document);
    assert(parsed.ok() && parsed->unchecked.empty());
    return *std::move(parsed);
  }();
  return schema;
}

}  // namespace

Status check_tool_schema(std::string_view json) {
  const Result<Json> schema = parse_json(json);
  if (!schema) return Error{ErrorKind::kUsage, schema.error().message};
  const auto violation = validate(meta_schema(), *schema);
  if (!violation) return {};
  return Error{ErrorKind::kUsage, "not a JSON Schema: " + to_string(*violation)};
}

}  // namespace pedro
