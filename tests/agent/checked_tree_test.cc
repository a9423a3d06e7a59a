#include "agent/checked_tree.h"

#include "agent/repository_bench.h"
#include "agent/silent_observer.h"
#include "sys/interrupted.h"

using namespace pedro;

namespace {

struct CheckedTreeBench : RepositoryBench {
  CheckedTreeBench() { tree = *WorkTree::open(files, folder.tree()); }
  CheckedTree with(std::vector<std::string> commands) {
    std::vector<Check> checks;
    for (std::string& command : commands) checks.push_back({"test", std::move(command), "a test"});
    return {*repository, *tree, runner,   std::move(checks), *repository->commit_id(),
            60,          job,   &secrets, observer,          answers};
  }
  CheckedTree with_candidates(std::vector<std::string> commands) {
    Check first{"test", commands[0], "a file", {}, true};
    for (std::size_t i = 1; i < commands.size(); ++i) {
      first.instead.push_back({"test", commands[i], "another file", {}, true});
    }
    return {*repository, *tree, runner,   {std::move(first)}, *repository->commit_id(),
            60,          job,   &secrets, observer,           answers};
  }
  /// The reports of the checks since the last call.
  std::string heard() { return std::exchange(observer.checks, ""); }

  RealProcessRunner runner;
  FakeClock clock;
  CancelToken job{cancel, clock};
  SilentObserver observer;
  AnswerLog answers;
  SecretMask secrets;
  std::optional<WorkTree> tree;
};

}  // namespace

TEST_CASE("checked_tree: secrets in a check's output are masked") {
  CheckedTreeBench bench;
  bench.secrets.add_value("KEY of .env", "s3cret-value");
  CheckedTree checked = bench.with({"echo it is s3cret-value; exit 3"});
  const auto outcomes = checked.outcomes(0);
  REQUIRE(outcomes.ok());
  REQUIRE(outcomes->size() == 1);
  CHECK(outcomes->front().output.find("it is [masked: KEY of .env]") != std::string::npos);
  CHECK(outcomes->front().output.find("s3cret-value") == std::string::npos);
}

TEST_CASE("checked_tree: a check that the end of the job's time cut has found out nothing") {
  CheckedTreeBench bench;
  bench.answers = *AnswerLog::create(bench.files, bench.folder.path(), Json::object());
  bench.job.end_at(bench.clock.ms);
  CheckedTree checked = bench.with({"sleep 30"});
  const auto outcomes = checked.outcomes(0);
  REQUIRE_FALSE(outcomes.ok());
  CHECK(is_late(outcomes.error(), bench.job));
  CHECK(bench.folder.read("answers.log").find("\"check\"") == std::string::npos);
}

TEST_CASE("checked_tree: all checks run, in their order") {
  CheckedTreeBench bench;
  CheckedTree checked = bench.with({"true", "grep two a.txt", "exit 3"});
  const auto outcomes = checked.outcomes(0);
  REQUIRE(outcomes.ok());
  CHECK(outcomes->size() == 3);
  CHECK_FALSE(all_passed(*outcomes));
  CHECK(bench.heard() == "true passed; grep two a.txt failed; exit 3 failed; ");
}

TEST_CASE("checked_tree: they run again when a file has changed, and only then") {
  CheckedTreeBench bench;
  CheckedTree checked = bench.with({"grep two a.txt"});
  CHECK_FALSE(all_passed(*checked.outcomes(0)));
  CHECK_FALSE(all_passed(*checked.outcomes(0)));
  CHECK(bench.heard() == "grep two a.txt failed; ");
  bench.folder.put("a.txt", "two\n");
  CHECK(all_passed(*checked.outcomes(0)));
  bench.folder.commit_all("a commit changes no file");
  CHECK(all_passed(*checked.outcomes(0)));
  CHECK(bench.heard() == "grep two a.txt passed; ");
}

TEST_CASE("checked_tree: changes made by a check are checked too") {
  CheckedTreeBench bench;
  CheckedTree checked = bench.with({"grep one a.txt", "echo two > a.txt"});
  const auto outcomes = checked.outcomes(0);
  REQUIRE(outcomes.ok());
  CHECK_FALSE(all_passed(*outcomes));
  CHECK(bench.heard() ==
        "grep one a.txt passed; echo two > a.txt passed; grep one a.txt failed; "
        "echo two > a.txt passed; ");
}

TEST_CASE("checked_tree: a check that keeps changing files ends after the second run") {
  CheckedTreeBench bench;
  CheckedTree checked = bench.with({"echo x >> a.txt"});
  CHECK(all_passed(*checked.outcomes(0)));
  CHECK(all_passed(*checked.outcomes(0)));
  CHECK(bench.heard() == "echo x >> a.txt passed; echo x >> a.txt passed; ");
}

TEST_CASE("checked_tree: a failure is looked at again after anything was done, a success is not") {
  CheckedTreeBench bench;
  bench.folder.put(".gitignore", "deps\n");
  CheckedTree checked = bench.with({"test -e deps"});
  CHECK_FALSE(all_passed(*checked.outcomes(1)));
  bench.folder.put("deps", "");  // git ignores this file
  CHECK_FALSE(all_passed(*checked.outcomes(1)));
  CHECK(all_passed(*checked.outcomes(2)));
  CHECK(all_passed(*checked.outcomes(3)));
  CHECK(bench.heard() == "test -e deps failed; test -e deps passed; ");
}

TEST_CASE("checked_tree: files left by a check are not changes") {
  CheckedTreeBench bench;
  CheckedTree checked = bench.with({"date > test.log"});
  const std::string before = *checked.fingerprint();
  CHECK(all_passed(*checked.outcomes(0)));
  CHECK(*checked.fingerprint() == before);
  CHECK(checked.made_by_checks() == std::set<std::string>{"test.log"});
  bench.folder.put("work.txt", "");
  CHECK(*checked.fingerprint() != before);
}

TEST_CASE("checked_tree: no checks are no outcomes") {
  CheckedTreeBench bench;
  CheckedTree checked = bench.with({});
  CHECK(checked.outcomes(0)->empty());
}

TEST_CASE("checked_tree: the first candidate that tests something is the check") {
  struct Row {
    const char* name;
    std::vector<std::string> candidates;
    std::string chosen;  // "": none
    bool passed;
  };
  for (const Row& row : {
           Row{"the first", {"true", "false"}, "true", true},
           Row{"one that fails is a check", {"false", "true"}, "false", false},
           Row{"a missing program", {"no-such-program", "true"}, "true", true},
           Row{"no tests, and a missing program",
               {"echo Ran 0 tests in 0 s", "exit 126", "false"},
               "false",
               false},
           Row{"none tests anything", {"no-such-program", "echo Ran 0 tests in 0 s"}, "", true},
       }) {
    CAPTURE(row.name);
    CheckedTreeBench bench;
    CheckedTree checked = bench.with_candidates(row.candidates);
    const auto outcomes = checked.outcomes(0);
    REQUIRE(outcomes.ok());
    CHECK(checked.checks().size() == (row.chosen.empty() ? 0 : 1));
    REQUIRE(outcomes->size() == checked.checks().size());
    CHECK(all_passed(*outcomes) == row.passed);
    if (!row.chosen.empty()) CHECK(outcomes->front().check.command == row.chosen);
  }
}

TEST_CASE("checked_tree: a check of the user stays, whatever its run tests") {
  CheckedTreeBench bench;
  CheckedTree checked = bench.with({"no-such-program"});
  const auto outcomes = checked.outcomes(0);
  REQUIRE(outcomes.ok());
  REQUIRE(outcomes->size() == 1);
  CHECK_FALSE(outcomes->front().passed);
  REQUIRE_FALSE(bench.observer.notices.empty());
  CHECK(bench.observer.notices.front().starts_with(
      "`no-such-program` (from a test) tests nothing yet: "));
}

TEST_CASE("checked_tree: work that breaks the check's runner does not choose another check") {
  CheckedTreeBench bench;
  bench.folder.put("run", "exit 1\n");
  CheckedTree checked = bench.with_candidates({"sh run", "true"});
  REQUIRE(checked.outcomes(0).ok());
  bench.folder.put("run", "exit 127\n");
  const auto outcomes = checked.outcomes(1);
  REQUIRE(outcomes.ok());
  REQUIRE(outcomes->size() == 1);
  CHECK(outcomes->front().check.command == "sh run");
  CHECK_FALSE(outcomes->front().passed);
}

TEST_CASE("checked_tree: endless loops are ended, unless the checks were slow before the work") {
  struct Row {
    const char* name;
    ProcessResult before;
    double spin_s;  // of a later run
  };
  for (const Row& row : {Row{"quick", {.exit_code = 1, .duration_s = 0.5}, 62.5},
                         Row{"slow", {.exit_code = 1, .duration_s = 100}, 560},
                         Row{"ended", {.exit_code = 1, .timed_out = true, .duration_s = 61}, 0}}) {
    CAPTURE(row.name);
    CheckedTreeBench bench;
    FakeProcessRunner fake;
    fake.answer = [&](const Command&) { return row.before; };
    CheckedTree checked(*bench.repository, *bench.tree, fake, {{"test", "make test", "a test"}},
                        *bench.repository->commit_id(), 900, bench.job, nullptr, bench.observer,
                        bench.answers);
    REQUIRE(checked.outcomes(0).ok());
    REQUIRE(checked.outcomes(1).ok());
    REQUIRE(fake.commands.size() == 2);
    CHECK(fake.commands[0].spin_timeout_s == 60);
    CHECK(fake.commands[1].spin_timeout_s == row.spin_s);
    CHECK(fake.commands[1].timeout_s == 900);
  }
}
