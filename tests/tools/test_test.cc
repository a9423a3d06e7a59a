#include "tools/checks.h"
#include "tools/command_bench.h"

using namespace pedro;

TEST_CASE("test: all checks, as detected") {
  CommandBench bench(make_test_tool());
  CHECK(bench.run("run", "{}").text == "no checks are known for this project: use bash");
  bench.folder.put("Makefile", "test:\n\t@echo running\n");
  const ToolResult good = bench.run("run", "{}");
  CHECK(good.ok);
  CHECK(good.text == "passed: make test\n");
  bench.folder.put("Makefile", "test:\n\t@echo a.c:3: error: broken; exit 1\n");
  const ToolResult bad = bench.run("run", "{}");
  CHECK_FALSE(bad.ok);
  CHECK(bad.text.starts_with("FAILED: make test\na.c:3: error: broken\n"));
  CHECK(bad.text.ends_with("[exit 2]"));
}

TEST_CASE("test: the checks in force come before those detected") {
  CommandBench bench(make_test_tool());
  bench.folder.put("Makefile", "test:\n\tfalse\n");
  const std::vector<Check> checks = {{"test", "echo ours", "-test-cmd"}};
  bench.checks = &checks;
  CHECK(bench.run("run", "{}").text == "passed: echo ours\n");
}

TEST_CASE("test: a file has to be one of the tree") {
  CommandBench bench(make_test_tool());
  bench.folder.put("Cargo.toml", "");
  CHECK(bench.run("run", R"({"file": "tests/a.rs"})").text == "no such file: tests/a.rs");
  CHECK_FALSE(bench.run("run", R"({"file": "../a.rs"})").ok);
}

TEST_CASE("test: a single case is run by the project's runner, and its output goes back") {
  CommandBench bench(make_test_tool());
  bench.folder.put("Cargo.toml", "");
  bench.folder.put("tests/it.rs", "");
  bench.fake = std::make_unique<FakeProcessRunner>();
  bench.fake->answer = [](const Command&) {
    ProcessResult result;
    result.exit_code = 101;
    result.out = "test x ... FAILED\n";
    return result;
  };
  const ToolResult result = bench.run("run", R"({"file": "./tests/it.rs", "case": "x"})");
  CHECK_FALSE(result.ok);
  CHECK(result.text == "test x ... FAILED\n[exit 101]");
  REQUIRE(bench.fake->commands.size() == 1);
  CHECK(bench.fake->commands[0].argv ==
        std::vector<std::string>{"sh", "-c", "cargo test --no-fail-fast --test 'it' 'x'"});
}
