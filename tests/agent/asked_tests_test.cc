#include "agent/asked_tests.h"

#include <doctest/doctest.h>

using namespace pedro;

TEST_CASE("asked tests: the task asks to change them") {
  const auto base = [](const std::string& path) -> std::string {
    if (path.starts_with("new")) return "";
    return "def test_rate():\n    assert rate() == 7\n";
  };
  for (const char* task :
       {"Change rate() and update test_rate in test_a.py.", "Return 8. Update the tests.",
        "Rename it, and adapt the existing unit tests", "The tests need to be updated",
        "Rename the module and update test_a.py", "Correct tests/test_a.py",
        "Remove sub() and its test", "Fix the callers and tests accordingly",
        "Update rate, tests and docs"}) {
    CAPTURE(task);
    CHECK(are_asked_tests(task, {"tests/test_a.py", "new_test.py"}, base));
    CHECK_FALSE(are_asked_tests(task, {"tests/test_a.py", "Makefile"}, base));
  }
  for (const char* task :
       {"Fix rate()", "test_a.py fails", "Fix the failing tests",
        "Change the code so that the "
        "tests pass",
        "The tests fail since the last change", "Update the docs. The tests fail",
        "Update rate() until test_a.py passes", "Update test_other",
        "Correct rate() (test_a.py fails).", "Change it; the tests must pass.",
        "Change it, the tests must pass.", "Correct rate(): test_a.py", "Correct it, tests fail",
        "Change it and test_rate should now succeed"}) {
    CAPTURE(task);
    CHECK_FALSE(are_asked_tests(task, {"tests/test_a.py"}, base));
  }
  CHECK_FALSE(are_asked_tests("Update the tests", {"conftest.py"}, base));
}

TEST_CASE("asked tests: a test that the task does not ask to change") {
  struct Row {
    const char* task;
    std::vector<std::string> tests;
    std::set<std::string> failed_before;
    const char* unasked;
  };
  for (const Row& row : {
           Row{"Rename a and update the tests", {"test_a (t.T.test_a)"}, {}, ""},
           Row{"Rename a and update the tests",
               {"t::test_a", "t::test_b"},
               {"t::test_b"},
               "t::test_b"},
           Row{"Fix b; update the tests and test_rate", {"t::test_rate"}, {"t::test_rate"}, ""},
           Row{"Update test_rate in test_a.py", {"test_a.py::test_rate"}, {}, ""},
           Row{"Update test_rate in test_a.py", {"test_a.py::test_sum"}, {}, "test_a.py::test_sum"},
           Row{"Update test_a.py", {"test_a.py::test_sum"}, {"test_a.py::test_sum"}, ""},
           Row{"Update test_a.py", {"test_b.py::test_sum"}, {}, "test_b.py::test_sum"},
           Row{"Update the golden files", {"test_b.py::test_sum"}, {}, ""},
       }) {
    CAPTURE(std::string(row.task));
    CHECK(unasked_test(row.task, row.tests, row.failed_before) == row.unasked);
  }
}

TEST_CASE("asked tests: renames") {
  CHECK(asked_renames("Rename add() to plus() everywhere.") == Renames{{"add", "plus"}});
  CHECK(asked_renames("`add` is renamed to `plus`; sub must be renamed as\n`x`") ==
        Renames{{"add", "plus"}});
  CHECK(asked_renames("Renaming the method add_all to sum.") == Renames{{"add_all", "sum"}});
  CHECK(asked_renames("Rename to plus. Move add to sum. Rename it. Then to b").empty());
  CHECK(renamed("add(add_all, a.add)", {{"add", "plus"}}) == "plus(add_all, a.plus)");
  CHECK(renamed("", {{"add", "plus"}}).empty());
}

TEST_CASE("asked tests: expected outputs") {
  const auto base = [](const std::string&) -> std::string { return "7\n"; };
  for (const char* task : {"Return 8. Update the golden file too.", "Regenerate the outputs"}) {
    CHECK(are_asked_tests(task, {"golden/a.txt"}, base));
    CHECK_FALSE(are_asked_tests(task, {"tests/test_a.py"}, base));
  }
  CHECK_FALSE(are_asked_tests("Return the golden mean", {"golden/a.txt"}, base));
}

TEST_CASE("asked tests: a helper that the task names") {
  const auto base = [](const std::string& path) -> std::string {
    return path == "tests/help.py" ? "def three():\n    return 4\n" : "def a(b):\n    assert b\n";
  };
  const char* const task = "three() in tests/help.py returns 4, see tests/conftest.py, tests/a.py";
  CHECK(are_named_helpers(task, {"tests/help.py"}, base));
  CHECK_FALSE(are_named_helpers("three() returns 4", {"tests/help.py"}, base));
  CHECK_FALSE(are_named_helpers(task, {"tests/help.py", "tests/a.py"}, base));
  CHECK_FALSE(are_named_helpers(task, {"tests/help.py", "tests/conftest.py"}, base));
}
