#pragma once

#include <string_view>

#include "regular/text_set.h"

namespace pedro {

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
