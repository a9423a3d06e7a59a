#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "grammar/schema.h"

namespace pedro {

/// One schema of a document while it is parsed: its JSON, which node it becomes, and its keywords'
/// values, read as what they have to be. Errors (kConfig) name keyword and place. Borrows the
/// document.
struct SchemaPlace {
  const Json& json;
  SchemaId id = 0;
  std::string pointer;

  bool has(std::string_view key) const { return json.contains(key); }
  /// The value of a keyword; null where it is not there.
  const Json& at(std::string_view key) const { return member(json, key); }
  /// The pointer to a keyword's value.
  std::string to(std::string_view key) const { return pointer_to(pointer, key); }
  Error wrong(std::string_view key, std::string_view text) const;

  /// "type": a name or a list of names. All types where it is not there.
  Result<TypeBits> types() const;

  /// An integer from 0 to 1,000,000,000.
  Result<std::optional<std::size_t>> count(std::string_view key) const;

  /// A number. One of more than 40 digits is an error too, but of kind kLimit.
  Result<std::optional<Decimal>> decimal(std::string_view key) const;

  Result<std::optional<std::string>> text(std::string_view key) const;
};

/// An array of strings, which stands at `pointer`.
Result<std::vector<std::string>> names_in(const Json& list, std::string_view pointer);

}  // namespace pedro
