#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pedro::mcp {

/// The limits of a document that a server or an authorization server sends during a sign-in.
inline constexpr JsonLimits kMetadataLimits{.max_bytes = std::size_t{256} << 10, .max_depth = 16};

/// The parts of a `WWW-Authenticate: Bearer` header. Missing ones are empty.
struct Challenge {
  std::string error;              ///< "insufficient_scope"
  std::string scope;              ///< separated by blanks
  std::string resource_metadata;  ///< an address
};

/// Parses the value of the header (RFC 9110, section 11.6.1). Returns an empty challenge for other
/// schemes.
Challenge parse_challenge(std::string_view header);

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

/// Refuses an address that a server named unless it is https://. A server on this machine may name
/// http:// and https:// addresses of this machine; any other server may not. Error (kRefused).
Status check_named_url(std::string_view url, std::string_view server_url);

/// Returns the places of the metadata of a resource or an issuer, the preferred one first.
std::vector<std::string> resource_metadata_urls(const std::string& server_url);
std::vector<std::string> issuer_metadata_urls(const std::string& issuer);

/// Returns "https://host:port" of an address.
std::string origin_of(std::string_view url);

/// Read the documents. Errors (kRefused): a resource that does not contain `server_url`; no
/// authorization server; another issuer than `issuer`; an endpoint that check_named_url() refuses;
/// no PKCE with S256.
Result<ProtectedResource> read_protected_resource(const Json& document,
                                                  const std::string& server_url);
Result<AuthorizationServer> read_authorization_server(const Json& document,
                                                      const std::string& issuer,
                                                      const std::string& server_url);

}  // namespace pedro::mcp
