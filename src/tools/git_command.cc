#include "tools/git_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxNameBytes = 200;

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7f;
}

std::string common_problem(std::string_view kind, std::string_view name, std::string_view banned) {
  if (name.empty()) return fmt::format("a {} needs a name", kind);
  if (name.size() > kMaxNameBytes) {
    return fmt::format("a {} has at most {} bytes", kind, kMaxNameBytes);
  }
  if (name.front() == '-') return fmt::format("'{}': a {} must not begin with '-'", name, kind);
  for (const char c : name) {
    if (!is_plain(c)) return fmt::format("a {} has no blanks or control characters", kind);
    if (banned.find(c) != std::string_view::npos) {
      return fmt::format("'{}': a {} has no '{}'", name, kind, c);
    }
  }
  return "";
}

bool bad_component(std::string_view component) {
  return component.empty() || component.front() == '.' || component.ends_with(".lock");
}

}  // namespace

Command git_command(const std::string& folder, std::vector<std::string> arguments, Hooks hooks) {
  Command command;
  command.argv = {"git"};
  std::vector<std::string> settings = {
      "core.pager=cat",           "color.ui=false",          "core.quotepath=off",
      "color.diff=false",         "color.status=false",      "color.branch=false",
      "core.fsmonitor=",          "core.safecrlf=false",     "gc.auto=0",
      "maintenance.auto=false",   "log.showSignature=false", "diff.noprefix=false",
      "diff.mnemonicPrefix=false"};
  if (hooks == Hooks::kOff) settings.emplace_back("core.hooksPath=/dev/null");
  for (std::string& setting : settings) {
    command.argv.emplace_back("-c");
    command.argv.push_back(std::move(setting));
  }
  std::move(arguments.begin(), arguments.end(), std::back_inserter(command.argv));
  command.folder = folder;
  command.environment = {{"GIT_LITERAL_PATHSPECS", "1"},
                         {"GIT_OPTIONAL_LOCKS", "0"},
                         {"GIT_EDITOR", "true"},
                         {"LC_ALL", "C.UTF-8"}};
  return command;
}

Result<std::vector<std::string>> identity_options(const std::string& folder,
                                                  ProcessRunner& processes,
                                                  const CancelToken& cancel) {
  // Without useConfigOnly git would make an address up from the login and the host's name.
  const auto ident = processes.run(
      git_command(folder, {"-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"}), cancel);
  if (!ident) return ident.error();
  if (ident->ok()) return std::vector<std::string>{};
  std::vector<std::string> ours = {"-c", "user.name=pedrocli", "-c",
                                   "user.email=pedrocli@localhost"};
  std::vector<std::string> arguments = ours;
  arguments.insert(arguments.end(), {"var", "GIT_COMMITTER_IDENT"});
  const auto usable = processes.run(git_command(folder, std::move(arguments)), cancel);
  if (!usable) return usable.error();
  if (usable->ok()) return ours;
  return Error{ErrorKind::kUsage, fmt::format("git cannot say who commits: {}", trim(usable->err))};
}

std::string branch_problem(std::string_view name) {
  std::string problem = common_problem("branch name", name, "~^:?*[\\");
  if (!problem.empty()) return problem;
  const auto components = split(name, '/');
  const bool bad = std::any_of(components.begin(), components.end(), bad_component) ||
                   name.ends_with('.') || name.find("..") != std::string_view::npos ||
                   name.find("@{") != std::string_view::npos || name == "@" || name == "HEAD";
  return bad ? fmt::format("'{}' is not a branch name that git allows", name) : "";
}

std::string revision_problem(std::string_view revision) {
  return common_problem("revision", revision, ":?*[\\");
}

std::string without_credentials(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t scheme = text.find("://");
    if (scheme == std::string_view::npos) return out.append(text);
    out.append(text.substr(0, scheme + 3));
    text.remove_prefix(scheme + 3);
    const std::string_view authority = text.substr(0, text.find_first_of("/ \t\r\n'\""));
    const std::size_t at = authority.rfind('@');
    if (at != std::string_view::npos) text.remove_prefix(at + 1);
  }
}

}  // namespace pedro
