#include <doctest/doctest.h>

#include <set>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"
#include "support/loopback_server.h"

namespace pedro {
namespace {

constexpr const char* kHeader =
    R"({"type":"eval","record":1,"model":"m","backend":"b","format":"f","plan":"p","version":"1"})";

// A record of `all` conversations of one call each. The first `valid` calls are valid.
std::string record_of(int valid, int all) {
  std::string text = std::string(kHeader) + "\n";
  for (int run = 1; run <= all; ++run) {
    text += R"({"configuration":"grammar","run":)" + std::to_string(run) +
            R"(,"round":1,"rounds":1,"task":"t","failure":")" + (run <= valid ? "" : "no call") +
            R"(","right":false,"tokens":10,"ms":5})" + "\n";
  }
  return text;
}

/// A model that answers the initial probes, but never answers a task.
LoopbackReply silent_model(const LoopbackRequest& request) {
  if (request.method == "GET") return {.body = R"({"data":[{"id":"m","max_model_len":8192}]})"};
  LoopbackReply reply{.headers = {"Content-Type: text/event-stream"}};
  reply.body =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"h\"},"
      "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
  if (request.body.find("a.txt says bad") == std::string::npos) return reply;
  reply.chunks = {"data: {\"choices\":[]}\n\n"};
  reply.after = AfterReply::kStall;
  return reply;
}

constexpr const char* kCheck = "grep -q good a.txt";

/// Two tasks with the same repository and issue, but different hidden checks. `aa` needs "good";
/// `bb` needs more than the issue states.
struct TaskFolder : Program {
  TaskFolder() {
    folder.write("tmp/keep", "");
    extra_environment["TMPDIR"] = folder.at("tmp");
    write_task("aa", "grep -qx good a.txt");
    write_task("bb", "grep -qx best a.txt");
  }

  void write_task(const std::string& name, const std::string& hidden) {
    const std::string task = "tasks/" + name;
    folder.write(task + "/task.json", to_line({{"title", name},
                                               {"language", "data"},
                                               {"kind", name == "aa" ? "line" : "function"},
                                               {"sets", {"small"}},
                                               {"check", kCheck},
                                               {"hidden", "sh hidden.sh"},
                                               {"files", {"a.txt"}},
                                               {"needs", {"sh", "grep"}}}));
    folder.write(task + "/issue.md", "# Be good\n\na.txt says bad.\n");
    folder.write(task + "/repo/a.txt", "bad\n");
    folder.write(task + "/hidden/hidden.sh", hidden + "\n");
  }

  /// Records an agent's session that solves `aa`.
  void record() {
    folder.write("issue.md", folder.read("tasks/aa/issue.md"));
    folder.write("project/a.txt", "bad\n");
    commit_project();
    const ProcessResult recorded = run({"build", "-issue", "../issue.md", "-backend", "manual",
                                        "-record", folder.at("session.jsonl"), "-test-cmd", kCheck},
                                       typed({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}));
    INFO(recorded.err);
    REQUIRE(recorded.exit_code == 0);
    std::filesystem::remove_all(folder.at("state"));
  }

  ProcessResult tasks(const std::vector<std::string>& more, const std::string& input = "") {
    std::vector<std::string> args = {"eval", "tasks", "../tasks"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, input);
  }

  /// Runs a bash script in the project; $0 is the program.
  ProcessResult in_shell(const std::string& script) {
    Command shell{.argv = {"bash", "-c", script, PEDROCLI_PROGRAM}, .folder = project()};
    shell.environment = environment();
    shell.environment["TMPDIR"] = folder.at("tmp");
    auto result = processes.run(shell, cancel);
    REQUIRE(result.ok());
    return *std::move(result);
  }

  /// The lines of the record, header first.
  std::vector<Json> lines(const std::string& path = "project/eval-tasks.jsonl") const {
    std::vector<Json> lines;
    const std::string text = folder.read(path);
    for (const std::string_view line : split_lines(text)) {
      const auto json = parse_json(line);
      REQUIRE(json.ok());
      lines.push_back(*json);
    }
    return lines;
  }
};

}  // namespace

TEST_CASE("eval tasks: the agent's results are judged in fresh clones, and not run again") {
  TaskFolder bench;
  bench.record();
  const ProcessResult result = bench.tasks({"-replay", "../session.jsonl", "-label", "one", "-html",
                                            "page.html", "--", "-max-rounds", "20"});
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.find("[1/2] aa: solved, verified, ") != std::string::npos);
  CHECK(result.err.find("[2/2] bb: not solved, verified, ") != std::string::npos);
  CHECK(result.err.find(" s (1 solved so far)\n") != std::string::npos);
  CHECK(result.out.find("1 of 2   50.0%") != std::string::npos);
  const std::vector<Json> lines = bench.lines();
  REQUIRE(lines.size() == 3);
  CHECK(text_of(lines[0], "agent") == "build");
  CHECK(text_of(lines[0], "label") == "one");
  CHECK(text_of(lines[0], "args") == "-max-rounds 20");
  CHECK_FALSE(text_of(lines[0], "model").empty());
  for (const Json& line : {lines[1], lines[2]}) {
    CHECK(truth_of(line, "verified"));
    CHECK(truth_of(line, "visible_in_clone"));
    CHECK(text_of(line, "outcome") == "done");
    CHECK(number_of(line, "exit_code") == 0);
    CHECK(number_of(line, "rounds") == 5);
    CHECK(number_of(line, "calls") == 1);
    CHECK(number_of(line, "generated_tokens") > 0);
    CHECK(line.contains("first_call_s"));
  }
  CHECK(truth_of(lines[1], "solved"));
  CHECK_FALSE(truth_of(lines[2], "solved"));
  CHECK(bench.folder.read("project/page.html").find("Tasks solved by") != std::string::npos);
  const std::string log = bench.folder.read("project/eval-tasks.jsonl.logs/bb-1.log");
  CHECK(log.find("the hidden check in a fresh clone of pedrocli/be-good: exit 1") != log.npos);
  // The evaluation removes all scratch folders and jobs.
  CHECK(bench.files_below("tmp").size() == 1);
  CHECK(bench.files_below("state/pedrocli/jobs").empty());

  const std::vector<std::string> same = {"-replay", "../session.jsonl", "-label", "one",
                                         "--",      "-max-rounds",      "20"};
  const ProcessResult again = bench.tasks(same);
  CHECK(again.exit_code == 0);
  CHECK(again.err.find("so far") == std::string::npos);
  CHECK(again.out == result.out);
  std::vector<std::string> twice = same;
  twice.insert(twice.begin(), {"-runs", "2", "-json"});
  const ProcessResult more = bench.tasks(twice);
  CHECK(more.err.find("[3/4] aa: solved") != std::string::npos);
  CHECK(more.err.find("[1/4]") == std::string::npos);
  CHECK(more.out.find(R"("kind":"all","solved":{"some":2,"all":4)") != std::string::npos);
  CHECK(bench.lines().size() == 5);
  const ProcessResult other = bench.tasks({"-replay", "../session.jsonl"});
  CHECK(other.exit_code == 2);
  CHECK(other.err.find("-out eval-tasks.jsonl: the record is of another agent, label, task set, "
                       "version or model (") != std::string::npos);
}

TEST_CASE("eval tasks: the model alone has one answer, and no check helps it") {
  TaskFolder bench;
  bench.write_task("cc", "grep -qx best a.txt && test -f new/b.txt");
  const std::string task = bench.folder.read("tasks/cc/task.json");
  bench.folder.write("tasks/cc/task.json",
                     replace_all(task, R"(["a.txt"])", R"(["a.txt","new/b.txt"])"));
  const ProcessResult result = bench.tasks(
      {"-alone", "-backend", "manual"},
      typed({"a.txt\n```\ngood\n```", "I would have to look at it first.",
             "a.txt\n```\nbest\n```\nnew/b.txt\n```\n```\nELSEWHERE\n```\n../x\n```\n"}));
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.find("# Be good\n\na.txt says bad.\n\na.txt\n```\nbad\n```\n\nFiles to change "
                        "or to create: a.txt\n") != std::string::npos);
  CHECK(result.err.find("a.txt\n```\nbad\n```\n\nFiles to change or to create: a.txt, "
                        "new/b.txt\n") != std::string::npos);
  CHECK(result.err.find("[1/3] aa: solved, answered, ") != std::string::npos);
  CHECK(result.err.find("[2/3] bb: not solved, no file, ") != std::string::npos);
  CHECK(result.err.find("[3/3] cc: solved, answered, ") != std::string::npos);
  const std::vector<Json> lines = bench.lines();
  REQUIRE(lines.size() == 4);
  CHECK(text_of(lines[0], "agent") == "alone");
  CHECK(truth_of(lines[1], "visible_in_clone"));
  CHECK_FALSE(truth_of(lines[1], "verified"));
  CHECK_FALSE(truth_of(lines[2], "visible_in_clone"));
  CHECK_FALSE(truth_of(lines[3], "visible_in_clone"));
  CHECK(number_of(lines[1], "rounds") == 1);
  const std::string log = bench.folder.read("project/eval-tasks.jsonl.logs/bb-1.log");
  CHECK(log.find("--- the answer\nI would have to look at it first.\n") != std::string::npos);
}

TEST_CASE("eval tasks: a task that takes too long is ended, and is an outcome") {
  TaskFolder bench;
  const LoopbackServer server(silent_model);
  for (const bool alone : {false, true}) {
    CAPTURE(alone);
    std::filesystem::remove(bench.folder.at("project/eval-tasks.jsonl"));
    std::vector<std::string> args = {"-task",    "aa",     "-timeout",   "5",
                                     "-backend", "openai", "-model-url", server.url("")};
    if (alone) args.emplace_back("-alone");
    const ProcessResult result = bench.tasks(args);
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    CHECK(result.err.find("[1/1] aa: not solved, timeout, ") != std::string::npos);
    CHECK(number_of(bench.lines()[1], "exit_code") == (alone ? 0 : 143));
  }
}

TEST_CASE("eval tasks: Ctrl-C ends the agent and leaves nothing") {
  TaskFolder bench;
  const LoopbackServer server(silent_model);
  const ProcessResult result =
      bench.in_shell("\"$0\" eval tasks ../tasks -backend openai -model-url " + server.url("") +
                     " 2>../err & eval=$!\n"
                     "until grep -qs ^job eval-tasks.jsonl.logs/aa-1.log; do sleep 0.05; done\n"
                     "kill -INT $eval; wait $eval; echo $?");
  CAPTURE(bench.folder.read("err"));
  CHECK(result.out == "130\n");
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("project/eval-tasks.jsonl")));
  CHECK(bench.files_below("tmp").size() == 1);
}

TEST_CASE("eval tasks: Ctrl-C leaves a whole record, and the next run continues it") {
  TaskFolder bench;
  const ProcessResult result = bench.in_shell(
      "mkfifo ../in; exec 3<>../in; printf 'a.txt\\n```\\ngood\\n```\\n.\\n' >&3\n"
      "\"$0\" eval tasks ../tasks -alone -backend manual <../in 2>../err & eval=$!\n"
      "until [ $(cat eval-tasks.jsonl 2>/dev/null | wc -l) = 2 ]; do sleep 0.05; done\n"
      "kill -INT $eval; wait $eval; echo $?");
  CAPTURE(bench.folder.read("err"));
  CHECK(result.out == "130\n");
  CHECK(bench.lines().size() == 2);
  CHECK(bench.files_below("tmp").size() == 1);
  const ProcessResult more =
      bench.tasks({"-alone", "-backend", "manual"}, typed({"a.txt\n```\nbest\n```"}));
  CAPTURE(more.err);
  CHECK(more.exit_code == 0);
  CHECK(more.err.find("[1/2]") == std::string::npos);
  CHECK(more.err.find("[2/2] bb: solved, answered, ") != std::string::npos);
  CHECK(bench.lines().size() == 3);
}

TEST_CASE("eval tasks: a task that cannot run is named or skipped") {
  TaskFolder bench;
  struct Row {
    std::vector<std::string> args;
    int code;
    const char* message;
  };
  for (const Row& row : {
           Row{{"more"}, 2, "expected one folder of tasks, got more"},
           Row{{"-set", "huge"}, 2, "huge not in {tiny,small,full}"},
           Row{{"-set", "tiny"}, 2, "../tasks: no such task in the set 'tiny'"},
           Row{{"-task", "ab"}, 2, "-task: no task 'ab' (did you mean 'aa'?) in ../tasks"},
           Row{{"-alone", "--", "-worktree"},
               2,
               "-alone asks the model itself: give its flags before the --"},
           Row{{"--", "-wortree"},
               2,
               "aa: build ended with exit code 2 before its job began: unknown flag '-wortree'"},
           Row{{"-model-url", "http://127.0.0.1:1"},
               4,
               "aa: build ended with exit code 4 before its job began: "},
       }) {
    const ProcessResult result = bench.tasks(row.args);
    CAPTURE(result.err);
    CHECK(result.exit_code == row.code);
    CHECK(result.err.find(row.message) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(bench.folder.at("project/eval-tasks.jsonl")));
  }
  const std::string task = bench.folder.read("tasks/aa/task.json");
  bench.folder.write("tasks/aa/task.json", replace_all(task, "\"sh\"", "\"no-such-program\""));
  const ProcessResult skipped = bench.tasks({"-task", "aa"});
  CHECK(skipped.exit_code == 0);
  CHECK(skipped.err.find("[1/1] aa: skipped: no-such-program is missing\n1 skipped\n") !=
        std::string::npos);
  bench.folder.write("tasks/aa/task.json", replace_all(task, "\"line\"", "\"lines\""));
  const ProcessResult broken = bench.tasks({});
  CHECK(broken.exit_code == 3);
  CHECK(broken.err.find("../tasks/aa/task.json: kind: expected one of line, function, file, "
                        "feature, got 'lines'") != std::string::npos);
}

TEST_CASE("eval diff: records of tasks are compared in pairs") {
  Program program;
  const auto write = [&](const char* name, int solved, const char* tasks) {
    std::string text =
        to_line({{"type", "eval-tasks"}, {"record", 1}, {"agent", name}, {"tasks", tasks}}) + "\n";
    for (int i = 0; i < 20; ++i) {
      text += to_line({{"task", "t" + std::to_string(i)},
                       {"run", 1},
                       {"kind", "line"},
                       {"solved", i < solved}}) +
              "\n";
    }
    program.folder.write(std::string("project/") + name, text);
  };
  write("low", 3, "1");
  write("near", 5, "1");
  write("high", 15, "2");
  program.folder.write("project/calls", record_of(1, 1));
  struct Row {
    const char* before;
    const char* after;
    int code;
    const char* out;
  };
  for (const Row& row : {
           Row{"low", "high", 0,
               "p 0.0005: better\nboth 3, only before 0, only after 12, "
               "neither 5\nlost: none\nwon: t3, t4, "},
           Row{"high", "low", 1, "p 0.0005: worse\n"},
           Row{"low", "near", 2, "p 0.5000: noise\n"},
       }) {
    const ProcessResult result = program.run({"eval", "diff", row.before, row.after});
    CAPTURE(result.out);
    CHECK(result.exit_code == row.code);
    CHECK(result.out.find(row.out) != std::string::npos);
    const bool noted = result.err.find("of different task sets") != std::string::npos;
    CHECK(noted == (row.code != 2));
  }
  const ProcessResult json = program.run({"eval", "diff", "low", "high", "-json"});
  CHECK(json.out.find(R"("verdict":"better")") != std::string::npos);
  const ProcessResult mixed = program.run({"eval", "diff", "low", "calls"});
  CHECK(mixed.exit_code == 2);
  CHECK(mixed.err.find("one record is of `eval tasks`, the other is not") != std::string::npos);
}

TEST_CASE("eval toolcalls: the record has the replies, and each conversation has its own seed") {
  Program program;
  program.folder.write("project/plan.json",
                       to_line({{"configurations", {{{"name", "free"}, {"mode", "unconstrained"}}}},
                                {"tasks",
                                 {{{"name", "t"},
                                   {"phase", "analyze"},
                                   {"prompt", "Go on"},
                                   {"result", "ok"},
                                   {"expect", {{{"tool", "file"}}}}}}}}));
  const LoopbackServer server(silent_model);
  const ProcessResult result =
      program.run({"eval", "toolcalls", "-plan", "plan.json", "-runs", "2", "-out", "calls.jsonl",
                   "-backend", "openai", "-model-url", server.url("")});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const std::string record = program.folder.read("project/calls.jsonl");
  CHECK(record.find(R"("run":2,"round":1,"rounds":1,"task":"t","failure":"no call")") !=
        std::string::npos);
  CHECK(record.find(R"("reply":"h")") != std::string::npos);
  std::set<long long> seeds;
  for (const LoopbackRequest& request : server.requests()) {
    if (request.body.find("Go on") == std::string::npos) continue;
    const auto body = parse_json(request.body);
    REQUIRE(body.ok());
    seeds.insert(number_of(*body, "seed"));
  }
  CHECK(seeds == std::set<long long>{1, 2});
}

TEST_CASE("eval diff: the exit code distinguishes better, worse and noise") {
  Program program;
  program.folder.write("project/low", record_of(10, 100));
  program.folder.write("project/high", record_of(90, 100));
  program.folder.write("project/near", record_of(88, 100));
  struct Row {
    const char* before;
    const char* after;
    int code;
    const char* verdict;
  };
  for (const Row& row : {Row{"low", "high", 0, "better"}, Row{"high", "low", 1, "worse"},
                         Row{"high", "near", 2, "noise"}, Row{"high", "high", 2, "noise"}}) {
    const ProcessResult result = program.run({"eval", "diff", row.before, row.after});
    CHECK(result.exit_code == row.code);
    CHECK(result.out.find(row.verdict) != std::string::npos);
    const ProcessResult json = program.run({"eval", "diff", row.before, row.after, "-json"});
    CHECK(json.exit_code == row.code);
    CHECK(json.out.find(std::string("\"verdict\":\"") + row.verdict + "\"") != std::string::npos);
  }
}

TEST_CASE("eval: names a file that cannot be measured or compared") {
  Program program;
  program.folder.write("project/record", record_of(1, 1));
  program.folder.write("project/none", "{}\n");
  program.folder.write("project/other", replace_all(record_of(1, 1), "\"grammar\"", "\"b\""));
  struct Row {
    std::vector<std::string> args;
    int code;
    const char* message;
  };
  for (const Row& row : {
           Row{{"diff", "record", "nothing"}, 2, "nothing: No such file or directory"},
           Row{{"diff"}, 2, "before is required; see `pedrocli eval diff -help`"},
           Row{{"diff", "record", "none"}, 2, "none:1: not a record of `eval`, version 1"},
           Row{{"diff", "record", "other"}, 2, "no configuration in common"},
           Row{{"toolcalls", "-only", "grammer"},
               2,
               "-only: no configuration 'grammer' (did you mean 'grammar'?)"},
           Row{{"toolcalls", "-plan", "none"}, 3, "none: configurations: expected a list"},
           Row{{"toolcalls", "-plan", "nowhere"}, 2, "-plan nowhere: No such file"},
           Row{{"toolcalls", "-runs", "0"}, 2, "-runs"},
       }) {
    std::vector<std::string> args = {"eval"};
    args.insert(args.end(), row.args.begin(), row.args.end());
    const ProcessResult result = program.run(args);
    CAPTURE(result.err);
    CHECK(result.exit_code == row.code);
    CHECK(result.err.find(row.message) != std::string::npos);
    CHECK(result.out.empty());
  }
}

}  // namespace pedro
