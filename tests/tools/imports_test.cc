#include "tools/imports.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("imports: every language has its own") {
  struct Row {
    const char* name;
    Language language;
    std::string text;
    std::vector<Import> expected;
  };
  const Row rows[] = {
      {"C++",
       Language::kCpp,
       "// x\n#include <a>\n# include \"b.h\"\nimport x;\n",
       {{2, "#include <a>"}, {3, "# include \"b.h\""}}},
      {"Python, over several lines",
       Language::kPython,
       "import os\nfrom a import (\n  b,\n  c,\n)\nfrom d import e, \\\n  f\nx = important\n",
       {{1, "import os"}, {2, "from a import ( b, c, )"}, {6, "from d import e, f"}}},
      {"Go, single and in a block",
       Language::kGo,
       "package p\nimport \"fmt\"\nimport (\n  // no\n  \"os\"\n  . \"io\"\n)\n",
       {{2, "import \"fmt\""}, {5, "\"os\""}, {6, ". \"io\""}}},
      {"JavaScript",
       Language::kJavaScript,
       "import a from 'a';\nimport {\n  b,\n  c\n} from './b';\nconst d = require('d');\n"
       "export { e } from 'e';\nexport { f };\nimportant();\n",
       {{1, "import a from 'a';"},
        {2, "import { b, c } from './b';"},
        {6, "const d = require('d');"},
        {7, "export { e } from 'e';"}}},
      {"TypeScript",
       Language::kTypeScript,
       "import type { A } from \"./a\";\n",
       {{1, "import type { A } from \"./a\";"}}},
      {"Rust",
       Language::kRust,
       "use std::fmt;\npub(crate) use a::{\n  b,\n  c,\n};\nmod x;\nmod y {\n}\nextern crate z;\n",
       {{1, "use std::fmt;"},
        {2, "pub(crate) use a::{ b, c, };"},
        {6, "mod x;"},
        {9, "extern crate z;"}}},
      {"Java",
       Language::kJava,
       "package p;\nimport java.util.List;\nimport static a.B.c;\n",
       {{2, "import java.util.List;"}, {3, "import static a.B.c;"}}},
      {"any other",
       Language::kUnknown,
       "using System;\nrequire 'json'\nx = 1\n",
       {{1, "using System;"}, {2, "require 'json'"}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(find_imports(row.language, row.text) == row.expected);
  }
}

TEST_CASE("imports: a statement that never ends is cut off") {
  std::string text = "from a import (\n";
  for (int i = 0; i < 100'000; ++i) text += "  x,\n";
  const std::vector<Import> imports = find_imports(Language::kPython, text);
  REQUIRE(imports.size() == 1);
  CHECK(imports[0].text.size() < 1000);
}

TEST_CASE("language: by extension and by name") {
  CHECK(language_of("src/a.CC") == Language::kCpp);
  CHECK(language_of("a.d/noext") == Language::kUnknown);
  CHECK(language_of("x.tsx") == Language::kTypeScript);
  CHECK(language_named("c++") == Language::kCpp);
  CHECK(language_named("cobol") == Language::kUnknown);
}

}  // namespace pedro
