#include "agent/file_answer.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace pedro {
namespace {

// Prints "PATH=CONTENT;" for each answer.
std::string shown(const std::vector<FileAnswer>& answers) {
  std::string text;
  for (const FileAnswer& answer : answers) text += answer.path + "=" + answer.content + ";";
  return text;
}

const std::vector<std::string> kOne = {"a.py"};
const std::vector<std::string> kSeveral = {"a.py", "src/a.py", "b.md", "src/b.c"};

}  // namespace

TEST_CASE("file answer: blocks that have a name") {
  struct Row {
    const char* name;
    std::string reply;
    std::string expected;
  };
  for (const Row& row : {
           Row{"path on the line before", "src/a.py\n```python\nx = 1\n```\n", "src/a.py=x = 1\n;"},
           Row{"two files, blank lines between", "a.py\n\n```\n1\n```\n\nsrc/b.c\n\n```c\n2\n```",
               "a.py=1\n;src/b.c=2\n;"},
           Row{"in bold, as a heading, with a colon", "### **`src/b.c`**:\n```c\n2\n```\n",
               "src/b.c=2\n;"},
           Row{"in a sentence that ends behind it", "Fix a.py.\nSo:\n```\n1\n```\n", "a.py=1\n;"},
           Row{"in the info string", "```python:src/a.py\n1\n```", "src/a.py=1\n;"},
           Row{"as the info string", "```src/b.c\n1\n```", "src/b.c=1\n;"},
           Row{"the info string before the line", "a.py\n```c src/b.c\n1\n```", "src/b.c=1\n;"},
           Row{"in a comment, which is left out", "```python\n# src/a.py\n1\n```", "src/a.py=1\n;"},
           Row{"in the first line, bare", "```python\nsrc/a.py\n1\n```", "src/a.py=1\n;"},
           Row{"before and in the first line", "a.py\n```\n./a.py:\n1\n```", "a.py=1\n;"},
           Row{"in a block of its own", "```\nsrc/a.py\n```\n```\n1\n```", "src/a.py=1\n;"},
           Row{"in a block of its own, and no other", "```\nsrc/a.py\n```\n", ""},
           Row{"in the first line with code", "```\nsrc/a.py = 1\n```", ""},
           Row{"a first line of marks", "a.py\n```\n---\n/*\n```", "a.py=---\n/*\n;"},
           Row{"in a comment of C", "```\n/* src/b.c */\n1\n```", "src/b.c=1\n;"},
           Row{"with ./ before it", "./src/a.py\n```\n1\n```", "src/a.py=1\n;"},
           Row{"five lines before is too far", "a.py\n1\n2\n3\n4\n```\n5\n```", ""},
           Row{"only the lines behind the last block", "a.py\n```\n1\n```\n```\n2\n```",
               "a.py=1\n;"},
           Row{"two paths in a line name nothing", "a.py and src/b.c\n```\n1\n```", ""},
           Row{"a part of a longer path names nothing", "lib/a.py, a.py.orig\n```\n1\n```", ""},
           Row{"another path", "../c.py\n```\n1\n```", ""},
           Row{"no comment but a path in code", "```\nimport a.py\n```", ""},
           Row{"the first of two blocks", "a.py\n```\n1\n```\na.py\n```\n2\n```", "a.py=1\n;"},
           Row{"several paths known, none named", "```\n1\n```", ""},
           Row{"a diff is not a file", "a.py\n```diff\n-1\n+2\n```", ""},
           Row{"a diff without its name",
               "a.py\n```\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+2\n```", ""},
           Row{"only the changes of a diff", "a.py\n```\n@@ -1 +1 @@\n-1\n+2\n```", ""},
           Row{"the file after its diff", "a.py\n```diff\n-1\n+2\n```\na.py\n```\n2\n```",
               "a.py=2\n;"},
           Row{"a file that begins with a rule", "b.md\n```\n--- \n+++ x\n```",
               "b.md=--- \n+++ x\n;"},
       }) {
    CAPTURE(row.name);
    CHECK(shown(read_file_answers(row.reply, kSeveral)) == row.expected);
  }
}

TEST_CASE("file answer: one known path") {
  struct Row {
    const char* name;
    std::string reply;
    std::string expected;
  };
  for (const Row& row : {
           Row{"a block without a name", "Here:\n```python\n1\n```\nDone.", "a.py=1\n;"},
           Row{"the first of several", "```\n1\n```\n```\n2\n```", "a.py=1\n;"},
           Row{"a named block is rather it", "```\n1\n```\na.py\n```\n2\n```", "a.py=2\n;"},
           Row{"a path in a block with other text", "```\n[issue begins]\na.py\n```\n```\n2\n```",
               "a.py=2\n;"},
           Row{"no block", "1", ""},
           Row{"nothing", "", ""},
           Row{"an empty block", "```\n```", "a.py=;"},
       }) {
    CAPTURE(row.name);
    CHECK(shown(read_file_answers(row.reply, kOne)) == row.expected);
  }
  CHECK(read_file_answers("```\n1\n```", {}).empty());
}

TEST_CASE("file answer: fences") {
  struct Row {
    const char* name;
    std::string reply;
    std::string expected;
  };
  for (const Row& row : {
           Row{"never closed", "a.py\n```\n1\n2", "a.py=1\n2\n;"},
           Row{"lines that end with \\r\\n", "a.py\r\n```python\r\n1\r\n```\r\nx", "a.py=1\n;"},
           Row{"a longer fence around a shorter", "a.py\n````\n```\n1\n```\n````\n",
               "a.py=```\n1\n```\n;"},
           Row{"tildes around backticks", "a.py\n~~~\n```\n1\n~~~\n", "a.py=```\n1\n;"},
           Row{"a longer end", "a.py\n```\n1\n`````\nx", "a.py=1\n;"},
           Row{"an end with text is none", "a.py\n```\n1\n```x\n2\n```\n", "a.py=1\n```x\n2\n;"},
           Row{"blocks in Markdown", "b.md\n```markdown\n# B\n```sh\nls\n```\nend\n```\n",
               "b.md=# B\n```sh\nls\n```\nend\n;"},
           Row{"in a list, with the indent of the fence", "1. a.py\n   ```\n   1\n     2\n   ```\n",
               "a.py=1\n  2\n;"},
           Row{"code within a line is no fence", "a.py\n```x``` is\n```\n1\n```\n", "a.py=1\n;"},
           Row{"two backticks are no fence", "a.py\n``\n1\n``\n", ""},
       }) {
    CAPTURE(row.name);
    CHECK(shown(read_file_answers(row.reply, kSeveral)) == row.expected);
  }
}

TEST_CASE("file answer: hostile text takes no more than its length") {
  std::string fences;
  for (int i = 0; i < 200'000; ++i) fences += i % 2 == 0 ? "```markdown a.p\n" : "a.p```\n";
  CHECK(read_file_answers(fences, kSeveral).empty());
  CHECK(read_file_answers(std::string(2'000'000, '`'), kOne).size() == 1);
  CHECK(read_file_answers(std::string("\0\xff```\n\0", 8), kSeveral).empty());
}

TEST_CASE("file answer: a written answer is read back") {
  for (const std::string content : {"1\n", "", "```\n1\n```\n", "a `````` b\n", "\n\n", "  x\n"}) {
    CAPTURE(content);
    CHECK(shown(read_file_answers(write_file_answer("src/b.c", content), kSeveral)) ==
          "src/b.c=" + content + ";");
  }
  CHECK(write_file_answer("a.py", "1") == "a.py\n```\n1\n```\n");
}

}  // namespace pedro
