#include "sys/url.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxUrlBytes = 8u << 10;
constexpr std::size_t kMaxShownUrlBytes = 200;
constexpr std::string_view kUnixScheme = "unix:";

struct UrlParts {
  std::string_view scheme;  // with "://"; empty if there is none
  std::string_view host;    // includes the port
  std::string_view path;    // without query and fragment
};

UrlParts split_url(std::string_view url) {
  UrlParts parts;
  url = url.substr(0, url.find_first_of("?#"));
  if (const std::size_t end = url.find("://"); end != std::string_view::npos) {
    parts.scheme = url.substr(0, end + 3);
    url.remove_prefix(end + 3);
  }
  const std::size_t slash = std::min(url.find('/'), url.size());
  parts.path = url.substr(slash);
  parts.host = url.substr(0, slash);
  const std::size_t at = parts.host.rfind('@');
  if (at != std::string_view::npos) parts.host.remove_prefix(at + 1);
  return parts;
}

bool is_forbidden(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F || byte == '\\';
}

Error refused(std::string_view url, std::string_view why) {
  return Error{ErrorKind::kModel, fmt::format("{}: {}", public_url(url), why)};
}

}  // namespace

Status check_url(std::string_view url) {
  if (url.empty()) return Error{ErrorKind::kModel, "the address is empty; give http://HOST:PORT"};
  if (url.size() > kMaxUrlBytes) {
    return refused(url, fmt::format("the address is longer than {} bytes", kMaxUrlBytes));
  }
  if (std::any_of(url.begin(), url.end(), is_forbidden)) {
    return refused(url, "the address contains a blank or a control character");
  }
  if (unix_socket_url(url)) return {};
  const UrlParts parts = split_url(url);
  const std::string scheme = to_lower(parts.scheme);
  if (scheme != "http://" && scheme != "https://") {
    return refused(url, "only http://, https:// and unix:/PATH addresses can be used");
  }
  if (parts.host.empty() || parts.host.starts_with(':')) {
    return refused(url, "the address has no host; give http://HOST:PORT");
  }
  return {};
}

std::string public_url(std::string_view url) {
  const UrlParts parts = split_url(url);
  const std::string whole = fmt::format("{}{}{}", parts.scheme, parts.host, parts.path);
  const std::string_view head = truncate_utf8(whole, kMaxShownUrlBytes);
  return make_printable(head) + (head.size() < whole.size() ? "..." : "");
}

std::optional<UnixSocketUrl> unix_socket_url(std::string_view url) {
  if (!url.starts_with(kUnixScheme)) return std::nullopt;
  url.remove_prefix(kUnixScheme.size());
  if (url.starts_with("//")) url.remove_prefix(2);  // "unix:///run/model.sock"
  const std::size_t end = std::min(url.find(":/"), url.size());
  if (!url.starts_with('/') || url.substr(0, end).ends_with('/')) return std::nullopt;
  const std::string_view target = end < url.size() ? url.substr(end + 1) : "/";
  return UnixSocketUrl{std::string(url.substr(0, end)), std::string(target)};
}

std::string url_of_route(std::string_view url, std::string_view route) {
  const char* between = unix_socket_url(url) ? ":" : "";
  return fmt::format("{}{}{}", url, between, route);
}

std::string encode_query(std::string_view value) {
  std::string out;
  for (const char c : value) {
    const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (alnum || std::string_view("-._~").find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

bool is_loopback_url(std::string_view url) {
  if (url.starts_with(kUnixScheme)) return true;
  std::string_view host = split_url(url).host;
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1) == "[::1]";
  host = host.substr(0, host.find(':'));
  const std::string name = to_lower(host);
  if (name == "localhost" || name.ends_with(".localhost")) return true;
  // "127.example.com" is a name, not an address.
  return name.starts_with("127.") &&
         name.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace pedro
