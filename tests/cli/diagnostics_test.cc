// Tests the problems in the results of edits with the real program, and a job that resumes.
#include "cli/program.h"
#include "cli/replies.h"
#include "sys/process.h"

namespace pedro {
namespace {

struct EditWorld : Program {
  EditWorld() {
    folder.write("project/a.sh", "echo one\n");
    folder.write("project/old.json", "{\n  \"a\": ,\n  \"b\": 1\n}\n");
    folder.write("project/Makefile", "test:\n\tgrep -q two a.sh\n");
    extra_environment["PEDROCLI_MODEL_PHASES"] = "short";
    commit_project();
  }
  ProcessResult job(std::vector<std::string> calls) {
    calls.push_back(replace("a.sh", "echo one", "echo two"));
    calls.push_back(kDelivered);
    return run({"build", "-description", "Write two", "-backend", "manual"}, typed(calls));
  }
  static std::string replace(const char* path, const char* old_text, const char* new_text) {
    return call("file",
                {{"action", "replace"}, {"path", path}, {"old", old_text}, {"new", new_text}});
  }
};

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("diagnostics: the result of an edit has the introduced problem only") {
  EditWorld world;
  const ProcessResult result =
      world.job({EditWorld::replace("old.json", "\"b\": 1", "\"b\": 2"),
                 call("file", {{"action", "write"}, {"path", "b.json"}, {"content", "[1,\n"}}),
                 call("file", {{"action", "write"}, {"path", "b.sh"}, {"content", "ls\n)\n"}}),
                 call("file", {{"action", "delete"}, {"path", "b.json"}}),
                 call("file", {{"action", "delete"}, {"path", "b.sh"}})});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK_FALSE(holds(result.err, "old.json:2:"));
  CHECK(holds(result.err, "This edit breaks the syntax:\nb.json:2: "));
  CHECK(holds(result.err, "This edit breaks the syntax:\nb.sh:2: "));
  CHECK(holds(result.err, "To revert, delete the file.\n\nb.sh created"));
}

TEST_CASE("diagnostics: none when they are off") {
  EditWorld world;
  world.folder.write(".pedrocli.json", R"({"diagnostics": {"mode": "off"}})");
  const ProcessResult result =
      world.job({call("file", {{"action", "write"}, {"path", "b.json"}, {"content", "[1,\n"}}),
                 call("file", {{"action", "delete"}, {"path", "b.json"}})});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK_FALSE(holds(result.err, "breaks the syntax"));
}

TEST_CASE("diagnostics: answers of tries are judged by the checks only") {
  EditWorld world;
  world.extra_environment["PEDROCLI_MODEL_TRIES"] = "1";
  world.extra_environment["PEDROCLI_ANSWERS"] =
      R"([{"pattern": "*", "tries": 1, "forms": ["plain"], "phases": false}])";
  const ProcessResult result =
      world.run({"build", "-description", "Write two in a.sh", "-backend", "manual"},
                typed({"a.sh\n```\necho (\n```"}));
  CAPTURE(result.err);
  std::string kept;
  for (const auto& [path, text] : world.files_below("state/pedrocli/jobs")) kept += text;
  CHECK(holds(kept, "a.sh replaced"));
  CHECK_FALSE(holds(kept, "breaks the syntax"));
}

TEST_CASE("diagnostics: a faulty row of the user is an error of the settings") {
  EditWorld world;
  world.folder.write(".pedrocli.json", R"({"diagnostics": {"on_edit": [{"name": "x"}]}})");
  const ProcessResult result = world.job({});
  CHECK(result.exit_code == 3);
  CHECK(holds(result.err, "on_edit: row 1: files: expected a list of patterns"));
}

TEST_CASE("diagnostics: a resumed job has the same results without the checks") {
  EditWorld world;
  const std::string write =
      call("file", {{"action", "write"}, {"path", "b.json"}, {"content", "[1,\n"}});
  const ProcessResult stopped = world.run(
      {"build", "-description", "Write two", "-backend", "manual"}, typed({write, write}));
  CHECK(stopped.exit_code != 0);
  CHECK(holds(stopped.err, "This edit breaks the syntax:\nb.json:2: "));
  world.folder.write(".pedrocli.json", R"({"diagnostics": {"mode": "off"}})");
  // A different prompt would be an error of the log.
  const ProcessResult resumed = world.run(
      {"resume"}, typed({call("file", {{"action", "delete"}, {"path", "b.json"}}),
                         EditWorld::replace("a.sh", "echo one", "echo two"), kDelivered}));
  CAPTURE(resumed.err);
  CHECK(resumed.exit_code == 0);
}

TEST_CASE("diagnostics: clangd runs in the sandbox of a job") {
  if (RealProcessRunner().find("clangd").empty()) {
    MESSAGE("not installed: clangd");
    return;
  }
  EditWorld world;
  world.folder.write("project/compile_flags.txt", "-std=c++20\n");
  world.folder.write("project/a.cc", "int f() { return missing; }\nint g() { return 1; }\n");
  world.commit_project();
  const auto edit = [](const char* old_text, const char* new_text) {
    return EditWorld::replace("a.cc", old_text, new_text);
  };
  const ProcessResult result =
      world.job({edit("return 1", "return 2"), edit("return 2", "return 3"),
                 call("search", {{"action", "references"}, {"name", "g"}}),
                 edit("return 3", "return three"), edit("return three", "return 4")});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(holds(result.err, "This edit introduces:\na.cc:2: "));
  CHECK(holds(result.err, "'g', as clangd understands the code:\nDefinitions:\na.cc:2: int g()"));
  CHECK_FALSE(holds(result.err, "a.cc:1: "));
  CHECK_FALSE(holds(result.err, "is not used again"));
}

}  // namespace pedro
