
#include <doctest/doctest.h>

#include "agent/checked_tree.h"
#include "agent/repository_bench.h"
#include "agent/silent_observer.h"
#include "base/text.h"

namespace pedro {
namespace {

struct BaselineBench : RepositoryBench {
  BaselineBench() { tree = *WorkTree::open(files, folder.tree()); }

  static std::vector<Check> checks_of(std::vector<std::string> commands) {
    std::vector<Check> checks;
    for (std::string& command : commands) checks.push_back({"test", std::move(command), "a test"});
    return checks;
  }

  Baseline run(std::vector<std::string> commands) {
    BaselineRun baseline(*repository, base, cancel, clock);
    REQUIRE(baseline.begin(checks_of(std::move(commands)), *tree, processes, 60).ok());
    Result<Baseline> ended = baseline.end(cancel);
    REQUIRE(ended.ok());
    return *std::move(ended);
  }

  CheckedTree checked(const std::string& command) {
    return {*repository, *tree,    processes, checks_of({command}), base, 60, cancel,
            nullptr,     observer, answers};
  }

  // Returns the number of times that `command`, which appends a line to out.txt, has run.
  int runs() {
    const auto text = files.read(folder.tree() + "/out.txt", 1 << 20);
    return text ? static_cast<int>(split_lines(*text).size()) : 0;
  }

  RealClock clock;
  SilentObserver observer;
  AnswerLog answers;
  std::optional<WorkTree> tree;
};

const std::string kCounted = "echo run >> out.txt; grep two a.txt";

}  // namespace

TEST_CASE("baseline run: all checks run in order, and their new files are known") {
  BaselineBench bench;
  bench.folder.put("mine.txt", "of the user\n");
  const Baseline baseline = bench.run({"echo x > out.txt", "exit 3"});
  REQUIRE(baseline.outcomes.size() == 2);
  CHECK(baseline.outcomes[0].passed);
  CHECK(baseline.outcomes[1].exit_code == 3);
  CHECK(baseline.new_files == std::set<std::string>{"mine.txt"});
  CHECK(baseline.made == std::set<std::string>{"out.txt"});
  CHECK(baseline.fingerprint == *bench.repository->fingerprint(bench.base, {"out.txt"}));
}

TEST_CASE("baseline run: no check runs after one that tests nothing") {
  BaselineBench bench;
  CHECK(bench.run({"no-such-program", "echo run > out.txt"}).outcomes.size() == 1);
  CHECK(bench.runs() == 0);
}

TEST_CASE("baseline run: a job that is cancelled stops the check") {
  BaselineBench bench;
  CancelToken job(bench.cancel, bench.clock);
  BaselineRun baseline(*bench.repository, bench.base, bench.cancel, bench.clock);
  REQUIRE(baseline.begin(BaselineBench::checks_of({"sleep 600"}), *bench.tree, bench.processes, 900)
              .ok());
  CHECK_FALSE(baseline.wait(0.01));
  job.cancel(15);
  const auto ended = baseline.end(job);
  REQUIRE(ended.ok());
  CHECK(ended->outcomes.empty());
}

TEST_CASE("checked_tree: the outcomes of a run ahead replace the first run") {
  BaselineBench bench;
  Baseline baseline = bench.run({kCounted});
  CheckedTree checked = bench.checked(kCounted);
  checked.use(std::move(baseline));
  const std::string before = *checked.fingerprint();
  const auto outcomes = checked.outcomes(0);
  REQUIRE(outcomes.ok());
  CHECK_FALSE(all_passed(*outcomes));
  CHECK(bench.runs() == 1);
  CHECK(bench.observer.checks == kCounted + " failed; ");
  CHECK(checked.made_by_checks() == std::set<std::string>{"out.txt"});
  CHECK(*checked.fingerprint() == before);
  bench.folder.put("a.txt", "two\n");
  CHECK(all_passed(*checked.outcomes(1)));
  CHECK(bench.runs() == 2);
}

TEST_CASE("checked_tree: a change after the run ahead makes the checks run again") {
  BaselineBench bench;
  Baseline baseline = bench.run({kCounted});
  CheckedTree checked = bench.checked(kCounted);
  checked.use(std::move(baseline));
  bench.folder.put("a.txt", "two\n");
  CHECK(all_passed(*checked.outcomes(0)));
  CHECK(bench.runs() == 2);
  CHECK(checked.made_by_checks() == std::set<std::string>{"out.txt"});
}

}  // namespace pedro
