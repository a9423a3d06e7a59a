#include "policy/started_programs.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "policy/command_rule.h"

namespace pedro::policy {
namespace {

constexpr std::string_view kWrappers[] = {
    "builtin", "busybox", "chroot",  "command", "doas",     "exec",   "flock",   "ionice",
    "nice",    "nohup",   "nsenter", "perf",    "setsid",   "stdbuf", "strace",  "sudo",
    "taskset", "timeout", "toybox",  "unshare", "valgrind", "watch",  "xvfb-run"};

// Programs that run commands of another program's output or of a text, or change variables.
constexpr std::string_view kRunners[] = {"at",       "batch",   "env",    "expect", "gdb",
                                         "parallel", "runuser", "screen", "script", "ssh",
                                         "su",       "tmux",    "xargs"};

// Builtins that run words, evaluate them (`let 'a[$(rm x)]'`) or change what a name means.
constexpr std::string_view kBuiltins[] = {".",       "alias",  "bind",      "compgen",  "complete",
                                          "declare", "enable", "eval",      "export",   "fc",
                                          "getopts", "hash",   "jobs",      "let",      "local",
                                          "mapfile", "read",   "readarray", "readonly", "shopt",
                                          "source",  "trap",   "typeset",   "unset",    "wait"};

// Programs with options that hold code. Those that read input take code from it without a file.
struct CodeOption {
  std::string_view program;
  std::string_view letters;
  bool reads_input = true;
};
constexpr CodeOption kCodeOptions[] = {
    {"printf", "v", false}, {"test", "v", false}, {"set", "ko", false}, {"emacs", "e", false},
    {"rake", "e", false},   {"ash", "cis"},       {"bash", "cis"},      {"dash", "cis"},
    {"fish", "ci"},         {"ksh", "cis"},       {"mksh", "cis"},      {"rbash", "cis"},
    {"csh", "cis"},         {"tcsh", "cis"},      {"sh", "cis"},        {"zsh", "cis"},
    {"bun", "ep"},          {"elixir", "e"},      {"erl", "e"},         {"groovy", "e"},
    {"ipython", "ci"},      {"lua", "e"},         {"node", "ep"},       {"nodejs", "ep"},
    {"perl", "ed"},         {"php", "rbepRBE"},   {"pypy", "ci"},       {"python", "ci"},
    {"ruby", "er"}};

template <typename Names>
bool lists(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Returns the program at the end of a word: "sh" for "SHELL=/bin/sh".
std::string_view program_in(std::string_view word) {
  return program_name(word.substr(word.rfind('=') + 1));
}

std::string_view without_version(std::string_view program) {
  return program.substr(0, program.find_last_not_of("0123456789.") + 1);
}

bool gives_code(const CodeOption& row, std::span<const std::string> arguments, bool is_first) {
  bool has_file = false;
  for (const std::string_view word : arguments) {
    if (word == "-") return true;
    has_file = has_file || !word.starts_with('-') || word.starts_with("--");
    if (!word.starts_with('-')) continue;
    const std::string_view letters = word.starts_with("--") ? word.substr(2, 1) : word.substr(1);
    if (letters.find_first_of(row.letters) != letters.npos) return true;
  }
  return row.reads_input && is_first && !has_file;
}

/// Returns true for an interpreter with code in its words. The code may be in its input if it is
/// the program that runs.
bool evaluates(std::span<const std::string> command, bool is_first) {
  const std::string_view name = without_version(program_name(command.front()));
  const auto row = std::find_if(std::begin(kCodeOptions), std::end(kCodeOptions),
                                [name](const CodeOption& one) { return one.program == name; });
  if (row == std::end(kCodeOptions) || !(is_first || row->reads_input)) return false;
  return gives_code(*row, command.subspan(1), is_first);
}

/// Returns true for the file of standard input, which may hold commands.
bool names_input(std::string_view word) {
  return word.find("/dev/stdin") != word.npos || word.find("/dev/fd/") != word.npos ||
         word.find("/proc/self/fd/") != word.npos;
}

/// Returns true for words that may add commands to git, or replace its programs.
bool names_git_program(std::string_view word, std::string_view before) {
  return (before == "-c" && word.find('=') != word.npos) || word.starts_with("--config-env") ||
         word.starts_with("--exec-path=") || word.starts_with("alias.") ||
         word.starts_with("ext::");
}

// Programs whose arguments never name programs.
constexpr std::string_view kReaders[] = {"cat", "echo",   "egrep", "fgrep", "grep", "head",
                                         "ls",  "printf", "tail",  "test",  "wc"};

/// Returns true for the messages of git and gh: a word after `-m`, `--title` and the like.
bool is_message(std::string_view program, std::string_view before) {
  constexpr std::string_view kOptions[] = {"-m",      "-am", "--message", "-t",
                                           "--title", "-b",  "--body"};
  return (program == "git" || program == "gh") && lists(kOptions, before);
}

bool is_name_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_-.+/").find(c) != std::string_view::npos;
}

}  // namespace

bool is_wrapper(std::span<const std::string> command) {
  const std::string_view program = program_name(command.front());
  return lists(kWrappers, program) ||
         (program == "find" && std::any_of(command.begin(), command.end(), [](const auto& word) {
            return word.starts_with("-exec") || word.starts_with("-ok");
          }));
}

bool reads_commands(std::span<const std::string> command) {
  const std::string_view program = program_name(command.front());
  const bool runs_builtins = program == "command" || program == "builtin";
  const bool wraps = is_wrapper(command);
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (lists(kRunners, program_in(word)) || names_input(word)) return true;
    if ((i == 0 || runs_builtins) && lists(kBuiltins, word)) return true;
    if (evaluates(command.subspan(i), i == 0 || wraps)) return true;
    if (i > 0 && program == "git" && names_git_program(word, command[i - 1])) return true;
  }
  return false;
}

std::vector<std::string> names_in_arguments(std::span<const std::string> command) {
  std::vector<std::string> names;
  const std::string_view program = program_name(command.front());
  if (lists(kReaders, program)) return names;
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (is_message(program, command[i - 1])) continue;
    if (program == "find" && word == "-delete") names.emplace_back("rm");
    for (std::size_t begin = 0; begin < word.size();) {
      const auto end = static_cast<std::size_t>(
          std::find_if_not(word.begin() + static_cast<std::ptrdiff_t>(begin), word.end(),
                           is_name_part) -
          word.begin());
      if (end > begin) names.push_back(word.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return names;
}

}  // namespace pedro::policy
