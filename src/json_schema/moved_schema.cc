#include "json_schema/moved_schema.h"

#include "json_schema/schema_keywords.h"

namespace pedro {

Json moved_schema(Json schema, const std::string& pointer) {
  for (const char* annotation : {"$schema", "$id", "title", "description", "examples"}) {
    schema.erase(annotation);
  }
  for_each_schema(schema, [&pointer](Json& part) {
    const auto reference = part.find("$ref");
    if (reference == part.end() || !reference->is_string()) return;
    auto& target = reference->get_ref<std::string&>();
    if (target == "#" || target.starts_with("#/")) target.insert(1, pointer);
  });
  return schema;
}

}  // namespace pedro
