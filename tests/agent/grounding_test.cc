#include "agent/grounding.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "agent/forwarding_tool.h"
#include "agent/tool_world.h"
#include "gbnf/match.h"
#include "json_schema/validate.h"

using namespace pedro;

namespace {

// A project with three files, and a phase that allows everything.
struct GroundingBench : ToolWorld {
  explicit GroundingBench(Grounding::Changes changes = nullptr)
      : grounding(registry, tools, std::move(changes)) {
    put("src/a.cc", "int a;\nint b;\n");
    put("src/b.cc", "x\n");
    put("README.md", "read\n");
    phase.name = "implement";
    phase.tools = {"file", "code_edit", "search", "bash"};
    phase.allow = {Permission::kRead, Permission::kWrite, Permission::kExecute};
    phase.evidence = Evidence::kChange;
    phase.max_rounds = 10;
    phase.output_schema_json = *parse_json(
        R"({"type": "object", "properties": {"file": {"type": "string", "x-names": "file"}}})");
    phase.output_schema = *parse_schema(phase.output_schema_json, SchemaDialect::kClosed);
  }

  void put(const std::string& path, std::string_view text) {
    REQUIRE(files.make_folders(folder.path() + "/src", 0755).ok());
    REQUIRE(files.write_atomic(folder.path() + "/" + path, text, 0644).ok());
  }

  // Returns true if a reply may be this call.
  bool offers(const std::string& call, int round = 1) {
    const ToolSet set(registry, phase, feedback, ToolStyle::kDescribed);
    const auto calls = grounding.calls(set, phase.max_rounds - round + 1);
    REQUIRE(calls.ok());
    const Gbnf grammar = tool_call_grammar(*calls);
    const bool in_grammar = *matches(grammar, call);
    const Json json = *parse_json(call);
    const bool is_valid = std::any_of(calls->begin(), calls->end(), [&](const CallBranch& branch) {
      return branch.tool == text_of(json, "tool") &&
             !validate(*branch.args, member(json, "args")).has_value();
    });
    CHECK(in_grammar == is_valid);
    return in_grammar;
  }

  void run(const char* tool, const char* args, ToolResult result) {
    grounding.record({"1", tool, *parse_json(args)}, result);
  }

  Registry registry = std::move(*Registry::open(files, ""));
  Feedback feedback = *Feedback::load(*PromptLibrary::open(files, ""));
  Phase phase;
  Grounding grounding;
};

std::string call(const std::string& tool, const std::string& args) {
  return R"({"tool": ")" + tool + R"(", "args": )" + args + "}";
}

const std::string kEnd = call("phase_complete", R"({"file": "src/a.cc"})");

std::string replace(const std::string& path, const std::string& old) {
  return call("file", R"({"action": "replace", "path": ")" + path + R"(", "old": ")" + old +
                          R"(", "new": "y"})");
}

}  // namespace

TEST_CASE("grounding: paths are files and folders that exist") {
  GroundingBench bench;
  bench.grounding.begin_phase(bench.phase);
  CHECK(bench.offers(call("file", R"({"action": "read", "path": "src/a.cc"})")));
  CHECK(!bench.offers(call("file", R"({"action": "read", "path": "src/c.cc"})")));
  CHECK(!bench.offers(call("file", R"({"action": "read", "path": "src"})")));
  CHECK(bench.offers(call("search", R"({"action": "grep", "pattern": "x", "directory": "src"})")));
  CHECK(!bench.offers(call("search", R"({"action": "grep", "pattern": "x", "directory": "lib"})")));
  CHECK(bench.offers(call("file", R"({"action": "write", "path": "src/new.cc", "content": ""})")));
  CHECK(bench.offers(call("file", R"({"action": "write", "path": "new/a.cc", "content": ""})")));
  CHECK(!bench.offers(call("file", R"({"action": "write", "path": "a/b/c.cc", "content": ""})")));
}

TEST_CASE("grounding: a file is edited once it was seen, by its own lines") {
  GroundingBench bench;
  bench.grounding.begin_phase(bench.phase);
  CHECK(!bench.offers(replace("src/a.cc", "int a;")));
  bench.run("file", R"({"action": "read", "path": "src/a.cc"})", {true, "text", {}});
  CHECK(bench.offers(replace("src/a.cc", "int a;")));
  CHECK(bench.offers(replace("src/a.cc", "int a;\\nint b;")));
  CHECK(!bench.offers(replace("src/a.cc", "int c;")));
  CHECK(!bench.offers(replace("src/b.cc", "x")));
  const auto lines = [](const char* from, const char* to) {
    return call("code_edit", std::string(R"({"action": "delete_lines", "path": "src/a.cc", )") +
                                 R"("start_line": )" + from + R"(, "end_line": )" + to + "}");
  };
  CHECK(bench.offers(lines("1", "2")));
  CHECK(!bench.offers(lines("1", "3")));
  CHECK(!bench.offers(lines("0", "1")));
}

TEST_CASE("grounding: lines are those of the file as it is now") {
  GroundingBench bench;
  bench.grounding.begin_phase(bench.phase);
  bench.run("file", R"({"action": "read", "path": "src/b.cc"})", {true, "x", {}});
  CHECK(bench.offers(replace("src/b.cc", "x")));
  bench.put("src/b.cc", "z\n");
  bench.run("file", R"({"action": "replace", "path": "src/b.cc"})", {true, "ok", {"src/b.cc"}});
  CHECK(!bench.offers(replace("src/b.cc", "x")));
  CHECK(bench.offers(replace("src/b.cc", "z")));
}

TEST_CASE("grounding: a file that a command made can be named") {
  GroundingBench bench;
  bench.grounding.begin_phase(bench.phase);
  const std::string read = call("file", R"({"action": "read", "path": "src/made.cc"})");
  CHECK(!bench.offers(read));
  bench.put("src/made.cc", "made\n");
  bench.run("bash", R"({"action": "run", "command": "make"})", {true, "ok", {}});
  CHECK(bench.offers(read));
}

TEST_CASE("grounding: after a command, changes from the commit tell the files, not a new list") {
  std::vector<ChangedFile> changes = {{"src/b.cc", ChangeKind::kAdded},
                                      {"src/lost.cc", ChangeKind::kDeleted}};
  GroundingBench bench([&] { return Result<std::vector<ChangedFile>>(changes); });
  bench.grounding.begin_phase(bench.phase);
  const auto reads = [&](const std::string& path) {
    return bench.offers(call("file", R"({"action": "read", "path": ")" + path + R"("})"));
  };
  CHECK(reads("src/b.cc"));
  CHECK(!reads("src/lost.cc"));
  changes = {{"README.md", ChangeKind::kDeleted},
             {"src/a.cc", ChangeKind::kModified},
             {"src/made.cc", ChangeKind::kAdded},
             {"src/nested/", ChangeKind::kAdded}};
  bench.put("src/unlisted.cc", "x\n");
  CHECK(!reads("src/made.cc"));
  bench.run("bash", R"({"action": "run", "command": "make"})", {false, "failed", {}});
  CHECK(reads("src/a.cc"));
  CHECK(reads("src/lost.cc"));
  CHECK(reads("src/made.cc"));
  CHECK(!reads("README.md"));
  CHECK(!reads("src/b.cc"));
  CHECK(!reads("src/nested/"));
  CHECK(!reads("src/unlisted.cc"));
}

TEST_CASE("grounding: a definition is looked up by a name that a file defines") {
  GroundingBench bench;
  if (bench.processes.find("ctags").empty()) {
    MESSAGE("skipped: ctags is missing");
    return;
  }
  const auto find = [](const std::string& name) {
    return call("search", R"({"action": "find_definition", "name": ")" + name + R"("})");
  };
  bench.put("src/p.cc", "struct Parser { int next() { return 1; } };\n");
  bench.put("src/zone.zig", "fn start() void {}\n");
  bench.grounding.begin_phase(bench.phase);
  CHECK(bench.offers(find("Parser")));
  CHECK(bench.offers(find("next")));
  CHECK(bench.offers(find("Parser::next")));
  CHECK(bench.offers(find("a")));
  CHECK(!bench.offers(find("nextt")));
  CHECK(!bench.offers(find("Parser::a")));
  CHECK(!bench.offers(find("later")));
  const auto uses = [](const std::string& args) {
    return call("search", R"({"action": "references", "name": )" + args + "}");
  };
  CHECK(bench.offers(uses(R"("Parser::next")")));
  CHECK(bench.offers(uses(R"("next", "path": "src/p.cc", "line": 1)")));
  CHECK(!bench.offers(uses(R"("nextt")")));
  CHECK(!bench.offers(uses(R"("next", "path": "src/none.cc")")));

  bench.put("src/p.cc", "struct Parser { int later() { return 1; } };\n");
  bench.run("file", R"({"action": "write", "path": "src/p.cc"})", {true, "written", {"src/p.cc"}});
  CHECK(bench.offers(find("later")));
  CHECK(!bench.offers(find("next")));
}

TEST_CASE("grounding: without definitions any name may be looked up") {
  GroundingBench bench;
  bench.put("src/a.cc", "\n");
  bench.put("src/b.cc", "\n");
  bench.grounding.begin_phase(bench.phase);
  CHECK(bench.offers(call("search", R"({"action": "find_definition", "name": "any"})")));
}

TEST_CASE("grounding: a phase may end once its evidence is available") {
  struct Row {
    Evidence evidence;
    const char* done;  // the tool and action that ran, or none
    bool ok;
    bool changes;
    int round;
    bool ends;
  };
  for (const Row& row : {Row{Evidence::kChange, "", true, false, 1, false},
                         Row{Evidence::kChange, "file.write", true, true, 1, true},
                         Row{Evidence::kChange, "bash.run", true, false, 1, false},
                         Row{Evidence::kFailure, "bash.run", true, false, 1, false},
                         Row{Evidence::kFailure, "bash.run", false, false, 1, true},
                         Row{Evidence::kFailure, "bash.run", true, false, 6, true},
                         Row{Evidence::kFailure, "", true, false, 6, false},
                         Row{Evidence::kLook, "", true, false, 1, false},
                         Row{Evidence::kLook, "file.read", true, false, 1, true},
                         Row{Evidence::kLook, "file.read", false, false, 1, false},
                         Row{Evidence::kChecks, "", true, false, 1, true},
                         Row{Evidence::kNone, "", true, false, 1, true}}) {
    CAPTURE(static_cast<int>(row.evidence));
    CAPTURE(row.done);
    GroundingBench bench;
    bench.phase.evidence = row.evidence;
    bench.grounding.begin_phase(bench.phase);
    const std::string done = row.done;
    if (!done.empty()) {
      ToolResult result{row.ok, "text", {}};
      if (row.changes) result.changed = {"src/a.cc"};
      const std::string args =
          R"({"path": "src/a.cc", "action": ")" + done.substr(done.find('.') + 1) + "\"}";
      bench.run(done.substr(0, done.find('.')).c_str(), args.c_str(), result);
    }
    CHECK(bench.offers(kEnd, row.round) == row.ends);
  }
}

TEST_CASE("grounding: a refused end stays out until a tool has acted") {
  GroundingBench bench;
  bench.phase.evidence = Evidence::kChecks;
  bench.grounding.begin_phase(bench.phase);
  CHECK(bench.offers(kEnd));
  bench.grounding.record_refused_finish();
  CHECK(!bench.offers(kEnd));
  bench.run("file", R"({"action": "read", "path": "src/a.cc"})", {true, "text", {}});
  CHECK(!bench.offers(kEnd));
  bench.run("file", R"({"action": "write", "path": "src/a.cc"})", {true, "ok", {"src/a.cc"}});
  CHECK(bench.offers(kEnd));
}

TEST_CASE("grounding: a failed command allows a refused end only if it may be the evidence") {
  for (const Evidence evidence : {Evidence::kFailure, Evidence::kChecks}) {
    CAPTURE(static_cast<int>(evidence));
    GroundingBench bench;
    bench.phase.evidence = evidence;
    bench.grounding.begin_phase(bench.phase);
    const char* run = R"({"action": "run", "command": "make check"})";
    bench.run("bash", run, {false, "[exit 2]", {}});
    CHECK(bench.offers(kEnd));
    bench.grounding.record_refused_finish();
    CHECK(!bench.offers(kEnd));
    bench.run("file", R"({"action": "read", "path": "src/none.cc"})", {false, "none", {}});
    CHECK(!bench.offers(kEnd));
    bench.run("bash", run, {false, "[exit 2]", {}});
    CHECK(bench.offers(kEnd) == (evidence == Evidence::kFailure));
  }
}

TEST_CASE("grounding: checks that failed before the phase keep its end out") {
  GroundingBench bench;
  bench.phase.evidence = Evidence::kChecks;
  bench.phase.skip_when_checks_pass = true;
  bench.grounding.begin_phase(bench.phase);
  CHECK(!bench.offers(kEnd));
}

TEST_CASE("grounding: in its last round a phase can only end") {
  GroundingBench bench;
  bench.phase.evidence = Evidence::kNone;
  bench.grounding.begin_phase(bench.phase);
  const std::string read = call("file", R"({"action": "read", "path": "src/a.cc"})");
  CHECK(bench.offers(read, 9));
  CHECK(!bench.offers(read, 10));
  CHECK(bench.offers(kEnd, 10));
  bench.phase.evidence = Evidence::kChange;  // an end that would be refused is not offered
  bench.grounding.begin_phase(bench.phase);
  CHECK(bench.offers(read, 10));
  CHECK(!bench.offers(kEnd, 10));
}

TEST_CASE("grounding: names that are not UTF-8, and links that lead nowhere, are not offered") {
  GroundingBench bench;
  bench.put("src/\xFF.cc", "x");
  bench.put("src/quote\"d.cc", "x");
  bench.grounding.begin_phase(bench.phase);
  CHECK(bench.offers(call("file", R"({"action": "read", "path": "src/quote\"d.cc"})")));
}

namespace {

std::string call_of(const std::string& tool, const std::string& arguments) {
  return call("mcp",
              R"({"action": "call", "tool": ")" + tool + R"(", "arguments": )" + arguments + "}");
}

}  // namespace

TEST_CASE("grounding: an action calls only tools that were found, with their own arguments") {
  GroundingBench bench;
  add_forwarding_tool(bench.registry);
  bench.phase.tools.emplace_back("mcp");
  bench.phase.offered = {"x_tree"};
  bench.grounding.begin_phase(bench.phase);
  const std::string find = call("mcp", R"({"action": "find", "query": "a"})");
  CHECK(bench.offers(find));
  CHECK(!bench.offers(call_of("x_tree", R"({"root": {}})")));
  ToolResult found;
  found.found = {"x_tree", "x_other"};
  bench.run("mcp", R"({"action": "find", "query": "a"})", found);
  CHECK(bench.offers(find));
  CHECK(bench.offers(call_of("x_tree", R"({"root": {}})")));
  CHECK(bench.offers(call_of("x_tree", R"({"root": {"next": {"next": {}}}})")));
  CHECK(!bench.offers(call_of("x_tree", R"({"root": {"next": 1}})")));
  CHECK(!bench.offers(call_of("x_tree", R"({})")));
  CHECK(!bench.offers(call_of("x_other", R"({"root": {}})")));  // of another phase
  CHECK(!bench.offers(call_of("x_lost", R"({"root": {}})")));
  // A later phase may call it too, if it offers it.
  bench.grounding.begin_phase(bench.phase);
  CHECK(bench.offers(call_of("x_tree", R"({"root": {}})")));
  bench.phase.offered.clear();
  bench.grounding.begin_phase(bench.phase);
  CHECK(!bench.offers(call_of("x_tree", R"({"root": {}})")));
}
