#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pedro {

/// Which node of a Schema; nodes refer to each other by place, so that a Schema is a plain value
/// without pointers (and can become recursive without becoming a graph of owners).
using SchemaId = std::size_t;

struct PropertySpec {
  std::string name;
  SchemaId value = 0;
  bool required = false;
};

/// Exactly these properties, in the order in which they were declared. Others are not allowed.
struct ObjectSpec {
  std::vector<PropertySpec> properties;
};

struct ArraySpec {
  SchemaId items = 0;
  std::size_t min_items = 0;
  std::optional<std::size_t> max_items;
};

/// Lengths are in code points.
struct StringSpec {
  std::size_t min_length = 0;
  std::optional<std::size_t> max_length;
};

struct IntegerSpec {
  std::optional<long long> minimum;
  std::optional<long long> maximum;
};

struct NumberSpec {
  std::optional<double> minimum;
  std::optional<double> maximum;
};

struct BooleanSpec {};
struct NullSpec {};

/// One of these values (`enum`, and `const` as a single one). Never empty.
struct EnumSpec {
  std::vector<Json> values;
};

/// `anyOf` and type arrays; with `exactly_one` it is `oneOf`. Never empty.
struct AnyOfSpec {
  std::vector<SchemaId> options;
  bool exactly_one = false;
};

struct SchemaNode {
  std::variant<ObjectSpec, ArraySpec, StringSpec, IntegerSpec, NumberSpec, BooleanSpec, NullSpec,
               EnumSpec, AnyOfSpec>
      spec;
  std::string pointer;  ///< where it stands in the schema document: "/properties/line"
};

/// A JSON Schema, in the part of the language that tool manifests and phase outputs use. A value;
/// immutable after parsing. By default an object without properties: only `{}` fits.
struct Schema {
  std::vector<SchemaNode> nodes{SchemaNode{}};
  SchemaId root = 0;

  const SchemaNode& operator[](SchemaId id) const { return nodes[id]; }
};

struct SchemaLimits {
  int max_depth = 32;  ///< of schemas within schemas, and of one enum value
  std::size_t max_nodes = 2000;
  std::size_t max_enum_values = 1000;  ///< of one enum
  std::size_t max_name_bytes = 256;    ///< of a property's name
};

/// Reads a schema document. Understood:
///   object (properties in declared order, required, additionalProperties: false, which is the
///   default here), array (items, minItems, maxItems), string (minLength, maxLength), integer and
///   number (minimum, maximum), boolean, null, arrays of types, enum and const of any value,
///   anyOf, oneOf. title, description, default, examples, $schema and $comment say nothing about
///   values and are skipped.
/// Everything else is an error (kConfig) that names the place and what may stand there:
/// "/properties/x/pattern: unsupported keyword; a string takes minLength, maxLength".
Result<Schema> parse_schema(const Json& document, const SchemaLimits& limits = {});

/// `pointer` + "/" + `step`, with "~" and "/" in the step escaped (RFC 6901).
std::string pointer_to(std::string_view pointer, std::string_view step);

/// What a node asks for, in words: "a string of 1 to 20 characters", "an integer >= 1",
/// `"grep" or "find_files"`. At most about 200 bytes.
std::string describe(const Schema& schema, SchemaId id);

}  // namespace pedro
