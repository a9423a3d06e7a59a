#include "agent/partial_answer.h"

#include <doctest/doctest.h>

#include <vector>

namespace pedro {

TEST_CASE("partial answer: its functions replace those of the file, everything else stays") {
  struct Row {
    const char* path;
    const char* file;
    const char* answer;
    const char* expected;  // nullptr: the answer is the whole file, or has no function
  };
  for (const Row& row : std::vector<Row>{
           {"a.py", "X = 1\n\n\ndef f():\n    pass\n\n\ndef g():\n    return f()\n",
            "def f():\n    return 2\n",
            "X = 1\n\n\ndef f():\n    return 2\n\n\ndef g():\n    return f()\n"},
           // With an import and a constant that the file lacks, and lines that it has.
           {"a.py", "import os\n\n\ndef f():\n    pass\n\n\ndef g():\n    return f()\n",
            "import os\nimport math\n\nLIMIT = 3\n\ndef f():\n    return LIMIT\n",
            "import os\nimport math\nLIMIT = 3\n\n\ndef f():\n    return LIMIT\n\n\ndef g():\n"
            "    return f()\n"},
           // A new function.
           {"a.py", "def f():\n    return 1\n\n\nif __name__ == \"__main__\":\n    f()\n",
            "def g():\n    return 2\n",
            "def f():\n    return 1\n\n\ndef g():\n    return 2\n\n\nif __name__ == \"__main__\":\n"
            "    f()\n"},
           // A method, with its class and without.
           {"a.py",
            "class A:\n    def f(self):\n        pass\n\n    def g(self):\n        return 1\n",
            "class A:\n    def f(self):\n        return 2\n",
            "class A:\n    def f(self):\n        return 2\n\n    def g(self):\n        return 1\n"},
           {"a.py",
            "class A:\n    def f(self):\n        pass\n\n    def g(self):\n        return 1\n",
            "def f(self):\n    if self:\n        return 2\n",
            "class A:\n    def f(self):\n        if self:\n            return 2\n\n    def "
            "g(self):\n"
            "        return 1\n"},
           {"a.c",
            "#include \"a.h\"\n\nint f(void)\n{\n  return 1;\n}\n\nint g(void) {\n  return 2;\n}\n",
            "#include <string.h>\n\nstatic int h(void) {\n  return 3;\n}\n\nint g(void) {\n  "
            "return h();\n}\n",
            "#include \"a.h\"\n#include <string.h>\n\nstatic int h(void) {\n  return 3;\n}\n\n"
            "int f(void)\n{\n  return 1;\n}\n\nint g(void) {\n  return h();\n}\n"},
           {"a.js",
            "function f() {\n  return 1;\n}\n\nfunction g() {\n  return 2;\n}\n\nmodule.exports = "
            "{ f, g };\n",
            "function g() {\n  return 3;\n}\n",
            "function f() {\n  return 1;\n}\n\nfunction g() {\n  return 3;\n}\n\nmodule.exports = "
            "{ f, g };\n"},
           {"a.go", "package a\n\nfunc F() int {\n\treturn 1\n}\n\nfunc G() int {\n\treturn 2\n}\n",
            "func F() int {\n\treturn 3\n}\n",
            "package a\n\nfunc F() int {\n\treturn 3\n}\n\nfunc G() int {\n\treturn 2\n}\n"},
           // Methods of the same name in two types.
           {"a.py",
            "class A:\n    def f(self):\n        pass\n\n\nclass B:\n    def f(self):\n        "
            "pass\n",
            "class B:\n    def f(self):\n        return 2\n",
            "class A:\n    def f(self):\n        pass\n\n\nclass B:\n    def f(self):\n"
            "        return 2\n"},
           {"a.go",
            "package a\n\nfunc (a A) F() int {\n\treturn 1\n}\n\nfunc (b *B) F() int {\n\treturn "
            "1\n}\n",
            "func (b *B) F() int {\n\treturn 2\n}\n",
            "package a\n\nfunc (a A) F() int {\n\treturn 1\n}\n\nfunc (b *B) F() int {\n\treturn "
            "2\n}\n"},
           // A new method belongs to its class, with its decorator.
           {"a.py", "class A:\n    def f(self):\n        pass\n\n\ndef g():\n    return A()\n",
            "class A:\n    @property\n    def h(self):\n        return 3\n",
            "class A:\n    def f(self):\n        pass\n\n    @property\n    def h(self):\n"
            "        return 3\n\n\ndef g():\n    return A()\n"},
           {"a.py", "def f():\n    pass\n", "def f():\n    return 2\n", nullptr},
           {"a.py", "def f():\n    pass\n", "X = 1\n", nullptr},
           {"a.txt", "a\n", "b\n", nullptr},
           {"a.py", "", "def f():\n    return 2\n", nullptr},
           {"a.py", "def f():\n    pass\n", "", nullptr},
       }) {
    CAPTURE(row.answer);
    const auto completed = completed_answer(row.path, row.file, row.answer);
    REQUIRE(completed.has_value() == (row.expected != nullptr));
    if (completed) CHECK(*completed == row.expected);
  }
}

TEST_CASE("partial answer: hostile texts end quickly") {
  std::string many;
  for (int i = 0; i < 20'000; ++i) {
    many += "X" + std::to_string(i) + " = 1\ndef f" + std::to_string(i) + "():\n  pass\n";
  }
  CHECK(completed_answer("a.py", "def g():\n  pass\n" + many, many + "X = 2\n").has_value());
  CHECK(completed_answer("a.py", "def g():\n  pass\n" + std::string(100'000, '\n'), many)
            .has_value());
  CHECK_FALSE(completed_answer("a.py", std::string(100'000, '\n'), "\n\n").has_value());
  CHECK_FALSE(
      completed_answer("a.c", std::string(100'000, '{'), std::string(1000, '}')).has_value());
}

}  // namespace pedro
