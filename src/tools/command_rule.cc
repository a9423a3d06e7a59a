#include "tools/command_rule.h"

#include <algorithm>
#include <set>

#include "tools/git_programs.h"

namespace pedro {
namespace {

constexpr std::string_view kSystemFolders[] = {"/bin/",  "/usr/bin/",  "/usr/local/bin/",
                                               "/sbin/", "/usr/sbin/", "/usr/local/sbin/"};
RuleMatch weaker(RuleMatch a, RuleMatch b) {
  return std::min(a, b);
}

RuleMatch match_name(const std::string& rule, const ListedCommand& command) {
  const ShellWord& name = command.argv[0];
  if (rule == "*") return command.passes_on ? RuleMatch::kNo : RuleMatch::kYes;
  if (!name.known) return RuleMatch::kMaybe;
  if (command.name_unsure && !command.passes_on) return RuleMatch::kMaybe;
  if (rule.find('/') != std::string::npos) {
    return rule == name.text ? RuleMatch::kYes : RuleMatch::kNo;
  }
  const std::string_view program = program_name(name.text);
  if (program != rule) return RuleMatch::kNo;
  const std::string_view folder =
      std::string_view(name.text).substr(0, name.text.size() - program.size());
  const bool system =
      folder.empty() || std::find(std::begin(kSystemFolders), std::end(kSystemFolders), folder) !=
                            std::end(kSystemFolders);
  return system ? RuleMatch::kYes : RuleMatch::kMaybe;
}

bool is_option(const std::string& word) {
  return word.size() > 1 && (word[0] == '-' || word[0] == '+');
}

// Equivalent forms of an option.
struct OptionNames {
  std::string_view program;
  std::string_view letters;
  std::string_view name;
};
constexpr OptionNames kOptionNames[] = {
    {"rm", "rR", "recursive"},   {"rm", "f", "force"},         {"rm", "d", "dir"},
    {"cp", "rRa", "recursive"},  {"mv", "f", "force"},         {"chmod", "R", "recursive"},
    {"chown", "R", "recursive"}, {"git", "f", "force"},        {"git", "d", "delete"},
    {"git", "D", "delete"},      {"git", "u", "set-upstream"}, {"git", "a", "all"},
    {"git", "n", "no-verify"},   {"curl", "o", "output"},      {"curl", "X", "request"},
    {"curl", "d", "data"},       {"curl", "T", "upload-file"}};

/// Returns the letters equivalent to an option: those of the long option, or the letter itself.
std::string letters_of(std::string_view program, std::string_view option) {
  std::string letters = option.starts_with("--") ? "" : std::string(option);
  for (const OptionNames& row : kOptionNames) {
    const bool same = option.starts_with("--") ? row.name == option.substr(2)
                                               : row.letters.find(option) != std::string_view::npos;
    if (row.program == program && same) letters += row.letters;
  }
  return letters;
}

/// Returns true if a word may contain the option with the short names `letters`.
bool may_give(const std::string& word, std::string_view program, std::string_view letters) {
  if (!word.starts_with("--")) {
    return word.starts_with('-') && word.find_first_of(letters, 1) != std::string::npos;
  }
  const std::string_view given = std::string_view(word).substr(2, word.find('=') - 2);
  return !given.empty() &&
         std::any_of(std::begin(kOptionNames), std::end(kOptionNames), [&](const OptionNames& row) {
           return row.program == program && row.name.starts_with(given) &&
                  letters.find_first_of(row.letters) != std::string_view::npos;
         });
}

/// Returns true if the options of a rule ("-rf") may occur in another form ("-fr", "-r",
/// "--recursive"). Equal letters may have equal meanings.
bool shares_options(std::string_view program, const std::string& rule,
                    const std::vector<ShellWord>& argv) {
  const auto is_given = [&](const std::string& letters) {
    return !letters.empty() && std::any_of(argv.begin() + 1, argv.end(), [&](const auto& word) {
      return may_give(word.text, program, letters);
    });
  };
  if (rule.starts_with("--")) return is_given(letters_of(program, rule));
  return std::all_of(rule.begin() + 1, rule.end(), [&](const char& letter) {
    return is_given(letters_of(program, std::string_view(&letter, 1)));
  });
}

RuleMatch match_option(const std::string& rule, const std::vector<ShellWord>& argv) {
  const std::string_view program = program_name(argv[0].text);
  const bool is_long = rule.starts_with("--");
  const bool forces = program == "git" && (rule == "--force" || rule == "-f");
  RuleMatch best = RuleMatch::kNo;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& word = argv[i].text;
    const std::string_view given = std::string_view(word).substr(0, word.find('='));
    if (!argv[i].known) {
      best = std::max(best, RuleMatch::kMaybe);
    } else if (word == rule || word.starts_with(rule + "=")) {
      return RuleMatch::kYes;
    } else if ((is_long && given.size() > 2 && rule.starts_with(given)) ||
               (forces && word.starts_with('+'))) {
      best = std::max(best, RuleMatch::kMaybe);
    }
  }
  if (best == RuleMatch::kNo && shares_options(program, rule, argv)) return RuleMatch::kMaybe;
  return best;
}

/// The set of positions in a command where the next word of a rule may match.
class RuleWalk {
 public:
  explicit RuleWalk(const std::vector<ShellWord>& argv)
      : argv_(argv), is_git_(argv[0].known && program_name(argv[0].text) == "git") {}

  RuleMatch go_to(const std::string& word) {
    std::set<std::size_t> next;
    bool sure = false;
    if (is_git_) skip_git_options();
    if (sure_at_ < argv_.size()) {
      const ShellWord& there = argv_[sure_at_];
      if (there.known && there.text == word) sure = true;
    }
    for (const std::size_t place : reachable()) {
      if (place >= argv_.size()) continue;
      if (!argv_[place].known) return RuleMatch::kMaybe;
      if (argv_[place].text == word) next.insert(place + 1);
    }
    places_ = next;
    if (sure) {
      ++sure_at_;
      return RuleMatch::kYes;
    }
    sure_at_ = argv_.size();
    return next.empty() ? RuleMatch::kNo : RuleMatch::kMaybe;
  }

 private:
  void skip_git_options() {
    while (sure_at_ < argv_.size() && argv_[sure_at_].known && is_option(argv_[sure_at_].text)) {
      const bool valued = git_option_has_value(argv_[sure_at_].text);
      const std::size_t behind = sure_at_ + (valued ? 2 : 1);
      if (valued && sure_at_ + 1 < argv_.size() && !argv_[sure_at_ + 1].known) return;
      sure_at_ = behind;
    }
    places_ = {sure_at_};
    is_git_ = false;  // the rest is as for other programs
  }

  // The next word may be an option's value.
  std::set<std::size_t> reachable() const {
    std::set<std::size_t> found;
    std::set<std::size_t> todo = places_;
    while (!todo.empty()) {
      const std::size_t place = *todo.begin();
      todo.erase(todo.begin());
      if (!found.insert(place).second || place >= argv_.size()) continue;
      if (!argv_[place].known || !is_option(argv_[place].text)) continue;
      todo.insert({place + 1, place + 2});
    }
    return found;
  }

  const std::vector<ShellWord>& argv_;
  bool is_git_;
  std::size_t sure_at_ = 1;
  std::set<std::size_t> places_ = {1};
};

}  // namespace

RuleMatch match_rule(const std::vector<std::string>& rule, const ListedCommand& command) {
  RuleMatch match = match_name(rule.front(), command);
  if (command.possible) match = weaker(match, RuleMatch::kMaybe);
  RuleWalk walk(command.argv);
  for (std::size_t i = 1; i < rule.size() && match != RuleMatch::kNo; ++i) {
    // An unknown name may expand to several words.
    if (!command.argv[0].known) return RuleMatch::kMaybe;
    const RuleMatch word =
        is_option(rule[i]) ? match_option(rule[i], command.argv) : walk.go_to(rule[i]);
    match = weaker(match, word);
  }
  return match;
}

}  // namespace pedro
