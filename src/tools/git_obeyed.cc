#include "tools/git_obeyed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "sandbox/protected_paths.h"
#include "sys/repositories.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

// A path in a shell command.
struct CommandPath {
  std::string path;         // absolute and normal
  bool is_program = false;  // the first word of a simple command, with a slash
};

constexpr int kMaxQuotes = 2;  // quoted commands within each other
constexpr std::size_t kMaxCommandFolders = 8;
constexpr std::string_view kEnds = ";&|()<>`\n";
// Words that another command can follow.
constexpr std::array<std::string_view, 15> kStarters = {
    "exec", "env", "command", "time", "sh", "bash",   "then", "do",
    "else", "if",  "!",       "{",    ".",  "source", "nohup"};
constexpr std::array<std::string_view, 8> kRoots = {"$(git rev-parse --show-toplevel)",
                                                    "`git rev-parse --show-toplevel`",
                                                    "${GIT_WORK_TREE}",
                                                    "$GIT_WORK_TREE",
                                                    "$(pwd)",
                                                    "`pwd`",
                                                    "${PWD}",
                                                    "$PWD"};

// Expands "~/" and "$HOME/" at the start of a path.
std::string expanded_home(std::string_view path, const std::string& home) {
  for (const std::string_view begin : {"~", "$HOME", "${HOME}"}) {
    if (home.empty() || !path.starts_with(begin)) continue;
    const std::string_view rest = path.substr(begin.size());
    if (rest.empty() || rest.starts_with('/')) return home + std::string(rest);
  }
  return std::string(path);
}

class CommandReader {
 public:
  CommandReader(const std::string& folder, const std::string& home, int quotes)
      : folders_{folder}, home_(home), quotes_(quotes) {}

  std::vector<CommandPath> read(std::string_view text) {
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
        word_ += text[++i];
      } else if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word_ += c;
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == ' ' || c == '\t' || kEnds.find(c) != kEnds.npos) {
        end_word();
        if (kEnds.find(c) != kEnds.npos) is_first_ = true;
        follows_output_ = c == ')' || c == '`';  // of a command, such as $(dirname "$0")/x
      } else {
        word_ += c;
      }
    }
    end_word();
    return std::move(paths_);
  }

 private:
  void end_word() {
    std::string word = std::exchange(word_, "");
    if (word.empty()) return;
    const bool is_command = word.find_first_of(" ;&|(`") != word.npos;
    if (is_command && quotes_ < kMaxQuotes) {
      for (const std::string& folder : folders_) {
        auto inner = CommandReader(folder, home_, quotes_ + 1).read(word);
        std::move(inner.begin(), inner.end(), std::back_inserter(paths_));
      }
    }
    const std::size_t equals = word.find('=');
    const bool assigns = is_first_ && equals < word.find('/');
    if (equals < word.find('/')) word.erase(0, equals + 1);
    add(word, is_first_ && !assigns && !is_command);
    const bool starts =
        assigns || std::find(kStarters.begin(), kStarters.end(), word) != kStarters.end();
    is_first_ = is_first_ && (starts || word.starts_with('-'));
    is_after_cd_ = word == "cd";
  }

  void add(std::string_view word, bool is_program) {
    std::string path = expanded_home(word, home_);
    if (path.starts_with('$')) path.erase(0, std::min(path.find('/'), path.size()) + 1);
    if (std::exchange(follows_output_, false) && path.starts_with('/')) path.erase(0, 1);
    if (path.empty()) return;
    is_program = is_program && path.find('/') != path.npos && !path.ends_with('/');
    for (std::size_t i = 0, count = folders_.size(); i < count; ++i) {
      std::string absolute = normal_path(join_path(folders_[i], path));
      if (is_after_cd_ && folders_.size() < kMaxCommandFolders) folders_.push_back(absolute);
      paths_.push_back({std::move(absolute), is_program});
    }
  }

  std::vector<std::string> folders_;  // where the command may be
  const std::string& home_;
  int quotes_;
  std::string word_;
  bool is_first_ = true;
  bool is_after_cd_ = false;
  bool follows_output_ = false;
  std::vector<CommandPath> paths_;
};

// Returns the paths that the words of the shell command `text` can name, run in `folder`. Expands
// "~/", $HOME and the usual forms of the repository's root; reads other variables as empty.
// Follows `cd` and commands in quotes.
std::vector<CommandPath> paths_in_command(std::string_view text, const std::string& folder,
                                          const std::string& home) {
  std::string plain(text);
  for (const std::string_view root : kRoots) plain = replace_all(plain, root, folder);
  return CommandReader(folder, home, 0).read(plain);
}

constexpr std::size_t kMaxListingBytes = 64u << 20;
constexpr std::uint64_t kMaxHookBytes = 64u << 10;
constexpr std::size_t kMaxRepositories = 50;  // whose settings are read

// Settings whose values name programs or files that git uses. They may be missing.
constexpr std::string_view kUsedKeys[] = {"core.fsmonitor",
                                          "core.editor",
                                          "core.pager",
                                          "core.sshcommand",
                                          "core.askpass",
                                          "core.gitproxy",
                                          "core.worktree",
                                          "core.excludesfile",
                                          "core.attributesfile",
                                          "core.alternaterefscommand",
                                          "sequence.editor",
                                          "gpg.ssh.defaultkeycommand",
                                          "diff.external",
                                          "interactive.difffilter",
                                          "uploadpack.packobjectshook"};
constexpr std::string_view kUsedEnds[] = {
    ".clean", ".smudge",     ".process",  ".command", ".driver", ".helper",     ".cmd",
    ".path",  ".uploadpack", ".textconv", ".program", ".update", ".receivepack"};
// Variables with commands and with paths.
constexpr const char* kCommandVariables[] = {"GIT_EXTERNAL_DIFF",
                                             "GIT_SSH_COMMAND",
                                             "GIT_SSH",
                                             "GIT_ASKPASS",
                                             "SSH_ASKPASS",
                                             "GIT_EDITOR",
                                             "GIT_SEQUENCE_EDITOR",
                                             "GIT_PAGER",
                                             "GIT_PROXY_COMMAND",
                                             "PAGER",
                                             "EDITOR",
                                             "VISUAL"};
constexpr const char* kPathVariables[] = {"GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_CONFIG_GLOBAL",
                                          "GIT_CONFIG_SYSTEM"};
// Programs that git starts by name.
constexpr const char* kGitPrograms[] = {"git", "sh", "ssh", "gpg", "less"};

bool is_used(std::string_view key) {
  return std::find(std::begin(kUsedKeys), std::end(kUsedKeys), key) != std::end(kUsedKeys) ||
         std::any_of(std::begin(kUsedEnds), std::end(kUsedEnds),
                     [key](std::string_view end) { return key.ends_with(end); }) ||
         key.starts_with("alias.") || key.starts_with("pager.");
}

bool is_include_key(std::string_view key) {
  return key == "include.path" || (key.starts_with("includeif.") && key.ends_with(".path"));
}

bool names_repository(std::string_view key) {
  return (key.starts_with("remote.") && (key.ends_with(".url") || key.ends_with(".pushurl"))) ||
         (key.starts_with("branch.") && key.ends_with("remote"));
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

// Collects the paths of a work tree.
class ObeyedPaths {
 public:
  ObeyedPaths(const std::string& root, const Environment& environment, const FileSystem& files)
      : root_(root), base_(root), home_(environment.get("HOME")), files_(files) {
    add_environment(environment);
  }

  /// Adds the repository at `git`, whose work tree is `folder`. The settings added next are its
  /// own.
  void enter(const std::string& git, const std::string& folder) {
    base_ = folder;
    add_file(git);
    for (const std::string& part : git_folders(git)) {
      add_file(part);
      add_hooks(join_path(part, "hooks"));
    }
  }

  /// Adds a line of `git config --list --show-origin`: "file:ORIGIN<tab>KEY=VALUE".
  void add_setting(std::string_view line) {
    const std::size_t tab = line.find('\t');
    const std::string_view origin = line.substr(0, tab);
    const bool is_file = origin.starts_with("file:");
    if (tab == line.npos || (!is_file && origin != "command line:")) {
      add_words(line, true);  // the rest of a value with several lines
      return;
    }
    const auto file = unquoted_path(origin.substr(origin.find(':') + 1));
    if (!file) return;
    if (is_file) add_file(*file);
    line.remove_prefix(tab + 1);
    const std::size_t equals = line.find('=');
    if (equals == line.npos) return;
    const std::string_view key = line.substr(0, equals);
    const std::string value = expanded_home(line.substr(equals + 1), home_);
    if (is_include_key(key)) {
      add_file(join_path(folder_name(join_path(base_, *file)), value));
    } else if (key == "core.hookspath") {
      add_hooks_path(value);
    } else if (key == "init.templatedir") {
      add_file(value);
    } else if (names_repository(key)) {
      add_remote(value);
    } else {
      if (files_.info(join_path(base_, value)).kind == FileKind::kFile) add_used(value);
      add_words(value, is_used(key));
    }
  }

  /// Adds a line of `git ls-files --stage` if it is a repository: "160000 COMMIT 0<tab>PATH".
  void add_index_entry(std::string_view line) {
    const std::size_t tab = line.find('\t');
    if (!line.starts_with("160000 ") || tab == line.npos) return;
    if (const auto path = unquoted_path(line.substr(tab + 1))) add_file(join_path(*path, ".git"));
  }

  /// Adds a line of `git config --get-regexp path` on .gitmodules: "submodule.NAME.path PATH".
  void add_submodule(std::string_view line) {
    const std::size_t space = line.find(".path ");
    if (space != line.npos) add_file(join_path(line.substr(space + 6), ".git"));
  }

  /// Returns the paths that are protected only if they are untracked.
  const std::set<std::string>& used() const { return used_; }

  /// Returns all paths, without those of used() that are, or contain, one of the `tracked` paths.
  std::vector<std::string> result(const std::vector<std::string>& tracked) const {
    std::set<std::string> all = files_obeyed_;
    const auto is_tracked = [&tracked](const std::string& path) {
      return std::any_of(tracked.begin(), tracked.end(),
                         [&path](const std::string& file) { return is_below(file, path); });
    };
    for (const std::string& path : used_) {
      if (!is_tracked(path)) {
        all.insert(path);
      } else if (program_folders_.count(path) > 0) {
        for (const char* name : kGitPrograms) {
          if (!is_tracked(join_path(path, name))) all.insert(join_path(path, name));
        }
      }
    }
    std::vector<std::string> outer;  // a protected folder covers the paths below it
    for (const std::string& path : all) {
      const auto covers = [&path](const std::string& other) {
        return other != path && is_below(path, other);
      };
      if (std::none_of(all.begin(), all.end(), covers)) outer.push_back(path);
    }
    return outer;
  }

 private:
  void add_environment(const Environment& environment) {
    for (const char* name : kCommandVariables) add_words(environment.get(name), true);
    for (const char* name : kPathVariables) {
      if (const std::string value = environment.get(name); !value.empty()) add_file(value);
    }
    const std::string config(folder_name(environment.config_folder()));
    if (home_.starts_with('/')) add_file(join_path(home_, ".gitconfig"));
    for (const char* name : {"git/config", "git/ignore", "git/attributes"}) {
      if (config.starts_with('/')) add_file(join_path(config, name));
    }
    const std::string path = environment.get("PATH");
    for (const std::string_view folder : split(path, ':')) {
      for (std::string& place : in_tree(folder)) {
        program_folders_.insert(place);
        used_.insert(std::move(place));
      }
    }
  }

  // Returns the places in the tree that `path` leads through and to, but none inside `.git`.
  std::vector<std::string> in_tree(std::string_view path) const {
    std::vector<std::string> places = places_on_way(normal_path(join_path(base_, path)));
    std::erase_if(places, [this](const std::string& place) {
      return place == root_ || !is_below(place, root_) || is_below(place, join_path(root_, ".git"));
    });
    return places;
  }
  void add_file(std::string_view path) {
    for (std::string& place : in_tree(path)) files_obeyed_.insert(std::move(place));
  }
  void add_used(std::string_view path) {
    for (std::string& place : in_tree(path)) used_.insert(std::move(place));
  }

  // Adds a folder of hooks. Husky keeps its programs in `_`, and the user's next to that.
  void add_hooks_path(const std::string& value) {
    std::string folder = normal_path(join_path(base_, value));
    add_hooks(folder);
    if (base_name(folder) == "_") folder = folder_name(folder);
    add_file(folder);
    add_hooks(folder);
  }

  // Adds the targets of links, and the programs that hooks run.
  void add_hooks(const std::string& folder) {
    const auto entries = files_.list(folder);
    if (!entries) return;
    for (const FolderEntry& entry : *entries) {
      if (entry.name.ends_with(".sample")) continue;
      const std::string path = join_path(folder, entry.name);
      if (entry.kind == FileKind::kSymlink) add_file(path);
      const auto text = files_.read_begin(path, kMaxHookBytes);
      if (!text) continue;
      std::string script;
      for (const std::string_view line : split_lines(*text)) {
        if (!trim(line).starts_with('#')) script.append(line).push_back('\n');
      }
      add_words(script, false);
    }
  }

  // Adds a remote repository in the tree: a push runs its hooks.
  void add_remote(std::string_view url) {
    if (url.starts_with("file://")) url.remove_prefix(7);
    if (url.find('/') > url.find(':') || url.find('/') == url.npos) return;
    const std::string inner = join_path(url, ".git");
    const bool has_tree = files_.link_info(join_path(base_, inner)).kind != FileKind::kMissing;
    add_file(has_tree ? inner : url);
  }

  // Adds the programs of a command line, and its arguments that are files. Adds a missing program
  // if `is_run`, or if its folder exists.
  void add_words(std::string_view value, bool is_run) {
    if (value.starts_with('!')) value.remove_prefix(1);
    for (const CommandPath& named : paths_in_command(value, base_, home_)) {
      const bool is_there = files_.info(named.path).kind == FileKind::kFile;
      const std::string folder(folder_name(named.path));
      const bool may_come =
          named.is_program && (is_run || files_.info(folder).kind == FileKind::kFolder);
      if (!is_there && !may_come) continue;
      add_used(named.path);
      // Python runs the modules of the virtual environment around it.
      const std::string environment(folder_name(folder));
      if (files_.info(join_path(environment, "pyvenv.cfg")).kind == FileKind::kFile) {
        add_used(environment);
      }
    }
  }

  const std::string& root_;
  std::string base_;  // the work tree of the current repository
  std::string home_;
  const FileSystem& files_;
  std::set<std::string> files_obeyed_;
  std::set<std::string> used_;
  std::set<std::string> program_folders_;  // of PATH, also in used_
};

// Returns the command that lists git's settings with those of the user's environment:
// drop_git_variables() removed their number.
Command settings_command(const std::string& folder, const Environment& environment) {
  Command command = git_command(folder, {"config", "--list", "--show-origin", "--includes"});
  for (int count = 0;; ++count) {
    const auto key = environment.variables.find(fmt::format("GIT_CONFIG_KEY_{}", count));
    const auto value = environment.variables.find(fmt::format("GIT_CONFIG_VALUE_{}", count));
    if (key == environment.variables.end() || value == environment.variables.end()) return command;
    command.environment.insert({*key, *value});
    command.environment["GIT_CONFIG_COUNT"] = std::to_string(count + 1);
  }
}

// Returns the tracked paths among `used`, and those below them. `folders`: the work trees.
Result<std::vector<std::string>> tracked_of(const std::set<std::string>& used,
                                            const std::vector<std::string>& folders,
                                            ProcessRunner& processes, const CancelToken& cancel) {
  std::vector<std::string> tracked;
  for (const std::string& folder : folders) {
    std::vector<std::string> arguments = {"ls-files", "--"};
    for (const std::string& path : used) {
      const bool is_in_inner =
          std::any_of(folders.begin(), folders.end(), [&](const std::string& inner) {
            return inner != folder && is_below(inner, folder) && is_below(path, inner);
          });
      if (is_below(path, folder) && !is_in_inner) arguments.push_back(path);
    }
    if (arguments.size() == 2) continue;
    PEDRO_TRY(const auto lines,
              listed(git_command(folder, std::move(arguments)), true, processes, cancel));
    for (const std::string& line : lines) {
      if (const auto name = unquoted_path(line)) tracked.push_back(join_path(folder, *name));
    }
  }
  return tracked;
}

}  // namespace

Result<std::vector<std::string>> paths_git_obeys(const std::string& folder,
                                                 const std::vector<std::string>& repositories,
                                                 const Environment& environment,
                                                 const FileSystem& files, ProcessRunner& processes,
                                                 const CancelToken& cancel) {
  ObeyedPaths paths(folder, environment, files);
  std::vector<std::string> gits = {join_path(folder, ".git")};
  gits.insert(gits.end(), repositories.begin(), repositories.end());
  std::erase_if(gits, [&](const std::string& git) {
    const FileKind kind = files.info(git).kind;
    return (kind != FileKind::kFile && kind != FileKind::kFolder) || is_product(git, folder);
  });
  std::vector<std::string> folders;
  for (const std::string& git : gits) {
    const std::string at = base_name(git) == ".git" ? std::string(folder_name(git)) : git;
    paths.enter(git, at);
    if (folders.size() >= kMaxRepositories) continue;
    folders.push_back(at);
    PEDRO_TRY(const auto settings,
              listed(settings_command(at, environment), at != folder, processes, cancel));
    for (const std::string& line : settings) paths.add_setting(line);
    PEDRO_TRY(const auto index,
              listed(git_command(at, {"ls-files", "--stage"}), true, processes, cancel));
    for (const std::string& line : index) paths.add_index_entry(line);
    if (files.info(join_path(at, ".gitmodules")).kind != FileKind::kFile) continue;
    PEDRO_TRY(
        const auto modules,
        listed(git_command(at, {"config", "--file", ".gitmodules", "--get-regexp", "\\.path$"}),
               true, processes, cancel));
    for (const std::string& line : modules) paths.add_submodule(line);
  }
  PEDRO_TRY(const auto tracked, tracked_of(paths.used(), folders, processes, cancel));
  return paths.result(tracked);
}

}  // namespace pedro
