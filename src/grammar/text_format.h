#pragma once

#include <string_view>

#include "grammar/text_set.h"

namespace pedro {

/// The texts that have the format of that name as a whole, or null where it is none of these:
/// date, time, date-time, duration (RFC 3339); email (RFC 5321, without quoted local parts);
/// hostname (RFC 1123, without the limit of the whole); ipv4, ipv6 (RFC 4291); uri, uri-reference
/// (RFC 3986; schemes of up to 32 characters); uuid (RFC 9562); json-pointer, relative-json-pointer
/// (RFC 6901). Made when first asked for, then kept; from any thread.
const TextSet* text_format(std::string_view name);

/// True for what JSON Schema defines and text_format() does not know ("iri", "regex"): to be told
/// apart from names that mean nothing to anyone.
bool is_other_standard_format(std::string_view name);

}  // namespace pedro
