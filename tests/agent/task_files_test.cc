#include "agent/task_files.h"

#include "agent/tool_world.h"

using namespace pedro;

namespace {

struct TaskFilesBench : ToolWorld {
  void put(const std::string& path, const std::string& text) {
    REQUIRE(files.make_folders(folder.path() + "/" + std::string(folder_name(path)), 0755).ok());
    REQUIRE(files.write_atomic(folder.path() + "/" + path, text, 0644).ok());
  }
  std::vector<std::string> find(std::string_view issue, std::string_view output = "") {
    const auto found = find_task_files(tools, {issue, output});
    REQUIRE(found.ok());
    std::vector<std::string> paths;
    for (const TaskFile& file : *found) paths.push_back(file.path);
    return paths;
  }
};

}  // namespace

TEST_CASE("task_files: tests are known by their names, as runners of all languages find them") {
  for (const char* path : {"test_a.py",        "tests_a.py",
                           "a_test.go",        "src/a.spec.ts",
                           "conftest.py",      "t/a.t",
                           "lib/a.t",          "a.bats",
                           "cart-test.js",     "test-cart.mjs",
                           "a.cy.ts",          "a.test-d.ts",
                           "cart_unittest.cc", "cart-spec.js",
                           "cartSpec.js",      "src/CartTest.java",
                           "CartTests.cs",     "CartTestCase.php",
                           "CartIT.java",      "src/TestCart.java",
                           "CartSuite.scala",  "CartSpec.hs",
                           "CartCest.php",     "tst_cart.cpp",
                           "cart.Tests.ps1",   "a.phpt",
                           "cart.feature",     "testutil.go",
                           "runtests.sh",      "selftest.c",
                           "spec_helper.rb",   "select.test"}) {
    CAPTURE(path);
    CHECK(is_test_path(path));
  }
}

TEST_CASE("task_files: tests are known by their folders") {
  for (const char* folder : {"tests",
                             "Test",
                             "pkg/__tests__",
                             "t",
                             "xt",
                             "specs",
                             "qa",
                             "e2e",
                             "unittests",
                             "unit-tests",
                             "integration-tests",
                             "integration_test",
                             "src/integrationTest",
                             "src/testFixtures",
                             "src/jvmTest",
                             "src/it",
                             "test_data",
                             "test-data",
                             "testdata",
                             "Cart.Tests",
                             "CartTests",
                             "core-tests",
                             "test-support",
                             "__fixtures__",
                             "testsuite",
                             "functionalTests"}) {
    const std::string path = std::string(folder) + "/a.c";
    CAPTURE(path);
    CHECK(is_test_path(path));
  }
}

TEST_CASE("task_files: names that only contain the letters of a test are sources") {
  for (
      const char* path :
      {"a.py",           "src/contest.py", "latest.js",       "attest/a.go",     "testing.py",
       "Latest.java",    "greatest.c",     "protest/a.py",    "testimonials.js", "src/testament.c",
       "Testament.java", "inspect.py",     "specialist/a.rb", "exit.c",          "Edit.java",
       "EXIT.java",      "contests/a.py",  "testbed.py",      "fastest/a.c",     "UNIT.java",
       "api-spec.yaml",  "test-plan.md",   "it/a.c",          "testing/a.go",    "suite.scala",
       "unit/a.c",       "PodSpec.go",     "src/spec.cc",     "tools/a.tt",      "tests.d.x/a.c"}) {
    CAPTURE(path);
    CHECK_FALSE(is_test_path(path));
  }
}

TEST_CASE("task_files: identifiers are words that only code has") {
  CHECK(identifiers_in("The `total` of unit_price(3) in CartView is wrong, not `a`. total again",
                       9) == std::vector<std::string>{"total", "unit_price", "CartView"});
  CHECK(identifiers_in("unit_price unit_cost", 1) == std::vector<std::string>{"unit_price"});
  CHECK(identifiers_in("plain words only", 9).empty());
}

TEST_CASE("task_files: a file that is named comes first, then one that defines a named function") {
  TaskFilesBench bench;
  bench.put("src/cart.py", "def total(items):\n    return 0\n");
  bench.put("src/tax.py", "def rate():\n    return 1\n");
  bench.put("notes.txt", "nothing\n");
  CHECK(bench.find("Wrong sum in src/tax.py").front() == "src/tax.py");
  CHECK(bench.find("`total` is 0").front() == "src/cart.py");
}

TEST_CASE("task_files: the file that a failing test imports is one of the first") {
  TaskFilesBench bench;
  bench.put("store/ledger.py", "def add(a):\n    return a\n");
  bench.put("store/other.py", "def sub(a):\n    return a\n");
  bench.put("tests/test_book.py", "from store import ledger\n");
  const auto paths = bench.find("The sum is wrong.", "FAIL: tests/test_book.py:3: 1 != 2");
  REQUIRE(paths.size() == 3);
  CHECK(std::find(paths.begin(), paths.end(), "store/ledger.py") <
        std::find(paths.begin(), paths.end(), "store/other.py"));
}

TEST_CASE("task_files: every import of every failing test counts") {
  TaskFilesBench bench;
  for (const char* name : {"alpha", "yankee", "zulu"}) {
    bench.put(std::string("store/") + name + ".py", "x = 1\n");
  }
  std::string imports;
  for (int i = 0; i < 50; ++i) imports += "import other" + std::to_string(i) + "\n";
  bench.put("tests/test_book.py", imports + "from store import zulu\n");
  bench.put("tests/test_cook.py", "from store import yankee\n");
  const auto paths = bench.find("The sum is wrong.",
                                "FAIL: tests/test_book.py:3: 1 != 2\n"
                                "FAIL: tests/test_cook.py:3: 1 != 2");
  CHECK(paths == std::vector<std::string>{"store/yankee.py", "store/zulu.py", "tests/test_book.py",
                                          "tests/test_cook.py", "store/alpha.py"});
}

TEST_CASE("task_files: binary and long files are left out") {
  TaskFilesBench bench;
  bench.put("a.py", "x = 1\n");
  bench.put("b.bin", std::string("a\0b", 3));
  bench.put("c.py", std::string(kMaxTaskFileBytes + 1, 'x'));
  CHECK(bench.find("a.py b.bin c.py") == std::vector<std::string>{"a.py"});
}

TEST_CASE("task_files: a byte order mark is no part of the text") {
  TaskFilesBench bench;
  bench.put("a.py",
            "\xEF\xBB\xBF"
            "x = 1\r\n");
  const auto found = find_task_files(bench.tools, {"a.py", ""});
  REQUIRE(found->size() == 1);
  CHECK(found->front().text == "x = 1\n");
}

TEST_CASE("task_files: a file has CRLF line ends only if every line does") {
  struct Row {
    const char* bytes;
    const char* text;
    bool crlf;
  };
  for (const Row& row : {Row{"a\r\nb\r\n", "a\nb\n", true}, Row{"a\r\nb\n", "a\r\nb\n", false},
                         Row{"a\nb", "a\nb", false}, Row{"a\r\nb", "a\nb", true}}) {
    CAPTURE(row.bytes);
    TaskFilesBench bench;
    bench.put("a.py", row.bytes);
    const auto found = find_task_files(bench.tools, {"a.py", ""});
    REQUIRE(found->size() == 1);
    const TaskFile& file = found->front();
    CHECK(file.text == row.text);
    CHECK(file.crlf == row.crlf);
    CHECK(with_line_ends_of(file, file.text) == row.bytes);
  }
}

TEST_CASE("task_files: scripts of a check count as tests, unless nothing else is left") {
  struct Row {
    std::vector<std::string> paths;
    std::string command;
    std::string issue;
    std::set<std::string> tests;
  };
  const Row rows[] = {
      {{"check_orders.py", "orders/1.json"},
       "python3 check_orders.py",
       "`python3 check_orders.py` complains about orders/1.json",
       {"check_orders.py"}},
      {{"ci/run.sh", "lib.sh"}, "sh ci/run.sh", "lib.sh is wrong", {"ci/run.sh"}},
      {{"main.py"}, "python3 main.py", "main.py is wrong", {}},
      {{"Makefile", "a.c"}, "make test", "the Makefile lacks a rule", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.command);
    std::vector<TaskFile> files;
    for (const std::string& path : row.paths) files.push_back({path, "text\n", false, 1});
    const std::vector<Check> checks = {{"test", row.command, "a test"}};
    mark_check_files(files, checks, row.issue);
    std::set<std::string> tests;
    for (const TaskFile& file : files) {
      if (file.is_test) tests.insert(file.path);
    }
    CHECK(tests == row.tests);
  }
}

TEST_CASE("task_files: small data is shown only if a likely file names it") {
  const std::vector<TaskFile> files = {{"sort.py", "open('limits.json')\n", false, 100},
                                       {"test_sort.py", "open('sort.json')\n", true, 60},
                                       {"sort.json", "[[1], [1]]\n", false, 12},
                                       {"limits.json", "{}\n", false, 4},
                                       {"other.py", "x = 1\n", false, 4},
                                       {"run.sh", "true\n", false, 4}};
  std::vector<std::string> paths;
  for (const TaskFile* file : likely_files(files, "sort is wrong")) paths.push_back(file->path);
  CHECK(paths == std::vector<std::string>{"sort.py", "limits.json", "other.py", "run.sh"});
  const std::vector<TaskFile> data = {{"prices.csv", "1\n", false, 4}, {"b.csv", "1\n", false, 4}};
  CHECK(likely_files(data, "prices are wrong").size() == 2);
}
