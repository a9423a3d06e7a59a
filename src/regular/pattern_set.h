#pragma once

#include <string_view>

#include "base/result.h"
#include "regular/text_set.h"

namespace pedro {

/// The texts that contain a match of `pattern` (see parse_regex) anywhere, as in JSON Schema's
/// "pattern". Supports look-ahead outside of repeated groups and groups of alternatives. Errors:
/// those of parse_regex(); kLimit if the automaton would be too large. kConfig for look-ahead
/// elsewhere, for '$' before a look-ahead and '^' after one. Charges `budget` unless it is null.
Result<TextSet> pattern_set(std::string_view pattern, SchemaBudget* budget = nullptr);

/// Returns the texts of a format, or null for a name that is not listed here. RFC 3339: date, time,
/// date-time, duration. RFC 5321: email, without quoted local parts. RFC 1123: hostname, without
/// the limit on its total length. RFC 4291: ipv4, ipv6. RFC 3986: uri, uri-reference, with schemes
/// of up to 32 characters. RFC 6570: uri-template. RFC 9562: uuid. RFC 6901: json-pointer,
/// relative-json-pointer.
///
/// Sets are built on first use and kept. Thread-safe.
const TextSet* text_format(std::string_view name);

/// Returns true for formats of JSON Schema that text_format() does not support ("iri", "regex").
/// Distinguishes these from unknown names.
bool is_other_standard_format(std::string_view name);

}  // namespace pedro
