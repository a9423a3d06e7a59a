#include "json_schema/moved_schema.h"

#include <set>

#include "json_schema/schema_keywords.h"

namespace pedro {

Json moved_schema(Json schema, const std::string& pointer) {
  if (!schema.is_object()) return schema;
  for (const char* annotation : {"$schema", "$id", "id", "title", "description", "examples"}) {
    schema.erase(annotation);
  }
  std::set<const Json*> inner;  // of another resource, which its pointers are relative to
  for_each_schema(schema, [&](Json& part) {
    if (inner.contains(&part)) return;
    const std::string id = text_of(part, "$id");
    if (!id.empty() && !id.starts_with('#')) {
      return for_each_schema(part, [&inner](Json& one) { inner.insert(&one); });
    }
    const auto reference = part.find("$ref");
    if (reference == part.end() || !reference->is_string()) return;
    auto& target = reference->get_ref<std::string&>();
    if (target == "#" || target.starts_with("#/")) target.insert(1, pointer);
  });
  return schema;
}

}  // namespace pedro
