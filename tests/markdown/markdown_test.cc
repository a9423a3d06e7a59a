#include "markdown/markdown.h"

#include <doctest/doctest.h>

#include "base/text.h"

namespace pedro {

TEST_CASE("markdown: lint names headings, fences, links and HTML that are wrong") {
  struct Row {
    const char* name;
    const char* text;
    const char* problems;  // joined by '|'
  };
  for (const Row& row : std::vector<Row>{
           {"sound", "### A\n\n#### B\n\nx [a](https://a.example)\n\n### C\n", ""},
           {"too high", "# A\n", "line 1: the heading \"A\" has level 1, 3 is the highest"},
           {"a level skipped", "### A\n\n##### B\n",
            "line 3: the heading \"B\" of level 5 follows level 3"},
           {"a heading without text", "###\n", "line 1: the heading has no text"},
           {"a fence that is closed", "```c\nx\n```\n", ""},
           {"a fence that is never closed", "```c\nx\n", "a code fence is not closed"},
           {"a shorter fence closes nothing", "````\nx\n```\n", "a code fence is not closed"},
           {"a fence of tildes", "~~~\n```\n~~~\n", ""},
           {"a fence in a list", "- a\n\n  ```\n  x\n  ```\n", ""},
           {"an open fence in a quotation", "> ```\n> x\n\ny\n", "a code fence is not closed"},
           {"a closed fence in a quotation", "> ```\n> x\n> ```\n\ny\n", ""},
           {"a fence within code that is set in", "x\n\n    ```\n    y\n\nz\n", ""},
           {"code in a line", "```x``` and more\n", ""},
           {"a link without an address", "[a]()\n", "a link has no address"},
           {"HTML", "<b>x</b>\n", "it contains HTML, which is omitted"},
           {"a block of HTML", "<div>\nx\n</div>\n", "it contains HTML, which is omitted"},
       }) {
    CAPTURE(row.name);
    CHECK(join(lint_markdown(row.text, 3), "|") == row.problems);
  }
}

TEST_CASE("markdown: a heading or an item is one line of words") {
  const std::string other = "it is Markdown syntax, not a line of words";
  struct Row {
    const char* name;
    const char* text;
    std::string of_heading;
    std::string of_item;
  };
  for (const Row& row : std::vector<Row>{
           {"words", "What it *cost* in `C#`", "", ""},
           {"none", "  ", "there is no text", "there is no text"},
           {"lines", "a\n\n```", "it has more than one line", "it has more than one line"},
           {"a heading", "# a", "", other},
           {"a list", "- a", "", other},
           {"a number", "1. a", "", other},
           {"a quotation", "> a", "", other},
           {"a fence", "```", "", other},
           {"a rule", "***", "", other},
           {"a definition", "[a]: https://a.example", "", other},
           {"HTML", "<b>a</b>", "it contains HTML, which is omitted",
            "it contains HTML, which is omitted"},
       }) {
    CAPTURE(row.name);
    CHECK(join(lint_line(row.text, LineOf::kHeading), "|") == row.of_heading);
    CHECK(join(lint_line(row.text, LineOf::kItem), "|") == row.of_item);
  }
}

TEST_CASE("markdown: quotations are found in whatever marks, also in headings") {
  struct Row {
    const char* name;
    const char* text;
    const char* quotes;  // joined by '|'
  };
  for (const Row& row : std::vector<Row>{
           {"plain", "x \"it was the best\" y", "it was the best"},
           {"three words are a name", "x \"the best year\" y", ""},
           {"English", "x “it was the best” y", "it was the best"},
           {"German", "x „es war das beste“ y „und das war alles“",
            "es war das beste|und das war alles"},
           {"Polish", "x „to był ten rok” y", "to był ten rok"},
           {"French", "x « it was the best » and « all of it was » y",
            " it was the best | all of it was "},
           {"Danish", "x »it was the best« y »all of it was« z", "it was the best|all of it was"},
           {"Swedish", "x ”it was the best” y", "it was the best"},
           {"Japanese", "x 「それはとても良い年でした」 y", "それはとても良い年でした"},
           {"a Japanese name", "x 「良い年」 y", ""},
           {"a heading", "## He said \"it was the best\"", "it was the best"},
           {"a block", "> it was\n> good", "it was good"},
       }) {
    CAPTURE(row.name);
    CHECK(join(read_markdown(row.text).quotes, "|") == row.quotes);
  }
}

TEST_CASE("markdown: nothing that a model wrote can run in a browser") {
  for (const char* text :
       {"<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))", "[x](java&#115;cript:alert(1))", "<javascript:alert(1)>",
        "![x](javascript:alert(1))", "[x](data:text/html,<script>alert(1)</script>)",
        "[x](vbscript:x)", "[x](file:///etc/passwd)", "[x][1]\n\n[1]: javascript:alert(1)",
        "<div onclick=\"alert(1)\">\nx\n</div>", "<svg/onload=alert(1)>", "<!-- <script> -->",
        "<iframe src=\"https://a.example\"></iframe>"}) {
    CAPTURE(text);
    const std::string html = to_lower(markdown_to_html(text));
    for (const char* bad :
         {"<script", "<img src=x", "onerror", "onclick", "<svg", "<iframe", "href=\"javascript",
          "src=\"javascript", "href=\"data", "href=\"vbscript", "href=\"file", "href=\"java&"}) {
      CHECK_MESSAGE(html.find(bad) == std::string::npos, html);
    }
  }
  CHECK(escape_html("<a b=\"c\">&") == "&lt;a b=&quot;c&quot;&gt;&amp;");
}

}  // namespace pedro
