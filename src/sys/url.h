#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// Returns an error (kModel, "URL: problem; remedy") unless `url` is valid: http:// or https://
/// with a host, at most 8 KiB, without blanks, control characters and backslashes.
Status check_url(std::string_view url);

/// Returns `url` without user, password, query and fragment, which may hold keys. Suitable for
/// messages and logs. Truncates long URLs to 200 bytes, and accepts those that check_url() refuses.
std::string public_url(std::string_view url);

/// Returns true if the host is this machine: localhost, 127.0.0.0/8 or ::1. No proxy applies then.
bool is_loopback_url(std::string_view url);

}  // namespace pedro
