#include "agent/known_failures.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

CheckOutcome failed(std::vector<std::string> tests, bool any_passed = true) {
  CheckOutcome outcome;
  outcome.check = {"test", "make test", "Makefile"};
  outcome.exit_code = 1;
  outcome.tests = {std::move(tests), any_passed};
  return outcome;
}

CheckOutcome passed() {
  CheckOutcome outcome;
  outcome.check = {"test", "make test", "Makefile"};
  outcome.passed = true;
  return outcome;
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
  CheckOutcome late = failed({"test_network"});
  late.timed_out = true;
  for (const Row& row : {
           Row{"the same test", "Fix the cart", failed({"test_network"}), failed({"test_network"}),
               true},
           Row{"fewer tests", "Fix the cart", failed({"test_disk", "test_network"}),
               failed({"test_network"}), true},
           Row{"a new test", "Fix the cart", failed({"test_network"}),
               failed({"test_disk", "test_network"}), false},
           Row{"a test of the task", "The networks are down", failed({"test_network"}),
               failed({"test_network"}), false},
           Row{"a test of the task, in camel case", "Total is wrong", failed({"TestCartTotal"}),
               failed({"TestCartTotal"}), false},
           Row{"a name without words", "Fix the cart", failed({"test_1"}), failed({"test_1"}),
               false},
           Row{"the task names the check", "`make test` fails", failed({"test_network"}),
               failed({"test_network"}), false},
           Row{"no test passes", "Fix the cart", failed({"test_network"}),
               failed({"test_network"}, false), false},
           Row{"no names", "Fix the cart", failed({}), failed({}), false},
           Row{"passed before", "Fix the cart", passed(), failed({"test_network"}), false},
           Row{"too slow now", "Fix the cart", failed({"test_network"}), late, false},
           Row{"too slow before", "Fix the cart", late, failed({"test_network"}), false},
       }) {
    CAPTURE(row.name);
    const KnownFailures known({row.before}, row.task);
    CHECK(known.covers(row.after) == row.covered);
    CHECK(known.accept({passed(), row.after}) == row.covered);
    CHECK((known.first_other({passed(), row.after}) == nullptr) == row.covered);
  }
  CHECK(KnownFailures().accept({passed()}));
  CHECK_FALSE(KnownFailures().accept({failed({"test_network"})}));
}

}  // namespace pedro
