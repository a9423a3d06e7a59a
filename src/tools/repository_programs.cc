#include "tools/repository_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxKeysBytes = 1u << 20;
constexpr std::size_t kMaxKeys = 1000;

// Settings whose value is a program, as git prints their names.
constexpr const char* kProgramKeys =
    "^(filter\\..*\\.(clean|smudge|process|required)|diff\\.external|diff\\..*\\.(command|textconv)"
    "|merge\\..*\\.driver|core\\.(sshcommand|gitproxy|askpass|alternaterefscommand)"
    "|credential\\.(.*\\.)?helper|gpg\\.(.*\\.)?program|remote\\..*\\.(uploadpack|receivepack)"
    "|hook\\..*\\.command)$";

struct UsualValue {
  std::string_view end;  // of the key
  std::string_view value;
};
// What these are instead; all others are empty, which is none.
constexpr UsualValue kUsualValues[] = {{"filter.lfs.clean", "git-lfs clean -- %f"},
                                       {"filter.lfs.smudge", "git-lfs smudge -- %f"},
                                       {"filter.lfs.process", "git-lfs filter-process"},
                                       {"filter.lfs.required", "true"},
                                       {".required", "false"},
                                       {".uploadpack", "git-upload-pack"},
                                       {".receivepack", "git-receive-pack"}};

std::string_view value_instead(std::string_view key) {
  for (const UsualValue& usual : kUsualValues) {
    if (key.ends_with(usual.end)) return usual.value;
  }
  return "";
}

bool names_credential_helper(std::string_view key) {
  return key.starts_with("credential.") && key.ends_with(".helper");
}

struct ConfiguredHelper {
  std::string key;
  std::string value;
};

// The helpers for credentials in the user's and the system's files, in git's order. These files are
// asked for one by one: in a list of all, a value with a line end could pass for a line of theirs.
Result<std::vector<ConfiguredHelper>> users_helpers(const std::string& folder,
                                                    ProcessRunner& processes,
                                                    const CancelToken& cancel) {
  constexpr std::string_view kEnd = ".helper ";
  std::vector<ConfiguredHelper> helpers;
  for (const char* scope : {"--system", "--global"}) {
    Command command = git_command(
        folder, {"config", scope, "--includes", "--get-regexp", "^credential\\.(.*\\.)?helper$"});
    command.max_output_bytes = kMaxKeysBytes;
    const auto lines = processes.run(command, cancel);
    if (!lines) return lines.error();
    if (!lines->ok()) continue;  // there are none
    for (const std::string_view line : split_lines(lines->out)) {
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

}  // namespace

Result<std::map<std::string, std::string>> without_repository_programs(const std::string& folder,
                                                                       ProcessRunner& processes,
                                                                       const CancelToken& cancel) {
  std::map<std::string, std::string> variables;
  std::size_t count = 0;
  const auto set = [&](std::string_view key, std::string_view value) {
    variables[fmt::format("GIT_CONFIG_KEY_{}", count)] = key;
    variables[fmt::format("GIT_CONFIG_VALUE_{}", count)] = value;
    ++count;
  };
  bool names_helper = false;
  for (const char* scope : {"--local", "--worktree"}) {
    Command command = git_command(
        folder, {"config", scope, "--includes", "--name-only", "--get-regexp", kProgramKeys});
    command.max_output_bytes = kMaxKeysBytes;
    const auto names = processes.run(command, cancel);
    if (!names) return names.error();
    if (!names->ok()) continue;  // there are none
    for (const std::string_view key : split_lines(names->out)) {
      if (!is_plain(key) || count >= kMaxKeys) {
        return Error{ErrorKind::kUsage,
                     fmt::format("{}: its configuration names programs for git under names that "
                                 "cannot be taken out; remove them: {}",
                                 folder, key.substr(0, 200))};
      }
      set(key, value_instead(key));
      names_helper = names_helper || names_credential_helper(key);
    }
  }
  if (names_helper) {  // an empty one takes out all before it, the user's too
    const auto helpers = users_helpers(folder, processes, cancel);
    if (!helpers) return helpers.error();
    for (const ConfiguredHelper& helper : *helpers) set(helper.key, helper.value);
  }
  if (count > 0) variables["GIT_CONFIG_COUNT"] = std::to_string(count);
  return variables;
}

}  // namespace pedro
