#include "mcp/oauth_metadata.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sys/url.h"

namespace pedro::mcp {
namespace {

constexpr std::size_t kMaxChallengeBytes = 8u << 10;
constexpr std::size_t kMaxScopeBytes = 4096;
constexpr std::size_t kMaxScopes = 100;

std::string without_slash(std::string_view url) {
  return std::string(url.ends_with('/') ? url.substr(0, url.size() - 1) : url);
}

// Returns the path of an address, without a slash at its end.
std::string path_of(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  return without_slash(url.substr(origin_of(url).size()));
}

bool has(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

// Returns the strings of a list, joined by blanks.
std::string scopes_in(const Json& list) {
  std::vector<std::string> scopes = texts_of(list);
  if (scopes.size() > kMaxScopes) scopes.resize(kMaxScopes);
  const std::string joined = join(scopes, " ");
  return joined.size() > kMaxScopeBytes ? "" : joined;
}

// Takes a name up to '=' from `rest`, then its value: a token or a quoted string.
bool next_parameter(std::string_view& rest, std::string& name, std::string& value) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t,"), rest.size()));
  const std::size_t equals = rest.find('=');
  if (equals == rest.npos) return false;
  name = to_lower(trim(rest.substr(0, equals)));
  rest.remove_prefix(equals + 1);
  value.clear();
  if (!rest.starts_with('"')) {
    value = trim(rest.substr(0, rest.find(',')));
    rest.remove_prefix(std::min(rest.find(','), rest.size()));
    return true;
  }
  std::size_t at = 1;
  for (; at < rest.size() && rest[at] != '"'; ++at) {
    if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
    value += rest[at];
  }
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return true;
}

}  // namespace

Challenge parse_challenge(std::string_view header) {
  constexpr std::string_view kScheme = "bearer";
  Challenge challenge;
  const std::size_t begin = to_lower(header).find(kScheme);
  if (begin == std::string::npos || header.size() > kMaxChallengeBytes) return challenge;
  std::string_view rest = header.substr(begin + kScheme.size());
  std::string name;
  std::string value;
  while (next_parameter(rest, name, value)) {
    if (name == "error") challenge.error = value;
    if (name == "scope" && value.size() <= kMaxScopeBytes) challenge.scope = value;
    if (name == "resource_metadata") challenge.resource_metadata = value;
  }
  return challenge;
}

std::string origin_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return std::string(url);
  return std::string(url.substr(0, url.find_first_of("/?#", scheme + 3)));
}

Status check_named_url(std::string_view url, std::string_view server_url) {
  const Status valid = check_url(url);
  if (!valid) return refusal(valid.error().message);
  const std::string scheme = to_lower(url.substr(0, std::min(url.find("://"), url.size())));
  const bool is_plain = scheme == "http";
  const bool is_here = is_loopback_url(url);
  const bool may_be_here = is_loopback_url(server_url);
  const bool has_user = origin_of(url).find('@') != std::string::npos;
  if ((is_plain || scheme == "https") && !has_user && (is_here ? may_be_here : !is_plain))
    return {};
  return refusal(
      fmt::format("the address {} is refused: expected https:// and a host other than this machine",
                  public_url(url)));
}

std::vector<std::string> resource_metadata_urls(const std::string& server_url) {
  constexpr std::string_view kWellKnown = "/.well-known/oauth-protected-resource";
  const std::string origin = origin_of(server_url);
  const std::string path = path_of(server_url);
  std::vector<std::string> urls = {fmt::format("{}{}{}", origin, kWellKnown, path)};
  if (!path.empty()) urls.push_back(fmt::format("{}{}", origin, kWellKnown));
  return urls;
}

std::vector<std::string> issuer_metadata_urls(const std::string& issuer) {
  const std::string origin = origin_of(issuer);
  const std::string path = path_of(issuer);
  std::vector<std::string> urls = {
      fmt::format("{}/.well-known/oauth-authorization-server{}", origin, path),
      fmt::format("{}/.well-known/openid-configuration{}", origin, path)};
  if (!path.empty()) {
    urls.push_back(fmt::format("{}{}/.well-known/openid-configuration", origin, path));
  }
  return urls;
}

Result<ProtectedResource> read_protected_resource(const Json& document,
                                                  const std::string& server_url) {
  ProtectedResource made;
  made.resource = text_of(document, "resource");
  const std::string path = path_of(made.resource);
  const std::string own_path = path_of(server_url);
  const bool contains = origin_of(made.resource) == origin_of(server_url) &&
                        (own_path == path || own_path.starts_with(path + "/"));
  if (!contains) {
    return refusal(fmt::format("its metadata is about another resource, {}; expected {}",
                               public_url(made.resource), public_url(server_url)));
  }
  const std::vector<std::string> issuers = texts_of(member(document, "authorization_servers"));
  if (issuers.empty()) return refusal("its metadata names no authorization server");
  made.issuer = issuers.front();
  PEDRO_RETURN_IF_ERROR(check_named_url(made.issuer, server_url));
  made.scopes = scopes_in(member(document, "scopes_supported"));
  return made;
}

Result<AuthorizationServer> read_authorization_server(const Json& document,
                                                      const std::string& issuer,
                                                      const std::string& server_url) {
  AuthorizationServer made;
  made.issuer = text_of(document, "issuer");
  if (without_slash(made.issuer) != without_slash(issuer)) {
    return refusal(fmt::format("the authorization server {} calls itself {}", public_url(issuer),
                               public_url(made.issuer)));
  }
  made.authorization_endpoint = text_of(document, "authorization_endpoint");
  made.token_endpoint = text_of(document, "token_endpoint");
  made.registration_endpoint = text_of(document, "registration_endpoint");
  for (const std::string* url :
       {&made.authorization_endpoint, &made.token_endpoint, &made.registration_endpoint}) {
    if (url == &made.registration_endpoint && url->empty()) continue;
    PEDRO_RETURN_IF_ERROR(check_named_url(*url, server_url));
  }
  if (!has(texts_of(member(document, "code_challenge_methods_supported")), "S256")) {
    return refusal("the authorization server does not support PKCE with S256");
  }
  made.auth_methods = texts_of(member(document, "token_endpoint_auth_methods_supported"));
  made.offers_offline_access =
      has(texts_of(member(document, "scopes_supported")), "offline_access");
  made.returns_issuer = truth_of(document, "authorization_response_iss_parameter_supported");
  return made;
}

}  // namespace pedro::mcp
