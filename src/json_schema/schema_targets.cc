#include "json_schema/schema_targets.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "json_schema/schema.h"
#include "json_schema/schema_keywords.h"

namespace pedro {
namespace {

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
    const std::string step =
        replace_all(replace_all(percent_decoded(steps[i]), "~1", "/"), "~0", "~");
    if (!budget.spend(8 + at.schema->size() / 8 + at.pointer.size() / 8)) return std::nullopt;
    at.schema = step_into(*at.schema, step);
    if (at.schema == nullptr) return std::nullopt;
    at.pointer = pointer_to(at.pointer, step);
  }
  return at;
}

bool is_within(std::string_view pointer, std::string_view resource) {
  return pointer.starts_with(resource) &&
         (pointer.size() == resource.size() || pointer[resource.size()] == '/');
}

}  // namespace

std::optional<SchemaTargets::Target> SchemaTargets::find(std::string_view reference,
                                                         std::string_view pointer) {
  if (!indexed_) index();
  if (!budget_.spend(8 + (resources_.size() + anchors_.size()) / 2)) return std::nullopt;
  const std::size_t hash = std::min(reference.find('#'), reference.size());
  const std::string_view fragment = reference.substr(std::min(hash + 1, reference.size()));
  const Target* resource = resource_of(reference.substr(0, hash), pointer);
  if (resource == nullptr) return std::nullopt;
  if (fragment.empty()) return *resource;
  if (fragment.starts_with('/')) {
    auto target = walk(*resource, fragment, budget_);
    return target ? target : walk(resources_.front().target, fragment, budget_);
  }
  const Named* best = nullptr;
  for (const Named& anchor : anchors_) {
    if (anchor.name != fragment) continue;
    const bool own = resource_of("", anchor.target.pointer) == resource;
    if (best == nullptr || own) best = &anchor;
    if (own) break;
  }
  return best ? std::optional(best->target) : std::nullopt;
}

bool SchemaTargets::is_ambiguous(std::string_view reference) {
  if (!indexed_) index();
  const std::string_view name =
      reference.substr(std::min(reference.find('#') + 1, reference.size()));
  return std::count(dynamic_.begin(), dynamic_.end(), name) > 1;
}

// Returns the resource that `uri` names, relative or not; without `uri`, the innermost one around
// `pointer`.
const SchemaTargets::Target* SchemaTargets::resource_of(std::string_view uri,
                                                        std::string_view pointer) const {
  const Target* best = nullptr;
  for (const Named& resource : resources_) {
    if (uri.empty()) {
      if (is_within(pointer, resource.target.pointer)) best = &resource.target;
    } else if (!resource.name.empty() &&
               (resource.name == uri || resource.name.ends_with("/" + std::string(uri)) ||
                uri.ends_with("/" + resource.name))) {
      return &resource.target;
    }
  }
  return best;
}

void SchemaTargets::index() {
  indexed_ = true;
  resources_.push_back(Named{"", Target{&document_, ""}});
  struct Part {
    Target target;
    bool names = false;
  };
  std::vector<Part> todo{{Target{&document_, ""}}};
  for (std::size_t i = 0; i < todo.size(); ++i) {  // breadth-first: outer resources come first
    const auto [at, names] = todo[i];
    const bool is_schema = at.schema->is_object() && !names;
    if (is_schema) add_names(at);
    for (const auto& [key, value] : at.schema->items()) {
      if (!value.is_structured() || (is_schema && holds_data(key))) continue;
      // The list lives only until the end of this function, but it is large.
      if (!budget_.spend(4 + at.pointer.size() / 64, 64 + at.pointer.size() + key.size())) return;
      todo.push_back({{&value, pointer_to(at.pointer, key)}, is_schema && holds_names(key)});
    }
  }
}

void SchemaTargets::add_names(const Target& target) {
  for (const char* key : {"$id", "id"}) {
    const std::string uri = text_of(*target.schema, key);
    const bool draft4 = uri.find("://") != std::string::npos || uri.starts_with('#');
    if (uri.empty() || (key == std::string_view("id") && !draft4)) continue;
    if (uri.starts_with('#')) {
      anchors_.push_back(Named{uri.substr(1), target});
    } else if (target.schema == &document_) {
      resources_.front().name = uri.substr(0, uri.find('#'));
    } else {
      resources_.push_back(Named{uri.substr(0, uri.find('#')), target});
    }
  }
  for (const char* key : {"$anchor", "$dynamicAnchor"}) {
    const std::string name = text_of(*target.schema, key);
    if (name.empty()) continue;
    anchors_.push_back(Named{name, target});
    if (key == std::string_view("$dynamicAnchor")) dynamic_.push_back(name);
  }
  if (member(*target.schema, "$recursiveAnchor") == true) dynamic_.emplace_back();
}

}  // namespace pedro
