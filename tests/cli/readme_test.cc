// Checks that the output in the README is the actual output.
#include "base/text.h"
#include "cli/program.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

const std::string kTree = PEDROCLI_SOURCE;

/// The lines of the README's first code block.
std::vector<std::string> shown_lines(const std::string& readme) {
  const std::size_t begin = readme.find("```\n") + 4;
  const std::string_view block =
      std::string_view(readme).substr(begin, readme.find("```", begin) - begin);
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(block)) {
    if (!line.empty() && !line.starts_with("$ ")) lines.emplace_back(line);
  }
  return lines;
}

/// The texts of the program in its sources. Joins string literals that continue on the next line.
std::string said_texts() {
  const RealFileSystem files;
  std::string all;
  for (const char* folder : {"/src", "/cmd", "/prompts"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kTree + folder)) {
      if (!entry.is_regular_file()) continue;
      const auto text = files.read(entry.path().string(), 4 << 20);
      REQUIRE(text.ok());
      all += *text;
    }
  }
  std::string joined;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t next = all[i] == '"' ? all.find_first_not_of(" \n", i + 1) : all.npos;
    if (next != all.npos && all[next] == '"' && all[i + 1] == '\n') {
      i = next;  // the literal continues
    } else {
      joined += all[i];
    }
  }
  return joined;
}

}  // namespace

TEST_CASE("troubleshooting: each message quoted on the page exists in the program") {
  const RealFileSystem files;
  const auto page = files.read(kTree + "/docs/troubleshooting.md", 1 << 20);
  REQUIRE(page.ok());
  const std::string said = said_texts();
  int checked = 0;
  for (const std::string_view line : split_lines(*page)) {
    const std::size_t end = line.find("` |");
    if (!line.starts_with("| `") || end == line.npos) continue;
    std::string cell(line.substr(3, end - 3));
    for (const char* value : {" N ", " M ", "N ", " N", " M", "…"})
      cell = replace_all(cell, value, "\n");
    for (const std::string_view piece : split_lines(cell)) {
      if (trim(piece).size() < 4) continue;
      CAPTURE(piece);
      CHECK(said.find(trim(piece)) != std::string::npos);
      ++checked;
    }
  }
  CHECK(checked > 12);
}

TEST_CASE("readme: the run it shows is the recorded session's") {
  const RealFileSystem files;
  const auto readme = files.read(kTree + "/README.md", 1 << 20);
  REQUIRE(readme.ok());
  const std::vector<std::string> lines = shown_lines(*readme);
  REQUIRE(lines.size() > 10);

  Program program;
  program.extra_environment["PEDROCLI_MODEL_PHASES"] = "auto";
  std::filesystem::copy(kTree + "/examples/inventory", program.project(),
                        std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(program.project() + "/build");
  program.git({"init", "-q", "-b", "main"});
  program.git({"add", "-A"});
  // Creates the same commit as in the recording.
  Command commit{
      .argv = {"git", "-c", "user.name=The workshop", "-c", "user.email=workshop@localhost",
               "commit", "-q", "-m", "inventory: stock, deliveries and the reorder list"},
      .folder = program.project()};
  commit.environment = program.environment();
  for (const char* date : {"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"}) {
    commit.environment[date] = "2024-01-01T12:00:00Z";
  }
  REQUIRE(program.processes.run(commit, program.cancel)->ok());
  const ProcessResult result =
      program.run({"build", "-issue", "1", "-replay", kTree + "/examples/inventory.session.jsonl"});
  CHECK(result.exit_code == 0);
  const std::string printed = "\n" + result.err + result.out;
  CAPTURE(printed);
  std::size_t at = 0;
  for (const std::string& line : lines) {
    at = printed.find("\n" + line + "\n", at);
    REQUIRE_MESSAGE(at != std::string::npos, line);
  }
}

}  // namespace pedro
