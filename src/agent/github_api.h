#pragma once

#include <string>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/environment.h"
#include "sys/http.h"
#include "tools/issue.h"

namespace pedro {

/// Where GitHub's REST API (https://docs.github.com/rest) answers, and who asks.
struct GithubApi {
  std::string base_url;  ///< without a slash at the end
  std::string token;     ///< "" asks anonymously; goes into a header only
  std::string owner;
  std::string name;
};

/// The API for the repository behind the address of a remote. `PEDROCLI_GITHUB_API` names the
/// server, else it is the public one, which only a remote at github.com is asked about. The token
/// is GITHUB_TOKEN or GH_TOKEN; it is left out where it would travel in the clear over a network.
/// Error (kUsage): the address is not one of a GitHub repository.
Result<GithubApi> github_api(const std::string& remote_name, const std::string& remote_address,
                             const Environment& environment);

/// An issue with its comments, oldest first, as many as Issue takes. Comments that cannot be had
/// are counted as omitted. Error: kUsage, with the status and GitHub's own message; kModel, where
/// the server cannot be reached; kInterrupted.
Result<Issue> fetch_issue(const GithubApi& api, int number, Http& http, const CancelToken& cancel);

}  // namespace pedro
