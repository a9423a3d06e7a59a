#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.h"
#include "gbnf/schema_budget.h"

namespace pedro {

/// Resolves `reference` against `base` (RFC 3986, section 5.2): "b/c" in "http://a/x/y" is
/// "http://a/x/b/c". Ignores fragments. Without a scheme in either, the result has none.
std::string resolve_uri(std::string_view base, std::string_view reference);

/// Resolves the references of a schema document: JSON pointers, "$anchor" and "$id" (draft 4: "id")
/// within the document, as URIs (RFC 3986). Borrows the document. One thread.
class SchemaTargets {
 public:
  struct Target {
    const Json* schema = nullptr;
    std::string pointer;
  };

  /// Charges the budget. Finds nothing once it is spent.
  SchemaTargets(const Json& document, SchemaBudget& budget);

  /// Resolves `reference` in the schema `from`, a part of the document. Returns nullopt if the
  /// target is missing or outside of the document.
  std::optional<Target> find(std::string_view reference, const Json& from);

  /// Returns true if the document has several targets for a "$dynamicRef" or "$recursiveRef".
  bool is_ambiguous(std::string_view reference);

  /// Returns true if the document has an "unevaluatedProperties" or "unevaluatedItems".
  bool has_unevaluated();

 private:
  void index();
  std::string_view add_names(const Target& target, std::string_view base);
  std::string id_of(const Json& schema) const;

  const Json& document_;
  SchemaBudget& budget_;
  std::string draft_;
  std::string_view base_;                ///< of the document; empty before index()
  std::map<std::string, Target> names_;  ///< by absolute URI; anchors with their fragment
  std::unordered_map<const Json*, std::string_view> bases_;  ///< where they differ from `base_`
  bool has_unevaluated_ = false;
  std::vector<std::string> dynamic_;  ///< each "$dynamicAnchor"; "" is a "$recursiveAnchor"
};

/// Returns true for the "$schema" of a draft up to 7, which ignores the keywords beside "$ref".
bool hides_siblings(std::string_view draft);

}  // namespace pedro
