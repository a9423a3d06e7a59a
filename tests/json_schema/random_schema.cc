#include "json_schema/random_schema.h"

#include <algorithm>
#include <iterator>

namespace pedro {
namespace {

constexpr const char* kMemberNames[] = {"a", "b", "c1"};
constexpr const char* kTypeNames[] = {"string", "integer", "number", "object",
                                      "array",  "null",    "boolean"};
// The last ones are not supported.
constexpr const char* kSomePatterns[] = {"^a",  "b$",       "^[a-c]+$", "^.{2,3}$",  "(ab|c1)*",
                                         "\\d", "^(?!a).*", "\\bfoo",   "(?<=a)b",   "(a)\\1",
                                         "é+",  "^\\W$",    "d.{25}",   "^(a+)+b?$", "[^a]"};
constexpr const char* kReferences[] = {"#/$defs/x", "#/$defs/y", "#", "http://elsewhere.test/z"};

}  // namespace

Json RandomSchema::document() {
  Json whole = schema(0);
  if (!whole.is_object()) whole = Json::object();
  whole["$defs"] = {{"x", schema(1)}, {"y", schema(2)}};
  return whole;
}

Json RandomSchema::schema(int depth) {
  if (pick(12) == 0) return pick(3) != 0;
  Json out = Json::object();
  if (pick(3) == 0) out["type"] = kTypeNames[pick(7)];
  for (int i = pick(3); i >= 0; --i) {
    if (depth < 3 && pick(2) == 0) {
      add_applicator(out, depth + 1);
    } else {
      add_keyword(out, depth + 1);
    }
  }
  return out;
}

Json RandomSchema::list(int depth) {
  Json out = Json::array();
  for (int i = pick(3); i >= 0; --i) out.push_back(schema(depth));
  return out;
}

void RandomSchema::add_keyword(Json& schema, int depth) {
  const std::vector<Json> values = small_values();
  switch (pick(16)) {
    case 0:
      schema["enum"] = Json::array();
      for (int i = pick(4); i >= 0; --i)
        schema["enum"].push_back(values[pick(static_cast<int>(values.size()))]);
      break;
    case 1:
      schema["const"] = values[pick(static_cast<int>(values.size()))];
      break;
    case 2:
    case 3:
    case 4:
      schema["pattern"] = kSomePatterns[pick(15)];
      break;
    case 5:
      schema["minLength"] = pick(4);
      break;
    case 6:
      schema["maxLength"] = pick(5);
      break;
    case 7:
      schema[pick(2) == 0 ? "minimum" : "exclusiveMinimum"] = pick(5) - 2;
      break;
    case 8:
      schema[pick(2) == 0 ? "maximum" : "exclusiveMaximum"] = pick(5) - 1;
      break;
    case 9:
      schema["multipleOf"] = pick(2) == 0 ? Json(pick(3) + 1) : Json(0.5);
      break;
    case 10:
      schema[pick(2) == 0 ? "minItems" : "maxItems"] = pick(3);
      break;
    case 11:
      schema["uniqueItems"] = true;
      break;
    case 12:
      schema[pick(2) == 0 ? "minProperties" : "maxProperties"] = pick(4);
      break;
    case 13:
      schema["required"] = Json::array({kMemberNames[pick(3)]});
      break;
    case 14:
      schema["dependentRequired"][kMemberNames[pick(3)]] = Json::array({kMemberNames[pick(3)]});
      break;
    default:
      schema["$ref"] = kReferences[pick(depth > 1 ? 4 : 2)];
  }
}

void RandomSchema::add_applicator(Json& schema, int depth) {
  switch (pick(16)) {
    case 0:
      schema["allOf"] = list(depth);
      break;
    case 1:
      schema["anyOf"] = list(depth);
      break;
    case 2:
    case 3:
      schema["oneOf"] = list(depth);
      break;
    case 4:
    case 5:
      schema["not"] = this->schema(depth);
      break;
    case 6:
      schema["if"] = this->schema(depth);
      schema["then"] = this->schema(depth);
      if (pick(2) == 0) schema["else"] = this->schema(depth);
      break;
    case 7:
      schema["items"] = this->schema(depth);
      break;
    case 8:
      schema["prefixItems"] = list(depth);
      break;
    case 9:
      schema["contains"] = this->schema(depth);
      if (pick(3) == 0) schema["minContains"] = pick(3);
      if (pick(3) == 0) schema["maxContains"] = pick(3);
      break;
    case 10:
      schema["additionalProperties"] = this->schema(depth);
      break;
    case 11:
      schema["patternProperties"][kSomePatterns[pick(15)]] = this->schema(depth);
      break;
    case 12:
      schema["propertyNames"] = this->schema(depth);
      break;
    case 13:
      schema["dependentSchemas"][kMemberNames[pick(3)]] = this->schema(depth);
      break;
    case 14:
      schema[pick(2) == 0 ? "unevaluatedProperties" : "unevaluatedItems"] = this->schema(depth);
      break;
    default:
      for (int i = pick(3); i >= 0; --i)
        schema["properties"][kMemberNames[pick(3)]] = this->schema(depth);
  }
}

std::vector<Json> small_values() {
  std::vector<Json> out = {nullptr, true,     false, 0,    1,
                           2,       -1,       3,     0.5,  1.5,
                           "",      "a",      "b",   "ab", "c1",
                           "foo",   "abcabc", "é\n", "1!", "dxxxxxxxxxxxxxxxxxxxxxxxxxx"};
  const std::vector<Json> parts = {1, "a", nullptr};
  out.push_back(Json::array());
  out.push_back(Json::object());
  for (const Json& one : parts) {
    out.push_back(Json::array({one}));
    for (const Json& two : parts) {
      out.push_back(Json::array({one, two}));
      for (const char* name : kMemberNames) {
        out.push_back({{name, two}});
        if (name != kMemberNames[0]) out.push_back({{kMemberNames[0], one}, {name, two}});
      }
    }
  }
  out.push_back({{"a", 1}, {"b", "a"}, {"c1", nullptr}});
  out.push_back({{"other", {{"a", 1}}}});
  out.push_back(Json::array({Json::array({1}), {{"a", "b"}}}));
  return out;
}

std::vector<std::string> in_every_order(const Json& value) {
  if (!value.is_object()) return {to_line(value)};
  std::vector<std::string> members;
  for (const auto& [name, part] : value.items()) {
    members.push_back(to_line(Json(name)) + ":" + to_line(part));
  }
  std::sort(members.begin(), members.end());
  std::vector<std::string> out;
  do {
    std::string text;
    for (const std::string& member : members) text += (text.empty() ? "" : ",") + member;
    out.push_back("{" + text + "}");
  } while (std::next_permutation(members.begin(), members.end()));
  return out;
}

}  // namespace pedro
