#include "json_schema/repair_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "json_schema/call_names.h"

namespace pedro {
namespace {

constexpr int kMaxRepairDepth = 32;
constexpr std::size_t kMaxRepairNameBytes = 80;
constexpr std::size_t kMaxViolations = 8;

std::string shown_member(std::string_view name) {
  return "'" + make_printable(truncate_utf8(name, kMaxRepairNameBytes)) + "'";
}

template <typename T>
const T* find_assertion(const Schema& schema, SchemaId id) {
  for (const Assertion& one : schema[id].assertions) {
    if (const auto* found = std::get_if<T>(&one)) return found;
  }
  return nullptr;
}

bool is_declared(const Properties& rules, const std::string& name) {
  const auto matches = [&](const Properties::Pattern& one) { return one.names.contains(name); };
  return rules.find(name) != nullptr ||
         std::any_of(rules.patterns.begin(), rules.patterns.end(), matches);
}

std::vector<std::string> undeclared_in(const Properties& rules, const Json& object) {
  std::vector<std::string> names;
  if (rules.others != Schema::kNothing) return names;
  for (const auto& [name, value] : object.items()) {
    if (!is_declared(rules, name)) names.push_back(name);
  }
  return names;
}

std::vector<std::string> missing_in(const Schema& schema, SchemaId id, const Json& object) {
  std::vector<std::string> names;
  const auto* required = find_assertion<Required>(schema, id);
  if (required == nullptr) return names;
  for (const std::string& name : required->names) {
    if (!object.contains(name)) names.push_back(name);
  }
  return names;
}

// Returns true if the name is probably a misspelling of a declared member that is absent.
bool resembles_absent(const Properties& rules, const Json& object, const std::string& name) {
  std::vector<std::string> absent;
  for (const auto& [declared, id] : rules.declared) {
    if (!object.contains(declared)) absent.push_back(declared);
  }
  return !did_you_mean(name, absent).empty();
}

class Repairer {
 public:
  explicit Repairer(const Schema& schema) : schema_(schema) {}

  std::vector<std::string>& repairs() { return repairs_; }

  void repair(SchemaId id, Json& value, const std::string& pointer, int depth) {
    if (depth > kMaxRepairDepth || id <= Schema::kNothing || fits(id, value)) return;
    if (std::optional<Json> other = converted(id, value, depth)) {
      note(pointer, fmt::format("{} from {}", kind_of(*other), kind_of(value)));
      value = *std::move(other);
      return;
    }
    if (const Json* other = in_other_spelling(id, value)) {
      note(pointer, "the spelling");
      value = *other;
      return;
    }
    if (value.is_object()) repair_object(id, value, pointer, depth);
    const auto* items = find_assertion<Items>(schema_, id);
    for (std::size_t i = 0; value.is_array() && items != nullptr && i < value.size(); ++i) {
      const SchemaId item = i < items->prefix.size() ? items->prefix[i] : items->rest;
      repair(item, value[i], pointer_to(pointer, std::to_string(i)), depth + 1);
    }
  }

 private:
  bool fits(SchemaId id, const Json& value) const { return !validate(schema_, id, value); }

  static std::string_view kind_of(const Json& value) {
    if (value.is_string()) return "a string";
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    return value.is_boolean() ? "a boolean" : "a number";
  }

  void note(const std::string& pointer, const std::string& what) {
    repairs_.push_back(pointer.empty() ? what : pointer + ": " + what);
  }

  // Returns the only allowed text with the same letters and digits, else null.
  const Json* in_other_spelling(SchemaId id, const Json& value) const {
    const auto* allowed = find_assertion<ValueIs>(schema_, id);
    if (allowed == nullptr || !value.is_string()) return nullptr;
    // The letters of a path are not enough.
    const auto key_of = [](const std::string& text) {
      return text.find_first_of("./\\") == text.npos ? name_key(text) : to_lower(text);
    };
    const std::string key = key_of(value.get_ref<const std::string&>());
    const Json* only = nullptr;
    for (const Json& one : allowed->values) {
      const auto* name = one.get_ptr<const std::string*>();
      if (key.empty() || name == nullptr || key_of(*name) != key) continue;
      if (only != nullptr) return nullptr;
      only = &one;
    }
    return only;
  }

  // Returns the value in another type if the schema lacks its type and accepts the result.
  std::optional<Json> converted(SchemaId id, const Json& value, int depth) {
    const TypeBits types = types_at_first_sight(schema_, id);
    const bool is_list = value.is_array() && value.size() != 1;
    if ((types & type_of(value)) != 0 || value.is_null() || is_list) return std::nullopt;
    std::vector<Json> candidates;
    if (value.is_array()) candidates.push_back(value[0]);
    if (const auto* text = value.get_ptr<const std::string*>()) candidates = parsed(*text);
    if (value.is_number_integer()) candidates.emplace_back(to_line(value));
    if ((types & kArrayType) != 0) candidates.push_back(Json::array({value}));
    for (Json& candidate : candidates) {
      if ((types & type_of(candidate)) == 0) continue;
      Repairer inner(schema_);
      inner.repair(id, candidate, "", depth + 1);
      if (fits(id, candidate)) return std::move(candidate);
    }
    return std::nullopt;
  }

  // Returns the JSON value in a text. Models also write Python's booleans.
  static std::vector<Json> parsed(const std::string& text) {
    const std::string word = to_lower(trim(text));
    if (word == "true" || word == "false") return {Json(word == "true")};
    Result<Json> json = parse_json(trim(text));
    if (!json || json->is_string() || json->is_null()) return {};
    return {*std::move(json)};
  }

  void repair_object(SchemaId id, Json& object, const std::string& pointer, int depth) {
    const auto* rules = find_assertion<Properties>(schema_, id);
    if (rules == nullptr) return;
    drop_nulls(id, *rules, object, pointer);
    rename_members(id, *rules, object, pointer, depth);
    drop_undeclared(id, *rules, object, pointer);
    for (const auto& [name, member] : rules->declared) {
      const auto found = object.find(name);
      if (found != object.end()) repair(member, *found, pointer_to(pointer, name), depth + 1);
    }
  }

  // Omits null or an empty text for an optional member of another type. The model meant no value.
  void drop_nulls(SchemaId id, const Properties& rules, Json& object, const std::string& pointer) {
    const auto* required = find_assertion<Required>(schema_, id);
    for (const auto& [name, member] : rules.declared) {
      const auto found = object.find(name);
      if (found == object.end() || (!found->is_null() && *found != "")) continue;
      if ((types_at_first_sight(schema_, member) & type_of(*found)) != 0) continue;
      const bool is_required =
          required != nullptr &&
          std::find(required->names.begin(), required->names.end(), name) != required->names.end();
      if (is_required) continue;
      object.erase(found);
      note(pointer, fmt::format("'{}' without a value is omitted", name));
    }
  }

  // Renames members that can only mean one absent name: by spelling, by words, then as the only
  // one.
  void rename_members(SchemaId id, const Properties& rules, Json& object,
                      const std::string& pointer, int depth) {
    std::vector<std::string> absent;
    for (const auto& [name, member] : rules.declared) absent.push_back(name);
    rename_alike(rules, absent, object, pointer, depth, [](const auto& wrong, const auto& right) {
      return name_key(wrong) == name_key(right);
    });
    rename_alike(rules, missing_in(schema_, id, object), object, pointer, depth, shares_words);
    const std::vector<std::string> undeclared = undeclared_in(rules, object);
    const std::vector<std::string> missing = missing_in(schema_, id, object);
    if (undeclared.size() != 1 || missing.size() != 1) return;
    Json others = object;
    others[missing.front()] = nullptr;
    if (resembles_absent(rules, others, undeclared.front())) return;
    rename(rules, undeclared.front(), missing.front(), object, pointer, depth);
  }

  template <typename IsAlike>
  void rename_alike(const Properties& rules, const std::vector<std::string>& names, Json& object,
                    const std::string& pointer, int depth, IsAlike is_alike) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& wrong : undeclared_in(rules, object)) {
      for (const std::string& right : names) {
        if (!object.contains(right) && is_alike(wrong, right)) pairs.emplace_back(wrong, right);
      }
    }
    for (const auto& [wrong, right] : pairs) {
      const auto same = [&, &first = wrong, &second = right](const auto& pair) {
        return pair.first == first || pair.second == second;
      };
      if (std::count_if(pairs.begin(), pairs.end(), same) != 1) continue;
      rename(rules, wrong, right, object, pointer, depth);
    }
  }

  // Returns true if all words of one name are words of the other: "content" and "new_content".
  static bool shares_words(std::string_view a, std::string_view b) {
    const auto contains_all = [](std::string_view all, std::string_view part) {
      const std::vector<std::string_view> words = split(all, '_');
      const std::vector<std::string_view> parts = split(part, '_');
      return std::all_of(parts.begin(), parts.end(), [&](std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
      });
    };
    return contains_all(a, b) || contains_all(b, a);
  }

  // Renames a member whose value fits the other name, also after repairs.
  void rename(const Properties& rules, const std::string& wrong, const std::string& right,
              Json& object, const std::string& pointer, int depth) {
    const SchemaId* member = rules.find(right);
    if (member == nullptr) return;
    Json value = object[wrong];
    Repairer inner(schema_);
    inner.repair(*member, value, "", depth + 1);
    if (!fits(*member, value)) return;
    object.erase(wrong);
    object[right] = std::move(value);
    note(pointer, fmt::format("'{}' from {}", right, shown_member(wrong)));
  }

  void drop_undeclared(SchemaId id, const Properties& rules, Json& object,
                       const std::string& pointer) {
    if (!missing_in(schema_, id, object).empty()) return;
    for (const std::string& name : undeclared_in(rules, object)) {
      if (resembles_absent(rules, object, name)) continue;
      object.erase(name);
      note(pointer, shown_member(name) + " is unknown and omitted");
    }
  }

  const Schema& schema_;
  std::vector<std::string> repairs_;
};

Violation in_member(const std::string& name, Violation violation) {
  violation.pointer = pointer_to("", name) + violation.pointer;
  return violation;
}

}  // namespace

RepairedValue repair_value(const Schema& schema, const Json& value) {
  Repairer repairer(schema);
  RepairedValue repaired{value, {}};
  repairer.repair(schema.root, repaired.value, "", 0);
  repaired.repairs = std::move(repairer.repairs());
  return repaired;
}

std::vector<Violation> find_violations(const Schema& schema, const Json& value) {
  const std::optional<Violation> first = validate(schema, value);
  if (!first) return {};
  const auto* rules = find_assertion<Properties>(schema, schema.root);
  if (rules == nullptr || !value.is_object()) return {*first};
  std::vector<Violation> all;
  for (const std::string& name : undeclared_in(*rules, value)) {
    Json only = Json::object();
    only[name] = value[name];
    if (auto violation = validate(schema, only)) all.push_back(*std::move(violation));
  }
  for (const std::string& name : missing_in(schema, schema.root, value)) {
    const SchemaId* member = rules->find(name);
    const std::string expected = member ? describe(schema, *member) : "a value";
    all.push_back({pointer_to("", name), expected + " (required)", "nothing"});
  }
  for (const auto& [name, member] : rules->declared) {
    const auto found = value.find(name);
    auto violation = found == value.end() ? std::nullopt : validate(schema, member, *found);
    if (violation) all.push_back(in_member(name, *std::move(violation)));
  }
  if (all.empty()) all.push_back(*first);
  all.resize(std::min(all.size(), kMaxViolations));
  return all;
}

}  // namespace pedro
