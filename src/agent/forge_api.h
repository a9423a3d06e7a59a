#pragma once

#include <string>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/environment.h"
#include "sys/http.h"
#include "tools/issue.h"

namespace pedro {

enum class ForgeKind {
  kGithub,  ///< https://docs.github.com/rest
  kGitlab,  ///< https://docs.gitlab.com/api/rest
  kGitea,   ///< and Forgejo: https://docs.gitea.com/api
};

/// Access to the REST API of a forge for one repository.
struct ForgeApi {
  ForgeKind kind = ForgeKind::kGithub;
  std::string base_url;     ///< without a trailing slash
  std::string token;        ///< sent only in a header; "": anonymous
  bool takes_token = true;  ///< the server is a public forge, or configured
  std::string path;         ///< of the repository, see ForgeRemote
};

/// Returns the API access for the repository of a remote. `PEDROCLI_GITHUB_API`,
/// `PEDROCLI_GITLAB_API` and `PEDROCLI_GITEA_API` set the server and its kind. Without them, both
/// follow from the host: github.com, a name with "gitlab", "gitea" or "forgejo", codeberg.org. The
/// token is GITHUB_TOKEN or GH_TOKEN, GITLAB_TOKEN, GITEA_TOKEN or FORGEJO_TOKEN. Only configured
/// servers, github.com, gitlab.com, codeberg.org and gitea.com get it, and never unencrypted over a
/// network. Errors: kUsage if the address is not of a forge.
Result<ForgeApi> forge_api(const std::string& remote_name, const std::string& remote_address,
                           const Environment& environment);

/// Fetches an issue with its comments, oldest first, up to the limit of Issue. Unavailable comments
/// count as omitted. Errors: kUsage with the status and the server's message; kModel if the server
/// cannot be reached; kInterrupted.
Result<Issue> fetch_issue(const ForgeApi& api, int number, Http& http, const CancelToken& cancel);

}  // namespace pedro
