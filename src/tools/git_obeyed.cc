#include "tools/git_obeyed.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/text.h"
#include "sys/file_system.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxListingBytes = 4u << 20;

// Settings whose values name programs or files that git uses.
constexpr std::string_view kUsedKeys[] = {"core.fsmonitor",      "core.editor",
                                          "core.pager",          "core.sshcommand",
                                          "core.askpass",        "core.gitproxy",
                                          "core.worktree",       "core.excludesfile",
                                          "core.attributesfile", "core.alternaterefscommand",
                                          "sequence.editor",     "gpg.ssh.defaultkeycommand",
                                          "diff.external",       "interactive.difffilter"};
constexpr std::string_view kUsedEnds[] = {".clean",    ".smudge",  ".process", ".command",
                                          ".driver",   ".helper",  ".cmd",     ".uploadpack",
                                          ".textconv", ".program", ".path",    ".receivepack"};

bool is_used(std::string_view key) {
  return std::find(std::begin(kUsedKeys), std::end(kUsedKeys), key) != std::end(kUsedKeys) ||
         std::any_of(std::begin(kUsedEnds), std::end(kUsedEnds),
                     [key](std::string_view end) { return key.ends_with(end); }) ||
         key.starts_with("alias.") || key.starts_with("pager.");
}

bool is_include_key(std::string_view key) {
  return key == "include.path" || (key.starts_with("includeif.") && key.ends_with(".path"));
}

// Returns the output lines of a git command. If `optional`, a failure yields an empty list.
Result<std::vector<std::string>> listed(Command command, bool optional, ProcessRunner& processes,
                                        const CancelToken& cancel) {
  command.max_output_bytes = kMaxListingBytes;
  PEDRO_TRY(const auto result, processes.run(command, cancel));
  if (!result.ok() || result.out_cut) {
    if (optional) return std::vector<std::string>();
    return usage_error("git's configuration cannot be listed: " + std::string(trim(result.err)));
  }
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(result.out)) lines.emplace_back(line);
  return lines;
}

// Collects the paths of one repository.
class ObeyedPaths {
 public:
  ObeyedPaths(const std::string& root, const FileSystem& files) : root_(root), files_(files) {}

  /// Adds a line of `git config --list --show-origin`: "file:ORIGIN<tab>KEY=VALUE".
  void add_setting(std::string_view line) {
    constexpr std::string_view kFile = "file:";
    const std::size_t tab = line.find('\t');
    if (!line.starts_with(kFile) || tab == line.npos) return;
    const auto origin = unquoted_path(line.substr(kFile.size(), tab - kFile.size()));
    if (!origin) return;
    add_file(*origin);
    line.remove_prefix(tab + 1);
    const std::size_t equals = line.find('=');
    if (equals == line.npos) return;
    const std::string_view key = line.substr(0, equals);
    const std::string_view value = line.substr(equals + 1);
    if (is_include_key(key)) {
      add_file(join_path(folder_name(join_path(root_, *origin)), value));
    } else if (key == "core.hookspath") {
      add_used(value);
    } else if (is_used(key)) {
      add_words(value);
    }
  }

  /// Adds a line of `git config --get-regexp path` on .gitmodules: "submodule.NAME.path PATH".
  void add_submodule(std::string_view line) {
    const std::size_t space = line.find(".path ");
    if (space == line.npos) return;
    add_file(join_path(join_path(root_, line.substr(space + 6)), ".git"));
  }

  /// Returns the paths that are protected only if they are untracked.
  std::vector<std::string> used() const { return {used_.begin(), used_.end()}; }

  /// Returns all paths, without those of used() that are, or contain, one of the tracked `paths`.
  std::vector<std::string> result(const std::vector<std::string>& tracked) const {
    std::set<std::string> all = files_obeyed_;
    for (const std::string& path : used_) {
      const bool is_tracked =
          std::any_of(tracked.begin(), tracked.end(), [&](const std::string& line) {
            const auto name = unquoted_path(line);
            return name && is_below(join_path(root_, *name), path);
          });
      if (!is_tracked) all.insert(path);
    }
    return {all.begin(), all.end()};
  }

 private:
  // Returns the path in the tree; "" if it is outside, or inside `.git`.
  std::string in_tree(std::string_view path) const {
    const std::string absolute = normal_path(join_path(root_, path));
    const auto real = files_.canonical(absolute);
    for (const std::string& place : {absolute, real ? *real : absolute}) {
      if (place != root_ && is_below(place, root_) && !is_below(place, join_path(root_, ".git"))) {
        return place;
      }
    }
    return "";
  }
  void add_file(std::string_view path) {
    if (std::string place = in_tree(path); !place.empty()) files_obeyed_.insert(std::move(place));
  }
  void add_used(std::string_view path) {
    if (std::string place = in_tree(path); !place.empty()) used_.insert(std::move(place));
  }
  // Adds the program of a command line, and arguments that are files.
  void add_words(std::string_view value) {
    if (value.starts_with('!')) value.remove_prefix(1);
    bool first = true;
    for (std::string_view word : split(value, ' ')) {
      while (!word.empty() && (word.front() == '\'' || word.front() == '"')) word.remove_prefix(1);
      while (!word.empty() && (word.back() == '\'' || word.back() == '"' || word.back() == ';')) {
        word.remove_suffix(1);
      }
      const bool is_path = word.find('/') != word.npos;
      const bool is_there =
          !word.empty() && files_.info(join_path(root_, word)).kind == FileKind::kFile;
      if ((first && is_path) || is_there) add_used(word);
      first = false;
    }
  }

  const std::string& root_;
  const FileSystem& files_;
  std::set<std::string> files_obeyed_;
  std::set<std::string> used_;
};

}  // namespace

Result<std::vector<std::string>> paths_git_obeys(const std::string& folder, const FileSystem& files,
                                                 ProcessRunner& processes,
                                                 const CancelToken& cancel) {
  if (files.link_info(join_path(folder, ".git")).kind == FileKind::kMissing) {
    return std::vector<std::string>();
  }
  PEDRO_TRY(const auto settings,
            listed(git_command(folder, {"config", "--list", "--show-origin", "--includes"}), false,
                   processes, cancel));
  ObeyedPaths paths(folder, files);
  for (const std::string& line : settings) paths.add_setting(line);
  if (files.info(join_path(folder, ".gitmodules")).kind == FileKind::kFile) {
    PEDRO_TRY(
        const auto modules,
        listed(git_command(folder, {"config", "--file", ".gitmodules", "--get-regexp", "\\.path$"}),
               true, processes, cancel));
    for (const std::string& line : modules) paths.add_submodule(line);
  }
  const std::vector<std::string> used = paths.used();
  if (used.empty()) return paths.result({});
  std::vector<std::string> arguments = {"ls-files", "--"};
  arguments.insert(arguments.end(), used.begin(), used.end());
  PEDRO_TRY(const auto tracked,
            listed(git_command(folder, std::move(arguments)), true, processes, cancel));
  return paths.result(tracked);
}

}  // namespace pedro
