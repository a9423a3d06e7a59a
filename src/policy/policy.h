#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "policy/permission.h"
#include "policy/plain_commands.h"

namespace pedro::policy {

enum class Verdict { kAllow, kAsk, kDeny };
std::string_view to_string(Verdict verdict);

/// A call in the form that the policy judges.
struct Request {
  std::string action;  ///< "bash run"
  Permission permission = Permission::kRead;
  std::string line = {};         ///< line for a shell, or ""
  std::string server_tool = {};  ///< "SERVER.TOOL" for a tool of an MCP server, or ""
};

/// A part of a request that is not simply allowed.
struct Finding {
  Verdict verdict = Verdict::kAsk;
  std::string what;  ///< "git push origin", or "execute"
  std::string rule;  ///< 'policy.commands "git push"'
  /// False: the rule may not apply; `why` gives the reason for the doubt.
  bool sure = true;
  std::string why = {};

  bool operator==(const Finding&) const = default;
};

struct Decision {
  Verdict verdict = Verdict::kAllow;
  std::vector<Finding> findings;  ///< those with this verdict; none for kAllow
};

/// The rules for the actions of a model. There is one list of rules per source; within a list, the
/// last matching rule decides. The strictest result of all lists counts, so a list can only
/// restrict others. Immutable once made. Without rules, everything is allowed, except that tools of
/// MCP servers need consent.
///
/// A rule for commands consists of words: `git push`. The first is a program's name (with a folder,
/// it must match exactly), or `*` for all. The other words must follow in order, with options in
/// between; a word that begins with '-' may follow anywhere. Only plain lines are read
/// (plain_commands()). The verdict is `ask` for any other line, and for programs whose words hide
/// the commands they run. This applies if a rule could matter. So a doubt never allows anything.
class Policy {
 public:
  /// Adds the objects `policy.permissions` and `policy.commands`, which map names to "allow", "ask"
  /// or "deny". Errors (kConfig): "policy.commands: ...".
  Status add(const Json& permissions, const Json& commands);
  /// Adds the lists of the predecessor in Go. If `allowed` is not empty, shell commands must begin
  /// with one of its entries. They must never begin with one of `forbidden`. Errors: kConfig.
  Status add_lists(const std::vector<std::string>& allowed,
                   const std::vector<std::string>& forbidden);

  /// Allows only shell commands that begin with one of `commands`; without `commands`, adds
  /// nothing. Errors (kConfig) name `key` as the source.
  Status add_allowed(std::string_view key, const std::vector<std::string>& commands);

  /// Adds a source's `policy.mcp`, which maps "SERVER.TOOL", "SERVER.*" or "*" to "allow", "ask" or
  /// "deny". The first source is the user's: without a rule of it for a tool, the user is asked.
  /// Others can only restrict. Errors: kConfig.
  Status add_server_tools(const Json& rules);

  /// Returns true if all actions except tools of MCP servers are allowed.
  bool empty() const { return lists_.empty(); }
  Decision decide(const Request& request) const;
  /// Returns the allowed alternatives as one or two sentences for the model.
  std::string allowed_instead(const Request& request) const;

 private:
  struct Rule {
    std::string text;  // 'policy.commands "git push"'
    std::vector<std::string> words;
    Verdict verdict = Verdict::kAllow;
  };
  struct List {
    std::array<Verdict, 5> permissions{};
    std::vector<Rule> commands;
  };

  struct ToolRule {
    std::string tool;
    Verdict verdict = Verdict::kAsk;
  };
  static Status add_rule(List& list, std::string_view key, const std::string& words,
                         Verdict verdict);
  static Finding judge(const List& list, const Request& request, const CommandWords& command);
  static Finding judge_words(const List& list, Verdict base, std::span<const std::string> command,
                             bool by_name);
  static bool denies_unnamed(const List& list, Verdict base);
  static Finding unread(const List& list, const Request& request, std::string_view why);
  static void judge_line(const List& list, const Request& request, std::vector<Finding>& findings);
  std::vector<Finding> judge_server_tool(const Request& request) const;

  std::vector<List> lists_;
  std::vector<std::vector<ToolRule>> tool_lists_;  // of MCP servers, the user's first
};

}  // namespace pedro::policy
