// Runs every command in the guide: the blocks fenced as "sh", page by page, in a scratch project.
// Words after "sh" say why a block is not run, or which exit code it has: "exit-1".
#include <algorithm>
#include <filesystem>
#include <optional>

#include "cli/manual_world.h"

namespace pedro {
namespace {

constexpr std::string_view kReasons[] = {
    "needs-server",      // a real model server
    "needs-model-file",  // a file of weights
    "needs-root",        // installs packages
    "needs-jq",          // a program that the tests do not require
    "needs-build",       // compiles pedrocli
};

struct Block {
  std::string words;  // after "sh"
  std::string script;
};

// `fence`: the line that opens a block. Nothing if it is not a block for a shell.
std::optional<std::string> words_of(std::string_view fence) {
  const std::string_view info = trim(fence.substr(3));
  if (info != "sh" && !info.starts_with("sh ")) return std::nullopt;
  return std::string(trim(info.substr(2)));
}

std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> blocks;
  bool in_block = false;
  bool is_shell = false;
  for (const std::string_view line : split_lines(page)) {
    if (line.starts_with("```")) {
      in_block = !in_block;
      const auto words = in_block ? words_of(line) : std::nullopt;
      is_shell = words.has_value();
      if (is_shell) blocks.push_back({*words, ""});
    } else if (in_block && is_shell) {
      blocks.back().script += std::string(line) + "\n";
    }
  }
  return blocks;
}

// Runs a block, unless its fence has a reason. Returns true if it ran.
bool run_block(ManualWorld& world, const Block& block) {
  CAPTURE(block.words);
  const bool has_reason = std::count(std::begin(kReasons), std::end(kReasons), block.words) > 0;
  if (has_reason) return false;
  REQUIRE((block.words.empty() || block.words == "exit-1"));
  std::string script = block.script;
  if (script.find("BRANCH") != script.npos) {
    script = replace_all(script, "BRANCH", world.job_branch());
  }
  CAPTURE(script);
  const ProcessResult result = world.shell(script);
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.exit_code == (block.words.empty() ? 0 : 1));
  return true;
}

}  // namespace

TEST_CASE("guide: every command runs, or its fence has the reason") {
  int ran = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PEDROCLI_SOURCE "/docs/guide")) {
    const std::string path = entry.path().string();
    CAPTURE(path);
    const auto page = RealFileSystem().read(path, 1u << 20);
    REQUIRE(page.ok());
    const std::vector<Block> blocks = blocks_of(*page);
    if (blocks.empty()) continue;
    ManualWorld world;
    for (const Block& block : blocks) ran += run_block(world, block);
  }
  CHECK(ran > 20);
}

}  // namespace pedro
