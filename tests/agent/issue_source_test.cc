#include "agent/issue_source.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace pedro;

namespace {

/// Returns prepared answers by URL, and 404 for other URLs.
class FakeHttp : public Http {
 public:
  Result<HttpResponse> send(const HttpRequest& request, const BodySink&,
                            const CancelToken&) override {
    requests.push_back(request);
    if (error) return *error;
    const auto found = pages.find(request.url);
    if (found == pages.end()) {
      return HttpResponse{404, R"({"message": "Not Found"})", "application/json", 0};
    }
    return found->second;
  }
  void put(const std::string& url, const std::string& body, int status = 200) {
    pages[url] = HttpResponse{status, body, "application/json", 0};
  }

  std::map<std::string, HttpResponse> pages;
  std::vector<HttpRequest> requests;
  std::optional<Error> error;
};

constexpr const char* kIssueUrl = "https://api.github.com/repos/ada/engine/issues/32";

struct IssueSourceBench {
  IssueSourceBench() {
    files.folders["/p"] = true;
    processes.answer = [this](const Command& command) -> Result<ProcessResult> {
      ProcessResult result = command.argv[0] == "gh" ? gh : ProcessResult{};
      if (command.argv[0] == "git") {
        result.out = origin;
        result.exit_code = origin.empty() ? 2 : 0;
      }
      return result;
    };
  }

  Result<Issue> fetch(const std::string& spec) {
    return fetch_issue(spec,
                       {files, processes, http, environment, cancel, "/p", "origin", stdin_text});
  }
  std::string error(const std::string& spec) {
    const auto issue = fetch(spec);
    REQUIRE_FALSE(issue.ok());
    CHECK(issue.error().kind == ErrorKind::kUsage);
    return issue.error().message;
  }

  FakeFileSystem files;
  FakeProcessRunner processes;
  FakeHttp http;
  Environment environment;
  CancelToken cancel;
  std::optional<std::string> stdin_text;
  ProcessResult gh;
  std::string origin = "git@github.com:ada/engine.git\n";
};

}  // namespace

TEST_CASE("issue_source: a path and stdin are texts") {
  IssueSourceBench bench;
  bench.files.files["/notes/crash.md"] = "# Crash\nIt crashes.\n";
  const auto file = bench.fetch("/notes/crash.md");
  REQUIRE(file.ok());
  CHECK(file->title == "Crash");
  CHECK(file->number == 0);
  CHECK(file->source == "/notes/crash.md");
  bench.stdin_text = "Make it faster\n";
  const auto in = bench.fetch("-");
  REQUIRE(in.ok());
  CHECK(in->title == "Make it faster");
  CHECK(in->source == "stdin");
  CHECK(bench.error("/notes/none.md") ==
        "cannot get issue '/notes/none.md'; give a number, a file or '-':\n  /notes/none.md: no "
        "such file");
  bench.stdin_text = " \n";
  CHECK(bench.error("-") ==
        "cannot get issue '-'; give a number, a file or '-':\n  stdin: is empty");
}

TEST_CASE("issue_source: a file of the repository comes before anything that needs a network") {
  IssueSourceBench bench;
  bench.processes.installed = {"gh"};
  bench.files.files["/p/.pedro/issues/32.md"] = "# Crash\n\nIt crashes.\n";
  for (const char* spec : {"32", "#32", "032"}) {
    CAPTURE(spec);
    const auto issue = bench.fetch(spec);
    REQUIRE(issue.ok());
    CHECK(issue->number == 32);
    CHECK(issue->title == "Crash");
    CHECK(issue->source == ".pedro/issues/32.md");
  }
  CHECK(bench.processes.commands.empty());
  CHECK(bench.http.requests.empty());
}

TEST_CASE("issue_source: gh comes next") {
  IssueSourceBench bench;
  bench.processes.installed = {"gh"};
  bench.gh.out = R"({"number": 32, "title": "Crash", "body": "b", "url": "https://x/32",
                     "comments": [{"author": {"login": "ada"}, "body": "c"}]})";
  const auto issue = bench.fetch("32");
  REQUIRE(issue.ok());
  CHECK(issue->source == "https://x/32");
  CHECK(issue->comments.size() == 1);
  CHECK(bench.processes.commands[0].folder == "/p");
  CHECK(bench.http.requests.empty());
}

TEST_CASE("issue_source: GitHub's API is last, its comments come page by page, oldest first") {
  IssueSourceBench bench;
  bench.environment.variables["GH_TOKEN"] = "secret";
  bench.http.put(kIssueUrl, R"({"number": 32, "title": "Crash", "body": "b", "comments": 52,
                                "html_url": "https://github.com/ada/engine/issues/32"})");
  Json first = Json::array();
  for (int i = 0; i < 50; ++i) first.push_back({{"body", fmt::format("c{}", i)}});
  const std::string comments = std::string(kIssueUrl) + "/comments?per_page=50&page=";
  bench.http.put(comments + "1", first.dump());
  bench.http.put(comments + "2", R"([{"user": {"login": "ada"}, "body": "c50"}, {"body": "c51"}])");
  const auto issue = bench.fetch("32");
  REQUIRE(issue.ok());
  CHECK(issue->source == "https://github.com/ada/engine/issues/32");
  REQUIRE(issue->comments.size() == 52);
  CHECK(issue->comments[0].text == "c0");
  CHECK(issue->comments[50].author == "ada");
  CHECK(issue->omitted_comments == 0);
  CHECK(bench.http.requests.size() == 3);
  CHECK(bench.http.requests[0].headers.back() == "Authorization: Bearer secret");
}

TEST_CASE("issue_source: counts comments that cannot be fetched, and keeps the issue") {
  IssueSourceBench bench;
  bench.http.put(kIssueUrl, R"({"number": 32, "title": "Crash", "body": "b", "comments": 4})");
  const auto issue = bench.fetch("32");
  REQUIRE(issue.ok());
  CHECK(issue->comments.empty());
  CHECK(issue->omitted_comments == 4);
}

TEST_CASE("issue_source: sends a token only over https or to this machine") {
  struct Row {
    const char* base;
    const char* token;
    bool sent;
  };
  const Row rows[] = {
      {"https://ghe.example.org/api/v3/", "secret", true},
      {"http://127.0.0.1:8080", "secret", true},
      {"http://localhost:8080", "secret", true},
      {"http://ghe.example.org/api/v3", "secret", false},
      {"https://ghe.example.org/api/v3", "a\r\nX-Evil: 1", false},
      {"https://ghe.example.org/api/v3", "", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.base);
    IssueSourceBench bench;
    bench.environment.variables["PEDROCLI_GITHUB_API"] = row.base;
    bench.environment.variables["GITHUB_TOKEN"] = row.token;
    CHECK_FALSE(bench.fetch("32").ok());
    REQUIRE(bench.http.requests.size() == 1);
    const HttpRequest& request = bench.http.requests[0];
    CHECK(request.url.find("//repos") == std::string::npos);
    CHECK((request.headers.size() == 4) == row.sent);
    CHECK(request.url.find("secret") == std::string::npos);
  }
}

TEST_CASE("issue_source: an issue that cannot be fetched lists each attempt and its error") {
  IssueSourceBench bench;
  const std::string head =
      "cannot get issue 32; write it to .pedro/issues/32.md or give a file:\n  "
      ".pedro/issues/32.md: no such file\n";
  SUBCASE("nothing is there") {
    CHECK(bench.error("32") ==
          head +
              "  gh issue view: gh is not installed\n"
              "  REST API: https://api.github.com/repos/ada/engine/issues/32: 404 Not Found; "
              "if the repository is private, set GITHUB_TOKEN");
  }
  SUBCASE("gh is not logged in, and there is no remote") {
    bench.processes.installed = {"gh"};
    bench.gh.exit_code = 4;
    bench.origin = "";
    CHECK(bench.error("32") == head +
                                   "  gh issue view: gh is not logged in: run gh auth login\n"
                                   "  REST API: there is no remote 'origin'");
    CHECK(bench.http.requests.empty());
  }
  SUBCASE("gh fails in several lines, the remote is elsewhere") {
    bench.processes.installed = {"gh"};
    bench.gh.exit_code = 1;
    bench.gh.err = "HTTP 404\ntry again\n";
    bench.origin = "https://ada:secret@code.example.org/ada/engine.git\n";
    CHECK(bench.error("32") == head +
                                   "  gh issue view: gh issue: HTTP 404 | try again\n"
                                   "  REST API: the remote 'origin' is at code.example.org; "
                                   "set PEDROCLI_GITHUB_API, PEDROCLI_GITLAB_API or "
                                   "PEDROCLI_GITEA_API to its API");
    CHECK(bench.http.requests.empty());
  }
  SUBCASE("the remote is a folder") {
    bench.origin = "/srv/engine.git\n";
    CHECK(bench.error("32") ==
          head +
              "  gh issue view: gh is not installed\n"
              "  REST API: the remote 'origin' is not the address of a repository on a forge");
  }
}

TEST_CASE("issue_source: API answers other than an issue") {
  struct Row {
    const char* name;
    int status;
    const char* body;
    const char* token;
    const char* reason;
  };
  const Row rows[] = {
      {"a wrong token", 401, R"({"message": "Bad credentials"})", "t",
       "401 Bad credentials; the token was refused: check GITHUB_TOKEN"},
      {"too many requests", 403, R"({"message": "API rate limit exceeded"})", "",
       "403 API rate limit exceeded; set GITHUB_TOKEN for a higher limit"},
      {"not allowed", 403, R"({"message": "Forbidden"})", "t",
       "403 Forbidden; check the token's permissions"},
      {"hidden from the token", 404, R"({"message": "Not Found"})", "t",
       "404 Not Found; check that the token may read this repository"},
      {"moved", 301, R"({"message": "Moved"})", "", "301 moved; update the remote's address"},
      {"broken", 500, "<html>", "", "500"},
      {"no JSON", 200, "<html>", "", "not JSON: 1:1: "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    IssueSourceBench bench;
    bench.environment.variables["GITHUB_TOKEN"] = row.token;
    bench.http.put(kIssueUrl, row.body, row.status);
    const std::string message = bench.error("32");
    const std::string start = std::string("  REST API: ") + kIssueUrl + ": " + row.reason;
    CHECK(message.find(start) != std::string::npos);
    if (row.status != 200) CHECK(message.ends_with(start));
  }
}

TEST_CASE("issue_source: an interrupt stops the search at once") {
  IssueSourceBench bench;
  bench.http.error = Error{ErrorKind::kInterrupted, "stopped"};
  const auto issue = bench.fetch("32");
  REQUIRE_FALSE(issue.ok());
  CHECK(issue.error().kind == ErrorKind::kInterrupted);
}

TEST_CASE("issue_source: an unreachable server is one more reason") {
  IssueSourceBench bench;
  bench.http.error = Error{ErrorKind::kModel, "https://x: connection refused; is it running?"};
  CHECK(bench.error("32").ends_with("  REST API: https://x: connection refused; is it running?"));
}

TEST_CASE("issue_source: GitLab with subgroups, user comments and its token") {
  IssueSourceBench bench;
  bench.origin = "git@gitlab.example.org:math/tools/engine.git\n";
  bench.environment.variables["GITLAB_TOKEN"] = "secret";
  bench.environment.variables["GITHUB_TOKEN"] = "not-this-one";
  bench.environment.variables["PEDROCLI_GITLAB_API"] = "https://gitlab.example.org/api/v4";
  const std::string url =
      "https://gitlab.example.org/api/v4/projects/math%2Ftools%2Fengine/issues/32";
  bench.http.put(url, R"({"id": 9001, "iid": 32, "title": "Crash", "description": "b",
                          "user_notes_count": 2, "web_url": "https://gitlab.example.org/x/32"})");
  bench.http.put(url + "/notes?sort=asc&order_by=created_at&per_page=50&page=1",
                 R"([{"body": "c0", "author": {"username": "ada"}, "system": false},
                     {"body": "changed the title", "system": true},
                     {"body": "c1", "author": {"username": "bob"}}])");
  const auto issue = bench.fetch("32");
  REQUIRE(issue.ok());
  CHECK(issue->number == 32);
  CHECK(issue->title == "Crash");
  CHECK(issue->body == "b");
  CHECK(issue->source == "https://gitlab.example.org/x/32");
  CHECK(issue->at_forge);
  REQUIRE(issue->comments.size() == 2);
  CHECK(issue->comments[0].author == "ada");
  CHECK(issue->comments[1].text == "c1");
  CHECK(issue->omitted_comments == 0);
  for (const HttpRequest& request : bench.http.requests) {
    CHECK(request.headers.back() == "PRIVATE-TOKEN: secret");
  }
}

TEST_CASE("issue_source: Gitea and Forgejo do not page comments") {
  for (const char* host : {"codeberg.org", "gitea.example.org", "forgejo.example.org"}) {
    CAPTURE(host);
    IssueSourceBench bench;
    bench.origin = fmt::format("https://{}/ada/engine.git\n", host);
    bench.environment.variables["FORGEJO_TOKEN"] = "secret";
    const std::string url = fmt::format("https://{}/api/v1/repos/ada/engine/issues/32", host);
    bench.http.put(url, R"({"number": 32, "title": "Crash", "body": "b", "comments": 60,
                            "html_url": "https://x/32"})");
    Json comments = Json::array();
    for (int i = 0; i < 60; ++i) comments.push_back({{"body", fmt::format("c{}", i)}});
    bench.http.put(url + "/comments?per_page=50&page=1", comments.dump());
    const auto issue = bench.fetch("32");
    REQUIRE(issue.ok());
    CHECK(issue->comments.size() == 60);
    CHECK(bench.http.requests.size() == 2);
    const bool is_public = host == std::string("codeberg.org");
    CHECK(bench.http.requests[0].headers.back() ==
          (is_public ? "Authorization: token secret" : "User-Agent: pedrocli"));
  }
}

TEST_CASE("issue_source: a host that only has a forge's name gets no token") {
  for (const char* host : {"gitlab.attacker.example", "my-gitea.example", "github.com.example",
                           "forgejo.codeberg.org.example"}) {
    CAPTURE(host);
    IssueSourceBench bench;
    bench.origin = fmt::format("https://{}/ada/engine.git\n", host);
    for (const char* name : {"GITHUB_TOKEN", "GITLAB_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN"}) {
      bench.environment.variables[name] = "secret";
    }
    (void)bench.error("32");
    for (const HttpRequest& request : bench.http.requests) {
      for (const std::string& header : request.headers) {
        CHECK(header.find("secret") == std::string::npos);
      }
    }
  }
}

TEST_CASE("issue_source: a variable sets the server and the kind of the forge") {
  IssueSourceBench bench;
  bench.origin = "https://code.example.org/ada/engine.git\n";
  bench.environment.variables["PEDROCLI_GITLAB_API"] = "http://127.0.0.1:8080/api/v4/";
  bench.http.put("http://127.0.0.1:8080/api/v4/projects/ada%2Fengine/issues/32",
                 R"({"iid": 32, "title": "Crash", "description": "b"})");
  CHECK(bench.fetch("32")->title == "Crash");
  bench.environment.variables.clear();
  bench.environment.variables["PEDROCLI_GITEA_API"] = "http://127.0.0.1:8080/api/v1";
  bench.origin = "https://code.example.org/a/b/engine.git\n";
  CHECK(bench.error("32").ends_with(
      "REST API: the remote 'origin' is not the address of a Gitea repository"));
}
