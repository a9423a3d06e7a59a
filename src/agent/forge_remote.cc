#include "agent/forge_remote.h"

#include <algorithm>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxRepositoryNameBytes = 100;
constexpr std::size_t kMaxParts = 20;  // GitLab nests groups

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxRepositoryNameBytes && text != "." && text != ".." &&
         std::all_of(text.begin(), text.end(), is_name_byte);
}

/// Splits an address into the authority and the path on the server. Returns false for other
/// addresses.
bool split_address(std::string_view address, std::string_view& authority, std::string_view& path) {
  const std::size_t scheme = address.find("://");
  if (scheme != std::string_view::npos) {
    const std::string_view name = address.substr(0, scheme);
    if (name != "https" && name != "http" && name != "ssh" && name != "git") return false;
    address.remove_prefix(scheme + 3);
  }
  // An address without a scheme is in scp notation; the first colon ends the host.
  const std::size_t end = address.find(scheme == std::string_view::npos ? ':' : '/');
  if (end == std::string_view::npos) return false;
  authority = address.substr(0, end);
  path = address.substr(end + 1);
  return authority.find('/') == std::string_view::npos;
}

}  // namespace

std::optional<ForgeRemote> parse_remote(std::string_view address) {
  std::string_view host;
  std::string_view path;
  if (!split_address(trim(address), host, path)) return {};
  host.remove_prefix(host.rfind('@') + 1);  // npos + 1 is 0
  host = host.substr(0, host.find(':'));
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with(".git")) path.remove_suffix(4);
  const std::vector<std::string_view> parts = split(path, '/');
  const bool fits = parts.size() >= 2 && parts.size() <= kMaxParts && is_name(host) &&
                    std::ranges::all_of(parts, is_name);
  if (!fits) return {};
  return ForgeRemote{to_lower(host), std::string(path)};
}

}  // namespace pedro
