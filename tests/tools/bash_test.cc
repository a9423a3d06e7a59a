#include "tools/command_bench.h"
#include "tools/command_report.h"

using namespace pedro;

TEST_CASE("bash: the output goes back, whatever the command's fate") {
  struct Row {
    const char* name;
    const char* args;
    bool ok;
    const char* text;
  };
  const Row rows[] = {
      {"success", R"({"command": "echo hello"})", true, "hello\n[exit 0]"},
      {"silence", R"({"command": "true"})", true, "[exit 0]"},
      {"failure, with both streams in order",
       R"({"command": "echo a; echo b >&2; echo c; exit 3"})", false, "a\nb\nc\n[exit 3]"},
      {"a command that is missing", R"({"command": "no-such-command 2>/dev/null"})", false,
       "[exit 127]"},
      {"a signal", R"({"command": "kill -9 $$"})", false, "[exit 137]"},
      {"the root of the tree, and no input", R"({"command": "ls; cat; basename \"$PWD\""})", true,
       "a.txt\ntree\n[exit 0]"},
      {"a deadline", R"({"command": "echo begun; sleep 60", "timeout_s": 1})", false,
       "begun\n[timed out after 1 s; the process group was ended]"},
      {"a pipeline whose first part fails", R"x({"command": "(echo a; exit 3) | cat"})x", false,
       "a\n[part 1 of the pipeline failed, exit 3]\n[exit 3]"},
      {"one in the middle", R"x({"command": "echo a | (cat; exit 4) | (cat; true)"})x", false,
       "a\n[part 2 of the pipeline failed, exit 4]\n[exit 4]"},
      {"the last part", R"x({"command": "echo a | (cat; exit 5)"})x", false, "a\n[exit 5]"},
      {"a reader that has enough", R"({"command": "yes | head -n 1"})", true, "y\n[exit 0]"},
      {"an early part in a list", R"({"command": "false | true && echo not"})", false,
       "[part 1 of the pipeline failed, exit 1]\n[exit 1]"},
      {"an error's line", R"({"command": "\nno-such-command"})", false,
       "bash: line 2: no-such-command: command not found\n[exit 127]"},
      {"a process left behind", R"({"command": "sleep 60 & echo started"})", true,
       "started\n[exit 0]\n[left processes behind; they were ended]"},
  };
  CommandBench bench(make_bash_tool());
  bench.folder.put("a.txt", "");
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const ToolResult result = bench.run("run", row.args);
    CHECK(result.ok == row.ok);
    CHECK(result.text == row.text);
  }
}

TEST_CASE("bash: bash if installed, else sh; two minutes by default") {
  CommandBench bench(make_bash_tool());
  bench.fake = std::make_unique<FakeProcessRunner>();
  bench.run("run", R"({"command": "x"})");
  bench.fake->installed = {"bash"};
  bench.run("run", R"({"command": "x", "timeout_s": 7})");
  REQUIRE(bench.fake->commands.size() == 2);
  CHECK(bench.fake->commands[0].argv == std::vector<std::string>{"sh", "-c", "x"});
  CHECK(bench.fake->commands[0].timeout_s == 120);
  CHECK(bench.fake->commands[1].argv[0] == "bash");
  CHECK(line_in_shell(bench.fake->commands[1].argv) == "x");
  CHECK(bench.fake->commands[1].timeout_s == 7);
}
