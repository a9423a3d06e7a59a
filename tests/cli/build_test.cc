// Tests `pedrocli build` end to end with prepared replies, and with real tools, checks, git and
// delivery.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"
#include "support/loopback_server.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

const std::string kWrongEdit =
    R"({"tool":"file","args":{"action":"replace","path":"a.txt","old":"bad","new":"worse"}})";

struct Build : Program {
  Build() {
    folder.write("project/a.txt", "bad\n");
    folder.write("project/.pedro/issues/3.md", "# Be good\n\na.txt should say good.\n");
    commit_project();
  }
  ProcessResult build(const std::vector<std::string>& replies, std::vector<std::string> more = {}) {
    std::vector<std::string> args = {
        "build", "-issue", "3", "-backend", "manual", "-test-cmd", "grep -q good a.txt"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed(replies));
  }
};

// Returns the N of "[... N lines, M bytes left out", or 0 if nothing was omitted.
int lines_left_out(std::string_view prompt) {
  const std::size_t at = prompt.find("\n[... ");
  return at == prompt.npos ? 0 : std::stoi(std::string(prompt.substr(at + 6, 10)));
}

}  // namespace

TEST_CASE("build: an issue becomes a commit on a branch, checked by us") {
  Build bench;
  const ProcessResult result = bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"branch", "--show-current"}) == "main\n");
  CHECK(bench.git({"log", "-1", "--format=%B", bench.job_branch()}) ==
        "Say good\n\nIt said bad.\n\n");
  CHECK(bench.git({"show", "--stat", "--format=", bench.job_branch()}).find("a.txt") !=
        std::string::npos);
  CHECK(bench.git({"status", "--porcelain"}).empty());
  CHECK(result.out.find("Done and verified.") != std::string::npos);
  CHECK(result.out.find("- `grep -q good a.txt` (from -test-cmd): passed, exit 0") !=
        std::string::npos);
  CHECK(bench.run({"list"}).out.find("done") != std::string::npos);
  CHECK(bench.run({"status"}).out.find("exit     0") != std::string::npos);
  CHECK(bench.run({"logs", "-json"}).out.find("\"thread.completed\"") != std::string::npos);
}

TEST_CASE("build: the end of implement needs a change, the end of validate needs green checks") {
  Build bench;
  const ProcessResult result = bench.build(
      {kAnalyzed, kPlanned, kDone, kWrongEdit, kDone, kDone,
       R"({"tool":"file","args":{"action":"replace","path":"a.txt","old":"worse","new":"good"}})",
       kDone, kDelivered});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("no file in the project has changed since this phase began") !=
        std::string::npos);
  CHECK(result.err.find("the checks fail on the files as they are now") != std::string::npos);
  CHECK(bench.git({"show", bench.job_branch() + ":a.txt"}) == "good\n");
}

TEST_CASE("build: a task is solved in one phase if all its files are in the prompt") {
  Build bench;
  bench.extra_environment["PEDROCLI_MODEL_PHASES"] = "auto";
  const ProcessResult result = bench.build(
      {kDelivered, kWrongEdit, kDelivered,
       call("file", {{"action", "replace"}, {"path", "a.txt"}, {"old", "worse"}, {"new", "good"}}),
       kDelivered});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("no file in the project has changed since this phase began") !=
        std::string::npos);
  CHECK(result.err.find("the checks fail on the files as they are now") != std::string::npos);
  CHECK(bench.git({"show", bench.job_branch() + ":a.txt"}) == "good\n");
  CHECK(bench.git({"log", "-1", "--format=%B", bench.job_branch()}) ==
        "Say good\n\nIt said bad.\n\n");
  const std::string journal = bench.run({"logs", "-json"}).out;
  CHECK(journal.find(R"("phase":"solve")") != std::string::npos);
  CHECK(journal.find(R"("phase":"plan","end":"skipped")") != std::string::npos);
}

TEST_CASE("build: the first prompt of solve has the file with line numbers and the failing check") {
  Build bench;
  bench.extra_environment["PEDROCLI_MODEL_PHASES"] = "auto";
  const ProcessResult result = bench.build({kEdit, kDelivered});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("1\tbad") != std::string::npos);
  CHECK(result.err.find("`grep -q good a.txt` fails") != std::string::npos);
}

TEST_CASE("build: model.phases decides between the short and the long way") {
  struct Row {
    const char* phases;
    const char* issue;
    const char* first;
  };
  for (const Row& row : {Row{"auto", "# Be good\n\na.txt should say good.\n", "solve"},
                         Row{"auto", "# Be good\n\nIt should say good.\n", "analyze"},
                         Row{"short", "# Be good\n\nIt should say good.\n", "solve"},
                         Row{"long", "# Be good\n\na.txt should say good.\n", "analyze"}}) {
    CAPTURE(row.phases);
    CAPTURE(row.issue);
    Build bench;
    bench.extra_environment["PEDROCLI_MODEL_PHASES"] = row.phases;
    bench.folder.write("project/.pedro/issues/3.md", std::string(row.issue) + "\nPlease.\n");
    bench.commit_project();
    const ProcessResult dry = bench.build({}, {"-dry-run"});
    CAPTURE(dry.err);
    CHECK(dry.exit_code == 0);
    CHECK(dry.out.find(std::string("Phase 1: ") + row.first) != std::string::npos);
  }
}

TEST_CASE("build: a secret in a check's command is used, and neither shown nor kept") {
  Build bench;
  const std::string secret = std::string("ghp") + "_0123456789abcdefghijABCDEFGHIJ123456";
  const std::vector<std::string> more = {"-test-cmd", "test -n " + secret};
  const ProcessResult result = bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}, more);
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("- `test -n [masked: GitHub token]` (from -test-cmd): passed") !=
        std::string::npos);
  CHECK((result.out + result.err).find(secret) == std::string::npos);
  const auto files = bench.files_below("state/pedrocli/jobs");
  CHECK_FALSE(files.empty());
  for (const auto& [name, text] : files) {
    CAPTURE(name);
    CHECK(text.find(secret) == std::string::npos);
  }
  const ProcessResult dry = bench.build({}, {"-test-cmd", "test -n " + secret, "-dry-run"});
  CHECK((dry.out + dry.err).find(secret) == std::string::npos);
}

TEST_CASE("build: a job with a secret in its check cannot be resumed, and says so") {
  Build bench;
  const std::string secret = std::string("ghp") + "_0123456789abcdefghijABCDEFGHIJ123456";
  CHECK(bench.build({kAnalyzed, kPlanned}, {"-test-cmd", "test " + secret, "-max-rounds", "2"})
            .exit_code == 6);
  const ProcessResult resumed = bench.run({"resume"});
  CHECK(resumed.exit_code == 2);
  CHECK(resumed.err.find("the check `test [masked: GitHub token]` contains a secret") !=
        std::string::npos);
}

TEST_CASE("build: the job's time limit also ends the wait for the user") {
  Build bench;
  const ProcessResult result = bench.shell(
      "mkfifo ../never; exec 3<>../never; exec \"$0\" build -issue 3 -backend manual -test-cmd "
      "true -max-time 1s <&3");
  CHECK(result.out.find("time ran out in the phase 'analyze'") != std::string::npos);
}

TEST_CASE("build: removes a command's settings before reading them, after pedrocli was killed") {
  Build bench;
  const std::string settings = bench.folder.at("project/.pedrocli.json");
  bench.folder.write("project/.pedrocli.json", "{not even JSON");
  bench.folder.write("state/pedrocli/guards/copy-1-1/paths", settings + '\0');
  const ProcessResult result = bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.starts_with("pedrocli: warning: " + settings +
                               " must not be changed by commands; it was removed again\n"));
}

TEST_CASE("build: a limit with changes leaves them on the branch, marked as unfinished") {
  Build bench;
  const ProcessResult result = bench.build({kAnalyzed, kPlanned, kWrongEdit}, {"-max-rounds", "3"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}) == "wip: Be good\n");
  CHECK(bench.git({"status", "--porcelain"}).empty());
  CHECK(result.out.find("failed, exit 1") != std::string::npos);
}

TEST_CASE("build: a command or check cut off by the job's time limit runs again on resume") {
  Build bench;
  const std::string slow =
      R"({"tool":"bash","args":{"action":"run","command":"[ -e .git/fast ] || sleep 60"}})";
  const std::string check = "[ ! -e .git/slow ] || sleep 60; grep -q good a.txt";
  const std::vector<std::string> late_command = {
      "build", "-issue", "3", "-backend", "manual", "-test-cmd", check, "-max-time", "5s"};
  const ProcessResult late = bench.run(late_command, typed({kAnalyzed, kPlanned, slow}));
  CAPTURE(late.err);
  CHECK(late.exit_code == 6);
  CHECK(late.out.find("time ran out in the phase 'implement', after 1 of its rounds") !=
        std::string::npos);

  bench.folder.write("project/.git/fast", "");
  bench.folder.write("project/.git/slow", "");
  const ProcessResult later =
      bench.run({"resume", "-max-time", "10s"}, typed({kEdit, kDone, kDelivered}));
  CAPTURE(later.err);
  CHECK(later.exit_code == 6);
  CHECK(later.out.find("time ran out in the phase 'validate'") != std::string::npos);

  std::filesystem::remove(bench.folder.at("project/.git/slow"));
  const ProcessResult last = bench.run({"resume", "-max-time", "10m"}, typed({kDelivered}));
  CAPTURE(last.err);
  CHECK(last.exit_code == 0);
  CHECK(last.out.find("Done and verified.") != std::string::npos);
  CHECK(bench.git({"show", bench.job_branch() + ":a.txt"}) == "good\n");
}

TEST_CASE("build: files that the user changes while the model works are not in the commit") {
  Build bench;
  bench.folder.write("project/mine.txt", "old\n");
  bench.git({"add", "mine.txt"});
  bench.git({"commit", "-qm", "mine"});
  bench.folder.write("first", typed({kAnalyzed, kPlanned, kEdit}));
  bench.folder.write("rest", typed({kDone, kDelivered}));
  Command shell{
      .argv = {"bash", "-c",
               "mkfifo ../typed && exec 3<>../typed && cat ../first >&3\n"
               "\"$0\" build -issue 3 -backend manual -test-cmd 'grep -q good a.txt' "
               "<../typed >../out 2>&1 3>&- & job=$!\n"
               "until grep -q '\"rounds\":3,' ../state/pedrocli/jobs/*/answers.log 2>/dev/null\n"
               "do sleep 0.02; done; sleep 1\n"
               "echo changed > mine.txt; echo new > new.txt; sleep 0.2\n"
               "cat ../rest >&3; wait $job",
               PEDROCLI_PROGRAM},
      .folder = bench.project()};
  shell.environment = bench.environment();
  shell.timeout_s = 60;
  const auto result = bench.processes.run(shell, bench.cancel);
  REQUIRE(result.ok());
  const std::string out = bench.folder.read("out");
  CAPTURE(out);
  CHECK(result->exit_code == 0);
  CHECK(out.find("- omitted, changed by you during the job: mine.txt\n") != out.npos);
  CHECK(out.find("- omitted, changed by you during the job: new.txt\n") != out.npos);
  CHECK(bench.git({"show", "--format=", "--name-only", bench.job_branch()}) == "a.txt\n");
  CHECK(bench.git({"status", "--porcelain"}) == " M mine.txt\n?? new.txt\n");
  CHECK(bench.folder.read("project/mine.txt") == "changed\n");

  // An undo leaves them too.
  CHECK(bench.run({"undo"}).exit_code == 0);
  CHECK(bench.folder.read("project/mine.txt") == "changed\n");
  CHECK(bench.folder.read("project/new.txt") == "new\n");
  CHECK(bench.folder.read("project/a.txt") == "bad\n");
}

TEST_CASE("build: a limit of money needs a price") {
  Build bench;
  const ProcessResult priced = bench.build({"hm"}, {"-max-cost", "1"});
  CHECK(priced.exit_code == 2);
  CHECK(priced.err.find("-max-cost: the price of the model") != std::string::npos);
}

TEST_CASE("build: a limit without changes leaves no branch") {
  Build bench;
  const ProcessResult result = bench.build({"hm", "hm"}, {"-max-rounds", "2"});
  CHECK(result.exit_code == 6);
  CHECK(result.out.find("No checks were run.") != std::string::npos);
  CHECK(bench.git({"branch", "--list"}) == "* main\n");
}

TEST_CASE("build: without any check the result is not called verified") {
  Build bench;
  const ProcessResult result = bench.run({"build", "-issue", "3", "-backend", "manual"},
                                         typed({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 5);
  CHECK(result.out.find("Not verified: there are no checks to verify it") != std::string::npos);
  CHECK(bench.git({"log", "-1", "--format=%B", bench.job_branch()}) ==
        "Say good\n\nIt said bad.\n\n");
}

TEST_CASE("build: -allow-dirty names the user's changes in the commit") {
  Build bench;
  bench.folder.write("project/a.txt", "bad\nmine\n");
  bench.folder.write("project/b.txt", "mine too\n");
  const ProcessResult result =
      bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}, {"-allow-dirty"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(
      result.out.find("- changed: a.txt\n- with your earlier uncommitted changes in it: a.txt\n") !=
      std::string::npos);
  CHECK(result.out.find(
            "They ran in the work tree, which also holds files that are not in the commit.") !=
        std::string::npos);
  CHECK(bench.git({"status", "--porcelain"}) == " M a.txt\n?? b.txt\n");
}

TEST_CASE("build: -allow-dirty never loses uncommitted work, whatever the model commits") {
  Build bench;
  bench.folder.write("project/mine.txt", "hours of work\n");
  const ProcessResult result = bench.build(
      {kAnalyzed, kPlanned,
       R"({"tool":"bash","args":{"action":"run","command":"git add -A; git -c user.name=m -c user.email=m@x commit -qm wip"}})"},
      {"-allow-dirty", "-max-rounds", "3"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(bench.folder.read("project/mine.txt") == "hours of work\n");
  CHECK(bench.git({"branch", "--list"}) == "* main\n");
  CHECK(bench.git({"log", "--format=%s"}) == "init\n");
}

TEST_CASE("build: a file that git does not take is not delivered, and that is no success") {
  Build bench;
  bench.folder.write("project/.gitignore", "*.cfg\n");
  bench.git({"add", "-A"});
  bench.git({"commit", "-q", "-m", "ignore"});
  const ProcessResult result = bench.run(
      {"build", "-issue", "3", "-backend", "manual", "-test-cmd", "test -e need.cfg"},
      typed({kAnalyzed, kPlanned, kEdit,
             R"({"tool":"file","args":{"action":"write","path":"need.cfg","content":"x"}})", kDone,
             kDelivered}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 5);
  CHECK(result.out.find("- written, but git does not add it (ignored?): need.cfg\n") !=
        std::string::npos);
}

TEST_CASE("build: files left by the checks are not committed") {
  Build bench;
  const ProcessResult result = bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered},
                                           {"-test-cmd", "date > test.log"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"show", "--name-only", "--format=", bench.job_branch()}) == "a.txt\n");
  CHECK(bench.git({"status", "--porcelain"}) == "?? test.log\n");
  CHECK(result.out.find("- omitted, generated: test.log\n") != std::string::npos);
}

TEST_CASE("build: a missing commit message does not hold up verified work") {
  Build bench;
  const ProcessResult result =
      bench.build({kAnalyzed, kPlanned, kEdit, kDone, "hm", "hm", "hm", "hm", "hm", "hm"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"log", "-1", "--format=%B", bench.job_branch()}) == "Be good\n\n");
}

TEST_CASE("build: -no-commit leaves no commit, and no change is exit 8") {
  Build bench;
  const ProcessResult result =
      bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}, {"-no-commit"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"log", "--format=%s"}) == "init\n");
  CHECK(bench.git({"status", "--porcelain"}) == " M a.txt\n");
  bench.git({"reset", "-q", "--hard"});
  const std::string undo =
      R"({"tool":"bash","args":{"action":"run","command":"git show HEAD:a.txt > a.txt"}})";
  const ProcessResult nothing =
      bench.run({"build", "-issue", "3", "-backend", "manual", "-no-commit", "-test-cmd",
                 "grep -q bad a.txt"},
                typed({kAnalyzed, kPlanned, kEdit, kDone, undo, kDone, kDelivered}));
  CAPTURE(nothing.err);
  CHECK(nothing.exit_code == 8);
}

TEST_CASE("build: a dry run shows the same as text and as JSON, and touches nothing") {
  Build bench;
  const ProcessResult text = bench.build({}, {"-dry-run"});
  const ProcessResult lines = bench.build({}, {"-dry-run", "-json"});
  CHECK(text.exit_code == 0);
  CHECK(text.out.find("branch: pedrocli/issue-3-be-good\n") != std::string::npos);
  CHECK(text.out.find("check: grep -q good a.txt (from -test-cmd)\n") != std::string::npos);
  const auto json = parse_json(lines.out);
  CAPTURE(lines.out);
  REQUIRE(json.ok());
  CHECK(text_of(*json, "branch") == "pedrocli/issue-3-be-good");
  CHECK((*json)["checks"][0]["command"] == "grep -q good a.txt");
  REQUIRE((*json)["prompt"].size() == 2);
  CHECK(text.out.find(text_of((*json)["prompt"][1], "text")) != std::string::npos);
  CHECK(bench.git({"branch", "--list"}) == "* main\n");
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("state/pedrocli/jobs")));
}

TEST_CASE("build: a dry run shows tools as the named family has them") {
  Build bench;
  const auto shown = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"-dry-run", "-json"});
    const ProcessResult result = bench.build({}, more);
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    const auto json = parse_json(result.out);
    REQUIRE(json.ok());
    return *json;
  };
  const auto prompt_of = [](const Json& json) {
    return text_of(json["prompt"][0], "text") + text_of(json["prompt"][1], "text");
  };
  const Json described = shown({});
  CHECK(described["tools"].empty());
  CHECK(prompt_of(described).find("{\"tool\": ") != std::string::npos);
  const Json declared = shown({"-format", "hermes"});
  std::vector<std::string> names;
  for (const Json& tool : declared["tools"]) names.push_back(text_of(tool, "name"));
  CHECK(std::find(names.begin(), names.end(), "phase_complete") != names.end());
  CHECK(member(declared["tools"][0], "parameters").is_object());
  CHECK(prompt_of(declared).find("{\"tool\": ") == std::string::npos);
  const Json taught = shown({"-format", "chatml"});
  CHECK(taught["tools"].empty());
  CHECK(prompt_of(taught).find("{\"tool\": ") != std::string::npos);
  const ProcessResult text = bench.build({}, {"-dry-run", "-format", "hermes"});
  CHECK(text.out.find("--- tools, declared first\n{\"name\":\"") != std::string::npos);
}

TEST_CASE("build: the configuration of -workdir counts, and each of its warnings appears once") {
  Build bench;
  const std::string other = bench.folder.at("other");
  bench.folder.write("project/.pedrocli.json", R"({"models": [{"pattern": 1}]})");
  bench.folder.write("other/.pedrocli.json", R"({"debug": {"keep_temp_files": true}})");
  bench.git({"-C", other, "init", "-q", "-b", "main"});
  bench.git({"-C", other, "add", "-A"});
  bench.git({"-C", other, "commit", "-q", "-m", "init"});
  const ProcessResult result = bench.run({"build", "-description", "Be good", "-backend", "manual",
                                          "-test-cmd", "true", "-dry-run", "-workdir", other});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const std::string warning = "'debug.keep_temp_files' has no effect and is ignored";
  const std::size_t first = result.err.find(warning);
  REQUIRE(first != std::string::npos);
  CHECK(result.err.find(warning, first + 1) == std::string::npos);
}

TEST_CASE("build: -no-commit leaves the change in the tree and makes no branch") {
  Build bench;
  const ProcessResult result =
      bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}, {"-no-commit"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"branch", "--list"}) == "* main\n");
  CHECK(bench.git({"status", "--porcelain"}) == " M a.txt\n");
}

TEST_CASE("build: a model that disappears leaves no branch") {
  Build bench;
  const ProcessResult result = bench.build({kAnalyzed});
  CAPTURE(result.err);
  CHECK(result.exit_code == 4);
  CHECK(bench.git({"branch", "--list"}) == "* main\n");
  CHECK(bench.run({"status"}).out.find("failed") != std::string::npos);
}

TEST_CASE("build: a check with brackets is taken as it is written") {
  Build bench;
  const ProcessResult result = bench.run(
      {"build", "-issue", "3", "-backend", "manual", "-test-cmd", "[ \"$(cat a.txt)\" = good ]"},
      typed({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
}

TEST_CASE("build: the time bounds the opening of a server, too") {
  LoopbackServer busy({{.status = 429, .headers = {"Retry-After: 3000"}}});
  Program bench;
  bench.folder.write("project/a.txt", "bad\n");
  bench.commit_project();
  const ProcessResult result =
      bench.run({"build", "-description", "Be good", "-model-url", busy.url(), "-max-time", "1s"});
  CHECK(result.exit_code == 6);
  CHECK(result.err.find("the time (-max-time) ran out before the model was ready") !=
        std::string::npos);
  CHECK(bench.git({"branch", "--list"}) == "* main\n");
}

TEST_CASE("build: the checks run while the server is asked, and a failure there leaves nothing") {
  Program bench;
  bench.folder.write("project/a.txt", "bad\n");
  bench.commit_project();
  const std::string mark = bench.folder.at("project/mark");
  std::atomic<bool> checks_ran = false;
  LoopbackServer server([&](const LoopbackRequest&) -> LoopbackReply {
    for (int i = 0; i < 1200 && !checks_ran; ++i) {  // at most a minute
      checks_ran = std::filesystem::exists(mark);
      if (!checks_ran) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return {.status = 404};
  });
  const ProcessResult result =
      bench.run({"build", "-description", "Be good", "-backend", "openai", "-model-url",
                 server.url(""), "-test-cmd", "touch mark; sleep 600"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 3);  // a wrong address
  CHECK(checks_ran);
  CHECK(bench.run({"list"}).out.find("build") == std::string::npos);
  // The file of the check is removed, and kept under a ref that the message names.
  const std::string refs = bench.git({"for-each-ref", "--format=%(refname)", "refs/pedrocli"});
  CHECK(refs.ends_with("/kept/1\n"));
  CHECK(result.err.find("git diff " + std::string(trim(refs))) != std::string::npos);
  CHECK(bench.git({"branch", "--list"}) == "* main\n");
  CHECK(bench.git({"status", "--porcelain"}).empty());
}

TEST_CASE("build: a model cannot remove the repository") {
  Build bench;
  const ProcessResult result = bench.build(
      {kAnalyzed, kPlanned,
       R"({"tool":"bash","args":{"action":"run","command":"rm -rf .git; echo good > a.txt"}})",
       kDone, kDelivered});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"log", "--format=%s", bench.job_branch()}) == "Say good\ninit\n");
}

TEST_CASE("build: inherited git variables do not reach another repository") {
  Build other;
  Build bench;
  bench.extra_environment["GIT_DIR"] = other.project() + "/.git";
  CHECK(bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}).exit_code == 0);
  CHECK(other.git({"branch", "--list"}) == "* main\n");
  CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}) == "Say good\n");
}

TEST_CASE("build: a recording must not lie in the project nor replace another file") {
  Build bench;
  CHECK(bench.build({}, {"-record", "r.jsonl"}).err.find("choose a place outside the project") !=
        std::string::npos);
  const std::string precious = bench.folder.write("precious", "keep\n");
  CHECK(bench.build({}, {"-record", precious}).exit_code == 2);
  CHECK(bench.folder.read("precious") == "keep\n");
}

TEST_CASE("build: the model's text cannot control the terminal") {
  Build bench;
  const ProcessResult result = bench.build(
      {kAnalyzed, kPlanned, kEdit,
       R"({"tool":"phase_complete","args":{"summary":"ok\u001b[2J\u001b]0;x\u0007\u009b1m"}})",
       kDelivered});
  CHECK(result.exit_code == 0);
  CHECK(result.out.find('\x1b') == std::string::npos);
  CHECK(result.out.find("\xC2\x9B") == std::string::npos);
}

TEST_CASE("build: -json prints the journal's lines and nothing else on stdout") {
  Build bench;
  const ProcessResult result =
      bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}, {"-json"});
  CHECK(result.exit_code == 0);
  const auto lines = split_lines(result.out);
  REQUIRE(!lines.empty());
  for (const std::string_view line : lines) CHECK(parse_json(line).ok());
  CHECK(text_of(*parse_json(lines.front()), "type") == "thread.started");
  CHECK(text_of(*parse_json(lines.back()), "type") == "thread.completed");
}

TEST_CASE("build: a recorded session runs again, and a difference is shown") {
  Build bench;
  const std::string recording = bench.folder.at("session.jsonl");
  REQUIRE(bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}, {"-record", recording})
              .exit_code == 0);
  const std::vector<std::string> replay = {
      "build", "-issue", "3", "-test-cmd", "grep -q good a.txt", "-replay", recording};
  Build again;
  const ProcessResult same = again.run(replay);
  CAPTURE(same.err);
  CHECK(same.exit_code == 0);
  CHECK(again.git({"show", again.job_branch() + ":a.txt"}) == "good\n");

  Build other;
  other.folder.write("project/.pedro/issues/3.md", "# Be good\n\na.txt should be good.\n");
  other.git({"commit", "-qam", "reworded"});
  const ProcessResult different = other.run(replay);
  CHECK(different.exit_code == 4);
  CHECK(different.err.find("recorded: a.txt should say good.\n  now:      a.txt should be good.") !=
        std::string::npos);
}

TEST_CASE("build: the demo's recorded session still runs") {
  Program program;
  program.extra_environment["PEDROCLI_MODEL_PHASES"] = "auto";
  std::filesystem::copy(std::string(PEDROCLI_SOURCE) + "/examples/inventory", program.project(),
                        std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(program.project() + "/build");
  program.commit_project();
  // Make sets these variables for its children. The recorded session ran without make.
  for (const char* name : {"MAKELEVEL", "MAKEFLAGS", "MFLAGS"}) unsetenv(name);
  const ProcessResult result =
      program.run({"build", "-issue", "1", "-replay",
                   std::string(PEDROCLI_SOURCE) + "/examples/inventory.session.jsonl"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
}

TEST_CASE("build: an issue that is longer than the window is shown at its ends and kept whole") {
  Build bench;
  std::string text = "# Be good\n\na.txt should say good.\n";
  for (int i = 0; i < 900; ++i) text += "line " + std::to_string(i) + " of a long log\n";
  bench.folder.write("project/.pedro/issues/3.md", text + "That was all.\n");
  bench.git({"commit", "-qam", "long"});
  bench.extra_environment["PEDROCLI_MODEL_CONTEXT_SIZE"] = "8192";
  std::string mine;
  for (int i = 0; i < 400; ++i) mine += "and mine " + std::to_string(i) + " of all this\n";
  const ProcessResult result =
      bench.build({kAnalyzed}, {"-description", mine, "-debug=prompt", "-max-rounds", "1"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(result.err.find("the middle of its task is omitted and kept as out-1") !=
        std::string::npos);
  CHECK(result.err.find("line 3 of a long log\n") != std::string::npos);
  CHECK(result.err.find("line 500 of a long log\n") == std::string::npos);
  // Untrusted text is still between its marks.
  const std::size_t begins = result.err.find("[issue 3 ");
  const std::size_t left_out = result.err.find(" bytes left out; ");
  const std::size_t ends = result.err.find("That was all.\n[issue 3 ");
  CHECK(begins < left_out);
  CHECK(left_out < ends);
  CHECK(ends != std::string::npos);
  std::string kept;
  for (const auto& job :
       std::filesystem::directory_iterator(bench.folder.at("state/pedrocli/jobs")))
    kept = bench.folder.read("state/pedrocli/jobs/" + job.path().filename().string() +
                             "/notes/out-1.txt");
  CHECK(kept.find("line 500 of a long log\n") != std::string::npos);
  // A resumed job omits the same part.
  const ProcessResult rest =
      bench.run({"resume", "-max-rounds", "9"}, typed({kPlanned, kEdit, kDone, kDelivered}));
  CAPTURE(rest.err);
  CHECK(rest.exit_code == 0);
  CHECK(rest.err.find("is omitted and kept as") == std::string::npos);
}

TEST_CASE("build: an issue is cut once, with the number of lines left out") {
  constexpr const char* kRecall = " left out; context recall returns it as out-1 ...]";
  struct Row {
    const char* name;
    const char* window;
    int lines;
    bool in_comment;
    int tries;
    const char* note;  // "": the issue is complete
  };
  for (const Row& row : {
           Row{"there is room", "262144", 6000, false, 0, ""},
           Row{"a long body", "8192", 1500, false, 0, kRecall},
           Row{"a longer body", "8192", 6000, false, 0, kRecall},
           Row{"a long comment", "8192", 3000, true, 0, kRecall},
           Row{"a try has no tools", "8192", 6000, false, 1, " left out ...]"},
       }) {
    CAPTURE(row.name);
    Build bench;
    bench.extra_environment["PEDROCLI_MODEL_CONTEXT_SIZE"] = row.window;
    bench.extra_environment["PEDROCLI_MODEL_TRIES"] = std::to_string(row.tries);
    std::string log;
    for (int i = 0; i < row.lines; ++i) log += fmt::format("log line {:05}\n", i);
    Json issue = {{"number", 7}, {"title", "Be good"}, {"body", "a.txt should say good."}};
    if (row.in_comment) {
      issue["comments"] = Json::array({{{"body", log}}});
    } else {
      issue["body"] = log;
    }
    bench.install_gh("cat <<'EOF'\n" + to_line(issue) + "\nEOF\n");
    const ProcessResult result = bench.run({"build", "-issue", "7", "-backend", "manual",
                                            "-test-cmd", "grep -q good a.txt", "-max-rounds", "1"},
                                           typed({kAnalyzed}));
    const auto count = [&](std::string_view text) {
      int found = 0;
      for (std::size_t at = result.err.find(text); at != std::string::npos;
           at = result.err.find(text, at + 1)) {
        ++found;
      }
      return found;
    };
    const bool is_whole = std::string_view(row.note).empty();
    CHECK(count("is omitted and kept as out-1") == (is_whole ? 0 : 1));
    CHECK(count("\nlog line ") + lines_left_out(result.err) == row.lines);
    if (!is_whole) CHECK(count(row.note) == 1);
  }
}

TEST_CASE("build: rounds that only read start no git process") {
  constexpr int kMost = 77;  // in all, with the clean runs
  std::vector<std::ptrdiff_t> counts;
  for (const int reads : {1, 4}) {
    Build bench;
    bench.install("git", fmt::format("echo >>'{}'\nexec '{}' \"$@\"\n", bench.folder.at("count"),
                                     bench.processes.find("git")));
    std::vector<std::string> replies = {kAnalyzed, kPlanned};
    for (int i = 0; i < reads; ++i) {
      const std::string path = fmt::format("{}.txt", i);
      bench.folder.write("project/" + path, "text\n");
      replies.push_back(call("file", {{"action", "read"}, {"path", path}}));
    }
    bench.git({"add", "-A"});
    bench.git({"commit", "-q", "-m", "more"});
    replies.insert(replies.end(), {kEdit, kDone, kDelivered});
    CHECK(bench.build(replies).exit_code == 0);
    const std::string lines = bench.folder.read("count");
    counts.push_back(std::count(lines.begin(), lines.end(), '\n'));
  }
  CHECK(counts[0] == counts[1]);
  CHECK(counts[0] > 20);
  CHECK(counts[0] <= kMost);
}

}  // namespace pedro
