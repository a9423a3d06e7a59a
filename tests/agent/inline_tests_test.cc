#include <doctest/doctest.h>

#include <string>

#include "agent/kept_tests.h"
#include "base/text.h"

using namespace pedro;

namespace {

struct InlineChange {
  const char* name;
  const char* from;
  const char* to;
  bool keeps = false;
};

void expect_kept(const char* path, const std::string& before,
                 std::initializer_list<InlineChange> changes) {
  for (const InlineChange& change : changes) {
    CAPTURE(path);
    CAPTURE(change.name);
    REQUIRE(before.find(change.from) != std::string::npos);
    const std::string now = replace_all(before, change.from, change.to);
    CHECK(keeps_inline_tests(path, before, now) == change.keeps);
  }
}

}  // namespace

TEST_CASE("inline_tests: Rust") {
  expect_kept(
      "src/lib.rs",
      "/// Adds.\n///\n/// ```\n/// assert_eq!(cart::total(), 2);\n/// ```\n"
      "pub fn total() -> i32 {\n    1\n}\n\n"
      "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn works() {\n"
      "        assert_eq!(total(), 2);\n    }\n\n    #[test]\n    fn again() {\n"
      "        assert!(total() > 1);\n    }\n}\n",
      {
          {"the work", "    1\n", "    2\n", true},
          {"a new function", "pub fn", "fn one() -> i32 { 1 }\n\npub fn", true},
          {"a new test", "    #[test]\n    fn again",
           "    #[test]\n    fn more() {\n        assert!(true);\n    }\n\n    #[test]\n"
           "    fn again",
           true},
          {"a test at the end", "> 1);\n    }\n",
           "> 1);\n    }\n    #[test]\n    fn more() { assert!(true); }\n", true},
          {"a helper with a new name", "    use super::*;",
           "    use super::*;\n    use std::fmt;\n    fn sample() -> i32 { 3 }", true},
          {"another module of tests", "#[cfg(test)]",
           "#[cfg(test)]\nmod more {\n    use super::*;\n    #[test]\n    fn x() { total(); "
           "}\n}\n\n#[cfg(test)]",
           true},
          {"another space", "        assert_eq!", "      assert_eq!", true},
          {"a weaker assertion", "(total(), 2)", "(total(), 1)"},
          {"an early return", "fn works() {", "fn works() {\n        if true { return; }"},
          {"a shadowing function", "    use super::*;",
           "    use super::*;\n    fn total() -> i32 { 2 }"},
          {"a shadowing import", "    use super::*;", "    use super::*;\n    use fake::total;"},
          {"a glob import", "    use super::*;", "    use super::*;\n    use fake::*;"},
          {"a shadowing macro", "    use super::*;",
           "    use super::*;\n    macro_rules! assert { ($x:expr) => {} }"},
          {"an implementation", "    use super::*;",
           "    use super::*;\n    impl PartialEq<i32> for X { fn eq(&self) -> bool { true } }"},
          {"an inner attribute", "    use super::*;", "    #![cfg(any())]\n    use super::*;"},
          {"an ignored test", "#[test]\n    fn works", "#[test]\n    #[ignore]\n    fn works"},
          {"a test without its attribute", "    #[test]\n    fn works", "    fn works"},
          {"a module without its attribute", "#[cfg(test)]\n", ""},
          {"an example that does not run", "/// ```\n/// assert", "/// ```ignore\n/// assert"},
          {"a weaker example", "cart::total(), 2)", "2, 2)"},
      });
}

TEST_CASE("inline_tests: unittest and pytest") {
  expect_kept(
      "cart.py",
      "import unittest\n\n\ndef total():\n    return 1\n\n\n"
      "class T(unittest.TestCase):\n    def test_total(self):\n"
      "        self.assertEqual(total(), 2)\n\n    def test_type(self):\n"
      "        self.assertIsInstance(total(), int)\n\n\n"
      "def test_more():\n    assert total() == 2\n",
      {
          {"the work", "return 1", "return 2", true},
          {"a new function", "def total", "def one():\n    return 1\n\n\ndef total", true},
          {"a new test", "    def test_type",
           "    def test_new(self):\n        self.assertTrue(total())\n\n    def test_type", true},
          {"a new class", "class T(",
           "class U(unittest.TestCase):\n    def test_u(self):\n        pass\n\n\nclass T(", true},
          {"a weaker assertion", "(total(), 2)", "(total(), 1)"},
          {"a weaker function", "== 2", "== 1"},
          {"a skip mark", "    def test_total", "    @unittest.skip('x')\n    def test_total"},
          {"the test is removed",
           "    def test_total(self):\n        self.assertEqual(total(), 2)\n\n", ""},
          {"the test is replaced", "class T(",
           "class T(unittest.TestCase):\n    pass\n\n\nclass T("},
          {"a later method", "\n\ndef test_more", "    test_total = None\n\n\ndef test_more"},
          {"an own assertion", "    def test_type",
           "    def assertEqual(self, *a):\n        pass\n\n    def test_type"},
          {"a set-up that skips", "    def test_type",
           "    def setUp(self):\n        self.skipTest('x')\n\n    def test_type"},
          {"a statement about the class", "def test_more", "T.test_total = id\n\n\ndef test_more"},
          {"a statement about the runner", "def total",
           "unittest.TestCase.assertEqual = id\n\n\ndef total"},
      });
}

TEST_CASE("inline_tests: examples of doctest") {
  const std::string before =
      "def total():\n    \"\"\"Adds.\n\n    >>> total()\n    2\n    >>> total() > 1\n    True\n\n"
      "    Text.\n    \"\"\"\n    return 1\n";
  expect_kept(
      "cart.py", before,
      {
          {"the work", "return 1", "return 2", true},
          {"a new example", "    >>> total() > 1", "    >>> 1 + 1\n    2\n    >>> total() > 1",
           true},
          {"text", "Text.", "Other text.", true},
          {"a weaker example", "    2\n", "    1\n"},
          {"a skipped example", ">>> total()\n", ">>> total()  # doctest: +SKIP\n"},
          {"a shadowing name", "    >>> total()\n", "    >>> total = lambda: 2\n    >>> total()\n"},
          {"another expected value", "    2\n", "    1\n    >>> 2\n    2\n"},
          {"a removed example", "    >>> total() > 1\n    True\n", ""},
      });
  CHECK(keeps_inline_tests("cart.py", before, "", InlineTests::kWithoutExamples));
}

TEST_CASE("inline_tests: self-tests of other languages") {
  expect_kept("cart.c",
              "#include <assert.h>\nint total(void) { return 1; }\n#ifdef TEST\n"
              "int main(void) { assert(total() == 2); }\n#endif\n",
              {{"the work", "return 1", "return 2", true},
               {"a weaker assertion", "== 2", "== 1"},
               {"an early end", "{ assert", "{ return 0; assert"}});
  expect_kept("Cart.pm", "sub total { 1 }\nunless (caller) { die \"wrong\" if total() != 2 }\n1;\n",
              {{"the work", "{ 1 }", "{ 2 }", true},
               {"a weaker assertion", "!= 2", "!= 1"},
               {"no self-test", "unless (caller)", "if (0)"}});
  expect_kept("cart.js",
              "exports.total = () => 1;\nif (require.main === module) {\n"
              "  assert(exports.total() === 2);\n}\n",
              {{"the work", "=> 1", "=> 2", true}, {"a weaker assertion", "=== 2", "=== 1"}});
  expect_kept("cart.py",
              "def total():\n    return 1\n\nif __name__ == '__main__':\n    assert total() == 2\n",
              {{"the work", "return 1", "return 2", true}, {"a weaker assertion", "== 2", "== 1"}});
  expect_kept("cart.zig",
              "fn total() i32 {\n    return 1;\n}\ntest \"total\" {\n    try eq(2, total());\n}\n",
              {{"the work", "return 1", "return 2", true},
               {"another test", "test \"total\"", "test \"x\" {\n}\ntest \"total\"", true},
               {"a weaker test", "eq(2", "eq(1"}});
}

TEST_CASE("inline_tests: code that only looks like a self-test") {
  expect_kept("main.py",
              "def main():\n    pass\n\nif __name__ == '__main__':\n    sys.exit(main())\n",
              {{"the main program", "sys.exit(main())", "sys.exit(main(1))", true}});
  expect_kept("a.c", "#if USE_LATEST\nvoid f(void) { abort(); }\n#endif\n",
              {{"a condition", "abort", "exit", true}});
  expect_kept("a.rs", "impl A {\n    #[cfg(test)]\n    fn x() {}\n    fn y() {}\n}\n",
              {{"an implementation", "fn y() {}", "fn y() { 1 }", true}});
}

TEST_CASE("inline tests: an example ends with its docstring") {
  const std::string before =
      "def area(r):\n    \"\"\"Returns it.\n\n    >>> area(1)\n    3\n    \"\"\"\n    return 2 * "
      "r\n";
  const std::string now = replace_all(before, "2 * r", "3 * r");
  CHECK(keeps_inline_tests("a.py", before, now, InlineTests::kAll));
  const std::string other = replace_all(before, "    3\n", "    2\n");
  CHECK_FALSE(keeps_inline_tests("a.py", before, other, InlineTests::kAll));
}
