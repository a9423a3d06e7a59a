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
namespace {

constexpr double kStep_s = 20;
constexpr std::size_t kMaxCodeBytes = 4096;

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

bool takes(const std::vector<std::string>& methods, std::string_view method) {
  return std::ranges::find(methods, method) != methods.end();
}

// Returns the way in which a client with this secret signs in at a token endpoint.
std::string auth_method_for(const AuthorizationServer& issuer, bool has_secret) {
  if (!has_secret) return "none";
  const bool is_post = takes(issuer.auth_methods, "client_secret_post") &&
                       !takes(issuer.auth_methods, "client_secret_basic");
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
  HttpRequest request = post_json(settings_.server_url, hello);
  request.wanted_header = "www-authenticate";
  PEDRO_TRY(const HttpResponse response,
            http_.send(
                request, [](std::string_view) { return false; }, cancel));
  return response.status == 401 ? parse_challenge(response.header) : Challenge();
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
  const bool is_public = issuer.auth_methods.empty() || takes(issuer.auth_methods, "none");
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
  if (scope.empty()) scope = challenge.scope.empty() ? resource.scopes : challenge.scope;
  if (issuer.offers_offline_access && scope.find("offline_access") == scope.npos) {
    scope += scope.empty() ? "offline_access" : " offline_access";
  }
  PEDRO_TRY(Grant grant, make_client(issuer, browser.redirect_url, scope, cancel));
  grant.resource = resource.resource;
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
