// Tests users' agents and commands, and the rules of a project.
#include "cli/program.h"

namespace pedro {
namespace {

const std::string kLook =
    "---\ntools: search file\nallow: read\nmax_rounds: 3\nevidence: places\n"
    "output: count/look.schema.json\n---\nCount what is asked for: "
    "{{task}}\n{{tools}}\n{{finish}}\n";
const std::string kSchema =
    R"({"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]})";
const std::string kCounted = R"({"tool":"phase_complete","args":{"number":3}})";

struct Run : Program {
  Run() {
    folder.write("project/.pedro/agents/count/system.md", "You count.\n\n{{calls}}\n");
    folder.write("project/.pedro/agents/count/1-look.md", kLook);
    folder.write("project/.pedro/agents/count/look.schema.json", kSchema);
    folder.write("project/.pedro/command/lines.md",
                 "---\ndescription: Count lines\nagent: count\n---\n"
                 "Lines of $1 ($ARGUMENTS), which says: @a.txt and $2.\n");
    folder.write("project/a.txt", "$1 `touch ran` @b.txt\n");
    folder.write("project/AGENTS.md", "Root rule.\n");
    folder.write("project/sub/AGENTS.md", "Sub rule.\n");
    commit_project();
  }
  /// Adds an agent that changes files.
  void add_fixer() {
    folder.write("project/.pedro/agents/fixer/system.md", "You fix.\n\n{{calls}}\n");
    folder.write("project/.pedro/agents/fixer/1-fix.md",
                 "---\ntools: file\nallow: read write\nevidence: change\n"
                 "output: fixer/fix.schema.json\n---\n{{task}}\n{{tools}}\n{{finish}}\n");
    folder.write(
        "project/.pedro/agents/fixer/fix.schema.json",
        R"({"type":"object","properties":{"subject":{"type":"string"}},"required":["subject"]})");
    git({"add", "-A"});
    git({"commit", "-qm", "an agent"});
  }
  std::string newest_job() {
    const std::string jobs = run({"list"}).out;
    return jobs.substr(0, jobs.find(' '));
  }
};

const std::string kWriteGood =
    R"({"tool":"file","args":{"action":"write","path":"a.txt","content":"good\n"}})";
const std::string kSaidGood = R"({"tool":"phase_complete","args":{"subject":"Say good"}})";

}  // namespace

TEST_CASE("run: a folder of prompts is an agent; one that only reads makes no branch") {
  Run bench;
  const ProcessResult result =
      bench.run({"run", "count", "the", "bees", "-backend", "manual"}, typed({kCounted}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("# the bees\n\nnumber: 3\n"));
  CHECK(bench.git({"branch", "--list"}) == "* main\n");
}

TEST_CASE("run: `grammar tools` knows the same agents") {
  Run bench;
  const ProcessResult tools = bench.run({"grammar", "tools", "-agent", "count"});
  CAPTURE(tools.err);
  CHECK(tools.exit_code == 0);
  CHECK(tools.out.find("look") != std::string::npos);
}

TEST_CASE("run: a command's text is the task; inserted arguments and files never run") {
  Run bench;
  const ProcessResult result =
      bench.run({"run", "/lines", "x.c", "$(touch ran)", "-backend", "manual"}, typed({kCounted}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("Lines of x.c (x.c $(touch ran)), which says: $1 `touch ran` @b.txt\n and "
                        "$(touch ran).") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("project/ran")));
  CHECK(bench.run({"commands"}).out == "/lines            count    Count lines\n");
}

TEST_CASE("run: the rules of AGENTS.md are in the prompt, the nearest last") {
  Run bench;
  const ProcessResult result =
      bench.run({"run", "count", "x", "-backend", "manual"}, typed({kCounted}));
  CHECK(result.err.find("Root rule.") != std::string::npos);
  CHECK(result.err.find("Sub rule.") == std::string::npos);
  const ProcessResult below =
      bench.run({"run", "count", "x", "-backend", "manual", "-workdir", "sub"}, typed({kCounted}));
  CAPTURE(below.err);
  CHECK(below.exit_code == 0);
  CHECK(below.err.find("Root rule.\n\nSub rule.") != std::string::npos);
}

TEST_CASE("run: the rules of AGENTS.md take at most 8 KB of a prompt") {
  Run bench;
  std::string many;
  for (int i = 0; i < 4000; ++i) many += "rule " + std::to_string(i) + "\n";
  bench.folder.write("project/AGENTS.md", many);
  const ProcessResult result =
      bench.run({"run", "count", "x", "-backend", "manual"}, typed({kCounted}));
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("rule 3999\n") != std::string::npos);
  CHECK(result.err.find("rule 2000\n") == std::string::npos);
  CHECK(result.err.size() < 12 * 1024);
}

TEST_CASE("run: an agent of a taken name, an unknown one, and a file outside are refused") {
  Run bench;
  const ProcessResult unknown = bench.run({"run", "coutn", "x", "-backend", "manual"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err.find("(did you mean 'count'?)") != std::string::npos);
  bench.folder.write("project/.pedro/command/out.md", "See @../secret\n");
  CHECK(bench.run({"run", "/out", "-backend", "manual"}).exit_code == 2);
  bench.folder.write("project/.pedro/agents/build/system.md", "x\n");
  const ProcessResult taken = bench.run({"run", "count", "x", "-backend", "manual"});
  CHECK(taken.exit_code == 3);
  CHECK(taken.err.find("the name is taken") != std::string::npos);
}

TEST_CASE("run: an agent that writes works on a branch, and its work is checked") {
  Run bench;
  bench.add_fixer();
  const ProcessResult result =
      bench.run({"run", "fixer", "good", "-backend", "manual", "-test-cmd", "grep -q good a.txt"},
                typed({kWriteGood, kSaidGood}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}) == "Say good\n");
}

TEST_CASE("run: flags of writing agents are refused by name for a read-only one") {
  Run bench;
  for (const std::vector<std::string>& flag :
       std::vector<std::vector<std::string>>{{"-push"},
                                             {"-branch", "x"},
                                             {"-base", "HEAD"},
                                             {"-test-cmd", "true"},
                                             {"-no-commit"},
                                             {"-worktree"},
                                             {"-allow-dirty"},
                                             {"-allow-net"}}) {
    for (const char* name : {"count", "/lines", "triage"}) {
      std::vector<std::string> args = {"run", name, "x", "-backend", "manual"};
      args.insert(args.end(), flag.begin(), flag.end());
      const ProcessResult result = bench.run(args, typed({kCounted}));
      CHECK(result.exit_code == 2);
      const std::string agent = std::string(name) == "triage" ? "triage" : "count";
      CHECK(result.err == "pedrocli: " + flag.front() + ": " + agent + " changes nothing\n");
    }
  }
}

TEST_CASE("run: a batch gives no work tree to an agent of the project's own that reads") {
  Run bench;
  const std::string recording = bench.folder.at("session.jsonl");
  bench.run({"run", "count", "-description", "bees", "-backend", "manual", "-record", recording},
            typed({kCounted}));
  const std::string tasks =
      bench.folder.write("tasks.jsonl", R"({"agent":"count","description":"bees"})"
                                        "\n");
  const ProcessResult result = bench.run({"batch", tasks, "-replay", recording});
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("1 tasks: 1 succeeded") != std::string::npos);
}

TEST_CASE("run: a job of a command goes on with the task it has, also when the command is gone") {
  Run bench;
  bench.add_fixer();
  const std::string command = bench.folder.write("config/pedrocli/command/mend.md",
                                                 "---\nagent: fixer\n---\nMend @a.txt: $1\n");
  const std::vector<std::string> args = {
      "run",         "/mend", "now", "-backend", "manual", "-test-cmd", "grep -q good a.txt",
      "-max-rounds", "1"};
  REQUIRE(bench.run(args, typed({kWriteGood})).exit_code == 6);
  const std::string id = bench.newest_job();
  const ProcessResult twice = bench.run({"run", "/mend", "now", "-resume", id});
  CHECK(twice.exit_code == 2);
  CHECK(twice.err == "pedrocli: -resume: the job already has a task; omit the one given here\n");
  const ProcessResult other = bench.run({"run", "/lines", "x", "y", "-resume", id});
  CHECK(other.exit_code == 2);
  CHECK(other.err.find("is a job of fixer, not of count; try `pedrocli resume " + id + "`") !=
        std::string::npos);
  const ProcessResult result =
      bench.run({"run", "/mend", "-resume", id, "-max-rounds", "9"}, typed({kSaidGood}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}) == "Say good\n");

  REQUIRE(bench.run(args, typed({kWriteGood})).exit_code == 6);
  std::filesystem::remove(command);
  const ProcessResult gone = bench.run({"resume", "-max-rounds", "9"}, typed({kSaidGood}));
  CAPTURE(gone.err);
  CHECK(gone.exit_code == 0);
}

TEST_CASE("run: errors are named: no task, an unknown agent in a command's file") {
  Run bench;
  CHECK(bench.run({"run", "count", "-backend", "manual"}).err.find("see `pedrocli run -help`") !=
        std::string::npos);
  bench.folder.write("project/.pedro/command/bad.md", "---\nagent: cuont\n---\nx\n");
  const ProcessResult bad = bench.run({"run", "/bad", "-backend", "manual"});
  CHECK(bad.exit_code == 3);
  CHECK_MESSAGE(
      bad.err.find(
          "/.pedro/command/bad.md: agent: no 'cuont' (did you mean 'count'?); there are: ") !=
          std::string::npos,
      bad.err);
}

TEST_CASE("run: words after -- belong to the task, also with a hyphen") {
  Run bench;
  const ProcessResult result =
      bench.run({"run", "count", "the", "-backend", "manual", "--", "-x"}, typed({kCounted}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("# the -x\n"));
}

TEST_CASE("run: keys of the Go program and a malformed file are warnings, and break no command") {
  Program bench;
  bench.folder.write("project/.pedro/command/old.md",
                     "---\nname: old\nmodel: x\nsubtask: true\ndescription: Old\n---\nDo $1\n");
  bench.folder.write("project/.pedro/command/bad.md", "---\nno colon\n---\nx\n");
  bench.commit_project();
  const ProcessResult listed = bench.run({"commands", "-skip-checks"});
  CHECK(listed.exit_code == 0);
  CHECK(listed.out == "/old              build    Old\n");
  for (const char* text :
       {"-skip-checks has no effect", "command/old.md:2: 'name' has no effect",
        "'model' has no effect", "'subtask' has no effect", "command left out: "}) {
    CAPTURE(text);
    CHECK(listed.err.find(text) != std::string::npos);
  }
  CHECK(bench.run({"--skip-checks", "run", "/old", "it", "-dry-run"}).exit_code == 0);
}

TEST_CASE("run: the text of a command for blog is the notes for the post") {
  Program bench;
  bench.folder.write("project/.pedro/command/post.md", "---\nagent: blog\n---\nOn $ARGUMENTS.\n");
  bench.commit_project();
  const ProcessResult result = bench.run({"run", "/post", "red", "pandas", "-dry-run"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("On red pandas.") != std::string::npos);
}

}  // namespace pedro
