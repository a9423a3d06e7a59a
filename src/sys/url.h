#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// An error (kModel, "URL: what is wrong; what to do") unless `url` is http:// or https:// with a
/// host, at most 8 KiB, and free of blanks, controls and backslashes.
Status check_url(std::string_view url);

/// `url` without user, password, query and fragment, which may hold keys: fit for messages and
/// logs. Also of a URL that check_url refuses.
std::string public_url(std::string_view url);

/// True where the host is this machine: localhost, 127.0.0.0/8 or ::1. A proxy cannot help there.
bool is_loopback_url(std::string_view url);

}  // namespace pedro
