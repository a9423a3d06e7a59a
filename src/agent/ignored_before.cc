#include "agent/ignored_before.h"

#include <fmt/format.h>

#include <map>

#include "base/text.h"
#include "sys/scratch_folder.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

// A path that is always ignored: git exits with 1 if it ignores none.
constexpr const char* kIgnoredFolder = ".pedrocli-ignored";
// Before each path, since git takes ":" at the begin for a pattern, and a quote for a quoted path.
constexpr std::string_view kHere = "./";
constexpr std::pair<const char*, const char*> kWithPatterns = {"GIT_LITERAL_PATHSPECS", "0"};

// Writes the `.gitignore` files of an index to a folder.
Status write_rules(const GitRunner& git, const std::string& index, const std::string& folder) {
  PEDRO_TRY(const std::string listed,
            git.run({"-c", "core.quotepath=on", "ls-files", "--", ":(glob)**/.gitignore"},
                    {.index = index, .environment = {kWithPatterns}}));
  if (!listed.empty()) {
    PEDRO_RETURN_IF_ERROR(
        git.run({"checkout-index", "--force", "--stdin", "--prefix=" + folder + "/"},
                {.input = listed, .index = index}));
  }
  const std::string own = join_path(folder, kIgnoredFolder);
  PEDRO_RETURN_IF_ERROR(git.files().make_folders(own, 0700));
  return git.files().write_atomic(join_path(own, ".gitignore"), "*\n", 0600);
}

}  // namespace

Result<std::set<std::string>> ignored_before(const GitRunner& git, const std::string& index,
                                             const std::vector<std::string>& paths) {
  PEDRO_TRY(const ScratchFolder rules, ScratchFolder::make_outside(git.root(), ""));
  PEDRO_RETURN_IF_ERROR(write_rules(git, index, rules.path()));
  std::string names = fmt::format("{}{}/any\n", kHere, kIgnoredFolder);
  for (const std::string& path : paths) {
    if (path.find('\n') == path.npos) names += fmt::format("{}{}\n", kHere, path);
  }
  PEDRO_TRY(const std::string found,
            git.run({"-c", "core.quotepath=on", "check-ignore", "--stdin"},
                    {.input = names,
                     .index = index,
                     .environment = {kWithPatterns, {"GIT_WORK_TREE", rules.path()}}}));
  std::set<std::string> ignored;
  for (const std::string_view line : split_lines(found)) {
    const auto path = unquoted_path(line);
    if (path && path->starts_with(kHere)) ignored.insert(path->substr(kHere.size()));
  }
  return ignored;
}

}  // namespace pedro
