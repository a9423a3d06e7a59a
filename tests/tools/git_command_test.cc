#include "tools/git_command.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace pedro;

TEST_CASE("git_command: branch names are those that git check-ref-format allows") {
  struct Row {
    const char* name;
    std::string input;
    std::string problem;
  };
  const Row rows[] = {
      {"a plain one", "main", ""},
      {"with folders, digits and dots", "pedrocli/issue-32-v1.2_x", ""},
      {"empty", "", "a branch name needs a name"},
      {"an option", "--force", "'--force': a branch name must not begin with '-'"},
      {"a blank", "a b", "a branch name has no blanks or control characters"},
      {"a newline", "a\nb", "a branch name has no blanks or control characters"},
      {"a NUL", std::string("a\0b", 3), "a branch name has no blanks or control characters"},
      {"a revision", "HEAD~1", "'HEAD~1': a branch name has no '~'"},
      {"a pathspec", ":/", "':/': a branch name has no ':'"},
      {"a range", "a..b", "'a..b' is not a branch name that git allows"},
      {"a reflog entry", "a@{1}", "'a@{1}' is not a branch name that git allows"},
      {"the at sign alone", "@", "'@' is not a branch name that git allows"},
      {"HEAD", "HEAD", "'HEAD' is not a branch name that git allows"},
      {"a lock", "a.lock/b", "'a.lock/b' is not a branch name that git allows"},
      {"a hidden folder", "a/.b", "'a/.b' is not a branch name that git allows"},
      {"an empty folder", "a//b", "'a//b' is not a branch name that git allows"},
      {"a slash at the end", "a/", "'a/' is not a branch name that git allows"},
      {"a dot at the end", "a.", "'a.' is not a branch name that git allows"},
      {"too long", std::string(201, 'a'), "a branch name has at most 200 bytes"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(branch_problem(row.input) == row.problem);
  }
}

TEST_CASE("git_command: revisions may be ranges and ancestors, but no options and no paths") {
  struct Row {
    std::string input;
    std::string problem;
  };
  const Row rows[] = {
      {"HEAD~2", ""},
      {"HEAD^", ""},
      {"main...HEAD", ""},
      {"origin/main@{1}", ""},
      {"--output=/tmp/x", "'--output=/tmp/x': a revision must not begin with '-'"},
      {"HEAD:a.cc", "'HEAD:a.cc': a revision has no ':'"},
      {"a b", "a revision has no blanks or control characters"},
      {"", "a revision needs a name"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.input);
    CHECK(revision_problem(row.input) == row.problem);
  }
}

TEST_CASE("git_command: credentials do not get out of an address") {
  CHECK(without_credentials("fatal: 'https://ada:secret@host/x.git' and ssh://git@h/y z@w") ==
        "fatal: 'https://host/x.git' and ssh://h/y z@w");
  CHECK(without_credentials("https://host/a@b no ://") == "https://host/a@b no ://");
}

TEST_CASE("git_command: settings come before the subcommand, hooks are off") {
  const Command off = git_command("/tree", {"status"});
  CHECK(off.argv.front() == "git");
  CHECK(off.argv.back() == "status");
  CHECK(off.folder == "/tree");
  CHECK(std::count(off.argv.begin(), off.argv.end(), "core.hooksPath=/dev/null") == 1);
}

TEST_CASE("git_command: the subcommand is distinguished from settings and names") {
  const auto asked = [](std::vector<std::string> arguments) {
    return std::string(git_subcommand(git_command("/tree", std::move(arguments)).argv));
  };
  CHECK(asked({"push", "origin", "main"}) == "push");
  CHECK(asked({"-c", "user.name=push", "push"}) == "push");
  CHECK(asked({"log", "push"}) == "log");
  CHECK(asked({"-c", "push", "--version"}) == "");
}

TEST_CASE("git_command: paths in git's quotes") {
  struct Row {
    std::string text;
    std::string expected;
  };
  const Row rows[] = {
      {"a.txt", "a.txt"},
      {"with blank", "with blank"},
      {R"("a\nb\tc")", "a\nb\tc"},
      {R"("n\303\244w")", "n\xC3\xA4w"},
      {R"("latin\344")", "latin\xE4"},
      {R"("q\"b\\")", "q\"b\\"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto path = unquoted_path(row.text);
    REQUIRE(path);
    CHECK(*path == row.expected);
  }
  for (const char* bad : {"\"", "\"abc", R"("a\9")", R"("a\30")", R"("a\")"}) {
    CAPTURE(bad);
    CHECK_FALSE(unquoted_path(bad));
  }
}

TEST_CASE("git_command: programs that only read are known") {
  CHECK(only_reads({"/usr/bin/rg", "--no-config", "x"}));
  CHECK(only_reads({"/usr/bin/ctags", "-x"}));
  CHECK(only_reads(git_command("/w", {"ls-files"}).argv));
  CHECK(only_reads(git_command("/w", {"rev-parse", "HEAD"}).argv));
  CHECK_FALSE(only_reads(git_command("/w", {"add", "a"}).argv));
  CHECK_FALSE(only_reads(git_command("/w", {"status"}).argv));  // filters may run
  CHECK_FALSE(only_reads({"gh", "issue", "list"}));
  CHECK_FALSE(only_reads({}));
}
