#include "grammar/narrow_schema.h"

#include <vector>

#include "base/hash.h"

namespace pedro {
namespace {

constexpr const char* kKeyword = "x-names";

const Names* names_of(const SchemaNode& node) {
  for (const Assertion& assertion : node.assertions) {
    if (const auto* names = std::get_if<Names>(&assertion)) return names;
  }
  return nullptr;
}

NumberRange up_to(long long last) {
  return {NumberBound{*parse_decimal("1")}, NumberBound{*parse_decimal(std::to_string(last))}};
}

}  // namespace

Schema narrowed(const Schema& schema, const Narrowing& narrowing) {
  Schema out = schema;
  const auto add = [&out](SchemaNode& node, Assertion assertion, std::uint64_t hash) {
    node.assertions.push_back(std::move(assertion));
    out.fingerprint = hash_bytes(node.pointer + ' ' + std::to_string(hash), out.fingerprint);
  };
  for (SchemaNode& node : out.nodes) {
    const Names* names = names_of(node);
    if (names == nullptr) continue;
    const auto texts = narrowing.texts.find(names->what);
    if (texts != narrowing.texts.end()) {
      const auto& [graph, noun, values] = texts->second;
      add(node, TextOfGraph{graph, noun}, graph->fingerprint);
    } else if (names->what == Named::kLine && narrowing.lines > 0) {
      add(node, up_to(narrowing.lines), static_cast<std::uint64_t>(narrowing.lines));
    }
  }
  return out;
}

Json narrowed(const Json& document, const Narrowing& narrowing) {
  Json out = document;
  std::vector<Json*> todo{&out};
  while (!todo.empty()) {
    Json& here = *todo.back();
    todo.pop_back();
    if (here.is_object() && here.contains(kKeyword)) {
      const std::optional<Named> what = parse_named(text_of(here, kKeyword));
      here.erase(kKeyword);
      const auto texts = what ? narrowing.texts.find(*what) : narrowing.texts.end();
      if (texts != narrowing.texts.end() && !texts->second.values.is_null()) {
        here["enum"] = texts->second.values;
      } else if (what == Named::kLine && narrowing.lines > 0) {
        here["maximum"] = narrowing.lines;
      }
      continue;
    }
    if (!here.is_structured()) continue;
    for (Json& inner : here) todo.push_back(&inner);
  }
  return out;
}

}  // namespace pedro
