#include "agent/known_failures.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

CheckOutcome failed(std::vector<std::string> tests, long long ran) {
  CheckOutcome outcome;
  outcome.check = {"test", "make test", "Makefile"};
  outcome.exit_code = 1;
  outcome.tests = {std::move(tests), ran};
  return outcome;
}

// The outcomes of a job that makes a test pass, and leaves test_network as it was.
CheckOutcome before() {
  return failed({"test_cart", "test_network"}, 5);
}
CheckOutcome after() {
  return failed({"test_network"}, 5);
}

}  // namespace

TEST_CASE("known failures: only tests that failed before and are not about the task") {
  struct Row {
    const char* name;
    const char* task;
    CheckOutcome before;
    CheckOutcome after;
    bool covered;
  };
  CheckOutcome late = after();
  late.timed_out = true;
  CheckOutcome crashed = after();
  crashed.exit_code = 139;
  CheckOutcome fewer = after();
  fewer.exit_code = 2;
  CheckOutcome about_total = before();
  about_total.output =
      "FAIL test_cart\n  got 3\nFAIL test_network\n  AssertionError: total(2) is 1, expected 2\n";
  CheckOutcome about_cart = before();
  about_cart.output = "FAIL test_network\n  no route\nFAIL test_cart\n  total(2) is 1\n";
  CheckOutcome says_more = after();
  says_more.output = "error: unused variable";
  CheckOutcome of_job = after();
  of_job.check.source = "the reproduction";
  CheckOutcome passed = before();
  passed.passed = true;
  for (const Row& row : {
           Row{"one test is fixed", "Fix the cart", before(), after(), true},
           Row{"nothing is fixed", "Fix the cart", after(), after(), false},
           Row{"another test fails", "Fix the cart", before(), failed({"test_disk"}, 5), false},
           Row{"a test of the task", "The networks are down", before(), after(), false},
           Row{"a short word of the task, in the plural", "Boxes are too few",
               failed({"test_cart", "the_last_box_is_used"}, 5),
               failed({"the_last_box_is_used"}, 5), false},
           Row{"an identifier of the task in its output", "`total()` of the cart is wrong",
               about_total, after(), false},
           Row{"an identifier of the task in the output of another test",
               "`total()` of the cart is wrong", about_cart, after(), true},
           Row{"a word of the module", "The carts are wrong",
               failed({"test_a (m.CartTest.test_a)", "test_network (m.CartTest.test_network)"}, 5),
               failed({"test_network (m.CartTest.test_network)"}, 5), false},
           Row{"a name without words", "Fix the cart", failed({"test_1", "test_cart"}, 5),
               failed({"test_1"}, 5), false},
           Row{"words in the path only", "Fix the cart",
               failed({"numbers.py::test_cart", "numbers.py::test_gcd"}, 5),
               failed({"numbers.py::test_gcd"}, 5), false},
           Row{"the task names the check", "`make test` is slow", before(), after(), false},
           Row{"the task is about failures", "Fix the failing tests", before(), after(), false},
           Row{"fewer tests run", "Fix the cart", before(), failed({"test_network"}, 4), false},
           Row{"no names", "Fix the cart", failed({}, 5), failed({}, 5), false},
           Row{"passed before", "Fix the cart", passed, after(), false},
           Row{"too slow now", "Fix the cart", before(), late, false},
           Row{"the number of failures is the exit code", "Fix the cart", before(), fewer, true},
           Row{"another exit code", "Fix the cart", before(), crashed, false},
           Row{"a new failing line", "Fix the cart", before(), says_more, false},
           Row{"a check of the job", "Fix the cart", before(), of_job, false},
       }) {
    CAPTURE(row.name);
    const KnownFailures known({row.before}, row.task);
    CHECK(known.covers(row.after) == row.covered);
    CHECK(known.accept({passed, row.after}) == row.covered);
    CHECK((known.first_other({passed, row.after}) == nullptr) == row.covered);
  }
  CHECK(KnownFailures().accept({passed}));
  CHECK_FALSE(KnownFailures().accept({after()}));
}

}  // namespace pedro
