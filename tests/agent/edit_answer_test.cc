#include <doctest/doctest.h>

#include "agent/file_answer.h"
#include "gbnf/match.h"
#include "gbnf/parse_gbnf.h"

using namespace pedro;

namespace {

const std::vector<TaskFile> kFiles = {{"a.py", "def f():\n    x = 1\n\n    return x\n"},
                                      {"docs/b.md", "```\ncode\n```\n"},
                                      {"empty.py", "\n"}};

bool allows(const std::string& grammar, const std::string& text) {
  const Result<ParsedGbnf> parsed = parse_gbnf(grammar, "test");
  REQUIRE(parsed.ok());
  const Result<bool> whole = matches(parsed->grammar, text);
  REQUIRE(whole.ok());
  return *whole;
}

std::string edit_text(const std::string& path, const std::string& old_lines,
                      const std::string& new_lines) {
  return "File: " + path + "\nReplace:\n````\n" + old_lines + "````\nWith:\n````\n" + new_lines +
         "````";
}

}  // namespace

TEST_CASE("edit_answer: a fence is longer than every run of backquotes in the files") {
  CHECK(edit_fence({}) == "```");
  CHECK(edit_fence(kFiles) == "````");
}

TEST_CASE("edit_answer: the grammar takes whole lines of the named file, and no others") {
  const std::string grammar = edit_grammar(kFiles, 2);
  struct Row {
    const char* name;
    std::string text;
    bool fits;
  };
  const std::string one = edit_text("a.py", "    x = 1\n", "    x = 2\n");
  for (const Row& row :
       {Row{"one line", one, true},
        Row{"a run with a blank line", edit_text("a.py", "    x = 1\n\n    return x\n", "\n"),
            true},
        Row{"the whole file", edit_text("a.py", kFiles[0].text, "x\n"), true},
        Row{"lines are deleted", edit_text("a.py", "    return x\n", ""), true},
        Row{"a fence of the file in the new lines", edit_text("docs/b.md", "code\n", "```\n"),
            true},
        Row{"two edits", one + "\n\n" + one, true},
        Row{"three edits", one + "\n\n" + one + "\n\n" + one, false},
        Row{"a line of another file", edit_text("a.py", "code\n", ""), false},
        Row{"a line that is not there", edit_text("a.py", "    x = 2\n", ""), false},
        Row{"lines that do not follow each other",
            edit_text("a.py", "def f():\n    return x\n", ""), false},
        Row{"half a line", edit_text("a.py", "    x =\n", ""), false},
        Row{"a run that begins with a blank line", edit_text("a.py", "\n    return x\n", ""),
            false},
        Row{"a file without text", edit_text("empty.py", "\n", "x\n"), false},
        Row{"a file that is not there", edit_text("c.py", "x\n", "y\n"), false}}) {
    CAPTURE(row.name);
    CHECK(allows(grammar, row.text) == row.fits);
  }
}

TEST_CASE("edit_answer: a block has one line at least and at most so many") {
  const std::string grammar = block_grammar("```", 2);
  CHECK(allows(grammar, "```\nx = 1\n```"));
  CHECK(allows(grammar, "```\n``\ny\n```"));
  CHECK_FALSE(allows(grammar, "```\n```"));
  CHECK_FALSE(allows(grammar, "```\na\nb\nc\n```"));
}

TEST_CASE("edit_answer: edits are read back, and one that is cut is left out") {
  const std::string reply = edit_text("a.py", "    x = 1\n", "    x = 2\n") + "\n\n" +
                            "File: a.py\nReplace:\n````\n    return x\n````\nWith:\n````\n    ret";
  const std::vector<LineEdit> edits = read_edits(reply, "````");
  REQUIRE(edits.size() == 1);
  CHECK(edits[0].path == "a.py");
  CHECK(edits[0].old_lines == "    x = 1\n");
  CHECK(edits[0].new_lines == "    x = 2\n");
  for (const char* text : {"", "File: ", "File: a.py", "File: a.py\nReplace:\n```\nx\n```\n",
                           "File: a.py\nReplace:\n````\n````\nWith:\n````\nx\n````"}) {
    CAPTURE(text);
    CHECK(read_edits(text, "````").empty());
  }
}

TEST_CASE("edit_answer: an edit replaces the occurrence that is asked for, at a line's beginning") {
  const LineEdit edit{"a", "x\n", "y\nz\n"};
  struct Row {
    const char* text;
    std::size_t occurrence;
    std::optional<std::string> expected;
  };
  for (const Row& row : {Row{"x\na\nx\n", 0, "y\nz\na\nx\n"}, Row{"x\na\nx\n", 1, "x\na\ny\nz\n"},
                         Row{"x\na\nx\n", 2, std::nullopt}, Row{"ax\nx", 0, "ax\ny\nz\n"},
                         Row{"", 0, std::nullopt}}) {
    CAPTURE(row.text);
    CHECK(apply_edit(row.text, edit, row.occurrence) == row.expected);
  }
}
