#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "tools/command_list.h"
#include "tools/manifest.h"

namespace pedro {

enum class Verdict { kAllow, kAsk, kDeny };
std::string_view to_string(Verdict verdict);

/// What a call comes to, for the policy.
struct PolicyRequest {
  std::string action;  ///< "bash run"
  Permission permission = Permission::kRead;
  std::string line = {};  ///< for a shell, or ""
  ShellDialect dialect = ShellDialect::kPosix;
};

/// Something in a request that is not simply allowed.
struct PolicyFinding {
  Verdict verdict = Verdict::kAsk;
  std::string what;  ///< "git push origin", or "execute"
  std::string rule;  ///< 'policy.commands "git push"'
  /// False: the rule may mean it, and only the shell knows; or why it may.
  bool sure = true;
  std::string why = {};

  bool operator==(const PolicyFinding&) const = default;
};

struct PolicyDecision {
  Verdict verdict = Verdict::kAllow;
  std::vector<PolicyFinding> findings;  ///< those of this verdict; none where it is kAllow
};

/// What a model may do. Lists of rules, one for each place they come from; in each the last rule
/// that matches wins, and of several lists the strictest answer counts, so that a list can only
/// take away what others allow. Immutable once made; no rules allow everything.
///
/// A rule for commands is words: `git push`. The first is a program's name (with a folder in it,
/// the word as it is written), or `*` for all. Words behind it have to follow it, with options
/// between them; a word that begins with '-' may stand anywhere behind. Where only the shell knows
/// whether a rule means a command, both answers are possible, and then it is `ask`.
class Policy {
 public:
  /// The objects `policy.permissions` and `policy.commands`: names to "allow", "ask" or "deny".
  /// Error (kConfig): "policy.commands: …".
  Status add(const Json& permissions, const Json& commands);
  /// The keys of the Go program: where `allowed` is not empty, commands of a shell have to begin
  /// with one of these; with one of `forbidden` they never may.
  Status add_lists(const std::vector<std::string>& allowed,
                   const std::vector<std::string>& forbidden);

  /// Of a shell's commands those that begin with one of `commands`, no others; not none at all. In
  /// errors they come from `key`.
  Status add_allowed(std::string_view key, const std::vector<std::string>& commands);

  /// True where everything is allowed.
  bool empty() const { return lists_.empty(); }
  PolicyDecision decide(const PolicyRequest& request) const;
  /// What may be done instead, as one sentence for the model.
  std::string allowed_instead(const PolicyRequest& request) const;

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

  static Status add_rule(List& list, std::string_view key, const std::string& words,
                         Verdict verdict);
  static PolicyFinding judge(const List& list, const PolicyRequest& request,
                             const ListedCommand& command);
  static void judge_line(const List& list, const PolicyRequest& request, const CommandList& line,
                         std::vector<PolicyFinding>& findings);

  std::vector<List> lists_;
};

}  // namespace pedro
