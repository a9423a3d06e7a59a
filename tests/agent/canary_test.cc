#include <doctest/doctest.h>

#include "agent/failing_texts.h"
#include "base/text.h"

using namespace pedro;

TEST_CASE("canary: a test that fails is added in the way of the file's own tests") {
  struct Row {
    const char* path;
    const char* text;
    const char* added;
  };
  const Row rows[] = {
      {"test_a.py", "def test_a(): pass\n", "self.assertEqual(\"pedrocli canary\", \"\")"},
      {"a.test.js", "const test = require(\"node:test\");\ntest(\"a\", () => {});\n",
       "require(\"node:assert\")"},
      {"a.test.mjs", "import test from \"node:test\";\ntest(\"a\", () => {});",
       "import pedrocliAssert from"},
      {"a.spec.ts", "it(\"a\", () => { expect(1).toBe(1); });\n", "expect(\"pedrocli canary\")"},
      {"a_test.go", "package a\n\nimport \"testing\"\n", "func TestPedrocliCanary(t *testing.T)"},
      {"tests/a.rs", "#[test]\nfn a() {}\n", "fn pedrocli_canary()"},
      {"tests/a_test.cc", "TEST_CASE(\"a\") {}\n", "TEST_CASE(\"pedrocli canary\")"},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.path));
    const std::string text = with_canary(row.path, row.text);
    CHECK(text.starts_with(row.text));
    CHECK(text.find(row.added) != text.npos);
  }
  for (const char* path : {"test.sh", "conftest.py", "a.test.js", "tests/data.json", "t/a.t"}) {
    CAPTURE(std::string(path));
    CHECK(with_canary(path, "exit 1\n").empty());
  }
}

TEST_CASE("canary: it comes before the call of Python's main function") {
  const std::string text =
      with_canary("test_a.py", "a = 1\n\nif __name__ == \"__main__\":\n    b()\n");
  CHECK(text.find("PedrocliCanary") < text.find("if __name__"));
  CHECK(text.ends_with("if __name__ == \"__main__\":\n    b()\n"));
}

TEST_CASE("canary: one for each package of Go, and not for too many files") {
  const std::string go = "package a\n\nimport \"testing\"\n";
  const auto some = canary_texts({{"a/a_test.go", go},
                                  {"a/b_test.go", go},
                                  {"a/x_test.go", "package a_test\n\nimport \"testing\"\n"},
                                  {"b/a_test.go", go},
                                  {"t.sh", "exit 1\n"}});
  std::vector<std::string> paths;
  for (const auto& [path, text] : some) paths.push_back(path);
  CHECK(paths == std::vector<std::string>{"a/a_test.go", "a/x_test.go", "b/a_test.go"});
  CHECK(some.at("a/a_test.go") == with_canary("a/a_test.go", go));
  std::map<std::string, std::string> many;
  for (int i = 0; i < 100; ++i) many["test_" + std::to_string(i) + ".py"] = "x = 1\n";
  CHECK(canary_texts(many).size() == kMaxCanaryFiles);
}

TEST_CASE("canary: outputs that name it") {
  CHECK(names_canary("FAILED test_a.py::PedrocliCanary::test_pedrocli_canary - Asser"));
  CHECK(names_canary("not ok 2 - pedrocli canary"));
  CHECK(names_canary("--- FAIL: TestPedrocliCanary (0.00s)"));
  CHECK_FALSE(names_canary("FAILED test_a.py::test_canary"));
}
