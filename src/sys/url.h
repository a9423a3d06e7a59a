#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// Returns an error (kModel, "URL: problem; remedy") unless `url` is valid. A valid one is http://
/// or https:// with a host, or a Unix socket. It has at most 8 KiB, and no blanks, control
/// characters and backslashes.
Status check_url(std::string_view url);

/// Returns `url` without user, password, query and fragment, which may hold keys. Suitable for
/// messages and logs. Truncates long URLs to 200 bytes, and accepts those that check_url() refuses.
std::string public_url(std::string_view url);

/// Returns true if the host is this machine: localhost, 127.0.0.0/8, ::1 or a Unix socket. No proxy
/// applies then.
bool is_loopback_url(std::string_view url);

/// A Unix socket and the target of a request on it.
struct UnixSocketUrl {
  std::string socket;  ///< absolute path
  std::string target;  ///< begins with '/'
};

/// Splits "unix:/run/model.sock" or "unix:/run/model.sock:/v1/models". Returns nullopt for other
/// schemes and for a relative path.
std::optional<UnixSocketUrl> unix_socket_url(std::string_view url);

/// Returns the address of a route of the server at `url`: "http://host" + "/v1/models", or
/// "unix:/run/model.sock:" + "/v1/models".
std::string url_of_route(std::string_view url, std::string_view route);

/// Percent-encodes every byte except letters, digits and "-._~", for a value of a query.
std::string encode_query(std::string_view value);

}  // namespace pedro
