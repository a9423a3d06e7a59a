#include "json_schema/schema_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "gbnf/check_gbnf.h"
#include "gbnf/parse_gbnf.h"
#include "json_schema/schema_keywords.h"

namespace pedro {
namespace {

constexpr long long kMaxCount = 1'000'000'000;

// Each part includes its delimiters, so that the parts in a row are the URI.
struct UriParts {
  std::string_view scheme;
  std::string_view authority;
  std::string_view path;
  std::string_view query;
};

std::string_view take_until(std::string_view& text, std::size_t end) {
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(taken.size());
  return taken;
}

UriParts parts_of(std::string_view uri) {
  uri = uri.substr(0, uri.find('#'));
  UriParts parts;
  const std::size_t mark = uri.find_first_of(":/?");
  if (mark != std::string_view::npos && mark > 0 && uri[mark] == ':') {
    parts.scheme = take_until(uri, mark + 1);
  }
  if (uri.starts_with("//")) parts.authority = take_until(uri, uri.find_first_of("/?", 2));
  parts.path = take_until(uri, uri.find('?'));
  parts.query = uri;
  return parts;
}

std::string without_dots(std::string_view path) {
  std::vector<std::string> kept;
  const std::vector<std::string_view> steps = split(path, '/');
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool dots = steps[i] == "." || steps[i] == "..";
    if (steps[i] == ".." && kept.size() > 1) kept.pop_back();
    if (!dots) kept.emplace_back(steps[i]);
    if (dots && i + 1 == steps.size()) kept.emplace_back();
  }
  return join(kept, "/");
}

constexpr const char* kNoBase = "document:///";  // the base of a document without a full "$id"

const Json* step_into(const Json& json, const std::string& step) {
  if (json.is_object()) {
    const auto found = json.find(step);
    return found == json.end() ? nullptr : &*found;
  }
  std::size_t index = 0;
  const auto end = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool number = end.ec == std::errc() && end.ptr == step.data() + step.size();
  return json.is_array() && number && index < json.size() ? &json[index] : nullptr;
}

std::optional<SchemaTargets::Target> walk(const SchemaTargets::Target& from,
                                          std::string_view pointer, SchemaBudget& budget) {
  SchemaTargets::Target at = from;
  std::vector<std::string_view> steps = split(pointer, '/');
  for (std::size_t i = 1; i < steps.size(); ++i) {  // the part before the first '/' is empty
    const std::string step = replace_all(replace_all(steps[i], "~1", "/"), "~0", "~");
    if (!budget.spend(8 + at.schema->size() / 8 + at.pointer.size() / 8)) return std::nullopt;
    at.schema = step_into(*at.schema, step);
    if (at.schema == nullptr) return std::nullopt;
    at.pointer = pointer_to(at.pointer, step);
  }
  return at;
}

}  // namespace

Result<std::optional<RawRules>> raw_rules_in(const SchemaPlace& place) {
  PEDRO_TRY(const auto given, place.text("x-gbnf"));
  if (!given) return std::optional<RawRules>();
  const std::string& text = *given;
  const bool whole = text.find("::=") != std::string::npos;
  auto parsed = parse_gbnf(whole ? text : "root ::=\n" + text, "x-gbnf");
  if (!parsed) return place.wrong("x-gbnf", parsed.error().message);
  const GbnfReport report = check_gbnf(*parsed);
  if (report.has_errors()) return place.wrong("x-gbnf", to_text(report, *parsed));
  return std::optional(RawRules{std::move(parsed->grammar), text});
}

Result<std::optional<Names>> named_kind_in(const SchemaPlace& place) {
  PEDRO_TRY(const auto given, place.text("x-names"));
  if (!given) return std::optional<Names>();
  const std::optional<Named> what = parse_named(*given);
  if (!what) {
    return place.wrong("x-names", "expected file, folder, place, new_file, line, lines or symbol");
  }
  return std::optional(Names{*what});
}

bool SchemaPlace::leads(std::string_view key) const {
  for (const auto& [name, value] : json.items()) {
    if (name == key || name == "properties") return name == key;
  }
  return false;
}

Error SchemaPlace::wrong(std::string_view key, std::string_view text) const {
  return schema_error(to(key), text);
}

Result<TypeBits> SchemaPlace::types() const {
  if (!has("type")) return kAllTypes;
  const Json& type = at("type");
  TypeBits types = 0;
  for (const Json& name : type.is_array() ? type : Json::array({type})) {
    const TypeBits bits = name.is_string() ? type_named(name.get<std::string>()) : 0;
    if (bits == 0) return unknown_type(name, to("type"));
    types |= bits;
  }
  if (types == 0) return wrong("type", "expected at least one type");
  return types;
}

Result<std::optional<std::size_t>> SchemaPlace::count(std::string_view key) const {
  if (!has(key)) return std::optional<std::size_t>();
  const Json& value = at(key);
  const bool fits =
      value.is_number() && is_whole(value) && value >= Json(0) && value <= Json(kMaxCount);
  if (!fits) return wrong(key, fmt::format("expected an integer from 0 to {}", kMaxCount));
  return std::optional(value.get<std::size_t>());
}

Result<std::optional<Decimal>> SchemaPlace::decimal(std::string_view key) const {
  if (!has(key)) return std::optional<Decimal>();
  if (!is_json_number(at(key))) return wrong(key, "expected a number");
  const auto decimal = parse_decimal(to_line(at(key)));
  if (decimal) return decimal;
  return Error{ErrorKind::kLimit, wrong(key, "expected a number of at most 40 digits").message};
}

Result<std::optional<std::string>> SchemaPlace::text(std::string_view key) const {
  if (!has(key)) return std::optional<std::string>();
  if (!at(key).is_string()) return wrong(key, "expected a string");
  return std::optional(at(key).get<std::string>());
}

Result<std::vector<std::string>> names_in(const Json& list, std::string_view pointer) {
  const auto is_string = [](const Json& name) { return name.is_string(); };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_string)) {
    return schema_error(pointer, "expected an array of property names");
  }
  return std::vector<std::string>(list.begin(), list.end());
}

std::string resolve_uri(std::string_view base, std::string_view reference) {
  UriParts to = parts_of(reference);
  std::string path(to.path);
  if (to.scheme.empty()) {
    const UriParts from = parts_of(base);
    to.scheme = from.scheme;
    const bool relative = to.authority.empty() && !path.starts_with('/');
    if (relative && path.empty() && to.query.empty()) to.query = from.query;
    if (relative) {
      const std::string_view folder = from.path.substr(0, from.path.rfind('/') + 1);
      const bool bare = !from.authority.empty() && folder.empty();
      path = path.empty() ? std::string(from.path) : (bare ? "/" : std::string(folder)) + path;
    }
    if (to.authority.empty()) to.authority = from.authority;
  }
  return std::string(to.scheme).append(to.authority).append(without_dots(path)).append(to.query);
}

bool hides_siblings(std::string_view draft) {
  return draft.find("/draft-0") != std::string_view::npos;
}

SchemaTargets::SchemaTargets(const Json& document, SchemaBudget& budget)
    : document_(document), budget_(budget), draft_(text_of(document, "$schema")) {}

std::optional<SchemaTargets::Target> SchemaTargets::find(std::string_view reference,
                                                         const Json& from) {
  if (base_.empty()) index();
  const auto based = bases_.find(&from);
  const std::string_view base = based == bases_.end() ? base_ : based->second;
  if (!budget_.spend(32 + (base.size() + reference.size()) / 8)) return std::nullopt;
  const std::size_t hash = std::min(reference.find('#'), reference.size());
  const std::string fragment =
      percent_decoded(reference.substr(std::min(hash + 1, reference.size())));
  const bool anchor = !fragment.empty() && !fragment.starts_with('/');
  const auto named = names_.find(resolve_uri(base, reference) + (anchor ? "#" + fragment : ""));
  if (named == names_.end()) return std::nullopt;
  return anchor ? named->second : walk(named->second, fragment, budget_);
}

bool SchemaTargets::is_ambiguous(std::string_view reference) {
  if (base_.empty()) index();
  const std::string_view name =
      reference.substr(std::min(reference.find('#') + 1, reference.size()));
  return std::count(dynamic_.begin(), dynamic_.end(), name) > 1;
}

bool SchemaTargets::has_unevaluated() {
  if (base_.empty()) index();
  return has_unevaluated_;
}

void SchemaTargets::index() {
  base_ = names_.emplace(kNoBase, Target{&document_, ""}).first->first;
  struct Part {
    Target target;
    std::string_view base;
    bool names = false;
  };
  std::vector<Part> todo{{Target{&document_, ""}, base_}};
  for (std::size_t i = 0; i < todo.size(); ++i) {  // breadth-first: outer names come first
    auto [at, base, names] = todo[i];
    const bool is_schema = at.schema->is_object() && !names;
    if (is_schema) base = add_names(at, base);
    if (i == 0) base_ = base;
    if (base.data() != base_.data()) bases_.emplace(at.schema, base);
    for (const auto& [key, value] : at.schema->items()) {
      has_unevaluated_ = has_unevaluated_ || (is_schema && key.starts_with("unevaluated"));
      if (!value.is_structured() || (is_schema && holds_data(key))) continue;
      // The list lives only until the end of this function, but it is large.
      if (!budget_.spend(4 + at.pointer.size() / 64, 128 + at.pointer.size() + key.size())) return;
      todo.push_back({{&value, pointer_to(at.pointer, key)}, base, is_schema && holds_names(key)});
    }
  }
}

// Returns the base URI of the parts of a schema, given that of the schema itself.
std::string_view SchemaTargets::add_names(const Target& target, std::string_view base) {
  const auto add = [this, &target](const std::string& name) -> std::string_view {
    budget_.spend(4 + name.size() / 8, 128 + name.size() + target.pointer.size());
    return names_.try_emplace(name, target).first->first;
  };
  if (const std::string id = id_of(*target.schema); !id.empty()) {
    const std::size_t hash = std::min(id.find('#'), id.size());
    const std::string name = resolve_uri(base, id);
    if (hash > 0) base = add(name);
    if (hash + 1 < id.size()) add(name + id.substr(hash));
  }
  for (const char* key : {"$anchor", "$dynamicAnchor"}) {
    const std::string name = text_of(*target.schema, key);
    if (name.empty()) continue;
    add(std::string(base) + "#" + name);
    if (key == std::string_view("$dynamicAnchor")) dynamic_.push_back(name);
  }
  if (member(*target.schema, "$recursiveAnchor") == true) dynamic_.emplace_back();
  return base;
}

// Returns "$id", or "id" of draft 4. Without a "$schema", only a full URI or an anchor is an "id".
std::string SchemaTargets::id_of(const Json& schema) const {
  if (hides_siblings(draft_) && schema.contains("$ref")) return "";
  if (const std::string id = text_of(schema, "$id"); !id.empty()) return id;
  const std::string id = text_of(schema, "id");
  const bool draft4 = draft_.find("/draft-04") != std::string::npos;
  const bool clear = id.find("://") != std::string::npos || id.starts_with('#');
  return draft4 || clear ? id : "";
}

}  // namespace pedro
