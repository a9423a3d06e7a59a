#include "tools/registry.h"

#include <doctest/doctest.h>

#include "tools/builtin.h"
#include "tools/git_command.h"
#include "tools/tool_bench.h"

namespace pedro {

namespace {

// The built-in tools on the files of a folder "/w".
struct World {
  using Files = std::map<std::string, std::string>;

  explicit World(Files with) : files(holding(std::move(with))) {}

  static FakeFileSystem holding(Files with) {
    FakeFileSystem made;
    made.files = std::move(with);
    return made;
  }

  FakeFileSystem files;
  Registry registry = std::move(*Registry::open(files, ""));
  NoteStore notes{files, "/notes"};
  FakeProcessRunner processes;
  Environment environment;
  CancelToken cancel;
  WorkTree tree = *WorkTree::open(files, "/w");
  ToolContext context{tree, processes, processes, notes, environment, cancel};
};

}  // namespace

TEST_CASE("registry: every tool has a manifest and the reverse") {
  const RealFileSystem files;
  const auto registry = Registry::open(files, "");
  REQUIRE_MESSAGE(registry.ok(), (registry.ok() ? "" : registry.error().message));
  const std::vector<std::string> expected = {"bash",   "code_edit", "context", "file", "git",
                                             "github", "navigate",  "search",  "test"};
  CHECK(registry->names() == expected);
  CHECK(make_builtin_tools().size() == expected.size());
  CHECK(registry->find("serach") == nullptr);
}

TEST_CASE("registry: an unknown tool or action lists the known ones") {
  struct Row {
    const char* tool;
    const char* args;
    const char* text;
  };
  const Row rows[] = {
      {"serach", R"({"action": "grep"})",
       "there is no tool 'serach' (did you mean 'search'?); there is: bash, code_edit, context, "
       "file, git, github, navigate, search, test"},
      {"search", R"({"pattern": "x"})",
       "search needs an \"action\", first in its args: grep, find_files, find_in_file, "
       "find_definition, references"},
      {"search", R"([1])",
       "search needs an \"action\", first in its args: grep, find_files, find_in_file, "
       "find_definition, references"},
      {"search", R"({"action": "grp", "pattern": "x"})",
       "search has no action 'grp' (did you mean 'grep'?); it has: grep, find_files, find_in_file, "
       "find_definition, references"},
      {"navigate", R"({"action": "get_tree", "max_depth": 11})",
       "navigate get_tree: /max_depth: expected an integer from 1 to 10, got 11\n"
       "It is called as get_tree {\"directory\"?: str, \"max_depth\"?: int (default 3)}"},
      {"file", R"({"action": "delete"})",
       "file delete: /path: expected a string of 1 to 400 characters (required), got nothing\n"
       "It is called as delete {\"path\": str}"},
  };
  ToolBench bench;
  for (const Row& row : rows) {
    CAPTURE(row.args);
    CHECK(bench.refused(row.tool, row.args) == row.text);
  }
}

TEST_CASE("registry: a pipe that git or rg reads does not stop a list or a search") {
  struct Row {
    const char* args;
    const char* text;
  };
  const Row rows[] = {
      {R"({"action": "find_files", "pattern": "*"})",
       "cannot list files: git did nothing for 20 s; is a .gitignore a pipe? remove it"},
      {R"({"action": "grep", "pattern": "x"})",
       "the search did nothing for 20 s; is a .gitignore a pipe? remove it"},
  };
  for (const Row& row : rows) {
    World world(World::Files{{"/w/a", "x"}});
    world.processes.installed = {"git"};
    world.processes.answer = [](const Command& command) -> Result<ProcessResult> {
      CHECK(command.idle_timeout_s == 20);
      if (git_subcommand(command.argv) == "rev-parse") return ProcessResult{.out = "true\n"};
      return ProcessResult{.exit_code = 143, .timed_out = true, .idle_s = 20};
    };
    const auto result =
        world.registry.run({"call-1", "search", *parse_json(row.args)}, 1000, world.context);
    REQUIRE(result.ok());
    CHECK_FALSE(result->ok);
    CHECK(result->text == row.text);
  }
}

TEST_CASE("registry: a name the model made up is quoted back shortened") {
  ToolBench bench;
  const std::string text = bench.refused(std::string(5000, 'x'), "{}");
  CHECK(text.starts_with("there is no tool '" + std::string(80, 'x') + "'"));
  CHECK(text.size() < 250);
}

TEST_CASE("registry: a long result is cut, and the whole can be recalled") {
  ToolBench bench;
  std::string text;
  for (int i = 1; i <= 400; ++i) text += "line " + std::to_string(i) + "\n";
  bench.put("long.txt", text);
  const ToolResult cut = bench.run("file", R"({"action": "read", "path": "long.txt"})", 600);
  CHECK(cut.ok);
  CHECK(cut.text.size() <= 600);
  CHECK(cut.text.starts_with("long.txt (lines 1-400 of 400)\n1\tline 1\n"));
  CHECK(cut.text.find(" bytes left out; context recall returns it as out-1 ...]\n") !=
        std::string::npos);
  CHECK(cut.text.ends_with("400\tline 400\n"));
  CHECK(bench
            .ok("context",
                R"({"action": "recall", "id": "out-1", "start_line": 200, "end_line": 200})")
            .ends_with("199\tline 199\n"));
  // The manifest's limit applies as well.
  const ToolResult whole = bench.run("file", R"({"action": "read", "path": "long.txt"})");
  CHECK(whole.text.size() > 5000);
}

TEST_CASE("registry: results are printable and do not name the machine's folders") {
  ToolBench bench;
  bench.put("a.txt", "escape \x1b[31m red\n");
  CHECK(bench.ok("file", R"({"action": "read", "path": "a.txt"})") ==
        "a.txt (lines 1-1 of 1; control characters are shown as U+FFFD)\n1\tescape "
        "\xEF\xBF\xBD[31m red\n");
  bench.put("b.txt", "see " + bench.path("a.txt") + " there\n");
  CHECK(bench.ok("file", R"({"action": "read", "path": "b.txt"})") ==
        "b.txt (lines 1-1 of 1)\n1\tsee a.txt there\n");
}

TEST_CASE("registry: overrides replace embedded files") {
  FakeFileSystem files;
  files.files["/p/tools/navigate.md"] = "My own words.\n";
  const auto registry = Registry::open(files, "/p/tools");
  REQUIRE_MESSAGE(registry.ok(), (registry.ok() ? "" : registry.error().message));
  CHECK(registry->find("navigate")->description == "My own words.");
  CHECK(registry->find("navigate")->actions.size() == 5);
  CHECK(Registry::open(files, "/p/none").ok());
}

TEST_CASE("registry: a manifest's time limit applies to the programs of a call") {
  FakeFileSystem files;
  files.files["/w/a.txt"] = "";
  files.files["/p/bash.json"] =
      R"({"name": "bash", "timeout_s": 7, "actions": [{"name": "run", "about": "x", "permission": "execute",
         "parameters": {"command": {"type": "string"}}, "required": ["command"],
         "examples": [{"action": "run", "command": "x"}]}]})";
  const auto tree = WorkTree::open(files, "/w");
  REQUIRE(tree.ok());
  auto registry = Registry::open(files, "/p");
  REQUIRE_MESSAGE(registry.ok(), (registry.ok() ? "" : registry.error().message));
  NoteStore notes(files, "/notes");
  FakeProcessRunner processes;
  const Environment environment;
  const CancelToken cancel;
  ToolContext context{*tree, processes, processes, notes, environment, cancel};
  const Json args = {{"action", "run"}, {"command", "x"}};
  REQUIRE(registry->run(ToolCall{"call-1", "bash", args}, 1000, context).ok());
  REQUIRE(processes.commands.size() == 1);
  CHECK(processes.commands[0].timeout_s == 7);
}

TEST_CASE("registry: overrides that cannot be are errors") {
  struct Row {
    const char* name;
    const char* bytes;
    const char* error;
  };
  const Row rows[] = {
      {"serach.md", "x",
       "/p/serach.md: there is no tool 'serach' (did you mean 'search'?); there is: bash, "
       "code_edit, context, file, git, github, navigate, search, test"},
      {"search.txt", "x", "/p/search.txt: expected a file NAME.json or NAME.md"},
      {"search.md", "", "tools/search.json: search.md is missing or empty"},
      {"search.json", "{",
       "/p/search.json:1:2: syntax error while parsing object key - unexpected end of input; "
       "expected string literal"},
      {"search.json",
       R"({"name": "find", "actions": [{"name": "grep", "about": "x", "permission": "read"}]})",
       "/p/search.json: name: expected 'search', as the file is called, got 'find'"},
      {"search.json",
       R"({"name": "search", "actions": [{"name": "gerp", "about": "x", "permission": "read"}]})",
       "/p/search.json: search has no action 'gerp' (did you mean 'grep'?); it has: grep, "
       "find_files, find_in_file, find_definition, references"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.bytes);
    FakeFileSystem files;
    files.files[std::string("/p/") + row.name] = row.bytes;
    const auto registry = Registry::open(files, "/p");
    REQUIRE(!registry.ok());
    CHECK(registry.error().kind == ErrorKind::kConfig);
    CHECK(registry.error().message == row.error);
  }
}

TEST_CASE("registry: a secret is masked in results, and its mask is not written over it") {
  World world(World::Files{{"/w/.env", "KEY=s3cret-value\n"}});
  auto& files = world.files.files;
  SecretMask secrets;
  secrets.add_env_file(".env", files["/w/.env"]);
  world.context.secrets = &secrets;
  const auto run = [&](Json args) {
    const auto result =
        world.registry.run(ToolCall{"c", "file", std::move(args)}, 1000, world.context);
    REQUIRE(result.ok());
    return *result;
  };
  const ToolResult read = run({{"action", "read"}, {"path", ".env"}});
  CHECK(read.ok);
  CHECK(read.text.find("KEY=[masked: KEY of .env]") != std::string::npos);
  const ToolResult written =
      run({{"action", "write"}, {"path", ".env"}, {"content", "KEY=[masked: KEY of .env]\nA=1\n"}});
  CHECK_FALSE(written.ok);
  CHECK(written.text.find("leave its line unchanged") != std::string::npos);
  CHECK(files["/w/.env"] == "KEY=s3cret-value\n");
  CHECK(run({{"action", "append"}, {"path", ".env"}, {"content", "A=1\n"}}).ok);
  CHECK(files["/w/.env"] == "KEY=s3cret-value\nA=1\n");
}

TEST_CASE("registry: an output that cannot be kept stops the job") {
  World world({{"/w/a.txt", std::string(5000, 'x') + "\n"}});
  world.files.fail_writes_with = "No space left on device";
  const auto result = world.registry.run(
      ToolCall{"call-1", "file", Json{{"action", "read"}, {"path", "a.txt"}}}, 100, world.context);
  REQUIRE(!result.ok());
  CHECK(result.error().message.starts_with("cannot keep a long output: /notes"));
  CHECK(result.error().message.ends_with("No space left on device"));
}

}  // namespace pedro
