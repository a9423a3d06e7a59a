#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
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

}  // namespace pedro
