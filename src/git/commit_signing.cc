#include "git/commit_signing.h"

#include "base/text.h"

namespace pedro {
namespace {

struct Request {
  bool asks = false;     // the effective value is true
  bool by_user = false;  // also without the repository's configuration
  std::string problem;   // git cannot read the setting
};

bool is_of_repository(std::string_view scope) {
  return scope == "local" || scope == "worktree";
}

// Reads the setting. Values are read as booleans, so that a value with a line end cannot fake
// another scope.
Result<Request> request_for(const GitRunner& git) {
  PEDRO_TRY(const auto asked, git.ask({"config", "--includes", "--show-scope", "--type=bool",
                                       "--get-all", "commit.gpgsign"}));
  Request request;
  if (!asked.ok() && asked.exit_code != 1) request.problem = trim(asked.err);
  for (const std::string_view line : split_lines(asked.out)) {
    const std::size_t tab = line.find('\t');
    request.asks = line.ends_with("\ttrue");
    if (!is_of_repository(line.substr(0, tab))) request.by_user = request.asks;
  }
  return request;
}

// Prevents password dialogs of gpg and ssh-keygen. A job has no terminal.
const std::map<std::string, std::string> kNoQuestion = {{"SSH_ASKPASS_REQUIRE", "never"},
                                                        {"DISPLAY", ""},
                                                        {"WAYLAND_DISPLAY", ""},
                                                        {"DBUS_SESSION_BUS_ADDRESS", ""},
                                                        {"GPG_TTY", ""}};

std::string on_one_line(std::string_view text) {
  return replace_all(trim(text), "\n", "; ");
}

}  // namespace

Result<NewCommit> write_commit(const GitRunner& git, std::vector<std::string> arguments,
                               GitRunner::Options options) {
  PEDRO_TRY(const auto request, request_for(git));
  NewCommit made;
  made.not_signed = on_one_line(request.problem);
  if (request.asks && !request.by_user) {
    made.not_signed = "only the repository's configuration asks for it (commit.gpgsign)";
  } else if (request.asks) {
    std::vector<std::string> signing = arguments;
    signing.emplace_back("-S");
    GitRunner::Options quiet = options;
    quiet.environment = kNoQuestion;
    const auto id = git.run(std::move(signing), quiet);
    if (id) return NewCommit{std::string(trim(*id)), ""};
    if (id.error().kind == ErrorKind::kInterrupted) return id.error();
    made.not_signed = on_one_line(id.error().message);
  }
  PEDRO_TRY(const auto id, git.run(std::move(arguments), options));
  made.id = trim(id);
  return made;
}

}  // namespace pedro
