// Tests user errors: the message must state a solution, and the exit code must be the documented
// one.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/program.h"
#include "sys/folder_lock.h"

namespace pedro {

TEST_CASE("cli: version, help and the tools need no project") {
  Program program;
  CHECK(program.run({"version"}).out.starts_with("pedrocli "));
  CHECK(program.run({"-version"}).out == program.run({"version"}).out);
  const ProcessResult help = program.run({"help"});
  CHECK(help.exit_code == 0);
  CHECK(help.out.find("Exit codes:\n  0        done and verified\n") != std::string::npos);
  CHECK(program.run({"help", "build"}).out.find("-issue") != std::string::npos);
  CHECK(program.run({"tools", "list"}).out.find("search     grep") != std::string::npos);
  CHECK(program.run({"tools", "show", "grep"}).exit_code == 2);
  for (const char* shell : {"bash", "zsh", "fish"}) {
    CHECK(program.run({"completion", shell}).out.find("issue") != std::string::npos);
  }
}

TEST_CASE("cli: bad input ends with its exit code and the next step") {
  struct Row {
    const char* name;
    std::vector<std::string> args;
    int exit_code;
    const char* message;
  };
  for (const Row& row : {
           Row{"unknown command", {"biuld"}, 2, "unknown command 'biuld' (did you mean 'build'?)"},
           Row{"unknown flag", {"build", "-isue", "1"}, 2, "unknown flag '-isue'"},
           Row{"unknown debug topic",
               {"build", "-description", "x", "-debug=token"},
               2,
               "-debug: unknown topic 'token' (did you mean 'tokens'?)"},
           Row{"no task",
               {"build"},
               2,
               "nothing to do: give -issue N, -description TEXT or -file F"},
           Row{"a number that is none", {"build", "-max-rounds", "x"}, 2, "max-rounds"},
           Row{"no tokens", {"build", "-max-tokens", "0"}, 2, "max-tokens"},
           Row{"a time without a unit", {"build", "-max-time", "10"}, 2, "max-time"},
           Row{"no time",
               {"build", "-max-time", "0s"},
               2,
               "-max-time: expected more than 0, got 0\n"},
           Row{"less than no time",
               {"build", "-max-time", "-5s"},
               2,
               "-max-time: expected more than 0, got -5\n"},
           Row{"less than nothing",
               {"build", "-max-cost", "-1"},
               2,
               "-max-cost: expected more than 0, got -1\n"},
           Row{"a missing file", {"build", "-file", "nope.md"}, 2, "-file nope.md: "},
           Row{"a missing folder",
               {"build", "-workdir", "nope"},
               2,
               "-workdir nope: no such folder"},
           Row{"an unknown base", {"build", "-description", "x", "-base", "nope"}, 2, "-base: "},
           Row{"an unknown backend",
               {"build", "-description", "x", "-backend", "gpt"},
               2,
               "-backend: model.type: expected one of llamacpp"},
           Row{"a recording that is none",
               {"build", "-description", "x", "-replay", "Makefile"},
               4,
               "Makefile:1: "},
           Row{"a missing configuration", {"config", "-config", "nope.json"}, 3, "nope.json"},
           Row{"no server",
               {"build", "-description", "x", "-model-url", "http://127.0.0.1:1"},
               4,
               "connection refused; is the server running?"},
           Row{"flags that contradict each other",
               {"build", "-description", "x", "-no-commit", "-push"},
               2,
               "-no-commit creates no branch: omit -push"},
           Row{"a branch name that git would refuse",
               {"build", "-description", "x", "-branch", "a..b"},
               2,
               "-branch: "},
           Row{"a push without a remote",
               {"build", "-description", "x", "-push"},
               2,
               "-push: there is no remote 'origin'; add it, or set git.remote"},
           Row{"an unknown job",
               {"status", "20260101-000000-build-0000"},
               2,
               "20260101-000000-build"},
           Row{"a job id with a path", {"logs", "../x"}, 2, "no job '../x'; "},
       }) {
    CAPTURE(row.name);
    Program program;
    program.folder.write("project/Makefile", "test:\n\ttrue\n");
    program.commit_project();
    const ProcessResult result = program.run(row.args);
    CAPTURE(result.err);
    CHECK(result.exit_code == row.exit_code);
    CHECK(result.err.find(row.message) != std::string::npos);
    CHECK(result.err.find('\x1b') == std::string::npos);
    CHECK(program.git({"status", "--porcelain"}).empty());
    CHECK(program.git({"branch", "--list"}) == "* main\n");
  }
}

TEST_CASE("cli: an issue that cannot be fetched lists every source and its error") {
  Program program;
  program.folder.write("project/a.txt", "a\n");
  program.commit_project();
  program.extra_environment["PEDROCLI_GITHUB_API"] = "http://127.0.0.1:1";
  const ProcessResult result = program.run({"build", "-issue", "12"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 2);
  for (const char* line : {"\n  .pedro/issues/12.md: no such file\n",
                           "\n  gh issue view: ", "\n  REST API: there is no remote 'origin'\n"}) {
    CHECK_MESSAGE(result.err.find(line) != std::string::npos, line);
  }
}

TEST_CASE("cli: a repository that cannot be worked in is refused before anything starts") {
  {
    Program program;  // not a repository
    const ProcessResult result = program.run({"build", "-description", "x"});
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
  }
  {
    Program program;
    program.git({"init", "-q", "-b", "main"});  // without a commit
    const ProcessResult result = program.run({"build", "-description", "x"});
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("commit") != std::string::npos);
  }
  {
    Program program;
    program.folder.write("project/a.txt", "a\n");
    program.commit_project();
    program.folder.write("project/a.txt", "b\n");
    const ProcessResult result = program.run({"build", "-description", "x"});
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("the work tree has uncommitted changes:\n  a.txt\n") !=
          std::string::npos);
  }
}

TEST_CASE("cli: two jobs do not work in one folder") {
  Program program;
  program.folder.write("project/a.txt", "a\n");
  program.commit_project();
  const auto lock = FolderLock::take(program.project());
  REQUIRE(lock.ok());
  const ProcessResult result = program.run({"build", "-description", "x"});
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("another pedrocli is working here") != std::string::npos);
}

TEST_CASE("cli: output that cannot be written is a failure") {
  Program program;
  Command command{.argv = {"sh", "-c", PEDROCLI_PROGRAM " tools > /dev/full"},
                  .folder = program.project()};
  command.environment = program.environment();
  const auto result = program.processes.run(command, program.cancel);
  REQUIRE(result.ok());
  CHECK(result->exit_code == 1);
  CHECK(result->err == "pedrocli: cannot write standard output\n");
}

TEST_CASE("cli: a configuration error names file, line and the nearest key") {
  Program program;
  program.folder.write("project/.pedrocli.json", "{\n  \"modle\": {}\n}\n");
  program.commit_project();
  const ProcessResult result = program.run({"config", "show"});
  CHECK(result.exit_code == 3);
  CHECK(result.err.find(".pedrocli.json:2: unknown key 'modle' (did you mean 'model'?)") !=
        std::string::npos);
}

TEST_CASE("cli: reading the configuration reports an unknown format with its location") {
  struct Row {
    const char* name;
    const char* message;
  };
  for (const Row& row :
       {Row{"hermess",
            "no format is called 'hermess' (did you mean 'hermes'?): see `pedrocli format list`"},
        Row{"lerned", "no format is called 'lerned' (did you mean 'learned'?)"},
        Row{"openai",
            "'openai' is a message format, not a model family: for a server that speaks it, use "
            "-backend openai (model.type)"}}) {
    CAPTURE(row.name);
    Program program;
    program.folder.write("project/a.txt", "a\n");
    program.commit_project();
    const std::string expected = fmt::format("model.format: {}\n", row.message);
    const ProcessResult flag =
        program.run({"build", "-description", "x", "-dry-run", "-format", row.name});
    CHECK(flag.exit_code == 2);
    CHECK(flag.err == "pedrocli: -format: " + expected);
    program.folder.write(
        "project/.pedrocli.json",
        fmt::format("{{\n  \"model\": {{\n    \"format\": \"{}\"}}}}\n", row.name));
    const ProcessResult file = program.run({"config", "show"});
    CHECK(file.exit_code == 3);
    CHECK(file.err ==
          "pedrocli: " + program.folder.at("project/.pedrocli.json") + ":3: " + expected);
  }
}

TEST_CASE("cli: a prompt or manifest override that is wrong is found at start-up") {
  struct Row {
    const char* file;
    const char* text;
    const char* message;
  };
  for (const Row& row : {
           Row{".pedro/prompts/build/2-analyze.md", "---\ntools: serch\noutput: x\n---\n",
               "2-analyze.md:2: unknown tool 'serch' (did you mean 'search'?)"},
           Row{".pedro/prompts/build/3-plan.md",
               "---\noutput: build/plan.schema.json\n---\n{{titel}}\n",
               "3-plan.md:4: unknown variable 'titel' (did you mean 'title'?)"},
           Row{".pedro/prompts/feedback/cut.md", "{{tokns}}", "cut.md:1: unknown variable 'tokns'"},
           Row{".pedro/tools/serch.json", "{}", "serch.json: there is no tool 'serch'"},
       }) {
    Program program;
    program.folder.write(std::string("project/") + row.file, row.text);
    program.commit_project();
    const ProcessResult result = program.run({"build", "-description", "x", "-dry-run"});
    CAPTURE(result.err);
    CHECK(result.exit_code == 3);
    CHECK(result.err.find(row.message) != std::string::npos);
  }
}

}  // namespace pedro
