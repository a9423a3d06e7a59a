#pragma once

#include <string_view>

#include "base/result.h"
#include "regular/text_set.h"

namespace pedro {

/// The texts that contain a match of `pattern` (see parse_regex) anywhere, as in JSON Schema's
/// "pattern". Supports look-ahead outside of repeated groups and groups of alternatives. Errors:
/// those of parse_regex(); kConfig for look-ahead elsewhere, for '$' before a look-ahead and '^'
/// after one; kLimit if the automaton would be too large.
/// Charges `budget` unless it is null.
Result<TextSet> pattern_set(std::string_view pattern, SchemaBudget* budget = nullptr);

/// Returns the texts of a format, or null if the name is not one of these: date, time, date-time,
/// duration (RFC 3339); email (RFC 5321, without quoted local parts); hostname (RFC 1123, without
/// the limit on its total length); ipv4, ipv6 (RFC 4291); uri, uri-reference (RFC 3986; schemes of
/// up to 32 characters); uri-template (RFC 6570); uuid (RFC 9562); json-pointer,
/// relative-json-pointer (RFC 6901).
///
/// Sets are built on first use and kept. Thread-safe.
const TextSet* text_format(std::string_view name);

/// Returns true for formats of JSON Schema that text_format() does not support ("iri", "regex").
/// Distinguishes these from unknown names.
bool is_other_standard_format(std::string_view name);

}  // namespace pedro
