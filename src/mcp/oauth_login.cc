#include "mcp/oauth_login.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "mcp/protocol.h"
#include "sys/url.h"

namespace pedro::mcp {

/// The metadata of a protected resource (RFC 9728).
struct ProtectedResource {
  std::string resource;  ///< for the parameter `resource` (RFC 8707)
  std::string issuer;    ///< of the first authorization server
  std::string scopes;    ///< separated by blanks
};

/// The metadata of an authorization server (RFC 8414).
struct AuthorizationServer {
  std::string issuer = {};
  std::string authorization_endpoint = {};
  std::string token_endpoint = {};
  std::string registration_endpoint = {};      ///< "" if there is none
  std::vector<std::string> auth_methods = {};  ///< of the token endpoint
  bool offers_offline_access = false;          ///< a scope for refresh tokens
  bool returns_issuer = false;                 ///< in the redirect (RFC 9207)
};

namespace {

constexpr std::size_t kMaxChallengeBytes = 8u << 10;
constexpr std::size_t kMaxScopeBytes = 4096;
constexpr std::size_t kMaxScopes = 100;
constexpr double kStep_s = 20;
constexpr std::size_t kMaxCodeBytes = 4096;

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

// Returns the scopes with those of `more` that they lack.
std::string with_scopes(const std::string& scopes, std::string_view more) {
  std::vector<std::string> all;
  for (const std::string_view list : {std::string_view(scopes), more}) {
    for (const std::string_view one : split(list, ' ')) {
      if (!one.empty()) add_once(all, one);
    }
  }
  return join(all, " ");
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

// Returns the places of the metadata of a resource, the preferred one first.
std::vector<std::string> resource_metadata_urls(const std::string& server_url) {
  constexpr std::string_view kWellKnown = "/.well-known/oauth-protected-resource";
  const std::string origin = origin_of(server_url);
  const std::string path = path_of(server_url);
  std::vector<std::string> urls = {fmt::format("{}{}{}", origin, kWellKnown, path)};
  if (!path.empty()) urls.push_back(fmt::format("{}{}", origin, kWellKnown));
  return urls;
}

// The same for an issuer.
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

// Reads the document of a resource. Errors (kRefused): it does not contain `server_url`, or names
// no authorization server.
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

// Reads the document of an issuer. Errors (kRefused): another issuer than `issuer`; an endpoint
// that check_named_url() refuses; no PKCE with S256.
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

HttpRequest bounded(HttpRequest request) {
  request.timeout_s = request.idle_timeout_s = kStep_s;
  request.max_response_bytes = kMetadataLimits.max_bytes;
  return request;
}

HttpRequest post_json(const std::string& url, const Json& body) {
  return bounded(
      {.method = "POST",
       .url = url,
       .headers = {"Content-Type: application/json", "Accept: application/json, text/event-stream"},
       .body = to_line(body)});
}

// Returns the way in which a client with this secret signs in at a token endpoint.
std::string auth_method_for(const AuthorizationServer& issuer, bool has_secret) {
  if (!has_secret) return "none";
  const bool is_post = has(issuer.auth_methods, "client_secret_post") &&
                       !has(issuer.auth_methods, "client_secret_basic");
  return is_post ? "client_secret_post" : "client_secret_basic";
}

// Returns the server without metadata of the protocol's version 2025-03-26.
AuthorizationServer assumed_issuer(const std::string& origin) {
  return {.issuer = origin,
          .authorization_endpoint = origin + "/authorize",
          .token_endpoint = origin + "/token",
          .registration_endpoint = origin + "/register"};
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

std::string query_value(std::string_view query, std::string_view name) {
  for (const std::string_view part : split(query, '&')) {
    const std::size_t equals = part.find('=');
    if (equals == part.npos || part.substr(0, equals) != name) continue;
    return percent_decoded(replace_all(part.substr(equals + 1), "+", " "));
  }
  return "";
}

std::string pkce_challenge(std::string_view verifier) {
  const std::string hex = sha256(verifier);
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  std::string text = replace_all(replace_all(to_base64(bytes), "+", "-"), "/", "_");
  text.erase(text.find_last_not_of('=') + 1);
  return text;
}

// Asks without a token, which a protected server answers with its challenge.
Result<Challenge> OauthLogin::ask_for_challenge(const CancelToken& cancel) {
  const Json hello = {{"jsonrpc", "2.0"},
                      {"id", 1},
                      {"method", "initialize"},
                      {"params",
                       {{"protocolVersion", kSessionVersions.front()},
                        {"capabilities", Json::object()},
                        {"clientInfo", {{"name", "pedrocli"}, {"version", "0"}}}}}};
  const Json list = {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "tools/list"}};
  for (const Json& message : {hello, list}) {
    HttpRequest request = post_json(settings_.server_url, message);
    request.wanted_header = "www-authenticate";
    PEDRO_TRY(const HttpResponse response,
              http_.send(
                  request, [](std::string_view) { return false; }, cancel));
    if (response.status == 401) return parse_challenge(response.header);
  }
  return Challenge();
}

// Returns null if there is no document at the address.
Result<Json> OauthLogin::fetch(const std::string& url, const CancelToken& cancel) {
  const HttpRequest request = bounded({.url = url, .headers = {"Accept: application/json"}});
  PEDRO_TRY(const HttpResponse response, http_.send(request, nullptr, cancel));
  if (response.status >= 400 && response.status < 500) return Json();
  if (response.status != 200) {
    return refusal(
        fmt::format("{}: HTTP status {}; no metadata", public_url(url), response.status));
  }
  const auto json = parse_json(response.body, kMetadataLimits);
  if (!json || !json->is_object()) {
    return refusal(fmt::format("{}: the metadata is not a JSON object", public_url(url)));
  }
  return *json;
}

// Returns a resource without an issuer if the server has no metadata.
Result<ProtectedResource> OauthLogin::find_resource(const Challenge& challenge,
                                                    const CancelToken& cancel) {
  std::vector<std::string> urls = resource_metadata_urls(settings_.server_url);
  if (!challenge.resource_metadata.empty()) {
    PEDRO_RETURN_IF_ERROR(check_named_url(challenge.resource_metadata, settings_.server_url));
    urls = {challenge.resource_metadata};
  }
  for (const std::string& url : urls) {
    PEDRO_TRY(const Json document, fetch(url, cancel));
    if (!document.is_null()) return read_protected_resource(document, settings_.server_url);
  }
  return ProtectedResource();
}

Result<AuthorizationServer> OauthLogin::find_issuer(const std::string& issuer, bool is_assumed,
                                                    const CancelToken& cancel) {
  for (const std::string& url : issuer_metadata_urls(issuer)) {
    PEDRO_TRY(const Json document, fetch(url, cancel));
    if (document.is_null()) continue;
    // Without metadata of the resource, the issuer is only known to have the server's origin.
    const std::string named = text_of(document, "issuer");
    const bool fits = is_assumed && origin_of(named) == issuer;
    return read_authorization_server(document, fits ? named : issuer, settings_.server_url);
  }
  if (is_assumed) return assumed_issuer(issuer);
  return refusal(fmt::format("the authorization server {} has no metadata", public_url(issuer)));
}

// Returns a grant without tokens for the user's client, or a new one.
Result<Grant> OauthLogin::make_client(const AuthorizationServer& issuer,
                                      const std::string& redirect_url, const std::string& scope,
                                      const CancelToken& cancel) {
  Grant grant{.client_id = settings_.client_id,
              .client_secret = settings_.client_secret,
              .token_endpoint = issuer.token_endpoint};
  grant.auth_method = auth_method_for(issuer, !grant.client_secret.empty());
  if (!grant.client_id.empty()) return grant;
  if (issuer.registration_endpoint.empty()) {
    return refusal(fmt::format(
        "{} registers no clients; register one there and set \"oauth\": {{\"clientId\": …}}",
        public_url(issuer.issuer)));
  }
  const bool is_public = issuer.auth_methods.empty() || has(issuer.auth_methods, "none");
  Json client = {{"client_name", "pedrocli"},
                 {"application_type", "native"},
                 {"redirect_uris", {redirect_url}},
                 {"grant_types", {"authorization_code", "refresh_token"}},
                 {"response_types", {"code"}},
                 {"token_endpoint_auth_method", auth_method_for(issuer, !is_public)}};
  if (!scope.empty()) client["scope"] = scope;
  PEDRO_TRY(const HttpResponse response,
            http_.send(post_json(issuer.registration_endpoint, client), nullptr, cancel));
  const auto json = parse_json(response.body, kMetadataLimits);
  grant.client_id = json ? text_of(*json, "client_id") : "";
  if (response.status < 200 || response.status > 299 || grant.client_id.empty()) {
    return refusal(fmt::format("{}: no client was registered: HTTP status {}",
                               public_url(issuer.registration_endpoint), response.status));
  }
  grant.client_secret = text_of(*json, "client_secret");
  grant.auth_method = text_of(*json, "token_endpoint_auth_method",
                              auth_method_for(issuer, !grant.client_secret.empty()));
  return grant;
}

Result<std::string> OauthLogin::code_in(const std::string& query,
                                        const AuthorizationServer& issuer) const {
  const std::string named = query_value(query, "iss");
  if (named != issuer.issuer && (issuer.returns_issuer || !named.empty())) {
    return refusal(fmt::format("the redirect names the issuer '{}', expected '{}'",
                               make_printable(truncate_utf8(named, 200)), issuer.issuer));
  }
  const std::string error = query_value(query, "error");
  if (!error.empty()) {
    return refusal("the sign-in was refused: " + make_printable(truncate_utf8(error, 80)));
  }
  std::string code = query_value(query, "code");
  if (code.empty() || code.size() > kMaxCodeBytes) return refusal("the redirect has no code");
  return code;
}

Result<Grant> OauthLogin::run(const LoginBrowser& browser, const CancelToken& cancel) {
  PEDRO_RETURN_IF_ERROR(check_named_url(settings_.server_url, settings_.server_url));
  PEDRO_TRY(const Challenge challenge, ask_for_challenge(cancel));
  PEDRO_TRY(ProtectedResource resource, find_resource(challenge, cancel));
  const bool is_assumed = resource.issuer.empty();
  if (is_assumed) resource.issuer = origin_of(settings_.server_url);
  PEDRO_TRY(const AuthorizationServer issuer, find_issuer(resource.issuer, is_assumed, cancel));
  std::string scope = settings_.scope;
  if (scope.empty()) {
    scope = challenge.scope.empty() ? resource.scopes : challenge.scope;
  } else if (settings_.earlier.token_endpoint == issuer.token_endpoint) {
    scope = with_scopes(settings_.earlier.scope, scope);
  }
  if (issuer.offers_offline_access) scope = with_scopes(scope, "offline_access");
  PEDRO_TRY(Grant grant, make_client(issuer, browser.redirect_url, scope, cancel));
  grant.resource = resource.resource;
  grant.scope = scope;
  std::string url = fmt::format(
      "{}{}response_type=code&client_id={}&redirect_uri={}&state={}&code_challenge={}"
      "&code_challenge_method=S256",
      issuer.authorization_endpoint,
      issuer.authorization_endpoint.find('?') == std::string::npos ? '?' : '&',
      encode_query(grant.client_id), encode_query(browser.redirect_url),
      encode_query(browser.state), pkce_challenge(browser.verifier));
  if (!scope.empty()) url += "&scope=" + encode_query(scope);
  if (!grant.resource.empty()) url += "&resource=" + encode_query(grant.resource);
  browser.show(url);
  PEDRO_TRY(const std::string query, browser.wait());
  PEDRO_TRY(const std::string code, code_in(query, issuer));
  return request_tokens(http_, clock_, std::move(grant),
                        {{"grant_type", "authorization_code"},
                         {"code", code},
                         {"redirect_uri", browser.redirect_url},
                         {"code_verifier", browser.verifier}},
                        cancel);
}

}  // namespace pedro::mcp
