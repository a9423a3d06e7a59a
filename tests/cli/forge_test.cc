// Tests `-issue N` on a server that gives the documented answers of GitLab, Gitea and GitHub.
#include "cli/program.h"
#include "support/loopback_server.h"

namespace pedro {
namespace {

struct Forge {
  std::string name, remote, variable, token, header, path, issue, comments;
};

const std::vector<Forge> kForges = {
    {"GitLab", "git@gitlab.example.org:math/tools/engine.git", "PEDROCLI_GITLAB_API",
     "GITLAB_TOKEN", "private-token: secret", "/projects/math%2Ftools%2Fengine/issues/32",
     R"({"id": 9001, "iid": 32, "title": "Crash", "description": "It stops.", "state": "opened",
         "user_notes_count": 1, "web_url": "https://gitlab.example.org/x/32"})",
     R"([{"id": 1, "body": "changed the title", "system": true, "author": {"username": "eve"}},
         {"id": 2, "body": "Same here.", "system": false, "author": {"username": "ada"}}])"},
    {"Gitea", "https://gitea.example.org/ada/engine.git", "PEDROCLI_GITEA_API", "GITEA_TOKEN",
     "authorization: token secret", "/repos/ada/engine/issues/32",
     R"({"id": 9001, "number": 32, "title": "Crash", "body": "It stops.", "state": "open",
         "comments": 1, "html_url": "https://gitea.example.org/ada/engine/issues/32"})",
     R"([{"id": 2, "body": "Same here.", "user": {"login": "ada"}}])"},
    {"GitHub", "https://github.com/ada/engine.git", "PEDROCLI_GITHUB_API", "GITHUB_TOKEN",
     "authorization: Bearer secret", "/repos/ada/engine/issues/32",
     R"({"id": 9001, "number": 32, "title": "Crash", "body": "It stops.", "state": "open",
         "comments": 1, "html_url": "https://github.com/ada/engine/issues/32"})",
     R"([{"id": 2, "body": "Same here.", "user": {"login": "ada"}}])"},
};

bool has_header(const LoopbackRequest& request, const std::string& header) {
  const std::size_t colon = header.find(": ");
  const auto found = request.headers.find(header.substr(0, colon));
  return found != request.headers.end() && found->second == header.substr(colon + 2);
}

}  // namespace

TEST_CASE("forge: an issue and its comments come from the server of the remote's kind") {
  for (const Forge& forge : kForges) {
    CAPTURE(forge.name);
    const LoopbackServer server([&forge](const LoopbackRequest& request) -> LoopbackReply {
      const std::string path = "/api" + forge.path;
      if (request.target == path) return {.body = forge.issue};
      if (request.target.starts_with(path + "/")) return {.body = forge.comments};
      return {.status = 404, .body = R"({"message": "404 Not Found"})"};
    });
    Program program;
    program.folder.write("project/a.txt", "a\n");
    program.commit_project();
    program.git({"remote", "add", "origin", forge.remote});
    program.extra_environment[forge.variable] = server.url("/api");
    program.extra_environment[forge.token] = "secret";
    const ProcessResult result =
        program.run({"triage", "-issue", "32", "-dry-run", "-model-url", "http://127.0.0.1:1"});
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    for (const char* text : {"Crash", "It stops.", "Same here."}) {
      CHECK_MESSAGE(result.out.find(text) != std::string::npos, result.out);
    }
    CHECK(result.out.find("changed the title") == std::string::npos);
    REQUIRE(server.requests().size() == 2);
    for (const LoopbackRequest& request : server.requests()) {
      CHECK(has_header(request, forge.header));
    }
  }
}

}  // namespace pedro
