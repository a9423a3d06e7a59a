#include "agent/forge_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "agent/forge_remote.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::size_t kCommentsPerPage = 50;
constexpr std::size_t kMaxForgeMessageBytes = 200;

/// The facts about a kind of forge.
struct Forge {
  const char* name;
  const char* address_variable;
  std::array<const char*, 2> token_variables;
  const char* api_path;      // after the host
  const char* token_header;  // before the token
};

// In the order of ForgeKind.
constexpr std::array<Forge, 3> kForges = {{
    {"GitHub", "PEDROCLI_GITHUB_API", {"GITHUB_TOKEN", "GH_TOKEN"}, "", "Authorization: Bearer "},
    {"GitLab", "PEDROCLI_GITLAB_API", {"GITLAB_TOKEN", ""}, "/api/v4", "PRIVATE-TOKEN: "},
    {"Gitea",
     "PEDROCLI_GITEA_API",
     {"GITEA_TOKEN", "FORGEJO_TOKEN"},
     "/api/v1",
     "Authorization: token "},
}};

const Forge& facts_of(ForgeKind kind) {
  return kForges[static_cast<std::size_t>(kind)];
}

std::string advice_for(const ForgeApi& api, int status) {
  const bool anonymous = api.token.empty();
  const Forge& forge = facts_of(api.kind);
  const std::string variable =
      api.takes_token
          ? forge.token_variables[0]
          : fmt::format("{} to the API and {}", forge.address_variable, forge.token_variables[0]);
  if (status == 401 && anonymous) return fmt::format("; set {}", variable);
  if (status == 401) return fmt::format("; the token was refused: check {}", variable);
  if (status == 403 || status == 429) {
    return anonymous ? fmt::format("; set {} for a higher limit", variable)
                     : "; check the token's permissions";
  }
  if (status != 404) return "";
  return anonymous ? fmt::format("; if the repository is private, set {}", variable)
                   : "; check that the token may read this repository";
}

Error failed(const ForgeApi& api, const std::string& url, const HttpResponse& response) {
  const auto json = parse_json(response.body);
  std::string message = json ? text_of(*json, "message") : "";
  message = make_printable(truncate_utf8(message, kMaxForgeMessageBytes));
  if (response.status >= 300 && response.status < 400)
    message = "moved; update the remote's address";
  return usage_error(fmt::format("{}: {}{}{}{}", public_url(url), response.status,
                                 message.empty() ? "" : " ", message,
                                 advice_for(api, response.status)));
}

std::string repository_url(const ForgeApi& api) {
  if (api.kind != ForgeKind::kGitlab) return fmt::format("{}/repos/{}", api.base_url, api.path);
  return fmt::format("{}/projects/{}", api.base_url, replace_all(api.path, "/", "%2F"));
}

Result<Json> get(const ForgeApi& api, const std::string& path, Http& http,
                 const CancelToken& cancel) {
  HttpRequest request;
  request.url = repository_url(api) + "/" + path;
  request.headers = {"Accept: application/json", "User-Agent: pedrocli"};
  if (api.kind == ForgeKind::kGithub) {
    request.headers = {"Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28",
                       "User-Agent: pedrocli"};
  }
  if (!api.token.empty()) request.headers.push_back(facts_of(api.kind).token_header + api.token);
  request.idle_timeout_s = 30;
  request.max_response_bytes = 16u << 20;
  PEDRO_TRY(const auto response, http.send(request, nullptr, cancel));
  if (response.status != 200) return failed(api, request.url, response);
  auto json = parse_json(response.body);
  if (!json) return usage_error(public_url(request.url) + ": not JSON: " + json.error().message);
  return json;
}

// Returns an issue of GitLab with GitHub's names.
Json with_common_names(const Json& issue) {
  return {{"number", member(issue, "iid")},
          {"title", member(issue, "title")},
          {"body", member(issue, "description")},
          {"html_url", member(issue, "web_url")},
          {"comments", member(issue, "user_notes_count")}};
}

// Returns the comments of people among the notes of GitLab, with GitHub's names.
Json comments_of(const Json& notes) {
  Json comments = Json::array();
  for (const Json& note : notes) {
    if (truth_of(note, "system")) continue;
    comments.push_back({{"body", member(note, "body")},
                        {"user", {{"login", member(member(note, "author"), "username")}}}});
  }
  return comments;
}

std::string comments_path(const ForgeApi& api, int number, std::size_t page) {
  const bool is_gitlab = api.kind == ForgeKind::kGitlab;
  return fmt::format("issues/{}/{}?{}per_page={}&page={}", number, is_gitlab ? "notes" : "comments",
                     is_gitlab ? "sort=asc&order_by=created_at&" : "", kCommentsPerPage, page);
}

/// Adds pages of comments up to the limit. Returns false if a page is not available.
Result<bool> add_comments(const ForgeApi& api, int number, Http& http, const CancelToken& cancel,
                          Issue& issue) {
  const bool has_pages = api.kind != ForgeKind::kGitea;  // it sends all comments at once
  for (std::size_t page = 1; page <= kMaxComments / kCommentsPerPage; ++page) {
    const auto comments = get(api, comments_path(api, number, page), http, cancel);
    if (!comments && comments.error().kind == ErrorKind::kInterrupted) return comments.error();
    if (!comments || !comments->is_array()) return false;
    append_comments(api.kind == ForgeKind::kGitlab ? comments_of(*comments) : *comments, issue);
    const bool is_last = !has_pages || comments->size() < kCommentsPerPage;
    if (is_last || issue.omitted_comments > 0) return true;
  }
  return true;
}

/// Returns true if the token cannot split a header.
bool is_header_safe(std::string_view token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

std::optional<ForgeKind> kind_of_host(std::string_view host) {
  const auto has = [&](std::string_view word) { return host.find(word) != host.npos; };
  if (host == "github.com" || host == "ssh.github.com") return ForgeKind::kGithub;
  if (has("gitlab")) return ForgeKind::kGitlab;
  if (has("gitea") || has("forgejo") || host == "codeberg.org") return ForgeKind::kGitea;
  return std::nullopt;
}

// Anyone can name a host "gitlab", so other hosts get no token.
bool is_public_forge(std::string_view host) {
  constexpr std::array<std::string_view, 6> kHosts = {"github.com",   "ssh.github.com",
                                                      "gitlab.com",   "altssh.gitlab.com",
                                                      "codeberg.org", "gitea.com"};
  return std::ranges::find(kHosts, host) != kHosts.end();
}

std::string api_of_host(ForgeKind kind, std::string_view host) {
  if (kind == ForgeKind::kGithub) return "https://api.github.com";
  if (host == "altssh.gitlab.com") host = "gitlab.com";
  return fmt::format("https://{}{}", host, facts_of(kind).api_path);
}

// Sets the kind and the address: as configured, else by the host.
Status find_forge(const std::string& remote_name, const ForgeRemote& remote,
                  const Environment& environment, ForgeApi& api) {
  for (std::size_t i = 0; i < kForges.size(); ++i) {
    const std::string address = environment.get(kForges[i].address_variable);
    if (address.empty()) continue;
    api.kind = static_cast<ForgeKind>(i);
    api.base_url = address;
    return {};
  }
  api.takes_token = is_public_forge(remote.host);
  const auto kind = kind_of_host(remote.host);
  if (!kind) {
    return usage_error(fmt::format("the remote '{}' is at {}; set {}, {} or {} to its API",
                                   remote_name, remote.host, kForges[0].address_variable,
                                   kForges[1].address_variable, kForges[2].address_variable));
  }
  api.kind = *kind;
  api.base_url = api_of_host(*kind, remote.host);
  return {};
}

}  // namespace

Result<ForgeApi> forge_api(const std::string& remote_name, const std::string& remote_address,
                           const Environment& environment) {
  if (remote_address.empty())
    return usage_error(fmt::format("there is no remote '{}'", remote_name));
  const auto remote = parse_remote(remote_address);
  if (!remote) {
    return usage_error(
        fmt::format("the remote '{}' is not the address of a repository on a forge", remote_name));
  }
  ForgeApi api;
  api.path = remote->path;
  PEDRO_RETURN_IF_ERROR(find_forge(remote_name, *remote, environment, api));
  const bool is_nested = std::count(api.path.begin(), api.path.end(), '/') > 1;
  if (is_nested && api.kind != ForgeKind::kGitlab) {
    return usage_error(fmt::format("the remote '{}' is not the address of a {} repository",
                                   remote_name, facts_of(api.kind).name));
  }
  while (api.base_url.ends_with('/')) api.base_url.pop_back();
  for (const char* variable : facts_of(api.kind).token_variables) {
    if (api.token.empty()) api.token = std::string(trim(environment.get(variable)));
  }
  const bool private_way = api.base_url.starts_with("https://") || is_loopback_url(api.base_url);
  const bool may_send = api.takes_token && private_way && is_header_safe(api.token);
  if (!may_send) api.token.clear();
  return api;
}

Result<Issue> fetch_issue(const ForgeApi& api, int number, Http& http, const CancelToken& cancel) {
  PEDRO_TRY(Json json, get(api, fmt::format("issues/{}", number), http, cancel));
  if (api.kind == ForgeKind::kGitlab) json = with_common_names(json);
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
