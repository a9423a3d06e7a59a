#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "mcp/access_token.h"
#include "sys/http.h"

namespace pedro::mcp {

/// The choices of the user for a sign-in.
struct LoginSettings {
  std::string server_url;
  std::string scope;          ///< in addition to that of `earlier`; "" for the server's own
  std::string client_id;      ///< of a client registered before; "" to register one
  std::string client_secret;  ///< of such a client; "" if it is public
  Grant earlier = {};         ///< of the last sign-in to this server
};

/// The parts of a sign-in outside of HTTP.
struct LoginBrowser {
  std::string redirect_url;
  std::string state;     ///< random, for one sign-in
  std::string verifier;  ///< random, 43 to 128 characters (RFC 7636)
  std::function<void(const std::string& url)> show;
  /// Returns the query of the redirect that contains `state`.
  std::function<Result<std::string>()> wait;
};

/// The parts of a `WWW-Authenticate: Bearer` header. Missing ones are empty.
struct Challenge {
  std::string error;              ///< "insufficient_scope"
  std::string scope;              ///< separated by blanks
  std::string resource_metadata;  ///< an address
};

struct ProtectedResource;    // of RFC 9728
struct AuthorizationServer;  // of RFC 8414

/// Signs in to a server through a browser (OAuth 2.1, section 4.1). Finds its authorization server
/// (RFC 9728, RFC 8414), registers a client (RFC 7591), and exchanges the code with PKCE. All
/// documents are bounded and no redirect is followed. Errors: kRefused if the server offers no
/// sign-in, breaks a rule or the user denied it; kModel; kInterrupted. Borrows everything; one
/// thread.
///
///     OauthLogin login(http, clock, settings);
///     PEDRO_TRY(const Grant grant, login.run(browser, cancel));
class OauthLogin {
 public:
  OauthLogin(Http& http, const Clock& clock, LoginSettings settings)
      : http_(http), clock_(clock), settings_(std::move(settings)) {}

  Result<Grant> run(const LoginBrowser& browser, const CancelToken& cancel);

 private:
  Result<Challenge> ask_for_challenge(const CancelToken& cancel);
  Result<ProtectedResource> find_resource(const Challenge& challenge, const CancelToken& cancel);
  Result<AuthorizationServer> find_issuer(const std::string& issuer, bool is_assumed,
                                          const CancelToken& cancel);
  Result<Json> fetch(const std::string& url, const CancelToken& cancel);
  Result<Grant> make_client(const AuthorizationServer& issuer, const std::string& redirect_url,
                            const std::string& scope, const CancelToken& cancel);
  Result<std::string> code_in(const std::string& query, const AuthorizationServer& issuer) const;

  Http& http_;
  const Clock& clock_;
  LoginSettings settings_;
};

/// Parses the value of that header (RFC 9110, section 11.6.1). Returns an empty challenge for other
/// schemes.
Challenge parse_challenge(std::string_view header);

/// Refuses an address that a server named unless it is https://. A server on this machine may name
/// http:// and https:// addresses of this machine; any other server may not. Error (kRefused).
Status check_named_url(std::string_view url, std::string_view server_url);

/// Returns "https://host:port" of an address.
std::string origin_of(std::string_view url);

/// Returns a value of a query, decoded; "" if it is missing.
std::string query_value(std::string_view query, std::string_view name);

/// Returns the S256 challenge of a verifier (RFC 7636, section 4.2).
std::string pkce_challenge(std::string_view verifier);

}  // namespace pedro::mcp
