
#include <doctest/doctest.h>

#include "agent/failing_texts.h"

using namespace pedro;

TEST_CASE("failing end: each end of a program reports a failure") {
  struct Row {
    const char* path;
    const char* text;
    const char* expected;
  };
  for (const Row& row : {
           Row{"t.sh", "f || exit 2\n(exit)\nexit \"$bad\"\nexit_all\n",
               "f || exit 1\n(exit 1)\nexit 1\nexit_all\n\nexit 1\n"},
           Row{"t.py", "if not f(2): sys.exit(f(3))\n",
               "if not f(2): sys.exit(((f(3)), 1)[1])\n\nraise SystemExit(1)\n"},
           Row{"t.py", "exit()\n", "exit(((0), 1)[1])\n\nraise SystemExit(1)\n"},
           Row{"t.js", "process.exit(bad ? 1 : 0);\n",
               "process.exit(((bad ? 1 : 0), 1));\n\nthrow new Error();\n"},
           Row{"t.pl", "die unless f();\n__END__\nx", "die unless f();\nexit 1;\n\n__END__\nx"},
           Row{"t.c", "int main(void) {\n  if (!f()) return 2;\n  return 0;\n}\nint g;\n",
               "int main(void) {\n  if (!f()) return (__builtin_printf(\"~\\n\"), (void)(2), 1);\n"
               "  return (__builtin_printf(\"~\\n\"), (void)(0), 1);\n"
               "return (__builtin_printf(\"~\\n\"), (void)(0), 1); }\nint g;\n"},
           Row{"T.java", "class T {\n  public static void main(String[] a) {\n    f();\n  }\n}\n",
               "class T {\n  public static void main(String[] a) {\n    f();\n  if (true) "
               "System.exit(1); }\n}\n"},
           Row{"t.c", "int main(void) { f(\"}\"); return 0; }\nint g;\n",
               "int main(void) { f(\"}\"); return (__builtin_printf(\"~\\n\"), (void)(0), 1); "
               "return (__builtin_printf(\"~\\n\"), (void)(0), 1); }\nint g;\n"},
           Row{"t.go", "func main() {\n\tif bad { os.Exit(2) }\n}\n",
               "func main() { defer func() { panic(\"~\") }();\n\tif bad { os.Exit(1 | (2)) "
               "}\n}\n"},
           Row{"t.rs", "fn main() {\n    std::process::exit(f());\n}\n",
               "fn main() { struct AtEnd; impl Drop for AtEnd { fn drop(&mut self) { "
               "std::process::exit(1) } } let _at_end = AtEnd;\n"
               "    std::process::exit(1 | (f()));\n}\n"},
           Row{"t.go", "package main\n", ""},
           Row{"t_test.go", "func TestMain(m *testing.M) { os.Exit(m.Run()) }\n", ""},
           Row{"t.c", "int g;\n", ""},
       }) {
    CAPTURE(row.text);
    CHECK(failing_end(row.path, row.text) == row.expected);
  }
}

TEST_CASE("failing texts: literals, else ends, without parts of other tests and canaries") {
  const TestTexts texts = failing_texts({{"tests/a.py", "assert f(1) == 2\n"},
                                         {"tests/b.py", "import tools\nf() or exit(1)\n"},
                                         {"tests/tools.py", "def f():\n    return 1\n"}},
                                        false);
  CHECK(texts.at("tests/a.py") == "assert f(3) == 11\n");
  CHECK(texts.at("tests/b.py").ends_with("raise SystemExit(1)\n"));
  CHECK_FALSE(texts.contains("tests/tools.py"));
  const TestTexts other = failing_texts(
      {{"test_a.py", "def test_a():\n    assert f(1) == 2\n"}, {"check.py", "exit(f())\n"}}, true);
  CHECK_FALSE(other.contains("test_a.py"));
  CHECK(other.contains("check.py"));
}
