#include "agent/github_api.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/github_remote.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::string_view kPublicApi = "https://api.github.com";
constexpr std::size_t kCommentsPerPage = 50;
constexpr std::size_t kMaxMessageBytes = 200;

std::string advice_for(int status, bool anonymous) {
  if (status == 401) return "; the token was refused: check GITHUB_TOKEN";
  if (status == 403 || status == 429) {
    return anonymous ? "; set GITHUB_TOKEN for a higher limit" : "; check the token's permissions";
  }
  if (status != 404) return "";
  return anonymous ? "; if the repository is private, set GITHUB_TOKEN"
                   : "; check that the token may read this repository";
}

Error failed(const GithubApi& api, const std::string& url, const HttpResponse& response) {
  const auto json = parse_json(response.body);
  std::string message = json ? text_of(*json, "message") : "";
  message = make_printable(truncate_utf8(message, kMaxMessageBytes));
  if (response.status >= 300 && response.status < 400)
    message = "moved; update the remote's address";
  return usage_error(fmt::format("{}: {}{}{}{}", public_url(url), response.status,
                                 message.empty() ? "" : " ", message,
                                 advice_for(response.status, api.token.empty())));
}

Result<Json> get(const GithubApi& api, const std::string& path, Http& http,
                 const CancelToken& cancel) {
  HttpRequest request;
  request.url = fmt::format("{}/repos/{}/{}/{}", api.base_url, api.owner, api.name, path);
  request.headers = {"Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28",
                     "User-Agent: pedrocli"};
  if (!api.token.empty()) request.headers.push_back("Authorization: Bearer " + api.token);
  request.idle_timeout_s = 30;
  request.max_response_bytes = 16u << 20;
  PEDRO_TRY(const auto response, http.send(request, nullptr, cancel));
  if (response.status != 200) return failed(api, request.url, response);
  auto json = parse_json(response.body);
  if (!json) return usage_error(public_url(request.url) + ": not JSON: " + json.error().message);
  return json;
}

/// Adds pages of comments up to the limit. Returns false if a page is not available.
Result<bool> add_comments(const GithubApi& api, int number, Http& http, const CancelToken& cancel,
                          Issue& issue) {
  for (std::size_t page = 1; page <= kMaxComments / kCommentsPerPage; ++page) {
    const std::string path =
        fmt::format("issues/{}/comments?per_page={}&page={}", number, kCommentsPerPage, page);
    const auto comments = get(api, path, http, cancel);
    if (!comments && comments.error().kind == ErrorKind::kInterrupted) return comments.error();
    if (!comments || !comments->is_array()) return false;
    append_comments(*comments, issue);
    if (comments->size() < kCommentsPerPage || issue.omitted_comments > 0) return true;
  }
  return true;
}

/// Returns true if the token cannot split a header.
bool is_header_safe(std::string_view token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

Result<GithubApi> github_api(const std::string& remote_name, const std::string& remote_address,
                             const Environment& environment) {
  if (remote_address.empty())
    return usage_error(fmt::format("there is no remote '{}'", remote_name));
  const auto remote = parse_remote(remote_address);
  if (!remote) {
    return usage_error(
        fmt::format("the remote '{}' is not the address of a GitHub repository", remote_name));
  }
  GithubApi api{environment.get("PEDROCLI_GITHUB_API"), environment.get("GITHUB_TOKEN"),
                remote->owner, remote->name};
  if (api.base_url.empty() && remote->host != "github.com" && remote->host != "ssh.github.com") {
    return usage_error(fmt::format("the remote '{}' is at {}; set PEDROCLI_GITHUB_API to its API",
                                   remote_name, remote->host));
  }
  if (api.base_url.empty()) api.base_url = kPublicApi;
  while (api.base_url.ends_with('/')) api.base_url.pop_back();
  if (api.token.empty()) api.token = environment.get("GH_TOKEN");
  api.token = std::string(trim(api.token));
  const bool private_way = api.base_url.starts_with("https://") || is_loopback_url(api.base_url);
  if (!private_way || !is_header_safe(api.token)) api.token.clear();
  return api;
}

Result<Issue> fetch_issue(const GithubApi& api, int number, Http& http, const CancelToken& cancel) {
  PEDRO_TRY(const auto json, get(api, fmt::format("issues/{}", number), http, cancel));
  Issue issue = issue_from_json(json);
  issue.source = text_of(json, "html_url", api.base_url);
  const long long total = std::clamp(number_of(json, "comments"), 0LL, 1'000'000LL);
  if (total == 0) return issue;
  PEDRO_RETURN_IF_ERROR(add_comments(api, number, http, cancel, issue));
  const auto had = static_cast<long long>(issue.comments.size());
  issue.omitted_comments = static_cast<int>(std::max(0LL, total - had));
  return issue;
}

}  // namespace pedro
