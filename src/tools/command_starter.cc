#include "tools/command_starter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/program_code.h"
#include "tools/starting_options.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using Argv = std::span<const ShellWord>;

// clang-format off
// They run their arguments in a way that is not parsed here, or elsewhere. Without arguments, they
// run their input.
constexpr std::string_view kUnread[] = {
    "parallel", "watch", "su", "script", "at", "batch", "crontab", "chroot", "unshare", "nsenter",
    "systemd-run", "runuser", "flock", "entr", "gdb", "pkexec", "setpriv", "capsh", "unbuffer",
    "expect", "screen", "tmux", "ssh", "fish", "csh", "tcsh", "setarch", "linux32", "linux64",
    "rlwrap", "start-stop-daemon", "daemonize", "xvfb-run", "dbus-run-session", "proot", "bwrap",
    "firejail", "systemd-inhibit", "cgexec", "numactl", "faketime", "tsocks", "torsocks",
    "proxychains", "git-shell", "lldb", "sem", "watchexec", "nodemon", "reflex", "hyperfine",
    "mispipe", "pee", "chpst", "softlimit", "setlock", "lckdo", "msgexec", "msgfilter", "socat",
    "xterm", "x-terminal-emulator", "gnome-terminal", "konsole", "xinit", "startx", "xdotool", "sg",
    "newgrp", "machinectl", "schroot", "dtach", "abduco", "dbus-launch", "coreutils", "i386",
    "x86_64", "uname26", "qemu-x86_64", "qemu-x86_64-static", "qemu-i386", "qemu-aarch64",
    "qemu-aarch64-static", "box64", "wine", "fc", "nix-shell", "uftrace", "operf", "daemon",
    "ansible", "qemu-arm", "sudoedit", "choom", "uclampset", "coresched", "pipesz", "enosys",
    "scan-build", "bear", "intercept-build"};
// The same, but without arguments they only print.
constexpr std::string_view kUnreadWithWords[] = {"alias", "enable", "hash"};

// They start the command after their subcommand.
struct Starter {
  std::string_view name;
  std::string_view words = {};  // "tool run"; "" if the name is enough
  std::string_view as = {};     // behaves as this program: only its code is examined
  int operands = 0;             // words before the command
  bool unread = false;          // starts it in a way that is not parsed here
};
constexpr Starter kStarters[] = {
    {"npx"}, {"bunx"}, {"uvx"}, {"pipx", "run"}, {"npm", "exec"}, {"npm", "exe"}, {"npm", "x"},
    {"pnpm", "exec"}, {"pnpm", "dlx"}, {"yarn", "exec"}, {"yarn", "dlx"},
    {.name = "yarn", .words = "node", .as = "node"}, {"bun", "x"}, {"bundle", "exec"},
    {"bundle", "e"}, {"uv", "run"}, {"uv", "tool run"}, {"poetry", "run"}, {"pdm", "run"},
    {"pipenv", "run"}, {"rye", "run"}, {"hatch", "run"}, {"conda", "run"}, {"mamba", "run"},
    {"micromamba", "run"}, {"mise", "exec"}, {"mise", "x"}, {"rtx", "exec"}, {"rtx", "x"},
    {"asdf", "exec"}, {"pyenv", "exec"}, {"rbenv", "exec"}, {"nodenv", "exec"}, {"perf", "stat"},
    {"perf", "record"}, {"perf", "trace"}, {"rr", "record"}, {"gem", "exec"}, {"opam", "exec"},
    {"stack", "exec"}, {"cabal", "exec"},
    {.name = "rustup", .words = "run", .operands = 1},
    {.name = "direnv", .words = "exec", .operands = 1},
    {.name = "ip", .words = "netns exec", .operands = 1},
    {.name = "ip", .words = "vrf exec", .operands = 1},
    {.name = "coverage", .words = "run", .as = "python3"},
    {.name = "zig", .words = "cc", .as = "cc"}, {.name = "zig", .words = "c++", .as = "c++"},
    {.name = "npm", .words = "explore", .unread = true},
    {.name = "node", .words = "inspect", .unread = true},
    {.name = "deno", .words = "eval", .unread = true},
    {.name = "deno", .words = "repl", .unread = true},
    {.name = "swift", .words = "repl", .unread = true},
    {.name = "mix", .words = "eval", .unread = true},
    {.name = "cargo", .words = "watch", .unread = true},
    {.name = "go", .words = "env -w", .unread = true},
    {.name = "sbt", .words = "eval", .unread = true},
    {.name = "gh", .words = "alias", .unread = true},
    {.name = "gh", .words = "extension exec", .unread = true},
    {.name = "nix", .words = "run", .unread = true},
    {.name = "nix", .words = "shell", .unread = true},
    {.name = "nix", .words = "develop", .unread = true},
    {.name = "guix", .words = "shell", .unread = true},
};

// They start the command after an option, up to a ';', and insert file names.
struct Finder {
  std::string_view names;    // "|find|bfs|"
  std::string_view options;  // "|-exec|"
  std::string_view letters = {};  // of short options that do the same in a cluster
  std::string_view valued = {};   // of short options with another value
  bool appends = false;           // file names follow a command without a placeholder
  bool deletes = false;           // by `-delete`, or by an unknown word
};
constexpr Finder kFinders[] = {
    {.names = "|find|gfind|bfs|", .options = "|-exec|-execdir|-ok|-okdir|", .deletes = true},
    {.names = "|fd|fdfind|", .options = "|-x|-X|--exec|--exec-batch|",
     .letters = "xX", .valued = "deEtSojcC", .appends = true},
};
// clang-format on

/// Returns the number of arguments that match the row's words, or -1.
int words_of(const Starter& row, Argv argv) {
  if (row.words.empty()) return 0;
  const auto words = split(row.words, ' ');
  if (argv.size() <= words.size()) return -1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!argv[i + 1].known || argv[i + 1].text != words[i]) return -1;
  }
  return static_cast<int>(words.size());
}

/// Returns true if options precede the row's subcommand. Their values are unknown.
bool may_be_behind_options(const Starter& row, Argv argv) {
  if (argv.size() < 2 || !argv[1].text.starts_with('-') || row.words.empty()) return false;
  const std::string_view first = row.words.substr(0, row.words.find(' '));
  return std::any_of(argv.begin() + 2, argv.end(),
                     [first](const ShellWord& word) { return word.text == first; });
}

/// Returns true if an option contains the command in the same word, or is part of a cluster.
bool holds_option(const Finder& finder, std::string_view word) {
  if (!word.starts_with('-') || finder.letters.empty()) return false;
  if (!word.starts_with("--")) return has_letter(word, finder.letters, finder.valued);
  return word.find('=') != word.npos && is_listed(finder.options, word.substr(0, word.find('=')));
}

/// Returns true if a word contains a placeholder for file names: "{}", and fd's variants.
bool has_file(std::string_view word) {
  static constexpr std::string_view kPlaces[] = {"{}", "{/}", "{//}", "{.}", "{/.}"};
  return std::any_of(std::begin(kPlaces), std::end(kPlaces),
                     [word](std::string_view place) { return word.find(place) != word.npos; });
}

/// Returns the command at position `at` of `argv`, and moves `at` to its end.
std::vector<ShellWord> command_at(const Finder& finder, Argv argv, std::size_t& at) {
  std::vector<ShellWord> command;
  bool has_place = false;
  for (; at < argv.size() && argv[at].text != ";"; ++at) {
    if (argv[at].text == "+" && argv[at - 1].text == "{}") break;
    const bool file = has_file(argv[at].text);
    has_place = has_place || file;
    command.push_back({argv[at].text, argv[at].known && !file});
  }
  if (finder.appends && !has_place && !command.empty()) command.push_back({"…", false});
  return command;
}

/// Returns the command after a row's words; `first` is the index after them.
StartedCommands started_by(const Starter& row, Argv argv, std::size_t first) {
  const std::size_t at = std::min(argv.size(), first + static_cast<std::size_t>(row.operands));
  std::vector<ShellWord> command(argv.begin() + static_cast<std::ptrdiff_t>(at), argv.end());
  if (!row.as.empty()) {
    command.insert(command.begin(), {std::string(row.as), true});
    return {{}, unread_code(row.as, command)};
  }
  for (const std::size_t i : {first, at}) {
    if (i >= argv.size() || !argv[i].known || argv[i].text == "--") continue;
    if (argv[i].text.starts_with('-')) {
      return {{}, fmt::format("{} {} is not understood", row.name, argv[i].text)};
    }
  }
  if (!command.empty() && command[0].text == "--") command.erase(command.begin());
  return {{std::move(command)}, ""};
}

}  // namespace

StartedCommands started_by_word(std::string_view name, Argv argv) {
  for (const Starter& row : kStarters) {
    if (row.name != name) continue;
    const int words = words_of(row, argv);
    if (words < 0 && may_be_behind_options(row, argv)) {
      return {{}, fmt::format("{} {} is not understood", name, argv[1].text)};
    }
    if (words >= 0 && row.unread) {
      return {{}, fmt::format("{} {} runs commands that cannot be read", name, row.words)};
    }
    if (words >= 0) return started_by(row, argv, static_cast<std::size_t>(words) + 1);
  }
  return {};
}

StartedCommands started_for_files(std::string_view name, Argv argv) {
  StartedCommands started;
  for (const Finder& finder : kFinders) {
    if (!is_listed(finder.names, name)) continue;
    for (std::size_t i = 1; i < argv.size(); ++i) {
      const std::string& word = argv[i].text;
      if (is_listed(finder.options, word)) {
        started.commands.push_back(command_at(finder, argv, ++i));
      } else if (word == "-delete" && finder.deletes) {
        started.commands.push_back({{"rm", true}, {"…", false}});
      } else if ((!argv[i].known && finder.deletes) || holds_option(finder, word)) {
        started.unread = fmt::format("{} may run commands that cannot be read", name);
      }
    }
  }
  return started;
}

bool starts_unread(std::string_view name, Argv argv) {
  return is_one_of(name, kUnread) || (is_one_of(name, kUnreadWithWords) && argv.size() > 1);
}

}  // namespace pedro
