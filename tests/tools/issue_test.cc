#include "tools/issue.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

using namespace pedro;

TEST_CASE("issue: a text gives title and body") {
  struct Row {
    const char* name;
    const char* text;
    const char* title;
    const char* body;
  };
  const Row rows[] = {
      {"a heading and a body", "# Crash\n\nIt crashes.\n", "Crash", "It crashes."},
      {"no heading", "It crashes\nat once.\n", "It crashes", "It crashes\nat once."},
      {"a heading alone", "# Crash", "Crash", ""},
      {"a first line of its own", "It crashes\r\n\r\nat once.\n", "It crashes", "at once."},
      {"Windows' line ends", "# Crash\r\n\r\nIt\r\ncrashes.\r\n", "Crash", "It\ncrashes."},
      {"blank lines in front", "\n\n# Crash\nx", "Crash", "x"},
      {"a lower heading is no title line", "## Steps\nx", "## Steps", "## Steps\nx"},
      {"a byte order mark", "\xEF\xBB\xBF# Crash\nx", "Crash", "x"},
      {"front matter without a title", "---\nlabels: bug\n---\n# Crash\nx", "Crash", "x"},
      {"front matter with a title", "\xEF\xBB\xBF---\r\ntitle: \"A crash\"\r\n---\r\n# Steps\r\nx",
       "A crash", "# Steps\nx"},
      {"a rule that is no front matter", "---\nx", "---", "---\nx"},
      {"front matter alone", "---\ntitle: T\n---\n", "T", "---\ntitle: T\n---"},
      {"comments of a template", "<!-- Fill in. -->\n\n<!-- a\nb -->\n# Crash\nx", "Crash", "x"},
      {"a comment that does not end", "<!-- x\ny", "<!-- x", "<!-- x\ny"},
      {"control characters", "# a\x1b[2Jb\n\x07", "a\xEF\xBF\xBD[2Jb", "\xEF\xBF\xBD"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Issue issue = issue_from_text(row.text);
    CHECK(issue.title == row.title);
    CHECK(issue.body == row.body);
    CHECK(issue.number == 0);
  }
}

TEST_CASE("issue: JSON of any shape gives an issue, if an empty one") {
  for (const char* text :
       {"null", "[]", "3", R"({"title": 3, "comments": 12})", R"({"number": 99999999999999999999})",
        R"({"number": -1})", R"({"comments": [null, 1, {"author": "x"}]})"}) {
    CAPTURE(text);
    const Issue issue = issue_from_json(Json::parse(text));
    CHECK(issue.number == 0);
    CHECK(issue.title == "");
  }
}

TEST_CASE("issue: both notations of a comment's author are known") {
  const Issue issue = issue_from_json(Json::parse(
      R"({"number": 5, "title": "a\nb", "comments": [{"author": {"login": "ada"}, "body": "1"},
          {"user": {"login": "grace"}, "body": "2"}, {"body": "3"}]})"));
  CHECK(render(issue) ==
        "Issue #5: a b\n\nComment by ada:\n1\n\nComment by grace:\n2\n\nComment by unknown:\n3\n");
}

TEST_CASE("issue: too many comments are counted, the oldest stay") {
  Json comments = Json::array();
  for (int i = 0; i < 103; ++i) comments.push_back({{"body", fmt::format("c{}", i)}});
  Issue issue;
  append_comments(comments, issue);
  CHECK(issue.comments.size() == 100);
  CHECK(issue.comments.front().text == "c0");
  CHECK(issue.omitted_comments == 3);
  CHECK(render(issue).ends_with("\n[3 more comments left out]\n"));
}

TEST_CASE("issue: text beyond a task's limit is counted at the end") {
  struct Row {
    const char* name;
    std::size_t body;
    std::vector<std::size_t> comments;
    std::size_t kept_comments;
    std::string omitted;
  };
  const Row rows[] = {
      {"a long log", 90'000, {}, 0, ""},
      {"a long log and long comments", 90'000, {60'000, 60'000}, 2, ""},
      {"exactly as much as there may be", kMaxIssueTextBytes, {}, 0, ""},
      {"a byte more", kMaxIssueTextBytes + 1, {}, 0, "1 more byte left out"},
      {"a comment too many", 200'000, {60'000, 60'000, 1}, 1, "2 more comments left out"},
      {"both", kMaxIssueTextBytes + 5, {3}, 0, "5 more bytes and 1 more comment left out"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    Json comments = Json::array();
    for (const std::size_t bytes : row.comments) {
      comments.push_back({{"body", std::string(bytes, 'x')}});
    }
    Issue issue = issue_from_text("# T\n" + std::string(row.body, 'y'));
    append_comments(comments, issue);
    CHECK(issue.body.size() == std::min(row.body, kMaxIssueTextBytes));
    CHECK(issue.comments.size() == row.kept_comments);
    CHECK(omitted_parts(issue) == row.omitted);
    CHECK(render(issue).ends_with("\n[" + row.omitted + "]\n") == !row.omitted.empty());
    CHECK(render(issue).find("[... ") == std::string::npos);
  }
}
