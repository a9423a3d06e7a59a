#include "tools/repository_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxKeysBytes = 1u << 20;
constexpr std::size_t kMaxKeys = 1000;

// Settings whose value is a program or another configuration file, in git's spelling.
constexpr const char* kNamingKeys =
    "^(include\\.path|includeif\\..*\\.path|filter\\..*\\.(clean|smudge|process|required)|diff\\."
    "external|diff\\..*\\.(command|textconv)"
    "|merge\\..*\\.driver|core\\.(autocrlf|eol|attributesfile|sshcommand|gitproxy|askpass|"
    "alternaterefscommand)"
    "|credential\\.(.*\\.)?helper|gpg\\.(.*\\.)?program|gpg\\.ssh\\.defaultkeycommand|remote\\..*"
    "\\.(uploadpack|receivepack)"
    "|hook\\..*\\.command)$";

struct UsualValue {
  std::string_view end;  // of the key
  std::string_view value;
};
// Replacement values; all other settings become empty, which disables them.
constexpr UsualValue kUsualValues[] = {{"filter.lfs.clean", "git-lfs clean -- %f"},
                                       {"filter.lfs.smudge", "git-lfs smudge -- %f"},
                                       {"filter.lfs.process", "git-lfs filter-process"},
                                       {"filter.lfs.required", "true"},
                                       {".required", "false"},
                                       {"gpg.program", "gpg"},
                                       {"gpg.openpgp.program", "gpg"},
                                       {"gpg.ssh.program", "ssh-keygen"},
                                       {"gpg.x509.program", "gpgsm"},
                                       {".uploadpack", "git-upload-pack"},
                                       {".receivepack", "git-receive-pack"}};

std::string_view value_instead(std::string_view key) {
  for (const UsualValue& usual : kUsualValues) {
    if (key.ends_with(usual.end)) return usual.value;
  }
  return "";
}

bool converts(std::string_view key) {
  return key == "core.autocrlf" || key == "core.eol" || key == "core.attributesfile";
}

bool names_credential_helper(std::string_view key) {
  return key.starts_with("credential.") && key.ends_with(".helper");
}

struct ConfiguredHelper {
  std::string key;
  std::string value;
};

// Returns the output, "" if nothing matches. Incomplete output is an error: a setting could be
// missed.
Result<std::string> listed(ProcessRunner& processes, Command command, const CancelToken& cancel) {
  command.max_output_bytes = kMaxKeysBytes;
  PEDRO_TRY(auto result, processes.run(command, cancel));
  if (result.exit_code == 1 && !result.timed_out) return std::string();
  if (!result.ok()) {
    const std::string_view said = trim(result.err);
    return usage_error(fmt::format("git config: {}", said.empty() ? "did not end" : said));
  }
  if (result.out_cut) {
    return usage_error(fmt::format("git config: lists more than {} KiB", kMaxKeysBytes >> 10));
  }
  return std::move(result.out);
}

// Returns the credential helpers in the files of the user and the system, in git's order. Queries
// these files separately: in a common list, a value with a line end could imitate one of their
// lines.
Result<std::vector<ConfiguredHelper>> users_helpers(const std::string& folder,
                                                    ProcessRunner& processes,
                                                    const CancelToken& cancel) {
  constexpr std::string_view kEnd = ".helper ";
  std::vector<ConfiguredHelper> helpers;
  for (const char* scope : {"--system", "--global"}) {
    const auto lines = listed(processes,
                              git_command(folder, {"config", scope, "--includes", "--get-regexp",
                                                   "^credential\\.(.*\\.)?helper$"}),
                              cancel);
    // Helpers are only restored here, so errors such as an unset HOME are ignored.
    if (!lines && lines.error().kind == ErrorKind::kInterrupted) return lines.error();
    if (!lines) continue;
    for (const std::string_view line : split_lines(*lines)) {
      const std::size_t at = line.find(kEnd);
      if (at == line.npos || helpers.size() >= kMaxKeys) continue;
      helpers.push_back({std::string(line.substr(0, at + kEnd.size() - 1)),
                         std::string(line.substr(at + kEnd.size()))});
    }
  }
  return helpers;
}

bool is_plain(std::string_view key) {
  return std::all_of(key.begin(), key.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

/// A setting, without its value.
struct Setting {
  std::string_view scope;   // "local"
  std::string_view origin;  // "file:.git/config"
  std::string_view key;     // "filter.x.clean"

  bool leads_to_another_file() const {
    return key.starts_with("include.") || key.starts_with("includeif.");
  }
};

/// Parses a line of `git config --show-scope --show-origin --name-only`. Paths with tabs are
/// quoted.
Setting setting_of(std::string_view line) {
  Setting setting;
  for (std::string_view* part : {&setting.scope, &setting.origin}) {
    const std::size_t tab = line.find('\t');
    *part = line.substr(0, tab);
    line.remove_prefix(tab == line.npos ? line.size() : tab + 1);
  }
  setting.key = line;
  return setting;
}

/// Returns true if the file of a setting is in the work tree, where commands can write. The
/// repository's own configuration is not writable for them.
bool lies_in_tree(std::string_view origin, const std::string& root, const FileSystem& files) {
  constexpr std::string_view kFile = "file:";
  if (!origin.starts_with(kFile)) return false;
  const auto path = unquoted_path(origin.substr(kFile.size()));
  if (!path) return true;
  const auto real = files.canonical(join_path(root, *path));  // git runs at the root
  const std::string file = real ? *real : normal_path(join_path(root, *path));
  return is_below(file, root) && !is_below(file, join_path(root, ".git"));
}

}  // namespace

Result<std::string> configuration_in_tree(const std::string& folder, const FileSystem& files,
                                          ProcessRunner& processes, const CancelToken& cancel) {
  PEDRO_TRY(const auto lines, listed(processes,
                                     git_command(folder, {"config", "--includes", "--show-origin",
                                                          "--name-only", "--list"}),
                                     cancel));
  for (const std::string_view line : split_lines(lines)) {
    const std::string_view origin = line.substr(0, line.find('\t'));
    if (lies_in_tree(origin, folder, files)) {
      return make_printable(origin.substr(std::string_view("file:").size()));
    }
  }
  return std::string();
}

Result<RepositoryPrograms> repository_programs(const std::string& folder, const FileSystem& files,
                                               ProcessRunner& processes,
                                               const CancelToken& cancel) {
  RepositoryPrograms programs;
  PEDRO_TRY(const auto lines,
            listed(processes,
                   git_command(folder, {"config", "--includes", "--show-scope", "--show-origin",
                                        "--name-only", "--get-regexp", kNamingKeys}),
                   cancel));
  if (lines.empty()) return programs;
  std::size_t count = 0;
  const auto set = [&](std::string_view key, std::string_view value) {
    programs.off[fmt::format("GIT_CONFIG_KEY_{}", count)] = key;
    programs.off[fmt::format("GIT_CONFIG_VALUE_{}", count)] = value;
    ++count;
  };
  bool names_helper = false;
  bool users_lie_in_tree = false;
  for (const std::string_view line : split_lines(lines)) {
    const Setting setting = setting_of(line);
    if (converts(setting.key)) {
      programs.converts = true;
      continue;
    }
    const bool in_tree = lies_in_tree(setting.origin, folder, files);
    const bool own = setting.scope == "local" || setting.scope == "worktree";
    programs.may_change = programs.may_change || in_tree || setting.leads_to_another_file();
    users_lie_in_tree = users_lie_in_tree || (in_tree && !own);
    if (setting.leads_to_another_file() || !(own || in_tree)) continue;
    if (!is_plain(setting.key) || count >= kMaxKeys) {
      return Error{ErrorKind::kUsage,
                   fmt::format("{}: its configuration names programs for git under names that "
                               "cannot be overridden; remove them: {}",
                               folder, setting.key.substr(0, 200))};
    }
    set(setting.key, value_instead(setting.key));
    names_helper = names_helper || names_credential_helper(setting.key);
  }
  // An empty helper removes all earlier ones, including the user's, so these are added again. Not
  // if the user's configuration is partly in the tree.
  if (names_helper && !users_lie_in_tree) {
    PEDRO_TRY(const auto helpers, users_helpers(folder, processes, cancel));
    for (const ConfiguredHelper& helper : helpers) set(helper.key, helper.value);
  }
  if (count > 0) programs.off["GIT_CONFIG_COUNT"] = std::to_string(count);
  return programs;
}

}  // namespace pedro
