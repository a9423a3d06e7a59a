#include "agent/other_expectations.h"

#include <doctest/doctest.h>

#include "base/text.h"

using namespace pedro;

namespace {

// Returns the lines of a test file that differ, joined, or "" if no test is changed.
std::string changed_lines(const std::string& text, const std::string& failed) {
  const OtherExpectations others = other_expectations({{"t", text}}, {failed});
  if (others.texts.empty()) {
    CHECK(others.tests.empty());
    return "";
  }
  CHECK(others.tests == std::set<std::string>{failed});
  const auto before = split_lines(text);
  const auto after = split_lines(others.texts.at("t"));
  REQUIRE(before.size() == after.size());
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] != after[i]) changed.emplace_back(trim(after[i]));
  }
  return join(changed, "\n");
}

std::string python_test(const std::string& statement) {
  return "def test_a():\n    " + statement + "\n";
}

}  // namespace

TEST_CASE("other expectations: literals that a test compares") {
  struct Row {
    std::string text;
    const char* failed;
    const char* changed;
  };
  const Row rows[] = {
      {python_test("assert total([1, 2]) == 3"), "t.py::test_a", "assert total([1, 2]) == 2"},
      {python_test("assert a() == 0, \"why\""), "t.py::test_a", "assert a() == 1, \"why\""},
      {python_test("assert a() == -255"), "t.py::test_a", "assert a() == -155"},
      {python_test("assert a() == 2.5"), "t.py::test_a", "assert a() == 1.5"},
      {python_test("assert a() == [('b', 1), 2]"), "t.py::test_a", "assert a() == [('q', 1), 2]"},
      {python_test("assert a() == 'a, b)'"), "t.py::test_a", "assert a() == 'a, b)~'"},
      {python_test("assert a() == True"), "t.py::test_a", "assert a() == False"},
      {"class T(TestCase):\n    def test_a(self):\n        self.assertEqual(a(), 10)\n",
       "test_a (m.T.test_a)", "self.assertEqual(a(), 20)"},
      {"class T(TestCase):\n    def test_a(self):\n        self.assertEqual({'bc': 1}, a('c'))\n",
       "test_a (m.T.test_a)", "self.assertEqual({'bc': 2}, a('c'))"},
      {"test('adds up', () => { assert.strictEqual(a(1), 2); });\n", "adds up",
       "test('adds up', () => { assert.strictEqual(a(1), 1); });"},
      {"  it(\"adds up\", async () => {\n    expect(await a(1)).toBe(\"b\");\n  });\n",
       "a.test.js › cart › adds up", "expect(await a(1)).toBe(\"b~\");"},
      {"func TestA(t *testing.T) {\n\tif got := a(1); got != 3 {\n\t\tt.Errorf(\"\")\n\t}\n}\n",
       "example.com/p::TestA", "if got := a(1); got != 2 {"},
      {"func TestA(t *testing.T) {\n\tassert.Equal(t, \"b\", a())\n}\n", "example.com/p::TestA",
       "assert.Equal(t, \"b~\", a())"},
      {"#[test]\nfn adds() {\n    assert_eq!(a(1, 2), vec());\n    assert_eq!(a(1, 2), 3);\n}\n",
       "tests::adds", "assert_eq!(a(1, 2), 2);"},
      {"class T(TestCase):\n    def test_a(self): self.assertEqual(a('b'), 'c')\n",
       "test_a (m.T.test_a)", "def test_a(self): self.assertEqual(a('b'), 'q')"},
      {"def test_a(x: int = 1) -> None: b(); assert a(1) == 2\n", "t.py::test_a",
       "def test_a(x: int = 1) -> None: b(); assert a(1) == 1"},
      {"#[test] fn adds() { assert_eq!(a(2), 4); }\n", "adds",
       "#[test] fn adds() { assert_eq!(a(2), 3); }"},
      {"#[test]\nfn adds() { let b = 1; assert_eq!(a(b), 4); }\n", "adds",
       "fn adds() { let b = 1; assert_eq!(a(b), 3); }"},
      {"test('adds', () => assert.strictEqual(a(), 2));\n", "adds",
       "test('adds', () => assert.strictEqual(a(), 1));"},
      {"func TestA(t *testing.T) { if s := a(1); s != 3 { t.Fatal(s) } }\n", "example.com/p::TestA",
       "func TestA(t *testing.T) { if s := a(1); s != 2 { t.Fatal(s) } }"},
      {python_test("assert a() == pytest.approx(3)"), "t.py::test_a",
       "assert a() == pytest.approx(2)"},
      {python_test("assert math.isclose(a(), 2.5)"), "t.py::test_a",
       "assert math.isclose(a(), 1.5)"},
      {python_test("assertTrue(a() == Money(3))"), "t.py::test_a", "assertTrue(a() == Money(2))"},
      {python_test("for x, want in [(1, 3), (2, 4)]:\n        assert a(x) == want"), "t.py::test_a",
       "for x, want in [(3, 12), (37, 141)]:"},
      {python_test("for x, want in {'a': 3}.items():\n        with self.subTest(x):\n"
                   "            self.assertEqual(a(x), want)"),
       "t.py::test_a", "for x, want in {'a': 5}.items():"},
      {"@pytest.mark.parametrize(\n    \"x, want\",\n    [([1], 3)],\n)\ndef test_a(x, want):\n"
       "    assert a(x) == want\n",
       "t.py::test_a", "[([3], 12)],"},
      {"const cases = [\n  { x: 1, want: 3 },\n];\ntest('adds', () => {\n"
       "  for (const { x, want } of cases) {\n    assert.strictEqual(a(x), want);\n  }\n});\n",
       "adds", "{ x: 3, want: 12 },"},
      {"func TestA(t *testing.T) {\n\ttests := []struct {\n\t\tx []int\n\t\twant int\n\t}{\n"
       "\t\t{[]int{1}, 3},\n\t}\n\tfor _, tt := range tests {\n"
       "\t\tt.Run(\"a\", func(t *testing.T) {\n\t\t\tif got := a(tt.x); got != tt.want {\n"
       "\t\t\t\tt.Errorf(\"%v\", tt.want)\n\t\t\t}\n\t\t})\n\t}\n}\n",
       "example.com/p::TestA", "{[]int{3}, 12},"},
      {"fn adds() {\n    for (x, want) in [(vec![1], Money(3))] {\n"
       "        assert_eq!(a(&x), want);\n    }\n}\n",
       "tests::adds", "for (x, want) in [(vec![3], Money(12))] {"},
      {"fn adds() {\n    assert_eq!(\n        a(1),\n        Some(String::from(\"b\"))\n    "
       ");\n}\n",
       "tests::adds", "Some(String::from(\"b~\"))"},
      {python_test("assert a() == {'b': 'c'}"), "t.py::test_a", "assert a() == {'b': 'q'}"},
      {python_test("assert a() == {'b': []}"), "t.py::test_a", "assert a() == {'q': []}"},
      {python_test("want = 3\n    assert a() == want"), "t.py::test_a", "want = 5"},
      {python_test("want: list = [\n        'b',\n    ]\n    self.assertEqual(a(), want)"),
       "t.py::test_a", "'b~2',"},
      {"WANT = 3\n\n" + python_test("got = a()\n    assert got == WANT"), "t.py::test_a",
       "WANT = 5"},
      {"test('adds', () => {\n  const want = 'b';\n  assert.equal(a(), want);\n});\n", "adds",
       "const want = 'b~2';"},
      {"TEST_CASE(\"adds\") {\n  CHECK(a(1) == 2);\n}\n", "adds", "CHECK(a(1) == 1);"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(changed_lines(row.text, row.failed) == row.changed);
  }
}

TEST_CASE("other expectations: assertions that may hold for other values stay") {
  for (const char* statement :
       {"assert a() == b()",
        "assert a() != 3",
        "assert a() == 3 or b",
        "assert not a() == 3",
        "assert a() == b(3)",
        "assert a() == pytest.approx(3, abs=2)",
        "assert a() == f'{b}'",
        "for x, want in [(1, 3)]:\n        y = want\n        assert a(x) == want",
        "for x in [3]:\n        assert a(x) == x",
        "want = b(3)\n    assert a() == want",
        "want = 3\n    c(want)\n    assert a() == want",
        "x, want = 3, 4\n    assert a() == want",
        "for x, want in cases():\n        assert a(x) == want",
        "assert a() == 0x1F",
        "assert a() == []",
        "assert a()",
        "got = a()\n    assert 'a' in got",
        "got = a()\n    self.assertTrue('a' in got)",
        "self.assertNotEqual(a(), 3)",
        "self.assertEqual(a(), b(), 'why')",
        "self.assertEqual(3, 3)",
        "self.assertEqual(a(), (",
        "if b:\n        assert a() == 3",
        "expect(a()).not.toBe(3);",
        "if a() != 3 {\n        b = 3",
        "x = 3"}) {
    CAPTURE(std::string(statement));
    CHECK(changed_lines(python_test(statement), "t.py::test_a").empty());
  }
}

TEST_CASE("other expectations: only unique tests that failed") {
  const std::string text = python_test("assert a() == 1") +
                           "def test_b():\n    assert a() == 1\n\ndef helper():\n    assert 1\n";
  CHECK(changed_lines(text, "t.py::test_a") == "assert a() == 2");
  CHECK(changed_lines(text, "t.py::test_c").empty());
  CHECK(changed_lines(text, "t.py::my_test_a").empty());
  CHECK(other_expectations({{"t.py", text}}, {"t.py::test_a[1]", "t.py::test_a[2]"}).tests ==
        std::set<std::string>{"t.py::test_a"});
  CHECK(other_expectations({{"t.py", text}}, {"test_a (t.test_a) (x=1)", "test_a (t.test_a) [m]"})
            .tests == std::set<std::string>{"test_a (t.test_a)"});
  const std::map<std::string, std::string> two = {{"t.py", text}, {"u.py", text}};
  CHECK(other_expectations(two, {"t.py::test_a"}).texts.empty());
  CHECK(other_expectations({{"t.py", text}}, {"t.py::test_a", "u.py::test_a"}).texts.empty());
}

TEST_CASE("other expectations: hostile texts") {
  for (const std::string& statement :
       {std::string(100'000, '('), "assert a() == '" + std::string(100'000, '\\'),
        "assert a() == " + std::string(100'000, '['), std::string("self.assertEqual("),
        std::string("assert a() == '"), std::string("test("), std::string("expect().toBe("),
        std::string("assert a() ==")}) {
    CHECK(changed_lines(python_test(statement), "t.py::test_a").empty());
  }
  CHECK(changed_lines("test('", "").empty());
  CHECK(changed_lines("def test_a():", "test_a").empty());
}
