#pragma once

#include <algorithm>
#include <vector>

#include "base/json.h"

namespace pedro {

/// Returns a copy of the schemas in `json` whose strings have at most `longest` characters. This
/// bounds random output, which otherwise ends only at a limit.
inline Json with_short_texts(Json json, long long longest) {
  std::vector<Json*> todo{&json};
  while (!todo.empty()) {
    Json& at = *todo.back();
    todo.pop_back();
    if (at.is_object() && text_of(at, "type") == "string" && !at.contains("enum")) {
      at["maxLength"] = std::min(longest, number_of(at, "maxLength", longest));
    }
    if (!at.is_structured()) continue;
    for (Json& part : at) todo.push_back(&part);
  }
  return json;
}

}  // namespace pedro
