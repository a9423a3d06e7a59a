#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "gbnf/gbnf.h"
#include "regular/number_set.h"
#include "regular/text_set.h"

namespace pedro {

struct LiteralGraph;

/// The index of a node in a Schema. Nodes refer to each other by index. A Schema is thus a plain
/// value that may be recursive without an ownership graph.
using SchemaId = std::uint32_t;

/// Types of JSON values, one bit each; integers and fractions are separate.
using TypeBits = std::uint8_t;
inline constexpr TypeBits kNullType = 1;
inline constexpr TypeBits kBooleanType = 2;
inline constexpr TypeBits kIntegerType = 4;
inline constexpr TypeBits kFractionType = 8;
inline constexpr TypeBits kNumberTypes = kIntegerType | kFractionType;
inline constexpr TypeBits kStringType = 16;
inline constexpr TypeBits kArrayType = 32;
inline constexpr TypeBits kObjectType = 64;
inline constexpr TypeBits kAllTypes = 127;

/// Returns the bit of a value's type; 3.0 is an integer, as in drafts 6 and later.
TypeBits type_of(const Json& value);

// The assertions of a schema, close to its keywords. An assertion about one type allows all values
// of other types.

/// "type".
struct TypeIs {
  TypeBits types = kAllTypes;
};

/// "enum", and "const" as a single value.
struct ValueIs {
  std::vector<Json> values;
};

/// "minLength" and "maxLength", in code points.
struct LengthRange {
  std::size_t min = 0;
  std::optional<std::size_t> max;
};

/// "pattern" or "format".
struct TextIn {
  TextSet set;
  std::string keyword;
  std::string text;  ///< as in the schema: "^[a-z]+$", "date"
};

/// "minimum", "maximum" and their exclusive variants.
struct NumberRange {
  std::optional<NumberBound> lower;
  std::optional<NumberBound> upper;
};

/// "multipleOf"; greater than zero.
struct MultipleOf {
  Decimal divisor;
};

/// "minItems" and "maxItems".
struct ItemCount {
  std::size_t min = 0;
  std::optional<std::size_t> max;
};

/// "prefixItems" (or "items" as a list), and the schema of the remaining items.
struct Items {
  std::vector<SchemaId> prefix;
  SchemaId rest = 0;
  bool rest_declared = false;  ///< set in the document; relevant to "unevaluatedItems"
};

/// "unevaluatedItems": the schema of items that no other part of the schema covers.
struct UnevaluatedItems {
  SchemaId value = 0;
};

/// "contains", "minContains" and "maxContains".
struct Contains {
  SchemaId item = 0;
  std::size_t min = 1;
  std::optional<std::size_t> max;
};

/// "uniqueItems": true.
struct UniqueItems {};

/// "minProperties" and "maxProperties".
struct PropertyCount {
  std::size_t min = 0;
  std::optional<std::size_t> max;
};

/// "required".
struct Required {
  std::vector<std::string> names;
};

/// "properties" in declared order, "patternProperties", "additionalProperties".
struct Properties {
  struct Pattern {
    TextSet names;
    std::string text;
    SchemaId value = 0;
  };
  std::vector<std::pair<std::string, SchemaId>> declared;
  std::vector<Pattern> patterns;
  SchemaId others = 0;           ///< schema of names that are not declared and match no pattern
  bool others_declared = false;  ///< set in the document; relevant to "unevaluatedProperties"

  /// Returns the schema of a declared property, or null.
  const SchemaId* find(std::string_view name) const;
  /// Returns true if the name is declared or matches a pattern.
  bool covers(const std::string& name) const;
};

/// "unevaluatedProperties": the schema of properties that no other part of the schema covers.
struct Unevaluated {
  SchemaId value = 0;
};

/// "propertyNames".
struct PropertyNames {
  SchemaId name = 0;
};

/// "dependentRequired", "dependentSchemas", "dependencies": an object with this property must also
/// match `then`.
struct Dependent {
  std::string name;
  SchemaId then = 0;
};

/// "allOf", and "$ref" as a single part.
struct AllOf {
  std::vector<SchemaId> parts;
  bool leads = false;  ///< before "properties" in the document, so its members come first
};

/// "anyOf".
struct AnyOf {
  std::vector<SchemaId> options;
};

/// "oneOf": exactly one of them.
struct OneOf {
  std::vector<SchemaId> options;
};

struct Not {
  SchemaId schema = 0;
};

/// "if", "then", "else".
struct IfThenElse {
  SchemaId condition = 0;
  SchemaId then = 0;
  SchemaId otherwise = 0;
};

/// "x-gbnf", an extension: the value's JSON must match this grammar.
struct RawRules {
  Gbnf rules;
  std::string text;
};

/// The kind of project entity that a value names.
enum class Named {
  kFile,     ///< a file
  kFolder,   ///< a folder
  kPlace,    ///< a file or a folder
  kNewFile,  ///< a file, or a new one in a folder
  kLine,     ///< a line of the file in `path`, from 1
  kLineRun,  ///< whole lines of the file in `path`
  kSymbol,   ///< a name that a file defines
};
/// Parses "file", "folder", "place", "new_file", "line", "lines", "symbol"; nullopt for any other
/// text.
std::optional<Named> parse_named(std::string_view text);

/// The keyword "x-names", an extension. Allows every value. A job narrows it to existing names
/// (narrow_schema.h).
struct Names {
  Named what = Named::kFile;
};

/// Allows the texts of a graph. Has no keyword; narrowed() adds it.
struct TextOfGraph {
  std::shared_ptr<const LiteralGraph> graph;  ///< never null
  std::string noun;                           ///< for errors: "a file of the project"
};

/// A keyword that cannot be evaluated: an unsupported pattern, a reference out of the document. A
/// value of `types` may satisfy it or violate it; any other value satisfies it.
struct Unknown {
  std::string keyword;
  TypeBits types = kAllTypes;
};

using Assertion =
    std::variant<TypeIs, ValueIs, LengthRange, TextIn, NumberRange, MultipleOf, ItemCount, Items,
                 UnevaluatedItems, Contains, UniqueItems, PropertyCount, Required, Properties,
                 Unevaluated, PropertyNames, Dependent, AllOf, AnyOf, OneOf, Not, IfThenElse,
                 RawRules, Names, TextOfGraph, Unknown>;

/// Returns the keyword for reports about an assertion: "maxLength", "oneOf".
std::string_view keyword_of(const Assertion& assertion);

/// A schema within the schema; a valid value satisfies all assertions.
struct SchemaNode {
  std::vector<Assertion> assertions;
  std::string pointer;  ///< its location in the schema document: "/properties/line"
};

/// A keyword of a schema document that neither a grammar nor validate() checks.
struct Unchecked {
  std::string pointer;  ///< "/properties/text"
  std::string keyword;  ///< "pattern"
  std::string why;      ///< "not supported: \\b"
};

/// A JSON Schema. A value; immutable after parsing. The nodes kAnything and kNothing always exist.
/// By default only `{}` is valid.
struct Schema {
  static constexpr SchemaId kAnything = 0;
  static constexpr SchemaId kNothing = 1;

  std::vector<SchemaNode> nodes;
  SchemaId root = 2;
  std::uint64_t fingerprint = 0;  ///< of the document and its dialect; identifies the schema
  std::vector<Unchecked> unchecked;
  bool keeps_order = true;  ///< members of objects have only the declared order

  Schema();
  const SchemaNode& operator[](SchemaId id) const { return nodes[id]; }
};

/// The longest text of a schema document that a command reads. 1 MiB of grammar is the limit
/// anyway.
inline constexpr std::size_t kMaxSchemaBytes = std::size_t{4} << 20;

struct SchemaLimits {
  int max_depth = 100;                   ///< nesting of an enum value
  std::size_t max_nodes = 50'000;        ///< schemas in one document
  std::size_t max_enum_values = 20'000;  ///< in one enum
  std::size_t max_name_bytes = 1024;     ///< length of a property name
};

/// The rules for reading a document.
enum class SchemaDialect {
  /// The drafts from 4 to 2020-12. Ignores unknown keywords. Objects are open unless
  /// "additionalProperties" closes them.
  kStandard,
  /// For tool manifests. Objects are closed unless "additionalProperties" opens them. Errors:
  /// unknown keywords, keywords that do not apply to the types beside them, crossing bounds, and
  /// undeclared required names.
  kClosed,
};

/// Parses a schema document. Supports every keyword of the drafts that constrains values.
/// References out of the document, a "$dynamicRef" with several targets, and unsupported patterns
/// are listed in Schema::unchecked. "format" is an assertion. The extension "x-gbnf" is
/// the right-hand side of a GBNF rule, or a whole grammar with a rule `root`. A schema that
/// contains itself as a part is an error.
///
/// Errors (kConfig) contain the location: "/properties/x/minLength: expected an integer from 0 to
/// 1000000000".
Result<Schema> parse_schema(const Json& document, SchemaDialect dialect = SchemaDialect::kStandard,
                            const SchemaLimits& limits = {});

/// Appends "/" and `step` to `pointer`, with "~" and "/" in the step escaped (RFC 6901).
std::string pointer_to(std::string_view pointer, std::string_view step);

/// Returns the types that a node allows by its own assertions and those of its "allOf" and "$ref".
TypeBits types_at_first_sight(const Schema& schema, SchemaId id);

/// Describes the values that a node allows: "a string of 1 to 20 characters", "an integer >= 1",
/// `"grep" or "find_files"`. At most about 200 bytes. With `about`, describes only values of these
/// types, if the node allows any.
std::string describe(const Schema& schema, SchemaId id, TypeBits about = kAllTypes);

/// Rejects (kConfig) a schema that contains itself through "$ref" or "allOf", directly or
/// indirectly. Such a schema has no meaning, and evaluating it would not terminate. Choices may be
/// recursive.
Status check_circles(const Schema& schema);

/// Lets every node that is only a reference refer to the end of its chain. Requires that
/// check_circles() has succeeded.
void shorten_references(Schema& schema);

}  // namespace pedro
