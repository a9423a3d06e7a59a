// Checks that the reference pages are the program's, and runs the examples of every command.
#include <set>

#include "cli/manual_world.h"
#include "example.h"
#include "exit_code_text.h"
#include "job/exit_code.h"
#include "job/journal.h"

namespace pedro {
namespace {

struct NotRun {
  std::string_view command;
  std::string_view reason;
};

// Their examples are parsed only, with -help.
constexpr NotRun kNotRun[] = {
    {"pedrocli doctor", "needs a server"},
    {"pedrocli batch ", "needs a server"},
    {"pedrocli mcp tools memory", "needs an MCP server"},
    {"pedrocli mcp test memory", "needs an MCP server"},
    {"pedrocli mcp call", "needs an MCP server"},
    {"pedrocli mcp resources", "needs an MCP server"},
    {"pedrocli mcp read", "needs an MCP server"},
    {"pedrocli mcp prompt", "needs an MCP server"},
    {"pedrocli mcp log", "needs an MCP server"},
    {"pedrocli models", "needs a server"},
    {"pedrocli serve", "starts a server"},
    {"pedrocli format learn", "needs a server"},
    {"pedrocli eval toolcalls", "needs a server"},
    {"pedrocli eval tasks", "needs a server"},
    {"pedrocli eval diff", "needs two records of a model"},
    {"pedrocli tokens compare -a qwen2.5", "needs a server"},
    {"pedrocli resume", "needs a stopped job"},
    {"pedrocli cancel", "needs a running job"},
    {"pedrocli acp", "serves an editor until its input ends"},
    {"pedrocli mcp-serve", "serves an agent until its input ends"},
    {"pedrocli tell", "needs a running job"},
    {"pedrocli plan", "needs a job that stopped after its plan"},
    {"cat plan.json | pedrocli plan", "needs a job that stopped after its plan"},
    {"git diff | pedrocli tell", "needs a running job"},
    {"pedrocli rm", "removes the job of the other examples"},
    {"pedrocli undo 7f3a -to 3", "needs a job of three rounds"},
    {"pedrocli review -staged", "needs staged changes, which a job refuses"},
    {"pedrocli format render -format mistral-v3 -ids", "needs that family's vocabulary"},
    {"pedrocli vocab verify", "needs published vocabularies"},
    {"pedrocli run locate", "needs the agent of a guide, whose test runs it"},
    {"pedrocli vocab add", "needs a model's file"},
    {"pedrocli sandbox -allow-net", "needs npm"},
    {"echo '{\"action\": ' | pedrocli tokens show -vocab model.gguf", "needs a model's file"},
};

struct Answer {
  std::string_view line;
  int exit_code;
};

// Examples that show a negative answer.
constexpr Answer kAnswers[] = {
    {"echo 'root ::= \"a\" rest' | pedrocli grammar check -", 1},
    {"printf '{\"age\": 4' | pedrocli grammar match person.gbnf -", 1},
    {"pedrocli sandbox -- make test", 2},  // of make: the job's fix is on its branch
};

int exit_code_of(std::string_view line) {
  const auto row = std::find_if(std::begin(kAnswers), std::end(kAnswers),
                                [&](const Answer& answer) { return answer.line == line; });
  return row == std::end(kAnswers) ? 0 : row->exit_code;
}

bool is_run(std::string_view line) {
  return std::none_of(std::begin(kNotRun), std::end(kNotRun),
                      [&](const NotRun& row) { return line.starts_with(row.command); });
}

bool starts_agent(std::string_view command) {
  const std::set<std::string_view> agents = {"ask",    "build",  "blog", "debug",
                                             "review", "triage", "run"};
  return agents.contains(command);
}

// The line for a test: of the world's job, and without a model.
std::string testable(const Example& example, const std::string& job) {
  std::string line = replace_all(example.line, "7f3a", job.substr(job.size() - 4));
  line = replace_all(line, "9c01", job.substr(job.size() - 4));
  const bool is_dry = line.find("-dry-run") != line.npos;
  // Words after "--" are not flags.
  if (!is_run(example.line)) line.insert(std::min(line.find(" -- "), line.size()), " -help");
  return starts_agent(example.command) && !is_dry ? line + " -dry-run" : line;
}

}  // namespace

TEST_CASE("manual: the reference pages are those of the program") {
  Program program;
  REQUIRE(program.run({"docs", program.folder.at("manual")}).exit_code == 0);
  const auto pages = program.files_below("manual/reference");
  CHECK(pages.size() == 4);
  for (const auto& [path, text] : pages) {
    const std::string name = path.substr(path.rfind('/') + 1);
    CAPTURE(name);
    const auto committed =
        RealFileSystem().read(PEDROCLI_SOURCE "/docs/reference/" + name, 1u << 20);
    REQUIRE(committed.ok());
    // To fix it, run `pedrocli docs docs` and remove docs/man and docs/completions.
    CHECK((*committed == text));
  }
}

TEST_CASE("manual: every command has a man page and two examples that use it") {
  Program program;
  REQUIRE(program.run({"docs", program.folder.at("manual")}).exit_code == 0);
  std::set<std::string> pages;
  for (const auto& [path, text] : program.files_below("manual/man")) {
    const std::string name = path.substr(path.rfind('/') + 1);
    CAPTURE(name);
    // CLI11's names of types.
    CHECK(text.find("\\fIINT\\fR") == std::string::npos);
    CHECK(text.find("\\fIFLOAT\\fR") == std::string::npos);
    pages.insert(name);
  }
  CHECK(pages.size() > 50);
  std::set<std::string> expected;
  for (const Example& example : all_examples()) {
    const std::string name =
        example.command.empty() ? "pedrocli" : "pedrocli " + std::string(example.command);
    CAPTURE(name);
    CHECK(example.line.find(name) != std::string_view::npos);
    CHECK(examples_of(example.command).size() >= 2);
    expected.insert(replace_all(name, " ", "-") + ".1");
  }
  CHECK(pages == expected);
}

TEST_CASE("manual: man finds no fault in the pages") {
  Program program;
  REQUIRE(program.run({"docs", program.folder.at("manual")}).exit_code == 0);
  for (const auto& [path, text] : program.files_below("manual/man")) {
    Command command{.argv = {"groff", "-Kutf8", "-man", "-ww", "-Tutf8", "-z", path}};
    const auto result = program.processes.run(command, program.cancel);
    if (!result) {
      MESSAGE("SKIPPED: needs groff");
      return;
    }
    CHECK(result->out + result->err == "");
  }
}

TEST_CASE("manual: the examples run") {
  ManualWorld world;
  const std::string job = world.job();
  REQUIRE(job.size() > 4);
  int ran = 0;
  for (const Example& example : all_examples()) {
    if (example.command.empty()) continue;
    const std::string line = testable(example, job);
    CAPTURE(line);
    const ProcessResult result = world.shell(line);
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(result.exit_code == exit_code_of(example.line));
    ran += is_run(example.line);
  }
  CHECK(ran > 60);
}

TEST_CASE("manual: the exit codes are all documented") {
  std::set<std::string> codes;
  for (const ExitCodeText& row : exit_code_texts()) codes.emplace(row.code);
  for (int code = kExitDone; code <= kExitBlocked; ++code) {
    CHECK(codes.erase(std::to_string(code)) == 1);
  }
  CHECK(codes == std::set<std::string>{std::to_string(kExitAgain), "128 + N"});
}

TEST_CASE("manual: the journal has no events and fields but the documented ones") {
  ManualWorld world;
  const auto check = [](const Json& entry, std::span<const JournalEvent> rows, const char* common) {
    const std::string type = text_of(entry, "type");
    CAPTURE(type);
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const JournalEvent& one) { return one.type == type; });
    REQUIRE(row != rows.end());
    for (const auto& [field, value] : entry.items()) {
      CAPTURE(field);
      const std::string quoted = "`" + field + "`";
      CHECK((field == "type" || field == common || row->fields.find(quoted) != row->fields.npos));
    }
  };
  std::set<std::string> seen;
  const std::string journal = world.run({"logs", "-json"}).out;
  for (const std::string_view line : split_lines(journal)) {
    const Json event = *parse_json(line);
    check(event, journal_events(), "ts");
    if (event.contains("item")) check(event["item"], journal_items(), "id");
    seen.insert(text_of(event, "type"));
  }
  CHECK(seen.size() > 8);
}

}  // namespace pedro
