#include "policy/command_rule.h"

#include <algorithm>
#include <cctype>

namespace pedro::policy {
namespace {

using Argv = std::span<const std::string>;

constexpr std::string_view kSystemFolders[] = {
    "", "/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/usr/local/sbin/"};

RuleMatch match_name(std::string_view rule, std::string_view name) {
  if (rule == "*" || rule == name) return RuleMatch::kYes;
  const std::string_view program = program_name(name);
  if (program == program_name(rule)) {
    const std::string_view folder = name.substr(0, name.size() - program.size());
    const bool system = std::find(std::begin(kSystemFolders), std::end(kSystemFolders), folder) !=
                        std::end(kSystemFolders);
    return system && rule.find('/') == rule.npos ? RuleMatch::kYes : RuleMatch::kMaybe;
  }
  const bool in_option = name.starts_with('-') && name.ends_with(rule);  // fd -Xrm
  return in_option ? RuleMatch::kMaybe : RuleMatch::kNo;
}

/// Returns true for `git-push` and the rule `git push` or `git`.
bool is_subcommand(const std::vector<std::string>& rule, std::string_view program) {
  const std::string begin = rule.front() + "-";
  if (!program.starts_with(begin)) return false;
  return rule.size() == 1 || program.substr(begin.size()) == rule[1];
}

bool is_option(std::string_view word) {
  return word.size() > 1 && (word[0] == '-' || word[0] == '+');
}

/// Returns the letters that an option may be abbreviated to, in lower case. Examples: "rf" for
/// "-Rf", "f" for "--force" and for git's refspec "+main".
std::string letters_of(std::string_view option) {
  std::string letters(option.starts_with("--")  ? option.substr(2, 1)
                      : option.starts_with('+') ? "f"
                                                : option.substr(1));
  for (char& letter : letters) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return letters;
}

RuleMatch match_option(const std::string& rule, Argv arguments) {
  std::string given;
  for (const std::string& word : arguments) {
    if (word == rule || word.starts_with(rule + "=")) return RuleMatch::kYes;
    if (is_option(word)) given += letters_of(word);
  }
  const std::string wanted = letters_of(rule);
  return wanted.find_first_not_of(given) == std::string::npos ? RuleMatch::kMaybe : RuleMatch::kNo;
}

/// Matches words in their order. An option between them may have the next word as its value.
RuleMatch match_words(const std::vector<std::string_view>& words, Argv arguments) {
  if (arguments.size() >= words.size() &&
      std::equal(words.begin(), words.end(), arguments.begin())) {
    return RuleMatch::kYes;
  }
  std::vector<bool> reached(arguments.size() + 2);  // places where the next word may be
  reached[0] = true;
  for (const std::string_view word : words) {
    std::vector<bool> next(reached.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!reached[i]) continue;
      if (is_option(arguments[i])) reached[i + 1] = reached[i + 2] = true;
      if (arguments[i] == word) next[i + 1] = true;
    }
    reached = std::move(next);
  }
  const bool found = std::find(reached.begin(), reached.end(), true) != reached.end();
  return found ? RuleMatch::kMaybe : RuleMatch::kNo;
}

}  // namespace

std::string_view program_name(std::string_view word) {
  return word.substr(word.rfind('/') + 1);
}

RuleMatch match_rule(const std::vector<std::string>& rule, Argv command) {
  RuleMatch match = match_name(rule.front(), command.front());
  std::vector<std::string_view> words;
  std::size_t begin = 1;
  if (is_subcommand(rule, program_name(command.front()))) {
    match = RuleMatch::kMaybe;
    begin = 2;
  }
  for (std::size_t i = begin; i < rule.size() && match != RuleMatch::kNo; ++i) {
    if (is_option(rule[i])) {
      match = std::min(match, match_option(rule[i], command.subspan(1)));
    } else {
      words.push_back(rule[i]);
    }
  }
  return match == RuleMatch::kNo ? match : std::min(match, match_words(words, command.subspan(1)));
}

}  // namespace pedro::policy
