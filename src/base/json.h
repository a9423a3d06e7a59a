#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// JSON with keys in the order they were written: what reaches a prompt, a grammar or a journal
/// has to have the same bytes for the same input.
using Json = nlohmann::ordered_json;

struct JsonLimits {
  std::size_t max_bytes = 64u << 20;  ///< longer input is refused before it is parsed
  int max_depth = 128;                ///< deeper nesting is refused, so that nothing recurses on it
};

/// Parses one JSON value from hostile text. The error (kind kConfig) is "line:column: what is
/// wrong", both 1-based, columns in bytes.
Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {});

/// One line of JSON. Invalid UTF-8 becomes U+FFFD; never throws.
std::string to_line(const Json& value);

/// The same with a blank behind each ',' and ':', as Python and many models write it. Recurses as
/// deep as the value.
std::string to_spaced_line(const Json& value);

/// A hash (hash.h) of all that to_line() would write. Does not recurse.
std::uint64_t hash_of(const Json& value, std::uint64_t seed);

/// Indented by two blanks, for people. Invalid UTF-8 becomes U+FFFD; never throws.
std::string to_pretty(const Json& value);

/// The member `key` of an object as text; `fallback` where it is missing or not a string.
std::string text_of(const Json& object, std::string_view key, std::string_view fallback = "");

/// The member `key` as a whole number; `fallback` where it is missing, not a number or too large.
long long number_of(const Json& object, std::string_view key, long long fallback = 0);

/// The same for what is counted: within 0 and 10^11, so that no sum of what a file says overflows.
long long count_of(const Json& object, std::string_view key, long long fallback = 0);

/// The member `key` as a floating-point number; `fallback` where it is missing or not a number.
double real_of(const Json& object, std::string_view key, double fallback = 0);

/// The member `key` as a truth value; `fallback` where it is missing or not one.
bool truth_of(const Json& object, std::string_view key, bool fallback = false);

/// The member `key`, or null where `object` is no object or has none.
const Json& member(const Json& object, std::string_view key);

}  // namespace pedro
