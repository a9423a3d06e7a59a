#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "gbnf/schema_budget.h"
#include "json_schema/schema.h"

namespace pedro {

/// One schema of a document during parsing: its JSON, its node, and typed access to the values of
/// its keywords. Errors (kConfig) contain keyword and location. Borrows the document.
struct SchemaPlace {
  const Json& json;
  SchemaId id = 0;
  std::string pointer;

  bool has(std::string_view key) const { return json.contains(key); }
  /// Returns the value of a keyword, or JSON null if absent.
  const Json& at(std::string_view key) const { return member(json, key); }
  /// Returns the pointer to a keyword's value.
  std::string to(std::string_view key) const { return pointer_to(pointer, key); }
  /// Returns true if the keyword is before "properties".
  bool leads(std::string_view key) const;
  Error wrong(std::string_view key, std::string_view text) const;

  /// Returns the types in "type", a name or a list of names. All types if absent.
  Result<TypeBits> types() const;

  /// Returns an integer from 0 to 1,000,000,000, or nullopt if absent.
  Result<std::optional<std::size_t>> count(std::string_view key) const;

  /// Returns a number, or nullopt if absent. Error (kLimit): more than 40 digits.
  Result<std::optional<Decimal>> decimal(std::string_view key) const;

  Result<std::optional<std::string>> text(std::string_view key) const;
};

/// Reads an array of strings; `pointer` is its location.
Result<std::vector<std::string>> names_in(const Json& list, std::string_view pointer);

/// Parses `x-gbnf`, grammar rules in place of a schema's own (docs/grammar.md). Returns nothing
/// without it. Errors (kConfig, with the pointer): a grammar that llama-server would reject.
Result<std::optional<RawRules>> raw_rules_in(const SchemaPlace& place);

/// Parses `x-names`, the kind of things that a text names ("file"). Returns nothing without it.
/// Errors (kConfig, with the pointer): an unknown kind.
Result<std::optional<Names>> named_kind_in(const SchemaPlace& place);

/// Resolves `reference` against `base` (RFC 3986, section 5.2): "b/c" in "http://a/x/y" is
/// "http://a/x/b/c". Ignores fragments. Without a scheme in either, the result has none.
std::string resolve_uri(std::string_view base, std::string_view reference);

/// Resolves a schema document's references: JSON pointers, "$anchor" and "$id" (draft 4: "id")
/// within it, as URIs (RFC 3986). Borrows the document. One thread.
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
