#pragma once

#include <string>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/environment.h"
#include "sys/http.h"
#include "tools/issue.h"

namespace pedro {

/// Access to GitHub's REST API (https://docs.github.com/rest) for one repository.
struct GithubApi {
  std::string base_url;  ///< without a trailing slash
  std::string token;     ///< sent only in a header; "": anonymous
  std::string owner;
  std::string name;
};

/// Returns the API access for the repository of a remote. `PEDROCLI_GITHUB_API` sets the server;
/// the default is the public one, for remotes at github.com only. The token is GITHUB_TOKEN or
/// GH_TOKEN; it is omitted if it would be sent unencrypted over a network. Errors: kUsage if the
/// address is not a GitHub repository.
Result<GithubApi> github_api(const std::string& remote_name, const std::string& remote_address,
                             const Environment& environment);

/// Fetches an issue with its comments, oldest first, up to the limit of Issue. Unavailable comments
/// count as omitted. Errors: kUsage with the status and GitHub's message; kModel if the server
/// cannot be reached; kInterrupted.
Result<Issue> fetch_issue(const GithubApi& api, int number, Http& http, const CancelToken& cancel);

}  // namespace pedro
