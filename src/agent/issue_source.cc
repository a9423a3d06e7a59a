#include "agent/issue_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/cancel.h"
#include "base/result.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/environment.h"
#include "sys/http.h"
#include "sys/url.h"
#include "tools/gh_command.h"
#include "tools/git_command.h"
#include "tools/issue.h"

namespace pedro {
namespace {

enum class ForgeKind {
  kGithub,  // https://docs.github.com/rest
  kGitlab,  // https://docs.gitlab.com/api/rest
  kGitea,   // and Forgejo: https://docs.gitea.com/api
};

// Access to the REST API of a forge for one repository.
struct ForgeApi {
  ForgeKind kind = ForgeKind::kGithub;
  std::string base_url;     // without a trailing slash
  std::string token;        // sent only in a header; "": anonymous
  bool takes_token = true;  // the server is a public forge, or configured
  std::string path;         // of the repository, see ForgeRemote
};

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

// Returns the API access for the repository of a remote. `PEDROCLI_GITHUB_API`,
// `PEDROCLI_GITLAB_API` and `PEDROCLI_GITEA_API` set the server and its kind. Without them, both
// follow from the host: github.com, a name with "gitlab", "gitea" or "forgejo", codeberg.org. The
// token is GITHUB_TOKEN or GH_TOKEN, GITLAB_TOKEN, GITEA_TOKEN or FORGEJO_TOKEN. Only configured
// servers, github.com, gitlab.com, codeberg.org and gitea.com get it, and never unencrypted over a
// network. Errors: kUsage if the address is not of a forge.
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

// Fetches an issue with its comments, oldest first, up to the limit of Issue. Unavailable comments
// count as omitted. Errors: kUsage with the status and the server's message; kModel if the server
// cannot be reached; kInterrupted.
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

constexpr std::uint64_t kMaxIssueBytes = 4u << 20;

/// Returns 32 for "32" and "#32"; 0 for other texts.
int issue_number_of(std::string_view spec) {
  if (spec.starts_with('#')) spec.remove_prefix(1);
  if (spec.empty() || spec.size() > 9 || !std::all_of(spec.begin(), spec.end(), is_digit)) return 0;
  return std::stoi(std::string(spec));
}

Result<Issue> from_text(std::string_view text, std::string source) {
  if (trim(text).empty()) return usage_error("is empty");
  Issue issue = issue_from_text(text);
  issue.source = std::move(source);
  return issue;
}

Result<Issue> from_file(const std::string& path, const FileSystem& files) {
  const FileKind kind = files.info(path).kind;
  if (kind == FileKind::kMissing) return usage_error("no such file");
  if (kind != FileKind::kFile) return usage_error("not a file");
  const auto text = files.read(path, kMaxIssueBytes);
  if (!text) return usage_error(text.error().message);
  return from_text(*text, path);
}

std::string local_name(int number) {
  return fmt::format(".pedro/issues/{}.md", number);
}

Result<Issue> from_repository(int number, const IssueSources& sources) {
  auto issue = from_file(join_path(sources.root, local_name(number)), sources.files);
  if (!issue) return issue;
  issue->number = number;
  issue->source = local_name(number);
  return issue;
}

Result<Issue> from_gh(int number, const IssueSources& sources) {
  PEDRO_TRY(const auto answer, run_gh(sources.root,
                                      {"issue", "view", std::to_string(number), "--json",
                                       "number,title,body,comments,url"},
                                      sources.processes, sources.cancel));
  const auto json = parse_json(answer);
  if (!json) return usage_error("gh did not return JSON: " + json.error().message);
  Issue issue = issue_from_json(*json);
  issue.source = text_of(*json, "url", "gh");
  issue.at_forge = true;
  issue.at_github = true;
  return issue;
}

Result<Issue> from_api(int number, const IssueSources& sources) {
  PEDRO_TRY(const auto address,
            remote_address(sources.root, sources.remote, sources.processes, sources.cancel));
  PEDRO_TRY(const auto api, forge_api(sources.remote, address, sources.environment));
  Result<Issue> issue = fetch_issue(api, number, sources.http, sources.cancel);
  if (!issue) return issue;
  issue->at_forge = true;
  issue->at_github = api.kind == ForgeKind::kGithub;
  return issue;
}

/// Returns one line of a report; joins the lines of the reason.
std::string tried(std::string_view source, std::string_view reason) {
  return fmt::format("\n  {}: {}", source, replace_all(trim(reason), "\n", " | "));
}

Result<Issue> by_number(int number, const IssueSources& sources) {
  struct Row {
    std::string name;
    Result<Issue> (*fetch)(int number, const IssueSources& sources);
  };
  const Row rows[] = {
      {local_name(number), from_repository}, {"gh issue view", from_gh}, {"REST API", from_api}};
  std::string report;
  for (const Row& row : rows) {
    auto issue = row.fetch(number, sources);
    if (issue) {
      if (issue->number == 0) issue->number = number;
      return issue;
    }
    if (issue.error().kind == ErrorKind::kInterrupted) return issue;
    report += tried(row.name, issue.error().message);
  }
  return usage_error(fmt::format("cannot get issue {}; write it to {} or give a file:{}", number,
                                 local_name(number), report));
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

Result<Issue> fetch_issue(const std::string& spec, const IssueSources& sources) {
  const auto could_not = [&](const Error& error) {
    return usage_error(fmt::format("cannot get issue '{}'; give a number, a file or '-':{}", spec,
                                   tried(spec == "-" ? "stdin" : spec, error.message)));
  };
  if (spec == "-") {
    auto issue = from_text(sources.stdin_text.value_or(""), "stdin");
    return issue ? issue : could_not(issue.error());
  }
  const int number = issue_number_of(spec);
  if (number > 0) return by_number(number, sources);
  auto issue = from_file(spec, sources.files);
  return issue ? issue : could_not(issue.error());
}

}  // namespace pedro
