#include "review/diff.h"

#include <doctest/doctest.h>

#include "review/finding.h"

namespace pedro {
namespace {

const std::string kDiff =
    "diff --git a/a.c b/a.c\nindex 1..2 100644\n--- a/a.c\n+++ b/a.c\n"
    "@@ -1,3 +1,3 @@ int f(void)\n one\n-two\n+2\n three\n"
    "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n"
    "@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n"
    "diff --git a/logo.png b/logo.png\nBinary files a/logo.png and b/logo.png differ\n";

}  // namespace

TEST_CASE("diff: files, hunks and line numbers are read") {
  const auto files = parse_diff(kDiff);
  REQUIRE(files.ok());
  REQUIRE(files->size() == 3);
  CHECK((*files)[0].path == "a.c");
  CHECK((*files)[0].added() == 1);
  CHECK((*files)[0].removed() == 1);
  CHECK((*files)[0].hunks[0].heading == "int f(void)");
  CHECK((*files)[0].hunks[0].lines[3].number == 3);
  CHECK((*files)[1].deleted);
  CHECK((*files)[1].path == "gone");
  CHECK((*files)[2].binary);
}

TEST_CASE("diff: a part shows numbers, and knows which lines can be pointed at") {
  const DiffParts parts = cut_diff(*parse_diff(kDiff), 4096);
  REQUIRE(parts.parts.size() == 1);
  CHECK(parts.parts[0].title == "a.c, gone");
  CHECK(parts.parts[0].text ==
        "=== a.c\n@@ int f(void)\n    1   one\n      - two\n    2 + 2\n    3   three\n"
        "=== gone (deleted)\n@@\n    1 - x\n");
  CHECK(parts.parts[0].lines[0].numbers == std::vector<int>{1, 2, 3});
  CHECK(parts.left_out == std::vector<std::string>{"logo.png: a binary file"});
}

TEST_CASE("diff: however small the parts, every line is in one of them, in order") {
  std::string text = "diff --git a/big b/big\n--- a/big\n+++ b/big\n@@ -0,0 +1,500 @@\n";
  for (int i = 1; i <= 500; ++i) text += "+line " + std::to_string(i) + "\n";
  for (const std::size_t bytes : {1024u, 3000u, 100000u}) {
    CAPTURE(bytes);
    int next = 1;
    for (const DiffPart& part : cut_diff(*parse_diff(text), bytes).parts) {
      CHECK(part.text.size() <= bytes);
      for (const int number : part.lines[0].numbers) CHECK(number == next++);
    }
    CHECK(next == 501);
  }
}

TEST_CASE("diff: a line longer than a part is cut, and the cut is reported") {
  const std::string text =
      "diff --git a/m b/m\n--- a/m\n+++ b/m\n@@ -0,0 +1 @@\n+" + std::string(5000, 'x') + "\n";
  const DiffParts parts = cut_diff(*parse_diff(text), 1024);
  REQUIRE(parts.left_out.size() == 1);
  CHECK(parts.left_out[0] == "m:1: 4744 bytes of a long line");
  CHECK(parts.parts[0].text.size() <= 1024);
}

TEST_CASE("diff: invalid text is an error with its line") {
  for (const char* text :
       {"hello\n", "diff --git a/a b/a\n@@ nonsense @@\n",
        "* Unmerged path a\n@@ -1 +1 @@\n-a\n+b\n",
        "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n one\n",
        "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n+one\n+two\n",
        "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,99999999999999 @@\n+one\n"}) {
    CAPTURE(text);
    const auto files = parse_diff(text);
    REQUIRE_FALSE(files.ok());
    CHECK(files.error().message.starts_with("the diff, line "));
  }
}

TEST_CASE("findings: one of each category at a line stays, the worst first") {
  const std::vector<ReviewFinding> merged =
      merge_findings({{"b", 1, ReviewSeverity::kLow, "tests", "t", ""},
                      {"a", 2, ReviewSeverity::kMedium, "x", "one", ""},
                      {"a", 2, ReviewSeverity::kHigh, "x", "two", "s"},
                      {"a", 2, ReviewSeverity::kHigh, "y", "three", ""}});
  REQUIRE(merged.size() == 3);
  CHECK(merged[0].explanation == "two\none");
  CHECK(merged[0].suggestion == "s");
  CHECK(merged[1].category == "y");
  CHECK(merged[2].file == "b");
}

TEST_CASE("findings: a finding of two phases on one line appears once, in the graver category") {
  const std::vector<ReviewFinding> merged =
      merge_findings({{"a", 2, ReviewSeverity::kMedium, "quality", "Divides by zero.", "check b"},
                      {"a", 2, ReviewSeverity::kHigh, "security", "divides  by zero", "refuse 0"},
                      {"a", 2, ReviewSeverity::kHigh, "tests", "no test", ""},
                      {"a", 3, ReviewSeverity::kLow, "quality", "Divides by zero.", ""},
                      {"b", 2, ReviewSeverity::kLow, "quality", "Divides by zero: when b is 0", ""},
                      {"b", 2, ReviewSeverity::kLow, "style", "divides by zero", ""}});
  REQUIRE(merged.size() == 4);
  CHECK(merged[0].category == "security");
  CHECK(merged[0].explanation == "divides  by zero");
  CHECK(merged[0].suggestion == "refuse 0\ncheck b");
  CHECK(merged[1].category == "tests");
  CHECK(merged[2].line == 3);
  CHECK(merged[3].explanation == "Divides by zero: when b is 0");
}

TEST_CASE("findings: which are the same across categories") {
  struct Row {
    const char* name;
    ReviewFinding other;  // besides a.c:2, low, tests, "No test of it.", "add one"
    std::size_t stay;
  };
  const auto low = ReviewSeverity::kLow;
  for (const Row& row : std::vector<Row>{
           {"the same words", {"a.c", 2, low, "interface", "no  TEST\nof it", ""}, 1},
           {"more words", {"a.c", 2, low, "interface", "There is no test of it, or two", ""}, 1},
           {"the same suggestion", {"a.c", 2, low, "interface", "is wrong", "Add one."}, 1},
           {"other words", {"a.c", 2, low, "interface", "is wrong", "mend it"}, 2},
           {"half a word", {"a.c", 2, low, "interface", "no test of item 3", ""}, 2},
           {"no words", {"a.c", 2, low, "interface", "", ""}, 2},
           {"another line", {"a.c", 3, low, "tests", "No test of it.", "add one"}, 2},
           {"another file", {"b.c", 2, low, "tests", "No test of it.", "add one"}, 2},
           {"the line of the old file", {"a.c", 2, low, "tests", "No test of it.", "", true}, 2},
       }) {
    CAPTURE(row.name);
    const ReviewFinding finding{"a.c", 2, low, "tests", "No test of it.", "add one"};
    CHECK(merge_findings({finding, row.other}).size() == row.stay);
    CHECK(merge_findings({row.other, finding}).size() == row.stay);
  }
}

TEST_CASE("findings: the graver one gets details that only the other has") {
  const std::vector<ReviewFinding> merged =
      merge_findings({{"a", 2, ReviewSeverity::kLow, "tests", "It divides by zero if b is 0.", "x"},
                      {"a", 2, ReviewSeverity::kHigh, "security", "Divides by zero.", "y"}});
  REQUIRE(merged.size() == 1);
  CHECK(merged[0].severity == ReviewSeverity::kHigh);
  CHECK(merged[0].category == "security");
  CHECK(merged[0].explanation == "It divides by zero if b is 0.");
  CHECK(merged[0].suggestion == "y\nx");
}

TEST_CASE("findings: those without a suggestion do not make the same one") {
  CHECK(merge_findings({{"a", 2, ReviewSeverity::kLow, "tests", "one", ""},
                        {"a", 2, ReviewSeverity::kLow, "interface", "two", ""}})
            .size() == 2);
}

TEST_CASE("diff: an unresolved conflict is named, at any position") {
  const std::string file = "diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n";
  for (const std::string& text : {"* Unmerged path a\n" + file, file + "* Unmerged path a\n"}) {
    const auto files = parse_diff(text);
    REQUIRE(files.ok());
    CHECK(files->size() == 2);
    const DiffParts parts = cut_diff(*files, 4096);
    CHECK(parts.parts.size() == 1);
    CHECK(parts.left_out == std::vector<std::string>{"a: an unresolved conflict"});
  }
}

}  // namespace pedro
