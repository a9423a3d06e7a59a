#include "mcp/access_token.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/url.h"

namespace pedro::mcp {
namespace {

constexpr std::size_t kMaxTokenBytes = 16u << 10;
constexpr std::uint64_t kMaxGrantBytes = 128u << 10;
constexpr std::size_t kMaxGrantedBytes = 4096;  // of scopes
constexpr double kExchange_s = 20;
constexpr long long kMargin_s = 30;  // a token is renewed so long before its end
constexpr long long kMaxLife_s = 10LL * 365 * 86400;

// Returns true for a text that can stand in a header.
bool is_token(const std::string& text) {
  return !text.empty() && text.size() <= kMaxTokenBytes &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

std::string form_of(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : fields) parts.push_back(name + "=" + encode_query(value));
  return join(parts, "&");
}

long long now_s(const Clock& clock) {
  return clock.now_ms() / 1000;
}

}  // namespace

std::string GrantStore::path_of(const std::string& server_url) const {
  return join_path(folder_, sha256(server_url).substr(0, 32) + ".json");
}

Result<Grant> GrantStore::load(const std::string& server_url) const {
  const std::string path = path_of(server_url);
  if (files_.link_info(path).kind == FileKind::kMissing) return Grant{};
  const auto text = files_.read(path, kMaxGrantBytes);
  if (!text) return Error{ErrorKind::kConfig, text.error().message};
  const auto json = parse_json(*text, kMetadataLimits);
  // Another server could have the same hash only by intent; its tokens must not be sent.
  if (!json || text_of(*json, "server") != server_url) return Grant{};
  return Grant{.access_token = text_of(*json, "access_token"),
               .refresh_token = text_of(*json, "refresh_token"),
               .expires_at_s = number_of(*json, "expires_at_s"),
               .client_id = text_of(*json, "client_id"),
               .client_secret = text_of(*json, "client_secret"),
               .auth_method = text_of(*json, "auth_method"),
               .token_endpoint = text_of(*json, "token_endpoint"),
               .resource = text_of(*json, "resource"),
               .scope = text_of(*json, "scope")};
}

Status GrantStore::save(const std::string& server_url, const Grant& grant) {
  PEDRO_RETURN_IF_ERROR(files_.make_folders(folder_, 0700));
  const Json json = {{"server", server_url},
                     {"access_token", grant.access_token},
                     {"refresh_token", grant.refresh_token},
                     {"expires_at_s", grant.expires_at_s},
                     {"client_id", grant.client_id},
                     {"client_secret", grant.client_secret},
                     {"auth_method", grant.auth_method},
                     {"token_endpoint", grant.token_endpoint},
                     {"resource", grant.resource},
                     {"scope", grant.scope}};
  return files_.write_atomic(path_of(server_url), to_pretty(json) + "\n", 0600);
}

Result<bool> GrantStore::remove(const std::string& server_url) {
  const std::string path = path_of(server_url);
  if (files_.link_info(path).kind == FileKind::kMissing) return false;
  PEDRO_RETURN_IF_ERROR(files_.remove(path));
  return true;
}

Result<Grant> request_tokens(Http& http, const Clock& clock, Grant grant,
                             std::vector<std::pair<std::string, std::string>> fields,
                             const CancelToken& cancel) {
  HttpRequest request{.method = "POST", .url = grant.token_endpoint};
  request.headers = {"Content-Type: application/x-www-form-urlencoded", "Accept: application/json"};
  if (grant.auth_method == "client_secret_basic") {
    const std::string login =
        encode_query(grant.client_id) + ":" + encode_query(grant.client_secret);
    request.headers.push_back("Authorization: Basic " + to_base64(login));
  } else if (grant.auth_method == "client_secret_post") {
    fields.emplace_back("client_secret", grant.client_secret);
  }
  fields.emplace_back("client_id", grant.client_id);  // the Python SDK requires it beside a header
  if (!grant.resource.empty()) fields.emplace_back("resource", grant.resource);
  request.body = form_of(fields);
  request.timeout_s = request.idle_timeout_s = kExchange_s;
  request.max_response_bytes = kMetadataLimits.max_bytes;
  PEDRO_TRY(const HttpResponse response, http.send(request, nullptr, cancel));
  const auto json = parse_json(response.body, kMetadataLimits);
  const std::string where = public_url(grant.token_endpoint);
  if (response.status != 200 || !json) {
    const std::string code = json ? text_of(*json, "error") : "";
    return refusal(fmt::format("{}: no token: {}", where,
                               code.empty() ? fmt::format("HTTP status {}", response.status)
                                            : make_printable(truncate_utf8(code, 80))));
  }
  const bool is_bearer = to_lower(text_of(*json, "token_type")) == "bearer";
  grant.access_token = text_of(*json, "access_token");
  if (!is_bearer || !is_token(grant.access_token)) {
    return refusal(where + ": answered without a bearer token");
  }
  const std::string scope = text_of(*json, "scope");
  if (!scope.empty() && scope.size() <= kMaxGrantedBytes) grant.scope = scope;
  const std::string refresh = text_of(*json, "refresh_token");
  if (!refresh.empty() && refresh.size() <= kMaxTokenBytes) grant.refresh_token = refresh;
  const long long life_s = std::clamp(number_of(*json, "expires_in"), 0LL, kMaxLife_s);
  grant.expires_at_s = life_s == 0 ? 0 : now_s(clock) + life_s;
  return grant;
}

Result<std::string> AccessToken::read_file() const {
  const auto text = files_.read(file_, kMaxTokenBytes);
  if (!text) return Error{ErrorKind::kConfig, "token_file: " + text.error().message};
  const std::string token(trim(*text));
  if (is_token(token)) return token;
  return Error{ErrorKind::kConfig,
               fmt::format("token_file: {}: expected one line with a token", file_)};
}

void AccessToken::use(Grant grant) {
  const bool is_new =
      grant.access_token != grant_.access_token || grant.refresh_token != grant_.refresh_token;
  grant_ = std::move(grant);
  is_loaded_ = true;
  if (is_new) on_change();
}

std::vector<std::string> AccessToken::secrets() const {
  std::vector<std::string> texts = {grant_.access_token, grant_.refresh_token,
                                    grant_.client_secret};
  std::erase(texts, "");
  return texts;
}

Result<std::string> AccessToken::get(const CancelToken& cancel) {
  if (!is_loaded_ && !file_.empty()) {
    PEDRO_TRY(std::string token, read_file());
    use(Grant{.access_token = std::move(token)});
  } else if (!is_loaded_) {
    PEDRO_TRY(Grant grant, store_.load(server_url_));
    use(std::move(grant));
  }
  const bool has_expired =
      grant_.expires_at_s != 0 && grant_.expires_at_s <= now_s(clock_) + kMargin_s;
  if (has_expired) {
    PEDRO_RETURN_IF_ERROR(renew(cancel));
  }
  return grant_.access_token;
}

Result<bool> AccessToken::renew(const CancelToken& cancel) {
  const std::string refused = grant_.access_token;
  if (!file_.empty()) {
    PEDRO_TRY(std::string token, read_file());
    use(Grant{.access_token = std::move(token)});
    return grant_.access_token != refused;
  }
  PEDRO_TRY(Grant stored, store_.load(server_url_));
  const bool is_other = !stored.access_token.empty() && stored.access_token != refused;
  use(std::move(stored));
  if (is_other) return true;
  if (grant_.refresh_token.empty()) return false;
  auto renewed = request_tokens(
      http_, clock_, grant_,
      {{"grant_type", "refresh_token"}, {"refresh_token", grant_.refresh_token}}, cancel);
  if (!renewed && renewed.error().kind == ErrorKind::kInterrupted) return renewed.error();
  if (!renewed) return false;  // the server's next answer asks for a new sign-in
  PEDRO_RETURN_IF_ERROR(store_.save(server_url_, *renewed));
  use(*std::move(renewed));
  return true;
}

}  // namespace pedro::mcp
