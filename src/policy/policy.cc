#include "policy/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"
#include "policy/command_rule.h"
#include "policy/started_programs.h"

namespace pedro::policy {
namespace {

constexpr Verdict kVerdicts[] = {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny};
constexpr std::size_t kMaxRuleBytes = 200;
constexpr std::size_t kMaxRuleWords = 16;
constexpr std::size_t kMaxListedRules = 12;
constexpr std::size_t kMaxNameBytes = 80;
constexpr std::size_t kMaxProgramNames = 4000;
constexpr std::size_t kMaxShownBytes = 300;
constexpr std::string_view kNotPlain =
    "only a line of plain words, quotes, &&, ||, ; and | can be judged";

// Commands that do nothing by themselves. Rules for all commands exclude them.
constexpr std::string_view kNeutral[] = {":", "cd", "exit", "false", "true"};

bool is_neutral(const CommandWords& command) {
  return std::ranges::count(kNeutral, command.front()) > 0;
}

std::string printable_name(std::string_view name) {
  return make_printable(truncate_utf8(name, kMaxNameBytes));
}

Result<Verdict> read_verdict(std::string_view key, const std::string& name, const Json& value) {
  for (const Verdict verdict : kVerdicts) {
    if (value == std::string(to_string(verdict))) return verdict;
  }
  return config_error(key, fmt::format("'{}': expected allow, ask or deny, got {}",
                                       printable_name(name), truncate_utf8(to_line(value), 60)));
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

std::string rule_problem(std::string_view text, const std::vector<std::string>& words) {
  if (words.empty()) return "a command has no words";
  if (text.size() > kMaxRuleBytes || words.size() > kMaxRuleWords) {
    return fmt::format("a command has at most {} words and {} bytes", kMaxRuleWords, kMaxRuleBytes);
  }
  if (text.find_first_of("|&;<>()$`\\\"'\t\n") != std::string_view::npos) {
    return "a command is plain words, without shell syntax";
  }
  return "";
}

/// A set of possible verdicts: yields a single one, else `ask`.
class PossibleVerdicts {
 public:
  explicit PossibleVerdicts(Verdict first) : seen_{} { only(first); }
  void only(Verdict verdict) {
    seen_ = {};
    also(verdict);
  }
  void also(Verdict verdict) { seen_[static_cast<std::size_t>(verdict)] = true; }
  bool sure() const { return std::count(seen_.begin(), seen_.end(), true) == 1; }
  Verdict verdict() const {
    if (!sure()) return Verdict::kAsk;
    return kVerdicts[static_cast<std::size_t>(std::find(seen_.begin(), seen_.end(), true) -
                                              seen_.begin())];
  }

 private:
  std::array<bool, 3> seen_;
};

std::string shown(std::span<const std::string> command) {
  std::string text;
  for (const std::string& word : command) {
    if (text.size() > kMaxShownBytes) break;
    text += (text.empty() ? "" : " ") + word;
  }
  return std::string(truncate_utf8(text, kMaxShownBytes));
}

std::string permission_rule(Permission permission) {
  return fmt::format("policy.permissions \"{}\"", to_string(permission));
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  constexpr std::string_view kNames[] = {"allow", "ask", "deny"};
  return kNames[static_cast<int>(verdict)];
}

Status Policy::add_rule(List& list, std::string_view key, const std::string& words,
                        Verdict verdict) {
  Rule rule{fmt::format("{} \"{}\"", key, words), words_of(words), verdict};
  const std::string problem = rule_problem(words, rule.words);
  if (!problem.empty())
    return config_error(key, fmt::format("'{}': {}", printable_name(words), problem));
  list.commands.push_back(std::move(rule));
  return {};
}

Status Policy::add(const Json& permissions, const Json& commands) {
  List list;
  for (const auto& [name, value] : permissions.items()) {
    if (name.starts_with("//")) continue;
    const auto permission = permission_named(name);
    if (!permission) {
      return config_error(
          "policy.permissions",
          fmt::format("'{}': expected {}", printable_name(name), permission_names()));
    }
    PEDRO_TRY(const auto verdict, read_verdict("policy.permissions", name, value));
    list.permissions[static_cast<std::size_t>(*permission)] = verdict;
  }
  for (const auto& [words, value] : commands.items()) {
    if (words.starts_with("//")) continue;
    PEDRO_TRY(const auto verdict, read_verdict("policy.commands", words, value));
    if (Status added = add_rule(list, "policy.commands", words, verdict); !added) return added;
  }
  if (!permissions.empty() || !commands.empty()) lists_.push_back(std::move(list));
  return {};
}

Status Policy::add_lists(const std::vector<std::string>& allowed,
                         const std::vector<std::string>& forbidden) {
  if (Status added = add_allowed("tools.allowed_bash_commands", allowed); !added) return added;
  List list;
  for (const std::string& words : forbidden) {
    PEDRO_RETURN_IF_ERROR(add_rule(list, "tools.forbidden_commands", words, Verdict::kDeny));
  }
  if (!list.commands.empty()) lists_.push_back(std::move(list));
  return {};
}

Status Policy::add_allowed(std::string_view key, const std::vector<std::string>& commands) {
  if (commands.empty()) return {};
  List list;
  list.commands.push_back({std::string(key), {"*"}, Verdict::kDeny});
  for (const std::string& words : commands) {
    if (Status added = add_rule(list, key, words, Verdict::kAllow); !added) return added;
  }
  lists_.push_back(std::move(list));
  return {};
}

/// Judges words as a command. With `by_name`, rules for all programs do not apply.
Finding Policy::judge_words(const List& list, Verdict base, std::span<const std::string> command,
                            bool by_name) {
  PossibleVerdicts possible(base);
  Finding finding;
  for (const Rule& rule : list.commands) {
    if (by_name && rule.words.front() == "*") continue;
    const RuleMatch match = match_rule(rule.words, command);
    if (match == RuleMatch::kNo) continue;
    if (match == RuleMatch::kYes) possible.only(rule.verdict);
    if (match == RuleMatch::kMaybe) possible.also(rule.verdict);
    if (match == RuleMatch::kYes || rule.verdict != Verdict::kAllow) finding.rule = rule.text;
  }
  finding.verdict = possible.verdict();
  finding.sure = possible.sure();
  if (!finding.sure) finding.why = "it may mean this command";
  return finding;
}

bool Policy::denies_unnamed(const List& list, Verdict base) {
  return base != Verdict::kAllow ||
         std::any_of(list.commands.begin(), list.commands.end(), [](const Rule& rule) {
           return rule.words.front() == "*" && rule.verdict != Verdict::kAllow;
         });
}

Finding Policy::unread(const List& list, const Request& request, std::string_view why) {
  PossibleVerdicts possible(list.permissions[static_cast<std::size_t>(request.permission)]);
  for (const Rule& rule : list.commands) possible.also(rule.verdict);
  return {possible.verdict(), request.line, "a rule for commands", possible.sure(),
          std::string(why)};
}

Finding Policy::judge(const List& list, const Request& request, const CommandWords& command) {
  const Verdict base = list.permissions[static_cast<std::size_t>(request.permission)];
  const bool neutral = is_neutral(command);
  Finding finding = judge_words(list, neutral ? Verdict::kAllow : base, command, neutral);
  if (finding.rule.empty()) finding.rule = permission_rule(request.permission);
  finding.what = shown(command);
  if (finding.verdict != Verdict::kAllow) return finding;
  if (reads_commands(command) || (is_wrapper(command) && denies_unnamed(list, base))) {
    return unread(list, request, command.front() + " may run other commands");
  }
  const std::vector<std::string> names = names_in_arguments(command);
  if (names.size() > kMaxProgramNames) return unread(list, request, "it has too many words");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto later = judge_words(list, Verdict::kAllow, std::span(names).subspan(i), true);
    if (later.verdict == Verdict::kAllow) continue;
    return {Verdict::kAsk, finding.what, later.rule, false, "it may run this command"};
  }
  return finding;
}

void Policy::judge_line(const List& list, const Request& request, std::vector<Finding>& findings) {
  const auto commands = plain_commands(request.line);
  if (!commands) return findings.push_back(unread(list, request, kNotPlain));
  const bool for_itself = std::all_of(commands->begin(), commands->end(), is_neutral);
  if (for_itself) {
    const Verdict base = list.permissions[static_cast<std::size_t>(request.permission)];
    findings.push_back({base, request.line, permission_rule(request.permission)});
  }
  for (const CommandWords& command : *commands) findings.push_back(judge(list, request, command));
}

Status Policy::add_server_tools(const Json& rules) {
  std::vector<ToolRule> list;
  for (const auto& [tool, value] : rules.items()) {
    if (tool.starts_with("//")) continue;
    const std::size_t dot = tool.find('.');
    if (tool != "*" && (dot == 0 || dot == tool.npos || dot + 1 == tool.size())) {
      return config_error("policy.mcp", fmt::format("'{}': expected SERVER.TOOL, SERVER.* or *",
                                                    printable_name(tool)));
    }
    PEDRO_TRY(const auto verdict, read_verdict("policy.mcp", tool, value));
    list.push_back({tool, verdict});
  }
  tool_lists_.push_back(std::move(list));
  return {};
}

std::vector<Finding> Policy::judge_server_tool(const Request& request) const {
  const std::string& tool = request.server_tool;
  const std::string all_of_server = tool.substr(0, tool.find('.')) + ".*";
  Finding by_default{Verdict::kAsk, request.action, fmt::format("policy.mcp \"{}\"", tool)};
  std::vector<Finding> findings;
  for (const std::vector<ToolRule>& list : tool_lists_) {
    Finding finding = by_default;
    if (!findings.empty()) finding.verdict = Verdict::kAllow;  // a project's: it only restricts
    for (const ToolRule& rule : list) {
      if (rule.tool != tool && rule.tool != all_of_server && rule.tool != "*") continue;
      finding.verdict = rule.verdict;
      finding.rule = fmt::format("policy.mcp \"{}\"", rule.tool);
    }
    findings.push_back(std::move(finding));
  }
  if (findings.empty()) findings.push_back(std::move(by_default));
  return findings;
}

Decision Policy::decide(const Request& request) const {
  std::vector<Finding> all;
  if (!request.server_tool.empty()) all = judge_server_tool(request);
  for (const List& list : lists_) {
    if (!request.server_tool.empty()) break;
    if (!request.line.empty()) {
      judge_line(list, request, all);
      continue;
    }
    const Verdict verdict = list.permissions[static_cast<std::size_t>(request.permission)];
    all.push_back({verdict, request.action, permission_rule(request.permission)});
  }
  Decision decision;
  for (const Finding& finding : all) {
    decision.verdict = std::max(decision.verdict, finding.verdict);
  }
  if (decision.verdict == Verdict::kAllow) return decision;
  for (Finding& finding : all) {
    if (finding.verdict == decision.verdict) decision.findings.push_back(std::move(finding));
  }
  return decision;
}

std::string Policy::allowed_instead(const Request& request) const {
  if (!request.server_tool.empty()) return "Use other tools.";
  std::vector<std::string> allowed;
  std::vector<std::string> not_allowed;
  bool nothing_else = false;
  for (const List& list : lists_) {
    bool base = list.permissions[static_cast<std::size_t>(request.permission)] == Verdict::kAllow;
    for (const Rule& rule : list.commands) {
      if (rule.words.front() == "*") base = rule.verdict == Verdict::kAllow;
      auto& names = rule.verdict == Verdict::kAllow ? allowed : not_allowed;
      if (rule.words.front() != "*") names.push_back(join(rule.words, " "));
    }
    nothing_else = nothing_else || !base;
  }
  const auto listed = [](std::vector<std::string> names) {
    if (names.size() > kMaxListedRules) {
      const std::size_t more = names.size() - kMaxListedRules;
      names.resize(kMaxListedRules);
      names.push_back(fmt::format("{} more", more));
    }
    return join(names, ", ");
  };
  if (request.line.empty() || (nothing_else && allowed.empty())) {
    return fmt::format("Nothing that needs the permission '{}' is allowed; use other tools.",
                       to_string(request.permission));
  }
  std::string text = nothing_else ? fmt::format("Commands that are allowed: {}.", listed(allowed))
                                  : std::string("Other commands are allowed.");
  if (!not_allowed.empty()) text += fmt::format(" Not allowed: {}.", listed(not_allowed));
  return text;
}

}  // namespace pedro::policy
