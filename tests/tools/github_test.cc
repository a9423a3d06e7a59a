#include "tools/command_bench.h"

using namespace pedro;

namespace {

class GithubBench : public CommandBench {
 public:
  GithubBench() : CommandBench(make_github_tool()) {
    fake = std::make_unique<FakeProcessRunner>();
    fake->installed = {"gh"};
    fake->answer = [this](const Command&) { return answers.at(next++); };
  }

  std::vector<ProcessResult> answers;
  std::size_t next = 0;
};

ProcessResult printed(std::string out) {
  ProcessResult result;
  result.out = std::move(out);
  return result;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("github: issue_fetch asks gh and shows title, body and comments") {
  GithubBench bench;
  bench.answers = {printed(R"({"number": 32, "title": "Crash", "body": "It\r\ncrashes.", "comments":
      [{"author": {"login": "ada"}, "body": "Here too."}], "url": "https://x/32"})")};
  const ToolResult result = bench.run("issue_fetch", R"({"issue_number": 32})");
  CHECK(result.ok);
  CHECK(result.text == "Issue #32: Crash\n\nIt\ncrashes.\n\nComment by ada:\nHere too.\n");
  CHECK(bench.fake->commands[0].argv ==
        Words{"gh", "issue", "view", "32", "--json", "number,title,body,comments,url"});
}

TEST_CASE("github: pr_fetch adds the diff on request") {
  GithubBench bench;
  bench.answers = {printed(R"({"number": 7, "title": "T", "body": ""})"), printed("+x\n")};
  CHECK(bench.run("pr_fetch", R"({"pr_number": 7, "include_diff": true})").text ==
        "Issue #7: T\n\n+x\n");
  CHECK(bench.fake->commands[1].argv == Words{"gh", "pr", "diff", "7"});
}

TEST_CASE("github: pr_create makes drafts by default; the model's words are data") {
  GithubBench bench;
  bench.answers = {printed("https://x/pull/1\n"), printed("https://x/pull/2\n")};
  CHECK(bench.run("pr_create", R"({"title": "--web", "body": "-b", "branch": "fix"})").text ==
        "https://x/pull/1");
  CHECK(bench.fake->commands[0].argv ==
        Words{"gh", "pr", "create", "--title=--web", "--body-file=-", "--draft", "--head=fix"});
  CHECK(bench.fake->commands[0].input == "-b");
  bench.run("pr_create", R"({"title": "T", "body": "", "draft": false})");
  CHECK(bench.fake->commands[1].argv == Words{"gh", "pr", "create", "--title=T", "--body-file=-"});
  CHECK(bench.run("pr_create", R"({"title": "T", "body": "", "branch": "-x"})").text ==
        "'-x': a branch name must not begin with '-'");
}

TEST_CASE("github: pr_comment writes the body to gh's input") {
  GithubBench bench;
  bench.answers = {printed("https://x/pull/7#c1\n")};
  CHECK(bench.run("pr_comment", R"({"pr_number": 7, "body": "Green."})").ok);
  CHECK(bench.fake->commands[0].argv == Words{"gh", "pr", "comment", "7", "--body-file=-"});
  CHECK(bench.fake->commands[0].input == "Green.");
  CHECK(bench.run("pr_comment", R"({"pr_number": 7, "body": " "})").text ==
        "a comment needs a body");
}

TEST_CASE("github: a gh that cannot be used says why") {
  GithubBench bench;
  ProcessResult logged_out;
  logged_out.exit_code = 4;
  ProcessResult failed;
  failed.exit_code = 1;
  failed.err = "HTTP 404: https://ada:secret@x/y\n";
  bench.answers = {logged_out, failed, printed("<html>")};
  const char* call = R"({"issue_number": 1})";
  CHECK(bench.run("issue_fetch", call).text == "gh is not logged in: run gh auth login");
  CHECK(bench.run("issue_fetch", call).text == "gh issue: HTTP 404: https://x/y");
  CHECK(bench.run("issue_fetch", call).text.starts_with("gh did not return JSON: 1:1: "));
  bench.fake->installed.clear();
  const ToolResult result = bench.run("issue_fetch", call);
  CHECK_FALSE(result.ok);
  CHECK(result.text == "gh is not installed");
}
