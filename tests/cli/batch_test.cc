// Tests `pedrocli batch`: many tasks, each in its own process.
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "cli/batch_world.h"
#include "support/loopback_server.h"

namespace pedro {
TEST_CASE("batch: equal tasks at once each get a branch, and a second run has nothing to do") {
  Batch bench;
  const std::string four =
      kGoodTask + "\n\n" + kGoodTask + "\n" + kGoodTask + "\n" + kGoodTask + "\n";
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
  CHECK(again.out.find("4 tasks: 4 succeeded, 0 did not, 0 not run; recorded in ") !=
        std::string::npos);
  // Adds a line at the front. Only its task runs.
  const ProcessResult more = bench.batch(kGoodTask + "\n" + four, {"-json"});
  CHECK(more.exit_code == 0);
  CHECK(more.out.find("pedrocli/be-good-5") != std::string::npos);
  CHECK(more.out.find("pedrocli/be-good-6") == std::string::npos);
}

TEST_CASE("batch: a failure stops no other job, and is retried only if the job could not run") {
  Batch bench;
  const std::string lines = R"({"description":"Be good","test-cmd":"false"})" + ("\n" + kGoodTask) +
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

TEST_CASE("batch: a second Ctrl-C waits for no job; the jobs still end and can be resumed") {
  SlowBatch bench;
  // Stops the jobs, so that they do not handle the first Ctrl-C. It has arrived when each of them
  // has a pending SIGTERM. A signal before the stop would be handled.
  const ProcessResult result = bench.beside(
      "touch ../more\n"
      "jobs=$(sed -n 's/.*\"thread.started\".*\"pid\":\\([0-9]*\\).*/\\1/p' "
      "../state/pedrocli/jobs/*/journal.jsonl)\n"
      "kill -STOP $jobs\n"
      "for job in $jobs; do until grep -q '^State:.T' /proc/$job/status; do :; done; done\n"
      "kill -INT $batch\n"
      "for job in $jobs; do until grep -q '^ShdPnd:.*4...$' /proc/$job/status; do :; done; done\n"
      "kill -INT $batch; wait $batch; echo $?\n"
      "for job in $jobs; do kill -0 $job && echo lives; done\n"
      "kill -CONT $jobs\n"
      "go >../more 2>&1; echo $?");
  CAPTURE(bench.folder.read("out"));
  CAPTURE(bench.folder.read("more"));
  CHECK(result.out == "130\nlives\nlives\n0\n");
  CHECK(bench.folder.read("out").find("2 tasks: ") ==
        std::string::npos);  // the batch was interrupted before its summary
  CHECK(bench.folder.read("more").find("2 tasks: 2 succeeded") != std::string::npos);
  CHECK(bench.jobs() == 2);
  CHECK(bench.git({"worktree", "list"}).find("state") == std::string::npos);
}

TEST_CASE("batch: Ctrl-C ends its jobs, and a second run goes on with them") {
  SlowBatch bench;
  const ProcessResult result =
      bench.beside("kill -INT $batch; wait $batch; echo $?; go >../more 2>&1; echo $?");
  CAPTURE(bench.folder.read("out"));
  CAPTURE(bench.folder.read("more"));
  CHECK(result.out == "130\n0\n");
  CHECK(bench.folder.read("out").find("0 succeeded, 2 did not, 0 not run") != std::string::npos);
  CHECK(bench.folder.read("more").find("2 tasks: 2 succeeded") != std::string::npos);
  CHECK(bench.jobs() == 2);
  CHECK(bench.git({"worktree", "list"}).find("state") == std::string::npos);
}

TEST_CASE("batch: a job that was resumed in between is not run again") {
  SlowBatch bench;
  const ProcessResult result = bench.beside(
      "kill -INT $batch; wait $batch; echo $?\n"
      "for job in ../state/pedrocli/jobs/*/; do\n"
      "  \"$0\" resume $(basename $job) >/dev/null 2>&1; echo $?\n"
      "done; go >../more 2>&1; echo $?");
  CAPTURE(bench.folder.read("more"));
  CHECK(result.out == "130\n0\n0\n0\n");
  CHECK(bench.folder.read("more").find("2 tasks: 2 succeeded") != std::string::npos);
  CHECK(bench.jobs() == 2);
}

TEST_CASE("batch: after a kill -9 no job runs twice, and a second run continues") {
  SlowBatch bench;
  const ProcessResult result =
      bench.beside("kill -9 $batch; wait $batch; echo $?; go >../more 2>&1; echo $?");
  CAPTURE(bench.folder.read("more"));
  CHECK(result.out == "137\n0\n");
  CHECK(bench.folder.read("more").find("2 tasks: 2 succeeded") != std::string::npos);
  CHECK(bench.jobs() == 2);
}

TEST_CASE("batch: a job that cannot be resumed starts anew, and a second batch is refused") {
  SlowBatch bench;
  const ProcessResult result = bench.beside(
      "go >../second 2>&1; echo $?; kill -INT $batch; wait $batch; echo $?\n"
      "rm ../state/pedrocli/jobs/*/answers.log; go >../more 2>&1; echo $?");
  CHECK(result.out == "2\n130\n0\n");
  CHECK(bench.folder.read("more").find("has nothing to resume") != std::string::npos);
  CHECK(bench.folder.read("second").find("another pedrocli is using it") != std::string::npos);
  CHECK(bench.jobs() == 4);
}

TEST_CASE("batch: as many at once as the server has slots") {
  Batch bench;
  LoopbackServer server([](const LoopbackRequest& request) -> LoopbackReply {
    if (request.target == "/health") return {.body = R"({"status":"ok"})"};
    if (request.target == "/props") return {.body = R"({"total_slots":3})"};
    return {.status = 500};
  });
  bench.folder.write("tasks.jsonl", kGoodTask + "\n");
  const ProcessResult ran =
      bench.run({"batch", bench.folder.at("tasks.jsonl"), "-model-url", server.url("")});
  CAPTURE(ran.err);
  CHECK(ran.exit_code == 1);
  CHECK(ran.err.find("1 tasks, 3 at once\n") != std::string::npos);
}

TEST_CASE("batch: every wrong line is named before anything starts") {
  Batch bench;
  const ProcessResult wrong = bench.batch(
      "{\n[1]\n{\"isue\":3}\n{\"agent\":\"buidl\",\"issue\":3}\n{}\n{\"issue\":true}\n"
      "{\"issue\":3,\"max-rounds\":0}\n{\"issue\":3,\"worktree\":true}\n{\"file\":\"-\"}\n"
      "{\"issue\":3,\"push\":1}\n{\"issue\":\"\"}\n{\"agent\":7}\n"
      "{\"issue\":3,\"resume\":\"x\"}\n{\"issue\":3,\"push\":{\"a\":1},\"issue\":4}\n"
      "{\"description\":7}\n{\"description\":\"" +
      std::string(110'000, 'x') + "\"}\n" + kGoodTask + "\n");
  CAPTURE(wrong.err);
  CHECK(wrong.exit_code == 2);
  for (const char* expected :
       {":1: ", ":2: expected an object, such as {\"issue\": 32}",
        ":3: \"isue\": build has no such flag (did you mean 'issue'?)",
        ":4: no agent 'buidl' (did you mean 'build'?); there are: ",
        ":5: build has no task: give \"issue\" or \"description\" or \"file\"",
        ":6: \"issue\": expected a string or a number",
        ":7: -max-rounds: ", ":8: \"worktree\": batch jobs always have their own work trees",
        ":9: \"file\": a batch has no standard input", ":10: \"push\": expected true or false",
        ":11: \"issue\": is empty", ":12: \"agent\": expected a string",
        ":13: \"resume\": running the batch again resumes stopped jobs",
        ":14: \"issue\": is given twice", ":15: \"description\": expected a string",
        ":16: \"description\": longer than the 100 KiB that a command line can hold; put it in a "
        "file, and give \"file\""}) {
    CHECK_MESSAGE(wrong.err.find("tasks.jsonl" + std::string(expected)) != std::string::npos,
                  expected);
  }
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("tasks.jsonl.state")));
  CHECK(bench.batch("\n").err.find("tasks.jsonl: has no tasks\n") != std::string::npos);
}

}  // namespace pedro
