// What the README shows is what is printed.
#include "base/text.h"
#include "cli/program.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

const std::string kTree = PEDROCLI_SOURCE;

/// The lines of the README's first block of code.
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

}  // namespace

TEST_CASE("readme: the run it shows is the recorded session's") {
  const RealFileSystem files;
  const auto readme = files.read(kTree + "/README.md", 1 << 20);
  REQUIRE(readme.ok());
  const std::vector<std::string> lines = shown_lines(*readme);
  REQUIRE(lines.size() > 20);

  Program program;
  std::filesystem::copy(kTree + "/examples/inventory", program.project(),
                        std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(program.project() + "/build");
  program.git({"init", "-q", "-b", "main"});
  program.git({"add", "-A"});
  // The same commit as in the recording.
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
