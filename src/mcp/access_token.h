#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "sys/file_system.h"
#include "sys/http.h"

namespace pedro::mcp {

/// The access to a server that a sign-in gave, as stored. All texts are secrets or addresses.
struct Grant {
  std::string access_token = {};
  std::string refresh_token = {};  ///< "" if there is none
  long long expires_at_s = 0;      ///< since 1970-01-01 UTC; 0: unknown
  std::string client_id = {};
  std::string client_secret = {};  ///< "" for a public client
  std::string auth_method =
      {};  ///< of the token endpoint: "none", "client_secret_basic" or "…_post"
  std::string token_endpoint = {};
  std::string resource = {};
  std::string scope = {};  ///< granted, separated by blanks; "": the server's own
};

/// The limits of a document that a server or an authorization server sends during a sign-in.
inline constexpr JsonLimits kMetadataLimits{.max_bytes = std::size_t{256} << 10, .max_depth = 16};

/// Stores the grants of servers by their address, each in a file (0600) of `folder` (0700).
class GrantStore {
 public:
  GrantStore(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  /// Returns the grant of a server, without tokens if there is none. Error (kConfig): the file
  /// cannot be read.
  Result<Grant> load(const std::string& server_url) const;
  Status save(const std::string& server_url, const Grant& grant);
  /// Returns false if there was none.
  Result<bool> remove(const std::string& server_url);

 private:
  std::string path_of(const std::string& server_url) const;

  FileSystem& files_;
  std::string folder_;
};

/// Exchanges `fields` at a token endpoint, with the authentication and the resource of `grant`.
/// Returns the grant with the new tokens. Errors: kRefused with the code of the server's error;
/// kModel; kInterrupted. No message contains a token.
Result<Grant> request_tokens(Http& http, const Clock& clock, Grant grant,
                             std::vector<std::pair<std::string, std::string>> fields,
                             const CancelToken& cancel);

/// The token for the requests to one server: that of a file, or of a grant, which it renews. One
/// thread. Borrows everything.
class AccessToken {
 public:
  /// `file` is a file with the token alone, which another program may renew; "": the grant in
  /// `store`. `on_token` receives each token before its first use, so that it can be masked.
  AccessToken(FileSystem& files, GrantStore& store, Http& http, const Clock& clock,
              std::string file, std::string server_url)
      : files_(files),
        store_(store),
        http_(http),
        clock_(clock),
        file_(std::move(file)),
        server_url_(std::move(server_url)) {}

  /// Returns the token; "" if there is none. Renews one that has expired. Errors: kConfig for a
  /// file; kInterrupted.
  Result<std::string> get(const CancelToken& cancel);

  /// Replaces a token that the server refused: by the one that another process has stored, or with
  /// the refresh token. Returns false if there is no other token. Error: kInterrupted.
  Result<bool> renew(const CancelToken& cancel);

  /// Returns the secrets in use: tokens and the client's secret.
  std::vector<std::string> secrets() const;

  std::function<void()> on_change = [] {};  ///< after secrets() changed

 private:
  Result<std::string> read_file() const;
  void use(Grant grant);

  FileSystem& files_;
  GrantStore& store_;
  Http& http_;
  const Clock& clock_;
  std::string file_;
  std::string server_url_;
  Grant grant_;  // of a file: only the token
  bool is_loaded_ = false;
};

}  // namespace pedro::mcp
