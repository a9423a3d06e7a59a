#include "tools/function_bodies.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace pedro;

TEST_CASE("function_bodies: functions are found by indentation and by braces") {
  struct Row {
    const char* name;
    Language language;
    const char* text;
    std::string expected;  // NAME BODY of WHOLE
  };
  for (const Row& row :
       {Row{"Python, with a docstring over two lines", Language::kPython,
            "def f(a,\n      b):\n    \"\"\"One.\n    Two.\"\"\"\n    x = a\n\n    return x\n\ny = "
            "1\n",
            "f 5-7 of 1-7;"},
        Row{"Python methods, each its own", Language::kPython,
            "class A:\n    def f(self):\n        return 1\n\n    async def g(self):\n        "
            "pass\n",
            "f 3-3 of 2-3;g 6-6 of 5-6;"},
        Row{"Python, a docstring and nothing else", Language::kPython,
            "def f():\n    \"\"\"x\"\"\"\n", ""},
        Row{"C, braces in texts and comments", Language::kC,
            "int f(int a) {\n  // }\n  char c = '}';\n  return a;\n}\nint g(void);\n",
            "f 2-4 of 1-5;"},
        Row{"C, a brace of its own line", Language::kC, "int f(void)\n{\n  return 1;\n}\n",
            "f 3-3 of 1-4;"},
        Row{"JavaScript", Language::kJavaScript, "function f(a) {\n  return `}${a}`;\n}\n",
            "f 2-2 of 1-3;"},
        Row{"Go", Language::kGo, "func (s *S) F(a int) int {\n\treturn a\n}\n", "F 2-2 of 1-3;"},
        Row{"Rust", Language::kRust, "pub fn f(a: &'static str) -> i32 {\n    1\n}\n",
            "f 2-2 of 1-3;"},
        Row{"a shell", Language::kUnknown, "f() {\n  echo \"${1}\"\n}\nfunction g {\n  true\n}\n",
            "f 2-2 of 1-3;g 5-5 of 4-6;"},
        Row{"a brace that is never closed", Language::kC, "int f(void) {\n  return 1;\n", ""},
        Row{"a struct is none", Language::kCpp, "struct A {\n  int x;\n};\n", ""},
        Row{"nothing", Language::kC, "", ""}}) {
    CAPTURE(row.name);
    std::string got;
    for (const FunctionBody& one : function_bodies(row.language, LineTable(row.text))) {
      got += fmt::format("{} {}-{} of {}-{};", one.name, one.body.first, one.body.last,
                         one.whole.first, one.whole.last);
    }
    CHECK(got == row.expected);
  }
}
