#include <doctest/doctest.h>

#include "agent/issue_source.h"

using namespace pedro;

TEST_CASE("forge_remote: the address of a remote, in all its notations") {
  struct Row {
    std::string address;
    std::string expected;  ///< "HOST PATH", or "" if the address is rejected
  };
  const Row rows[] = {
      {"git@github.com:ada/engine.git", "github.com ada/engine"},
      {"git@github.com:ada/engine", "github.com ada/engine"},
      {"github.com:ada/engine/", "github.com ada/engine"},
      {"ssh://git@github.com/ada/engine.git", "github.com ada/engine"},
      {"ssh://git@ssh.github.com:443/ada/engine.git", "ssh.github.com ada/engine"},
      {"https://github.com/ada/engine.git", "github.com ada/engine"},
      {"https://github.com/ada/engine/", "github.com ada/engine"},
      {"https://ada:secret@GitHub.com/ada/engine.js\n", "github.com ada/engine.js"},
      {"git://example.org/ada/engine", "example.org ada/engine"},
      {"", ""},
      {"/srv/git/engine.git", ""},
      {"../engine.git", ""},
      {"file:///srv/ada/engine.git", ""},
      {"https://github.com/ada", ""},
      {"https://gitlab.com/a/b/c/engine.git", "gitlab.com a/b/c/engine"},
      {"https://gitlab.com/a//engine", ""},
      {"https://github.com/ada/..", ""},
      {"https://github.com/a da/engine", ""},
      {"git@github.com:ada/engine?x=1", ""},
      {"ext::sh -c touch% x", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.address);
    const auto remote = parse_remote(row.address);
    CHECK((remote ? remote->host + " " + remote->path : "") == row.expected);
  }
}
