#include "tools/git_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxRefBytes = 200;

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7f;
}

std::string common_problem(std::string_view kind, std::string_view name, std::string_view banned) {
  if (name.empty()) return fmt::format("a {} needs a name", kind);
  if (name.size() > kMaxRefBytes) {
    return fmt::format("a {} has at most {} bytes", kind, kMaxRefBytes);
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

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

/// Decodes the escape after a backslash at the start of `text`, and removes it there.
bool take_escape(std::string_view& text, std::string& out) {
  static constexpr std::string_view kLetters = "abtnvfr\"\\";
  static constexpr std::string_view kBytes = "\a\b\t\n\v\f\r\"\\";
  if (text.empty()) return false;
  const std::size_t letter = kLetters.find(text[0]);
  if (letter != std::string_view::npos) {
    out += kBytes[letter];
    text.remove_prefix(1);
    return true;
  }
  if (text.size() < 3 || !is_octal(text[0]) || !is_octal(text[1]) || !is_octal(text[2])) {
    return false;
  }
  out += static_cast<char>((text[0] - '0') * 64 + (text[1] - '0') * 8 + (text[2] - '0'));
  text.remove_prefix(3);
  return true;
}

bool bad_component(std::string_view component) {
  return component.empty() || component.front() == '.' || component.ends_with(".lock");
}

}  // namespace

Command git_command(const std::string& folder, std::vector<std::string> arguments) {
  Command command;
  command.argv = {"git"};
  std::vector<std::string> settings = {
      "core.pager=cat", "color.ui=false", "core.quotepath=off", "color.diff=false",
      "color.status=false", "color.branch=false", "core.fsmonitor=", "core.safecrlf=false",
      // A command may have written these files next to the objects.
      "core.commitGraph=false", "core.multiPackIndex=false",
      // Always compares files in full: commands may have faked that they are unchanged.
      "core.ignoreStat=false", "core.trustctime=true", "core.checkStat=default",
      "core.splitIndex=false", "core.untrackedCache=false", "gc.auto=0", "maintenance.auto=false",
      "log.showSignature=false", "diff.noprefix=false", "diff.mnemonicPrefix=false",
      "diff.srcPrefix=a/", "diff.dstPrefix=b/",
      // A command may have written the configuration of a nested repository.
      "diff.ignoreSubmodules=dirty", "status.submoduleSummary=false", "submodule.recurse=false",
      "fetch.recurseSubmodules=false", "push.recurseSubmodules=no", "protocol.ext.allow=never",
      "core.hooksPath=/dev/null"};
  for (std::string& setting : settings) {
    command.argv.emplace_back("-c");
    command.argv.push_back(std::move(setting));
  }
  std::move(arguments.begin(), arguments.end(), std::back_inserter(command.argv));
  command.folder = folder;
  command.idle_timeout_s = kListIdle_s;
  command.environment = {{"GIT_LITERAL_PATHSPECS", "1"},
                         {"GIT_OPTIONAL_LOCKS", "0"},
                         // A command may have added replacement objects.
                         {"GIT_NO_REPLACE_OBJECTS", "1"},
                         {"GIT_GRAFT_FILE", "/dev/null/none"},
                         {"GIT_EDITOR", "true"},
                         {"LC_ALL", "C.UTF-8"}};
  return command;
}

bool only_reads(const std::vector<std::string>& argv) {
  if (argv.empty()) return false;
  const std::string_view program = base_name(argv.front());
  if (program != "git") return program == "rg" || program == "ctags";
  const std::string_view subcommand = git_subcommand(argv);
  return subcommand == "ls-files" || subcommand == "rev-parse";
}

std::string_view git_subcommand(const std::vector<std::string>& argv) {
  for (std::size_t at = 1; at < argv.size(); ++at) {
    if (argv[at] == "-c") {
      ++at;
    } else if (!argv[at].starts_with('-')) {
      return argv[at];
    }
  }
  return "";
}

Result<std::vector<std::string>> identity_options(const std::string& folder,
                                                  ProcessRunner& processes,
                                                  const CancelToken& cancel) {
  // Without useConfigOnly, git would derive an address from the login and host name.
  PEDRO_TRY(const auto ident, processes.run(git_command(folder, {"-c", "user.useConfigOnly=true",
                                                                 "var", "GIT_COMMITTER_IDENT"}),
                                            cancel));
  if (ident.ok()) return std::vector<std::string>{};
  std::vector<std::string> ours = {"-c", "user.name=pedrocli", "-c",
                                   "user.email=pedrocli@localhost"};
  std::vector<std::string> arguments = ours;
  arguments.insert(arguments.end(), {"var", "GIT_COMMITTER_IDENT"});
  PEDRO_TRY(const auto usable, processes.run(git_command(folder, std::move(arguments)), cancel));
  if (usable.ok()) return ours;
  return Error{ErrorKind::kUsage,
               fmt::format("git has no committer identity: {}", trim(usable.err))};
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

bool is_full_id(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::optional<std::string> unquoted_path(std::string_view text) {
  if (!text.starts_with('"')) return std::string(text);
  if (text.size() < 2 || !text.ends_with('"')) return std::nullopt;
  std::string path;
  for (std::string_view left = text.substr(1, text.size() - 2); !left.empty();) {
    const char c = left.front();
    left.remove_prefix(1);
    if (c != '\\') {
      path += c;
    } else if (!take_escape(left, path)) {
      return std::nullopt;
    }
  }
  return path;
}

std::string quoted_path(std::string_view path) {
  if (path.find('\n') == path.npos && !path.starts_with('"')) return std::string(path);
  std::string quoted = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return quoted + '"';
}

std::string quoted_setting(const std::string& value) {
  const std::string escaped = replace_all(replace_all(value, "\\", "\\\\"), "\"", "\\\"");
  return fmt::format("\"{}\"", replace_all(escaped, "\n", "\\n"));
}

Result<std::string> remote_address(const std::string& folder, const std::string& remote,
                                   ProcessRunner& processes, const CancelToken& cancel) {
  const std::string problem = branch_problem(remote);
  if (!problem.empty()) return Error{ErrorKind::kUsage, problem};
  PEDRO_TRY(const auto result,
            processes.run(git_command(folder, {"remote", "get-url", remote}), cancel));
  return result.ok() ? std::string(trim(result.out)) : "";
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
