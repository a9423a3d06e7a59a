#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// JSON with keys in insertion order. Prompts, grammars and journals must have the same bytes for
/// the same input.
using Json = nlohmann::ordered_json;

struct JsonLimits {
  std::size_t max_bytes = 64u << 20;  ///< longer input is rejected before parsing
  int max_depth = 128;                ///< deeper nesting is rejected, which bounds recursion
  /// Keeps a number that does not fit a double as its text, in a binary value; see
  /// is_json_number().
  bool exact_numbers = false;
};

/// Parses one JSON value from untrusted text. The error (kConfig) is "line:column: reason"; both
/// are 1-based, columns are in bytes. An error about the size has the position 1:1.
Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {});

/// Returns true for a number, also one that `exact_numbers` kept as its text.
bool is_json_number(const Json& value);

/// Serializes to one line. Replaces invalid UTF-8 by U+FFFD; never throws. A number that is kept as
/// its text is this text, unless it is within an array or object.
std::string to_line(const Json& value);

/// Serializes to one line with a space after each ',' and ':', like Python and many models.
/// Recursion depth equals the depth of the value.
std::string to_spaced_line(const Json& value);

/// Hashes the whole value (hash.h). Does not recurse.
std::uint64_t hash_of(const Json& value, std::uint64_t seed);

/// Serializes with an indentation of two spaces. Replaces invalid UTF-8 by U+FFFD; never throws.
std::string to_pretty(const Json& value);

/// The string member `key`, or `fallback` if it is missing or not a string.
std::string text_of(const Json& object, std::string_view key, std::string_view fallback = "");

/// The strings in an array. Skips other values.
std::vector<std::string> texts_of(const Json& list);

/// The numeric member `key`, truncated to an integer, or `fallback` if missing, not a number or out
/// of range.
long long number_of(const Json& object, std::string_view key, long long fallback = 0);

/// number_of(), clamped to 0 through 10^11, so that sums of untrusted counts do not overflow.
long long count_of(const Json& object, std::string_view key, long long fallback = 0);

/// The numeric member `key`, or `fallback` if it is missing or not a number.
double real_of(const Json& object, std::string_view key, double fallback = 0);

/// The boolean member `key`, or `fallback` if it is missing or not a boolean.
bool truth_of(const Json& object, std::string_view key, bool fallback = false);

/// The member `key`, or null if it is missing or `object` is not an object.
const Json& member(const Json& object, std::string_view key);

}  // namespace pedro
