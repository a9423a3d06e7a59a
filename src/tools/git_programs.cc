#include "tools/git_programs.h"

#include <algorithm>

#include "base/text.h"
#include "tools/starting_options.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using Argv = std::span<const ShellWord>;

template <typename Names>
bool begins_as_one_of(std::string_view text, const Names& names) {
  return std::any_of(std::begin(names), std::end(names),
                     [text](std::string_view front) { return text.starts_with(front); });
}

constexpr std::string_view kUnreadGit = "git may run commands that cannot be read";

constexpr std::string_view kValued[] = {"-C",           "-c",           "--git-dir",
                                        "--work-tree",  "--namespace",  "--super-prefix",
                                        "--config-env", "--attr-source"};

// Settings, KEY or KEY=VALUE, that do not name programs.
constexpr std::string_view kPlainSettings[] = {"user.",
                                               "color.",
                                               "advice.",
                                               "init.defaultbranch",
                                               "core.quotepath",
                                               "core.autocrlf",
                                               "core.filemode",
                                               "pull.rebase",
                                               "push.default",
                                               "merge.conflictstyle",
                                               "safe.directory",
                                               "protocol.version",
                                               "protocol.file.",
                                               "protocol.http",
                                               "commit.gpgsign=false",
                                               "tag.gpgsign=false"};

// URLs whose helpers run the command in the URL.
constexpr std::string_view kStartingAddresses[] = {"ext::", "fd::"};

// Commands whose purpose is to run others.
struct Runner {
  std::string_view command;
  std::string_view word = {};  // "" if the command is enough
};
constexpr Runner kRunners[] = {{"filter-branch"},
                               {"filter-repo"},
                               {"submodule", "foreach"},
                               {"submodule--helper", "foreach"},
                               {"bisect", "run"},
                               {"hook", "run"},
                               {"difftool"},
                               {"mergetool"},
                               {"merge-index"},
                               {"instaweb"},
                               {"web--browse"},
                               {"for-each-repo"},
                               {"daemon"},
                               {"remote-ext"},
                               {"remote-fd"},
                               {"shell"}};

constexpr std::string_view kPushes[] = {"send-pack", "http-push", "subtree push",
                                        "lfs push",  "p4 submit", "svn dcommit"};

// Returns the index of git's subcommand, after its global options.
std::size_t command_at(Argv argv) {
  std::size_t at = 1;
  while (at < argv.size() && argv[at].known && argv[at].text.starts_with('-')) {
    at += git_option_has_value(argv[at].text) ? 2 : 1;
  }
  return std::min(at, argv.size());
}

bool sets_no_program(Argv argv, std::size_t at) {
  if (at >= argv.size() || !argv[at].known) return false;
  return begins_as_one_of(to_lower(argv[at].text), kPlainSettings);
}

// Returns true if `git config` may set the name of a program. `argv` begins with config.
bool sets_a_program(Argv argv) {
  static constexpr std::string_view kWithValue[] = {"-f",        "--file",    "--blob",  "--type",
                                                    "--default", "--comment", "--value", "--url"};
  Argv from = argv.subspan(1);
  const std::string_view first = from.empty() ? "" : std::string_view(from[0].text);
  if (first == "get" || first == "list") return false;
  if (first == "set" || first == "unset") from = from.subspan(1);
  std::vector<ShellWord> operands;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::string& word = from[i].text;
    if (!from[i].known && operands.empty()) return true;
    if (word.starts_with("--get") || word == "--list" || word == "-l") return false;
    if (is_one_of(word, kWithValue)) ++i;
    if (!word.starts_with('-')) operands.push_back(from[i]);
  }
  return operands.size() > 1 && !sets_no_program(operands, 0);
}

bool has_starting_address(const ShellWord& word) {
  const std::string_view text = word.text;
  return begins_as_one_of(text, kStartingAddresses) ||
         begins_as_one_of(text.substr(text.find('=') + 1), kStartingAddresses);
}

bool runs_others(Argv argv) {
  return std::any_of(std::begin(kRunners), std::end(kRunners), [argv](const Runner& row) {
    const auto is_word = [&row](const ShellWord& word) { return word.text == row.word; };
    return row.command == argv[0].text &&
           (row.word.empty() || std::any_of(argv.begin() + 1, argv.end(), is_word));
  });
}

}  // namespace

bool git_option_has_value(std::string_view option) {
  return is_one_of(option, kValued);
}

std::string unread_git(Argv argv) {
  const std::size_t at = command_at(argv);
  for (std::size_t i = 1; i < at; ++i) {
    if (argv[i].text == "-c" && !sets_no_program(argv, i + 1)) return std::string(kUnreadGit);
  }
  const bool starts = std::any_of(argv.begin(), argv.end(), has_starting_address) ||
                      !options_that_start("git", argv).empty();
  if (starts) return std::string(kUnreadGit);
  if (at == argv.size()) return "";
  const Argv command = argv.subspan(at);
  const bool sets = command[0].text == "config" && sets_a_program(command);
  if (sets || runs_others(command) ||
      !options_that_start("git " + command[0].text, command).empty()) {
    return std::string(kUnreadGit);
  }
  return "";
}

std::vector<ShellWord> as_git_push(Argv argv) {
  const std::size_t at = command_at(argv);
  if (at == argv.size()) return {};
  const std::string& first = argv[at].text;
  std::size_t last = at;  // the last word of the command's name
  if (!is_one_of(first, kPushes)) {
    const auto means_it = [&first](const ShellWord& word) {
      return is_one_of(first + " " + word.text, kPushes);
    };
    // Options and their values may be in between.
    const auto second =
        std::find_if(argv.begin() + static_cast<std::ptrdiff_t>(at) + 1, argv.end(), means_it);
    if (second == argv.end()) return {};
    last = static_cast<std::size_t>(second - argv.begin());
  }
  std::vector<ShellWord> words = {{"git", true}, {"push", true}};
  const auto add = [&words](Argv some) { words.insert(words.end(), some.begin(), some.end()); };
  add(argv.subspan(at + 1, last > at ? last - at - 1 : 0));
  add(argv.subspan(last + 1));
  return words;
}

}  // namespace pedro
