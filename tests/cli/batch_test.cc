// `pedrocli batch`: many tasks, each a process of its own.
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"

namespace pedro {
namespace {

const std::string kAnalyzed =
    R"({"tool":"phase_complete","args":{"summary":"a.txt says bad","files":["a.txt"]}})";
const std::string kPlanned =
    R"({"tool":"phase_complete","args":{"steps":[{"file":"a.txt","change":"say good"}],"test":"the check"}})";
const std::string kEdit =
    R"({"tool":"file","args":{"action":"replace","path":"a.txt","old":"bad","new":"good"}})";
const std::string kDone = R"({"tool":"phase_complete","args":{"summary":"a.txt says good now"}})";
const std::string kDelivered =
    R"({"tool":"phase_complete","args":{"subject":"Say good","body":"It said bad."}})";

/// A recorded session of a build of "Be good", which a batch plays for each of its tasks.
struct Batch : Program {
  Batch() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
    const ProcessResult recorded =
        run({"build", "-description", "Be good", "-backend", "manual", "-worktree", "-record",
             folder.at("session.jsonl"), "-test-cmd", "grep -q good a.txt"},
            typed({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}));
    INFO(recorded.err);
    REQUIRE(recorded.exit_code == 0);
    git({"branch", "-D", "pedrocli/be-good"});
  }
  ProcessResult batch(const std::string& lines, std::vector<std::string> more = {}) {
    folder.write("tasks.jsonl", lines);
    std::vector<std::string> args = {"batch", folder.at("tasks.jsonl"), "-replay",
                                     folder.at("session.jsonl")};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }
};

const std::string kGood = R"({"description":"Be good","test-cmd":["grep -q good a.txt"]})";

}  // namespace

TEST_CASE("batch: equal tasks at once each get a branch, and a second run has nothing to do") {
  Batch bench;
  const std::string four = kGood + "\n\n" + kGood + "\n" + kGood + "\n" + kGood + "\n";
  const ProcessResult ran = bench.batch(four, {"-jobs", "4", "-json"});
  CAPTURE(ran.err);
  CAPTURE(ran.out);
  CHECK(ran.exit_code == 0);
  std::set<std::string> branches;
  for (const std::string_view line : split_lines(ran.out)) {
    const auto json = parse_json(line);
    REQUIRE(json.ok());
    if (text_of(*json, "type") == "batch.task") branches.insert(text_of(*json, "branch"));
  }
  CHECK(branches == std::set<std::string>{"pedrocli/be-good", "pedrocli/be-good-2",
                                          "pedrocli/be-good-3", "pedrocli/be-good-4"});
  CHECK(bench.git({"worktree", "list"}).find("state") == std::string::npos);
  CHECK(bench.git({"status", "--porcelain"}).empty());

  const ProcessResult again = bench.batch(four);
  CHECK(again.exit_code == 0);
  CHECK(again.out.find("done (before)") != std::string::npos);
  CHECK(again.out.find("4 tasks: 4 succeeded, 0 did not, 0 not run; noted in ") !=
        std::string::npos);
  // A line more, in front: only that is run.
  const ProcessResult more = bench.batch(kGood + "\n" + four, {"-json"});
  CHECK(more.exit_code == 0);
  CHECK(more.out.find("pedrocli/be-good-5") != std::string::npos);
  CHECK(more.out.find("pedrocli/be-good-6") == std::string::npos);
}

TEST_CASE("batch: one that fails stops no other, and is run again only where it could not work") {
  Batch bench;
  const std::string lines = R"({"description":"Be good","test-cmd":"false"})" + ("\n" + kGood) +
                            "\n" + R"({"description":"x","base":"nowhere"})" + "\n";
  const ProcessResult ran = bench.batch(lines);
  CAPTURE(ran.out);
  CHECK(ran.exit_code == 1);
  CHECK(ran.out.find("3 tasks: 1 succeeded, 2 did not, 0 not run;") != std::string::npos);
  CHECK(ran.err.find("line 3: build error, exit 2: ") != std::string::npos);
  const ProcessResult again = bench.batch(lines);
  CHECK(again.exit_code == 1);
  CHECK(again.err.find("line 2:") == std::string::npos);
  CHECK(again.err.find("line 3: build error, exit 2: ") != std::string::npos);
}

TEST_CASE("batch: every wrong line is named before anything starts") {
  Batch bench;
  const ProcessResult wrong = bench.batch(
      "{\n[1]\n{\"isue\":3}\n{\"agent\":\"buidl\",\"issue\":3}\n{}\n{\"issue\":true}\n"
      "{\"issue\":3,\"max-rounds\":0}\n{\"issue\":3,\"worktree\":true}\n{\"file\":\"-\"}\n"
      "{\"issue\":3,\"push\":1}\n{\"issue\":\"\"}\n{\"agent\":7}\n" +
      kGood + "\n");
  CAPTURE(wrong.err);
  CHECK(wrong.exit_code == 2);
  for (const char* expected :
       {":1: ", ":2: expected an object, such as {\"issue\": 32}",
        ":3: \"isue\": build has no such flag (did you mean 'issue'?)",
        ":4: no agent 'buidl' (did you mean 'build'?); there are: ",
        ":5: build is not told what to do: give \"issue\" or \"description\" or \"file\"",
        ":6: \"issue\": expected a text or a number", ":7: -max-rounds: ",
        ":8: \"worktree\": jobs of a batch always have work trees of their own",
        ":9: \"file\": there is no standard input in a batch",
        ":10: \"push\": expected true or false", ":11: \"issue\": is empty",
        ":12: \"agent\": expected a text"}) {
    CHECK_MESSAGE(wrong.err.find("tasks.jsonl" + std::string(expected)) != std::string::npos,
                  expected);
  }
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("tasks.jsonl.state")));
  CHECK(bench.batch("\n").err.find("tasks.jsonl: has no tasks\n") != std::string::npos);
}

}  // namespace pedro
