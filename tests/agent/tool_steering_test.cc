#include "agent/tool_steering.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sys/file_system.h"

namespace pedro {
namespace {

// The built-in tools in a phase that allows all of them.
struct ToolSteeringBench {
  ToolSteeringBench() {
    phase.tools = {"search", "file", "code_edit", "test", "context"};
    phase.allow = {Permission::kRead, Permission::kWrite, Permission::kExecute};
    phase.evidence = Evidence::kChange;
  }

  double bias(const std::string& tool) {
    const ToolSet tools(*registry, phase, *feedback, ToolStyle::kDescribed);
    for (const ToolBias& one : steering.biases(phase, tools)) {
      if (one.tool == tool) return one.bias;
    }
    return 0;
  }

  void call(const char* tool, std::string text, bool ok = true, bool changes = false) {
    ToolResult result{ok, std::move(text), {}};
    if (changes) result.changed = {"a.c"};
    steering.record({"1", tool, Json::object()}, result);
  }

  RealFileSystem files;
  Result<Registry> registry = Registry::open(files, "");
  Result<PromptLibrary> library = PromptLibrary::open(files, "");
  Result<Feedback> feedback = Feedback::load(*library);
  Phase phase;
  ToolSteering steering{*registry, {{"search", -2}, {"no such tool", 9}}};
};

}  // namespace

TEST_CASE("tool steering: a tool is encouraged once its prerequisites are met") {
  ToolSteeringBench bench;
  CHECK(bench.bias("file") == 0);
  bench.call("search", "nothing", false);
  CHECK(bench.bias("file") == 0);
  bench.call("search", "a.c:1");
  CHECK(bench.bias("file") == ToolSteering::kReady);
  CHECK(bench.bias("code_edit") == 0);
  bench.call("file", "int main");
  CHECK(bench.bias("code_edit") == ToolSteering::kReady);
  CHECK(bench.bias("test") == 0);
  bench.call("code_edit", "done", true, true);
  CHECK(bench.bias("test") == ToolSteering::kReady);
}

TEST_CASE("tool steering: a tool that brings nothing new is discouraged, more each time") {
  ToolSteeringBench bench;
  bench.call("context", "the note");
  const double once = bench.bias("context");
  bench.call("context", "the note");
  CHECK(bench.bias("context") == once);
  bench.call("context", "the note");
  CHECK(bench.bias("context") == once - 1);
  bench.call("context", "no such note", false);
  CHECK(bench.bias("context") == once - 2);
  for (int i = 0; i < 9; ++i) bench.call("context", "the note");
  CHECK(bench.bias("context") == once + ToolSteering::kMostIdle);
  bench.call("context", "another note");
  CHECK(bench.bias("context") == once);
  bench.call("context", "the note");
  bench.call("context", "the note");
  bench.call("context", "the note");
  CHECK(bench.bias("context") < once);
  bench.steering.begin_phase();
  CHECK(bench.bias("context") == once);
}

TEST_CASE("tool steering: the end of a phase is encouraged once its evidence may be available") {
  ToolSteeringBench bench;
  CHECK(bench.bias("phase_complete") == 0);
  bench.call("code_edit", "done", true, true);
  CHECK(bench.bias("phase_complete") == ToolSteering::kDone);
  bench.phase.evidence = Evidence::kChecks;
  CHECK(bench.bias("phase_complete") == 0);
  bench.call("test", "passed");
  CHECK(bench.bias("phase_complete") == ToolSteering::kDone);
  bench.call("code_edit", "more", true, true);
  CHECK(bench.bias("phase_complete") == 0);
  bench.phase.evidence = Evidence::kNone;
  CHECK(bench.bias("phase_complete") == 0);
}

TEST_CASE("tool steering: the user's biases are added") {
  ToolSteeringBench bench;
  CHECK(bench.bias("search") == -2);
  bench.phase.tools = {"file"};
  CHECK(bench.bias("search") == 0);
}

}  // namespace pedro
